"""Endings with conditions on tricks, which are counted by classes."""

from __future__ import annotations

import pytest

import pavcodec as pav
from pavcodec.constraints.counting.condition import LARGEST_BY_CLASSES
from pavcodec.solving.endings import LARGEST_TABLE

CONDITIONS = {
    "tricks(west, notrump) == 0": 5181384,
    "tricks(south, hearts) == 1 && spades(north) == 1": 491582,
    "tricks(north, clubs) == tricks(east, clubs) && hearts(south) + hearts(west) != 1": 504296,
    "tricks(south, spades) > tricks(south, notrump) || tricks(east, diamonds) > 0": 3531944,
    "(longest(north) == 1 ? tricks(south, hearts) : 0) + diamonds(south) == 2": 491582,
}
"""The endings of one card, as counted among all 6,497,400 by the tricks and cards of each."""


def test_the_sizes_are_those_of_the_table() -> None:
    assert LARGEST_BY_CLASSES == LARGEST_TABLE


@pytest.mark.parametrize("size", [1, 2])
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


@pytest.mark.parametrize("condition", CONDITIONS)
def test_all_endings_of_one_card(condition: str) -> None:
    assert pav.endings(condition, cards=1).cardinality == CONDITIONS[condition]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("condition", "size"), [*((condition, 1) for condition in CONDITIONS), (min(CONDITIONS), 2)]
)
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
    """All four cards are spades, and in half of the cases the side of West has the best one."""
    spades = " + ".join(f"spades({seat})" for seat in ("north", "east", "south", "west"))
    space = pav.endings(f"tricks(west, spades) == 1 && {spades} == 4", cards=1)
    every = [ending.owners for ending in space]
    assert len(every) == len(set(every)) == space.cardinality == 13 * 12 * 11 * 10 / 2
    assert all(owners[13:] == bytes([4] * 39) for owners in every)
    assert all(owners.strip(b"\4")[0] % 2 for owners in every)
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
