"""The table of the functions of a hand: high-card points, controls, losers, `cccc` and more.

Each function is defined only here. `evaluate`, diagrams, arrays, case listings, statistics, columns
of files and the properties of `Hand` all use this table.

Rule 1: A function takes the hand as four *holdings*: the ranks in a suit, highest first, as in
        `AQT85`.
Rule 2: A function is of one of three kinds: a sum over the cards, a sum over the suits, or whether
        the lengths match one of some shapes. Fast code for a kind works for all its functions.
Rule 3: All values are integers. The functions of the Bridge World count hundredths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from pavcodec.cards import RANK_LETTERS, SUIT_SIZE, Suit
from pavcodec.layout.bridge_world import suit_quality, suit_value

__all__ = [
    "CCCC",
    "CONTROLS",
    "COUNTED",
    "HAND_FUNCTIONS",
    "HCP",
    "LENGTH",
    "LOSERS",
    "QUALITY",
    "HandFunction",
    "LengthsAmong",
    "SumOverCards",
    "SumOverSuits",
    "all_holdings",
    "losers_of",
    "weights_of",
]


def weights_of(*points: int) -> tuple[int, ...]:
    """Return a weight for each of the 13 ranks, ace first; the ranks without a weight count 0.

    >>> weights_of(2, 1)
    (2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    """
    return (*points, *([0] * (SUIT_SIZE - len(points))))


@dataclass(frozen=True)
class SumOverCards:
    """The sum of the weights of the cards; `weights` has one weight for each rank, ace first.

    >>> HCP.of_suit("AQT85"), HCP.value(["AQT85", "Q862", "", "AQJ2"])
    (6, 15)
    """

    weights: tuple[int, ...]

    def of_suit(self, ranks: str) -> int:
        """Return the value of one holding."""
        return sum(self.weights[RANK_LETTERS.index(rank)] for rank in ranks)

    def value(self, holdings: Iterable[str]) -> int:
        """Return the sum of the values of some holdings."""
        return sum(map(self.of_suit, holdings))

    def most(self, cards: int) -> int:
        """Return the largest value that this number of cards can have.

        >>> HCP.most(13), CONTROLS.most(13), HCP.most(52)
        (37, 12, 40)
        """
        return sum(sorted(self.weights * len(Suit), reverse=True)[:cards])

    @property
    def named_ranks(self) -> int:
        """How many of the highest ranks have their own weights; all lower cards have one weight.

        >>> HCP.named_ranks, CONTROLS.named_ranks, LENGTH.named_ranks
        (4, 2, 0)
        """
        last = self.weights[-1]
        return max((rank + 1 for rank, each in enumerate(self.weights) if each != last), default=0)


@dataclass(frozen=True)
class SumOverSuits:
    """The sum of a function of each holding, plus points for short suits.

    `of_suit` returns the value of one holding. It depends on the `named_ranks` highest ranks and on
    the number of the cards below them. `shortness` has the points of suits of 0, 1, 2 … cards;
    these suits are *short*. `if_any_short` is added once to a hand with a short suit, and
    `if_none_short` to a hand without one. If `shortness` is empty, no such points are added.

    >>> LOSERS.value(["AQT85", "Q862", "", "AQJ2"]), QUALITY.value(["AQT85"])
    (4, 350)
    >>> CCCC.value(["AKQJT98765432", "", "", ""]), CCCC.value(["AKQ", "AKQ", "AKQ", "AKQJ"])
    (2700, 3560)
    >>> CCCC.value(["K", "AQ852", "QJ97", "T63"]), CCCC.value(["5432", "432", "432", "432"])
    (1135, -50)
    """

    of_suit: Callable[[str], int]
    named_ranks: int
    shortness: tuple[int, ...] = ()
    if_any_short: int = 0
    if_none_short: int = 0

    def of_lengths(self, lengths: Iterable[int]) -> int:
        """Return the points for the lengths of the suits."""
        if not self.shortness:
            return 0
        short = [self.shortness[length] for length in lengths if length < len(self.shortness)]
        return sum(short) + (self.if_any_short if short else self.if_none_short)

    def value(self, holdings: Sequence[str]) -> int:
        """Return the value of the holdings of some suits, or of all suits of a hand."""
        return sum(map(self.of_suit, holdings)) + self.of_lengths(map(len, holdings))


@dataclass(frozen=True)
class LengthsAmong:
    """1 if the suit lengths of a hand are one of some shapes, otherwise 0.

    >>> LengthsAmong(frozenset([(4, 3, 3, 3)])).value(["AQT8", "Q86", "K32", "AQJ"])
    1
    """

    shapes: frozenset[tuple[int, ...]]
    named_ranks = 0

    def value(self, holdings: Iterable[str]) -> int:
        """Return 1 if the lengths of these four holdings are one of the shapes, otherwise 0."""
        return int(tuple(map(len, holdings)) in self.shapes)


HandFunction: TypeAlias = SumOverCards | SumOverSuits | LengthsAmong


def losers_of(ranks: str) -> int:
    """Return the losers of a suit, from its ranks.

    Three cards or more: 3, less one for each of ace, king and queen. A doubleton: 0 with ace and
    king, 1 with one of them, otherwise 2. A singleton: 0 for the ace, otherwise 1. A void: 0.

    >>> [losers_of(ranks) for ranks in ("AQ5", "KQ", "Q2", "A", "K", "", "J98765")]
    [1, 1, 2, 0, 1, 0, 3]
    """
    counted = min(len(ranks), 3)
    return counted - sum(map(ranks.__contains__, "AKQ"[:counted]))


HCP = SumOverCards(weights_of(4, 3, 2, 1))
"""High-card points: ace 4, king 3, queen 2, jack 1."""

CONTROLS = SumOverCards(weights_of(2, 1))
"""Controls: ace 2, king 1."""

LENGTH = SumOverCards((1,) * SUIT_SIZE)
"""The number of cards."""

LOSERS = SumOverSuits(losers_of, named_ranks=3)
"""Losers: for each suit, the number of missing A, K, Q, at most the length of the suit."""

QUALITY = SumOverSuits(suit_quality, named_ranks=7)
"""The suit quality of the Bridge World, October 1982, times 100."""

CCCC = SumOverSuits(
    suit_value, named_ranks=7, shortness=(300, 200, 100), if_any_short=-100, if_none_short=-50
)
"""The hand evaluation of the Bridge World, October 1982, times 100."""

HAND_FUNCTIONS: Mapping[str, SumOverCards | SumOverSuits] = MappingProxyType(
    {
        "hcp": HCP,
        "controls": CONTROLS,
        "tens": SumOverCards(weights_of(0, 0, 0, 0, 1)),
        "jacks": SumOverCards(weights_of(0, 0, 0, 1)),
        "queens": SumOverCards(weights_of(0, 0, 1)),
        "kings": SumOverCards(weights_of(0, 1)),
        "aces": SumOverCards(weights_of(1)),
        "top2": SumOverCards(weights_of(1, 1)),
        "top3": SumOverCards(weights_of(1, 1, 1)),
        "top4": SumOverCards(weights_of(1, 1, 1, 1)),
        "top5": SumOverCards(weights_of(1, 1, 1, 1, 1)),
        "c13": SumOverCards(weights_of(6, 4, 2, 1)),
        **{suit.name.lower(): LENGTH for suit in Suit},
        "losers": LOSERS,
        "quality": QUALITY,
        "cccc": CCCC,
    }
)
"""The functions by their names in the language. `shape`, `hascard`, `holding` and `points` define
functions by their arguments, so they have no entry here."""

COUNTED = {name: HAND_FUNCTIONS[name] for name in ("hcp", "controls", "losers")}
"""The functions that are properties of `Hand`, and columns for each hand in files of columns."""


def all_holdings(suit_size: int) -> list[str]:
    """Return the ranks of each subset of a suit, indexed by its bits; the ace is the highest bit.

    >>> all_holdings(3)
    ['', 'Q', 'K', 'KQ', 'A', 'AQ', 'AK', 'AKQ']
    """
    held = [""]
    for letter in reversed(RANK_LETTERS[:suit_size]):
        held += [letter + ranks for ranks in held]
    return held
