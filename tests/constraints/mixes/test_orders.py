"""Even orders: the word is the first that the search finds, and any ten in a row are mixed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import FIXTURES

from pavcodec import NumberError
from pavcodec.constraints.mixes.orders import WINDOW, EvenOrder, EvenPairs, even_word, is_mixed

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


def words(weights: tuple[int, ...], word: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """All words with the quota, in the order in which the search meets them."""
    total = sum(weights)
    if len(word) == total:
        yield word
        return

    def deadline(kind: int) -> int:
        return next(
            n for n in range(total + 1) if n * weights[kind] >= (word.count(kind) + 1) * total
        )

    ready = [
        kind
        for kind, weight in enumerate(weights)
        if word.count(kind) * total < (len(word) + 1) * weight
    ]
    for kind in sorted(ready, key=lambda kind: (deadline(kind), kind)):
        if has_quota((*word, kind), weights):
            yield from words(weights, (*word, kind))


@pytest.mark.slow
@pytest.mark.parametrize(
    "weights",
    [
        (1,),
        (1, 1),
        (1, 1, 1),
        (1, 1, 2),
        (3, 1),
        (3, 2),
        (2, 1, 1, 1),
        (1,) * 6,
        (5, 2, 1),
        (2, 3, 4),
    ],
)
def test_the_word_is_the_first_of_all(weights: tuple[int, ...]) -> None:
    found = list(words(weights))
    mixed = [word for word in found if has_mixed_windows(word, weights)]
    assert even_word(weights) == (mixed or found)[0]
    assert is_mixed(weights) == bool(mixed)


@pytest.mark.slow
@settings(deadline=None)  # the search takes 20,000 steps at most
@given(SMALL_WEIGHTS)
def test_any_number_of_deals_has_the_shares_but_rounding(weights: list[int]) -> None:
    parts = smallest(weights)
    word = even_word(parts)
    assert Counter(word) == dict(enumerate(parts))
    assert has_quota(word, parts)
    assert is_mixed(parts) == has_mixed_windows(word, parts)


@settings(deadline=None)  # the search takes 20,000 steps at most
@given(SMALL_WEIGHTS, st.integers(1, 25))
def test_deals_in_a_row_miss_the_shares_by_less_than_two(weights: list[int], length: int) -> None:
    parts = smallest(weights)
    circle = even_word(parts) * (length + 1)
    for k in range(sum(parts)):
        for i, weight in enumerate(parts):
            exact = Fraction(length * weight, sum(parts))
            assert abs(circle[k : k + length].count(i) - exact) < 2


@pytest.mark.parametrize("many", [1, 2, 3, 4, 5, 7, 8, 10, 13, 30])
def test_equal_shares_come_by_turns(many: int) -> None:
    assert even_word((1,) * many) == tuple(range(many))
    places = EvenOrder((1,) * many).places(7, 5, 4 * many)
    for k in range(3 * many):
        assert sorted(places[k : k + many]) == list(range(many))


@pytest.mark.parametrize(
    "weights",
    [
        (7, 12, 1),
        (1, 1, 2),
        (1, 2, 3),
        (35, 60, 5),
        (2, 2, 2, 1, 1),
        (3, 17),
        (50, 25, 25),
        (2, 3, 5),
    ],
)
def test_usual_shares_are_mixed(weights: tuple[int, ...]) -> None:
    assert is_mixed(smallest(list(weights)))


@pytest.mark.slow
@settings(deadline=None)  # the search takes 20,000 steps at most
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


@pytest.mark.slow
def test_both_lists_have_their_shares_in_every_round() -> None:
    assert (PAIRS.round, len(PAIRS.pairs)) == (12, 8)
    places = PAIRS.places(7, 0, 12 * 200)
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
