"""ZBS: one suit in a word of 32 bits, and diagrams of four words.

Bit 31 of a word, the flag, means that the next word belongs to the same diagram. It is set in
spades, hearts and diamonds and clear in clubs. A word without the flag that is not the fourth word
of a diagram is a single suit without a name. An older text describes the flag as *part of a deal*;
then it is also set in clubs. So a set flag in clubs is accepted, but never written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import index
from typing import NamedTuple, TypeVar

from pavcodec.cards import DECK_SIZE, SUIT_SIZE, Suit
from pavcodec.errors import NumberError
from pavcodec.layout import Layout, SuitLayout
from pavcodec.layout.layout import layout_from_owners
from pavcodec.layout.suit_layout import SUIT_LAYOUTS, suit_number, suit_owners
from pavcodec.records.bits.fields import Fields
from pavcodec.records.record import Record

__all__ = ["FLAG", "DiagramRecord", "SuitWord", "WordRecord", "diagrams", "words_of"]

FLAG = 1 << 31
WORD_BYTES = 4
_JOINED = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS)
_SUIT_STARTS = range(0, DECK_SIZE, SUIT_SIZE)
Place = TypeVar("Place")


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
    words: Iterable[tuple[Place, int | None]], report: Callable[[Place, str], None]
) -> Iterator[tuple[Place, Layout | SuitLayout]]:
    """Combine words; yield (place of the first word, diagram or single suit).

    Calls `report` with the place and the reason if words do not form a diagram; the words after
    them are read nevertheless. A word of None is unreadable, and its diagram is skipped.

    >>> alone = [(0, 0x48BAF0DA)]
    >>> list(diagrams(alone, print))
    [(0, SuitLayout.from_text('N:JT9 876 5432 AKQ'))]
    """
    joined: list[tuple[Place, int | None]] = []
    for place, word in words:
        if not joined and not (word and word & FLAG):
            yield from _suits([(place, word)], report)
            continue
        joined.append((place, word))
        if len(joined) == len(Suit):
            yield from _suits(joined, report)
        elif word is None or word & FLAG:
            continue
        else:
            report(joined[0][0], _too_few(joined, "the flag is clear in the last one"))
        joined = []
    if joined:
        report(joined[0][0], _too_few(joined, "no more follow"))


def _too_few(joined: list[tuple[Place, int | None]], why: str) -> str:
    return f"a diagram has {len(Suit)} words, not {len(joined)}: {why}"


def _suits(
    words: list[tuple[Place, int | None]], report: Callable[[Place, str], None]
) -> Iterator[tuple[Place, Layout | SuitLayout]]:
    """Yield the layout of four words or the suit of one word, unless one of them is invalid."""
    suits = []
    for place, word in words:
        if word is None:
            return
        try:
            suits.append(SuitLayout.from_zbs(word & ~FLAG))
        except NumberError as error:
            report(place, f"{error} (word {word:08x})")
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
