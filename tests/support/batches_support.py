"""Batches: any of them, and what quick readers give, compared with what slow readers give."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import BinaryIO, Generic, NamedTuple, TypeVar, cast
from unittest.mock import patch

import numpy as np
from formats_support import Dribble
from hypothesis import strategies as st
from tricks_support import rows_of_tricks

import pavcodec as pav
from pavcodec import ReadError, TrickTable
from pavcodec.arrays import Owners
from pavcodec.boards import Context, Problem, Vulnerability
from pavcodec.boards.batch import BoardBatch, More, Wanted
from pavcodec.boards.board import Ranks
from pavcodec.formats import format_of
from pavcodec.formats.arrays import read_rows
from pavcodec.formats.pbn import reader as pbn_games
from pavcodec.formats.plain import batches as batch_readers
from pavcodec.formats.records.boards import is_suit_alone

T = TypeVar("T")
DEALS = pav.numbering("deal")


TAGS: list[dict[str, str]] = [
    {"Event": 'Cup "A" \\ "B"', "Site": "ends with \\", "Zone": "\\\\"},
    {"Event": "a\tb\nc\r\nd\x00e", "Room": "", "Scoring": "?"},
    {"Board": "7"}, {"Board": "1-1"}, {"Board": ""}, {"Dealer": "X"}, {"Dealer": "?"},
    {"Vulnerable": "Both"}, {"Vulnerable": "none"}, {"Deal": "N:- - - -"}, {"DealId": "deal:5"},
    {"Site": "seed 103493583125247314185617122984401672138, or " + "1" * 17},
    {"Site": "Liège"}, {"Site": "Dvořák"}, {"Site": "Ã©"}, {"Site": "♠", "Event": "é"},
    {"North": "K95"}, {"South": "Liège"}, {"East": "a|b"}, {"West": "a,b"},
    {"Site": "\udc80"}, {"Note": "1:x"}, {"Auction": "N"}, {"Play": "W", "Note": "x"},
    {"Bad Name": "x"}, {"Board \"": "x"}, {"": "x"}, {"Event": "#"}, {"Event": "##x"},
    {"Result": "#"}, {"Auction": "#"}, {"É": "x"}, {"OptimumResultTable": "Declarer"},
    {"Spare": "5"}, {"SuitLayout": "alone"}, {"[Board ": "1"}, {"Event": '[Board "2"]'},
    {"Board": "05"}, {"Board": "9" * 19}, {"Vulnerable": "Love"}, {"DoubleDummyTricks": "7" * 20},
    {"DoubleDummyTricks": "7" * 20, "OptimumResultTable": r"Declarer;Denomination\2R;Result\2R"},
    {"Event": "\udc80 \0 é ♠", "♠": "own", "Site": "x"}, {f"n{i}": str(i) for i in range(200)},
]  # fmt: skip
"""Tags that all boards of a batch may have, usual ones and others."""
OWNERS = DEALS.sample_many(100, seed=7)
NUMBERS = DEALS.rank_many(OWNERS)


def mixed_owners() -> Owners:
    """Deals, endings, and layouts with hands of every size, one after another."""
    kinds = [pav.numbering(name).sample_many(9, seed=7) for name in ("deal", "balanced", "ending")]
    kinds += [pav.numbering("base5").sample_many(9, seed=7)]  # some hands have more than 13
    whole = np.concatenate([*kinds, np.full((5, 52), 4, np.uint8)])
    whole[-4:-1] = [[0], [3], [1]]
    return cast("Owners", whole[np.random.default_rng(7).permutation(len(whole))])


_WORDS = st.text(st.characters(), max_size=4) | st.sampled_from(["1", "15", "N", "NS", "deal:5"])
_NAMES = st.text(st.characters(), max_size=3) | st.sampled_from(
    ["Board", "Dealer", "Vulnerable", "Deal", "DealId", "SourceFile", "Event", "DoubleDummyTricks"]
)
_FIRST = st.none() | st.integers(1, 40) | st.integers(10**18 - 40, 10**18 + 3) | st.just(10**30)


@st.composite
def any_batches(draw: st.DrawFn, most: int = 40, *, tricks: bool = True) -> BoardBatch:
    """Draw any batch, many of whose tags follow from the rest."""
    rows = draw(st.lists(st.integers(0, 40), max_size=most))
    owners = draw(st.sampled_from([OWNERS, mixed_owners()]))[rows]
    taken = draw(st.none() | rows_of_tricks(most)) if tricks and rows else None
    return BoardBatch(
        owners,
        draw(_FIRST),
        draw(st.none() | st.sampled_from(pav.Seat)),
        draw(st.none() | st.sampled_from(Vulnerability)),
        draw(st.sampled_from(TAGS) | st.dictionaries(_NAMES, _WORDS, max_size=3)),
        draw(st.sampled_from([None, NUMBERS[rows], np.zeros((len(rows), 2), np.uint64)])),
        draw(st.sampled_from(["deal", "ending", "x"])),
        tricks=None if taken is None else np.resize(np.array(taken, np.uint8), (len(rows), 20)),
    )


class Facts(NamedTuple):
    """What a reader found."""

    owners: list[bytes]
    problems: list[Problem]
    left_out: int
    error: str


class Told(NamedTuple, Generic[T]):
    """What a reader yielded, its problems, and the error with which it stopped."""

    found: list[T]
    problems: list[Problem]
    error: str


def told(read: Callable[[Context], Iterable[T]], *, strict: bool, numbering: Ranks) -> Told[T]:
    """Read all; strict reading stops at a problem."""
    found, problems = list[T](), list[Problem]()

    def report(problem: Problem) -> None:
        problems.append(problem)
        if strict:
            raise ReadError(str(problem))

    try:
        for each in read(Context("x", report, strict, numbering)):
            found.append(each)
    except ReadError as stopped:
        return Told(found, problems, str(stopped))
    return Told(found, problems, "")


def assert_the_same(
    name: str, data: bytes, *, portion: int = 0, strict: bool = False, numbering: Ranks = DEALS
) -> Facts:
    """Check that both ways find the same, read some bytes at a time or all, and return it."""
    format_, how = format_of(name), partial(told, strict=strict, numbering=numbering)

    def opened() -> BinaryIO:
        return cast("BinaryIO", Dribble(data, portion) if portion else io.BytesIO(data))

    boards = how(lambda context: format_.read(opened(), context))
    owners = [board.layout.owners for board in boards.found if board.layout is not None]
    slow = Facts(owners, boards.problems, len(boards.found) - len(owners), boards.error)
    parts = how(lambda context: read_rows(format_, opened(), context))
    assert all(part.owners.dtype == np.uint8 for part in parts.found)
    rows = [bytes(row) for part in parts.found for row in part.owners]
    left_out = sum(part.without_cards for part in parts.found)
    quick = Facts(rows, parts.problems, left_out, parts.error)
    if name == "parquet":  # arrays of cards do without the columns of tags, and their problems
        assert set(quick.problems) <= set(slow.problems)
        quick = quick._replace(problems=slow.problems)
    assert quick == slow

    def batches(wanted: Wanted) -> Told[BoardBatch]:
        return how(lambda context: format_.read_batches(opened(), context, wanted))

    known = batches(Wanted.BOARDS)
    assert census(batches(Wanted.CHECKED)) == census(known)
    if not strict and name != "parquet":
        context = Context("x", lambda _: None, numbering=numbering)
        on_demand = format_.read_batches(opened(), context, Wanted.CARDS)
        assert boards_with_cards(on_demand) == boards_with_cards(known.found)
    return quick


def census(read: Told[BoardBatch]) -> tuple[object, ...]:
    """Count cards with tricks and whether they are one suit, and what there is without cards."""
    contents: Counter[tuple[bytes, TrickTable | None, bool]] = Counter()
    for batch in read.found:
        if batch.holds is More.ANYTHING:
            for board in batch:
                if board.layout is not None:
                    contents[board.layout.owners, board.tricks, is_suit_alone(board)] += 1
            continue
        cards = batch.with_cards()
        tricks = [None] * len(cards) if cards.tricks is None else cards.tricks
        for row, taken in zip(cards.owners, tricks, strict=True):
            table = None if taken is None or 255 in taken else TrickTable(bytes(taken))
            contents[bytes(row), table, False] += 1
    return contents, sum(batch.without_cards for batch in read.found), read.problems, read.error


def boards_with_cards(batches: Iterable[BoardBatch]) -> list[tuple[object, ...]]:
    """Make the boards of batches on demand, the last first."""
    found: list[pav.Board] = []
    for batch in batches:
        rows = range(len(batch))
        made = reversed([batch.board(row) for row in reversed(rows)])
        found += [board for board in made if board.layout is not None]
        names = {tag.name for board in batch for tag in board.entries}
        if batch.holds is not More.ANYTHING:
            assert names.isdisjoint({"SuitLayout", "DoubleDummyTricks", "Ability"})
            assert batch.tricks is not None or "OptimumResultTable" not in names
        if batch.holds is More.NOTHING:
            assert names <= {"Deal", "OptimumResultTable"}
    facts = [(board.layout, board.line, board.entries) for board in found]
    # a comment at the end of a file belongs to the last board
    return [*facts[:-1], *(last[:2] for last in facts[-1:])]


@contextmanager
def small_blocks(rows: int) -> Iterator[None]:
    """Hand on few rows at a time, and let a file begin with a small block."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(batch_readers, "_AT_ONCE", rows))
        stack.enter_context(patch.object(pbn_games, "_SNIFFED", 1))
        yield
