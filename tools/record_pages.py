"""Write the tables of bits and bytes into the pages of records and formats; --check compares them.

The table of a record is between the lines `<!-- bits of NAME -->` and `<!-- end of bits -->`. The
table of a frame is between `<!-- bytes of NAME -->` and `<!-- end of bytes -->`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pavcodec.records import record_names
from pavcodec.records.declarations import FRAMES, Place, bit_table, places_of

DOCS = Path(__file__).parent.parent / "docs"
MARKS = re.compile(r"(<!-- bits of (\S+) -->\n).*?(<!-- end of bits -->)", re.DOTALL)
FRAME_MARKS = re.compile(r"(<!-- bytes of (\S+) -->\n).*?(<!-- end of bytes -->)", re.DOTALL)


def table(places: list[Place], *, unit: int = 1) -> str:
    """Return the table of fields in Markdown; `unit` is 8 for places and sizes in bytes."""
    rows = ["| bits | width | field | meaning |", "| --- | ---: | --- | --- |"]
    if unit > 1:
        rows[0] = "| bytes | size | field | meaning |"
    for place in places:
        first, last = place.first // unit, place.last // unit
        where = str(first) if first == last else f"{first} to {last}"
        rows.append(f"| {where} | {last - first + 1} | `{place.name}` | {place.meaning} |")
    return "\n".join(rows)


def bits(name: str) -> str:
    """Return the table of the bits of a record."""
    return table(bit_table(name).places)


def bytes_of(name: str) -> str:
    """Return the table of the bytes of a frame."""
    return table(places_of(FRAMES[name]), unit=8)


def filled(text: str) -> str:
    """Return a page with current tables."""
    text = MARKS.sub(lambda found: f"{found[1]}\n{bits(found[2])}\n\n{found[3]}", text)
    return FRAME_MARKS.sub(lambda found: f"{found[1]}\n{bytes_of(found[2])}\n\n{found[3]}", text)


def main() -> int:
    """Write the pages, or compare them; return 1 if a page is old or a table is missing."""
    others = [DOCS / "studies" / "cases.md", DOCS / "formats" / "clubs.md"]
    pages = [*sorted((DOCS / "records").glob("*.md")), *others]
    marked = [
        {name for page in pages for _, name, _ in marks.findall(page.read_text("utf-8"))}
        for marks in (MARKS, FRAME_MARKS)
    ]
    missing = sorted({*record_names()} - marked[0] | {*FRAMES} - marked[1])
    old = [page for page in pages if filled(page.read_text("utf-8")) != page.read_text("utf-8")]
    if missing:
        print(f"the docs have no table of {', '.join(missing)}")
    if "--check" in sys.argv[1:]:
        names = ", ".join(page.name for page in old)
        print(
            f"{names}: outdated; run tools/record_pages.py"
            if old
            else "the tables of bits and bytes are current"
        )
        return 1 if old or missing else 0
    for page in old:
        page.write_text(filled(page.read_text("utf-8")), encoding="utf-8")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
