"""Code that the commands for archives share: open an archive, and read boards for an archive."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.boards import Context
from pavcodec.chances.figures import many
from pavcodec.cli.asking import add_reading
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import option_group
from pavcodec.errors import ReadError
from pavcodec.files.opening import size_if_file
from pavcodec.files.paths import shown_path
from pavcodec.formats import Format, boards_in, format_of
from pavcodec.formats.packing import Packing
from pavcodec.questions.asking import Progress, QuestionError
from pavcodec.questions.inputs import (
    Problems,
    is_folder,
    name_of,
    named_format,
    open_input,
    read_inputs,
)
from pavcodec.questions.outputs import refuse_same_file, refuse_screen, refuse_suffix

if TYPE_CHECKING:
    from pavcodec.archive import Archive
    from pavcodec.archive.spaces import ArchiveSpace
    from pavcodec.archive.writer import Item


def open_input_archive(path: str, memory: int | None = None) -> Archive:
    """Open an archive; read the standard input whole, because the index is at the end.

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


def add_collected(parser: argparse.ArgumentParser) -> None:
    """Add the options for the boards that are put into an archive; see `PackedFiles`."""
    option_group(parser, "archive").add_argument(
        "--cards-only", action="store_true", help="keep only the cards; this is the fastest way"
    )
    add_reading(parser)


class PackedFiles:
    """The boards of files as items for the writer of an archive; see `formats/packing.py`."""

    def __init__(self, args: argparse.Namespace, problems: Problems, space: ArchiveSpace) -> None:
        self._packing = Packing(
            space,
            only_cards=args.cards_only,
            keeps_tricks=getattr(args, "tricks", False),
            keeps_all=getattr(args, "all", not args.cards_only),
        )
        self._problems = problems
        self._format = named_format(args)
        self._output: str = args.output

    @property
    def without_cards(self) -> int:
        """The number of omitted boards without cards, if the archive keeps cards only."""
        return self._packing.without_cards

    def items(self, files: list[str]) -> Iterator[Item]:
        """Yield the boards of files in turn; `-` is the standard input."""
        return read_inputs(
            files,
            self._problems,
            self._of_stream,
            format_name=self._format,
            ranks=self._packing.ranks,
        )

    def _of_stream(
        self, source: Format, stream: BinaryIO, context: Context, progress: Progress
    ) -> Iterator[Item]:
        boards = self._packing.read(source, stream, context)
        return self._packing.items(progress.watch(boards, boards_in), context)


def summarise(
    args: argparse.Namespace, boards: int, problems: Problems, without_cards: int = 0
) -> None:
    """Print the number of omitted boards, and the size of the archive; with --json as JSON."""
    size = size_if_file(args.output)
    row: dict[str, object] = {"boards": boards}
    if size is not None:
        row["bytes"] = size
        row["bits_per_deal"] = round(8 * size / boards, 3) if boards else 0
    if args.json:
        print(json.dumps(row | {"left_out": without_cards, "problems": problems.count}))
        return
    if without_cards:
        complain(f"{many(without_cards, 'board')} without cards left out")
    if size is not None:
        bits = f", {row['bits_per_deal']:,} bits each" if boards else ""
        print(f"{shown_path(args.output)}: {many(boards, 'board')}, {many(size, 'byte')}{bits}")


def new_archive(args: argparse.Namespace) -> Format:
    """Return the format of archives; refuse an output that is none, or is for something else."""
    if args.json and args.output == "-":
        raise QuestionError("--json prints a summary, so -o must name a file")
    target = format_of("pav")
    refuse_screen(target, args.output)
    refuse_suffix(args.output, target)
    refuse_same_file(args.files, args.output)
    return target
