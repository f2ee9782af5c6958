# ruff: noqa: ARG005 (tests of shapes take four lengths)
"""Classes and functions of shapes: against their definitions, over all 560."""

from __future__ import annotations

import json
import pickle
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
from pavcodec.constraints.expressions import shape
from pavcodec.shapes import SHAPES, Shape, hands_of_shape, shape_index, shape_indexes

HANDS = comb(52, 13)
BALANCED = "any 4333 + any 4432 + any 5332"

PATTERNS = {
    "4-4-3-2": 136852887600,
    "5-3-3-2": 98534079072,
    "5-4-3-1": 82111732560,
    "5-4-2-2": 67182326640,
    "4-3-3-3": 66905856160,
    "6-3-2-2": 35830574208,
    "6-4-2-1": 29858811840,
    "6-3-3-1": 21896462016,
    "5-5-2-1": 20154697992,
    "4-4-4-1": 19007345500,
    "7-3-2-1": 11943524736,
    "6-4-3-0": 8421716160,
    "5-4-4-0": 7895358900,
    "5-5-3-0": 5684658408,
    "6-5-1-1": 4478821776,
    "6-5-2-0": 4134297024,
    "7-2-2-2": 3257324928,
    "7-4-1-1": 2488234320,
    "7-4-2-0": 2296831680,
    "7-3-3-0": 1684343232,
    "8-2-2-1": 1221496848,
    "8-3-1-1": 746470296,
    "7-5-1-0": 689049504,
    "8-3-2-0": 689049504,
    "6-6-1-0": 459366336,
    "8-4-1-0": 287103960,
    "9-2-1-1": 113101560,
    "9-3-1-0": 63800880,
    "9-2-2-0": 52200720,
    "7-6-0-0": 35335872,
    "8-5-0-0": 19876428,
    "10-2-1-0": 6960096,
    "9-4-0-0": 6134700,
    "10-1-1-1": 2513368,
    "10-3-0-0": 981552,
    "11-1-1-0": 158184,
    "11-2-0-0": 73008,
    "12-1-0-0": 2028,
    "13-0-0-0": 4,
}
"""The published hands of each pattern, the most frequent first."""

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


@pytest.mark.slow
def test_an_expression_means_what_it_means_in_conditions() -> None:
    lengths = {"s": "spades(south)", "h": "hearts(south)", "d": "diamonds(south)"}
    text = "3*s - h > 5 && (d < s ? h != 2 : s % 3 == 1)"
    condition = "".join(lengths.get(letter, letter) for letter in text)
    found = pav.deals(condition).cardinality
    assert found == pav.deals(shape("south", shape_class(text))).cardinality
    assert found == shape_class(text).hands * comb(39, 13) * comb(26, 13)


@pytest.mark.slow
def test_totals() -> None:
    by_pattern = ShapeFunction(lambda *lengths: "-".join(map(str, sorted(lengths)[::-1])))
    hands = {pattern: by_pattern.where(pattern).hands for pattern in by_pattern.distinct_values}
    assert hands == PATTERNS
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


def test_what_may_mean_something_else() -> None:
    with pytest.warns(pav.ConstraintWarning, match="'6' is always true"):
        shape_class("s == 5 or 6")


def test_a_function_of_an_expression() -> None:
    gap = shape_function("s - h")
    assert dict(gap) == {each: each[0] - each[1] for each in SHAPES}


def test_functions_store_each_value_once() -> None:
    asked = 0

    @ShapeFunction
    def spread(s: int, h: int, d: int, c: int) -> list[int]:
        nonlocal asked
        asked += 1
        return [max(s, h, d, c) - min(s, h, d, c)]  # a list has no hash

    assert asked == 0
    assert spread[4, 3, 3, 3] == [1]
    assert spread[4, 3, 3, 3] is spread(3, 3, 3, 4)
    assert asked == 560
    assert len(spread.distinct_values) == 13
    assert all(spread[each] == [max(each) - min(each)] for each in SHAPES)
    assert spread.where([1]) == shape_class("any 4333")
    assert not spread.where([0])
    with pytest.raises(KeyError):
        spread[4, 4, 4, 4]


def test_values_of_other_types_are_other_values() -> None:
    mixed = ShapeFunction(lambda s, h, d, c: True if s > 6 else 1 if h > 6 else 1.0)
    assert list(map(repr, mixed.distinct_values)) == ["1.0", "1", "True"]
    assert mixed[7, 2, 2, 2] is True


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


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["shapes", *arguments, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.slow
def test_the_command_sorts_by_probability(capsys: pytest.CaptureFixture[str]) -> None:
    rows = run_json(capsys, "--sort", "probability")["shapes"]
    assert isinstance(rows, list)
    shapes = [SHAPES[row["index"]] for row in rows]
    assert sorted(shapes[0]) == [3, 3, 3, 4]
    assert shapes == sorted(SHAPES, key=lambda shape: (-hands_of_shape(shape), shape_index(shape)))
    assert main(["shapes", "any 7222 + any 4333", "--sort", "probability"]) == 0
    words = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[2] for row in words[2:10]] == ["4-3-3-3"] * 4 + ["7-2-2-2"] * 4
    assert run_json(capsys, "--sort", "index") == run_json(capsys)
    by_pattern = run_json(capsys, "--patterns")
    assert run_json(capsys, "--patterns", "--sort", "probability") == by_pattern
    assert main(["shapes", "--patterns", "--sort", "index"]) == 2
    assert "patterns have no index" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (
            "5432",
            2,
            (
                "pavcodec shapes: a shape has 13 cards, and 5432 has 14 "
                "(see 'pavcodec shapes --help')\n  5432\n  ^^^^\n"
            ),
        ),
        ("13/(s-5)", 1, "pavcodec shapes: '13/(s-5)' has no value for 5=0=0=8: division by 0\n"),
        (
            "s == 5 or 6",
            0,
            "warning: '6' is always true, whatever the deal; another value is written s == 6\n",
        ),
    ],
)
def test_the_command_says_what_is_wrong(
    text: str, code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shapes", text]) == code
    assert capsys.readouterr().err == message
