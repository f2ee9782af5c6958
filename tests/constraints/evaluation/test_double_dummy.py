"""Tricks: only the contracts that are asked for, each once, many together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pavcodec import Deal, Layout, PavError, Seat, expression, numbering
from pavcodec.cards import Strain
from pavcodec.constraints import TestedDeals as SomeDeals
from pavcodec.constraints import deals
from pavcodec.constraints.evaluation.double_dummy import Asked, DoubleDummy, Endplay, Engine
from pavcodec.constraints.evaluation.evaluate import Evaluation, evaluate
from pavcodec.constraints.evaluation.solve_ahead import drawn_ahead, solve_ahead
from pavcodec.constraints.language.parser import parse_expression

DEALS = numbering("deal").sample(40, seed=16)


def tricks_of(deal: Layout, declarer: Seat, strain: Strain) -> int:
    """Some number of 0 to 13 that depends on all it is given."""
    return (sum(deal.owners[:9]) * 7 + declarer * 5 + strain * 3) % 14


class Fake(Engine):
    """Notes what it is asked for."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []
        self.asked: list[Asked] = []

    def contracts(self, asked: Sequence[Asked]) -> list[int]:
        self.calls.append(("contracts", len(asked)))
        self.asked += asked
        return [tricks_of(*each) for each in asked]

    def strain(self, deals: Sequence[Layout], strain: Strain) -> list[list[int]]:
        self.calls.append((strain.name, len(deals)))
        self.asked += [(deal, seat, strain) for deal in deals for seat in Seat]
        return [[tricks_of(deal, seat, strain) for seat in Seat] for deal in deals]


@pytest.fixture
def engine() -> Fake:
    return Fake()


@pytest.fixture
def solver(engine: Fake) -> DoubleDummy:
    return DoubleDummy(engine)


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


CONTRACTS = st.tuples(
    st.sampled_from(["north", "east", "south", "west"]), st.sampled_from(["spades", "notrump"])
)
TRICKS = CONTRACTS.map(lambda each: f"tricks({each[0]}, {each[1]})")
CONDITIONS = st.recursive(
    st.one_of(TRICKS.map(lambda t: f"{t} > 7"), st.just("hcp(north) > 9")),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["&&", "||", "+"]), inner).map(
            lambda each: f"({' '.join(each)})"
        ),
        st.tuples(inner, inner, inner).map(lambda each: f"({each[0]} ? {each[1]} : {each[2]})"),
    ),
    max_leaves=6,
)


@pytest.mark.slow
@given(CONDITIONS)
def test_what_is_solved_ahead_is_what_the_definition_asks_for(text: str) -> None:
    node, wanted = parse_expression(text), set()

    def solve(deal: Deal, declarer: Seat, strain: Strain) -> int:
        wanted.add((deal, declarer, strain))
        return tricks_of(deal, declarer, strain)

    values = [evaluate(node, deal, tricks=solve) for deal in DEALS[:6]]
    engine = Fake()
    solver = DoubleDummy(engine)
    solve_ahead([(deal, node) for deal in DEALS[:6]], solver)
    assert all(solver.known(*each) is not None for each in wanted)
    before = len(engine.asked)
    assert [evaluate(node, deal, tricks=solver) for deal in DEALS[:6]] == values
    assert len(engine.asked) == before
    # where several declarers of a strain are asked for, the strain has all four
    strains = {(deal, strain) for deal, _, strain in wanted}
    assert {(deal, strain) for deal, _, strain in engine.asked} == strains


def test_errors_come_when_the_value_is_asked_for(solver: DoubleDummy) -> None:
    node = parse_expression("tricks(south, spades) / spades(north) > 0")
    solve_ahead([(deal, node) for deal in DEALS], solver)
    void = Layout(bytes(3 if card < 13 else card % 3 for card in range(52)))
    with pytest.raises(PavError, match="division by 0"):
        evaluate(node, void, tricks=solver)


def test_what_is_asked_once_is_not_asked_ahead(engine: Fake, solver: DoubleDummy) -> None:
    node = parse_expression("rnd(2) == 0 && tricks(south, spades) > 7")
    solve_ahead([(deal, node) for deal in DEALS], solver)
    assert engine.calls == []


def test_another_solver_is_left_alone() -> None:
    def nobody_asks(*_: object) -> int:
        raise AssertionError

    solve_ahead([(DEALS[0], parse_expression("tricks(south, spades)"))], nobody_asks)


def test_few_deals_are_solved_that_nobody_wants(engine: Fake, solver: DoubleDummy) -> None:
    node = parse_expression("tricks(south, spades)")
    drawn = drawn_ahead((Evaluation(deal, None, solver) for deal in DEALS), [node])
    assert next(drawn).value(node) == tricks_of(DEALS[0], Seat.SOUTH, Strain.SPADES)
    assert engine.calls == [("contracts", 2)]
    assert len(list(drawn)) == len(DEALS) - 1
    assert engine.calls == [("contracts", n) for n in (2, 4, 8, 16, 10)]


def test_a_space_and_arrays_solve_many_together(engine: Fake, solver: DoubleDummy) -> None:
    made = deals("hcp(south) >= 12 && tricks(south, spades) >= 7")
    assert isinstance(made, SomeDeals)
    space = replace(made, solver=solver)
    found = space.sample(20, seed=7)
    assert len({len(deal.owners) for deal in found}) == 1
    assert all(tricks_of(deal, Seat.SOUTH, Strain.SPADES) >= 7 for deal in found)
    assert len(engine.calls) < 8
    owners = numbering("deal").sample_many(40, seed=7)
    before = len(engine.calls)
    values = expression("tricks(west, clubs)").values(owners, tricks=solver)
    expected = [tricks_of(Layout(row.tobytes()), Seat.WEST, Strain.CLUBS) for row in owners]
    assert values.tolist() == expected
    assert len(engine.calls) - before == 5


def test_endplay_solves_contracts_and_strains_alike() -> None:
    pytest.importorskip("endplay")
    engine, some = Endplay(), DEALS[:2]
    for strain in (Strain.NOTRUMP, Strain.HEARTS):
        rows = engine.strain(some, strain)
        asked = [(deal, seat, strain) for deal in some for seat in Seat]
        assert engine.contracts(asked) == [tricks for row in rows for tricks in row]


def test_an_ending_has_no_more_tricks_than_cards() -> None:
    pytest.importorskip("endplay")
    ending = Layout.from_pbn("N:AK... QJ... T9... 87...")
    solver = DoubleDummy(Endplay())
    for strain in Strain:
        assert [solver(ending, seat, strain) for seat in Seat] == [2, 0, 2, 0]
    assert Endplay().strain([ending], Strain.CLUBS) == [[2, 0, 2, 0]]


def test_hands_of_different_sizes_are_refused() -> None:
    pytest.importorskip("endplay")
    with pytest.raises(PavError, match="four hands of the same size"):
        DoubleDummy(Endplay())(
            Layout.from_pbn("N:AK... Q... T9... 87..."), Seat.NORTH, Strain.CLUBS
        )
