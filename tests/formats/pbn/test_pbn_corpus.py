"""The public files of the corpus read as a table says that was checked by eye.

Set PAVCODEC_CORPUS to the folder to run this; the files themselves are not in the repository. Where
the table counts fewer layouts than the file has deal tags with content, or problems, the file was
looked at: it has deals of x cards, or is made of errors.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from formats_support import Reading, corpus_folder, corpus_pbn_files, read_text

TABLE = Path(__file__).with_name("corpus_pbn.tsv")


def rows() -> list[dict[str, str]]:
    """Return the rows of the table."""
    with TABLE.open(newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def reading_of(name: str) -> tuple[bytes, Reading]:
    """Return a file of the corpus and what is read from it."""
    data = (corpus_folder() / name).read_bytes()
    return data, read_text(data)


def deals_by_another_count(data: bytes) -> int:
    """Count the deal tags with content by dropping comments, quite unlike the reader does it."""
    lines = data.decode("latin-1").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept = "\n".join(line for line in lines if not line.startswith(("%", ";")))
    outside = "".join(part.rpartition("}")[2] for part in re.split(r"\{(?=[^}]*\})", kept))
    return len(re.findall(r'^[ \t]*\[Deal "[^"?]', outside, re.MULTILINE))


def further_records(data: bytes) -> int:
    """Return the games of a file of Pavlicek's that have the deal of the game before."""
    if not data.startswith(b"% PBN (c) 2021 rpbridge.net"):
        return 0
    games = data.replace(b"\r", b"").split(b"\n\n")
    return sum(b"[Contract" in game and b"[Deal" not in game for game in games)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["file"][-50:])
def test_a_file_reads_as_the_table_says(row: dict[str, str]) -> None:
    data, reading = reading_of(row["file"])
    layouts = [board.layout for board in reading.boards if board.layout is not None]
    assert (len(reading.boards), len(layouts)) == (int(row["boards"]), int(row["layouts"]))
    assert sum(layout.is_deal for layout in layouts) == int(row["deals"])
    assert len(reading.problems) == int(row["problems"])
    unread = [b for b in reading.boards if b.layout is None and b.tags.get("Deal", "").strip("?")]
    assert len(layouts) + len(unread) == deals_by_another_count(data) + further_records(data)
    for board in unread:
        assert any(p.line == board.line for p in reading.problems), board


def test_the_table_has_every_file() -> None:
    folder = corpus_folder()
    files = [str(path.relative_to(folder)) for path in corpus_pbn_files()]
    assert [row["file"] for row in rows()] == files


def problems_of(end: str) -> list[tuple[int | None, str | None, str]]:
    """Return line, board and reason of each problem of a file."""
    (name,) = [row["file"] for row in rows() if row["file"].endswith(end)]
    return [(p.line, p.board, p.reason) for p in reading_of(name)[1].problems]


def test_the_error_files_of_the_standard_are_reported_line_by_line() -> None:
    found = problems_of("errors_10.pbn")
    assert [line for line, _, _ in found] == [
        11, 15, 39, 43, 47, 51, 55, 71, 95, 772, 773, 774, 955, 957,
    ]  # fmt: skip
    reasons = {line: reason for line, _, reason in found}
    for line, part in {
        15: "[Event No_quotes]", 39: "'Black'", 43: "'E'", 47: "'v'", 55: "W 14",
        51: "SK is in two hands, West's and North's", 95: "bad characters", 774: "'#'",
    }.items():  # fmt: skip
        assert part in reasons[line]
    assert [line for line, _, _ in problems_of("errors_20.pbn")] == [97, 100]
    boards = [board for _, board, _ in problems_of("Suit_Contracts_exercises.pbn")]
    assert boards == ["3-1", "3-2", "3-3"] * 2
