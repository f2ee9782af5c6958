"""Constraints: conditions on deals, and the numberings of the deals that satisfy them.

A text (room `language`) or Python (`expressions`, `known`) gives a graph of `nodes`; `functions` is
the table of the functions of both. `evaluation` defines its value for a deal, and `columns` have
the same values for many deals. `counting` counts the deals of a condition; `spaces`, `weighing` and
`mixes` number and draw them; `scripts` run the actions of a script.

Each name is loaded at its first use. So a program that only reads conditions does not import the
arrays, and a program that only counts does not import the parser.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)
