"""Numbers with decimals: conditions are those of whole numbers, and actions print fractions."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest

import pavcodec as pav
from pavcodec import numbering
from pavcodec.constraints.evaluation import evaluations
from pavcodec.constraints.language.parser import parse_expression, parse_script
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.scripts.check import check_script
from pavcodec.constraints.scripts.report import run_actions

HEAD = "pointcount 4.5 3 1.5 .75 .25  altcount 8 4.25 3.0 1.75 0.75  altcount 3 6 4 2 1  "
DEALS = numbering("deal").sample_many(250, seed=39)


def points(seat: str) -> str:
    """Four times the points of `HEAD`."""
    return f"points({seat}, 18 12 6 3 1)"


WHOLE = {
    "hcp(north) > 9.75": f"{points('north')} > 39",
    "0.5 * spades(south) >= 1.25": "2 * spades(south) >= 5",
    "-(.25 - hcp(east)) < 7.": f"-(1 - {points('east')}) < 28",
    "pt8(west) + .25 == hcp(west)": f"points(west, 17 12 7 3) + 1 == {points('west')}",
    "hcp(north) - 0.125 != 12.75 - 0.125 - pt3(south)":
        f"{points('north')} != 51 - 4 * points(south, 6 4 2 1)",
    "0.5 * hcp(north) * hcp(south) < 24.5": f"{points('north')} * {points('south')} < 784",
    "(pt3(east) > 7.5 ? 0.75 : 1) * pt3(east) >= 6":
        "(points(east, 6 4 2 1) > 7 ? 3 : 4) * points(east, 6 4 2 1) >= 24",
    "(hcp(west) > pt8(west) ? hcp(west) : 12.75) == 12.75":
        f"({points('west')} > points(west, 17 12 7 3) ? {points('west')} : 51) == 51",
}  # fmt: skip
"""Conditions with decimals, and the same in integers."""


@pytest.mark.parametrize("text", WHOLE)
def test_comparisons_are_those_of_whole_numbers(text: str) -> None:
    condition = parse_script(f"{HEAD} condition {text}").condition
    assert condition is not None
    found = pav.expression(condition).values(DEALS).tolist()
    assert found == pav.expression(WHOLE[text]).values(DEALS).tolist()
    assert 0 < sum(found) < len(found)
    assert parse_expression(format_node(condition)) == condition


@pytest.mark.parametrize(
    ("text", "whole", "scale"),
    [
        ("hcp(north) - 0.5 * spades(west)", f"{points('north')} - 2 * spades(west)", 4),
        ("hcp(south) * hcp(north)", f"{points('south')} * {points('north')}", 16),
        ("-0.125 * pt3(east)", "-points(east, 6 4 2 1)", 8),
        ("pt8(south) > 7.25 ? 0.75 : 12", "points(south, 17 12 7 3) > 29 ? 3 : 48", 4),
    ],
)
def test_actions_print_and_average_decimals(text: str, whole: str, scale: int) -> None:
    script = parse_script(f"{HEAD} action printes({text}, \\n), average {text}")
    out, some = io.StringIO(), 50
    run_actions(script.actions, evaluations(numbering("deal").sample(some, seed=39), 39), out)
    *printed, average = out.getvalue().split()
    values = [Fraction(each, scale) for each in pav.expression(whole).values(DEALS[:some]).tolist()]
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


def test_frequencies_have_decimals() -> None:
    script = parse_script(
        f"{HEAD} action bktfreq(pt8(south), 5, 10.0, 2.5), frequency(hcp(south), 8.25, 8.75)"
    )
    out = io.StringIO()
    texts = "points(south, 17 12 7 3)", points("south")
    pt8, hcp = (pav.expression(text).values(DEALS).tolist() for text in texts)
    run_actions(script.actions, evaluations(numbering("deal").sample(250, seed=39), 39), out)
    lines = [line.split()[:2] for line in out.getvalue().split("\n")]
    for low in (Fraction(5), Fraction("7.5"), Fraction(10)):
        count = sum(4 * low <= value < 4 * low + 10 for value in pt8)
        assert [f"{float(low):.2f}", str(count)] in lines
    assert ["8.75", str(hcp.count(35))] in lines


def test_integers_beside_decimals_are_warned_of() -> None:
    [warning] = parse_script("pointcount 4.5 3 1.5").warnings
    assert warning.endswith(
        "3 is 3 here; DealerV2 reads it as hundredths beside decimals: write 3.0"
    )
    found = check_script("0.5 * hcp(north) >= cccc(north)\n", ["dealerv2"])
    assert [each.construct for each in found] == ["a decimal beside an integer"]
    for text in ("cccc(north) >= 11.5\n", "pointcount 4.5 3.0 1.5\nhcp(north) >= 11.5\n"):
        assert not check_script(text, ["dealerv2"])
