"""Case listings: deals by shapes and honours with running totals, after Pavlicek's study.

`cells` has the deck, the plan and the cells of a hand, in the order of a listing. `deals` is what
listings have in common, with their deals as a numbering. `table` reads a condition and computes its
listing on demand; `files` writes listings, resumes them, and reads them over a memory map.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)
