"""Double-dummy tricks as PBN has them: OptimumResultTable, DoubleDummyTricks and Ability."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import repeat

from pavcodec.cards import HAND_SIZE, Seat, Strain
from pavcodec.errors import LayoutError, PavError
from pavcodec.layout import TrickTable

RESULT_TABLE = "OptimumResultTable"
RESULT_TABLE_COLUMNS = r"Declarer;Denomination\2R;Result\2R"
TRICK_DIGITS = "DoubleDummyTricks"
ABILITY = "Ability"
NOT_SOLVED = 255
"""The byte of a contract without a result in an array of tricks."""
TRICK_TAGS = (RESULT_TABLE, TRICK_DIGITS, ABILITY)
"""The tags that give the tricks of a board."""
_ABILITIES = re.compile(r"([NESW]):([0-9A-Da-d]{5})(?: +|$)")
"""The tricks of a hand of `Ability` as declarer: NT S H D C, a hexadecimal digit each."""

_DECLARERS = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
_CONTRACTS = [(declarer, strain) for declarer in _DECLARERS for strain in Strain]
_TABLE_COLUMNS = [strain * len(Seat) + declarer for declarer, strain in _CONTRACTS]
"""The column of each contract in a trick table, in the order of the rows."""
_ROWS = {
    column: [f"{declarer.letter} {strain.letters:>2} {taken:>2}" for taken in range(HAND_SIZE + 1)]
    for column, (declarer, strain) in zip(_TABLE_COLUMNS, _CONTRACTS, strict=True)
}
_ROW_VALUES: dict[str, tuple[int | None, int]] = {
    row: (column, taken) for column, rows in _ROWS.items() for taken, row in enumerate(rows)
}
_NO_ROW = (None, 0)
_COLUMNS = (("Declarer",), ("Denomination", "Suit"), ("Result", "Tricks"))
_SEPARATORS = re.compile(r"[;\s]+")
_WIDTH = re.compile(r"\\.*")
REMARKS = re.compile(r"\{[^}]*\}|;[^\n]*|^%[^\n]*", re.MULTILINE)
"""The comments of PBN."""


def format_result_table(table: TrickTable) -> tuple[str, ...]:
    """Return the 20 rows of the table, as most programs write them: N S E W, NT S H D C.

    >>> format_result_table(TrickTable(bytes([7] * 20)))[:2]
    ('N NT  7', 'N  S  7')
    """
    return tuple([_ROWS[column][table.tricks[column]] for column in _TABLE_COLUMNS])


def format_results(tricks: Mapping[tuple[Seat, Strain], int]) -> tuple[str, ...]:
    """Return the rows of some contracts, in the order of `format_result_table`.

    >>> format_results({(Seat.NORTH, Strain.SPADES): 7})
    ('N  S  7',)
    """
    known = (contract for contract in _CONTRACTS if contract in tricks)
    return tuple(
        f"{declarer.letter} {strain.letters:>2} {tricks[declarer, strain]:>2}"
        for declarer, strain in known
    )


def results_of_bytes(tricks: bytes) -> TrickTable | Mapping[tuple[Seat, Strain], int]:
    """Return the results of a row of an array of tricks: a table if all 20 contracts are solved.

    A contract with 255 is not solved. Raises `LayoutError` for other numbers above 13.

    >>> results_of_bytes(bytes([7, 6]) + bytes([255] * 18))
    {(<Seat.NORTH: 0>, <Strain.NOTRUMP: 0>): 7, (<Seat.EAST: 1>, <Strain.NOTRUMP: 0>): 6}
    """
    if NOT_SOLVED not in tricks:
        return TrickTable(tricks)
    results = {
        (Seat(column % len(Seat)), Strain(column // len(Seat))): taken
        for column, taken in enumerate(tricks)
        if taken != NOT_SOLVED
    }
    if results and max(results.values()) > HAND_SIZE:
        raise LayoutError(
            f"a row of tricks has numbers of 0 to {HAND_SIZE}, or {NOT_SOLVED} for a contract "
            f"that is not solved, not {list(tricks)}"
        )
    return results


def results_row(results: TrickTable | Mapping[tuple[Seat, Strain], int]) -> dict[str, object]:
    """Return results for JSON: the tricks by the letters of declarer and strain.

    >>> results_row({(Seat.NORTH, Strain.SPADES): 7})
    {'N': {'S': 7}}
    """
    if isinstance(results, TrickTable):
        return {
            seat.letter: {strain.letters: results[seat, strain] for strain in Strain}
            for seat in Seat
        }
    by_declarer: dict[str, dict[str, int]] = {}
    for (declarer, strain), taken in results.items():
        by_declarer.setdefault(declarer.letter, {})[strain.letters] = taken
    return {**by_declarer}


def parse_result_table(columns: str, lines: Sequence[str]) -> TrickTable:
    """Return the tricks of an OptimumResultTable; raise `PavError` unless it has all of them."""
    if columns == RESULT_TABLE_COLUMNS and len(lines) == len(_TABLE_COLUMNS):
        plain = dict(map(_ROW_VALUES.get, lines, repeat(_NO_ROW)))
        if len(plain) == len(_TABLE_COLUMNS) and None not in plain:
            return TrickTable.unchecked(bytes(map(plain.__getitem__, range(len(plain)))))
    return _table(RESULT_TABLE, parse_results(columns, lines))  # any order, with remarks


def parse_results(columns: str, lines: Sequence[str]) -> dict[tuple[Seat, Strain], int]:
    """Return the results of the rows of an OptimumResultTable, which may be of some contracts.

    >>> parse_results(RESULT_TABLE_COLUMNS, ["N  S  7"])
    {(<Seat.NORTH: 0>, <Strain.SPADES: 1>): 7}
    """
    indexes = _columns(columns)
    tricks: dict[tuple[Seat, Strain], int] = {}
    for line in REMARKS.sub("", "\n".join(lines)).split("\n"):
        words = line.split()
        if not words:
            continue
        if len(words) <= max(indexes):
            raise PavError(
                f"{RESULT_TABLE} has a row without declarer, strain and tricks: {line!r}"
            )
        declarer, strain, taken = (words[index] for index in indexes)
        if not re.fullmatch("[0-9]{1,2}", taken) or int(taken) > HAND_SIZE:
            raise PavError(f"{RESULT_TABLE} has a row without 0 to {HAND_SIZE} tricks: {line!r}")
        contract = Seat.parse(declarer), Strain.parse(strain)
        if tricks.setdefault(contract, int(taken)) != int(taken):
            raise PavError(f"{RESULT_TABLE} has two results for {declarer} {strain}")
    return tricks


def parse_trick_digits(digits: str) -> TrickTable:
    """Return the tricks of DoubleDummyTricks: 20 hexadecimal digits, N S E W, in each NT S H D C.

    >>> parse_trick_digits("7" * 20)["N", "NT"]
    7
    """
    if not re.fullmatch("[0-9a-dA-D]{20}", digits):
        raise PavError(f"{TRICK_DIGITS} has 20 hexadecimal digits of 0 to d, not {digits!r}")
    return _table_of_digits(TRICK_DIGITS, digits)


def format_trick_digits(table: TrickTable) -> str:
    """Return the value of DoubleDummyTricks; the inverse of `parse_trick_digits`.

    >>> format_trick_digits(parse_trick_digits("789ab" * 4))
    '789ab789ab789ab789ab'
    """
    return "".join(f"{table.tricks[column]:x}" for column in _TABLE_COLUMNS)


def parse_ability(text: str) -> TrickTable:
    """Return the tricks of the tag Ability, four hands with NT S H D C each; raise `PavError`.

    >>> parse_ability("N:5A5CC E:02800 S:5A5CC W:02800")["E", "H"]
    8
    """
    hands = list(_ABILITIES.finditer(text.strip()))
    seats = {Seat.parse(hand[1]): hand[2] for hand in hands}
    if "".join(hand[0] for hand in hands) != text.strip() or len(seats) < len(Seat):
        raise PavError(f"{ABILITY} has four hands as in 'N:5A5CC E:02800', not {text!r}")
    return _table_of_digits(ABILITY, "".join(seats[seat] for seat in _DECLARERS))


def find_tricks(
    tags: Mapping[str, str], sections: Mapping[str, Sequence[str]]
) -> TrickTable | None:
    """Return the tricks from the tags of a board, the table first; None without such tags.

    Raises `PavError` for tricks that are unreadable or not complete.
    """
    if sections.get(RESULT_TABLE):
        return parse_result_table(tags[RESULT_TABLE], sections[RESULT_TABLE])
    if tags.get(TRICK_DIGITS):
        return parse_trick_digits(tags[TRICK_DIGITS])
    if tags.get(ABILITY, "?") != "?":
        return parse_ability(tags[ABILITY])
    return None


def find_results(
    tags: Mapping[str, str], sections: Mapping[str, Sequence[str]]
) -> Mapping[tuple[Seat, Strain], int]:
    """Return the results of an OptimumResultTable of some contracts; none if it is unreadable."""
    try:
        return parse_results(tags.get(RESULT_TABLE, ""), sections.get(RESULT_TABLE, ()))
    except PavError:
        return {}


def _columns(columns: str) -> tuple[int, ...]:
    """Return the columns of declarer, strain and tricks; raise `PavError` if some are missing."""
    words = [_WIDTH.sub("", word).lstrip("+-") for word in _SEPARATORS.split(columns)]
    indexes = [next((words.index(n) for n in names if n in words), None) for names in _COLUMNS]
    known = [index for index in indexes if index is not None]
    if 0 < len(known) < len(_COLUMNS):
        expected = ", ".join("/".join(names) for names in _COLUMNS)
        raise PavError(f"{RESULT_TABLE} has columns {columns!r}, expected {expected}")
    return tuple(known) or (0, 1, 2)


def _table_of_digits(tag: str, digits: str) -> TrickTable:
    values = (int(digit, 16) for digit in digits)
    return _table(tag, dict(zip(_CONTRACTS, values, strict=True)))


def _table(tag: str, tricks: dict[tuple[Seat, Strain], int]) -> TrickTable:
    if len(tricks) < len(_CONTRACTS):
        raise PavError(f"{tag} has {len(tricks)} of {len(_CONTRACTS)} contracts")
    return TrickTable(bytes(tricks[seat, strain] for strain in Strain for seat in Seat))
