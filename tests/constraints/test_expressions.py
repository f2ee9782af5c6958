"""The Python face: operators and functions build the trees that texts build."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
from formats_support import DEAL

from pavcodec import Card, Deal, PavError, Seat, Suit, TextError, UnknownNameError
from pavcodec.constraints import expressions as face
from pavcodec.constraints.evaluate import evaluate
from pavcodec.constraints.expressions import (
    Expression,
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
from pavcodec.constraints.parser import parse_expression
from pavcodec.constraints.syntax import Negate, Node, Number


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


@pytest.mark.parametrize("name", face.__all__)
def test_every_function_is_named_as_in_the_language(name: str) -> None:
    function: Callable[..., Expression] = getattr(face, name)
    if name not in {"Expression", "condition", "expression", "points", "shape", "hascard"}:
        suit = ["S"] if name == "quality" else []
        assert str(function("N", *suit)).startswith(f"{name}(north")


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
        test.node = Number(1)
    with pytest.raises(AttributeError):
        del test.node
    with pytest.raises(TypeError):
        hash(test)
    assert pickle.loads(pickle.dumps(test)).node == test.node
    assert repr(test) == "expression('hcp(north)')"


def test_what_does_not_go_together() -> None:
    for wrong in ("5", None, 1.5, [1]):
        with pytest.raises(TypeError, match="goes with expressions and integers"):
            hcp("N") + wrong  # type: ignore[operator]
        with pytest.raises(TypeError, match="goes with expressions and integers"):
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
