"""Write the tables of cases in docs/studies/cases.md from the code; --check compares.

A table is between the lines `<!-- cases of CONDITION -->` and `<!-- end of cases -->`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pavcodec.studies.cases import CaseTable, case_table

PAGE = Path(__file__).parent.parent / "docs" / "studies" / "cases.md"
MARKS = re.compile(r"(<!-- cases of (.+?) -->\n).*?(<!-- end of cases -->)", re.DOTALL)


def table(cases: CaseTable) -> str:
    """Return a table of cases in Markdown."""
    heads = cases.heads
    rules = ["---:", *["---"] * (len(heads) - 3), "---:", "---:"]
    rows = [row.cells(len(cases)) for row in cases.rows()]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, rules, *rows])


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
