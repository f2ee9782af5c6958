"""Records by plain shifts: what the tests of records compare with, and what Hypothesis draws.

Nothing here uses the package to put bits in their places: fields are added up with shifts from bit
0 on, over one little-endian integer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import comb, factorial
from typing import Any

from hypothesis import strategies as st
from oracles import DEALS
from strategies import deals, layouts, sparse_layouts

from pavcodec import (
    Base5Number,
    Case,
    Layout,
    PavError,
    SolvedDeal,
    SuitLayout,
    SuitWord,
    TrickTable,
)

SIZES = {
    "deal12": 12,
    "balanced14": 14,
    "ending15": 15,
    "legal14": 14,
    "base5-16": 16,
    "deal13": 13,
    "layout20": 20,
    "zbs-word": 4,
    "zbs-diagram": 16,
    "zrd": 23,
    "zdd": 10,
    "gib-library": 26,
    "case16": 16,
}
BOARD_SIZES = {
    "deal12": 12,
    "balanced14": 14,
    "ending15": 15,
    "legal14": 14,
    "base5-16": 16,
    "deal13": 13,
    "layout20": 20,
    "zbs": 16,
    "zrd": 23,
    "zdd": 10,
    "gib-library": 26,
}
"""The bytes of a board in each format of records."""
WIDTHS: dict[str, tuple[int, ...]] = {
    "deal12": (96,),
    "balanced14": (111, 1),
    "ending15": (120,),
    "legal14": (107, 5),
    "base5-16": (121, 7),
    "deal13": (2,) * 52,
    "layout20": (*(3,) * 52, 4),
    "zbs-word": (31, 1),
    "zbs-diagram": (31, 1) * 4,
    "zrd": (*(2,) * 52, *(4,) * 20),
    "zdd": (4,) * 20,
    "gib-library": (*(2, 6, *(2,) * 12) * 4, *(4,) * 20),
    "case16": (73, 10, 10, 16, 16, 3),
}
"""The bits of each field from bit 0 up, reserved ones among them."""
MOST_WAYS = comb(52, 13) * comb(39, 13)


def packed(fields: Sequence[int], widths: Sequence[int]) -> bytes:
    """The bytes of fields from bit 0 up."""
    whole = place = 0
    for field, width in zip(fields, widths, strict=True):
        assert 0 <= field < 1 << width
        whole |= field << place
        place += width
    return whole.to_bytes(place // 8, "little")


def unpacked(data: bytes, widths: Sequence[int]) -> list[int]:
    """The fields of bytes from bit 0 up."""
    whole = int.from_bytes(data, "little")
    fields = []
    for width in widths:
        fields.append(whole & (1 << width) - 1)
        whole >>= width
    return fields


def flipped(data: bytes, bit: int) -> bytes:
    """The bytes with one bit changed, counted from the least significant of the first byte."""
    return (int.from_bytes(data, "little") ^ 1 << bit).to_bytes(len(data), "little")


@cache
def totals() -> dict[str, int]:
    """How many numbers each record of numbers can hold, counted without the package."""
    balanced = sum(
        factorial(52) // factorial(held) ** 4 // factorial(52 - 4 * held) for held in range(1, 14)
    )
    ways = [1]  # of dealing n given cards to the hands so far, at most 13 to each
    for _ in range(4):
        ways = [
            sum(comb(n, k) * ways[n - k] for k in range(14) if 0 <= n - k < len(ways))
            for n in range(len(ways) + 13)
        ]
    ending = sum(comb(52, n) * many for n, many in enumerate(ways))
    legal = 128231250273227354660026504584672  # as the tests of legal endings count them
    return {
        "deal12": DEALS,
        "balanced14": balanced,
        "ending15": ending,
        "legal14": legal,
        "base5-16": 5**52,
    }


def word_by_hand(owners: bytes) -> int:
    """The ZBS number of a suit, by a slow loop: ace lowest, 0 unused, 1 to 4 for W N E S."""
    number = 0
    for owner in reversed(owners):
        number = 5 * number + {3: 1, 0: 2, 1: 3, 2: 4, 4: 0}[owner]
    return number


def owners_by_hand(number: int) -> bytes:
    """The owners of a suit of a ZBS number, by a slow loop."""
    owners = []
    for _ in range(13):
        number, digit = divmod(number, 5)
        owners.append({0: 4, 1: 3, 2: 0, 3: 1, 4: 2}[digit])
    return bytes(owners)


def _words(layout: Layout) -> list[int]:
    words = [word_by_hand(layout.owners[start : start + 13]) for start in range(0, 52, 13)]
    return [field for word, flag in zip(words, (1, 1, 1, 0), strict=True) for field in (word, flag)]


def _tricks(table: TrickTable) -> list[int]:
    return [table[seat, strain] for strain in ("NT", "S", "H", "D", "C") for seat in "WNES"]


# The cards of a suit in a big-endian word with the ace lowest: its bytes from the first one on.
_IN_A_WORD = (12, None, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3)


def _library(solved: SolvedDeal) -> list[int]:
    owners, tricks = solved.deal.owners, solved.tricks
    cards = [
        0 if place is None else (owners[first + place] + 1) % 4
        for first in range(0, 52, 13)
        for place in _IN_A_WORD
    ]
    declarers = {"E": "N", "S": "E", "W": "S", "N": "W"}  # by leader
    return cards + [
        tricks[declarer, strain] if declarer in "NS" else 13 - tricks[declarer, strain]
        for strain in ("NT", "S", "H", "D", "C")
        for declarer in (declarers[leader] for leader in "ESWN")
    ]


def _is_library(fields: list[int]) -> bool:
    words = [fields[first : first + 14] for first in range(0, 56, 14)]
    cards = [code for word in words for code in (word[0], *word[2:])]
    return not any(word[1] for word in words) and _is_deal(cards) and max(fields[56:]) <= 13


def _case(case: Case) -> list[int]:
    off = (0, 560, 560, 0xFFFF, 0xFFFF)
    fields = [o if field is None else field for field, o in zip(case, off, strict=True)]
    return [field for field in fields if field is not None] + [0]


_FIELDS: dict[str, Callable[[Any], Sequence[int]]] = {
    "deal12": lambda number: [number],
    "balanced14": lambda number: [number, 0],
    "ending15": lambda number: [number],
    "legal14": lambda number: [number, 0],
    "base5-16": lambda value: [value.number, value.spare],
    "deal13": lambda deal: list(deal.owners),
    "layout20": lambda layout: [*layout.owners, 0],
    "zbs-word": lambda word: [word_by_hand(word.suit.owners), int(word.joined)],
    "zbs-diagram": _words,
    "zrd": lambda solved: [(o + 1) % 4 for o in solved.deal.owners] + _tricks(solved.tricks),
    "zdd": _tricks,
    "gib-library": _library,
    "case16": _case,
}


def by_hand(name: str, value: Any) -> bytes:
    """The bytes that a record has for a value."""
    return packed(_FIELDS[name](value), WIDTHS[name])


def _is_deal(codes: list[int]) -> bool:
    return all(codes.count(seat) == 13 for seat in range(4))


def _is_case(fields: list[int]) -> bool:
    total, *patterns = fields[:3]
    honours = [0 if each == 0xFFFF else each for each in fields[3:5]]
    held = all(each.bit_count() <= 13 for each in honours) and not honours[0] & honours[1]
    return total <= MOST_WAYS and max(patterns) <= 560 and held and not fields[5]


_GOOD: dict[str, Callable[[list[int]], bool]] = {
    "deal12": lambda fields: fields[0] < totals()["deal12"],
    "balanced14": lambda fields: fields[0] < totals()["balanced14"] and not fields[1],
    "ending15": lambda fields: fields[0] < totals()["ending15"],
    "legal14": lambda fields: fields[0] < totals()["legal14"] and not fields[1],
    "base5-16": lambda fields: fields[0] < 5**52,
    "deal13": _is_deal,
    "layout20": lambda fields: max(fields[:52]) <= 4 and not fields[52],
    "zbs-word": lambda fields: fields[0] < 5**13,
    "zbs-diagram": lambda fields: max(fields[::2]) < 5**13 and fields[1:6:2] == [1, 1, 1],
    "zrd": lambda fields: _is_deal(fields[:52]) and max(fields[52:]) <= 13,
    "zdd": lambda fields: max(fields) <= 13,
    "gib-library": _is_library,
    "case16": _is_case,
}


def is_good(name: str, data: bytes) -> bool:
    """Whether bytes are a record, told from their fields."""
    return _GOOD[name](unpacked(data, WIDTHS[name]))


def verdict(call: Callable[[Any], Any], argument: Any) -> tuple[object, ...]:
    """What a call says: its value with all types in it, or the error that users may meet."""
    try:
        value = call(argument)
    except (PavError, TypeError) as error:
        return type(error), str(error)
    return types_in(value), value


def types_in(value: Any) -> object:
    """The type of a value, and of what is in it."""
    if isinstance(value, tuple):
        return type(value), *map(types_in, value)
    return type(value)


def suits() -> st.SearchStrategy[SuitLayout]:
    """Any placing of the 13 cards of a suit."""
    some = st.binary(min_size=13, max_size=13).map(lambda data: bytes(b % 5 for b in data))
    return some.map(SuitLayout)


def trick_tables() -> st.SearchStrategy[TrickTable]:
    """Any 20 numbers of 0 to 13."""
    rows = st.lists(st.integers(0, 13), min_size=20, max_size=20)
    return rows.map(lambda row: TrickTable(bytes(row)))


def cases() -> st.SearchStrategy[Case]:
    """Any row of a case listing: two hands hold different honours."""
    honours = st.binary(min_size=16, max_size=16).map(
        lambda data: [sum(1 << i for i, b in enumerate(data) if b % 3 == hand) for hand in (0, 1)]
    )
    possible = honours.filter(lambda two: max(each.bit_count() for each in two) <= 13)
    patterns = st.none() | st.integers(0, 559)
    return st.builds(
        lambda total, first, second, two, shown: Case(
            total,
            first,
            second,
            *(each if there else None for each, there in zip(two, shown, strict=True)),
        ),
        st.integers(0, MOST_WAYS),
        patterns,
        patterns,
        possible,
        st.tuples(st.booleans(), st.booleans()),
    )


def _numbers(name: str) -> st.SearchStrategy[int]:
    return st.integers(0, totals()[name] - 1)


_any_layout = layouts() | sparse_layouts() | deals()

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "deal12": _numbers("deal12"),
    "balanced14": _numbers("balanced14"),
    "ending15": _numbers("ending15"),
    "legal14": _numbers("legal14"),
    "base5-16": st.builds(Base5Number, _numbers("base5-16"), st.integers(0, 127)),
    "deal13": deals(),
    "layout20": _any_layout,
    "zbs-word": st.builds(SuitWord, suits(), st.booleans()),
    "zbs-diagram": _any_layout,
    "zrd": st.builds(SolvedDeal, deals(), trick_tables()),
    "zdd": trick_tables(),
    "gib-library": st.builds(SolvedDeal, deals(), trick_tables()),
    "case16": cases(),
}
"""Any value of each record."""


@st.composite
def doubtful(draw: st.DrawFn, name: str) -> bytes:
    """Bytes of the right size: any at all, or good ones with a few bits changed."""
    size = SIZES[name]
    if draw(st.booleans()):
        return draw(st.binary(min_size=size, max_size=size))
    data = by_hand(name, draw(VALUES[name]))
    for bit in draw(st.lists(st.integers(0, 8 * size - 1), max_size=3)):
        data = flipped(data, bit)
    return data
