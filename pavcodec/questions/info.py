"""Info: the format and the contents of files, and what is unusual about them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from math import inf, log2
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, cast

from pavcodec.boards import Board, Context, Vulnerability
from pavcodec.boards.board import dealer_of_board
from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, Seat
from pavcodec.chances.figures import many
from pavcodec.errors import NumberError, ReadError, RecordError, suggest
from pavcodec.files.opening import size_if_file
from pavcodec.files.text import Rejoined
from pavcodec.formats import Need, boards_in, format_names, recognise
from pavcodec.formats.format import LARGE
from pavcodec.formats.plain.texts import parse_number
from pavcodec.formats.records.boards import is_suit_alone
from pavcodec.numberings import numbering
from pavcodec.questions.asking import Answer, Progress, QuestionError, ask, progress
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
from pavcodec.questions.tables import fact_lines
from pavcodec.records import SummedStream, read_records, record, record_names

if TYPE_CHECKING:
    from pavcodec.archive import Archive
    from pavcodec.boards.batch import BoardBatch

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

    def find(self) -> FileFacts:
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
        return FileFacts(rows, is_fault=problems.count > 0)

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


@dataclass
class FileFacts(Answer):
    """The facts of files, in their order."""

    files: list[Facts]
    is_fault: bool = False

    def to_dict(self) -> list[Facts]:
        """Return the facts for JSON."""
        return self.files

    def lines(self) -> Iterator[str]:
        """Yield the facts of each file, one a line."""
        for index, row in enumerate(self.files):
            yield from [""] if index else []
            yield from fact_lines(_told(row), _START)


def info(*files: str, **fields: Any) -> FileFacts:  # noqa: ANN401 (of the question)
    """Describe files and check their checksums, as the command `info` does.

    The fields are those of `Info`. The answer has `lines()` for the screen, `to_dict()` for JSON.

    >>> info("N:AK... - - -").files[0]["endings"]
    1
    """
    return cast("FileFacts", Info(files, **fields).answer())


# What a director wants to know about a file of boards: numbers, rules, results, duplicates.


_SECTIONS = {"auctions": "Auction", "plays": "Play"}
_VALUES = {"contracts": "Contract", "results": "Result", "scores": "Score", "par": "OptimumScore"}
_NAMES = {"events": "Event", "dates": "Date", "sites": "Site", "creators": "Generator"}
_HEADS = {"tricks": "double-dummy tables", "par": "par scores"}
_UNKNOWN = ("", "?", "????.??.??")
_SHOWN = 12
_SEATS = len(SEAT_LETTERS)


class SessionFacts:
    """Collects the facts of boards one by one."""

    def __init__(self) -> None:
        self._deals: dict[int, set[bytes]] = {}
        self._rows: Counter[int] = Counter()
        self._unnumbered = 0
        self._wrong: dict[str, list[int]] = {"dealer": [], "vulnerable": []}
        self._given: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self._names: dict[str, Counter[str]] = {key: Counter() for key in _NAMES}
        self._places: dict[bytes, dict[bytes, list[str]]] = {}
        self._incomplete: list[str] = []
        self._boards = 0

    def add(self, board: Board) -> None:
        """Count a board."""
        self._boards += 1
        tags, sections, number = board.tags, board.sections, board.number
        for key, name in _SECTIONS.items():
            self._counts[key] += bool(sections.get(name))
        for key, name in _VALUES.items():
            self._counts[key] += tags.get(name, "") not in _UNKNOWN
        for key, name in _NAMES.items():
            if tags.get(name, "") not in _UNKNOWN:
                self._names[key][tags[name]] += 1
        self._counts["tricks"] += board.tricks is not None
        self._add_rules(board, number)
        owners = b"" if board.layout is None else board.layout.owners
        if number is None:
            self._unnumbered += 1
        else:
            self._rows[number] += 1
            self._deals.setdefault(number, set()).add(owners)
        label = f"row {self._boards}" if number is None else str(number)
        if owners:
            same = self._places.setdefault(_turned(owners), {}).setdefault(owners, [])
            if number is None or label not in same:
                same.append(label)
        if board.layout is not None and not board.layout.is_deal:
            self._incomplete.append(label)

    def _add_rules(self, board: Board, number: int | None) -> None:
        dealer, vulnerable = board.dealer, board.vulnerable
        self._given["dealer"] += dealer is not None
        self._given["vulnerable"] += vulnerable is not None
        if number is None:
            return
        if dealer is not None and dealer is not dealer_of_board(number):
            self._wrong["dealer"].append(number)
        if vulnerable is not None and vulnerable is not Vulnerability.of_board(number):
            self._wrong["vulnerable"].append(number)

    @property
    def is_session(self) -> bool:
        """Whether any board has more than cards."""
        counts = self._counts - Counter({"tricks": self._counts["tricks"]})
        named = any(self._names.values())
        return bool(self._deals or counts.total() or self._given.total() or named)

    @property
    def incomplete(self) -> list[str]:
        """The boards without 13 cards in each hand, in a file where most boards have them."""
        return self._incomplete if 2 * len(self._incomplete) < self._boards else []

    @property
    def duplicates(self) -> list[list[str]]:
        """The boards of each deal that several boards have, also turned round the table."""
        groups = []
        for turns in self._places.values():
            labels = [label for same in turns.values() for label in same]
            if len(set(labels)) > 1:
                mark = " turned" if len(turns) > 1 else ""
                groups.append([*dict.fromkeys(labels), *([mark.strip()] if mark else [])])
        return groups

    def row(self) -> dict[str, object]:
        """Return the facts as a JSON object."""
        numbers = sorted(self._deals)
        held = set(numbers)
        gaps = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
        missing = [number for number in gaps[: 10 * len(numbers)] if number not in held]
        return {
            "numbers": ", ".join(runs_of(numbers)),
            "missing": ", ".join(runs_of(missing)),
            "unnumbered": self._unnumbered,
            "incomplete": self.incomplete,
            "most_rows": max(self._rows.values(), default=0),
            "doubled": [number for number in numbers if len(self._deals[number]) > 1],
            "dealers": self._given["dealer"],
            "dealer_differs": sorted(set(self._wrong["dealer"])),
            "vulnerabilities": self._given["vulnerable"],
            "vulnerability_differs": sorted(set(self._wrong["vulnerable"])),
            **{key: self._counts[key] for key in (*_SECTIONS, *_VALUES, "tricks")},
            **{key: list(names) for key, names in self._names.items()},
        }


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
    if names := _texts(row["creators"]):
        yield "creator" if len(names) == 1 else "creators", _listed(names, "; ")
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
        from pavcodec.layout.columns import sizes_of

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
    context = replace(context, on_skipped=contents.on_skipped)
    size = inf if path == "-" else size_if_file(path) or 0
    contents.is_session_read = size < LARGE
    if source.is_text and not source.is_cards_only:
        whole, is_whole = _begun(whole)
        if is_whole:
            contents.is_session_read, size = True, 0  # board by board, for the facts of a session
    boards = source.read_batches(whole, context, Need.TRICKS, size=size)
    for some in watching.watch(boards, boards_in):
        if isinstance(some, Board):
            contents.add(some)
        else:
            contents.add_batch(some)
    facts = {"format": source.name, "what": source.summary} | contents.row()
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
