"""Richard's Bridge Notation and its inline form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from pavcodec.boards.board import Board
from pavcodec.formats.format import (
    NAMES,
    PLAYED,
    TABLE,
    Codec,
    Format,
    Label,
    comments_of,
    play_of_other_hands,
    result_in_words,
)

_EVENT_TAGS = frozenset({"Date", "Site", "Event", "Stage", "Scoring", "HomeTeam", "VisitTeam"})
_LABELS = frozenset(f"Rbn{label}" for label in "DTLEFSKNBHACPRMI0123456789")
_DATE = re.compile(r"\d{4}\.(\d\d|\?\?)\.(\d\d|\?\?)")
_MORE = frozenset({"Room", "Table", "Hidden"})
_NOTES = frozenset(f"RbnP{digit}" for digit in range(10))


def _codec(name: str) -> Codec:
    from pavcodec.formats.rbn import boards

    if name == "rbn":
        return Codec(boards.read_rbn, boards.write_rbn)
    return Codec(boards.read_rbx, boards.write_rbx)


def _more_losses(board: Board, parts: Mapping[str, object]) -> Iterator[str]:
    """Yield the values for which the labels have no place."""
    has_room = parts.get("Room") in ("Open", "Closed")
    if "Room" in parts and not has_room:
        yield "Room"
    if "Table" in parts and has_room:
        yield "Table"
    if "vulnerability" in parts and board.dealer is None:
        yield "vulnerability"
    if "Date" in parts and not _DATE.fullmatch(str(parts["Date"])):
        yield "Date"
    yield from result_in_words(board, parts)
    yield from play_of_other_hands(board, parts)
    if any("{" in text or "}" in text for text in comments_of(board)):
        yield "comments"


def _format(name: str, summary: str, pattern: str, label: Label | None = None) -> Format:
    return Format(
        name,
        (f".{name}",),
        f"Richard's Bridge Notation, {summary}",
        "cards, number, dealer, vulnerability, event, names, auction, play, result and comments",
        partial(_codec, name),
        kept_tags=TABLE | NAMES | PLAYED | _EVENT_TAGS | _LABELS | _NOTES | _MORE,
        kept_parts=frozenset({"alerts", "auction notes", "auction marks", "comments"}),
        more_losses=_more_losses,
        recognises=re.compile(pattern).match,
        loses="all other tags and sections",
        is_apart=name == "rbn",
        label=label,
    )


RBN = _format("rbn", "a label a line", r"% RBN\b|H [NESW][:;]", Label("For programs", "RBN", "", 4))
RBX = _format("rbx", "a board a line", r"%\{RBX|[DTLEFSKNBHACPRMI]\{[^{}]*\}")
