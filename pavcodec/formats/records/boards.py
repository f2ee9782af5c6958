"""Files of records as formats: boards to records and back.

A record holds cards, double-dummy tricks, or both, and no other part of a board. Two tags are for
records alone: `Spare`, the spare bits of a base-5 number, and `SuitLayout`, which marks a board
that is a single suit and no diagram; its cards are spades.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context, Ranks
from pavcodec.boards.tricks import find_tricks
from pavcodec.cards import HAND_SIZE, Suit
from pavcodec.errors import LayoutError, PavError, RecordError
from pavcodec.layout import Layout, SuitLayout, TrickTable
from pavcodec.layout.layout import describe_sizes
from pavcodec.records import Base5Number, SolvedDeal, read_records, record, split_records
from pavcodec.records.zbs import WORD_BYTES, diagrams, words_of

__all__ = [
    "RECORD_FORMATS",
    "RecordFormat",
    "board_of_suits",
    "is_suit_alone",
    "read_zbs",
    "suits_of_board",
    "write_zbs",
]

SPARE_TAG = "Spare"
SUIT_TAG = "SuitLayout"
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


def _board_of_tricks(tricks: TrickTable, context: Context) -> Board:  # noqa: ARG001
    return Board.solved(None, tricks)


def _tricks(board: Board, context: Context) -> TrickTable:  # noqa: ARG001
    tricks = board.tricks or find_tricks(board.tags, board.sections)  # which raises the reason
    if tricks is None:
        raise PavError("there are no double-dummy tricks: no tag OptimumResultTable with its table")
    return tricks


RECORD_FORMATS = {
    made.name: made
    for made in (
        RecordFormat("deal12", _board_of_number, _number_of_board),
        RecordFormat("balanced14", _board_of_number, _number_of_board),
        RecordFormat("ending15", _board_of_number, _number_of_board),
        RecordFormat("legal14", _board_of_number, _number_of_board),
        RecordFormat("base5-16", _board_of_base5, _base5_of_board),
        RecordFormat("deal13", _board_of_layout, _cards),
        RecordFormat("layout20", _board_of_layout, _cards),
        RecordFormat("zrd", _board_of_solved, _solved_of_board),
        RecordFormat("zdd", _board_of_tricks, _tricks, needs_cards=False),
        RecordFormat("gib-library", _board_of_solved, _solved_of_board),
    )
}
"""The formats whose files are records of one kind, by name."""


def board_of_suits(found: Layout | SuitLayout) -> Board:
    """Return the board of a diagram, or of a single suit."""
    if isinstance(found, Layout):
        return Board(found)
    return Board.make(found.as_suit(Suit.SPADES), tags={SUIT_TAG: ALONE})


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

    records = split_records(record("zbs-word"), stream, report_record)
    words = ((index, int.from_bytes(data, "little")) for index, data in records)
    for _, found in diagrams(words, report):
        yield board_of_suits(found)


def write_zbs(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write four words for each diagram and one for a single suit; return how many boards."""
    written = 0
    for board in boards:
        try:
            found = suits_of_board(board)
        except LayoutError as error:
            _report(context, board, str(error))
            continue
        if found is not None:
            words = (word.to_bytes(WORD_BYTES, "little") for word in words_of(found))
            stream.write(b"".join(words))
            written += 1
    return written


def _report(context: Context, board: Board, reason: str) -> None:
    """Report a board that does not fit, with its cards."""
    cards = "" if board.layout is None else f": '{board.layout}'"
    context.problem(board.line, reason + cards, board.tags.get("Board"))
