"""Convert hands of many layouts to texts and counts, and texts to hands.

A text is a hand in PBN, S.H.D.C with descending ranks, or `-` for a hand without cards. All texts
are in one array of bytes; text k is `data[offsets[k] : offsets[k + 1]]`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pavcodec.arrays.compiler import compiled
from pavcodec.cards import RANK_LETTERS, SUIT_SIZE
from pavcodec.layout.columns import Holdings, suit_values
from pavcodec.layout.hand import COUNTED, LENGTH, all_holdings

Texts: TypeAlias = tuple[NDArray[np.int32], NDArray[np.uint8]]

_SEATS = _SUITS = 4
_DOT, _DASH = ord("."), ord("-")
_NO_RANK = 255
_LONGEST = SUIT_SIZE + 1  # bytes of a suit and its dot


@cache
def count_tables() -> NDArray[np.int8]:
    """Return HCP, controls, losers and length of each holding: `int8[4, holdings]`.

    >>> count_tables()[:, 0b1011000000000].tolist()
    [7, 2, 1, 3]
    """
    return np.array([suit_values(each) for each in (*COUNTED.values(), LENGTH)], np.int8)


@cache
def _suit_texts() -> NDArray[np.uint8]:
    """Return the text of each holding: its ranks, a dot, and zeros after them."""
    texts = np.array([f"{ranks}." for ranks in all_holdings(SUIT_SIZE)], f"S{_LONGEST}")
    return texts.view(np.uint8).reshape(-1, _LONGEST)


@cache
def _ranks() -> NDArray[np.uint8]:
    """Return the rank of each letter, indexed by its byte; 255 for other bytes."""
    ranks = np.full(256, _NO_RANK, np.uint8)
    ranks[list(RANK_LETTERS.encode())] = range(SUIT_SIZE)
    return ranks


def counts_of(holdings: Holdings) -> NDArray[np.int8]:
    """Return HCP, controls, losers and the suit lengths of hands: `int8[seats, 7, n]`.

    >>> hand = np.array([0b1100000000000, 0, 0, 1], np.uint16)
    >>> counts_of(np.stack([hand] * 4)[:, :, None])[0, :, 0]
    array([7, 3, 1, 2, 0, 0, 1], dtype=int8)
    """
    tables = count_tables()
    counts = np.empty((_SEATS, len(tables) - 1 + _SUITS, holdings.shape[2]), np.int8)
    _count(tables, holdings, counts)
    return counts


def hand_texts(holdings: Holdings) -> Texts:
    """Return the texts of the hands `uint16[suits, n]`, as `offsets` and `data`.

    >>> hands = np.array([[1 << 12, 0], [0, 0], [0, 0], [1, 0]], np.uint16)
    >>> offsets, data = hand_texts(hands)
    >>> offsets.tolist(), data.tobytes()
    ([0, 5, 6], b'A...2-')
    """
    lengths = count_tables()[-1]
    cards = lengths[holdings].sum(axis=0, dtype=np.int32)
    offsets = np.zeros(len(cards) + 1, np.int32)
    np.cumsum(np.where(cards, cards + (_SUITS - 1), 1), out=offsets[1:])
    data = np.empty(offsets[-1] + _LONGEST, np.uint8)
    _write(_suit_texts(), lengths, holdings, offsets, data)
    return offsets, data[: offsets[-1]]


def place_hands(
    offsets: NDArray[np.int32], data: NDArray[np.uint8], seat: int, owners: Any
) -> bool:
    """Give the cards of texts to a seat; return whether all texts have the form of `hand_texts`.

    The cards must have been unused (4) before. If the result is False, the contents of `owners` are
    undefined.
    """
    placed: bool = _place(_ranks(), offsets, data, seat, owners)
    return placed


@compiled()
def _count(tables: Any, holdings: Any, counts: Any) -> None:
    summed = len(tables) - 1
    for seat in range(_SEATS):
        for row in range(holdings.shape[2]):
            for suit in range(_SUITS):
                counts[seat, summed + suit, row] = tables[summed, holdings[seat, suit, row]]
            for table in range(summed):
                total = 0
                for suit in range(_SUITS):
                    total += tables[table, holdings[seat, suit, row]]
                counts[seat, table, row] = total


@compiled()
def _write(texts: Any, lengths: Any, holdings: Any, offsets: Any, data: Any) -> None:
    """Write texts suit by suit in full table width; the next suit overwrites the zeros."""
    for row in range(holdings.shape[1]):
        at = np.int64(offsets[row])
        if offsets[row + 1] == at + 1:
            data[at] = _DASH
            continue
        for suit in range(_SUITS):
            holding = holdings[suit, row]
            for index in range(_LONGEST):
                data[at + index] = texts[holding, index]
            at += lengths[holding] + 1


@compiled()
def _place(ranks: Any, offsets: Any, data: Any, seat: Any, owners: Any) -> Any:
    for row in range(len(owners)):
        begin, end = offsets[row], offsets[row + 1]
        if end == begin + 1 and data[begin] == _DASH:
            continue
        suit, last = np.int64(0), np.int64(-1)
        for at in range(begin, end):
            if data[at] == _DOT:
                suit, last = suit + 1, np.int64(-1)
                continue
            rank = np.int64(ranks[data[at]])
            if rank == _NO_RANK or rank <= last or suit >= _SUITS:
                return False
            card, last = suit * SUIT_SIZE + rank, rank
            if owners[row, card] != _SEATS:
                return False
            owners[row, card] = seat
        if suit != _SUITS - 1 or end - begin < _SUITS:
            return False
    return True
