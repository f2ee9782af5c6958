"""Canonical words and numbers of classes in the kernel and by their definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles import words, words_of_sizes

import pavcodec as pav
from pavcodec import kernel
from pavcodec.arrays import consecutive
from pavcodec.kernel import reference
from pavcodec.numberings.classes import ClassWalk
from pavcodec.symmetry import Symmetry, seatings, symmetry_of

NAMES = ["suits", "turns", "half-turn", "seats", "suits,turns", "suits,half-turn", "suits,seats"]


DEFINED: Any = reference


def assert_same_words(symmetry: Symmetry, ranks: int, owners: np.ndarray) -> None:
    given = owners.copy()
    results = []
    for function in (kernel.canonical_words, DEFINED.canonical_words):
        found = np.zeros_like(owners)
        ways = np.zeros((len(owners), symmetry.suits + symmetry.seats), np.uint8)
        bad = function(*definition_of(symmetry), ranks, len(owners), owners, found, ways)
        results.append((bad, found[:bad].tolist(), ways[:bad].tolist()))
    assert results[0] == results[1]
    assert np.array_equal(owners, given)


def definition_of(symmetry: Symmetry) -> list[Any]:
    labels, *rest = symmetry.definition
    return [np.frombuffer(labels, np.uint8), *rest]


def tables_of(walk: ClassWalk) -> list[Any]:
    starts, after = walk.table._tables
    return [np.ctypeslib.as_array(starts), np.ctypeslib.as_array(after)]


@pytest.mark.parametrize(("suits", "ranks", "seats"), [(4, 1, 4), (2, 3, 4), (3, 2, 3), (1, 2, 2)])
@pytest.mark.parametrize("seating", ["", "turns", "seats"])
@pytest.mark.parametrize("any_suits", [True, False])
def test_canonical_words_of_a_toy_deck(
    suits: int,
    ranks: int,
    seats: int,
    seating: str,
    any_suits: bool,
) -> None:
    symmetry = Symmetry("toy", any_suits, seatings(seating, seats), suits)
    every_word = b"".join(words(suits * ranks, 5))
    owners = np.frombuffer(every_word, np.uint8).reshape(-1, suits * ranks)
    owners = np.ascontiguousarray(owners[:: 1 + len(owners) // 1500])
    assert_same_words(symmetry, ranks, np.vstack([owners, np.full_like(owners[:1], 5)]))


@pytest.mark.parametrize("name", NAMES)
def test_canonical_words_of_the_deck(name: str) -> None:
    rows = [pav.numbering("deal").sample_many(40, seed=5)]
    rows += [pav.numbering("base5").sample_many(40, seed=5)]
    rows += [np.full((1, 52), owner, np.uint8) for owner in (*range(5), 5, 255)]
    owners = np.vstack(rows)
    assert_same_words(symmetry_of(name), 13, owners)
    assert_same_words(symmetry_of(name), 13, owners[:-1].copy())


@pytest.mark.slow
@pytest.mark.parametrize("seating", ["", "turns", "seats"])
@pytest.mark.parametrize("any_suits", [True, False])
@pytest.mark.parametrize(
    ("suits", "ranks", "seats"), [(4, 1, 4), (2, 2, 4), (3, 2, 3), (3, 4, 2), (2, 4, 4), (4, 15, 4)]
)
def test_numbers_of_classes(
    suits: int,
    ranks: int,
    seats: int,
    seating: str,
    any_suits: bool,
) -> None:
    walk = ClassWalk(Symmetry("toy", any_suits, seatings(seating, seats), suits), ranks)
    total = walk.cardinality
    step = 1 + total // 200
    found = np.array([list(walk.unrank(number)) for number in range(0, total, step)], np.uint8)
    numbers = np.array([divmod(number, 2**64) for number in range(0, total, step)], np.uint64)
    defined, missing = np.empty_like(found), np.empty(1, np.int64)
    count = len(found)
    given: list[Any] = [seats, suits, ranks, *tables_of(walk), 0, count, numbers]
    assert DEFINED.class_unrank(*given, defined, missing) == -1
    assert defined.tolist() == found.tolist()
    if suits * ranks < 10:
        every_word = b"".join(words_of_sizes(walk.capacities))
        found = np.frombuffer(every_word, np.uint8)
        found = found.reshape(-1, suits * ranks)[::13].copy()
    compiled, numbers_defined = np.empty((2, len(found), 2), np.uint64)
    assert walk.table.rank_rows(len(found), found, compiled) == -1
    given = [*definition_of(walk.symmetry), ranks, *tables_of(walk), 0, len(found), found]
    assert DEFINED.class_rank(*given, numbers_defined, missing) == -1
    assert compiled.tolist() == numbers_defined.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["suits", "suits,turns"])
def test_numbers_of_classes_of_the_deck(name: str) -> None:
    walk = ClassWalk(symmetry_of(name), 13)
    owners = pav.numbering("deal").sample_many(60, seed=3)
    owners[0] = np.arange(52) // 13
    owners[1] = np.arange(52) % 4
    compiled, defined = np.empty((2, len(owners), 2), np.uint64)
    missing = np.empty(1, np.int64)
    assert walk.table.rank_rows(len(owners), owners, compiled) == -1
    given: list[Any] = [*definition_of(walk.symmetry), 13, *tables_of(walk)]
    assert DEFINED.class_rank(*given, 0, len(owners), owners, defined, missing) == -1
    assert compiled.tolist() == defined.tolist()
    found, again = np.empty((2, *owners.shape), np.uint8)
    walk.table.unrank_rows(len(owners), compiled, found)
    given = [4, 4, 13, *tables_of(walk)]
    assert DEFINED.class_unrank(*given, 0, len(owners), compiled, again, missing) == -1
    assert found.tolist() == again.tolist()
    owners[40, 7:9] = 5, 255
    owners[50] = 0
    given = [*definition_of(walk.symmetry), 13, *tables_of(walk)]
    for rank in (kernel.class_rank, DEFINED.class_rank):
        assert rank(*given, 7, len(owners), owners, defined, missing) == 40
        assert missing[0] == -1


@pytest.mark.parametrize("function", ["class_rank", "class_unrank"])
def test_a_missing_node_is_told(function: str) -> None:
    walk = ClassWalk(symmetry_of("suits"), 13)
    first: list[Any] = definition_of(walk.symmetry) if function == "class_rank" else [4, 4]
    results = np.zeros((2, 4), np.int64)
    first_deal = ClassWalk(symmetry_of("suits"), 13).unrank(0)
    owners = np.array([list(first_deal)], np.uint8)
    for row, functions in zip(results, (kernel, DEFINED), strict=True):
        numbers, missing = consecutive(0, 1), np.empty(1, np.int64)
        given = (owners, numbers) if function == "class_rank" else (numbers, owners.copy())
        row[0] = getattr(functions, function)(*first, 13, *tables_of(walk), 0, 1, *given, missing)
        row[1] = missing[0]
    assert results[0].tolist() == results[1].tolist()
    assert results[0, 0] == 0
    assert 0 <= results[0, 1] < 256
