"""`pavcodec get`: boards of an archive by their indexes, and the indexes of a deal."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.boards import Board, Context
from pavcodec.boards.board import board_row
from pavcodec.chances.figures import many
from pavcodec.cli.asking import (
    add_common,
    add_fields,
    add_numbering,
    add_target,
    chosen_numbering,
    question_of,
)
from pavcodec.cli.commands.archives.opening import open_input_archive
from pavcodec.cli.output.losses import Differences, tell_event
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import UnknownNameError
from pavcodec.formats.format import mark_utf8
from pavcodec.layout import Layout
from pavcodec.numberings import Numbering
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.deals import Deals
from pavcodec.questions.events import OfEvent
from pavcodec.questions.inputs import Problems
from pavcodec.questions.outputs import (
    open_binary_output,
    refuse_nothing,
    refuse_same_file,
    refuse_screen,
    target_of,
)
from pavcodec.symmetry import symmetry_of

if TYPE_CHECKING:
    from pavcodec.archive import Archive, Found
    from pavcodec.layout import TrickTable


_EXAMPLES = """\
  pavcodec get library.pav 0 17 1000:1010
  pavcodec get event.pav --to pbn -- -1
  pavcodec get endings.pav --find 'N:A... K... Q... J...'
  pavcodec get endings.pav --up-to suits,turns --find 'N:A... K... Q... J...'"""

_DETAILS = """\
The first board has index 0, and the last board has index -1. A slice works as in Python: 10:20 are
the ten boards from index 10, and ::100 is every hundredth board. Put '--' before a negative index.
The boards of sets have the order of their numbers.

--find prints the indexes of a deal; the exit code is 1 if the archive does not have it. With
--up-to, deals are also found under other names of suits (suits), turned round the table (turns,
half-turn), or in any seats (seats), as in 'suits,turns'. If the archive has a column of tricks, the
tricks of the sought deal follow the indexes.

--json prints an object for each board: "position", "deal", "number" (decimal digits in a text, in
the numbering of --as) and "board"; with --find "deal", "positions", and "tricks", 20 numbers or
null."""

_SLICE = re.compile(r"(-?\d+)?:(-?\d+)?(?::(-?\d+)?)?")


def _place(text: str) -> int | slice:
    """Return the index or slice of an argument, for argparse."""
    if match := _SLICE.fullmatch(text):
        bounds = (None if bound is None else int(bound) for bound in match.groups())
        return slice(*bounds)
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither an index, such as 17, nor a slice, such as 10:20"
        ) from None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("input", metavar="ARCHIVE", help="the archive; - is stdin")
    parser.add_argument(
        "places",
        nargs="*",
        type=_place,
        metavar="INDEX",
        help="an index, or a slice A:B or A:B:C",
    )
    option_group(parser, "search").add_argument(
        "--find", action="append", type=Layout.from_pbn, metavar="DEAL", help="find this deal"
    )
    option_group(parser, "search").add_argument(
        "--up-to", metavar="SYMMETRY", help="find it also under other names, such as suits,turns"
    )
    add_numbering(parser)
    add_fields(parser, Deals, "memory", group="numbering")
    add_fields(parser, OfEvent)
    add_target(parser)
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Print boards, or the indexes of deals."""
    if bool(args.find) == bool(args.places):
        raise QuestionError("give indexes, or --find with a deal")
    if args.up_to is not None:
        _check_symmetry(args)
    problems = Problems()
    refuse_same_file([args.input], args.output)
    with (
        open_input_archive(args.input, args.memory) as archive,
        open_binary_output(args.output) as out,
    ):
        if args.find:
            return _write_positions(args, archive, out)
        done = _write_boards(args, archive, problems, out)
        refuse_nothing(args.output, done, problems)
    return problems.exit_code


def _check_symmetry(args: argparse.Namespace) -> None:
    """Raise `QuestionError` for an unknown symmetry, or one without a deal to find."""
    if not args.find:
        raise QuestionError("--up-to is an option of the search: give --find as well")
    try:
        symmetry_of(args.up_to)
    except UnknownNameError as error:
        raise QuestionError(f"--up-to: {error}") from None


def _write_positions(args: argparse.Namespace, archive: Archive, out: BinaryIO) -> int:
    """Write the indexes of each deal; return 1 if the archive lacks one of the deals."""
    is_missing = False
    for layout in args.find:
        boards = list(archive.find(layout, args.up_to or ""))
        positions = [each.position for each in boards]
        is_missing |= not positions
        tricks = _tricks(archive, boards)
        if args.json:
            table = None if tricks is None else list(tricks.tricks)
            row = {"deal": str(layout), "positions": positions, "tricks": table}
            line = json.dumps(row)
        else:
            line = " ".join(map(str, positions)) or f"{archive.name}: does not have '{layout}'"
            if tricks is not None and archive.keeps_tricks:
                line += f"\n{tricks}"
        if positions or args.json:
            out.write(f"{line}\n".encode())
        else:
            complain(line)
    return int(is_missing)


def _tricks(archive: Archive, boards: list[Found]) -> TrickTable | None:
    """Return the tricks of the sought deal by the first board that has them."""
    for each in boards:
        tricks = archive[each.position].tricks
        if tricks is not None and each.permutation.is_turn:
            return tricks.permuted(each.permutation)
    return None


def _write_boards(
    args: argparse.Namespace, archive: Archive, problems: Problems, out: BinaryIO
) -> int:
    """Write boards, and return their number."""
    ranks = chosen_numbering(args)
    chosen = _boards(archive, args.places, problems)
    if not args.json:
        target = target_of(args.to, args.output)
        refuse_screen(target, args.output)
        event = question_of(args, OfEvent).event_tags
        tell_event(target, event.tags)
        differences = Differences()
        context = Context(
            archive.name,
            problems,
            numbering=ranks,
            note=complain,
            differ=differences.note,
            title=event.title,
        )
        boards = event.of_boards(mark_utf8(board for _, board in chosen))
        done = target.write(boards, out, context)
        differences.tell(target)
        return done
    done = 0
    for position, board in chosen:
        out.write(f"{json.dumps(_row(position, board, ranks))}\n".encode())
        done += 1
    return done


def _boards(
    archive: Archive, places: list[int | slice], problems: Problems
) -> Iterator[tuple[int, Board]]:
    """Yield (index from 0, board) for indexes and slices."""
    positions = range(len(archive))
    for wanted in places:
        if isinstance(wanted, slice):
            yield from zip(positions[wanted], archive[wanted], strict=True)
        elif -len(positions) <= wanted < len(positions):
            yield positions[wanted], archive[wanted]
        else:
            boards = many(len(positions), "board")
            problems.report(archive.name, None, f"there is no index {wanted} in {boards}")


def _row(position: int, board: Board, ranks: Numbering) -> dict[str, object]:
    """Return a board as a JSON object; "number" is null for a layout outside the numbering."""
    known = ranks if board.layout in ranks else None
    return {"position": position} | board_row(board, "deal number label", known)
