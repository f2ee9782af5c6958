"""Collections that are made from the parts of others: converted, packed, searched and solved.

Part k of such a collection is a function of file k of its source. A *making* reads this file,
reports its problems and what its boards lose, and writes the part. Tallies and finders of repeated
deals are counted in the same way, a file for each worker, and added.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from math import inf
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, SupportsIndex, TypeAlias

from pavcodec.archive.spaces import space_of as archive_space_of
from pavcodec.archive.writer import write_archive
from pavcodec.boards.batch import BoardBatch, Gathered, singles
from pavcodec.boards.board import Board, Context, Problem, Ranks, Vulnerability, dealer_of_board
from pavcodec.boards.par import with_par
from pavcodec.boards.tricks import RESULT_TABLE
from pavcodec.chances.questions import ConditionLike
from pavcodec.collection.collection import Collection, target_of_parts
from pavcodec.collection.deals import InFormat, describe_space
from pavcodec.collection.engines import engine_of
from pavcodec.collection.plan import Part, Plan
from pavcodec.collection.source import SourceError, SourceFile, SourceFolder, source_of
from pavcodec.constraints.evaluation import kinds_in
from pavcodec.constraints.expressions import expression
from pavcodec.constraints.nodes.syntax import Node, Python, Random
from pavcodec.constraints.operators import Expression, expression_of
from pavcodec.constraints.search import Search, Searched, in_chunks, search_boards
from pavcodec.errors import PavError, ReadError
from pavcodec.files.compressed import compressing, held, parts
from pavcodec.formats.arrays import DealRows, read_rows
from pavcodec.formats.format import Format
from pavcodec.formats.losing import LostParts
from pavcodec.formats.packing import Packing
from pavcodec.formats.registry import recognise
from pavcodec.limits import MEMORY
from pavcodec.numberings import numbering
from pavcodec.solving.contracts import ALL_CONTRACTS, columns_of, unsolvable
from pavcodec.solving.journal import ChunkSolver
from pavcodec.statistics.repeats import Finder
from pavcodec.statistics.report import LEVEL, Statistics, level_of
from pavcodec.statistics.tally import Tally, condition_to_test, space_of

if TYPE_CHECKING:
    from distributed import Client

    from pavcodec.archive.spaces import ArchiveSpace
    from pavcodec.archive.writer import Item
    from pavcodec.constraints import ConstrainedDeals
    from pavcodec.solving.contracts import ChosenContracts


# How workers read the files of a source, and what they report.


Input: TypeAlias = tuple[Format, BinaryIO, Context]
"""A stream of boards: its format, the stream, and the options of reading it."""

_MOST_KEPT = 1000
"""The problems of a file that are kept; the others are counted."""

_IN_ROW = 3
"""The problems that the row of a part has."""


@dataclass
class Report:
    """The problems of a file: the first ones, and the number of all."""

    strict: bool = False
    count: int = 0
    first: list[Problem] = field(default_factory=list)

    def __call__(self, problem: Problem) -> None:
        """Keep or count a problem; in strict reading, raise it as a `ReadError`."""
        if self.strict:
            raise ReadError(str(problem))
        self.count += 1
        if len(self.first) < _MOST_KEPT:
            self.first.append(problem)

    def facts(self) -> dict[str, object]:
        """Return the number of problems and the first ones for the row of a part; none if none."""
        if not self.count:
            return {}
        return {"problems": self.count, "first_problems": list(map(str, self.first[:_IN_ROW]))}


@dataclass(frozen=True)
class ReadingOptions:
    """The options of reading files: see `read`."""

    format: str | None = None
    numbering: str = "deal"
    one_based: bool = False
    strict: bool = False

    @property
    def ranks(self) -> Ranks:
        """The numbering of the format `numbers`."""
        return numbering(self.numbering, one_based=self.one_based)

    def describe(self) -> dict[str, object]:
        """Return the options for JSON."""
        return asdict(self)

    def inputs(
        self,
        file: SourceFile,
        report: Report,
        stack: ExitStack,
        *,
        name: str = "",
        ranks: Ranks | None = None,
    ) -> Iterator[Input]:
        """Yield format, stream and context of a file, or of each file of a zip file.

        `stack` keeps the file open, since batches read tags from it later. `name` is that of the
        file in messages, by default its path or URL.
        """
        stream = stack.enter_context(file.open())
        for inner, opened in parts(stream, name or file.shown):
            form, whole = recognise(opened, path=inner, name=self.format)
            yield form, whole, Context(inner, report, self.strict, ranks or self.ranks)


# Parts that are made from the parts of a source, one from one.


Ends: TypeAlias = tuple[tuple[int, int], ...]
"""The first and the last numbers of ranges of boards."""


def derived_plan(making: DerivedMaking) -> Plan:
    """Return the plan of a collection with a part for each file of the making's source.

    The files of a folder without a plan are read once, for their SHA-256.
    """
    made = replace(making, source=making.source.hashed())
    return Plan(made, made.source.ranges)


@dataclass(frozen=True, kw_only=True)
class DerivedMaking(InFormat, ABC):
    """Parts that are made from the files of a source."""

    source: SourceFolder
    format: str
    packed: str = ""
    reading: ReadingOptions = field(default_factory=ReadingOptions)

    kind: ClassVar[str]

    def describe(self) -> dict[str, object]:
        """Return what the parts hold, for JSON, with the description of the source."""
        used = {name: value for name, value in self._options().items() if value}
        description: dict[str, object] = {"kind": self.kind, "format": self.format, **used}
        return {**description, "reading": self.reading.describe(), "source": self.source.describe()}

    def prepare(self) -> None:
        """Load or build models, once in a process."""

    def write(self, part: Part, stream: BinaryIO) -> dict[str, object]:
        """Write the part that belongs to the file of the source with the same index.

        Raise `SourceError` if the file is missing, damaged, or no file of its format.
        """
        file = self.source[part.index]
        report = Report(self.reading.strict)
        try:
            with (
                compressing(stream, part.name) as packed,
                held(packed) as out,  # writers of text and of headers go back
                ExitStack() as stack,
            ):
                facts = self._write(file, out, report, stack)
        except ReadError as error:
            if self.reading.strict:
                raise
            raise SourceError(str(error)) from None
        return facts | report.facts() | {"source": {"name": file.name, "sha256": file.sha256}}

    @abstractmethod
    def _options(self) -> dict[str, object]:
        """Return the options of the subclass for JSON; those without a value are left out."""

    @abstractmethod
    def _write(
        self, file: SourceFile, stream: BinaryIO, report: Report, stack: ExitStack
    ) -> dict[str, object]:
        """Write the boards of a file; return `{"rows": n}` and more facts."""


@dataclass(frozen=True, kw_only=True)
class BoardMaking(DerivedMaking):
    """Parts with boards in any format; `tags` replace those of each board."""

    tags: tuple[tuple[str, str], ...] = ()
    title: str = ""
    encoding: str | None = None

    def __post_init__(self) -> None:
        if self.target.is_of_boards:
            raise PavError(
                f"{self.format} holds the boards of a session, each once, so it cannot be written "
                "part by part: write one file, or another format"
            )
        if self.target.cycle is not None:
            raise PavError(
                f"{self.format} has at most {self.target.cycle} boards, and is no format of parts"
            )

    def _options(self) -> dict[str, object]:
        return {"tags": dict(self.tags), "title": self.title, "encoding": self.encoding}

    def _write(
        self, file: SourceFile, stream: BinaryIO, report: Report, stack: ExitStack
    ) -> dict[str, object]:
        losses = PartLosses(self.target)
        context = Context(
            file.name,
            report,
            self.reading.strict,
            self.reading.ranks,
            self.encoding,
            differ=losses.differ,
            note=losses.note,
            title=self.title,
        )
        facts: dict[str, object] = {}
        inputs = (
            (form, opened, replace(context, source=named.source))
            for form, opened, named in self.reading.inputs(file, report, stack, name=file.name)
        )
        boards = self._boards(inputs, report, facts)
        if self.tags:
            tags = dict(self.tags)
            boards = singles(board.with_tags(tags) for batch in boards for board in batch)
        rows = self.target.write_batches(map(losses.counted, boards), stream, context)
        return {"rows": rows, **facts, **losses.facts()}

    @abstractmethod
    def _boards(
        self, inputs: Iterator[Input], report: Report, facts: dict[str, object]
    ) -> Iterator[BoardBatch]:
        """Yield what is written, and put more facts of the part in `facts`."""


def boards_with_numbers(boards: Iterator[Board], ends: Ends) -> Iterator[Board]:
    """Return the boards whose numbers are in the ranges; without ranges, all boards."""
    if not ends:
        return boards
    return (
        board
        for board in boards
        if board.number is not None and any(first <= board.number <= last for first, last in ends)
    )


class PartLosses:
    """What the boards of a part lose in its format, for its row."""

    def __init__(self, target: Format) -> None:
        self._target = target
        self._without_cards = 0
        self._lost = LostParts(target)
        self._differences: Counter[str] = Counter()
        self._notes: dict[str, None] = {}

    def note(self, text: str) -> None:
        """Keep a note of the writer."""
        self._notes[text] = None

    def differ(self, kind: str) -> None:
        """Count a board by the kind of its difference."""
        self._differences[kind] += 1

    def counted(self, batch: BoardBatch) -> BoardBatch:
        """Return a batch, after counting what it loses."""
        target = self._target
        if target.keeps_cards and not target.keeps_tags:
            self._without_cards += batch.without_cards
        self._lost.examine(batch)
        return batch

    def facts(self) -> dict[str, object]:
        """Return what is not zero, for JSON.

        Raise `PavError` for boards that got numbers by their place, which is not known in a part.
        """
        if self._differences["number"]:
            raise PavError(
                f"{self._target.name} numbers boards without a number in turn, so it cannot be "
                "written part by part: write one file, or another format"
            )
        losses = {
            "without_cards": self._without_cards,
            "lost": list(self._lost.names),
            "differences": {kind: count for kind, count in self._differences.items() if count},
            "notes": list(self._notes),
        }
        return {name: value for name, value in losses.items() if value}


@dataclass(frozen=True, kw_only=True)
class ConvertMaking(BoardMaking):
    """Parts with the boards of a source in a format.

    `boards` are the first and last numbers of the chosen boards; without them, all are chosen. With
    `by_number`, the number of a board gives its dealer and vulnerability.
    """

    boards: Ends = ()
    by_number: bool = False

    kind: ClassVar[str] = "convert"

    def _options(self) -> dict[str, object]:
        chosen = [list(ends) for ends in self.boards]
        return {"boards": chosen, "by_number": self.by_number, **super()._options()}

    def _boards(
        self,
        inputs: Iterator[Input],
        report: Report,  # noqa: ARG002
        facts: dict[str, object],  # noqa: ARG002
    ) -> Iterator[BoardBatch]:
        is_changing = self.boards or self.by_number or self.tags
        are_single = self.reading.strict or self.target.arrays is None
        for form, stream, named in inputs:
            if is_changing:
                yield from singles(self._changed(form.read(stream, named)))
            else:
                size = 0 if are_single else inf
                yield from form.read_batches(stream, named, self.target.wanted, size=size)

    def _changed(self, boards: Iterator[Board]) -> Iterator[Board]:
        """Yield the chosen boards, with the dealers and vulnerabilities of their numbers."""
        for board in boards_with_numbers(boards, self.boards):
            number = board.number
            if self.by_number and number is not None:
                dealer, vulnerable = dealer_of_board(number), Vulnerability.of_board(number)
                tags = {"Dealer": dealer.letter, "Vulnerable": vulnerable.value}
                yield board.with_tags(tags)
            else:
                yield board


def check_searched(where: Node) -> None:
    """Raise `PavError` for a condition whose value is not a function of the deal."""
    if kinds_in(where) & {Random, Python}:
        raise PavError(
            "a part is a function of its source, so a condition with rnd or a Python function "
            "chooses no boards of a folder: name the files, as in deals/part-*"
        )


@dataclass(frozen=True, kw_only=True)
class GrepMaking(BoardMaking):
    """Parts with the boards of a source whose deals satisfy a condition, or with `invert` do not.

    Raise `PavError` for a condition whose value is not a function of the deal.
    """

    where: Node
    invert: bool = False

    kind: ClassVar[str] = "grep"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_searched(self.where)

    def _options(self) -> dict[str, object]:
        return {"where": str(Expression(self.where)), "invert": self.invert, **super()._options()}

    def _boards(
        self, inputs: Iterator[Input], report: Report, facts: dict[str, object]
    ) -> Iterator[BoardBatch]:
        counts, search = Searched(), Search(self.where, wanted=not self.invert)
        for _, board in search_boards(search, _chunks(inputs), counts, report):
            yield Gathered([board])
        facts["searched"] = counts.boards
        if counts.without_deal:
            facts["without_deal"] = counts.without_deal


@dataclass(frozen=True, kw_only=True)
class Searching:
    """Searches a file of boards; without `keeps` only counts.

    Raise `PavError` for a condition whose value is not a function of the deal.
    """

    where: Node
    reading: ReadingOptions = field(default_factory=ReadingOptions)
    invert: bool = False
    keeps: bool = True

    def __post_init__(self) -> None:
        check_searched(self.where)

    def __call__(self, file: SourceFile) -> tuple[list[tuple[str, Board]], Searched, Report]:
        """Return the boards that were found, each with its source, the counts and the problems."""
        counts, report = Searched(), Report(self.reading.strict)
        search = Search(self.where, wanted=not self.invert)
        with ExitStack() as stack:
            inputs = self.reading.inputs(file, report, stack)
            wanted = search_boards(search, _chunks(inputs), counts, report)
            kept = [each for each in wanted if self.keeps]
        return kept, counts, report


def _chunks(inputs: Iterator[Input]) -> Iterator[list[tuple[str, Board]]]:
    """Yield the boards of files in chunks, each with the name of its file."""
    return in_chunks(
        (context.source, board)
        for form, stream, context in inputs
        for board in form.read(stream, context)
    )


@dataclass(frozen=True, kw_only=True)
class PackMaking(DerivedMaking):
    """Parts with the boards of a source in archives; the options are those of `write_archive`.

    Raise `PavError` for sets and multisets of a source whose deals are not sorted: its parts would
    not make one together.
    """

    format: str = "pav"
    order: str = "ordered"
    space: str | ConstrainedDeals = "any"
    cards_only: bool = False
    all: bool = False
    tricks: bool = False

    kind: ClassVar[str] = "pack"

    def __post_init__(self) -> None:
        if self.order != "ordered" and not self.source.is_sorted:
            raise PavError(
                f"the parts of {self.source.storage} are not sorted, so archives of them are no "
                f"{self.order} together: write one archive, as in -o one.pav"
            )

    @cached_property
    def _space(self) -> ArchiveSpace:
        return archive_space_of(self.space)

    def prepare(self) -> None:
        """Build the model of the space, once in a process."""
        if not isinstance(self.space, str):
            describe_space(self.space)

    def _options(self) -> dict[str, object]:
        space = self.space if isinstance(self.space, str) else describe_space(self.space)
        kept = {"cards_only": self.cards_only, "all": self.all, "tricks": self.tricks}
        return {"archive": self.order, "space": space, **kept}

    def _write(
        self, file: SourceFile, stream: BinaryIO, report: Report, stack: ExitStack
    ) -> dict[str, object]:
        packing = Packing(
            self._space, only_cards=self.cards_only, keeps_tricks=self.tricks, keeps_all=self.all
        )

        def items() -> Iterator[Item]:
            inputs = self.reading.inputs(file, report, stack, name=file.name, ranks=packing.ranks)
            for form, opened, context in inputs:
                yield from packing.items(packing.read(form, opened, context), context)

        rows = write_archive(
            items(), stream, kind=self.order, space=self.space, all=self.all, tricks=self.tricks
        )
        left_out = {"without_cards": packing.without_cards} if packing.without_cards else {}
        return {"rows": rows, **left_out}


@dataclass(frozen=True, kw_only=True)
class SolveMaking(BoardMaking):
    """Parts with the boards of a source and the tricks of the contracts `columns`.

    With `par`, boards get the par score; with `again`, known tricks are solved, too. Raise
    `PavError` for a format without a place for the tricks.
    """

    columns: tuple[int, ...] = ALL_CONTRACTS
    par: bool = False
    again: bool = False
    boards: Ends = ()

    kind: ClassVar[str] = "solve"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.target.shows_tag(RESULT_TABLE):
            raise PavError(f"{self.format} has no place for tricks")

    def _options(self) -> dict[str, object]:
        columns = None if self.columns == ALL_CONTRACTS else list(self.columns)
        chosen = [list(ends) for ends in self.boards]
        options = {"columns": columns, "par": self.par, "again": self.again, "boards": chosen}
        return {**options, **super()._options()}

    def _boards(
        self, inputs: Iterator[Input], report: Report, facts: dict[str, object]
    ) -> Iterator[BoardBatch]:
        solver = ChunkSolver(self.columns, again=self.again)
        without_par = 0
        for form, stream, named in inputs:
            boards = boards_with_numbers(form.read(stream, named), self.boards)
            on_unsolvable = partial(_report_unsolvable, source=named.source, report=report)
            for board in solver.boards(boards, on_unsolvable):
                if self.target.needs_tricks and board.layout is not None and board.tricks is None:
                    continue  # it was reported
                made = with_par(board) if self.par else board
                without_par += self.par and made is board
                yield Gathered([made])
        counts = solver.counts
        done = {"solved": counts.solved + counts.copied, "kept": counts.kept}
        done |= {"changed": counts.changed, "without_par": without_par}
        facts |= {name: number for name, number in done.items() if number}


def _report_unsolvable(board: Board, *, source: str, report: Report) -> None:
    """Report a board that cannot be solved."""
    assert board.layout is not None
    reason = unsolvable(board.layout.owners)
    report(Problem(source, board.line, reason, board.tags.get("Board")))


# Counts of the files of a source, each by a worker: tallies and repeated boards, to be added.


@dataclass(frozen=True)
class Tallying:
    """Tallies a file; tallies of files have the tally of all as their sum.

    `where` is the condition that each deal should satisfy.
    """

    reading: ReadingOptions = field(default_factory=ReadingOptions)
    where: Expression | None = None
    tricks: bool = False

    def __call__(self, file: SourceFile) -> tuple[Tally, Report]:
        """Return the tally of a file, and its problems."""
        tally, report = Tally(), Report(self.reading.strict)
        for _, part in _surveyed(self.reading, file, report, tricks=self.tricks or None):
            tally.add_part(part, where=self.where)
        return tally, report


@dataclass(frozen=True)
class Repeats:
    """Finds the numbers of a file's layouts; the sum of finders finds those that occur again."""

    reading: ReadingOptions = field(default_factory=ReadingOptions)
    up_to: str = ""

    def __call__(self, file: SourceFile) -> tuple[Finder, Report]:
        """Return the finder of a file, and its problems."""
        finder, report = Finder(self.up_to), Report(self.reading.strict)
        for source, part in _surveyed(self.reading, file, report):
            finder.add(part.owners, source, place=file.index)
            finder.without_cards += part.without_cards
        return finder, report


def _surveyed(
    reading: ReadingOptions, file: SourceFile, report: Report, *, tricks: bool | None = False
) -> Iterator[tuple[str, DealRows]]:
    """Yield the boards of a file in parts, each with the name of its source."""
    with ExitStack() as stack:
        for form, stream, context in reading.inputs(file, report, stack):
            for part in read_rows(form, stream, context, tricks=tricks):
                yield context.source, part


# Folders of parts for Python: their statistics, and the plans of folders made from them.


def stats_of_parts(  # noqa: PLR0913 (keywords)
    folder: str | os.PathLike[str],
    *,
    given: ConditionLike = 1,
    level: Fraction | str = LEVEL,
    tricks: bool = False,
    format: str | None = None,
    workers: SupportsIndex | None = None,
    scheduler: str | Client | None = None,
    memory: int | str = MEMORY,
) -> Statistics:
    """Return the statistics of the files of a folder, which workers count; see `stats`.

    The folder is a path or a URL of a collection, or of files of boards. The tallies of the files
    add up, so the result is that of one process. `workers` processes of this machine share the
    work, by default one for each processor; one worker is this process. `scheduler` is a Dask
    cluster instead, as in `Collection.make`. Raise `ReadError` if a part is missing or damaged, or
    if a file has a problem.

    >>> import pavcodec as pav, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pav.parts("hcp(south) == 20", 1000, parts=4, seed=7).make(folder, workers=1)
    ...     found = stats_of_parts(folder, given="hcp(south) == 20", workers=1)
    >>> found.deals, found.departs
    (1000, False)
    """
    level = level_of(level)
    source = source_of(folder, any_suffix=format is not None)
    if source.absent:
        raise ReadError(f"{source.storage}: {len(source.absent):,} parts are not there")
    space = space_of(given, memory)
    where = condition_to_test(space)
    tallying = Tallying(ReadingOptions(format, strict=True), where, tricks)
    tally = Tally()
    for _, outcome in engine_of(workers, scheduler).run(tallying, source.present):
        if isinstance(outcome, Exception):
            raise outcome
        tally += outcome[0]
    return Statistics.against(space, tally, level=level, memory=memory)


def parts_from(  # noqa: PLR0913 (keywords)
    folder: str | os.PathLike[str],
    *,
    to: str,
    where: Expression | str | None = None,
    solve: bool = False,
    contracts: ChosenContracts = None,
    format: str | None = None,
) -> Collection:
    """Return the plan of a collection with a part for each file of a folder; nothing is made.

    Part k has the boards of file k in the format `to`, as in "pav" or "pbn.zst": all of them, or
    those that satisfy `where`, or with `solve` all of them with the double-dummy tricks of
    `contracts`. The files are the parts of a collection, or those of boards in the order of their
    names. Raise `PavError` for formats that cannot be written part by part.

    >>> import pavcodec as pav, tempfile
    >>> with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
    ...     _ = pav.parts("hcp(south) == 20", 1000, parts=4, seed=7).make(folder, workers=1)
    ...     strong = parts_from(folder, to="pav", where="hcp(north) > 9")
    ...     made = strong.make(other, workers=1)
    >>> made.is_complete, made.rows.rows
    (True, 197)
    """
    if where is not None and (solve or contracts):
        raise PavError("a part has the boards of a condition or their tricks, not both in one step")
    source = source_of(folder, any_suffix=format is not None)
    target, packed = target_of_parts(to)
    options: dict[str, Any] = {"source": source, "format": target.name, "packed": packed}
    options["reading"] = ReadingOptions(format)
    making: BoardMaking
    if where is not None:
        condition = expression(where) if isinstance(where, str) else expression_of(where)
        making = GrepMaking(where=condition.node, **options)
    elif solve or contracts:
        making = SolveMaking(columns=columns_of(contracts), **options)
    else:
        making = ConvertMaking(**options)
    plan = derived_plan(making)
    return Collection(plan.making, plan.ranges, plan.versions)
