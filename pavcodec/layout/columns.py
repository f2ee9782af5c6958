"""Many layouts as arrays: sizes of hands, holdings, and the functions of a hand by holding.

Layouts are rows of owners, `uint8[n, 52]`. A *holding* is a number: its 13 bits are the cards of a
suit that a seat has, the ace the highest bit. So a table of 8192 entries has a function of a suit.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pavcodec import kernel
from pavcodec.arrays import Threads, checked, share
from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, UNUSED, Seat, Suit
from pavcodec.errors import LayoutError
from pavcodec.layout.hand import Among, OfLengths, SumOverCards, SumOverSuits, all_holdings
from pavcodec.layout.layout import Layout

Holdings: TypeAlias = NDArray[np.uint16]
"""`uint16[seats, suits, n]`."""


def hand_sizes(owners: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Return the number of cards of N, E, S and W in each row: `intp[n, 4]`.

    >>> hand_sizes(np.array([[0, 1, 2, 4], [3, 1, 1, 1]], np.uint8)).tolist()
    [[1, 1, 1, 0], [0, 3, 0, 1]]
    """
    return np.stack([np.count_nonzero(owners == seat, axis=1) for seat in Seat], axis=1)


def are_deals(owners: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return for each row whether every hand has 13 cards: `bool[n]`.

    >>> are_deals(np.array([[0, 1, 2, 3] * 13, [0, 1, 2, 4] * 13], np.uint8)).tolist()
    [True, False]
    """
    return np.asarray((hand_sizes(owners) == HAND_SIZE).all(axis=1))


def holdings_of(owners: NDArray[np.uint8], first: int = 0) -> Holdings:
    """Return the holdings of layouts: `uint8[n, 52]` to `uint16[seats, suits, n]`.

    Raises `LayoutError` for invalid owners, with the row number; `first` is the number of the first
    row.

    >>> from pavcodec import numbering
    >>> holdings = holdings_of(numbering("deal").unrank_many(np.zeros((1, 2), np.uint64)))
    >>> [hex(holding) for holding in holdings[0, :, 0].tolist()]
    ['0x1fff', '0x0', '0x0', '0x0']
    """
    rows = np.ascontiguousarray(owners)
    holdings: Holdings = np.empty((len(Seat), len(Suit), len(rows)), np.uint16)
    wrong = kernel.split_suits(len(rows), rows, holdings)
    if wrong >= 0:
        try:
            Layout(rows[wrong].tobytes())
        except LayoutError as error:
            raise LayoutError(f"row {first + wrong}: {error}") from None
    return holdings


# Tables of the functions of a hand: the value of each holding, by the definition of the function.


Kind: TypeAlias = type[np.signedinteger[Any]]

SuitTable: TypeAlias = NDArray[np.signedinteger[Any]]
"""A value for each holding of a suit."""


def narrowest(*values: int) -> Kind:
    """Return the smallest signed integer type that can store some numbers and their negatives.

    >>> narrowest(-40, 3000).__name__, narrowest(70_000).__name__, narrowest(1 << 40).__name__
    ('int16', 'int32', 'int64')
    """
    most = max(map(abs, values))
    return np.int16 if most < 1 << 15 else np.int32 if most < 1 << 31 else np.int64


@lru_cache(128)
def suit_values(function: SumOverCards | SumOverSuits, suit_size: int = SUIT_SIZE) -> SuitTable:
    """Return the value of each holding of a suit; the absolute weights must sum to less than 2^63.

    >>> from pavcodec.layout.hand import HCP
    >>> suit_values(HCP, suit_size=3).tolist()
    [0, 2, 3, 5, 4, 6, 7, 9]
    """
    if isinstance(function, SumOverCards):  # 70 times faster than calls of the definition
        values = np.zeros(1, np.int64)
        for weight in reversed(function.weights[:suit_size]):
            values = np.concatenate([values, values + weight])
    else:
        values = np.array(list(map(function.of_suit, all_holdings(suit_size))), np.int64)
    return values.astype(narrowest(int(values.min()), int(values.max())))


@lru_cache(128)
def lengths_values(
    function: OfLengths, suit_size: int = SUIT_SIZE, suits: int = len(Suit)
) -> NDArray[np.signedinteger[Any]]:
    """Return the value of a function of the lengths, with an axis for the length of each suit.

    >>> from pavcodec.layout.hand import OfLengths
    >>> lengths_values(OfLengths(max), suit_size=2, suits=2).tolist()
    [[0, 1, 2], [1, 1, 2], [2, 2, 2]]
    """
    axes = (suit_size + 1,) * suits
    if isinstance(function.of, Among):  # 40 times faster than calls of the definition
        among = np.zeros(axes, np.int16)
        for lengths in function.of.shapes:
            if len(lengths) == suits and max(lengths) <= suit_size:
                among[lengths] = 1
        return among
    values = np.array(list(map(function.of, np.ndindex(axes))), np.int64).reshape(axes)
    return values.astype(narrowest(int(values.min()), int(values.max())))


def sizes_of(owners: NDArray[np.uint8]) -> dict[tuple[int, ...], int]:
    """Return the number of layouts for each combination of sizes of the four hands.

    >>> sizes_of(np.array([[0, 1, 2, 4], [3, 1, 2, 4], [1, 0, 2, 4]], np.uint8))
    {(0, 1, 1, 1): 1, (1, 1, 1, 0): 2}
    """
    sizes, counts = np.unique(hand_sizes(owners), axis=0, return_counts=True)
    return dict(zip(map(tuple, sizes.tolist()), counts.tolist(), strict=True))


# Packed hands: 52 bits a hand, bit i for card i, as in `Hand.mask`.


def pack_hands(owners: NDArray[np.uint8], *, threads: Threads = None) -> NDArray[np.uint64]:
    """Return the hands of layouts: `uint8[n, 52]` to `uint64[n, 4]`, N E S W.

    A hand has bit i for card i, as in `Hand.mask`. `threads` share the work; the default is one for
    each processor. Raises `LayoutError` with the first row that is not a layout, and `TypeError`
    for another array.

    >>> from pavcodec import numbering
    >>> deals = numbering("deal")
    >>> hands = pack_hands(deals.sample_many(2, seed=7))
    >>> hands.shape, int(hands[0, 2]) == deals.sample(1, seed=7)[0]["S"].mask
    ((2, 4), True)
    """
    rows = np.ascontiguousarray(checked("owners", owners, np.uint8, DECK_SIZE))
    hands = np.empty((len(rows), len(Seat)), np.uint64)

    def work(part: slice) -> None:
        bad = kernel.pack_hands(len(rows[part]), rows[part], hands[part])
        if bad >= 0:
            row = part.start + bad
            raise LayoutError(f"row {row}: an owner is 0 to {UNUSED}, not {rows[row].max()}")

    share(work, len(rows), threads)
    return hands


def unpack_hands(hands: NDArray[np.uint64], *, threads: Threads = None) -> NDArray[np.uint8]:
    """Return the owners of packed hands: `uint64[n, 4]` to `uint8[n, 52]`.

    A card that no hand holds is unused. `threads` share the work; the default is one for each
    processor. Raises `LayoutError` with the first row in which two hands hold the same card or a
    hand has a bit above the last card, and `TypeError` for another array.

    >>> from pavcodec import numbering
    >>> owners = numbering("ending").sample_many(2, seed=7)
    >>> (unpack_hands(pack_hands(owners)) == owners).all()
    np.True_
    """
    rows = np.ascontiguousarray(checked("hands", hands, np.uint64, len(Seat)))
    owners = np.empty((len(rows), DECK_SIZE), np.uint8)

    def work(part: slice) -> None:
        bad = kernel.unpack_hands(len(rows[part]), rows[part], owners[part])
        if bad >= 0:
            row = part.start + bad
            masks = ", ".join(f"{mask:#x}" for mask in rows[row].tolist())
            raise LayoutError(
                f"row {row}: hands share a card, or have a bit past {DECK_SIZE - 1}: {masks}"
            )

    share(work, len(rows), threads)
    return owners
