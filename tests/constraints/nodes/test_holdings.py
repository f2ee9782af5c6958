"""Holdings with small cards: every holding of a suit against all fillings, texts, counts."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest
from constraints_support import HOLDINGS, holding_by_text

import pavcodec as pav
from pavcodec.constraints.expressions import holding
from pavcodec.constraints.nodes.syntax import SmallHolding

RANKS = "AKQJT98765432"
ALL = ["".join(held) for count in range(14) for held in combinations(RANKS, count)]


@pytest.mark.slow
@pytest.mark.parametrize("text", HOLDINGS)
def test_every_holding_of_a_suit(text: str) -> None:
    parsed = SmallHolding.parse(text)
    assert str(parsed) == text
    pattern = text.removesuffix("void")
    fits = [held for held in ALL if parsed.fits(held)]
    assert fits == [held for held in ALL if holding_by_text(pattern, held)]
    assert len(fits) == comb(len(parsed.small_ranks), parsed.small)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("qtXX", "QTxx"), ("TQ", "QT"), ("A10x", "ATx"), ("VOID", "void"), ("9", "9")],
)
def test_other_ways_to_write_it(text: str, shown: str) -> None:
    assert str(SmallHolding.parse(text)) == shown
    assert (
        str(pav.expression(f"holding(north, spades, {text})")) == f"holding(north, spades, {shown})"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("xQ", "a holding is cards and then an x for each small one"),
        ("", "a holding is cards"),
        ("Q1", "a holding is cards"),
        ("QQx", "'QQx' names a card twice"),
        ("3xx", "'3xx' has more small cards than there are: 2"),
        ("2x", "'2x' has more small cards than there are: none"),
        ("x" * 9, "has more small cards than there are: 98765432"),
    ],
)
def test_what_is_no_holding(text: str, told: str) -> None:
    with pytest.raises(pav.PavError, match=told):
        SmallHolding.parse(text)
    with pytest.raises(pav.PavError, match=told):
        holding("north", "spades", text)


def test_a_wrong_holding_is_pointed_at() -> None:
    with pytest.raises(pav.TextError, match="names a card twice") as caught:
        pav.deals("holding(north, spades, QQx) && hcp(north) > 3")
    assert str(caught.value).endswith(
        "\n  holding(north, spades, QQx) && hcp(north) > 3\n                         ^^^"
    )


@pytest.mark.slow
def test_counts() -> None:
    four = pav.probability("spades(north) == 4")
    assert pav.probability(holding("north", "spades", "QTxx")) == four * comb(8, 2) / comb(13, 4)
    for deal in pav.deals("holding(north, spades, QTxx)").sample(20, seed=7):
        spades = deal.to_pbn()[2:].split(".")[0]
        assert spades[:2] == "QT"
        assert len(spades) == 4
    void = pav.probability("holding(east, clubs, void)")
    assert void == pav.probability("clubs(east) == 0")
