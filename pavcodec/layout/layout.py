"""Layouts and deals: the owner of each of the 52 cards is North, East, South, West or nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import factorial, prod
from operator import index
from typing import TYPE_CHECKING, Self, SupportsIndex

from pavcodec.cards import (
    DECK_SIZE,
    FOUR_HANDS,
    HAND_SIZE,
    RANK_LETTERS,
    SEAT_LETTERS,
    SUIT_SIZE,
    UNUSED,
    Rank,
    Seat,
    Strain,
    Suit,
)
from pavcodec.errors import LayoutError, NumberError, TextError, check_text, shown
from pavcodec.layout.hand import Hand, Immutable
from pavcodec.layout.notation import format_owners, parse_owners

if TYPE_CHECKING:
    from pavcodec.symmetry import Permutation


_BITS = [b"0" * owner + b"1" + b"0" * (255 - owner) for owner in range(UNUSED + 1)]
"""For each owner the table from owners to the binary digits of its cards."""


class Layout(Immutable):
    """An immutable assignment of the 52 cards to N E S W or nobody, with hands of any sizes.

    `owners` has 52 bytes, card 0 (the spade ace) first: 0..3 for N E S W, 4 for an unused card.
    Equality and hash depend only on `owners`, so a `Deal` equals a `Layout` with the same owners.
    Raises `LayoutError` for other bytes, and `TypeError` for a value that is not bytes.

    >>> layout = Layout.from_pbn("N:AK.Q.. - .32.4. -")
    >>> str(layout), layout["N"].hcp, len(layout.unused), layout.sizes
    ('N:AK.Q.. - .32.4. -', 9, 46, (3, 0, 3, 0))
    """

    __slots__ = ("owners",)
    owners: bytes

    def __init__(self, owners: bytes) -> None:
        try:
            owners = bytes(memoryview(owners))
        except TypeError:
            given = type(owners).__name__
            hint = f"; {type(self).__name__}.from_pbn reads texts" if given == "str" else ""
            raise TypeError(f"owners are bytes, not {given!r}{hint}") from None
        if len(owners) != DECK_SIZE or max(owners) > UNUSED:
            raise LayoutError(
                f"owners are {DECK_SIZE} bytes of 0 to {UNUSED} (N E S W unused), not {owners!r}"
            )
        object.__setattr__(self, "owners", owners)
        self._check()

    def _check(self) -> None:
        """Raise `LayoutError` if this class does not allow the owners."""

    @classmethod
    def unchecked(cls, owners: bytes) -> Self:
        """Return a layout of owners that are known to be valid, such as those of a numbering."""
        layout = object.__new__(cls)
        _set_owners(layout, owners)
        return layout

    @classmethod
    def from_pbn(cls, text: str, *, lenient: bool = False) -> Self:
        """Parse a PBN deal text with any first seat; raise `TextError` or `LayoutError`.

        `-` or `...` is a hand without cards. A card that is in no hand is unused.
        `lenient` also accepts lower case, `10`, several blanks and suit letters in a hand.

        >>> Layout.from_pbn("s:sa10.. - - -", lenient=True)
        Traceback (most recent call last):
        ...
        pavcodec.errors.TextError: a hand has 4 suits S.H.D.C between dots, not 3 in 'sa10..'
          s:sa10.. - - -
            ^^^^^^
        >>> Layout.from_pbn("s:sa10... - - -", lenient=True)
        Layout.from_pbn('N:- - AT... -')
        """
        check_text("a deal", text)
        layout = cls.unchecked(parse_owners(text, lenient=lenient))
        layout._check()
        return layout

    def to_pbn(self, first: Seat | int | str = Seat.NORTH) -> str:
        """Return the PBN deal text: the hands clockwise from `first`, with descending ranks."""
        return format_owners(self.owners, Seat.of(first))

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """The number of cards that N, E, S and W hold."""
        count = self.owners.count
        return count(0), count(1), count(2), count(3)

    @property
    def hands(self) -> tuple[Hand, Hand, Hand, Hand]:
        """The hands of N, E, S and W."""
        return self[0], self[1], self[2], self[3]

    @property
    def north(self) -> Hand:
        """The hand of North."""
        return self[Seat.NORTH]

    @property
    def east(self) -> Hand:
        """The hand of East."""
        return self[Seat.EAST]

    @property
    def south(self) -> Hand:
        """The hand of South."""
        return self[Seat.SOUTH]

    @property
    def west(self) -> Hand:
        """The hand of West."""
        return self[Seat.WEST]

    @property
    def unused(self) -> Hand:
        """The cards that no seat holds."""
        return self._cards_of(UNUSED)

    @property
    def is_deal(self) -> bool:
        """Whether every hand holds 13 cards."""
        return self.sizes == FOUR_HANDS

    def permuted(self, permutation: Permutation) -> Self:
        """Return the same cards under the new suit and seat names of a permutation.

        >>> from pavcodec.symmetry import Permutation
        >>> turn = Permutation((1, 0, 2, 3), (1, 2, 3, 0))
        >>> Layout.from_pbn("N:AK.Q.. - .32.4. -").permuted(turn)
        Layout.from_pbn('N:- Q.AK.. - 32..4.')
        """
        from pavcodec.symmetry import check_permutation

        check_permutation(permutation)
        return self.unchecked(permutation.word(self.owners))

    def canonical(self, symmetry: str) -> tuple[Self, Permutation]:
        """Return the canonical layout of this layout's class, and the permutation that maps to it.

        `symmetry` defines the class: `suits` for any order of the suits; `turns` (rotations of the
        seats), `half-turn`, or `seats` for any order of the seats; or `suits` and one of these,
        separated by a comma. Raises `UnknownNameError` for another name. The canonical layout is
        the first of its class in dictionary order of the owners, rank by rank, SA HA DA CA SK … C2;
        among deals, it is the first in the numbering `deal-ranked`.

        >>> layout = Layout.from_pbn("N:.32.4. - AK.Q.. -")
        >>> least, permutation = layout.canonical("suits,turns")
        >>> least, str(permutation), layout.permuted(permutation) == least
        (Layout.from_pbn('N:AK.Q.. - .32.4. -'), 'SHDC become SHDC, NESW become SWNE', True)
        """
        from pavcodec.symmetry import canonical_word, symmetry_of

        owners, permutation = canonical_word(self.owners, symmetry_of(symmetry))
        return self.unchecked(owners), permutation

    def multiplicity(self, highest: Rank | int | str = Rank.NINE) -> int:
        """Return in how many ways the hands can exchange the spot cards that they hold.

        Spot cards are those of the rank `highest` and below. Each hand keeps the number of its spot
        cards in each suit, so with spot cards written as x, the results all look like this layout,
        which is one of them. Cards that no seat holds stay where they are. Raises
        `UnknownNameError` for another rank.

        >>> layout = Layout.from_pbn("N:AK42.Q.. 3.K.. .32.4. -")
        >>> layout.multiplicity(), layout.multiplicity("A")
        (3, 60)
        """
        first, ways = Rank.of(highest), 1
        for begin in range(0, DECK_SIZE, SUIT_SIZE):
            spots = self.owners[begin + first : begin + SUIT_SIZE]
            held = [spots.count(seat) for seat in Seat]
            ways *= factorial(sum(held)) // prod(map(factorial, held))
        return ways

    def to_dict(self) -> dict[str, object]:
        """Return the cards for JSON: the deal text, and the hand of each seat.

        >>> Layout.from_pbn("N:AK.Q.. - .32.4. -").to_dict()
        {'deal': 'N:AK.Q.. - .32.4. -', 'hands': {'N': 'AK.Q..', 'E': '-', 'S': '.32.4.', 'W': '-'}}
        """
        hands = {seat.letter: str(self[seat]) for seat in Seat}
        return {"deal": str(self), "hands": hands}

    def __getitem__(self, seat: Seat | int | str) -> Hand:
        return self._cards_of(Seat.of(seat))

    def __iter__(self) -> Iterator[Hand]:
        return iter(self.hands)

    def _cards_of(self, owner: int) -> Hand:
        return Hand.from_mask(int(self.owners[::-1].translate(_BITS[owner]), 2))

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return type(self), (self.owners,)

    def __eq__(self, other: object) -> bool:
        return self.owners == other.owners if isinstance(other, Layout) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.owners)

    def __str__(self) -> str:
        return self.to_pbn()

    def _repr_html_(self) -> str:
        """Return an HTML diagram; notebooks call this."""
        from pavcodec.layout.drawings import notebook_diagram

        return notebook_diagram(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.from_pbn({self.to_pbn()!r})"


_set_owners = Layout.owners.__set__  # type: ignore[attr-defined,misc] # bypasses __setattr__


class Deal(Layout):
    """A layout with 13 cards in each hand; other sizes raise `LayoutError`.

    >>> hands = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
    >>> deal = Deal.from_pbn(hands)
    >>> deal["S"].hcp, deal["N"].shape, deal.to_pbn(first="W")[:20]
    (15, (4, 2, 5, 2), 'W:7.AJT74.J76532.3 9')
    """

    __slots__ = ()

    def _check(self) -> None:
        if not self.is_deal:
            raise LayoutError(f"a deal has {HAND_SIZE} cards in each hand; {describe_sizes(self)}")


def layout_from_owners(owners: bytes) -> Layout:
    """Return valid owners as a `Deal` if every hand has 13 cards, otherwise as a `Layout`."""
    count = owners.count
    is_deal = count(0) == count(1) == count(2) == count(3) == HAND_SIZE
    layout: Layout = object.__new__(Deal if is_deal else Layout)
    _set_owners(layout, owners)
    return layout


def check_layout(value: object, expected: str = "a Layout or Deal is expected") -> None:
    """Raise `TypeError` if a value is no layout; the message names what makes one of it.

    >>> check_layout("N:AK... - - -")
    Traceback (most recent call last):
    ...
    TypeError: a Layout or Deal is expected, not 'str'; Deal.from_pbn reads texts
    """
    if isinstance(value, Layout):
        return
    given, advice = type(value).__name__, ""
    if isinstance(value, str):
        advice = "; Deal.from_pbn reads texts"
    elif isinstance(value, bytes) or hasattr(value, "dtype"):
        advice = "; Deal(owners) takes 52 owners"
    elif hasattr(value, "layout"):
        advice = "; use its layout"
    raise TypeError(f"{expected}, not {given!r}{advice}")


def describe_sizes(layout: Layout) -> str:
    """Return the number of cards in each hand as text, for an error message.

    >>> describe_sizes(Layout.from_pbn("N:AK.Q.. - .32.4. -"))
    'here N holds 3, E 0, S 3, W 0'
    """
    north, east, south, west = layout.sizes
    return f"here N holds {north}, E {east}, S {south}, W {west}"


# One suit in the four hands, and its number in ZBS words.


SUIT_LAYOUTS = 5**SUIT_SIZE
"""The number of suit layouts: 1,220,703,125."""

# ZBS has 0 for an unused card and 1 to 4 for W, N, E, S, the seat order of its author.
_DIGITS = bytes.maketrans(bytes([4, 3, 0, 1, 2]), b"01234")
_OWNERS = bytes([4, 3, 0, 1, 2])
_VOID = "-"
_TEXT = re.compile(
    rf"\s*([{SEAT_LETTERS}]):\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*", re.IGNORECASE | re.ASCII
)
_PORTION = 5  # digits that one table entry has
_PORTIONS: int = 5**_PORTION


class SuitLayout(Immutable):
    """An immutable assignment of the 13 cards of an unnamed suit to N E S W or nobody.

    `owners` has 13 bytes, the ace first: 0..3 for N E S W, 4 for an unused card. Raises
    `LayoutError` for other bytes, and `TypeError` for a value that is not bytes.

    >>> suit = SuitLayout.from_text("N:JT9 876 5432 AKQ")
    >>> suit["W"], suit["E"], suit.to_text(first="W")
    ('AKQ', '876', 'W:AKQ JT9 876 5432')
    >>> hex(suit.to_zbs()), SuitLayout.from_zbs(0x48BAF0DA) == suit
    ('0x48baf0da', True)
    """

    __slots__ = ("owners",)
    owners: bytes

    def __init__(self, owners: bytes) -> None:
        try:
            owners = bytes(memoryview(owners))
        except TypeError:
            raise TypeError(f"owners are bytes, not {type(owners).__name__!r}") from None
        if len(owners) != SUIT_SIZE or max(owners) > UNUSED:
            raise LayoutError(
                f"owners of a suit are {SUIT_SIZE} bytes of 0 to {UNUSED} (N E S W unused), "
                f"not {owners!r}"
            )
        object.__setattr__(self, "owners", owners)

    @classmethod
    def unchecked(cls, owners: bytes) -> Self:
        """Return a suit layout of owners that are known to be valid."""
        suit = object.__new__(cls)
        object.__setattr__(suit, "owners", owners)
        return suit

    @classmethod
    def of(cls, layout: Layout, suit: Suit | int | str) -> Self:
        """Return one suit of a layout.

        >>> SuitLayout.of(Layout.from_pbn("N:AK.Q.. - .32.4. -"), Suit.HEARTS)
        SuitLayout.from_text('N:Q - 32 -')
        """
        if not isinstance(layout, Layout):
            raise TypeError(f"a Layout has suits, not {type(layout).__name__!r}")
        start = Suit.of(suit) * SUIT_SIZE
        return cls.unchecked(layout.owners[start : start + SUIT_SIZE])

    def as_suit(self, suit: Suit | int | str = Suit.SPADES) -> Layout:
        """Return the layout with these cards in one suit; all other cards are unused.

        >>> print(SuitLayout.from_text("N:AQ - KJ -").as_suit(Suit.CLUBS))
        N:...AQ - ...KJ -
        """
        chosen = Suit.of(suit)
        before = bytes([UNUSED]) * (chosen * SUIT_SIZE)
        after = bytes([UNUSED]) * ((Suit.CLUBS - chosen) * SUIT_SIZE)
        return layout_from_owners(before + self.owners + after)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse four holdings clockwise from a seat, with `-` for a void; raise `TextError`.

        >>> SuitLayout.from_text("e:K32 A4 - QJ")
        SuitLayout.from_text('N:QJ K32 A4 -')
        """
        check_text("a suit layout", text)
        match = _TEXT.fullmatch(text)
        if match is None:
            raise TextError(
                "a suit layout is a seat, a colon and four holdings, as in 'N:JT9 876 5432 AKQ'",
                text,
                (0, len(text)),
            )
        owners = bytearray([UNUSED]) * SUIT_SIZE
        first = SEAT_LETTERS.index(match[1].upper())
        for turn in range(len(Seat)):
            start, stop = match.span(2 + turn)
            for position in range(start, start if text[start:stop] == _VOID else stop):
                rank = RANK_LETTERS.find(text[position].upper())
                if rank < 0 or owners[rank] != UNUSED:
                    why = "no rank" if rank < 0 else "there twice"
                    raise TextError(f"{text[position]!r} is {why}", text, (position, position + 1))
                owners[rank] = (first + turn) % len(Seat)
        return cls.unchecked(bytes(owners))

    def to_text(self, first: Seat | int | str = Seat.NORTH) -> str:
        """Return the four holdings clockwise from `first`; a void is `-`."""
        start = Seat.of(first)
        turns = ((start + turn) % len(Seat) for turn in range(len(Seat)))
        return f"{start.letter}:{' '.join(self[seat] or _VOID for seat in turns)}"

    @classmethod
    def from_zbs(cls, number: SupportsIndex) -> Self:
        """Return the suit layout of a ZBS word without its flag; raise `NumberError` beyond 5^13.

        The ace is the least significant of 13 digits in base 5: 0 unused, 1 to 4 for W, N, E, S.
        """
        word = index(number)
        if not 0 <= word < SUIT_LAYOUTS:
            raise NumberError(f"a suit has numbers 0 to {SUIT_LAYOUTS - 1}, not {shown(word)}")
        return cls.unchecked(suit_owners(word))

    def to_zbs(self) -> int:
        """Return the ZBS word without its flag, a number below 5^13."""
        return suit_number(self.owners)

    def __getitem__(self, seat: Seat | int | str) -> str:
        held_by = Seat.of(seat)
        pairs = zip(RANK_LETTERS, self.owners, strict=True)
        return "".join(letter for letter, owner in pairs if owner == held_by)

    def __iter__(self) -> Iterator[str]:
        return (self[seat] for seat in Seat)

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return type(self), (self.owners,)

    def __eq__(self, other: object) -> bool:
        return self.owners == other.owners if isinstance(other, SuitLayout) else NotImplemented

    def __hash__(self) -> int:
        return hash((SuitLayout, self.owners))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"{type(self).__name__}.from_text({self.to_text()!r})"


def suit_number(owners: bytes) -> int:
    """Return the ZBS number of a suit's 13 owners."""
    return int(owners[::-1].translate(_DIGITS), 5)


def suit_owners(number: int) -> bytes:
    """Return the 13 owners of a ZBS number below 5^13."""
    table = _portions()
    rest, low = divmod(number, _PORTIONS)
    high, middle = divmod(rest, _PORTIONS)
    return (table[low] + table[middle] + table[high])[:SUIT_SIZE]


@cache
def _portions() -> tuple[bytes, ...]:
    """Return the owners of every group of five digits, the least significant digit first."""
    portions = [b""]
    for _ in range(_PORTION):
        portions = [low + _OWNERS[digit : digit + 1] for digit in range(5) for low in portions]
    return tuple(portions)


# Double-dummy tricks: the tricks of each declarer in each strain when all cards are visible.


_TABLE_SIZE = len(Strain) * len(Seat)


@dataclass(frozen=True)
class TrickTable:
    """The tricks of 20 contracts: five strains, and in each the declarers N E S W.

    `tricks` has 20 bytes of 0 to 13, by strain NT S H D C and within a strain by seat N E S W.
    Raises `LayoutError` for other bytes, and `TypeError` for a value that is not bytes.

    >>> table = TrickTable(bytes([7, 6, 7, 6] + [8, 5, 8, 5] * 4))
    >>> table["N", "NT"], table["W", "S"]
    (7, 5)
    >>> print(table)
    N:7,8,8,8,8 E:6,5,5,5,5 S:7,8,8,8,8 W:6,5,5,5,5
    """

    tricks: bytes

    def __post_init__(self) -> None:
        try:
            tricks = bytes(memoryview(self.tricks))
        except TypeError:
            raise TypeError(f"tricks are bytes, not {type(self.tricks).__name__!r}") from None
        if len(tricks) != _TABLE_SIZE or max(tricks) > HAND_SIZE:
            raise LayoutError(
                f"a trick table has {_TABLE_SIZE} numbers of 0 to {HAND_SIZE}, not {list(tricks)}"
            )
        object.__setattr__(self, "tricks", tricks)

    @classmethod
    def unchecked(cls, tricks: bytes) -> Self:
        """Return a table of tricks that are known to be valid."""
        table = object.__new__(cls)
        object.__setattr__(table, "tricks", tricks)
        return table

    __iter__ = None

    def __getitem__(self, contract: tuple[Seat | int | str, Strain | int | str]) -> int:
        """Return the tricks of a declarer in a strain, as in `table["N", "NT"]`."""
        if not isinstance(contract, tuple) or len(contract) != 2:
            raise TypeError(
                f"a contract is a seat and a strain, as in 'N', 'NT', not {shown(contract)}"
            )
        declarer, strain = contract
        return self.tricks[Strain.of(strain) * len(Seat) + Seat.of(declarer)]

    def permuted(self, permutation: Permutation) -> Self:
        """Return the tricks of the same cards under the new suit and seat names of a permutation.

        Raises `LayoutError` if the seats do not keep their order around the table: then another
        seat plays after the declarer's left-hand opponent, and the tricks are different.

        >>> from pavcodec.symmetry import Permutation
        >>> table = TrickTable(bytes([7, 6, 7, 6] + [8, 5, 8, 5] * 4))
        >>> print(table.permuted(Permutation((1, 0, 2, 3), (1, 2, 3, 0))))
        N:6,5,5,5,5 E:7,8,8,8,8 S:6,5,5,5,5 W:7,8,8,8,8
        """
        from pavcodec.symmetry import check_permutation

        check_permutation(permutation)
        if not permutation.is_turn:
            raise LayoutError(
                "double-dummy tricks stay the same only if the seats keep their order around the "
                f"table, but here {permutation}; use a symmetry of turns"
            )
        return self.unchecked(permutation.tricks(self.tricks))

    def __str__(self) -> str:
        return " ".join(
            seat.letter + ":" + ",".join(str(self[seat, strain]) for strain in Strain)
            for seat in Seat
        )
