"""Tricks in expressions: only the contracts that the value needs, many together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solving_support import Fake, tricks_of

from pavcodec import Deal, Layout, PavError, Seat, expression, numbering
from pavcodec.cards import Strain
from pavcodec.constraints import deals
from pavcodec.constraints.columns import Columns, solved_ahead
from pavcodec.constraints.evaluation import Evaluation, evaluate
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.constraints.vectors import Chunk
from pavcodec.solving.double_dummy import DoubleDummy, Solver

DEALS = numbering("deal").sample(40, seed=16)


def work(node: Node, some: list[Deal], solver: Solver) -> None:
    """Work the column of an expression."""
    chunk = Chunk.of([Evaluation(deal, None, solver) for deal in some])
    assert sum(len(piece.marks) for piece in Columns(node).pieces(chunk)) == len(some)


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
    work(node, DEALS[:6], solver)
    assert all(solver.known(*each) is not None for each in wanted)
    before = len(engine.asked)
    assert [evaluate(node, deal, tricks=solver) for deal in DEALS[:6]] == values
    assert len(engine.asked) == before
    # where several declarers of a strain are asked for, the strain has all four
    strains = {(deal, strain) for deal, _, strain in wanted}
    assert {(deal, strain) for deal, _, strain in engine.asked} == strains


def test_errors_come_when_the_value_is_asked_for(solver: DoubleDummy) -> None:
    node = parse_expression("tricks(south, spades) / spades(north) > 0")
    work(node, DEALS, solver)
    void = Layout(bytes(3 if card < 13 else card % 3 for card in range(52)))
    with pytest.raises(PavError, match="division by 0"):
        evaluate(node, void, tricks=solver)


def test_what_draws_is_not_worked_ahead(engine: Fake, solver: DoubleDummy) -> None:
    node = parse_expression("rnd(2) == 0 && tricks(south, spades) > 7")
    assert len(list(solved_ahead((Evaluation(deal, None, solver) for deal in DEALS), [node]))) == 40
    assert engine.calls == []


def test_contracts_that_every_deal_needs_are_solved_together(
    engine: Fake, solver: DoubleDummy
) -> None:
    both = "tricks(north, spades) + tricks(south, spades) > 14"
    work(parse_expression(f"{both} && tricks(west, clubs) > 0"), DEALS[:2], solver)
    assert engine.calls[0] == ("SPADES", 2)
    assert {name for name, _ in engine.calls} == {"SPADES", "contracts"}


def test_few_deals_are_solved_that_nobody_wants(engine: Fake, solver: DoubleDummy) -> None:
    node = parse_expression("tricks(south, spades)")
    drawn = solved_ahead((Evaluation(deal, None, solver) for deal in DEALS), [node])
    assert next(drawn).value(node) == tricks_of(DEALS[0], Seat.SOUTH, Strain.SPADES)
    assert engine.calls == [("contracts", 2)]
    assert len(list(drawn)) == len(DEALS) - 1
    assert engine.calls == [("contracts", n) for n in (2, 4, 8, 16, 10)]


def test_arrays_solve_many_together(engine: Fake, solver: DoubleDummy) -> None:
    owners = numbering("deal").sample_many(40, seed=7)
    values = expression("tricks(west, clubs)").values(owners, tricks=solver)
    expected = [tricks_of(Layout(row.tobytes()), Seat.WEST, Strain.CLUBS) for row in owners]
    assert values.tolist() == expected
    assert engine.calls == [("contracts", 40)]


def test_a_space_solves_many_together(engine: Fake, solver: DoubleDummy) -> None:
    space: Any = deals("hcp(south) >= 12 && tricks(south, spades) >= 7")
    found = replace(space, solver=solver).sample(20, seed=7)
    assert all(tricks_of(deal, Seat.SOUTH, Strain.SPADES) >= 7 for deal in found)
    assert len(engine.calls) < 8
