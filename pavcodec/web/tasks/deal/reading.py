"""Questions about the deals of a condition, and the reading of their texts.

Rule 1: A text that is an expression is the condition. Any other text with a statement or with a
variable is a script of the classic dealer program.
Rule 2: A question has the deals that the commands `deal` and `count` have for the same texts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from pydantic import BeforeValidator, Field, StringConstraints

from pavcodec.cards import Seat
from pavcodec.constraints.known.texts import texts_by_seat
from pavcodec.errors import PavError, TextError
from pavcodec.web.tasks.limits import TEXT
from pavcodec.web.tasks.problem import in_field
from pavcodec.web.tasks.task import Question

if TYPE_CHECKING:
    from pavcodec.constraints.language.mix import MixTypes
    from pavcodec.constraints.language.script import Script
    from pavcodec.constraints.nodes.syntax import Node

__all__ = ["ConditionQuestion", "Reading", "Typed", "read", "read_text"]

_MOST_TYPES = 20
_STATEMENT = re.compile(
    r"\b(?:condition|produce|generate|predeal|action|dealer|vulnerable|pointcount|altcount|seed|"
    r"title|mix|weight)\b|\b[^\W\d]\w*\s*=(?![=<>])",
    re.IGNORECASE,
)


def _unified(text: object) -> object:
    """Return a text with the line ends of a form as new lines."""
    return text.replace("\r\n", "\n") if isinstance(text, str) else text


Typed = Annotated[str, StringConstraints(max_length=TEXT), BeforeValidator(_unified)]
"""A text that somebody typed or pasted."""


class ConditionQuestion(Question):
    """A condition or a script, known cards, and types of deals."""

    condition: Typed = Field(
        "", description="a condition, or a script of the classic dealer program; empty: all deals"
    )
    hands: list[str] = Field(
        default=[],
        max_length=len(Seat),
        description="cards that a seat was dealt, all or a few: 'S AKQ2.K85.AJ4.T63', 'E SA,H5'",
    )
    mix: list[Typed] = Field(
        default=[],
        max_length=_MOST_TYPES,
        description="types of deals, each with its weight after a colon, as in "
        "'hcp(south) >= 20 : 35'; without weights, types keep their natural frequencies",
    )
    names: list[str] = Field(
        default=[], max_length=_MOST_TYPES, description="names of the types, in their order"
    )
    interleave: bool = Field(
        default=False, description="deal the types in an even order, so that any ten are mixed"
    )

    @property
    def known(self) -> dict[str, str]:
        """The known cards by seat."""
        return texts_by_seat(self.hands)

    def name_of(self, place: int) -> str:
        """Return the name of a type, or its number."""
        name = self.names[place].strip() if place < len(self.names) else ""
        return name or f"type {place + 1}"


@dataclass(frozen=True)
class Reading:
    """The parts of a question: the condition as it was written, its script, cards and types."""

    written: Node | None
    script: Script | None
    known: tuple[Node, ...]
    types: MixTypes
    warnings: tuple[str, ...]

    @cached_property
    def predealt(self) -> Node | None:
        """The condition of the known cards and of those that the script deals first."""
        return _joined(self._dealt)

    @cached_property
    def node(self) -> Node | None:
        """The whole condition; None for all deals."""
        own = [] if self.written is None else [self.written]
        return _joined([*self._dealt, *own])

    @property
    def _dealt(self) -> list[Node]:
        return [*self.known, *(() if self.script is None else self.script.predeal)]


def read(question: ConditionQuestion) -> Reading:
    """Read the texts of a question; raise `PavError` for the first fault.

    >>> read(ConditionQuestion(condition="produce 4 hcp(south) > 20")).script.produce
    4
    """
    warnings: list[str] = []
    with in_field("condition"):
        written, script = read_text(question.condition, warnings)
    types = _types(question, warnings)
    with in_field("hands"):
        known = _known(question)
    if script is not None:
        types = types or script.mix
    if question.interleave and not types:
        with in_field("interleave"):
            raise PavError("an even order is one of types: name the types of deals")
    return Reading(written, script, known, types, tuple(warnings))


def read_text(text: str, warnings: list[str]) -> tuple[Node | None, Script | None]:
    """Return the condition of a text, and its script if it is one; add its warnings.

    Raises `TextError` with the place of the first fault.
    """
    from pavcodec.constraints.language.parser import parse_condition, parse_script

    if not text.strip():
        return None, None
    try:
        return parse_condition(text, warn=warnings.append), None
    except TextError:
        if not _STATEMENT.search(text):
            raise
    warnings.clear()
    script = parse_script(text)
    warnings += script.warnings
    return script.condition, script


def _types(question: ConditionQuestion, warnings: list[str]) -> MixTypes:
    """Return the types of a question; raise `PavError` if only some have weights."""
    from pavcodec.constraints.language.parser import parse_mix
    from pavcodec.sampling.weights import unweighted

    types: MixTypes = ()
    for place, text in enumerate(question.mix):
        with in_field(f"mix.{place}"):
            types += parse_mix(text, warn=warnings.append)
    missing = unweighted([weight for _, weight in types])
    if missing is not None:
        name = question.name_of(missing)
        with in_field("mix"):
            raise PavError(
                f"{name} has no weight, but other types have: give weights to all or none"
            )
    return types


def _known(question: ConditionQuestion) -> tuple[Node, ...]:
    """Return the conditions of the known cards."""
    from pavcodec.constraints.known.arguments import with_known_cards
    from pavcodec.constraints.language.build import parts_of
    from pavcodec.constraints.nodes.syntax import Number

    hands = question.known
    if not hands:
        return ()
    return parts_of(with_known_cards(Number(1), {"hands": hands}, "known cards"))


def _joined(parts: list[Node]) -> Node | None:
    """Join conditions by `and`; None for none."""
    from pavcodec.constraints.language.build import conjunction

    return conjunction(parts) if parts else None
