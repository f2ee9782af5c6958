"""The words of the language and what they name."""

from __future__ import annotations

from collections.abc import Sequence

from pavcodec.cards import SUIT_SIZE, Seat, Strain, Suit
from pavcodec.constraints.syntax import CardSum

__all__ = [
    "ALTERNATIVES",
    "FUNCTIONS",
    "POINTS",
    "RESERVED",
    "SEATS",
    "STRAINS",
    "SUITS",
    "USAGE",
    "VULNERABLE",
    "canonical",
    "card_sum",
    "full_points",
]

POINTS: dict[str, tuple[int, ...]] = {
    "hcp": (4, 3, 2, 1),
    "controls": (2, 1),
    "tens": (0, 0, 0, 0, 1),
    "jacks": (0, 0, 0, 1),
    "queens": (0, 0, 1),
    "kings": (0, 1),
    "aces": (1,),
    "top2": (1, 1),
    "top3": (1, 1, 1),
    "top4": (1, 1, 1, 1),
    "top5": (1, 1, 1, 1, 1),
    "c13": (6, 4, 2, 1),
}
"""What the sums of cards count, ace first; ranks that are left out count 0."""

ALTERNATIVES = (
    *("tens", "jacks", "queens", "kings", "aces"),
    *("top2", "top3", "top4", "top5", "c13"),
)
"""The names of pt0 to pt9, whose points `altcount` sets."""

SEATS = {seat.name.lower(): seat for seat in Seat}
SUITS = {suit.name.lower(): suit for suit in Suit}
STRAINS = {strain.name.lower(): strain for strain in Strain}
VULNERABLE = {"vul": True, "nv": False}

FUNCTIONS = (
    *SUITS,
    *POINTS,
    *(f"pt{number}" for number in range(10)),
    *("losers", "quality", "cccc", "shape", "hascard", "holding", "points"),
    *("tricks", "score", "imps", "rnd"),
)
"""The names that stand before parentheses, in the form that texts are written with."""

_SEAT_AND_SUIT = "takes a seat and perhaps a suit, as in {0}(north) or {0}(north, spades)"
_USAGES = dict.fromkeys([*POINTS, *(f"pt{n}" for n in range(10)), "losers"], _SEAT_AND_SUIT) | {
    **dict.fromkeys([*SUITS, "cccc"], "takes a seat, as in {0}(north)"),
    "quality": "takes a seat and a suit, as in quality(north, spades)",
    "shape": "takes a seat and a list of shapes, as in shape(north, any 4333 + 5xxx)",
    "hascard": "takes a seat and a card, as in hascard(north, AS)",
    "holding": "takes a seat, a suit and cards, as in holding(north, spades, QTxx)",
    "points": "takes a seat, perhaps a suit, and values, ace first, as in points(north, 6 4 2 1)",
    "tricks": "takes a seat and a strain, as in tricks(north, notrump)",
    "score": "takes vul or nv, a contract and tricks, as in score(vul, x4S, 10)",
    "imps": "takes a difference, as in imps(100)",
    "rnd": "takes a number, as in rnd(6), and perhaps the number of the draw, as in rnd(6, 1)",
}
USAGE = {name: f"{name} {usage.format(name)}" for name, usage in _USAGES.items()}
"""What each function takes, in a sentence that starts with its name."""

RESERVED = frozenset(
    [
        *(name for name in FUNCTIONS if name != "points"),
        *SEATS,
        *("notrump", "vul", "nv", "ns", "ew", "all", "none", "any", "and", "or", "not"),
        *("generate", "produce", "dealer", "vulnerable", "predeal", "pointcount", "altcount"),
        *("condition", "action", "print", "printall", "printpbn", "printew", "printcompact"),
        *("printoneline", "printes", "average", "frequency"),
    ]
)
"""The words that are no names of variables."""

_ALIASES = {
    "spade": "spades",
    "heart": "hearts",
    "diamond": "diamonds",
    "club": "clubs",
    "notrumps": "notrump",
    "hcps": "hcp",
    "control": "controls",
    "loser": "losers",
    "ten": "tens",
    "jack": "jacks",
    "queen": "queens",
    "king": "kings",
    "ace": "aces",
    "trick": "tricks",
    "imp": "imps",
}


def canonical(word: str) -> str:
    """Return the one form of a word that is used inside, whatever its case and number.

    >>> canonical("Spade"), canonical("HCPS"), canonical("imp")
    ('spades', 'hcp', 'imps')
    """
    lower = word.lower()
    return _ALIASES.get(lower, lower)


def full_points(points: Sequence[int]) -> tuple[int, ...]:
    """Return a value for each of the 13 ranks; ranks that are left out count 0."""
    return (*points, *([0] * (SUIT_SIZE - len(points))))


_NAMES = {full_points(points): name for name, points in POINTS.items()}


def card_sum(seat: Seat, suit: Suit | None, points: Sequence[int]) -> CardSum:
    """Make the sum of some points, ace first; it is called what counts these points by default.

    >>> card_sum(Seat.NORTH, None, (4, 3, 2, 1)).name, card_sum(Seat.NORTH, None, (3, 2, 1)).name
    ('hcp', 'points')
    """
    values = full_points(points)
    return CardSum(_NAMES.get(values, "points"), seat, suit, values)
