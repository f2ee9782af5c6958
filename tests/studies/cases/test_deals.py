"""The deals of a listing: a numbering, exactly the deals of the condition, evenly drawn."""

from __future__ import annotations

import pickle
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stream_support import deviation

import pavcodec as pav
from pavcodec import Deal, Hand, LayoutError
from pavcodec.constraints.evaluation import evaluate
from pavcodec.studies.cases import CaseDeals, case_table, open_cases

PAIR = "shape(north, 4333) && hcp(north) == 30 && shape(south, 1444) && hcp(south) <= 5"


@cache
def pair_deals() -> CaseDeals:
    """The deals of the listing of the pair."""
    return case_table(PAIR).deals


@pytest.mark.slow
def test_the_deals_are_those_of_the_exact_model() -> None:
    exact = pav.deals(PAIR)
    assert isinstance(exact, pav.ConstrainedDeals)
    assert pair_deals().cardinality == exact.cardinality > 10**15
    for deal in pair_deals().sample(300, seed=7):
        assert deal in exact
        assert deal in pair_deals()
    for deal in exact.sample(300, seed=7):
        assert pair_deals().unrank(pair_deals().rank(deal)) == deal


@pytest.mark.slow
@settings(deadline=None)
@given(number=st.deferred(lambda: st.integers(0, pair_deals().last)))
def test_numbers_and_deals_undo_each_other(number: int) -> None:
    deal = pair_deals().unrank(number)
    assert isinstance(deal, Deal)
    assert pair_deals().rank(deal) == number
    assert evaluate(pair_deals().where.node, deal)


@pytest.mark.slow
def test_every_hand_of_a_listing_comes_once() -> None:
    where = "shape(east, any 5332) && hcp(east) == 34"
    deals = case_table(where).deals
    rest = deals.cardinality // 756
    found = {deals.unrank(place * rest + 5)["E"] for place in range(756)}
    assert len(found) == 756
    assert all(sorted(hand.shape) == [2, 3, 3, 5] and hand.hcp == 34 for hand in found)


@pytest.mark.slow
def test_every_pair_of_hands_of_a_listing_comes_once() -> None:
    where = "hcp(north) == 37 && hcp(south) == 2 && spades(south) == 9 && hearts(south) == 4"
    table = case_table(where)
    deals = table.deals
    rest = deals.cardinality // table.cardinality
    found = {
        (deal["N"], deal["S"]) for deal in map(deals.unrank, range(0, deals.cardinality, rest))
    }
    assert len(found) == table.cardinality
    spots = set(range(52)) - {card for card in range(52) if card % 13 < 4}
    assert (table.cardinality, rest) == (1512, 10400600)
    for north, south in found:
        assert (north.hcp, south.hcp, south.shape[:2]) == (37, 2, (9, 4))
        assert not set(north.cards) & set(south.cards)
        assert len(set(north.cards) & spots) == 0


@pytest.mark.slow
def test_samples_are_those_of_the_stream(tmp_path: Path) -> None:
    path = tmp_path / "pair.cases"
    case_table(PAIR).save(path)
    with open_cases(path) as listing:
        assert listing.deals.sample(20, seed="x") == pair_deals().sample(20, seed="x")
        assert listing.deals.sample(5, seed=7, start=3) == pair_deals().sample(8, seed=7)[3:]
        high, low = listing.deals.draw(1, seed=7)[0].tolist()
        assert pair_deals().unrank(high << 64 | low) == pair_deals().sample(1, seed=7)[0]


@pytest.mark.slow
def test_samples_are_even_over_the_cases() -> None:
    table = case_table("shape(east, any 5332) && hcp(east) == 34")
    hands: dict[Hand, int] = {}
    for deal in table.deals.sample(756 * 12, seed=7):
        hands[deal["E"]] = hands.get(deal["E"], 0) + 1
    assert len(hands) == 756
    assert abs(deviation(hands.values())) < 4


def test_deals_outside_have_no_number() -> None:
    outside = pav.numbering("deal")[0]
    assert outside not in pair_deals()
    assert isinstance(outside, Deal)
    with pytest.raises(LayoutError, match="this deal is in no case of"):
        pair_deals().rank(outside)
    with pytest.raises(LayoutError, match="holds deals with"):
        pair_deals().rank(pav.Layout.from_pbn("N:AK.Q.. - .32.4. -"))
    with pytest.raises(TypeError, match="a Layout or Deal is expected"):
        assert "N" in pair_deals()


@pytest.mark.slow
def test_what_the_numbering_tells() -> None:
    assert str(pair_deals().where) == PAIR
    assert pair_deals().record.size == pair_deals().width
    assert pair_deals().from_bytes(pair_deals().to_bytes(pair_deals()[5])) == pair_deals()[5]
    assert pair_deals().conflict() == ()
    assert list(map(str, case_table("hcp(north) > 37").deals.conflict())) == ["hcp(north) > 37"]
    twin = pickle.loads(pickle.dumps(pair_deals()))
    assert twin[12345] == pair_deals()[12345]
    assert repr(pair_deals()) == f"<deals of case_table({PAIR!r})>"
