"""The contracts to solve: texts, pairs, and what is neither."""

from __future__ import annotations

import pytest

from pavcodec import Seat, TextError, UnknownNameError
from pavcodec.cards import Strain
from pavcodec.errors import PavError
from pavcodec.solving.contracts import ALL_CONTRACTS, column, columns_of

STRAINS = {strain.letters: {column(seat, strain) for seat in Seat} for strain in Strain}
SEATS = {seat.letter: {column(seat, strain) for strain in Strain} for seat in Seat}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3NT by S", {column(Seat.SOUTH, Strain.NOTRUMP)}),
        ("4♠ by NS", {4, 6}),
        ("4S BY n s", {4, 6}),
        ("3NT", STRAINS["NT"]),
        ("S H", STRAINS["S"] | STRAINS["H"]),
        ("spades", STRAINS["S"]),
        ("N S", SEATS["N"] | SEATS["S"]),
        ("EW", SEATS["E"] | SEATS["W"]),
        ("south", SEATS["S"]),
        ("NT, H by E", STRAINS["NT"] | {column(Seat.EAST, Strain.HEARTS)}),
        ("N S E W", set(ALL_CONTRACTS)),
        ("NT S H D C", set(ALL_CONTRACTS)),
    ],
)
def test_texts(text: str, expected: set[int]) -> None:
    assert columns_of(text) == tuple(sorted(expected))


def test_pairs() -> None:
    with pytest.raises(TextError) as caught:
        columns_of("NT,  foo ,H")
    assert caught.value.span == (5, 8)
    assert columns_of(None) == ALL_CONTRACTS
    assert columns_of([("N", "NT"), (Seat.EAST, 1), ("N", "NT")]) == (0, 5)
    with pytest.raises(UnknownNameError, match="no seat is called 'X'"):
        columns_of([("X", "NT")])

    with pytest.raises(PavError, match="there are no contracts to solve"):
        columns_of([])
