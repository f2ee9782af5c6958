"""The contracts to solve, as columns of an array of tricks.

Column `4 * strain + declarer` has the tricks of a declarer in a strain, as in `TrickTable`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pavcodec.cards import SEAT_LETTERS, SUIT_LETTERS, SUIT_SYMBOLS, Seat, Strain
from pavcodec.errors import PavError, TextError, UnknownNameError

ChosenContracts = str | Iterable[tuple[Seat | int | str, Strain | int | str]] | None
"""A text such as `3NT by S`, pairs of declarer and strain, or None for all contracts."""

ALL_CONTRACTS = tuple(range(len(Strain) * len(Seat)))

_EXPECTED = "contracts such as '3NT by S', strains such as 'NT', or declarers such as 'N S'"
_LEVEL = re.compile(r"^[1-7](?=.)")
_SIGNS = str.maketrans(dict(zip(SUIT_SYMBOLS, SUIT_LETTERS, strict=True)))


def column(declarer: Seat, strain: Strain) -> int:
    """Return the column of a contract.

    >>> column(Seat.SOUTH, Strain.SPADES)
    6
    """
    return len(Seat) * strain + declarer


def unsolvable(owners: bytes) -> str:
    """Return why no engine can solve a layout whose hands differ in size.

    >>> unsolvable(bytes([0, 0, 1, 2, 3]))
    'double dummy needs four hands of the same size, not 2, 1, 1, 1 cards'
    """
    cards = ", ".join(str(owners.count(seat)) for seat in Seat)
    return f"double dummy needs four hands of the same size, not {cards} cards"


def columns_of(contracts: ChosenContracts) -> tuple[int, ...]:
    """Return the columns of some contracts, in increasing order.

    Commas separate the items of a text. An item is a contract (`3NT by S`, `spades by NS`), whose
    level does not matter; or strains, with all declarers (`NT`, `S H`); or declarers, in all
    strains (`N S`). `S` is South beside N, E and W, and spades beside NT, H, D and C. Raises
    `TextError` for another text, also for `S` alone, `UnknownNameError` for a pair of other values,
    and `TypeError` for other types.

    >>> columns_of("3NT by S"), columns_of([("N", "NT"), ("E", "S")]), len(columns_of("N S"))
    ((2,), (0, 5), 10)
    """
    if contracts is None:
        return ALL_CONTRACTS
    columns: set[int] = set()
    if isinstance(contracts, str):
        start = 0
        for item in contracts.split(","):
            columns |= _columns_of_item(item, contracts, start)
            start += len(item) + 1
        return tuple(sorted(columns))
    for pair in contracts:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"a contract is a pair of declarer and strain, not {pair!r}")
        columns.add(column(Seat.of(pair[0]), Strain.of(pair[1])))
    if not columns:
        raise PavError(f"there are no contracts to solve: expected {_EXPECTED}")
    return tuple(sorted(columns))


def _columns_of_item(item: str, text: str, start: int) -> set[int]:
    """Return the columns of one item, which starts at a place of a text."""
    words, name = item.split(), item.strip()
    parts = [word.lower() for word in words]
    if not name:
        raise TextError(f"a contract is missing; expected {_EXPECTED}", text, (start, start))
    start += len(item) - len(item.lstrip())
    span = start, start + len(name)
    if "by" in parts:
        middle = parts.index("by")
        strains = _strains(words[:middle], is_contract=True)
        declarers = _declarers(words[middle + 1 :])
        if strains and declarers:
            return {column(declarer, strain) for strain in strains for declarer in declarers}
    else:
        strains, declarers = _strains(words), _declarers(words)
        if strains and declarers:
            raise TextError(f"{name!r} is spades or South: write 'spades' or 'south'", text, span)
        if strains or declarers:
            seats = declarers or [*Seat]
            return {column(seat, strain) for strain in strains or Strain for seat in seats}
    raise TextError(f"no contracts are called {name!r}; expected {_EXPECTED}", text, span)


def _strains(words: list[str], *, is_contract: bool = False) -> list[Strain]:
    """Return the strains of all words, or none; `N` is notrump only in a contract."""
    strains = []
    for word in words:
        name = _LEVEL.sub("", word).translate(_SIGNS)
        if name.upper() == "N" and name == word and not is_contract:
            return []
        try:
            strains.append(Strain.parse(name))
        except UnknownNameError:
            return []
    return strains


def _declarers(words: list[str]) -> list[Seat]:
    """Return the seats of all words, each a name or letters such as NS; none if one is no seat."""
    seats: list[Seat] = []
    for word in words:
        letters = [*word] if set(word.upper()) <= set(SEAT_LETTERS) else [word]
        try:
            seats += map(Seat.parse, letters)
        except UnknownNameError:
            return []
    return seats
