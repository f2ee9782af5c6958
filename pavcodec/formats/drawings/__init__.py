"""Diagrams of boards: text that is read and written, pages and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from pavcodec.boards.board import Board
from pavcodec.formats.format import TABLE, TRICKS, Codec, Format, Label, first_line, result_in_words


def _codec(name: str) -> Codec:
    from pavcodec.formats.drawings import diagrams

    return {
        "diagram": Codec(diagrams.read_diagrams, diagrams.write_diagrams),
        "html": Codec(diagrams.read_page, diagrams.write_html),
        "pdf": Codec(diagrams.read_page, diagrams.write_pdf),
        "svg": Codec(diagrams.read_page, diagrams.write_svg),
    }[name]


_CONTRACT = re.compile(r"[1-7](?:[SHDC]|NT)X{0,2}")


def _lost_by_diagram(board: Board, parts: Mapping[str, object]) -> Iterator[str]:
    """Yield a number or a contract that the reader does not recognise."""
    if board.number is None and "number" in parts:
        yield "number"
    contract = board.tags.get("Contract", "")
    declarer = board.tags.get("Declarer", "").removeprefix("^")
    is_read = _CONTRACT.fullmatch(contract) and declarer in ("", "?", "-", *"NESW")
    is_read = is_read and not any(result_in_words(board, parts))
    if "contract" in parts and not is_read and contract.lower() != "pass":
        yield "contract"
    if "result" in parts and not is_read:
        yield "result"


DIAGRAM = Format(
    "diagram",
    (".diagram",),
    "diagrams of text, North above and West and East beside each other",
    "cards, board number, dealer, vulnerability, contract, result and double-dummy tricks",
    partial(_codec, "diagram"),
    is_drawn=True,
    kept_tags=TABLE | TRICKS | {"Contract", "Declarer", "Result"},
    more_losses=_lost_by_diagram,
    recognises=first_line(
        r"[♠♤S?][: ]? *((10|[AKQJT2-9])*|[-–—]+)|"
        r"(?i:(board|deal)\b:? *(no\.?)? *[0-9]{1,9}\b.*)"
    ),
)

_DRAWN = TABLE | TRICKS | {"OptimumScore", "ParContract"}
_PRINTED = _DRAWN | {"Event", "Site", "Date", "Stage", "Session", "Generator", "KH"}

HTML = Format(
    "html",
    (".html", ".htm"),
    "hand records for the screen and for paper, 18 to 24 boards on a page; it is not read",
    "cards, number, dealer, vulnerability, tricks, par and heading, for people",
    partial(_codec, "html"),
    is_drawn=True,
    shows_tags=True,
    kept_tags=_PRINTED,
    is_read=False,
    media="text/html; charset=utf-8",
    label=Label("", "Web page", "to print or to send", 30),
)

PDF = Format(
    "pdf",
    (".pdf",),
    "hand records to print, 18 to 24 boards on a page; it is not read",
    "cards, number, dealer, vulnerability, tricks, par and heading, for people",
    partial(_codec, "pdf"),
    is_drawn=True,
    shows_tags=True,
    kept_tags=_PRINTED,
    is_text=False,
    is_read=False,
    needs="pdf",
    media="application/pdf",
)

SVG = Format(
    "svg",
    (".svg",),
    "a picture of diagrams; it is not read",
    "cards, number, dealer, vulnerability, tricks and par, for people",
    partial(_codec, "svg"),
    is_drawn=True,
    shows_tags=True,
    kept_tags=_DRAWN,
    is_read=False,
    media="image/svg+xml",
)
