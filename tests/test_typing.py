"""Programs as users write them: they run, and the check of types, which is strict, needs no casts.

It also finds what is wrong: a comment that ignores no error is an error.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, assert_type

import pytest

import pavcodec as pav

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SLAM = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"


def texts() -> None:
    """Read a deal; look at its hands, suits and cards by text."""
    deal = assert_type(pav.Deal.from_pbn(SLAM), pav.Deal)
    assert_type(deal["N"].suit("spades") + deal.west.spades, str)
    assert_type([deal.north.hcp, deal.south.hcp], list[int])
    assert_type([pav.Seat("north"), pav.Seat.of("E"), pav.Seat.NORTH.partner], list[pav.Seat])
    assert_type((pav.Suit("♥"), pav.Card("SA").rank), tuple[pav.Suit, pav.Rank])
    assert_type(pav.TrickTable(bytes(20))["S", "NT"], int)
    board = pav.Board.make(deal, number=1, dealer="N", vulnerable="NS")
    assert_type(board.dealer, pav.Seat | None)


def numberings(name: str) -> None:
    """Numberings of deals give deals; others give layouts."""
    deals = assert_type(pav.numbering("deal"), pav.Numbering[pav.Deal])
    assert_type([deals.unrank(5), deals[5], deals.one_based().unrank(1)], list[pav.Deal])
    assert_type(deals.sample(3, seed=7), list[pav.Deal])
    assert_type(deals.samples(3, seed=7, distinct=True), Iterator[pav.Deal])
    assert_type(deals[2:9], pav.LayoutView[pav.Deal])
    assert_type([deal["N"].hcp for deal in deals[:3]], list[int])
    assert_type(deals.rank(deals[7]), int)
    assert_type(pav.numbering("ending").unrank(5), pav.Layout)
    other: pav.Numbering = pav.numbering(name)
    assert_type(other, pav.Numbering)
    assert_type(other.unrank(5), pav.Layout)


def spaces() -> None:
    """Spaces that are counted have positions; others have an estimate."""
    space = assert_type(pav.deals("hcp(south) == 37", method="counted"), pav.ConstrainedDeals)
    assert_type(space.cardinality, int)
    assert_type(space.probability, Fraction)
    assert_type(space[0]["S"].hcp, int)
    known = pav.deals(hands={"S": "AKQ2.K85.AJ4.T63"}, method="counted")
    assert_type(known.sample(1, seed=7), list[pav.Deal])
    either = assert_type(pav.deals("hcp(south) > 20"), pav.ConstrainedDeals | pav.TestedDeals)
    assert_type(either.samples(2, seed=7, distinct=True), Iterator[pav.Deal])
    assert_type(either.where.value(either.sample(1, seed=7)[0]), int)
    if isinstance(either, pav.ConstrainedDeals):
        assert_type(either.cardinality, int)
    else:
        assert_type(either.cardinality, pav.Estimate[int])
    ending = pav.endings("spades(south) == 2", cards=3)
    assert_type(ending.sample(1, seed=7), list[pav.Layout])
    mixed = pav.mix([("hcp(south) >= 22", 1), ("hcp(south) >= 12", "2.5")])
    assert_type(mixed.sample(5, seed=7), list[pav.Deal])


def odds() -> None:
    """Exact answers are fractions; estimates have other types."""
    space = pav.deals("hcp(south) == 37", method="counted")
    assert_type(pav.probability("spades(north) >= 5", given=space), Fraction)
    assert_type(pav.probability("spades(north) >= 5", simulate=20, seed=7), pav.Estimate[Fraction])
    points = pav.distribution("hcp(north)", given=space)
    assert_type(points, pav.Distribution[int])
    assert_type(sum((value * share for value, share in points.items()), Fraction()), Fraction)
    both = pav.distribution("hcp(north)", "hcp(east)", given=space)
    assert_type(both[3, 0], Fraction)
    sampled = pav.distribution("hcp(north)", given=space, simulate=20)
    assert_type(sampled, pav.SampledDistribution[int])
    assert_type([share.value for share in sampled.values()], list[Fraction])


def arrays() -> None:
    """Arrays have their dtypes."""
    deals = pav.numbering("deal")
    owners: NDArray[np.uint8] = deals.sample_many(10, seed=7)
    numbers: NDArray[np.uint64] = deals.rank_many(owners)
    assert_type(pav.Deal(owners[0].tobytes()) == deals.unrank_many(numbers).shape, bool)


def files() -> None:
    """Boards are read and written."""
    out = io.BytesIO()
    assert_type(pav.write(pav.numbering("deal").sample(3, seed=7), out, format="pbn"), int)
    out.seek(0)
    for board in pav.read(out, format="pbn"):
        assert_type(board, pav.Board)
        assert_type(board.number, int | None)
        if board.layout is not None:
            assert_type(board.layout["S"].hcp, int)


@pytest.mark.slow
def test_programs_of_users_run() -> None:
    texts()
    numberings("andrews")
    spaces()
    odds()
    arrays()
    files()
    with pytest.raises(pav.PavError, match="no method is called 'all'"):
        pav.deals("1", method="all")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="the name of a numbering is a str, not 'int'"):
        pav.numbering(5)  # type: ignore[call-overload]
    assert Path(pav.__file__).with_name("py.typed").is_file()
