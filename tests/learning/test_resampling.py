"""Samples by likelihood: the rows against the definition, and estimates against exact answers."""

from __future__ import annotations

import pickle
from collections import Counter
from fractions import Fraction
from math import exp, inf, log
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec.errors import NumberError, PavError
from pavcodec.learning import resampling
from pavcodec.learning.resampling import rows_at, rows_of, systematic
from pavcodec.statistics.chi_square import chi_square

SPACE = pav.ConstrainedDeals.of(pav.expression("spades(south) >= 5"))
HANDS = {"S": "AKQ2.K85.AJ4.T63", "N": "J754.A2.KQ3.A982"}


def ace(owners: Any) -> Any:
    """3 for deals in which South has the ace of spades, else 1."""
    return 2 * (owners[:, 0] == 2) + 1


def rows_by_definition(weights: list[int], n: int, offset: int) -> list[int]:
    """The first proposal k for each row j with n (w0 + ... + wk) > u + j S, one by one."""
    total, found = sum(weights), []
    for j in range(n):
        k = next(k for k in range(len(weights)) if n * sum(weights[: k + 1]) > offset + j * total)
        found.append(k)
    return found


SOME_WEIGHTS = st.lists(st.integers(0, 7), min_size=1, max_size=9) | st.lists(
    st.integers(0, 2**40), min_size=1, max_size=9
)


@given(SOME_WEIGHTS, st.integers(1, 30), st.data())
def test_rows_are_those_of_the_definition(weights: list[int], n: int, data: st.DataObject) -> None:
    weights = [*weights, 1]
    offset = data.draw(st.integers(0, sum(weights) - 1))
    rows, counts = rows_at(np.array(weights, np.int64), n, offset)
    assert rows.repeat(counts).tolist() == rows_by_definition(weights, n, offset)
    for row, count in zip(rows.tolist(), counts.tolist(), strict=True):
        assert abs(Fraction(n * weights[row], sum(weights)) - count) < 1


def test_the_largest_sums_stay_within_their_words() -> None:
    weights = np.full(1 << 16, 1 << 43, np.int64)  # of the sum 2^59
    rows, counts = rows_at(weights, 3, (1 << 59) - 1)
    assert rows.repeat(counts).tolist() == [
        ((1 << 59) - 1 + j * (1 << 59)) // 3 >> 43 for j in range(3)
    ]
    rows, counts = systematic(np.ones(5), 1 << 20, 7)
    assert rows.tolist() == [0, 1, 2, 3, 4]
    assert set(counts.tolist()) <= {(1 << 20) // 5, (1 << 20) // 5 + 1}


def test_rows_are_samples_of_the_space_at_their_indexes() -> None:
    found = pav.resample(SPACE, ace, 300, proposals=2000, seed=7)
    assert found.owners.shape == (len(found), 52)
    assert found.n == found.counts.sum() == 300
    assert found.repeated.shape == (300, 52)
    assert found.proposals == 2000
    assert found.weights.sum() == pytest.approx(1)
    whole = SPACE.sample_many(2000, seed=7)
    assert (whole[found.indexes] == found.owners).all()
    assert np.allclose(np.exp(found.log_likelihoods), ace(found.owners))
    assert found.effective_size == pytest.approx(
        int(ace(whole).sum()) ** 2 / int((ace(whole) ** 2).sum())
    )


def same(one: Any, other: Any) -> bool:
    arrays = ("owners", "indexes", "counts", "log_likelihoods")
    return all((getattr(one, name) == getattr(other, name)).all() for name in arrays) and (
        one.evidence,
        one.effective_size,
        one.seed,
    ) == (other.evidence, other.effective_size, other.seed)


@pytest.mark.slow
def test_how_it_is_computed_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def often(owners: Any) -> Any:
        assert len(owners) <= most
        found = np.where(owners[:, 0] == 2, -1.25, -3.5) - (owners[:, 13] == 1)
        owners[:] = 0  # the array is its own
        return found

    def asked(**more: Any) -> Any:
        fields = {"proposals": 2500, "seed": 7} | more
        return pav.resample(SPACE, often, 400, log=True, **fields)

    most = 1024
    expected = asked()
    for most, threads in ((100, 2), (1024, 2), (1500, 1), (9999, 2)):
        assert same(asked(batch=most, threads=threads), expected), (most, threads)
    most = 1024
    until = asked(effective=1500, proposals=None)
    monkeypatch.setattr(resampling, "KEPT", 1000)
    assert same(asked(), expected)
    most = 3000
    assert same(asked(effective=1500, proposals=None, batch=3000), until)
    assert not same(asked(seed=8), expected)
    fresh = asked(seed=None)
    assert same(asked(seed=fresh.seed), fresh)
    named = asked(seed="table 4")
    assert same(asked(seed=named.seed), named)


def test_logarithms_give_the_rows_of_the_likelihoods() -> None:
    plain = pav.resample(SPACE, ace, 500, seed=7)
    logs = pav.resample(SPACE, lambda owners: np.log(ace(owners)) - 900, 500, seed=7, log=True)
    assert (plain.owners == logs.owners).all()
    assert (plain.counts == logs.counts).all()
    assert logs.evidence.log == pytest.approx(plain.evidence.log - 900)
    assert logs.evidence.value == 0
    assert logs.evidence.standard_error == pytest.approx(plain.evidence.standard_error)


@pytest.mark.slow
def test_a_space_of_each_kind_proposes_its_own_samples() -> None:
    counted = pav.deals("hcp(south) >= 20")
    tested = pav.deals("hcp(south) >= 20 && rnd(2) == 0")
    mixed = pav.mix([("hcp(south) >= 20", 1), ("hcp(south) <= 3", 2)])
    ending = pav.endings("hcp(south) >= 4", cards=3)
    weighted = pav.weighted("hcp(south) >= 20", {"S": "spades(south) + 1"})
    numberings = pav.numbering("deal"), pav.numbering("base5")
    for space in (counted, tested, mixed, ending, weighted, *numberings):
        rows = rows_of(space, 7)
        expected = [layout.owners for layout in space.sample(40, seed=7)]
        assert [row.tobytes() for row in rows(0, 40)] == expected
        assert [row.tobytes() for row in rows(30, 5)] == expected[30:35]
        assert [row.tobytes() for row in rows(3, 2)] == expected[3:5]
        assert pav.resample(space, ace, 20, seed=7).n == 20


@pytest.mark.slow
def test_the_evidence_of_an_indicator_agrees_with_the_probability() -> None:
    space, event = pav.deals("hcp(north) >= 14"), pav.expression("spades(south) >= 5")
    exact = float(pav.probability(event, given=space))
    found = pav.resample(space, event.values, 100, proposals=8000, seed=7)
    assert abs(found.evidence.log - log(exact)) < 3 * found.evidence.standard_error
    assert found.evidence.low < exact < found.evidence.high
    share = exp(found.evidence.log)
    assert found.evidence.standard_error == pytest.approx(
        ((1 - share) / share / (8000 - 1)) ** 0.5, rel=1e-6
    )
    assert all(deal in pav.deals(event) for deal in map(pav.Deal, map(bytes, found.owners)))


@pytest.mark.slow
def test_a_small_space_has_its_deals_by_their_likelihoods() -> None:
    known = pav.position(
        hands=HANDS | {"E": "T98.QJT97.T9.Q"}, shown_out={"W": []}, played={"W": "S63"}
    )
    space = pav.deals(known=known)
    assert isinstance(space, pav.ConstrainedDeals)
    rank = {deal.owners: k for k, deal in enumerate(space)}
    assert len(rank) == 78
    weights = [1 + k % 5 for k in range(len(rank))]

    def likelihood(owners: Any) -> Any:
        return [weights[rank[row.tobytes()]] for row in owners]

    seen: Counter[int] = Counter()
    for seed in range(1000):
        found = pav.resample(space, likelihood, 1, proposals=256, seed=seed)
        seen[rank[found.owners[0].tobytes()]] += 1
    expected = [Fraction(1000 * weight, sum(weights)) for weight in weights]
    test = chi_square([seen[k] for k in range(len(rank))], expected)
    assert test is not None
    assert test.probability > 0.001


def test_an_effective_size_stops_the_proposals() -> None:
    found = pav.resample(SPACE, ace, 100, effective=1500, seed=7)
    assert found.is_enough
    assert found.effective_size >= 1500
    assert found.proposals == 2048
    before = pav.resample(SPACE, ace, 100, proposals=1024, seed=7)
    assert before.effective_size < 1500
    assert same(found, pav.resample(SPACE, ace, 100, proposals=2048, seed=7))
    few = pav.resample(SPACE, ace, 100, effective=1500, proposals=1500, seed=7)
    assert not few.is_enough
    assert few.proposals == 1500
    assert pav.resample(SPACE, ace, 100, seed=7).is_enough


NAN = float("nan")
WRONG: list[tuple[float, bool, str]] = [
    (NAN, False, "likelihood of proposal 3 is nan, and must be 0 or more and finite: N:"),
    (inf, False, "the likelihood of proposal 3 is inf"),
    (-1, False, "the likelihood of proposal 3 is -1.0"),
    (NAN, True, "log-likelihood of proposal 3 is nan, and must be -inf or a finite number"),
    (inf, True, "the log-likelihood of proposal 3 is inf"),
]


def test_what_is_no_likelihood_is_refused_with_its_proposal() -> None:
    for value, is_log, message in WRONG:
        batches = iter((0, value))

        def likelihood(owners: Any, batches: Any = batches) -> Any:
            return np.array([next(batches), *[0] * (len(owners) - 1)], float)

        with pytest.raises(PavError) as caught:
            pav.resample(SPACE, likelihood, 10, batch=3, seed=7, log=is_log)
        assert message in str(caught.value)


def test_other_arguments_are_refused() -> None:
    shapes: list[tuple[Any, str]] = [
        (lambda o: np.ones(len(o) + 1), r"1,024 likelihoods for 1,024 deals, .* shape \(1025,\)"),
        (lambda o: np.ones((len(o), 1)), r"not an array of the shape \(1024, 1\)"),
        (lambda _: 1.0, r"not an array of the shape \(\)"),
        (lambda o: ["x"] * len(o), "a likelihood is a number, not of the type <U1"),
        (lambda o: np.ones(len(o)) * 1j, "not of the type complex128"),
        (lambda o: np.zeros(len(o)), "all 2,000 proposals have the likelihood 0: propose more"),
    ]
    for function, message in shapes:
        with pytest.raises(PavError, match=message):
            pav.resample(SPACE, function, 200, seed=7)
    with pytest.raises(PavError, match="all 50 proposals have the likelihood 0"):
        pav.resample(SPACE, lambda o: np.full(len(o), -inf), 5, seed=7, log=True)
    numbers: list[tuple[dict[str, Any], str]] = [
        ({"n": 0}, "n is 1 to 1,073,741,824, not 0"),
        ({"proposals": 0}, "proposals is 1 to 4,294,967,296, not 0"),
        ({"batch": 0}, "batch is 1 to"),
        ({"effective": 0}, "an effective size is more than 0"),
        ({"effective": 300, "proposals": 200}, "at most the 200 proposals, not 300"),
    ]
    for arguments, message in numbers:
        with pytest.raises(NumberError, match=message):
            pav.resample(SPACE, ace, **({"n": 5, "seed": 7} | arguments))


def test_the_evidence_is_a_value() -> None:
    one = pav.Evidence(log=-3.0, standard_error=0.02, proposals=10)
    assert pickle.loads(pickle.dumps(one)) == one
    assert pav.resample(SPACE, ace, 1, proposals=1, seed=7).evidence.standard_error == inf
    densities = pav.Evidence(log=5000.0, standard_error=0.02, proposals=10)
    assert str(densities) == "about inf (95 %: inf to inf), e^5000.000"
