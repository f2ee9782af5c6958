"""Auctions and plays of the corpus: from PBN into another format, and back into PBN."""

from __future__ import annotations

import io
from collections import Counter
from functools import cache

import pytest
from formats_support import corpus_folder
from packages import needs

import pavcodec as pav
from pavcodec.boards import Board, Context
from pavcodec.boards.play import CARDS as CARDS_OF_DECK
from pavcodec.boards.play import play_tag, strain_of
from pavcodec.cards import Seat
from pavcodec.formats import format_of
from pavcodec.formats.format import parts_of

CALLS = ("auction", "alerts", "auction notes", "auction marks")
CARDS = ("play", "play notes")


@cache
def played_boards() -> list[Board]:
    """The first boards of each file of the corpus that have cards, and an auction or a play."""
    boards = []
    for path in sorted(corpus_folder().rglob("*.pbn")):
        found = (board for board in pav.read(path, report=lambda _: None) if board.layout)
        boards += [board for board in found if {"auction", "play"} & {*parts_of(board)}][:6]
    return boards


def written(board: Board, name: str) -> Board | None:
    """The board after it was written and read in a format; None if it does not fit at all."""
    stream = io.BytesIO()
    context = Context("trip", lambda _: None)
    format_of(name).write([board], stream, context)
    stream.seek(0)
    return next(format_of(name).read(stream, context), None)


def lost_by_way_of(name: str) -> Counter[str]:
    """The reasons why parts did not come back from PBN into a format and back into PBN."""
    lost = Counter[str]()
    for board in played_boards():
        again = written(board, name)
        back = None if again is None else written(again, "pbn")
        before = parts_of(board)
        after = {} if back is None else parts_of(back)
        for part in (*CALLS, *CARDS):
            if part in before and after.get(part) != before[part]:
                lost[f"{part}: {reason(board, part, before)}"] += 1
    return lost


def reason(board: Board, part: str, parts: dict[str, object]) -> str:
    """Return why a part of a board may be lost."""
    calls, cards = (parts.get(name, ()) for name in ("auction", "play"))
    assert isinstance(calls, tuple)
    assert isinstance(cards, tuple)
    if calls and not isinstance(calls[0], Seat):
        why = "a word is no call, or follows the end"
    elif calls and calls[0] is not board.dealer:
        why = "the dealer is another seat"
    else:
        why = ""
    if part == "play notes":
        return "only PBN has them"
    if part != "play":
        notes = parts.get("auction notes", ())
        assert isinstance(notes, tuple)
        return why or ("marks" if "marks" in part else f"{len({*notes, ''}) - 1} notes")
    if not set(cards) <= {*CARDS_OF_DECK}:
        return "a word is no card, or out of turn"
    if play_tag(board.layout, cards, strain_of(board.tags.get("Contract", ""))) is None:
        return "the cards do not fit the hands"
    return why or "the contract has no declarer, or no auction"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["json", "jsonl", "parquet", "pav"])
def test_everything_comes_back(name: str) -> None:
    if name == "parquet":
        needs("pyarrow")
    boards, parts = played_boards(), list(map(parts_of, played_boards()))
    assert [sum(part in each for each in parts) for part in ("auction", "play")] == [223, 119]
    for form in (name, "pbn"):
        stream = io.BytesIO()
        format_of(form).write(boards, stream, Context("trip"))
        stream.seek(0)
        boards = list(format_of(form).read(stream, Context("trip", lambda _: None)))
    assert list(map(parts_of, boards)) == parts


ALWAYS = {
    "auction marks: the dealer is another seat": 2,
    "auction notes: the dealer is another seat": 2,
    "auction: a word is no call, or follows the end": 9,
    "auction: the dealer is another seat": 3,
    "play notes: only PBN has them": 6,
    "play: a word is no card, or out of turn": 6,
    "play: the cards do not fit the hands": 5,
}
MARKS = {"auction marks: marks": 12}
LIN = MARKS | {"play: the contract has no declarer, or no auction": 3}
LOST: dict[str, dict[str, int]] = {
    "lin": LIN, "handviewer": LIN, "rbn": {}, "rbx": {}, "endplay-json": MARKS,
}  # fmt: skip
"""The parts that do not come back, by the reason; a greater number is an error."""


@pytest.mark.slow
@pytest.mark.parametrize("name", LOST)
def test_what_does_not_come_back(name: str) -> None:
    assert lost_by_way_of(name) == ALWAYS | LOST[name]
