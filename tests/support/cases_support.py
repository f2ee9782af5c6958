"""What the tests of case listings share: the study's tables, and toy decks whole."""

from __future__ import annotations

import json

from oracles import FIXTURES

from pavcodec.studies.cases.sequence import CaseRow

STUDY = json.loads((FIXTURES / "vectors" / "article-case-tables.json").read_text())
"""The rows of the five tables, by name."""
CONDITIONS = {
    "west-9-spades": "spades(west) == 9",
    "west-9-spades-east-6-6-minors": "spades(west) == 9 && shape(east, xx66)",
    "north-3-hcp": "hcp(north) == 3",
    "north-2-hcp-south-0-1-hcp": "hcp(north) == 2 && hcp(south) <= 1",
    "east-5332-34-hcp": "shape(east, any 5332) && hcp(east) == 34",
}
"""What the tables list, in the language."""
TOTALS = {
    "west-9-spades": 58809465,
    "west-9-spades-east-6-6-minors": 556991252532000,
    "north-3-hcp": 15636342960,
    "north-2-hcp-south-0-1-hcp": 122891799377692800,
    "east-5332-34-hcp": 756,
}
"""T of the tables, as printed."""


def as_in_the_study(row: CaseRow) -> dict[str, object]:
    """A row with the keys of the study's tables."""
    told: dict[str, object] = {"case": row.number, "hands": row.hands}
    if row.bitmaps:
        told["bitmaps"] = row.bitmaps
    return told | {"calculation": row.calculation, "ways": row.ways, "total": row.total}
