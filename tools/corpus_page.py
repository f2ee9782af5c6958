"""Write the tables of public files in docs/studies/corpus.md; --check compares.

PAVCODEC_CORPUS names the folder. Without it, nothing is compared.
"""

from __future__ import annotations

import csv
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from pavcodec.boards import Board, Context, Problem
from pavcodec.errors import PavError
from pavcodec.formats import format_names, format_of, recognise
from pavcodec.formats.registry import format_by_suffix
from pavcodec.numberings import numbering

PAGE = Path(__file__).parent.parent / "docs" / "studies" / "corpus.md"
SOURCES = "SOURCES.tsv"

NO_BOARDS = {
    ".sqd": "the description of a tournament dealt by SquareDeal; no boards",
    ".sqk": "the keys of a tournament dealt by SquareDeal; no boards",
}
"""Files that contain no boards, by their suffixes."""

MARKS = re.compile(r"(<!-- corpus -->\n).*?(<!-- end of corpus -->)", re.DOTALL)


@dataclass
class Reading:
    """The boards of a file, their format, how the format was recognised, and the problems."""

    name: str
    format: str = ""
    how: str = ""
    boards: list[Board] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def layouts(self) -> int:
        """The number of boards with cards."""
        return sum(board.layout is not None for board in self.boards)

    @property
    def deals(self) -> int:
        """The number of boards that are deals."""
        return sum(board.layout is not None and board.layout.is_deal for board in self.boards)


def read_named(path: Path, name: str, format_name: str | None) -> Reading:
    """Read a file in a format, or in the format of its name and content."""
    found = Reading(name)
    context = Context(name, found.problems.append, numbering=numbering("deal"))
    with path.open("rb") as stream:
        chosen, whole = recognise(stream, path=str(path), name=format_name)
        found.format = chosen.name
        try:
            found.boards.extend(chosen.read(whole, context))
        except PavError as error:
            context.problem(None, str(error))
    by_name = format_by_suffix(path.name)
    found.how = "its name" if by_name is not None and by_name.name == chosen.name else "its content"
    return found


def read_file(path: Path, name: str) -> Reading:
    """Read a file by its name and content; if that gives nothing, try each text format.

    A format that needs a name counts only if it gives boards with cards and no problem.
    """
    found = read_named(path, name, None)
    if found.layouts or format_by_suffix(path.name) not in (None, format_of("lines")):
        return found
    for other in format_names():
        if format_of(other).is_text and format_of(other).is_read:
            named = read_named(path, name, other)
            if named.layouts and not named.problems:
                named.how = "`--from`"
                return named
    return Reading(name)


def rows(header: str, lines: Iterator[list[str]]) -> str:
    """Return a table in Markdown; columns of numbers are aligned on the right."""
    columns = [column.strip() for column in header.split("|")]
    ruler = ["---:" if column.endswith(":") else "---" for column in columns]
    every = [[column.rstrip(":") for column in columns], ruler, *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in every)


def by_format(readings: list[Reading]) -> Iterator[list[str]]:
    """Yield the rows of all formats; formats with equal figures share one."""
    for (how, *figures), same in groupby(each_format(readings), key=lambda row: row[1:]):
        names = [row[0] for row in same]
        each = " each" if len(names) > 1 else ""
        yield [", ".join(names), how, *(f"{figure}{each}" for figure in figures)]
    yield totals("**all**", "", [reading for reading in readings if reading.format])


def each_format(readings: list[Reading]) -> Iterator[list[str]]:
    """Yield a row for each format and each way of recognising it."""
    for name in format_names():
        some = [reading for reading in readings if reading.format == name]
        for how in sorted({reading.how for reading in some}):
            yield totals(f"`{name}`", how, [reading for reading in some if reading.how == how])


def totals(name: str, how: str, some: list[Reading]) -> list[str]:
    """Return the row of some files."""
    counts: list[Callable[[Reading], int]] = [
        lambda reading: len(reading.boards),
        lambda reading: reading.layouts,
        lambda reading: reading.deals,
        lambda reading: len(reading.problems),
    ]
    return [name, how, str(len(some)), *(f"{sum(map(count, some)):,}" for count in counts)]


def with_problems(readings: list[Reading]) -> Iterator[list[str]]:
    """Yield a row for each file with problems, and the first of them."""
    for reading in readings:
        if reading.format and reading.problems:
            first = str(reading.problems[0]).removeprefix(f"{reading.name}:").strip()
            count = str(len(reading.problems))
            yield [f"`{shown(reading.name)}`", count, f"`{first.replace('|', '¦')}`"]


def unread(readings: list[Reading]) -> Iterator[list[str]]:
    """Yield a row for each file that is not read."""
    for reading in readings:
        if not reading.format:
            why = NO_BOARDS.get(Path(reading.name).suffix, "no format reads it yet")
            yield [f"`{shown(reading.name)}`", why]


def shown(name: str) -> str:
    """Return the name of a file without the path in its repository."""
    folder, _, rest = name.partition("/")
    parts = rest.split("__")
    return f"{folder}/{parts[0]}/{parts[1]}: {parts[-1]}" if len(parts) > 2 else name


def tables(folder: Path) -> str:
    """Return the tables, for the files in the list of sources."""
    with (folder / SOURCES).open(encoding="utf-8", newline="") as stream:
        listed = list(csv.DictReader(stream, delimiter="\t"))
    named = {folder / row["file"] for row in listed}
    files = (path for path in folder.rglob("*") if path.is_file())
    paths = sorted(path for path in files if path in named or path.suffix in NO_BOARDS)
    readings = [
        Reading(path.name)
        if path.suffix in NO_BOARDS
        else read_file(path, str(path.relative_to(folder)))
        for path in paths
    ]
    repositories = {row["repo"] for row in listed if "/" in row["repo"]}
    formats = "format|known by|files:|boards:|with cards:|deals:|problems:"
    return "\n\n".join(
        (
            f"{len(paths)} files from {len(repositories)} repositories:",
            rows(formats, by_format(readings)),
            "Files with problems:",
            rows("file|problems:|the first one", with_problems(readings)),
            "Files that are not read:",
            rows("file|what it is", unread(readings)),
        )
    )


def main() -> int:
    """Write the page, or compare it."""
    name = os.environ.get("PAVCODEC_CORPUS", "")
    if not name or not Path(name).is_dir():
        print("docs/studies/corpus.md is not compared: PAVCODEC_CORPUS names no folder")
        return 0 if "--check" in sys.argv[1:] else 1
    old_text = PAGE.read_text("utf-8")
    found = tables(Path(name))
    text = MARKS.sub(lambda marks: f"{marks[1]}\n{found}\n\n{marks[2]}", old_text)
    if "--check" in sys.argv[1:]:
        is_current = old_text == text
        old = "docs/studies/corpus.md is old, run tools/corpus_page.py"
        print("docs/studies/corpus.md is current" if is_current else old)
        return int(not is_current)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
