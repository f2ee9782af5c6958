"""The library: every situation can be counted, has deals, and says what its summary says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from math import comb, factorial
from typing import NamedTuple

import pytest
from oracles import FIXTURES

import pavcodec as pav
from pavcodec.chances.figures import chances
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.parser import parse_script
from pavcodec.errors import UnknownNameError

MOST_NODES = 600_000
"""Models of this size are built in about half a second."""
OTHERS = factorial(39) // factorial(13) ** 3
"""The ways to deal the three hands that are left."""
Lengths = tuple[int, ...]


class Holding(NamedTuple):
    """What tells holdings of one suit apart: how many cards, which of A K Q J, whether the ten."""

    length: int
    honours: tuple[bool, ...]
    ten: bool

    @property
    def points(self) -> int:
        """High-card points."""
        return sum(value for value, held in zip((4, 3, 2, 1), self.honours, strict=True) if held)

    @property
    def has_two_of_top_three(self) -> bool:
        """Whether two of ace, king and queen are there."""
        return sum(self.honours[:3]) >= 2

    @property
    def is_good(self) -> bool:
        """Two of the three top honours, or three of the five."""
        return self.has_two_of_top_three or sum(self.honours) + self.ten >= 3


HOLDINGS = {
    Holding(spots + sum(honours) + ten, honours, ten): comb(8, spots)
    for spots in range(9)
    for honours in product((False, True), repeat=4)
    for ten in (False, True)
}
"""Each holding with its ways: the eight cards below the ten are alike."""
Fits = Callable[[int, Holding], bool]


def anything(_suit: int, _holding: Holding) -> bool:
    """Any holding fits."""
    return True


def hands(low: int, high: int, wanted: Callable[[Lengths], bool], fits: Fits = anything) -> int:
    """Count hands by their lengths and points, suit by suit."""
    tables: list[dict[int, Counter[int]]] = [{n: Counter() for n in range(14)} for _ in range(4)]
    for suit, table in enumerate(tables):
        for holding, ways in HOLDINGS.items():
            if fits(suit, holding):
                table[holding.length][holding.points] += ways
    total = 0
    for lengths in product(range(14), repeat=4):
        if sum(lengths) == 13 and wanted(lengths):
            sums = Counter({0: 1})
            for table, length in zip(tables, lengths, strict=True):
                joined: Counter[int] = Counter()
                for (a, m), (b, n) in product(sums.items(), table[length].items()):
                    joined[a + b] += m * n
                sums = joined
            total += sum(ways for points, ways in sums.items() if low <= points <= high)
    return total


def is_balanced(lengths: Lengths) -> bool:
    """No void, no singleton, at most one doubleton."""
    return min(lengths) >= 2 and lengths.count(2) <= 1


def is_reverse(lengths: Lengths) -> bool:
    """A minor of five with a higher suit of four, spades apart."""
    spades, hearts, diamonds, clubs = lengths
    return spades <= 3 and (
        (diamonds >= 5 and hearts == 4) or (clubs >= 5 and 4 in {hearts, diamonds})
    )


def is_weak_two(suit: int) -> Callable[[Lengths], bool]:
    """Six cards in a suit, no other of five, no void, and no other major of four."""

    def test(lengths: Lengths) -> bool:
        others = [n for place, n in enumerate(lengths) if place != suit]
        majors = [n for place, n in enumerate(lengths[:2]) if place != suit]
        return lengths[suit] == 6 and min(others) >= 1 and max(others) <= 4 and max(majors) <= 3

    return test


def good_in(suit: int) -> Fits:
    """One suit is good."""
    return lambda place, holding: place != suit or holding.is_good


@cache
def space(name: str) -> pav.ConstrainedDeals:
    """The deals of a situation, counted once."""
    return pav.situation(name).deals()


every = pytest.mark.parametrize("name", pav.situation_names())


def test_there_are_names_to_choose_from() -> None:
    names = pav.situation_names()
    assert 15 <= len(names) == len(set(names))
    situations = [pav.situation(name) for name in names]
    assert [one.name for one in situations] == names
    assert len({one.title for one in situations}) == len(names)
    assert len({one.where for one in situations}) == len(names)
    with pytest.raises(UnknownNameError, match="did you mean 'two-clubs'"):
        pav.situation("two-club")


@every
def test_the_documentation_lists_it(name: str) -> None:
    one = pav.situation(name)
    page = (FIXTURES.parent / "docs" / "practice.md").read_text(encoding="utf-8")
    row = f"| `{name}` | {one.summary} | {one.cardinality:,} | {chances(one.probability)} |"
    assert row in page.splitlines()


@pytest.mark.slow
@every
def test_a_situation_is_counted_exactly(name: str) -> None:
    one, found = pav.situation(name), space(name)
    assert found.cardinality == one.cardinality > 0
    assert found.probability == one.probability
    assert found.model.nodes <= MOST_NODES
    assert all(evaluate(found.where.node, deal) for deal in found.sample(5, seed=name))


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("strong-notrump", hands(15, 17, is_balanced)),
        ("weak-notrump", hands(12, 14, is_balanced)),
        ("two-clubs", hands(22, 37, lambda _: True)),
        ("three-suiter", hands(11, 15, lambda n: sorted(n)[1:] in ([4, 4, 4], [4, 4, 5]))),
        ("reverse", hands(17, 21, is_reverse)),
        ("weak-two-spades", hands(5, 10, is_weak_two(0), good_in(0))),
        ("weak-two-hearts", hands(5, 10, is_weak_two(1), good_in(1))),
        ("weak-two-diamonds", hands(5, 10, is_weak_two(2), good_in(2))),
        (
            "preempt",
            hands(
                5,
                9,
                lambda n: max(n) == 7 and sorted(n)[2] <= 3,
                lambda _, holding: holding.length != 7 or holding.has_two_of_top_three,
            ),
        ),
    ],
)
def test_situations_of_one_hand_counted_by_lengths_and_points(name: str, number: int) -> None:
    assert pav.situation(name).cardinality == number * OTHERS


def test_the_gambling_notrump_in_closed_form() -> None:
    others = 39 - 3 - 3  # the cards of other suits that are no aces and no kings
    hands = 2 * sum(comb(10, more) * comb(others, 10 - more) for more in range(4, 11))
    assert pav.situation("gambling-notrump").cardinality == hands * OTHERS


@pytest.mark.parametrize("name", ["cardracks", "flannery-misfit"])
def test_classic_scripts_have_as_many_deals(name: str) -> None:
    script = parse_script((FIXTURES / "scripts" / f"{name}.dlr").read_text())
    assert script.condition is not None
    found = pav.deals(script.condition)
    assert isinstance(found, pav.ConstrainedDeals)
    assert found.cardinality == pav.situation(name).cardinality


def opens(hand: pav.Hand, suit: int) -> bool:
    """One of a suit: five or more, no other five, 11 to 15 points."""
    others = [n for place, n in enumerate(hand.shape) if place != suit]
    return hand.shape[suit] >= 5 and max(others) <= 4 and 11 <= hand.hcp <= 15


def strong(hand: pav.Hand) -> bool:
    """A strong notrump."""
    return is_balanced(hand.shape) and 15 <= hand.hcp <= 17


def both(south: pav.Hand, north: pav.Hand) -> Lengths:
    """The lengths of two hands together."""
    return tuple(a + b for a, b in zip(south.shape, north.shape, strict=True))


SAYS: dict[str, Callable[[pav.Hand, pav.Hand, pav.Hand], bool]] = {
    "flannery-misfit": lambda s, n, _: (
        s.shape[:2] == (4, 5)
        and 11 <= s.hcp <= 15
        and n.shape[0] <= 3
        and n.shape[1] <= 2
        and n.hcp >= 8
    ),
    "cardracks": lambda s, n, _: (
        is_balanced(s.shape) and 28 <= s.hcp <= 30 and max(n.shape[:2]) >= 5
    ),
    "stayman": lambda s, n, _: (
        strong(s) and max(n.shape[:2]) == 4 and n.pattern != (4, 3, 3, 3) and n.hcp >= 8
    ),
    "transfer": lambda s, n, _: strong(s) and max(n.shape[:2]) >= 5,
    "single-raise": lambda s, n, _: opens(s, 0) and n.shape[0] in {3, 4} and 6 <= n.hcp <= 9,
    "limit-raise": lambda s, n, _: opens(s, 0) and n.shape[0] >= 4 and 10 <= n.hcp <= 12,
    "splinter": lambda s, n, _: (
        opens(s, 1) and n.shape[1] in {4, 5} and n.shape[0] <= 1 and 10 <= n.hcp <= 13
    ),
    "minor-fit": lambda s, n, _: (
        s.hcp + n.hcp >= 25 and max(both(s, n)[2:]) >= 9 and max(both(s, n)[:2]) <= 7
    ),
    "slam-zone": lambda s, n, _: 31 <= s.hcp + n.hcp <= 34 and max(both(s, n)[:2]) >= 8,
    "takeout-double": lambda s, _, e: (
        opens(e, 1)
        and s.shape[0] == 4
        and s.shape[1] <= 2
        and min(s.shape[2:]) >= 3
        and s.hcp >= 12
    ),
    "michaels": lambda s, _, e: opens(e, 1) and s.shape[0] == 5 and 5 in s.shape[2:] and s.hcp >= 8,
    "unusual-notrump": lambda s, _, e: opens(e, 0) and min(s.shape[2:]) >= 5 and s.hcp >= 6,
    "landy": lambda s, _, e: strong(e) and sorted(s.shape[:2]) in ([4, 5], [5, 5]) and s.hcp >= 10,
}


@pytest.mark.slow
def test_situations_of_two_hands_say_what_their_summaries_say() -> None:
    deals = [deal for name in pav.situation_names() for deal in space(name).sample(10, seed="says")]
    for name, says in SAYS.items():
        found = [says(deal["S"], deal["N"], deal["E"]) for deal in deals]
        assert found == [deal in space(name) for deal in deals], name
        assert sum(found) >= 10
