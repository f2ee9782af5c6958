"""What other programs make of the language: one table, which `check` and the documentation read.

A construct is something that a script can hold. The programs are Debian's `dealer` of 2021, with
which Bridge Base Online's shares its source, DealerV2 and Dealer3. What is said of the classic
program was tried out with it; of the others it follows from their grammars.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CONSTRUCTS", "PROGRAMS", "Construct"]

PROGRAMS = {
    "bbo": "BBO",
    "dealer": "the classic dealer",
    "dealerv2": "DealerV2",
    "dealer3": "Dealer3",
}
"""The programs by the names that `--for` takes, each with what it is called in a sentence."""

REFUSED = "refused"
SAME = ""
UNKNOWN = "not known"

_CLASSIC = ("bbo", "dealer")
_OLD = (*_CLASSIC, "dealerv2")
_ALL = tuple(PROGRAMS)


@dataclass(frozen=True, slots=True)
class Construct:
    """Something that a script can hold, and what the programs make of it.

    `readings` has a program only where it does not read the construct as pavcodec does: `refused`,
    `not known`, or a sentence without its subject. `here` is what pavcodec does, and `is_refused`
    tells that it refuses; then `readings` says who takes it.
    """

    name: str
    example: str
    here: str
    readings: dict[str, str]
    is_refused: bool = False

    def refused_by(self, program: str) -> bool:
        """Tell whether a program takes no script that has this."""
        return self.readings.get(program) == REFUSED

    def differs_in(self, program: str) -> str:
        """Return how a program reads this, where it reads something else."""
        reading = self.readings.get(program, SAME)
        return SAME if reading in (REFUSED, UNKNOWN) else reading


def _refused(*programs: str, **readings: str) -> dict[str, str]:
    return dict.fromkeys(programs, REFUSED) | readings


def _read(reading: str, *programs: str, **others: str) -> dict[str, str]:
    return dict.fromkeys(programs, reading) | others


_LEXIS = (
    Construct(
        "a comment with # after code",
        "produce 5  # boards",
        "a comment, wherever it stands",
        _refused(*_OLD),
    ),
    Construct(
        "a comment that ends the file",
        "produce 5  // boards",
        "a comment, with or without a line end",
        _refused(*_OLD),
    ),
    Construct(
        "a function in capitals",
        "HCP(north) >= 12",
        "taken, unless the script defines a variable of that name",
        _refused(*_ALL),
    ),
    Construct(
        "a word in capitals",
        "Produce 5  hcp(North) >= 12 AND 1",
        "taken, unless the script defines a variable of that name",
        _refused(*_OLD),
    ),
    Construct(
        "a variable like a holding, a card or a contract",
        "S = spades(south)",
        "a variable",
        _refused(*_OLD, dealer3=UNKNOWN),
    ),
    Construct(
        "a variable with letters beyond a to z, or with _ first",
        "_fit = 8",
        "a variable",
        _refused(*_ALL),
    ),
    Construct(
        "a variable that is a word of DealerV2",
        "deal = hcp(north)",
        "a variable",
        _refused("dealerv2"),
    ),
    Construct(
        "a variable that is a word of Dealer3",
        "North = hcp(north)",
        "a variable, where the classic program takes it as one",
        _refused("dealer3"),
    ),
    Construct(
        "a text of several lines",
        'action average "a\\nb" hcp(north)',
        "taken",
        _refused("dealerv2"),
    ),
    Construct(
        "a number above 2147483647",
        "rnd(4294967296) == 0",
        "exact, up to 18 digits",
        _read("reads its last 32 bits", *_OLD, dealer3=UNKNOWN),
    ),
    Construct(
        "a number with decimals",
        "cccc(north) >= 12.5",
        "numbers are integers; write hundredths",
        _refused(*_CLASSIC, "dealer3", dealerv2="reads 1250"),
        is_refused=True,
    ),
    Construct(
        "a parameter",
        "hcp(north) >= $1",
        "write the value itself",
        _refused(*_CLASSIC),
        is_refused=True,
    ),
)

_STATEMENTS = (
    Construct("seed", "seed 7", "the seed", _refused(*_CLASSIC)),
    Construct("title", 'title "Weak twos"', "kept with the script", _refused(*_CLASSIC)),
    Construct(
        "opener or startboard",
        "opener south",
        "taken, and says nothing: a warning",
        _refused(*_CLASSIC, "dealer3"),
    ),
    Construct("mix", "mix hcp(south) >= 20 : 1", "types with weights", _refused(*_ALL)),
    Construct(
        "a ; or a comma after a statement",
        "produce 5; hcp(north) >= 12",
        "passed over",
        _refused(*_OLD),
    ),
    Construct(
        "a variable defined twice",
        "fit = 8  fit = 9",
        "the later one holds from there on, with a warning",
        _refused(*_OLD, dealer3=UNKNOWN),
    ),
    Construct(
        "predeal of a length",
        "predeal spades(west) == 9",
        "dealt",
        _read("reads it and deals as if it were not there", *_OLD, dealer3=REFUSED),
    ),
    Construct(
        "predeal with ranks in another order",
        "predeal north SKA",
        "taken",
        _refused(*_OLD),
    ),
    Construct(
        "predeal with small letters or 10",
        "predeal north sak, H10",
        "taken",
        _refused(*_ALL),
    ),
    Construct(
        "predeal with a comma after the seat",
        "predeal north, S2",
        "taken, since the manual writes it",
        _refused(*_ALL),
    ),
    Construct(
        "a letter for a seat",
        "dealer N  hcp(n) >= 12",
        "the seat, unless the script defines a variable of that name",
        _refused(*_OLD),
    ),
    Construct(
        "vulnerable both",
        "vulnerable both",
        "all",
        _refused(*_CLASSIC, "dealer3"),
    ),
    Construct(
        "altcount",
        "altcount 4 1 1",
        "sets pt4, as the manual says, with a warning",
        _read("counts rows: 0 is hcp, 1 controls, 2 pt0, 4 pt2, 11 pt9", *_CLASSIC, "dealer3"),
    ),
    Construct(
        "altcount above 9",
        "altcount 11 1 1",
        "there is no pt10",
        {"dealerv2": UNKNOWN},
        is_refused=True,
    ),
)

_EXPRESSIONS = (
    Construct(
        "a chain of comparisons",
        "5 <= hcp(north) <= 7",
        "5 <= hcp(north) && hcp(north) <= 7, with a warning",
        _read("reads (a <= b) <= c", *_OLD),
    ),
    Construct(
        "a chain of different comparisons",
        "hcp(north) < 5 <= 7",
        "hcp(north) < 5 && 5 <= 7, with a warning",
        _read(
            "reads (a < b) <= c",
            *_CLASSIC,
            dealerv2="does those later in == != < <= > >= first, as in a < (b <= c)",
        ),
    ),
    Construct(
        "== or != beside < or >",
        "hcp(north) > 12 == hcp(south) > 12",
        "(hcp(north) > 12) == (hcp(south) > 12), as in C",
        {"dealer3": "reads a chain: a > b && b == c && c > d"},
    ),
    Construct(
        "! before a comparison",
        "not hcp(north) >= 12",
        "(not hcp(north)) >= 12, as in C, with a warning",
        {"dealer3": "reads not (hcp(north) >= 12)"},
    ),
    Construct(
        "*, / and % in a row",
        "hcp(north) * 3 / 2",
        "from left to right, as in C",
        {"dealerv2": "does % before / before *, as in a * (b / c)"},
    ),
    Construct(
        "the negative of what is no number",
        "-hcp(north) > -5",
        "taken",
        _refused(*_OLD),
    ),
    Construct("holding", "holding(west, hearts, KJxx)", "an extension", _refused(*_ALL)),
    Construct("points", "points(north, 6 4 2 1)", "an extension", _refused(*_ALL)),
    Construct("a numbered draw", "rnd(6, 1) == 0", "an extension", _refused(*_ALL)),
    Construct(
        "ltc",
        "ltc(north) <= 650",
        "losing tricks in hundredths, as DealerV2 counts them",
        _refused(*_CLASSIC, "dealer3"),
    ),
    Construct("dds", "dds(south, notrump) >= 9", "the same as tricks", _refused(*_CLASSIC)),
    Construct(
        "opc, par or usereval",
        "opc(NS) >= 26",
        "they are DealerV2's own",
        _refused(*_CLASSIC, "dealer3"),
        is_refused=True,
    ),
    Construct(
        "a card with the suit first, with 10 or in small letters",
        "hascard(north, SA)",
        "taken",
        _refused(*_ALL),
    ),
    Construct(
        "a contract that is doubled, or with z",
        "score(nv, x4Sx, 9)",
        "taken",
        _refused(*_CLASSIC),
    ),
    Construct(
        "a contract in other letters",
        "score(nv, x3NT, 9)",
        "taken",
        _refused(*_ALL),
    ),
    Construct(
        "a number for a strain, a contract or a vulnerability",
        "tricks(south, 4) >= 9",
        "0 to 4 are clubs, diamonds, hearts, spades and notrump",
        _refused(*_OLD),
    ),
    Construct(
        "imps",
        "imps(420)",
        "the table of the World Bridge Federation",
        _read("gives 10 for 411 to 420 and 16 for 1191 to 1290", *_CLASSIC, dealerv2=UNKNOWN),
    ),
    Construct(
        "shape in braces",
        "shape{north, 4M(3+3+2+)}",
        "the notation of the preprocessor dpp",
        _refused(*_CLASSIC),
    ),
    Construct(
        "more than 31 shapes",
        "shape(north, 5xxx) || …",
        "any number",
        _refused(*_OLD),
    ),
    Construct(
        "a list of shapes in capitals",
        "shape(north, ANY 5XXX)",
        "taken",
        _refused(*_OLD),
    ),
    Construct(
        "a list of shapes with a comma, or with + first",
        "shape(north, +5xxx, 4xxx)",
        "both add",
        _refused("dealer3"),
    ),
    Construct(
        "a list of shapes with - first",
        "shape(north, -5xxx)",
        "there is nothing to take away from",
        _refused("dealer3"),
        is_refused=True,
    ),
    Construct(
        "a draw that a variable carries to several places",
        "die = rnd(6)  die == 1 || die == 5",
        "one draw for a deal",
        _read("draws anew in each place", *_ALL),
    ),
)

_ACTIONS = (
    Construct(
        "printes without parentheses",
        'action printes "a", hcp(north)',
        "taken",
        _refused(*_ALL),
    ),
    Construct(
        "something after the parentheses of printes",
        'action printes("a"), hcp(north)',
        "printed",
        _read("takes an expression there for the condition", *_ALL),
    ),
    Construct(
        "printcompact or printoneline before an expression",
        "action printcompact hcp(north)",
        "printed with the deal",
        _read("prints the deal alone, and takes the expression for the condition", *_ALL),
    ),
    Construct(
        "printcompact or printoneline with parentheses",
        "action printcompact(hcp(north))",
        "printed with the deal",
        {"dealer3": "prints the deal alone, and takes the expression for the condition"},
    ),
    Construct(
        "frequency of two numbers",
        "action frequency (hcp(north), 0, 9, hcp(south), 0, 9)",
        "a table",
        _refused("dealer3"),
    ),
    Construct(
        "evalcontract",
        "action evalcontract(NS, x3N, vul)",
        "what a contract scores, as in DealerV2",
        _refused(*_CLASSIC, "dealer3"),
    ),
    Construct(
        "evalcontract without a contract",
        "action evalcontract",
        "write the contract, as in evalcontract(NS, x3N, vul)",
        _refused("dealerv2", "dealer3"),
        is_refused=True,
    ),
    Construct(
        "printns or printside",
        "action printside(NS)",
        "two hands side by side",
        _refused(*_CLASSIC),
    ),
    Construct(
        "csvrpt, printrpt or trix",
        "action printrpt(deal, hcp(north))",
        "a line of values for each deal",
        _refused(*_CLASSIC),
    ),
    Construct(
        "bktfreq or export",
        "action export(north)",
        "taken, as in DealerV2",
        _refused(*_CLASSIC, "dealer3"),
    ),
    Construct(
        "parcontract",
        "action printrpt(parcontract)",
        "the contract of the par score is not known here",
        _refused(*_CLASSIC, "dealer3"),
        is_refused=True,
    ),
    Construct(
        "an action without the word action",
        "average hcp(north)",
        "write action before it",
        _refused(*_OLD),
        is_refused=True,
    ),
)

CONSTRUCTS = {each.name: each for each in (*_LEXIS, *_STATEMENTS, *_EXPRESSIONS, *_ACTIONS)}
"""All constructs that programs do not read alike, by name."""
