"""Columns of Parquet to owners and to batches of boards.

`reader.boards_of_part`, which works row by row, is the definition. The owners here are equal to its
layouts. The definition reads all rows that may be wrong, and reports their problems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pavcodec.arrays.text.hand_texts import place_hands
from pavcodec.boards.batch import BoardBatch, ManyRanks, owners_of, with_cards
from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.cards import DECK_SIZE, UNUSED
from pavcodec.errors import NumberError
from pavcodec.formats.parquet.columns import DERIVED, HANDS, NUMBER_BYTES, TRICKS
from pavcodec.formats.parquet.reader import FAULTS, RowBatch, boards_of_part, boards_of_rows, parts
from pavcodec.formats.parquet.selection import has_hands
from pavcodec.formats.parquet.tables import LIMBS, Owners, columns_of_cards, many_ranks
from pavcodec.formats.parquet.tags import tags_are_plain
from pavcodec.formats.parquet.tricks import tricks_of_part
from pavcodec.formats.parquet.types import CARDS, DEAL, TAGS, is_bytes
from pavcodec.layout.layout import layout_from_owners

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["read_batches", "read_boards", "survey"]


def read_batches(stream: BinaryIO, context: Context) -> Iterator[BoardBatch]:
    """Yield the boards of a file that have cards; they read their tags when the first is needed."""
    many_ranks(context)  # which refuses a context without one
    for part in parts(stream, context, cards_only=True):
        tricks = tricks_of_part(part)
        owners = None if tricks is None else _owners_of_cards(part, context)
        boards = _RowBoards(part, owners, context)
        has_column = TRICKS in part.columns.schema.names
        has_more: bool | Callable[[], bool] = boards.have_tags
        if owners is None:
            found = with_cards(boards_of_part(part, context), context)
            owners = owners_of(each.layout for each in found if each.layout is not None)
            has_more = has_column or boards.have_tags
            has_column = False
        if len(owners):
            rows = tricks if has_column else None
            yield BoardBatch(owners, origin=boards, has_more=has_more, tricks=rows)


class _RowBoards:
    """The boards with cards of some rows; `owners` is None where a row may be wrong."""

    def __init__(self, part: RowBatch, owners: Owners | None, context: Context) -> None:
        self._part = part
        self._owners = owners
        self._context = replace(context, report=lambda _: None, on_skipped=lambda _: None)

    @cached_property
    def _whole(self) -> RowBatch:
        try:
            return replace(self._part, columns=self._part.all_columns())
        except FAULTS:  # the cards are right, and the tags are damaged
            return self._part

    @cached_property
    def _boards(self) -> list[Board]:
        boards = boards_of_part(self._whole, self._context)
        return [board for board in boards if board.layout is not None]

    def __call__(self, row: int) -> Board:
        """Return the board of a row."""
        if self._owners is None:
            return self._boards[row]
        columns = self._whole.columns.slice(row, 1)
        part = replace(self._whole, first=self._whole.first + row, columns=columns)
        layout = layout_from_owners(self._owners[row].tobytes())
        (board,) = boards_of_rows(part, [layout], self._context)
        return board

    def have_tags(self) -> bool:
        """Whether a row may have tags."""
        columns = self._whole.columns
        found = (columns.column(name) for name in columns.schema.names if name in TAGS)
        return any(
            bool(pc.sum(pc.list_value_length(column)).as_py())
            if pa.types.is_list(column.type)
            else column.null_count < len(column)
            for column in found
        )


def read_boards(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each row; rows without one are problems, with their number from 0.

    The reader takes some thousand rows at a time. It copies streams without a seek, such as pipes,
    to a temporary file. A damaged row group is a problem, and the reader continues after it. Where
    all cards of a part are right, it parses only the tags row by row.
    """
    for part in parts(stream, context):
        yield from _boards_of_part(part, _owners_of_cards(part, context), context)


def survey(stream: BinaryIO, context: Context) -> Iterator[BoardBatch | Board]:
    """Yield batches of plain boards, and the other boards; `ArrayCodec.survey` has the contract."""
    for part in parts(stream, context):
        owners, tricks = _owners_of_cards(part, context), tricks_of_part(part)
        if owners is not None and tricks is not None and tags_are_plain(part.columns):
            rows = tricks if TRICKS in part.columns.schema.names else None
            yield BoardBatch(owners, origin=_RowBoards(part, owners, context), tricks=rows)
        else:
            yield from _boards_of_part(part, owners, context)


def _boards_of_part(part: RowBatch, owners: Owners | None, context: Context) -> Iterator[Board]:
    """Yield the boards of some rows; `owners` is None where a row may be wrong."""
    if owners is None:
        return boards_of_part(part, context)
    return boards_of_rows(part, map(layout_from_owners, map(bytes, owners)), context)


def _owners_of_cards(part: RowBatch, context: Context) -> Owners | None:
    """Return the owners of rows of which some columns are tags, as `_owners_of_part` does."""
    if context.numbering is None:
        return None
    names = [name for name in part.columns.schema.names if name in CARDS + DERIVED]
    return _owners_of_part(replace(part, columns=part.columns.select(names)), many_ranks(context))


def _owners_of_part(part: RowBatch, ranks: ManyRanks) -> Owners | None:
    """Return the owners of rows if all have cards and none has a problem; else None."""
    found = {name: part.columns.column(name) for name in part.columns.schema.names}
    are_hands, owners = has_hands(found), None
    try:
        if "number" in found and is_bytes(found["number"].type):
            found["number"] = found["number"].cast(pa.binary(NUMBER_BYTES))
        if are_hands:
            owners = _owners_of_hands([found.pop(hand) for hand in HANDS])
        elif "number" in found and DEAL not in found and _is_whole(found["number"]):
            owners = ranks.unrank_many(_limbs(found.pop("number")))
    except (pa.ArrowException, NumberError):
        return None
    if owners is None:
        return None
    expected = columns_of_cards(owners, ranks, found, only_deals=not are_hands)
    agree = (name in expected and column.equals(expected[name]) for name, column in found.items())
    return owners if all(agree) else None


def _is_whole(numbers: pa.Array) -> bool:
    """Return whether all rows have numbers, as bytes."""
    return bool(numbers.type == pa.binary(NUMBER_BYTES) and not numbers.null_count)


def _limbs(numbers: pa.Array) -> NDArray[np.uint64]:
    """Return numbers of `NUMBER_BYTES` bytes as rows of two words, high and low."""
    data = np.frombuffer(numbers.buffers()[1], np.uint8).reshape(-1, NUMBER_BYTES)
    words = np.zeros((len(numbers), LIMBS), np.uint8)
    words[:, LIMBS - NUMBER_BYTES :] = data[numbers.offset : numbers.offset + len(numbers)]
    return words.view(">u8").astype(np.uint64)


def _owners_of_hands(hands: list[pa.Array]) -> Owners | None:
    """Return the owners of the texts of four hands, if all are there and plainly written."""
    owners = np.full((len(hands[0]), DECK_SIZE), UNUSED, np.uint8)
    for seat, hand in enumerate(hands):
        texts = hand.cast(pa.string())
        if texts.null_count:
            return None
        _, offsets, data = texts.buffers()
        begins = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
        if data is None or not place_hands(begins, np.frombuffer(data, np.uint8), seat, owners):
            return None
    return owners
