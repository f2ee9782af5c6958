"""The texts of conditions while somebody writes them: faults, completion, and parts from a form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from shlex import quote
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from pavcodec.cards import HAND_SIZE, Suit
from pavcodec.constraints.language.completion import completions
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import Choice, Or, measure_of, parts_of
from pavcodec.constraints.scripts.check import check_script
from pavcodec.errors import PavError, TextError
from pavcodec.practice import situation, situation_names
from pavcodec.questions.deals import read_text
from pavcodec.web.tasks.problem import Problem, problem_of
from pavcodec.web.tasks.task import TEXT, Answer, Question, Task


def _unified(text: object) -> object:
    """Return a text with the line ends of a form as new lines."""
    return text.replace("\r\n", "\n") if isinstance(text, str) else text


Typed = Annotated[str, StringConstraints(max_length=TEXT), BeforeValidator(_unified)]
"""A text that somebody typed or pasted."""


# The diagnosis of a condition or a script while somebody types it: nothing is counted.


class CheckQuestion(Question):
    """A condition or a script."""

    condition: Typed = Field("", description="a condition, or a script")


class CheckAnswer(Answer):
    """What is wrong with a condition, or what it means."""

    problem: Problem | None = Field(description="the first fault, with its place in the text")
    kind: str = Field(description="'condition', 'script', or 'nothing' for an empty text")
    canonical: str = Field(description="the condition in its canonical form")
    warnings: list[str] = Field(description="what may not mean what its author expects")
    tested: list[dict[str, str]] = Field(
        description="the parts that are tested deal by deal, each with its reason; all others are "
        "counted, unless the condition is too large as a whole"
    )
    others: list[dict[str, Any]] = Field(
        description="what other programs (BBO, dealer, DealerV2, Dealer3) refuse or read "
        "differently, as the command 'check' prints it"
    )


def check(question: CheckQuestion) -> CheckAnswer:
    """Return the diagnosis of a condition."""
    text = question.condition
    command = f"printf '%s\\n' {quote(text)} | pavcodec check -"
    python = [
        "from pavcodec.constraints.scripts.check import check_script",
        "",
        f"for finding in check_script({text!r}):",
        "    print(finding.line, finding.column, finding.message)",
    ]
    found = map(asdict, check_script(text))
    others = [each for each in found if each["kind"] in {"refused", "differs"}]
    warnings: list[str] = []
    problem, node, kind = None, None, "nothing"
    try:
        node, script = read_text(text, warnings) if text.strip() else (None, None)
        kind = "script" if script is not None else kind if node is None else "condition"
    except TextError as error:
        problem = problem_of(error).model_copy(update={"field": "condition"})
    reasons = [(part, measure_of(part).reason) for part in (() if node is None else parts_of(node))]
    return CheckAnswer(
        problem=problem,
        kind=kind,
        canonical="" if node is None else format_node(node),
        warnings=warnings,
        tested=[{"part": format_node(part), "reason": why} for part, why in reasons if why],
        others=others,
        command=command,
        python="\n".join(python),
    )


CHECK = Task(
    "check",
    "Find the first fault of a condition or a script, its warnings and its meaning.",
    check,
    CheckQuestion(condition="hcp(south) >= 15 && hcp(suoth) <= 17"),
)


# What may stand at the caret of a condition or a script, also whole situations of the library.


_FEWEST_LETTERS = 2
"""The letters from which on situations are offered, since they are long."""


class CompleteQuestion(Question):
    """A text, and the place of its caret."""

    condition: Typed = Field("", description="a condition, or a script")
    caret: int = Field(0, ge=0, le=TEXT, description="the characters before the caret")


class CompleteAnswer(Answer):
    """The texts that may stand at the caret, and the part of the text that they replace."""

    start: int = Field(description="where the replaced part starts, from 0")
    end: int = Field(description="where the replaced part ends")
    items: list[dict[str, str]] = Field(
        description="the text to insert, the label to show, its kind (function, seat, suit, "
        "operator, variable, situation …), and its meaning in a few words"
    )


def complete(question: CompleteQuestion) -> CompleteAnswer:
    """Return what may stand at the caret."""
    text, caret = question.condition, min(question.caret, len(question.condition))
    completed = completions(text, caret)
    items = [
        {"text": each.text, "label": each.text.strip(), "kind": each.kind, "meaning": each.meaning}
        for each in completed.items
    ]
    typed = text[completed.start : caret].lower()
    if completed.starts_expression and len(typed) >= _FEWEST_LETTERS:
        alone = not (text[: completed.start] + text[completed.end :]).strip()
        for offered in map(situation, situation_names()):
            words = re.findall(r"\w+", offered.title.lower())
            if any(word.startswith(typed) for word in words):
                where = offered.where if alone else f"({offered.where})"
                told = {"label": offered.title, "meaning": offered.summary}
                items.append({"text": where, "kind": "situation"} | told)
    return CompleteAnswer(
        start=completed.start,
        end=completed.end,
        items=items,
        python="from pavcodec.constraints.language.completion import completions\n\n"
        f"print(completions({text!r}, {caret}))",
    )


COMPLETE = Task(
    "complete",
    "List what may stand at the caret of a condition or a script.",
    complete,
    CompleteQuestion(condition="hcp(so", caret=6),
)


# A condition from a form: points, lengths and balance of a hand, or of two partners together.


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
        node, script = read_text(condition, [])
        if script is not None or _DEFINES.match(condition):
            raise PavError("this text is a script: write what you want to add into it")
        condition = f"({condition})" if isinstance(node, Or | Choice) else condition
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


BUILD = Task(
    "build",
    "Make a condition from points, lengths and balance of a hand.",
    build,
    BuildQuestion(points_from=15, points_to=17, balanced="balanced"),
)
