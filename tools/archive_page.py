"""Write the field tables of the archive's page from the declarations; --check compares.

The table of a declaration is between the lines `<!-- fields of NAME -->` and `<!-- end of fields
-->`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from construct import Construct, SizeofError

from pavcodec.archive.container import TABLES

PAGE = Path(__file__).parent.parent / "docs" / "archive" / "format.md"
MARKS = re.compile(r"(<!-- fields of (\S+) -->\n).*?(<!-- end of fields -->)", re.DOTALL)


def size_of(field: Construct) -> int | None:
    """Return the size of a field in bytes; None if it depends on the file."""
    try:
        size: int = field.sizeof()
    except (SizeofError, KeyError):
        return None
    return size or None


def table(name: str) -> str:
    """Return the table of a declaration's fields in Markdown."""
    rows = ["| byte | bytes | field | what it holds |", "| ---: | ---: | --- | --- |"]
    offset: int | None = 0
    for field in TABLES[name].subcons:
        size = size_of(field)
        shown = ("" if each is None else each for each in (offset, size))
        rows.append("| {} | {} | `{}` | {} |".format(*shown, field.name, field.docs))
        offset = None if size is None or offset is None else offset + size
    return "\n".join(rows)


def filled(text: str) -> str:
    """Return the page with new tables."""
    return MARKS.sub(lambda found: f"{found[1]}\n{table(found[2])}\n\n{found[3]}", text)


def main() -> int:
    """Write the page, or compare it."""
    text = PAGE.read_text("utf-8")
    missing = sorted(set(TABLES) - {name for _, name, _ in MARKS.findall(text)})
    if missing:
        print(f"{PAGE.name} has no table of {', '.join(missing)}")
    is_old = filled(text) != text
    if "--check" in sys.argv[1:]:
        print(
            f"{PAGE.name}: old, run tools/archive_page.py" if is_old else "the tables are current"
        )
        return 1 if is_old or missing else 0
    PAGE.write_text(filled(text), encoding="utf-8")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
