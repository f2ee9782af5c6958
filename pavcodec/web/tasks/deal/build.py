"""A condition from a form: points, lengths and balance of a hand, or of two partners together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from pavcodec.cards import HAND_SIZE, Suit
from pavcodec.errors import PavError
from pavcodec.web.tasks.deal.reading import Typed, read_text
from pavcodec.web.tasks.task import Answer, Question, Task

__all__ = ["BUILD", "BuildAnswer", "BuildQuestion", "build"]

_DEFINES = re.compile(r"\w+\s*=(?!=)")
_BALANCED = "any 4333 + any 4432 + any 5332"
_MOST_POINTS = 40
Points = Field(
    None, ge=0, le=_MOST_POINTS, description="the fewest or the most points; null for any"
)
Length = Field(
    None, ge=0, le=HAND_SIZE, description="the fewest or the most cards of the suit; null for any"
)


class BuildQuestion(Question):
    """What a hand holds; a pair has its points and its lengths together."""

    condition: Typed = Field("", description="the condition so far")
    whose: Literal["north", "east", "south", "west", "north and south", "east and west"] = Field(
        "south", description="the hand, or the two hands together"
    )
    points_from: int | None = Points
    points_to: int | None = Points
    spades_from: int | None = Length
    spades_to: int | None = Length
    hearts_from: int | None = Length
    hearts_to: int | None = Length
    diamonds_from: int | None = Length
    diamonds_to: int | None = Length
    clubs_from: int | None = Length
    clubs_to: int | None = Length
    balanced: Literal["any", "balanced", "unbalanced"] = Field(
        "any", description="whether the hand is 4-3-3-3, 4-4-3-2 or 5-3-3-2"
    )


class BuildAnswer(Answer):
    """The condition with the part of the form."""

    added: str = Field(description="the part of the form")
    condition: str = Field(description="the condition so far, and the part")


def build(question: BuildQuestion) -> BuildAnswer:
    """Return the condition that a form describes, added to another one.

    >>> build(BuildQuestion(points_from=15, points_to=17, balanced="balanced")).condition
    'hcp(south) >= 15 && hcp(south) <= 17 && shape(south, any 4333 + any 4432 + any 5332)'
    >>> build(BuildQuestion(condition="1 || 0", whose="north and south", spades_from=8)).condition
    '(1 || 0) && spades(north) + spades(south) >= 8'
    """
    added = " && ".join(_parts(question))
    if not added:
        raise PavError("fill in some of the points and the lengths first")
    condition = question.condition.strip()
    if condition:
        _, script = read_text(condition, [])
        if script is not None or _DEFINES.match(condition):
            raise PavError("this text is a script: write what you want to add into it")
        condition = f"({condition})" if _is_looser(condition) else condition
        condition = f"{condition} && {added}"
    return BuildAnswer(added=added, condition=condition or added)


def _parts(question: BuildQuestion) -> Iterator[str]:
    """Yield the parts of the form."""
    seats = question.whose.split(" and ")
    yield from _range("hcp", seats, question.points_from, question.points_to)
    for suit in Suit:
        name = suit.name.lower()
        least, most = getattr(question, f"{name}_from"), getattr(question, f"{name}_to")
        yield from _range(name, seats, least, most)
    if question.balanced != "any":
        if len(seats) > 1:
            raise PavError("a hand is balanced, and not a pair: choose one seat")
        shape = f"shape({seats[0]}, {_BALANCED})"
        yield shape if question.balanced == "balanced" else f"!{shape}"


def _range(function: str, seats: list[str], least: int | None, most: int | None) -> Iterator[str]:
    """Yield the condition that a number is in a range; nothing if it has no end."""
    number = " + ".join(f"{function}({seat})" for seat in seats)
    if least is not None and most is not None and least > most:
        raise PavError(f"from {least} to {most} is no range: write the smaller number first")
    if least is not None and least == most:
        yield f"{number} == {least}"
    elif least is not None and most is not None:
        yield f"{number} >= {least} && {number} <= {most}"
    elif least is not None:
        yield f"{number} >= {least}"
    elif most is not None:
        yield f"{number} <= {most}"


def _is_looser(condition: str) -> bool:
    """Return whether a condition needs parentheses before `&&`."""
    from pavcodec.constraints.nodes.syntax import Choice, Or

    node, _ = read_text(condition, [])
    return isinstance(node, Or | Choice)


BUILD = Task(
    "build",
    "Make a condition from points, lengths and balance of a hand.",
    build,
    BuildQuestion(points_from=15, points_to=17, balanced="balanced"),
)
