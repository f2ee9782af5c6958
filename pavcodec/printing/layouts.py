"""Documents of boards: the layouts, and the title and the footer from the tags of the boards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from pavcodec.boards.board import Board
from pavcodec.errors import suggest
from pavcodec.printing.document import (
    BiddingBox,
    BiddingPages,
    Document,
    Hands,
    Paper,
    Part,
    Records,
)

__all__ = ["LAYOUTS", "SECRET_LAYOUTS", "board_document"]

LAYOUTS = {
    "records": "diagrams with tricks and par, 18 to 24 boards on a page",
    "large": "the same in large print, four boards on a page",
    "single": "the same, one board on a page",
    "curtain": "a card for each hand, to cut out; a board in each row",
    "slips": "a sheet of slips for each player, to cut out",
    "players": "the hands of each player, with space for the bidding",
    "bidding": "an empty auction for each board, for silent bidding",
    "box": "the cards of a bidding box, to cut out",
}
"""The layouts of boards, each with a summary."""

SECRET_LAYOUTS = ("curtain", "slips", "players", "bidding", "box")
"""Layouts for players before the play: their pages do not print the seed of the deals."""

_UNKNOWN = ("", "?", "-")
_DATE = re.compile(r"([0-9]{4})\.([0-9]{1,2})\.([0-9]{1,2})")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_OWN = "pavcodec "
"""The begin of a Generator from which anyone can make the boards again."""
_SET = re.compile(r"pavcodec \S+ squaredeal")
"""The Generator of a set of SquareDeal, in which Stage is the title of a session."""
_FILE_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NO_STAGE = "Session"
"""The title of a session without a name."""
_BOX_TITLE = "Bidding box"
_HALF_PAGE = 10
"""The most hands in a table of half a page."""


def board_document(
    boards: Sequence[Board],
    *,
    layout: str = "records",
    title: str = "",
    paper: Paper = "a4",
    solutions: bool = True,
) -> Document:
    """Return the document of boards in one of `LAYOUTS`.

    Of the tags, it uses those that are equal in all boards. The title is `title`, else the tag
    Event, else the numbers of the boards, or "Bidding box". The lines below it are the tags Site,
    Date, Stage and Session. The footer has the tags Generator and KH, the hash of the keys of
    SquareDeal. Raises `UnknownNameError` for an unknown layout.

    >>> boards = [Board.make(None, number=1, tags={"Event": "Heat", "Date": "2026.11.24"})]
    >>> document = board_document(boards)
    >>> document.title, document.lines
    ('Heat', ('24 November 2026',))
    """
    if layout not in LAYOUTS:
        raise suggest("layout", layout, list(LAYOUTS))
    event = _shared(boards, "Event")
    lines = [event] if title and event not in ("", title) else []
    facts = (_shared(boards, "Site"), _date(_shared(boards, "Date")), *_session(boards))
    footer, code = ("", "") if layout in SECRET_LAYOUTS else _footer(boards)
    return Document(
        title or event or (_BOX_TITLE if layout == "box" else _numbers(boards)),
        (_part(tuple(boards), layout, solutions=solutions),),
        lines=tuple(filter(None, (*lines, *facts))),
        footer=footer,
        code=code,
        paper=paper,
    )


def _part(boards: tuple[Board, ...], layout: str, *, solutions: bool) -> Part:
    match layout:
        case "records" | "large" | "single":
            return Records(boards, layout, solutions=solutions)
        case "curtain" | "slips":
            return Hands(boards, layout=layout)
        case "players":
            return Hands(boards, layout="rows", per_page=2 if len(boards) <= _HALF_PAGE else 1)
        case "bidding":
            return BiddingPages(boards)
        case _:
            return BiddingBox()


def _footer(boards: Sequence[Board]) -> tuple[str, str]:
    """Return the text of the footer and that of its QR code."""
    generator, proof = _shared(boards, "Generator"), _shared(boards, "KH")
    if proof:
        return ". ".join(filter(None, (generator, f"SquareDeal: hash of the keys {proof}"))), proof
    return generator, generator if generator.startswith(_OWN) else ""


def _shared(boards: Sequence[Board], name: str) -> str:
    """Return the value of a tag that all boards share; "" if they differ or it is unknown."""
    values = {board.tags.get(name, "").strip() for board in boards}
    value = values.pop() if len(values) == 1 else ""
    return "" if value in _UNKNOWN else value


def _session(boards: Sequence[Board]) -> tuple[str, str]:
    """Return the stage and the session, without those that say nothing to players.

    The sessions of a club's set have the name of their file as tag Session, such as `tuesday-1`.
    """
    stage, session = _shared(boards, "Stage"), _shared(boards, "Session")
    if session.isdecimal():
        session = f"{_NO_STAGE} {session}"
    elif _SET.fullmatch(_shared(boards, "Generator")) and _FILE_NAME.fullmatch(session):
        session = ""
    return stage if stage != _NO_STAGE else "", session


def _date(text: str) -> str:
    """Return a date of PBN in words; another text unchanged."""
    found = _DATE.fullmatch(text)
    try:
        day = date(*map(int, found.groups())) if found else None
    except ValueError:
        return text
    return text if day is None else f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _numbers(boards: Sequence[Board]) -> str:
    """Return a title from the numbers of the boards."""
    numbers = sorted(number for board in boards if (number := board.number) is not None)
    if not numbers or len(numbers) < len(boards):
        return "Boards"
    first, last = numbers[0], numbers[-1]
    return f"Board {first}" if first == last else f"Boards {first} to {last}"
