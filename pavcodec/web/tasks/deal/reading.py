"""Questions about the deals of a condition, and the reading of their texts.

Rule 1: A text that is an expression is the condition. Any other text with a statement or with a
variable is a script of the classic dealer program.
Rule 2: A question has the deals that the commands `deal` and `count` have for the same texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from pavcodec.cards import HAND_SIZE, Seat, Suit
from pavcodec.constraints.counting.diagrams.compile import tested_for
from pavcodec.constraints.known import texts_by_seat, with_known_cards
from pavcodec.constraints.language.build import conjunction, parts_of
from pavcodec.constraints.language.completion import completions
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import Choice, Node, Number, Or
from pavcodec.constraints.scripts.check import check_script
from pavcodec.errors import PavError, TextError
from pavcodec.practice import situation, situation_names
from pavcodec.web.tasks.problem import Problem, in_field, problem_of
from pavcodec.web.tasks.task import TEXT, Answer, Fields, Question, Task

if TYPE_CHECKING:
    from pavcodec.constraints.language.script import Script
    from pavcodec.constraints.language.weights import MixTypes

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

    def name_of(self, index: int) -> str:
        """Return the name of a type, or its number."""
        name = self.names[index].strip() if index < len(self.names) else ""
        return name or f"type {index + 1}"


@dataclass(frozen=True)
class ConditionReading:
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


def read(question: ConditionQuestion) -> ConditionReading:
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
    return ConditionReading(written, script, known, types, tuple(warnings))


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
    from pavcodec.sampling import unweighted

    types: MixTypes = ()
    for index, text in enumerate(question.mix):
        with in_field(f"mix.{index}"):
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
    hands = question.known
    if not hands:
        return ()
    return parts_of(with_known_cards(Number(1), {"hands": hands}, "known cards"))


def _joined(parts: list[Node]) -> Node | None:
    """Join conditions by `and`; None for none."""
    return conjunction(parts) if parts else None


# The diagnosis of a condition or a script while somebody types it: nothing is counted.


class CheckQuestion(Question):
    """A condition or a script."""

    condition: Typed = Field("", description="a condition, or a script")


class TestedPart(Fields):
    """A part of a condition that is tested deal by deal, and the reason."""

    part: str
    reason: str


class Remark(Fields):
    """A remark about a script, as the command `check` prints it."""

    line: int
    column: int
    kind: str = Field(description="error, warning, refused or differs")
    message: str


class CheckAnswer(Answer):
    """What is wrong with a condition, or what it means."""

    problem: Problem | None = Field(description="the first fault, with its place in the text")
    kind: str = Field(description="'condition', 'script', or 'nothing' for an empty text")
    canonical: str = Field(description="the condition in its canonical form")
    warnings: list[str] = Field(description="what may not mean what its author expects")
    tested: list[TestedPart] = Field(
        description="the parts that are tested deal by deal; all others are counted, unless the "
        "condition is too large as a whole"
    )
    others: list[Remark] = Field(
        description="what other programs refuse or read differently: BBO, dealer, DealerV2, Dealer3"
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
    findings = check_script(text)
    others = [
        Remark(line=each.line, column=each.column, kind=each.kind, message=each.message)
        for each in findings
        if each.kind in {"refused", "differs"}
    ]
    warnings: list[str] = []
    problem, node, kind = None, None, "nothing"
    try:
        node, script = read_text(text, warnings)
        kind = "script" if script is not None else kind if node is None else "condition"
    except TextError as error:
        problem = problem_of(error).model_copy(update={"field": "condition"})
    reasons = [(part, tested_for(part)) for part in (() if node is None else parts_of(node))]
    return CheckAnswer(
        problem=problem,
        kind=kind,
        canonical="" if node is None else format_node(node),
        warnings=warnings,
        tested=[TestedPart(part=format_node(part), reason=why) for part, why in reasons if why],
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


class Item(Fields):
    """A text that may stand at the caret."""

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
    completed = completions(text, caret)
    items = [
        Item(text=each.text, label=each.text.strip(), kind=each.kind, meaning=each.meaning)
        for each in completed.items
    ]
    typed = text[completed.start : caret].lower()
    if completed.starts_expression and len(typed) >= _FEWEST_LETTERS:
        alone = not (text[: completed.start] + text[completed.end :]).strip()
        for offered in map(situation, situation_names()):
            words = re.findall(r"\w+", offered.title.lower())
            if any(word.startswith(typed) for word in words):
                where = offered.where if alone else f"({offered.where})"
                items.append(
                    Item(text=where, label=offered.title, kind="situation", meaning=offered.summary)
                )
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


# The command lines and the lines of Python that give the answers of questions about deals.


def command_of(
    name: str, question: ConditionQuestion, reading: ConditionReading, options: Iterable[str] = ()
) -> str:
    """Return the command line of a question; a script is its standard input.

    >>> question = ConditionQuestion(condition="hcp(south) >= 20", hands=["N SA"])
    >>> command_of("deal", question, ConditionReading(None, None, (), (), ()), ["-n 8"])
    "pavcodec deal 'hcp(south) >= 20' --hand 'N SA' -n 8"
    """
    words = ["pavcodec", name]
    condition = question.condition.strip()
    if reading.script is not None:
        words = [f"printf '%s\\n' {quote(question.condition)} | pavcodec", name, "-f -"]
    elif condition and not condition.startswith("-"):
        words.append(quote(condition))
    words += [f"--hand {quote(f'{seat} {cards}')}" for seat, cards in question.known.items()]
    words += [f"--mix {quote(text.strip())}" for text in question.mix]
    words += ["--interleave"] if question.interleave else []
    if name == "count" and len(words) == 2 and not condition:
        words.append("1")  # which all deals satisfy: the command wants a condition
    words += options
    if reading.script is None and condition.startswith("-"):
        words += ["--", quote(condition)]
    return " ".join(words)


def python_of(
    question: ConditionQuestion, reading: ConditionReading, lines: Iterable[str], method: str = ""
) -> str:
    """Return lines of Python that make the deals of a question as `space`, and further lines.

    A script has its condition in the canonical text. `method` is an argument of `deals`.
    """
    start, known = ["import pavcodec as pav", ""], ""
    where = repr(question.condition.strip()) if question.condition.strip() else ""
    if reading.script is not None:
        where = "" if reading.node is None else repr(format_node(reading.node))
    elif question.known:
        known = f"hands={question.known!r}"
    if reading.types:
        given = f"given={where}" if where else ""
        types = ",\n    ".join(_type(*each) for each in reading.types)
        call = _call("pav.mix", f"[\n    {types},\n]", given, known)
        call += ".interleaved" if question.interleave else ""
    elif reading.script is not None and reading.script.weights:
        start = [
            "import pavcodec as pav",
            "from pavcodec.constraints.language.parser import parse_script",
            "",
            f"script = parse_script({question.condition!r})",
        ]
        call = _call("pav.weighted", where or "1", "joint=script.weights")
    elif where or known:
        call = _call("pav.deals", where, known, method)
    else:
        call = "pav.numbering('deal')"
    return "\n".join([*start, f"space = {call}", *lines])


def _call(function: str, *arguments: str) -> str:
    return f"{function}({', '.join(each for each in arguments if each)})"


def _type(condition: Node, weight: Fraction | None) -> str:
    text = repr(format_node(condition))
    return text if weight is None else f"({text}, {str(weight)!r})"


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
