"""Weighted deals: the definition, samples, whole small spaces, odds, arguments and errors."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from constraints_models import predealt
from stream_support import numpy_block, numpy_index

import pavcodec as pav
from pavcodec import Deal, WeightedDeals
from pavcodec.constraints.counting.compile import NotCountableError
from pavcodec.constraints.expressions import condition, hcp
from pavcodec.constraints.nodes.syntax import conjunction
from pavcodec.constraints.operators import Expression
from pavcodec.sampling import Stream

BIG = 10**31 + 1
SPACES: dict[str, tuple[str, Any, Any]] = {
    "one hand": ("hcp(north) >= 12", {"N": {"hcp": {12: 1, "13-15": 3}, "spades": {5: 2}}}, None),
    "many limbs": ("hcp(south) == 37", None, {"spades(south)": {3: BIG, 4: BIG**2, 7: 1}}),
}


@cache
def space_of(name: str) -> WeightedDeals:
    where, weights, joint = SPACES[name]
    return pav.weighted(where, weights, joint=joint)


@cache
def small_space() -> pav.ConstrainedDeals:
    """All deals with eleven cards of each hand in place: 2,520."""
    [deal] = pav.numbering("deal").sample(1, seed=5)
    assert isinstance(deal, Deal)
    space = pav.deals(Expression(conjunction(list(predealt(deal, 11)))))
    assert isinstance(space, pav.ConstrainedDeals)
    return space


WEIGHTS: dict[Any, Any] = {
    "N": ["hcp(north)", {"losers": {"0-7": 1, "else": "1/2"}}],
    "E": {"hearts": {0: 3, "1-3": 2, "4+": "0.5"}},
}


@cache
def weighted_small() -> WeightedDeals:
    return pav.weighted(small_space(), WEIGHTS, joint="controls(south) + controls(west)")


@cache
def units() -> dict[Deal, int]:
    """The weight of each deal of the small space, from its hands, in integers."""
    found = {}
    for deal in small_space():
        assert isinstance(deal, Deal)
        north, east = deal["N"], deal["E"]
        weight = Fraction(north.hcp) * (1 if north.losers <= 7 else Fraction(1, 2))
        weight *= [Fraction(3), *[Fraction(2)] * 3, *[Fraction(1, 2)] * 10][east.shape[1]]
        weight *= deal["S"].controls + deal["W"].controls
        if weight:
            found[deal] = weight
    whole = {deal: int(4 * weight) for deal, weight in found.items()}
    assert all(whole[deal] == 4 * weight for deal, weight in found.items())
    shared = int(np.gcd.reduce(list(whole.values())))
    return {deal: weight // shared for deal, weight in whole.items()}


@pytest.mark.slow
def test_every_number_of_a_small_space() -> None:
    space, expected = weighted_small(), units()
    assert space.units == sum(expected.values())
    assert space.cardinality == len(expected)
    every = [deal for deal, many in expected.items() for _ in range(many)]
    step = max(1, len(every) // 3000)
    for place in [*range(0, len(every), step), len(every) - 1]:
        assert space.unrank(place) == every[place]
    for place in (-1, len(every)):
        with pytest.raises(pav.NumberError, match=f"numbers 0 to {len(every) - 1}, not {place}"):
            space.unrank(place)
    for deal in list(expected)[:20]:
        assert space.probability_of(deal) == Fraction(expected[deal], len(every))
        assert deal in space
    assert space.total == sum(map(space.weight, expected))


def test_samples_follow_the_stream() -> None:
    """Sample k has the number that `pav-1` draws below the sum of all units."""
    space = space_of("one hand")
    for k in (0, 1, 2**64 - 1):
        [deal] = space.sample(1, seed=9, start=k)
        assert deal == space.unrank(numpy_index(9, k, space.units))
    wide = space_of("many limbs")
    assert wide.model.is_wide
    for k in (0, 3):
        total, blocks = wide.units, -(-(wide.units - 1).bit_length() // 256)
        words = [numpy_block((k, 0, 0, block), (9, 0)) for block in range(blocks)]
        x = sum(w << 64 * place for place, w in enumerate(w for block in words for w in block))
        assert x * total % 2 ** (256 * blocks) >= 2 ** (256 * blocks) % total
        number = x * total >> 256 * blocks
        assert wide.sample(1, seed=9, start=k) == [wide.unrank(number)]


def test_proportional_weights_give_equal_samples() -> None:
    one = pav.weighted("spades(west) == 9", {"N": {"hcp": {"0-9": 1, "10+": 3}}})
    two = pav.weighted("spades(west) == 9", {"N": {"hcp": {"0-9": "1/7", "10+": "3/7"}}})
    assert one.total == 7 * two.total
    assert one.sample(9, seed=1) == two.sample(9, seed=1)


@pytest.mark.parametrize("text", ["N: hcp {37: 1}", "hcp(north) {37: 1}"])
def test_weights_in_place_of_a_condition_are_told_where_they_go(text: str) -> None:
    with pytest.raises(pav.TextError, match="in Python they are the argument joint of weighted"):
        pav.weighted(text)
    assert pav.weighted(joint=text).total == pav.deals("hcp(north) == 37").cardinality


def test_weights_of_zero_and_one_are_a_condition() -> None:
    space = pav.weighted("spades(west) == 9", joint="hcp(north) >= 15")
    other = pav.deals("spades(west) == 9 && hcp(north) >= 15")
    assert space.total == space.cardinality == other.cardinality
    assert space.sample(5, seed=2) == other.sample(5, seed=2)


@pytest.mark.slow
def test_odds_of_a_small_space() -> None:
    space, expected = weighted_small(), units()
    total = sum(expected.values())
    points: Counter[int] = Counter()
    for deal, many in expected.items():
        points[deal["W"].hcp] += many
    found = pav.distribution("hcp(west)", given=space)
    assert dict(found) == {value: Fraction(many, total) for value, many in points.items()}
    assert isinstance(found, pav.WeightedDistribution)
    mean = sum(Fraction(value * many, total) for value, many in points.items())
    assert found.mean == mean
    middle = sorted(points)[len(points) // 2]
    event = f"hcp(west) >= {middle}"
    strong = sum(many for value, many in points.items() if value >= middle)
    assert 0 < strong < total
    assert pav.probability(event, given=space) == Fraction(strong, total)
    both = pav.distribution("hcp(west)", "aces(north)", given=space)
    assert sum(both.values()) == 1
    value = next(iter(points))
    rows = {row: share for row, share in both.items() if isinstance(row, tuple)}
    assert sum(share for row, share in rows.items() if row[0] == value) == found[value]
    sampled = pav.probability(event, given=space, simulate=2000, seed=1)
    assert sampled.low < Fraction(strong, total) < sampled.high
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
        ({"N": 0.5}, TypeError, "write '0.5' instead of 0.5"),
        ({"N": {"hcp": 3}}, TypeError, "the weights of 'hcp' are a mapping"),
        ({"N": -1}, pav.NumberError, "a weight is 0 or more, not -1"),
        ({"N": {"hcp": {12: -1}}}, pav.TextError, "expected a weight"),
        ({"N": {"hcp": {12: 1, "11-13": 1}}}, pav.TextError, "values in common"),
        ({"N": {"hcp": {"12-": 1}}}, pav.TextError, "expected a value such as 12"),
        ({"N": "hcp(south)"}, pav.TextError, "this depends on south, but it is a weight of north"),
        ({"X": 1}, pav.PavError, "seat"),
        ({"N": None}, TypeError, "a weight is a number, a text, .* not 'NoneType'"),
        ({"N": {"hcp": {12: None}}}, TypeError, "the weight of a value is a number or a text"),
        ({"N": {"hcp": {}}}, pav.TextError, "expected an entry"),
        ("hcp(north)", TypeError, "weights are a mapping of seats to weights, not 'str'"),
        ({"N": {"shape": {"any 4332": 1}}}, pav.TextError, "a shape has 13 cards"),
        ({"N": {"hcp": {12: "1/0"}}}, pav.TextError, "a weight is a number"),
        ({"N": {"hcp": {12: 10**1200}}}, pav.TextError, "at most 1000 characters"),
    ],
)
def test_wrong_arguments(weights: Any, kind: type[Exception], reason: str) -> None:
    with pytest.raises(kind, match=reason):
        pav.weighted("1", weights)


def test_what_cannot_be_counted() -> None:
    with pytest.raises(NotCountableError, match=r"rnd is tested .*pavcodec\.resample"):
        pav.weighted("rnd(2) == 1")
    space = pav.weighted("hcp(north) == 37", joint="1 + rnd(2)")
    with pytest.raises(NotCountableError, match=r"the weight '1 \+ rnd\(2\)': .*resample"):
        _ = space.total
    python = pav.weighted("hcp(north) == 37", joint=condition(lambda deal: deal["N"].hcp))
    with pytest.raises(NotCountableError, match="a Python function is tested"):
        _ = python.total
    divided = pav.weighted("hcp(north) == 37", joint="hcp(north) / hcp(south)")
    with pytest.raises(NotCountableError, match=r"the weight .* divisor can be 0 .*resample"):
        _ = divided.total
    with pytest.raises(TypeError, match="weighted takes a condition or the result of deals"):
        pav.weighted(pav.endings(cards=3))  # type: ignore[arg-type]
    with pytest.raises(pav.ModelTooLarge, match=r"the model of the weights takes more than 1 MB"):
        _ = pav.weighted(1, joint="hcp(north) * hcp(south)", memory=10**6).total


NO_DEAL = [
    ("hcp(north) > 40", "1", "there are no deals with"),
    ("hcp(north) == 10", "hcp(north) {11: 1}", "'hcp.north. {11: 1}' is 0 for all of them"),
    ("1", "0", "^every deal has the weight 0: '0' is 0 for all of them"),
    ("1", ["hcp(north) {11: 1}", "hcp(north) > 11"], "the weights exclude each other"),
]
USES: list[Callable[[WeightedDeals], object]] = [
    lambda space: space.sample(1, seed=1),
    lambda space: space.sample(1, seed=1, distinct=True),
    lambda space: space.sample_many(1, seed=1),
    lambda space: space.draw(1, seed=1),
    lambda space: pav.probability("hcp(south) > 9", given=space),
    lambda space: space.probability_of(Deal.unchecked(bytes(range(4)) * 13)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("where", "joint", "reason"), NO_DEAL)
def test_no_deal_has_a_weight(where: str, joint: Any, reason: str) -> None:
    space = pav.weighted(where, joint=joint)
    assert not space
    assert space.total == space.cardinality == 0
    for use in USES:
        with pytest.raises(pav.PavError, match=reason):
            use(space)


@pytest.mark.slow
def test_known_cards_are_short_in_messages() -> None:
    hands = {"S": "AKQ2.K85.AJ4.T63"}
    messages = {
        "1": "every deal with these 13 known cards has the weight 0: 'hcp.south. {9: 1}'",
        "hcp(east) > 5": "every deal with these 13 known cards and 'hcp.east. > 5' has",
        "hcp(south) > 17": "there are no deals with these 13 known cards and 'hcp.south. > 17'",
    }
    for where, message in messages.items():
        with pytest.raises(pav.PavError, match=message):
            pav.weighted(where, {"S": {"hcp": {9: 1}}}, hands=hands).sample(1)


def test_constant_weights_scale_the_total_alone() -> None:
    space, scaled = pav.weighted(), pav.weighted(weights={"N": "1/3"}, joint="2.5")
    assert scaled.total == space.total * Fraction(5, 6)
    assert scaled.sample(3, seed=7) == space.sample(3, seed=7)
    assert pav.weighted(joint=str(scaled).split("weight ")[1].strip()).total * 3 == space.total


@pytest.mark.slow
def test_different_samples_of_very_small_weights_end() -> None:
    hands = {"S": "AKQ2.K85.AJ4.T63", "N": "JT98.AQJ.KQ5.AKQ", "E": "7654.T97.T987.5"}
    one = {"E": {"hearts": {3: 10**24, "else": 1}}}
    space = pav.weighted(weights=one, hands=hands)
    with pytest.raises(pav.PavError, match="1,000,000 repeats in a row: there may be only 10 "):
        space.sample(space.cardinality, seed=1, distinct=True)


@pytest.mark.slow
def test_negative_weights_name_a_deal() -> None:
    space = pav.weighted("hcp(north) <= 10", joint="9 - hcp(north)")
    with pytest.raises(pav.NumberError, match=r"'9 - hcp\(north\)' is below 0 for N:") as error:
        _ = space.total
    deal = Deal.from_pbn(str(error.value).partition(" for ")[2])
    assert deal["N"].hcp == 10
    with pytest.raises(pav.NumberError, match="is below 0 for"):
        space.weight(deal)
    fine = pav.weighted("hcp(north) <= 9", joint="9 - hcp(north)")
    assert fine.cardinality == pav.deals("hcp(north) <= 8").cardinality


def test_other_layouts_have_no_weight() -> None:
    space = space_of("one hand")
    [other] = pav.deals("hcp(north) == 9").sample(1, seed=1)
    assert space.weight(other) == 0
    assert other not in space
    assert pav.Layout.from_pbn("N:AK... .Q.. - -") not in space
    with pytest.raises(TypeError, match="a Layout or Deal is expected, not 'str'"):
        assert "no deal" in space


def test_wide_indexes_continue_the_stream() -> None:
    stream = Stream(3)
    for total in (1, 52, 2**128 - 1, 2**128):
        assert stream.wide_index(5, total) == stream.index(5, total)
    for total in (2**128 + 1, 2**256, 2**256 + 1, 10**200):
        drawn = [stream.wide_index(k, total) for k in range(200)]
        assert all(0 <= each < total for each in drawn)
        assert len(set(drawn)) == 200
        assert abs(sum(drawn) / total - 100) < 20
    with pytest.raises(pav.NumberError):
        stream.wide_index(-1, 10**50)
    with pytest.raises(pav.NumberError):
        stream.wide_index(0, 0)


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
