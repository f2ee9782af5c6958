"""Listings of a toy deck beside all of its deals."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from cases_support import TOY, Test, hand_of, toy_table, words_of

from pavcodec.records.kinds import HONOURS_OFF, PATTERN_OFF
from pavcodec.studies.cases import table as module
from pavcodec.studies.cases.sequence import CaseRanking
from pavcodec.studies.cases.table import CaseTable
from pavcodec.walk import NotAMemberError

WORDS = list(words_of(TOY))


def anything(*_: object) -> bool:
    """Every hand."""
    return True


def test_the_deck_is_whole() -> None:
    assert len(WORDS) == 2520
    assert TOY.shapes == ((1, 1), (2, 0), (0, 2))
    assert {hand_of(TOY, word, 0)[1] for word in WORDS} == set(TOY.maps.tolist())


TESTS: dict[str, tuple[bool, bool, Test]] = {
    "shape": (True, False, lambda lengths, _: lengths != (2, 0)),
    "honours": (False, True, lambda _, named: (named or 0).bit_count() == 1),
    "both": (True, True, lambda lengths, named: lengths == (1, 1) or (named or 0) & 8 == 8),
    "anything": (True, True, anything),
}


def listed(name: str, seats: tuple[int, ...]) -> tuple[CaseTable, list[bytes]]:
    """A listing with one test for the first hand, and another for the second; and its deals."""
    patterns, honours, test = TESTS[name]
    tests = [test, anything][: len(seats)]
    table = toy_table(seats, tests, patterns=patterns, honours=honours)

    def belongs(word: bytes) -> bool:
        for seat, each in zip(seats, tests, strict=True):
            lengths, named = hand_of(TOY, word, seat)
            if not each(lengths if patterns else None, named if honours else None):
                return False
        return True

    words = [word for word in WORDS if belongs(word)]
    return table, words


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), list(product(TESTS, [(3,), (2, 0)])))
def test_a_listing_is_a_bijection_to_its_deals(name: str, seats: tuple[int, ...]) -> None:
    table, words = listed(name, seats)
    ranking = CaseRanking(table)
    assert ranking.cardinality == len(words) > 0
    found = [ranking.unrank(number) for number in range(ranking.cardinality)]
    assert sorted(found) == words
    assert [ranking.rank(word) for word in found] == list(range(len(found)))
    for word in set(WORDS) - set(words):
        with pytest.raises(NotAMemberError):
            ranking.rank(word)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), list(product(TESTS, [(0,), (2, 0)])))
def test_ways_are_the_hands_that_there_are(name: str, seats: tuple[int, ...]) -> None:
    table, words = listed(name, seats)
    patterns, honours, _ = TESTS[name]
    hands: dict[tuple[object, ...], set[bytes]] = {}
    for word in words:
        key: list[object] = []
        for seat in seats:
            lengths, named = hand_of(TOY, word, seat)
            key += [
                TOY.index_of(lengths) if patterns else PATTERN_OFF,
                named if honours else HONOURS_OFF,
            ]
        seen = bytes(owner if owner in seats else 9 for owner in word)
        hands.setdefault(tuple(key), set()).add(seen)
    found = {
        tuple(part for hand in table.plan.hands(row.case) for part in hand): row.ways
        for row in table.rows()
    }
    assert found == {key: len(each) for key, each in hands.items()}
    orders = [table.plan.order(case) for case in table]
    assert orders == sorted(orders)
    assert len({tuple(order) for order in map(tuple, orders)}) == len(table)


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [1, 3, 100])
def test_steps_do_not_matter(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, _ = listed("both", (0, 1))
    monkeypatch.setattr(module, "_MOST_IN_STEP", at_once)
    parts, _ = listed("both", (0, 1))
    assert list(parts) == list(whole)
    assert parts.steps >= whole.steps
    for start, stop in product(range(0, len(whole), 5), repeat=2):
        assert parts[start:stop] == list(whole)[start:stop]
    picked = Counter(parts.select(number) for number in range(parts.cardinality))
    assert picked == {place: row.ways for place, row in enumerate(whole.rows())}
