"""Boards printed into a file: the interface for Python."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import BinaryIO

from pavcodec.boards.board import UNKNOWN, Board
from pavcodec.cards import Seat
from pavcodec.errors import (
    MissingExtraError,
    PavError,
    UnknownNameError,
    check_text,
    shown,
    suggest,
)
from pavcodec.files.opening import check_stream, open_output
from pavcodec.files.text import half_characters_refused
from pavcodec.layout import Layout
from pavcodec.printing.document import (
    PAPERS,
    BoardFacts,
    Document,
    Hands,
    Paper,
    Part,
    Records,
    Table,
    code_millimetres,
    facts_of,
    qr_code,
)
from pavcodec.printing.html import html_document

# Documents of boards: the layouts, and the title and the footer from the tags of the boards.


LAYOUTS = {
    "records": "diagrams with tricks and par, 18 to 24 boards on a page",
    "large": "the same in large print, four boards on a page",
    "single": "the same, one board on a page",
    "curtain": "a card for each hand, to cut out; a board in each row",
    "slips": "a sheet of slips for each player, to cut out",
    "players": "the hands of each player, with space for the bidding",
}
"""The layouts of boards, each with a summary."""

SECRET_LAYOUTS = ("curtain", "slips", "players")
"""Layouts for players before the play: their pages do not print the seed of the deals."""

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
    Event, else the numbers of the boards. The lines below it are the tags Site,
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
        title or event or _numbers(boards),
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
        case _:
            return Hands(boards, layout="rows", per_page=2 if len(boards) <= _HALF_PAGE else 1)


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
    return "" if value in UNKNOWN else value


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
    match = _DATE.fullmatch(text)
    try:
        day = date(*map(int, match.groups())) if match else None
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


# Documents as PDF, by the typesetter typst.
#
# The template `pages.typ` reads the document as JSON. The fonts are those inside typst, so that the
# pages are the same on every machine. Only texts in a script that these fonts lack, such as
# Chinese, use the fonts of the system. Equal documents give equal bytes.


MOST_BOARDS = 2000
"""The most boards in a file: typst lays out a document as a whole, and takes 0.7 MB for each."""


_USED_BY: set[int] = set()
"""The process that has used typst: this one, or the one that this one is a copy of."""
_OF_BOARDS = (Records, Hands)
_TEMPLATE = Path(__file__).with_name("pages.typ")
_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "HEBREW")
"""The scripts of the fonts inside typst, as in the Unicode names of their letters."""


def check_pdf() -> None:
    """Raise `PavError` if typst, which makes the PDF files, is not installed."""
    try:
        import typst  # noqa: F401
    except ImportError:
        raise MissingExtraError("pdf") from None


def pdf_document(document: Document) -> bytes:
    """Return the pages of a document as PDF.

    Raises `PavError` without the package typst, for more than `MOST_BOARDS` boards, and in a copy
    (`fork`) of a process that has made a PDF: typst would wait for threads that only the first
    process has.

    The headings, tables and pictures have tags for screen readers, as PDF/UA-1 requires; a document
    without a title, or with characters that no font has, does not conform to it.
    """
    check_pdf()
    import typst

    if _USED_BY - {os.getpid()}:
        raise PavError("a copy (fork) of a process that has made a PDF cannot make one: use spawn")
    _USED_BY.add(os.getpid())
    boards = sum(len(part.boards) for part in document.parts if isinstance(part, _OF_BOARDS))
    if boards > MOST_BOARDS:
        raise PavError(f"a PDF file has at most {MOST_BOARDS} boards: write HTML, or several files")
    data = json.dumps(_document(document), ensure_ascii=False, sort_keys=True)
    fonts_suffice = all(map(_is_inside, data))

    def compiled(standards: list[typst.PDFStandard]) -> bytes:
        return typst.compile(
            _TEMPLATE.read_bytes(),
            format="pdf",
            sys_inputs={"data": data},
            ignore_system_fonts=fonts_suffice,
            pdf_standards=standards,
        )

    try:
        return compiled(["ua-1"])
    except typst.TypstError:  # a character that no font has, or no title
        return compiled([])


def _is_inside(character: str) -> bool:
    """Return whether the fonts inside typst have a character."""
    if character.isascii() or not character.isalpha():
        return True
    return unicodedata.name(character, "").startswith(_SCRIPTS)


def _document(document: Document) -> dict[str, object]:
    return {
        "title": document.title,
        "lines": list(document.lines),
        "footer": document.footer,
        "paper": document.paper,
        "code": qr_code(document.code),
        "code_size": code_millimetres(document.code) if document.code else 0.0,
        "parts": [_part_data(part) for part in document.parts],
    }


def _part_data(part: Part) -> dict[str, object]:
    """Return the data of a part: its fields, with the facts of each board."""
    data: dict[str, object] = {"kind": type(part).__name__}
    if isinstance(part, _OF_BOARDS):
        data["boards"] = [_board(facts_of(board)) for board in part.boards]
    if isinstance(part, Hands):
        data["seats"] = [seat.letter for seat in part.seats]
    if isinstance(part, Table):
        data["align"] = part.alignment
    for name in part.__dataclass_fields__:
        data.setdefault(name, getattr(part, name))
    return data


def _board(facts: BoardFacts) -> dict[str, object]:
    hands = [asdict(hand) | {"seat": Seat(hand.seat).letter} for hand in facts.hands]
    return asdict(facts) | {"hands": hands, "title": facts.title}


@half_characters_refused()
def print_boards(  # noqa: PLR0913 (the options of pages, each by its name)
    boards: Iterable[Board | Layout],
    target: str | os.PathLike[str] | BinaryIO,
    *,
    format: str | None = None,
    layout: str = "records",
    title: str = "",
    paper: Paper = "a4",
    solutions: bool = True,
) -> int:
    r"""Write pages of boards as PDF or HTML, and return the number of boards.

    The format is `format`, `pdf` or `html`, else that of the suffix. `layout` is `records`,
    `large`, `single`, `curtain`, `slips` or `players`, and `paper` is `a4` or `letter`. Without a
    `title` the pages have the tag Event as title. Without `solutions` the records have no tricks,
    contracts and par. A file is complete or absent.

    Raises `UnknownNameError` for an unknown format, layout or paper, and `PavError` for PDF without
    the package typst.

    >>> import io
    >>> from pavcodec import numbering
    >>> stream = io.BytesIO()
    >>> print_boards([Board.make(numbering("deal")[0], number=1)], stream, format="html")
    1
    >>> b"<h1>Board 1</h1>" in stream.getvalue()
    True
    """
    if isinstance(boards, Layout | Board | str | bytes) or not isinstance(boards, Iterable):
        kind = type(boards).__name__
        raise TypeError(f"boards are printed together, as in [board], not {kind!r}")
    check_text("a title", title)
    if not isinstance(target, str | os.PathLike):
        check_stream("a page", target)
    whole = [_board_of(board) for board in boards]
    check_text("the name of a paper", paper)
    if paper not in PAPERS:
        raise UnknownNameError(f"no paper is called {shown(paper)}; expected {' or '.join(PAPERS)}")
    kind = format_of_suffix(target) if format is None else format
    if kind not in WRITERS:
        raise UnknownNameError(
            f"pages are written as pdf or html, not {shown(kind)}: name the format"
        )
    document = board_document(whole, layout=layout, title=title, paper=paper, solutions=solutions)
    data = WRITERS[kind](document)
    if isinstance(target, str | os.PathLike):
        with open_output(target) as stream:
            stream.write(data)
    else:
        target.write(data)
    return len(whole)


def _board_of(item: Board | Layout) -> Board:
    if not isinstance(item, Board | Layout):
        raise TypeError(f"boards and layouts are printed, not {type(item).__name__!r}")
    return item if isinstance(item, Board) else Board(item)


def format_of_suffix(target: str | os.PathLike[str] | BinaryIO) -> str:
    """Return the format of the suffix of a path; "" without one."""
    path = os.fspath(target) if isinstance(target, str | os.PathLike) else ""
    suffix = os.path.splitext(path)[1].lower().lstrip(".")
    return "html" if suffix == "htm" else suffix


WRITERS: dict[str, Callable[[Document], bytes]] = {
    "pdf": pdf_document,
    "html": lambda document: html_document(document).encode(),
}
"""The functions that return a document as bytes, by the names of their formats."""
