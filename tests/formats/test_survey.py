"""A survey counts what the reader of boards gives: tricks, suits, cards and problems."""

from __future__ import annotations

import io

import pytest
from formats_support import DEAL, ENDING, OTHER, census

import pavcodec as pav
from pavcodec import Board, Layout
from pavcodec.boards.batch import Wanted
from pavcodec.boards.board import Context, Tag
from pavcodec.formats import format_names, format_of

TRICKS = pav.TrickTable(bytes(range(10)) * 2)
READ = [name for name in format_names() if format_of(name).is_read]


def some_boards() -> list[Board]:
    """Plain boards, boards with tricks in each of the three tags, a suit alone, and odd tags."""
    deal, other = Layout.from_pbn(DEAL), Layout.from_pbn(OTHER)
    whole = "".join("0123456789"[i % 10] for i in range(20))
    tags: list[dict[str, str]] = [
        {"DoubleDummyTricks": whole},
        {"DoubleDummyTricks": "zz"},
        {"Ability": "N:5A5CC E:02800 S:5A5CC W:02800"},
        {"SuitLayout": "alone"},
        {"SuitLayout": "S"},
        {"Event": "Ability"},
        {"Dealer": "", "Vulnerable": "Love"},
        {"Board": "7-1"},
    ]
    return [
        Board.make(deal, number=1),
        Board.make(other, number=2, dealer="W", vulnerable="All"),
        Board.make(deal, number=3, tricks=TRICKS),
        Board.make(None, number=4),
        Board.make(Layout.from_pbn(ENDING)),
        *(Board(other, tuple(Tag(*tag) for tag in each.items())) for each in tags),
        Board.make(deal, number=17),
    ]


def written(name: str, boards: list[Board]) -> bytes:
    """The boards that a format can hold, as it writes them."""
    stream = io.BytesIO()
    context = Context("x", lambda _: None, numbering=pav.numbering("deal"))
    format_of(name).write(boards, stream, context)
    return stream.getvalue()


@pytest.mark.parametrize("name", READ)
def test_a_survey_counts_what_is_read(name: str) -> None:
    for few in (2, 4, None):
        data = written(name, some_boards()[:few])
        counted, known = (
            census(name, io.BytesIO(data), wanted) for wanted in (Wanted.CHECKED, Wanted.BOARDS)
        )
        assert counted == known
