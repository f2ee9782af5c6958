"""LIN, the files of Bridge Base Online: a stream of bytes to boards.

    file = { tag "|" value "|" }        tags have two characters, line breaks are free

Rule 1: a board has one `md`. The tags between the previous board and `md`, such as `qx`, `pn` and
        `st`, belong to it, and so do the tags after it, up to the tag that begins the next board.
        All tags after the last board belong to it.
Rule 2: the tags before a `pg` in front of the first board are the header, which applies to all
        later boards up to the next `vg`.
Rule 3: `_BOARD` finds a board. The reader parses its hands, auction and play at that time, since
        they may have problems. The other tags cannot have problems; it parses them when a caller
        reads the tags.
Rule 4: text that is no tag is a problem, and the reader continues at the next tag.
Rule 5: the reader scans each part of the file a bounded number of times, whatever its contents.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from functools import partial
from itertools import islice, takewhile
from typing import BinaryIO

from pavcodec.boards.board import Board, Tag
from pavcodec.boards.context import Context
from pavcodec.errors import PavError
from pavcodec.files.text import blocks, decode, first_control
from pavcodec.formats.bbo.lin_hands import layout_of_hands, parse_suits
from pavcodec.formats.bbo.lin_tags import (
    PAIR,
    SEATS,
    VULNERABILITIES,
    Fault,
    Pairs,
    Standing,
    board_tags,
    header_of,
    numbers_of,
)
from pavcodec.formats.plain.texts import shorten
from pavcodec.layout import Layout

__all__ = ["boards_of_text", "read_lin"]

_LARGEST = 1 << 22
"""The bytes after which a board ends, so that a file without boards does not fill the memory."""

_TAG = rb"[A-Za-z0-9+]{2}\|[^|]*+\|\s*+"
_HEADS = rb"(?:(?:pn|st|rh|ah|mn)\|[^|]*+\|\s*+){1,20}+md\|"
_BOARD = re.compile(
    rb"(?P<lead>\s*+(?:(?!md\|)" + _TAG + rb")*+)md\|(?P<hands>[^|]*+)\|\s*+"
    rb"(?P<rest>"
    rb"(?:(?!(?:qx|md|vg|mb|pc|pg|mc|nt)\||" + _HEADS + rb")" + _TAG + rb")*+"
    rb"(?:(?!(?:qx|md|vg|rs|pw|mp|bn|pn|st|rh|ah|mn)\|)" + _TAG + rb")*+)"
)
_ONE_TAG = re.compile(_TAG)
_CHAIN = re.compile(rb"\s*+(?:" + _TAG + rb")*+")
_NEXT_TAG = re.compile(rb"(?<![A-Za-z0-9+])[a-z]{2}\|")
_HANDS = re.compile(r"\s*([1-4]?)\s*([^,]*)((?:,[^,]*){0,3}?),?\s*")
_SNIFFED = 1 << 10
_OF_HEADER = ("vg", "rs", "pw", "mp", "bn")
_NO_HANDS = "expected the hands of a board, as in 'md|1S…|'"


def read_lin(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of a LIN stream; report problems and continue."""
    reader = _Reader(context)
    parts: list[bytes] = []
    size = 0
    tail = b""
    is_first = True
    for data in blocks(stream):
        if is_first:
            offset = first_control(data[:_SNIFFED])
            if offset is not None:
                line = data.count(b"\n", 0, offset) + 1
                reason = f"byte 0x{data[offset]:02x}: this is no text, expected tags as in 'pn|'"
                context.problem(line, reason)
                return
            is_first = False
        may_begin = b"md|" in tail + data
        tail = (tail + data)[-2:]
        parts.append(data)
        size += len(data)
        if may_begin or size > _LARGEST:
            rest = b"".join(parts)
            end = len(rest) if size > _LARGEST else rest.rfind(b"md|")
            done = yield from reader.read(rest, end)
            parts = [rest[done:]]
            size = len(parts[0])
    rest = b"".join(parts).rstrip(b"\x1a \t\n")
    yield from reader.read(rest, len(rest) + 1)


def boards_of_text(text: str, context: Context, line: int) -> Iterator[Board]:
    """Yield the boards of a text in one line of a file."""
    reader = _Reader(context, line)
    data = text.encode("utf-8", "replace").replace(b"\n", b" ").strip()
    yield from reader.read(data, len(data) + 1)


class _Reader:
    """Reads board after board; remembers the header."""

    def __init__(self, context: Context, line: int = 1) -> None:
        self._context = context
        self._line = line
        self._standing = Standing()
        self._has_boards = False

    def read(self, data: bytes, end: int) -> Generator[Board, None, int]:
        """Yield the boards that end before an offset; return where the next one begins.

        With the offset of the end, all of the text is processed; the offset after it means that
        nothing follows.
        """
        place = 0
        while place < len(data):
            found = _BOARD.match(data, place)
            if found is None or found.end() > end:
                at = _end_of_tags(data, place)
                if found is None and at >= len(data) <= end:
                    self._leave(data[place:], is_last=end > len(data))
                    return len(data)
                if at >= end or (found is not None and at >= found.end()):
                    break
                place = self._pass_over(data, place, at)
                continue
            place = after = found.end()
            if end > len(data) and data.find(b"md|", after) < 0:
                place = _end_of_tags(data, after)
            yield self._board(found, PAIR.findall(decode(data[after:place])))
            self._line += data.count(b"\n", found.start(), place)
            if place < min(end, len(data)) and not _ONE_TAG.match(data, place):
                place = self._pass_over(data, place, place)
        return place

    def _leave(self, tags: bytes, *, is_last: bool) -> None:
        """Store the tags without a board that apply to later boards, and skip them."""
        if is_last and not self._has_boards:
            self._context.problem(self._line, _NO_HANDS)
        self._remember(tags, is_header=True)
        self._line += tags.count(b"\n")

    def _pass_over(self, data: bytes, place: int, at: int) -> int:
        """Report text that is no tag, and return the offset of the next tag."""
        following = _NEXT_TAG.search(data, at + 1)
        after = following.start() if following else len(data)
        self._line += data.count(b"\n", place, at)
        wrong = shorten(decode(data[at : min(after, at + 80)]).strip().split("\n")[0])
        self._context.problem(self._line, f"expected a tag and its value, as in 'mb|1C|': {wrong}")
        self._line += data.count(b"\n", at, after)
        return after

    def _board(self, found: re.Match[bytes], trailing: Pairs) -> Board:
        """Return the board of a match; `trailing` is the text after the last board of a file."""
        lead, hands, rest = found.groups()
        if not self._has_boards or b"pg|" in lead or b"vg|" in lead:
            lead = self._remember(lead, is_header=not self._has_boards)
        self._has_boards = True
        line = self._line + found.string.count(b"\n", found.start(), found.start("hands"))
        dealer, layout = "", None
        try:
            dealer, layout = _deal(decode(hands))
        except PavError as error:
            text = shorten(decode(hands).replace("\n", " "))
            self._context.problem(line, f"{error}: {text}", _number(lead, rest))
        if b"sv|" in found[0]:
            self._check_vulnerability(lead + rest, line)
        read = partial(_tags, layout, dealer, lead, rest, trailing, self._standing)
        if b"mb|" not in rest and b"pc|" not in rest:
            board = Board(layout, line=line, parse=lambda: read()[0])
        else:
            tags, faults = read()
            if faults:
                begin = line + found.string.count(b"\n", found.start("hands"), found.start("rest"))
                self._report(faults, decode(rest), begin, _number(lead, rest))
            board = Board(layout, tags, line=line)
        if any(tag in ("qx", "mb", "pc") for tag, _ in trailing):
            self._context.problem(self._line + found[0].count(b"\n"), _NO_HANDS)
        return board

    def _report(self, faults: list[Fault], text: str, line: int, board: str | None) -> None:
        """Report the faults of the tags after the hands; these tags begin in `line`."""
        for place, reason in sorted(faults):
            pair = next(islice(PAIR.finditer(text), place, None))
            self._context.problem(line + text.count("\n", 0, pair.start()), reason, board)

    def _remember(self, lead: bytes, *, is_header: bool) -> bytes:
        """Store a header, and return the first tags of the board itself."""
        cut = max(0, lead.rfind(b"pg|"))
        before, own = PAIR.findall(decode(lead[:cut])), PAIR.findall(decode(lead[cut:]))
        event, names, header = self._standing.event, self._standing.names, self._standing.header
        events = [value for tag, value in (*before, *own) if tag == "vg"]
        if events or is_header:
            header = header_of([*before, *(pair for pair in own if pair[0] in _OF_HEADER)])
        names = next((value for tag, value in reversed(before) if tag == "pn"), names)
        self._standing = Standing(events[-1] if events else event, names, header)
        return "".join(f"{tag}|{value}|" for tag, value in own).encode()

    def _check_vulnerability(self, tags: bytes, line: int) -> None:
        """Report an invalid vulnerability."""
        for tag, value in PAIR.findall(decode(tags)):
            if tag == "sv" and value.strip().lower() not in VULNERABILITIES:
                reason = f"vulnerability {shorten(value.strip())} is not one of o n e b"
                self._context.problem(line, reason.replace("\n", " "))


def _tags(  # noqa: PLR0913, PLR0917 (what is kept of a board until somebody asks for its tags)
    layout: Layout | None,
    dealer: str,
    lead: bytes,
    rest: bytes,
    trailing: Pairs,
    standing: Standing,
) -> tuple[tuple[Tag, ...], list[Fault]]:
    """Return the tags of a board, and their faults."""
    before, after = PAIR.findall(decode(lead)), PAIR.findall(decode(rest))
    if trailing:
        names = [value for tag, value in (*before, *after) if tag == "pn"]
        is_known = "".join(names or [standing.names]).strip(" ,\n")
        own = takewhile(lambda pair: pair[0] not in ("qx", "vg"), trailing)
        after += [pair for pair in own if pair[0] == "nt" or (pair[0] == "pn" and not is_known)]
    return board_tags(layout, dealer, before, after, standing)


def _end_of_tags(data: bytes, place: int) -> int:
    """Return the offset after the tags at a place."""
    chain = _CHAIN.match(data, place)
    return chain.end() if chain else place


def _number(lead: bytes, rest: bytes) -> str | None:
    """Return the board number, for a message."""
    return numbers_of(dict(PAIR.findall(decode(rest + lead)))).get("Board")


def _deal(value: str) -> tuple[str, Layout | None]:
    """Return the dealer's letter, if any, and the cards of an `md`."""
    found = _HANDS.fullmatch(value)
    if found is None:
        raise PavError("a deal has 4 hands, South first, after the dealer's number 1 to 4")
    dealer, first, others = found.groups()
    letter = SEATS[int(dealer) - 1].letter if dealer else ""
    if not first and not others:
        return letter, None
    hands = [first, *others.split(",")[1:]]
    parsed = {seat: parse_suits(hand) for seat, hand in zip(SEATS, hands, strict=False)}
    return letter, layout_of_hands(parsed)
