"""Scripts in the words of the classic dealer, and scripts with other levels."""

from __future__ import annotations

from fractions import Fraction

import pytest

import pavcodec as pav
from pavcodec.constraints.language.parser import parse_expression, parse_script
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.scripts.plain import drawable, level_text, with_levels
from pavcodec.errors import TextError

SAME = [
    *("points(west, 6 -4 2 1 1 0 0 3)", "points(west, hearts, 0 0 0 0 0 2)", "points(west, -1)"),
    *("points(west, 0)", "longest(north) + doubletons(west)", "ltc(south) + ltc(south, hearts)"),
    "holding(east, clubs, QTxx) || holding(east, clubs, void) || holding(east, clubs, AK9)",
    "-hcp(north) * 3 / (5 - 2 * spades(east)) % 5",
    "5 <= hcp(north) <= 9 < hcp(east)",
    "not hcp(north) == spades(east) > 2",
]


@pytest.mark.parametrize("text", SAME)
def test_values_of_functions_in_classic_words(text: str) -> None:
    deals = pav.numbering("deal").sample_many(300, seed=1)
    node, plain = parse_expression(text), parse_expression(pav.write_plain(text).text)
    expected = Expression(node).values(deals).tolist()
    assert Expression(plain).values(deals).tolist() == expected


def test_layout_comments_and_names_stay() -> None:
    text = """\
# Weak twos
S = spades(south)   # ours
fit = S >= 6
fit = fit && HCP(S) < 11  /* twice */
predeal north sak spades(west) == 3
vulnerable both; dealer E
fit || hcp(south) > 20
action average "of S, N" S, printes "a", S, \\n
"""
    written = """\
# Weak twos
v_S = spades(south)   // ours
fit = v_S >= 6
v_fit = fit && hcp(south) < 11  /* twice */
predeal north SAK
vulnerable all dealer east
(v_fit || hcp(south) > 20) && spades(west) == 3
action average "of S, N" v_S, printes("a", v_S, \\n)
"""
    plain = pav.write_plain(text.replace("HCP(S)", "HCP(South)"))
    assert plain.text == written
    assert plain.notes == (
        "line 2: 'S' is called 'v_S'",
        "line 4: 'fit' is called 'v_fit'",
        "line 5: spades(west) is dealt by the condition",
    )
    assert pav.write_plain(plain.text) == pav.PlainScript(plain.text)


def test_the_place_of_a_word_without_equal() -> None:
    with pytest.raises(TextError) as error:
        pav.write_plain("a = 12 <= hcp(north) <= 14\na\naction printrpt(deal)")
    assert "'printrpt' has no equal in the classic dealer" in str(error.value)
    assert error.value.line == 3


def test_rates_that_draws_have() -> None:
    for rate in (Fraction(1), Fraction(0), Fraction(1, 3), Fraction(22, 7_000_001)):
        near = drawable(rate)
        assert abs(near - rate) * 9_000 <= rate
    assert level_text([["a"]], {(0,): Fraction(1, 1000) * Fraction(2, 3)}).startswith(
        "a ? (rnd(1000) == 0 && rnd(3) < 2)"
    )


LADDER = """\
c1 = hascard(west, 2C)
keep25 = c1
keep75 = not keep25   // a rung
low = hcp(south) <= 9
high = hcp(south) > 9
levLow = low and keep25
levHigh = high and keep75
levelTheDeal = levLow or levHigh
spades(south) >= 5
and levelTheDeal
action average "low" 100 * low
"""


@pytest.mark.slow
def test_levels_in_place_of_a_ladder() -> None:
    written = pav.write_leveled(LADDER, ["low", "high"])
    start, end = written.text.index("levelTheDeal ="), written.text.index("\nspades")
    assert written.text[start:end].startswith("levelTheDeal = low ? 1 :\n  (high ? rnd(")
    assert written.text[:start] == "low = hcp(south) <= 9\nhigh = hcp(south) > 9\n"
    assert written.text[end:] == LADDER[LADDER.index("\nspades") :]
    assert written.error < Fraction(1, 10**6)
    assert written.is_exact
    low, high = (row.deals.value for row in pav.level(LADDER, ["low", "high"]).table().rows)
    kept = [low * written.rates[0,], high * written.rates[1,]]
    assert written.tried == pav.numbering("deal").cardinality / sum(kept)
    assert written.shares == ((kept[0] / sum(kept), kept[1] / sum(kept)),)


MIXED = """\
// {{level-mix:weak}} weak, all: {{level-mix}}
weak = hcp(south) <= 9
mix weak : 1, spades(south) >= 5 and hcp(south) >= 18 : 2.5
hearts(south) < 4
"""


def test_the_types_of_a_mix_and_the_marks_of_shares() -> None:
    written = pav.write_leveled(MIXED)
    first, weak, levels, *rest = written.text.splitlines()
    assert first == "// 28.57 % weak, all: weak 28.57 %, 2 71.43 %"
    assert weak == "weak = hcp(south) <= 9"
    assert levels.startswith("levelTheDeal = weak ? rnd(")
    assert rest[-1] == "condition (hearts(south) < 4) && levelTheDeal"
    assert written.error < Fraction(1, 10**6)
    one, two = (row.deals.value for row in pav.level(MIXED).table().rows)
    ratio = Fraction(two * 2, one * 5) * written.rates[1,] / written.rates[0,]
    assert abs(ratio - 1) < Fraction(1, 10**5)
    with pytest.raises(pav.PavError, match="the types of mix have no weights: give them"):
        pav.write_leveled("mix hcp(south) > 9, hcp(south) < 5")


@pytest.mark.slow
def test_rates_of_tested_types_tell_how_sure_they_are() -> None:
    chance = "HandType_a = rnd(3) == 0 && hcp(south) > 9  HandType_b = hcp(south) < 6  condition 1"
    written = pav.write_leveled(chance)
    assert not written.is_exact
    assert Fraction(1, 1000) < written.uncertainty < Fraction(1, 20)
    counted = pav.level(chance.replace("rnd(3) == 0 && ", ""))
    high, low = (row.deals.value for row in counted.table().rows)
    kept = [Fraction(high, 3) * written.rates[0,], low * written.rates[1,]]
    assert abs(kept[0] / sum(kept) - Fraction(1, 2)) < written.uncertainty


JOINED = "condition (clubs(east) > 4) && levelTheDeal"


@pytest.mark.parametrize(
    ("text", "own", "condition", "end"),
    [
        ("low = hcp(south) < 9\n", None, None, "condition levelTheDeal"),
        ("low = hcp(south) < 9  clubs(east) > 4", None, None, JOINED),
        ("clubs(east) > 4\nlow = hcp(south) < 9", None, None, JOINED),
        ("low = hcp(south) < 9\nlevelTheDeal = 1\nclubs(east) > 4", None, None, JOINED),
        ("levelTheDeal = 1\nlow = hcp(south) < 9\nlevelTheDeal", "levelTheDeal", None,
         "condition (levelTheDeal)"),
        (LADDER, "levelTheDeal", "clubs(east) > 4", JOINED),
        (LADDER, None, None, "and levelTheDeal) && levelTheDeal_"),
    ],
)  # fmt: skip
def test_where_the_levels_stand(
    text: str, own: str | None, condition: str | None, end: str
) -> None:
    written = with_levels(text, "low ? 1 : 0", ["low"], own=own, condition=condition)
    assert written.partition("action")[0].rstrip().endswith(end)
    assert {"low", "levelTheDeal"} <= parse_script(written).variables.keys()


@pytest.mark.slow
def test_the_deals_of_a_levelled_script_have_the_shares() -> None:
    text = f"{LADDER}fit = hearts(north) > 3 misfit = not fit"
    written = pav.write_leveled(text, ["low", "high:2"], also=["fit", "misfit:3"])
    condition = parse_script(written.text).condition
    assert condition is not None
    sample = pav.deals(Expression(condition)).sample(3000, seed=1)
    low = sum(deal["S"].hcp <= 9 for deal in sample)
    assert abs(low - 1000) < 3 * (3000 * 2 / 9) ** 0.5
