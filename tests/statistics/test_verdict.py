"""Verdicts: random collections pass, and those of biased generators do not."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from pavcodec import PavError, Statistics, Tally, expected_tally, numbering, stats
from pavcodec.statistics import tally as tally_module
from pavcodec.statistics.chi_square import ChiSquare
from pavcodec.statistics.report import SECTIONS, Table, _adjusted, level_of
from pavcodec.statistics.tally import space_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners

MANY = 60_000
WHERES = [
    "1",
    "hcp(north) + hcp(south) >= 25 && spades(north) + spades(south) >= 8",
]


@pytest.mark.slow
@pytest.mark.parametrize("where", WHERES)
def test_random_collections_pass(where: str) -> None:
    space = space_of(where)
    expected = expected_tally(space)
    found = Statistics(Tally.of(space.sample_many(MANY, seed=1)), expected)
    assert not found.departs, found.verdict
    assert len(found.tests) > 85
    assert {test.table.section for test in found.tests} <= set(SECTIONS)


def swapped(owners: Owners, rows: NDArray[np.int64], one: int, other: int) -> None:
    owners[rows, one], owners[rows, other] = owners[rows, other].copy(), owners[rows, one].copy()


def moves_honours(owners: Owners) -> None:
    """Aces go to who has the deuce of the suit, one time in 50."""
    for suit in range(4):
        swapped(owners, np.arange(suit, len(owners), 50), 13 * suit, 13 * suit + 12)
        rows = np.arange(suit, len(owners), 20)
        aces = owners[rows, 13 * suit]
        swapped(owners, rows[aces > 1], 13 * suit, 13 * suit + 12)


def shuffles_badly(owners: Owners) -> None:
    """Neighbours of a suit stay together more often than they should."""
    rows = np.arange(0, len(owners), 25)
    for card in range(0, 52, 13):
        keep = owners[rows, card + 1].copy()
        owners[rows, card + 1] = owners[rows, card]
        match = (owners[rows] == owners[rows, card][:, None]) & (np.arange(52) > card + 1)
        last = 51 - match[:, ::-1].argmax(axis=1)
        has = match.any(axis=1)
        owners[rows[has], last[has]] = keep[has]
        owners[rows[~has], card + 1] = keep[~has]


@pytest.fixture(scope="module")
def unbiased() -> Owners:
    """Random deals, which pass."""
    owners = numbering("deal").sample_many(MANY, seed=3)
    assert not stats(owners).departs
    return owners


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bias", "sections"),
    [
        (moves_honours, {"holder", "hcp", "controls", "side-hcp", "side-controls"}),
        (shuffles_badly, {"length"}),
    ],
)
def test_biased_generators_fail(
    bias: Callable[[Owners], None], sections: set[str], unbiased: Owners
) -> None:
    owners = unbiased.copy()
    bias(owners)
    found = stats(owners)
    assert found.observed.deals == MANY
    assert found.departs
    assert {test.table.section for test in found.rejected} & sections
    assert found.verdict.startswith("not what it should be: ")


def turned(owners: Owners) -> Owners:
    return (owners + 1) % 4


def with_other_suits(owners: Owners) -> Owners:
    return np.roll(owners, 13, axis=1)


@pytest.mark.slow
def test_repeated_deals_are_named() -> None:
    owners = numbering("deal").sample_many(1000, seed=5)
    assert not stats(owners).departs
    for others, deals, up_to, words in (
        ([owners], 1000, "", "1,000 of 2,000 deals repeat others"),
        (
            [turned(owners), with_other_suits(owners)],
            *(2000, "suits,turns", "2,000 of 3,000 deals repeat others up to suits and turns"),
        ),
        ([turned(owners[:1])], 1, "turns", "1 of 1,001 deals repeats another up to turns"),
    ):
        found = stats([owners, *others])
        assert found.departs
        assert found.again is not None
        assert found.verdict.startswith(f"not what it should be: {words}")
        again = {"deals": deals, "up_to": up_to, "p": f"{float(found.again.probability):.6e}"}
        assert found.to_dict()["again"] == again
    assert found.rejected == []


@pytest.mark.slow
def test_repeats_of_few_deals_are_no_surprise() -> None:
    space = space_of("spades(west) == 13 && hearts(east) == 13 && diamonds(north) >= 12")
    found = stats(space.sample_many(300, seed=6), given=space)
    assert found.again is not None
    assert found.again.deals > 100
    assert not found.departs, found.verdict


@pytest.mark.slow
def test_each_deal_in_its_four_turns_is_too_even() -> None:
    owners = numbering("deal").sample_many(1500, seed=1)
    found = stats([(owners + turns) % 4 for turns in range(4)])
    assert found.deals == 6000
    words = r"4,500 of 6,000 deals repeat others up to turns; .* tests fail \(\d+ too even\), "
    assert re.match(f"not what it should be: {words}'holder", found.verdict)
    even = [test for test in found.rejected if test.result.is_low]
    assert len(even) >= 52
    rows = cast("list[dict[str, object]]", found.to_dict()["tests"])
    assert {row["tail"] for row in rows if row["section"] == "holder"} == {"lower"}


@pytest.mark.slow
def test_more_deals_than_a_tally_keeps_are_only_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally_module, "MOST_KEPT", 1500)
    owners = numbering("deal").sample_many(1000, seed=5)
    once, more = Tally.of(owners), Tally.of(owners)
    assert once.kept is not None
    assert np.array_equal(once.kept, owners)
    both = once + Tally.of(owners[:500])
    assert both.kept is not None
    assert len(both.kept) == 1500
    more.add(owners)
    assert more.kept is (once + once).kept is None
    more.add(owners[:1])
    found = Statistics(more, expected_tally())
    assert (found.again, found.to_dict()["again"]) == (None, None)
    assert "repeat" not in found.verdict


@pytest.mark.slow
@pytest.mark.parametrize(("others", "words"), [(1, "1 deal does"), (2, "2 deals do")])
def test_deals_outside_the_condition_settle_it(others: int, words: str) -> None:
    space = space_of("spades(west) == 9")
    parts = [space.sample_many(9, seed=7), numbering("deal").sample_many(others, seed=7)]
    found = stats(np.concatenate(parts), given=space)
    assert (found.departs, found.observed.outside_condition) == (True, others)
    assert found.verdict == f"not what it should be: {words} not satisfy the condition"


def table(*, observed: tuple[int, ...], ways: tuple[int, ...]) -> Table:
    values = tuple(map(str, range(len(ways))))
    return Table("hcp", "north", values, observed, ways, sum(observed), sum(ways))


def test_no_deals_give_no_verdict_and_other_numbers_are_no_levels() -> None:
    found = stats([])
    assert (found.deals, found.tests, found.departs) == (0, [], False)
    assert found.verdict == "there are no deals to judge"
    assert found["fit", "hearts"].name == "fit hearts"
    with pytest.raises(KeyError):
        found["fit", "west"]
    for level in ("0", "1", "-1/2", "x", "1/0", "5 %", ""):
        with pytest.raises(PavError, match="a level is "):
            level_of(level)


def test_holms_rule() -> None:
    chances = ["0.5", "0.01", "0.02", "0.011"]
    some = sorted(chances, key=Decimal)
    one = table(observed=(1, 1), ways=(1, 1))
    found = list(_adjusted([(ChiSquare(Fraction(1), 1, Decimal(p)), one) for p in some]))
    wanted = ["0.05", "0.05", "0.06", "1"]  # four tests, and the look for repeated deals
    assert [test.adjusted for test in found] == list(map(Fraction, wanted))


def test_expectations_and_deviations_of_a_table() -> None:
    one = table(observed=(30, 70, 0), ways=(1, 3, 0))
    assert one.expected == (Fraction(25), Fraction(75), Fraction(0))
    first, second, none = one.deviations
    assert first is not None
    assert second == -first
    assert abs(first * first - Fraction(25, 1) / (25 * Fraction(3, 4))) < Fraction(1, 10**12)
    assert none is None
    assert table(observed=(4,), ways=(7,)).deviations == (None,)
    assert one.test is not None
    assert one.test.statistic == Fraction(25, 25) + Fraction(25, 75)
