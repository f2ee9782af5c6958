"""The column of tricks of a block: which rows have results, results as they are, modelled rows.

Rule 1: rows whose 20 contracts are all solved, of deals with 13 cards in each hand, are modelled.
Rule 2: other results are stored as they are: 20 digits of four bits, 15 for a contract that is not
        solved.
Rule 3: results that the model makes longer than 10 bytes a row, such as impossible ones, are stored
        as they are, too.
Rule 4: a column has exactly one form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pavcodec.archive.tricks.coder import decode_rows, encode_rows
from pavcodec.arrays.owners.hands import are_deals
from pavcodec.boards.batch import CONTRACTS
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.cards import HAND_SIZE
from pavcodec.errors import LayoutError, ReadError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

__all__ = ["are_whole", "decode_tricks", "encode_tricks"]

_ALL_MODELLED, _MIXED = 1, 2
_NOTHING, _PLAIN, _MODELLED = 0, 1, 2
_DIGITS = CONTRACTS // 2  # bytes of a plain row
_MISSING = 15
_PLACES = np.arange(0, 8, 2)
"""Where the kinds of four rows are in a byte."""


def encode_tricks(tricks: NDArray[np.uint8], owners: Owners) -> bytes:
    """Return the column of the tricks of a block, `uint8[n, 20]`; nothing for no results at all.

    `owners` are the cards, `uint8[n, 52]`, all 4 for a board without cards. Raise `LayoutError` for
    tricks that are neither 0 to 13 nor 255.

    >>> deals = np.repeat(np.arange(4, dtype=np.uint8), 13)[np.newaxis]
    >>> column = encode_tricks(np.full((1, 20), 255, np.uint8), deals)
    >>> column, int(decode_tricks(column, deals)[0, 0])
    (b'', 255)
    """
    if ((tricks > HAND_SIZE) & (tricks != NOT_SOLVED)).any():
        raise LayoutError(f"tricks are 0 to {HAND_SIZE}, or {NOT_SOLVED} where none are known")
    kinds = np.where((tricks != NOT_SOLVED).any(axis=1), _PLAIN, _NOTHING)
    if not kinds.any():
        return b""
    are_modelled = are_deals(owners) & (tricks != NOT_SOLVED).all(axis=1)
    stream = None
    if are_modelled.any():
        most = _DIGITS * int(are_modelled.sum())
        stream = encode_rows(tricks[are_modelled], owners[are_modelled], most)
    if stream is not None:
        kinds[are_modelled] = _MODELLED
        if are_modelled.all():
            return bytes([_ALL_MODELLED]) + stream
    parts = [bytes([_MIXED]), _packed(kinds), _digits(tricks[kinds == _PLAIN]), stream or b""]
    return b"".join(parts)


def decode_tricks(data: bytes, owners: Owners) -> NDArray[np.uint8]:
    """Return the tricks of a column, `uint8[n, 20]`; raise `ReadError` for invalid bytes."""
    tricks = np.full((len(owners), CONTRACTS), NOT_SOLVED, np.uint8)
    if not data:
        return tricks
    kinds, place = _kinds(data, len(owners))
    plain = kinds == _PLAIN
    end = place + _DIGITS * int(plain.sum())
    if end > len(data):
        raise ReadError("tricks: the column is too short")
    tricks[plain] = _of_digits(data[place:end])
    modelled = kinds == _MODELLED
    if not (are_deals(owners) | ~modelled).all():
        raise ReadError("tricks: a row that is no deal is modelled")
    if modelled.any():
        tricks[modelled] = decode_rows(data[end:], owners[modelled])
    elif end != len(data):
        raise ReadError(f"tricks: the column has {len(data)} bytes, not {end}")
    _check_form(data, kinds, tricks, owners, len(data) - end)
    return tricks


def are_whole(data: bytes, count: int) -> NDArray[np.bool_]:
    """Return which rows of a column have all 20 results, without decoding the modelled rows.

    `count` is the number of rows. Raise `ReadError` for bytes that are too short.
    """
    if not data:
        return np.zeros(count, np.bool_)
    kinds, place = _kinds(data, count)
    plain = kinds == _PLAIN
    end = place + _DIGITS * int(plain.sum())
    if end > len(data):
        raise ReadError("tricks: the column is too short")
    found: NDArray[np.bool_] = kinds == _MODELLED
    found[plain] = (_of_digits(data[place:end]) != NOT_SOLVED).all(axis=1)
    return found


def _check_form(
    data: bytes,
    kinds: NDArray[np.int64],
    tricks: NDArray[np.uint8],
    owners: Owners,
    streamed: int,
) -> None:
    """Raise `ReadError` unless the writer writes these tricks in this form."""
    solved = tricks != NOT_SOLVED
    modelled = kinds == _MODELLED
    fits = ((kinds != _NOTHING) == solved.any(axis=1)).all()
    if modelled.any():
        fits &= streamed <= _DIGITS * int(modelled.sum())
        fits &= (modelled == (are_deals(owners) & solved.all(axis=1))).all()
        fits &= modelled.all() == (data[0] == _ALL_MODELLED)
    elif fits:
        fits = encode_tricks(tricks, owners) == data  # unless the model is shorter
    if not fits:
        raise ReadError("tricks: these bytes are not how the tricks of any boards are written")


def _packed(kinds: NDArray[np.int64]) -> bytes:
    """Return the kinds of rows, two bits each, the lowest bits first."""
    padded = np.zeros(-(-len(kinds) // 4) * 4, np.uint8)
    padded[: len(kinds)] = kinds
    return bytes((padded.reshape(-1, 4) << _PLACES.astype(np.uint8)).sum(axis=1, dtype=np.uint8))


def _kinds(data: bytes, count: int) -> tuple[NDArray[np.int64], int]:
    """Return the kind of each row, and the offset after them."""
    if data[0] == _ALL_MODELLED:
        return np.full(count, _MODELLED), 1
    end = 1 + -(-count // 4)
    if data[0] != _MIXED or len(data) < end:
        raise ReadError("tricks: the column has an unknown form, or is too short")
    packed = np.frombuffer(data, np.uint8, end - 1, 1).astype(np.int64)
    kinds = (packed[:, np.newaxis] >> _PLACES & 3).reshape(-1)
    if (kinds[count:] != 0).any() or (kinds > _MODELLED).any():
        raise ReadError("tricks: the column has unknown kinds of rows")
    return kinds[:count], end


def _digits(tricks: NDArray[np.uint8]) -> bytes:
    """Return rows as digits of four bits, the first of two in the lower bits."""
    values = np.where(tricks == NOT_SOLVED, _MISSING, tricks).astype(np.uint8)
    return bytes((values[:, ::2] | values[:, 1::2] << 4).tobytes())


def _of_digits(data: bytes) -> NDArray[np.uint8]:
    """Return the rows of digits; raise `ReadError` for a 14."""
    packed = np.frombuffer(data, np.uint8)
    values = np.stack([packed & 15, packed >> 4], axis=1).reshape(-1, CONTRACTS)
    if (values == HAND_SIZE + 1).any():
        raise ReadError(f"tricks: there are at most {HAND_SIZE}")
    return np.where(values == _MISSING, NOT_SOLVED, values).astype(np.uint8)
