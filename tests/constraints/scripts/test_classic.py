"""The classic program, Debian's dealer: the same deals in, the same values, truths and lines out.

Scripts are those of fixtures/collection and those that come with the program.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest
from classic_support import RefusedError, deal_of, is_read, needs_classic, printed, run, values
from oracles import FIXTURES

import pavcodec as pav
from pavcodec import Deal, TextError
from pavcodec.constraints.evaluation import Evaluation, evaluate
from pavcodec.constraints.language.parser import parse_expression, parse_script
from pavcodec.constraints.language.script import Script
from pavcodec.constraints.nodes.syntax import Number
from pavcodec.constraints.scripts.report import run_actions

SEATS = ["north", "east", "south", "west"]
SUITS = ["spade", "heart", "diamond", "club"]
COUNTS = [
    *("hcp", "control", "loser", "ten", "jack", "queen", "king", "ace"),
    *("top2", "top3", "top4", "top5", "c13", *(f"pt{number}" for number in range(10))),
]
SHAPES = [
    *("any 4333 + any 4432 + any 5332", "5xxx - any 5332", "any xxx4", "xxxx - any 4333"),
    *("any 4333, any 4432 5332 + xxx5 - 5xxx", "4333 - 4333", "any 43xx", "xx6x+xx7x"),
    *("any 55xx", "xxxx-any 0xxx -any 1xxx", "any 7xxx,any 8xxx", "9xxx - 94xx + any 11xx", "x4x4"),
    *("any 5xx0", "3xxx 4xxx - any 4441 + 4441", "any 6322", "any 22xx - any 6322", "x0xx+0xxx"),
]


def rows_of(deals: list[Deal]) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """The owners of deals, a row each."""
    return np.frombuffer(b"".join(deal.owners for deal in deals), np.uint8).reshape(-1, 52)


def assert_same(texts: list[str], deals: int = 60) -> None:
    """Compare the values of expressions for the deals of the classic program."""
    dealt = values("", [f"({text})" for text in texts], deals=deals)
    owners = rows_of(dealt.deals)
    for text, theirs in zip(texts, zip(*dealt.values, strict=True), strict=True):
        node = parse_expression(text)
        assert [evaluate(node, deal) for deal in dealt.deals] == list(theirs), text
        assert pav.expression(node).values(owners).tolist() == list(theirs), text


@pytest.mark.slow
@needs_classic
@pytest.mark.parametrize("seat", SEATS)
def test_every_function_of_a_seat(seat: str) -> None:
    """In all suits and in each, one by one, so that a wrong table cannot hide behind chance."""
    suits = ("", *(f", {suit}" for suit in SUITS))
    counts = [f"{name}({seat}{suit})" for name in COUNTS for suit in suits]
    lengths = [f"{suit}({seat})" for suit in SUITS]
    worths = [f"quality({seat}, {suit})" for suit in SUITS]
    cards = [f"hascard({seat}, {rank}{suit})" for suit in "SHDC" for rank in "AKQJT98765432"]
    shapes = [f"shape({seat}, {shapes})" for shapes in SHAPES]
    assert_same([*counts, *lengths, *worths, *cards, *shapes, f"cccc({seat})"])


PRECEDENCE = """\
1 ? 0 ? 3 : 2 : 1;0 ? 3 : 1 ? 2 : 1;1 ? 1 ? 4 : 3 : 0 ? 2 : 1;1 || 0 ? 1 : 0;1 ? 0 : 1 || 1
0 && 0 || 1;1 || 0 && 0;0 or 0 or 1 and 0 and 0;2 == 2 && 1;1 && 2 != 1;5 && 7;0 || 9
4 > 3 == 1;1 < 1 == 0;0 == 0 < 0;1 + 0 < 1;1 > 0 + 1;1 - 1 + 1;10 - 3 - 2;3 * 3 % 2;3 % 2 * 2
4 / 4 % 3;12 / 5 / 2;2 * 7 % 4;1 + 2 * 3;3 * 2 + 1;!0 * 2;2 * !0;!5;!!3;not not 7;not 0 == 1
!hcp(north) == 0;not hcp(north) > 3;!-3;-1 - 2;2 - -1;2--1;3*-2;-3 * -2;1 <-3;-7 / 2;7 / -2
-7 / -2;-7 % 3;7 % -3;-7 % -3;-1 ? 2 : 3;1 ? -2 : 3;0 ? 2 : -3;010;1 or 1 == 0;1 && 2 > 1 || 0
spades(north) >= hearts(north) ? 1 : 0 + 5;spades(north) + 1 ? 2 : 3;(1 ? 2 : 3) + 1"""


@needs_classic
def test_precedence_and_signs() -> None:
    """Each line also of what the programs of the time got wrong: division and remainder below 0."""
    assert_same(PRECEDENCE.replace("\n", ";").split(";"), deals=200)


BOTH_READ = r"""
All = 1  Hcp = hcp(north)  nS = 1  eW = 2  Condition = 1  Average = 1  Rnd = 1  condition nS
A1 = 1  N = 1  s = 2  cN = 3  CD = 4  S2H = 5  rHS = 6  both = 7  pt = 8  x8N = 9  deal = 1
North = 1  Spades = 2  Any = 3  Vul = 4  NV = 5  C13 = 6  And = 7  Ns = 8  North
x = 1  X = 2  seed = 1  points = 1  mix = 1  holding = 1  title = 1  orx = 1  notNT = 1  x_y = 1
averageHCP = 1  anyone = 2  condition1 = 3  spadesN = 4  printer = 5  actions = 6
opc = 1  ltc = 1  dds = 1  export = 1  usereval = 1  deal = 1  trix = 1  par = 1 ¦ not not 1
hcp(north)>=0and hcp(south)>=0 ¦ 12or 0 ¦ ten(north) jack(north) queen(north) king(north) ace(north)
rnd(10) >= 0 ¦ shape(north, 5xxx 4xxx, x5xx) ¦ shape(north, +5xxx + 4xxx)
shape(north,any 5422-5xxx-x5xx -4xxx) ¦ produce 3 produce 4 generate 5 ¦ generate 5 produce 3
dealer south dealer north
vulnerable ns vulnerable NS vulnerable ew vulnerable EW vulnerable all vulnerable none ¦ pointcount
pointcount -1 -2 ¦ pointcount 1 2 3 4 5 6 7 8 9 10 11 12 13 ¦ altcount 9
predeal north SA, HKQ south D2 spades(west)==3 hearts(west)==4 ¦ predeal north S ¦ action
action printall, ¦ action printall, printew, printpbn, printcompact, printoneline,
action printall, hcp(north) >= 0 ¦ action printall, fit = 8 condition fit
action printall, dealer south ¦ action printoneline fit = 1 ¦ action action printall
action printes("a", hcp(north), \n) ¦ action printcompact(hcp(north)), printoneline(1)
action frequency "x" (hcp(north), 0, 37), frequency (hcp(south), -3, 5)
action frequency "x" (hcp(north), 0, 9, hcp(south), 0, 9) ¦ 1 // don't "quote ¦ 1 /* don't "quote */
1 /** a **/ ¦ 1 /**/ ¦ 1 /* <EOF> */ ¦ 1 2 3
"""
"""Scripts with a bar between; so are those below."""
BOTH_REFUSE = r"""
hcp(north ¦ hcp(north) > ¦ and ¦ and = 1 ¦ ns = 1 ¦ rnd = 1 ¦ notrump = 1 ¦ c13 = 1 ¦ hcps = 1
any = 1 ¦ b = a  a = 1 ¦ pt10(north) ¦ hcp(north, notrump) ¦ hcp(north + south)
cccc(north, spades) ¦ shape(north) ¦ shape(north, 5332 +) ¦ shape(north, any any 5332)
shape(north, any5332) ¦ shape(north, 7xxx + 77xx) ¦ produce ¦ generate ¦ dealer ¦ vulnerable
vulnerable vul ¦ altcount ¦ predeal ¦ predeal north SA HK ¦ predeal north SA, south HA
predeal spades(north)==7 spades(south)==7 ¦ action ,printall ¦ action printes()
action average "a", hcp(north) ¦ action average ¦ action print north ¦ action print(1) ¦ condition
a = "x" ¦ a.b = 1 ¦ a' = 1
"""


READ_ELSEWHERE = {
    "altcount 10 1": "a row that has no name: there are pt0 to pt9",
    "altcount -1 1": "no row at all",
    "produce -1": "fewer deals than none",
    "1a = 2": "1 for a condition, and then a variable a",
    "shape(north, -5xxx) || 1": "nothing, less something",
    "predeal spades(north)==2 hearts(north)==2 diamonds(north)==2 clubs(north)==2":
        "a hand of eight cards, which is then dealt with thirteen",
    "predeal north SAKQJ spades(north)==3": "a length that the cards belie",
    "hcp(north) >= 0 é": "the end of the script, where the sign stands",
}  # fmt: skip
"""What the classic program takes for these, none of which is read here."""


def scripts_of(block: str) -> list[str]:
    return [text for line in block.strip().split("\n") for text in line.split(" ¦ ")]


def is_read_here(text: str) -> bool:
    try:
        parse_script(text)
    except TextError:
        return False
    return True


def test_what_is_read_and_refused_here() -> None:
    read, refused = scripts_of(BOTH_READ), scripts_of(BOTH_REFUSE)
    assert [text for text in read if not is_read_here(f"{text}\n")] == []
    assert [text for text in [*refused, *READ_ELSEWHERE] if is_read_here(f"{text}\n")] == []


@needs_classic
def test_what_the_classic_program_reads_and_refuses() -> None:
    read, refused = scripts_of(BOTH_READ), scripts_of(BOTH_REFUSE)
    assert [text for text in [*read, *READ_ELSEWHERE] if not is_read(f"{text}\n")] == []
    assert [text for text in refused if is_read(f"{text}\n")] == []


def deals_of(script: str, deals: int) -> list[Deal]:
    """The deals of a script."""
    listing = run(f"{script}\naction printoneline\n", deals=deals)
    return [deal_of(line) for line in listing.splitlines()]


def ours(script: Script, deals: list[Deal]) -> str:
    """What the actions of a script print of some deals here."""
    actions, out = script.actions or parse_script("action printall").actions, io.StringIO()
    of_script = {"dealer": script.dealer, "vulnerable": script.vulnerable}
    run_actions(actions, map(Evaluation, deals), out, **of_script)  # type: ignore[arg-type]
    return out.getvalue()


SCRIPTS = sorted((FIXTURES / "collection").glob("*.dlr"))
EXAMPLES = sorted(Path("/usr/share/doc/dealer/examples").glob("Descr.*"))
"""The scripts that come with the classic program, where it is installed."""
OTHERS = {
    "07-own-counts": "altcount sets another count there than its manual says",
    "17-comments": "'#' starts a comment there only at the start of a line",
    "39-reports": "written for DealerV2",
    "40-shape-classes": "written for DealerV2",
    "Descr.test_operator_order": "tests what a chain of comparisons is there",
}
"""The scripts that are not for the classic program, or mean something else there, and why."""
CHANCE = {"14-chance", "37-generated-leveling"}
"""The scripts with rnd, whose numbers are drawn by each program in its own way."""
COMPARED = [path for path in [*SCRIPTS, *EXAMPLES] if path.stem not in {*OTHERS, *CHANCE}]


def text_of(path: Path) -> str:
    """A script, with the ends of its lines as they are."""
    return path.read_bytes().decode("latin-1" if path in EXAMPLES else "utf-8")


def without_head(text: str) -> str:
    """PBN without what names the program and the day, and what is unknown."""
    tags = "Event|Site|Date|Result|Contract|Declarer"
    return re.sub(rf"^\[({tags}) .*\n", "", text, flags=re.MULTILINE)


@pytest.mark.slow
@needs_classic
@pytest.mark.parametrize("path", COMPARED, ids=lambda path: path.stem)
def test_scripts_hold_and_print_the_same(path: Path) -> None:
    text, deals = text_of(path), 3000
    script, every = parse_script(text), deals_of(f"{text}\ncondition 1", deals)
    condition = script.condition or Number(1)
    fits = pav.expression(condition).values(rows_of(every)) != 0
    kept = [deal for deal, fit in zip(every, fits.tolist(), strict=True) if fit]
    assert kept == deals_of(text, deals)
    if kept:
        assert without_head(ours(script, kept)) == without_head(printed(text, deals=deals))


@needs_classic
def test_the_others_are_not_for_the_classic_program() -> None:
    for name in ("17-comments", "39-reports", "40-shape-classes"):
        with pytest.raises(RefusedError):
            run(text_of(FIXTURES / "collection" / f"{name}.dlr"), deals=1)
    own = text_of(FIXTURES / "collection" / "07-own-counts.dlr")
    there, plain = (values(text, ["pt2(north)", "pt4(north)"], deals=50) for text in (own, ""))
    assert [row[1] for row in there.values] == [row[1] for row in plain.values]  # pt4 is as it was
    assert [row[0] for row in there.values] != [row[0] for row in plain.values]  # pt2 is not
