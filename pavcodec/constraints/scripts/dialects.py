"""The language in other programs: one table, which `check` and the documentation read.

A construct is a part of a script. The programs are DealerV2, Dealer3 and Debian's `dealer` of 2021,
which shares its source with the dealer of Bridge Base Online. The readings of the classic program
were tested with it; those of the other programs follow from their grammars.
"""

from __future__ import annotations

from pavcodec.constraints.scripts.constructs import (
    ACTIONS,
    ALL,
    CLASSIC,
    EXPRESSIONS,
    OLD,
    REFUSED,
    UNKNOWN,
    Construct,
    read,
    refused,
)

__all__ = ["CONSTRUCTS"]


_LEXIS = (
    Construct(
        "a comment with # after code",
        "produce 5  # boards",
        "a comment, wherever it stands",
        refused(*OLD),
    ),
    Construct(
        "a comment that ends the file",
        "produce 5  // boards",
        "a comment, with or without a line end",
        refused(*OLD),
    ),
    Construct(
        "a function in capitals",
        "HCP(north) >= 12",
        "taken, unless the script defines a variable of that name",
        refused(*ALL),
    ),
    Construct(
        "a word in capitals",
        "Produce 5  hcp(North) >= 12 AND 1",
        "taken, unless the script defines a variable of that name",
        refused(*OLD),
    ),
    Construct(
        "a variable like a holding, a card or a contract",
        "S = spades(south)",
        "a variable",
        refused(*OLD, dealer3=UNKNOWN),
    ),
    Construct(
        "a variable with letters beyond a to z, or with _ first",
        "_fit = 8",
        "a variable",
        refused(*ALL),
    ),
    Construct(
        "a variable that is a word of DealerV2",
        "deal = hcp(north)",
        "a variable",
        refused("dealerv2"),
    ),
    Construct(
        "a variable that is a word of Dealer3",
        "North = hcp(north)",
        "a variable, where the classic program takes it as one",
        refused("dealer3"),
    ),
    Construct(
        "a text of several lines",
        'action average "a\\nb" hcp(north)',
        "taken",
        refused("dealerv2"),
    ),
    Construct(
        "a number above 2147483647",
        "rnd(4294967296) == 0",
        "exact, up to 18 digits",
        read("reads its last 32 bits", *OLD, dealer3=UNKNOWN),
    ),
    Construct(
        "a number with decimals",
        "cccc(north) >= 12.5",
        "numbers are integers; write hundredths",
        refused(*CLASSIC, "dealer3", dealerv2="reads 1250"),
        is_refused=True,
    ),
    Construct(
        "a parameter",
        "hcp(north) >= $1",
        "write the value itself",
        refused(*CLASSIC),
        is_refused=True,
    ),
)

_STATEMENTS = (
    Construct("seed", "seed 7", "the seed", refused(*CLASSIC)),
    Construct("title", 'title "Weak twos"', "kept with the script", refused(*CLASSIC)),
    Construct(
        "opener or startboard",
        "opener south",
        "taken, and says nothing: a warning",
        refused(*CLASSIC, "dealer3"),
    ),
    Construct("mix", "mix hcp(south) >= 20 : 1", "types with weights", refused(*ALL)),
    Construct("weight", "weight hcp(south) {12: 1, 13: 2}", "a weight of deals", refused(*ALL)),
    Construct(
        "a ; or a comma after a statement",
        "produce 5; hcp(north) >= 12",
        "passed over",
        refused(*OLD),
    ),
    Construct(
        "a variable defined twice",
        "fit = 8  fit = 9",
        "the later one holds from there on, with a warning",
        refused(*OLD, dealer3=UNKNOWN),
    ),
    Construct(
        "predeal of a length",
        "predeal spades(west) == 9",
        "dealt",
        read("reads it and deals as if it were not there", *OLD, dealer3=REFUSED),
    ),
    Construct(
        "predeal with ranks in another order",
        "predeal north SKA",
        "taken",
        refused(*OLD),
    ),
    Construct(
        "predeal with small letters or 10",
        "predeal north sak, H10",
        "taken",
        refused(*ALL),
    ),
    Construct(
        "predeal with a comma after the seat",
        "predeal north, S2",
        "taken, since the manual writes it",
        refused(*ALL),
    ),
    Construct(
        "a letter for a seat",
        "dealer N  hcp(n) >= 12",
        "the seat, unless the script defines a variable of that name",
        refused(*OLD),
    ),
    Construct(
        "vulnerable both",
        "vulnerable both",
        "all",
        refused(*CLASSIC, "dealer3"),
    ),
    Construct(
        "altcount",
        "altcount 4 1 1",
        "sets pt4, as the manual says, with a warning",
        read("counts rows: 0 is hcp, 1 controls, 2 pt0, 4 pt2, 11 pt9", *CLASSIC, "dealer3"),
    ),
    Construct(
        "altcount above 9",
        "altcount 11 1 1",
        "there is no pt10",
        {"dealerv2": UNKNOWN},
        is_refused=True,
    ),
)


CONSTRUCTS = {each.name: each for each in (*_LEXIS, *_STATEMENTS, *EXPRESSIONS, *ACTIONS)}
"""All constructs that programs read differently, by name."""
