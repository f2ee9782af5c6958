"""Auctions and plays of the corpus: from PBN into another format, and back into PBN."""

from __future__ import annotations

import io
from collections import Counter
from functools import cache
from typing import NamedTuple

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


class Trip(NamedTuple):
    """The number of auctions and of plays, and the reasons why parts did not come back."""

    auctions: int
    plays: int
    lost: Counter[str]


@cache
def played_boards() -> list[Board]:
    """The boards of the corpus that have cards, and an auction or a play."""
    paths = sorted(corpus_folder().rglob("*.pbn"))
    boards = (board for path in paths for board in pav.read(path, report=lambda _: None))
    return [board for board in boards if board.layout and {"auction", "play"} & {*parts_of(board)}]


def written(board: Board, name: str) -> Board | None:
    """The board after it was written and read in a format; None if it does not fit at all."""
    stream = io.BytesIO()
    context = Context("trip", lambda _: None)
    format_of(name).write([board], stream, context)
    stream.seek(0)
    return next(format_of(name).read(stream, context), None)


def trip(name: str) -> Trip:
    """Take every board from PBN into a format and back into PBN."""
    auctions, plays, lost = 0, 0, Counter[str]()
    for board in played_boards():
        again = written(board, name)
        back = None if again is None else written(again, "pbn")
        before = parts_of(board)
        after = {} if back is None else parts_of(back)
        auctions += "auction" in before
        plays += "play" in before
        for part in (*CALLS, *CARDS):
            if part in before and after.get(part) != before[part]:
                lost[f"{part}: {reason(board, part, before)}"] += 1
    return Trip(auctions, plays, lost)


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


@pytest.fixture(scope="module")
def whole() -> Trip:
    """The trip through JSON, which has a place for every part."""
    return trip("json")


@pytest.mark.slow
def test_the_corpus_has_auctions_and_plays(whole: Trip) -> None:
    assert (whole.auctions, whole.plays) == (783, 455)


@pytest.mark.slow
def test_nothing_is_lost_by_way_of_json(whole: Trip) -> None:
    assert whole.lost == Counter()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["json", "jsonl", "parquet", "pav"])
def test_everything_comes_back(name: str) -> None:
    if name == "parquet":
        needs("pyarrow")
    boards = played_boards()
    for form in (name, "pbn"):
        stream = io.BytesIO()
        format_of(form).write(boards, stream, Context("trip"))
        stream.seek(0)
        boards = list(format_of(form).read(stream, Context("trip", lambda _: None)))
    assert list(map(parts_of, boards)) == list(map(parts_of, played_boards()))


LOST: dict[str, dict[str, int]] = {
    "lin": {
        "auction marks: marks": 18,
        "auction marks: the dealer is another seat": 3,
        "auction notes: a word is no call, or follows the end": 13,
        "auction notes: the dealer is another seat": 8,
        "auction: a word is no call, or follows the end": 51,
        "auction: the dealer is another seat": 12,
        "play notes: only PBN has them": 8,
        "play: a word is no call, or follows the end": 1,
        "play: a word is no card, or out of turn": 12,
        "play: the cards do not fit the hands": 5,
        "play: the contract has no declarer, or no auction": 4,
        "play: the dealer is another seat": 5,
    },
    "handviewer": {
        "auction marks: marks": 18,
        "auction marks: the dealer is another seat": 3,
        "auction notes: a word is no call, or follows the end": 13,
        "auction notes: the dealer is another seat": 8,
        "auction: a word is no call, or follows the end": 51,
        "auction: the dealer is another seat": 12,
        "play notes: only PBN has them": 8,
        "play: a word is no call, or follows the end": 1,
        "play: a word is no card, or out of turn": 12,
        "play: the cards do not fit the hands": 5,
        "play: the contract has no declarer, or no auction": 4,
        "play: the dealer is another seat": 5,
    },
    "rbn": {
        "auction marks: the dealer is another seat": 3,
        "auction notes: 12 notes": 4,
        "auction notes: a word is no call, or follows the end": 13,
        "auction notes: the dealer is another seat": 8,
        "auction: a word is no call, or follows the end": 51,
        "auction: the dealer is another seat": 12,
        "play notes: only PBN has them": 8,
        "play: a word is no card, or out of turn": 12,
        "play: the cards do not fit the hands": 5,
        "play: the contract has no declarer, or no auction": 1,
    },
    "rbx": {
        "auction marks: the dealer is another seat": 3,
        "auction notes: 12 notes": 4,
        "auction notes: a word is no call, or follows the end": 13,
        "auction notes: the dealer is another seat": 8,
        "auction: a word is no call, or follows the end": 51,
        "auction: the dealer is another seat": 12,
        "play notes: only PBN has them": 8,
        "play: a word is no card, or out of turn": 12,
        "play: the cards do not fit the hands": 5,
        "play: the contract has no declarer, or no auction": 1,
    },
    "endplay-json": {
        "auction marks: marks": 18,
        "auction marks: the dealer is another seat": 3,
        "auction notes: a word is no call, or follows the end": 13,
        "auction notes: the dealer is another seat": 8,
        "auction: a word is no call, or follows the end": 51,
        "auction: the dealer is another seat": 12,
        "play notes: only PBN has them": 8,
        "play: a word is no card, or out of turn": 12,
        "play: the cards do not fit the hands": 5,
        "play: the contract has no declarer, or no auction": 1,
    },
}
"""The parts that do not come back, by the reason; a greater number is an error."""


@pytest.mark.slow
@pytest.mark.parametrize("name", list(LOST))
def test_what_does_not_come_back(name: str, whole: Trip) -> None:
    found = trip(name)
    assert (found.auctions, found.plays) == (whole.auctions, whole.plays)
    assert dict(found.lost) == LOST[name]
