"""Texts and the expressions that they are, and what is said of texts that are none."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from marks_support import assert_fault, pairs_of

from pavcodec import Seat, TextError
from pavcodec.constraints.functions import card_sum
from pavcodec.constraints.language import source
from pavcodec.constraints.language.parser import parse_condition, parse_expression
from pavcodec.constraints.nodes.syntax import Arithmetic, Number, Or

SAME = {
    "HCPS ( North )": "hcp(north)",
    "hcp(north, spade)": "hcp(north, spades)",
    "control(east) + loser(east, heart)": "controls(east) + losers(east, hearts)",
    "pt4(west, hearts) + club(west)": "aces(west, hearts) + clubs(west)",
    "points(south, 4 3 2 1) + points(south, diamond, 1)": "hcp(south) + pt4(south, diamonds)",
    "shape(south,\n  any 4333 4432,\n x5xx)": "shape(south, any 4333 + 4432 + x5xx)",
    "shape(south, any 4333 /* square */ + 4432)": "shape(south, any 4333 + 4432)",
    "hascard(west, tc) || hascard(west, 9H)": "hascard(west, CT) || hascard(west, H9)",
    "hascard(west, 10H)": "hascard(west, TH)",
    "trick(north, notrumps)": "tricks(north, notrump)",
    "score(nv, x3NTxx, 9)": "score(nv, x3NXX, 9)",
    "imp(3)": "imps(3)",
    "- -3": "3",
    "not not 1": "!(!1)",
    "!1 == 2": "(!1) == 2",
    "-1 * 2": "(-1) * 2",
    "1 + 2 * 3": "1 + (2 * 3)",
    "1 - 2 - 3": "(1 - 2) - 3",
    "1 / 2 % 3": "(1 / 2) % 3",
    "1 < 2 == 3": "(1 < 2) == 3",
    "1 + 2 >= 3": "(1 + 2) >= 3",
    "1 and (2 && 3)": "1 && 2 && 3",
    "1 || 2 and 3": "1 || (2 && 3)",
    "(1 or 2) || 3": "1 || 2 || 3",
    "1 < 2 <= 3": "(1 < 2) && (2 <= 3)",
    "1 ? 2 : 3 ? 1 : 2": "1 ? 2 : (3 ? 1 : 2)",
    "1 ? 2 ? 3 : 1 : 2": "1 ? (2 ? 3 : 1) : 2",
    "1 || 2 ? 3 : 1": "(1 || 2) ? 3 : 1",
    "# a comment\n1 // two\n + /* and */ 2 # three": "1 + 2",
    "1 < rnd(6) < 4 + rnd(6, 1)": "1 < rnd(6, 2) && rnd(6, 2) < 4 + rnd(6, 1)",
    "1 AND NOT 2 OR 3": "(1 && !2) || 3",
    "fit = spades(north) + 1\nbig = hcp(west) > 20\nfit >= 8 || big": (
        "spades(north) + 1 >= 8 || hcp(west) > 20"
    ),
}


@pytest.mark.parametrize("text", SAME)
def test_one_expression_is_written_in_several_ways(text: str) -> None:
    assert parse_expression(text) == parse_expression(SAME[text])


def test_what_the_points_count_can_be_chosen() -> None:
    assert parse_expression("hcp(north)", pointcount=[6, 4, 2, 1]) == parse_expression("c13(north)")
    kings = card_sum(Seat.NORTH, None, (1, 2))
    for text in ("pt3(north)", "kings(north)"):
        assert parse_expression(text, altcount={3: [1, 2]}) == kings
    controls = parse_expression("controls(north)", altcount={3: [1, 2]})
    assert controls == parse_expression("controls(north)")


FAULTS = """
hcp(north) >«» → expected an expression, not the end
hcp(north«» → expected an operator, ',' or ')', not the end; the '(' after hcp is not closed
hcp(north) «hearts»(north) → \
expected an operator or the end, not 'hearts'; conditions are joined by && (and) or || (or)
hcp(north)«)» → expected an operator or the end, not ')'; it has no matching '('
hcp(north) «=» 5 → expected an operator or the end, not '='; equal is written ==
1 < «>» 2 → expected an expression, not '>'; not equal is written !=
1 «$» 2 → expected an operator or the end, not '$'
12«.»5.3 < 3 → expected an operator or the end, not '.'
«hcp(north) / 2.5» → a division takes integers: write a product, as in 0.5 * hcp(north)
rnd(«2.5») → rnd takes an integer here, not '2.5'
«0.25 * hcp(north)» → \
this number has decimals, and an integer is expected: compare it, or write 100 * (…)
«0.1234567890123456789» < 1 → a number has at most 18 digits
1 ? 2«» → expected an operator or ':', not the end
(«)» → expected an expression, not ')'
«hpc»(north) > 3 → no function is called 'hpc'; did you mean 'hcp'?
1 + «spaeds»(north, 2) → no function is called 'spaeds'; did you mean 'spades'?
hcp(«nroth») → \
hcp takes a seat (north, east, south or west) here, not 'nroth'; did you mean 'north'?
hcp(«1 + 2») → hcp takes a seat (north, east, south or west) here, not '1 + 2'
hcp(north, «south») → hcp takes a suit (spades, hearts, diamonds or clubs) here, not 'south'; \
write a function for each seat, as in hcp(north) + hcp(south)
«hcp()» → \
hcp takes a seat and perhaps a suit, as in hcp(north) or hcp(north, spades), not 0 arguments
1 + «cccc(north, 2)» → cccc takes a seat, as in cccc(north), not 2 arguments
«quality(north)» → quality takes a seat and a suit, as in quality(north, spades), not 1 argument
«hcp» > 3 → 'hcp' takes a seat and perhaps a suit, as in hcp(north) or hcp(north, spades)
«shape» == 1 → 'shape' takes a seat and a list of shapes, as in shape(north, any 4333 + 5xxx)
«north» → 'north' is a seat; write it in a function, as in hcp(north)
1 + «vul» → 'vul' is a word of the language and has no value
1 + «balanced» → \
no variable is called 'balanced'; balanced is shape(north, any 4333 + any 4432 + any 5332)
hascard(north, «ZZ») → hascard takes a card, such as AS or SA, here, not 'ZZ'
shape(north, «5432») → a shape has 13 cards, and 5432 has 14
shape(north, any 4333 + «99xx») → a shape has 13 cards, and 99xx has at least 18
shape(north, «-»4333) → a list of shapes does not start with '-', because no shapes precede it
shape(north, «)» → expected a list of shapes, such as any 4333 + 5xxx, not ')'; shape takes a \
seat and a list of shapes, as in shape(north, any 4333 + 5xxx)
holding(north, spades, «QQx») → 'QQx' names a card twice
shape(«clubs», 4333) → shape takes a seat (north, east, south or west) here, not 'clubs'
tricks(north, «vul») → tricks takes a suit or notrump here, not 'vul'
score(«ns», x4S, 9) → score takes vul or nv here, not 'ns'
score(vul, «x8S», 9) → score takes a contract, such as x4S, x3N or x6HX, here, not 'x8S'
points(north, «vul», 1) → points takes a suit here, not 'vul'
points(north, «1 2 3 4 5 6 7 8 9 1 2 3 4 5») → there are 13 ranks, not 14
1 / «0» → division by 0
1 % («0») → the remainder of a division by 0
1 + «/*» open → the closing */ is missing
1 + «"»text → the closing " is missing
«1234567890123456789» → a number has at most 18 digits
«hcp» = 5 hcp > 3 → 'hcp' is a word of the language and cannot be a variable
x «=» 5 → …equal is written ==; a variable is for scripts
x = 5 «y» > 3 → no variable is called 'y'…
x = 5 x > 3 «x» > 4 → expected an operator…
"""


@pytest.mark.parametrize(("marked", "message"), pairs_of(FAULTS))
def test_faults_are_pointed_at(marked: str, message: str) -> None:
    assert_fault(parse_expression, marked, message)


MISTAKES = {
    "hcp(NE) > 3": "write a function for each seat, as in hcp(north) + hcp(east)",
    "hcp(east && west) > 25": "write a function for each seat, as in hcp(east) + hcp(west)",
    "hcp(north, S) > 3": "did you mean 'spades'?",
    "hcp(north > 15) && 1": "write the ')' after 'north'",
    "(hcp(north) > 15": "a '(' is not closed",
    "north.hcp > 15": "write the seat in parentheses, as in hcp(north)",
    "hcp[north] > 15": "write arguments in ( and )",
    "hcp(north east)": "as in hcp(north) or hcp(north, spades)",
    "hcp(north) =< 15": "at most is written <=",
    "hcp(north) <> 15": "not equal is written !=",
    "hcp(north) ≠ 15": "not equal is written !=",
    "hcp(north) > 3 & 1": "and is written &&",
    "hcp(north) > 3 | 1": "or is written ||",
    "hcp(north) > 3 and": "a condition is missing after 'and' or 'or'",
    "and hcp(north) > 3": "there is no condition before it to join",
    "hcp(north) > 3; hcp(east) > 3": "conditions are joined by && (and) or || (or)",
    "spades(north) >= 5+": "at least is written >=, as in spades(north) >= 5",
    "hcp(Ost) > 3": "did you mean 'east'?",
    "hcp(ouest) > 3": "did you mean 'west'?",
    "hcp(noord) > 3": "did you mean 'north'?",
    "hcp(est) + 1": "did you mean 'east'?",
    "hcp(north) − 3": "minus is written -",
    "hcp(north) × 3": "a product is written *",
    "if hcp(north) > 3": "a choice is written a ? b : c",
    "produce 5": "statements are for scripts",
    "N: hcp {12: 1, 13: 3}": (
        "weights are no condition: in a command they follow --weights, "
        "in Python they are the argument joint of weighted"
    ),
    "hcp(north) {12: 1, else: 2}": "in Python they are the argument joint of weighted",
    "“hcp(north) > 3”": "write a condition without quotes",
    "'hcp(north) > 3'": "write a condition without quotes",
    "shape(north, {any 4333})": "has no brackets, as in any 4333 + any 4432 + any 5332",
    "shape(north, balanced)": "balanced is shape(north, any 4333 + any 4432 + any 5332)",
    "shape(north, 4333) + any 4432": "write a list of shapes as in shape(north, any 4333 + 5xxx)",
    "void(north, spades)": "a void is spades(north) == 0",
    "max(hcp(north), 3)": "the greater of two is a > b ? a : b",
    "true": "true is written 1, and false 0",
    "rnd(6, x)": "rnd takes a number here, not 'x'",
}
"""What newcomers write, and what they are told; more of it is in tests/cli/faulty.txt."""


@pytest.mark.parametrize("text", MISTAKES)
def test_newcomers_are_helped(text: str) -> None:
    with pytest.raises(TextError) as caught:
        parse_condition(text)
    assert caught.value.message.endswith(MISTAKES[text])
    assert "\n" not in caught.value.message


WARNINGS = {
    "5 <= hcp(north) <= 7": "a <= b <= c is read as a <= b && b <= c; "
    "the classic dealer reads it as (a <= b) <= c",
    "hcp(north) == 15-17": "15-17 is the number -2; "
    "a range is written hcp(north) >= 15 && hcp(north) <= 17",
    "not hcp(north) > 3": "!a > b is read as (!a) > b; the opposite of a comparison is !(a > b)",
    "hcp(north) == 15 or 16": "'16' is always true, whatever the deal; "
    "another value is written hcp(north) == 16",
    "hcp(north) == 15 && 2  > 3": "'2 > 3' is never true, whatever the deal",
    "(2 ? hcp(north) : 5) > 3": "'2' is always true, whatever the deal",
    "15": "'15' is always true, whatever the deal",
    "3 / (2 - 2)": "'3 / (2 - 2)' is always in error (division by 0), whatever the deal",
}
PLAIN = [
    *("1", "0", "hcp(north) && 1", "(!hcp(north)) == 0", "!(hcp(north) == 0)", "rnd(2)"),
    *("hcp(north) == 17-15", "hcp(north) - 3 == 15", "hcp(north) > 3 == 1", "!hcp(north)"),
]


@pytest.mark.parametrize(
    ("text", "warnings"),
    [*((text, [warning]) for text, warning in WARNINGS.items()), *((text, []) for text in PLAIN)],
)
def test_what_may_mean_something_else_is_warned_of(text: str, warnings: list[str]) -> None:
    found: list[str] = []
    assert parse_condition(text, warn=found.append) == parse_expression(text)
    assert found == warnings


def test_a_number_is_no_condition_that_is_warned_of() -> None:
    assert parse_expression("5 + 3", warn=pytest.fail) == Arithmetic("+", Number(5), Number(3))


@pytest.mark.parametrize("text", ["", " \n", "# a comment"])
def test_an_empty_text_is_no_expression(text: str) -> None:
    with pytest.raises(TextError) as caught:
        parse_expression(text)
    reason = "the condition is empty: expected an expression, such as hcp(north) >= 12"
    assert caught.value.message == reason


LINES = """\
line 2: hcp takes a seat (north, east, south or west) here, not 'norht'; did you mean 'north'?
   && hcp(norht) < 5
          ^^^^^"""


def test_the_line_with_the_fault_is_shown() -> None:
    with pytest.raises(TextError) as caught:
        parse_expression("hcp(north) > 12\n\t&& hcp(norht) < 5\n&& 1")
    assert str(caught.value) == LINES
    assert caught.value.line == 2
    with pytest.raises(TextError) as caught:
        parse_expression("hcp(north) >")
    shown = "expected an expression, not the end\n  hcp(north) >\n              ^"
    assert str(caught.value) == shown


@pytest.mark.parametrize(
    "text",
    ["!" * 201 + "1", "1" + " + 1" * 201, "imps(" * 201 + "1" + ")" * 201, "1 ? 1 : " * 201 + "1"],
)
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(TextError, match="more than 200 operators within one another"):
        parse_expression(text)


@pytest.mark.slow
def test_parentheses_and_lists_may_be_as_long_as_they_like() -> None:
    assert parse_expression("(" * 1000 + "1" + ")" * 1000) == Number(1)
    node = parse_expression(" || ".join(f"hcp(north) == {n}" for n in range(1000)))
    assert isinstance(node, Or)
    assert len(node.parts) == 1000


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the grammar, in which its tables are kept."""
    grammar = source._home().joinpath("grammar.lark").read_text(encoding="utf-8")
    (tmp_path / "grammar.lark").write_text(grammar, encoding="utf-8")
    monkeypatch.setattr(source, "_home", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rules whose tables are made from now on."""
    rules: list[str] = []
    new_parser = source._new_parser
    monkeypatch.setattr(source, "_new_parser", lambda rule: rules.append(rule) or new_parser(rule))  # type: ignore[func-returns-value]
    return rules


@pytest.mark.slow
def test_kept_tables_are_used_if_they_are_those_of_the_grammar(home: Path, anew: list[str]) -> None:
    source.keep_tables()
    anew.clear()
    script = "x = hcp(south) >= 12\ncondition x && shape(north, any 4333)\nproduce 4\n"
    kept = source._parser.__wrapped__("script").parse(script)
    source._parser.__wrapped__("mixture").parse("hcp(south) >= 20 : 35")  # not kept
    assert anew == ["mixture"]
    with (home / "grammar.lark").open("a", encoding="utf-8") as grammar:
        grammar.write("// changed\n")
    assert source._parser.__wrapped__("script").parse(script) == kept
    assert anew == ["mixture", "script"]


@pytest.mark.slow
@pytest.mark.parametrize("damaged", [b"", b"no tables", pickle.dumps({"of": 1})])
def test_damaged_tables_are_not_used(home: Path, anew: list[str], damaged: bytes) -> None:
    (home / "grammar.tables").write_bytes(damaged)
    source._parser.__wrapped__("expression")
    assert anew == ["expression"]
