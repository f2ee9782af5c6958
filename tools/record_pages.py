"""Write the bit tables of the records' pages from the declarations; --check compares.

The table of a record stands between the lines `<!-- bits of NAME -->` and `<!-- end of bits -->`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pavcodec.records import record_names
from pavcodec.records.declarations import bit_table

DOCS = Path(__file__).parent.parent / "docs"
MARKS = re.compile(r"(<!-- bits of (\S+) -->\n).*?(<!-- end of bits -->)", re.DOTALL)


def table(name: str) -> str:
    """Return the bit table of a record in Markdown."""
    rows = ["| bits | width | field | what it holds |", "| --- | ---: | --- | --- |"]
    for row in bit_table(name):
        places = str(row.first) if row.first == row.last else f"{row.first} to {row.last}"
        rows.append(f"| {places} | {row.last - row.first + 1} | `{row.name}` | {row.meaning} |")
    return "\n".join(rows)


def filled(text: str) -> str:
    """Return a page with its bit tables as they are declared."""
    return MARKS.sub(
        lambda found: f"{found[1]}\n{table(found[2])}\n\n{found[3]}",
        text,
    )


def main() -> int:
    """Write the pages, or compare."""
    pages = [*sorted((DOCS / "records").glob("*.md")), DOCS / "constraints" / "cases.md"]
    shown = {name for page in pages for _, name, _ in MARKS.findall(page.read_text("utf-8"))}
    missing = [name for name in record_names() if name not in shown]
    old = [page for page in pages if filled(page.read_text("utf-8")) != page.read_text("utf-8")]
    if missing:
        print(f"docs/records has no bit table of {', '.join(missing)}")
    if "--check" in sys.argv[1:]:
        names = ", ".join(page.name for page in old)
        print(f"{names}: old, run tools/record_pages.py" if old else "the bit tables are current")
        return 1 if old or missing else 0
    for page in old:
        page.write_text(filled(page.read_text("utf-8")), encoding="utf-8")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
