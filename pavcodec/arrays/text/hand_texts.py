"""The hands of many layouts as texts and as what they hold of each suit, and texts as hands.

What a hand holds of a suit is a *holding*: 13 bits, bit i for rank i, the ace first. There are 8192
of them, so that whatever is told of a suit is a look into a table. A text is a hand of PBN, S.H.D.C
with descending ranks, `-` for a hand without cards. Texts stand one after another, and text k is
`data[offsets[k] : offsets[k + 1]]`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.owners.rows import Owners
from pavcodec.cards import RANK_LETTERS, SUIT_SIZE

__all__ = [
    "HOLDINGS",
    "Holdings",
    "Texts",
    "counts_of",
    "hand_texts",
    "hcp_controls_losers_lengths",
    "holdings_of",
    "place_hands",
]

HOLDINGS = 1 << SUIT_SIZE
"""How many holdings of a suit there are."""

Holdings: TypeAlias = NDArray[np.uint16]
Texts: TypeAlias = tuple[NDArray[np.int32], NDArray[np.uint8]]

_SEATS = _SUITS = 4
_DOT, _DASH = ord("."), ord("-")
_NO_RANK = 255
_LONGEST = SUIT_SIZE + 1  # bytes of a suit with its dot
_COUNTED = 3  # of ace, king and queen, those that a suit has room for are no losers if held
_HCP = (4, 3, 2, 1)
_CONTROLS = (2, 1)


def holdings_of(owners: Owners) -> Holdings:
    """Return what the hands of layouts hold: `uint8[n, 52]` to `uint16[n, seats, suits]`.

    >>> from pavcodec import numbering
    >>> [hex(suit) for suit in holdings_of(numbering("deal").unrank_many(
    ...     np.zeros((1, 2), np.uint64)))[0, 0].tolist()]
    ['0x1fff', '0x0', '0x0', '0x0']
    """
    holdings = np.zeros((len(owners), _SEATS, _SUITS), np.uint16)
    _collect(np.require(owners, requirements="C"), holdings)
    return holdings


@cache
def _bits() -> NDArray[np.uint8]:
    """Return the bits of all holdings: `uint8[holdings, ranks]`."""
    return (np.arange(HOLDINGS)[:, None] >> np.arange(SUIT_SIZE) & 1).astype(np.uint8)


@cache
def hcp_controls_losers_lengths() -> NDArray[np.int8]:
    """Return what each holding counts, as `Hand` does: `int8[4, holdings]`.

    >>> hcp_controls_losers_lengths()[:, 0b1101].tolist()
    [7, 2, 1, 3]
    """
    bits = _bits().astype(np.int64)
    hcp, controls = (bits[:, : len(each)] @ np.array(each) for each in (_HCP, _CONTROLS))
    lengths = bits.sum(axis=1)
    counted = np.minimum(lengths, _COUNTED)
    kept = (bits[:, :_COUNTED] * (np.arange(_COUNTED) < counted[:, None])).sum(axis=1)
    return np.array([hcp, controls, counted - kept, lengths], np.int8)


@cache
def _suit_texts() -> NDArray[np.uint8]:
    """Return the ranks of each holding and a dot as text, zeros after it."""
    letters = np.frombuffer(RANK_LETTERS.encode(), np.uint8)
    held = _bits().astype(np.bool_)
    texts = np.zeros((HOLDINGS, _LONGEST), np.uint8)
    places = np.cumsum(held, axis=1) - 1
    row, rank = np.nonzero(held)
    texts[row, places[row, rank]] = letters[rank]
    texts[np.arange(HOLDINGS), held.sum(axis=1)] = _DOT
    return texts


@cache
def _ranks() -> NDArray[np.uint8]:
    """Return the rank of each letter, by its byte."""
    ranks = np.full(256, _NO_RANK, np.uint8)
    ranks[list(RANK_LETTERS.encode())] = range(SUIT_SIZE)
    return ranks


def counts_of(holdings: Holdings) -> NDArray[np.int8]:
    """Return HCP, controls, losers and the lengths of the suits: `int8[seats, 7, n]`.

    >>> counts_of(np.array([[[3, 0, 0, 4096], [0] * 4, [0] * 4, [0] * 4]], np.uint16))[0, :, 0]
    array([7, 3, 1, 2, 0, 0, 1], dtype=int8)
    """
    tables = hcp_controls_losers_lengths()
    counts = np.empty((_SEATS, len(tables) - 1 + _SUITS, len(holdings)), np.int8)
    _count(tables, holdings, counts)
    return counts


def hand_texts(holdings: Holdings) -> Texts:
    """Return the texts of hands, `uint16[n, suits]`: `offsets` and `data`.

    >>> offsets, data = hand_texts(np.array([[1, 0, 0, 4096], [0, 0, 0, 0]], np.uint16))
    >>> offsets.tolist(), data.tobytes()
    ([0, 5, 6], b'A...2-')
    """
    lengths = hcp_controls_losers_lengths()[3]
    cards = lengths[holdings].sum(axis=1, dtype=np.int32)
    offsets = np.zeros(len(holdings) + 1, np.int32)
    np.cumsum(np.where(cards, cards + (_SUITS - 1), 1), out=offsets[1:])
    data = np.empty(offsets[-1] + _LONGEST, np.uint8)
    _write(_suit_texts(), lengths, np.require(holdings, requirements="C"), offsets, data)
    return offsets, data[: offsets[-1]]


def place_hands(
    offsets: NDArray[np.int32], data: NDArray[np.uint8], seat: int, owners: Any
) -> bool:
    """Give the cards of texts to a seat; tell whether all texts are as `hand_texts` writes them.

    The cards must belong to nobody yet, which is 4. Where the answer is no, `owners` are of no use.
    """
    placed: bool = _place(_ranks(), offsets, data, seat, owners)
    return placed


@compiled()
def _collect(owners: Any, holdings: Any) -> None:
    for row in range(len(owners)):
        for suit in range(_SUITS):
            for rank in range(SUIT_SIZE):
                owner = owners[row, suit * SUIT_SIZE + rank]
                if owner < _SEATS:
                    holdings[row, owner, suit] |= np.uint16(1 << rank)


@compiled()
def _count(tables: Any, holdings: Any, counts: Any) -> None:
    summed = len(tables) - 1
    for row in range(len(holdings)):
        for seat in range(_SEATS):
            for suit in range(_SUITS):
                counts[seat, summed + suit, row] = tables[summed, holdings[row, seat, suit]]
            for table in range(summed):
                total = 0
                for suit in range(_SUITS):
                    total += tables[table, holdings[row, seat, suit]]
                counts[seat, table, row] = total


@compiled()
def _write(texts: Any, lengths: Any, holdings: Any, offsets: Any, data: Any) -> None:
    """Write texts suit by suit, each as long as the longest: what follows is written over it."""
    for row in range(len(holdings)):
        at = np.int64(offsets[row])
        if offsets[row + 1] == at + 1:
            data[at] = _DASH
            continue
        for suit in range(_SUITS):
            holding = holdings[row, suit]
            for place in range(_LONGEST):
                data[at + place] = texts[holding, place]
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
