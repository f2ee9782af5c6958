"""Views: owners as the arrays that learning environments and solvers have, and back.

A view is an array of each deal in the form of one program: its shape and dtype, and its order of
the cards. A view of many layouts is written by one function of the kernel, turned so that any seat
takes the place of North, and read by numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pavcodec import kernel
from pavcodec.arrays import Threads, share
from pavcodec.cards import (
    DECK_SIZE,
    HAND_SIZE,
    RANK_LETTERS,
    SUIT_LETTERS,
    SUIT_SIZE,
    UNUSED,
)
from pavcodec.errors import LayoutError, check_text, shown, suggest
from pavcodec.layout.columns import are_deals
from pavcodec.layout.layout import describe_sizes, layout_from_owners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners

    Words: TypeAlias = NDArray[np.int64]
    Turns: TypeAlias = NDArray[np.uint8]
    Flags: TypeAlias = NDArray[np.bool_]
    Part: TypeAlias = tuple[Owners, Turns, Flags]

# The orders in which programs number the cards: the place of each card of pavcodec.
#
# pavcodec numbers the suits S H D C and in each suit the ranks A K Q … 2. Each function below gets
# the numbers of a suit and of a rank in these orders.


_SUITS, _SEATS = len(SUIT_LETTERS), 4
_LAST_SUIT, _LAST_RANK = _SUITS - 1, SUIT_SIZE - 1
_TOP = 8
"""The places of a suit in which the last one holds all cards from the seven down."""


@dataclass(frozen=True)
class CardOrder:
    """An order of cards: the place of a card by its suit and rank, and a text that describes it.

    >>> BY_RANK.places[:2].tolist(), BY_RANK.cards()[:5]
    ([51, 47], ['C2', 'D2', 'H2', 'S2', 'C3'])
    """

    text: str
    place: Callable[[int, int], int] = field(repr=False)

    @cached_property
    def places(self) -> NDArray[np.uint8]:
        """The place of each card of pavcodec: `uint8[52]`."""
        cards = [self.place(*divmod(card, SUIT_SIZE)) for card in range(DECK_SIZE)]
        return np.array(cards, np.uint8)

    @cached_property
    def at_places(self) -> NDArray[np.uint8]:
        """The card at each place, if each place has one."""
        return np.argsort(self.places).astype(np.uint8)

    @property
    def width(self) -> int:
        """The number of places."""
        return int(self.places.max()) + 1

    def cards(self) -> list[str]:
        """Return the names of the cards by their places; cards at one place are one name."""
        names = [""] * self.width
        for card, position in enumerate(self.places.tolist()):
            suit, rank = divmod(card, SUIT_SIZE)
            names[position] = names[position] or SUIT_LETTERS[suit]
            names[position] += RANK_LETTERS[rank]
        return names


def _ace_first(suit: int, rank: int) -> int:
    return suit * SUIT_SIZE + rank


def _by_rank(suit: int, rank: int) -> int:
    return (_LAST_RANK - rank) * _SUITS + _LAST_SUIT - suit


def _by_suit(suit: int, rank: int) -> int:
    return (_LAST_SUIT - suit) * SUIT_SIZE + _LAST_RANK - rank


def _ace_low(suit: int, rank: int) -> int:
    return suit * SUIT_SIZE + (SUIT_SIZE - rank) % SUIT_SIZE


def _merged(suit: int, rank: int) -> int:
    return suit * _TOP + min(rank, _TOP - 1)


ACE_FIRST = CardOrder("S H D C, in each A K Q … 2", _ace_first)
BY_RANK = CardOrder("2 3 … A, in each C D H S", _by_rank)
BY_SUIT = CardOrder("C D H S, in each 2 3 … A", _by_suit)
ACE_LOW = CardOrder("S H D C, in each A 2 3 … K", _ace_low)
MERGED = CardOrder("S H D C, in each A K Q J T 9 8 x", _merged)


# The keys of pgx: four numbers of a deal, S H D C.
#
# A number has two bits for each card of its suit, in the order A 2 3 … K with the ace highest: 0 to
# 3 for N E S W.


KEYS = 4**SUIT_SIZE
"""The number of different keys of a suit."""
_SHIFTS = 2 * np.arange(SUIT_SIZE)[::-1]


def keys_of_owners(owners: Owners) -> Words:
    """Return the four numbers of each deal: `uint8[n, 52]` to `int64[n, 4]`.

    >>> keys_of_owners(np.array([[0] * 13 + [1] * 13 + [2] * 13 + [3] * 13], np.uint8)).tolist()
    [[0, 22369621, 44739242, 67108863]]
    """
    cards = owners[:, ACE_LOW.at_places].reshape(-1, len(SUIT_LETTERS), SUIT_SIZE)
    return np.asarray((cards.astype(np.int64) << _SHIFTS).sum(axis=2), np.int64)


def owners_of_keys(keys: NDArray[Any]) -> Owners:
    """Return the owners of deals, `uint8[n, 52]`: the inverse of `keys_of_owners`.

    >>> owners_of_keys(np.array([[0, 0x1555555, 0x2AAAAAA, 0x3FFFFFF]]))[0, ::13].tolist()
    [0, 1, 2, 3]
    """
    digits = keys.astype(np.int64)[:, :, np.newaxis] >> _SHIFTS & 3
    return digits.reshape(-1, DECK_SIZE).astype(np.uint8)[:, ACE_LOW.places]


# The views by name: what each array is, and which program has such arrays.


@dataclass(frozen=True)
class FeatureView:
    """An array for each deal: its shape and dtype, the order of the cards, and its source.

    `gives` is what `owners_of_features` returns: the whole `deal`, the `hand` of the seat, or
    `nothing`, because several deals have the same array.

    >>> view_of("pgx").shape, view_of("pgx").dtype, view_of("pgx").order.cards()[:3]
    ((52,), 'int32', ['SA', 'S2', 'S3'])
    """

    name: str
    shape: tuple[int, ...]
    """The shape of the array of one deal."""
    dtype: str
    order: CardOrder
    gives: str
    summary: str
    source: str
    """The program, its version and the function or field with this array."""
    needs_seat: bool = False
    """Whether it shows what one seat sees."""
    has_vulnerability: bool = False
    needs_deals: bool = False
    """Whether each hand must have 13 cards."""

    @property
    def is_lossless(self) -> bool:
        """Whether the array determines the whole layout."""
        return self.gives == "deal"


_BEN = "ben, src/binary.py"
_OWN = "pavcodec"

_ALL = (
    FeatureView(
        "onehot", (4, 52), "uint8", ACE_FIRST, "deal", "1 for each card of each hand", _OWN
    ),
    FeatureView(
        "onehot-hand", (52,), "uint8", ACE_FIRST, "hand", "1 for each card of one hand", _OWN,
        needs_seat=True,
    ),
    FeatureView(
        "openspiel", (4, 52), "float32", BY_RANK, "deal", "1 for each card of each hand",
        "open_spiel 1.5, private_observation_tensor of each player",
    ),
    FeatureView(
        "openspiel-hand", (52,), "float32", BY_RANK, "hand", "1 for each card of one hand",
        "open_spiel 1.5, private_observation_tensor", needs_seat=True,
    ),
    FeatureView(
        "openspiel-deal", (52,), "int64", BY_RANK, "deal",
        "the actions that deal the cards: to N E S W in turn",
        "open_spiel 1.5, apply_action before the auction", needs_deals=True,
    ),
    FeatureView(
        "openspiel-observation", (571,), "float32", BY_RANK, "hand",
        "one seat's observation before the first call",
        "open_spiel 1.5, observation_tensor", needs_seat=True, has_vulnerability=True,
    ),
    FeatureView(
        "pgx", (52,), "int32", ACE_LOW, "deal", "the cards of N, E, S and W, 13 each",
        "pgx 2.6.0, bridge_bidding, State._hand", needs_deals=True,
    ),
    FeatureView(
        "pgx-key", (4,), "int32", ACE_LOW, "deal",
        "a number for each suit: 13 owners as digits of base 4",
        "pgx 2.6.0, bridge_bidding, keys of the table of tricks", needs_deals=True,
    ),
    FeatureView(
        "pgx-observation", (480,), "bool", BY_RANK, "hand",
        "one seat's observation before the first call",
        "pgx 2.6.0, bridge_bidding, observation of the player to call", needs_seat=True,
        has_vulnerability=True,
    ),
    FeatureView(
        "rlcard", (4, 52), "int64", BY_SUIT, "deal", "1 for each card of each hand",
        "rlcard 1.2.0, bridge, encode_cards of each hand",
    ),
    FeatureView(
        "ben", (4, 32), "int32", MERGED, "nothing", "the number of cards at each place",
        f"{_BEN}, parse_hand_f(32); hands_np of src/botbidder.py",
    ),
    FeatureView(
        "ben-hand", (32,), "int32", MERGED, "nothing", "the number of cards at each place",
        f"{_BEN}, parse_hand_f(32)", needs_seat=True,
    ),
    FeatureView(
        "ben52", (4, 52), "int32", ACE_FIRST, "deal", "1 for each card of each hand",
        f"{_BEN}, parse_hand_f(52)",
    ),
    FeatureView(
        "ben-bidding", (39,), "float16", MERGED, "nothing",
        "vulnerability, points, lengths and cards of one seat",
        f"{_BEN}, get_auction_binary, the first 39 columns", needs_seat=True,
        has_vulnerability=True,
    ),
    FeatureView(
        "dds", (4, 4), "uint32", ACE_FIRST, "deal",
        "the suits S H D C of each hand: bit 14 for the ace … bit 2 for the two",
        "DDS, ddTableDeal.cards; endplay 0.5.12, remainCards",
    ),
)  # fmt: skip

VIEWS: Mapping[str, FeatureView] = {view.name: view for view in _ALL}


def view_of(name: str) -> FeatureView:
    """Return the view of a name; raise `UnknownNameError` for another name."""
    check_text("a view", name)
    if name not in VIEWS:
        raise suggest("view", name, list(VIEWS))
    return VIEWS[name]


# Write views: owners of many layouts as the arrays of a program.


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
    return dtype.itemsize in _SIZES and bool((same == counts).all())


_SIZES = (1, 2, 4, 8)
"""The bytes of a value."""
_AT_ONCE = 1 << 13
"""The rows of a chunk: the numbers of their cards fit into the cache of a processor."""


def write_view(
    view: FeatureView, layouts: Part, dtype: np.dtype[Any], threads: Threads = None
) -> NDArray[Any]:
    """Return the arrays of layouts: `uint8[n, 52]` to the view's shape after n.

    The layouts are their owners, the seat that takes the place of North, and whether North and
    South and whether East and West are vulnerable: one row for all layouts, or one for each. Raises
    `LayoutError` with the first row that is no layout or not a deal where the view needs deals.
    """
    owners, turns, vulnerable = layouts
    target = np.zeros((len(owners), *view.shape), dtype)
    write = _WRITERS.get(view.name, _write_planes)

    def work(part: slice) -> None:
        rows = np.require(owners[part], requirements=["C"])
        turn = turns if len(turns) == 1 else turns[part]
        sides = vulnerable if len(vulnerable) == 1 else vulnerable[part]
        bad = write(view, (rows, turn, _ours_first(sides, turn)), target[part])
        if bad >= 0:
            _refuse(view, part.start + bad, rows[bad])

    share(work, len(owners), threads, _AT_ONCE)
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


def _each(turns: Turns, owners: Owners) -> Turns:
    """Return the turn of each row."""
    return np.repeat(turns, len(owners)) if len(turns) == 1 else turns


def _fill(view: FeatureView, part: Part, cards: NDArray[Any]) -> int:
    """Write the number of cards of each hand at each place: rows of hands of places."""
    owners, turns, _ = part
    is_ready = cards.dtype == np.uint8 and cards.flags.c_contiguous
    counts = cards if is_ready else np.empty(cards.shape, np.uint8)
    places, sizes = view.order.places, cards.shape[1:]
    bad = kernel.count_places(places, len(owners), owners, _each(turns, owners), *sizes, counts)
    if not is_ready and cards.dtype.itemsize == 2:  # numpy converts to such floats one by one
        cards[...] = np.arange(SUIT_SIZE + 1).astype(cards.dtype)[counts]
    elif not is_ready:
        cards[...] = counts
    return int(bad)


def _write_planes(view: FeatureView, part: Part, target: NDArray[Any]) -> int:
    return _fill(view, part, target if target.ndim > 2 else target[:, None])


def _write_hands(
    view: FeatureView, part: Part, target: NDArray[Any], *, steps: tuple[int, int]
) -> int:
    owners, turns, _ = part
    places = np.empty(target.shape, np.uint8)
    cards, each = view.order.at_places, _each(turns, owners)
    bad = kernel.place_cards(cards, len(owners), owners, each, *steps, places)
    target[...] = places
    return int(bad)


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


# Read views: the owners of the arrays of a program.


_PHASES = 2
"""The phases of open_spiel whose observations have the form of the auction."""


def read_view(view: FeatureView, array: NDArray[Any], turns: NDArray[np.uint8]) -> Owners:
    """Return the owners of the arrays of a view; where it shows one hand, others are unused.

    `turns` are those of `write_view`. Raises `LayoutError` for a view that does not determine the
    cards, and with the first row that no layout has.
    """
    if view.gives == "nothing":
        raise LayoutError(
            f"view {view.name!r} counts the cards from the seven down together, so several deals "
            "have the same array, and it gives no owners"
        )
    owners = _READERS.get(view.name, _read_planes)(view, array)
    return np.where(owners < _SEATS, (owners + turns[:, None]) % _SEATS, owners).astype(np.uint8)


def _refuse_first(wrong: Flags | np.bool_, reason: str) -> None:
    """Raise `LayoutError` with the first wrong row, if there is one."""
    rows = np.flatnonzero(wrong)
    if len(rows):
        raise LayoutError(f"row {rows[0]}: {reason}")


def _are_whole(array: NDArray[Any]) -> NDArray[np.bool_]:
    """Return whether each number is an integer; NaN is none."""
    return np.asarray(array == np.floor(array), np.bool_)


def _read_planes(view: FeatureView, array: NDArray[Any]) -> Owners:
    """Return the owners of hands of places, each 0 or 1."""
    return _owners_of_planes(view, array if array.ndim > 2 else array[:, None])


def _owners_of_planes(view: FeatureView, hands: NDArray[Any]) -> Owners:
    owners = np.full((len(hands), DECK_SIZE), UNUSED, np.uint8)
    for seat in range(hands.shape[1]):
        cards = hands[:, seat, view.order.places]
        is_held = cards == 1
        _refuse_first(((cards != 0) & ~is_held).any(axis=1), f"view {view.name!r} has only 0 and 1")
        _refuse_first((is_held & (owners != UNUSED)).any(axis=1), "two hands hold the same card")
        owners[is_held] = seat
    return owners


def _read_observation(view: FeatureView, array: NDArray[Any]) -> Owners:
    """Return the owners of the hand in an observation of the auction."""
    if view.name.startswith("openspiel"):
        in_auction = array[:, :_PHASES].sum(axis=1) == 1
        reason = "this observation is of the play, and has another form than that of the auction"
        _refuse_first(~in_auction, reason)
    first = hand_start(view)
    owners = _owners_of_planes(view, array[:, None, first : first + view.order.width])
    _refuse_first((owners == 0).sum(axis=1) != HAND_SIZE, f"a hand has {HAND_SIZE} cards")
    return owners


def _read_hands(view: FeatureView, array: NDArray[Any]) -> Owners:
    """Return the owners of places of cards in the order of hands."""
    is_whole = (np.sort(array, axis=1) == np.arange(DECK_SIZE)).all(axis=1)
    _refuse_first(~is_whole, f"view {view.name!r} has each number from 0 to {DECK_SIZE - 1} once")
    positions = np.arange(DECK_SIZE)
    seats = positions // HAND_SIZE if view.name == "pgx" else positions % _SEATS
    owners = np.empty((len(array), DECK_SIZE), np.uint8)
    places = array.astype(np.intp)
    np.put_along_axis(owners, places, np.broadcast_to(seats, places.shape).astype(np.uint8), axis=1)
    return owners[:, view.order.places]


def _read_keys(_view: FeatureView, array: NDArray[Any]) -> Owners:
    """Return the owners of four numbers, one for each suit."""
    fits = (array >= 0) & (array < KEYS) & _are_whole(array)
    _refuse_first(~fits.all(axis=1), f"a number is an integer from 0 to {KEYS - 1}")
    owners = owners_of_keys(array)
    _refuse_first(~are_deals(owners), f"a hand has {HAND_SIZE} cards")
    return owners


def _read_dds(_view: FeatureView, array: NDArray[Any]) -> Owners:
    """Return the owners of a number of bits for each hand and suit."""
    known = int(DDS_BITS.sum())
    fits = (array >= 0) & (array <= known) & _are_whole(array)
    words = np.where(fits, array, 0).astype(np.int64)
    fits &= words & ~known == 0
    _refuse_first(~fits.all(axis=(1, 2)), "a number is an integer with bits 2 to 14")
    held = (words[:, :, :, None] & DDS_BITS != 0).reshape(len(array), _SEATS, DECK_SIZE)
    _refuse_first((held.sum(axis=1) > 1).any(axis=1), "two hands hold the same card")
    owners = np.where(held.any(axis=1), held.argmax(axis=1), UNUSED)
    return owners.astype(np.uint8)


_READERS: dict[str, Callable[[FeatureView, NDArray[Any]], Owners]] = {
    "openspiel-deal": _read_hands,
    "openspiel-observation": _read_observation,
    "pgx": _read_hands,
    "pgx-key": _read_keys,
    "pgx-observation": _read_observation,
    "dds": _read_dds,
}
"""The functions of the views that are not only numbers of cards at places."""
