"""Tables with given margins: exact whatever the counts are, and near to proportional fitting."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import chain, combinations
from math import lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pavcodec.constraints.mixes.orders import MarginsError, fitted_table, rounded_table

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


def by_definition(
    counts: Table, first: list[int], second: list[int], rounds: int
) -> list[list[float]]:
    """Iterative proportional fitting, as it is described."""
    table = [[float(count) for count in row] for row in counts]
    for _ in range(rounds):
        for i, weight in enumerate(first):
            factor = weight / sum(first) / sum(table[i])
            table[i] = [part * factor for part in table[i]]
        for j, weight in enumerate(second):
            factor = weight / sum(second) / sum(row[j] for row in table)
            for row in table:
                row[j] *= factor
    return table


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


@pytest.mark.parametrize(
    ("counts", "first", "second"),
    [
        ([[4, 1], [1, 4]], [1, 1], [1, 1]),
        ([[50, 3, 7], [2, 60, 5]], [1, 2], [3, 1, 1]),
        ([[5, 1, 0], [1, 0, 9], [3, 3, 3]], [1, 1, 1], [1, 2, 2]),
        ([[10**20, 10**18], [10**19, 10**20]], [1, 3], [2, 1]),
    ],
)
def test_pairs_are_those_of_proportional_fitting(
    counts: Table, first: list[int], second: list[int]
) -> None:
    table = fitted_table(counts, first, second)
    expected = by_definition(counts, first, second, 2000)
    for row, exact in zip(table, expected, strict=True):
        for part, wanted in zip(row, exact, strict=True):
            assert part / sum(map(sum, table)) == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    assert sum(map(sum, table)) == lcm(sum(first), sum(second)) << 64


def test_what_must_be_nothing_is_left_out() -> None:
    one = 1 << 64
    assert fitted_table([[5, 3], [0, 9]], [1, 1], [1, 1]) == [[one, 0], [0, one]]
    with pytest.raises(MarginsError) as caught:
        fitted_table([[5, 3], [0, 9]], [1, 3], [1, 1])
    assert (caught.value.rows, caught.value.columns) == ((1,), (1,))


def test_counts_too_far_apart_for_fitting_give_the_margins_all_the_same() -> None:
    counts = [[1, 10**27, 10**3], [10**25, 1, 0], [10**6, 10**26, 10**27]]
    table = fitted_table(counts, [1, 2, 1], [2, 1, 1])
    total = sum(map(sum, table))
    assert [Fraction(sum(row), total) for row in table] == [
        Fraction(1, 4),
        Fraction(1, 2),
        Fraction(1, 4),
    ]
    assert min(map(min, table)) >= 0


def average(table: Table, unit: int) -> list[list[Fraction]]:
    """The average of all ways to round a table, over all numbers that can be drawn."""
    found = [[Fraction(0)] * len(table[0]) for _ in table]

    def explore(drawn: list[int], weight: Fraction) -> None:
        left = iter(drawn)
        asked: list[int] = []

        def draw(below: int) -> int:
            number = next(left, None)
            if number is None:
                asked.append(below)
                raise StopIteration
            return number

        try:
            rounded = rounded_table(table, unit, draw)
        except StopIteration:
            for number in range(asked[0]):
                explore([*drawn, number], weight / asked[0])
            return
        check(rounded)
        for i, row in enumerate(rounded):
            for j, part in enumerate(row):
                found[i][j] += weight * part

    def check(rounded: Table) -> None:
        for row, exact in zip(rounded, table, strict=True):
            assert sum(row) * unit == sum(exact)
            assert all(abs(one * unit - two) < unit for one, two in zip(row, exact, strict=True))
        for column, exact_column in zip(
            zip(*rounded, strict=True), zip(*table, strict=True), strict=True
        ):
            assert sum(column) * unit == sum(exact_column)

    explore([], Fraction(1))
    return found


@pytest.mark.parametrize(
    ("table", "unit"),
    [
        ([[2, 1], [1, 2]], 3),
        ([[5, 3, 4], [3, 1, 0]], 4),
        ([[1, 2, 1], [2, 1, 1], [1, 1, 2]], 4),
        ([[4, 8], [8, 4]], 4),
        ([[1, 4], [4, 1], [5, 5]], 5),
    ],
)
def test_rounding_changes_nothing_on_average(table: Table, unit: int) -> None:
    exact = [[Fraction(part, unit) for part in row] for row in table]
    assert average(table, unit) == exact


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_rounding_of_fitted_tables(seed: int) -> None:
    numbers: Callable[[int], int] = lambda below: seed % below  # noqa: E731
    table = fitted_table([[50, 3, 7], [2, 60, 5]], [1, 2], [3, 1, 1])
    total = sum(map(sum, table))
    rounded = rounded_table([[15 * part for part in row] for row in table], total, numbers)
    assert [sum(row) for row in rounded] == [5, 10]
    assert [sum(column) for column in zip(*rounded, strict=True)] == [9, 3, 3]
