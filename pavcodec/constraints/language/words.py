"""The words of the language: functions, by their table, and seats, suits, statements, actions."""

from __future__ import annotations

from pavcodec.boards.board import Vulnerability
from pavcodec.cards import Seat, Strain, Suit
from pavcodec.constraints.functions import FUNCTIONS

SEATS = {seat.name.lower(): seat for seat in Seat}
SEAT_LETTERS = {seat[0]: each for seat, each in SEATS.items()}
SUITS = {suit.name.lower(): suit for suit in Suit}
STRAINS = {strain.name.lower(): strain for strain in Strain}
VULNERABLE = {"vul": True, "nv": False}
VULNERABLE_SIDES = {side.value.lower(): side for side in Vulnerability}
VULNERABLE_SIDES["both"] = Vulnerability.ALL

STATEMENTS = {
    "condition": "the condition of the deals",
    "produce": "how many deals",
    "dealer": "the dealer of every board",
    "vulnerable": "the vulnerability of every board",
    "predeal": "cards or lengths that are dealt first",
    "mix": "types of deals, each with its weight",
    "weight": "how much more likely some deals are",
    "action": "what the program prints",
    "seed": "the seed of the deals",
    "generate": "the most deals to test",
    "pointcount": "the points of hcp, ace first",
    "altcount": "the points of pt0 to pt9, ace first",
}
"""What each statement sets, in a few words."""

CLASSIC_STATEMENTS = [name for name in STATEMENTS if name not in {"mix", "weight", "seed"}]
"""The statements of the classic program, whose names are reserved."""

ACTIONS = (
    *("print", "printall", "printpbn", "printew", "printcompact", "printoneline", "printes"),
    *("average", "frequency", "evalcontract"),
)
"""The actions of the classic program."""

RESERVED = frozenset(
    [
        *(name for name, row in FUNCTIONS.items() if row.is_classic),
        *SEATS,
        *("notrump", "vul", "nv", "ns", "ew", "all", "none", "any", "and", "or", "not"),
        *CLASSIC_STATEMENTS,
        *ACTIONS,
    ]
)
"""The words of the classic program, in the form that canonical texts use."""

_SPELLINGS = {word: row.name for row in FUNCTIONS.values() for word in row.spellings}
_SPELLINGS["notrumps"] = "notrump"

WORDS = RESERVED | _SPELLINGS.keys() | {"NS", "EW"}
"""The words that cannot be names of variables, in the forms that the classic program reserves.

A word in another form may be the name of a variable: `nS`, `All`, `Hcp`. If the text defines no
variable of that name, it is the word of the language.
"""

_SPELLINGS |= {word: row.name for row in FUNCTIONS.values() for word in row.elsewhere}


def canonical(word: str) -> str:
    """Return the canonical form of a word: in small letters, and one of singular and plural.

    >>> canonical("Spade"), canonical("HCPS"), canonical("imp")
    ('spades', 'hcp', 'imps')
    """
    lower = word.lower()
    return _SPELLINGS.get(lower, lower)


def spellings_of(name: str) -> list[str]:
    """Return all names of a function.

    >>> spellings_of("tricks"), spellings_of("cccc")
    (['tricks', 'trick', 'dds'], ['cccc'])
    """
    row = FUNCTIONS[name]
    return [name, *row.spellings, *row.elsewhere]
