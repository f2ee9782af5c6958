"""What other programs make of the language, compared with Debian's dealer where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from pavcodec import numbering, write_plain
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.functions import PROGRAMS
from pavcodec.constraints.language.parser import parse_script
from pavcodec.constraints.mixes.mixes import joined
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.constraints.scripts.check import CONSTRUCTS, Construct, check_script
from pavcodec.errors import TextError

DEALER = shutil.which("dealer", path="/usr/games") or shutil.which("dealer")
needs_dealer = pytest.mark.skipif(DEALER is None, reason="the classic dealer is not installed")

OF_ACTIONS = {
    *("evalcontract", "printns or printside", "csvrpt, printrpt or trix", "bktfreq or export"),
}
"""Constructs that say of actions whether there are any; their own tests tell what they print."""


def text_of(construct: Construct) -> str:
    """Return the example of a construct as a script."""
    more = " || ".join(["shape(north, 5xxx)"] * 31)
    end = "" if construct.name == "a comment that ends the file" else "\n"
    return construct.example.replace("…", more).replace(r"\n", "\n") + end


def is_read_by_dealer(text: str) -> bool:
    """Tell whether Debian's dealer parses a script, be it that it cannot run it."""
    assert DEALER is not None
    done = subprocess.run(
        [DEALER, "-s", "1", "-p", "1", "-g", "1"],
        input=text.encode(),
        capture_output=True,
        check=False,
    )
    return not done.stderr.startswith(b"line ")


def is_read_here(text: str) -> bool:
    try:
        parse_script(text)
    except TextError:
        return False
    return True


@pytest.mark.parametrize("construct", CONSTRUCTS.values(), ids=lambda each: each.name)
def test_the_examples_of_the_table_are_read(construct: Construct) -> None:
    if construct.name not in OF_ACTIONS:
        assert is_read_here(text_of(construct)) is not construct.is_refused
    assert set(construct.readings) <= set(PROGRAMS)


@pytest.mark.parametrize(
    "construct",
    [each for each in CONSTRUCTS.values() if not each.is_refused and each.name not in OF_ACTIONS],
    ids=lambda each: each.name,
)
def test_check_finds_the_examples_of_the_table(construct: Construct) -> None:
    for program in PROGRAMS:
        found = [f for f in check_script(text_of(construct), [program]) if f.construct]
        tells = construct.refused_by(program) or bool(construct.differs_in(program))
        assert (construct.name in {each.construct for each in found}) is tells
        assert all(each.programs == (program,) for each in found)


@needs_dealer
@pytest.mark.parametrize("construct", CONSTRUCTS.values(), ids=lambda each: each.name)
def test_the_classic_dealer_reads_what_the_table_says(construct: Construct) -> None:
    assert is_read_by_dealer(text_of(construct)) is not construct.refused_by("dealer")


BOTH_READ = r"""
A = hcp(north) A
All = 1  Hcp = hcp(north)  nS = 1  eW = 2  Condition = 1  Average = 1  Rnd = 1  condition nS
North = 1  Spades = 2  Any = 3  Vul = 4  NV = 5  C13 = 6  And = 7  Ns = 8  North
x = 1  X = 2  seed = 1  points = 1  mix = 1  holding = 1  title = 1  orx = 1  notNT = 1  x_y = 1
averageHCP = 1  anyone = 2  condition1 = 3  spadesN = 4  printer = 5  actions = 6
opc = 1  ltc = 1  dds = 1  export = 1  usereval = 1  deal = 1  trix = 1  par = 1
1 and 0 or 1
not not 1
1&&!0||0
hcp(north)>=0and hcp(south)>=0
12or 0
1 ? 0 ? 3 : 2 : 1
0 ? 1 : 0 ? 2 : 3
2 * -1 == 2 - -1
hcp ( north ) >= 0
hcps(north) >= hcp(north, spade)
spade(north) + heart(north) + diamond(north) + club(north)
control(north) >= controls(north, clubs)
loser(north) <= losers(north, hearts)
ten(north) jack(north) queen(north) king(north) ace(north)
pt0(north) + pt9(south, spades) + top2(east) + top5(west, clubs) + c13(north)
quality(north, spades) >= cccc(north)
imp(30) == imps(30)
score(vul, x3N, 9) + score(nv, x7C, 13)
rnd(10) >= 0
hascard(north, AS) && hascard(south, 2C)
shape(north, any 4333 + 5xxx - any 5332)
shape(north, 5xxx 4xxx, x5xx)
shape(north, +5xxx + 4xxx)
shape(north,any 5422-5xxx-x5xx -4xxx)
shape(north, xxxx)
hcp(north) >= 12 hcp(north) >= 15
condition 1 condition 0
produce 3 produce 4 generate 5
generate 5 produce 3
dealer south dealer north
vulnerable ns vulnerable NS vulnerable ew vulnerable EW vulnerable all vulnerable none
pointcount 6 4 2 1
pointcount
pointcount -1 -2
pointcount 1 2 3 4 5 6 7 8 9 10 11 12 13
altcount 1 4 3 2 1
altcount 9
predeal north SA, HKQ south D2 spades(west)==3 hearts(west)==4
predeal north S
predeal north SAKQJT98765432
action
action printall,
action printall, printew, printpbn, printcompact, printoneline,
action printall, hcp(north) >= 0
action printall, fit = 8 condition fit
action printall, dealer south
action printoneline fit = 1
action action printall
action print(north), print(north, south)
action printes("a", hcp(north), \n)
action printcompact(hcp(north)), printoneline(1)
action average "x" hcp(north), average hcp(south)
action frequency "x" (hcp(north), 0, 37), frequency (hcp(south), -3, 5)
action frequency "x" (hcp(north), 0, 9, hcp(south), 0, 9)
1 // don't "quote
1 /* don't "quote */
1 /* a /* b */
1 /** a **/
1 /**/
1 /* <EOF> */
1 2 3
(1) && (((2)))
"""
BOTH_REFUSE = r"""
hcp(
hcp(north
hcp(north) >
hcp(north) = 12
hcp(north) => 12
hcp(north) <> 12
1 & 1
1 | 1
1 $ 1
and
and = 1
ns = 1
rnd = 1
notrump = 1
c13 = 1
hcps = 1
any = 1
b = a
b = a  a = 1
top1(north)
pt10(north)
hcp(spades)
hcp(north, notrump)
hcp(north + south)
cccc(north, spades)
quality(north)
shape(north)
shape(north, )
shape(north, 5433)
shape(north, 5332 +)
shape(north, any any 5332)
shape(north, any5332)
shape(north, 7xxx + 77xx)
hascard(north, XS)
score(red, x3N, 9)
produce
produce x
generate
dealer
dealer x
vulnerable
vulnerable red
vulnerable vul
pointcount 1 2 3 4 5 6 7 8 9 10 11 12 13 14
altcount
predeal
predeal north
predeal north AS
predeal north SA HK
predeal north SA, SA
predeal north SA south SA
predeal north SA, south HA
predeal spades(north)==14
predeal spades(north)==7 spades(south)==7
predeal spades(north)>=5
predeal spades(north)==3, hearts(north)==3
action ,printall
action printall,,
action printall printew
action printes()
action average "a", hcp(north)
action average
action frequency (hcp(north), 0)
action print north
action print(1)
condition
a = "x"
1 /* open
1 + "open
a.b = 1
a' = 1
"""


@needs_dealer
@pytest.mark.parametrize("text", BOTH_READ.strip().split("\n"))
def test_what_the_classic_dealer_reads_is_read(text: str) -> None:
    assert is_read_by_dealer(f"{text}\n")
    assert is_read_here(f"{text}\n")


@needs_dealer
@pytest.mark.parametrize("text", BOTH_REFUSE.strip().split("\n"))
def test_what_the_classic_dealer_refuses_is_refused(text: str) -> None:
    assert not is_read_by_dealer(f"{text}\n")
    assert not is_read_here(f"{text}\n")


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
"""What the classic dealer takes for these, none of which is read here."""


@needs_dealer
@pytest.mark.parametrize("text", READ_ELSEWHERE)
def test_what_the_classic_dealer_reads_and_should_not(text: str) -> None:
    assert is_read_by_dealer(f"{text}\n")
    assert not is_read_here(f"{text}\n")


@pytest.mark.slow
@needs_dealer
@pytest.mark.parametrize(
    "path", sorted(Path("/usr/share/doc/dealer/examples").glob("Descr.*")), ids=lambda p: p.suffix
)
def test_its_own_scripts_are_read(path: Path) -> None:
    text = path.read_text(encoding="latin-1")
    assert is_read_here(text)
    assert not [f for f in check_script(text, ["dealer"]) if f.kind in ("error", "refused")]


@pytest.mark.parametrize(
    "text",
    [
        "condition hcp(north) > 12\r\naction printall,\r\n# end\r\n",
        "\tcondition\thcp(north)\t> 12\n",
        "\ufeffcondition hcp(north) > 12",
        "condition hcp(north) > 12 # a \"quote and don't",
        "condition hcp(north) /* // # */ > 12 // /* \n",
        "condition hcp(north) > 12\naction\n# nothing\n",
        "condition hcp(north) > 12 action ,",
        "condition hcp(north) > 12; produce 5;",
        "produce 5, condition hcp(north) > 12",
        "action printall,\nhcp(north) > 12",
        "action printall,\n// so\nhcp(north) > 12\nproduce 3",
        "dealer N condition hcp(n) > 12",
        "HCP(North) > 12",
        "points = hcp(north) condition points > 12",
        "holding = hcp(north) (holding) > 12",
        'title "Any" opener south startboard 9 hcp(north) > 12',
        "Hcp = hcp(north) North = Hcp condition North > 12",
    ],
)
def test_layouts_and_words_of_every_program(text: str) -> None:
    assert parse_script(text).condition == parse_script("hcp(north) > 12").condition


@pytest.mark.parametrize(
    ("number", "is_too_large"),
    [
        ("2147483646", False),
        ("2147483647", False),
        ("2147483648", True),
        ("3000000000", True),
        ("10000000000", True),
        ("02147483647", False),
        ("0000000000", False),
        ("9" * 5000, True),  # more digits than Python reads
    ],
)
def test_numbers_above_32_bits_are_named(number: str, *, is_too_large: bool) -> None:
    findings = check_script(f"hcp(north) == {number}")
    assert is_too_large == any("above 2147483647" in found.message for found in findings)


WITHOUT_EQUAL = {
    *("a number above 2147483647", "mix", "weight", "a numbered draw", "more than 31 shapes"),
    *("a contract that is doubled, or with z", "bktfreq or export"),
    *("a draw that a variable carries to several places", "evalcontract", "printns or printside"),
    *("printcompact or printoneline before an expression", "csvrpt, printrpt or trix"),
    *("a number with decimals", "a decimal beside an integer", "par", "parcontract"),
    "a decimal of more than two digits before or after the point",
}
READ_HERE = [each for each in CONSTRUCTS.values() if not each.is_refused]


def condition_of(text: str) -> Node:
    """The condition of a script, with what is dealt beforehand."""
    script = parse_script(text)
    return joined(*script.predeal, *([script.condition] if script.condition else []))


@pytest.mark.parametrize("construct", READ_HERE, ids=lambda each: each.name)
def test_each_construct_has_an_equal_or_is_refused_by_name(construct: Construct) -> None:
    text = text_of(construct)
    if construct.name in WITHOUT_EQUAL:
        with pytest.raises(TextError, match="no equal in the classic dealer"):
            write_plain(text)
        return
    plain = write_plain(text)
    found = {each.construct for each in check_script(plain.text, ["bbo", "dealer"])}
    assert found - {None, "imps"} == set()
    kept = parse_script(plain.text)
    assert (kept.produce, kept.dealer) == (parse_script(text).produce, parse_script(text).dealer)
    for deal in numbering("deal").sample(20, seed=1):
        values = (evaluate(condition_of(each), deal) for each in (text, plain.text))
        assert len(set(values)) == 1


@needs_dealer
@pytest.mark.parametrize("construct", READ_HERE, ids=lambda each: each.name)
def test_the_classic_program_reads_what_is_written(construct: Construct) -> None:
    if construct.name not in WITHOUT_EQUAL:
        assert is_read_by_dealer(write_plain(text_of(construct)).text)
