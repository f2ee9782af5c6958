"""Expressions are graphs: equal nodes are one object, and what walks them comes to each once."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from constraints_support import nodes
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import deals

import pavcodec as pav
from pavcodec import Deal, PavError, Seat, Suit, TextError
from pavcodec.constraints.columns import values_of
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.functions import POINTS, card_sum
from pavcodec.constraints.language.parser import parse_expression, parse_mix, parse_script
from pavcodec.constraints.nodes import syntax as interning
from pavcodec.constraints.nodes.format import (
    MOST_WRITTEN_OUT,
    format_mix,
    format_node,
    format_short,
    named,
    show,
)
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Choice,
    Comparison,
    Length,
    Negate,
    Node,
    Not,
    Number,
    Python,
    Random,
    bottom_up,
    children,
    conjunction,
    disjunction,
    distinct,
    measure_of,
)

LEAVES = [
    *("hcp(north)", "spades(south)", "losers(east, hearts)", "hascard(west, AS)", "3", "-7"),
    *("shape(north, any 4333 + any 5332)", "cccc(south) / 100", "hcp(east) > 9 && spades(east)"),
]
CHANCES = ["rnd(6)", "rnd(6, 1)", "rnd(1 + hcp(north))"]
steps = st.lists(st.tuples(st.integers(0, 5), *[st.integers(1, 6)] * 3), min_size=1, max_size=40)


def _grown(leaves: Sequence[str], some: list[tuple[int, int, int, int]]) -> Node:
    """Build on what is built, one of the last six parts and others, again and again."""
    made = list(map(parse_expression, leaves))
    for kind, *places in some:
        one, other, third = (made[-place] for place in places)
        small = Comparison(">", one, Number(3))
        made.append(
            [
                conjunction([one, other]),
                disjunction([one, other]),
                Choice(one, other, third),
                Comparison("<", one, other),
                Not(one),
                Arithmetic("+-*/%"[sum(places) % 5], small, other),
            ][kind]
        )
    return made[-1]


graphs = st.builds(_grown, st.permutations(LEAVES), steps)
chancy_graphs = st.builds(_grown, st.permutations(LEAVES + CHANCES), steps)


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(nodes(), nodes())
def test_equal_nodes_are_one_object_unless_they_draw(one: Node, other: Node) -> None:
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert hash(again) == hash(one)
    assert (again is one) == (not one.is_loose)
    assert (one == other) == (repr(one) == repr(other))
    assert copy.copy(one) is copy.deepcopy(one) is one


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(chancy_graphs)
def test_walks_come_to_each_node_once(node: Node) -> None:
    down, up = list(distinct(node)), list(bottom_up(node))
    assert down[0] is up[-1] is node
    assert len(set(map(id, down))) == len(down) == len(up)
    assert {id(part) for part in down} == {id(part) for part in up}
    seen: set[int] = set()
    for part in up:
        assert all(id(child) in seen for child in children(part))
        seen.add(id(part))
    measure = measure_of(node)
    assert measure.depth <= len(down) <= measure.size
    assert node.is_loose == any(isinstance(part, Random) and part.draw is None for part in down)


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(graphs)
def test_what_is_written_is_the_same_graph(node: Node) -> None:
    text = format_node(node)
    assert parse_expression(text) is node
    assert format_node(parse_expression(text)) == text
    assert len(text) <= MOST_WRITTEN_OUT or text.startswith("v1 = ")
    [(condition, weight)] = parse_mix(format_mix([(node, None)]))
    assert condition is node
    assert weight is None


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(graphs, st.lists(deals(), min_size=1, max_size=4))
def test_batches_of_graphs_are_those_of_the_definition(node: Node, some: list[Deal]) -> None:
    owners = np.array([list(deal.owners) for deal in some], np.uint8)
    try:
        expected = [evaluate(node, deal) for deal in some]
    except PavError as error:
        with pytest.raises(PavError, match=str(error)):
            values_of(node, owners)
        return
    if all(-(2**63) <= value < 2**63 for value in expected):
        assert values_of(node, owners).tolist() == expected


@pytest.mark.slow
def test_many_rows_share_what_stands_in_several_places() -> None:
    """Choices and conjunctions over one chain: exponentially many ways, one answer for each."""
    length, points = Length(Seat.NORTH, Suit.SPADES), card_sum(Seat.SOUTH, None, POINTS["hcp"])
    chain: Node = length
    for n in range(60):
        test = Comparison(">", Arithmetic("+", points, chain), Number(n % 20))
        chain = Choice(test, Arithmetic("%", chain, Number(7)), Arithmetic("-", chain, points))
        both = conjunction([Not(test), chain])
        chain = Arithmetic("+", Arithmetic("%", chain, Number(50)), both)
    owners = pav.numbering("deal").sample_many(20_000, seed=7)
    found = values_of(chain, owners)
    for row in range(0, 20_000, 997):
        assert found[row] == evaluate(chain, Deal.unchecked(owners[row].tobytes()))


def test_draws_are_told_apart_by_where_they_were_made() -> None:
    one, other = Random(Number(6)), Random(Number(6))
    assert one == other
    assert one is not other
    assert Random(Number(6), 1) is Random(Number(6), 1)
    first, second = pickle.loads(pickle.dumps((Negate(one), Not(one))))
    assert first.operand is second.operand  # one draw, in two expressions
    assert replace(one, draw=3) is Random(Number(6), 3)
    script = parse_script("die = rnd(6) condition die + die == 2 * die && rnd(6) == rnd(6)")
    assert script.condition is not None
    drawn = iter([4, 1, 2])
    assert evaluate(script.condition, _anything(), random=lambda _: next(drawn)) == 0
    assert next(drawn, None) is None


def test_a_function_is_asked_once_for_a_deal() -> None:
    calls = []
    node = Python(lambda deal: calls.append(deal) or 3, "counted")  # type: ignore[func-returns-value]
    assert evaluate(Arithmetic("+", node, node), _anything()) == 6
    assert len(calls) == 1


def test_functions_that_cannot_be_hashed_are_themselves() -> None:
    class Odd:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, deal: Deal) -> int:
            return len(deal.owners)

    one, other = Odd(), Odd()
    assert Python(one, "odd") is Python(one, "odd")
    assert Python(one, "odd") != Python(other, "odd")


@pytest.mark.slow
def test_nodes_are_not_kept_for_ever() -> None:
    gc.collect()
    before = len(interning._INSTANCES)
    made: Node = Number(987654321)
    for _ in range(500):
        made = Arithmetic("+", made, made)
    assert len(interning._INSTANCES) >= before + 500
    del made
    gc.collect()
    assert len(interning._INSTANCES) <= before + 10


@pytest.mark.slow
def test_threads_make_the_same_nodes() -> None:
    def build(_: int) -> list[Node]:
        made: list[Node] = [Number(123456789)]
        for n in range(300):
            made.append(Arithmetic("+", made[-1], Number(n)))
        return made

    with ThreadPoolExecutor(8) as pool:
        first, *others = pool.map(build, range(16))
    assert all(one is other for each in others for one, other in zip(first, each, strict=True))


@pytest.mark.slow
def test_what_is_large_is_shown_shortly() -> None:
    deep: Node = Number(1)
    for _ in range(3000):
        deep = Arithmetic("+", deep, deep)
    assert repr(deep) == "<Arithmetic of many parts>"
    assert repr(Not(Number(1))) == "Not(operand=Number(value=1))"
    assert len(format_short(deep)) == 100
    assert format_short(deep).endswith("…")
    assert measure_of(deep).size == 2**3001 - 1


def test_variables_are_named_in_messages() -> None:
    script = parse_script(
        "strong = hcp(north) > 19\n"
        "both = strong && hcp(south) > 3\n"
        "ratio = hcp(north) / (spades(south) - spades(south))\n"
        "condition both && ratio > 1 && hcp(east) < 9"
    )
    assert isinstance(script.condition, And)
    with named(script.names):
        assert show(script.condition) == "'strong && hcp(south) > 3 && ratio > 1 && hcp(east) < 9'"
        assert show(script.condition.parts[0]) == "strong (line 1)"
        with pytest.raises(PavError, match=r"^division by 0 in ratio \(line 3\)$"):
            evaluate(script.condition.parts[2], _anything())
    assert show(script.condition.parts[0]) == "'hcp(north) > 19'"
    with pytest.raises(PavError, match=r"^division by 0$"):
        evaluate(script.condition.parts[2], _anything())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 5", "equal is written =="),
        ("hcp = 5 hcp > 3", "'hcp' is a word of the language and cannot be a variable"),
        ("x = 5 y > 3", "no variable is called 'y'"),
        ("x = 5 x > 3 x > 4", "expected an operator"),
    ],
)
def test_what_is_no_expression_with_variables(text: str, message: str) -> None:
    with pytest.raises(TextError, match=message):
        parse_expression(text)


def test_variables_may_stand_before_an_expression() -> None:
    plain = parse_expression("spades(north) + spades(south) >= 8 || hcp(north) > 20")
    text = "fit = spades(north) + spades(south)\nbig = hcp(north) > 20\nfit >= 8 || big"
    assert parse_expression(text) is plain


def _anything() -> Deal:
    [deal] = pav.numbering("deal").sample(1, seed=7)
    assert isinstance(deal, Deal)
    return deal
