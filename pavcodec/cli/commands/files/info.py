"""`pavcodec info`: the format and the contents of a file."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from math import inf, log2
from typing import TYPE_CHECKING, BinaryIO, cast

from pavcodec.boards import Board, Context
from pavcodec.cards import HAND_SIZE, Seat
from pavcodec.cli.commands.files.info_session import SessionFacts, session_lines
from pavcodec.cli.options.folders.facts import facts_of_collection
from pavcodec.cli.output.folders import inputs_of, report_folder
from pavcodec.cli.output.progress import Progress
from pavcodec.cli.output.streams import (
    Problems,
    UsageError,
    add_common,
    add_reading,
    name_of,
    open_input,
)
from pavcodec.cli.output.tables import fact_lines
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import NumberError, ReadError, RecordError, suggest
from pavcodec.files.opening import size_if_file
from pavcodec.files.text import Rejoined
from pavcodec.formats import Need, boards_in, format_names, recognise
from pavcodec.formats.format import LARGE
from pavcodec.formats.plain.texts import parse_number
from pavcodec.formats.records.boards import is_suit_alone
from pavcodec.numberings import numbering
from pavcodec.records import CASES_IN_BLOCK, SummedStream, read_records, record, record_names

if TYPE_CHECKING:
    from pavcodec.archive import Archive
    from pavcodec.boards.batch import BoardBatch

__all__ = ["add_arguments", "run"]

Facts = dict[str, object]
"""The facts of a file, by the keys of the JSON."""

_MAY_BE_LEFT_OUT = ("fouled", "suits", "without_cards", "with_tricks", "problems")

_OF_SESSION = 1 << 23
"""The size of a text, in bytes, from which on info reads by arrays, without the session."""

_NUMBERINGS = ("deal", "balanced", "ending", "base5")

_EXAMPLES = """\
  pavcodec info event.pbn
  pavcodec info --checksum 29DB6B28632C solved.zrd
  pavcodec info --json a.zbs b.deal12"""

_DETAILS = """\
For a file of boards, the first lines are what a director wants to know: the event, the board
numbers, boards that lack cards, whether dealer and vulnerability are those of the numbers,
auctions, contracts and results, the program that made the boards, and boards with the same deal,
also turned round the table. For a text of 8 MB or a binary file of 1 MB, info counts boards only;
'stats --duplicates' finds the duplicates of large files.

The checksum is the 64-bit sum of the file's 32-bit words, little-endian, in hexadecimal;
collections of solved deals come with it. info also checks every file that it reads to the end: it
reports anything that is no record, board or number as a problem.

'bound' is the least number of bits that an ordered collection of such layouts takes: the bits of a
number in the smallest numbering that holds all of them.

For a folder of parts, info prints its plan, the number of boards and bytes, and the SHA-256 of the
whole, as the rows of the parts say; with --json also those of each part. 'pavcodec verify' reads
the parts. Of another folder, info reads the files of boards."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="files to read; - or none is stdin"
    )
    add_reading(parser)
    option_group(parser, "input").add_argument(
        "--checksum", metavar="HEX", help="compare the checksum of the file with this one"
    )
    add_common(parser, output=False)


def _names() -> list[str]:
    """Return the names of all formats and records."""
    return list(dict.fromkeys([*format_names(), *record_names(), "cases"]))


class _Contents:
    """What a file holds."""

    def __init__(self) -> None:
        self.boards = self.deals = self.endings = self.fouled = self.suits = 0
        self.without_cards = self.solved = 0
        self.session = SessionFacts()
        self.is_session_read = False
        self.in_batches = False
        self.numbering = 0
        """The place in `_NUMBERINGS` of the smallest numbering that holds all layouts."""

    def add(self, board: Board) -> None:
        """Count a board."""
        self.boards += 1
        self.solved += board.tricks is not None
        if self.is_session_read:
            self.session.add(board)
        layout = board.layout
        if layout is None:
            self.without_cards += 1
            return
        if is_suit_alone(board):
            self.suits += 1
            return
        self._add_sizes(layout.sizes, 1)

    def _add_sizes(self, sizes: tuple[int, ...], count: int) -> None:
        """Count layouts with so many cards in each hand."""
        smallest = _smallest_numbering(sizes)
        self.numbering = max(self.numbering, smallest)
        if _NUMBERINGS[smallest] == "base5":
            self.fouled += count
        elif smallest == 0:
            self.deals += count
        else:
            self.endings += count

    def add_batch(self, batch: BoardBatch) -> None:
        """Count many boards that hold nothing but cards and tricks."""
        from pavcodec.arrays.owners.rows import sizes_of

        self.in_batches = True
        self.boards += len(batch)
        self.solved += batch.solved_rows
        for sizes, count in sizes_of(batch.owners).items():
            self._add_sizes(sizes, count)

    def on_skipped(self, boards: int) -> None:
        """Count boards without cards."""
        self.boards += boards
        self.without_cards += boards

    def add_archive(self, archive: Archive) -> None:
        """Count the boards of an archive, from its spaces alone where these suffice."""
        if archive.is_of_deals:
            self.boards = self.deals = len(archive)
        elif len(archive.counts) == 1:
            for board in archive:
                self.add(board)
        else:
            counts = archive.counts
            self.boards = sum(counts.values())
            self.deals, self.fouled = counts["deal"], counts["base5"]
            self.endings, self.without_cards = counts["balanced"] + counts["ending"], counts[""]

    @property
    def bound(self) -> float | None:
        """The least bits that one of so many layouts in order takes, for display."""
        if self.suits or not self.deals + self.endings + self.fouled:
            return None
        return log2(numbering(_NUMBERINGS[self.numbering]).cardinality)

    def row(self) -> dict[str, object]:
        """Return the figures by name."""
        return {
            "boards": self.boards,
            "deals": self.deals,
            "endings": self.endings,
            "fouled": self.fouled,
            "suits": self.suits,
            "without_cards": self.without_cards,
            "with_tricks": self.solved,
        }


def _smallest_numbering(sizes: tuple[int, ...]) -> int:
    if max(sizes) > HAND_SIZE:
        return 3
    if min(sizes) == HAND_SIZE:
        return 0
    return 1 if 0 < min(sizes) == max(sizes) else 2


def run(args: argparse.Namespace) -> int:
    """Print the facts of each file."""
    files = args.files or ["-"]
    if args.checksum is not None and len(files) != 1:
        raise UsageError("--checksum is compared with one file")
    expected = None
    if args.checksum is not None:
        try:
            expected = parse_number(args.checksum, hexadecimal=True)
        except NumberError as error:
            raise UsageError(str(error)) from None
    if args.from_format and args.from_format not in _names():
        raise suggest("format", args.from_format, _names())
    problems = Problems(strict=args.strict)
    rows: list[Facts] = []
    for item in _inputs(args, files, problems):
        try:
            rows.append(_facts(args, item, problems) if isinstance(item, str) else item)
        except OSError as error:
            problems.report(name_of(str(item)), None, f"cannot be read: {error.strerror}")
    for row in rows:
        found = row.get("checksum", "not known for a folder")
        if expected is not None and found != f"{expected:X}":
            problems.report(str(row["file"]), None, f"the checksum is {found}, not {expected:X}")
    if args.json:
        print(json.dumps(rows, indent=2))
    else:
        _print(rows)
    return problems.exit_code


def _inputs(
    args: argparse.Namespace, files: list[str], problems: Problems
) -> Iterator[str | Facts]:
    """Yield the files to read, and the facts of collections, whose rows say what is in them."""
    for path in files:
        try:
            facts = facts_of_collection(path, problems, lists_parts=args.json)
        except (OSError, ReadError) as error:
            report_folder(path, error, problems)
        else:
            yield from inputs_of([path], problems, args.from_format) if facts is None else [facts]


def _facts(args: argparse.Namespace, path: str, problems: Problems) -> Facts:
    """Read a file to its end and return its facts."""
    before = problems.count
    kind = args.from_format or os.path.splitext(path)[1].lower().removeprefix(".")
    with open_input(path) as stream:
        summed = SummedStream(stream)
        whole = cast("BinaryIO", summed)
        context = Context(name_of(path), problems, problems.strict, numbering("deal"))
        progress = Progress(stream, context.source, "records", output="-")
        if kind == "cases":
            facts = _facts_of_cases(path)
        elif kind in record_names() and kind not in format_names():
            facts = _facts_of_records(kind, whole, context, progress)
        else:
            facts = _facts_of_boards(args.from_format, path, whole, context, progress)
        while summed.read(1 << 20):  # the checksum includes bytes that the reader left
            pass
    checksum = summed.checksum
    facts = {"file": context.source, **facts, "bytes": checksum.bytes}
    if facts.get("boards"):
        facts["bits_per_deal"] = round(checksum.bytes * 8 / cast("int", facts["boards"]), 3)
    return facts | {"checksum": str(checksum), "problems": problems.count - before}


def _facts_of_boards(
    name: str | None, path: str, stream: BinaryIO, context: Context, progress: Progress
) -> Facts:
    """Count what a file of boards holds."""
    found, whole = recognise(stream, path=path, name=name)
    if found.name == "pav":
        data = _all_of(whole) if path == "-" else None
        try:
            return _facts_of_archive(path, data)
        except ReadError:  # `read_batches` counts the boards up to the damage, and reports it
            whole = whole if data is None else BytesIO(data)
    contents = _Contents()
    context = replace(context, on_skipped=contents.on_skipped)
    size = inf if path == "-" else size_if_file(path) or 0
    contents.is_session_read = size < LARGE
    if found.is_text and not found.is_cards_only:
        whole, is_whole = _begun(whole)
        if is_whole:
            contents.is_session_read, size = True, 0  # board by board, for the facts of a session
    boards = found.read_batches(whole, context, Need.TRICKS, size=size)
    for some in progress.watch(boards, boards_in):
        if isinstance(some, Board):
            contents.add(some)
        else:
            contents.add_batch(some)
    facts = {"format": found.name, "what": found.summary} | contents.row()
    session = contents.session
    if not contents.in_batches:
        duplicates = session.duplicates
        if session.is_session:
            facts["session"] = session.row() | {"duplicates": duplicates}
        elif duplicates:
            facts["repeated_deals"] = len(duplicates)
    bound = contents.bound
    return facts if bound is None else facts | {"bound_bits_per_deal": round(bound, 3)}


def _begun(stream: BinaryIO) -> tuple[BinaryIO, bool]:
    """Return a stream with the same bytes, and whether these are those of a session."""
    start = b""
    while len(start) < _OF_SESSION and (more := stream.read(_OF_SESSION - len(start))):
        start += more
    if len(start) < _OF_SESSION:
        return BytesIO(start), True
    return cast("BinaryIO", Rejoined(start, stream.read)), False


def _facts_of_archive(path: str, data: bytes | None) -> Facts:
    """Return the facts of an archive's header and index; raise `ReadError` for damage."""
    from pavcodec.archive import Archive

    with Archive.open(path) if data is None else Archive(data, "stdin") as archive:
        contents = _Contents()
        contents.add_archive(archive)
        counted = contents.row()
        del counted["suits"], counted["with_tricks"]  # which are not counted
        solved = {"solved_boards": archive.count_solved()} if archive.keeps_tricks else {}
        return {
            "format": "pav",
            "what": f"an archive, {archive.kind}{_kept(archive)}",
            "kind": archive.kind,
            "space": archive.space_text,
            "cardinality": str(archive.cardinality),
            **counted,
            **solved,
            "bound_bits_per_deal": round(float(archive.bound_bits_per_deal), 3),
        }


def _kept(archive: Archive) -> str:
    """Return the parts of boards that an archive stores in addition to their cards."""
    if not (archive.keeps_tags or archive.keeps_tricks):
        return ""
    parts = ["all tags"] * archive.keeps_tags + ["a column of tricks"] * archive.keeps_tricks
    return f", with {' and '.join(parts)}"


def _all_of(stream: BinaryIO) -> bytes:
    """Return all bytes of a stream."""
    return b"".join(iter(partial(stream.read, 1 << 20), b""))


def _facts_of_records(name: str, stream: BinaryIO, context: Context, progress: Progress) -> Facts:
    """Count the records of a file that holds no boards."""

    def report(error: RecordError) -> None:
        context.problem(None, str(error))

    found = record(name)
    count = sum(1 for _ in progress.watch(read_records(found, stream, report)))
    return {"format": name, "what": f"{found.summary}: {found.size} bytes each", "records": count}


def _facts_of_cases(path: str) -> Facts:
    """Return the facts of a case listing, after a check of each block."""
    from pavcodec.studies.cases import open_cases

    with open_cases(path) as listing:
        for block in range(0, len(listing), CASES_IN_BLOCK):
            listing[block]
        return {
            "format": "cases",
            "what": "a case listing: 16 bytes a case, and an index",
            "condition": listing.where,
            "seats": " ".join(Seat(seat).letter for seat in listing.plan.seats),
            "cases": len(listing),
            "total": str(listing.cardinality),
            "cardinality": str(listing.deals.cardinality),
        }


def _print(files: list[Facts]) -> None:
    """Print the facts, a block for each file."""
    for place, facts in enumerate(files):
        if place:
            print()
        for line in fact_lines(_told(facts), 21):
            print(line)


def _told(facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield the facts of a file as (head, text); those of a session are first."""
    rest = dict(facts)
    session = cast("Facts | None", rest.pop("session", None))
    first = ("file", "format", "what")
    if session is not None:
        for head in first:
            yield head, str(rest.pop(head))
        boards = cast("int", rest.pop("boards"))
        yield from session_lines(session, boards)
        problems = rest.pop("problems")
        yield "problems", f"{problems:,}" if problems else "none"
    for head, value in rest.items():
        if value == 0 and head in _MAY_BE_LEFT_OUT:
            continue
        text = f"{value:,}" if isinstance(value, int | float) else str(value)
        yield head.replace("_", " "), text
