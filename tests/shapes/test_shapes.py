"""The 560 shapes, their order, and the lists in which they are written."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from marks_support import assert_fault, pairs_of

from pavcodec.shapes import SHAPES, Shape, format_shapes, parse_shapes, shape_index


def by_definition(template: str, *, is_any: bool = False) -> set[Shape]:
    """The shapes of a template, by trying all."""
    orders = set(permutations(template)) if is_any else {tuple(template)}
    return {
        shape
        for shape in SHAPES
        if any(
            all(letter in ("x", str(length)) for letter, length in zip(order, shape, strict=True))
            for order in orders
        )
    }


def test_the_order_is_squashed() -> None:
    assert len(SHAPES) == len(set(SHAPES)) == 560
    assert all(sum(shape) == 13 and min(shape) >= 0 for shape in SHAPES)
    bars = sorted(combinations(range(16), 3), key=lambda places: places[::-1])
    assert [(s, h - s - 1, d - h - 1, 15 - d) for s, h, d in bars] == list(SHAPES)
    assert [shape_index(shape) for shape in SHAPES] == list(range(560))
    assert SHAPES[252] == (4, 3, 3, 3)
    assert SHAPES[414] == (5, 4, 3, 1)


@pytest.mark.parametrize("shape", [(4, 4, 4, 4), (14, -1, 0, 0), (0, 0, 0, 0)])
def test_what_is_no_shape(shape: Shape) -> None:
    with pytest.raises(ValueError, match="four lengths that sum to 13"):
        shape_index(shape)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4333", {(4, 3, 3, 3)}),
        ("any 4333", by_definition("4333", is_any=True)),
        ("ANY 4333", by_definition("4333", is_any=True)),
        ("5XXX", by_definition("5xxx")),
        ("xx6x", by_definition("xx6x")),
        ("xxxx", set(SHAPES)),
        ("any 7xxx", by_definition("7xxx", is_any=True)),
        ("any 54xx", by_definition("54xx", is_any=True)),
        ("x300", {(10, 3, 0, 0)}),
        ("0x00", {(0, 13, 0, 0)}),
        ("any x111", by_definition("111x", is_any=True)),
        ("4333 + 3433", {(4, 3, 3, 3), (3, 4, 3, 3)}),
        ("4333 3433, 3343", {(4, 3, 3, 3), (3, 4, 3, 3), (3, 3, 4, 3)}),
        ("5xxx - any 5332", by_definition("5xxx") - by_definition("5332", is_any=True)),
        ("5332 - 5332 + 5332", {(5, 3, 3, 2)}),
        ("any 5332 + 4333 - any 4333", by_definition("5332", is_any=True)),
        (" any  4333-4333 ", by_definition("4333", is_any=True) - {(4, 3, 3, 3)}),
        ("4333 - 4333", set()),
        ("any 4333 + any 4432 + any 5332 - 5xxx - x5xx",
         {s for s in SHAPES if sorted(s) in ([3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5])
          and s[0] < 5 and s[1] < 5}),
    ],
)  # fmt: skip
def test_lists(text: str, expected: set[Shape]) -> None:
    assert parse_shapes(text) == expected
    assert parse_shapes(format_shapes(frozenset(expected))) == expected


FAULTS = """
any«» → expected a shape, such as 5332 or any 4333
«-»5332 → a list of shapes does not start with '-', because no shapes precede it
+ «+» 5332 → expected a shape, such as 5332 or any 4333, not '+'
5332 + «-» 4333 → expected a shape, such as 5332 or any 4333, not '-'
5332 -«» → expected a shape, such as 5332 or any 4333
any «any» 4333 → 'any' occurs twice
4333 + «5432» → a shape has 13 cards, and 5432 has 14
any «5331» → a shape has 13 cards, and 5331 has 12
«95x0» → a shape has 13 cards, and 95x0 has at least 14
«533» → a shape is four characters for S H D C, each a digit or x, not '533'
«53322» → a shape is four characters for S H D C, each a digit or x, not '53322'
«5m33» → a shape is four characters for S H D C, each a digit or x, not '5m33'
5332 «;» 4333 → ';' is not part of a list of shapes
"""


@pytest.mark.parametrize(("marked", "message"), pairs_of(FAULTS))
def test_faults_are_pointed_at(marked: str, message: str) -> None:
    assert_fault(parse_shapes, marked, message)


@pytest.mark.slow
@given(st.frozensets(st.sampled_from(SHAPES)))
@example(frozenset())
@example(frozenset(SHAPES))
@example(frozenset(SHAPES) - {(13, 0, 0, 0)})
def test_what_is_written_is_read_back(shapes: frozenset[Shape]) -> None:
    assert parse_shapes(format_shapes(shapes)) == shapes


CANONICAL = [
    *("xxxx", "xxxx - xxxx", "xx6x", "54xx", "any 4333", "any 4333 + any 4432 + any 5332"),
    *("any 4333 + 5332", "any 7xxx", "any 5xxx + any 6xxx", "5xxx - any 5332"),
    *("xxxx - any 4333", "x300", "any 111x"),
]


@pytest.mark.parametrize("text", CANONICAL)
def test_the_canonical_text_stays(text: str) -> None:
    assert format_shapes(parse_shapes(text)) == text
