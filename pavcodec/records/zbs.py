"""ZBS: a suit in a word of 32 bits, and the words that make a diagram.

Bit 31 of a word, the flag, says that the next word belongs to the same diagram: it is set in
spades, hearts and diamonds and clear in clubs. A word without the flag that no word joins to stands
alone: one suit, which is not named. An older text describes the flag as *part of a deal*, which
would set it in clubs as well; so a set flag there is taken, and never written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import index
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from pavcodec.cards import DECK_SIZE, SUIT_SIZE, Suit
from pavcodec.errors import NumberError
from pavcodec.layout import Layout, SuitLayout
from pavcodec.layout.layout import wrap
from pavcodec.layout.suit_layout import SUIT_LAYOUTS, suit_number, suit_owners
from pavcodec.records.record import Record

if TYPE_CHECKING:
    from pavcodec.records.declarations import Fields

__all__ = ["FLAG", "DiagramRecord", "SuitWord", "WordRecord", "diagrams", "words_of"]

FLAG = 1 << 31
WORD_BYTES = 4
_FOUR_WORDS = Struct("<4I")
_SUIT_STARTS = range(0, DECK_SIZE, SUIT_SIZE)
Place = TypeVar("Place")


class SuitWord(NamedTuple):
    """A word of ZBS: a suit, and whether the next word belongs to the same diagram."""

    suit: SuitLayout
    joined: bool = False


def words_of(layout: Layout | SuitLayout) -> tuple[int, ...]:
    """Return the words of a diagram, spades first, or the one word of a suit that stands alone.

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
    """Put words together; yield (place of the first word, diagram or suit that stands alone).

    `report` is called with the place and the reason where words make no diagram; the words after
    them are still read. A word of None could not be read: it spoils the diagram that it is in.

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
    """Yield what one word or four mean, unless one of them means nothing."""
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
    yield words[0][0], suits[0] if alone else wrap(b"".join(suit.owners for suit in suits))


class WordRecord(Record[SuitWord]):
    """A word of ZBS."""

    name = "zbs-word"
    size = WORD_BYTES
    summary = "one suit, 13 digits in base 5, and a flag that joins words"

    def _parse(self, data: bytes) -> SuitWord:
        word = int.from_bytes(data, "little")
        number = word & ~FLAG
        if number >= SUIT_LAYOUTS:
            return self.parse_by_declaration(data)
        return SuitWord(SuitLayout.unchecked(suit_owners(number)), word >= FLAG)

    def _build(self, value: SuitWord) -> bytes:
        number, flag = self._fields(value)
        return (cast("int", number) | cast("int", flag) * FLAG).to_bytes(self.size, "little")

    def _value(self, fields: Fields) -> SuitWord:
        number, flag = cast("tuple[int, int]", fields)
        return SuitWord(_suit(self, number), bool(flag))

    def _fields(self, value: SuitWord) -> Fields:
        self._parts(value, SuitWord)
        suit, joined = value
        if not isinstance(suit, SuitLayout):
            raise TypeError(f"a SuitLayout goes into a word, not {type(suit).__name__!r}")
        return suit.to_zbs(), index(bool(joined))


class DiagramRecord(Record[Layout]):
    """Four words of ZBS: the spades, hearts, diamonds and clubs of a layout."""

    name = "zbs-diagram"
    size = WORD_BYTES * len(Suit)
    summary = "any layout, a word for each suit"

    def _parse(self, data: bytes) -> Layout:
        *joined, clubs = _FOUR_WORDS.unpack(data)
        numbers = [*(word - FLAG for word in joined), clubs & ~FLAG]
        if min(numbers) < 0 or max(numbers) >= SUIT_LAYOUTS:
            return self.parse_by_declaration(data)
        return wrap(b"".join(map(suit_owners, numbers)))

    def _build(self, value: Layout) -> bytes:
        self._checked(value)
        return _FOUR_WORDS.pack(*words_of(value))

    def _value(self, fields: Fields) -> Layout:
        numbers, flags = cast("tuple[int, ...]", fields[::2]), fields[1::2]
        for suit in Suit:
            if suit < Suit.CLUBS and not flags[suit]:
                raise self.refusal(f"the word of {suit.name.lower()} does not carry the flag")
        return wrap(b"".join(_suit(self, number).owners for number in numbers))

    def _fields(self, value: Layout) -> Fields:
        self._checked(value)
        pairs = zip(_suit_numbers(value), (1, 1, 1, 0), strict=True)
        return tuple(field for pair in pairs for field in pair)

    def _checked(self, value: Layout) -> None:
        if not isinstance(value, Layout):
            raise TypeError(f"a Layout goes into a diagram, not {type(value).__name__!r}")


def _suit(record: Record[SuitWord] | Record[Layout], number: int) -> SuitLayout:
    """Return the suit of a number, or refuse the record."""
    try:
        return SuitLayout.from_zbs(number)
    except NumberError as error:
        raise record.refusal(str(error)) from None
