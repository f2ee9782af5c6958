"""A hand: an immutable set of cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import index as as_integer
from typing import SupportsIndex

from pavcodec.cards import DECK_SIZE, Card, Suit
from pavcodec.errors import NumberError, check_text, shown
from pavcodec.layout.hand_functions import CONTROLS, HCP, LOSERS
from pavcodec.layout.notation import format_hand, holdings_of_mask, parse_hand

__all__ = ["Hand"]


class Hand:
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

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Hand cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Hand cannot be changed")

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
        from pavcodec.layout.drawings.html import notebook_hand

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
