"""The dealer of 1999: the figures of its article, and what it refuses."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest

import pavcodec as pav
from pavcodec import (
    Dealer1999,
    DealFailedError,
    HandLimits,
    NotLimitsError,
    PavError,
    Seat,
    deals_as_in_1999,
)
from pavcodec.cli import main
from pavcodec.studies.dealer1999 import (
    EXPECTANCIES,
    Dealing,
    draw_goals,
    goal_ranges,
    limits_of,
    weighted,
)

ANYBODY = HandLimits()
SEATS = ("north", "east", "south", "west")
WEST = HandLimits(spades=(5, 6), hearts=(4, 4), hcp=(11, 15))
EAST = HandLimits(diamonds=(4, 13), hcp=(10, 10))
ARTICLE = (ANYBODY, EAST, ANYBODY, WEST)
CRAZY_EIGHTS = "spades(west) >= 5 && hearts(north) >= 5 && diamonds(east) >= 5 && clubs(south) <= 4"


def test_the_relative_probabilities_of_the_article() -> None:
    dealing = Dealing(ARTICLE)
    assert dealing.soft == [13, 9, 13, 4]
    assert dealing.free == [8, 9, 9, 13]
    assert dealing.excess[Seat.WEST] == [1, 0, 4, 4]
    assert dealing.chances_of_slots(Seat.WEST) == [8, 0, 36, 52]
    picked = Counter(weighted([8, 0, 36, 52], lambda _, n=n: n) for n in range(96))  # type: ignore[misc]
    assert picked == {0: 8, 2: 36, 3: 52}


def test_what_a_slot_changes() -> None:
    dealing = Dealing(ARTICLE)
    dealing.take_slot(Seat.WEST, 0)
    assert dealing.lengths[Seat.WEST] == [6, 4, 0, 0]
    assert (dealing.soft[Seat.WEST], dealing.free) == (3, [7, 9, 9, 13])
    assert dealing.excess[Seat.WEST] == [0, 0, 3, 3]
    assert dealing.excess[Seat.EAST] == [7, 9, 9, 9]
    assert dealing.chances_of_slots(Seat.WEST) == [0, 0, 36, 52]  # the weights are as before


def test_forced_slots_of_the_article() -> None:
    """Only East and South, who takes four clubs at most, are left, and there are six."""
    hands = limits_of(CRAZY_EIGHTS)
    dealing = Dealing(hands)
    for seat, suits in ((Seat.WEST, "SSSSCCCC"), (Seat.NORTH, "HHHHHCCC")):
        for letter in suits:
            dealing.take_slot(seat, "SHDC".index(letter))
    assert dealing.free[3] == 6
    dealing.take_what_is_forced(Seat.EAST, [Seat.SOUTH])
    assert dealing.lengths[Seat.EAST] == [0, 0, 5, 2]


@pytest.mark.slow
def test_crazy_eights_never_fail() -> None:
    space, dealer = pav.deals(CRAZY_EIGHTS), deals_as_in_1999(CRAZY_EIGHTS)
    assert all(deal in space for deal in dealer.sample(200, seed=7))


def test_the_weights_of_honours_in_the_article() -> None:
    five_four = HandLimits(spades=(5, 5), hearts=(4, 4), diamonds=(3, 3), clubs=(1, 1), hcp=(9, 9))
    dealing = Dealing((five_four, ANYBODY, ANYBODY, ANYBODY))
    assert dealing.chances_of_honours(Seat.NORTH) == [20, 16, 12, 4]
    dealing.take(Seat.NORTH, 1)
    assert dealing.chances_of_honours(Seat.NORTH) == [12, 16, 12, 4]


def test_the_table_is_the_exact_one_rounded() -> None:
    exact = pav.distribution("hcp(north)")
    assert [round(exact[points] * 10**6) for points in range(31)] == list(EXPECTANCIES)
    assert sum(EXPECTANCIES[15:18]) == 100963


def test_goals() -> None:
    def goal(low: int, high: int, *numbers: int) -> int:
        given = iter(numbers)
        return draw_goals({Seat.SOUTH: (low, high)}, lambda _: next(given))[Seat.SOUTH]

    assert [goal(15, 17, n) for n in (0, 44236, 44237, 77345, 77346, 100962)] == [
        *(15, 15, 16, 16, 17, 17)
    ]
    assert goal(0, 30, sum(EXPECTANCIES) - 1) == 30
    assert goal(30, 37, 2, 0) == 31  # a chance of 1, then 4⁶ in 4⁶ + … + 1
    assert [goal(32, 36, 0, n) for n in (0, 255, 256, 319, 320, 339, 340)] == [
        *(32, 32, 33, 33, 34, 35, 36)
    ]


def test_goals_that_do_not_go_together_are_drawn_again() -> None:
    numbers = iter([0, 0, 0, 0, 0, 0, 0, 1])
    ranges = dict.fromkeys(Seat, (9, 9)) | {Seat.WEST: (12, 13)}
    assert sum(draw_goals(ranges, lambda n: next(numbers) * (n - 1)).values()) == 40
    with pytest.raises(DealFailedError, match="no possible sum"):
        draw_goals({Seat.NORTH: (30, 30), Seat.SOUTH: (11, 11)}, lambda _: 0)


@pytest.mark.parametrize(
    ("hands", "reason"),
    [
        (dict.fromkeys(SEATS[:2], HandLimits(hearts=(7, 13))), "14 hearts at least"),
        ({"west": HandLimits(spades=(7, 7), clubs=(7, 7))}, "west has 14 cards at least"),
        ({"west": HandLimits((3, 3), (3, 3), (3, 3), (0, 3))}, "west has 12 cards at most"),
        (dict.fromkeys(SEATS, HandLimits(clubs=(0, 3))), "12 clubs at most"),
        ({"north": HandLimits(hcp=(21, 37)), "east": HandLimits(hcp=(20, 37))}, "41 hcp at least"),
        (dict.fromkeys(SEATS, HandLimits(hcp=(0, 9))), "36 hcp at most"),
    ],
)  # fmt: skip
def test_limits_that_no_deal_meets(hands: dict[str, HandLimits], reason: str) -> None:
    with pytest.raises(PavError, match=f"no deal has this: {reason}"):
        Dealer1999(tuple(hands.get(seat.name.lower(), ANYBODY) for seat in Seat))


def test_ranges_leave_points_for_others() -> None:
    hands = (HandLimits(hcp=(15, 37)), HandLimits(hcp=(20, 37)), ANYBODY, ANYBODY)
    assert goal_ranges(hands) == {Seat.NORTH: (15, 20), Seat.EAST: (20, 25)}


@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("hcp(north) + hcp(south) >= 25", "combines several numbers"),
        ("controls(west) > 3", "is no limit of a length or of hcp"),
        ("hascard(west, AS)", "is no limit of a length or of hcp"),
        ("hcp(west, spades) > 3", "is no limit of a length or of hcp"),
        ("spades(west) != 5", "leaves a gap"),
        ("shape(west, any 5332)", "is no range of each length"),
        ("rnd(2) == 1", "is no limit of a length or of hcp"),
    ],
)
def test_conditions_that_are_no_limits(where: str, reason: str) -> None:
    with pytest.raises(NotLimitsError, match=reason):
        deals_as_in_1999(where)


@pytest.mark.parametrize(
    ("where", "limits"),
    [
        ("15 <= hcp(south) && hcp(south) < 18", HandLimits(hcp=(15, 17))),
        ("!(hcp(south) < 12) && hcp(south) != 37", HandLimits(hcp=(12, 36))),
        ("hcp(south) == 10 || hcp(south) == 11", HandLimits(hcp=(10, 11))),
        ("2 * spades(south) > 9 && spades(south) <= 6", HandLimits(spades=(5, 6))),
        ("shape(south, any 4333)", HandLimits((3, 4), (3, 4), (3, 4), (3, 4))),
        ("hcp(south) <= 40 && 1", HandLimits()),
    ],
)
def test_conditions_that_are_limits(where: str, limits: HandLimits) -> None:
    dealer = deals_as_in_1999(where)
    assert dealer.hands == (ANYBODY, ANYBODY, limits, ANYBODY)
    assert deals_as_in_1999(dealer.where) == dealer


@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("hcp(west) > 38", r"no deal satisfies 'hcp\(west\) > 38'"),
        (
            "hcp(west) > 12 && hcp(west) < 10",
            "no deal satisfies all of this: no number is left for hcp.west.",
        ),
        ("1 > 2", "no deal satisfies '1 > 2'"),
        ("shape(west, 4333 - 4333)", "is no range of each length"),
    ],
)
def test_conditions_that_nothing_satisfies(where: str, reason: str) -> None:
    with pytest.raises(PavError, match=reason):
        deals_as_in_1999(where)


def test_ranges_and_weights_that_are_none() -> None:
    with pytest.raises(PavError, match="a range of spades lies in 0 to 13, not 6 to 5"):
        HandLimits(spades=(6, 5))
    with pytest.raises(PavError, match="a range of hcp lies in 0 to 37, not 0 to 38"):
        HandLimits(hcp=(0, 38))
    with pytest.raises(PavError, match="weights are four numbers from 0 on"):
        HandLimits(spades=(5, 13), weights=(1, 2, 3))
    with pytest.raises(PavError, match="this one has none"):
        HandLimits(weights=(1, 2, 3, 4))
    with pytest.raises(PavError, match="limits for 4 hands, not 1"):
        Dealer1999((ANYBODY,))


def test_weights_of_the_user() -> None:
    five = deals_as_in_1999("spades(west) >= 5", weights={"west": (0, None, None, None)})
    assert {deal["W"].shape[0] for deal in five.sample(40, seed=7)} == {5}
    many = deals_as_in_1999("spades(west) >= 5", weights={Seat.WEST: (10**9, None, None, None)})
    assert {deal["W"].shape[0] for deal in many.sample(10, seed=7)} == {13}


@pytest.mark.slow
def test_samples_are_each_by_itself_and_all_or_none() -> None:
    dealer = deals_as_in_1999("spades(west) == 6 && hcp(west) == 25")
    deals = dealer.sample(20, seed=7)
    assert deals[5:8] == dealer.sample(3, seed=7, start=5)
    assert deals[3] == dealer.deal(3, seed=7)
    assert deals != dealer.sample(20, seed=8)
    with pytest.raises(DealFailedError, match="failed at sample 71: the goals of points were not"):
        dealer.sample(100, seed=7)
    assert pickle.loads(pickle.dumps(dealer)) == dealer


@pytest.mark.slow
def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: object) -> None:
    where = "hcp(west) >= 20 && shape(west, any 4333)"
    assert main(["deal", where, "--method", "1999", "-n", "3", "--seed", "7", "--start", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == list(map(str, deals_as_in_1999(where).sample(3, seed=7, start=2)))
    options = ["--method", "1999", "--suit-weight", "clubs(west) : 0", "--seed", "7", "--to", "pbn"]
    assert main(["deal", "clubs(west) == 4 || clubs(west) == 5", *options]) == 0
    text = capsys.readouterr().out
    assert "seed=7 method=1999 weight=clubs(west):0 where=clubs(west) >= 4 && clubs(west)" in text
    failing = ["deal", "spades(west) == 6 && hcp(west) == 25", "--method", "1999", "-n", "100"]
    assert main([*failing, "--seed", "7", "-o", f"{tmp_path}/none.txt"]) == 1
    assert "failed at sample 71" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tens(north) > 1", "--method", "1999"], "is no limit of a length or of hcp"),
        (["--method", "1999", "--all"], "--all and --method 1999 do not go together"),
        (["--method", "1999", "--distinct"], "--distinct and --method 1999 do not go together"),
        (["--method", "1999", "--cards", "5"], "--cards and --method 1999 do not go together"),
        (["--method", "1999", "--mix", "hcp(north) > 9"], "--method and a mix do not go together"),
        (["--suit-weight", "clubs(west) : 2"], "--suit-weight is for --method 1999"),
        (["--method", "1999", "--suit-weight", "clubs : 2"], "expected as in 'diamonds(west) : 3'"),
    ],
)
def test_what_the_command_refuses(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deal", *arguments]) == 2
    assert message in capsys.readouterr().err
