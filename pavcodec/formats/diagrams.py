"""Diagrams of plain text, as people and programs draw them, read and written.

North stands above, West and East beside each other below it, then South: twelve lines. Each holding
follows the sign of its suit, which may be ♠ ♥ ♦ ♣, S H D C, or `?` where a program could not print
it, and then the suits are told by their order. A void is `-` or nothing.

    Board 7
                    ♠ 9742
                    ♥ Q2
                    ♦ AKT4
                    ♣ 832
    ♠ KQJ5                          ♠ 3
    ...
    South deals, all vulnerable

Lines between diagrams that tell the number of the board, the dealer or who is vulnerable are
understood; all others are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from pavcodec.cards import SEAT_LETTERS, Seat, Suit
from pavcodec.errors import TextError
from pavcodec.formats.board import Board, Context, Vulnerability
from pavcodec.formats.captions import caption_of
from pavcodec.formats.plain import is_text, shorten
from pavcodec.formats.text import lines
from pavcodec.layout.diagram import diagram
from pavcodec.layout.layout import wrap
from pavcodec.layout.notation import parse_owners

__all__ = ["drawing_of", "looks_like_diagram", "read_diagrams", "write_diagrams"]

_SIGNS = ("♠S?", "♥H?", "♦D?", "♣C?")
_HOLDING = r"([♠♥♦♣SHDC?])[: ]? *((?:10|[AKQJT98765432])*|[-–—]+)"
_ONE = re.compile(rf"\s*{_HOLDING}\s*")
_TWO = re.compile(rf"\s*{_HOLDING}\s+{_HOLDING}\s*")
_NUMBER = re.compile(r"\s*(?:Board|Deal)\b:?\s*(?:no\.?\s*)?(\d{1,9})\b.*", re.IGNORECASE)
_DEALER = re.compile(r"\b(North|East|South|West) deals\b|\bdealer:? *(\w+)", re.IGNORECASE)
_WHO = r"(none|all|both|NS|EW|N-S|E-W|love)\b"
_VULNERABLE = re.compile(rf"\b{_WHO}:? +vul|\bvul\w*:? *{_WHO}", re.IGNORECASE)
_SIDES = {
    "none": Vulnerability.NONE,
    "love": Vulnerability.NONE,
    "all": Vulnerability.ALL,
    "both": Vulnerability.ALL,
    "ns": Vulnerability.NS,
    "ew": Vulnerability.EW,
}
_ROWS = 3 * len(Suit)


def looks_like_diagram(line: str) -> bool:
    """Tell whether a line is the first of a diagram, or the number of the board above it."""
    found = _ONE.fullmatch(line)
    return (found is not None and found[1] in "♠S?") or _NUMBER.fullmatch(line) is not None


@dataclass
class _Diagram:
    """What has been read of a diagram, and what was told of its board."""

    rows: list[tuple[str, ...]] = field(default_factory=list)
    line: int = 0
    number: int | None = None
    dealer: Seat | None = None
    vulnerable: Vulnerability | None = None

    def wants(self, text: str) -> tuple[str, ...] | None:
        """Return the holdings of a line that may come next."""
        block, row = divmod(len(self.rows), len(Suit))
        found = (_TWO if block == 1 else _ONE).fullmatch(text)
        if found is None or any(sign not in _SIGNS[row] for sign in found.groups()[::2]):
            return None
        return tuple(holding.strip("-–—") for holding in found.groups()[1::2])

    def board(self, context: Context) -> Iterator[Board]:
        """Yield the board of a whole diagram, or report why there is none."""
        north, middle, south = (self.rows[begin : begin + 4] for begin in (0, 4, 8))
        west, east = zip(*middle, strict=True)
        hands = [[suit for (suit,) in north], east, [suit for (suit,) in south], west]
        text = "N:" + " ".join(".".join(suits) for suits in hands)
        try:
            layout = wrap(parse_owners(text, lenient=True))
        except TextError as error:
            context.problem(self.line, f"{error.message}: {shorten(text)}")
            return
        made = Board.make(
            layout, number=self.number, dealer=self.dealer, vulnerable=self.vulnerable
        )
        yield Board(layout, made.entries, line=self.line)


def read_diagrams(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each diagram; one that is not whole is a problem."""
    now, done = _Diagram(), None
    is_lost = False  # behind damage, up to a line that has no cards
    for line, text in lines(stream):
        if not is_text(text):
            context.problem(line, "this is not text: expected diagrams")
            return
        if is_lost and (_ONE.fullmatch(text) or _TWO.fullmatch(text)):
            continue
        holdings = now.wants(text)
        if holdings is not None:
            if done is not None:
                yield from done.board(context)
                done = None
            now.line = now.line or line
            now.rows.append(holdings)
            if len(now.rows) == _ROWS:
                now, done = _Diagram(), now
            continue
        is_lost = bool(now.rows)
        if is_lost:
            _report(now, context, text)
            now = _Diagram()
        found = _NUMBER.fullmatch(text)
        if found is not None:
            if done is not None:
                yield from done.board(context)
                done = None
            now = _Diagram(number=int(found[1]) or None)
        _take(text, now if done is None else done)
    if done is not None:
        yield from done.board(context)
    if now.rows:
        _report(now, context, "")


def _report(now: _Diagram, context: Context, text: str) -> None:
    end = f"line {shorten(text)}" if text else "end"
    context.problem(now.line, f"a diagram has {_ROWS} lines; after {len(now.rows)} comes the {end}")


def _take(text: str, told: _Diagram) -> None:
    """Take what a line tells of the board."""
    found = _DEALER.search(text)
    if found is not None:
        letter = (found[1] or found[2])[0].upper()
        told.dealer = Seat(SEAT_LETTERS.index(letter)) if letter in SEAT_LETTERS else None
    found = _VULNERABLE.search(text)
    if found is not None:
        told.vulnerable = _SIDES[(found[1] or found[2]).lower().replace("-", "")]


def write_diagrams(boards: Iterable[Board], stream: BinaryIO, _context: Context) -> int:
    """Write a diagram of each board that has cards, and return how many."""
    done = 0
    for board in boards:
        if board.layout is not None:
            stream.write("".join(f"{line}\n" for line in drawing_of(board)).encode())
            done += 1
    return done


def drawing_of(board: Board) -> list[str]:
    """Return the lines of a diagram, with what is said of the board; the last one is empty."""
    assert board.layout is not None
    caption = caption_of(board)
    heading = [caption.heading] if caption.heading else []
    return [*heading, *diagram(board.layout), *caption.notes, ""]
