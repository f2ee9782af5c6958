"""The five tables of the study, row by row, and what it says of them."""

from __future__ import annotations

from math import comb, prod

import pytest
from cases_support import CONDITIONS, STUDY, TOTALS, as_in_the_study

import pavcodec as pav
from pavcodec.studies.cases import CaseTable, case_table


@pytest.fixture(scope="module")
def tables() -> dict[str, CaseTable]:
    """The tables as they are made here."""
    return {name: case_table(where) for name, where in CONDITIONS.items()}


def test_there_are_155_rows() -> None:
    assert sum(map(len, STUDY.values())) == 155


@pytest.mark.slow
@pytest.mark.parametrize("name", CONDITIONS)
def test_every_row_is_as_printed(name: str, tables: dict[str, CaseTable]) -> None:
    table = tables[name]
    assert [as_in_the_study(row) for row in table.rows()] == STUDY[name]
    assert len(table) == len(STUDY[name])
    assert table.cardinality == TOTALS[name]


@pytest.mark.parametrize("name", CONDITIONS)
def test_ways_are_what_the_calculation_says(name: str, tables: dict[str, CaseTable]) -> None:
    table = tables[name]
    for place, row in enumerate(table.rows()):
        assert prod(comb(*factor) for factor in table.plan.factors(row.case)) == row.ways
        assert table.row(place) == row
        assert table.select(row.total - 1) == table.select(row.total - row.ways) == place


def test_the_numbers_of_the_study_pick_its_cases(tables: dict[str, CaseTable]) -> None:
    sides = tables["west-9-spades-east-6-6-minors"]
    place = sides.select(277777777777777)
    assert (place + 1, sides.row(place).hands) == (8, ["9=2=2=0", "0=1=6=6"])
    hands = tables["north-3-hcp"]
    assert hands.select(8673163632) + 1 == 15
    assert hands.select(8673163631) + 1 == 14


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("spades(west) == 9 && shape(east, xx66)", "shape(east, xx66) && spades(west) == 9"),
        ("hcp(north) == 2 && hcp(south) <= 1", "hcp(south) <= 1 && hcp(north) == 2"),
        (
            "shape(north, 4333) && hcp(north) >= 29 && shape(south, 5431) && hcp(south) == 3",
            "shape(south, 5431) && hcp(south) == 3 && shape(north, 4333) && hcp(north) >= 29",
        ),
    ],
)
def test_the_order_of_the_hands_does_not_matter(one: str, other: str) -> None:
    first, second = case_table(one), case_table(other)
    assert first.plan.seats == second.plan.seats[::-1]
    assert (len(first), first.cardinality) == (len(second), second.cardinality)
    ways = {tuple(row.hands): row.ways for row in first.rows()}
    assert {tuple(row.hands[::-1]): row.ways for row in second.rows()} == ways


@pytest.mark.slow
@pytest.mark.parametrize(
    "where", [*CONDITIONS.values(), "losers(north) <= 2 && spades(north) == 6"]
)
def test_the_total_is_that_of_the_exact_model(where: str) -> None:
    exact = pav.deals(where)
    assert isinstance(exact, pav.ConstrainedDeals)
    assert case_table(where).deals.cardinality == exact.cardinality


@pytest.mark.slow
def test_the_order_of_patterns_and_honours() -> None:
    deck = case_table("spades(west) == 9").plan.deck
    assert len(deck.shapes) == 560
    assert [deck.shapes[place] for place in (0, 4, 16, 559)] == [
        (4, 3, 3, 3),
        (4, 4, 3, 2),
        (4, 4, 4, 1),
        (0, 0, 0, 13),
    ]
    assert len(deck.maps) == 65399
    by_points: dict[int, list[int]] = {}
    for honours in deck.maps.tolist():
        by_points.setdefault(int(deck.points[honours]), []).append(honours)
    assert list(by_points) == list(range(38))
    assert max(map(len, by_points.values())) == 4658
    assert all(maps == sorted(maps, reverse=True) for maps in by_points.values())
