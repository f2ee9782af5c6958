"""Mixes: types by their weights, deals within a type evenly, sample k by its definition."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from marks_support import assert_fault
from oracles import integers
from stream_support import numpy_index

import pavcodec as pav
from pavcodec import Deal, Mix, NumberError, PavError, TextError
from pavcodec.constraints.expressions import condition
from pavcodec.constraints.language.parser import parse_mix, parse_script
from pavcodec.constraints.nodes.format import format_mix
from pavcodec.constraints.nodes.syntax import Node

BALANCED = "shape(south, any 4333 + any 4432 + any 5332)"
OPENINGS = [
    ("hcp(south) >= 22", 5),
    (f"{BALANCED} && hcp(south) >= 15 && hcp(south) <= 17", 35),
    ("spades(south) >= 5 && hcp(south) >= 12 || hcp(south) >= 20", 60),
]


def space(where: Node | str) -> pav.ConstrainedDeals:
    """The deals of a condition that can be counted."""
    found = pav.deals(where)
    assert isinstance(found, pav.ConstrainedDeals)
    return found


def test_shares_are_the_weights() -> None:
    texts, exact = (
        [where for where, _ in OPENINGS],
        [Fraction(5, 2), Fraction(1, 3), Fraction(1, 7)],
    )
    mix = pav.mix(list(zip(texts, ["2.5", "1/3", Fraction(1, 7)], strict=True)))
    assert [kind.weight for kind in mix.types] == exact
    assert [kind.share for kind in mix.types] == [weight / sum(exact) for weight in exact]
    same = pav.mix(list(zip(texts, (105, 14, 6), strict=True)))
    assert same.weights == mix.weights == (105, 14, 6)
    assert same.sample(20, seed=3) == mix.sample(20, seed=3)
    assert same != mix
    natural = pav.mix(texts).types
    counts = [kind.cardinality for kind in natural if isinstance(kind.cardinality, int)]
    assert [kind.share for kind in natural] == [Fraction(count, sum(counts)) for count in counts]
    fitting = [space(text).cardinality for text in texts]
    overlaps = [all_ - count for all_, count in zip(fitting, counts, strict=True)]
    assert [kind.overlap for kind in natural] == overlaps
    assert overlaps[0] == 0 < overlaps[2]


def further(seed: int, k: int, number: int, below: int) -> int:
    """A further number of sample k by the definition, on numpy's generator."""
    return numpy_index(seed, k, below, use=1, number=number)


@pytest.mark.slow
def test_sample_k_is_that_of_the_definition() -> None:
    seed = 2**64 + 5
    mix = pav.mix([(where, Fraction(weight, 3)) for where, weight in OPENINGS])
    assert mix.weights == (1, 7, 12)
    spaces = [
        space("hcp(south) >= 22"),
        space(f"({OPENINGS[1][0]}) && !(hcp(south) >= 22)"),
        space(f"({OPENINGS[2][0]}) && !({OPENINGS[1][0]}) && !(hcp(south) >= 22)"),
    ]
    for k in [*range(30), 2**64 - 1]:
        number = further(seed, k, 0, 20)
        place = next(place for place, bound in enumerate([1, 8, 20]) if bound > number)
        expected = spaces[place][numpy_index(seed, k, spaces[place].cardinality)]
        assert mix.sample(1, seed=seed, start=k) == [expected]
        assert list(mix.places(1, seed=seed, start=k)) == [place]
        assert integers(mix.draw(1, seed=seed, start=k)) == [pav.numbering("deal").rank(expected)]


def test_golden_samples() -> None:
    mix = pav.mix(OPENINGS)
    assert list(map(str, mix.sample(3, seed=7))) == [
        "N:Q754.JT42.K6.QJ5 T.Q5.J95432.T764 AJ9862.A87.A.K83 K3.K963.QT87.A92",
        "N:KT962.42.T86542. J.KQT653.KJ.7654 AQ543.9.AQ97.JT8 87.AJ87.3.AKQ932",
        "N:T9.Q642.K962.KJ7 754.K973.A5.Q983 AKJ2.AT5.QJ8.642 Q863.J8.T743.AT5",
    ]


def test_weights_at_the_edge_of_what_can_be_drawn_below() -> None:
    edge = pav.mix([("hcp(south) >= 20", 2**128 - 1), ("1", 1)])
    assert set(edge.places(50, seed=1)) == set(edge.places(5000, seed=1)) == {0}
    with pytest.raises(NumberError, match=r"sum to at most 2\^128, not to 3402823669209384634633"):
        pav.mix([("hcp(south) >= 20", 2**128), ("1", 1)])


def mix_with_chance() -> tuple[Mix, Node]:
    script = parse_script(
        "die = rnd(6)  mix hcp(south) >= 20 && die >= 4 : 1, hcp(south) > 11 : 2 action average die"
    )
    [average] = script.actions
    return pav.mix(script.mix), average.expression  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_type_that_is_tested_by_its_definition() -> None:
    mix, die = mix_with_chance()
    first, second = (kind.space for kind in mix.types)
    assert isinstance(first, pav.TestedDeals)
    assert isinstance(second, pav.TestedDeals)  # since the first type's deals are taken out
    assert [kind.overlap for kind in mix.types] == [None, None]
    expected = []
    for k in range(60):
        place = 0 if further(7, k, 0, 3) < 1 else 1
        counted = (first, second)[place].counted
        index, number = numpy_index(7, k, counted.cardinality), 1
        while True:
            deal = counted[index]
            assert isinstance(deal, Deal)
            drawn = None
            if place == 0 or deal["S"].hcp >= 20:
                drawn = further(7, k, number, 6)
                number += 1
            if drawn is None or (drawn >= 4) == (place == 0):
                break
            index = further(7, k, number, counted.cardinality)
            number += 1
        expected.append((deal, further(7, k, number, 6) if drawn is None else drawn))
    found = list(mix.evaluations(60, seed=7))
    assert [(each.deal, each.value(die)) for each in found] == expected
    numbers = [pav.numbering("deal").rank(deal) for deal, _ in expected]
    assert integers(mix.draw(60, seed=7)) == numbers
    assert mix.sample(20, seed=7, start=40) == [deal for deal, _ in expected[40:]]
    assert mix.sample(1000, seed=7)[:60] == [deal for deal, _ in expected]


def test_a_type_that_never_passes_gives_up() -> None:
    mix = pav.mix([(condition(lambda _: False), 1)])
    [kind] = mix.types
    assert isinstance(kind.space, pav.TestedDeals)
    tired = replace(
        mix, types=(replace(kind, space=replace(kind.space, max_consecutive_rejections=30)),)
    )
    with pytest.raises(PavError, match=r"^30 deals in a row did not pass '<<lambda>>'"):
        tired.sample(1, seed=1)


RICH, NATURAL = "hcp(south) >= 20", "has no natural weight, for rnd is tested deal by deal"
NO_WEIGHT = "a weight is a number such as 35, 2.5 or 1/3, not "
NO_MIXES: list[tuple[list[Any], Any, str]] = [
    ([], 1, "a mix has at least one type"),
    ([RICH, ("1", 3)], 1, f"type 1, '{RICH}', has no weight, but other types have"),
    ([(RICH, 0)], 1, "a weight is more than 0, not 0"),
    ([(RICH, Fraction(-1, 2))], 1, "a weight is more than 0, not -1/2"),
    *(([(RICH, text)], 1, f"{NO_WEIGHT}'{text}'") for text in ("-3", "1/0", "1e3", "")),
    ([RICH, "hcp(south) >= 38"], 1,
     "there are no deals of type 2, 'hcp(south) >= 38': 'hcp(south) >= 38' is never true"),
    ([RICH], "hcp(north) >= 25",
     "there are no deals of type 1, 'hcp(south) >= 20': 'hcp(north) >= 25' and"),
    (["hcp(south) >= 30", "hcp(south) == 37 && hcp(north) == 0"], 1,
     "there are no deals of type 2, 'hcp(south) == 37 && hcp(north) == 0': all "),
    (["1", f"{RICH} && rnd(2) == 0"], 1, f"there are no deals of type 2, '{RICH} && rnd(2) == 0'"),
    ([RICH, "rnd(2) == 0"], 1, f"type 2, 'rnd(2) == 0', {NATURAL}"),
]  # fmt: skip


@pytest.mark.parametrize(("types", "given_", "message"), NO_MIXES)
def test_what_is_no_mix(types: list[Any], given_: Any, message: str) -> None:
    with pytest.raises(PavError) as caught:
        pav.mix(types, given=given_)
    assert str(caught.value).startswith(message)


def test_what_is_no_type() -> None:
    with pytest.raises(TextError, match="did you mean 'hcp'"):
        pav.mix([("hpc(south) > 3", 1)])
    with pytest.raises(TypeError, match=r"a weight is exact: write '2\.5' instead of 2\.5"):
        pav.mix([("hcp(south) > 3", 2.5)])  # type: ignore[list-item]


@pytest.mark.slow
def test_a_mix_is_a_value_and_its_text_is_a_script() -> None:
    mix = pav.mix([("hcp(south)>=20 ? 1 : hearts(south)", "2.50"), ("1", 3)], given="hcp(north)>7")
    text = "condition hcp(north) > 7 mix (hcp(south) >= 20 ? 1 : hearts(south)) : 5/2, 1 : 3"
    assert str(mix) == text
    script = parse_script(text)
    assert script.condition is not None
    again, copy = pav.mix(script.mix, given=script.condition), pickle.loads(pickle.dumps(mix))
    assert mix == again == copy != pav.mix(script.mix)
    assert copy.types[1].overlap == mix.types[1].overlap
    assert str(pav.mix([RICH, "1"])) == "mix hcp(south) >= 20, 1"


MIXES = {
    "mix hcp(north)>4 : 35, aces(east):60 , 1 : 5": "hcp(north) > 4 : 35, aces(east) : 60, 1 : 5",
    "MIX hcp(north), hcp(south)": "hcp(north), hcp(south)",
    "mix(hcp(north)):3,!1:2.5": "hcp(north) : 3, !1 : 5/2",
    "mix 1 ? 2 : 3 : 4": "(1 ? 2 : 3) : 4",
    "mix 1 ? 2 : 3": "(1 ? 2 : 3)",
    "mix 1 ? 2 : 3 ? 4 : 5 : 6": "(1 ? 2 : 3 ? 4 : 5) : 6",
    "x = hcp(north) mix x > 3 : 3, !x : 4": "hcp(north) > 3 : 3, !hcp(north) : 4",
    "pointcount 1 mix hcp(north) : 3": "aces(north) : 3",
    "mix hcp(north) : 3 hcp(south) > 3 produce 3 action printall": "hcp(north) : 3",
    "mix = 3 x = 1 mix x : 3": "1 : 3",
}


@pytest.mark.parametrize("text", MIXES)
def test_scripts_with_a_mix(text: str) -> None:
    script = parse_script(text)
    assert format_mix(script.mix) == MIXES[text]
    assert parse_mix(MIXES[text]) == script.mix
    assert (script.condition is not None) == ("hcp(south) > 3" in text)


@pytest.mark.parametrize(
    "use",
    [
        "mix", "mix - 3", "mix && 3", "mix and hcp(south) > 3", "mix ? 1 : 0", "mix == 3",
        "mix\naction printall", "mix\nproduce 3", "mix\nx = 3", "condition mix produce 3",
        "condition !mix", "y = mix hcp(south) > y", "1 action average mix",
    ],
)  # fmt: skip
def test_a_variable_may_be_called_mix(use: str) -> None:
    called = parse_script(f"mix = hcp(north)\n{use}")
    other = parse_script(f"fix = hcp(north)\n{use.replace('mix', 'fix')}")
    assert called.condition is not None
    assert called == other


def test_the_last_mix_counts() -> None:
    script = parse_script("mix hcp(north) : 1\nmix hcp(south) : 2")
    assert script.mix == parse_mix("hcp(south) : 2")
    assert script.warnings == ("line 2: a second mix: the one in line 1 is ignored",)


WRONG = {
    "1:«-»3": "expected a weight, such as 35, 2.5 or 1/3, not '-'",
    "1 : «0.0»": "a weight is more than 0, not 0",
    "1:«1/0»": "a weight is a number such as 35, 2.5 or 1/3, not '1/0'",
    "1:1, «hcp(north)»": "this type has no weight, but other types have…",
    "1:«x»": "expected a weight, such as 35, 2.5 or 1/3, not 'x'",
    "1:2«.»": "expected ',' or the end, not '.'",
    "«x»:3": "no variable is called 'x'",
    "1 ? 2«»": "expected an operator or ':', not the end",
    "1 :«»": "expected a weight, such as 35, 2.5 or 1/3, not the end",
    "1 : 35 «%»": "expected ',' or the end, not '%'…",
    "«hpc»(north) > 3 : 35": "no function is called 'hpc'; did you mean 'hcp'?",
    "«»": "expected an expression, not the end",
    "mix «1» : 3": "expected an operator, ',', ':' or the end, not '1'…",
}


@pytest.mark.parametrize("marked", WRONG)
def test_errors_point_at_the_place(marked: str) -> None:
    assert_fault(parse_mix, marked, WRONG[marked])
    if not marked.startswith("mix"):
        with pytest.raises(TextError):
            parse_script(re.sub("[«»]", "", f"mix {marked}"))
