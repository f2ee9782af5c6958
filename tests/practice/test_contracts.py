"""Tricks against contract: the best contract of a side and the contracts that fail by one."""

from __future__ import annotations

from random import Random

import pytest

from pavcodec.boards.par import duplicate_score
from pavcodec.cards import Seat, Strain
from pavcodec.layout import TrickTable
from pavcodec.practice.exercises import side_tricks


def table(*taken: int) -> TrickTable:
    """A table in which North and South take these tricks in NT S H D C."""
    return TrickTable(bytes(each for n in taken for each in (n, 13 - n, n, 13 - n)))


@pytest.mark.parametrize(
    ("taken", "text"),
    [
        ((8, 10, 9, 7, 7), "NS can make 4♠ (10 tricks); 3NT and 4♥ fail by one"),
        ((8, 11, 6, 6, 6), "NS can make 4♠ (11 tricks); 3NT and 6♠ fail by one"),
        ((10, 10, 6, 6, 6), "NS can make 3NT (10 tricks)"),
        ((7, 9, 6, 6, 6), "NS can make 3♠ (9 tricks); 4♠ fails by one"),
        ((7, 7, 7, 9, 10), "NS can make 4♣ (10 tricks); 5♣ fails by one"),
        ((8, 12, 9, 11, 8), "NS can make 6♠ (12 tricks); 6♦ and 7♠ fail by one"),
        ((13, 12, 11, 10, 4), "NS can make 7NT (13 tricks); 7♠ fails by one"),
        ((8, 9, 9, 10, 11), "NS can make 5♣ (11 tricks); 3NT, 4♥, 4♠, 5♦ and 6♣ fail by one"),
        ((0, 0, 0, 0, 0), "NS can make no contract"),
    ],
)
def test_a_line_of_a_side(taken: tuple[int, ...], text: str) -> None:
    assert str(side_tricks(table(*taken), Seat.SOUTH)) == text
    assert str(side_tricks(table(*taken), Seat.NORTH)) == text


def test_the_other_side_and_the_better_declarer() -> None:
    assert str(side_tricks(table(0, 0, 0, 0, 0), Seat.EAST)).startswith("EW can make 7NT (13")
    tricks = TrickTable(bytes([6, 8, 6, 9] + [5] * 16))
    assert str(side_tricks(tricks, Seat.EAST)) == "EW can make 3NT (9 tricks)"


@pytest.mark.slow
def test_the_best_contract_scores_most_at_any_vulnerability() -> None:
    stream = Random(7)
    for _ in range(200):
        tricks = table(*(stream.randrange(14) for _ in Strain))
        found = side_tricks(tricks, Seat.NORTH)
        for vulnerable in (False, True):
            scores = {
                (level, strain): duplicate_score(
                    level, strain, tricks=tricks["N", strain], vulnerable=vulnerable
                )
                for level in range(1, 8)
                for strain in Strain
                if tricks["N", strain] >= 6 + level
            }
            assert (found.best is None) == (not scores)
            assert found.best is None or scores[found.best] == max(scores.values())
