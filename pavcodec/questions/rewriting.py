"""Rewrite the boards of files: convert, turn and unpack, and what such questions share.

Boards go from the files through the choice of numbers and of a condition to new seats, a new order
and new numbers, and into a file of any format. Large files that change in nothing go in batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from operator import methodcaller
from typing import BinaryIO, ClassVar, cast

from pavcodec.boards import Board, Context, Problem, Vulnerability
from pavcodec.boards.batch import BoardBatch, Gathered, Wanted, singles
from pavcodec.boards.board import dealer_of_board
from pavcodec.boards.play import auction_of
from pavcodec.cards import Seat
from pavcodec.chances.figures import many
from pavcodec.errors import PavError
from pavcodec.formats import Format, output_format
from pavcodec.formats import format as format_module
from pavcodec.formats.pbn.writer import ENCODINGS
from pavcodec.formats.registry import Repeated
from pavcodec.numberings import numbering
from pavcodec.questions.asking import (
    Answer,
    Question,
    QuestionError,
    as_in,
    ask,
    function_of,
    note,
    progress,
)
from pavcodec.questions.events import OfEvent
from pavcodec.questions.folders import (
    MadeFolder,
    chosen_target,
    make_boards_folder,
    makes_folder,
    refuse_options,
)
from pavcodec.questions.inputs import (
    Asked,
    ChosenBoards,
    Numbered,
    Problems,
    board_numbers,
    inputs_of,
    name_of,
    named_format,
    open_input,
    opened_parts,
    runs_of,
    size_of,
)
from pavcodec.questions.losses import Differences, Losses, tell_repeated
from pavcodec.questions.outputs import BoardsOutput, Out, refuse_nothing, target_of
from pavcodec.questions.searching import Boards, nothing_found, search_of
from pavcodec.questions.workers import Workers
from pavcodec.records import Checksum, SummedStream

Change = Callable[[Iterator[Board], Callable[[Problem], None]], Iterator[Board]]
"""Changes boards; the function that it receives reports a problem of the board just read."""

_MOST_RUNS = 10
"""The runs of board numbers that a note lists."""
_MOST_NUMBER = 10**18
"""The first number that is too large for a board."""


# The fields of questions that rewrite boards.


@dataclass(frozen=True)
class Rewriting(Boards, Numbered, BoardsOutput):
    """A question whose answer is a file with the boards of other files."""

    to: str | None = as_in(
        BoardsOutput, "to", help="write this format ('pavcodec formats' lists the formats)"
    )
    encoding: str | None = ask(
        "the encoding of written PBN (default: iso-8859-1, or utf-8 if the input has it or a "
        "character needs it)",
        default=None, group="output", choices=ENCODINGS,
    )  # fmt: skip
    unique: bool | None = ask(
        "write boards with the same number and deal once, as they repeat in files of results "
        "(default: in formats of clubs and dealing machines)",
        default=None, group="output",
    )  # fmt: skip

    source_file: bool = ask(
        "keep the name of the file of each board, as the tag SourceFile",
        default=False, group="output", local=True,
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = {
        "boards": "the number of boards",
        "left_out": "how many of them were left out: without cards, or repeated",
        "problems": "the number of problems of reading and writing",
        "format": "the format that was written",
        "keeps": "what the format keeps",
        "loses": "what it loses",
        "lost": "the parts that some of these boards lost",
        "bytes": "the size of a binary file",
        "checksum": "the sum of its 32-bit words",
    }

    @property
    def target(self) -> Format:
        """The format of the output."""
        return output_format(self.output, self.to)


def _first_number(text: str) -> int:
    """Read the number of the first board; raise `PavError` for another text."""
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < _MOST_NUMBER):
        raise PavError(f"expected the number of the first board, as in --renumber 17, not {text!r}")
    return int(text)


@dataclass(frozen=True)
class Order(Question):
    """A question about boards in another order, with other numbers."""

    sort: str | None = ask(
        "write the boards in the order of their numbers, or of the numbers of their deals",
        default=None, group="boards", choices=("number", "deal"),
    )  # fmt: skip
    renumber: int | None = ask(
        "number the boards K, K+1, … (default: from 1); dealer and vulnerability stay if the "
        "board has them as tags",
        default=None, group="boards", metavar="K", read=_first_number, if_bare=1, most=10**6,
    )  # fmt: skip
    by_number: bool = ask(
        "set dealer and vulnerability by the board number", default=False, group="boards"
    )

    def ordered(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Yield the boards in their order, with their numbers; tell what no longer agrees."""
        boards = sorted_boards(boards, self.sort) if self.sort else boards
        return self._renumbered(boards) if self.renumber or self.by_number else iter(boards)

    def _renumbered(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Yield the boards with numbers, or with the dealer and vulnerability of their numbers."""
        kept = other_dealer = unnumbered = 0
        for index, board in enumerate(boards):
            number = board.number if self.renumber is None else self.renumber + index
            if number is None:
                unnumbered += 1
                yield board
                continue
            dealer, vulnerable = dealer_of_board(number), Vulnerability.of_board(number)
            tags = {} if self.renumber is None else {"Board": str(number)}
            if self.by_number:
                tags |= {"Dealer": dealer.letter, "Vulnerable": vulnerable.value}
                other_dealer += _auction_dealer(board) not in {None, dealer}
            made = board.with_tags(tags) if tags else board
            kept += (made.dealer, made.vulnerable) != (dealer, vulnerable)
            yield made
        if kept and not self.by_number:
            have = "has" if kept == 1 else "have"
            note(
                f"{many(kept, 'board')} {have} another dealer or vulnerability than the new "
                "number gives; --by-number changes them"
            )
        if unnumbered and self.by_number:
            have = "has" if unnumbered == 1 else "have"
            note(f"{many(unnumbered, 'board')} {have} no number: --renumber gives one")
        if other_dealer:
            begin = "has an auction" if other_dealer == 1 else "have auctions"
            note(f"{many(other_dealer, 'board')} {begin} that another seat begins")


def sorted_boards(boards: Iterable[Board], order: str) -> list[Board]:
    """Return boards in the order of their numbers or deals; boards without one are last.

    Boards that are equal in this order stay in their order. The order of deals is that of the
    numbering `deal`.
    """
    if order == "number":
        return sorted(boards, key=lambda board: board.number or _MOST_NUMBER)
    return sorted(
        boards,
        key=lambda board: (board.layout is None, b"" if not board.layout else board.layout.owners),
    )


def _auction_dealer(board: Board) -> Seat | None:
    """Return the seat that begins the auction of a board; None without an auction."""
    try:
        auction = auction_of(board)
    except PavError:
        return None
    return None if auction is None else auction.dealer


# The questions.


@dataclass(frozen=True)
class Convert(Rewriting, Order, OfEvent):
    """Convert files to another format, and join them."""

    name: ClassVar[str] = "convert"
    examples: ClassVar[str] = """\
  pavcodec convert event.pbn deals.txt
  pavcodec convert event.pbn.zip event.lin.gz
  pavcodec convert monday.pbn tuesday.pbn --renumber -o week.pbn
  pavcodec convert event.pbn --boards 1-16,20 --event 'Club night' -o short.pbn
  pavcodec convert event.pbn --where 'hcp(south) >= 15' --swap NS -o strong.pbn
  pavcodec convert --to numbers --as andrews event.pbn -
  pavcodec convert --unique results.pbn deals.txt
  pavcodec convert deals/ -o archives/ --to pav --workers 4
  pavcodec convert deals/ -o one.parquet"""
    details: ClassVar[str] = """\
Two files without -o are the input and the output; with -o, all files are inputs, and convert joins
their boards. The suffixes of the files give the formats, or --from and --to name them. PBN keeps
every tag, section and comment; 'lines' and 'numbers' keep only the cards; 'pavcodec formats NAME'
describes what a format keeps. For a binary file convert prints the checksum, the sum of its 32-bit
words.

--boards and --where choose boards, then the players take new seats, as 'pavcodec turn' describes,
before --sort and --renumber. A board that has a dealer or a vulnerability as a tag keeps it under
its new number; --by-number replaces both by those of the number.

With --source-file, each board keeps the name of its file as the tag SourceFile, unless it has one
already; Parquet also has it as a column. 'info', 'duplicates' and the JSON of 'grep', 'get' and
'show' tell it.

A folder is read in the order of its parts, or of the names of its files. If the output is a folder
too, each part is converted by itself, by several processes, and the same command continues a folder
that is not complete. --sort, --renumber, --unique and --append need one file as the output."""

    files: tuple[str, ...] = ask(
        "files to read, - is stdin; without -o the last one is the file to write, - is stdout",
        flag="", metavar="FILE", label="Deals", most=40,
    )  # fmt: skip
    output: str = ask(
        "write to FILE; - is stdout",
        default="", flag="-o --output", group="output", metavar="FILE", local=True,
    )  # fmt: skip
    workers: int | None = as_in(Workers, "workers")
    scheduler: str | None = as_in(Workers, "scheduler")

    def __post_init__(self) -> None:
        """Take the last of two files as the output, if no other is named."""
        super().__post_init__()
        if not self.output:
            if len(self.files) != 2:
                raise QuestionError(
                    "name one input and one output, IN OUT, or the output with -o", "files"
                )
            object.__setattr__(self, "output", self.files[1])
            object.__setattr__(self, "files", self.files[:1])

    def find(self) -> Rewritten | MadeFolder:
        """Write the boards."""
        if makes_folder(self.files, self.output):
            return self._folder()
        event = self.event_tags

        def change(boards: Iterator[Board], _: object) -> Iterator[Board]:
            return event.of_boards(self.ordered(boards))

        is_changing = self.sort or self.renumber or self.by_number or event.tags
        return rewrite(self, self.target, change if is_changing else None, title=event.title)

    def _folder(self) -> MadeFolder:
        """Convert each part of a folder."""
        from pavcodec.collection.derived import ConvertMaking

        refuse_options(
            self,
            {
                "source_file": "a part is of one file, which its row names",
                "sort": "it needs all boards",
                "renumber": "the numbers depend on the parts before",
                "unique": "it compares all boards",
                "append": "a part is written once",
                "where": "'pavcodec grep' makes a folder of the boards that it finds",
                **dict.fromkeys(self.WAYS, "turn the files first"),
            },
        )
        target, event = chosen_target(self), self.event_tags
        making = partial(
            ConvertMaking,
            boards=chosen_ends(self.boards),
            by_number=self.by_number,
            tags=tuple(event.tags.items()),
            title=event.title,
            encoding=self.encoding,
        )
        return make_boards_folder(self, target, making)


@dataclass(frozen=True)
class TurnBoards(Rewriting, OfEvent):
    """Turn boards round the table, with all that they hold."""

    name: ClassVar[str] = "turn"
    is_function: ClassVar[bool] = False
    examples: ClassVar[str] = """\
  pavcodec turn event.pbn --places 1 -o turned.pbn
  pavcodec turn event.pbn --declarer south -o lesson.pbn
  pavcodec turn event.pbn --seats SWNE --to lin
  pavcodec turn monday.pbn tuesday.pbn --swap NS -o swapped.pbn"""
    details: ClassVar[str] = """\
All facts of a board move with the players: hands, names, dealer, vulnerability, auction, play,
declarer, scores, double-dummy tricks and par, and in comments and notes the English names of seats
and sides. Board numbers stay, and dealer and vulnerability are tags afterwards. A format that
derives them from the number gives the board another dealer; turn then prints a line.

After --swap, and with --seats that reverse the order round the table, nobody bids and plays in
turn: auction, play, double-dummy tricks and par are left out."""

    def find(self) -> Rewritten:
        """Write the turned boards."""
        if not self.is_turning:
            ways = ", ".join(f"{{{way}}}" for way in self.WAYS)
            raise QuestionError(f"say how to turn: one of {ways}")
        target = output_format(self.output, self.to or ("pbn" if self.output == "-" else None))
        event = self.event_tags

        def change(boards: Iterator[Board], _: object) -> Iterator[Board]:
            return event.of_boards(boards)

        return rewrite(self, target, change, title=event.title)


@dataclass(frozen=True)
class Unpack(Rewriting):
    """Write the boards of an archive in another format."""

    name: ClassVar[str] = "unpack"
    examples: ClassVar[str] = """\
  pavcodec unpack event.pav -o event.pbn
  pavcodec unpack library.pav --to numbers
  pavcodec unpack library.pav --to lines | head"""
    details: ClassVar[str] = """\
Boards have the order of the archive; the boards of sets have the order of their numbers. PBN keeps
everything in the archive. If the archive is damaged, unpack writes the boards before the damage and
names the damaged block; 'pavcodec repair' saves the boards after it."""

    files: tuple[str, ...] = ask(
        "archives to unpack; - or none is stdin", default=(), flag="", metavar="ARCHIVE", most=40
    )
    from_format: str | None = ask(
        "read this format instead of archives",
        default="pav", flag="--from", metavar="FORMAT", group="input", local=True,
    )  # fmt: skip
    to: str | None = ask(
        "write this format (default: by the suffix of -o, else pbn; 'pavcodec formats' lists them)",
        default=None, group="output", metavar="FORMAT", most=100,
    )  # fmt: skip

    def find(self) -> Rewritten:
        """Write the boards."""
        return rewrite(self, target_of(self.to, self.output, default="pbn"), None)


convert = function_of(Convert)
unpack = function_of(Unpack)


# Reading, changing and writing, in one pass.


def chosen_ends(boards: str | None) -> tuple[tuple[int, int], ...]:
    """Return the first and last number of each range of board numbers."""
    return tuple((some[0], some[-1]) for some in board_numbers(boards)) if boards else ()


@dataclass
class Rewritten(Answer):
    """A file of boards that was written."""

    row: dict[str, object]
    target: Format
    checksum: Checksum | None
    is_fault: bool

    def to_dict(self) -> dict[str, object]:
        """Return what was written, for JSON."""
        return self.row

    def lines(self) -> Iterator[str]:
        """Yield the checksum of a binary file."""
        if self.checksum is not None:
            yield f"{self.target.name}: {self.checksum.bytes:,} bytes, checksum {self.checksum}"


class _Tally:
    """Counts the converted boards, for the summary."""

    def __init__(self, target: Format, repeated: Repeated) -> None:
        self.boards = 0
        self.without_cards = 0
        self.losses = Losses(target)
        self.differences = Differences()
        self.repeated = repeated

    def count(self, batches: Iterable[BoardBatch]) -> Iterator[BoardBatch]:
        """Yield the batches, counted."""
        for batch in batches:
            self.boards += len(batch)
            self.without_cards += batch.without_cards
            yield batch


def rewrite(  # noqa: PLR0913 (keywords)
    asked: Asked,
    target: Format,
    change: Change | None,
    *,
    title: str = "",
    told: Callable[[], str] | None = None,
    more: Callable[[], dict[str, object]] = dict,
) -> Rewritten:
    """Write the boards of the files of a question to its output, after a change of the boards.

    `told` returns a text for the progress, and `more` further keys of the answer.
    """
    problems = Problems(strict=asked.strict)
    files = asked.files or ("-",)
    is_safe = target.keeps_tags and not asked.append  # an input may be replaced by all it holds
    out = Out(
        asked.output,
        target,
        inputs=() if is_safe else files,
        force=asked.force,
        append=asked.append,
    )
    tally = _Tally(target, Repeated(target, chosen=asked.unique))
    are_arrays = (
        change is None
        and target.arrays is not None
        and not (asked.strict or tally.repeated.is_asked_for)
    )
    inputs = _Inputs(asked, problems, are_arrays=are_arrays, told=told)
    context = Context(
        "boards" if getattr(asked, "sort", None) else name_of(files[0]),
        inputs.report,
        asked.strict,
        numbering(asked.numbering, one_based=asked.one_based),
        asked.encoding,
        note=note,
        differ=tally.differences.note,
        title=title,
    )
    checksum = None
    with out.open() as opened, inputs:
        stream = opened
        if target.is_read and not target.is_text:
            summed = SummedStream(opened)
            stream, checksum = cast("BinaryIO", summed), summed.checksum
        boards = tally.count(inputs.boards(context, target.wanted))
        if tally.repeated.is_looked_for:
            boards = map(tally.repeated.of, boards)
        if change is not None:
            boards = singles(change(chain.from_iterable(boards), inputs.report))
        written = target.write_batches(tally.losses.examined(boards), stream, context)
        if asked.where and not problems.count:
            nothing_found(inputs.search)
        nothing = "" if tally.boards else "no boards"  # boards without cards are counted below
        refuse_nothing(asked.output, written, problems, nothing)
    left_out = tally.without_cards if target.keeps_cards and not target.keeps_tags else 0
    row: dict[str, object] = {
        "boards": tally.boards,
        "left_out": left_out + tally.repeated.left_out,
        "problems": problems.count,
        "format": target.name,
        "keeps": target.keeps,
        "loses": target.loses,
        "lost": list(tally.losses.lost.names),
    }
    if checksum is not None:
        row |= {"bytes": checksum.bytes, "checksum": str(checksum)}
    answer = Rewritten(row | more(), target, checksum, is_fault=bool(problems.count))
    if left_out:
        note(
            f"{many(left_out, 'board')} without cards left out: {target.name} keeps {target.keeps}"
        )
    tell_repeated(tally.repeated)
    tally.losses.tell(tally.differences)
    tally.differences.tell(target)
    if asked.output == "-":
        for line in answer.lines():
            note(line)
        answer.checksum = None
    if target.keeps_tags or target.shows_tags or "Board" in target.kept_tags:
        inputs.tell()
    return answer


class _Inputs(ExitStack):
    """The boards of several inputs, one after another.

    Large inputs stay open until the end: batches may read tags from them later.
    """

    def __init__(
        self,
        asked: Asked,
        problems: Problems,
        *,
        are_arrays: bool,
        told: Callable[[], str] | None,
    ) -> None:
        super().__init__()
        self._told = told
        self._files: tuple[str, ...] = asked.files or ("-",)
        self._format = named_format(asked)
        self._problems = problems
        self._chosen = ChosenBoards(asked.boards)
        self.search = search_of(asked, problems)
        self._turned = asked.turned if asked.is_turning else None
        self._is_of_numbers = asked.boards is not None
        self._come_alone = self.search is not None or self._turned is not None
        """Whether each board is searched or turned before the next is read."""
        self._are_arrays = are_arrays and not (self._is_of_numbers or self._come_alone)
        """Whether large files may be read as arrays."""
        self._reads_on = not getattr(asked, "sort", None)
        self._source = self._reading = name_of(self._files[0])
        """The input of the board that is written, and the one that is read."""
        self._first_of: dict[int, int] = {}
        """The first input of each board number."""
        self._repeated: set[int] = set()
        """The numbers of boards of several inputs."""
        self._is_renumbering = bool(getattr(asked, "renumber", None))
        self._names_source: bool = getattr(asked, "source_file", False)

    def report(self, problem: Problem) -> None:
        """Report a problem of reading or writing, with the name of the input."""
        if self._reads_on:
            problem = replace(problem, source=self._source)
        self._problems(problem)

    def boards(self, context: Context, wanted: Wanted) -> Iterator[BoardBatch]:
        """Yield the chosen boards of all inputs."""
        if self._come_alone:
            yield from self._found(context, wanted)
        else:
            yield from self._read(context, wanted)
        self._chosen.report_missing(self._files, self._problems)

    def _found(self, context: Context, wanted: Wanted) -> Iterator[BoardBatch]:
        """Yield the boards of the search, turned; it reads ahead, so each has its source."""
        if self.search is not None:
            context = replace(context, report=self.search.problems)
        named = ((self._reading, each) for batch in self._read(context, wanted) for each in batch)
        found = named if self.search is None else self.search.found(named)
        for source, board in found if self._turned is None else self._turned(found):
            self._source = source
            yield Gathered([board])

    def _read(self, context: Context, wanted: Wanted) -> Iterator[BoardBatch]:
        for index, path in enumerate(inputs_of(self._files, self._problems, self._format)):
            size = size_of(path)
            self._source = name_of(path)
            with ExitStack() as small:
                kept_open = self if size >= format_module.LARGE else small
                try:
                    stream = kept_open.enter_context(open_input(path))
                    for name, source, whole in opened_parts(stream, path, self._format):
                        self._source = self._reading = name
                        there = replace(context, source=name)
                        told = size if self._are_arrays else 0
                        boards = source.read_batches(whole, there, wanted, size=told)
                        if self._names_source:
                            boards = map(methodcaller("with_source", name), boards)
                        watching = progress(stream, name, "boards", note=self._told)
                        yield from self._numbered(watching.watch(boards, len), index)
                except OSError as error:
                    there = replace(context, source=name_of(path), report=self._problems)
                    there.problem(None, f"cannot be read: {error.strerror}")

    def _numbered(self, batches: Iterator[BoardBatch], index: int) -> Iterator[BoardBatch]:
        """Yield the chosen boards of an input, and note numbers of earlier inputs."""
        for read in batches:
            batch = Gathered(list(self._chosen.of(read))) if self._is_of_numbers else read
            if len(self._files) > 1 and isinstance(batch, Gathered):
                self._note_numbers(batch, index)
            yield batch

    def _note_numbers(self, batch: Gathered, index: int) -> None:
        for board in batch:
            number = board.number
            if number is not None and self._first_of.setdefault(number, index) != index:
                self._repeated.add(number)

    def tell(self) -> None:
        """Tell the board numbers that several inputs have."""
        if self._repeated and not self._is_renumbering:
            numbers = runs_of(self._repeated)
            several = len(self._repeated) > 1
            told = ", ".join(
                numbers if len(numbers) <= _MOST_RUNS else [*numbers[:_MOST_RUNS], "…"]
            )
            note(
                f"board number{'s' if several else ''} {told} {'are' if several else 'is'} in more "
                "than one input: --renumber gives each board its own number"
            )
