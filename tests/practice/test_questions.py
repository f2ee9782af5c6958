"""Key decisions: their odds are those of the definition, and of closed forms."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

import pavcodec as pav
from pavcodec.cards import Seat
from pavcodec.constraints.expressions import template
from pavcodec.practice import Question, situation, situation_names

every = pytest.mark.parametrize("name", situation_names())


def question(name: str) -> Question:
    """The key decision of a situation; each has one."""
    found = situation(name).question
    assert found is not None
    return found


def own_hand(deal: pav.Deal, seat: Seat) -> pav.Layout:
    """The layout of one hand."""
    hands = [str(deal[each]) if each == seat else "-" for each in Seat]
    return pav.Layout.from_pbn(f"N:{' '.join(hands)}")


@pytest.mark.slow
@every
def test_the_odds_of_a_hand_are_those_of_the_definition(name: str) -> None:
    asked, space = question(name), situation(name).deals()
    for deal in space.sample(2, seed=name):
        assert isinstance(deal, pav.Deal)
        given = space.where & template(own_hand(deal, asked.asker))
        expected = pav.probability(asked.event, given=given)
        assert asked.odds(space, deal) == expected


@pytest.mark.slow
@every
def test_the_odds_of_a_situation_agree_with_a_sample(name: str) -> None:
    asked, space = question(name), situation(name).deals()
    exact = asked.odds(space)
    share = pav.probability(asked.event, given=space, simulate=2000, seed="questions")
    assert 0 < exact < 1
    assert abs(exact - share.value) < 5 * (share.high - share.low) / 4


@pytest.mark.slow
def test_the_fit_of_a_weak_two_in_closed_form() -> None:
    fewer = sum(comb(7, held) * comb(32, 13 - held) for held in (0, 1))
    expected = 1 - Fraction(fewer, comb(39, 13))
    for suit in ("diamonds", "hearts", "spades"):
        name = f"weak-two-{suit}"
        space = situation(name).deals()
        [deal] = space.sample(1, seed=1)
        assert isinstance(deal, pav.Deal)
        assert question(name).odds(space) == expected
        assert question(name).odds(space, deal) == expected


def test_the_question_names_players_of_the_situation() -> None:
    for name in situation_names():
        asked = question(name)
        assert asked.asker in (Seat.NORTH, Seat.SOUTH)
        words = set(asked.text.replace(",", "").split())
        assert words & {"North", "South", "East", "West"}
