"""Archives: pack boards, add others, join archives and compare sets, and take boards out again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from pavcodec.boards import Board, Context
from pavcodec.boards.board import board_row
from pavcodec.chances.figures import many
from pavcodec.errors import ReadError, UnknownNameError
from pavcodec.files.opening import size_if_file
from pavcodec.files.paths import local_path, shown_path
from pavcodec.formats import Format, boards_in, format_of
from pavcodec.formats.format import mark_utf8
from pavcodec.formats.packing import Packing
from pavcodec.layout import Layout
from pavcodec.numberings import Numbering, numbering, numbering_names
from pavcodec.questions.asking import (
    Answer,
    Progress,
    Question,
    QuestionError,
    as_in,
    ask,
    function_of,
    note,
    refuse_together,
    working,
)
from pavcodec.questions.coders import board_of_text
from pavcodec.questions.deals import Deals, condition_of_text
from pavcodec.questions.events import OfEvent
from pavcodec.questions.inputs import (
    Asked,
    Inputs,
    Problems,
    is_folder,
    name_of,
    named_format,
    open_input,
    read_inputs,
)
from pavcodec.questions.outputs import Out, Output, refuse_same_file, refuse_suffix
from pavcodec.symmetry import symmetry_of

if TYPE_CHECKING:
    from pavcodec.archive import Archive
    from pavcodec.archive.writer import Item

Row = dict[str, Any]


def opened(path: str, memory: int | None = None) -> Archive:
    """Open an archive; the standard input is read whole, because the index is at the end.

    Raises `ReadError` for a folder.
    """
    from pavcodec.archive import Archive
    from pavcodec.limits import MEMORY

    if is_folder(path):
        raise ReadError(f"{path} is a folder: name an archive in it, or pack it into one archive")
    if path != "-":
        return Archive.open(path, memory=memory or MEMORY)
    with open_input(path) as stream:
        return Archive(stream.read(), name_of(path), memory=memory or MEMORY)


# Archives that are written.


@dataclass
class Written(Answer):
    """An archive that was written, and what its boards take."""

    path: str
    boards: int
    left_out: int = 0
    faults: int = 0

    keys: ClassVar[dict[str, str]] = {
        "boards": "the number of boards in the archive",
        "bytes": "its size",
        "bits_per_deal": "its bits, divided by the number of its boards",
        "left_out": "the number of boards without cards that were left out",
        "problems": "the number of problems",
    }

    def __post_init__(self) -> None:
        self.is_fault = self.faults > 0
        self.size = size_if_file(self.path)
        self.bits = round(8 * (self.size or 0) / self.boards, 3) if self.boards else 0
        if self.left_out:
            note(f"{many(self.left_out, 'board')} without cards left out")

    def to_dict(self) -> Row:
        """Return the figures for JSON."""
        size = {} if self.size is None else {"bytes": self.size, "bits_per_deal": self.bits}
        rest = {"left_out": self.left_out, "problems": self.faults}
        return {"boards": self.boards} | size | rest

    def lines(self) -> Iterator[str]:
        """Yield a line about the file; of the standard output there is none."""
        if self.size is not None:
            bits = f", {self.bits:,} bits each" if self.boards else ""
            what = f"{many(self.boards, 'board')}, {many(self.size, 'byte')}"
            yield f"{shown_path(self.path)}: {what}{bits}"


def new_archive(asked: Asked, inputs: Sequence[str]) -> Out:
    """Return the output of a question that writes an archive, after all checks."""
    target = format_of("pav")
    refuse_suffix(asked.output, target)
    return Out(asked.output, target, inputs=inputs, force=asked.force)


def items_of(asked: Asked, packing: Packing, problems: Problems) -> Iterator[Item]:
    """Yield the boards of all files of a question as items for the writer of an archive."""

    def read(
        source: Format, stream: BinaryIO, context: Context, watching: Progress
    ) -> Iterator[Item]:
        boards = packing.read(source, stream, context)
        return packing.items(watching.watch(boards, boards_in), context)

    return read_inputs(
        asked.files, problems, read, format_name=named_format(asked), ranks=packing.ranks
    )


@dataclass(frozen=True)
class Append(Question):
    """Add boards to an archive."""

    name: ClassVar[str] = "append"
    writes: ClassVar[bool] = True
    examples: ClassVar[str] = """\
  pavcodec append season.pav round7.pbn
  pavcodec append season.pav round8.pbn round9.pbn
  pavcodec deal -n 1000 --to numbers | pavcodec append library.pav"""
    details: ClassVar[str] = """\
append does not change the boards in the archive: the new boards follow them. If anything fails, the
archive ends where it ended before. append keeps all tags if the archive keeps them. It cannot add
to a set, which is sorted: 'pack' the new boards as a set, and 'merge' both sets."""

    archive: str = ask("the archive to extend", flag="", metavar="ARCHIVE", local=True)
    files: tuple[str, ...] = as_in(
        Inputs, "files", help="files to add; - or none is stdin", metavar="IN"
    )
    cards_only: bool = ask(
        "keep only the cards; this is the fastest way", default=False, group="archive", local=True
    )
    from_format: str | None = as_in(Inputs, "from_format")
    strict: bool = as_in(Inputs, "strict")

    keys: ClassVar[dict[str, str]] = Written.keys

    def find(self) -> Written:
        """Add the boards of all files."""
        from pavcodec.archive import append_archive
        from pavcodec.archive.spaces import ArchiveSpace, space_of

        if self.archive == "-":
            raise QuestionError("append extends a file, so ARCHIVE cannot be '-'", "archive")
        if local_path(self.archive) is None:
            reason = "an object of a store cannot grow: 'merge' it with the new boards to another"
            raise QuestionError(f"{shown_path(self.archive)}: {reason}", "archive")
        refuse_same_file(self.files, self.archive)
        problems = Problems(strict=self.strict)
        with opened(self.archive) as archive:
            space = archive.space
        packing = Packing(
            space if isinstance(space, ArchiveSpace) else space_of(space),
            only_cards=self.cards_only, keeps_tricks=False, keeps_all=not self.cards_only,
        )  # fmt: skip
        boards = append_archive(items_of(self, packing, problems), self.archive)
        problems.tell()
        return Written(self.archive, boards, packing.without_cards, problems.count)


append = function_of(Append)

_OPERATIONS = ("union", "intersection", "difference", "unique")


@dataclass(frozen=True)
class Merge(Output):
    """Join archives, or compare sets of deals."""

    name: ClassVar[str] = "merge"
    examples: ClassVar[str] = """\
  pavcodec merge monday.pav tuesday.pav -o week.pav
  pavcodec merge --difference library.pav played.pav -o unplayed.pav
  pavcodec merge --unique week.pav -o distinct.pav"""
    details: ClassVar[str] = """\
merge puts the boards of ordered archives one after another. A merged set has each deal once; a
merged multiset has each deal as often as all archives together. All archives must be of the same
kind, and have the same numbering or condition. merge reads them side by side, so they may have any
size."""

    files: tuple[str, ...] = ask("archives; - is stdin", flag="", metavar="ARCHIVE", local=True)
    union: bool = ask(
        "keep the deals that are in any of the sets", default=False, group="operation", local=True
    )
    intersection: bool = ask(
        "keep the deals that are in all sets", default=False, group="operation", local=True
    )
    difference: bool = ask(
        "keep the deals of the first set that are in no other set",
        default=False, group="operation", local=True,
    )  # fmt: skip
    unique: bool = ask(
        "keep the first of the boards with the same cards, in one archive",
        default=False, group="operation", local=True,
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = Written.keys

    def find(self) -> Written:
        """Merge the archives into one."""
        from pavcodec import archive

        refuse_together(self, map(" ".join, combinations(_OPERATIONS, 2)))
        if self.unique and len(self.files) > 1:
            raise QuestionError("{unique} needs one archive; merge several archives first")
        out = new_archive(self, self.files)
        with ExitStack() as stack:
            archives = [stack.enter_context(opened(path)) for path in self.files]
            stream = stack.enter_context(out.open())
            stack.enter_context(working("merging"))
            if self.unique:
                boards = archive.deduplicate_archive(archives[0], stream)
            elif self.union:
                boards = archive.unite_archives(archives, stream)
            elif self.intersection:
                boards = archive.intersect_archives(archives, stream)
            elif self.difference:
                boards = archive.subtract_archives(archives, stream)
            else:
                boards = archive.merge_archives(archives, stream)
        return Written(self.output, boards)


merge = function_of(Merge)


# Boards of an archive, and where they are.


_SLICE = re.compile(r"(-?\d+)?:(-?\d+)?(?::(-?\d+)?)?|-?\d+")


@dataclass(frozen=True)
class Get(OfEvent):
    """Print boards of an archive, or find a deal in it."""

    name: ClassVar[str] = "get"
    gives_boards: ClassVar[bool] = True
    examples: ClassVar[str] = """\
  pavcodec get library.pav 0 17 1000:1010
  pavcodec get event.pav --to pbn -- -1
  pavcodec get event.pav --where 'hcp(north) >= 20'
  pavcodec get endings.pav --find 'N:A... K... Q... J...'
  pavcodec get endings.pav --up-to suits,turns --find 'N:A... K... Q... J...'"""
    details: ClassVar[str] = """\
The first board has index 0, and the last board has index -1. A slice works as in Python: 10:20 are
the ten boards from index 10, and ::100 is every hundredth board. Put '--' before a negative index.
The boards of sets have the order of their numbers.

--find prints the indexes of a deal, which may have any notation; a number is one of --as. The exit
code is 1 if the archive does not have the deal. With --up-to, deals are also found under other
names of suits (suits), turned round the table (turns, half-turn), or in any seats (seats), as in
'suits,turns'. If the archive has a column of tricks, the tricks of the sought deal follow the
indexes. --where prints the indexes of the deals that satisfy a condition, in the language of
'pavcodec grep'.

--json prints an object for each board: "position", "deal", "number" (decimal digits in a text, in
the numbering of --as) and "board"; with --find "deal", "positions", and "tricks", 20 numbers or
null; with --where "where" and "positions"."""

    archive: str = ask("the archive; - is stdin", flag="", metavar="ARCHIVE", local=True)
    places: tuple[str, ...] = ask(
        "an index, or a slice A:B or A:B:C", default=(), flag="", metavar="INDEX", local=True
    )
    deals: tuple[str, ...] = ask(
        "find this deal", default=(), flag="--find", group="search", metavar="DEAL", local=True
    )
    where: str | None = ask(
        "find the deals that satisfy this condition",
        default=None, group="search", metavar="EXPR", local=True,
    )  # fmt: skip
    up_to: str | None = ask(
        "find a deal also under other names, such as suits,turns",
        default=None, group="search", metavar="SYMMETRY", local=True,
    )  # fmt: skip
    numbering: str = ask(
        "the numbering (default: deal; one of "
        f"{', '.join(numbering_names(partial=True, classes=True))})",
        default="deal", flag="--as", group="numbering", metavar="NUMBERING", local=True,
    )  # fmt: skip
    one_based: bool = ask(
        "numbers start at 1, as in books", default=False, group="numbering", local=True
    )
    memory: int | None = as_in(Deals, "memory", group="numbering")

    keys: ClassVar[dict[str, str]] = {
        "position": "the index of the board in the archive",
        "deal": "the cards of the board, or of the sought deal",
        "number": "the number of the cards in the numbering, in decimal digits",
        "board": "the number of the board",
        "where": "the condition",
        "positions": "the indexes of the boards that were found",
        "tricks": "the double-dummy tricks of the sought deal, 20 numbers",
    }

    @property
    def gives_text(self) -> bool:  # type: ignore[override]
        """Whether it searches: the answer is indexes, and no boards."""
        return bool(self.deals or self.where)

    def find(self) -> Positions | BoardsOfArchive:
        """Return boards, or the indexes of those that are sought."""
        if self.gives_text == bool(self.places):
            raise QuestionError("give indexes, or {deals} with a deal, or {where} with a condition")
        if self.up_to is not None:
            if not self.deals:
                raise QuestionError("{up_to} is an option of the search: give {deals} as well")
            try:
                symmetry_of(self.up_to)
            except UnknownNameError as error:
                raise QuestionError("{up_to}: {why}", "up_to", why=error) from None
        ranks = numbering(self.numbering, one_based=self.one_based)
        if self.gives_text:
            return self._found(ranks)
        places = [_place(text) for text in self.places]
        return BoardsOfArchive(self, places, ranks, Problems())

    def _found(self, ranks: Numbering) -> Positions:
        """Return the indexes of the sought deals, and of those of the condition."""
        layouts = [board_of_text(text, "deals", ranks).layout for text in self.deals]
        node = None if self.where is None else condition_of_text(self.where, "where")
        problems = Problems()
        with opened(self.archive, self.memory) as archive:
            found = [_sought(archive, each, self.up_to or "") for each in layouts if each]
            if node is not None:
                from pavcodec.collection.derived import Searched, in_chunks, search_boards
                from pavcodec.constraints.arrays.search import Search

                counts, search = Searched(), Search(node)
                boards = ((archive.name, board) for board in archive)
                wanted = search_boards(search, in_chunks(boards), counts, problems)
                positions = [counts.boards - 1 for _ in wanted]
                found.append(({"where": self.where, "positions": positions}, ""))
        missing = [row for row, _ in found if not row["positions"]]
        for row in missing:
            what = f"does not have '{row['deal']}'" if "deal" in row else "no deal satisfies it"
            note(f"{archive.name}: {what}")
        return Positions(found, is_fault=bool(missing or problems.count))


get = function_of(Get)


def _place(text: str) -> int | slice:
    """Return the index or the slice of an argument."""
    if not _SLICE.fullmatch(text):
        why = "is neither an index, such as 17, nor a slice, such as 10:20"
        raise QuestionError(f"{text!r} {why}", "places")
    bounds = [int(bound) if bound else None for bound in text.split(":")]
    return slice(*bounds) if len(bounds) > 1 else int(text)


@dataclass
class BoardsOfArchive(Answer):
    """Boards of an archive, which are read when they are asked for."""

    asked: Get
    places: list[int | slice]
    ranks: Numbering
    problems: Problems

    @property
    def is_fault(self) -> bool:  # type: ignore[override]
        """Whether an index is past the end; known after the boards are read."""
        return self.problems.count > 0

    @property
    def context(self) -> Context:
        """What the writers of formats need."""
        title = self.asked.event_tags.title
        name = name_of(self.asked.archive)
        return Context(name, self.problems, numbering=self.ranks, title=title)

    def boards(self) -> Iterator[Board]:
        """Yield the boards."""
        return self.asked.event_tags.of_boards(mark_utf8(board for _, board in self._chosen()))

    def _chosen(self) -> Iterator[tuple[int, Board]]:
        """Yield (index from 0, board) for indexes and slices."""
        with opened(self.asked.archive, self.asked.memory) as archive:
            positions = range(len(archive))
            for place in self.places:
                if isinstance(place, slice):
                    yield from zip(positions[place], archive[place], strict=True)
                elif -len(positions) <= place < len(positions):
                    yield positions[place], archive[place]
                else:
                    reason = f"there is no index {place} in {many(len(positions), 'board')}"
                    self.problems.report(archive.name, None, reason)

    def documents(self) -> Iterator[Row]:
        """Yield an object for each board; "number" is null for a layout outside the numbering."""
        for position, board in self._chosen():
            known = self.ranks if board.layout in self.ranks else None
            yield {"position": position} | board_row(board, "deal number label source", known)

    def to_dict(self) -> dict[str, list[Row]]:
        """Return the boards for JSON."""
        return {"boards": [*self.documents()]}

    def lines(self) -> Iterator[str]:
        """Yield the cards of each board."""
        return (str(board.layout or "") for board in self.boards())


# The places of sought deals.


Sought = tuple[Row, str]
"""The places of what is sought for JSON, and the tricks of a deal as text."""


def _sought(archive: Archive, layout: Layout, up_to: str) -> Sought:
    """Return the places of a deal, and its tricks by the first board that has them."""
    boards = list(archive.find(layout, up_to))
    solved = ((each, archive[each.position].tricks) for each in boards if each.permutation.is_turn)
    tricks = next((own.permuted(each.permutation) for each, own in solved if own), None)
    row = {"deal": str(layout), "positions": [each.position for each in boards]}
    told = str(tricks) if tricks is not None and archive.keeps_tricks else ""
    return row | {"tricks": None if tricks is None else list(tricks.tricks)}, told


@dataclass
class Positions(Answer):
    """The indexes of what is sought in an archive."""

    found: list[Sought]
    is_fault: bool = False

    def to_dict(self) -> list[Row]:
        """Return the places for JSON."""
        return [row for row, _ in self.found]

    def documents(self) -> Iterator[Row]:
        """Yield an object for each sought deal."""
        return iter(self.to_dict())

    def lines(self) -> Iterator[str]:
        """Yield the indexes of each sought deal in a line, and its tricks."""
        for row, tricks in self.found:
            if row["positions"]:
                yield " ".join(map(str, row["positions"]))
                yield from tricks.splitlines()
