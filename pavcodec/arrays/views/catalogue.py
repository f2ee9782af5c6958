"""The views by name: what each array is, and which program has such arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pavcodec.arrays.views.orders import (
    ACE_FIRST,
    ACE_LOW,
    BY_RANK,
    BY_SUIT,
    MERGED,
    CardOrder,
)
from pavcodec.errors import check_text, suggest

__all__ = ["VIEWS", "FeatureView", "view_of"]


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
