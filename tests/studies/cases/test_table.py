"""Case tables as sequences, their arithmetic, and what they refuse."""

from __future__ import annotations

import pickle
from itertools import product
from math import comb, prod

import pytest

from pavcodec import NumberError, TextError
from pavcodec.shapes import SHAPES, shape_index
from pavcodec.studies.cases import NotCasesError, case_table
from pavcodec.studies.cases.cells import BRIDGE

TABLE = case_table("spades(west) == 9 && shape(east, xx66)")


def test_a_table_is_a_sequence() -> None:
    cases = list(TABLE)
    assert len(TABLE) == len(cases) == 30
    assert TABLE[-1] == cases[-1] == TABLE[29]
    assert TABLE[3:9] == cases[3:9]
    assert TABLE[::-7] == cases[::-7]
    assert TABLE[9:3] == []
    assert cases[7] in TABLE
    for past in (30, -31):
        with pytest.raises(IndexError, match="past the end of a length of 30"):
            TABLE[past]


def test_places_of_cases() -> None:
    assert [TABLE.place_of(case) for case in TABLE] == list(range(30))
    other = TABLE[0]._replace(first_pattern=BRIDGE.index_of((0, 0, 0, 13)))
    assert TABLE.place_of(other) is None


def test_numbers_outside_are_refused() -> None:
    for wrong in (-1, TABLE.cardinality):
        with pytest.raises(NumberError, match="a number of 0 to 556991252531999"):
            TABLE.select(wrong)
    with pytest.raises(TypeError):
        TABLE.select(1.0)  # type: ignore[arg-type]
    nothing = case_table("hcp(north) > 37")
    assert (len(nothing), nothing.cardinality, list(nothing)) == (0, 0, [])
    with pytest.raises(NumberError, match="no cases"):
        nothing.select(0)


def test_the_patterns_of_records_are_the_560_shapes() -> None:
    assert [BRIDGE.index_of(shape) for shape in SHAPES] == list(range(560))
    assert all(BRIDGE.index_of(shape) == shape_index(shape) for shape in SHAPES)


@pytest.mark.slow
def test_no_case_has_more_ways_than_a_word_holds() -> None:
    def ways(first: tuple[int, ...], second: tuple[int, ...]) -> int:
        pairs = zip(first, second, strict=True)
        return prod(comb(13, one) * comb(13 - one, other) for one, other in pairs)

    assert max(ways(*pair) for pair in product(SHAPES, repeat=2)) < 1 << 64
    assert comb(36, 13) * comb(23, 13) < 1 << 64


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("tens(north) == 1", "'tens(north)' does not depend on shape and honours"),
        ("quality(north, spades) > 500", "'quality(north, spades)' does not depend"),
        ("hascard(north, ST)", "'hascard(north, TS)' does not depend on shape and honours"),
        ("hcp(north) > 9 && rnd(2) == 1", "'rnd(2)' does not depend on shape and honours"),
        ("hcp(north) + hcp(south) >= 25", "depends on more than one hand (north and south)"),
        ("hcp(north) > 15 || hcp(south) > 15", "depends on more than one hand (north and south)"),
        ("1", "one hand or two; this condition has none"),
        ("1 == 1", "'1 == 1' depends on no hand"),
        ("aces(north) && aces(east) && aces(west)", "this condition has north, east, west"),
        ("hcp(north) / aces(north) > 3", "makes no cases: division by 0"),
        ("hcp(north) > 9 && spades(south) > 3", "too many to go through"),
    ],
)
def test_what_makes_no_cases(where: str, reason: str) -> None:
    with pytest.raises(NotCasesError) as caught:
        case_table(where)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_condition() -> None:
    with pytest.raises(TextError):
        case_table("hcp(nroth) > 3")


def test_a_table_is_pickled_as_its_condition() -> None:
    twin = pickle.loads(pickle.dumps(TABLE))
    assert list(twin) == list(TABLE)
    assert twin.where == TABLE.where
