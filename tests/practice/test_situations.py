"""The library: every situation can be counted, has deals, and says what its summary says."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from oracles import FIXTURES

import pavcodec as pav
from pavcodec.chances.figures import chances
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.parser import parse_script
from pavcodec.errors import UnknownNameError

MOST_NODES = 600_000
"""Models of this size are built in about half a second."""
Lengths = tuple[int, ...]


def is_balanced(lengths: Lengths) -> bool:
    """No void, no singleton, at most one doubleton."""
    return min(lengths) >= 2 and lengths.count(2) <= 1


def is_reverse(lengths: Lengths) -> bool:
    """A minor of five with a higher suit of four, spades apart."""
    spades, hearts, diamonds, clubs = lengths
    return spades <= 3 and (
        (diamonds >= 5 and hearts == 4) or (clubs >= 5 and 4 in {hearts, diamonds})
    )


def is_weak_two(hand: pav.Hand, suit: int) -> bool:
    """Six good cards in a suit, no other of five, no void, and no other major of four."""
    others = [n for place, n in enumerate(hand.shape) if place != suit]
    majors = [n for place, n in enumerate(hand.shape[:2]) if place != suit]
    top3, top5 = ([each in str(hand).split(".")[suit] for each in top] for top in ("AKQ", "AKQJT"))
    is_good = sum(top3) >= 2 or sum(top5) >= 3
    shape = hand.shape[suit] == 6 and min(others) >= 1 and max(others) <= 4 and max(majors) <= 3
    return shape and is_good and 5 <= hand.hcp <= 10


def is_gambling(hand: pav.Hand) -> bool:
    """A minor of seven or more headed by ace, king and queen; no other ace or king."""
    minors = str(hand).split(".")[2:]
    solid = [suit for suit in minors if len(suit) >= 7 and suit.startswith("AKQ")]
    return len(solid) == 1 and str(hand).count("A") == str(hand).count("K") == 1


def is_preempt(hand: pav.Hand) -> bool:
    """Seven cards with two of their top honours, no other suit of four, 5 to 9 points."""
    longest = max(str(hand).split("."), key=len)
    return (
        len(longest) == 7
        and sorted(hand.shape)[2] <= 3
        and sum(each in longest for each in "AKQ") >= 2
        and 5 <= hand.hcp <= 9
    )


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


def test_the_documentation_lists_them() -> None:
    page = (FIXTURES.parent / "docs" / "practice.md").read_text(encoding="utf-8")
    for one in map(pav.situation, pav.situation_names()):
        exact = f"{one.cardinality:,} | {chances(one.probability)}"
        assert f"| `{one.name}` | {one.summary} | {exact} |" in page.splitlines()


@pytest.mark.slow
@every
def test_a_situation_is_counted_exactly(name: str) -> None:
    one, found = pav.situation(name), space(name)
    assert found.cardinality == one.cardinality > 0
    assert found.probability == one.probability
    assert found.model.nodes <= MOST_NODES
    assert all(evaluate(found.where.node, deal) for deal in found.sample(5, seed=name))


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
    "strong-notrump": lambda s, *_: strong(s),
    "weak-notrump": lambda s, *_: is_balanced(s.shape) and 12 <= s.hcp <= 14,
    "weak-two-spades": lambda s, *_: is_weak_two(s, 0),
    "weak-two-hearts": lambda s, *_: is_weak_two(s, 1),
    "weak-two-diamonds": lambda s, *_: is_weak_two(s, 2),
    "preempt": lambda s, *_: is_preempt(s),
    "two-clubs": lambda s, *_: s.hcp >= 22,
    "gambling-notrump": lambda s, *_: is_gambling(s),
    "three-suiter": lambda s, *_: s.pattern in {(4, 4, 4, 1), (5, 4, 4, 0)} and 11 <= s.hcp <= 15,
    "reverse": lambda s, *_: is_reverse(s.shape) and 17 <= s.hcp <= 21,
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
def test_situations_have_the_deals_of_which_their_summaries_speak() -> None:
    deals = [deal for name in pav.situation_names() for deal in space(name).sample(10, seed="says")]
    for name, says in SAYS.items():
        found = [says(deal["S"], deal["N"], deal["E"]) for deal in deals]
        assert found == [deal in space(name) for deal in deals], name
        assert sum(found) >= 10
