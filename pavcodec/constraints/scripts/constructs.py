"""The readings of functions and actions in other programs."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "ACTIONS",
    "ALL",
    "CLASSIC",
    "EXPRESSIONS",
    "OLD",
    "PROGRAMS",
    "REFUSED",
    "SAME",
    "UNKNOWN",
    "Construct",
    "read",
    "refused",
]


PROGRAMS = {
    "bbo": "BBO",
    "dealer": "the classic dealer",
    "dealerv2": "DealerV2",
    "dealer3": "Dealer3",
}
"""The programs by their names in `--for`, each with its name in a sentence."""


REFUSED = "refused"


SAME = ""


UNKNOWN = "not known"


CLASSIC = ("bbo", "dealer")


OLD = (*CLASSIC, "dealerv2")


ALL = tuple(PROGRAMS)


@dataclass(frozen=True, slots=True)
class Construct:
    """A construct of scripts, and its readings in the programs.

    `readings` has a program only if it does not read the construct as pavcodec does: `refused`,
    `not known`, or a sentence without its subject. `here` says what pavcodec does. If `is_refused`,
    pavcodec refuses the construct, and `readings` has the programs that accept it.
    """

    name: str
    example: str
    here: str
    readings: dict[str, str]
    is_refused: bool = False

    def refused_by(self, program: str) -> bool:
        """Return whether a program refuses a script with this construct."""
        return self.readings.get(program) == REFUSED

    def differs_in(self, program: str) -> str:
        """Return the reading of a program if it is a different one."""
        reading = self.readings.get(program, SAME)
        return SAME if reading in (REFUSED, UNKNOWN) else reading


def refused(*programs: str, **readings: str) -> dict[str, str]:
    """Return readings with programs that refuse a construct."""
    return dict.fromkeys(programs, REFUSED) | readings


def read(reading: str, *programs: str, **others: str) -> dict[str, str]:
    """Return readings with programs that share one reading of a construct."""
    return dict.fromkeys(programs, reading) | others


EXPRESSIONS = (
    Construct(
        "a chain of comparisons",
        "5 <= hcp(north) <= 7",
        "5 <= hcp(north) && hcp(north) <= 7, with a warning",
        read("reads (a <= b) <= c", *OLD),
    ),
    Construct(
        "a chain of different comparisons",
        "hcp(north) < 5 <= 7",
        "hcp(north) < 5 && 5 <= 7, with a warning",
        read(
            "reads (a < b) <= c",
            *CLASSIC,
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
        refused(*OLD),
    ),
    Construct("holding", "holding(west, hearts, KJxx)", "an extension", refused(*ALL)),
    Construct("points", "points(north, 6 4 2 1)", "an extension", refused(*ALL)),
    Construct("a numbered draw", "rnd(6, 1) == 0", "an extension", refused(*ALL)),
    Construct(
        "ltc",
        "ltc(north) <= 650",
        "losing tricks in hundredths, as DealerV2 counts them",
        refused(*CLASSIC, "dealer3"),
    ),
    Construct("dds", "dds(south, notrump) >= 9", "the same as tricks", refused(*CLASSIC)),
    Construct(
        "opc, par or usereval",
        "opc(NS) >= 26",
        "they are DealerV2's own",
        refused(*CLASSIC, "dealer3"),
        is_refused=True,
    ),
    Construct(
        "a card with the suit first, with 10 or in small letters",
        "hascard(north, SA)",
        "taken",
        refused(*ALL),
    ),
    Construct(
        "a contract that is doubled, or with z",
        "score(nv, x4Sx, 9)",
        "taken",
        refused(*CLASSIC),
    ),
    Construct(
        "a contract in other letters",
        "score(nv, x3NT, 9)",
        "taken",
        refused(*ALL),
    ),
    Construct(
        "a number for a strain, a contract or a vulnerability",
        "tricks(south, 4) >= 9",
        "0 to 4 are clubs, diamonds, hearts, spades and notrump",
        refused(*OLD),
    ),
    Construct(
        "imps",
        "imps(420)",
        "the table of the World Bridge Federation",
        read("gives 10 for 411 to 420 and 16 for 1191 to 1290", *CLASSIC, dealerv2=UNKNOWN),
    ),
    Construct(
        "shape in braces",
        "shape{north, 4M(3+3+2+)}",
        "the notation of the preprocessor dpp",
        refused(*CLASSIC),
    ),
    Construct(
        "more than 31 shapes",
        "shape(north, 5xxx) || …",
        "any number",
        refused(*OLD),
    ),
    Construct(
        "a list of shapes in capitals",
        "shape(north, ANY 5XXX)",
        "taken",
        refused(*OLD),
    ),
    Construct(
        "a list of shapes with a comma, or with + first",
        "shape(north, +5xxx, 4xxx)",
        "both add",
        refused("dealer3"),
    ),
    Construct(
        "a list of shapes with - first",
        "shape(north, -5xxx)",
        "there is nothing to take away from",
        refused("dealer3"),
        is_refused=True,
    ),
    Construct(
        "a draw that a variable carries to several places",
        "die = rnd(6)  die == 1 || die == 5",
        "one draw for a deal",
        read("draws anew in each place", *ALL),
    ),
)


ACTIONS = (
    Construct(
        "printes without parentheses",
        'action printes "a", hcp(north)',
        "taken",
        refused(*ALL),
    ),
    Construct(
        "something after the parentheses of printes",
        'action printes("a"), hcp(north)',
        "printed",
        read("takes an expression there for the condition", *ALL),
    ),
    Construct(
        "printcompact or printoneline before an expression",
        "action printcompact hcp(north)",
        "printed with the deal",
        read("prints the deal alone, and takes the expression for the condition", *ALL),
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
        refused("dealer3"),
    ),
    Construct(
        "evalcontract",
        "action evalcontract(NS, x3N, vul)",
        "what a contract scores, as in DealerV2",
        refused(*CLASSIC, "dealer3"),
    ),
    Construct(
        "evalcontract without a contract",
        "action evalcontract",
        "write the contract, as in evalcontract(NS, x3N, vul)",
        refused("dealerv2", "dealer3"),
        is_refused=True,
    ),
    Construct(
        "printns or printside",
        "action printside(NS)",
        "two hands side by side",
        refused(*CLASSIC),
    ),
    Construct(
        "csvrpt, printrpt or trix",
        "action printrpt(deal, hcp(north))",
        "a line of values for each deal",
        refused(*CLASSIC),
    ),
    Construct(
        "bktfreq or export",
        "action export(north)",
        "taken, as in DealerV2",
        refused(*CLASSIC, "dealer3"),
    ),
    Construct(
        "parcontract",
        "action printrpt(parcontract)",
        "pavcodec does not compute the contract of the par score",
        refused(*CLASSIC, "dealer3"),
        is_refused=True,
    ),
    Construct(
        "an action without the word action",
        "average hcp(north)",
        "write action before it",
        refused(*OLD),
        is_refused=True,
    ),
)
