"""The functions of a hand: high-card points, controls, losers, `cccc` and more.

Each function is defined only here. `evaluate`, diagrams, arrays, case listings, statistics, columns
of files and the properties of `Hand` all use these definitions.

Rule 1: A function takes the hand as four *holdings*: the ranks in a suit, highest first, as in
        `AQT85`.
Rule 2: A function is of one of three kinds: a sum over the cards, a sum over the suits, or a
        function of the lengths. Fast code for a kind works for all its functions.
Rule 3: All values are integers. The functions of the Bridge World count hundredths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import index as as_integer
from types import MappingProxyType
from typing import SupportsIndex, TypeAlias

from pavcodec.cards import DECK_SIZE, RANK_LETTERS, SUIT_SIZE, Card, Suit
from pavcodec.errors import NumberError, check_text, shown
from pavcodec.layout.notation import format_hand, holdings_of_mask, parse_hand

# The evaluation of the Bridge World, October 1982 (Kaplan and Rubens), times 100.
#
# The definition is that of the classic dealer program, for which D. Suits wrote `quality` and
# `cccc` in 1999. All values are integers, because they count hundredths.


_LONG = 7
_WORTH = {"A": 4, "K": 3, "Q": 2, "J": 1}


def suit_quality(holding: str) -> int:
    """Return the quality of a suit times 100, from its ranks.

    Let L be the length and H the number of A, K, Q, J in the suit. The quality is 10 L times
    the sum of:

    - 4 for the ace, 3 for the king, 2 for the queen, 1 for the jack;
    - in a suit of at most six cards, for the ten: 1 if H is 2 or more or the suit has the jack,
      otherwise 1/2; and for the nine: 1/2 if H is exactly 2, or if the suit has the ten or the
      eight;
    - in a suit of seven cards or more, instead, for the missing honours that the length replaces:
      3, less 2 with the queen and less 1 with the jack, but at most L - 6.

    >>> suit_quality("AKQJT"), suit_quality("A9532"), suit_quality("KQ962")
    (550, 200, 275)
    >>> suit_quality("T9"), suit_quality("KJ76543"), suit_quality("AKQJ65432"), suit_quality("")
    (20, 350, 900, 0)
    """
    length = len(holding)
    honours = [rank for rank in "AKQJ" if rank in holding]
    halves = sum(2 * _WORTH[rank] for rank in honours)
    if length >= _LONG:
        made_up = 3 - 2 * ("Q" in holding) - ("J" in holding)
        halves += 2 * min(made_up, length - _LONG + 1)
    else:
        if "T" in holding:
            halves += 2 if len(honours) >= 2 or "J" in holding else 1
        if "9" in holding and (len(honours) == 2 or "T" in holding or "8" in holding):
            halves += 1
    return 5 * length * halves


def suit_value(holding: str) -> int:
    """Return the value of a suit in the hand evaluation `cccc`, times 100, from its ranks.

    The points for short suits are not included. The value is the quality plus the sum of:

    - 300 for the ace; 200 for the king, but 50 for a singleton king; 100 for the queen, less 25
      without ace and king, and less 75 for a singleton queen or 25 for a doubleton;
    - for the jack: 50 with exactly two of A, K, Q, and 25 with exactly one;
    - for the ten: 25 with exactly two of A, K, Q, J, and 25 with exactly one and the nine.

    >>> suit_value("K"), suit_value("AQ852"), suit_value("QJ97"), suit_value("T63"), suit_value("")
    (80, 700, 240, 15, 0)
    """
    length = len(holding)
    held = [rank in holding for rank in RANK_LETTERS]
    ace, king, queen, jack, ten, nine = held[:6]
    value = suit_quality(holding) + 300 * ace
    if king:
        value += 200 if length > 1 else 50
    if queen:
        value += 100 - 25 * (not ace and not king) - {1: 75, 2: 25}.get(length, 0)
    above_jack = ace + king + queen
    if jack:
        value += {2: 50, 1: 25}.get(above_jack, 0)
    above_ten = above_jack + jack
    if ten:
        value += 25 * (above_ten == 2 or (above_ten == 1 and nine))
    return value


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
class OfLengths:
    """A function of the suit lengths of a hand, such as the longest.

    >>> OfLengths(max).value(["AQT85", "Q86", "K32", "AQ"])
    5
    """

    of: Callable[[tuple[int, ...]], int]
    named_ranks = 0

    def value(self, holdings: Iterable[str]) -> int:
        """Return the value for the lengths of these four holdings."""
        return self.of(tuple(map(len, holdings)))


@dataclass(frozen=True)
class Among:
    """Whether the lengths of a hand are one of some shapes: 1 or 0.

    >>> OfLengths(Among(frozenset([(4, 3, 3, 3)]))).value(["AQT8", "Q86", "K32", "AQJ"])
    1
    """

    shapes: frozenset[tuple[int, ...]]

    def __call__(self, lengths: tuple[int, ...]) -> int:
        """Return 1 if the lengths are one of the shapes, otherwise 0."""
        return int(lengths in self.shapes)


HandFunction: TypeAlias = SumOverCards | SumOverSuits | OfLengths


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

COUNTED: Mapping[str, SumOverCards | SumOverSuits] = MappingProxyType(
    {"hcp": HCP, "controls": CONTROLS, "losers": LOSERS}
)
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


class Immutable:
    """The base of values that do not change after they are made."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")


class Hand(Immutable):
    """An immutable set of cards of any size; bit i of `mask` is set if the hand holds card i.

    A card is a `Card`, its index, or a text such as `SA` or `AS`.

    >>> hand = Hand.from_pbn("AQT85.Q862..AQJ2")
    >>> len(hand), hand.hcp, hand.shape, hand.pattern, hand.controls, hand.losers
    (13, 15, (5, 4, 0, 4), (5, 4, 4, 0), 4, 4)
    >>> str(hand), "SA" in hand, "S2" in hand
    ('AQT85.Q862..AQJ2', True, False)
    """

    __slots__ = ("mask",)
    mask: int

    def __init__(self, cards: Iterable[int | str] = ()) -> None:
        if isinstance(cards, int):
            raise TypeError(
                "a Hand takes several cards: put one into a list, or use Hand.from_mask"
            )
        if isinstance(cards, str):
            raise TypeError(
                f"a Hand takes several cards, as in ['SA', 'HK'], not {cards!r}; "
                "Hand.from_pbn reads texts"
            )
        if not isinstance(cards, Iterable):
            raise TypeError(f"a Hand takes several cards, not {type(cards).__name__!r}")
        mask = 0
        for card in cards:
            mask |= 1 << Card(card)
        object.__setattr__(self, "mask", mask)

    @classmethod
    def from_mask(cls, mask: SupportsIndex) -> Hand:
        """Return the hand that holds card i for each bit i that is set in `mask`.

        Raises `NumberError` for a mask beyond 52 bits, and `TypeError` if it is not an integer.
        """
        try:
            mask = as_integer(mask)
        except TypeError:
            raise TypeError(f"a mask is an integer, not {type(mask).__name__!r}") from None
        if not 0 <= mask < 1 << DECK_SIZE:
            raise NumberError(f"a mask has {DECK_SIZE} bits, not {shown(mask)}")
        hand = object.__new__(cls)
        object.__setattr__(hand, "mask", mask)
        return hand

    @classmethod
    def from_pbn(cls, text: str, *, lenient: bool = False) -> Hand:
        """Parse the suits S.H.D.C, as in `AK2.QT..9876`, or `-` for no cards.

        `lenient` also accepts lower case, `10` and suit letters. Raises `TextError`.
        """
        check_text("a hand", text)
        return cls.from_mask(parse_hand(text, lenient=lenient))

    def to_pbn(self) -> str:
        """Return the suits S.H.D.C with descending ranks, or `-` for no cards."""
        return format_hand(self.mask)

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return Hand.from_mask, (self.mask,)

    def __iter__(self) -> Iterator[Card]:
        return (Card(i) for i in range(DECK_SIZE) if self.mask >> i & 1)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: object) -> bool:
        try:
            return bool(self.mask >> Card(card) & 1)  # type: ignore[arg-type] # it checks the type
        except IndexError:
            return False

    def __eq__(self, other: object) -> bool:
        return self.mask == other.mask if isinstance(other, Hand) else NotImplemented

    def __hash__(self) -> int:
        return hash((Hand, self.mask))

    def __str__(self) -> str:
        return self.to_pbn()

    def _repr_html_(self) -> str:
        """Return the four suits in HTML; notebooks call this."""
        from pavcodec.layout.drawings import notebook_hand

        return notebook_hand(self)

    def __repr__(self) -> str:
        return f"Hand.from_pbn({self.to_pbn()!r})"

    def suit(self, suit: Suit | int | str) -> str:
        """Return the ranks of one suit, highest first, as in `AQT85`.

        The suit is a `Suit`, its number, or its letter or name; other values raise
        `UnknownNameError`.

        >>> hand = Hand.from_pbn("AQT85.Q862..AQJ2")
        >>> hand.suit("S"), hand.suit("diamonds"), hand.suit(Suit.CLUBS)
        ('AQT85', '', 'AQJ2')
        """
        return holdings_of_mask(self.mask)[Suit.of(suit)]

    @property
    def spades(self) -> str:
        """The ranks of the spades, highest first."""
        return self.suit(Suit.SPADES)

    @property
    def hearts(self) -> str:
        """The ranks of the hearts, highest first."""
        return self.suit(Suit.HEARTS)

    @property
    def diamonds(self) -> str:
        """The ranks of the diamonds, highest first."""
        return self.suit(Suit.DIAMONDS)

    @property
    def clubs(self) -> str:
        """The ranks of the clubs, highest first."""
        return self.suit(Suit.CLUBS)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in deck order, spades first."""
        return tuple(self)

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """The lengths of spades, hearts, diamonds and clubs."""
        spades, hearts, diamonds, clubs = map(len, holdings_of_mask(self.mask))
        return spades, hearts, diamonds, clubs

    @property
    def pattern(self) -> tuple[int, int, int, int]:
        """The four suit lengths, longest first."""
        a, b, c, d = sorted(self.shape, reverse=True)
        return a, b, c, d

    @property
    def hcp(self) -> int:
        """High-card points: ace 4, king 3, queen 2, jack 1."""
        return HCP.value(holdings_of_mask(self.mask))

    @property
    def controls(self) -> int:
        """Controls: ace 2, king 1."""
        return CONTROLS.value(holdings_of_mask(self.mask))

    @property
    def losers(self) -> int:
        """Losers: for each suit, the number of missing A, K, Q, at most the length of the suit."""
        return LOSERS.value(holdings_of_mask(self.mask))
