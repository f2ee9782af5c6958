"""The tables of docs/odds/tables.md, which are counted when the site is built."""

from __future__ import annotations

import re

from odds_tables import MANY, Events, Grid, Pairs, Question, Ranges, Row, Table, Values, command

MARK = re.compile(r"^<!-- table (\S+) -->$", re.MULTILINE)

SEATS = ("north", "east", "south", "west")
SUITS = ("spades", "hearts", "diamonds", "clubs")
BALANCED = "any 4333 + any 4432 + any 5332"
LENGTHS = Question(tuple(f"{suit}(south)" for suit in SUITS))
FITS = Question(tuple(f"{suit}(north) + {suit}(south)" for suit in SUITS[:3]))
"""The fourth suit has the rest of the 26 cards."""

NOTRUMP, WEAK, STRONG = "1NT, 15–17 balanced", "2♠, 5–10 with six spades", "2♣, 22 or more"
OPENINGS = {
    NOTRUMP: f"shape(north, {BALANCED}) and hcp(north) >= 15 and hcp(north) <= 17",
    "1NT, 12–14 balanced": f"shape(north, {BALANCED}) and hcp(north) >= 12 and hcp(north) <= 14",
    "2NT, 20–21 balanced": f"shape(north, {BALANCED}) and hcp(north) >= 20 and hcp(north) <= 21",
    "1♠, 12–21 with five spades or more": (
        "hcp(north) >= 12 and hcp(north) <= 21 and spades(north) >= 5"
    ),
    WEAK: "hcp(north) >= 5 and hcp(north) <= 10 and spades(north) == 6",
    STRONG: "hcp(north) >= 22",
}
TOP = 27
"""Openers with this number of points or more share a row."""
POINTS = (range(4), range(4, 6), range(6, 8), range(8, 10), range(10, 13), range(13, MANY))
RANGES = ("10–12", "12–14", "13–15", "14–16", "15–17", "16–18", "18–19", "20–21", "22–24")


def _in_range(points: str) -> str:
    """Return the condition that South's points are in a range."""
    low, high = points.split("–")
    return f"hcp(south) >= {low} and hcp(south) <= {high}"


def missing(held: int) -> str:
    """Return the condition that partners have `held` cards of a suit, but not the queen."""
    queen = "hascard(east, QS) + hascard(west, QS) == 1"
    return f"spades(east) + spades(west) == {13 - held} and {queen}"


def falls(rounds: int) -> str:
    """Return the event that the queen falls in `rounds` rounds."""
    sides = (f"hascard({seat}, QS) and spades({seat}) <= {rounds}" for seat in ("east", "west"))
    return " or ".join(sides)


def split(value: Row) -> str:
    """Return the lengths of a suit in two hands, the longer one first."""
    return "–".join(map(str, sorted(value, reverse=True)))


def pattern(value: Row) -> str:
    """Return the lengths of a hand in descending order."""
    return "-".join(map(str, sorted(value, reverse=True)))


def longest_fits(value: Row) -> Row:
    """Return the longest suit of two partners, and that of the other two."""
    lengths = (*value, 26 - sum(value))
    return max(lengths), 13 - min(lengths)


TABLES: dict[str, Table] = {
    "breaks": Values(
        ("missing", "split"),
        {
            f"{cards}": Question(
                ("spades(east)", "spades(west)"), f"spades(east) + spades(west) == {cards}"
            )
            for cards in range(2, 9)
        },
        label=split,
        order=lambda row: row[0],
        first_command=command("spades(east) == 1", given="spades(east) + spades(west) == 2"),
    ),
    "honour": Grid(
        "cards held",
        {f"{held}": missing(held) for held in range(6, 12)},
        {"1 round": falls(1), "2 rounds": falls(2), "3 rounds": falls(3)},
    ),
    "two-honours": Events(
        "king and queen",
        {
            "one each": "hascard(east, KS) + hascard(east, QS) == 1",
            "both with East": "hascard(east, KS) + hascard(east, QS) == 2",
            "at least one with East": "hascard(east, KS) + hascard(east, QS) >= 1",
        },
        given="hascard(east, KS) + hascard(west, KS) + hascard(east, QS) + hascard(west, QS) == 2",
    ),
    "points": Values(("points",), {"": Question(("hcp(south)",))}, sums=True),
    "balanced": Grid(
        "points",
        {each: _in_range(each) for each in RANGES},
        {
            "balanced": f"shape(south, {BALANCED})",
            "4-3-3-3": "shape(south, any 4333)",
            "with 5 in a major": "shape(south, 5332 + 5323 + 5233 + 3532 + 3523 + 2533)",
        },
        together="any shape",
    ),
    "patterns": Values(
        ("pattern",),
        {"": LENGTHS},
        label=pattern,
        order=lambda row: -row[1],
        first_command=command("shape(south, any 4432)"),
    ),
    "longest": Values(
        ("longest suit",),
        {"": LENGTHS},
        label=lambda value: str(max(value)),
        order=lambda row: int(row[0]),
        sums=True,
        first_command=command("shape(south, any 4333 + any 4432 + any 4441)"),
    ),
    "shortest": Values(
        ("shortest suit",),
        {"": LENGTHS},
        label=lambda value: ("void", "singleton", "doubleton", "three cards")[min(value)],
        order=lambda row: ("void", "singleton", "doubleton", "three cards").index(row[0]),
        first_command=command("shape(south, any 0xxx)"),
    ),
    "suit": Values(("cards in spades",), {"": Question(("spades(south)",))}, sums=True),
    "aces": Values(("aces",), {"": Question(("aces(south)",))}, sums=True),
    "losers": Values(("losers",), {"": Question(("losers(south)",))}, sums=True),
    "rare": Events(
        "hand",
        {
            "no card above nine (Yarborough)": "points(south, 1 1 1 1 1) == 0",
            "no ace and no face card": "hcp(south) == 0",
            "nothing but aces, kings, queens, jacks and tens": "points(south, 1 1 1 1 1) == 13",
            "37 points": "hcp(south) == 37",
            "four aces and four kings": "controls(south) == 12",
            "two five-card suits": "shape(south, any 55xx)",
            "a three-suiter (4-4-4-1, 5-4-4-0)": "shape(south, any 4441 + any 5440)",
            "one suit only": "shape(south, any 000x)",
        },
    ),
    "together": Values(
        ("points together",), {"": Question(("hcp(north) + hcp(south)",))}, sums=True
    ),
    "partner-points": Pairs(
        "my points",
        Question(("hcp(south)", "hcp(north)")),
        range(26),
        POINTS,
        first_command=command("hcp(north)", given="hcp(south) == 0"),
        totals=(25, 33),
    ),
    "partner-aces": Pairs(
        "my aces",
        Question(("aces(south)", "aces(north)")),
        range(5),
        [range(aces, aces + 1) for aces in range(5)],
        first_command=command("aces(north)", given="aces(south) == 0"),
    ),
    "partner-cards": Pairs(
        "my spades",
        Question(("spades(south)", "spades(north)")),
        range(10),
        [*(range(cards, cards + 1) for cards in range(6)), range(6, MANY)],
        first_command=command("spades(north)", given="spades(south) == 0"),
    ),
    "fit": Values(
        ("longest suit together",),
        {"": FITS},
        label=lambda value: str(longest_fits(value)[0]),
        order=lambda row: int(row[0]),
        sums=True,
        first_command=command(
            " and ".join(f"{suit}(north) + {suit}(south) <= 7" for suit in SUITS)
        ),
    ),
    "fits": Pairs(
        "our longest suit",
        FITS,
        range(7, 14),
        [range(cards, cards + 1) for cards in range(7, 14)],
        first_command=command(
            " and ".join(f"{suit}(north) + {suit}(south) >= 6" for suit in SUITS),
            given=" and ".join(f"{suit}(north) + {suit}(south) <= 7" for suit in SUITS),
        ),
        pair=longest_fits,
    ),
    "opening-points": Ranges("North has", "hcp(south)", OPENINGS, POINTS),
    "opening-game": Grid(
        "North has",
        {name: given for name, given in OPENINGS.items() if "NT" in name},
        {
            "25 points together": "hcp(north) + hcp(south) >= 25",
        },
    ),
    "opener-points": Values(
        ("North has", "points"),
        {name: Question(("hcp(north)",), OPENINGS[name]) for name in (NOTRUMP, WEAK, STRONG)},
        label=lambda value: str(value[0]) if value[0] < TOP else f"{TOP}+",
    ),
    "notrump": Events(
        "the notrump opener has",
        {
            "four spades": "spades(north) == 4",
            "five spades": "spades(north) == 5",
            "four or five cards in a major": "spades(north) >= 4 or hearts(north) >= 4",
            "four cards in both majors": "spades(north) == 4 and hearts(north) == 4",
            "five cards in a major": "spades(north) == 5 or hearts(north) == 5",
            "no ace": "aces(north) == 0",
        },
        given=OPENINGS[NOTRUMP],
    ),
    "weak-two": Events(
        "the weak two has",
        {
            "the ace of spades": "hascard(north, AS)",
            "two of the three top spades": "top3(north, spades) >= 2",
            "the pattern 6-3-2-2": "shape(north, any 6322)",
            "four hearts or more": "hearts(north) >= 4",
        },
        given=OPENINGS[WEAK],
    ),
    "four": Events(
        "all four hands",
        {
            "are balanced": f"shape(north, {BALANCED})",
            "have the pattern 4-3-3-3": "shape(north, any 4333)",
            "have no void": "not shape(north, any 0xxx)",
            "have no void and no singleton": "not shape(north, any 0xxx + any 1xxx)",
            "have an ace": "aces(north) == 1",
            "have one suit only": "shape(north, any 000x)",
        },
        seats=SEATS,
    ),
}


def with_tables(text: str) -> str:
    """Return the text of a page with each mark `<!-- table NAME -->` replaced by its table."""
    return MARK.sub(lambda mark: "\n".join(TABLES[mark[1]].lines()), text)
