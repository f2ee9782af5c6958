"""Expressions are graphs: equal nodes are one object, with one text, which is read back."""

from __future__ import annotations

import copy
import gc
import pickle
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from math import comb

import pytest
from constraints_support import HOLDINGS, holding_by_text, nodes
from hypothesis import given, settings
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec import Deal, PavError
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import holding
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
    Negate,
    Node,
    Not,
    Number,
    Python,
    Random,
    SmallHolding,
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
@settings(deadline=None, max_examples=100)
@given(nodes(), nodes())
def test_equal_nodes_are_one_object_unless_they_draw(one: Node, other: Node) -> None:
    text = format_node(one)
    for again in (pickle.loads(pickle.dumps(one)), parse_expression(text)):
        assert again == one
        assert hash(again) == hash(one)
        assert (again is one) == (not one.is_loose)
        assert format_node(again) == text
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


CANONICAL = {
    "HCP( North )": "hcp(north)",
    "pt5(east) + pt9(east, club)": "top2(east) + c13(east, clubs)",
    "ace(east) or jack(west)": "aces(east) || jacks(west)",
    "(1+2)*3 + 1*2": "(1 + 2) * 3 + 1 * 2",
    "1-(2-3) - ((1-2)-3)": "1 - (2 - 3) - (1 - 2 - 3)",
    "1- -3": "1 - -3",
    "-hcp(north)*2": "-hcp(north) * 2",
    "-(hcp(north)*2)": "-(hcp(north) * 2)",
    "(1<2)<3": "(1 < 2) < 3",
    "1 && 2 || 3 and (4 or 5)": "1 && 2 || 3 && (4 || 5)",
    "1 ? 2 : 3 ? 4 : 5": "1 ? 2 : 3 ? 4 : 5",
    "(1 ? 2 : 3) ? 4 : 5": "(1 ? 2 : 3) ? 4 : 5",
    "hascard(west, 10s)": "hascard(west, TS)",
    "holding(north, spade, qtXX)": "holding(north, spades, QTxx)",
    "shape(north,any 3343)": "shape(north, any 4333)",
    "score(NV,x3ntXX,tricks(south,notrumps))": "score(nv, x3NXX, tricks(south, notrump))",
    "imps(-50)": "imps(-50)",
    "RND( 2+4 ,01)": "rnd(2 + 4, 1)",
    "1<rnd(6)<4<rnd(9)": "1 < rnd(6, 1) && rnd(6, 1) < 4 && 4 < rnd(9)",
    "points(south, 4 3 2 1)": "hcp(south)",
    "points(south, club, 1 -1 0 5 0)": "points(south, clubs, 1 -1 0 5)",
    "points(south, 0)": "points(south, 0)",
}


@pytest.mark.parametrize("text", CANONICAL)
def test_the_canonical_text(text: str) -> None:
    assert format_node(parse_expression(text)) == CANONICAL[text]


def test_nodes_that_no_text_makes() -> None:
    assert format_node(Python(lambda _: 1, "lucky")) == "<lucky>"
    assert format_node(Negate(Number(3))) == "-(3)"
    with pytest.raises(TypeError, match="no node"):
        format_node(Node())


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
    for _ in range(100):
        made = Arithmetic("+", made, made)
    assert len(interning._INSTANCES) >= before + 100
    del made
    gc.collect()
    assert len(interning._INSTANCES) <= before + 10


def test_threads_make_the_same_nodes() -> None:
    def build(_: int) -> list[Node]:
        made: list[Node] = [Number(123456789)]
        for n in range(100):
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


def _anything() -> Deal:
    [deal] = pav.numbering("deal").sample(1, seed=7)
    assert isinstance(deal, Deal)
    return deal


ALL = ["".join(held) for count in range(14) for held in combinations("AKQJT98765432", count)]
"""The holdings of a suit."""


def test_the_holdings_with_small_cards() -> None:
    for text in HOLDINGS:
        parsed, pattern = SmallHolding.parse(text), text.removesuffix("void")
        assert str(parsed) == text
        some = [held for held in ALL if len(held) == len(pattern)]
        fits = [held for held in some if parsed.fits(held)]
        assert fits == [held for held in some if holding_by_text(pattern, held)]
        assert len(fits) == comb(len(parsed.small_ranks), parsed.small)
        assert not any(parsed.fits(held) for held in ALL[::20] if len(held) != len(pattern))


@pytest.mark.parametrize(
    ("text", "shown"),
    [("qtXX", "QTxx"), ("TQ", "QT"), ("A10x", "ATx"), ("VOID", "void"), ("9", "9")],
)
def test_other_ways_to_write_a_holding(text: str, shown: str) -> None:
    assert str(SmallHolding.parse(text)) == shown


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("xQ", "a holding is cards and then an x for each small one"),
        ("", "a holding is cards"),
        ("Q1", "a holding is cards"),
        ("QQx", "'QQx' names a card twice"),
        ("3xx", "'3xx' has more small cards than there are: 2"),
        ("2x", "'2x' has more small cards than there are: none"),
        ("x" * 9, "has more small cards than there are: 98765432"),
    ],
)
def test_what_is_no_holding(text: str, told: str) -> None:
    with pytest.raises(PavError, match=told):
        holding("north", "spades", text)
