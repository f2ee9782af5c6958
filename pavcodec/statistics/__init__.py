"""Statistics: the observed properties of a collection of deals, and their exact expectations.

`tally` counts the deals of a part, and all deals of a condition by its model; tallies add up.
`report` compares the two in tables with one test each (`chi_square`), adjusts the tests for each
other, and gives a verdict. `repeats` finds deals that occur again, which no count shows.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)
