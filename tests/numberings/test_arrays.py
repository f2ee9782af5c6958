"""Many layouts at once: the same as one by one, with any threads; what is refused; packed hands."""

from __future__ import annotations

import re
import threading
from itertools import product
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpz
from oracles import integers, limbs

import pavcodec as pav
from pavcodec import arrays
from pavcodec.numberings.rankings import OwnerDigits
from pavcodec.numberings.space import Numbering
from pavcodec.walk import FixedSizes, RowByRow

NAMES = pav.numbering_names(classes=True)
DEALS = pav.numbering("deal")
every_numbering = pytest.mark.parametrize("name", NAMES)


def assert_same(ranks: Numbering, numbers: list[int], **options: Any) -> None:
    owners = ranks.unrank_many(limbs(numbers), **options)
    assert owners.dtype == np.uint8
    assert owners.shape == (len(numbers), 52)
    assert [row.tobytes() for row in owners] == [ranks.unrank(n).owners for n in numbers]
    assert integers(ranks.rank_many(owners, **options)) == numbers


@every_numbering
def test_the_same_as_one_by_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "_AT_ONCE", 30)
    ranks = pav.numbering(name)
    last = ranks.last
    numbers = [0, 1, last - 1, last, *range(2, last, last // 60)]
    assert_same(ranks, numbers, threads=2)
    assert_same(ranks.one_based(), [number + 1 for number in numbers], threads=1)
    assert_same(ranks, [])


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


NUMBERS = "numbers are an array uint64[n, 2], not "
OWNERS = "owners are an array uint8[n, 52], not "


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((3, 2), np.int64), f"{NUMBERS}int64[3, 2]"),
        (np.zeros(2, np.uint64), f"{NUMBERS}uint64[2]"),
        (np.zeros((1, 2), ">u8"), f"{NUMBERS}>u8[1, 2]"),
        (np.zeros((1, 51), np.uint8), f"{OWNERS}uint8[1, 51]"),
        (np.ma.masked_array(np.zeros((1, 52), np.uint8)), f"{OWNERS}'MaskedArray'"),
    ],
)
def test_other_arrays(array: Any, message: str) -> None:
    convert: Any = DEALS.unrank_many if message.startswith(NUMBERS) else DEALS.rank_many
    with pytest.raises(TypeError, match=re.escape(message)):
        convert(array)


@every_numbering
def test_numbers_out_of_range(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message is that of one number, with the first row."""
    monkeypatch.setattr(arrays, "_AT_ONCE", 10)
    for ranks in (pav.numbering(name), pav.numbering(name, one_based=True)):
        for number in (ranks.last + 1, 2**128 - 1, 0)[: 2 + ranks.first]:
            numbers = [position + ranks.first for position in integers(ranks.draw(200, seed=1))]
            numbers[137:] = [number] * 63
            numbers[73] = number
            with pytest.raises(pav.NumberError) as one:
                ranks.unrank(number)
            with pytest.raises(pav.NumberError, match=f"^row 73: {re.escape(str(one.value))}$"):
                ranks.unrank_many(limbs(numbers), threads=2)


@every_numbering
def test_layouts_that_are_no_members(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "_AT_ONCE", 10)
    ranks = pav.numbering(name)
    owners = ranks.sample_many(200, seed=1)
    for owner in (5, 8, 255):
        wrong = owners.copy()
        wrong[73, 30] = wrong[137, 0] = owner
        with pytest.raises(pav.LayoutError, match=r"^row 73: owners are 52 bytes of 0 to 4 "):
            ranks.rank_many(wrong)
    if name != "base5":
        owners[73] = owners[137] = 0
        with pytest.raises(pav.LayoutError) as one:
            ranks.rank(pav.Layout(bytes(52)))
        with pytest.raises(pav.LayoutError, match=f"^row 73: {re.escape(str(one.value))}$"):
            ranks.rank_many(owners, threads=2)


def test_numbers_that_no_array_holds() -> None:
    huge = Numbering("huge", "a long deck", OwnerDigits(60, 5), "anything", "base5-16")
    for call in (
        lambda: huge.unrank_many(limbs([0])),
        lambda: huge.rank_many(np.zeros((1, 52), np.uint8)),
    ):
        with pytest.raises(pav.NumberError, match=r"has numbers to .*, and an array holds numbers"):
            call()
    for draw in (huge.sample, huge.draw):
        with pytest.raises(pav.NumberError, match="a cardinality is at most"):
            draw(1, seed=7)
    most = Numbering("most", "all numbers", OwnerDigits(64, 4), "anything", "", first=0)
    assert integers(most.rank_many(most.unrank_many(limbs([most.last])))) == [2**128 - 1]
    with pytest.raises(pav.NumberError, match="an array holds numbers"):
        most.one_based().unrank_many(limbs([1]))
    first = Numbering("late", "two words", FixedSizes((26, 26)), "halves", "deal12", first=7)
    assert_same(first, [7, 8, first.last])


def test_packed_hands_are_the_masks_of_hands() -> None:
    owners = np.full((5**4, 52), 4, np.uint8)
    owners[:, [0, 12, 13, 51]] = list(product(range(5), repeat=4))
    owners = np.vstack([owners, *(pav.numbering(n).sample_many(99) for n in ("deal", "base5"))])
    hands = pav.pack_hands(owners, threads=2)
    layouts = [pav.Layout(row.tobytes()) for row in owners]
    assert hands.tolist() == [[hand.mask for hand in layout] for layout in layouts]
    assert np.array_equal(pav.unpack_hands(hands, threads=2), owners)
    assert np.array_equal(pav.pack_hands(owners[::3]), hands[::3])
    assert np.array_equal(pav.unpack_hands(hands[::-7]), owners[::-7])
    assert pav.unpack_hands(np.empty((0, 4), np.uint64)).shape == (0, 52)
    owners[700, 5] = 5
    with pytest.raises(pav.LayoutError, match="row 700: an owner is 0 to 4, not 5"):
        pav.pack_hands(owners)
    shared = int(hands[650, 1]) & -int(hands[650, 1])
    for change, reason in ((1 << 52, "past 51"), (shared, "share")):
        wrong = hands.copy()
        wrong[650, 0] |= np.uint64(change)
        with pytest.raises(pav.LayoutError, match=f"row 650: .*{reason}"):
            pav.unpack_hands(wrong)
