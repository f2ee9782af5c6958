"""Arrays of records: rows of bytes to columns of fields and back, by their table of bits.

A column of numbers is `uint64[n]`, or `uint64[n, 2]` (high, low) for numbers of more than 64 bits.
A column of small numbers is `uint8[n, count]`. Only this module of the records imports numpy; the
readers and writers of batches and of case listings import it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.records.declarations import BitTable, Place

    ByteRows: TypeAlias = NDArray[np.uint8]
    Words: TypeAlias = NDArray[np.uint64]
    Flags: TypeAlias = NDArray[np.bool_]


_WORD = 64
_WORD_BYTES = 8
_BYTE = 8


def split_rows(table: BitTable, rows: ByteRows) -> tuple[list[NDArray[Any]], Flags]:
    """Return the columns of records, and as `bool[n]` whether all reserved bits of a record are 0.

    >>> from pavcodec.records.declarations import bit_table
    >>> rows = np.array([[1, 0, 0, 128], [2, 0, 0, 0]], np.uint8)
    >>> (suits, flags), are_good = split_rows(bit_table("zbs-word"), rows)
    >>> suits.tolist(), flags.tolist(), are_good.tolist()
    ([1, 2], [1, 0], [True, True])
    """
    reserved = np.frombuffer(table.reserved.to_bytes(table.size, "little"), np.uint8)
    used = np.flatnonzero(reserved)
    are_good: Flags = (rows[:, used] & reserved[used] == 0).all(axis=1)
    whole, words = _blank(len(rows), table)
    whole[:, : table.size] = rows
    columns: list[NDArray[Any]] = []
    for place in table.fields:
        low = min(place.bits, _WORD)
        if place.times:
            columns.append(_small_numbers(rows, place))
        elif place.bits == low:
            columns.append(_word(words, place.first, low))
        else:
            high = _word(words, place.first + low, place.bits - low)
            columns.append(np.stack([high, _word(words, place.first, low)], axis=1))
    return columns, are_good


def join_rows(table: BitTable, columns: Sequence[NDArray[Any]]) -> ByteRows:
    """Return the records of columns as `uint8[n, size]`; a column of one row applies to all rows.

    Numbers must fit into their fields; nothing checks this.

    >>> from pavcodec.records.declarations import bit_table
    >>> suits, flags = np.array([1, 2], np.uint64), np.array([1], np.uint64)
    >>> join_rows(bit_table("zbs-word"), [suits, flags]).tolist()
    [[1, 0, 0, 128], [2, 0, 0, 128]]
    """
    count = next((len(column) for column in columns if len(column) != 1), 1)
    rows, words = _blank(count, table)
    for place, column in zip(table.fields, columns, strict=True):
        if place.times:
            _put_small_numbers(rows, place, column)
        elif place.bits <= _WORD:
            _put_word(words, place.first, column)
        else:
            _put_word(words, place.first, column[:, 1])
            _put_word(words, place.first + _WORD, column[:, 0])
    return np.ascontiguousarray(rows[:, : table.size])


def _blank(count: int, table: BitTable) -> tuple[ByteRows, Words]:
    """Return records of zeros, and the same memory as 64-bit words, the lowest word first."""
    rows = np.zeros((count, -(-table.size // _WORD_BYTES) * _WORD_BYTES), np.uint8)
    return rows, rows.view("<u8")


def _word(words: Words, first: int, bits: int) -> Words:
    """Return at most 64 bits of each record."""
    column, shift = divmod(first, _WORD)
    values = words[:, column] >> np.uint64(shift)
    if shift + bits > _WORD:
        values |= words[:, column + 1] << np.uint64(_WORD - shift)
    return values.astype(np.uint64, copy=False) & np.uint64((1 << bits) - 1)


def _put_word(words: Words, first: int, values: Words) -> None:
    """Write values of at most 64 bits to their place, which must contain zeros."""
    column, shift = divmod(first, _WORD)
    words[:, column] |= values << np.uint64(shift)
    if shift and column + 1 < words.shape[1]:
        words[:, column + 1] |= values >> np.uint64(_WORD - shift)


def _small_numbers(rows: ByteRows, place: Place) -> ByteRows:
    """Return the column of small numbers, each of them from one byte or two."""
    column = np.empty((len(rows), place.times), np.uint8)
    for index in range(place.times):
        byte, shift = divmod(place.first + place.bits * index, _BYTE)
        digit = np.right_shift(rows[:, byte], np.uint8(shift), out=column[:, index])
        if shift + place.bits > _BYTE:
            digit |= rows[:, byte + 1] << np.uint8(_BYTE - shift)
    column &= np.uint8((1 << place.bits) - 1)
    return column


def _put_small_numbers(rows: ByteRows, place: Place, column: ByteRows) -> None:
    """Write small numbers to their place in rows, which must contain zeros."""
    for index in range(place.times):
        byte, shift = divmod(place.first + place.bits * index, _BYTE)
        digit = column[:, index]
        rows[:, byte] |= digit << np.uint8(shift)
        if shift + place.bits > _BYTE:
            rows[:, byte + 1] |= digit >> np.uint8(_BYTE - shift)
