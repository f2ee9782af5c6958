"""The words of the language: functions, seats, suits, actions and other names."""

from __future__ import annotations

from collections.abc import Sequence

from pavcodec.cards import Seat, Strain, Suit
from pavcodec.constraints.nodes.syntax import CardSum
from pavcodec.layout.hand import HAND_FUNCTIONS, LENGTH, SumOverCards, weights_of

POINTS = {
    name: function.weights
    for name, function in HAND_FUNCTIONS.items()
    if isinstance(function, SumOverCards) and function != LENGTH
}
"""The points of each function that is a sum over cards, ace first."""

ALTERNATIVES = (
    *("tens", "jacks", "queens", "kings", "aces"),
    *("top2", "top3", "top4", "top5", "c13"),
)
"""The names of the functions pt0 to pt9; `altcount` sets their points."""

SEATS = {seat.name.lower(): seat for seat in Seat}
SEAT_LETTERS = {seat[0]: each for seat, each in SEATS.items()}
SUITS = {suit.name.lower(): suit for suit in Suit}
STRAINS = {strain.name.lower(): strain for strain in Strain}
VULNERABLE = {"vul": True, "nv": False}

FUNCTIONS = (
    *SUITS,
    *POINTS,
    *(f"pt{number}" for number in range(10)),
    *("losers", "quality", "cccc", "shape", "hascard", "holding", "points", "ltc"),
    *("tricks", "score", "imps", "rnd"),
)
"""The names of functions, in the form that canonical texts use."""

REFUSED = {
    "opc": "opc, the optimal point count of DealerV2, has no definition that can be counted here; "
    "write points, as in cccc(north) + cccc(south) or points(north, 9 6 4 2)",
    "par": "par, the par score of DealerV2, is not available here; "
    "write score and tricks, as in score(nv, x3N, tricks(south, notrump))",
    "usereval": "usereval calls a program of the user in DealerV2; "
    "in Python, pavcodec.constraints.expressions.condition makes a condition of any function",
}
"""Functions of other programs that pavcodec does not have, each with a message that names a
replacement."""

_EXTENSIONS = frozenset(["points", "holding", "ltc"])

_SEAT_AND_SUIT = "takes a seat and perhaps a suit, as in {0}(north) or {0}(north, spades)"
_USAGES = dict.fromkeys([*POINTS, *(f"pt{n}" for n in range(10)), "losers"], _SEAT_AND_SUIT) | {
    **dict.fromkeys([*SUITS, "cccc"], "takes a seat, as in {0}(north)"),
    "quality": "takes a seat and a suit, as in quality(north, spades)",
    "shape": "takes a seat and a list of shapes, as in shape(north, any 4333 + 5xxx)",
    "hascard": "takes a seat and a card, as in hascard(north, AS)",
    "ltc": _SEAT_AND_SUIT,
    "holding": "takes a seat, a suit and cards, as in holding(north, spades, QTxx)",
    "points": "takes a seat, perhaps a suit, and values, ace first, as in points(north, 6 4 2 1)",
    "tricks": "takes a seat and a strain, as in tricks(north, notrump)",
    "score": "takes vul or nv, a contract and tricks, as in score(vul, x4S, 10)",
    "imps": "takes a difference, as in imps(100)",
    "rnd": "takes a number, as in rnd(6), and perhaps the number of the draw, as in rnd(6, 1)",
}
USAGE = {name: f"{name} {usage.format(name)}" for name, usage in _USAGES.items()}
"""The arguments of each function, in a sentence that starts with its name."""

ARGUMENTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys([*POINTS, *(f"pt{n}" for n in range(10)), "losers", "ltc"], ("seat", "suit")),
    **dict.fromkeys([*SUITS, "cccc"], ("seat",)),
    "quality": ("seat", "suit"),
    "shape": ("seat", "shapes"),
    "hascard": ("seat", "card"),
    "holding": ("seat", "suit", "cards"),
    "points": ("seat", "points"),
    "tricks": ("seat", "strain"),
    "score": ("vulnerability", "contract", "number"),
    "imps": ("number",),
    "rnd": ("number", "number"),
}
"""The kinds of the arguments of each function, in their order."""

_MEANINGS_OF_POINTS = {
    "hcp": "high-card points: ace 4, king 3, queen 2, jack 1",
    "controls": "controls: ace 2, king 1",
    "top2": "honours among ace and king",
    "top3": "honours among ace, king and queen",
    "top4": "honours from ace to jack",
    "top5": "honours from ace to ten",
    "c13": "points of ace 6, king 4, queen 2, jack 1",
    **{rank: f"the number of {rank}" for rank in ("aces", "kings", "queens", "jacks", "tens")},
}
MEANINGS = {
    **{suit: f"the number of {suit}" for suit in SUITS},
    **_MEANINGS_OF_POINTS,
    **{f"pt{n}": f"{name}, unless altcount sets it" for n, name in enumerate(ALTERNATIVES)},
    "losers": "losing tricks: ace, king and queen that are missing in the first three cards",
    "quality": "the quality of a suit by Kaplan and Rubens, times 100",
    "cccc": "the value of a hand by Kaplan and Rubens, times 100",
    "shape": "whether the suit lengths are in a list of shapes",
    "hascard": "whether a hand has a card",
    "holding": "whether the cards of a suit are exactly these; x is a small card",
    "points": "the sum of your own points for ace, king, queen and so on",
    "ltc": "losing tricks with half losers, times 100",
    "tricks": "double-dummy tricks of a declarer",
    "score": "the score of a contract with a number of tricks",
    "imps": "the IMPs of a difference of scores",
    "rnd": "a random number from 0, a new one for each deal",
    "condition": "the condition of the deals",
    "produce": "how many deals",
    "generate": "the most deals to test",
    "seed": "the seed of the deals",
    "dealer": "the dealer of every board",
    "vulnerable": "the vulnerability of every board",
    "predeal": "cards or lengths that are dealt first",
    "pointcount": "the points of hcp, ace first",
    "altcount": "the points of pt0 to pt9, ace first",
    "mix": "types of deals, each with its weight",
    "weight": "how much more likely some deals are",
    "action": "what the program prints",
}
"""What each function is the value of, and what each statement sets, in a few words."""

ACTIONS = (
    *("print", "printall", "printpbn", "printew", "printcompact", "printoneline", "printes"),
    *("average", "frequency", "evalcontract"),
)
"""The actions of the classic program."""

RESERVED = frozenset(
    [
        *(name for name in FUNCTIONS if name not in _EXTENSIONS),
        *SEATS,
        *("notrump", "vul", "nv", "ns", "ew", "all", "none", "any", "and", "or", "not"),
        *("generate", "produce", "dealer", "vulnerable", "predeal", "pointcount", "altcount"),
        *("condition", "action", *ACTIONS),
    ]
)
"""The words of the classic program, in the form that canonical texts use."""

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


WORDS = RESERVED | _ALIASES.keys() | {"NS", "EW"}
"""The words that cannot be names of variables, in the forms that the classic program reserves.

A word in another form may be the name of a variable: `nS`, `All`, `Hcp`. If the text defines no
variable of that name, it is the word of the language.
"""

_ALIASES["dds"] = "tricks"  # DealerV2's name for tricks; a variable may have this name


def canonical(word: str) -> str:
    """Return the canonical form of a word: in small letters, and one of singular and plural.

    >>> canonical("Spade"), canonical("HCPS"), canonical("imp")
    ('spades', 'hcp', 'imps')
    """
    lower = word.lower()
    return _ALIASES.get(lower, lower)


_NAMES = {points: name for name, points in POINTS.items()}


def card_sum(seat: Seat, suit: Suit | None, points: Sequence[int]) -> CardSum:
    """Return the node of a sum of points, ace first.

    Its name is the function that has these points by default, or `points` if there is none.

    >>> card_sum(Seat.NORTH, None, (4, 3, 2, 1)).name, card_sum(Seat.NORTH, None, (3, 2, 1)).name
    ('hcp', 'points')
    """
    values = weights_of(*points)
    return CardSum(_NAMES.get(values, "points"), seat, suit, values)
