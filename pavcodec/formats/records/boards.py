"""Files of records as formats: boards to records and back.

A record holds cards, double-dummy tricks, or both, and no other part of a board. Two tags are for
records alone: `Spare`, the spare bits of a base-5 number, and `SuitLayout`, which marks a board
that is a single suit and no diagram; its cards are spades.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar

from pavcodec.boards.board import Board, Context, Ranks
from pavcodec.boards.tricks import find_tricks
from pavcodec.cards import HAND_SIZE, Suit
from pavcodec.errors import LayoutError, NumberError, PavError, RecordError, UnknownNameError
from pavcodec.files.opening import open_output
from pavcodec.formats.format import SUIT_TAG
from pavcodec.layout import Layout, SuitLayout, TrickTable
from pavcodec.layout.layout import describe_sizes, layout_from_owners
from pavcodec.records import (
    Base5Number,
    Record,
    RecordFile,
    SolvedDeal,
    read_records,
    record,
    record_names,
    split_records,
)

SPARE_TAG = "Spare"
ALONE = "alone"


@dataclass(frozen=True)
class RecordFormat:
    """Reads and writes a stream of one kind of records."""

    name: str
    board_of: Callable[[Any, Context], Board]
    """Returns the board of a value."""
    value_of: Callable[[Board, Context], Any]
    """Returns the value of a board, or raises `PavError`."""
    needs_cards: bool = True

    def read(self, stream: BinaryIO, context: Context) -> Iterator[Board]:
        """Yield a board for each record; other bytes are problems."""

        def report(error: RecordError) -> None:
            context.problem(None, str(error))

        for _, value in read_records(record(self.name), stream, report):
            yield self.board_of(value, context)

    def write(self, boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
        """Write a record for each board; return how many. Boards that do not fit are problems."""
        build = record(self.name).build
        written = 0
        for board in boards:
            if self.needs_cards and board.layout is None:
                continue
            try:
                data = build(self.value_of(board, context))
            except PavError as error:
                reason = error.reason if isinstance(error, RecordError) else str(error)
                _report(context, board, reason)
            else:
                stream.write(data)
                written += 1
        return written


def _numbering(context: Context) -> Ranks:
    if context.numbering is None:
        raise PavError("records of numbers need a numbering")
    return context.numbering


def _board_of_number(number: int, context: Context) -> Board:
    return Board(_numbering(context)[number])


def _number_of_board(board: Board, context: Context) -> int:
    return _numbering(context).index(_cards(board, context))


def _board_of_base5(value: Base5Number, context: Context) -> Board:
    layout = _numbering(context)[value.number]
    return Board.make(layout, tags={SPARE_TAG: str(value.spare)} if value.spare else None)


def _base5_of_board(board: Board, context: Context) -> Base5Number:
    spare = board.tags.get(SPARE_TAG, "0")
    if not re.fullmatch("[0-9]{1,3}", spare):
        raise PavError(f"the tag {SPARE_TAG} holds a number of 0 to 127, not {spare!r}")
    return Base5Number(_number_of_board(board, context), int(spare))


def _board_of_layout(layout: Layout, context: Context) -> Board:  # noqa: ARG001 (all take one)
    return Board(layout)


def _cards(board: Board, context: Context) -> Layout:  # noqa: ARG001
    assert board.layout is not None, "boards without cards were left out"
    return board.layout


def _board_of_solved(value: SolvedDeal, context: Context) -> Board:  # noqa: ARG001
    return Board.solved(value.deal, value.tricks)


def _solved_of_board(board: Board, context: Context) -> tuple[Layout, TrickTable]:
    layout = _cards(board, context)
    if not layout.is_deal:
        raise LayoutError(f"a deal has {HAND_SIZE} cards in each hand; {describe_sizes(layout)}")
    return layout, _tricks(board, context)


def _tricks(board: Board, context: Context) -> TrickTable:  # noqa: ARG001
    tricks = board.tricks or find_tricks(board.tags, board.sections)  # which raises the reason
    if tricks is None:
        raise PavError("there are no double-dummy tricks: no tag OptimumResultTable with its table")
    return tricks


RECORD_FORMATS = {
    format_.name: format_
    for format_ in (
        RecordFormat("deal12", _board_of_number, _number_of_board),
        RecordFormat("balanced14", _board_of_number, _number_of_board),
        RecordFormat("ending15", _board_of_number, _number_of_board),
        RecordFormat("legal14", _board_of_number, _number_of_board),
        RecordFormat("base5-16", _board_of_base5, _base5_of_board),
        RecordFormat("deal13", _board_of_layout, _cards),
        RecordFormat("layout20", _board_of_layout, _cards),
        RecordFormat("zrd", _board_of_solved, _solved_of_board),
        RecordFormat(
            "zdd", lambda tricks, _: Board.solved(None, tricks), _tricks, needs_cards=False
        ),
        RecordFormat("gib-library", _board_of_solved, _solved_of_board),
    )
}
"""The formats whose files are records of one kind, by name."""


# ZBS: a diagram is four words that their flags join, and a word without the flag that is not the
# fourth word of a diagram is a single suit without a name.


FLAG = 1 << 31
WORD_BYTES = 4
Position = TypeVar("Position")


def words_of(layout: Layout | SuitLayout) -> tuple[int, ...]:
    """Return the words of a diagram, spades first, or the one word of a single suit.

    >>> [f"{word:08x}" for word in words_of(Layout.from_pbn("N:A... - - -"))]
    ['80000002', '80000000', '80000000', '00000000']
    """
    if isinstance(layout, SuitLayout):
        return (layout.to_zbs(),)
    if not isinstance(layout, Layout):
        raise TypeError(f"a Layout or SuitLayout has words, not {type(layout).__name__!r}")
    *joined, clubs = (SuitLayout.of(layout, suit).to_zbs() for suit in Suit)
    return (*(FLAG | word for word in joined), clubs)


def diagrams(
    words: Iterable[tuple[Position, int | None]], report: Callable[[Position, str], None]
) -> Iterator[tuple[Position, Layout | SuitLayout]]:
    """Combine words; yield (position of the first word, diagram or single suit).

    Calls `report` with the position and the reason if words do not form a diagram; the words after
    them are read nevertheless. A word of None is unreadable, and its diagram is skipped.

    >>> alone = [(0, 0x48BAF0DA)]
    >>> list(diagrams(alone, print))
    [(0, SuitLayout.from_text('N:JT9 876 5432 AKQ'))]
    """
    joined: list[tuple[Position, int | None]] = []
    for position, word in words:
        joined.append((position, word))
        is_alone = len(joined) == 1 and not (word and word & FLAG)
        if is_alone or len(joined) == len(Suit):
            yield from _suits(joined, report)
        elif word is None or word & FLAG:
            continue
        else:
            report(joined[0][0], _too_few(joined, "the flag is clear in the last one"))
        joined = []
    if joined:
        report(joined[0][0], _too_few(joined, "no more follow"))


def _too_few(joined: list[tuple[Position, int | None]], why: str) -> str:
    return f"a diagram has {len(Suit)} words, not {len(joined)}: {why}"


def _suits(
    words: list[tuple[Position, int | None]], report: Callable[[Position, str], None]
) -> Iterator[tuple[Position, Layout | SuitLayout]]:
    """Yield the layout of four words or the suit of one word, unless one of them is invalid."""
    suits = []
    for position, word in words:
        if word is None:
            return
        try:
            suits.append(SuitLayout.from_zbs(word & ~FLAG))
        except NumberError as error:
            report(position, f"{error} (word {word:08x})")
            return
    alone = len(suits) == 1
    yield (
        words[0][0],
        suits[0] if alone else layout_from_owners(b"".join(suit.owners for suit in suits)),
    )


def board_of_suits(suits: Layout | SuitLayout) -> Board:
    """Return the board of a diagram, or of a single suit."""
    if isinstance(suits, Layout):
        return Board(suits)
    return Board.make(suits.as_suit(Suit.SPADES), tags={SUIT_TAG: ALONE})


def is_suit_alone(board: Board) -> bool:
    """Return whether a board is marked as one suit."""
    return board.tags.get(SUIT_TAG) == ALONE


def suits_of_board(board: Board) -> Layout | SuitLayout | None:
    """Return the diagram or the single suit of a board; None without cards.

    Raises `LayoutError` for a board that is marked as a single suit and has cards of other suits.
    """
    if board.layout is None or not is_suit_alone(board):
        return board.layout
    suit = SuitLayout.of(board.layout, Suit.SPADES)
    if suit.as_suit(Suit.SPADES) != board.layout:
        raise LayoutError(
            f"the tag {SUIT_TAG} {ALONE!r} is for boards that have no other cards than spades"
        )
    return suit


def read_zbs(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each diagram and each single suit."""

    def report_record(error: RecordError) -> None:
        context.problem(None, str(error))

    def report(index: int, reason: str) -> None:
        report_record(RecordError("zbs-word", reason, index, index * WORD_BYTES))

    records = split_records("zbs-word", WORD_BYTES, stream, report_record)
    words = ((index, int.from_bytes(data, "little")) for index, data in records)
    for _, suits in diagrams(words, report):
        yield board_of_suits(suits)


def write_zbs(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write four words for each diagram and one for a single suit; return how many boards."""
    written = 0
    for board in boards:
        try:
            suits = suits_of_board(board)
        except LayoutError as error:
            _report(context, board, str(error))
            continue
        if suits is not None:
            words = (word.to_bytes(WORD_BYTES, "little") for word in words_of(suits))
            stream.write(b"".join(words))
            written += 1
    return written


def _report(context: Context, board: Board, reason: str) -> None:
    """Report a board that does not fit, with its cards."""
    cards = "" if board.layout is None else f": '{board.layout}'"
    context.problem(board.line, reason + cards, board.tags.get("Board"))


# Files of records by path: sequences to read, streams to write.


_BY_SUFFIX = {f".{name}": name for name in record_names()} | {".zbs": "zbs-word"}
"""A file of ZBS consists of words: diagrams of four words, and single suits."""


def open_records(path: str | os.PathLike[str], *, record: str | None = None) -> RecordFile[Any]:
    """Open a file of records as a sequence of their values, over a memory map.

    `record` is the name of the record; the default is that of the suffix. Values are read when a
    caller needs them; a wrong record then raises `RecordError` with its index and byte.

    >>> import tempfile, os
    >>> from pavcodec import numbering, write_records
    >>> path = os.path.join(tempfile.mkdtemp(), "deals.deal13")
    >>> write_records(numbering("deal")[:3], path)
    3
    >>> with open_records(path) as deals:
    ...     deals[-1] == numbering("deal")[2], len(deals[1:])
    (True, 2)
    """
    return RecordFile.open(_record_of(os.fspath(path), record), path)


def write_records(
    values: Iterable[Any], target: str | os.PathLike[str] | BinaryIO, *, record: str | None = None
) -> int:
    """Write the records of values to a file or a binary stream; return how many there were.

    `record` is the name of the record; the default is that of the suffix. A file is complete or
    absent. Raises `RecordError` for a value that the record cannot hold.
    """
    if isinstance(target, str | os.PathLike):
        kind = _record_of(os.fspath(target), record)
        with open_output(target) as stream:
            return write_records(values, stream, record=kind.name)
    kind = _record_of("the stream", record)
    written = 0
    for value in values:
        try:
            target.write(kind.build(value))
        except RecordError as error:
            raise error.at(written, written * kind.size) from None
        written += 1
    return written


def _record_of(path: str, name: str | None) -> Record[Any]:
    """Return the record of a name, or of the path's suffix."""
    suffix = os.path.splitext(path)[1].lower()
    if name is None and suffix not in _BY_SUFFIX:
        suffixes = " ".join(_BY_SUFFIX)
        raise UnknownNameError(
            f"{path!r} does not name its record: give its name ({', '.join(record_names())}), "
            f"or use a suffix ({suffixes})"
        )
    return record(name if name is not None else _BY_SUFFIX[suffix])
