"""The texts of weights: their meaning, their errors, and the statement of scripts."""

from __future__ import annotations

from fractions import Fraction

import pytest
from marks_support import assert_fault

from pavcodec import TextError
from pavcodec.constraints.language.parser import parse_expression, parse_script, parse_weights
from pavcodec.constraints.nodes.syntax import Entry

TEXTS = {
    "N: hcp {12: 1, 13-15: 5/2}": ["hcp(north) {12: 1, 13-15: 5/2}"],
    "north : HCP{12:1,13+:0.5}": ["hcp(north) {12: 1, 13+: 1/2}"],
    "s: spades {5: 1}, hcp(hearts) {0: 1, else: 2}": [
        "spades(south) {5: 1}",
        "hcp(south, hearts) {0: 1, else: 2}",
    ],
    "E: shape {any 4333 + any 4432: 2, 5xxx - 5332: 1, else: 0}": [
        "east: shape {any 4333 + any 4432: 2, 5xxx - 5332: 1}"
    ],
    "w: holding(spades) {KQx: 2, void: 1}": ["west: holding(spades) {KQx: 2, void: 1}"],
    "N: 2*(hcp(north)>=15)+1": ["2 * (hcp(north) >= 15) + 1"],
    "hcp(north)+hcp(south) {20 - 24: 1, -3--1: 2}": [
        "(hcp(north) + hcp(south)) {20 - 24: 1, -3--1: 2}"
    ],
    "fit = spades(north) + spades(south)  fit {8+: 1}, fit": [
        "(spades(north) + spades(south)) {8+: 1}",
        "spades(north) + spades(south)",
    ],
    "N: losers(north) {7: 1}, pt0 {1: 1}": ["losers(north) {7: 1}", "tens(north) {1: 1}"],
}


@pytest.mark.parametrize("text", TEXTS)
def test_texts(text: str) -> None:
    found = parse_weights(text)
    assert [each.text for each in found] == TEXTS[text]
    assert tuple(parse_weights(each.text)[0] for each in found) == found


def test_tables() -> None:
    [weight] = parse_weights("N: hcp {12: 1, 13 - 15: 5/2, 20+: 0, else: 7}")
    assert weight.number == parse_expression("hcp(north)")
    assert weight.entries == (
        Entry(12, 12, Fraction(1)),
        Entry(13, 15, Fraction(5, 2)),
        Entry(20, None, Fraction(0)),
    )
    assert [weight.of(value) for value in (11, 12, 15, 16, 20, 37)] == [
        7, 1, Fraction(5, 2), 7, 0, 0,
    ]  # fmt: skip
    [plain] = parse_weights("hcp(north) - 3")
    assert [plain.of(value) for value in (-2, 0, 9)] == [-2, 0, 9]


ERRORS = {
    "N: hcp {12: 1, «12-14»: 2}": "'12' and '12-14' have values in common…",
    "N: hcp {«15-12»: 1}": "a range goes up, as in 12-15, not 15-12",
    "N: hcp {else: 1, «else»: 2}": "a table has one else",
    "N: hcp {«x»: 1}": "expected a value such as 12, a range such as 14-16, 17+, or else, not 'x'",
    "N: hcp {12 1«}»": "expected ':', not '}'",
    "N: hcp {12: «-»1}": "expected a weight, such as 35, 2.5 or 1/3, not '-'",
    "N: hcp {12: «1/0»}": "a weight is a number such as 35, 2.5 or 1/3, not '1/0'",
    "N: hcp {12: 1,«}»": "expected an entry, such as 12: 1, 14-16: 5 or else: 1, not '}'",
    "N: hcp {«1234567890123456789»: 1}": "a number has at most 18 digits",
    "N: «foo» {12: 1}": "no function is called 'foo'…",
    "N: «hcp(south)» {12: 1}": "this depends on south, but it is a weight of north…",
    "N: «hcp(south) + 1»": "this depends on south, but it is a weight of north…",
    "N: shape {any «4332»: 1}": "a shape has 13 cards, and 4332 has 12",
    "N: shape {5332: 1, «any 5332»: 2}": "'5332' and 'any 5332' have values in common…",
    "N: holding(spades) {K5: 2, «Kx»: 1}": "…: a value has one weight in a table",
    "N: holding(spades) {«zz»: 1}": "a holding is cards and then an x…",
    "N: «quality» {1: 2}": "quality takes a seat and a suit, as in quality(north, spades)…",
    "«hcp» {12: 1}": "'hcp' takes a seat and perhaps a suit…",
    "X«:» hcp {12: 1}": "…; a seat is north, east, south or west, as in north: hcp {12: 1, 13: 3}",
    "N: hcp {12: 1}, S«:» hcp {12: 1}": "…: give the weights of another seat by themselves",
    "«»": "expected an expression or a seat, as in north: hcp {12: 1, 13: 3}, not the end",
}


@pytest.mark.parametrize("marked", ERRORS)
def test_errors_mark_their_place(marked: str) -> None:
    assert_fault(parse_weights, marked, ERRORS[marked])


def test_numbers_are_fractions_but_quotients_in_expressions_are_integers() -> None:
    found = parse_weights("1/3, 0.25, 7 / 2, 2, (7 / 2), 7 / 2 * 2, 7 / 2 {3: 5}")
    weights = [each.of({"(7 / 2) {3: 5}": 3, "7 / 2 * 2": 6}.get(each.text, 1)) for each in found]
    assert [each.text for each in found[:4]] == ["1/3", "1/4", "7/2", "2"]
    assert weights[:3] == [Fraction(1, 3), Fraction(1, 4), Fraction(7, 2)]
    assert [each.entries is None for each in found[5:]] == [True, False]
    assert weights[5:] == [6, 5]


def test_statement_of_scripts() -> None:
    script = parse_script(
        "strong = hcp(north) >= 15\n"
        "weight N: hcp {12: 1, 13+: 3}, strong {1: 2, else: 1}\n"
        "weight hcp(south) + 1\nproduce 3\n"
        "condition spades(north) >= 5; weight 2.5, strong"
    )
    texts = ["hcp(north) {12: 1, 13+: 3}", "(hcp(north) >= 15) {1: 2, else: 1}", "hcp(south) + 1"]
    assert [each.text for each in script.weights] == [*texts, "5/2", "hcp(north) >= 15"]
    assert script.weights[3].of(1) == Fraction(5, 2)
    assert script.produce == 3
    assert not script.warnings
    with pytest.raises(TextError, match="has decimals"):
        parse_script("weight 0.5 * hcp(north)")
