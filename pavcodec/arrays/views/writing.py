"""Write views: owners of many layouts as the arrays of a program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pavcodec.arrays.chunks import Threads, share
from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.owners.hand_tables import are_deals
from pavcodec.arrays.views.orders import FeatureView, keys_of_owners
from pavcodec.cards import DECK_SIZE, HAND_SIZE, RANK_LETTERS, SUIT_SIZE, UNUSED
from pavcodec.errors import LayoutError, shown
from pavcodec.layout.layout import describe_sizes, layout_from_owners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

    Turns = NDArray[np.uint8]
    Flags = NDArray[np.bool_]
    Part = tuple[Owners, Turns, Flags]


# The loops that write views. They write bit patterns, so one loop is enough for all dtypes.
#
# A deal is turned before it is written: with turn t, seat t takes the place of North.


_SEATS = 4


@compiled()
def write_planes(owners: Any, turns: Any, cards: Any, patterns: Any, target: Any) -> Any:
    """Write 1 for each card of each hand, otherwise 0; return a row with a wrong owner, or -1.

    `cards` has the card at each place, so this is `write_counts` for an order in which each place
    has one card. The inner loop has no branches, so that the compiler makes vectors of it.
    """
    seated = np.empty(DECK_SIZE, np.uint8)
    step = 1 if len(turns) > 1 else 0
    zero, one = patterns[0], patterns[1]
    for row in range(len(owners)):
        turn, worst = turns[row * step], 0
        for position in range(DECK_SIZE):
            owner = owners[row, cards[position]]
            worst = max(worst, owner)
            seated[position] = (owner - turn) & 3 | owner & 4
        if worst > UNUSED:
            return row
        for hand in range(target.shape[1]):
            for position in range(DECK_SIZE):
                target[row, hand, position] = one if seated[position] == hand else zero
    return -1


@compiled()
def write_counts(owners: Any, turns: Any, places: Any, patterns: Any, target: Any) -> Any:
    """Write the number of cards of each hand at each place; return a row with a wrong owner or -1.

    `target` has rows of hands of places, all 0; it may have fewer hands than there are seats.
    `turns` has one entry, or one for each row; `patterns` has the bits of 0, 1, 2 …
    """
    hands, width = target.shape[1], target.shape[2]
    counts = np.zeros((_SEATS, width), np.uint8)
    step = 1 if len(turns) > 1 else 0
    for row in range(len(owners)):
        turn = turns[row * step]
        counts[:] = 0
        for card in range(DECK_SIZE):
            owner = owners[row, card]
            if owner > UNUSED:
                return row
            if owner < UNUSED:
                hand, position = (owner - turn) & 3, places[card]
                counts[hand, position] += 1
                if hand < hands:
                    target[row, hand, position] = patterns[counts[hand, position]]
    return -1


@compiled()
def write_hands(
    owners: Any, turns: Any, cards: Any, hand_step: Any, card_step: Any, target: Any
) -> Any:
    """Write the places of the cards of each hand; return a row that is no deal, or -1.

    `cards` has the card at each place. Card k of a hand, from 0, stands at the hand's number times
    `hand_step` plus k times `card_step`.
    """
    counts = np.zeros(_SEATS, np.int64)
    step = 1 if len(turns) > 1 else 0
    for row in range(len(owners)):
        turn = turns[row * step]
        counts[:] = 0
        for position in range(DECK_SIZE):
            owner = owners[row, cards[position]]
            if owner >= UNUSED:
                return row
            hand = (owner - turn) & 3
            if counts[hand] == HAND_SIZE:
                return row
            target[row, hand * hand_step + counts[hand] * card_step] = position
            counts[hand] += 1
    return -1


_MOST_AT_ONE_PLACE = 6
DDS_BITS = 1 << np.arange(len(RANK_LETTERS) + 1, 1, -1)
"""The bit of each rank, from the ace, in a number of `dds`."""
_AUCTION = 4 * (1 + 3 * 35)
"""The entries of a history of calls: passes before the first bid, and 35 bids by four players who
may bid, double and redouble each."""


def hand_start(view: FeatureView) -> int:
    """Return the column of the first card in an observation."""
    return {"openspiel-observation": 8 + _AUCTION, "pgx-observation": 4 + _AUCTION}[view.name]


def check_dtype(view: FeatureView, dtype: object) -> np.dtype[Any]:
    """Return the dtype of a view's arrays; raise `TypeError` if it cannot hold their values."""
    own = np.dtype(view.dtype)
    if dtype is None:
        return own
    try:
        chosen: np.dtype[Any] = np.dtype(dtype)  # type: ignore[call-overload]
        counts = np.arange(_MOST_AT_ONE_PLACE + 1 if "ben" in view.name else 2)
        fits = chosen.kind in "biufV" and _keeps(counts, chosen)
    except (TypeError, ValueError, SyntaxError):
        fits = False
    if not fits:
        raise TypeError(f"view {view.name!r} has no dtype {shown(dtype)}; its own is {own}")
    is_fixed = view.needs_deals or view.name == "dds"
    if (is_fixed and not np.can_cast(own, chosen)) or (
        view.name == "ben-bidding" and not np.issubdtype(chosen, np.floating)
    ):
        raise TypeError(f"view {view.name!r} has values that dtype {chosen} cannot hold")
    return chosen


def _keeps(counts: NDArray[Any], dtype: np.dtype[Any]) -> bool:
    same = counts.astype(dtype).astype(counts.dtype)
    return dtype.itemsize in _WORDS and bool((same == counts).all())


_WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def write_view(
    view: FeatureView,
    owners: Owners,
    turns: Turns,
    vulnerable: Flags,
    dtype: np.dtype[Any],
    threads: Threads = None,
) -> NDArray[Any]:
    """Return the arrays of layouts: `uint8[n, 52]` to the view's shape after n.

    `turns` has the seat that takes the place of North, and `vulnerable` whether North and South and
    whether East and West are vulnerable: one row for all layouts, or one for each. Raises
    `LayoutError` with the first row that is no layout or not a deal where the view needs deals.
    """
    if not dtype.isnative:  # compiled loops write the bytes of this machine
        native = dtype.newbyteorder("=")
        return write_view(view, owners, turns, vulnerable, native, threads).astype(dtype)
    target = np.zeros((len(owners), *view.shape), dtype)
    write = _WRITERS.get(view.name, _write_planes)

    def work(part: slice) -> None:
        rows = np.require(owners[part], requirements=["C"])
        one_turn, one_side = len(turns) == 1, len(vulnerable) == 1
        turn = turns if one_turn else turns[part]
        sides = vulnerable if one_side else vulnerable[part]
        bad = write(view, (rows, turn, _ours_first(sides, turn)), target[part])
        if bad >= 0:
            _refuse(view, part.start + bad, rows[bad])

    share(work, len(owners), threads)
    return target


def _ours_first(vulnerable: Flags, turns: Turns) -> Flags:
    """Return whether the side of each turn is vulnerable, and whether the other side is."""
    return np.where((turns % 2 == 0)[:, None], vulnerable, vulnerable[:, ::-1])


def _refuse(view: FeatureView, row: int, owners: Owners) -> None:
    if owners.max() > UNUSED:
        raise LayoutError(f"row {row}: an owner is 0 to {UNUSED}, not {owners.max()}")
    sizes = describe_sizes(layout_from_owners(owners.tobytes()))
    raise LayoutError(
        f"row {row}: view {view.name!r} needs deals, {HAND_SIZE} cards a hand; {sizes}"
    )


def turned(owners: Owners, turns: Turns) -> Owners:
    """Return the owners after each turn: seat t of a row with turn t becomes North."""
    return np.where(owners < _SEATS, (owners - turns[:, None]) % _SEATS, owners)


def _patterns(dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the bits of the numbers 0, 1, 2 … in a dtype."""
    return np.arange(SUIT_SIZE + 1).astype(dtype).view(_WORDS[dtype.itemsize])


def _fill(view: FeatureView, part: Part, cards: NDArray[Any]) -> int:
    """Write the cards of hands: rows of hands of places, of a dtype with any bits."""
    owners, turns, _ = part
    bits = cards.view(_WORDS[cards.dtype.itemsize])
    patterns = _patterns(cards.dtype)
    if view.order.width < DECK_SIZE:
        return int(write_counts(owners, turns, view.order.places, patterns, bits))
    return int(write_planes(owners, turns, view.order.at_places, patterns, bits))


def _write_planes(view: FeatureView, part: Part, target: NDArray[Any]) -> int:
    return _fill(view, part, target if target.ndim > 2 else target[:, None])


def _write_hands(
    view: FeatureView, part: Part, target: NDArray[Any], *, steps: tuple[int, int]
) -> int:
    owners, turns, _ = part
    return int(write_hands(owners, turns, view.order.at_places, *steps, target))


def _write_observation(view: FeatureView, part: Part, target: NDArray[Any], *, start: int) -> int:
    """Write phase, vulnerability and hand; the auction between them is empty.

    `start` is the number of entries of the phase, of which the first one is that of the auction.
    """
    first = hand_start(view)
    target[:, :1] = bool(start)
    for side in range(2):
        column = start + 2 * side
        target[:, column + 1] = part[2][:, side]
        target[:, column] = ~part[2][:, side]
    return _fill(view, part, target[:, None, first : first + view.order.width])


def _write_ben_bidding(view: FeatureView, part: Part, target: NDArray[Any]) -> int:
    """Write the columns of ben; its formulas have these floats, and the dtype rounds them once."""
    cards = np.zeros((len(target), 1, view.order.width), np.uint8)
    bad = _fill(view, part, cards)
    suits = cards.reshape(len(target), _SEATS, view.order.width // _SEATS)
    points = suits[:, :, :4].sum(axis=1) @ np.array([4, 3, 2, 1])
    target[:, :2] = part[2]
    target[:, 2] = (points - 10) / 4
    target[:, 3:7] = (suits.sum(axis=2) - 3.25) / 1.75
    target[:, 7:] = cards[:, 0]
    return bad


def _first(wrong: Flags) -> int:
    """Return the first wrong row, or -1."""
    return int(wrong.argmax()) if wrong.any() else -1


def _write_keys(_view: FeatureView, part: Part, target: NDArray[Any]) -> int:
    owners, turns, _ = part
    target[:] = keys_of_owners(turned(owners, turns))
    return _first(~are_deals(owners))


def _write_dds(_view: FeatureView, part: Part, target: NDArray[Any]) -> int:
    owners, turns, _ = part
    seated = turned(owners, turns).reshape(len(owners), _SEATS, SUIT_SIZE)
    for seat in range(_SEATS):
        target[:, seat] = (seated == seat) @ DDS_BITS
    return _first(owners.max(axis=1) > UNUSED)


_WRITERS: dict[str, Callable[[FeatureView, Part, NDArray[Any]], int]] = {
    "openspiel-deal": partial(_write_hands, steps=(1, 4)),
    "openspiel-observation": partial(_write_observation, start=4),
    "pgx": partial(_write_hands, steps=(HAND_SIZE, 1)),
    "pgx-key": _write_keys,
    "pgx-observation": partial(_write_observation, start=0),
    "ben-bidding": _write_ben_bidding,
    "dds": _write_dds,
}
"""The functions of the views that are not only numbers of cards at places."""
