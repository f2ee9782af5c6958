"""What collections of deals take, container included, against the bounds and the promises."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from archive_support import D, in_groups
from oracles import integers, limbs

import pavcodec as pav
from pavcodec.archive import Coder, OrderedCoder, SortedCoder, ordered_bits, set_bits
from pavcodec.archive.writer import sort_rows
from pavcodec.arrays import Limbs
from pavcodec.sampling import draw_indexes

BLOCK = 8192
BLOCK_BITS, FILE_BITS = 8 * 40, 8 * 150
"""What the container adds to a block and to a file, at most."""


def bits_a_number(rows: Limbs, coder: Coder) -> float:
    """The bits for each of many numbers, in blocks, with what the container adds."""
    bits = FILE_BITS
    for begin in range(0, len(rows), BLOCK):
        bits += BLOCK_BITS + 8 * len(coder.encode(rows[begin : begin + BLOCK]))
    return bits / len(rows)


def drawn(count: int) -> Limbs:
    """Random deal numbers."""
    return pav.numbering("deal").draw(count, seed=1)


def test_ordered_deals() -> None:
    bits = bits_a_number(drawn(10**5), OrderedCoder(D))
    assert ordered_bits(D) < bits <= 95.5


def test_ordered_deals_of_a_constraint() -> None:
    balanced = "shape(south, any 4333 + any 4432 + any 5332)"
    space = pav.deals(f"{balanced} && hcp(south) >= 15 && hcp(south) <= 17")
    cardinality = space.cardinality
    assert isinstance(cardinality, int)
    rows = draw_indexes(1, 0, 10**5, cardinality)
    bits = bits_a_number(rows, OrderedCoder(cardinality))
    assert ordered_bits(cardinality) < bits <= ordered_bits(cardinality) + 0.1


@pytest.mark.slow
@pytest.mark.parametrize(("count", "most"), [(10**3, 89.5), (10**5, 80.40), (10**6, 77.05)])
def test_sets_of_deals(count: int, most: float) -> None:
    rows = drawn(count)
    sort_rows(rows)
    bits = bits_a_number(rows, SortedCoder(D, distinct=True))
    assert set_bits(D, count) < bits <= most


def each_eight_times() -> Limbs:
    """Boards that were played at eight tables."""
    numbers = sorted(integers(drawn(1024)))
    return limbs(number for number in numbers for _ in range(8))


@pytest.mark.parametrize(
    ("numbers", "distinct", "most"),
    [
        (each_eight_times, False, 12.5),
        (lambda: limbs(in_groups(8000, 10, 2**20)), True, 27.5),
        (lambda: limbs(range(10**6, 10**6 + 8192)), True, 0.1),
    ],
    ids=["eight of each", "groups of ten", "consecutive"],
)
def test_numbers_that_are_not_at_random(
    numbers: Callable[[], Limbs], most: float, *, distinct: bool
) -> None:
    rows = numbers()
    bits = bits_a_number(rows, SortedCoder(D, distinct)) - FILE_BITS / len(rows)
    assert 0 < bits <= most
