"""The meaning of expressions: values worked out by hand, the laws of scoring, chance, errors."""

from __future__ import annotations

import re
import sys
from itertools import product
from random import Random as Generator
from typing import Any

import numpy as np
import pytest
from formats_support import DEAL, ENDING, OTHER
from hypothesis import given, settings
from packages import needs
from strategies import deals

from pavcodec import Deal, Layout, PavError, Seat, Strain
from pavcodec.boards.par import duplicate_score, imps
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.parser import parse_expression, parse_script
from pavcodec.constraints.nodes.syntax import And, Node, Number, Python, Random
from pavcodec.layout.hand import CCCC, suit_quality
from pavcodec.solving.double_dummy import double_dummy

FIRST, SECOND = Deal.from_pbn(DEAL), Deal.from_pbn(OTHER)


def value(text: str, deal: Layout = SECOND, **options: Any) -> int:
    """Evaluate a text."""
    return evaluate(parse_expression(text), deal, **options)


VALUES = {
    "hcp(south)": 15,
    "hcp(south, spades) + hcp(east, clubs)": 6,
    "spades(north) * 100 + hearts(north) * 10 + clubs(north)": 422,
    "losers(south) * 10 + losers(north, hearts)": 42,
    "tens(east) + jacks(east) + queens(west) + kings(north) + aces(south)": 6,
    "top2(south) * 1000 + top3(south) * 100 + top4(south) * 10 + top5(south)": 2567,
    "shape(south, any 5440) && shape(south, 54xx) && !shape(south, 5440)": 1,
    "hascard(south, AS) && hascard(south, SA) && !hascard(north, AS)": 1,
    "7 / 2": 3,
    "-7 / 2": -3,
    "7 / -2": -3,
    "-7 % 3": -1,
    "7 % -3": 1,
    "10 - 4 - 3 * 1": 3,
    "2 > 1 > 0": 1,
    "(2 > 1) > 1": 0,
    "1 || 1 / hcp(east) && 0": 1,
    "0 && 5 / (spades(west) - 1)": 0,
    "!5 + !0": 1,
    "(1 < 2) + (2 < 2) * 2 + (2 <= 2) * 4 + (3 <= 2) * 8": 5,
    "(2 > 1) + (2 > 2) * 2 + (2 >= 2) * 4 + (2 >= 3) * 8": 5,
    "(2 == 2) + (2 == 3) * 2 + (2 != 3) * 4 + (2 != 2) * 8": 5,
    "2 && 0 || 3 && -1": 1,
    "-hcp(south) * 2 - -spades(south)": -25,
    "0 ? 1 : 0 ? 2 : 3": 3,
    "quality(south, spades)": 350,
    "cccc(south)": 1860,
    "imps(score(vul, x4S, 10) - score(vul, x3N, 9))": 1,
    "score(nv, x4SX, 8)": -300,
    "score(vul, x5C, 12)": 620,
    "score(nv, x6H, 12)": 980,
    "score(vul, x7NXX, 13)": 2980,
    "score(vul, x7NXX, 0)": -7600,
    "score(vul, x1CX, 9)": 540,
}


def test_values() -> None:
    assert {text: value(text) for text in VALUES} == VALUES
    ending = Layout.from_pbn(ENDING)
    assert (value("hcp(north) + spades(north)", ending), value("losers(west)", ending)) == (11, 0)
    for wrong in ("1 / (hcp(south) - 15)", "1 % (hcp(south) - 15)"):
        with pytest.raises(PavError, match="division by 0"):
            value(wrong)


QUALITIES = {
    "AKQJT": 550,
    "AKJ98": 425,  # H is 3: the nine counts for the eight
    "KQ962": 275,
    "QT": 50,  # (2 + 1/2) * 2
    "JT": 40,  # (1 + 1) * 2
    "T9": 20,
    "A765432": 350,
    "A8765432": 480,
    "A98765432": 630,
    "QT9876543": 270,
    "": 0,
}
HANDS = {
    "AKQ.AKQ.AKQ.AKQJ": 3560,
    "5432.432.432.432": -50,
    "K.AQ852.QJ97.T63": 1135,
    "K.Q.A987654.Q432": 50 + 30 + 0 + 20 + 300 + 350 + 75 + 80 + 400 - 100,
    "AQ.KQ.Q2.AK65432": 375 + 120 + 275 + 100 + 50 + 40 + 500 + 560 + 300 - 100,
    "AJT9.654.A32.K32": 300 + 25 + 25 + 260 + 300 + 120 + 200 + 90 - 50,
}


def test_holdings_and_hands_worked_out_by_hand() -> None:
    assert {holding: suit_quality(holding) for holding in QUALITIES} == QUALITIES
    assert {hand: CCCC.value(hand.split(".")) for hand in HANDS} == HANDS


IMPS = """0-10 20-40 50-80 90-120 130-160 170-210 220-260 270-310 320-360 370-420 430-490 500-590
600-740 750-890 900-1090 1100-1290 1300-1490 1500-1740 1750-1990 2000-2240 2250-2490 2500-2990
3000-3490 3500-3990"""
"""The table of the World Bridge Federation, from 0 IMPs on; 24 from 4000 on."""


def test_imps() -> None:
    """What lies between two rows belongs to the upper one."""
    ends = [int(row.split("-")[1]) for row in IMPS.split()]
    for difference in (*range(4100), 10**9):
        won = len([end for end in ends if end < difference])
        assert (imps(difference), imps(-difference)) == (won, -won)


def score_by_laws(
    level: int, strain: Strain, tricks: int, *, vulnerable: bool, doubled: int
) -> int:
    """The laws of duplicate bridge."""
    down = level + 6 - tricks
    if down > 0:
        each = [200, *[300] * 12] if vulnerable else [100, 200, 200, *[300] * 10]
        return -doubled * sum(each[:down]) if doubled else -(100 if vulnerable else 50) * down
    worth = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}[strain.letters]
    below = (worth * level + (10 if strain == Strain.NOTRUMP else 0)) * [1, 2, 4][doubled]
    over = -down * ((200 if vulnerable else 100) * doubled if doubled else worth)
    game = (500 if vulnerable else 300) if below >= 100 else 50
    slam = {6: (500, 750), 7: (1000, 1500)}.get(level, (0, 0))[vulnerable]
    return below + over + 50 * doubled + game + slam


def test_all_scores() -> None:
    contracts = product(range(1, 8), Strain, range(14))
    for (level, strain, tricks), doubled, vulnerable in product(contracts, range(3), (False, True)):
        expected = score_by_laws(level, strain, tricks, vulnerable=vulnerable, doubled=doubled)
        found = duplicate_score(
            level, strain, tricks=tricks, vulnerable=vulnerable, doubled=doubled
        )
        assert found == expected


@pytest.mark.slow
def test_chance_draws_once_for_a_place_in_the_text() -> None:
    draw = Generator(7).randrange
    assert len({value("rnd(6) - rnd(6)", random=draw) for _ in range(400)}) == 11
    script = parse_script("die = rnd(6)  condition die - die")
    assert script.condition is not None
    assert {evaluate(script.condition, SECOND, random=draw) for _ in range(50)} == {0}
    assert {value("rnd(6, 1) - rnd(6, 1)", random=draw) for _ in range(50)} == {0}
    assert len({value("rnd(6, 1) - rnd(6, 2)", random=draw) for _ in range(400)}) == 11
    assert {value("rnd(1, 1) * rnd(6, 1)", random=draw) for _ in range(50)} == {0}
    assert {value("rnd(6, 1) + rnd(9, 1)", random=lambda n: n - 1) for _ in range(50)} == {13}
    draws = iter([3, 2])
    assert value("rnd(rnd(6) + 1, 4) * 10 + rnd(rnd(6) + 1, 4)", random=lambda _: next(draws)) == 22
    with pytest.raises(PavError, match="at least 1 number, not of 0"):
        evaluate(Random(Number(0)), SECOND)


def test_functions_of_python() -> None:
    node = Python(lambda deal: deal["N"].hcp, "north")
    assert evaluate(node, SECOND) == 12
    assert evaluate(And((node, Number(1))), SECOND) == 1
    with pytest.raises(TypeError, match="no node"):
        evaluate(Node(), SECOND)
    for good in (True, np.int64(7)):
        assert evaluate(Python(lambda _, good=good: good, "fine"), SECOND) == int(good)  # type: ignore[misc]
    for wrong in (None, 1.0, "1", [1]):
        node = Python(lambda _, wrong=wrong: wrong, "odd")  # type: ignore[misc]
        with pytest.raises(TypeError, match="'odd' must return a bool or an integer") as it:
            evaluate(node, SECOND)
        assert repr(wrong) in str(it.value)


def test_tricks_come_from_the_solver() -> None:
    asked = []

    def solve(deal: Deal, declarer: Seat, strain: Strain) -> int:
        asked.append((deal, declarer, strain))
        return 9

    assert value("tricks(south, notrump) + tricks(west, clubs)", tricks=solve) == 18
    assert asked == [(SECOND, Seat.SOUTH, Strain.NOTRUMP), (SECOND, Seat.WEST, Strain.CLUBS)]


@pytest.mark.slow
def test_endplay_solves_where_it_is_installed() -> None:
    needs("endplay")
    deal = Deal.from_pbn("N:974.AJ3.63.AK963 K83.K9752.7.8752 AQJ5.T864.KJ94.4 T62.Q.AQT852.QJT")
    assert [double_dummy(deal, Seat.EAST, strain) for strain in Strain] == [4, 4, 4, 5, 4]


def test_without_endplay_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "endplay", None)
    with pytest.raises(PavError, match=r"pip install 'pavcodec\[club]'"):
        value("tricks(north, spades)", FIRST)


HALF_LOSERS = {
    0: "---  A--  AK-  AKQ",
    50: "K--  AQ-  AKJ  AQJ",
    100: "KQx KQT KQJ AQx AQT AKx AKT Kx- KT- KJ- KQ- Ax- AT- AJ- x-- T-- J-- Q--",
    150: "KJT  AJT",
    200: "QJx QJT Kxx KTx KJx Axx ATx AJx xx- Tx- Jx- JT- Qx- QT- QJ-",
    250: "Qxx  QTx",
    300: "xxx  Txx  Jxx  JTx",
}
"""The losing trick count of DealerV2 in hundredths, by the three highest cards of a suit."""


@pytest.mark.slow
@given(deals())
@settings(max_examples=20, deadline=None)
def test_half_losers_are_those_of_the_table(deal: Deal) -> None:
    by_top = {top: losers for losers, tops in HALF_LOSERS.items() for top in tops.split()}
    total = 0
    for suit, held in zip(
        ("spades", "hearts", "diamonds", "clubs"), str(deal).split()[0][2:].split("."), strict=True
    ):
        top = re.sub("[2-9]", "x", held)[:3].ljust(3, "-")
        assert value(f"ltc(north, {suit})", deal) == by_top[top]
        total += by_top[top]
    assert value("ltc(north)", deal) == total
