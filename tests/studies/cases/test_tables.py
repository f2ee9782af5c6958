"""Case tables: those of the study row by row, toy decks whole, deals, and what makes no cases."""

from __future__ import annotations

import pickle
from collections import Counter
from math import comb, prod
from pathlib import Path

import numpy as np
import pytest
from cases_support import CONDITIONS, STUDY, TOTALS, as_in_the_study
from stream_support import deviation

import pavcodec as pav
from pavcodec import LayoutError, NumberError, Seat
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import expression
from pavcodec.records.kinds import HONOURS_OFF, PATTERN_OFF
from pavcodec.sampling import Stream
from pavcodec.shapes import SHAPES, shape_index
from pavcodec.studies.cases import (
    CaseDeals,
    CaseTable,
    case_table,
    deals_by_cases,
    open_cases,
)
from pavcodec.studies.cases.cells import BRIDGE, Plan, cells_of, read_hands
from pavcodec.studies.cases.table import SelectedDeals

# the study


@pytest.fixture(scope="module")
def tables() -> dict[str, CaseTable]:
    """The tables of the study as they are made here."""
    return {name: case_table(where) for name, where in CONDITIONS.items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", CONDITIONS)
def test_every_row_is_as_printed(name: str, tables: dict[str, CaseTable]) -> None:
    table = tables[name]
    assert [as_in_the_study(row) for row in table.rows()] == STUDY[name]
    assert len(table) == len(STUDY[name])
    exact = pav.deals(CONDITIONS[name])
    assert table.cardinality == TOTALS[name]
    assert table.deals.cardinality == exact.cardinality
    for place, row in enumerate(table.rows()):
        assert prod(comb(*factor) for factor in table.plan.factors(row.case)) == row.ways
        assert table.row(place) == row
        assert table.select(row.total - 1) == table.select(row.total - row.ways) == place


def test_the_order_of_patterns_and_honours() -> None:
    assert [BRIDGE.index_of(shape) for shape in SHAPES] == list(range(560))
    shapes = [BRIDGE.shapes[place] for place in (0, 4, 16, 559)]
    assert shapes == [(4, 3, 3, 3), (4, 4, 3, 2), (4, 4, 4, 1), (0, 0, 0, 13)]
    assert len(BRIDGE.maps) == 65399
    by_points: dict[int, list[int]] = {}
    for honours in BRIDGE.maps.tolist():
        by_points.setdefault(int(BRIDGE.points[honours]), []).append(honours)
    assert list(by_points) == list(range(38))
    assert max(map(len, by_points.values())) == 4658
    assert all(maps == sorted(maps, reverse=True) for maps in by_points.values())


# tables as sequences


TABLE = case_table("spades(west) == 9 && shape(east, xx66)")


def test_a_table_is_a_sequence() -> None:
    cases = list(TABLE)
    assert len(TABLE) == len(cases) == 30
    assert TABLE[-1] == cases[-1] == TABLE[29]
    for part in (slice(3, 9), slice(None, None, -7), slice(9, 3)):
        assert TABLE[part] == cases[part]
    assert [TABLE.place_of(case) for case in TABLE] == list(range(30))
    other = TABLE[0]._replace(first_pattern=BRIDGE.index_of((0, 0, 0, 13)))
    assert TABLE.place_of(other) is None
    twin = pickle.loads(pickle.dumps(TABLE))
    assert (list(twin), twin.where) == (cases, TABLE.where)
    assert TABLE.select(277777777777777) == 7  # as in the study
    for past, wrong in ((30, -1), (-31, TABLE.cardinality)):
        with pytest.raises(IndexError, match="past the end of a length of 30"):
            TABLE[past]
        with pytest.raises(NumberError, match="a number of 0 to 556991252531999"):
            TABLE.select(wrong)
    nothing = case_table("hcp(north) > 37")
    assert (len(nothing), nothing.cardinality, list(nothing)) == (0, 0, [])
    assert list(map(str, nothing.deals.conflict())) == ["hcp(north) > 37"]
    with pytest.raises(NumberError, match="no cases"):
        nothing.select(0)


# what hands a condition accepts, beside `evaluate` on whole deals


HANDS = [
    "spades(north) >= 5",
    "shape(north, any 4333 + 5xxx - any 5332)",
    "hcp(north, spades) > hcp(north, hearts) && spades(north) < hearts(north)",
    "controls(north) * 3 - hcp(north) % 5 > 2",
    "hascard(north, AS) && !hascard(north, KH) || aces(north) == 2",
    "losers(north, clubs) == 2 && losers(north, hearts) < clubs(north)",
    "hcp(north) + spades(north) * 2 >= 20 || shape(north, any 5431)",
    "(spades(north) > 4 ? hcp(north) >= 9 : hcp(north) >= 12) && hearts(north) < 5",
    "points(north, diamonds, 5 4 3 2 1 1 1 1 1 1 1 1 1) >= 8",
    "points(north, 999999999999999999) % 7 == 3 && hcp(north) > 3",
    "spades(north) > 0 && hcp(north) / spades(north) >= 3",
    "imps(10 * hcp(north) - 100) >= 0",
    "top3(north, spades) == 2 && 1",
    "0 && hcp(north) > 3",
]


def map_of(held: pav.Hand) -> int:
    """The honours of a hand as 16 bits, the spade ace first."""
    return sum(1 << 15 - (card // 13 * 4 + card % 13) for card in held.cards if card % 13 < 4)


@pytest.mark.slow
@pytest.mark.parametrize("where", HANDS)
def test_every_condition_beside_many_deals(where: str) -> None:
    """A deal satisfies a condition if its hand is among the cells, also with an unused column."""
    (condition,) = read_hands(where)
    assert condition.seat is Seat.NORTH
    patterns, honours = condition.uses_shape, condition.uses_honours
    if where == HANDS[0]:
        assert (patterns, honours) == (True, False)
        honours = True
    plan = Plan((0,), patterns or not honours, honours)
    cells = cells_of(plan, condition.accepts)
    is_listed = np.zeros(PATTERN_OFF + 1 << 16, np.bool_)
    is_listed[cells.shapes.astype(np.int64) << 16 | cells.maps] = True
    deals = pav.numbering("deal").sample(150, seed=where)
    keys = [
        (shape_index(deal["N"].shape) if plan.patterns else PATTERN_OFF) << 16
        | (map_of(deal["N"]) if honours else HONOURS_OFF)
        for deal in deals
    ]
    expected = [bool(evaluate(expression(where).node, deal)) for deal in deals]
    assert is_listed[keys].tolist() == expected


def test_what_a_condition_depends_on() -> None:
    where = "hcp(south) < 4 && (spades(north) == 3 && hcp(south) > 1)"
    south, north = read_hands(where)  # in the order of the text
    assert (south.seat, north.seat, len(south.parts)) == (Seat.SOUTH, Seat.NORTH, 2)


# deals


PAIR = "shape(north, 4333) && hcp(north) == 30 && shape(south, 1444) && hcp(south) <= 5"
DEALS = case_table(PAIR).deals


@pytest.mark.slow
@pytest.mark.parametrize("where", [PAIR, *CONDITIONS.values()])
def test_the_deals_are_those_of_the_exact_model(where: str, tmp_path: Path) -> None:
    """As many; each number has a deal that has this number, and satisfies the condition."""
    exact, path, deals = pav.deals(where), tmp_path / "a.cases", case_table(where).deals
    assert isinstance(exact, pav.ConstrainedDeals)
    assert deals.cardinality == exact.cardinality
    ends = [0, 1, deals.cardinality // 2, deals.cardinality - 1]
    for number in [*ends, *Stream(7).indexes(deals.cardinality, 40)]:
        assert deals.unrank(number) in exact
        assert deals.rank(deals.unrank(number)) == number
    assert all(deals[deals.rank(deal)] == deal for deal in exact.sample(40, seed=7))
    case_table(where).save(path)
    with open_cases(path) as listing:
        assert listing.deals.sample(20, seed="x") == deals.sample(20, seed="x")
        assert listing.deals.sample(5, seed=7, start=3) == deals.sample(8, seed=7)[3:]
        high, low = listing.deals.draw(1, seed=7)[0].tolist()
        assert deals.unrank(high << 64 | low) == deals.sample(1, seed=7)[0]


@pytest.mark.slow
def test_samples_are_even_over_the_cases() -> None:
    deals = case_table("shape(east, any 5332) && hcp(east) == 34").deals
    hands = Counter(deal["E"] for deal in deals.sample(756 * 6, seed=7))
    assert len(hands) > 740
    counts = [*hands.values(), *[0] * (756 - len(hands))]
    assert abs(deviation(counts)) < 4


@pytest.mark.slow
def test_what_the_numbering_tells() -> None:
    assert (str(DEALS.where), DEALS.conflict()) == (PAIR, ())
    assert DEALS.from_bytes(DEALS.to_bytes(DEALS[5])) == DEALS[5]
    assert pickle.loads(pickle.dumps(DEALS))[12345] == DEALS[12345]
    assert repr(DEALS) == f"<deals of case_table({PAIR!r})>"
    some = pav.Layout.from_pbn("N:AK.Q.. - .32.4. -")
    for outside, reason in ((pav.numbering("deal")[0], "deal is in no case of"), (some, "holds d")):
        assert outside not in DEALS
        with pytest.raises(LayoutError, match=reason):
            DEALS.rank(outside)


# two hands by cases and selection for the rest, beside the exact model


NINE = "spades(west) == 9 && shape(east, xx66)"


def selected(where: str) -> SelectedDeals:
    """The deals of a condition of which a part is tested."""
    found = deals_by_cases(where)
    assert isinstance(found, SelectedDeals)
    return found


@pytest.mark.slow
def test_the_most_constrained_hands_are_listed() -> None:
    for where, listed_, rest in (
        (f"hcp(north) >= 11 && {NINE} && hearts(south) >= 5", NINE,
         "hcp(north) >= 11 && hearts(south) >= 5"),
        ("hcp(north) == 2 && tens(north) == 1", "hcp(north) == 2", "tens(north) == 1"),
        ("hcp(north) + hcp(south) > 25 && spades(south) == 7", "spades(south) == 7",
         "hcp(north) + hcp(south) > 25"),
        ("rnd(2) == 1 && hcp(west) == 0", "hcp(west) == 0", "rnd(2) == 1"),
    ):  # fmt: skip
        found = selected(where)
        assert (str(found.counted.where), str(found.tested)) == (listed_, rest)
    whole = deals_by_cases(NINE)
    assert isinstance(whole, CaseDeals)
    assert whole.cardinality == pav.deals(NINE).cardinality


@pytest.mark.slow
def test_selected_deals_are_as_many_and_as_often_as_the_exact_ones() -> None:
    """How often South has so many points, where nine and more are selected: chi-square."""
    where = f"{NINE} && hcp(south) >= 9"
    space, exact = selected(where), pav.deals(where)
    sample = space.sample(600, seed=7)
    assert all(deal in exact and deal in space for deal in sample[:50])
    assert sample[2:5] == space.sample(3, seed=7, start=2)
    guess = space.estimate(500, seed=7)
    assert guess.total == deals_by_cases(NINE).cardinality
    assert guess.low < exact.cardinality < guess.high  # type: ignore[operator]
    counts = Counter(min(deal["S"].hcp // 3, 6) for deal in sample)
    chances = pav.distribution("hcp(south)", given=where)
    shares = [sum(p for n, p in chances.items() if min(n // 3, 6) == bin_) for bin_ in range(3, 7)]
    assert abs(deviation([counts[bin_] for bin_ in range(3, 7)], shares)) < 4
