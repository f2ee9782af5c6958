"""Write the tables of cases in docs/constraints/cases.md from the code; --check compares.

A table is between the lines `<!-- cases of CONDITION -->` and `<!-- end of cases -->`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pavcodec.cards import Seat
from pavcodec.studies.cases import CaseRow, CaseTable, case_table

PAGE = Path(__file__).parent.parent / "docs" / "constraints" / "cases.md"
MARKS = re.compile(r"(<!-- cases of (.+?) -->\n).*?(<!-- end of cases -->)", re.DOTALL)


def table(cases: CaseTable) -> str:
    """Return a table of cases in Markdown."""
    plan = cases.plan
    hands, ways = [Seat(seat).name.title() for seat in plan.seats], "Combinations"
    if len(hands) == 1:
        hands, ways = ["Pattern"] * plan.patterns + ["High cards"] * plan.honours, "Hands"
    heads = ["Case", *hands, "Calculation", ways, "Total"]
    rules = ["---:", *["---"] * (len(heads) - 3), "---:", "---:"]
    rows = [_cells(row, last=row.number == len(cases)) for row in cases.rows()]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, rules, *rows])


def _cells(row: CaseRow, *, last: bool) -> list[str]:
    hands = row.hands if len(row.plan.seats) > 1 else row.parts
    total = f"T = {row.total:,}" if last else f"{row.total:,}"
    return [str(row.number), *hands, row.calculation, f"{row.ways:,}", total]


def filled(text: str) -> str:
    """Return the page with new tables."""
    return MARKS.sub(
        lambda found: f"{found[1]}\n{table(case_table(found[2]))}\n\n{found[3]}",
        text,
    )


def main() -> int:
    """Write the page, or compare it."""
    text = PAGE.read_text(encoding="utf-8")
    new = filled(text)
    if "--check" in sys.argv[1:]:
        print(f"{PAGE.name} is " + ("current" if new == text else "old: run tools/case_tables.py"))
        return 0 if new == text else 1
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
