"""The Python face: operators and functions build the trees that texts build."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from formats_support import DEAL

import pavcodec as pav
from pavcodec import (
    Card,
    ConstraintWarning,
    Deal,
    PavError,
    Seat,
    Suit,
    TextError,
    UnknownNameError,
    deals,
)
from pavcodec.constraints import expressions as face
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import (
    c13,
    cccc,
    clubs,
    condition,
    controls,
    diamonds,
    expression,
    hascard,
    hcp,
    hearts,
    losers,
    points,
    quality,
    shape,
    spades,
    top3,
)
from pavcodec.constraints.functions import FUNCTIONS, BySeat, Function
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.nodes.syntax import Negate, Node, Number
from pavcodec.constraints.operators import Expression

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("built", "text"),
    [
        (hcp("north"), "hcp(north)"),
        (hcp(Seat.EAST, Suit.HEARTS), "hcp(east, hearts)"),
        (hcp(2, "H"), "hcp(south, hearts)"),
        (controls("w", "club"), "controls(west, clubs)"),
        (top3("N", 0), "top3(north, spades)"),
        (c13("N"), "c13(north)"),
        (points("S", "4 3 2 1 1"), "points(south, 4 3 2 1 1)"),
        (points("S", [1, 0, 2], "diamonds"), "points(south, diamonds, 1 0 2)"),
        (losers("E"), "losers(east)"),
        (losers("E", "S"), "losers(east, spades)"),
        (quality("E", "S"), "quality(east, spades)"),
        (cccc("E"), "cccc(east)"),
        (shape("N", "any 4333 + 5xxx"), "shape(north, any 4333 + 5xxx)"),
        (shape("N", [(4, 3, 3, 3), (3, 4, 3, 3)]), "shape(north, 4333 + 3433)"),
        (hascard("N", "SA"), "hascard(north, AS)"),
        (hascard("N", "tc"), "hascard(north, TC)"),
        (hascard("N", "10c"), "hascard(north, TC)"),
        (hascard("N", Card(51)), "hascard(north, 2C)"),
        (spades("N") + hearts("E") - 3, "spades(north) + hearts(east) - 3"),
        (1 + spades("N") * 2, "1 + spades(north) * 2"),
        (10 - spades("N") // 2 % 3, "10 - spades(north) / 2 % 3"),
        (2 * clubs("N") + 7 // diamonds("N") + 8 % clubs("E"),
         "2 * clubs(north) + 7 / diamonds(north) + 8 % clubs(east)"),
        (-spades("N"), "-spades(north)"),
        (-expression(3), "-3"),
        (spades("N") == 5, "spades(north) == 5"),
        (spades("N") != hearts("N"), "spades(north) != hearts(north)"),
        (spades("N") > 5, "spades(north) > 5"),
        ((hcp("N") >= 12) & (hcp("N") <= 14) & (spades("N") < 5),
         "hcp(north) >= 12 && hcp(north) <= 14 && spades(north) < 5"),
        ((hcp("N") > 12) | (hcp("S") > 12) & ~(spades("N") == 4),
         "hcp(north) > 12 || hcp(south) > 12 && !(spades(north) == 4)"),
        (True & (hcp("N") > 12) | False, "1 && hcp(north) > 12 || 0"),
        ((spades("N") > 4).then(1, hearts("N")), "spades(north) > 4 ? 1 : hearts(north)"),
        (expression("hcp( north )"), "hcp(north)"),
        (expression(Number(3)), "3"),
        (expression(hcp("N")), "hcp(north)"),
    ],
)  # fmt: skip
def test_python_builds_what_texts_build(built: Expression, text: str) -> None:
    assert built.node == parse_expression(text)
    assert expression(str(built)).node == built.node


@pytest.mark.parametrize("row", FUNCTIONS.values(), ids=FUNCTIONS)
def test_each_row_of_the_table(row: Function) -> None:
    """A row is documented, its examples are expressions that have values, and it is a function."""
    assert row.meaning
    for example in row.example.split(" or "):
        node = parse_expression(example)
        assert isinstance(evaluate(node, pav.numbering("deal")[5], tricks=lambda *_: 9), int)
        assert pickle.loads(pickle.dumps(node)) is node or node.is_loose
    manual = (ROOT / "docs" / "constraints" / "language.md").read_text(encoding="utf-8")
    for word in (row.name, *row.spellings, *row.elsewhere):
        assert re.search(rf"\b{word}\b", manual), f"{word} is not in the manual"
    if isinstance(row, BySeat) and not row.name.startswith("pt"):
        assert str(getattr(face, row.name)("N")) == f"{row.name}(north)"


def test_an_expression_is_neither_true_nor_false() -> None:
    test = hcp("N") > 12
    for use in (
        lambda: bool(test),
        lambda: not test,
        lambda: 12 <= hcp("N") <= 14,
        lambda: test in [hcp("S"), hcp("E")],
    ):
        with pytest.raises(TypeError, match=r"write \(a\) & \(b\)"):
            use()


def test_an_expression_cannot_be_changed() -> None:
    test = hcp("N")
    with pytest.raises(AttributeError):
        test.node = Number(1)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del test.node
    with pytest.raises(TypeError):
        hash(test)
    assert pickle.loads(pickle.dumps(test)).node == test.node
    assert repr(test) == "expression('hcp(north)')"


def test_what_does_not_go_together() -> None:
    for wrong in ("5", None, 1.5, [1]):
        with pytest.raises(TypeError, match="expected an expression or an integer"):
            hcp("N") + wrong  # type: ignore[arg-type, operator]
        with pytest.raises(TypeError, match="expected an expression or an integer"):
            hcp("N") == wrong  # noqa: B015
    with pytest.raises(TypeError):
        Expression(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes a function"):
        condition(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        expression(1.5)  # type: ignore[arg-type]
    with pytest.raises(PavError, match="division by 0"):
        hcp("N") // 0
    with pytest.raises(TextError):
        expression("hcp(")
    with pytest.raises(UnknownNameError, match="did you mean 'spades'"):
        hcp("N", "spadse")
    with pytest.raises(UnknownNameError, match="no seat"):
        hcp("X")
    with pytest.raises(UnknownNameError, match="no card"):
        hascard("N", "ZZ")
    with pytest.raises(PavError, match="sum to 13"):
        shape("N", [(5, 5, 5, 5)])
    with pytest.raises(PavError, match="1 to 13 numbers"):
        points("N", [])


def test_functions_of_python_are_conditions() -> None:
    @condition
    def has_void(deal: Deal) -> bool:
        return any(0 in hand.shape for hand in deal)

    assert str(has_void) == "<has_void>"
    deal = Deal.from_pbn(DEAL)
    assert evaluate((has_void | (hcp("N") > 0)).node, deal) == 1
    assert evaluate(has_void.node, deal) == 0


def test_minus_of_a_number_is_a_number() -> None:
    node: Node = (-hcp("N")).node
    assert isinstance(node, Negate)
    assert (-expression(5)).node == Number(-5)


DEEPEN: dict[str, Callable[[Expression], Expression]] = {
    "not": lambda inner: ~inner,
    "minus": lambda inner: -inner,
    "plus": lambda inner: inner + 1,
    "added to": lambda inner: 1 + inner,
    "compared": lambda inner: inner >= 1,
    "and, or": lambda inner: (inner & 1) | 0,
    "then": lambda inner: inner.then(1, 0),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DEEPEN)
def test_expressions_are_built_on_each_other_as_often_as_one_likes(name: str) -> None:
    deal = Deal.from_pbn(DEAL)
    inner = hcp("N")
    for _ in range(1200):
        inner = DEEPEN[name](inner)
    assert expression(str(inner)).node is inner.node
    assert pickle.loads(pickle.dumps(inner)).node is inner.node
    assert isinstance(evaluate(inner.node, deal), int)
    assert inner.values(np.frombuffer(deal.owners, np.uint8)[None])[0] == evaluate(inner.node, deal)


@pytest.mark.slow
def test_diagrams_are_made_as_deep_as_expressions_go() -> None:
    inner = hcp("N")
    for _ in range(401):
        inner = ~inner
    assert deals(inner).cardinality == deals(hcp("N") == 0).cardinality


@pytest.mark.slow
def test_a_chain_of_nodes_may_be_deeper_than_python_goes() -> None:
    node: Node = Number(1)
    for _ in range(20_000):
        node = Negate(node)
    assert evaluate(Expression(node).node, Deal.from_pbn(DEAL)) == 1


@pytest.mark.slow
def test_what_doubles_with_every_step_stays_small() -> None:
    inner, test = hcp("N"), hcp("N") > 9
    for _ in range(300):
        inner, test = inner + inner, test & test
    assert evaluate(inner.node, Deal.from_pbn(DEAL)) == 10 << 300
    assert len(test.parts) < 20_000


@pytest.mark.slow
@pytest.mark.parametrize("side", ["left", "right"])
def test_long_chains_are_flat(side: str) -> None:
    deal = Deal.from_pbn(DEAL)
    test = hcp("N") == 0
    for n in range(1, 2000):
        test = test | (hcp("N") == n) if side == "left" else (hcp("N") == n) | test
    assert len(test.node.parts) == 2000  # type: ignore[attr-defined]
    assert evaluate(test.node, deal) == 1
    both = ~test & 1
    assert evaluate(both.node, deal) == 0
    assert expression(str(both)).node == both.node


def test_the_parts_of_a_condition() -> None:
    test = (hcp("N") > 12) & 1 & ((spades("N") > 4) | (hearts("N") > 4))
    assert [str(part) for part in test.parts] == [
        "hcp(north) > 12",
        "spades(north) > 4 || hearts(north) > 4",
    ]
    assert [str(part) for part in (hcp("N") > 12).parts] == ["hcp(north) > 12"]
    assert expression(1).parts == ()
    assert [str(part) for part in expression(0).parts] == ["0"]


def test_a_draw_stays_one_draw_wherever_its_variable_stands() -> None:
    die = expression("rnd(6)")
    test = (die == 1) | (die == 6) | (die == 3)
    assert str(test) == "rnd(6, 1) == 1 || rnd(6, 1) == 6 || rnd(6, 1) == 3"
    assert expression(str(test)).node == test.node
    assert pickle.loads(pickle.dumps(test)).node == test.node
    other = expression("rnd(6) == 1 || rnd(6) == 6 || rnd(6) == 3")
    assert str(other) == "rnd(6) == 1 || rnd(6) == 6 || rnd(6) == 3"
    assert other.node != test.node
    deal = Deal.from_pbn(DEAL)
    draws = iter([2, 2, 1, 3])
    assert evaluate(other.node, deal, random=lambda _: next(draws)) == 0
    assert evaluate(test.node, deal, random=lambda _: next(draws)) == 1
    assert str(die + die + expression("rnd(6, 1)")) == "rnd(6, 2) + rnd(6, 2) + rnd(6, 1)"
    assert str(die + expression("rnd(6)")) == "rnd(6) + rnd(6)"


def test_warnings_point_at_the_caller() -> None:
    with pytest.warns(ConstraintWarning, match=r"read as a <= b && b <= c") as found:
        expression("5 <= hcp(north) <= 7")
    assert found[0].filename == __file__
    with pytest.warns(ConstraintWarning, match="'16' is always true") as found:
        deals("hcp(north) == 15 or 16")
    assert found[0].filename == __file__
    with pytest.warns(ConstraintWarning, match="'15' is always true"):
        deals("15")
    assert str(expression("15")) == "15"


def test_what_is_no_layout_and_no_condition() -> None:
    with pytest.raises(TypeError, match="a Layout or Deal is expected"):
        pav.expression("1").value("N:- - - -")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"not 'function'; .*condition makes one of a function"):
        pav.deals(lambda deal: deal.north.hcp > 12)  # type: ignore[call-overload]
