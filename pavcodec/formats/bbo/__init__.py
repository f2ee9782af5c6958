"""The formats of Bridge Base Online: LIN and the hand viewer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from pavcodec.boards.board import Board
from pavcodec.formats.format import (
    NAMES,
    PLAYED,
    TABLE,
    ArrayCodec,
    Codec,
    Format,
    Label,
    comments_of,
    contract_without_auction,
    play_of_other_hands,
    result_in_words,
)


def _codec(name: str) -> Codec:
    from pavcodec.formats.bbo import handviewer, lin, lin_writer

    if name == "lin":
        return Codec(lin.read_lin, lin_writer.write_lin)
    return Codec(handviewer.read_handviewer, handviewer.write_handviewer)


def _lin_arrays() -> ArrayCodec:
    from pavcodec.formats.bbo.batches import read_lin_batches, write_lin_batches

    return ArrayCodec(read_lin_batches, write_lin_batches)


_BOARD_TAGS = TABLE | NAMES | PLAYED | {"Room", "LinAuction", "LinPlay"}
_EVENT_TAGS = frozenset({"Event", "Stage", "Scoring", "HomeTeam", "VisitTeam", "LinHeader"})
_PARTS = frozenset({"alerts", "auction notes", "comments"})
_MAY_LOSE = frozenset({"contract", "Room", "result", "play", "comments"})


def _more_losses(board: Board, parts: Mapping[str, object]) -> Iterator[str]:
    """Yield the contract without an auction, and the values for which LIN has no letters."""
    yield from contract_without_auction(board, parts)
    has_place = board.number is not None and parts.get("Room") in ("Open", "Closed")
    if "Room" in parts and not has_place:
        yield "Room"
    yield from result_in_words(board, parts)
    yield from play_of_other_hands(board, parts, has_contracts=False)
    if any("|" in text for text in comments_of(board)):
        yield "comments"


LIN = Format(
    "lin",
    (".lin",),
    "Bridge Base Online's LIN: hands, auction and play, for its viewer",
    "cards, number, dealer, vulnerability, event, names, auction, play, result and comments",
    partial(_codec, "lin"),
    arrays=_lin_arrays,
    kept_tags=_BOARD_TAGS | _EVENT_TAGS,
    kept_parts=_PARTS,
    more_losses=_more_losses,
    may_lose=_MAY_LOSE,
    recognises=re.compile(
        r"\s*(?:vg|qx|pn|md|st|rh|ah|mn|bn|rs|pw|mp|sv|sk|lc|nt|bt|3b|km|at|cp)\|",
        re.IGNORECASE,
    ).match,
    loses="all other tags and sections",
    label=Label("For programs", "LIN", "BBO", 2),
)

HANDVIEWER = Format(
    "handviewer",
    (".urls",),
    "addresses of Bridge Base's hand viewer, one a line",
    "cards, number, dealer, vulnerability, names, auction, play, result and comments",
    partial(_codec, "handviewer"),
    kept_tags=_BOARD_TAGS,
    kept_parts=_PARTS,
    more_losses=_more_losses,
    may_lose=_MAY_LOSE,
    recognises=re.compile(
        r"\s*(?:https?://\S*\?|\S*handviewer\.html\?|\?lin=)", re.IGNORECASE
    ).match,
    loses="all other tags and sections",
    label=Label("For programs", "Links", "BBO’s hand viewer", 3),
)
