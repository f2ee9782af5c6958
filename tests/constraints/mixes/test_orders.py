"""Even orders and the tables of pairs of two lists: their laws, and golden orders."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import chain, combinations
from math import gcd, lcm
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import FIXTURES

from pavcodec import NumberError
from pavcodec.constraints.mixes.orders import (
    WINDOW,
    EvenOrder,
    EvenPairs,
    MarginsError,
    even_word,
    fitted_table,
    is_mixed,
    rounded_table,
)

SMALL_WEIGHTS = st.lists(st.integers(1, 6), min_size=1, max_size=6)


def smallest(weights: list[int]) -> tuple[int, ...]:
    """Weights in smallest integers."""
    return tuple(weight // gcd(*weights) for weight in weights)


def is_rounded(count: int, exact: Fraction) -> bool:
    """Whether a count is a number rounded up or down."""
    return abs(count - exact) < 1


def has_quota(word: tuple[int, ...], weights: tuple[int, ...]) -> bool:
    """Whether the first n places hold each type as often as its share says, but for rounding."""
    return all(
        is_rounded(word[:n].count(i), Fraction(n * weight, sum(weights)))
        for n in range(len(word) + 1)
        for i, weight in enumerate(weights)
    )


def has_mixed_windows(word: tuple[int, ...], weights: tuple[int, ...]) -> bool:
    """Whether ten places in a row hold each type as often as its share says, but for rounding."""
    circle = word * (WINDOW + 1)
    return all(
        is_rounded(circle[k : k + WINDOW].count(i), Fraction(WINDOW * weight, sum(weights)))
        for k in range(len(word))
        for i, weight in enumerate(weights)
    )


@pytest.mark.slow
@settings(deadline=None, max_examples=40)  # the search takes 20,000 steps at most
@given(SMALL_WEIGHTS)
def test_any_number_of_deals_has_the_shares_but_rounding(weights: list[int]) -> None:
    parts = smallest(weights)
    word = even_word(parts)
    assert Counter(word) == dict(enumerate(parts))
    assert has_quota(word, parts)
    assert is_mixed(parts) == has_mixed_windows(word, parts)


def test_equal_shares_come_by_turns_and_usual_ones_are_mixed() -> None:
    for many in (1, 2, 7, 30):
        assert even_word((1,) * many) == tuple(range(many))
    for weights in ((7, 12, 1), (1, 2, 3), (2, 2, 2, 1, 1), (3, 17)):
        assert is_mixed(weights)


@pytest.mark.slow
@settings(deadline=None, max_examples=40)  # the search takes 20,000 steps at most
@given(SMALL_WEIGHTS, st.integers(0, 2**128 - 1), st.integers(0, 50), st.integers(0, 30))
def test_a_part_of_a_run_is_what_the_run_has(
    weights: list[int], seed: int, start: int, count: int
) -> None:
    order = EvenOrder(smallest(weights))
    assert order.places(seed, start, count) == order.places(seed, 0, start + count)[start:]
    far = start + 10**15 * sum(order.weights)
    assert order.places(seed, far, count) == order.places(seed, start, count)


def test_the_seed_changes_types_of_the_same_share_and_no_others() -> None:
    order = EvenOrder((1, 3, 1, 1))
    found = {tuple(order.places(seed, 0, 6)) for seed in range(200)}
    pattern = even_word((1, 3, 1, 1))
    assert len(found) == 6
    for places in found:
        assert [place == 1 for place in places] == [place == 1 for place in pattern]


def test_shares_with_too_long_a_period_are_refused() -> None:
    with pytest.raises(NumberError, match="sum to at most that, not to 100,001"):
        EvenOrder((1, 100_000))
    assert EvenOrder((1, 5000)).places(7, 0, 5001).count(0) == 1
    with pytest.raises(NumberError, match="whole shares only of 10,021,009"):
        EvenPairs((1, 2002), (1, 5002), ((1, 1), (1, 1)))


PAIRS = EvenPairs((1, 1, 1), (1, 1, 2), ((5, 1, 2), (1, 3, 4), (0, 2, 6)))


def test_both_lists_have_their_shares_in_every_round() -> None:
    assert (PAIRS.round, len(PAIRS.pairs)) == (12, 8)
    places = PAIRS.places(7, 0, 12 * 20)
    pairs = [PAIRS.pairs[place] for place in places]
    for k in range(0, len(pairs), 12):
        rows, columns = zip(*pairs[k : k + 12], strict=True)
        assert Counter(rows) == {0: 4, 1: 4, 2: 4}
        assert Counter(columns) == {0: 3, 1: 3, 2: 6}
        cells = Counter(pairs[k : k + 12])
        for i, row in enumerate(PAIRS.table):
            for j, part in enumerate(row):
                assert is_rounded(cells[i, j], Fraction(12 * part, 24))
    order = [row for row, _ in pairs]
    assert all(set(order[k : k + 3]) == {0, 1, 2} for k in range(len(order) - 3))


@pytest.mark.slow
def test_pairs_come_as_often_as_their_shares_on_average() -> None:
    places = Counter(PAIRS.places(7, 0, 12 * 2000))
    for place, (i, j) in enumerate(PAIRS.pairs):
        expected = 1000 * PAIRS.table[i][j]
        assert abs(places[place] - expected) <= 4 * (2000 / 4) ** 0.5


@settings(max_examples=30)
@given(st.integers(0, 2**64), st.integers(0, 40), st.integers(0, 30))
def test_a_part_of_a_run_of_two_lists_is_what_the_run_has(
    seed: int, start: int, count: int
) -> None:
    whole = PAIRS.places(seed, 0, start + count)
    assert PAIRS.places(seed, start, count) == whole[start:]


@pytest.mark.slow
def test_golden_orders() -> None:
    rows = (FIXTURES / "vectors" / "even-order.jsonl").read_text().splitlines()
    assert len(rows) > 20
    for row in map(json.loads, rows):
        if "weights" in row:
            order: EvenOrder | EvenPairs = EvenOrder(tuple(row["weights"]))
        else:
            table = tuple(map(tuple, row["table"]))
            order = EvenPairs(tuple(row["first"]), tuple(row["second"]), table)
        found = order.places(int(row["seed"]), int(row["start"]), len(row["places"]))
        assert found == row["places"]


Table = list[list[int]]
WEIGHTS = st.lists(st.integers(1, 4), min_size=1, max_size=4)
COUNTS = st.one_of(st.just(0), st.integers(1, 50), st.integers(1, 10**9))


@st.composite
def problems(draw: st.DrawFn) -> tuple[Table, list[int], list[int]]:
    """Counts by nature, and weights of the rows and of the columns."""
    first, second = draw(WEIGHTS), draw(WEIGHTS)
    rows = st.lists(COUNTS, min_size=len(second), max_size=len(second))
    return draw(st.lists(rows, min_size=len(first), max_size=len(first))), first, second


def is_possible(counts: Table, first: list[int], second: list[int]) -> bool:
    """Whether a table has the margins: for all rows, the columns that they meet have as much."""
    rows = range(len(first))
    for some in chain.from_iterable(combinations(rows, n) for n in range(1, len(first) + 1)):
        met = [j for j in range(len(second)) if any(counts[i][j] for i in some)]
        wanted = Fraction(sum(first[i] for i in some), sum(first))
        if wanted > Fraction(sum(second[j] for j in met), sum(second)):
            return False
    return True


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(problems())
def test_margins_are_exact_or_cannot_be(problem: tuple[Table, list[int], list[int]]) -> None:
    counts, first, second = problem
    if not is_possible(counts, first, second):
        with pytest.raises(MarginsError) as caught:
            fitted_table(counts, first, second)
        rows, columns = caught.value.rows, caught.value.columns
        wanted = Fraction(sum(first[i] for i in rows), sum(first))
        assert wanted > Fraction(sum(second[j] for j in columns), sum(second))
        assert {j for i in rows for j, count in enumerate(counts[i]) if count} == set(columns)
        assert str(caught.value)
        return
    table = fitted_table(counts, first, second)
    total = sum(map(sum, table))
    assert [Fraction(sum(row), total) for row in table] == [Fraction(w, sum(first)) for w in first]
    sums = map(sum, zip(*table, strict=True))
    assert [Fraction(each, total) for each in sums] == [Fraction(w, sum(second)) for w in second]
    for row, natural in zip(table, counts, strict=True):
        assert all(
            part >= 0 and (count or not part) for part, count in zip(row, natural, strict=True)
        )


def test_pairs_are_those_of_proportional_fitting() -> None:
    """The odds of any two rows and columns are those of nature."""
    for counts, first, second in (
        ([[50, 3, 7], [2, 60, 5]], [1, 2], [3, 1, 1]),
        ([[5, 1, 2], [1, 4, 9], [3, 3, 3]], [1, 1, 1], [1, 2, 2]),
        ([[10**20, 10**18], [10**19, 10**20]], [1, 3], [2, 1]),
    ):
        table = fitted_table(counts, first, second)
        assert sum(map(sum, table)) == lcm(sum(first), sum(second)) << 64
        for i, j in combinations(range(len(first)), 2):
            for k, n in combinations(range(len(second)), 2):
                odds = [
                    part[i][k] * part[j][n] / (part[i][n] * part[j][k]) for part in (counts, table)
                ]
                assert odds[1] == pytest.approx(odds[0], rel=1e-9)


def test_counts_too_far_apart_for_fitting_give_the_margins_all_the_same() -> None:
    counts = [[1, 10**27, 10**3], [10**25, 1, 0], [10**6, 10**26, 10**27]]
    table = fitted_table(counts, [1, 2, 1], [2, 1, 1])
    total = sum(map(sum, table))
    assert [Fraction(4 * sum(row), total) for row in table] == [1, 2, 1]
    assert min(map(min, table)) >= 0


def assert_rounded(rounded: Table, table: Table, unit: int) -> None:
    """Each number is rounded up or down, and the sums of rows and columns stay."""
    columns = zip(zip(*rounded, strict=True), zip(*table, strict=True), strict=True)
    for found, exact in [*zip(rounded, table, strict=True), *columns]:
        assert sum(found) * unit == sum(exact)
        assert all(abs(one * unit - two) < unit for one, two in zip(found, exact, strict=True))


def test_rounding_of_fitted_tables() -> None:
    table = fitted_table([[50, 3, 7], [2, 60, 5]], [1, 2], [3, 1, 1])
    parts = [[15 * part for part in row] for row in table]
    draws, unit = Random(7), sum(map(sum, table))
    for _ in range(60):
        assert_rounded(rounded_table(parts, unit, draws.randrange), parts, unit)
