"""What hands a condition accepts, beside `evaluate` on whole deals."""

from __future__ import annotations

from functools import cache

import pytest

import pavcodec as pav
from pavcodec import Seat
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import expression
from pavcodec.records.kinds import HONOURS_OFF, PATTERN_OFF
from pavcodec.shapes import shape_index
from pavcodec.studies.cases.cells import HandCondition, Plan, cells_of, read_hands

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


def map_of(held: pav.Hand) -> int:
    """The honours of a hand as 16 bits, the spade ace first."""
    return sum(1 << 15 - (card // 13 * 4 + card % 13) for card in held.cards if card % 13 < 4)


@cache
def hand(where: str) -> HandCondition:
    """The hand of a condition."""
    (found,) = read_hands(where)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("where", CONDITIONS)
def test_every_condition_beside_many_deals(where: str) -> None:
    """A deal satisfies a condition if its hand is among the cells, also with unused columns."""
    node = expression(where).node
    condition = hand(where)
    used = condition.uses_shape, condition.uses_honours
    assert condition.seat is Seat.NORTH
    deals = pav.numbering("deal").sample(80, seed=where)
    columns = [used] if used == (True, True) else [used, (True, True)]
    for patterns, honours in columns:
        plan = Plan((0,), patterns or not honours, honours)
        cells = cells_of(plan, condition.accepts)
        listed = set(zip(cells.shapes.tolist(), cells.maps.tolist(), strict=True))
        for deal in deals:
            held = shape_index(deal["N"].shape), map_of(deal["N"])
            key = held[0] if plan.patterns else PATTERN_OFF, held[1] if honours else HONOURS_OFF
            assert (key in listed) == bool(evaluate(node, deal))


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
