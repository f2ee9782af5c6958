"""The topics of a practice set: a situation or a condition, with its share and its seats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pavcodec.cards import Seat
from pavcodec.practice.difficulty import Difficulty
from pavcodec.practice.seating import Seating
from pavcodec.practice.situations import Situation

if TYPE_CHECKING:
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.practice.questions import Question

__all__ = ["HANDS", "NAME", "TITLE", "Topic", "title_of", "with_level"]

HANDS = {
    "NS": (Seat.NORTH, Seat.SOUTH),
    "EW": (Seat.EAST, Seat.WEST),
    "all": tuple(Seat),
}
"""The players of `--hands`."""
NAME = re.compile(r"[A-Za-z][\w-]*")
"""The pattern of the name of a situation: no condition is a single word."""
TITLE = "Practice"
"""The title of a set without situations of the library."""


@dataclass(frozen=True)
class Topic:
    """One topic of a set: a situation or a condition, its share, and its place at the table."""

    title: str
    where: str
    """The whole condition; "" for all deals."""
    seating: Seating
    share: Fraction = Fraction(1)
    situation: Situation | None = None
    kind: str = ""
    """The name of a type that a script marks."""

    @property
    def question(self) -> Question | None:
        """The key decision of the situation; None for a condition."""
        return None if self.situation is None else self.situation.question

    @property
    def difficulty(self) -> Difficulty:
        """The levels of difficulty: those of the situation, else points."""
        return Difficulty() if self.situation is None else self.situation.difficulty


def title_of(topics: Sequence[Topic]) -> str:
    """Return the title of the pages, from up to three topics."""
    *some, last = dict.fromkeys(topic.title for topic in topics)
    if len(some) > 2 or (some and TITLE in [*some, last]):
        return TITLE
    return f"{', '.join(some)} and {last}" if some else last


def with_level(node: Node | None, level: str | None, chosen: Situation | None) -> Node | None:
    """Return a condition with that of a level of difficulty; without a level, the condition."""
    if level is None:
        return node
    from pavcodec.constraints.language.parser import parse_condition
    from pavcodec.constraints.mixes.types import joined

    difficulty = Difficulty() if chosen is None else chosen.difficulty
    own = parse_condition(difficulty.where(level))
    return own if node is None else joined(node, own)
