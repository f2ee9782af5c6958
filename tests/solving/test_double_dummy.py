"""Tricks: each contract is solved once, many together; and the contracts that texts name."""

from __future__ import annotations

import pytest
from packages import needs
from solving_support import Fake, tricks_of

from pavcodec import Layout, PavError, Seat, TextError, UnknownNameError, numbering
from pavcodec.cards import Strain
from pavcodec.solving.contracts import ALL_CONTRACTS, column, columns_of
from pavcodec.solving.double_dummy import DoubleDummy, Engine

DEALS = numbering("deal").sample(40, seed=16)


def test_one_contract_is_solved_once(engine: Fake, solver: DoubleDummy) -> None:
    deal = DEALS[0]
    assert solver.known(deal, Seat.SOUTH, Strain.HEARTS) is None
    for _ in range(3):
        assert solver(deal, Seat.SOUTH, Strain.HEARTS) == tricks_of(deal, Seat.SOUTH, Strain.HEARTS)
    assert engine.asked == [(deal, Seat.SOUTH, Strain.HEARTS)]


def test_several_declarers_of_a_strain_are_solved_together(
    engine: Fake, solver: DoubleDummy
) -> None:
    deal, other = DEALS[:2]
    asked = [(deal, Seat.SOUTH, Strain.SPADES), (deal, Seat.NORTH, Strain.SPADES)]
    solver.solve([*asked, asked[0], (other, Seat.NORTH, Strain.SPADES)])
    assert sorted(engine.calls) == [("SPADES", 1), ("contracts", 1)]
    assert solver.known(deal, Seat.EAST, Strain.SPADES) is not None
    assert solver.known(other, Seat.EAST, Strain.SPADES) is None


def test_the_oldest_deals_go(engine: Fake) -> None:
    solver = DoubleDummy(engine, most=2)
    for deal in DEALS[:3]:
        solver(deal, Seat.NORTH, Strain.CLUBS)
    assert solver.known(DEALS[0], Seat.NORTH, Strain.CLUBS) is None
    assert solver.known(DEALS[2], Seat.NORTH, Strain.CLUBS) is not None


def test_an_engine_is_asked_for_100_at_most(engine: Fake, solver: DoubleDummy) -> None:
    many = numbering("deal").sample(150, seed=1)
    solver.solve((deal, Seat.NORTH, Strain.CLUBS) for deal in many)
    assert engine.calls == [("contracts", 100), ("contracts", 50)]


def test_an_ending_has_no_more_tricks_than_cards() -> None:
    needs("endplay")
    ending = Layout.from_pbn("N:AK... QJ... T9... 87...")
    solver = DoubleDummy(Engine())
    for strain in Strain:
        assert [solver(ending, seat, strain) for seat in Seat] == [2, 0, 2, 0]
    assert Engine().strain([ending], Strain.CLUBS) == [[2, 0, 2, 0]]
    with pytest.raises(PavError, match="four hands of the same size"):
        DoubleDummy(Engine())(Layout.from_pbn("N:AK... Q... T9... 87..."), Seat.NORTH, Strain.CLUBS)


# the contracts to solve: texts, pairs, and what is neither


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
