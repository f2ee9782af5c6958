"""`pavcodec convert`: one file into another format."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO, cast

from pavcodec.boards import Board, Context
from pavcodec.cli.output.losses import Differences, Losses, Repeated, add_unique
from pavcodec.cli.output.progress import Progress
from pavcodec.cli.output.streams import (
    Problems,
    UsageError,
    add_common,
    add_numbering,
    add_reading,
    chosen_numbering,
    complain,
    name_of,
    named_format,
    open_binary_output,
    open_input,
    refuse_nothing,
    refuse_same_file,
    refuse_screen,
)
from pavcodec.cli.output.targets import add_force, is_same_file, refuse_existing
from pavcodec.cli.parsers import describe, option_group
from pavcodec.formats import Format, Need, boards_in, output_format, recognise
from pavcodec.formats.pbn.writer import ENCODINGS
from pavcodec.records import Checksum, SummedStream

if TYPE_CHECKING:
    from pavcodec.boards.batch import BoardBatch

__all__ = ["add_arguments", "run"]

_EXAMPLES = """\
  pavcodec convert event.pbn deals.txt
  pavcodec convert --to numbers --as andrews event.pbn -
  pavcodec convert --unique results.pbn deals.txt"""

_DETAILS = """\
The suffixes of the files give the formats, or --from and --to name them. PBN keeps every tag,
section and comment; 'lines' and 'numbers' keep only the cards; 'pavcodec formats' lists what each
binary format keeps. For a binary file convert prints the checksum, the sum of its 32-bit words."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("input", metavar="IN", help="file to read; - is stdin")
    parser.add_argument("output", metavar="OUT", help="file to write; - is stdout")
    add_reading(parser)
    add_numbering(parser)
    group = option_group(parser, "output")
    group.add_argument(
        "--to",
        dest="to_format",
        metavar="FORMAT",
        help="write this format ('pavcodec formats' lists the formats)",
    )
    group.add_argument(
        "--encoding",
        choices=ENCODINGS,
        help="the encoding of written PBN (default: iso-8859-1, or utf-8 if the input has it or "
        "a character needs it)",
    )
    add_unique(parser)
    add_force(parser)
    add_common(parser, output=False)


class _Tally:
    """Counts the converted boards, for the summary."""

    def __init__(self, target: Format, repeated: Repeated) -> None:
        self.boards = 0
        self.without_cards = 0
        self.losses = Losses(target)
        self.differences = Differences()
        self.repeated = repeated

    def count(self, items: Iterable[BoardBatch | Board]) -> Iterator[BoardBatch | Board]:
        """Yield the items, counted."""
        for item in items:
            self.boards += boards_in(item)
            if isinstance(item, Board):
                self.without_cards += item.layout is None
            yield item

    def on_skipped(self, boards: int) -> None:
        """Count boards without cards that were left out."""
        self.boards += boards
        self.without_cards += boards


def run(args: argparse.Namespace) -> int:
    """Convert one file."""
    if args.json and args.output == "-":
        raise UsageError("--json prints a summary, so OUT must be a file, not '-'")
    problems = Problems(strict=args.strict)
    ranks = chosen_numbering(args)
    source = named_format(args)
    target = output_format(args.output, args.to_format)
    refuse_screen(target, args.output)
    if not target.keeps_tags:
        refuse_same_file([args.input], args.output)
    elif is_same_file(args.input, args.output):
        refuse_existing([args.output], force=args.force)
    tally = _Tally(target, Repeated(target, chosen=args.unique))
    context = Context(
        name_of(args.input),
        problems,
        problems.strict,
        ranks,
        args.encoding,
        on_skipped=tally.on_skipped,
        note=complain,
        differ=tally.differences.note,
    )
    checksum = None
    with open_binary_output(args.output, target) as out, ExitStack() as inputs:
        stream = out
        if not target.is_text:
            summed = SummedStream(out)
            stream, checksum = cast("BinaryIO", summed), summed.checksum
        need = Need.STEPS if args.strict or tally.repeated.is_looked_for else target.need
        boards = tally.count(_boards(args, source, context, need, inputs))
        if tally.repeated.is_looked_for:
            boards = tally.repeated.without(cast("Iterator[Board]", boards))
        written = target.write_batches(tally.losses.examined(boards), stream, context)
        refuse_nothing(args.output, written, problems)
    _summarise(args, target, tally, problems, checksum)
    return problems.exit_code


def _boards(
    args: argparse.Namespace, name: str | None, context: Context, need: Need, inputs: ExitStack
) -> Iterator[BoardBatch | Board]:
    """Yield the boards of the input, which stays open: batches may read tags from it later."""
    size = os.path.getsize(args.input) if os.path.isfile(args.input) else 0
    try:
        stream = inputs.enter_context(open_input(args.input))
        source, whole = recognise(stream, path=args.input, name=name)
        progress = Progress(stream, context.source, "boards", output=args.output)
        found = source.read_batches(whole, context, need, size=size)
        yield from progress.watch(found, boards_in)
    except OSError as error:
        context.problem(None, f"cannot be read: {error.strerror}")


def _summarise(
    args: argparse.Namespace,
    target: Format,
    tally: _Tally,
    problems: Problems,
    checksum: Checksum | None,
) -> None:
    """Print the boards left out, the losses and the checksum; with --json all as one object."""
    left_out = tally.without_cards if target.keeps_cards and not target.keeps_tags else 0
    if args.json:
        row: dict[str, object] = {
            "boards": tally.boards,
            "left_out": left_out + tally.repeated.left_out,
            "problems": problems.count,
        }
        row |= {"format": target.name, "keeps": target.keeps, "loses": target.loses}
        row |= {"lost": list(tally.losses.parts)}
        if checksum is not None:
            row |= {"bytes": checksum.bytes, "checksum": str(checksum)}
        print(json.dumps(row))
        return
    if left_out:
        boards = "1 board" if left_out == 1 else f"{left_out} boards"
        complain(f"{boards} without cards left out: {target.name} keeps {target.keeps}")
    tally.repeated.tell()
    tally.losses.tell(tally.differences)
    tally.differences.tell(target)
    if checksum is not None:
        line = f"{target.name}: {checksum.bytes:,} bytes, checksum {checksum}"
        if args.output == "-":
            complain(line)
        else:
            print(line)
