"""A new format is one declaration: commands, pages and `--append` know it from there.

The declaration is that of CONTRIBUTING, as somebody writes it who has read nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import pytest
from cli_support import cli

import pavcodec
from pavcodec.boards.board import Board, Context
from pavcodec.errors import TextError
from pavcodec.files.text import lines
from pavcodec.formats import registry
from pavcodec.formats.format import Codec, Format, Label, first_line
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from formats_support import Cli

__all__ = ["cli"]

# The format `toy`: a line `toy NUMBER DEAL` for each board.


def read_toy(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the board of each line."""
    for line, text in lines(stream):
        word, number, deal = (*text.split(" ", 2), "", "")[:3]
        try:
            layout = Layout.from_pbn(deal)
        except TextError as error:
            context.problem(line, error.message)
            continue
        if word == "toy":
            yield Board.make(layout, number=int(number))


def write_toy(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a line for each board that has cards, and return how many."""
    written = 0
    for board in boards:
        if board.layout is None or board.number is None:
            context.problem(board.line, "a toy has cards and a number")
            continue
        stream.write(f"toy {board.number} {board.layout}\n".encode())
        written += 1
    return written


TOY = Format(
    "toy",
    (".toy",),
    "a line with the number and the deal of each board",
    "cards, and board numbers",
    lambda: Codec(read_toy, write_toy),
    kept_tags=frozenset({"Board"}),
    recognises=first_line("toy [0-9]+ .*"),
    media="text/x-toy",
    label=Label("For programs", "Toy", "a test"),
)


DEALS = ("N:A... - - -", "N:K... Q... - -")


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the format to the catalogue: in pavcodec it is a line there."""
    monkeypatch.setitem(registry.FORMATS, TOY.name, TOY)


def test_commands_read_write_describe_and_recognise_it(cli: Cli, tmp_path: Path) -> None:
    source, toy = tmp_path / "a.lines", tmp_path / "a.toy"
    pavcodec.write([Board.make(Layout.from_pbn(each), number=7) for each in DEALS], toy)
    assert toy.read_text() == "toy 7 N:A... - - -\ntoy 7 N:K... Q... - -\n"
    assert cli("convert", toy, "-o", source).code == 0
    assert source.read_text().splitlines() == [*DEALS]
    unnamed = tmp_path / "b"
    unnamed.write_bytes(toy.read_bytes())
    for path in (toy, unnamed):
        facts = dict(line.split(maxsplit=1) for line in cli("info", path).out.splitlines())
        assert (facts["format"], facts["boards"]) == ("toy", "2")
    assert "Board 7" in cli("show", toy).out
    assert "what it keeps  cards, and board numbers" in cli("formats", "toy").out
    assert "toy" in cli("formats", "--survives", "toy").out
    pavcodec.write([Board.make(Layout.from_pbn(DEALS[1]), number=8)], tmp_path / "a.pbn")
    toy.write_text(f"toy 7 {DEALS[0]}")
    assert cli("convert", tmp_path / "a.pbn", "-o", toy, "--append").code == 0
    assert toy.read_text() == f"toy 7 {DEALS[0]}\ntoy 8 {DEALS[1]}\n"
    unnamed.write_text("toy 7 N:A... - - -\ntoy 8 N:A\n")
    assert cli("convert", unnamed, "-o", source, "--force").code == 1
