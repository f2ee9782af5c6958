"""Richard's Bridge Notation, RBN and its inline form RBX: streams of bytes to boards and back.

    rbn = { record blank-line },  record = { label " " text newline }
    rbx = { record newline },     record = { label "{" text "}" }

Rule 1: `rbn/labels.py` has the meaning of the labels; a record is a mapping of them.
Rule 2: the first ten labels apply until they are repeated; an empty label ends that. The other
        labels apply to one record.
Rule 3: a digit is a note: of the auction, or of the play after a P in the record.
Rule 4: text that is no label is a problem, and the reader continues with the next line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.errors import PavError
from pavcodec.files.text import lines
from pavcodec.formats.plain.texts import is_text, shorten
from pavcodec.formats.rbn.boards import FREE_TEXT, board_of_record, record_of_board
from pavcodec.formats.rbn.labels import CARRIED, LABELS

__all__ = ["read_rbn", "read_rbx", "write_rbn", "write_rbx"]

Labels = list[tuple[int, str, str]]
"""The lines of a record: line number, label, text."""

_LINE = re.compile(rf"([{LABELS}0-9])(?:[ \t]+(.*))?")
_FIELD = re.compile(rf"\s*([{LABELS}0-9%]?)\{{([^{{}}]*)\}}")
_HEADER = "% RBN\n"
_RBX_HEADER = "%{RBX}\n"
_AUCTION_NOTES = tuple(map(str, range(10)))
_PLAY_NOTES = tuple(f"P{digit}" for digit in range(10))
_WRITTEN = (*CARRIED, "A", *_AUCTION_NOTES, "C", "P", *_PLAY_NOTES, "R", "M", "I")
"""The labels in the order in which they are written: notes follow what they are of."""


def read_rbn(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of an RBN stream; report problems and read on."""
    reader = _Reader(context)
    held: Labels = []
    paragraph: list[str] = []
    opened = 0
    for number, line in lines(stream):
        if not is_text(line):
            context.problem(number, "this is not text: expected lines such as 'H N:AKQ...'")
            break
        text = line.strip()
        if paragraph or text.startswith("{"):
            opened = opened if paragraph else number
            if text:
                paragraph.append(text)
            if text.endswith("}"):
                held.append((opened, FREE_TEXT, "\n".join(paragraph)))
                paragraph = []
            if text:
                continue
            context.problem(opened, "the free text opened by '{' here is not closed")
            paragraph = []
        if not text:
            yield from reader.record(held)
            held = []
        elif found := _LINE.fullmatch(text):
            held.append((number, found[1], (found[2] or "").strip()))
        elif not text.startswith("%"):
            reason = f"expected a label and its text, as in 'B 7', not {shorten(text)}"
            context.problem(number, reason)
    if paragraph:
        context.problem(opened, "the free text opened by '{' here is not closed")
    yield from reader.record(held)


def read_rbx(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of an RBX stream, one a line; problems are reported."""
    reader = _Reader(context)
    for number, line in lines(stream):
        if not is_text(line):
            context.problem(number, "this is not text: expected records such as 'H{N:AKQ...}'")
            break
        held: Labels = []
        place = 0
        text = line.strip()
        while place < len(text):
            found = _FIELD.match(text, place)
            if found is None:
                reason = f"expected a label and its text, as in 'B{{7}}': {shorten(text[place:])}"
                context.problem(number, reason)
                following = re.compile(rf"[{LABELS}0-9]\{{").search(text, place + 1)
                place = following.start() if following else len(text)
                continue
            place = found.end()
            if not found[1]:
                held.append((number, FREE_TEXT, f"{{{found[2]}}}"))
            elif found[1] != "%":
                held.append((number, found[1], found[2].strip()))
        yield from reader.record(held)


class _Reader:
    """Makes boards of records; remembers the labels that hold."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._standing: dict[str, str] = {}

    def record(self, held: Labels) -> Iterator[Board]:
        """Yield the board of a record, if it has one."""
        own: dict[str, str] = {}
        line = held[0][0] if held else 0
        for number, label, text in held:
            if label == "H":
                line = number
            name = f"P{label}" if label.isdigit() and "P" in own else label
            if label == FREE_TEXT:
                own[FREE_TEXT] = "\n".join(filter(None, (own.get(FREE_TEXT), text)))
            elif name in own:
                reason = f"the label {label} comes twice in a record: {shorten(text)}"
                self._context.problem(number, reason, own.get("B"))
            else:
                own[name] = text
        self._standing |= {label: text for label, text in own.items() if label in CARRIED}
        record = {label: text for label, text in (self._standing | own).items() if text}
        if not held or not ("H" in record or set(own) & set("ACPRM")):
            return

        def complain(reason: str) -> None:
            self._context.problem(line, reason, record.get("B"))

        board = board_of_record(record, complain, line)
        if board.layout is None:
            self._standing.pop("H", None)
        yield board


def write_rbn(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a record for each board that has cards, and return how many were written."""
    written = 0
    for record in _records(boards, context):
        parts = [_HEADER] if not written else ["\n"]
        if FREE_TEXT in record:
            parts.append(record[FREE_TEXT] + "\n")
        parts += [f"{label[-1]} {record[label]}\n" for label in _WRITTEN if label in record]
        stream.write("".join(parts).encode())
        written += 1
    return written


def write_rbx(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a line for each board that has cards, and return how many were written."""
    written = 0
    for record in _records(boards, context, forbidden="{}"):
        parts = [] if written else [_RBX_HEADER]
        parts.append(" ".join(record.get(FREE_TEXT, "").split()))
        parts += [f"{label[-1]}{{{record[label]}}}" for label in _WRITTEN if label in record]
        stream.write(("".join(parts) + "\n").encode())
        written += 1
    return written


def _records(
    boards: Iterable[Board], context: Context, forbidden: str = ""
) -> Iterator[dict[str, str]]:
    """Yield the records of boards, without the labels that the previous record repeats."""
    standing: dict[str, str] = {}
    for board in boards:
        if board.layout is None:
            continue
        complain = _complain_of(board, context)
        try:
            record = record_of_board(board, complain)
        except PavError as error:
            complain(f"{error}: '{board.layout}'")
            continue
        for label, text in list(record.items()):
            if label != FREE_TEXT and any(letter in text for letter in forbidden):
                complain(f"the label {label} is left out: RBX has no braces in it: {text!r}")
                del record[label]
        ended = {label: "" for label in standing if label not in record}
        same = [label for label in standing if record.get(label) == standing[label]]
        standing = {label: record[label] for label in CARRIED if label in record}
        shown = {label: text for label, text in record.items() if label not in same}
        yield shown | ended or {"H": record["H"]}


def _complain_of(board: Board, context: Context) -> Callable[[str], None]:
    return lambda reason: context.problem(board.line, reason, board.tags.get("Board"))
