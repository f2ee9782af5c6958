"""Write the table of what survives in each format into its page; --check compares.

The table is between the lines `<!-- what survives -->` and `<!-- end of what survives -->`. Formats
in which the same parts survive share a row.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pavcodec.formats import format_names, format_of
from pavcodec.formats.losing import GROUPS, survival_of

PAGE = Path(__file__).parent.parent / "docs" / "formats" / "index.md"
MARKS = re.compile(r"(<!-- what survives -->\n).*?(<!-- end of what survives -->)", re.DOTALL)
CELLS = {"yes": "yes", "part": "part", "rule": "rule", "no": "–"}


def table() -> str:
    """Return the table in Markdown."""
    by_cells: dict[tuple[str, ...], list[str]] = {}
    for name in format_names():
        if format_of(name).is_read:
            survival = survival_of(format_of(name))
            cells = tuple(CELLS[survival.of(group)] for group in GROUPS)
            by_cells.setdefault(cells, []).append(f"`{name}`")
    heads = ["| format |", *(f" {group} |" for group in GROUPS)]
    lines = ["".join(heads), "|---|" + ":---:|" * len(GROUPS)]
    for cells, names in sorted(by_cells.items(), key=lambda row: row[0].count("–")):
        lines.append(f"| {', '.join(names)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> int:
    """Write the page, or compare it."""
    text = PAGE.read_text("utf-8")
    new = MARKS.sub(lambda found: f"{found[1]}\n{table()}\n\n{found[2]}", text)
    if "--check" in sys.argv[1:]:
        is_old = new != text or not MARKS.search(text)
        old = "docs/formats/index.md is old, run tools/survival_table.py"
        print(old if is_old else "the table of what survives is current")
        return int(is_old)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
