"""Deals for a server: what the page Deal draws of them and of their number, and their files.

The questions themselves are `pavcodec.questions.dealing` and `count`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from pydantic import Field

from pavcodec.constraints.mixes.mixes import joined
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import Tricks, distinct
from pavcodec.errors import NumberError, PavError, TextError
from pavcodec.formats import Format, format_of
from pavcodec.formats.registry import FORMATS
from pavcodec.printing.pages import WRITERS, print_boards
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.count import Count, Number
from pavcodec.questions.dealing import Dealing, Drawn
from pavcodec.questions.deals import read_text
from pavcodec.questions.shares import MixCount, types_of_text
from pavcodec.questions.showing import hands_facts
from pavcodec.questions.sources import MixedSource, WeightedSource
from pavcodec.web.tasks.asked import answer_within, model_of, problems_of, question_of, task_of
from pavcodec.web.tasks.problem import in_field
from pavcodec.web.tasks.task import (
    FILE_BOARDS,
    PAGE_BOARDS,
    PLAN,
    PRINTED,
    Download,
    Task,
)
from pavcodec.web.tasks.writing import MEDIA_TYPES, media_type

if TYPE_CHECKING:
    from pavcodec.constraints.language.script import Script
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.questions.asking import Answer as Found

# The number of deals.


_SOLVED = 50
"""The deals that an estimate tests where their tricks are computed, so that it ends in time."""


def view_of_number(answer: Found) -> dict[str, Any]:
    """Return the lines on a number of deals, and what of the condition is tested.

    >>> view_of_number(Count("hcp(south) > 36").answer())["lines"][0]
    '337,912,392,291,465,600 deals'
    """
    lines = [] if isinstance(answer, MixCount) else list(answer.lines())  # a mix is a table
    if not isinstance(answer, Number):
        return {"lines": lines, "plan": [], "tested": []}
    plan = list(answer.plan_lines) if answer.estimate is not None else []
    tested = [] if plan else [(str(part), why) for part, why in answer.tested]
    return {"lines": lines, "plan": plan, "tested": tested}


def few_tries(question: Count) -> Count:
    """Return a question that tests few deals if it computes their tricks."""
    if question.tries is not None or "tricks" not in f"{question.condition} {question.mix}".lower():
        return question
    nodes = [question.request(question.condition, "condition").node]
    nodes += [node for text in question.mix for node, _ in types_of_text(text)]
    return replace(question, tries=_SOLVED) if _solves(nodes) else question


def _solves(nodes: Iterable[Node | None]) -> bool:
    parts = (part for node in nodes if node is not None for part in distinct(node))
    return any(isinstance(part, Tricks) for part in parts)


COUNT: Any = task_of(
    "count",
    {"condition": "shape(south, any 4333 + any 4432 + any 5332) && hcp(south) >= 15"},
    view_of_number,
    memory=PLAN,
    prepared=few_tries,
)


# The boards.


_BOARDS = 8
"""The number of boards if neither the question nor a script has one."""


def view_of(answer: Drawn) -> dict[str, Any]:
    """Return the first boards, and what the page says of the set."""
    n, start = answer.source.count, answer.session.start
    wanted = min(n, PAGE_BOARDS)
    boards = [hands_facts(board) for board in islice(answer.boards(), wanted)]
    made = f"only {len(boards):,} of {wanted:,}"
    note = f"{made}: the script limits the tested deals with 'generate'"
    return {
        "n": n,
        "start": start,
        "boards": boards,
        "types": [each.get("type") for each in islice(answer.source.extras(), len(boards))],
        "note": "" if len(boards) == wanted else note,
        "practise": practice_words(answer),
    }


def first_boards(answer: Drawn) -> dict[str, Any]:
    """Return the seed and the first boards for JSON; a file has all."""
    return answer.to_dict(PRINTED)


def practice_words(answer: Drawn) -> list[str]:
    """Return the conditions of practice boards of the same kind, with their weights.

    >>> practice_words(Dealing(mix=("hcp(south) > 20 : 2", "1 : 3"), seed="7").answer())
    ['hcp(south) > 20 : 2', '1 : 3']
    """
    source = answer.source
    if isinstance(source, WeightedSource):
        return []
    if not isinstance(source, MixedSource):
        return [answer.session.where] if answer.session.where else []
    kinds = ((joined(source.mix.base, kind.where.node), kind) for kind in source.mix.types)
    return [f"{format_node(node)} : {kind.weight}" for node, kind in kinds]


def within_limits(question: Dealing) -> Dealing:
    """Return a question with a number of boards; raise `NumberError` if a script has too many."""
    if question.n == 0:
        raise QuestionError("{n} is at least 1", "n")
    produce = None if (script := _script_of(question)) is None else script.produce
    if question.n is None and produce is None:
        return replace(question, n=_BOARDS)
    if question.n is None and produce is not None and produce > FILE_BOARDS:
        raise NumberError(
            f"the script produces {produce:,} deals, and a page makes {FILE_BOARDS:,} at most: "
            "give the number of boards"
        )
    return question


def _script_of(question: Dealing) -> Script | None:
    """Return the script of a question, if it has one; its faults are found later."""
    try:
        return read_text(question.condition or "1", [])[1]
    except TextError:
        return None


DEAL: Any = task_of(
    "deal",
    {"condition": "hcp(south) >= 20", "n": 2, "seed": "7"},
    view_of,
    memory=PLAN,
    prepared=within_limits,
    row=first_boards,
)


# Their files.


class DealFileQuestion(model_of("deal")):  # type: ignore[misc]  # made of declarations
    """Boards, and the format of their file."""

    to: str = Field("pbn", max_length=40, description="the format, as 'pavcodec formats' lists it")
    layout: str = Field(
        "", max_length=20, description="a layout of pages for pdf and html, as 'pavcodec print' has"
    )


def writable() -> list[Format]:
    """Return the formats that boards without double-dummy tricks can be written in."""
    return [each for each in FORMATS.values() if not each.needs_tricks]


def deal_file(fields: DealFileQuestion) -> Download:
    """Return a file of boards."""
    with in_field("to"):
        target = format_of(fields.to)
    if target.needs_tricks:
        raise PavError(
            f"{target.name} needs the double-dummy tricks of each deal, which a page does not "
            "compute: use 'pavcodec deal --solve'"
        )
    if fields.layout and target.name not in WRITERS:
        raise PavError(f"layouts are for {' and '.join(WRITERS)}, not for {target.name}")
    question = cast("Dealing", question_of("deal", fields))
    with problems_of(question):
        question = within_limits(question)
    drawn = cast("Drawn", answer_within(question, PLAN))
    if target.is_drawn and drawn.source.count > PRINTED:
        raise PavError(
            f"a file to print or to look at has {PRINTED:,} boards at most, not "
            f"{drawn.source.count:,}: choose fewer boards, or another format"
        )
    suffix = target.suffixes[0] if target.suffixes else f".{target.name}.txt"

    def write(stream: BinaryIO) -> None:
        if fields.layout:
            print_boards(list(drawn.boards()), stream, format=target.name, layout=fields.layout)
        else:
            drawn.write_in(target, stream)

    kind = f"-{fields.layout}" if fields.layout else ""
    name = f"deals-{str(drawn.asked.seed)[:8]}{kind}{suffix}"
    return Download(name, media_type(name), write)


DEAL_FILE = Task(
    "deal/file",
    "Deal boards of a condition into a file of any format.",
    deal_file,
    DealFileQuestion(condition="hcp(south) >= 20", n=2, seed="7", to="pbn"),
    media_types=MEDIA_TYPES,
)
