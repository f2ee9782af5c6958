"""Many layouts at once: the same as one by one, with any threads; what is refused."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpz
from oracles import integers, limbs

import pavcodec as pav
from pavcodec import arrays
from pavcodec.constraints import ConstrainedDeals
from pavcodec.numberings.rankings import OwnerDigits
from pavcodec.numberings.space import Numbering
from pavcodec.walk import FixedSizes, RowByRow

NAMES = pav.numbering_names(classes=True)
DEALS = pav.numbering("deal")
CONSTRAINED = ConstrainedDeals.of(pav.expression("spades(west) == 9"))
every_numbering = pytest.mark.parametrize("name", NAMES)


def assert_same(ranks: Numbering, numbers: list[int], **options: Any) -> None:
    owners = ranks.unrank_many(limbs(numbers), **options)
    assert owners.dtype == np.uint8
    assert owners.shape == (len(numbers), 52)
    assert [row.tobytes() for row in owners] == [ranks.unrank(n).owners for n in numbers]
    assert integers(ranks.rank_many(owners, **options)) == numbers


@every_numbering
@pytest.mark.parametrize("one_based", [False, True])
def test_the_same_as_one_by_one(name: str, one_based: bool) -> None:
    ranks = pav.numbering(name, one_based=one_based)
    last = ranks.last
    numbers = [ranks.first, ranks.first + 1, last - 1, last, *range(2, last, last // 300)]
    assert_same(ranks, numbers)
    assert_same(ranks, [])


@pytest.mark.slow
@every_numbering
@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_threads_and_chunks_change_nothing(
    name: str, threads: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "_AT_ONCE", 100)
    ranks = pav.numbering(name)
    assert_same(ranks, integers(ranks.draw(1001, seed=7)), threads=threads)
    sampled = ranks.sample_many(1001, seed=7, threads=threads)
    assert np.array_equal(sampled, ranks.unrank_many(ranks.draw(1001, seed=7), threads=1))


def test_as_many_threads_as_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "_AT_ONCE", 10)
    seen: set[int] = set()
    together = threading.Barrier(3, timeout=60)

    class Watched(RowByRow):
        cards, cardinality = 52, DEALS.cardinality

        def unrank(self, _: int) -> bytes:
            if threading.get_ident() not in seen:
                seen.add(threading.get_ident())
                together.wait()  # passes only if three threads are at work at the same time
            return bytes(52)

    watched = Numbering("watched", "deals", Watched(), "deals", "deal12")
    watched.unrank_many(DEALS.draw(100, seed=1), threads=mpz(3))
    assert len(seen) == 3
    assert threading.get_ident() not in seen
    seen.clear()
    monkeypatch.setattr(together, "wait", lambda: None)
    watched.unrank_many(DEALS.draw(100, seed=1), threads=1)
    assert seen == {threading.get_ident()}


def test_any_array_of_the_right_kind() -> None:
    numbers = DEALS.draw(50, seed=1)
    owners = DEALS.unrank_many(numbers)
    frozen_numbers, frozen_owners = numbers.copy(), owners.copy()
    frozen_numbers.flags.writeable = frozen_owners.flags.writeable = False
    for rows in (numbers, frozen_numbers, np.asfortranarray(numbers), numbers.repeat(2, 0)[::2]):
        assert np.array_equal(DEALS.unrank_many(rows), owners)
    for cards in (owners, frozen_owners, np.asfortranarray(owners), owners.repeat(2, 0)[::2]):
        assert np.array_equal(DEALS.rank_many(cards), numbers)
    assert np.array_equal(DEALS.unrank_many(numbers[::-1]), owners[::-1])
    buffer = np.frombuffer(b"".join(row.tobytes() for row in owners), np.uint8)
    assert np.array_equal(DEALS.rank_many(buffer.reshape(-1, 52)), numbers)


@pytest.mark.parametrize(
    ("array", "found"),
    [
        ([[0, 1]], "'list'"),
        (5, "'int'"),
        (np.zeros((3, 2), np.int64), "int64[3, 2]"),
        (np.zeros((3, 2)), "float64[3, 2]"),
        (np.zeros((3, 3), np.uint64), "uint64[3, 3]"),
        (np.zeros(2, np.uint64), "uint64[2]"),
        (np.zeros((1, 2), ">u8"), "[1, 2]"),
    ],
)
def test_other_arrays_of_numbers(array: Any, found: str) -> None:
    with pytest.raises(TypeError, match=r"numbers are an array uint64\[n, 2\], not ") as caught:
        DEALS.unrank_many(array)
    assert str(caught.value).endswith(found)


@pytest.mark.parametrize(
    "array",
    [
        bytes(52),
        np.zeros((1, 52), np.int8),
        np.zeros((1, 51), np.uint8),
        np.zeros(52),
        np.ma.masked_array(np.zeros((1, 52), np.uint8)),
    ],
)
def test_other_arrays_of_owners(array: Any) -> None:
    with pytest.raises(TypeError, match=r"owners are an array uint8\[n, 52\], not "):
        DEALS.rank_many(array)


@every_numbering
@pytest.mark.parametrize("one_based", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_numbers_out_of_range(
    name: str,
    one_based: bool,
    threads: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The message is that of the definition, with the first row."""
    monkeypatch.setattr(arrays, "_AT_ONCE", 10)
    ranks = pav.numbering(name, one_based=one_based)
    outside = [ranks.last + 1, 2**128 - 1, 2**127]
    for number in outside + ([0] if one_based else []):
        numbers = [position + ranks.first for position in integers(ranks.draw(200, seed=1))]
        numbers[137:] = [number] * 63
        numbers[73] = number
        with pytest.raises(pav.NumberError) as expected:
            ranks.unrank(number)
        with pytest.raises(pav.NumberError, match=f"^row 73: {re.escape(str(expected.value))}$"):
            ranks.unrank_many(limbs(numbers), threads=threads)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "base5"])
@pytest.mark.parametrize("threads", [1, 2])
def test_layouts_that_are_no_members(
    name: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "_AT_ONCE", 10)
    ranks = pav.numbering(name)
    owners = ranks.sample_many(200, seed=1)
    owners[73] = owners[137] = 0
    with pytest.raises(pav.LayoutError) as expected:
        ranks.rank(pav.Layout(bytes(52)))
    with pytest.raises(pav.LayoutError, match=f"^row 73: {re.escape(str(expected.value))}$"):
        ranks.rank_many(owners, threads=threads)


@every_numbering
@pytest.mark.parametrize("owner", [5, 7, 8, 13, 64, 255])
def test_owners_that_nobody_is(name: str, owner: int) -> None:
    ranks = pav.numbering(name)
    owners = ranks.sample_many(20, seed=1)
    owners[11, 30] = owner
    with pytest.raises(pav.LayoutError, match=r"^row 11: owners are 52 bytes of 0 to 4 "):
        ranks.rank_many(owners)


def test_constrained_deals() -> None:
    positions = CONSTRAINED.draw(1, seed=1)  # deal numbers
    assert positions.shape == (1, 2)
    assert_same(CONSTRAINED, list(range(0, CONSTRAINED.cardinality, CONSTRAINED.cardinality // 50)))
    assert_same(CONSTRAINED.one_based(), [1, CONSTRAINED.cardinality])
    with pytest.raises(pav.LayoutError, match=r"^row 0: this deal does not satisfy"):
        CONSTRAINED.rank_many(DEALS.unrank_many(limbs([0])))
    with pytest.raises(pav.NumberError, match=r"^row 1: numbering 'spades"):
        CONSTRAINED.unrank_many(limbs([5, CONSTRAINED.cardinality]))
    none = ConstrainedDeals.of(pav.expression("hcp(north) > 37"))
    assert none.rank_many(DEALS.sample_many(0)).shape == (0, 2)
    with pytest.raises(pav.NumberError, match=r"^row 0: "):
        none.unrank_many(limbs([0]))


def test_numbers_that_no_array_holds() -> None:
    huge = Numbering("huge", "a long deck", OwnerDigits(60, 5), "anything", "base5-16")
    for call in (
        lambda: huge.unrank_many(limbs([0])),
        lambda: huge.rank_many(np.zeros((1, 52), np.uint8)),
    ):
        with pytest.raises(pav.NumberError, match=r"has numbers to .*, and an array holds numbers"):
            call()
    first = Numbering("late", "two words", FixedSizes((26, 26)), "halves", "deal12", first=7)
    assert_same(first, [7, 8, first.last])


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "d = p.numbering('deal'); d.rank(d.unrank(5))",
        "d = p.numbering('ending'); d.rank(d.unrank(5)); d[5:7]",
        "d = p.numbering('andrews-scrambled'); d.rank(d.unrank(5))",
        "d = p.numbering('deal-suits'); d.rank(d.unrank(d.last)); p.class_count('seats')",
        "d = p.numbering('deal-suits-turns'); d.rank(d.unrank(d.last))",
        "d = p.numbering('legal'); d.rank(d.unrank(d.last))",
    ],
)
def test_one_by_one_needs_no_arrays(code: str) -> None:
    check = f"import sys, pavcodec as p; {code}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert "numpy" not in done.stdout.split()
