"""Info: the format and the contents of files, and what is unusual about them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from math import inf, log2
from typing import TYPE_CHECKING, BinaryIO, ClassVar, cast

from pavcodec.boards import Board, Context, Vulnerability
from pavcodec.boards.batch import BoardBatch, More, Wanted
from pavcodec.boards.board import SOURCE, dealer_of_board
from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, Seat
from pavcodec.chances.figures import many
from pavcodec.errors import NumberError, ReadError, RecordError, suggest
from pavcodec.files.opening import size_if_file
from pavcodec.files.text import Rejoined
from pavcodec.formats import format_names, recognise
from pavcodec.formats.format import LARGE
from pavcodec.formats.plain.texts import parse_number
from pavcodec.formats.records.boards import is_suit_alone
from pavcodec.numberings import numbering
from pavcodec.questions.asking import Progress, QuestionError, Told, ask, function_of, progress
from pavcodec.questions.inputs import (
    Inputs,
    Problems,
    inputs_of,
    is_folder,
    name_of,
    open_input,
    ranges_text,
    report_folder,
    runs_of,
)
from pavcodec.questions.tables import apart, fact_lines
from pavcodec.records import SummedStream, read_records, record, record_names

if TYPE_CHECKING:
    from pavcodec.archive import Archive

Facts = dict[str, object]
"""The facts of a file, by the keys of the JSON."""

_START = 21
"""The column of the facts."""


@dataclass(frozen=True)
class Info(Inputs):
    """Describe files and check their checksums."""

    name: ClassVar[str] = "info"
    indent: ClassVar[int | None] = 2
    examples: ClassVar[str] = """\
  pavcodec info event.pbn
  pavcodec info --checksum 29DB6B28632C solved.zrd
  pavcodec info --json a.zbs b.deal12"""
    details: ClassVar[str] = """\
For a file of boards, the first lines are what a director wants to know: the event, the board
numbers, boards that lack cards, whether dealer and vulnerability are those of the numbers,
auctions, contracts and results, the program that made the boards, and boards with the same deal,
also turned round the table. For a text of 8 MB or a binary file of 1 MB, info counts boards only;
'duplicates' finds the duplicates of large files.

The checksum is the 64-bit sum of the file's 32-bit words, little-endian, in hexadecimal;
collections of solved deals come with it. info also checks every file that it reads to the end: it
reports anything that is no record, board or number as a problem.

'bound' is the least number of bits that an ordered collection of such layouts takes: the bits of a
number in the smallest numbering that holds all of them.

For a folder of parts, info prints its plan, the number of boards and bytes, and the SHA-256 of the
whole, as the rows of the parts say; with --json also those of each part. 'pavcodec verify' reads
the parts. Of another folder, info reads the files of boards."""

    checksum: str | None = ask(
        "compare the checksum of the file with this one",
        default=None, group="input", metavar="HEX",
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = {
        "file": "the name of the file",
        "format": "its format",
        "what": "what the format is",
        "boards": "the number of boards; further keys count deals, endings and others",
        "session": "what a director wants to know of boards with numbers",
        "checksum": "the sum of its words of 32 bits, in hexadecimal",
        "problems": "the number of problems",
    }

    def find(self) -> Told:
        """Return the facts of each file."""
        files = self.files or ("-",)
        expected = self._expected(files)
        names = list(dict.fromkeys([*format_names(), *record_names(), "cases"]))
        if self.from_format and self.from_format not in names:
            raise suggest("format", self.from_format, names)
        problems = Problems(strict=self.strict)
        rows: list[Facts] = []
        for item in self._inputs(files, problems):
            try:
                rows.append(self._facts(item, problems) if isinstance(item, str) else item)
            except OSError as error:
                problems.report(name_of(str(item)), None, f"cannot be read: {error.strerror}")
        for row in rows:
            checksum = row.get("checksum", "not known for a folder")
            if expected is not None and checksum != f"{expected:X}":
                reason = f"the checksum is {checksum}, not {expected:X}"
                problems.report(str(row["file"]), None, reason)
        lines = apart(fact_lines(_told(row), _START) for row in rows)
        return Told(rows, [*lines], is_fault=problems.count > 0)

    def _expected(self, files: Sequence[str]) -> int | None:
        """Return the checksum that the file should have."""
        if self.checksum is None:
            return None
        if len(files) != 1:
            raise QuestionError("{checksum} is compared with one file", "checksum")
        try:
            return parse_number(self.checksum, hexadecimal=True)
        except NumberError as error:
            raise QuestionError("{why}", "checksum", why=error) from None

    def _inputs(self, files: Sequence[str], problems: Problems) -> Iterator[str | Facts]:
        """Yield the files to read, and the facts of collections, whose rows say what they hold."""
        for path in files:
            try:
                facts = _facts_of_collection(path, problems)
            except (OSError, ReadError) as error:
                report_folder(path, error, problems)
            else:
                if facts is None:
                    yield from inputs_of([path], problems, self.from_format)
                else:
                    yield facts

    def _facts(self, path: str, problems: Problems) -> Facts:
        """Read a file to its end and return its facts."""
        before = problems.count
        kind = self.from_format or os.path.splitext(path)[1].lower().removeprefix(".")
        with open_input(path) as stream:
            summed = SummedStream(stream)
            whole = cast("BinaryIO", summed)
            context = Context(name_of(path), problems, problems.strict, numbering("deal"))
            watching = progress(stream, context.source, "records")
            if kind == "cases":
                facts = _facts_of_cases(path)
            elif kind in record_names() and kind not in format_names():
                facts = _facts_of_records(kind, whole, context, watching)
            else:
                facts = _facts_of_boards(self.from_format, path, whole, context, watching)
            while summed.read(1 << 20):  # the checksum includes bytes that the reader left
                pass
        checksum = summed.checksum
        facts = {"file": context.source, **facts, "bytes": checksum.bytes}
        if facts.get("boards"):
            facts["bits_per_deal"] = round(checksum.bytes * 8 / cast("int", facts["boards"]), 3)
        return facts | {"checksum": str(checksum), "problems": problems.count - before}


info = function_of(Info)


# What a director wants to know about a file of boards: numbers, rules, results, duplicates.


_SECTIONS = {"auctions": "Auction", "plays": "Play"}
_VALUES = {"contracts": "Contract", "results": "Result", "scores": "Score", "par": "OptimumScore"}
_NAMES = {"events": "Event", "dates": "Date", "sites": "Site", "creators": "Generator"}
_HEADS = {"tricks": "double-dummy tables", "par": "par scores"}
_UNKNOWN = ("", "?", "????.??.??")
_SHOWN = 12
_SEATS = len(SEAT_LETTERS)
_OF_A_SESSION = ("numbers", "dealers", "vulnerabilities", *_SECTIONS, *_VALUES, *_NAMES)
"""The facts that boards with nothing but cards and tricks do not have."""


def session_of(boards: Sequence[Board]) -> Facts:
    """Return what a director wants to know of boards."""
    of_number: dict[int, list[Board]] = {}
    for board in boards:
        if board.number is not None:
            of_number.setdefault(board.number, []).append(board)
    numbers = sorted(of_number)
    gaps = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
    missing = [number for number in gaps[: 10 * len(numbers)] if number not in of_number]
    labels = [
        f"row {row}" if board.number is None else str(board.number)
        for row, board in enumerate(boards, 1)
    ]
    incomplete = [
        label
        for label, board in zip(labels, boards, strict=True)
        if board.layout is not None and not board.layout.is_deal
    ]

    def differing(value: str, rule: Callable[[int], object]) -> list[int]:
        """Return the numbers of boards with another value than that of the number."""
        return [
            number
            for number in numbers
            if any(getattr(each, value) not in (None, rule(number)) for each in of_number[number])
        ]

    tags, sections = [board.tags for board in boards], [board.sections for board in boards]
    values = {
        name: [each[name] for each in tags if each.get(name, "") not in _UNKNOWN]
        for name in (*_VALUES.values(), *_NAMES.values())
    }
    sources = [*dict.fromkeys(each[SOURCE] for each in tags if SOURCE in each)]
    return {
        "numbers": ", ".join(runs_of(numbers)),
        "missing": ", ".join(runs_of(missing)),
        "unnumbered": sum(board.number is None for board in boards),
        "incomplete": incomplete if 2 * len(incomplete) < len(boards) else [],
        "most_rows": max(map(len, of_number.values()), default=0),
        "doubled": [
            number for number in numbers if len({each.layout for each in of_number[number]}) > 1
        ],
        "dealers": sum(board.dealer is not None for board in boards),
        "dealer_differs": differing("dealer", dealer_of_board),
        "vulnerabilities": sum(board.vulnerable is not None for board in boards),
        "vulnerability_differs": differing("vulnerable", Vulnerability.of_board),
        **{key: sum(bool(each.get(name)) for each in sections) for key, name in _SECTIONS.items()},
        **{key: len(values[name]) for key, name in _VALUES.items()},
        "tricks": sum(board.tricks is not None for board in boards),
        **{key: [*dict.fromkeys(values[name])] for key, name in _NAMES.items()},
        **({"sources": sources} if sources else {}),
        "duplicates": _duplicates(labels, boards),
    }


def _duplicates(labels: Sequence[str], boards: Sequence[Board]) -> list[list[str]]:
    """Return the labels of boards with the same deal, also turned round the table."""
    places: dict[bytes, dict[bytes, list[str]]] = {}
    for label, board in zip(labels, boards, strict=True):
        if board.layout is not None:
            owners = board.layout.owners
            places.setdefault(_turned(owners), {}).setdefault(owners, []).append(label)
    groups = []
    for turns in places.values():
        same = [*dict.fromkeys(label for some in turns.values() for label in some)]
        if len(same) > 1:
            groups.append([*same, *(["turned"] if len(turns) > 1 else [])])
    return groups


def session_lines(row: dict[str, object], boards: int) -> Iterator[tuple[str, str]]:
    """Yield the facts of a session as (head, text)."""
    duplicates = cast("list[list[str]]", row["duplicates"])
    for key in ("events", "sites", "dates"):
        if names := _texts(row[key]):
            yield key.removesuffix("s") if len(names) == 1 else key, _listed(names, "; ")
    yield "boards", f"{boards:,}"
    yield "numbers", _numbers(row)
    if incomplete := _texts(row["incomplete"]):
        yield "incomplete", f"not 13 cards in each hand: {_listed(incomplete)}"
    if row["numbers"]:
        yield "dealer", _rule(row["dealers"], row["dealer_differs"], boards)
        differ = row["vulnerability_differs"]
        yield "vulnerability", _rule(row["vulnerabilities"], differ, boards)
    counts = ("auctions", "plays", "contracts", "results", "scores", "tricks", "par")
    for key in counts:
        if row[key]:
            yield _HEADS.get(key, key), f"{row[key]:,}"
    if absent := [_HEADS.get(key, key) for key in counts if not row[key]]:
        yield "in no board", ", ".join(absent)
    for key in ("creators", "sources"):
        if names := _texts(row.get(key)):
            yield key.removesuffix("s") if len(names) == 1 else key, _listed(names, "; ")
    yield "duplicates", "; ".join(map(_same, duplicates[:_SHOWN])) or "none"
    if len(duplicates) > _SHOWN:
        yield "", f"and {many(len(duplicates) - _SHOWN, 'more deal')}"


def _numbers(row: dict[str, object]) -> str:
    """Return the board numbers, and what is unusual about them."""
    if not row["numbers"]:
        return "none"
    parts = [str(row["numbers"])]
    if row["missing"]:
        parts.append(f"missing {row['missing']}")
    if row["most_rows"] != 1:
        parts.append(f"up to {row['most_rows']} rows a number")
    if row["doubled"]:
        parts.append(f"several deals under {_listed(_texts(row['doubled']))}")
    if row["unnumbered"]:
        parts.append(f"{row['unnumbered']} without a number")
    return "; ".join(parts)


def _rule(given: object, wrong: object, boards: int) -> str:
    """Return whether dealers or vulnerabilities are those of the board numbers."""
    differ = _texts(wrong)
    if not given:
        return "in no board"
    some = "" if given == boards else f"in {given} of {boards} boards; "
    if differ:
        return f"{some}not as the number says: {_listed(differ)}"
    return f"{some}as the numbers say"


def _same(group: Sequence[str]) -> str:
    """Return the boards of one deal."""
    labels = [label for label in group if label != "turned"]
    return f"{_listed(labels, ' = ')}{' (turned)' if len(labels) < len(group) else ''}"


def _texts(values: object) -> list[str]:
    return list(map(str, values)) if isinstance(values, list) else []


def _listed(texts: Sequence[str], between: str = ", ") -> str:
    """Return the first texts, and the number of the others."""
    more = len(texts) - _SHOWN
    return between.join(texts[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")


def _turned(owners: bytes) -> bytes:
    """Return owners with the table turned so that North has the first card that a hand has."""
    first = next((owner for owner in owners if owner < _SEATS), 0)
    return owners.translate(_TURNS[first])


_TURNS = [
    bytes([*((seat - first) % _SEATS for seat in range(_SEATS)), *range(_SEATS, 256)])
    for first in range(_SEATS)
]
"""For each owner of the first card, the new owner of each owner's cards."""


# The facts of a file of boards.


_MAY_BE_LEFT_OUT = ("fouled", "suits", "without_cards", "with_tricks", "problems")

_OF_PARTS = ("plan", "rows")
"""The facts of a folder that only the JSON has."""

_OF_SESSION = 1 << 23
"""The size of a text, in bytes, from which on info reads by arrays, without the session."""

_NUMBERINGS = ("deal", "balanced", "ending", "base5")
_COUNTED = (
    "boards", "deals", "endings", "fouled", "suits", "without_cards", "with_tricks",
)  # fmt: skip


class _Contents:
    """What a file holds, counted by boards, by batches or by the spaces of an archive."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.session: list[Board] | None = None
        """The boards, if they are kept for the facts of a session."""
        self._numbering = 0
        """The place in `_NUMBERINGS` of the smallest numbering that holds all layouts."""

    def add(self, board: Board) -> None:
        """Count a board."""
        if self.session is not None:
            self.session.append(board)
        self.counts.update(boards=1, with_tricks=int(board.tricks is not None))
        if board.layout is None:
            self.counts["without_cards"] += 1
        elif is_suit_alone(board):
            self.counts["suits"] += 1
        else:
            self._add_sizes(board.layout.sizes, 1)

    def _add_sizes(self, sizes: tuple[int, ...], count: int) -> None:
        """Count layouts with so many cards in each hand."""
        smallest = _smallest_numbering(sizes)
        self._numbering = max(self._numbering, smallest)
        self.counts[("deals", "endings", "endings", "fouled")[smallest]] += count

    def add_batch(self, batch: BoardBatch) -> None:
        """Count boards, at once if they hold nothing else but cards, tricks and plain tags."""
        if batch.holds is More.ANYTHING:
            for board in batch:
                self.add(board)
            return
        from pavcodec.layout.columns import sizes_of

        owners = batch.owners[batch.have_cards]
        self.counts.update(boards=len(batch), with_tricks=batch.solved_rows)
        self.counts["without_cards"] += len(batch) - len(owners)
        for sizes, count in sizes_of(owners).items():
            self._add_sizes(sizes, count)

    def add_archive(self, archive: Archive) -> None:
        """Count the boards of an archive, from its spaces alone where these suffice."""
        counts = archive.counts if not archive.is_of_deals else {"deal": len(archive)}
        if len(counts) == 1 and not archive.is_of_deals:
            for board in archive:
                self.add(board)
            return
        keys = {"deal": "deals", "base5": "fouled", "": "without_cards"}
        for name, count in counts.items():
            self.counts.update({"boards": count, keys.get(name, "endings"): count})

    @property
    def bound(self) -> float | None:
        """The least bits that one of so many layouts in order takes, for display."""
        counts = self.counts
        if counts["suits"] or not counts["deals"] + counts["endings"] + counts["fouled"]:
            return None
        return log2(numbering(_NUMBERINGS[self._numbering]).cardinality)

    def row(self) -> dict[str, object]:
        """Return the figures by name."""
        return {key: self.counts[key] for key in _COUNTED}


def _smallest_numbering(sizes: tuple[int, ...]) -> int:
    """Return the place in `_NUMBERINGS` of the smallest numbering of layouts of these sizes."""
    if max(sizes) > HAND_SIZE:
        return 3
    if min(sizes) == HAND_SIZE:
        return 0
    return 1 if 0 < min(sizes) == max(sizes) else 2


def _facts_of_boards(
    name: str | None, path: str, stream: BinaryIO, context: Context, watching: Progress
) -> Facts:
    """Count what a file of boards holds."""
    source, whole = recognise(stream, path=path, name=name)
    if source.name == "pav":
        data = b"".join(iter(partial(whole.read, 1 << 20), b"")) if path == "-" else None
        try:
            return _facts_of_archive(path, data)
        except ReadError:  # `read_batches` counts the boards up to the damage, and reports it
            whole = whole if data is None else BytesIO(data)
    contents = _Contents()
    size = inf if path == "-" else size_if_file(path) or 0
    is_kept = size < LARGE
    if source.is_text and not source.is_cards_only:
        whole, is_whole = _begun(whole)
        if is_whole:
            is_kept, size = True, 0  # board by board, for the facts of a session
    contents.session = [] if is_kept else None
    batches = source.read_batches(whole, context, Wanted.CHECKED, size=size)
    for batch in watching.watch(batches, len):
        contents.add_batch(batch)
    facts = {"format": source.name, "what": source.summary} | contents.row()
    if contents.session is not None:
        session = session_of(contents.session)
        if any(session[key] for key in _OF_A_SESSION):
            facts["session"] = session
        elif session["duplicates"]:
            facts["repeated_deals"] = len(cast("list[object]", session["duplicates"]))
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
            **_sources_of(archive),
            "bound_bits_per_deal": round(float(archive.bound_bits_per_deal), 3),
        }


def _sources_of(archive: Archive) -> Facts:
    """Return the files that the boards of a small archive came from, if it keeps their names."""
    if not archive.keeps_tags or archive.size >= LARGE:
        return {}
    with suppress(ReadError):  # other commands tell what is damaged
        names = dict.fromkeys(board.tags.get(SOURCE) for board in archive)
        if sources := [name for name in names if name is not None]:
            return {"sources": sources}
    return {}


def _kept(archive: Archive) -> str:
    """Return the parts of boards that an archive stores in addition to their cards."""
    if not (archive.keeps_tags or archive.keeps_tricks):
        return ""
    parts = ["all tags"] * archive.keeps_tags + ["a column of tricks"] * archive.keeps_tricks
    return f", with {' and '.join(parts)}"


def _facts_of_records(name: str, stream: BinaryIO, context: Context, watching: Progress) -> Facts:
    """Count the records of a file that holds no boards."""

    def report(error: RecordError) -> None:
        context.problem(None, str(error))

    kind = record(name)
    count = sum(1 for _ in watching.watch(read_records(kind, stream, report)))
    return {"format": name, "what": f"{kind.summary}: {kind.size} bytes each", "records": count}


def _facts_of_cases(path: str) -> Facts:
    """Return the facts of a case listing, after a check of each block."""
    from pavcodec.studies.cases.files import CASES_IN_BLOCK, open_cases

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


def _told(facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield the facts of a file as (head, text); those of a session are first."""
    rest = {head: value for head, value in facts.items() if head not in _OF_PARTS}
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
        text = _listed(value, "; ") if isinstance(value, list) else text
        yield head.replace("_", " "), text


# The facts of a folder of parts, by its plan and its rows; no part is read.


def _facts_of_collection(path: str, problems: Problems) -> Facts | None:
    """Return the facts of a collection and of each part.

    Parts that are not there are a problem. An input that is no collection has no facts.
    """
    if not is_folder(path):
        return None
    from pavcodec.collection.stored import is_collection, open_collection

    if not is_collection(path):
        return None
    opened = open_collection(path)
    rows, plan = opened.rows, opened.plan
    missing = [index for each in rows.missing() for index in each]
    if missing:
        which = ranges_text(missing)
        problems.report(str(opened.storage), None, f"{which} not there, of {len(plan)}")
    facts: Facts = {
        "file": str(opened.storage),
        "format": "collection",
        "what": f"a folder of {len(plan):,} parts, {plan.making.suffix}",
        **dict(_described(plan.making.describe())),
        "parts": rows.made,
        "boards": rows.rows,
        "bytes": rows.bytes,
    }
    if rows.rows:
        facts["bits_per_deal"] = round(rows.bytes * 8 / rows.rows, 3)
    if not missing:
        facts["sha256"] = opened.sha256
    facts |= {"plan": opened.description, "rows": [row.to_dict() for row in rows]}
    return facts | {"problems": len(missing)}


def _described(making: Mapping[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield what a making says about its parts, as (head, text); `source` has the rest."""
    for key, value in making.items():
        if key == "source" and isinstance(value, Mapping):
            inner = value.get("making")
            if isinstance(inner, Mapping):
                yield "source", " ".join(text for _, text in _described(inner))
            else:
                yield "source", f"{value.get('files')} files"
        elif isinstance(value, Mapping):
            if key not in ("boards", "reading"):
                yield from _described(value, key)
        elif key == "kind":
            yield "made_by", f"pavcodec {'deal' if value in ('deals', 'set') else value}"
        elif isinstance(value, str | int) and key not in ("format", "cardinality", "stream"):
            yield (before if key == "name" else key), str(value)
