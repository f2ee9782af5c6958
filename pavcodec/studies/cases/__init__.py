"""Case listings: deals by shapes and honours with running totals, after Pavlicek's study.

`cells` reads a condition, and makes the cells of each hand, in the order of a listing. `sequence`
is what listings have in common, with their deals as a numbering. `files` reads listings over a
memory map; `table` computes a listing on demand, writes it to a file, and resumes that.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)
