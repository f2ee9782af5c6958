"""Records: their sizes, what Hypothesis draws of their values, and bytes near good ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from strategies import deals, layouts, sparse_layouts

from pavcodec import (
    Base5Number,
    Case,
    PavError,
    SolvedDeal,
    SuitLayout,
    SuitWord,
    TrickTable,
    record,
)

SIZES = {
    "deal12": 12, "balanced14": 14, "ending15": 15, "legal14": 14, "base5-16": 16, "deal13": 13,
    "layout20": 20, "zbs-word": 4, "zbs-diagram": 16, "zrd": 23, "zdd": 10, "gib-library": 26,
    "case16": 16,
}  # fmt: skip
BOARD_SIZES = {name: size for name, size in SIZES.items() if name[:4] not in ("zbs-", "case")}
BOARD_SIZES["zbs"] = 16
"""The bytes of a board in each format of records."""
LIMITS = {
    "deal12": 53644737765488792839237440000,
    "balanced14": 2058009868335972036308496616883640,
    "ending15": 1068380067768858063542620835042803325,
    "legal14": 128231250273227354660026504584672,
    "base5-16": 2220446049250313080847263336181640625,
}
"""How many numbers each record of numbers can hold."""
MOST_WAYS = 5157850293780050462400
"""C(52, 13) · C(39, 13)."""


def flipped(data: bytes, bit: int) -> bytes:
    """The bytes with one bit changed, counted from the least significant of the first byte."""
    return (int.from_bytes(data, "little") ^ 1 << bit).to_bytes(len(data), "little")


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


def by_hand(name: str, value: Any) -> bytes:
    """The bytes that a record has for a value by its declaration."""
    return record(name).build_by_declaration(value)


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


_HONOURS = st.integers(0, 0xFFFF).filter(lambda honours: honours.bit_count() <= 13)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Any row of a case listing: two hands hold different honours."""
    one, other = (draw(st.none() | st.integers(0, 559)) for _ in range(2))
    first = draw(st.none() | _HONOURS)
    second = draw(st.none() | _HONOURS.map(lambda honours: honours & ~(first or 0)))
    return Case(draw(st.integers(0, MOST_WAYS)), one, other, first, second)


def _numbers(name: str) -> st.SearchStrategy[int]:
    return st.integers(0, LIMITS[name] - 1)


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
