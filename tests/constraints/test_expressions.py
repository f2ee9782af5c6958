"""The Python face: operators and functions build the trees that texts build."""

from __future__ import annotations

import operator
import pickle
import re
from collections.abc import Callable
from functools import partial
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
        (top3("N", 0) + c13("W"), "top3(north, spades) + c13(west)"),
        (points("S", "4 3 2 1 1"), "points(south, 4 3 2 1 1)"),
        (points("S", [1, 0, 2], "diamonds"), "points(south, diamonds, 1 0 2)"),
        (losers("E") + losers("E", "S"), "losers(east) + losers(east, spades)"),
        (quality("E", "S") + cccc("E"), "quality(east, spades) + cccc(east)"),
        (shape("N", "any 4333 + 5xxx"), "shape(north, any 4333 + 5xxx)"),
        (shape("N", [(4, 3, 3, 3), (3, 4, 3, 3)]), "shape(north, 4333 + 3433)"),
        (hascard("N", "SA"), "hascard(north, AS)"),
        (hascard("N", "10c"), "hascard(north, TC)"),
        (hascard("N", Card(51)), "hascard(north, 2C)"),
        (1 + spades("N") * 2 - hearts("E"), "1 + spades(north) * 2 - hearts(east)"),
        (10 - spades("N") // 2 % 3, "10 - spades(north) / 2 % 3"),
        (2 * clubs("N") + 7 // diamonds("N") + 8 % clubs("E"),
         "2 * clubs(north) + 7 / diamonds(north) + 8 % clubs(east)"),
        (-spades("N") == -expression(3), "-spades(north) == -3"),
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


def test_an_expression_is_neither_true_nor_false_and_cannot_be_changed() -> None:
    test = hcp("N") > 12
    for use in (lambda: bool(test), lambda: 12 <= hcp("N") <= 14, lambda: hcp("S") in (test, 1)):
        with pytest.raises(TypeError, match=r"write \(a\) & \(b\)"):
            use()
    with pytest.raises(AttributeError):
        test.node = Number(1)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del test.node
    with pytest.raises(TypeError):
        hash(test)
    assert repr(test) == "expression('hcp(north) > 12')"


WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    *(
        (partial(use, hcp("N"), wrong), TypeError, "expected an expression or an integer")
        for wrong in ("5", None, 1.5, [1])
        for use in (operator.add, operator.eq)
    ),
    (lambda: Expression(5), TypeError, "an Expression holds a node"),  # type: ignore[arg-type]
    (lambda: condition(5), TypeError, "takes a function"),  # type: ignore[arg-type]
    (lambda: expression(1.5), TypeError, "1.5|float"),  # type: ignore[arg-type]
    (lambda: hcp("N") // 0, PavError, "division by 0"),
    (lambda: expression("hcp("), TextError, "expected an expression"),
    (lambda: hcp("N", "spadse"), UnknownNameError, "did you mean 'spades'"),
    (lambda: hcp("X"), UnknownNameError, "no seat"),
    (lambda: hascard("N", "ZZ"), UnknownNameError, "no card"),
    (lambda: shape("N", [(5, 5, 5, 5)]), PavError, "sum to 13"),
    (lambda: points("N", []), PavError, "1 to 13 numbers"),
    (lambda: expression("1").value("N:- - - -"), TypeError, "a Layout or Deal is expected"),  # type: ignore[arg-type]
    (lambda: deals(lambda _: True), TypeError, "not 'function'; .*condition makes one of"),  # type: ignore[call-overload]
]


@pytest.mark.parametrize(("use", "error", "message"), WRONG)
def test_what_does_not_go_together(
    use: Callable[[], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        use()


def test_minus_of_a_number_is_a_number() -> None:
    node: Node = (-hcp("N")).node
    assert isinstance(node, Negate)
    assert (-expression(5)).node == Number(-5)


DEEPEN: list[Callable[[Expression], Expression]] = [
    lambda inner: ~inner,
    lambda inner: -inner,
    lambda inner: inner + 1,
    lambda inner: 1 + inner,
    lambda inner: inner >= 1,
    lambda inner: (inner & 1) | 0,
    lambda inner: inner.then(1, 0),
]


@pytest.mark.slow
def test_expressions_are_built_on_each_other_as_often_as_one_likes() -> None:
    deal = Deal.from_pbn(DEAL)
    inner = hcp("N")
    for place in range(1400):
        inner = DEEPEN[place % len(DEEPEN)](inner)
    value = evaluate(inner.node, deal)
    assert expression(str(inner)).node is inner.node
    assert pickle.loads(pickle.dumps(inner)).node is inner.node
    assert inner.values(np.frombuffer(deal.owners, np.uint8)[None])[0] == value
    node: Node = Number(1)
    for _ in range(5000):
        node = Negate(node)
    assert evaluate(Expression(node).node, deal) == 1


@pytest.mark.slow
def test_what_doubles_with_every_step_stays_small() -> None:
    inner, test = hcp("N"), hcp("N") > 9
    for _ in range(300):
        inner, test = inner + inner, test & test
    assert evaluate(inner.node, Deal.from_pbn(DEAL)) == 10 << 300
    assert len(test.parts) < 20_000


@pytest.mark.slow
def test_long_chains_are_flat() -> None:
    left = right = hcp("N") == 0
    for n in range(1, 500):
        left, right = left | (hcp("N") == n), (hcp("N") == n) | right
    for test in (left, right):
        assert len(test.node.parts) == 500  # type: ignore[attr-defined]
        assert evaluate(test.node, Deal.from_pbn(DEAL)) == 1
        both = ~test & 1
        assert expression(str(both)).node == both.node


def test_the_parts_of_a_condition() -> None:
    test = (hcp("N") > 12) & 1 & ((spades("N") > 4) | (hearts("N") > 4))
    assert list(map(str, test.parts)) == [
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
    assert expression("rnd(6) == 1 || rnd(6) == 6 || rnd(6) == 3").node != test.node
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
