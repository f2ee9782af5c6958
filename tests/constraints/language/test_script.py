"""Scripts: what they say, what is warned of, and what is refused."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from marks_support import assert_fault, pairs_of

from pavcodec import Layout, Seat, Suit, TextError, Vulnerability
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.actions import (
    Average,
    Counted,
    Frequency,
    Hands,
    Print,
    PrintHands,
)
from pavcodec.constraints.language.parser import parse_expression, parse_script
from pavcodec.constraints.language.script import Script
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import Comparison, Length, Number

NORTH_HCP = parse_expression("hcp(north)")
PRINT_ALL = Print("printall", (Hands("board"), "\n"))
PRINT_EW = Print("printew", (Hands("columns", (Seat.WEST, Seat.EAST)), "\n"))
PRINT_PBN = Print("printpbn", (Hands("pbn"), "\n"))
PRINT_COMPACT = Print("printcompact", (Hands("lines"),))
PRINT_LINE = Print("printoneline", (Hands("line"), "\n"))


def test_a_script_may_say_nothing() -> None:
    assert parse_script("") == parse_script("# nothing\n/* at */ // all") == Script()


ALTCOUNT_3 = (
    "altcount 3 sets pt3 (kings), as the manual says; "
    "the classic dealer and Dealer3 set pt1 (jacks)"
)


def test_all_statements() -> None:
    text = """\
GENERATE 5000
Produce 7            # after code
dealer East          // so too
vulnerable ns
seed 42
predeal north SAKQ, D10 south hkq9
predeal spades(west) == 5 hearts(west) == 0
pointcount 6 4 2 1
altcount 3 1 2 3
strong = hcp(north) >= 12 /* the new
                             points */
condition strong && pt3(south) == kings(south)
"""
    script = parse_script(text)
    assert script.condition == parse_expression(
        "hcp(north) >= 12 && pt3(south) == pt3(south)",
        pointcount=(6, 4, 2, 1),
        altcount={3: (1, 2, 3)},
    )
    assert [format_node(node) for node in script.predeal] == [
        *(f"hascard(north, {card})" for card in ("AS", "KS", "QS", "TD")),
        *(f"hascard(south, {card})" for card in ("KH", "QH", "9H")),
        "spades(west) == 5",
        "hearts(west) == 0",
    ]
    assert script.predeal[-1] == Comparison("==", Length(Seat.WEST, Suit.HEARTS), Number(0))
    assert (script.generate, script.produce, script.seed) == (5000, 7, 42)
    assert (script.dealer, script.vulnerable) == (Seat.EAST, Vulnerability.NS)
    assert script.warnings == (f"line 9: {ALTCOUNT_3}",)


COMPACT_HCP = Print("printcompact", (Hands("lines"), NORTH_HCP, "\n"))
LINE_HCP = Print("printoneline", (Hands("line"), NORTH_HCP, "\n"))
COUNTED = Counted(NORTH_HCP, 0, 5), Counted(NORTH_HCP, 1, 1)
ACTIONS: dict[str, tuple[object, ...]] = {
    "": (),
    ",": (),
    "printall, printew, printpbn,": (PRINT_ALL, PRINT_EW, PRINT_PBN),
    "print(west, north, west)": (PrintHands((Seat.NORTH, Seat.WEST)),),
    "printcompact": (PRINT_COMPACT,),
    "printcompact (hcp(north))": (COMPACT_HCP,),
    "printcompact hcp(north), printall": (COMPACT_HCP, PRINT_ALL),
    "printoneline": (PRINT_LINE,),
    "PrintOneLine(hcp(north))": (LINE_HCP,),
    "printoneline\n(hcp(north))": (LINE_HCP,),
    'printes "a", hcp(north), \\n': (Print("printes", ("a", NORTH_HCP, "\n")),),
    'printes("a", hcp(north), \\n)': (Print("printes", ("a", NORTH_HCP, "\n")),),
    'printes(hcp(north), "a")': (Print("printes", (NORTH_HCP, "a")),),
    "printes (hcp(north)), printall": (Print("printes", (NORTH_HCP,)), PRINT_ALL),
    "average hcp(north)": (Average(None, NORTH_HCP),),
    'average "x, y" (hcp(north))': (Average("x, y", NORTH_HCP),),
    "frequency (hcp(north), 0, 5)": (Frequency("frequency", None, COUNTED[:1]),),
    'frequency "t" (hcp(north), 0, 5, hcp(north), 1, 1)': (Frequency("frequency", "t", COUNTED),),
}


@pytest.mark.parametrize("text", ACTIONS)
def test_actions(text: str) -> None:
    actions = ACTIONS[text]
    warnings = () if actions else ("line 1: the list of actions is empty",)
    expected = Script(actions=actions, warnings=warnings)  # type: ignore[arg-type]
    assert parse_script(f"action {text}") == expected
    more = parse_script(f"action {text}\n# so\ncondition hcp(north)\nproduce 3")
    assert more == replace(expected, condition=NORTH_HCP, produce=3)


CONDITIONS = {
    "seed = hcp(north)  points = seed  printns = points  printns": "hcp(north)",
    "opc = hcp(north)  usereval = opc  condition usereval": "hcp(north)",
    "weight = hcp(north)\nweight > 3 and weight < 9": "hcp(north) > 3 && hcp(north) < 9",
    "holding = hcp(north) (holding) > 12": "hcp(north) > 12",
    "HCP(North) AND 1": "hcp(north) && 1",
    "Hcp = 5 All = Hcp And = All condition hcp(north) > And": "hcp(north) > 5",
    "n = hcp(north) condition n > hearts(e)": "hcp(north) > hearts(east)",
    "a = 1 b = a + 1 a = 5 hcp(north) == a + b": "hcp(north) == 5 + (1 + 1)",
    "action printcompact\nhcp(north)": "hcp(north)",
    "action printall,\n// so\nhcp(north)\nproduce 3": "hcp(north)",
    "strong = hcp(north) action average strong, strong": "hcp(north)",
    "action printall, fit = 8 hcp(north) > fit": "hcp(north) > 8",
    "condition hcp(north) > 12\r\naction printall,\r\n# end\r\n": "hcp(north) > 12",
    "\tcondition\thcp(north)\t> 12\n": "hcp(north) > 12",
    "\ufeffcondition hcp(north) > 12": "hcp(north) > 12",
    "condition hcp(north) > 12 # a \"quote and don't": "hcp(north) > 12",
    "condition hcp(north) /* // # */ > 12 // /* \n": "hcp(north) > 12",
    "condition hcp(north) > 12; produce 5;": "hcp(north) > 12",
    "produce 5, condition hcp(north) > 12": "hcp(north) > 12",
    'title "Any" opener south startboard 9 hcp(north) > 12': "hcp(north) > 12",
}


@pytest.mark.parametrize("text", CONDITIONS)
def test_conditions(text: str) -> None:
    assert parse_script(text).condition == parse_expression(CONDITIONS[text])


CHAIN = (
    "line 1: a <= b <= c is read as a <= b && b <= c; the classic dealer reads it as (a <= b) <= c"
)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("1\n\ncondition 1", "line 3: a second condition: the one in line 1 is ignored"),
        ("hcp(north)\n  > 12\nhcp(east) >\n 3",
         ("line 3: 'hcp(east) > 3' stands by itself and is read as the condition: "
          "the one in line 1 is ignored; is 'and' missing between them?")),
        ("hcp(south) 15-17",
         ("line 1: '15-17' stands by itself and is read as the condition: the one in line 1 is "
          "ignored; a range is written hcp(south) >= 15 && hcp(south) <= 17")),
        ("x = 1\nx = 2 hcp(north) > x",
         "line 2: 'x' is defined again; line 1 is valid up to here"),
        ("1\n<= hcp(north) <= 3", CHAIN),
        ("few = hcp(west) > 9\nfew && 1 || clubs(west)\naction average few && 1 || clubs(east)",
         ("line 2: 'and' binds before 'or': 'few && 1' is one side of it; write the parentheses")),
        ("\ncondition 15", "line 2: '15' is always true, whatever the deal"),
        ("few = 8\nspades(north) > few or few",
         "line 2: 'few' is always true, whatever the deal"),
        ("strong = hcp(west) > 9\nstrong > 10",
         "line 2: 'strong > 10' is never true: 'strong' is a condition, with the value 1 or 0"),
        ("(aces(west) == 1 || hascard(west, AS)) <= 1",
         ("line 1: '(aces(west) == 1 || hascard(west, AS)) <= 1' is always true: 'aces(west) == 1 "
          "|| hascard(west, AS)' is a condition, with the value 1 or 0")),
        ("pointcount", "line 1: pointcount has no points: every card counts 0"),
    ],
)  # fmt: skip
def test_what_others_swallow_is_warned_of(text: str, warning: str) -> None:
    assert parse_script(text).warnings == (warning,)


def test_some_statements_count_once_and_of_others_the_last_one() -> None:
    script = parse_script(
        "1 condition 0 produce 3 produce 4 generate 5 generate 6 seed 7 seed 8 dealer east "
        "dealer west vulnerable NS vulnerable all pointcount 4 pointcount 5 "
        "altcount 8 1 altcount 8 2 action printall action printew"
    )
    assert (script.condition, script.produce, script.generate) == (Number(0), 3, 5)
    assert (script.seed, script.actions) == (8, (PRINT_EW,))
    assert (script.dealer, script.vulnerable) == (Seat.WEST, Vulnerability.ALL)
    words = ("condition", "seed", "dealer", "vulnerable", "pointcount", "altcount 8", "action")
    assert {warning for warning in script.warnings if "manual" not in warning} == {
        *(f"line 1: a second {word}: the one in line 1 is ignored" for word in words),
        "line 1: a second produce is ignored: the one in line 1 applies",
        "line 1: a second generate is ignored: the one in line 1 applies",
    }


def test_what_dealer3_and_dealerv2_have() -> None:
    script = parse_script('title "Weak twos"; seed 3, predeal n SAK s HA; dealer W; produce 5;')
    assert (script.title, script.seed, script.dealer) == ("Weak twos", 3, Seat.WEST)
    assert [format_node(node) for node in script.predeal] == [
        *("hascard(north, AS)", "hascard(north, KS)", "hascard(south, AH)"),
    ]
    assert parse_script("predeal north S").warnings == (
        "line 1: 'S' deals no card beforehand; a void is dealt as in spades(north) == 0",
    )
    assert parse_expression("dds(north, 4) + tricks(north, 0)") == parse_expression(
        "tricks(north, notrump) + tricks(north, clubs)"
    )
    assert parse_expression("score(1, 63, 9) + score(0, 19, 9)") == parse_expression(
        "score(vul, x4SX, 9) + score(nv, x3N, 9)"
    )
    assert parse_expression("score(nv, z4Hxx, 9)") == parse_expression("score(nv, x4HXX, 9)")


def test_a_title_without_its_closing_quote_ends_with_its_line() -> None:
    script = parse_script('produce 5\n title "Weak twos\'\ntitle "Of 6"\naction average "n" 1\n')
    assert (script.produce, script.title, len(script.actions)) == (5, "Of 6", 1)
    first, _ = script.warnings
    assert first == 'line 2: the closing " is missing: the title ends with its line'
    assert parse_script('title "a\nb" produce 5').title == "a\nb"


ALTCOUNTS = {
    0: ("pt0 (tens)", "hcp"),
    1: ("pt1 (jacks)", "controls and losers"),
    2: ("pt2 (queens)", "pt0 (tens)"),
    4: ("pt4 (aces)", "pt2 (queens)"),
    8: ("pt8 (top5)", "pt6 (top3) and losers"),
    9: ("pt9 (c13)", "pt7 (top4)"),
}


@pytest.mark.parametrize("number", ALTCOUNTS)
def test_altcount_follows_the_manual(number: int) -> None:
    script = parse_script(f"altcount {number} 5 condition pt{number}(north)")
    assert script.condition == parse_expression(f"pt{number}(north)", altcount={number: [5]})
    here, there = ALTCOUNTS[number]
    reason = f"altcount {number} sets {here}, as the manual says"
    assert script.warnings == (f"line 1: {reason}; the classic dealer and Dealer3 set {there}",)


FAULTS = """
produce «x» → expected a number, not 'x'
dealer «noth» → expected a seat (north, east, south or west), not 'noth'; did you mean 'north'?
vulnerable «red» → vulnerable takes none, NS, EW or all, not 'red'
condition «opc(NS)» > 20 → opc, the optimal point count of Darricades, is a program beside \
DealerV2, DOP; write points, as in cccc(north) + cccc(south) or points(north, 9 6 4 2)
condition «parcontract(both)» > 20 → parcontract, the contract of the par score, is a text: it \
stands in printrpt or csvrpt, as in action printrpt(deal, parcontract(both))
condition «usereval(99, NS, clubs, 0)» > 20 → usereval calls a server of its own in DealerV2, the \
folder UserEval; in Python, pavcodec.constraints.expressions.condition makes a condition of any \
function
condition «ballanced» → no variable is called 'ballanced'; did you mean 'balanced'?
«hcp» = 5 → 'hcp' is a word of the language and cannot be a variable
«2x» = 5 → a variable does not start with a digit
predeal north«» → expected a holding, such as SAQ5, not the end
predeal north «AS» → \
a holding is the letter of a suit and its cards, such as SAQ5, not 'AS'; the suit comes first
predeal north «spades» 5 → a length is dealt as in spades(north) == 5, and cards as in north SAQ5
predeal north spades «==» 5 → \
expected a statement or ',', not '=='; a length is dealt as in spades(north) == 5
predeal spades(north) «>=» 5 → \
expected '==', not '>='; predeal takes a length; a range is a condition
predeal spades(north) == 5«,» hearts(north) == 4 → \
expected a statement, not ','; write no comma between lengths
predeal «N» = 3 → expected a seat (north, east, south or west) or a length, such as spades(north) \
== 5, not 'N'; did you mean 'north'?
predeal north«:» SAK → \
expected a holding, such as SAQ5, not ':'; cards are dealt as in predeal north SAK, HQ
predeal north SAK «HQ» → \
no variable is called 'HQ'; holdings are joined by commas, as in north SAQ5, HKJ
predeal north SA«X» → 'X' is no rank; expected one of AKQJT98765432
predeal north SAK, «south» SQ → 'south' is a seat: leave out the comma before it
predeal north SAK, S«K» → SK is dealt beforehand twice to North
predeal north SAK east SQ«K» → SK is dealt beforehand to North and to East
predeal north SAKQJT98765432, H«A» → North has 13 cards, not 14
predeal spades(north) == 9 hearts(north) == «5» → North has 13 cards, not 14
predeal spades(north) == «14» → North has 13 cards, not 14
predeal spades(north)==1 hearts(north)==1 diamonds(north)==1 clubs(north)==«1» → \
North has 13 cards, not 4
predeal spades(north) == 9 spades(west) == «5» → the suit of spades has 13 cards, not 14
predeal spades(north)==1 spades(east)==1 spades(south)==1 spades(west)==«1» → \
the suit of spades has 13 cards, not 4
predeal north SAK spades(north) == «1» → North is dealt 2 spades beforehand, more than 1
predeal spades(north)==5 spades(north)==«6» → spades(north) is 5 already
predeal north SA spades(north) == 5 «&&» 1 → \
expected a statement, not '&&'; after predeal, this is a length to deal, not a condition
altcount «10» 3 → altcount sets one of pt0 to pt9, not pt10
pointcount 1 2 3 4 5 6 7 8 9 1 2 3 4 «5» → there are 13 ranks
action «printal» → no action is called 'printal'; did you mean 'printall'?
action printall, «"text"» → write texts and numbers after printes
action printall,«,» → expected an action, not ','
action printall «printew» → \
'printew' is an action; actions follow the word action, with commas between
action frequency (1, 5, «4») → the highest value is not below the lowest, 5
action frequency (1, 0, 5, 1, 0, «1000») → at most 1000 values can be counted one by one
action frequency (1, 0, «100000») → at most 100000 values can be counted one by one
action printside(«north») → printside takes a side, NS or EW, here, not 'north'
action evalcontract(NS, «3N», vul) → evalcontract takes a contract, such as x4S, here, not '3N'
action evalcontract(«N», x3N, vul) → evalcontract takes a side, NS or EW, here, not 'N'
action evalcontract(NS, x3N, «none») → evalcontract takes vul or nv here, not 'none'
action export(«deal») → export takes a seat or a side, NS or EW, here, not 'deal'
action printrpt(trix(«ns»)) → trix takes a seat or deal here, not 'ns'
action printrpt(parcontract(«vul»)) → parcontract takes none, ns, ew or both here, not 'vul'
action printrpt(parcontract(ns, «ew»)) → parcontract takes none, ns, ew or both alone here, not 'ew'
action bktfreq (hcp(north), 1, 5, «0») → the size of a bucket is 1 or more
action bktfreq (hcp(north), 0, «1000000», 1) → at most 100000 values can be counted one by one
action frequency (1, 5«)» → expected ',', not ')'
"""


@pytest.mark.parametrize(("marked", "message"), pairs_of(FAULTS))
def test_faults_are_pointed_at(marked: str, message: str) -> None:
    before = "balanced = 1 # yes\n"
    assert_fault(parse_script, f"{before}{marked}", message)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('title "A and Scaled (div by 2"\ncondition 1 +', "line 2: expected an expression"),
        ('title "a hand ("\nproduce 5 )', "line 2: expected a statement, not ')'; it has no match"),
        ('title "the end (hcp("\nx = ', "line 2: expected an expression, not the end\n"),
        ("condition few\n\nfew = 8",
         "line 1: 'few' is defined in line 3, after its use: definitions come first\n"),
        ('title "few = 1"\ncondition few', "line 2: no variable is called 'few'"),
        ("balanced = balanced + 1", "no variable is called 'balanced'; balanced is shape(north"),
        ('action average "Few\n1\nfew = 8\naction average "n" few, average "m" 1',
         'line 1: the closing " is missing\n  action average "Few\n                 ^'),
        ('title "Few"\naction average "n', 'line 2: the closing " is missing'),
    ],
)  # fmt: skip
def test_texts_and_other_lines_do_not_mislead(text: str, fault: str) -> None:
    with pytest.raises(TextError) as caught:
        parse_script(text)
    assert f"{caught.value}\n".startswith(fault)


@pytest.mark.slow
def test_variables_may_be_built_on_variables_as_often_as_one_likes() -> None:
    lines = ["a0 = 1", *(f"a{n + 1} = a{n} + 1" for n in range(1200)), "a1200"]
    script = parse_script("\n".join(lines))
    assert script.condition is not None
    assert evaluate(script.condition, Layout(bytes([4]) * 52)) == 1201
    assert parse_expression(format_node(script.condition)) is script.condition
    assert pickle.loads(pickle.dumps(script)) == script
