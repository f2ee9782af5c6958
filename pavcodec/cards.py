"""Seats, suits, strains, ranks and cards, and the card order that all of pavcodec uses.

Card 0 is the spade ace, 12 the spade two, 13 the heart ace, 51 the club two: suit by suit, ace
first. Seats are numbered N E S W = 0..3. `UNUSED` (4) marks a card that no seat holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from operator import index as as_integer
from typing import Self, TypeVar

from pavcodec.errors import UnknownNameError, check_text, shown, suggest

__all__ = [
    "DECK_SIZE",
    "HAND_SIZE",
    "RANK_LETTERS",
    "SEAT_LETTERS",
    "STRAIN_NAMES",
    "SUIT_LETTERS",
    "SUIT_SIZE",
    "SUIT_SYMBOLS",
    "UNUSED",
    "Card",
    "Rank",
    "Seat",
    "Strain",
    "Suit",
]

SEAT_LETTERS = "NESW"
SUIT_LETTERS = "SHDC"
SUIT_SYMBOLS = "♠♥♦♣"
RANK_LETTERS = "AKQJT98765432"
STRAIN_NAMES = ("NT", "S", "H", "D", "C")

SUIT_SIZE = len(RANK_LETTERS)
DECK_SIZE = len(SUIT_LETTERS) * SUIT_SIZE
HAND_SIZE = DECK_SIZE // len(SEAT_LETTERS)
UNUSED = len(SEAT_LETTERS)


Member = TypeVar("Member", "Seat", "Suit", "Strain")


class Seat(IntEnum):
    """A seat at the table, clockwise from North.

    >>> Seat.parse("e"), Seat.EAST.letter, Seat.EAST.partner, Seat.WEST.next
    (<Seat.EAST: 1>, 'E', <Seat.WEST: 3>, <Seat.NORTH: 0>)
    """

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @classmethod
    def parse(cls, text: str) -> Seat:
        """Return the seat of a letter or name in any case; otherwise, raise `UnknownNameError`."""
        check_text("a seat to parse", text)
        word = text.strip().upper()
        for seat in cls:
            if word in (seat.name, seat.letter):
                return seat
        raise UnknownNameError(f"no seat is called {text!r}; expected N, E, S or W")

    @classmethod
    def of(cls, seat: Seat | int | str) -> Seat:
        """Return the seat of a `Seat`, its number, or its letter or name.

        Raises `UnknownNameError` if no seat has this number or name, and `TypeError` for a value
        of another type.
        """
        return _member(cls, seat, "seat", SEAT_LETTERS)

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


class Suit(IntEnum):
    """A suit; spades first, as in bridge notation.

    >>> Suit.HEARTS.letter, Suit.HEARTS.symbol, Suit.parse("d"), Suit.parse("Spades")
    ('H', '♥', <Suit.DIAMONDS: 2>, <Suit.SPADES: 0>)
    """

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3

    @classmethod
    def parse(cls, text: str) -> Suit:
        """Return the suit of a letter or name in any case; otherwise, raise `UnknownNameError`."""
        check_text("a suit to parse", text)
        word = text.strip().upper()
        for suit in cls:
            if word in (suit.name, suit.name[:-1], suit.letter):
                return suit
        raise suggest("suit", text, [suit.name.lower() for suit in cls])

    @classmethod
    def of(cls, suit: Suit | int | str) -> Suit:
        """Return the suit of a `Suit`, its number, or its letter or name.

        Raises `UnknownNameError` if no suit has this number or name, and `TypeError` for a value
        of another type.
        """
        return _member(cls, suit, "suit", SUIT_LETTERS)

    @property
    def letter(self) -> str:
        """The letter of the suit: S, H, D or C."""
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        """The symbol of the suit: ♠, ♥, ♦ or ♣."""
        return SUIT_SYMBOLS[self]


class Strain(IntEnum):
    """The strain of a contract: notrump first, then the suits.

    >>> Strain.parse("nt"), Strain.HEARTS.letters
    (<Strain.NOTRUMP: 0>, 'H')
    """

    NOTRUMP = 0
    SPADES = 1
    HEARTS = 2
    DIAMONDS = 3
    CLUBS = 4

    @classmethod
    def parse(cls, text: str) -> Strain:
        """Return the strain of its letters or name in any case; `N` is notrump, too.

        Raises `UnknownNameError` if no strain has this name.
        """
        check_text("a strain to parse", text)
        word = text.strip().upper()
        for strain in cls:
            if word in (strain.name, strain.letters) or (word == "N" and strain is cls.NOTRUMP):
                return strain
        raise UnknownNameError(f"no strain is called {text!r}; expected NT, S, H, D or C")

    @classmethod
    def of(cls, strain: Strain | int | str) -> Strain:
        """Return the strain of a `Strain`, its number, or its letters or name.

        Raises `UnknownNameError` if no strain has this number or name, and `TypeError` for a value
        of another type.
        """
        return _member(cls, strain, "strain", STRAIN_NAMES)

    @property
    def letters(self) -> str:
        """The letters of the strain in contracts: NT, S, H, D or C."""
        return STRAIN_NAMES[self]


def _member(kind: type[Member], value: object, what: str, names: Sequence[str]) -> Member:
    """Return the member that equals a value or has this number or name."""
    if isinstance(value, str):
        return kind.parse(value)
    listed = f"{', '.join(names[:-1])} or {names[-1]}"
    try:
        number = as_integer(value)  # type: ignore[arg-type] # other types raise TypeError
    except TypeError:
        given = type(value).__name__
        raise TypeError(f"a {what} is {listed} or a {kind.__name__}, not {given!r}") from None
    if not 0 <= number < len(kind):
        raise UnknownNameError(
            f"no {what} has the number {shown(number)}; expected {listed}, or 0 to {len(kind) - 1}"
        )
    return kind(number)


class Rank(IntEnum):
    """A rank, ace first: `Rank.ACE` is 0 and `Rank.TWO` is 12.

    >>> Rank.TEN.letter, Rank.ACE < Rank.KING
    ('T', True)
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

    >>> Card.parse("HT"), int(Card.parse("HT")), Card(51), Card(17).suit, Card(17).rank
    (Card.parse('HT'), 17, Card.parse('C2'), <Suit.HEARTS: 1>, <Rank.TEN: 4>)
    """

    __slots__ = ()

    def __new__(cls, index: int) -> Self:
        """Return the card of an index; raise `IndexError` outside 0..51."""
        try:
            place = as_integer(index)
        except TypeError:
            given = type(index).__name__
            raise TypeError(
                f"a card has an index of 0 to 51, not {given!r}; Card.parse reads texts"
            ) from None
        if not 0 <= place < DECK_SIZE:
            raise IndexError(f"a card has an index of 0 to {DECK_SIZE - 1}, not {index!r}")
        return super().__new__(cls, place)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the card of a text of suit and rank, such as ``SA``, in any case.

        Raises `UnknownNameError` for other texts.
        """
        check_text("a card to parse", text)
        word = text.strip().upper().replace("10", "T")
        if len(word) == 2 and word[0] in SUIT_LETTERS and word[1] in RANK_LETTERS:
            return cls(SUIT_LETTERS.index(word[0]) * SUIT_SIZE + RANK_LETTERS.index(word[1]))
        raise UnknownNameError(
            f"no card is called {text!r}; expected suit and rank, such as SA or CT"
        )

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
