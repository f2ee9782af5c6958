"""Numbers with decimals against fractions, by an evaluator that shares nothing with the package."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from fractions import Fraction

import pytest

import pavcodec as pav
from pavcodec import numbering
from pavcodec.constraints.evaluation import evaluations
from pavcodec.constraints.language.parser import parse_expression, parse_script
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.scripts.check import check_script
from pavcodec.constraints.scripts.report import run_actions

Hands = list[list[str]]
"""The suits of N, E, S and W, as ranks."""
Meaning = Callable[[Hands], Fraction]

_SEATS = ["north", "east", "south", "west"]
_SUITS = ["spades", "hearts", "diamonds", "clubs"]
_TABLES = {"hcp": "4.5 3 1.5 .75 .25", "pt8": "4.25 3.0 1.75 0.75", "pt3": "6 4 2 1"}
_HEAD = "pointcount 4.5 3 1.5 .75 .25  altcount 8 4.25 3.0 1.75 0.75  altcount 3 6 4 2 1  "
DEALS = numbering("deal").sample_many(250, seed=39)
HANDS = [
    [hand.split(".") for hand in deal.to_pbn()[2:].split(" ")]
    for deal in numbering("deal").sample(250, seed=39)
]


def _leaf(rng: random.Random) -> tuple[str, Meaning]:
    seat, kind = rng.randrange(4), rng.randrange(5)
    if kind == 0:
        suit = rng.randrange(4)
        return f"{_SUITS[suit]}({_SEATS[seat]})", lambda hands: Fraction(len(hands[seat][suit]))
    if kind == 1:
        text = rng.choice(["0.5", ".25", "3.", "12.75", "0.125", "7"])
        return text, lambda _: Fraction(f"0{text}" if text[0] == "." else text.rstrip("."))
    name = rng.choice(list(_TABLES))
    worth = dict(zip("AKQJT", map(Fraction, _TABLES[name].split()), strict=False))
    return f"{name}({_SEATS[seat]})", lambda hands: sum(
        (worth.get(rank, Fraction(0)) for suit in hands[seat] for rank in suit), Fraction(0)
    )


def _number(rng: random.Random, depth: int) -> tuple[str, Meaning]:
    """A number at random: its text and its meaning."""
    if depth == 0:
        return _leaf(rng)
    (one, of), (two, other) = _number(rng, depth - 1), _number(rng, rng.randrange(depth))
    kind = rng.randrange(5)
    if kind == 0:
        return f"({one} + {two})", lambda hands: of(hands) + other(hands)
    if kind == 1:
        return f"({one} - {two})", lambda hands: of(hands) - other(hands)
    if kind == 2:
        return f"({one} * {two})", lambda hands: of(hands) * other(hands)
    if kind == 3:
        return f"-({one})", lambda hands: -of(hands)
    return f"({one} > {two} ? {one} : {two})", lambda hands: max(of(hands), other(hands))


_COMPARE: dict[str, Callable[[Fraction, Fraction], bool]] = {
    ">=": Fraction.__ge__,
    "<": Fraction.__lt__,
    "==": Fraction.__eq__,
    "!=": lambda one, other: one != other,
}


@pytest.mark.parametrize("seed", range(12))
def test_comparisons_are_those_of_fractions(seed: int) -> None:
    rng = random.Random(seed)
    (one, of), (two, other) = _number(rng, 2), _number(rng, 1)
    sign = rng.choice(list(_COMPARE))
    condition = parse_script(f"{_HEAD} condition {one} {sign} {two}").condition
    assert condition is not None
    found = pav.expression(condition).values(DEALS).tolist()
    assert found == [_COMPARE[sign](of(hands), other(hands)) for hands in HANDS]
    assert parse_expression(format_node(condition)) == condition


@pytest.mark.parametrize("seed", range(4))
def test_actions_print_and_average_decimals(seed: int) -> None:
    text, of = _number(random.Random(seed), 2)
    script = parse_script(f"{_HEAD} action printes({text}, \\n), average {text}")
    out, some = io.StringIO(), 50
    run_actions(script.actions, evaluations(numbering("deal").sample(some, seed=39), 39), out)
    *printed, average = out.getvalue().split()
    values = [of(hands) for hands in HANDS[:some]]
    assert list(map(Fraction, printed)) == values
    assert float(average) == pytest.approx(float(sum(values) / some), rel=1e-5)


def test_hundredths_beside_decimals_are_numbers_of_two_decimals() -> None:
    """The functions of DealerV2 whose values are in hundredths, as its scanner reads decimals."""
    for text in ("cccc(north)", "quality(north, spades)", "ltc(south)", "ltc(south, hearts)"):
        same = [f"{text} >= 3.5", f"{text} >= 350", f"x = {text} x >= 3.50", f"2 * {text} >= 7.0"]
        nodes = list(map(parse_expression, same))
        assert nodes[0] is nodes[1] is nodes[2]
        values = [pav.expression(node).values(DEALS).tolist() for node in nodes]
        assert values[0] == values[3]
    variables = parse_script("x = ltc(south)  condition x > 6.5  action average x")
    assert variables.condition is parse_expression("ltc(south) > 650")
    assert variables.actions[0].expressions == (parse_expression("ltc(south)"),)


def _points(name: str) -> list[Fraction]:
    """The points of South's hands."""
    worth = dict(zip("AKQJT", map(Fraction, _TABLES[name].split()), strict=False))
    return [
        sum((worth.get(r, Fraction(0)) for suit in h[2] for r in suit), Fraction(0)) for h in HANDS
    ]


def test_frequencies_have_decimals() -> None:
    script = parse_script(
        f"{_HEAD} action bktfreq(pt8(south), 5, 10.0, 2.5), frequency(hcp(south), 8.25, 8.75)"
    )
    out, points = io.StringIO(), _points("pt8")
    run_actions(script.actions, evaluations(numbering("deal").sample(250, seed=39), 39), out)
    lines = [line.split()[:2] for line in out.getvalue().split("\n")]
    for low in (Fraction(5), Fraction("7.5"), Fraction(10)):
        count = sum(low <= value < low + Fraction("2.5") for value in points)
        assert [f"{float(low):.2f}", str(count)] in lines
    assert ["8.75", str(_points("hcp").count(Fraction("8.75")))] in lines


def test_integers_beside_decimals_are_warned_of() -> None:
    [warning] = parse_script("pointcount 4.5 3 1.5").warnings
    assert warning.endswith(
        "3 is 3 here; DealerV2 reads it as hundredths beside decimals: write 3.0"
    )
    found = check_script("0.5 * hcp(north) >= cccc(north)\n", ["dealerv2"])
    assert [each.construct for each in found] == ["a decimal beside an integer"]
    for text in ("cccc(north) >= 11.5\n", "pointcount 4.5 3.0 1.5\nhcp(north) >= 11.5\n"):
        assert not check_script(text, ["dealerv2"])
