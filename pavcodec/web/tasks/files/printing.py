"""Pages of boards to print: hand records, cards, slips and sheets, as PDF or HTML."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from pavcodec.boards import Board
from pavcodec.errors import PavError, ReadError
from pavcodec.printing.layouts import SECRET_LAYOUTS, board_document
from pavcodec.printing.pages import WRITERS
from pavcodec.web.tasks.files.converting import HEAT, Faults, nothing
from pavcodec.web.tasks.files.lines import Same, command_of, output_name, python_of
from pavcodec.web.tasks.files.uploads import FileQuestion, Reading
from pavcodec.web.tasks.limits import PAGE_BOARDS, PRINTED
from pavcodec.web.tasks.media import file_of, media_types
from pavcodec.web.tasks.shell import path_of
from pavcodec.web.tasks.task import Download, Task

__all__ = ["PRINT", "PrintQuestion", "print_pages", "printed", "solved"]


class PrintQuestion(FileQuestion):
    """Boards of files, and the pages that are wanted."""

    layout: Literal[
        "records", "large", "single", "curtain", "slips", "players", "bidding", "box"
    ] = Field("records", description="what is on the pages")
    paper: Literal["a4", "letter"] = Field("a4", description="the size of the paper")
    to: Literal["pdf", "html"] = Field("pdf", description="PDF, or a page for the browser")
    title: str = Field(
        "", max_length=200, description="the title; without one that of the event, or the numbers"
    )
    solve: bool = Field(
        default=False, description="compute the double-dummy tricks of boards without them"
    )
    solutions: bool = Field(
        default=True, description="whether records have tricks, contracts and par"
    )
    leave_out: bool = Field(
        default=False, description="leave out boards that cannot be read, instead of giving no file"
    )

    @field_validator("title")
    @classmethod
    def _check_title(cls, title: str) -> str:
        if not title.isprintable():
            raise ValueError(f"a title is a line of text, not {title!r}")
        return title.strip()


def printed(question: PrintQuestion) -> Same:
    """Return the command and the lines of Python that write the same pages."""
    options = ["--layout", question.layout] if question.layout != "records" else []
    options += ["--paper", question.paper] if question.paper != "a4" else []
    options += [f"--title={question.title}"] if question.title else []
    solves = _solves(question)
    options += ["--solve"] if solves else []
    options += [] if question.solutions else ["--no-solutions"]
    name = _name(question)
    named = {"layout": "records", "paper": "a4", "title": ""}
    words = [
        f"{key}={getattr(question, key)!r}"
        for key, usual in named.items()
        if getattr(question, key) != usual
    ]
    words += [] if _has_solutions(question) else ["solutions=False"]
    titled = f"boards = [board.with_tags({{'Event': {question.title!r}}}) for board in boards]"
    last = [*([titled] if question.title else []), *([_SOLVING] if solves else [])]
    return Same(
        command=command_of(question, ["print", *options, "-o", path_of(name)]),
        python=python_of(
            question, [*last, f"pav.print_boards({', '.join(['boards', repr(name), *words])})"]
        ),
    )


_SOLVING = """\
import numpy as np

places = [place for place, board in enumerate(boards) if board.layout is not None
          and board.layout.is_deal and board.tricks is None]
owners = np.array([list(boards[place].layout.owners) for place in places], np.uint8)
for place, row in zip(places, pav.solve_many(owners.reshape(-1, 52))):
    boards[place] = boards[place].with_tricks(pav.TrickTable(bytes(row)))"""
"""Lines of Python that solve the boards without tricks."""


def _name(question: PrintQuestion) -> str:
    return output_name(question, f".{question.to}")


def _has_solutions(question: PrintQuestion) -> bool:
    return question.solutions and question.layout not in SECRET_LAYOUTS


def _solves(question: PrintQuestion) -> bool:
    return question.solve and _has_solutions(question)


def solved(boards: list[Board]) -> list[Board]:
    """Return boards with the double-dummy tricks of the deals that lack them.

    Raises `PavError` for more boards than a page has, and without the package endplay.
    """
    from pavcodec.solving.boards import solved_boards

    lacking = [
        place
        for place, board in enumerate(boards)
        if board.layout is not None and board.layout.is_deal and board.tricks is None
    ]
    if len(lacking) > PAGE_BOARDS:
        raise PavError(
            f"tricks are computed for {PAGE_BOARDS} boards at most, and {len(lacking):,} have "
            "none: the command 'pavcodec solve' on your own computer computes them"
        )
    found = list(boards)
    for place, board in zip(lacking, solved_boards([boards[p] for p in lacking]), strict=True):
        found[place] = board
    return found


def print_pages(question: PrintQuestion) -> Download:
    """Return boards as pages.

    Raises `ReadError` if a board cannot be read, except with `leave_out`, and if there are none.
    """
    faults = Faults()
    reading = Reading(question, faults)
    boards: list[Board] = []
    for board in reading.boards():
        boards.append(board)
        if len(boards) > PRINTED:
            raise ReadError(
                f"pages are made for {PRINTED:,} boards at most: use the command on your own "
                "computer for more"
            )
    if faults.count and not question.leave_out:
        raise ReadError(f"{faults.first[0]}: choose to leave out boards with problems")
    if not boards:
        raise ReadError(nothing(question, reading))
    if _solves(question):
        boards = solved(boards)
    if question.title:  # it is also the event, as in the command
        boards = [board.with_tags({"Event": question.title}) for board in boards]
    document = board_document(
        boards,
        layout=question.layout,
        title=question.title,
        paper=question.paper,
        solutions=_has_solutions(question),
    )
    data = WRITERS[question.to](document)
    return file_of(_name(question), data)


PRINT = Task(
    "print",
    "Return boards as pages to print: hand records, cards to cut out, and others.",
    print_pages,
    PrintQuestion(file=(HEAT,), to="html"),
    media_types=media_types([".pdf", ".html"]),
)
