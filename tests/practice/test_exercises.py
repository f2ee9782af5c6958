"""What a board of a set asks: its level, its key decision and odds, and its best contracts."""

from __future__ import annotations

import pytest

import pavcodec as pav
from pavcodec.cards import Seat
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import template
from pavcodec.constraints.language.parser import parse_condition
from pavcodec.layout import TrickTable
from pavcodec.practice import LEVELS, Difficulty, Question, situation, situation_names
from pavcodec.practice.exercises import side_tricks

SOME = [
    Difficulty(),
    Difficulty(("spades", "hearts"), long=10),
    Difficulty(("spades", "hearts", "diamonds", "clubs")),
]
COUNTED = ("two-clubs", "weak-two-hearts", "slam-zone", "preempt")
"""Situations whose levels are by points, by one suit, by two and by four."""
ODDS = """
strong-notrump 0.547684
weak-notrump 0.341801
weak-two-diamonds 0.762642
weak-two-hearts 0.762642
weak-two-spades 0.762642
preempt 0.238861
gambling-notrump 0.304568
two-clubs 0.915721
three-suiter 0.849272
reverse 0.593677
flannery-misfit 0.377319
cardracks 0.450725
stayman 0.352619
transfer 0.704787
single-raise 0.537469
limit-raise 0.267159
splinter 0.358886
minor-fit 0.201224
slam-zone 0.227064
takeout-double 0.415422
michaels 0.610462
unusual-notrump 0.914342
landy 0.705299
"""
"""The odds of each key decision over all deals of its situation, with six digits."""


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
    for deal in pav.numbering("deal").sample(200, seed=7):
        [level] = [level for level in LEVELS if evaluate(nodes[level], deal)]
        assert level == difficulty.level(deal)
        seen.add(level)
        lengths = [deal["N"].shape[suit] + deal["S"].shape[suit] for suit in range(4)]
        points = deal["N"].hcp + deal["S"].hcp
        longest = max(lengths[: len(difficulty.suits)], default=points)
        assert difficulty.figure(deal) == longest
    assert seen == set(LEVELS) or difficulty.long == 10


@pytest.mark.slow
@pytest.mark.parametrize("name", COUNTED)
def test_levels_of_a_situation_are_counted_exactly(name: str) -> None:
    one = situation(name)
    levels = [counted(f"({one.where}) && {one.difficulty.where(level)}") for level in LEVELS]
    assert all(found.cardinality > 0 for found in levels)
    assert sum(found.cardinality for found in levels) == one.cardinality


def question(name: str) -> Question:
    """The key decision of a situation; each has one."""
    found = situation(name).question
    assert found is not None
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["weak-two-hearts", "two-clubs", "stayman", "splinter"])
def test_the_odds_of_a_hand_are_those_of_the_definition(name: str) -> None:
    asked, space = question(name), situation(name).deals()
    [deal] = space.sample(1, seed=name)
    hands = [str(deal[seat]) if seat == asked.asker else "-" for seat in Seat]
    given = space.where & template(pav.Layout.from_pbn(f"N:{' '.join(hands)}"))
    assert asked.odds(space, deal) == pav.probability(asked.event, given=given)


@pytest.mark.slow
def test_the_odds_of_all_situations_are_those_that_we_keep() -> None:
    found = [
        f"{name} {float(question(name).odds(situation(name).deals())):.6f}"
        for name in situation_names()
    ]
    assert found == ODDS.split("\n")[1:-1]


def table(*taken: int) -> TrickTable:
    """A table in which North and South take these tricks in NT S H D C."""
    return TrickTable(bytes(each for n in taken for each in (n, 13 - n, n, 13 - n)))


LINES = [  # of the contract that scores most, vulnerable or not
    ((8, 10, 9, 7, 7), "NS can make 4♠ (10 tricks); 3NT and 4♥ fail by one"),
    ((8, 11, 6, 6, 6), "NS can make 4♠ (11 tricks); 3NT and 6♠ fail by one"),
    ((10, 10, 6, 6, 6), "NS can make 3NT (10 tricks)"),
    ((7, 9, 6, 6, 6), "NS can make 3♠ (9 tricks); 4♠ fails by one"),
    ((7, 7, 7, 9, 10), "NS can make 4♣ (10 tricks); 5♣ fails by one"),
    ((8, 12, 9, 11, 8), "NS can make 6♠ (12 tricks); 6♦ and 7♠ fail by one"),
    ((13, 12, 11, 10, 4), "NS can make 7NT (13 tricks); 7♠ fails by one"),
    ((8, 9, 9, 10, 11), "NS can make 5♣ (11 tricks); 3NT, 4♥, 4♠, 5♦ and 6♣ fail by one"),
    ((9, 8, 8, 11, 8), "NS can make 3NT (9 tricks); 6♦ fails by one"),
    ((12, 11, 11, 13, 9), "NS can make 7♦ (13 tricks); 7NT fails by one"),
    ((8, 8, 7, 9, 9), "NS can make 2NT (8 tricks); 3NT fails by one"),
    ((12, 12, 9, 8, 8), "NS can make 6NT (12 tricks); 7♠ and 7NT fail by one"),
    ((7, 8, 8, 9, 9), "NS can make 3♣ (9 tricks)"),
    ((8, 9, 10, 11, 7), "NS can make 4♥ (10 tricks); 3NT, 4♠ and 6♦ fail by one"),
    ((11, 11, 11, 12, 6), "NS can make 6♦ (12 tricks); 6♥, 6♠, 6NT and 7♦ fail by one"),
    ((0, 0, 0, 0, 0), "NS can make no contract"),
]


def test_the_line_of_a_side_is_that_of_its_better_declarer() -> None:
    for taken, text in LINES:
        for seat in (Seat.SOUTH, Seat.NORTH):
            assert str(side_tricks(table(*taken), seat)) == text
    assert str(side_tricks(table(0, 0, 0, 0, 0), Seat.EAST)).startswith("EW can make 7NT (13")
    tricks = TrickTable(bytes([6, 8, 6, 9] + [5] * 16))
    assert str(side_tricks(tricks, Seat.EAST)) == "EW can make 3NT (9 tricks)"
