"""What the classic program makes of an expression, against what the language says it means.

The expressions are drawn from a fixed seed: every function, every operator, parentheses only where
chance puts them, singular and plural, blanks and comments between the words.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from classic_support import deal_of, needs_classic, run, values

import pavcodec as pav
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.language.actions import Hands, Print
from pavcodec.constraints.language.parser import parse_expression, parse_script

pytestmark = needs_classic

SEATS = ["north", "east", "south", "west"]
SUITS = ["spade", "heart", "diamond", "club"]
COUNTS = [
    *("hcp", "control", "loser", "ten", "jack", "queen", "king", "ace"),
    *("top2", "top3", "top4", "top5", "c13", *(f"pt{number}" for number in range(10))),
]
NO_PLURAL = ("top", "c13", "pt")
SHAPES = [
    *("any 4333 + any 4432 + any 5332", "5xxx - any 5332", "any xxx4", "xxxx - any 4333"),
    *("any 4333, any 4432 5332 + xxx5 - 5xxx", "4333 - 4333", "any 43xx", "xx6x+xx7x"),
    *("any 55xx", "xxxx-any 0xxx -any 1xxx", "any 7xxx,any 8xxx", "9xxx - 94xx + any 11xx", "x4x4"),
    *("any 5xx0", "3xxx 4xxx - any 4441 + 4441", "any 6322", "any 22xx - any 6322", "x0xx+0xxx"),
]
SHAPES_IN_A_SCRIPT = 30
"""The classic program has 32, and stops after them."""
BLANKS = [" "] * 12 + ["\n", "\t", "  ", " /* a note */ ", " // a note\n", "\n# a note\n"]


class Writer:
    """Writes expressions as people write them, with parentheses only here and there."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.shapes = 0

    def blank(self) -> str:
        return self.random.choice(BLANKS)

    def seat(self) -> str:
        return self.random.choice(SEATS)

    def word(self, word: str) -> str:
        plural = not word.startswith(NO_PLURAL) and self.random.random() < 0.5
        return word + "s" if plural else word

    def call(self, name: str, *arguments: str) -> str:
        gap = self.random.choice(["", "", " "])
        return f"{name}{gap}({gap}{f'{gap},{gap}'.join(arguments)}{gap})"

    def leaf(self) -> str:  # noqa: PLR0911 (one for each kind)
        choose = self.random.choice
        kind = choose(
            ["length"] * 3 + ["count"] * 4 + ["quality", "cccc", "shape", "card", "number"]
        )
        if kind == "shape" and self.shapes < SHAPES_IN_A_SCRIPT:
            self.shapes += 1
            return self.call("shape", self.seat(), choose(SHAPES))
        if kind == "length":
            return self.call(self.word(choose(SUITS)), self.seat())
        if kind == "count":
            suit = [self.word(choose(SUITS))] if self.random.random() < 0.5 else []
            return self.call(self.word(choose(COUNTS)), self.seat(), *suit)
        if kind == "quality":
            return self.call("quality", self.seat(), self.word(choose(SUITS)))
        if kind == "cccc":
            return self.call("cccc", self.seat())
        if kind == "card":
            return self.call("hascard", self.seat(), choose("AKQJT98765432") + choose("SHDC"))
        return str(self.random.randrange(25))

    def divisor(self) -> str:
        """A number that is 0 for no deal."""
        return self.random.choice(["2", "3", "-3", "7", f"({self.word('spade')}({self.seat()})+1)"])

    def of_a_number(self, depth: int) -> str:
        inner = self.expression(depth - 1)
        if self.random.random() < 0.5:
            return self.call(self.word("imp"), f"({inner}) % 12 * 30")
        contract = f"x{self.random.randint(1, 7)}{self.random.choice('CDHSN')}"
        return self.call("score", self.random.choice(["vul", "nv"]), contract, inner)

    def joined(self, *words: str) -> str:
        """Words with something between them, for `and`, `or` and `not` need it."""
        return "".join(f"{word}{self.blank()}" for word in words[:-1]) + words[-1]

    def expression(self, depth: int) -> str:
        """An expression of at most so many levels."""
        choose, chance = self.random.choice, self.random.random()
        if depth == 0 or chance < 0.1:
            return self.leaf()
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        if chance < 0.25:
            text = self.joined(left, choose(["&&", "and", "||", "or"]), right)
        elif chance < 0.42:
            text = self.joined(left, choose(["==", "!=", "<", "<=", ">", ">="]), right)
        elif chance < 0.58:
            text = self.joined(left, choose("+-"), right)
        elif chance < 0.66:
            text = self.joined(left, "*", str(self.random.randint(-3, 3)))
        elif chance < 0.74:
            text = self.joined(left, choose("/%"), self.divisor())
        elif chance < 0.82:
            text = self.joined(choose(["!", "not"]), f"({right})" if chance < 0.78 else self.leaf())
        elif chance < 0.94:
            text = self.joined(left, "?", right, ":", self.expression(depth - 1))
        else:
            text = self.of_a_number(depth)
        return f"({text})" if self.random.random() < 0.35 else text


def without_chains(writer: Writer, depth: int) -> str:
    """An expression without a chain such as a < b < c, which means something else there."""
    while True:
        warnings: list[str] = []
        text = writer.expression(depth)
        parse_expression(text, warn=warnings.append)
        if not any("classic dealer reads it" in warning for warning in warnings):
            return text


def assert_same(texts: list[str], statements: str = "", *, deals: int = 60, seed: int = 1) -> None:
    """Compare the values of expressions for the deals of the classic program."""
    dealt = values(statements, [f"({text})" for text in texts], deals=deals, seed=seed)
    owners = np.frombuffer(b"".join(deal.owners for deal in dealt.deals), np.uint8).reshape(-1, 52)
    for text, theirs in zip(texts, zip(*dealt.values, strict=True), strict=True):
        node = parse_expression(text)
        assert [evaluate(node, deal) for deal in dealt.deals] == list(theirs), text
        assert pav.expression(node).values(owners).tolist() == list(theirs), text


def random_texts(seed: int) -> list[str]:
    """Ten expressions, from a leaf to five levels."""
    writer = Writer(seed)
    return [without_chains(writer, depth) for depth in (0, 1, 1, 2, 2, 2, 3, 3, 4, 5)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_random_expressions(seed: int) -> None:
    assert_same(random_texts(seed), seed=seed + 100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1100))
def test_more_random_expressions(seed: int) -> None:
    assert_same(random_texts(seed), seed=seed)


@pytest.mark.slow
def test_every_count_of_every_seat() -> None:
    """In all suits and in each, one by one, so that a wrong table cannot hide behind chance."""
    for seat in SEATS:
        counts = [
            f"{name}({seat}{suit})" for name in COUNTS for suit in ("", *(f", {s}" for s in SUITS))
        ]
        lengths = [f"{suit}({seat})" for suit in SUITS]
        worths = [f"quality({seat}, {suit})" for suit in SUITS]
        assert_same([*counts, *lengths, *worths, f"cccc({seat})"], deals=60)


@pytest.mark.slow
def test_every_list_of_shapes() -> None:
    assert_same([f"shape(north, {shapes})" for shapes in SHAPES], deals=600)


def test_every_card() -> None:
    cards = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"]
    assert_same([f"hascard({seat}, {card})" for seat in SEATS for card in cards], deals=20)


PRECEDENCE = """\
1 ? 0 ? 3 : 2 : 1;0 ? 3 : 1 ? 2 : 1;1 ? 1 ? 4 : 3 : 0 ? 2 : 1;1 || 0 ? 1 : 0;1 ? 0 : 1 || 1
0 && 0 || 1;1 || 0 && 0;0 or 0 or 1 and 0 and 0;2 == 2 && 1;1 && 2 != 1;5 && 7;0 || 9
4 > 3 == 1;1 < 1 == 0;0 == 0 < 0;1 + 0 < 1;1 > 0 + 1;1 - 1 + 1;10 - 3 - 2;3 * 3 % 2;3 % 2 * 2
4 / 4 % 3;12 / 5 / 2;2 * 7 % 4;1 + 2 * 3;3 * 2 + 1;!0 * 2;2 * !0;!5;!!3;not not 7;not 0 == 1
!hcp(north) == 0;not hcp(north) > 3;!-3;-1 - 2;2 - -1;2--1;3*-2;-3 * -2;1 <-3;-7 / 2;7 / -2
-7 / -2;-7 % 3;7 % -3;-7 % -3;-1 ? 2 : 3;1 ? -2 : 3;0 ? 2 : -3;010;1 or 1 == 0;1 && 2 > 1 || 0
spades(north) >= hearts(north) ? 1 : 0 + 5;spades(north) + 1 ? 2 : 3;(1 ? 2 : 3) + 1"""


@pytest.mark.slow
def test_precedence_and_signs() -> None:
    """Each line also of what the programs of the time got wrong: division and remainder below 0."""
    assert_same(PRECEDENCE.replace("\n", ";").split(";"), deals=200)


CHAINS = ["1 < 2 < 3", "3 > 2 > 1", "1 < hcp(north) <= 9", "2 == 2 == 2", "1 != 2 != 1"]


def test_chains_mean_something_else_there() -> None:
    """The one place where the same text has another value here; it gives a warning."""
    dealt = values("", CHAINS, deals=100)
    for text, theirs in zip(CHAINS, zip(*dealt.values, strict=True), strict=True):
        first, sign, second, other, third = text.split()
        grouped = parse_expression(f"({first} {sign} {second}) {other} {third}")
        joined = parse_expression(f"{first} {sign} {second} && {second} {other} {third}")
        assert [evaluate(grouped, deal) for deal in dealt.deals] == list(theirs), text
        assert parse_expression(text) == joined


def assert_of_numbers(texts: list[str], but: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    """Compare expressions that are the same for every deal."""
    for start in range(0, len(texts), 200):
        some = texts[start : start + 200]
        dealt = values("", some, deals=1)
        ours = [evaluate(parse_expression(text), dealt.deals[0]) for text in some]
        different = {
            text
            for text, one, other in zip(some, ours, dealt.values[0], strict=True)
            if one != other
        }
        assert different == but & set(some)


@pytest.mark.slow
def test_every_score() -> None:
    assert_of_numbers(
        [
            f"score({vulnerable}, x{level}{strain}, {tricks})"
            for vulnerable in ("vul", "nv")
            for level in range(1, 8)
            for strain in "CDHSN"
            for tricks in range(14)
        ]
    )


@pytest.mark.slow
def test_imps_of_every_difference() -> None:
    """The classic table ends two rows early: 410 and 1190, where the law has 420 and 1290."""
    points = sorted({*range(0, 4600, 10), *range(409, 423), *range(1189, 1293)})
    differences = [sign * difference for difference in points for sign in (1, -1)]
    odd = {sign * each for each in (*range(411, 421), *range(1191, 1291)) for sign in (1, -1)}
    assert_of_numbers(
        [f"imps({each + 5000} - 5000)" for each in differences],
        {f"imps({each + 5000} - 5000)" for each in odd},
    )


WORTHS = ["7 5 3 2 1", "1 1 1 1 1", "0 0 0 0 0 1 1 1 1 1 1 1 1", "-4 -3 -2 -1", "13"]


@pytest.mark.parametrize("worths", WORTHS)
def test_pointcount(worths: str) -> None:
    statement = f"pointcount {worths}"
    names = [f"hcp({seat}{suit})" for seat in SEATS for suit in ("", *(f", {s}" for s in SUITS))]
    unchanged = [
        "c13(north)",
        "controls(east)",
        "cccc(south)",
        "quality(west, hearts)",
        "pt4(north)",
    ]
    points = [int(word) for word in worths.split()]
    dealt = values(statement, names, deals=50)
    for name, theirs in zip(names, zip(*dealt.values, strict=True), strict=True):
        node = parse_expression(name, pointcount=points)
        assert [evaluate(node, deal) for deal in dealt.deals] == list(theirs), name
    kept = values(statement, unchanged, deals=50)
    assert kept.values == values("", unchanged, deals=50).values


NAMES = """\
a_b a1 A_ x x1 A K Q J T N E W s h d c n e w nS eW cN dN hN sN CD DH CS S2H A1 K2 T9 Ns Ew rHS P1
All Hcp North Spades Spade Ace Kings Queens Jack None Any ANY ALL And Or OR Not NT IMP Vul NV Rnd
HCP SPADES NOTRUMP Notrump TRICKS Shape Losers Condition Action Produce Dealer Predeal Average lp1
both len pt x55 seed title dds par ltc mix points min max c13s averages opc x8N deal trix export
"""


@pytest.mark.parametrize("name", NAMES.split())
def test_names_of_variables(name: str) -> None:
    """What is a name there is one here; what is a word of the language is written exactly."""
    script = f'{name} = hcp(north)\ncondition {name} > 3\naction printes({name}, " ")\n'
    assert len(run(script, deals=3).split()) <= 3
    assert parse_script(script).condition == parse_expression("hcp(north) > 3")


def test_an_expression_after_printoneline_is_a_condition_there() -> None:
    """The manual says it is printed, and so it is here; the program takes it for a statement."""
    script = "action printoneline hcp(north) > 20\n"
    lines = run(script, deals=2000).splitlines()
    assert 0 < len(lines) < 200
    strong = parse_expression("hcp(north) > 20")
    assert all(evaluate(strong, deal_of(line)) for line in lines)
    read = parse_script(script)
    assert read.condition is None
    assert read.actions == (Print("printoneline", (Hands("line"), strong, "\n")),)


def test_a_list_of_shapes_that_starts_with_a_minus() -> None:
    """There it takes away from nothing; here it is refused, since it says nothing."""
    assert values("", ["shape(north, -any 4333)"], deals=50).values == [[0]] * 50
    with pytest.raises(pav.TextError, match="does not start with '-'"):
        parse_expression("shape(north, -any 4333)")
