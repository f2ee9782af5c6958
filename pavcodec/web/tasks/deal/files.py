"""Boards of a condition for a server, and their files with the bytes that `deal` writes.

The question itself is `pavcodec.questions.dealing`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any, BinaryIO

from pydantic import Field

from pavcodec.boards import Board, Context
from pavcodec.collection.distinct import write_set_archive
from pavcodec.errors import NumberError, PavError
from pavcodec.formats import Format, format_of
from pavcodec.formats.registry import FORMATS
from pavcodec.printing.pages import WRITERS, print_boards
from pavcodec.questions.asking import Asker, asking, call_of, command_of
from pavcodec.questions.dealing import Dealing, Drawn, batches_of, boards_of, is_in_batches
from pavcodec.questions.sources import OrderedSource
from pavcodec.sampling import preface
from pavcodec.web.tasks.asked import AskedAnswer, model_of_fields, problems_of, question_of_fields
from pavcodec.web.tasks.deal.count import COUNT
from pavcodec.web.tasks.exact import board_view
from pavcodec.web.tasks.problem import in_field
from pavcodec.web.tasks.task import (
    FILE_BOARDS,
    PAGE_BOARDS,
    PLAN,
    PRINTED,
    Answer,
    Download,
    Task,
)
from pavcodec.web.tasks.writing import MEDIA_TYPES, media_type

_BOARDS = 8
"""The number of boards if neither the question nor a script has one."""

_Fields: Any = model_of_fields(Dealing)


class DealQuestion(_Fields):  # type: ignore[misc]  # a model that is made of declarations
    """A condition, and which of its deals."""

    n: int | None = Field(
        None,
        ge=1,
        le=FILE_BOARDS,
        description=f"the number of boards (default: as the script says, else {_BOARDS})",
    )
    counted: bool = Field(default=False, description="also count the deals")


class DealAnswer(Answer):
    """Boards; a page has the first of many, and files have all."""

    seed: str = Field(description="the seed: with it, the same question has the same boards")
    n: int = Field(description="the number of boards of the set")
    start: int
    boards: list[dict[str, Any]] = Field(
        description=f"the boards as 'deal --json' prints them, at most the first {PAGE_BOARDS}"
    )
    note: str = Field(description="why there are fewer boards than asked for")
    number: Any = Field(description="the answer of the task 'count', if it is wanted")
    notes: tuple[str, ...] = Field(description="warnings of a script or a condition")
    view: Any = Field(None, exclude=True)


class _Notes(Asker):
    """Keeps notes."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        """Keep a note."""
        self.notes.append(text)


def _drawn(fields: DealQuestion) -> Drawn:
    """Return the deals of a question; raise `PavError` if there are none."""
    question = question_of_fields(Dealing, fields)
    with problems_of(question):
        drawn = replace(question, memory=PLAN).drawn(_BOARDS)
    if drawn.source.count > FILE_BOARDS:
        raise NumberError(
            f"the script produces {drawn.source.count:,} deals, and a page makes {FILE_BOARDS:,} "
            "at most: give the number of boards"
        )
    return replace(drawn, asked=replace(drawn.asked, memory=None))


def deal(fields: DealQuestion) -> DealAnswer:
    """Return boards of a condition."""
    asker = _Notes()
    with asking(asker):
        drawn = _drawn(fields)
        wanted = min(drawn.source.count, PAGE_BOARDS)
        deals = list(islice(drawn.source.deals(), wanted))
        rows = list(drawn.rows_of(deals))
        boards = boards_of(drawn.source, drawn.session, iter(deals))
    made = f"only {len(rows):,} of {wanted:,}"
    note = f"{made}: the script limits the tested deals with 'generate'"
    return DealAnswer(
        seed=str(drawn.asked.seed),
        n=drawn.source.count,
        start=drawn.asked.start,
        boards=rows,
        note="" if len(rows) == wanted else note,
        number=_number(fields) if fields.counted else None,
        notes=tuple(asker.notes),
        view=[board_view(board) for board in boards],
        command=command_of(drawn.asked, "--to pbn"),
        python=call_of(drawn.asked),
    )


def _number(fields: DealQuestion) -> AskedAnswer:
    """Return the number of deals."""
    shared = {
        name: getattr(fields, name)
        for name in COUNT.question.model_fields
        if name in DealQuestion.model_fields and name != "method"
    }
    question = COUNT.question(**shared)
    if question == COUNT.question():
        question = COUNT.question(condition="1")  # which all deals satisfy
    number: AskedAnswer = COUNT.work(question)
    return number


DEAL = Task(
    "deal",
    "Deal boards of a condition; a seed always gives the same boards.",
    deal,
    DealQuestion(condition="hcp(south) >= 20", n=2, seed="7"),
)


_PAGES = ("pdf", "html", "svg", "diagram")


class DealFileQuestion(DealQuestion):
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
    drawn = _drawn(fields)
    if target.name in _PAGES and drawn.source.count > PRINTED:
        raise PavError(
            f"a file to print or to look at has {PRINTED:,} boards at most, not "
            f"{drawn.source.count:,}: choose fewer boards, or another format"
        )
    suffix = target.suffixes[0] if target.suffixes else f".{target.name}.txt"

    def write(stream: BinaryIO) -> None:
        if fields.layout:
            print_boards(list(drawn.boards()), stream, format=target.name, layout=fields.layout)
        else:
            _write(drawn, target, stream)

    kind = f"-{fields.layout}" if fields.layout else ""
    name = f"deals-{str(drawn.asked.seed)[:8]}{kind}{suffix}"
    return Download(name, media_type(name), write)


def _write(drawn: Drawn, target: Format, stream: BinaryIO) -> None:
    """Write all boards as the command does."""
    source, session = drawn.source, drawn.session
    if isinstance(source, OrderedSource) and source.order.is_sorted and target.name == "pav":
        write_set_archive(source.space, source.positions(), stream)
        return
    preamble = preface(session.where, session.generator)
    context = Context("deal", numbering=session.ranks, preface=preamble)
    if is_in_batches(source, target):
        target.write_batches(batches_of(source, session, target), stream, context)
    elif target.is_cards_only:
        target.write(map(Board, source.deals()), stream, context)
    else:
        target.write(boards_of(source, session, source.deals(), target.cycle), stream, context)


DEAL_FILE = Task(
    "deal/file",
    "Deal boards of a condition into a file of any format.",
    deal_file,
    DealFileQuestion(condition="hcp(south) >= 20", n=2, seed="7", to="pbn"),
    media_types=MEDIA_TYPES,
)
