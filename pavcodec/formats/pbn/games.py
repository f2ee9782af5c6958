"""Where the games of a PBN stream begin and end.

A line that is empty or only blanks ends a game, unless it is inside a `{comment}`. A comment that
is never closed must not hide the rest of the file: the reader reports it, and reads its lines as if
the brace were absent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

from pavcodec.boards.context import Context
from pavcodec.files.text import blocks, decode, first_control, unify_line_ends

__all__ = ["Comments", "Game", "Stretches", "games", "games_of", "text_blocks"]

COMMENT_LIMIT = 1 << 20
"""Characters after which a comment counts as never closed."""

_SNIFFED = 1 << 16  # bytes at the start that are checked first
_BINARY_SNIFFED = 1 << 10
_BLANK_LINES = re.compile(rb"\n(?:[ \t]*\n)+")
_PBN_MARK = re.compile(rb"[ \t]*</?PBN>[ \t]*", re.IGNORECASE)
_PBN_MARK_LINE = re.compile(rb"^[ \t]*</?PBN>[ \t]*$", re.IGNORECASE | re.MULTILINE)
_MAY_HOLD_BRACE = re.compile(
    r'^%[^\n]*|;[^\n]*|"(?:[^"\\\n]|\\.)*"|\\.|\{[^}]*\}|(?P<open>\{)', re.MULTILINE
)


class Game(NamedTuple):
    """The text of one game, and the line of the file at which it starts (from 1)."""

    line: int
    text: str


def games(stream: BinaryIO, context: Context) -> Iterator[Game]:
    """Yield the games between blank lines, with whole comments; report comments that stay open."""
    stretches, comments = Stretches(), Comments(context)
    for data in text_blocks(stream, context):
        stretches.add(data)
        while (stretch := stretches.next()) is not None:
            yield from comments.join(stretch)
    if (stretch := stretches.last()) is not None:
        yield from comments.join(stretch)
    yield from comments.end()


def games_of(data: bytes, line: int) -> Iterator[Game]:
    """Yield the games of text that starts at a line and has no open comments."""
    stretches = Stretches(unify_line_ends(data), line)
    yield from iter(stretches.next, None)
    if (last := stretches.last()) is not None:
        yield last


class Comments:
    """Joins stretches if a comment extends over blank lines."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._held: list[Game] = []  # a game so far, while a comment in it is open
        self._comment = _Comment(0, 0)

    @property
    def is_open(self) -> bool:
        """Whether a comment is open, so that the next stretch may be part of it."""
        return bool(self._held)

    def join(self, game: Game) -> Iterator[Game]:
        """Add the next stretch, and yield the games that are whole."""
        start = 0
        if self._held:
            start = game.text.find("}") + 1
            self._held.append(game)
            self._comment.size += len(game.text)
            if not start:
                if self._comment.size > COMMENT_LIMIT:
                    yield from self.end()
                return
        offset = _open_comment(game.text, start) if "{" in game.text else None
        if offset is not None:
            self._held = self._held or [game]
            line = game.line + game.text.count("\n", 0, offset)
            self._comment = _Comment(line, len(self._held), len(game.text) - offset)
        elif self._held:
            yield _join(self._held)
            self._held = []
        else:
            yield game

    def end(self) -> Iterator[Game]:
        """Report a comment that is open, and yield its lines as games."""
        held, self._held = self._held, []
        if held:
            line, stretches = self._comment.line, self._comment.stretches
            self._context.problem(line, "the comment opened by '{' here is not closed")
            yield _join(held[:stretches])
            yield from held[stretches:]


@dataclass(slots=True)
class _Comment:
    """A comment that is open: its line, the stretches with it and before it, its size so far."""

    line: int
    stretches: int
    size: int = 0


def _join(held: list[Game]) -> Game:
    """Join stretches, with the blank lines between them."""
    text = held[0].text
    line = held[0].line + text.count("\n")
    parts = [text]
    for game in held[1:]:
        parts.append("\n" * (game.line - line) + game.text)
        line = game.line + game.text.count("\n")
    return Game(held[0].line, "".join(parts))


def _open_comment(text: str, start: int) -> int | None:
    """Return the offset of a brace at or after `start` whose comment is not closed, or None."""
    for found in _MAY_HOLD_BRACE.finditer(text, start):
        if found["open"]:
            return found.start()
    return None


class Stretches:
    """The text between blank lines, each line with its end, from blocks of it."""

    def __init__(self, rest: bytes = b"\n", line: int = 0) -> None:
        self.line = line
        """The line of the file at which the rest begins; 0 before the newline put first."""
        self.rest = rest  # a newline, so that blank lines at the start are like any others
        self.start = 0
        """Where the next stretch begins in the rest."""
        self._scanned = 0  # there is no blank line before this offset
        self._is_unified = True

    def add(self, data: bytes) -> None:
        """Add the next block."""
        self._drop()
        self.rest += data
        self._is_unified = False

    def unify(self) -> None:
        """Make every line end a newline; needed before the next stretch if blocks are not."""
        if not self._is_unified:
            self._drop()
            self.rest = unify_line_ends(self.rest)
            self._is_unified = True

    def _drop(self) -> None:
        """Drop the text before the next stretch."""
        self.rest = self.rest[self.start :]
        self._scanned = max(0, self._scanned - self.start)
        self.start = 0

    def next(self) -> Game | None:
        """Return the next complete stretch, or None."""
        while blank := _BLANK_LINES.search(self.rest, max(self.start, self._scanned)):
            if blank.end() == len(self.rest):
                break  # more blank lines may follow in the next block
            start, line = self.start, self.line
            self.skip(blank.end(), self.rest.count(b"\n", start, blank.end()))
            if blank.start() > start:
                return _game(line, self.rest[start : blank.start() + 1])
        self._scanned = len(self.rest.rstrip(b" \t\n")) - 1
        return None

    def skip(self, start: int, lines: int) -> None:
        """Continue at a later offset, some lines below."""
        self.start = start
        self.line += lines

    def last(self) -> Game | None:
        """Return the rest at the end of the file as a game, or None if it is blank."""
        last = _game(self.line, self.rest[self.start :].rstrip(b"\x1a \t\n") + b"\n")
        return last if last.text.strip() else None


def _game(line: int, data: bytes) -> Game:
    """Decode a stretch; the newline put before line 1 is no part of it."""
    return Game(1, decode(data[1:])) if line == 0 else Game(line, decode(data))


def text_blocks(stream: BinaryIO, context: Context, *, unified: bool = True) -> Iterator[bytes]:
    """Yield the blocks of the PBN text; a file that is no text is one problem.

    Without `unified`, line ends after the first block stay unchanged.
    """
    source = blocks(stream, unified=unified)
    first = b""
    for data in source:
        first += data if unified else unify_line_ends(data)
        if len(first) >= _SNIFFED:
            break
    offset = first_control(first[:_BINARY_SNIFFED])
    if offset is not None:
        context.problem(
            first.count(b"\n", 0, offset) + 1,
            f"byte 0x{first[offset]:02x} at offset {offset}: this is no text, expected PBN "
            'tag pairs such as [Deal "N:..."]',
        )
        return
    if _PBN_MARK_LINE.search(first, 0, _SNIFFED):
        yield from _embedded(first, map(unify_line_ends, source))
    else:
        yield first
        yield from source


def _embedded(first: bytes, source: Iterable[bytes]) -> Iterator[bytes]:
    """Blank every line outside `<PBN>` … `</PBN>`, so that line numbers stay."""
    inside = False
    rest = first
    for data in source:
        *whole, rest = rest.split(b"\n")
        kept, inside = _kept_lines(whole, inside=inside)
        yield kept
        rest += data
    yield _kept_lines(rest.split(b"\n"), inside=inside)[0]


def _kept_lines(lines: list[bytes], *, inside: bool) -> tuple[bytes, bool]:
    kept = []
    for line in lines:
        mark = _PBN_MARK.fullmatch(line)
        if mark:
            inside = b"/" not in line
        kept.append(line + b"\n" if inside and not mark else b"\n")
    return b"".join(kept), inside
