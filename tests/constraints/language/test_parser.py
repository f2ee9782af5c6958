"""Texts and the expressions that they are, and what is said of texts that are none."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

from pavcodec import Card, Seat, Strain, Suit, TextError
from pavcodec.constraints.functions import card_sum, cccc, losers, quality
from pavcodec.constraints.language.parser import parse_condition, parse_expression
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Choice,
    Comparison,
    HasCard,
    Imps,
    InShapes,
    Length,
    Negate,
    Node,
    Not,
    Number,
    Or,
    Random,
    Score,
    Tricks,
)
from pavcodec.shapes import parse_shapes

N, E, S, W = Seat
vulnerable, not_vulnerable = True, False
ONE, TWO, THREE = Number(1), Number(2), Number(3)
HCP = card_sum(N, None, (4, 3, 2, 1))


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("hcp(north)", HCP),
        ("HCPS ( North )", HCP),
        ("hcp(north, spade)", card_sum(N, Suit.SPADES, (4, 3, 2, 1))),
        ("pt4(west, hearts)", card_sum(W, Suit.HEARTS, (1,))),
        ("controls(east)", card_sum(E, None, (2, 1))),
        ("control(east)", card_sum(E, None, (2, 1))),
        ("c13(south)", card_sum(S, None, (6, 4, 2, 1))),
        ("points(south, 4 3 2 1 -1)", card_sum(S, None, (4, 3, 2, 1, -1))),
        ("points(south, diamond, 1)", card_sum(S, Suit.DIAMONDS, (1,))),
        ("spades(north)", Length(N, Suit.SPADES)),
        ("club(west)", Length(W, Suit.CLUBS)),
        ("loser(east)", losers.make(E)),
        ("losers(east, hearts)", losers.make(E, Suit.HEARTS)),
        ("quality(south, clubs)", quality.make(S, Suit.CLUBS)),
        ("cccc(south)", cccc.make(S)),
        ("shape(south, any 4333)", InShapes(S, parse_shapes("any 4333"))),
        ("shape(south, 5xxx - any 5332)", InShapes(S, parse_shapes("5xxx - any 5332"))),
        (
            "shape(south,\n  any 4333 any 4432,\n any 5332)",
            InShapes(S, parse_shapes("any 4333 + any 4432 + any 5332")),
        ),
        (
            "shape(south, any 4333 /* square */ + any 4432)",
            InShapes(S, parse_shapes("any 4333 + any 4432")),
        ),
        ("hascard(west, AS)", HasCard(W, Card.parse("SA"))),
        ("hascard(west, SA)", HasCard(W, Card.parse("SA"))),
        ("hascard(west, tc)", HasCard(W, Card.parse("CT"))),
        ("hascard(west, 9H)", HasCard(W, Card.parse("H9"))),
        ("hascard(west, 10H)", HasCard(W, Card.parse("HT"))),
        ("tricks(north, notrumps)", Tricks(N, Strain.NOTRUMP)),
        ("trick(north, heart)", Tricks(N, Strain.HEARTS)),
        ("score(vul, x4S, 10)", Score(vulnerable, 4, Strain.SPADES, 0, Number(10))),
        ("score(nv, x3Nxx, 9)", Score(not_vulnerable, 3, Strain.NOTRUMP, 2, Number(9))),
        ("score(nv, x3NTX, 9)", Score(not_vulnerable, 3, Strain.NOTRUMP, 1, Number(9))),
        ("imp(3)", Imps(THREE)),
        ("rnd(3)", Random(THREE)),
        ("-3", Number(-3)),
        ("- -3", THREE),
        ("-hcp(north)", Negate(HCP)),
        ("!1", Not(ONE)),
        ("not not 1", Not(Not(ONE))),
        ("!1 == 2", Comparison("==", Not(ONE), TWO)),
        ("1 + 2 * 3", Arithmetic("+", ONE, Arithmetic("*", TWO, THREE))),
        ("1 - 2 - 3", Arithmetic("-", Arithmetic("-", ONE, TWO), THREE)),
        ("1 / 2 % 3", Arithmetic("%", Arithmetic("/", ONE, TWO), THREE)),
        ("-1 * 2", Arithmetic("*", Number(-1), TWO)),
        ("1 < 2 == 3", Comparison("==", Comparison("<", ONE, TWO), THREE)),
        ("1 + 2 >= 3", Comparison(">=", Arithmetic("+", ONE, TWO), THREE)),
        ("1 && 2 && 3", And((ONE, TWO, THREE))),
        ("1 and (2 && 3)", And((ONE, TWO, THREE))),
        ("1 || 2 and 3", Or((ONE, And((TWO, THREE))))),
        ("(1 or 2) || 3", Or((ONE, TWO, THREE))),
        ("1 < 2 <= 3", And((Comparison("<", ONE, TWO), Comparison("<=", TWO, THREE)))),
        ("1 ? 2 : 3", Choice(ONE, TWO, THREE)),
        ("1 ? 2 : 3 ? 1 : 2", Choice(ONE, TWO, Choice(THREE, ONE, TWO))),
        ("1 ? 2 ? 3 : 1 : 2", Choice(ONE, Choice(TWO, THREE, ONE), TWO)),
        ("1 || 2 ? 3 : 1", Choice(Or((ONE, TWO)), THREE, ONE)),
        ("1 // two\n + /* and */ 2 # three", Arithmetic("+", ONE, TWO)),
        ("# a comment\n1", ONE),
        ("1 OR 2", Or((ONE, TWO))),
        ("1 AND NOT 2", And((ONE, Not(TWO)))),
    ],
)
def test_expressions(text: str, node: Node) -> None:
    assert parse_expression(text) == node


def test_what_the_points_count_can_be_chosen() -> None:
    other = card_sum(N, None, (6, 4, 2, 1))
    assert parse_expression("hcp(north)", pointcount=[6, 4, 2, 1]) == other
    assert other.name == "c13"
    assert parse_expression("pt3(north)", altcount={3: [1, 2]}) == card_sum(N, None, (1, 2))
    assert parse_expression("kings(north)", altcount={3: [1, 2]}) == card_sum(N, None, (1, 2))
    assert parse_expression("controls(north)", altcount={3: [1, 2]}).name == "controls"  # type: ignore[attr-defined]


FAULTS = """
expected an expression, not the end
  hcp(north) >
              ^

expected an operator, ',' or ')', not the end; the '(' after hcp is not closed
  hcp(north
           ^

expected an operator or the end, not 'hearts'; conditions are joined by && (and) or || (or)
  hcp(north) hearts(north)
             ^^^^^^

expected an operator or the end, not ')'; it has no matching '('
  hcp(north))
            ^

expected an operator or the end, not '='; equal is written ==
  hcp(north) = 5
             ^

expected an expression, not '>'; not equal is written !=
  1 < > 2
      ^

expected an operator or the end, not '$'
  1 $ 2
    ^

expected an operator or the end, not '.'
  12.5.3 < 3
    ^

a division takes integers: write a product, as in 0.5 * hcp(north)
  hcp(north) / 2.5
  ^^^^^^^^^^^^^^^^

rnd takes an integer here, not '2.5'
  rnd(2.5)
      ^^^

this number has decimals, and an integer is expected: compare it, or write 100 * (…)
  0.25 * hcp(north)
  ^^^^^^^^^^^^^^^^^

a number has at most 18 digits
  0.1234567890123456789 < 1
  ^^^^^^^^^^^^^^^^^^^^^

expected an operator or ':', not the end
  1 ? 2
       ^

expected an expression, not ')'
  ()
   ^

no function is called 'hpc'; did you mean 'hcp'?
  hpc(north) > 3
  ^^^

no function is called 'spaeds'; did you mean 'spades'?
  1 + spaeds(north, 2)
      ^^^^^^

hcp takes a seat (north, east, south or west) here, not 'nroth'; did you mean 'north'?
  hcp(nroth)
      ^^^^^

hcp takes a seat (north, east, south or west) here, not 'hearts'
  hcp(hearts)
      ^^^^^^

hcp takes a seat (north, east, south or west) here, not '1 + 2'
  hcp(1 + 2)
      ^^^^^

hcp takes a suit (spades, hearts, diamonds or clubs) here, not 'south'; \
write a function for each seat, as in hcp(north) + hcp(south)
  hcp(north, south)
             ^^^^^

hcp takes a seat and perhaps a suit, as in hcp(north) or hcp(north, spades), not 0 arguments
  hcp()
  ^^^^^

cccc takes a seat, as in cccc(north), not 2 arguments
  1 + cccc(north, 2)
      ^^^^^^^^^^^^^^

quality takes a seat and a suit, as in quality(north, spades), not 1 argument
  quality(north)
  ^^^^^^^^^^^^^^

'hcp' takes a seat and perhaps a suit, as in hcp(north) or hcp(north, spades)
  hcp > 3
  ^^^

'shape' takes a seat and a list of shapes, as in shape(north, any 4333 + 5xxx)
  shape == 1
  ^^^^^

'north' is a seat; write it in a function, as in hcp(north)
  north
  ^^^^^

'vul' is a word of the language and has no value
  1 + vul
      ^^^

no variable is called 'balanced'; balanced is shape(north, any 4333 + any 4432 + any 5332)
  1 + balanced
      ^^^^^^^^

hascard takes a card, such as AS or SA, here, not 'ZZ'
  hascard(north, ZZ)
                 ^^

hascard takes a card, such as AS or SA, here, not '1S'
  hascard(north, 1S)
                 ^^

a shape has 13 cards, and 5432 has 14
  shape(north, 5432)
               ^^^^

a shape has 13 cards, and 99xx has at least 18
  shape(north, any 4333 + 99xx)
                          ^^^^

a list of shapes does not start with '-', because no shapes precede it
  shape(north, -4333)
               ^

expected a list of shapes, such as any 4333 + 5xxx, not ')'; shape takes a seat and \
a list of shapes, as in shape(north, any 4333 + 5xxx)
  shape(north, )
               ^

shape takes a seat (north, east, south or west) here, not 'clubs'
  shape(clubs, 4333)
        ^^^^^

tricks takes a suit or notrump here, not 'vul'
  tricks(north, vul)
                ^^^

score takes vul or nv here, not 'ns'
  score(ns, x4S, 9)
        ^^

score takes a contract, such as x4S, x3N or x6HX, here, not '4S'
  score(vul, 4S, 9)
             ^^

score takes a contract, such as x4S, x3N or x6HX, here, not 'x8S'
  score(vul, x8S, 9)
             ^^^

points takes a suit here, not 'vul'
  points(north, vul, 1)
                ^^^

there are 13 ranks, not 14
  points(north, 1 2 3 4 5 6 7 8 9 1 2 3 4 5)
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^

division by 0
  1 / 0
      ^

the remainder of a division by 0
  1 % (0)
       ^

the closing */ is missing
  1 + /* open
      ^^

the closing " is missing
  1 + "text
      ^

a number has at most 18 digits
  1234567890123456789
  ^^^^^^^^^^^^^^^^^^^
"""


@pytest.mark.parametrize(
    "shown", FAULTS.strip().split("\n\n"), ids=lambda shown: shown.split("\n")[1]
)
def test_faults_are_pointed_at(shown: str) -> None:
    text = shown.split("\n")[1].removeprefix("  ")
    with pytest.raises(TextError) as caught:
        parse_expression(text)
    assert str(caught.value) == shown


MISTAKES = {
    "hcp(NE) > 3": "write a function for each seat, as in hcp(north) + hcp(east)",
    "hcp(norths) > 3": "did you mean 'north'?",
    "hcp(ns) > 25": "write a function for each seat, as in hcp(north) + hcp(south)",
    "hcp(east && west) > 25": "write a function for each seat, as in hcp(east) + hcp(west)",
    "hcp(west, west)": "write a function for each seat, as in hcp(north) + hcp(south)",
    "hcp(north, S) > 3": "did you mean 'spades'?",
    "hcp(north > 15) && 1": "write the ')' after 'north'",
    "hcp(north > 15": "the '(' after hcp is not closed",
    "(hcp(north) > 15": "a '(' is not closed",
    "hcp(north) > 15)": "it has no matching '('",
    "hcp north > 15": "write the seat in parentheses, as in hcp(north)",
    "north.hcp > 15": "write the seat in parentheses, as in hcp(north)",
    "hcp[north] > 15": "write arguments in ( and )",
    "hcp(north east)": "as in hcp(north) or hcp(north, spades)",
    "hcp(north) = 15": "equal is written ==",
    "=15": "equal is written ==",
    "x = 5": "equal is written ==; a variable is for scripts",
    "hcp(north) ≥ 15": "at least is written >=",
    "hcp(north) =< 15": "at most is written <=",
    "hcp(north) <> 15": "not equal is written !=",
    "hcp(north) ≠ 15": "not equal is written !=",
    "hcp(north) > 3 & 1": "and is written &&",
    "hcp(north) > 3 | 1": "or is written ||",
    "hcp(north) > 3 and": "not the end",
    "and hcp(north) > 3": "there is no condition before it to join",
    "hcp(north) > 3 and <= 5": "two sides, as in hcp(north) > 3 and hcp(north) <= 5",
    "hcp(north) > 3, hcp(east) > 3": "conditions are joined by && (and) or || (or)",
    "hcp(north) > 3; hcp(east) > 3": "conditions are joined by && (and) or || (or)",
    "hcp(north) > 3 hcp(east) > 3": "conditions are joined by && (and) or || (or)",
    "spades(north) 5+": "at least is written >=, as in spades(north) >= 5",
    "spades(north) >= 5+": "at least is written >=",
    "hcp(Ost) > 3": "did you mean 'east'?",
    "hcp(ouest) > 3": "did you mean 'west'?",
    "hcp(noord) > 3": "did you mean 'north'?",
    "hcp(est) + 1": "did you mean 'east'?",
    "hcp(north) 15": "a comparison is written hcp(north) == 15",
    "hcp(north) 15-17": "a range is written hcp(north) >= 15 && hcp(north) <= 17",
    "hcp(north) in 15-17": "a range is written",
    "hcp(north) − 3": "minus is written -",
    "hcp(north) × 3": "a product is written *",
    "if hcp(north) > 3": "a choice is written a ? b : c",
    "produce 5": "statements are for scripts",
    "condition hcp(north) > 3": "statements are for scripts",
    "weight hcp(north)": "statements are for scripts",
    "N: hcp {12: 1, 13: 3}": "in Python they are the argument joint of weighted",
    "north: shape {any 4333: 1}": "weights are no condition",
    "hcp(north) {12: 1, else: 2}": "weights are no condition",
    "“hcp(north) > 3”": "write a condition without quotes",
    '"hcp(north) > 3"': "write a condition without quotes",
    "'hcp(north) > 3'": "write a condition without quotes",
    "♠(north) > 3": "suits are words, as in spades(north), or letters, as in AS",
    "shape(north, {any 4333})": "a list of shapes has no brackets",
    "shape(north, (any 4333))": "as in shape(north, any 4333 + 5xxx)",
    "shape(north any 4333)": "as in shape(north, any 4333 + 5xxx)",
    "shape(north, balanced)": "balanced is shape(north, any 4333 + any 4432 + any 5332)",
    "shape(north, 4333) + any 4432": "write a list of shapes as in shape(north, any 4333 + 5xxx)",
    "points(north) > 3": "points takes a seat, perhaps a suit, and values, ace first",
    "balanced(north)": "balanced is shape(north, any 4333 + any 4432 + any 5332)",
    "void(north, spades)": "a void is spades(north) == 0",
    "max(hcp(north), 3)": "the greater of two is a > b ? a : b",
    "true": "true is written 1, and false 0",
    "lossers(north) > 3": "did you mean 'losers'?",
    "rnd(6, x)": "rnd takes a number here, not 'x'",
}
"""What newcomers write, and what they are told."""


@pytest.mark.slow
@pytest.mark.parametrize("text", MISTAKES)
def test_newcomers_are_helped(text: str) -> None:
    with pytest.raises(TextError) as caught:
        parse_condition(text)
    assert MISTAKES[text] in caught.value.message
    assert "\n" not in caught.value.message


WARNINGS = {
    "5 <= hcp(north) <= 7": "a <= b <= c is read as a <= b && b <= c; "
    "the classic dealer reads it as (a <= b) <= c",
    "hcp(north) == 15-17": "15-17 is the number -2; "
    "a range is written hcp(north) >= 15 && hcp(north) <= 17",
    "not hcp(north) > 3": "!a > b is read as (!a) > b; the opposite of a comparison is !(a > b)",
    "!(hcp(north)) == 3": "!a == b is read as (!a) == b; the opposite of a comparison is !(a == b)",
    "hcp(north) == 15 or 16": "'16' is always true, whatever the deal; "
    "another value is written hcp(north) == 16",
    "hcp(north) == 15 && 2  > 3": "'2 > 3' is never true, whatever the deal",
    "(2 ? hcp(north) : 5) > 3": "'2' is always true, whatever the deal",
    "1 && 5": "'5' is always true, whatever the deal",
    "15": "'15' is always true, whatever the deal",
    "3 / (2 - 2)": "'3 / (2 - 2)' is always in error (division by 0), whatever the deal",
}


@pytest.mark.parametrize("text", WARNINGS)
def test_what_may_mean_something_else_is_warned_of(text: str) -> None:
    found: list[str] = []
    parse_condition(text, warn=found.append)
    assert found == [WARNINGS[text]]
    assert parse_condition(text) == parse_expression(text)


@pytest.mark.parametrize(
    "text",
    [
        *("1", "0", "hcp(north) && 1", "(!hcp(north)) == 0", "!(hcp(north) == 0)", "rnd(2)"),
        *("hcp(north) == 17-15", "hcp(north) - 3 == 15", "hcp(north) > 3 == 1", "!hcp(north)"),
    ],
)
def test_what_is_plain_gives_no_warning(text: str) -> None:
    found: list[str] = []
    parse_condition(text, warn=found.append)
    assert found == []


def test_a_number_is_no_condition_that_is_warned_of() -> None:
    found: list[str] = []
    assert parse_expression("5 + 3", warn=found.append) == Arithmetic("+", Number(5), Number(3))
    assert found == []


@pytest.mark.parametrize("text", ["", "  ", "\n", "# a comment"])
def test_an_empty_text_is_no_expression(text: str) -> None:
    with pytest.raises(TextError) as caught:
        parse_expression(text)
    reason = "the condition is empty: expected an expression, such as hcp(north) >= 12"
    assert caught.value.message == reason


def test_a_draw_with_a_number_is_one_draw() -> None:
    six = Number(6)
    assert parse_expression("rnd(6) + rnd(6)") == Arithmetic("+", Random(six), Random(six))
    one = Random(six, 1)
    assert parse_expression("rnd(6, 1) + rnd(6, 1)") == Arithmetic("+", one, one)
    assert parse_expression("1 < rnd(6) < 4 + rnd(6, 1)") == parse_expression(
        "1 < rnd(6, 2) && rnd(6, 2) < 4 + rnd(6, 1)"
    )


def test_of_several_lines_the_one_with_the_fault_is_shown() -> None:
    with pytest.raises(TextError) as caught:
        parse_expression("hcp(north) > 12\n\t&& hcp(norht) < 5\n&& 1")
    assert str(caught.value) == dedent("""\
        line 2: hcp takes a seat (north, east, south or west) here, not 'norht'; did you mean \
'north'?
           && hcp(norht) < 5
                  ^^^^^""")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    "text",
    ["!" * 201 + "1", "1" + " + 1" * 201, "imps(" * 201 + "1" + ")" * 201, "1 ? 1 : " * 201 + "1"],
)
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(TextError, match="more than 200 operators within one another"):
        parse_expression(text)


@pytest.mark.slow
def test_parentheses_and_lists_may_be_as_long_as_they_like() -> None:
    assert parse_expression("(" * 3000 + "1" + ")" * 3000) == ONE
    node = parse_expression(" || ".join(f"hcp(north) == {n}" for n in range(3000)))
    assert isinstance(node, Or)
    assert len(node.parts) == 3000


@pytest.mark.slow
def test_lark_is_imported_when_a_text_is_read() -> None:
    code = (
        "import sys, pavcodec.constraints.language.parser, pavcodec.constraints.expressions; "
        "print('lark' in sys.modules); pavcodec.constraints.language.parser.parse_expression('1'); "
        "print('lark' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
