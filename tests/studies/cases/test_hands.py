"""What hands a condition accepts, beside `evaluate` on whole deals."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import pavcodec as pav
from pavcodec import Seat
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import expression
from pavcodec.studies.cases.cells import BRIDGE
from pavcodec.studies.cases.table import HandCondition, read_hands

CONDITIONS = [
    "spades(north) >= 5",
    "shape(north, any 4333 + 5xxx - any 5332)",
    "hcp(north) >= 10 && hcp(north) <= 12",
    "hcp(north, spades) > hcp(north, hearts) && spades(north) < hearts(north)",
    "controls(north) * 3 - hcp(north) % 5 > 2",
    "hascard(north, AS) && !hascard(north, KH) || aces(north) == 2",
    "losers(north) == 7",
    "losers(north, clubs) == 2 && losers(north, hearts) < clubs(north)",
    "hcp(north) + spades(north) * 2 >= 20 || shape(north, any 5431)",
    "(spades(north) > 4 ? hcp(north) >= 9 : hcp(north) >= 12) && hearts(north) < 5",
    "points(north, diamonds, 5 4 3 2 1 1 1 1 1 1 1 1 1) >= 8",
    "points(north, 5 4 3 2 1 1 1 1 1 1 1 1 1) >= 21",
    "points(north, 999999999999999999) % 7 == 3 && hcp(north) > 3",
    "spades(north) > 0 && hcp(north) / spades(north) >= 3",
    "aces(north) > 0 && hcp(north) / aces(north) >= 5",
    "imps(10 * hcp(north) - 100) >= 0",
    "top3(north, spades) == 2 && 1",
    "0 && hcp(north) > 3",
]


@cache
def hand(where: str) -> HandCondition:
    """The hand of a condition."""
    (found,) = read_hands(where)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("where", CONDITIONS)
def test_every_condition_beside_many_deals(where: str) -> None:
    condition, node = hand(where), expression(where).node
    shapes, honours = condition.uses_shape, condition.uses_honours
    assert condition.seat is Seat.NORTH
    for deal in pav.numbering("deal").sample(40, seed=where):
        maps = np.array([BRIDGE.map_of(list(deal["N"].cards))])
        found = condition.accepts(deal["N"].shape if shapes else None, maps if honours else None)
        assert found.tolist() == [bool(evaluate(node, deal))]
        whole = condition.accepts(deal["N"].shape, maps)
        assert whole.tolist() == [bool(evaluate(node, deal))]


def test_what_a_condition_depends_on() -> None:
    def depends(where: str) -> tuple[bool, bool]:
        return hand(where).uses_shape, hand(where).uses_honours

    assert depends("spades(north) == 4 && shape(north, any 4333)") == (True, False)
    assert depends("hcp(north) == 4 && hascard(north, JC)") == (False, True)
    assert depends("losers(north) == 4") == (True, True)
    assert depends("points(north, 3 2 1 1 1 1 1 1 1 1 1 1 1) > 14") == (False, True)


def test_hands_come_in_the_order_of_the_text() -> None:
    where = "hcp(south) < 4 && (spades(north) == 3 && hcp(south) > 1)"
    south, north = read_hands(where)
    assert (south.seat, north.seat) == (Seat.SOUTH, Seat.NORTH)
    assert len(south.parts) == 2
