"""Statistics: the observed properties of a collection of deals, and their exact expectations.

A name is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader

if TYPE_CHECKING:
    from pavcodec.statistics.expectation import expected_tally
    from pavcodec.statistics.repeats import Duplicates
    from pavcodec.statistics.report import Statistics
    from pavcodec.statistics.survey import duplicates, stats
    from pavcodec.statistics.tables import Table
    from pavcodec.statistics.tally import Tally

__all__ = [
    "Duplicates",
    "Statistics",
    "Table",
    "Tally",
    "duplicates",
    "expected_tally",
    "stats",
]

_HOMES = {
    "Duplicates": ".repeats",
    "Statistics": ".report",
    "Table": ".tables",
    "Tally": ".tally",
    "duplicates": ".survey",
    "expected_tally": ".expectation",
    "stats": ".survey",
}

__getattr__ = loader(__name__, _HOMES)
