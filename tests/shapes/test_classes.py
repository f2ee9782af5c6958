# ruff: noqa: ARG005 (tests of shapes take four lengths)
"""Classes and functions of shapes: against their definitions, over all 560."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec import ShapeClass, ShapeFunction, shape_class, shape_function
from pavcodec.cli import main
from pavcodec.shapes import SHAPES, Shape, hands_of_shape, shape_index, shape_indexes

HANDS = comb(52, 13)
BALANCED = "any 4333 + any 4432 + any 5332"


EXPRESSIONS: dict[str, Callable[[int, int, int, int], object]] = {
    "s*s + h*h + d*d + c*c <= 47": lambda s, h, d, c: s * s + h * h + d * d + c * c <= 47,
    "s >= 5 && h >= 5 || d+c == 0": lambda s, h, d, c: (s >= 5 and h >= 5) or d + c == 0,
    "not (s > h) and 4 <= d and d <= 6": lambda s, h, d, c: s <= h and 4 <= d <= 6,
    "s % 2 ? h / 2 == 1 : c": lambda s, h, d, c: h // 2 == 1 if s % 2 else c,
    "s - h": lambda s, h, d, c: s != h,
    "!(d - c)": lambda s, h, d, c: d == c,
}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_an_expression_is_what_it_says(text: str) -> None:
    expected = {each for each in SHAPES if EXPRESSIONS[text](*each)}
    assert shape_class(text) == expected
    assert shape_class(EXPRESSIONS[text]) == expected
    assert shape_class(expected) == expected


def test_totals() -> None:
    assert sum(map(hands_of_shape, SHAPES)) == HANDS
    assert shape_class("xxxx").probability == 1
    assert shape_class(BALANCED).hands == 302292822832
    for length in range(14):
        assert shape_class(f"s == {length}").hands == comb(13, length) * comb(39, 13 - length)


def test_a_class_is_asked_once_for_each_shape_and_not_before_it_is_used() -> None:
    asked: list[Shape] = []

    @shape_class
    def long_spades(s: int, h: int, d: int, c: int) -> bool:
        asked.append((s, h, d, c))
        return s > 6

    both = ~(long_spades | ShapeClass("any 4333")) - long_spades
    assert not asked
    assert (4, 4, 3, 2) in both
    assert (7, 2, 2, 2) in long_spades
    assert len(both) + len(long_spades) + 4 == 560
    assert sorted(asked) == sorted(SHAPES)


sets = st.frozensets(st.sampled_from(SHAPES))


@pytest.mark.slow
@given(sets, sets)
@settings(deadline=None)
def test_set_algebra(one: frozenset[Shape], other: frozenset[Shape]) -> None:
    a, b = ShapeClass(one), ShapeClass(other)
    assert (a | b).shapes == one | other
    assert (a & b).shapes == one & other
    assert (a - b).shapes == one - other
    assert (a ^ b).shapes == one ^ other
    assert (~a).shapes == frozenset(SHAPES) - one
    assert ~~a == a == one
    assert ~(a | b) == ~a & ~b
    assert a | other == a | b
    assert (a <= b) == (one <= other)
    assert (a | b).hands + (a & b).hands == a.hands + b.hands
    assert list(a) == sorted(one, key=shape_index)
    assert hash(a) == hash(one)
    assert (a == b) == (one == other)
    assert shape_class(str(a)) == a


def test_what_is_no_class() -> None:
    with pytest.raises(pav.PavError, match="four lengths that sum to 13, not"):
        ShapeClass([(4, 4, 4, 4)])
    with pytest.raises(TypeError, match="combined with shapes, not with 'int'"):
        ShapeClass("4333") | 5  # type: ignore[operator]
    with pytest.raises(pav.PavError, match="has 560 bits"):
        ShapeClass.of_bits(1 << 560)
    assert ShapeClass("4333") != 5
    assert (4, 4, 4, 4) not in ShapeClass("xxxx")
    with pytest.raises(pav.PavError, match="no value for 5=0=0=8: division by 0"):
        len(shape_class("13 / (s - 5) > 2"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hcp(north) > 3", "only the lengths s, h, d and c"),
        ("s > 3 && shape(north, 5xxx)", "only the lengths s, h, d and c"),
        ("points(north, 3 2 1) > s", "only the lengths s, h, d and c"),
        ("s > x", "no variable is called 'x'; known: s, h, d, c"),
        ("s >", "expected an expression, not the end"),
        ("5432", "a shape has 13 cards, and 5432 has 14"),
        ("", "expected a shape"),
    ],
)
def test_what_is_no_text_of_a_class(text: str, reason: str) -> None:
    with pytest.raises(pav.TextError, match=reason):
        shape_class(text)


def test_functions_store_each_value_once() -> None:
    assert dict(shape_function("s - h")) == {each: each[0] - each[1] for each in SHAPES}
    asked = Counter[Shape]()

    @ShapeFunction
    def spread(*lengths: int) -> list[int]:
        asked[lengths] += 1  # type: ignore[index]
        return [max(lengths) - min(lengths)]  # a list has no hash

    assert not asked
    assert spread[4, 3, 3, 3] is spread(3, 3, 3, 4)
    assert asked == dict.fromkeys(SHAPES, 1)
    assert dict(spread) == {each: [max(each) - min(each)] for each in SHAPES}
    assert len(spread.distinct_values) == 13
    assert spread.where([1]) == shape_class("any 4333")
    assert not spread.where([0])
    with pytest.raises(KeyError):
        spread[4, 4, 4, 4]
    mixed = ShapeFunction(lambda s, h, d, c: True if s > 6 else 1 if h > 6 else 1.0)
    assert list(map(repr, mixed.distinct_values)) == ["1.0", "1", "True"]


def test_pickles_keep_the_table() -> None:
    balanced = shape_class("s*s + h*h + d*d + c*c <= 47")
    assert pickle.loads(pickle.dumps(balanced)) == balanced
    assert repr(balanced) == f"ShapeClass({BALANCED!r})"
    longest = ShapeFunction(lambda *lengths: max(lengths))
    assert dict(pickle.loads(pickle.dumps(longest))) == dict(longest)
    assert repr(longest) == "<function of shapes with 10 values>"


def test_many_hands() -> None:
    deals = pav.numbering("deal").sample(300, seed=7)
    owners = np.frombuffer(b"".join(deal.owners for deal in deals), np.uint8).reshape(-1, 52)
    balanced, longest = shape_class(BALANCED), ShapeFunction(lambda *lengths: max(lengths))
    for seat in pav.Seat:
        shapes = [deal[seat].shape for deal in deals]
        assert shape_indexes(owners, seat).tolist() == list(map(shape_index, shapes))
        assert balanced.contains_many(owners, seat).tolist() == [s in balanced for s in shapes]
        places = longest.places_many(owners, seat.letter)
        assert [longest.distinct_values[place] for place in places] == list(map(max, shapes))
    assert shape_indexes(owners[:0], "N").tolist() == []
    for each in SHAPES:  # every shape there is, in chunks
        row = [0 if rank < each[suit] else 1 for suit, rank in product(range(4), range(13))]
        assert shape_indexes(np.array([row], np.uint8), "N").tolist() == [shape_index(each)]


def test_many_hands_that_are_none() -> None:
    owners = pav.numbering("deal").sample_many(20000, seed=7)
    owners[18000, :] = 4
    with pytest.raises(pav.LayoutError, match="row 18000: a shape has 13 cards, and East holds 0"):
        shape_class("4333").contains_many(owners, "E")
    owners = pav.numbering("deal").sample_many(20000, seed=7)
    owners[17000, owners[17000] == 3] = 200
    for ask in (shape_class("4333").contains_many, ShapeFunction(max).places_many):
        with pytest.raises(pav.LayoutError, match="row 17000: an owner is 0 to 4, not 200"):
            ask(owners, "E")
    with pytest.raises(pav.UnknownNameError, match="no seat has the number 9; expected N, E, S"):
        shape_class("4333").contains_many(owners, 9)
    with pytest.raises(TypeError, match=r"uint8\[n, 52\], not int64\[3, 52\]"):
        shape_class("4333").contains_many(np.zeros((3, 52), np.int64), "E")
    with pytest.raises(TypeError, match="not 'list'"):
        shape_class("4333").contains_many([], "E")  # type: ignore[arg-type]


SHOWN = "a shape has 13 cards, and 5432 has 14 (see 'pavcodec shapes --help')\n  5432\n  ^^^^\n"
WARNED = "'6' is always true, whatever the deal; another value is written s == 6\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["5432"], 2, f"pavcodec shapes: {SHOWN}"),
        (["13/(s-5)"], 1, "pavcodec shapes: '13/(s-5)' has no value for 5=0=0=8: division by 0\n"),
        (["s == 5 or 6"], 0, f"warning: {WARNED}"),
        (["--patterns", "--sort", "index"], 2, "patterns have no index"),
    ],
)
def test_the_command_says_what_is_wrong(
    words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shapes", *words]) == code
    assert message in capsys.readouterr().err
