"""Solved sets of pgx: `int32[2, n, 4]`, the cards of n deals and then their double-dummy tricks.

Rule 1: a deal is four numbers, those of `arrays.views.keys`.
Rule 2: the tricks are four numbers, for the declarers N E S W, each with a digit of four bits for
        each strain, in the order C D H S NT, clubs highest.
Rule 3: the cards of all deals come first, so a stream without a seek is copied to a file.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

import numpy as np

from pavcodec.arrays.owners.hands import are_deals
from pavcodec.arrays.views.keys import KEYS, keys_of_owners, owners_of_keys
from pavcodec.boards.batch import CONTRACTS, BoardBatch
from pavcodec.boards.context import Context
from pavcodec.cards import HAND_SIZE, Seat, Strain, Suit
from pavcodec.errors import LayoutError, PavError
from pavcodec.files.reading import read_up_to
from pavcodec.formats.npy.header import NpyHeader, header_bytes
from pavcodec.layout import Layout
from pavcodec.layout.layout import describe_sizes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

    Tricks: TypeAlias = NDArray[np.uint8]
    Words: TypeAlias = NDArray[np.int64]

__all__ = [
    "is_solved_set",
    "read_solved_set",
    "tricks_of_values",
    "values_of_tricks",
    "write_solved_set",
]

_AT_ONCE = 1 << 14
_WORDS = len(Suit)
_KIND = np.dtype("<i4")
_STRAIN_SHIFTS = 4 * np.arange(len(Strain))[::-1]


def is_solved_set(header: NpyHeader) -> bool:
    """Return whether an array is a solved set: two blocks of rows of four integers of 32 bits."""
    shape, kind = header.shape, header.dtype
    return (
        len(shape) == 3
        and (shape[0], shape[2]) == (2, _WORDS)
        and kind.kind in "iu"
        and kind.itemsize == _KIND.itemsize
        and not header.is_by_columns
    )


def tricks_of_values(values: NDArray[Any]) -> Tricks:
    """Return tricks, `uint8[n, 20]`, from four numbers each.

    >>> tricks_of_values(np.array([[4160, 904605, 4160, 904605]]))[0, :8].tolist()
    [0, 13, 0, 13, 4, 9, 4, 9]
    """
    digits = values.astype(np.int64)[:, :, np.newaxis] >> _STRAIN_SHIFTS & 15
    return np.ascontiguousarray(
        digits[:, :, ::-1].transpose(0, 2, 1).reshape(-1, CONTRACTS), np.uint8
    )


def values_of_tricks(tricks: Tricks) -> Words:
    """Return the four numbers of each table, `int64[n, 4]`; the inverse of `tricks_of_values`."""
    digits = tricks.reshape(-1, len(Strain), len(Seat)).transpose(0, 2, 1)[:, :, ::-1]
    return np.asarray((digits.astype(np.int64) << _STRAIN_SHIFTS).sum(axis=2), np.int64)


def read_solved_set(stream: BinaryIO, header: NpyHeader, context: Context) -> Iterator[BoardBatch]:
    """Yield the deals of a solved set with their tricks; the stream is after its header."""
    count = header.shape[1]
    width = _WORDS * _KIND.itemsize
    seekable = getattr(stream, "seekable", None)
    if seekable is None or not seekable():
        with TemporaryFile() as file:
            shutil.copyfileobj(stream, file)
            file.seek(0)
            yield from read_solved_set(cast("BinaryIO", file), header, context)
        return
    start = stream.tell()
    end = stream.seek(0, 2)
    if end != start + 2 * count * width:
        expected = 2 * count * width
        reason = f"{count} deals and their tricks take {expected} bytes, not {end - start}"
        context.problem(None, reason)
        return
    for begin in range(0, count, _AT_ONCE):
        many = min(_AT_ONCE, count - begin)
        blocks = []
        for place in (begin, count + begin):
            stream.seek(start + place * width)
            data = read_up_to(stream, many * width)
            blocks.append(np.frombuffer(data, header.dtype).reshape(many, _WORDS))
        keys, values = blocks
        yield from _batch_of(keys, values, begin, context)


def _batch_of(
    keys: NDArray[Any], values: NDArray[Any], begin: int, context: Context
) -> Iterator[BoardBatch]:
    """Yield the good rows of a part; the others are problems."""
    owners, tricks = owners_of_keys(keys), tricks_of_values(values)
    words = keys.astype(np.int64)
    fit = ((words >= 0) & (words < KEYS)).all(axis=1) & are_deals(owners)
    low = values.astype(np.int64)
    solved = ((low >= 0) & (low < 16 ** len(Strain))).all(axis=1)
    solved &= (tricks <= HAND_SIZE).all(axis=1)
    good = fit & solved
    for row in np.flatnonzero(~good).tolist():
        if fit[row]:
            reason = f"{values[row].tolist()} are not the tricks of 20 contracts, 0 to 13 each"
        else:
            reason = f"{keys[row].tolist()} are not the cards of a deal, 13 in each hand"
        try:
            context.problem(None, f"row {begin + row}: {reason}")
        except Exception:
            good[row:] = False
            yield BoardBatch(owners[good], tricks=tricks[good])
            raise
    yield BoardBatch(owners[good], tricks=tricks[good])


def write_solved_set(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write deals with their tricks, and return how many; the others are problems."""
    count = 0
    with TemporaryFile() as keys, TemporaryFile() as values:
        for batch in batches:
            for begin in range(0, len(batch), _AT_ONCE):
                part = batch.rows(begin, min(begin + _AT_ONCE, len(batch)))
                owners, tricks = _good_rows(part, context)
                keys.write(keys_of_owners(owners).astype(_KIND).tobytes())
                values.write(values_of_tricks(tricks).astype(_KIND).tobytes())
                count += len(owners)
        stream.write(header_bytes((2, count, _WORDS), _KIND))
        for block in (keys, values):
            block.seek(0)
            shutil.copyfileobj(block, stream)
    return count


def _good_rows(part: BoardBatch, context: Context) -> tuple[Owners, Tricks]:
    """Return the owners and tricks of the boards that are deals and solved."""
    owners, tricks = part.owners, part.all_tricks()
    fit = are_deals(owners)
    good = fit & (tricks <= HAND_SIZE).all(axis=1)
    for row in np.flatnonzero(~good).tolist():
        board = part.board(row)
        try:
            _refuse(Layout(owners[row].tobytes()), is_deal=bool(fit[row]))
        except PavError as error:
            number = None if board.number is None else str(board.number)
            context.problem(board.line, str(error), number)
    return owners[good], tricks[good]


def _refuse(layout: Layout, *, is_deal: bool) -> None:
    if not is_deal:
        raise LayoutError(f"a deal has {HAND_SIZE} cards in each hand; {describe_sizes(layout)}")
    raise PavError("there are no double-dummy tricks of all 20 contracts")
