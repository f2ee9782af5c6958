"""The orders in which programs number the cards: the place of each card of pavcodec.

pavcodec numbers the suits S H D C and in each suit the ranks A K Q … 2. Each function below gets
the numbers of a suit and of a rank in these orders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pavcodec.cards import DECK_SIZE, RANK_LETTERS, SUIT_LETTERS, SUIT_SIZE
from pavcodec.errors import check_text, suggest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

    Words: TypeAlias = NDArray[np.int64]


_SUITS = len(SUIT_LETTERS)
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
    def places(self) -> NDArray[np.intp]:
        """The place of each card of pavcodec: `intp[52]`."""
        cards = [self.place(*divmod(card, SUIT_SIZE)) for card in range(DECK_SIZE)]
        return np.array(cards, np.intp)

    @cached_property
    def at_places(self) -> NDArray[np.intp]:
        """The card at each place, if each place has one."""
        return np.argsort(self.places)

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
