"""What may stand at the caret of a condition or a script, also whole situations of the library."""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.constraints.language.completion import completions
from pavcodec.practice import Situation, situation, situation_names
from pavcodec.web.tasks.deal.reading import Typed
from pavcodec.web.tasks.limits import TEXT
from pavcodec.web.tasks.task import Answer, Question, Task

__all__ = ["COMPLETE", "CompleteAnswer", "CompleteQuestion"]

_FEWEST_LETTERS = 2
"""The letters from which on situations are offered, since they are long."""


class CompleteQuestion(Question):
    """A text, and the place of its caret."""

    condition: Typed = Field("", description="a condition, or a script")
    caret: int = Field(0, ge=0, le=TEXT, description="the characters before the caret")


class Item(BaseModel):
    """A text that may stand at the caret."""

    model_config = ConfigDict(frozen=True)

    text: str = Field(description="the text to insert")
    label: str = Field(description="the text to show")
    kind: str = Field(description="function, seat, suit, operator, variable, situation …")
    meaning: str = Field(description="its meaning in a few words")


class CompleteAnswer(Answer):
    """The texts that may stand at the caret, and the part of the text that they replace."""

    start: int = Field(description="where the replaced part starts, from 0")
    end: int = Field(description="where the replaced part ends")
    items: list[Item]


def complete(question: CompleteQuestion) -> CompleteAnswer:
    """Return what may stand at the caret."""
    text, caret = question.condition, min(question.caret, len(question.condition))
    found = completions(text, caret)
    items = [
        Item(text=each.text, label=each.text.strip(), kind=each.kind, meaning=each.meaning)
        for each in found.items
    ]
    typed = text[found.start : caret].lower()
    if found.starts_expression and len(typed) >= _FEWEST_LETTERS:
        alone = not (text[: found.start] + text[found.end :]).strip()
        every = map(situation, situation_names())
        items += [_situation_item(one, alone=alone) for one in every if _is_about(one, typed)]
    return CompleteAnswer(
        start=found.start,
        end=found.end,
        items=items,
        python="from pavcodec.constraints.language.completion import completions\n\n"
        f"print(completions({text!r}, {caret}))",
    )


def _situation_item(one: Situation, *, alone: bool) -> Item:
    """Return a situation; its condition has parentheses beside other text."""
    where = one.where if alone else f"({one.where})"
    return Item(text=where, label=one.title, kind="situation", meaning=one.summary)


def _is_about(one: Situation, typed: str) -> bool:
    """Return whether a word of the title starts with the typed letters."""
    return any(word.startswith(typed) for word in re.findall(r"\w+", one.title.lower()))


COMPLETE = Task(
    "complete",
    "List what may stand at the caret of a condition or a script.",
    complete,
    CompleteQuestion(condition="hcp(so", caret=6),
)
