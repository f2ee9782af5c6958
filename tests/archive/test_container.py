"""Whole archives: what they take against the bounds and the promises, and real collections."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from archive_support import in_groups
from container_support import DEALS, opened
from formats_support import corpus_pbn_files, read_text
from oracles import integers, limbs

import pavcodec as pav
from pavcodec import Archive, Board
from pavcodec.archive import SortedCoder
from pavcodec.archive.spaces import SpaceLike
from pavcodec.archive.writer import sort_rows
from pavcodec.arrays import Limbs, are_new

MANY = 10**5
BALANCED = pav.ConstrainedDeals.of(
    pav.expression(
        "shape(south, any 4333 + any 4432 + any 5332) && hcp(south) >= 15 && hcp(south) <= 17"
    )
)


def archive_of_numbers(numbers: Limbs, kind: str, space: SpaceLike = "deal") -> Archive:
    """An archive of numbers."""
    stream = io.BytesIO()
    assert pav.write_archive(numbers, stream, kind=kind, space=space) == len(numbers)
    return opened(stream.getvalue())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "space", "count", "most"),
    [
        ("ordered", "deal", MANY, 95.5),
        ("ordered", "any", MANY, 95.5),
        ("set", "deal", 10**3, 89.5),
        ("set", "deal", MANY, 80.40),
        ("set", "deal", 10**6, 77.05),
    ],
)
def test_random_deals_take_so_few_bits(kind: str, space: str, count: int, most: float) -> None:
    archive = archive_of_numbers(DEALS.draw(count, seed=7), kind, space)
    assert archive.bound_bits_per_deal < archive.bits_per_deal <= most


def each_eight_times() -> list[int]:
    """Boards that were played at eight tables."""
    numbers = sorted(integers(DEALS.draw(1024, seed=1)))
    return [number for number in numbers for _ in range(8)]


@pytest.mark.parametrize(
    ("numbers", "kind", "most"),
    [
        (each_eight_times, "multiset", 12.5),
        (lambda: in_groups(8000, 10, 2**20), "set", 27.5),
        (lambda: range(10**6, 10**6 + 8192), "set", 0.1),
    ],
    ids=["eight of each", "groups of ten", "consecutive"],
)
def test_numbers_that_are_not_at_random(
    numbers: Callable[[], Sequence[int]], kind: str, most: float
) -> None:
    rows = limbs(numbers())
    sizes = (archive_of_numbers(some, kind).size for some in (rows, rows[:0]))
    whole, empty = sizes
    assert 0 < 8 * (whole - empty) / len(rows) <= most


@pytest.mark.slow
def test_deals_of_a_condition_take_a_tenth_of_a_bit_more_than_they_must() -> None:
    drawn = pav.Numbering.draw(BALANCED, MANY, seed=7)
    archive = archive_of_numbers(drawn, "ordered", BALANCED)
    assert float(archive.bits_per_deal - archive.bound_bits_per_deal) <= 0.1
    assert (np.concatenate(list(archive.numbers())) == drawn).all()


@pytest.mark.parametrize("high", [1, 1 << 40, 1 << 64])
def test_sorting_is_that_of_integers(high: int) -> None:
    random = Random(7)
    integers = [random.randrange(high) << 64 | random.randrange(256) << 60 for _ in range(2000)]
    rows = np.array([divmod(each, 1 << 64) for each in integers], np.uint64)
    sort_rows(rows)
    found = [a << 64 | b for a, b in rows.tolist()]
    assert found == sorted(integers)
    assert are_new(rows).sum() == len(set(integers))


def test_reading_what_is_known_to_be_good_is_decoding() -> None:
    coder = SortedCoder(DEALS.cardinality, distinct=True)
    rows = DEALS.draw(1000, seed=7)
    sort_rows(rows)
    data = coder.encode(rows)
    assert (coder.read(data, 1000) == coder.decode(data, 1000)).all()


@pytest.mark.slow
def test_every_public_collection_comes_back_equal(tmp_path: Path) -> None:
    boards: list[Board] = []
    for path in corpus_pbn_files():
        boards += read_text(path.read_bytes()).boards
    path = tmp_path / "all.pav"
    assert pav.write_archive(boards, path, space="any", all=True) == len(boards)
    with pav.open_archive(path) as archive:
        assert list(archive) == boards
    assert list(pav.read(path)) == boards
