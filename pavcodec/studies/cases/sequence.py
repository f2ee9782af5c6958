"""The common part of all listings, with their deals."""

from __future__ import annotations

from pavcodec.studies.cases.deals import CaseDeals
from pavcodec.studies.cases.rows import CaseRows

__all__ = ["CaseSequence"]


class CaseSequence(CaseRows):
    """The cases of one hand or two, in the order of the study; positions start at 0.

    `plan` contains the hands and columns of the listing, and `where` is the condition as text. The
    cases have running totals. `cardinality` is the last of them, T in the study.

    >>> from pavcodec import case_table
    >>> table = case_table("spades(west) == 9")
    >>> len(table), table.cardinality, table[0].total, table.select(9425130)
    (15, 58809465, 9425130, 1)
    >>> table.row(1).hands, table.row(1).calculation
    (['9=1=2=1'], '13c9·13c1·13c2·13c1')
    """

    @property
    def deals(self) -> CaseDeals:
        """The deals of all cases, as a numbering in the order of the cases."""
        return CaseDeals.of(self)
