"""The random face of a numbering: samples and draws are the same stream."""

from __future__ import annotations

import subprocess
import sys

import pytest
from gmpy2 import mpz
from stream_support import numpy_index

import pavcodec as pav
from pavcodec.numberings.rankings import OwnerDigits
from pavcodec.sampling import Stream

every_numbering = pytest.mark.parametrize("name", pav.numbering_names(classes=True))


def positions(numbering: pav.Numbering, count: int, seed: int | str, start: int = 0) -> list[int]:
    """The drawn positions, as integers."""
    rows = numbering.draw(count, seed=seed, start=start)
    return [high << 64 | low for high, low in rows.tolist()]


@every_numbering
@pytest.mark.parametrize("one_based", [False, True])
def test_sample_and_draw_are_the_stream(name: str, *, one_based: bool) -> None:
    numbering = pav.numbering(name, one_based=one_based)
    drawn = positions(numbering, 20, 7, start=3)
    assert drawn == [numpy_index(7, k, numbering.cardinality) for k in range(3, 23)]
    sampled = numbering.sample(20, seed=7, start=3)
    assert [numbering.index(layout) for layout in sampled] == drawn
    assert {type(layout) for layout in sampled} == {numbering.layout_type}


def test_what_cannot_be_drawn() -> None:
    deals = pav.numbering("deal")
    huge = pav.Numbering("huge", "a long deck", OwnerDigits(60, 5), "anything", "base5-16")
    for face in (deals.sample, deals.draw):
        with pytest.raises(pav.NumberError, match=f"at most 2\\^48 .*, not {2**63}"):
            face(2**63, seed=7)
        assert len(face(mpz(2), seed=mpz(7), start=mpz(1))) == 2
        assert len(face(0, seed=7)) == 0
    for large in (huge.sample, huge.draw):
        with pytest.raises(pav.NumberError, match="a cardinality is at most"):
            large(1, seed=7)


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import pavcodec", {"pavcodec.sampling", "numpy", "secrets", "hashlib"}),
        ("import pavcodec; pavcodec.fresh_seed()", {"numpy", "pavcodec.numberings"}),
        ("import pavcodec as p; p.numbering('deal').sample(2)", {"numpy"}),
    ],
)
def test_arrays_are_imported_for_batches_only(code: str, absent: set[str]) -> None:
    check = f"import sys; {code}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert not absent & set(done.stdout.split())


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 90, 5000])
@pytest.mark.parametrize("start", [0, pytest.param(7, marks=pytest.mark.slow)])
def test_distinct_samples_are_those_of_the_stream(count: int, start: int) -> None:
    spaces: list[pav.Numbering] = [
        pav.numbering("deal"),
        pav.deals("hcp(south) == 37", method="counted"),
        pav.endings(cards=2),
    ]
    for space in spaces:
        indexes = list(Stream(7).distinct_indexes(space.cardinality, count, start))
        expected = [space.unrank(index) for index in indexes]
        assert space.sample(count, seed=7, start=start, distinct=True) == expected
        assert list(space.samples(count, seed=7, start=start, distinct=True)) == expected
        owners = space.sample_many(count, seed=7, start=start, distinct=True)
        assert [row.tobytes() for row in owners] == [each.owners for each in expected]
        drawn = space.draw(count, seed=7, start=start, distinct=True).tolist()
        numbers = [high << 64 | low for high, low in drawn]
        if isinstance(space, pav.ConstrainedDeals):
            assert numbers == list(map(pav.numbering("deal").rank, expected))
        else:
            assert numbers == indexes


@pytest.mark.slow
def test_a_small_space_has_each_layout_once() -> None:
    where = "spades(north) == 13 && hearts(east) == 13 && diamonds(south) == 11"
    space = pav.deals(where, method="counted")
    assert space.cardinality == 6084
    whole = space.sample(6084, seed=7, distinct=True)
    assert sorted(map(space.rank, whole)) == list(range(6084))
    few = pav.endings("hcp(north) == 4 && hcp(east) == 4 && hcp(south) == 4", cards=1)
    assert few.cardinality == len({*few}) == 24 * 49
    every = few.sample(few.cardinality, seed=7, distinct=True)
    assert sorted(map(few.rank, every)) == list(range(few.cardinality))
    for draw in (few.sample, few.sample_many, few.draw, few.samples):
        with pytest.raises(pav.NumberError, match="1177 different ones cannot be drawn from 1176"):
            draw(few.cardinality + 1, seed=7, distinct=True)
