"""Rewrite the boards of files: the shared part of `convert`, `turn` and `unpack`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO, cast

from pavcodec.boards import Board, Context, Problem
from pavcodec.cli.asking import add_common, add_fields, chosen_numbering
from pavcodec.cli.output.losses import Differences, Losses, add_unique, tell_repeated
from pavcodec.cli.output.progress import ProgressBar
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import option_group
from pavcodec.files.compressed import parts
from pavcodec.files.opening import size_if_file
from pavcodec.formats import Format, Need, boards_in, output_format, recognise
from pavcodec.formats import format as format_module
from pavcodec.formats.pbn.writer import ENCODINGS
from pavcodec.formats.registry import Repeated
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.inputs import (
    ChosenBoards,
    Problems,
    inputs_of,
    name_of,
    named_format,
    open_input,
    runs_of,
)
from pavcodec.questions.outputs import (
    BoardsOutput,
    Output,
    is_same_file,
    open_binary_output,
    refuse_existing,
    refuse_nothing,
    refuse_same_file,
    refuse_screen,
)
from pavcodec.records import Checksum, SummedStream

if TYPE_CHECKING:
    from pavcodec.boards.batch import BoardBatch


Change = Callable[[Iterator[Board], Callable[[Problem], None]], Iterator[Board]]
"""Changes boards; the function that it receives reports a problem of the board just read."""

_MOST_RUNS = 10
"""The runs of board numbers that a note lists."""


def add_written(parser: argparse.ArgumentParser) -> None:
    """Add the options of the output of `rewrite`."""
    group = option_group(parser, "output")
    group.add_argument("-o", "--output", metavar="FILE", help="write to FILE; - is stdout")
    group.add_argument(
        "--to",
        dest="to",
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
    add_fields(parser, BoardsOutput, "append")
    add_fields(parser, Output, "force")
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


def rewrite(
    args: argparse.Namespace,
    change: Change | None,
    *,
    title: str = "",
    note: Callable[[], str] | None = None,
    more: Callable[[], dict[str, object]] = dict,
) -> int:
    """Convert the boards of `args.files` to `args.output`, after a change of the boards.

    `note` returns a text for the progress bar, and `more` further keys of `--json`.
    """
    if args.json and args.output == "-":
        raise QuestionError("--json prints a summary, so OUT must be a file, not '-'")
    problems = Problems(strict=args.strict)
    target = output_format(args.output, args.to)
    refuse_screen(target, args.output)
    if not target.keeps_tags or args.append:
        refuse_same_file(args.files, args.output)
    elif any(is_same_file(path, args.output) for path in args.files):
        refuse_existing([args.output], force=args.force)
    tally = _Tally(target, Repeated(target, chosen=args.unique))
    unchanged = change is None and args.boards is None
    inputs = _Inputs(args, problems, may_be_batches=unchanged, note=note)
    context = Context(
        "boards" if getattr(args, "sort", None) else name_of(args.files[0]),
        inputs.report,
        args.strict,
        chosen_numbering(args),
        args.encoding,
        on_skipped=tally.on_skipped,
        note=complain,
        differ=tally.differences.note,
        title=title,
    )
    checksum = None
    with open_binary_output(args.output, target, append=args.append) as out, inputs:
        stream = out
        if target.is_read and not target.is_text:
            summed = SummedStream(out)
            stream, checksum = cast("BinaryIO", summed), summed.checksum
        are_single = args.strict or tally.repeated.is_looked_for or not inputs.may_be_batches
        boards = tally.count(inputs.boards(context, Need.STEPS if are_single else target.need))
        if tally.repeated.is_looked_for:
            boards = tally.repeated.without(cast("Iterator[Board]", boards))
        if change is not None:
            boards = change(cast("Iterator[Board]", boards), inputs.report)
        written = target.write_batches(tally.losses.examined(boards), stream, context)
        nothing = "" if tally.boards else "no boards"  # boards without cards are counted below
        refuse_nothing(args.output, written, problems, nothing)
    _summarise(args, target, tally, problems, checksum, more=more())
    if target.keeps_tags or target.shows_tags or "Board" in target.kept_tags:
        inputs.tell()
    return problems.exit_code


class _Inputs(ExitStack):
    """The boards of several inputs, one after another.

    Large inputs stay open until the end: batches may read tags from them later.
    """

    def __init__(
        self,
        args: argparse.Namespace,
        problems: Problems,
        *,
        may_be_batches: bool,
        note: Callable[[], str] | None,
    ) -> None:
        super().__init__()
        self._note = note
        self.may_be_batches = may_be_batches
        self._files: list[str] = args.files
        self._output: str = args.output
        self._format = named_format(args)
        self._problems = problems
        self._chosen = ChosenBoards(args.boards)
        self._reads_on = not getattr(args, "sort", None)
        self._source = name_of(self._files[0])
        self._first_of: dict[int, int] = {}
        """The first input of each board number."""
        self._repeated: set[int] = set()
        """The numbers of boards of several inputs."""
        self._is_renumbering = bool(getattr(args, "renumber", None))

    def report(self, problem: Problem) -> None:
        """Report a problem of reading or writing, with the name of the input."""
        if self._reads_on:
            problem = replace(problem, source=self._source)
        self._problems(problem)

    def boards(self, context: Context, need: Need) -> Iterator[BoardBatch | Board]:
        """Yield the boards of all inputs."""
        for index, path in enumerate(inputs_of(self._files, self._problems, self._format)):
            size = size_if_file(path) or 0
            self._source = name_of(path)
            with ExitStack() as small:
                kept_open = self if size >= format_module.LARGE else small
                try:
                    stream = kept_open.enter_context(open_input(path))
                    for inner, part in parts(stream, path):
                        self._source = name_of(inner)
                        source, whole = recognise(part, path=inner, name=self._format)
                        there = replace(context, source=self._source)
                        boards = source.read_batches(whole, there, need, size=size)
                        progress = ProgressBar(
                            stream, self._source, "boards", output=self._output, note=self._note
                        )
                        yield from self._numbered(progress.watch(boards, boards_in), index)
                except OSError as error:
                    there = replace(context, source=name_of(path), report=self._problems)
                    there.problem(None, f"cannot be read: {error.strerror}")
        self._chosen.report_missing(self._files, self._problems)

    def _numbered(
        self, items: Iterator[BoardBatch | Board], index: int
    ) -> Iterator[BoardBatch | Board]:
        """Yield the chosen boards of an input, and note numbers of earlier inputs."""
        if self.may_be_batches and len(self._files) == 1:
            yield from items
            return
        if not self.may_be_batches:
            items = iter(self._chosen.of(cast("Iterator[Board]", items)))
        for item in items:
            number = item.number if isinstance(item, Board) else None
            if number is not None and self._first_of.setdefault(number, index) != index:
                self._repeated.add(number)
            yield item

    def tell(self) -> None:
        """Print the board numbers that several inputs have."""
        if self._repeated and not self._is_renumbering:
            numbers = runs_of(self._repeated)
            several = len(self._repeated) > 1
            told = ", ".join(
                numbers if len(numbers) <= _MOST_RUNS else [*numbers[:_MOST_RUNS], "…"]
            )
            complain(
                f"board number{'s' if several else ''} {told} {'are' if several else 'is'} in more "
                "than one input: --renumber gives each board its own number"
            )


def _summarise(  # noqa: PLR0913
    args: argparse.Namespace,
    target: Format,
    tally: _Tally,
    problems: Problems,
    checksum: Checksum | None,
    *,
    more: dict[str, object],
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
        row |= {"lost": list(tally.losses.lost.names)}
        if checksum is not None:
            row |= {"bytes": checksum.bytes, "checksum": str(checksum)}
        print(json.dumps(row | more))
        return
    if left_out:
        boards = "1 board" if left_out == 1 else f"{left_out} boards"
        complain(f"{boards} without cards left out: {target.name} keeps {target.keeps}")
    tell_repeated(tally.repeated)
    tally.losses.tell(tally.differences)
    tally.differences.tell(target)
    if checksum is not None:
        line = f"{target.name}: {checksum.bytes:,} bytes, checksum {checksum}"
        if args.output == "-":
            complain(line)
        else:
            print(line)
