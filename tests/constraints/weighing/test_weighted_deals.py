"""Weighted deals: the definition, samples, whole small spaces, odds, arguments and errors."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from stream_support import numpy_index

import pavcodec as pav
from pavcodec import Deal, WeightedDeals
from pavcodec.constraints.counting.compile import NotCountableError
from pavcodec.constraints.expressions import condition, hcp
from pavcodec.sampling import Stream


def test_samples_follow_the_stream() -> None:
    """Sample k has the number that `pav-1` draws below the sum of all units."""
    space = pav.weighted("hcp(north) >= 12", {"N": {"hcp": {12: 1, "13-15": 3}}})
    wide = pav.weighted("hcp(south) == 37", joint={"spades(south)": {3: 10**31, 4: 10**62, 7: 1}})
    assert (space.model.is_wide, wide.model.is_wide) == (False, True)
    for k in (0, 1, 2**64 - 1):
        drawn = space.unrank(numpy_index(9, k, space.units))
        assert space.sample(1, seed=9, start=k) == [drawn]
        number = Stream(9).wide_index(k, wide.units)
        assert wide.sample(1, seed=9, start=k) == [wide.unrank(number)]


@pytest.mark.parametrize(
    ("weights", "joint", "other", "scale"),
    [
        ({}, None, "hcp(north) >= 20", 1),
        ({"N": "1/3"}, "2.5", "hcp(north) >= 20", Fraction(5, 6)),
        (None, "hcp(west) >= 0", "hcp(north) >= 20", 1),
        (None, "spades(west) == 6", "hcp(north) >= 20 && spades(west) == 6", 1),
    ],
)
def test_weights_that_are_no_more_than_a_condition(
    weights: Any, joint: Any, other: str, scale: Fraction
) -> None:
    space, plain = pav.weighted("hcp(north) >= 20", weights, joint=joint), pav.deals(other)
    assert space.units == space.cardinality == plain.cardinality
    assert space.total == space.cardinality * scale
    assert space.sample(4, seed=1) == plain.sample(4, seed=1)


@pytest.mark.parametrize("text", ["N: hcp {37: 1}", "hcp(north) {37: 1}"])
def test_weights_in_place_of_a_condition_are_told_where_they_go(text: str) -> None:
    with pytest.raises(pav.TextError, match="in Python they are the argument joint of weighted"):
        pav.weighted(text)
    assert pav.weighted(joint=text).total == pav.deals("hcp(north) == 37").cardinality


def test_odds() -> None:
    """There are 4 hands with 37 points and 60 with 36, as published."""
    space = pav.weighted("hcp(north) >= 36", {"N": {"hcp": {36: 1, "37": 6}}}, joint=["3", "1/2"])
    found = pav.distribution("hcp(north)", given=space)
    assert isinstance(found, pav.WeightedDistribution)
    assert dict(found) == {36: Fraction(60, 84), 37: Fraction(24, 84)}
    assert found.mean == Fraction(36 * 60 + 37 * 24, 84)
    assert space.total == Fraction(84 * 3, 2) * space.cardinality / 64
    assert pav.probability("hcp(north) == 37", given=space) == Fraction(24, 84)
    both: Any = pav.distribution("hcp(north)", "aces(south)", given=space)
    assert dict(both) == {(36, 0): Fraction(60, 84), (37, 0): Fraction(24, 84)}
    sampled = pav.probability("hcp(north) == 37", given=space, simulate=2000, seed=1)
    assert sampled.low < Fraction(24, 84) < sampled.high
    [deal] = pav.deals("hcp(north) == 37").sample(1, seed=1)
    assert isinstance(deal, Deal)
    assert space.probability_of(deal) == Fraction(6, space.units)
    for place in (-1, space.units):
        with pytest.raises(pav.NumberError, match=f"numbers 0 to {space.units - 1}, not {place}"):
            space.unrank(place)
    with pytest.raises(NotCountableError, match="ask for an estimate"):
        pav.probability("rnd(2) == 1", given=space)
    with pytest.raises(NotCountableError, match="ask for an estimate"):
        pav.distribution("rnd(2)", given=space)


ARGUMENTS: list[tuple[Any, Any, list[str]]] = [
    ({"N": "hcp {12: 1, 13 - 15: 2}"}, None, ["hcp(north) {12: 1, 13 - 15: 2}"]),
    ({0: {"hcp": {12: 1, "13-15": 2}}}, None, ["hcp(north) {12: 1, 13-15: 2}"]),
    ({"s": {"shape": {"5xxx": "0.5", "else": 1}}}, None, ["south: shape {5xxx: 1/2, else: 1}"]),
    ({"E": [2, hcp("east")]}, "aces(north)", ["2", "hcp(east)", "aces(north)"]),
    ({"N": "1/3, 0.25"}, [Fraction(1, 2), "4 / 6"], ["1/3", "1/4", "1/2", "2/3"]),
    ({"W": {"quality(spades)": {"100+": 1}, "holding(hearts)": {"KQx": 1}}}, None,
     ["quality(west, spades) {100+: 1}", "west: holding(hearts) {KQx: 1}"]),
    (None, {"hcp(north) + hcp(south)": {"20-24": Fraction(1, 3)}},
     ["(hcp(north) + hcp(south)) {20-24: 1/3}"]),
]  # fmt: skip


@pytest.mark.parametrize(("weights", "joint", "texts"), ARGUMENTS)
def test_arguments(weights: Any, joint: Any, texts: list[str]) -> None:
    space = pav.weighted("1", weights, joint=joint)
    assert [weight.text for weight in space.weights] == texts
    again = pav.weighted("1", joint=texts)
    assert again == space
    assert hash(again) == hash(space)
    assert pickle.loads(pickle.dumps(space)) == space
    assert eval(repr(space), {"weighted": pav.weighted}) == space  # noqa: S307 (of this test)


@pytest.mark.parametrize(
    ("weights", "kind", "reason"),
    [
        ({"N": {"hcp": {12: 0.5}}}, TypeError, "write '0.5' instead of 0.5"),
        ({"N": 1, "north": 2}, pav.PavError, "weights have North twice, under two names"),
        ({"N": {"hcp": 3}}, TypeError, "the weights of 'hcp' are a mapping"),
        ({"N": -1}, pav.NumberError, "a weight is 0 or more, not -1"),
        ({"X": 1}, pav.PavError, "seat"),
        ({"N": None}, TypeError, "a weight is a number, a text, .* not 'NoneType'"),
        ({"N": {"hcp": {12: None}}}, TypeError, "the weight of a value is a number or a text"),
        ({"N": {"hcp": {}}}, pav.TextError, "expected an entry"),
        ("hcp(north)", TypeError, "weights are a mapping of seats to weights, not 'str'"),
        ({"N": {"hcp": {12: 10**1200}}}, pav.TextError, "at most 1000 characters"),
    ],
)
def test_wrong_arguments(weights: Any, kind: type[Exception], reason: str) -> None:
    with pytest.raises(kind, match=reason):
        pav.weighted("1", weights)


STRONG = "hcp(north) == 37"
NOT_COUNTED: list[tuple[Any, Any, dict[str, Any], type[Exception], str]] = [
    ("rnd(2) == 1", None, {}, NotCountableError, r"rnd is tested .*pavcodec\.resample"),
    (STRONG, "1 + rnd(2)", {}, NotCountableError, r"the weight '1 \+ rnd\(2\)': .*resample"),
    (STRONG, condition(lambda deal: deal["N"].hcp), {}, NotCountableError, "a Python function is"),
    (STRONG, "hcp(north) / hcp(south)", {}, NotCountableError, "the weight .* divisor can be 0 .*"),
    (pav.endings(cards=3), None, {}, TypeError, "weighted takes a condition or the result of"),
    (1, "hcp(north) * hcp(south)", {"memory": 10**6}, pav.ModelTooLarge,
     "the model of the weights takes more than 1 MB"),
]  # fmt: skip


@pytest.mark.parametrize(("where", "joint", "options", "kind", "reason"), NOT_COUNTED)
def test_what_cannot_be_counted(
    where: Any, joint: Any, options: dict[str, Any], kind: type[Exception], reason: str
) -> None:
    with pytest.raises(kind, match=reason):
        _ = pav.weighted(where, joint=joint, **options).total


KNOWN = {"S": "AKQ2.K85.AJ4.T63"}
NINE = {"S": {"hcp": {9: 1}}}
NO_DEAL: list[tuple[str, dict[str, Any], str]] = [
    ("hcp(north) > 40", {"joint": "1"}, "there are no deals with"),
    ("hcp(north) == 10", {"joint": "hcp(north) {11: 1}"}, "'hcp.north. {11: 1}' is 0 for all of"),
    ("1", {"joint": "0"}, "^every deal has the weight 0: '0' is 0 for all of them"),
    ("1", {"joint": ["hcp(north) {11: 1}", "hcp(north) > 11"]}, "the weights exclude each other"),
    ("1", {"weights": NINE, "hands": KNOWN},
     "^every deal with these 13 known cards has the weight 0: 'hcp.south. {9: 1}'"),
    ("hcp(east) > 5", {"weights": NINE, "hands": KNOWN},
     "every deal with these 13 known cards and 'hcp.east. > 5' has"),
    ("hcp(south) > 17", {"weights": NINE, "hands": KNOWN},
     "there are no deals with these 13 known cards and 'hcp.south. > 17'"),
]  # fmt: skip
USES: list[Callable[[WeightedDeals], object]] = [
    lambda space: space.sample(1, seed=1),
    lambda space: space.sample(1, seed=1, distinct=True),
    lambda space: space.sample_many(1, seed=1),
    lambda space: space.draw(1, seed=1),
    lambda space: pav.probability("hcp(south) > 9", given=space),
    lambda space: space.probability_of(Deal.unchecked(bytes(range(4)) * 13)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("where", "options", "reason"), NO_DEAL)
def test_no_deal_has_a_weight(where: str, options: dict[str, Any], reason: str) -> None:
    space = pav.weighted(where, **options)
    assert not space
    assert space.total == space.cardinality == 0
    for use in USES:
        with pytest.raises(pav.PavError, match=reason):
            use(space)


def test_different_samples_of_very_small_weights_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pavcodec.numberings.space.MOST_REPEATS", 1000)
    hands = {**KNOWN, "N": "JT98.AQJ.KQ5.AKQ", "E": "7654.T97.T987.5"}
    space = pav.weighted(weights={"E": {"hearts": {3: 10**24, "else": 1}}}, hands=hands)
    with pytest.raises(pav.PavError, match="1,000 repeats in a row: there may be only 10 "):
        space.sample(space.cardinality, seed=1, distinct=True)


def test_negative_weights_name_a_deal() -> None:
    space = pav.weighted("hcp(north) <= 10", joint="9 - hcp(north)")
    with pytest.raises(pav.NumberError, match=r"'9 - hcp\(north\)' is below 0 for N:") as error:
        _ = space.total
    deal = Deal.from_pbn(str(error.value).partition(" for ")[2])
    assert deal["N"].hcp == 10
    with pytest.raises(pav.NumberError, match="is below 0 for"):
        space.weight(deal)
    [other] = pav.deals("hcp(north) == 11").sample(1, seed=1)
    assert space.weight(other) == 0
    assert other not in space
    assert pav.Layout.from_pbn("N:AK... .Q.. - -") not in space
    with pytest.raises(TypeError, match="a Layout or Deal is expected, not 'str'"):
        assert "no deal" in space


def test_wide_indexes_continue_the_stream() -> None:
    stream = Stream(3)
    for total in (1, 52, 2**128 - 1, 2**128):
        assert stream.wide_index(5, total) == stream.index(5, total)
    for k, total in ((-1, 10**50), (0, 0)):
        with pytest.raises(pav.NumberError):
            stream.wide_index(k, total)


def test_rejected_words_of_wide_indexes(monkeypatch: pytest.MonkeyPatch) -> None:
    """With scripted blocks: the first is rejected, and the next attempt is read."""
    read: list[tuple[int, ...]] = []

    def blocks(_: Stream, *counter: int) -> list[int]:
        read.append(counter)
        return [0 if counter[1] == 0 else 1 << 255]

    monkeypatch.setattr(Stream, "blocks", blocks)
    total = 2**128 + 1
    assert Stream(0).wide_index(4, total) == total // 2
    assert read == [(4, 0, 0, 1), (4, 1, 0, 1)]
