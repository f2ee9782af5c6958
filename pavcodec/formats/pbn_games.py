"""Where the games of a PBN stream begin and end.

A line that is empty or only blanks ends a game, unless it stands inside a `{comment}`. A comment
that is never closed must not swallow the file: it is reported, and its lines are read as if it were
not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

from pavcodec.formats.board import Context
from pavcodec.formats.text import blocks, decode, first_control

__all__ = ["Game", "games"]

COMMENT_LIMIT = 1 << 20
"""Characters after which a comment counts as never closed."""

_SNIFFED = 1 << 16  # bytes at the start that are looked at before anything is read
_BINARY_SNIFFED = 1 << 10
_BLANK_LINES = re.compile(rb"\n(?:[ \t]*\n)+")
_PBN_MARK = re.compile(rb"[ \t]*</?PBN>[ \t]*", re.IGNORECASE)
_MAY_HOLD_BRACE = re.compile(
    r'^%[^\n]*|;[^\n]*|"(?:[^"\\\n]|\\.)*"|\\.|\{[^}]*\}|(?P<open>\{)', re.MULTILINE
)


class Game(NamedTuple):
    """The text of one game, and the line of the file at which it starts (from 1)."""

    line: int
    text: str


def games(stream: BinaryIO, context: Context) -> Iterator[Game]:
    """Yield each stretch of text between blank lines, comments kept whole; report open comments."""
    held: list[Game] = []  # a game so far, while a comment in it is open
    comment = _Comment(0, 0)
    for game in _stretches(stream, context):
        start = 0
        if held:
            start = game.text.find("}") + 1
            held.append(game)
            comment.size += len(game.text)
            if not start:
                if comment.size > COMMENT_LIMIT:
                    yield from _without_comment(held, comment, context)
                    held = []
                continue
        offset = _open_comment(game.text, start)
        if offset is not None:
            held = held or [game]
            line = game.line + game.text.count("\n", 0, offset)
            comment = _Comment(line, len(held), len(game.text) - offset)
        elif held:
            yield _join(held)
            held = []
        else:
            yield game
    yield from _without_comment(held, comment, context)


@dataclass(slots=True)
class _Comment:
    """A comment that is open: its line, the stretches with it and before it, its size so far."""

    line: int
    stretches: int
    size: int = 0


def _without_comment(held: list[Game], comment: _Comment, context: Context) -> Iterator[Game]:
    """Report a comment that is not closed, and yield what it would swallow as games."""
    if held:
        context.problem(comment.line, "the comment opened by '{' here is not closed")
        yield _join(held[: comment.stretches])
        yield from held[comment.stretches :]


def _join(held: list[Game]) -> Game:
    """Put stretches together again, blank lines between them included."""
    text = held[0].text
    line = held[0].line + text.count("\n")
    parts = [text]
    for game in held[1:]:
        parts.append("\n" * (game.line - line) + game.text)
        line = game.line + game.text.count("\n")
    return Game(held[0].line, "".join(parts))


def _open_comment(text: str, start: int) -> int | None:
    """Return the offset of a brace from `start` on whose comment is not closed, if there is one."""
    if "{" in text:
        for found in _MAY_HOLD_BRACE.finditer(text, start):
            if found["open"]:
                return found.start()
    return None


def _stretches(stream: BinaryIO, context: Context) -> Iterator[Game]:
    """Yield the text between blank lines, each line with its end."""
    line = 0
    rest = b"\n"  # so that blank lines at the start of the file are like any others
    scanned = 0  # what comes before holds no blank line
    for data in _text_blocks(stream, context):
        rest += data
        start = 0
        for blank in _BLANK_LINES.finditer(rest, scanned):
            if blank.end() == len(rest):
                break  # more blank lines may follow in the next block
            if blank.start() > start:
                yield _game(line, rest[start : blank.start() + 1])
            line += rest.count(b"\n", start, blank.end())
            start = blank.end()
        rest = rest[start:]
        scanned = max(0, len(rest.rstrip(b" \t\n")) - 1)
    last = _game(line, rest.rstrip(b"\x1a \t\n") + b"\n")
    if last.text.strip():
        yield last


def _game(line: int, data: bytes) -> Game:
    """Decode a stretch; the newline put before line 1 is no part of it."""
    return Game(1, decode(data[1:])) if line == 0 else Game(line, decode(data))


def _text_blocks(stream: BinaryIO, context: Context) -> Iterator[bytes]:
    """Yield the blocks of the PBN text; a file that is no text is one problem and nothing else."""
    source = blocks(stream)
    first = b""
    for data in source:
        first += data
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
    if any(_PBN_MARK.fullmatch(line) for line in first[:_SNIFFED].split(b"\n")):
        yield from _embedded(first, source)
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
