"""Levelling: types of a script with chosen shares; numbers and pairs by looking at all deals."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from fractions import Fraction
from functools import cache

import pytest
from oracles import FIXTURES

import pavcodec as pav
from pavcodec import Deal, Levelled, NumberError, PavError, Seat, TextError
from pavcodec.constraints import Estimate
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import hcp
from pavcodec.constraints.language.parser import parse_expression, parse_script
from pavcodec.constraints.mixes.levelling import (
    Types,
    filled_lines,
    laddered,
    marked_types,
    named_types,
    own_levelling,
)
from pavcodec.constraints.mixes.orders import EvenOrder, EvenPairs

GIVEN = "spades(north) == 13 && hearts(east) == 13 && clubs(south) <= 1"
"""170 deals: South and West have all diamonds and clubs but for one."""
TYPES = {
    "rich": "hcp(south) >= 11",
    "even": "hascard(west, AD) || hcp(south) == 10 || hascard(south, KC)",
    "low": "hcp(south) <= 8",
}
ALSO = {"king": "hascard(west, KD)", "black": "hcp(south, clubs) >= 3", "poor": "hcp(west) <= 10"}
"""Types that overlap and leave gaps; what is low and black or poor is of an earlier type."""


@cache
def two_lists() -> Levelled:
    return pav.level(GIVEN, TYPES, also=ALSO, shares={"even": 2})


read = cache(parse_expression)


def type_of(deal: Deal, types: dict[str, str]) -> str | None:
    """The first type that a deal fits."""
    fitting = (name for name, text in types.items() if evaluate(read(text), deal))
    return next(fitting, None)


@cache
def count(where: str) -> int:
    """How many of the deals satisfy a condition."""
    space = pav.deals(f"{GIVEN} && ({where})", method="counted")
    assert isinstance(space, pav.ConstrainedDeals)
    return space.cardinality


def alone(types: dict[str, str]) -> dict[str, str]:
    """The condition of each type, without the earlier ones."""
    texts = list(types.values())
    return {
        name: " && ".join([f"({text})", *(f"!({other})" for other in texts[:place])])
        for place, (name, text) in enumerate(types.items())
    }


@pytest.mark.slow
def test_the_table_of_one_list_is_what_the_deals_are() -> None:
    table = pav.level(GIVEN, TYPES, shares=["1/3", 0, 5]).table()
    assert table.is_exact
    for row, (name, where) in zip(table.rows, alone(TYPES).items(), strict=True):
        natural = Fraction(count(where), 170)
        assert (row.name, row.deals.value, row.overlap) == (
            name, count(where), count(TYPES[name]) - count(where),
        )  # fmt: skip
        assert row.natural is not None
        assert row.natural.value == row.natural.low == natural > 0
        found = row.deals_per_board and row.deals_per_board.value
        assert found == (None if name == "even" else natural / row.share)
    assert [row.overlap > 0 for row in table.rows if row.overlap is not None] == [False, True, True]
    untyped = count(" && ".join(f"!({text})" for text in TYPES.values()))
    assert table.untyped.value == untyped > 0
    assert table.natural_untyped is not None
    assert table.natural_untyped.value == Fraction(untyped, 170)


@pytest.mark.slow
def test_the_table_of_two_lists_is_what_the_deals_are() -> None:
    table, lists = two_lists().table(), (TYPES, ALSO)
    any_of = ["||".join(f"({text})" for text in types.values()) for types in lists]
    for row in table.rows:
        where = alone(lists[row.place])[row.name]
        assert row.deals.value == count(f"({where}) && ({any_of[1 - row.place]})")
        assert row.overlap == count(lists[row.place][row.name]) - count(where)
    assert table.untyped.value == 170 - count(f"({any_of[0]}) && ({any_of[1]})") > 0


@pytest.mark.slow
def test_two_lists_have_their_shares_exactly() -> None:
    mix = two_lists()
    assert isinstance(mix.order, EvenPairs)
    assert mix.order.round == 12
    names = [mix.names_of(place) for place in mix.places(120, seed=1)]
    assert Counter(one for one, _ in names) == {"rich": 30, "even": 60, "low": 30}
    assert Counter(other for _, other in names) == {"king": 40, "black": 40, "poor": 40}
    for deal, pair in zip(mix.sample(60, seed=1), names, strict=False):
        assert (type_of(deal, TYPES), type_of(deal, ALSO)) == pair


@pytest.mark.slow
def test_types_that_never_occur_leave_their_share_to_the_others() -> None:
    rich, again = "hcp(south) >= 11", "hcp(south) >= 12"
    mix = pav.level(GIVEN, {"none": "hcp(north) > 40", "rich": rich, "again": again, "rest": "1"})
    assert mix.lists[0].missing == ("none", "again")
    assert list(mix.lists[0].shares) == [0, Fraction(1, 2), 0, Fraction(1, 2)]
    rows = mix.table().rows
    assert [int(row.deals.value) > 0 for row in rows] == [False, True, False, True]
    assert rows[2].overlap == count(again)
    with pytest.raises(PavError, match="no type with a share has deals: there are none of none"):
        pav.level(GIVEN, {"none": "hcp(north) > 40"})


@pytest.mark.slow
def test_two_lists_that_exclude_each_other_are_refused_by_name() -> None:
    types: Types = {"rich": "hcp(south) >= 11", "rest": ("1", 1)}
    also: Types = {"richer": ("hcp(south) >= 11", 3), "others": "1"}
    with pytest.raises(PavError) as caught:
        pav.level(GIVEN, types, also=also)
    assert str(caught.value) == (
        "the shares of the two lists exclude each other: rest (1/2 of the boards) have deals only "
        "with others (1/4 of the boards)"
    )


@pytest.mark.slow
def test_types_that_are_tested_have_their_shares_and_estimates() -> None:
    types = {"odd": "rnd(4) == 1 && hcp(south) >= 11", "rest": "hcp(south) < 12"}
    mix = pav.level(GIVEN, types, shares=[1, 3])
    assert isinstance(mix.types[0].space, pav.TestedDeals)
    assert isinstance(mix.types[0].cardinality, Estimate)
    table = mix.table(tries=400)
    assert not table.is_exact
    odd = table.rows[0]
    assert odd.deals.low < odd.deals.value < odd.deals.high
    assert odd.natural is not None
    assert 0 < odd.natural.low < odd.natural.value < odd.natural.high < 1
    assert odd.deals_per_board is not None
    assert odd.deals_per_board.value == odd.natural.value * 4
    assert table.rows[1].overlap is None
    names = [mix.names_of(place)[0] for place in mix.places(40, seed=5)]
    assert Counter(names) == {"odd": 10, "rest": 30}
    assert len(mix.sample(40, seed=5)) == 40
    assert mix.sample(10, seed=5, start=30) == mix.sample(40, seed=5)[30:]


@pytest.mark.slow
def test_levelled_mixes_are_values_and_can_be_drawn_or_interleaved() -> None:
    mix = two_lists()
    assert pickle.loads(pickle.dumps(mix)) == mix
    drawn = mix.drawn
    assert drawn.order is None
    assert drawn.interleaved == mix
    same = pav.mix([(kind.where, kind.weight) for kind in mix.types], given=GIVEN)
    assert drawn.weights == same.weights
    assert list(drawn.places(300, seed=2)) == list(same.places(300, seed=2))
    mixed = pav.mix([(TYPES["rich"], 1), (TYPES["even"], 2)], given=GIVEN)
    even = mixed.interleaved
    assert list(even.places(6, seed=7)) == EvenOrder((1, 2)).places(7, 0, 6)
    assert str(even) == f"{mixed} interleaved"
    with pytest.raises(NumberError, match="have weights: give them to all"):
        _ = pav.mix([TYPES["rich"], TYPES["even"]], given=GIVEN).interleaved
    short = pav.level("hcp(south) >= 10", {"a": "hcp(south) < 12", "b": ("1", 2)})
    assert str(short) == "condition hcp(south) >= 10 level hcp(south) < 12 : 1/3, 1 : 2/3"
    assert str(short.drawn).endswith(" : 2/3 drawn")


SCRIPT = """\
# level-types: weak, strong
# level-target: 3, 1
weak = hcp(south) < 12
strong = not weak
HandType_12_14 = hcp(south) >= 12 and hcp(south) <= 14   // {{level-mix:12_14}}
HandType_15_17 = hcp(south) >= 15 and hcp(south) <= 17
HandType_15_17_Share = 2
condition hcp(north) >= 10
"""


def test_what_a_script_marks() -> None:
    script = parse_script(SCRIPT)
    found = marked_types(script, SCRIPT)
    assert found.names == ("weak", "strong")
    assert list(found.weights) == [3, 1]
    bare = SCRIPT.split("\n", 2)[2]
    found = marked_types(parse_script(bare), bare)
    assert found.names == ("12_14", "15_17")
    assert list(found.weights) == [1, 2]
    parts = bare.replace("Share = 2", "Share = 2.5")
    assert list(marked_types(parse_script(parts), parts).weights) == [1, Fraction(5, 2)]
    finer = bare + "LevelType_9 = hcp(south) == 9  LevelType_8 = hcp(south) == 8"
    assert marked_types(parse_script(finer), finer).names == ("9", "8")
    even = SCRIPT.replace("3, 1", "even")
    assert list(marked_types(parse_script(even), even).weights) == [1, 1]
    assert not parse_script(bare.replace("weak", "HandType_weak")).warnings[1:]


NAMED: list[tuple[list[str], str | None, tuple[str, ...], list[int | Fraction]]] = [
    (["HandType_12_14", " weak "], None, ("12_14", "weak"), [1, 1]),
    (["12_14", "weak"], None, ("12_14", "weak"), [1, 1]),
    (["HandType_*"], None, ("12_14", "15_17"), [1, 2]),
    (["HandType_*:5"], None, ("12_14", "15_17"), [5, 5]),
    (["weak:0", "strong:1/2"], None, ("weak", "strong"), [0, Fraction(1, 2)]),
    (["weak", "strong"], "strong:3", ("weak", "strong"), [1, 3]),
    (["weak", "strong"], "2.5 1", ("weak", "strong"), [Fraction(5, 2), 1]),
]


def test_types_by_name() -> None:
    for names, shares, found, weights in NAMED:
        types = named_types(parse_script(SCRIPT), names, shares)
        assert (types.names, list(types.weights)) == (found, weights)
    level = pav.level(SCRIPT, ["weak", "strong:3"])
    assert list(level.lists[0].shares) == [Fraction(1, 4), Fraction(3, 4)]


@pytest.mark.parametrize(
    ("names", "shares", "message"),
    [
        ("weak stong", None, "no variable is called 'stong'; did you mean 'strong'?"),
        ("weak ", None, "a name is missing"),
        ("x*", None, "no variable of the script fits 'x\\*'"),
        ("weak weak", None, "the type 'weak' stands twice"),
        ("weak:2 strong", "1,2", "with the names of the types, or after --shares, not both"),
        ("weak strong", "1,2,3", "there are 3 shares for 2 types"),
        ("weak strong", "wek:3", "no type is called 'wek'; did you mean 'weak'?"),
        ("weak strong", "1,-2", "a weight is a number such as 35, 2.5 or 1/3, not '-2'"),
    ],
)
def test_names_and_shares_that_are_wrong(names: str, shares: str | None, message: str) -> None:
    with pytest.raises(PavError, match=message):
        named_types(parse_script(SCRIPT), names.split(" "), shares)


LADDER = """\
keep25 = hascard(west, 2C)
keep = 1
a = hcp(south) > 9
b = not a
la = (a and keep25)
lb = b and keep
"""
SHARE_OF_NONE = "HandType_a = 1  HandType_b_Share = 2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("condition hcp(south) > 3", "the script marks no types.*--level weak,strong"),
        (LADDER, "--level a,b"),
        (SHARE_OF_NONE, "'HandType_b_Share' is the share of no type"),
        ("HandType_a = 1  HandType_a_Share = hcp(south)", "is a share: a number from 0 on"),
    ],
)
def test_marks_that_are_wrong(text: str, message: str) -> None:
    with pytest.raises(PavError, match=message):
        marked_types(parse_script(text), text)


def test_a_ladder_and_the_levelling_of_a_script() -> None:
    text = (
        "keep = 1\nc1 = hascard(west, 2C)\nkeep25 = c1 and keep\nkeep06 = keep25 and keep\n"
        "a = hcp(south) > 9\nla = a and keep\nlevelTheDeal = la\n"
        "condition hcp(north) > 9 and levelTheDeal"
    )
    script = parse_script(text)
    assert laddered(text, script) == ["a"]
    assert own_levelling(script) == "levelTheDeal"
    assert own_levelling(parse_script(text.replace("= la\n", "= keep\n"))) is None
    for other in ("levelTheDeal = hcp(south) > 9  condition hcp(north) > 9", "a = 1"):
        assert own_levelling(parse_script(other)) is None


def test_shares_in_the_text_for_players() -> None:
    text = "a\nweak ({{level-mix:weak}}) and {{ level-mix : strong }}\nall: {{level-mix}}\n"
    shares = {"weak": "75 %", "strong": "25 %"}
    assert list(filled_lines(text, shares)) == [
        "weak (75 %) and 25 %",
        "all: weak 75 %, strong 25 %",
    ]
    with pytest.raises(PavError, match=r"\{\{level-mix:wek\}\}: no type is called 'wek'; did you"):
        list(filled_lines("{{level-mix:wek}}", shares))


def test_arguments_that_are_wrong() -> None:
    with pytest.raises(PavError, match="give the types: an expression marks none"):
        pav.level(hcp(Seat.SOUTH) >= 12)
    with pytest.raises(PavError, match="there are 1 shares for 3 types"):
        pav.level(GIVEN, TYPES, shares=[1])
    with pytest.raises(PavError, match="no type is called 'ruch'; did you mean 'rich'"):
        pav.level(GIVEN, TYPES, shares={"ruch": 1})
    with pytest.raises(TextError, match="no function is called 'hpc'"):
        pav.level(GIVEN, {"a": "hpc(north) > 3"})
    with pytest.raises(TypeError, match="a weight is exact"):
        pav.level(GIVEN, TYPES, shares=[0.5, 1, 1])  # type: ignore[list-item]


@pytest.mark.slow
def test_golden_deals() -> None:
    ranks = pav.numbering("deal")
    rows = (FIXTURES / "vectors" / "levelled.jsonl").read_text().splitlines()
    assert len(rows) == 4
    for row in map(json.loads, rows):
        mix = pav.level(row["script"], also=row["also"])
        drawn = mix.sample(len(row["numbers"]), seed=int(row["seed"]), start=int(row["start"]))
        assert [str(ranks.rank(deal)) for deal in drawn] == row["numbers"]
        places = mix.places(len(drawn), seed=int(row["seed"]), start=int(row["start"]))
        assert [list(mix.names_of(place)) for place in places] == row["types"]
