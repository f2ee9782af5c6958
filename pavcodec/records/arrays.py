"""Arrays of records: rows of bytes to columns of fields and back, from the specification.

A column of numbers is `uint64[n]`, or `uint64[n, 2]` (high, low) for numbers of more than 64 bits.
A column of small numbers is `uint8[n, count]`. Only this module of the records imports numpy; the
readers and writers of batches and of case listings import it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pavcodec.records.fields import Digits, Number, Specification

if TYPE_CHECKING:
    from numpy.typing import NDArray

    ByteRows: TypeAlias = NDArray[np.uint8]
    Words: TypeAlias = NDArray[np.uint64]
    Flags: TypeAlias = NDArray[np.bool_]


_WORD = 64
_WORD_BYTES = 8


def split_rows(made: Specification, rows: ByteRows) -> tuple[list[NDArray[Any]], Flags]:
    """Return the columns of records, and as `bool[n]` whether all reserved bits of a record are 0.

    >>> from pavcodec.records.fields import specification
    >>> rows = np.array([[1, 0, 0, 128], [2, 0, 0, 0]], np.uint8)
    >>> (suits, flags), are_good = split_rows(specification("zbs-word"), rows)
    >>> suits.tolist(), flags.tolist(), are_good.tolist()
    ([1, 2], [1, 0], [True, True])
    """
    are_good = np.ones(len(rows), np.bool_)
    for position, mask in enumerate(made.reserved.to_bytes(made.size, "little")):
        if mask:
            are_good &= rows[:, position] & np.uint8(mask) == 0
    has_numbers = any(isinstance(position, Number) for position in made.places)
    words = _words(rows) if has_numbers else np.empty((0, 0), np.uint64)
    return [
        _digits(rows, position) if isinstance(position, Digits) else _numbers(words, position)
        for position in made.places
    ], are_good


def join_rows(made: Specification, columns: Sequence[NDArray[Any]]) -> ByteRows:
    """Return the records of columns as `uint8[n, size]`; a column of one row applies to all rows.

    Numbers must fit into their fields; nothing checks this.

    >>> from pavcodec.records.fields import specification
    >>> suits, flags = np.array([1, 2], np.uint64), np.array([1], np.uint64)
    >>> join_rows(specification("zbs-word"), [suits, flags]).tolist()
    [[1, 0, 0, 128], [2, 0, 0, 128]]
    """
    count = next((len(column) for column in columns if len(column) != 1), 1)
    has_numbers = any(isinstance(position, Number) for position in made.places)
    size = -(-made.size // _WORD_BYTES) * _WORD_BYTES if has_numbers else made.size
    rows = np.zeros((count, size), np.uint8)
    words = rows.view("<u8") if has_numbers else np.empty((0, 0), np.uint64)
    for position, column in zip(made.places, columns, strict=True):
        if isinstance(position, Digits):
            rows[:, position.bytes] |= _packed(column, position)
        elif position.bits > _WORD:
            _put(words, column[:, 1], position.first)
            _put(words, column[:, 0], position.first + _WORD)
        else:
            _put(words, column, position.first)
    return np.ascontiguousarray(rows[:, : made.size])


def _words(rows: ByteRows) -> Words:
    """Return records as 64-bit words, the lowest word first, with zeros after the last byte."""
    count, size = rows.shape
    if size % _WORD_BYTES:
        padded = np.zeros((count, -(-size // _WORD_BYTES) * _WORD_BYTES), np.uint8)
        padded[:, :size] = rows
        rows = padded
    return np.ascontiguousarray(rows).view("<u8").astype(np.uint64, copy=False)


def _numbers(words: Words, position: Number) -> Words:
    if position.bits <= _WORD:
        return _taken(words, position.first, position.bits)
    high = _taken(words, position.first + _WORD, position.bits - _WORD)
    return np.stack([high, _taken(words, position.first, _WORD)], axis=1)


def _taken(words: Words, first: int, bits: int) -> Words:
    """Return a field of at most 64 bits of each record."""
    column, shift = divmod(first, _WORD)
    values = words[:, column] >> np.uint64(shift)
    if shift + bits > _WORD:
        values |= words[:, column + 1] << np.uint64(_WORD - shift)
    return values & np.uint64((1 << bits) - 1)


def _put(words: Words, values: Words, first: int) -> None:
    """Write values of at most 64 bits to their place, which must contain zeros."""
    column, shift = divmod(first, _WORD)
    words[:, column] |= values << np.uint64(shift)
    if shift and column + 1 < words.shape[1]:
        words[:, column + 1] |= values >> np.uint64(_WORD - shift)


def _digits(rows: ByteRows, position: Digits) -> ByteRows:
    """Return small numbers, extracted from single bytes, or from groups of three for 3 bits."""
    piece = rows[:, position.bytes]
    groups: NDArray[Any] = _threes(piece) if position.bits == 3 else piece
    kind, in_group = _group_of(position)
    digits = np.empty((len(rows), groups.shape[1] * in_group), np.uint8)
    for index in range(in_group):
        shifted = groups >> kind(position.bits * index)
        digits[:, index::in_group] = shifted & kind((1 << position.bits) - 1)
    used = list(chain(*position.spans))
    has_gaps = len(used) <= used[-1]
    return digits[:, used] if has_gaps else np.ascontiguousarray(digits[:, : len(used)])


def _packed(digits: ByteRows, position: Digits) -> ByteRows:
    """Return the bytes of small numbers."""
    used = list(chain(*position.spans))
    if len(used) <= used[-1]:
        spread = np.zeros((len(digits), used[-1] + 1), np.uint8)
        spread[:, used] = digits
        digits = spread
    kind, in_group = _group_of(position)
    groups: NDArray[Any] = np.zeros((len(digits), -(-digits.shape[1] // in_group)), kind)
    for index in range(in_group):
        column = digits[:, index::in_group].astype(kind, copy=False)
        groups[:, : column.shape[1]] |= column << kind(position.bits * index)
    if position.bits == 3:
        parts = groups.astype("<u4").view(np.uint8).reshape(len(digits), -1, 4)
        groups = parts[:, :, :3].reshape(len(digits), -1)
    return groups[:, : position.bytes.stop - position.bytes.start]


def _group_of(position: Digits) -> tuple[type[np.unsignedinteger[Any]], int]:
    """Return the type of a group of bytes that has whole small numbers, and how many it has."""
    return (np.uint32, 8) if position.bits == 3 else (np.uint8, 8 // position.bits)


def _threes(data: ByteRows) -> NDArray[np.uint32]:
    """Return each group of three bytes as a number."""
    count, size = data.shape
    padded = np.zeros((count, -(-size // 3) * 3), np.uint8)
    padded[:, :size] = data
    low, middle, high = padded.reshape(count, -1, 3).astype(np.uint32).transpose(2, 0, 1)
    groups: NDArray[np.uint32] = low | middle << np.uint32(8) | high << np.uint32(16)
    return groups
