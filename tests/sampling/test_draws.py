"""Arrays of samples are those of the stream, bit for bit; they are even and unrelated."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import integers
from stream_support import deviation, numpy_index

from pavcodec import NumberError
from pavcodec.kernel.reference.stream import Block, Key, index_of, philox4x64
from pavcodec.sampling import RowSet, Stream, draw_distinct, draw_indexes

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST = 2**128
seeds = st.integers(0, MOST - 1)
starts = st.integers(0, 2**64 - 10) | st.sampled_from([0, 2**32 - 5, 2**63 - 5, 2**64 - 10])
EDGES = sorted(
    {2**exponent + near for exponent in range(129) for near in (-1, 0, 1)} & set(range(1, 300))
    | {2**exponent + near for exponent in (31, 32, 33, 63, 64, 65, 96, 127) for near in (-1, 0, 1)}
    | {MOST - 1, MOST, MOST // 3, MOST // 3 + 1, MOST // 2 + 2**64, MOST - 2**64, 5**52}
)


@pytest.mark.parametrize("cardinality", EDGES)
def test_the_loop_is_the_stream_at_the_edges(cardinality: int) -> None:
    for seed in (0, 2**64 - 1, 2**64, MOST - 1):
        for start in (0, 2**64 - 20):
            expected = [numpy_index(seed, k, cardinality) for k in range(start, start + 20)]
            assert integers(draw_indexes(seed, start, 20, cardinality)) == expected
            assert list(Stream(seed).indexes(cardinality, 20, start)) == expected


@given(seeds, starts, st.sampled_from([0, 1, 2**63, MOST // 2**64 - 1]), st.sampled_from(EDGES))
def test_the_loop_draws_further_numbers(
    seed: int, start: int, further: int, cardinality: int
) -> None:
    expected = [Stream(seed).chance(start + k, first=further)(cardinality) for k in range(5)]
    assert integers(draw_indexes(seed, start, 5, cardinality, substream=further)) == expected


@pytest.mark.slow
def test_many_attempts() -> None:
    """Just above 2^127 half of all words are thrown away; some samples take many blocks."""
    attempts = set()

    def watched(counter: Block, key: Key) -> Block:
        attempts.add(counter[1])
        return philox4x64(counter, key)

    cardinality = 2**127 + 1
    expected = [index_of(watched, (7, 0), cardinality, k) for k in range(5000)]
    assert max(attempts) >= 5
    assert integers(draw_indexes(7, 0, 5000, cardinality)) == expected


@pytest.mark.parametrize("cardinality", [52, 53644737765488792839237440000, 2**127 + 1, MOST])
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_change_nothing(cardinality: int, threads: int) -> None:
    alone = draw_indexes(7, 2**63, 200_001, cardinality)
    together = draw_indexes(7, 2**63, 200_001, cardinality, threads=threads)
    assert np.array_equal(alone, together)


def test_slices_in_any_order_are_the_same() -> None:
    whole = draw_indexes(7, 100, 10_000, 10**30)
    begins = [9000, 0, 3000, 6000, 1000, 8000, 2000, 5000, 4000, 7000]
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda begin: draw_indexes(7, 100 + begin, 1000, 10**30), begins))
    for begin, part in zip(begins, parts, strict=True):
        assert np.array_equal(part, whole[begin : begin + 1000])


def test_no_samples() -> None:
    for start in (0, 2**64):
        assert draw_indexes(7, start, 0, 52).shape == (0, 2)


@pytest.mark.parametrize(
    "arguments",
    [
        (-1, 0, 1, 52),
        (MOST, 0, 1, 52),
        (7, 0, 1, 0),
        (7, 0, 1, MOST + 1),
        (7, -1, 1, 52),
        (7, 2**64, 1, 52),
        (7, 2**64 - 1, 2, 52),
        (7, 0, -1, 52),
    ],
)
def test_slices_that_are_none(arguments: tuple[int, int, int, int]) -> None:
    with pytest.raises(NumberError, match="the stream has no"):
        draw_indexes(*arguments)


def small(seed: int, count: int, cardinality: int) -> NDArray[np.int64]:
    rows = draw_indexes(seed, 0, count, cardinality)
    assert not rows[:, 0].any()
    return rows[:, 1].astype(np.int64)


@pytest.mark.slow
def test_small_spaces_are_drawn_evenly() -> None:
    """Chi-square over each whole space, a seed each, and over all spaces together."""
    deviations = []
    for cardinality in range(2, 201):
        counts = np.bincount(
            small(cardinality, 500 * cardinality, cardinality), minlength=cardinality
        )
        assert len(counts) == cardinality
        deviations.append(deviation(counts))
    assert max(map(abs, deviations)) < 4
    assert abs(sum(deviations)) < 4 * len(deviations) ** 0.5
    assert abs(sum(one * one for one in deviations) / len(deviations) - 1) < 0.4


@pytest.mark.slow
def test_neighbouring_samples_are_unrelated() -> None:
    for cardinality in (2, 3, 5, 8, 13, 21):
        drawn = small(11, 400_000, cardinality)
        for lag in (1, 2, 7):
            pairs = drawn[:-lag] * cardinality + drawn[lag:]
            assert abs(deviation(np.bincount(pairs, minlength=cardinality**2))) < 4.5


@pytest.mark.parametrize("cardinality", [2, 52, 200, 2**20])
def test_neither_in_a_seed_nor_from_seed_to_seed_are_samples_correlated(cardinality: int) -> None:
    count = 200_000
    drawn = small(3, count, cardinality)
    others = [small(seed, count, cardinality) for seed in (4, 3 + 2**64, 2)]
    shifted = [np.roll(drawn, lag) for lag in (1, 2, 3, 10, 1000)]
    for other in [*others, *shifted]:
        assert abs(np.corrcoef(drawn, other)[0, 1]) * count**0.5 < 4


@pytest.mark.parametrize(
    ("cardinality", "count", "start"), [(3, 3, 0), (500, 499, 7), (2**96, 90, 5)]
)
def test_different_samples_in_parts(cardinality: int, count: int, start: int) -> None:
    parts = list(draw_distinct(7, start, count, cardinality, at_once=64))
    found = [high << 64 | low for part in parts for high, low in part.tolist()]
    assert found == list(Stream(7).distinct_indexes(cardinality, count, start))


@pytest.mark.slow
@given(st.lists(st.lists(st.tuples(*[st.sampled_from([0, 1, 2**63, 2**64 - 1])] * 2)), max_size=4))
def test_rows_seen_before(parts: list[list[tuple[int, int]]]) -> None:
    seen, known = RowSet(), set[tuple[int, int]]()
    for part in parts:
        rows = np.array(part, np.uint64).reshape(-1, 2)
        expected = []
        for row in part:
            expected.append(row not in known)
            known.add(row)
        assert seen.add(rows).tolist() == expected
        assert len(seen) == len(known)


def test_many_rows_that_were_seen_before() -> None:
    seen, rows = RowSet(), draw_indexes(7, 0, 9000, 3000)
    known = list(dict.fromkeys(map(tuple, rows.tolist())))
    found = [rows[begin : begin + 700] for begin in range(0, len(rows), 700)]
    kept = [part[seen.add(part)].tolist() for part in found]
    assert [tuple(row) for part in kept for row in part] == known
    assert not seen.add(rows).any()


def test_different_samples_up_to_the_end_of_the_stream() -> None:
    with pytest.raises(NumberError, match="no 2 different samples up to its end"):
        list(draw_distinct(7, 2**64 - 3, 2, 1))
