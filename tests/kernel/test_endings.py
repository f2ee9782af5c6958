"""The tricks of small endings: the kernel and its definition give the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pavcodec import kernel
from pavcodec.kernel import reference
from pavcodec.solving.endings import (
    Tables,
    lengths_of,
    made_tables,
    tables_of_package,
    words_of,
)

TWO = made_tables(2, threads=1)
NONE = replace(TWO, known=0)


def of_both(name: str, *arguments: Any, shape: tuple[int, ...], dtype: Any) -> list[np.ndarray]:
    """Return what the kernel and its definition write into an array of zeros."""
    results = []
    for room in (kernel, reference):
        result = np.zeros(shape, dtype)
        assert getattr(room, name)(*arguments, result) in (None, -1)
        results.append(result)
    return results


@pytest.mark.slow
@pytest.mark.parametrize("trumps", [False, True])
@pytest.mark.parametrize(
    ("size", "rows", "smaller"),
    [(1, slice(None), NONE), (2, slice(4, 5), TWO), (2, slice(9, 10), NONE)],
)
def test_tables(size: int, rows: slice, smaller: Tables, trumps: bool) -> None:
    lengths = np.array(lengths_of(size, trumps=trumps)[rows], np.uint8)
    arguments = replace(smaller, known=min(smaller.known, size - 1)).arguments
    shape = (len(lengths), words_of(size) // 4)
    found, defined = of_both(
        "endings_solved", *arguments, size, trumps, len(lengths), lengths,
        shape=shape, dtype=np.uint8,
    )  # fmt: skip
    assert (found == defined).all()
    assert found.any()


def endings(size: int, count: int) -> np.ndarray:
    """Return random endings: cards of the seats in turn, the rest unused."""
    random = np.random.default_rng(size)
    owners = np.full((count, 52), 4, np.uint8)
    for row in owners:
        row[random.choice(52, 4 * size, replace=False)] = np.arange(4 * size) % 4
    return owners


def turns(owners: np.ndarray) -> np.ndarray:
    """Return random turns: a strain, a leader, and cards of the trick so far, of any suits."""
    random = np.random.default_rng(7)
    made = np.full((len(owners), 5), 52, np.uint8)
    for row, held in zip(made, owners, strict=True):
        row[:2] = random.integers(5), random.integers(4)
        for place in range(random.integers(4)):
            row[2 + place] = random.choice(np.flatnonzero(held == (row[1] + place) % 4))
    return made


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_tricks_of_endings_of_real_cards(size: int) -> None:
    """Of each contract and turn, and by the card that is played next."""
    owners, columns = endings(size, (40, 40, 4, 1)[size - 1]), np.arange(20, dtype=np.uint8)
    for tables in (NONE, TWO, tables_of_package())[size // 4 * 2 :]:
        for name, given, shape in (
            ("endings_tricks", (owners, 20, columns), (len(owners), 20)),
            ("endings_plays", (owners, turns(owners)), owners.shape),
        ):
            arguments = *tables.arguments, len(owners), *given
            found, defined = of_both(name, *arguments, shape=shape, dtype=np.uint8)
            assert (found == defined).all(), name


def test_other_hands_are_refused() -> None:
    for bad in (np.full((1, 52), 4, np.uint8), endings(5, 1), endings(1, 1) % 3):
        owners = np.concatenate([endings(2, 1), bad])
        result, columns = np.zeros((2, 1), np.uint8), np.zeros(1, np.uint8)
        for room in (kernel, reference):
            assert room.endings_tricks(*TWO.arguments, 2, owners, 1, columns, result) == 1
            leads = np.array([[0, 0, 52, 52, 52]] * 2, np.uint8)
            tricks = np.zeros((2, 52), np.uint8)
            assert room.endings_plays(*TWO.arguments, 2, owners, leads, tricks) == 1
