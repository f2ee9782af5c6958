"""Endings with conditions on tricks: counted by classes, against all endings of one card."""

from __future__ import annotations

import numpy as np
import pytest

import pavcodec as pav
from pavcodec.constraints.counting.condition import LARGEST_BY_CLASSES
from pavcodec.solving.endings import LARGEST_TABLE

CONDITIONS = [
    "tricks(west, notrump) == 0",
    "tricks(south, hearts) == 1 && spades(north) == 1",
    "tricks(north, clubs) == tricks(east, clubs) && hearts(south) + hearts(west) != 1",
    "tricks(south, spades) > tricks(south, notrump) || tricks(east, diamonds) > 0",
    "(longest(north) == 1 ? tricks(south, hearts) : 0) + diamonds(south) == 2",
]


def test_the_sizes_are_those_of_the_table() -> None:
    assert LARGEST_BY_CLASSES == LARGEST_TABLE


@pytest.mark.parametrize("size", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("strain", ["notrump", "diamonds"])
def test_counts_by_tricks(size: int, strain: str) -> None:
    """The counts of the table, by conditions and as a distribution; the side of South leads."""
    counts = pav.count_endings(size, trumps=strain != "notrump")
    taken = f"tricks(west, {strain})"  # the other side
    every = pav.endings(cards=size)
    found = pav.distribution(taken, given=every)
    assert [found[size - k] * every.cardinality for k in range(size + 1)] == counts
    some = pav.endings(f"{taken} <= 0", cards=size, legal=True)
    assert (some.cardinality, some.probability) == (counts[size], found[0])
    assert pav.probability(f"{taken} == 0", given=every) == found[0]


@pytest.mark.slow
def test_all_endings_of_one_card() -> None:
    every, spaces = pav.endings(cards=1), [pav.endings(each, cards=1) for each in CONDITIONS]
    counts = [0] * len(CONDITIONS)
    for start in range(0, every.cardinality, 1 << 19):
        last = min(start + (1 << 19), every.cardinality)
        numbers = np.zeros((last - start, 2), np.uint64)
        numbers[:, 1] = np.arange(start, last)
        owners = every.unrank_many(numbers)
        for place, are_chosen in enumerate(_chosen(owners)):
            counts[place] += int(np.count_nonzero(are_chosen))
    assert [space.cardinality for space in spaces] == counts


def _chosen(owners: np.ndarray) -> list[np.ndarray]:
    """Return which endings satisfy each of the conditions, by arrays of tricks and of cards."""
    tricks = pav.tricks_of_endings(owners).reshape(-1, 5, 4)
    held = (owners.reshape(-1, 4, 13, 1) == np.arange(4)).sum(axis=2)
    return [
        tricks[:, 0, 3] == 0,
        (tricks[:, 2, 2] == 1) & (held[:, 0, 0] == 1),
        (tricks[:, 4, 0] == tricks[:, 4, 1]) & (held[:, 1, 2] + held[:, 1, 3] != 1),
        (tricks[:, 1, 2] > tricks[:, 0, 2]) | (tricks[:, 3, 1] > 0),
        tricks[:, 2, 2] + held[:, 2, 2] == 2,
    ]


@pytest.mark.slow
@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("size", [1, 2])
def test_numbers_and_endings(condition: str, size: int) -> None:
    space = pav.endings(condition, cards=size)
    total = space.cardinality
    numbers = [k * (total - 1) // 40 for k in range(41)]
    endings = [space.unrank(number) for number in numbers]
    assert [space.rank(ending) for ending in endings] == numbers
    assert all(ending in space for ending in endings)
    owners = space.sample_many(50, seed=7)
    assert [row.tobytes() for row in owners] == [each.owners for each in space.sample(50, seed=7)]
    for ending in pav.endings(cards=size).sample(30, seed=1):
        if ending in space:
            assert space.unrank(space.rank(ending)) == ending
        else:
            with pytest.raises(pav.LayoutError, match="does not satisfy"):
                space.rank(ending)


@pytest.mark.slow
def test_all_numbers_of_few_endings() -> None:
    space = pav.endings("tricks(west, spades) == 1 && clubs(north) + hearts(east) == 2", cards=1)
    every = {ending.owners for ending in space}
    assert len(every) == space.cardinality
    assert space.conflict() == ()
    never = pav.endings("tricks(west, spades) > 1", cards=1)
    assert (never.cardinality, len(never.conflict())) == (0, 1)


@pytest.mark.parametrize(
    ("condition", "cards", "message"),
    [
        (
            "tricks(west, spades) > 1 && hcp(north) > 3",
            3,
            "depends on ranks, and beside tricks only",
        ),
        ("tricks(west, spades) > rnd(2)", 3, "rnd is tested deal by deal"),
        ("tricks(west, spades) / clubs(north) > 1", 2, "has no value for some endings"),
        ("tricks(west, spades) > 1", 4, "tricks is tested deal by deal, and endings are only"),
    ],
)
def test_what_is_not_counted(condition: str, cards: int, message: str) -> None:
    with pytest.raises(pav.PavError, match=message):
        pav.endings(condition, cards=cards).cardinality  # noqa: B018
    with pytest.raises(pav.PavError, match="depends on ranks"):
        pav.distribution("tricks(west, spades) + hcp(west)", given=pav.endings(cards=2))
