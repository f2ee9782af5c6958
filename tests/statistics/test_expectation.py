"""Exact expectations: closed forms, all deals of small spaces, answers of `distribution`."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from pavcodec import Layout, distribution, expression, probability
from pavcodec.cards import Card, Seat
from pavcodec.constraints.expressions import template
from pavcodec.shapes import SHAPES
from pavcodec.statistics import Tally, expected_tally
from pavcodec.statistics.report import tables_of
from pavcodec.statistics.tally import space_of

HANDS = comb(52, 13)
WITH_ANY = comb(39, 13) * comb(26, 13)
"""The deals of each hand."""
POINTS_OF_HANDS = [
    2310789600, 5006710800, 8611542576, 15636342960, 24419055136, 32933031040, 41619399184,
    50979441968, 56466608128, 59413313872, 59723754816,
]  # fmt: skip
KNOWN = Layout.from_pbn("N:KJT.AQJ.KT.AQ 987.987.98.T8 65.65.765.765 42.43.432.432")
"""All but twelve cards, three for each hand: eight honours, and a ten, a nine, a three, a two."""


def tables() -> dict[str, list[int]]:
    return {table.name: list(table.ways) for table in tables_of(Tally(), expected_tally())}


def test_without_a_condition_they_are_the_closed_forms() -> None:
    found = tables()
    for seat in ("north", "east", "south", "west"):
        lengths = [comb(13, n) * comb(39, 13 - n) * WITH_ANY for n in range(14)]
        assert found[f"length {seat} clubs"] == found[f"length {seat} spades"] == lengths
        assert found[f"hcp {seat}"][:11] == [ways * WITH_ANY for ways in POINTS_OF_HANDS]
        assert found[f"hcp {seat}"][37] == 4 * WITH_ANY
    fits = [comb(13, n) * comb(39, 26 - n) * comb(26, 13) ** 2 for n in range(14)]
    assert found["fit hearts"] == found["fit clubs"] == fits
    assert found["longest north-south"] == found["longest east-west"]
    assert found["side-hcp north-south"] == found["side-hcp north-south"][::-1]
    assert found["holder S7"] == [HANDS * WITH_ANY // 4] * 4


SMALL = [
    "hcp(north) > hcp(south) + 15 || clubs(west) > 3",
    "shape(south, any 4333 + any 4432) && !hascard(west, CQ)",
]


@pytest.mark.slow
@pytest.mark.parametrize("where", SMALL)
def test_they_are_the_tally_of_all_deals(where: str) -> None:
    known = template(KNOWN)
    space = space_of(known & expression(where))
    assert 0 < space.cardinality < 369_600
    numbers = np.arange(int(space.cardinality), dtype=np.uint64)
    owners = space.unrank_many(np.stack([np.zeros_like(numbers), numbers], axis=1))
    wanted, found = Tally.of(owners), expected_tally(space)
    assert found == wanted


FREE = [
    "spades(north) == 9 && spades(east) == 3 && spades(south) == 1",
    "shape(south, any 4333) && hcp(east) > 30",
]


@pytest.mark.slow
@pytest.mark.parametrize("where", FREE)
def test_hands_from_the_pool_are_what_distribution_says(where: str) -> None:
    space, found = space_of(where), expected_tally(where)
    assert found.deals == space.cardinality
    for seat in ("north", "south", "west"):
        place = Seat.parse(seat)
        hcp = distribution(f"hcp({seat})", given=space)
        assert _nonzero(found.counts["hcp"][place]) == hcp.counts
        controls = distribution(f"controls({seat})", given=space)
        assert _nonzero(found.counts["controls"][place]) == controls.counts
        shapes = distribution(f"spades({seat})", f"clubs({seat})", given=space)
        by_both = Counter[tuple[int, int]]()
        for shape, ways in zip(SHAPES, found.counts["shapes"][place], strict=True):
            by_both[shape[0], shape[3]] += ways
        assert {key: ways for key, ways in by_both.items() if ways} == shapes.counts
    fit = distribution("hearts(north) + hearts(south)", given=space)
    assert _nonzero(found.counts["side_lengths"].sum(axis=(0, 2))) == fit.counts
    both = distribution("hcp(north) + hcp(south)", given=space)
    assert _nonzero(found.counts["side_hcp"]) == both.counts
    for card in ("SA", "HT", "D2", "C6"):
        for holder in Seat:
            ways = int(found.counts["holders"][int(Card.parse(card)), int(holder)])
            event = f"hascard({holder.name.lower()}, {card})"
            assert Fraction(ways, found.deals) == probability(event, given=space)


def _nonzero(counts: object) -> dict[int, int]:
    return {value: ways for value, ways in enumerate(counts) if ways}  # type: ignore[arg-type, var-annotated]
