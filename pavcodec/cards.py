"""Seats, suits, strains, ranks and cards, and the card order that all of pavcodec uses.

Card 0 is the spade ace, 12 the spade two, 13 the heart ace, 51 the club two: suit by suit, ace
first. Seats are numbered N E S W = 0..3. `UNUSED` (4) marks a card that no seat holds.

Every public function that takes a seat, a suit, a strain, a rank or a card converts it here, by
`Seat.of`, `Suit.of`, `Strain.of`, `Rank.of` and `Card`: a member, its number or its text.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from operator import index as as_integer
from typing import TYPE_CHECKING, Self

from pavcodec.errors import UnknownNameError, check_text, hint, shown

SEAT_LETTERS = "NESW"
SUIT_LETTERS = "SHDC"
SUIT_SYMBOLS = "♠♥♦♣"
SUIT_OUTLINES = "♤♡♢♧"
RANK_LETTERS = "AKQJT98765432"
STRAIN_NAMES = ("NT", "S", "H", "D", "C")
STRAIN_SIGNS = ("NT", *SUIT_SYMBOLS)
"""The heads of columns of tricks, in the order of `Strain`."""

SUIT_SIZE = len(RANK_LETTERS)
DECK_SIZE = len(SUIT_LETTERS) * SUIT_SIZE
HAND_SIZE = DECK_SIZE // len(SEAT_LETTERS)
FOUR_HANDS = (HAND_SIZE,) * len(SEAT_LETTERS)
"""The sizes of the hands of a deal."""
UNUSED = len(SEAT_LETTERS)


class _Named(IntEnum):
    """Members that texts name, in any case; `Seat("north")` is `Seat.of("north")`."""

    if TYPE_CHECKING:

        def __new__(cls, value: int | str) -> Self: ...

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the member of a text in any case; otherwise, raise `UnknownNameError`."""
        check_text(f"a {_kind(cls)} to parse", text)
        number = _NAMES[cls].get(_word(text))
        if number is None:
            near = hint(text.lower(), [member.name.lower() for member in cls])
            expected = f"{near} Expected" if near else "; expected"
            raise UnknownNameError(f"no {_kind(cls)} is called {text!r}{expected} {_choices(cls)}")
        return cls(number)

    @classmethod
    def of(cls, value: Self | int | str) -> Self:
        """Return the member that equals a value or has this number or name.

        Raises `UnknownNameError` if no member has this number or name, and `TypeError` for a value
        of another type, such as a suit instead of a seat.
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, str):
            return cls.parse(value)
        try:
            number = as_integer(_no_other(value))
        except TypeError:
            given = _given(value)
            raise TypeError(
                f"a {_kind(cls)} is {_choices(cls)} or a {cls.__name__}, not {given}"
            ) from None
        if not 0 <= number < len(cls):
            expected = f"{_choices(cls)}, or 0 to {len(cls) - 1}"
            raise UnknownNameError(
                f"no {_kind(cls)} has the number {shown(number)}; expected {expected}"
            )
        return cls(number)

    @classmethod
    def _missing_(cls, value: object) -> Self:
        return cls.of(value)  # type: ignore[arg-type] # other types raise TypeError


class Seat(_Named):
    """A seat at the table, clockwise from North.

    >>> Seat("e"), Seat.EAST.letter, Seat.EAST.partner, Seat.WEST.next
    (<Seat.EAST: 1>, 'E', <Seat.WEST: 3>, <Seat.NORTH: 0>)
    """

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def letter(self) -> str:
        """The letter of the seat in bridge diagrams: N, E, S or W."""
        return SEAT_LETTERS[self]

    @property
    def partner(self) -> Seat:
        """The seat on the opposite side of the table."""
        return Seat((self + 2) % len(SEAT_LETTERS))

    @property
    def next(self) -> Seat:
        """The next seat in clockwise order."""
        return Seat((self + 1) % len(SEAT_LETTERS))


class Suit(_Named):
    """A suit; spades first, as in bridge notation.

    >>> Suit.HEARTS.letter, Suit.HEARTS.symbol, Suit("d"), Suit.of("Spades")
    ('H', '♥', <Suit.DIAMONDS: 2>, <Suit.SPADES: 0>)
    """

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3

    @property
    def letter(self) -> str:
        """The letter of the suit: S, H, D or C."""
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        """The symbol of the suit: ♠, ♥, ♦ or ♣."""
        return SUIT_SYMBOLS[self]


class Strain(_Named):
    """The strain of a contract: notrump first, then the suits.

    >>> Strain("nt"), Strain.HEARTS.letters
    (<Strain.NOTRUMP: 0>, 'H')
    """

    NOTRUMP = 0
    SPADES = 1
    HEARTS = 2
    DIAMONDS = 3
    CLUBS = 4

    @property
    def letters(self) -> str:
        """The letters of the strain in contracts: NT, S, H, D or C."""
        return STRAIN_NAMES[self]


class Rank(_Named):
    """A rank, ace first: `Rank.ACE` is 0 and `Rank.TWO` is 12.

    >>> Rank.TEN.letter, Rank.ACE < Rank.KING, Rank.of("10"), Rank.of("queen")
    ('T', True, <Rank.TEN: 4>, <Rank.QUEEN: 2>)
    """

    ACE = 0
    KING = 1
    QUEEN = 2
    JACK = 3
    TEN = 4
    NINE = 5
    EIGHT = 6
    SEVEN = 7
    SIX = 8
    FIVE = 9
    FOUR = 10
    THREE = 11
    TWO = 12

    @property
    def letter(self) -> str:
        """The letter or digit of the rank: A K Q J T 9 … 2."""
        return RANK_LETTERS[self]


class Card(int):
    """A card: its index 0..51 in the deck, displayed as suit and rank.

    >>> Card("HT"), int(Card("10♥")), Card(51), Card(17).suit, Card(17).rank
    (Card.parse('HT'), 17, Card.parse('C2'), <Suit.HEARTS: 1>, <Rank.TEN: 4>)
    """

    __slots__ = ()

    def __new__(cls, card: int | str) -> Self:
        """Return the card of an index or a text.

        Raises `IndexError` for an index outside 0..51, `UnknownNameError` for a text that is no
        card, and `TypeError` for a value of another type.
        """
        if isinstance(card, str):
            return cls.parse(card)
        try:
            index = as_integer(card if isinstance(card, Card) else _no_other(card))
        except TypeError:
            given = _given(card)
            raise TypeError(
                f"a card is an index of 0 to {DECK_SIZE - 1}, a text such as SA, or a Card, "
                f"not {given}"
            ) from None
        if not 0 <= index < DECK_SIZE:
            raise IndexError(f"a card has an index of 0 to {DECK_SIZE - 1}, not {shown(index)}")
        return super().__new__(cls, index)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the card of a text of suit and rank, or rank and suit, in any case.

        The suit is a letter or a symbol; the ten is `T` or `10`. Raises `UnknownNameError` for
        other texts.

        >>> {Card.parse(text) for text in ("ST", "TS", "s10", "10s", "♠T", "10♠")}
        {Card.parse('ST')}
        """
        check_text("a card to parse", text)
        index = _CARDS.get(_word(text))
        if index is None:
            raise UnknownNameError(
                f"no card is called {text!r}; expected suit and rank, such as SA or AS"
            )
        return super().__new__(cls, index)

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return Suit(self // SUIT_SIZE)

    @property
    def rank(self) -> Rank:
        """The card's rank."""
        return Rank(self % SUIT_SIZE)

    def __str__(self) -> str:
        return SUIT_LETTERS[self // SUIT_SIZE] + RANK_LETTERS[self % SUIT_SIZE]

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"


def _word(text: str) -> str:
    """Return a text without blanks at its ends, in capitals, and without the mark of an emoji."""
    return text.strip().upper().replace("\N{VARIATION SELECTOR-16}", "")


def _kind(kind: type[_Named]) -> str:
    return kind.__name__.lower()


def _choices(kind: type[_Named]) -> str:
    """Return the short names of the members as a phrase for messages."""
    names = _SHORT[kind]
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _no_other(value: int) -> int:
    """Return an integer; raise `TypeError` for a member or a card, which is another thing."""
    if isinstance(value, (_Named, Card)):
        raise TypeError
    return value


def _given(value: object) -> str:
    """Return a wrong value for messages: a member in full, otherwise its type."""
    kind = type(value).__name__
    return f"{kind}.{value.name}" if isinstance(value, _Named) else repr(kind)


_SHORT: Mapping[type[_Named], tuple[str, ...]] = {
    Seat: tuple(SEAT_LETTERS),
    Suit: tuple(SUIT_LETTERS),
    Strain: STRAIN_NAMES,
    Rank: tuple(RANK_LETTERS),
}

_SUITS = {
    name: suit for suit in Suit for name in (suit.name[:-1], suit.symbol, SUIT_OUTLINES[suit])
}

_MORE: Mapping[type[_Named], Mapping[str, int]] = {
    Seat: {},
    Suit: _SUITS,
    Strain: {"N": 0, "NO TRUMP": 0, "NO TRUMPS": 0, "NOTRUMPS": 0}
    | {name: suit + 1 for name, suit in _SUITS.items()},
    Rank: {"10": Rank.TEN},
}
"""Further names of members, in capitals."""

_NAMES: Mapping[type[_Named], Mapping[str, int]] = {
    kind: {
        **_MORE[kind],
        **{member.name: int(member) for member in kind},
        **{name: number for number, name in enumerate(_SHORT[kind])},
    }
    for kind in _SHORT
}

_CARDS: Mapping[str, int] = {
    word: suit * SUIT_SIZE + rank
    for suit in Suit
    for suit_text in (suit.letter, suit.symbol, SUIT_OUTLINES[suit])
    for rank in Rank
    for rank_text in ((rank.letter, "10") if rank is Rank.TEN else (rank.letter,))
    for word in (suit_text + rank_text, rank_text + suit_text)
}
