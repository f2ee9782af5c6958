"""Levels of difficulty: conditions that exclude each other, cover all deals, fit their words."""

from __future__ import annotations

import re

import pytest

import pavcodec as pav
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.parser import parse_condition
from pavcodec.practice import LEVELS, Difficulty, situation, situation_names

SUITS = ("spades", "hearts", "diamonds", "clubs")
every = pytest.mark.parametrize("name", situation_names())
SOME = [
    Difficulty(),
    Difficulty(("hearts",)),
    Difficulty(("spades", "hearts"), long=10),
    Difficulty(SUITS),
]


def counted(where: str) -> pav.ConstrainedDeals:
    """The deals of a condition, which can be counted."""
    found = pav.deals(where)
    assert isinstance(found, pav.ConstrainedDeals)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", SOME)
def test_the_level_of_a_deal_is_the_condition_that_it_satisfies(difficulty: Difficulty) -> None:
    nodes = {level: parse_condition(difficulty.where(level)) for level in LEVELS}
    seen = set()
    for deal in pav.numbering("deal").sample(300, seed=7):
        assert isinstance(deal, pav.Deal)
        assert [level for level in LEVELS if evaluate(nodes[level], deal)] == [
            difficulty.level(deal)
        ]
        seen.add(difficulty.level(deal))
    assert seen == set(LEVELS) or difficulty.long == 10


@pytest.mark.slow
def test_levels_by_points_are_those_of_their_words() -> None:
    levels: dict[int, str] = {}
    for level in LEVELS:
        words = Difficulty().meaning(level)
        for start, number in re.findall(r"(at most |at least )?(\d+)", words):
            first, last = (0 if "most" in start else int(number), int(number))
            last = 40 if "least" in start else last
            levels |= dict.fromkeys(range(first, last + 1), level)
    assert sorted(levels) == list(range(41))
    for deal in counted("hcp(north) + hcp(south) >= 22").sample(200, seed=7):
        assert isinstance(deal, pav.Deal)
        pair = deal["N"].hcp + deal["S"].hcp
        assert Difficulty().figure(deal) == pair
        assert Difficulty().level(deal) == levels[pair]
        assert Difficulty().describe(deal) == f"{levels[pair]} ({pair} points together)"


def test_a_fit_is_the_longest_in_its_suits() -> None:
    majors = Difficulty(("spades", "hearts"))
    for deal in pav.numbering("deal").sample(50, seed=1):
        assert isinstance(deal, pav.Deal)
        lengths = [deal["N"].shape[place] + deal["S"].shape[place] for place in (0, 1)]
        assert majors.figure(deal) == max(lengths)


@pytest.mark.slow
@every
def test_levels_of_a_situation_are_counted_exactly(name: str) -> None:
    one = situation(name)
    levels = [counted(f"({one.where}) && {one.difficulty.where(level)}") for level in LEVELS]
    assert all(found.cardinality > 0 for found in levels)
    assert sum(found.cardinality for found in levels) == one.cardinality
