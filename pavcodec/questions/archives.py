"""Archives: pack boards, add others, join them, take boards out, verify and repair them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import MISSING, dataclass
from functools import partial
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from pavcodec.boards import Board, Context
from pavcodec.boards.batch import BoardBatch, Gathered, with_source
from pavcodec.boards.board import SOURCE, board_row
from pavcodec.boards.tricks import TRICK_TAGS
from pavcodec.chances.figures import many
from pavcodec.errors import ReadError, UnknownNameError, suggest
from pavcodec.files.opening import size_if_file
from pavcodec.files.paths import is_url, local_path, shown_path
from pavcodec.formats import Format, format_of
from pavcodec.formats.format import mark_utf8
from pavcodec.formats.packing import Packing
from pavcodec.layout import Layout
from pavcodec.learning.cards import SUFFIX
from pavcodec.numberings import numbering_names
from pavcodec.questions.asking import (
    Answer,
    Progress,
    Question,
    QuestionError,
    Told,
    as_in,
    ask,
    function_of,
    note,
    progress,
    refuse_together,
    working,
)
from pavcodec.questions.coders import board_of_text
from pavcodec.questions.deals import Deals, Endings, condition_of_text, space_of_text
from pavcodec.questions.events import OfEvent
from pavcodec.questions.folders import MadeFolder, make_folder, makes_folder, refuse_options
from pavcodec.questions.inputs import (
    Asked,
    Inputs,
    Numbered,
    Problems,
    is_folder,
    name_of,
    named_format,
    open_input,
    read_inputs,
)
from pavcodec.questions.outputs import (
    Out,
    Output,
    refuse_nothing,
    refuse_same_file,
    refuse_suffix,
)
from pavcodec.questions.workers import Workers, engine_from
from pavcodec.symmetry import symmetry_of

if TYPE_CHECKING:
    from pavcodec.archive import Archive, Damage
    from pavcodec.archive.writer import Item
    from pavcodec.collection.run import Check
    from pavcodec.constraints import ConstrainedDeals

Row = dict[str, Any]
_CARDS, _PAV = SUFFIX, ".pav"
"""The suffixes of data cards and of archives."""
_MOST_RANGES = 10
"""The ranges of missing parts that a line has."""


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


def new_archive(asked: Asked, inputs: Sequence[str]) -> Out:
    """Return the output of a question that writes an archive, after all checks."""
    target = format_of("pav")
    refuse_suffix(asked.output, target)
    return Out(asked.output, target, inputs=inputs, force=asked.force)


def written(path: str, boards: int, left_out: int = 0, faults: int = 0) -> Told:
    """Return what is told of an archive that was written; nothing as text of standard output."""
    if left_out:
        note(f"{many(left_out, 'board')} without cards left out")
    row: Row = {"boards": boards}
    lines = []
    if (size := size_if_file(path)) is not None:
        row |= {"bytes": size, "bits_per_deal": round(8 * size / boards, 3) if boards else 0}
        bits = f", {row['bits_per_deal']:,} bits each" if boards else ""
        lines = [f"{shown_path(path)}: {many(boards, 'board')}, {many(size, 'byte')}{bits}"]
    return Told(row | {"left_out": left_out, "problems": faults}, lines, is_fault=faults > 0)


_WRITTEN = {
    "boards": "the number of boards in the archive",
    "bytes": "its size",
    "bits_per_deal": "its bits, divided by the number of its boards",
    "left_out": "the number of boards without cards that were left out",
    "problems": "the number of problems",
}
"""The keys of `written`."""

_KEPT = ("Board", "Dealer", "Vulnerable", SOURCE)
"""The tags that an archive without all tags keeps, and the name of the file."""


def items_of(asked: Asked, packing: Packing, problems: Problems) -> Iterator[Item]:
    """Yield the boards of all files of a question as items for the writer of an archive."""
    names_source, keeps_all = (getattr(asked, name, False) for name in ("source_file", "all"))
    kept = (*_KEPT, *TRICK_TAGS) if getattr(asked, "tricks", False) else _KEPT

    def with_name(batches: Iterable[BoardBatch], source: str) -> Iterator[BoardBatch]:
        """Yield single boards with the name of their file."""
        for board in chain.from_iterable(batches):
            some = (tag for tag in board.entries if keeps_all or tag.name in kept)
            plain = Board(board.layout, tuple(some), line=board.line)
            yield Gathered([with_source(plain, source)])

    def read(
        source: Format, stream: BinaryIO, context: Context, watching: Progress
    ) -> Iterator[Item]:
        boards = watching.watch(packing.read(source, stream, context), len)
        named = with_name(boards, context.source) if names_source else boards
        return packing.items(named, context)

    return read_inputs(
        asked.files, problems, read, format_name=named_format(asked), ranks=packing.ranks
    )


_flag = partial(ask, default=False, group="archive", local=True)


@dataclass(frozen=True)
class Pack(Output, Workers):
    """Pack boards into a small archive."""

    name: ClassVar[str] = "pack"
    examples: ClassVar[str] = """\
  pavcodec pack event.pbn -o event.pav
  pavcodec pack --set --from numbers numbers.txt -o library.pav
  pavcodec pack --where 'hcp(south) >= 20' strong.pbn -o strong.pav
  pavcodec pack --set --cards-only --tricks solved.zrd -o solved.pav
  pavcodec pack --all --source-file monday.pbn tuesday.pbn -o week.pav
  pavcodec pack --cards-only deals/ -o archives/ --workers 4"""
    details: ClassVar[str] = """\
An archive keeps the boards in their order, or the deals as a set: each deal once, sorted, in fewer
bits. pack keeps cards, board numbers, dealers and vulnerabilities; with --all it keeps every tag,
section and comment, so that 'unpack' gives equal boards. A set keeps only the cards, or with --all
the rest of the first board of each deal. --as deal-suits keeps deals up to the order of the suits,
and --as deal-suits-turns also up to turns of the table: a set or multiset of canonical deals,
without anything but cards.

With --source-file, each board also keeps the name of its file, as the tag SourceFile, unless it has
one already. 'info', 'get --json', 'grep --json' and 'duplicates' tell it.

With --tricks, the double-dummy tricks of a deal have a column of their own, in some 18 bits for a
random deal, also with --cards-only. 'get --find' finds the tricks of a deal.

With --where, a deal takes about the logarithm of the number of deals of the condition. pack reports
boards that do not satisfy the condition as problems, and leaves them out. Input numbers are numbers
of --as, else deal numbers, also with --where.

A folder is read in the order of its parts, or of the names of its files. If the output is a folder
too, each part is an archive, packed by several processes, and the same command continues a folder
that is not complete. Parts are sets only if the deals of the folder are sorted."""

    files: tuple[str, ...] = as_in(
        Inputs, "files", help="files to pack; - or none is stdin", metavar="IN"
    )
    set: bool = _flag("keep each deal once, sorted")
    multiset: bool = _flag("keep each deal as often as it occurs, sorted")
    all: bool = _flag("keep every tag, section and comment")
    tricks: bool = _flag("keep double-dummy tricks, in few bits")
    source_file: bool = _flag("keep the name of the file of each board, as the tag SourceFile")
    cards_only: bool = _flag("keep only the cards; this is the fastest way")
    numbering: str = ask(
        "keep numbers of this numbering (default: any, which holds every board; one of "
        f"{', '.join(numbering_names(partial=True, classes=True))})",
        default="any", flag="--as", group="numbering", metavar="NUMBERING", local=True,
    )  # fmt: skip
    where: str | None = ask(
        "keep the deals of this condition",
        default=None, group="numbering", metavar="EXPR", local=True,
    )  # fmt: skip
    cards: int | None = as_in(Endings, "cards", group="numbering")
    memory: int | None = as_in(Deals, "memory", group="numbering")

    keys: ClassVar[dict[str, str]] = _WRITTEN

    def find(self) -> Answer:
        """Pack the files into one archive, or each part of a folder into one."""
        from pavcodec.archive import write_archive
        from pavcodec.archive.spaces import space_of

        refuse_together(self, ("set multiset", "all cards_only", "source_file cards_only"))
        if makes_folder(self.files, self.output):
            return self._folder()
        problems = Problems(strict=self.strict)
        out = new_archive(self, self.files)
        space = self._space()
        keeps_all = self.all or self.source_file
        packing = Packing(
            space_of(space),
            only_cards=self.cards_only, keeps_tricks=self.tricks, keeps_all=keeps_all,
        )  # fmt: skip
        with out.open() as stream:
            boards = write_archive(
                items_of(self, packing, problems), stream,
                kind=self._kind, space=space, all=keeps_all, tricks=self.tricks,
            )  # fmt: skip
            nothing = "" if packing.without_cards else "no boards"
            refuse_nothing(self.output, boards, problems, nothing)
        return written(self.output, boards, packing.without_cards, problems.count)

    def _folder(self) -> MadeFolder:
        """Pack each part of a folder."""
        from pavcodec.collection.derived import PackMaking, ReadingOptions

        refuse_options(self, {"source_file": "a part is of one file, which its row names"})
        making = partial(
            PackMaking,
            reading=ReadingOptions(named_format(self), strict=self.strict),
            order=self._kind,
            space=self._space(),
            cards_only=self.cards_only,
            all=self.all,
            tricks=self.tricks,
        )
        return make_folder(self, making)

    @property
    def _kind(self) -> str:
        return "set" if self.set else "multiset" if self.multiset else "ordered"

    def _space(self) -> str | ConstrainedDeals:
        """Return the space that the fields choose, which defines the numbers of the archive."""
        if self.where is not None:
            if self.numbering != "any":
                raise QuestionError("{numbering} and {where} do not go together", "where")
            return space_of_text(self.where, self.memory, self.cards)
        if self.cards is not None:
            raise QuestionError("{cards} needs a condition: give {where} as well", "cards")
        names = ["any", *numbering_names(partial=True, classes=True)]
        if self.numbering not in names:
            raise suggest("numbering", self.numbering, names)
        return self.numbering


@dataclass(frozen=True)
class Append(Question):
    """Add boards to an archive."""

    writes: ClassVar[bool] = True
    name: ClassVar[str] = "append"
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
    cards_only: bool = as_in(Pack, "cards_only")
    from_format: str | None = as_in(Inputs, "from_format")
    strict: bool = as_in(Inputs, "strict")

    keys: ClassVar[dict[str, str]] = _WRITTEN

    def find(self) -> Told:
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
        return written(self.archive, boards, packing.without_cards, problems.count)


_OPERATIONS = {
    "union": "unite_archives",
    "intersection": "intersect_archives",
    "difference": "subtract_archives",
}
_operation = partial(ask, default=False, group="operation", local=True)


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
    union: bool = _operation("keep the deals that are in any of the sets")
    intersection: bool = _operation("keep the deals that are in all sets")
    difference: bool = _operation("keep the deals of the first set that are in no other set")
    unique: bool = _operation("keep the first of the boards with the same cards, in one archive")

    keys: ClassVar[dict[str, str]] = _WRITTEN

    def find(self) -> Told:
        """Merge the archives into one."""
        from pavcodec import archive

        refuse_together(self, map(" ".join, combinations((*_OPERATIONS, "unique"), 2)))
        if self.unique and len(self.files) > 1:
            raise QuestionError("{unique} needs one archive; merge several archives first")
        out = new_archive(self, self.files)
        with ExitStack() as stack:
            archives = [stack.enter_context(opened(path)) for path in self.files]
            stream = stack.enter_context(out.open())
            stack.enter_context(working("merging"))
            if self.unique:
                boards = archive.deduplicate_archive(archives[0], stream)
            else:
                chosen = [work for name, work in _OPERATIONS.items() if getattr(self, name)]
                boards = getattr(archive, *chosen or ["merge_archives"])(archives, stream)
        return written(self.output, boards)


# Boards of an archive, and where they are.


_SLICE = re.compile(r"(-?\d+)?:(-?\d+)?(?::(-?\d+)?)?|-?\d+")


@dataclass(frozen=True)
class Get(Numbered, OfEvent):
    """Print boards of an archive, or find a deal in it."""

    gives_boards: ClassVar[bool] = True
    name: ClassVar[str] = "get"
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
        if self.gives_text:
            return self._found()
        return BoardsOfArchive(self, [*map(_place, self.places)], Problems())

    def _found(self) -> Positions:
        """Return the indexes of the sought deals, and of those of the condition."""
        layouts = [board_of_text(text, "deals", self.ranks).layout for text in self.deals]
        node = None if self.where is None else condition_of_text(self.where, "where")
        problems = Problems()
        with opened(self.archive, self.memory) as archive:
            found = [_sought(archive, each, self.up_to or "") for each in layouts if each]
            if node is not None:
                from pavcodec.constraints.search import (
                    Search,
                    Searched,
                    in_chunks,
                    search_boards,
                )

                counts, search = Searched(), Search(node)
                boards = ((archive.name, board) for board in archive)
                wanted = search_boards(search, in_chunks(boards), counts, problems)
                positions = [counts.boards - 1 for _ in wanted]
                told = [" ".join(map(str, positions))] if positions else []
                found.append(({"where": self.where, "positions": positions}, told))
        rows = [row for row, _ in found]
        missing = [row for row in rows if not row["positions"]]
        for row in missing:
            what = f"does not have '{row['deal']}'" if "deal" in row else "no deal satisfies it"
            note(f"{archive.name}: {what}")
        lines = [line for _, told in found for line in told]
        return Positions(rows, lines, is_fault=bool(missing or problems.count))


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
        return Context(name, self.problems, numbering=self.asked.ranks, title=title)

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
        ranks = self.asked.ranks
        for position, board in self._chosen():
            known = ranks if board.layout in ranks else None
            yield {"position": position} | board_row(board, "deal number label source", known)

    def to_dict(self) -> dict[str, list[Row]]:
        """Return the boards for JSON."""
        return {"boards": [*self.documents()]}

    def lines(self) -> Iterator[str]:
        """Yield the cards of each board."""
        return (str(board.layout or "") for board in self.boards())


def _sought(archive: Archive, layout: Layout, up_to: str) -> tuple[Row, list[str]]:
    """Return the places of a deal and its tricks by the first board that has them, also as text."""
    boards = list(archive.find(layout, up_to))
    solved = ((each, archive[each.position].tricks) for each in boards if each.permutation.is_turn)
    tricks = next((own.permuted(each.permutation) for each, own in solved if own), None)
    row: Row = {"deal": str(layout), "positions": [each.position for each in boards]}
    told = [" ".join(map(str, row["positions"]))] if boards else []
    told += [str(tricks)] if tricks is not None and archive.keeps_tricks else []
    return row | {"tricks": None if tricks is None else list(tricks.tricks)}, told


class Positions(Told):
    """The indexes of what is sought in an archive."""

    def documents(self) -> Iterator[Row]:
        """Yield an object for each sought deal."""
        return iter(self.data)


# Archives, data cards and collections that are checked.


@dataclass(frozen=True)
class VerifyFiles(Question):
    """Check archives for damage."""

    indent: ClassVar[int | None] = 2
    name: ClassVar[str] = "verify"
    examples: ClassVar[str] = """\
  pavcodec verify event.pav
  pavcodec verify --json *.pav
  pavcodec verify set.card.json
  pavcodec verify sets/
  pavcodec verify strong/ s3://bucket/strong"""
    details: ClassVar[str] = """\
verify reads every byte, checks the checksum and the content of every block, and compares the blocks
with the index. The exit code is 1 if it finds damage; 'pavcodec repair' saves the undamaged
blocks.

For a data card, which 'pavcodec deal --split' writes, verify compares the size, the SHA-256 and the
number of deals of each file beside it, and checks that no deal is in two files.

For the folder or the URL of a collection in parts, which 'pavcodec deal --parts' writes, verify
reads all parts and compares their sizes and SHA-256 with the manifest, or with the rows of a
collection that is not complete; it lists the parts that are missing.

For another folder, verify checks the archives and the data cards in it, but not in folders
below."""

    files: tuple[str, ...] = ask(
        "archives, data cards and folders", flag="", metavar="FILE", local=True
    )
    workers: int | None = as_in(Workers, "workers")
    scheduler: str | None = as_in(Workers, "scheduler")

    keys: ClassVar[dict[str, str]] = {
        "file": "the name of the file or the folder",
        "is_whole": "whether nothing is wrong with it",
        "problems": "what is wrong with it",
        "damages": "the damages of an archive, each with its byte and the reason",
        "boards": "the number of boards of an archive",
        "bytes": "its size",
        "deals": "the number of deals of a data card; further keys are those of the card",
        "parts": "the number of parts of a collection; further keys describe them",
    }

    def find(self) -> Told:
        """Check each file, and tell what is wrong with it."""
        problems, rows, lines = Problems(), [], []
        for path in _paths(self.files, problems):
            row, what = self._checked(path, problems)
            rows.append({"file": shown_path(path)} | row)
            lines += [f"{shown_path(path)}: {what}"] if row["is_whole"] else []
        return Told(rows, lines, is_fault=problems.count > 0)

    def _checked(self, path: str, problems: Problems) -> tuple[Row, str]:
        """Check a file or a folder; return its row, and what the text says if it is whole.

        What cannot be read is a problem of it.
        """
        shown = shown_path(path)
        try:
            if _is_in_parts(path):
                return self._check_parts(path, shown, problems)
            with working(path):
                return (_check_card if path.endswith(_CARDS) else _check_archive)(path, problems)
        except ReadError as error:
            reason = str(error).removeprefix(shown.rstrip("/")).lstrip("/: ")
        except OSError as error:
            if error.errno is None:  # of the workers, and not of the file
                raise
            reason = f"cannot be read: {error.strerror}"
        problems.report(shown, None, reason)
        return {"is_whole": False, "problems": [reason]}, ""

    def _check_parts(self, path: str, shown: str, problems: Problems) -> tuple[Row, str]:
        """Check all parts of a collection."""
        from pavcodec.collection.run import check
        from pavcodec.collection.stored import open_collection

        collection = open_collection(path)
        total = len(collection)
        watching = progress(None, shown, "parts", total=total)
        with watching.shown():
            found = check(path, engine_from(self), on_row=lambda _: watching.add())
        for name, reason in _faults_of_parts(found, shown):
            problems.report(collection.storage.shown(name) if name else shown, None, reason)
        rows = found.rows
        what = f"{many(total, 'part')}, {many(rows.rows, 'board')}, {many(rows.bytes, 'byte')}"
        return found.to_dict(), f"complete, {what}"


def _paths(names: tuple[str, ...], problems: Problems) -> Iterator[str]:
    """Yield the files; for a folder, those in it that can be checked."""
    for name in names:
        if not os.path.isdir(name) or _is_in_parts(name):
            yield name
            continue
        inside = [each for each in sorted(os.listdir(name)) if each.endswith((_PAV, _CARDS))]
        if not inside:
            what = f"no archives ({_PAV}) and no data cards ({_CARDS})"
            reason = f"this folder has {what}, and no plan.json of a collection"
            problems.report(name, None, reason)
        yield from (os.path.join(name, each) for each in inside)


def _is_in_parts(path: str) -> bool:
    """Return whether a path or a URL is a folder with the plan of a collection."""
    if not (is_url(path) or os.path.isdir(path)):
        return False
    from pavcodec.collection.stored import is_collection

    return is_collection(path)


def _faults_of_parts(found: Check, shown: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a collection, each with the name of its part, or "" for all."""
    from pavcodec.collection.manifest import MANIFEST
    from pavcodec.collection.run import shown_ranges

    yield from found.damaged
    yield from ((name, "is no part of the plan") for name in found.foreign)
    if found.manifest:
        yield "", found.manifest.removeprefix(f"{shown.rstrip('/')}/")
    total = many(len(found.rows.plan), "part")
    for indexes, what in ((found.missing, "missing"), (found.unrecorded, "there without a row")):
        if indexes:
            which = shown_ranges(indexes.ranges[:_MOST_RANGES])
            more = ", and more" if len(indexes.ranges) > _MOST_RANGES else ""
            are = "is" if len(indexes) == 1 else "are"
            yield "", f"{len(indexes):,} of {total} {are} {what}: {which}{more}"
    if found.rows.is_complete and not found.has_manifest:
        yield "", f"all parts are there, and no {MANIFEST}: make the collection again to write it"


def _check_card(path: str, problems: Problems) -> tuple[Row, str]:
    """Check the files of a data card."""
    from pavcodec.learning.cards import check_card

    found = check_card(path)
    for reason in found.problems:
        problems.report(path, None, reason)
    card = found.card
    deals = sum(each.deals for each in card.files)
    compared = f"none in two files{f' up to {card.apart}' if card.apart else ''}"
    if len(found.compared) < len(card.files):
        compared = "not compared, because the files do not determine them"
    row: Row = {"is_whole": found.is_right}
    row |= {"problems": list(found.problems)} if found.problems else {}
    what = f"{many(len(card.files), 'file')}, {many(deals, 'deal')}, {compared}"
    return row | {"deals": deals, "apart": card.apart}, f"as the card says, {what}"


def _check_archive(path: str, problems: Problems) -> tuple[Row, str]:
    """Check the blocks of an archive."""
    from pavcodec.archive import open_archive, verify_archive

    damages = verify_archive(path)
    for damage in damages:
        reason = f"at byte {damage.offset}: {damage.reason}"
        if damage.reason.startswith("this is no archive") and not path.endswith(_PAV):
            reason = f"verify checks archives ({_PAV}) and data cards ({_CARDS}); {reason}"
            if os.path.basename(path) in ("plan.json", "manifest.json"):
                reason = "name the folder of a collection, and not a file in it"
        problems.report(path, None, reason)
    if damages:
        return {"is_whole": False, "damages": [*map(_damage_row, damages)]}, ""
    with open_archive(path) as archive:
        boards, size = len(archive), archive.size
    return {"is_whole": True, "boards": boards, "bytes": size}, f"whole, {many(boards, 'board')}"


def _damage_row(damage: Damage) -> Row:
    return {"byte": damage.offset, "reason": damage.reason}


@dataclass(frozen=True)
class Repair(Output):
    """Save the undamaged part of an archive."""

    name: ClassVar[str] = "repair"
    examples: ClassVar[str] = "  pavcodec repair damaged.pav -o saved.pav"
    details: ClassVar[str] = """\
repair saves every undamaged block, also after damage, and prints a line for each damaged one. The
exit code is 1 if there is damage. repair does not change the damaged archive."""

    archive: str = ask("the damaged archive", flag="", metavar="ARCHIVE", local=True)
    output: str = as_in(Output, "output", help="the archive to write", default=MISSING)

    keys: ClassVar[dict[str, str]] = {
        "boards": "the number of saved boards",
        "damages": "the damages, each with its byte and the reason",
    }

    def find(self) -> Told:
        """Save the undamaged blocks."""
        from pavcodec.archive import repair_archive

        new_archive(self, [self.archive])
        problems = Problems()
        with working(self.archive):
            found = repair_archive(self.archive, self.output)
        for damage in found.damages:
            problems.report(self.archive, None, f"at byte {damage.offset}: {damage.reason}")
        damages = [*map(_damage_row, found.damages)]
        told = f"{self.output}: {many(found.boards, 'board')} saved"
        return Told({"boards": found.boards, "damages": damages}, [told], is_fault=bool(damages))


append, get, merge, pack = map(function_of, (Append, Get, Merge, Pack))
repair, verify = function_of(Repair), function_of(VerifyFiles)
