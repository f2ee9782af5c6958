"""Case listings: deals by shapes and honours with running totals, after Pavlicek's study.

A name is imported when it is first used, since listings need numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader

if TYPE_CHECKING:
    from pavcodec.studies.cases.cells.plan import CaseRow, Plan
    from pavcodec.studies.cases.deals import CaseDeals
    from pavcodec.studies.cases.hands import NotCasesError
    from pavcodec.studies.cases.listing import CaseListing, open_cases
    from pavcodec.studies.cases.sequence import CaseSequence
    from pavcodec.studies.cases.table import CaseTable, case_table
    from pavcodec.studies.cases.two_hands import deals_by_cases

__all__ = [
    "CaseDeals",
    "CaseListing",
    "CaseRow",
    "CaseSequence",
    "CaseTable",
    "NotCasesError",
    "Plan",
    "case_table",
    "deals_by_cases",
    "open_cases",
]

_HOMES = {
    "CaseDeals": ".deals",
    "CaseListing": ".listing",
    "CaseRow": ".cells.plan",
    "CaseSequence": ".sequence",
    "CaseTable": ".table",
    "NotCasesError": ".hands",
    "Plan": ".cells.plan",
    "case_table": ".table",
    "deals_by_cases": ".two_hands",
    "open_cases": ".listing",
}

__getattr__ = loader(__name__, _HOMES)
