"""Constraints: conditions on deals, and the numberings of the deals that satisfy them.

Each name is loaded at its first use. So a program that only reads conditions does not import the
arrays, and a program that only counts does not import the parser.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)
