"""Measure the tables of docs/studies/sizes.md and write them; --check compares.

A table is between the lines `<!-- table NAME -->` and `<!-- end of table -->`. `--check` computes
only the certain figures: the bounds, and uncompressed files of up to 100,000 deals in the formats
of pavcodec. It does not compare the figures of other compressors and of public files. If
PAVCODEC_CORPUS names no folder of public files, their figures never change.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from size_tables import TABLES, figures

PAGE = Path(__file__).parent.parent / "docs" / "studies" / "sizes.md"
MARKS = re.compile(r"(<!-- table (\S+) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)


def filled(text: str, *, certain: bool) -> str:
    """Return the page with new tables; with `certain`, only the certain figures are new."""

    def table(found: re.Match[str]) -> str:
        print(f"table {found[2]}", file=sys.stderr)
        lines = TABLES[found[2]]().lines(figures(found[3]), certain=certain)
        return "\n".join([found[1], *lines, "", found[4]])

    return MARKS.sub(table, text)


def main() -> int:
    """Write the page, or compare it."""
    text = PAGE.read_text("utf-8")
    if sorted(name for _, name, _, _ in MARKS.findall(text)) != sorted(TABLES):
        print(f"{PAGE.name} has other tables than tools/size_tables.py")
        return 1
    is_check = "--check" in sys.argv[1:]
    new = filled(text, certain=is_check)
    if is_check:
        old = f"{PAGE.name} is old, run tools/sizes_page.py"
        print(f"{PAGE.name} is current" if new == text else old)
        return int(new != text)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
