"""The kinds of records: what the fields of each one mean, and the catalogue of all by name."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from math import comb
from operator import index, itemgetter
from typing import Any, NamedTuple, TypeVar

from pavcodec.cards import (
    DECK_SIZE,
    FOUR_HANDS,
    HAND_SIZE,
    SEAT_LETTERS,
    SUIT_SIZE,
    UNUSED,
    Card,
    Seat,
    Strain,
    Suit,
)
from pavcodec.errors import NumberError, RecordError, shown, suggest
from pavcodec.layout import Deal, Layout, SuitLayout, TrickTable
from pavcodec.layout.layout import (
    SUIT_LAYOUTS,
    describe_sizes,
    layout_from_owners,
    suit_number,
    suit_owners,
)
from pavcodec.records.codec import Record, Value
from pavcodec.records.fields import Fields
from pavcodec.walk import FixedSizes, LimitedSizes

# Records of numbers of a numbering, in as many bytes as its cardinality needs.


_MOST_SPARE = (1 << 7) - 1


class NumberRecord(Record[int]):
    """The numbers of a numbering, from 0 to its cardinality - 1."""

    def __init__(self, name: str, summary: str, cardinality: Callable[[], int]) -> None:
        self.name = name
        self.summary = summary
        self._cardinality = cardinality
        super().__init__()

    @cached_property
    def cardinality(self) -> int:
        """The number of valid numbers."""
        return self._cardinality()

    def _value(self, fields: Fields) -> int:
        number: int = fields[0]
        if number < self.cardinality:
            return number
        raise _past_the_last(self, number)

    def _fields(self, value: int) -> Fields:
        number = index(value)
        if 0 <= number < self.cardinality:
            return (number,)
        raise _past_the_last(self, number)


class Base5Number(NamedTuple):
    """A number of `base5`, and seven bits for user data."""

    number: int
    spare: int = 0


class Base5Record(Record[Base5Number]):
    """A number of `base5` in 121 bits; the other seven bits are for user data."""

    name = "base5-16"
    summary = "a number of base5, with seven spare bits for user data"
    cardinality = (UNUSED + 1) ** DECK_SIZE

    def _value(self, fields: Fields) -> Base5Number:
        number, spare = fields
        if number < self.cardinality:
            return Base5Number(number, spare)
        raise _past_the_last(self, number)

    def _fields(self, value: Base5Number) -> Fields:
        self._parts(value, Base5Number)
        number, spare = map(index, value)
        if not 0 <= number < self.cardinality:
            raise _past_the_last(self, number)
        if not 0 <= spare <= _MOST_SPARE:
            raise self.refusal(f"the spare bits hold 0 to {_MOST_SPARE}, not {shown(spare)}")
        return number, spare


def _past_the_last(record: NumberRecord | Base5Record, number: int) -> RecordError:
    return record.refusal(f"numbers are 0 to {record.cardinality - 1}, not {shown(number)}")


# Records of owners: an equal number of bits for each card, the spade ace in the lowest bits.


def deal_of_owners(record: Record[Value], owners: bytes) -> Deal:
    """Return the deal of 52 owners; raise `RecordError` if a hand does not have 13 cards."""
    layout = layout_from_owners(owners)
    if isinstance(layout, Deal):
        return layout
    raise _no_deal(record, layout)


def owners_of_deal(record: Record[Value], deal: object) -> bytes:
    """Return the owners of a deal for a record.

    Raises `TypeError` for other types, and `RecordError` if a hand does not have 13 cards.
    """
    if not isinstance(deal, Layout):
        raise TypeError(f"this record holds a Deal, not {type(deal).__name__!r}")
    if not deal.is_deal:
        raise _no_deal(record, deal)
    return deal.owners


def _no_deal(record: Record[Value], layout: Layout) -> RecordError:
    return record.refusal(f"a deal has {HAND_SIZE} cards in each hand; {describe_sizes(layout)}")


class DealRecord(Record[Deal]):
    """A deal with two bits for each card, 0 to 3 for N E S W."""

    name = "deal13"
    summary = "a deal, two bits a card"

    def _value(self, fields: Fields) -> Deal:
        return deal_of_owners(self, fields[0])

    def _fields(self, value: Deal) -> Fields:
        return (owners_of_deal(self, value),)


class LayoutRecord(Record[Layout]):
    """A layout with three bits for each card, 0 to 3 for N E S W and 4 for unused."""

    name = "layout20"
    summary = "any layout, three bits a card"

    def _value(self, fields: Fields) -> Layout:
        owners: bytes = fields[0]
        if max(owners) > UNUSED:
            card, owner = next(pair for pair in enumerate(owners) if pair[1] > UNUSED)
            raise self.refusal(f"card {Card(card)} has owner {owner}, expected 0 to {UNUSED}")
        return layout_from_owners(owners)

    def _fields(self, value: Layout) -> Fields:
        if not isinstance(value, Layout):
            raise TypeError(f"this record holds a Layout, not {type(value).__name__!r}")
        return (value.owners,)


# ZBS: one suit in a word of 32 bits, and diagrams of four words.
#
# Bit 31 of a word, the flag, means that the next word belongs to the same diagram. It is set in
# spades, hearts and diamonds and clear in clubs. A word without the flag that is not the fourth
# word of a diagram is a single suit without a name. An older text describes the flag as *part of a
# deal*; then it is also set in clubs. So a set flag in clubs is accepted, but never written.


FLAG = 1 << 31
WORD_BYTES = 4
_JOINED = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS)
_SUIT_STARTS = range(0, DECK_SIZE, SUIT_SIZE)
Position = TypeVar("Position")


class SuitWord(NamedTuple):
    """A word of ZBS: a suit, and whether the next word belongs to the same diagram."""

    suit: SuitLayout
    joined: bool = False


def words_of(layout: Layout | SuitLayout) -> tuple[int, ...]:
    """Return the words of a diagram, spades first, or the one word of a single suit.

    >>> [f"{word:08x}" for word in words_of(Layout.from_pbn("N:A... - - -"))]
    ['80000002', '80000000', '80000000', '00000000']
    """
    if isinstance(layout, SuitLayout):
        return (layout.to_zbs(),)
    if not isinstance(layout, Layout):
        raise TypeError(f"a Layout or SuitLayout has words, not {type(layout).__name__!r}")
    *joined, clubs = _suit_numbers(layout)
    return (*(FLAG | word for word in joined), clubs)


def _suit_numbers(layout: Layout) -> list[int]:
    owners = layout.owners
    return [suit_number(owners[start : start + SUIT_SIZE]) for start in _SUIT_STARTS]


def diagrams(
    words: Iterable[tuple[Position, int | None]], report: Callable[[Position, str], None]
) -> Iterator[tuple[Position, Layout | SuitLayout]]:
    """Combine words; yield (position of the first word, diagram or single suit).

    Calls `report` with the position and the reason if words do not form a diagram; the words after
    them are read nevertheless. A word of None is unreadable, and its diagram is skipped.

    >>> alone = [(0, 0x48BAF0DA)]
    >>> list(diagrams(alone, print))
    [(0, SuitLayout.from_text('N:JT9 876 5432 AKQ'))]
    """
    joined: list[tuple[Position, int | None]] = []
    for position, word in words:
        if not joined and not (word and word & FLAG):
            yield from _suits([(position, word)], report)
            continue
        joined.append((position, word))
        if len(joined) == len(Suit):
            yield from _suits(joined, report)
        elif word is None or word & FLAG:
            continue
        else:
            report(joined[0][0], _too_few(joined, "the flag is clear in the last one"))
        joined = []
    if joined:
        report(joined[0][0], _too_few(joined, "no more follow"))


def _too_few(joined: list[tuple[Position, int | None]], why: str) -> str:
    return f"a diagram has {len(Suit)} words, not {len(joined)}: {why}"


def _suits(
    words: list[tuple[Position, int | None]], report: Callable[[Position, str], None]
) -> Iterator[tuple[Position, Layout | SuitLayout]]:
    """Yield the layout of four words or the suit of one word, unless one of them is invalid."""
    suits = []
    for position, word in words:
        if word is None:
            return
        try:
            suits.append(SuitLayout.from_zbs(word & ~FLAG))
        except NumberError as error:
            report(position, f"{error} (word {word:08x})")
            return
    alone = len(suits) == 1
    yield (
        words[0][0],
        suits[0] if alone else layout_from_owners(b"".join(suit.owners for suit in suits)),
    )


class WordRecord(Record[SuitWord]):
    """A word of ZBS."""

    name = "zbs-word"
    summary = "one suit, 13 digits in base 5, and a flag that joins words"

    def _value(self, fields: Fields) -> SuitWord:
        number, flag = fields
        return SuitWord(SuitLayout.unchecked(_owners(self, number)), flag > 0)

    def _fields(self, value: SuitWord) -> Fields:
        self._parts(value, SuitWord)
        suit, joined = value
        if not isinstance(suit, SuitLayout):
            raise TypeError(f"a word holds a SuitLayout, not {type(suit).__name__!r}")
        return suit.to_zbs(), index(bool(joined))


class DiagramRecord(Record[Layout]):
    """Four words of ZBS: the spades, hearts, diamonds and clubs of a layout."""

    name = "zbs-diagram"
    summary = "any layout, a word for each suit"

    def _value(self, fields: Fields) -> Layout:
        flags = fields[1::2]
        for suit in _JOINED:
            if not flags[suit]:
                raise self.refusal(f"the flag of the {suit.name.lower()} word is not set")
        return layout_from_owners(b"".join([_owners(self, number) for number in fields[::2]]))

    def _fields(self, value: Layout) -> Fields:
        if not isinstance(value, Layout):
            raise TypeError(f"a diagram holds a Layout, not {type(value).__name__!r}")
        spades, hearts, diamonds, clubs = _suit_numbers(value)
        return spades, 1, hearts, 1, diamonds, 1, clubs, 0


def _owners(record: Record[SuitWord] | Record[Layout], number: int) -> bytes:
    """Return the owners of a suit's number; raise `RecordError` from 5^13 on."""
    if number < SUIT_LAYOUTS:
        return suit_owners(number)
    raise record.refusal(f"a suit has numbers 0 to {SUIT_LAYOUTS - 1}, not {number}")


# The records of double-dummy solved deals: ZRD and ZDD, and the library of GIB.
#
# ZRD and ZDD are Pavlicek's formats; ZDD is the last ten bytes of ZRD. In all of them the seats
# have the order W N E S.


_WNES = [SEAT_LETTERS.index(letter) for letter in "WNES"]
_SEATS = len(_WNES)
_TO_OWNERS = bytes.maketrans(bytes(range(_SEATS)), bytes(_WNES))
_FROM_OWNERS = bytes.maketrans(bytes(_WNES), bytes(range(_SEATS)))
# Records and trick tables have the same order of strains, but different orders of declarers.
_FROM_RECORD = itemgetter(*(4 * s + _WNES.index(seat) for s in Strain for seat in range(_SEATS)))
_TO_RECORD = itemgetter(*(4 * strain + seat for strain in Strain for seat in _WNES))


class SolvedDeal(NamedTuple):
    """A deal with the tricks of its 20 contracts."""

    deal: Deal
    tricks: TrickTable


class TrickTableRecord(Record[TrickTable]):
    """The tricks of 20 contracts, four bits each."""

    name = "zdd"
    summary = "the double-dummy tricks of a deal, without the deal"

    def _value(self, fields: Fields) -> TrickTable:
        return _table(self, fields[0])

    def _fields(self, value: TrickTable) -> Fields:
        return (bytes(_TO_RECORD(_tricks(value))),)


class SolvedDealRecord(Record[SolvedDeal]):
    """A deal with two bits for each card, 0 to 3 for W N E S, and its tricks."""

    name = "zrd"
    summary = "a deal with its double-dummy tricks"

    def _value(self, fields: Fields) -> SolvedDeal:
        cards, tricks = fields
        deal = deal_of_owners(self, cards.translate(_TO_OWNERS))
        return SolvedDeal(deal, _table(self, tricks))

    def _fields(self, value: SolvedDeal) -> Fields:
        self._parts(value, SolvedDeal)
        deal, tricks = value
        cards = owners_of_deal(self, deal).translate(_FROM_OWNERS)
        return cards, bytes(_TO_RECORD(_tricks(tricks)))


def _table(record: Record[TrickTable] | Record[SolvedDeal], taken: bytes) -> TrickTable:
    """Return the trick table of the tricks of W N E S by strain; raise `RecordError` above 13."""
    if max(taken) > HAND_SIZE:
        column, most = next(pair for pair in enumerate(taken) if pair[1] > HAND_SIZE)
        contract = f"{'WNES'[column % _SEATS]} in {Strain(column // _SEATS).letters}"
        raise record.refusal(f"{contract} takes {most} tricks, expected 0 to {HAND_SIZE}")
    return TrickTable.unchecked(bytes(_FROM_RECORD(taken)))


def _tricks(value: TrickTable) -> bytes:
    if not isinstance(value, TrickTable):
        raise TypeError(f"this record holds a TrickTable, not {type(value).__name__!r}")
    return value.tricks


# The order of a suit's cards in its four bytes: the lowest card, then three bytes of four cards.
_LOWEST_FIRST = (12, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3)
_TO_LIBRARY = itemgetter(*(SUIT_SIZE * suit + card for suit in Suit for card in _LOWEST_FIRST))
_FROM_LIBRARY = itemgetter(
    *(SUIT_SIZE * suit + _LOWEST_FIRST.index(card) for suit in Suit for card in range(SUIT_SIZE))
)
_LEFT = bytes.maketrans(bytes(range(HAND_SIZE + 1)), bytes(reversed(range(HAND_SIZE + 1))))
"""The tricks that remain for the other side."""


class LibraryRecord(Record[SolvedDeal]):
    """A deal and its tricks as in Ginsberg's library of GIB, in big-endian words.

    The tricks are those of North and South for every declarer.
    """

    name = "gib-library"
    summary = "a deal with its double-dummy tricks, as in the library of GIB"

    def _value(self, fields: Fields) -> SolvedDeal:
        cards, tricks = fields
        if max(tricks) > HAND_SIZE:
            column, taken = next(pair for pair in enumerate(tricks) if pair[1] > HAND_SIZE)
            strain, leader = Strain(column // _SEATS), SEAT_LETTERS[(column + 1) % _SEATS]
            reason = f"N and S take {taken} tricks in {strain.letters} when {leader} leads"
            raise self.refusal(f"{reason}, expected 0 to {HAND_SIZE}")
        deal = deal_of_owners(self, bytes(_FROM_LIBRARY(cards.translate(_TO_OWNERS))))
        return SolvedDeal(deal, TrickTable.unchecked(_declarers(tricks)))

    def _fields(self, value: SolvedDeal) -> Fields:
        self._parts(value, SolvedDeal)
        deal, tricks = value
        owners = owners_of_deal(self, deal).translate(_FROM_OWNERS)
        return bytes(_TO_LIBRARY(owners)), _declarers(_tricks(tricks))


def _declarers(tricks: bytes) -> bytes:
    """Convert tricks of North and South to tricks of the declarers N E S W, or the reverse."""
    made = bytearray(tricks)
    left = tricks.translate(_LEFT)
    for seat in (Seat.EAST, Seat.WEST):
        made[seat::_SEATS] = left[seat::_SEATS]
    return bytes(made)


# The case record of Pavlicek's study of dealing with constraints: a row of a case listing.
#
# A listing has a running total of the ways, and for one hand or two hands a pattern, honours, or
# both. Fields that a listing does not use have the value *off*: 560 for a pattern, 16 set bits for
# honours. The study gives the widths of the fields; `fields` defines their positions.


MOST_WAYS = comb(DECK_SIZE, HAND_SIZE) * comb(DECK_SIZE - HAND_SIZE, HAND_SIZE)
"""The total of all pairs of hands: 5,157,850,293,780,050,462,400."""
PATTERNS = 560
PATTERN_OFF = 560
HONOURS_OFF = 0xFFFF

# the values that mean off, for the fields after the total
_OFF = (PATTERN_OFF, PATTERN_OFF, HONOURS_OFF, HONOURS_OFF)


class Case(NamedTuple):
    """A row of a case listing: the running total and the contents of two hands; None is off.

    A pattern is an index of 0 to 559. Honours are a map of 16 bits, spades A K Q J highest, then
    hearts, diamonds and clubs. A hand has at most 13 of them, and no honour is in both hands.
    """

    total: int
    first_pattern: int | None = None
    second_pattern: int | None = None
    first_honours: int | None = None
    second_honours: int | None = None


class CaseRecord(Record[Case]):
    """A row of a case listing."""

    name = "case16"
    summary = "a row of a case listing: running total, patterns and honours of two hands"

    def _value(self, fields: Fields) -> Case:
        total, *patterns_and_honours = fields
        pairs = zip(patterns_and_honours, _OFF, strict=True)
        return self._checked(Case(total, *[None if f == off else f for f, off in pairs]))

    def _fields(self, value: Case) -> Fields:
        total, *others = self._checked(value)
        pairs = zip(others, _OFF, strict=True)
        return (total, *[off if field is None else field for field, off in pairs])

    def _checked(self, value: Case) -> Case:
        """Return a case of plain integers; raise `RecordError` for an invalid case."""
        self._parts(value, Case)
        total, *others = value
        case = Case(index(total), *[None if each is None else index(each) for each in others])
        if not 0 <= case.total <= MOST_WAYS:
            raise self.refusal(f"a running total is 0 to {MOST_WAYS}, not {shown(case.total)}")
        for pattern in (case.first_pattern, case.second_pattern):
            if pattern is not None and not 0 <= pattern < PATTERNS:
                raise self.refusal(f"a pattern is 0 to {PATTERNS - 1}, not {shown(pattern)}")
        for honours in (case.first_honours, case.second_honours):
            if honours is not None and not _can_be_held(honours):
                given = f"{honours:#06x}" if honours.bit_length() <= 16 else shown(honours)
                raise self.refusal(
                    f"honours are 16 bits, at most {HAND_SIZE} of them set, not {given}"
                )
        both = (case.first_honours or 0) & (case.second_honours or 0)
        if both:
            raise self.refusal(f"honours {both:#06x} are in both hands")
        return case


def _can_be_held(honours: int) -> bool:
    return 0 <= honours < HONOURS_OFF and honours.bit_count() <= HAND_SIZE


def _balanced_endings() -> int:
    hands = len(Seat)
    sizes = ((*(size,) * hands, DECK_SIZE - size * hands) for size in range(1, HAND_SIZE + 1))
    return sum(FixedSizes(each).cardinality for each in sizes)


def _legal_endings() -> int:
    from pavcodec.legal import LEGAL_ENDINGS

    return sum(LEGAL_ENDINGS.values())


_RECORDS: dict[str, Record[Any]] = {
    made.name: made
    for made in (
        NumberRecord("deal12", "the number of a deal", lambda: FixedSizes(FOUR_HANDS).cardinality),
        NumberRecord("balanced14", "the number of a balanced ending", _balanced_endings),
        NumberRecord(
            "ending15",
            "the number of an ending",
            lambda: LimitedSizes(DECK_SIZE, FOUR_HANDS).cardinality,
        ),
        NumberRecord("legal14", "the number of a legal ending", _legal_endings),
        Base5Record(),
        DealRecord(),
        LayoutRecord(),
        WordRecord(),
        DiagramRecord(),
        SolvedDealRecord(),
        TrickTableRecord(),
        LibraryRecord(),
        CaseRecord(),
    )
}


def _by_name(made: Record[Any]) -> tuple[Callable[[str], Record[Any]], tuple[str]]:
    """Reduce a record to its name, so that copies and unpickled records are the record itself."""
    return record, (made.name,)


for _made in _RECORDS.values():
    copyreg.pickle(type(_made), _by_name)


def record_names() -> list[str]:
    """Return the names that `record` accepts.

    >>> record_names()[:4]
    ['deal12', 'balanced14', 'ending15', 'legal14']
    """
    return list(_RECORDS)


def record(name: str) -> Record[Any]:
    """Return the record of a name; raise `UnknownNameError` for another name.

    >>> record("zrd").size, record("zrd").summary
    (23, 'a deal with its double-dummy tricks')
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a record is a str, not {type(name).__name__!r}")
    if name not in _RECORDS:
        raise suggest("record", name, record_names())
    return _RECORDS[name]
