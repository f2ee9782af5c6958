"""The two commonest questions of players, as questions of odds."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from pavcodec.cards import Rank
from pavcodec.web.tasks.limits import TEXT
from pavcodec.web.tasks.odds.question import OddsQuestion
from pavcodec.web.tasks.task import Question

__all__ = ["WHAT", "Breaks", "Partner", "missing_of", "question_of_breaks", "question_of_partner"]

_EVENT = re.compile(r"\s*(spades|hearts|diamonds|clubs)\((?:west|east)\)\s*")
_GIVEN = (
    r"\s*{suit}\(north\)\s*\+\s*{suit}\(south\)\s*==\s*([0-9]|1[0-3])\s*"
    r"(?:&&\s*[a-z]+\([a-z]+\)\s*==\s*[0-9]+\s*)*"
)
SuitName = Literal["spades", "hearts", "diamonds", "clubs"]

WHAT = {
    "hcp": "points",
    "spades": "spades",
    "hearts": "hearts",
    "diamonds": "diamonds",
    "clubs": "clubs",
    "aces": "aces",
    "controls": "controls (ace 2, king 1)",
    "losers": "losers",
    "majors": "spades and hearts together",
}
"""What one may want to know of partner's hand."""


class Breaks(Question):
    """The missing cards of a suit, and what is known of another suit."""

    suit: SuitName = Field("spades", description="the suit")
    missing: int = Field(
        4, ge=1, le=13, description="the cards of the suit that East and West hold"
    )
    other: SuitName | Literal[""] = Field("", description="another suit with known lengths")
    west: int | None = Field(None, ge=0, le=13, description="West's cards of the other suit")
    east: int | None = Field(None, ge=0, le=13, description="East's cards of the other suit")


class Partner(Question):
    """A hand, and what one wants to know of the hand opposite."""

    hand: str = Field(min_length=1, max_length=100, description="the own hand, South's")
    what: str = Field("hcp", pattern=f"^({'|'.join(WHAT)})$", description="what partner's hand has")
    shown: str = Field("", max_length=TEXT, description="what partner has shown, as a condition")


def question_of_breaks(asked: Breaks) -> OddsQuestion:
    """Return the question how the missing cards of a suit break.

    >>> question_of_breaks(Breaks(suit="hearts", missing=5, other="spades", west=6)).given
    'hearts(north) + hearts(south) == 8 && spades(west) == 6'
    """
    have = len(Rank) - asked.missing
    parts = [f"{asked.suit}(north) + {asked.suit}(south) == {have}"]
    if asked.other:
        lengths = (("west", asked.west), ("east", asked.east))
        parts += [f"{asked.other}({seat}) == {n}" for seat, n in lengths if n is not None]
    return OddsQuestion(event=f"{asked.suit}(west)", given=" && ".join(parts))


def missing_of(question: OddsQuestion) -> int | None:
    """Return how many cards are missing, if it is the question of a break; else None.

    >>> missing_of(OddsQuestion(event="spades(west)", given="spades(north)+spades(south)==9"))
    4
    >>> missing_of(OddsQuestion(event="spades(west)", given="spades(north) == 9")) is None
    True
    """
    event = _EVENT.fullmatch(question.event)
    given = event and re.fullmatch(_GIVEN.format(suit=event[1]), question.given)
    return len(Rank) - int(given[1]) if given else None


def question_of_partner(asked: Partner) -> OddsQuestion:
    """Return the question what North holds opposite South's hand."""
    event, second = f"{asked.what}(north)", ""
    if asked.what == "majors":
        event, second = "spades(north)", "hearts(north)"
    return OddsQuestion(event=event, second=second, given=asked.shown, hands=(f"S {asked.hand}",))
