"""`pavcodec grep`: the boards that satisfy a condition."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from pavcodec.boards import Board, Context, Problem
from pavcodec.boards.board import board_row
from pavcodec.chances.figures import many
from pavcodec.cli.asking import add_common, add_fields, add_reading, add_target, question_of
from pavcodec.cli.options.folders import (
    chosen_target,
    make_boards_folder,
    makes_folder,
    refuse_options,
)
from pavcodec.cli.output.losses import Differences, tell_event
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import PavError
from pavcodec.formats import Format
from pavcodec.layout import Layout
from pavcodec.numberings import numbering
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.deals import (
    Deals,
    Request,
    condition_of_text,
    request_of_script,
)
from pavcodec.questions.events import OfEvent
from pavcodec.questions.inputs import Problems, boards_of, named_format
from pavcodec.questions.outputs import (
    BoardsOutput,
    open_binary_output,
    refuse_nothing,
    refuse_same_file,
    refuse_screen,
    target_of,
)
from pavcodec.questions.solving import Solving, use_solved_files
from pavcodec.questions.workers import (
    Workers,
    is_spread,
    reading_of,
    results_in_order,
    spread_files,
    take_report,
)

if TYPE_CHECKING:
    from pavcodec.collection.source import SourceFile
    from pavcodec.constraints.nodes.syntax import Node


_FEW = 4096
"""The most boards for which loading numpy saves no time."""
_AT_ONCE = 4096
_PATIENCE = 0.2  # seconds before a chunk of boards is tested although it is not full

_NO_SOLVED = "workers read no solved files: leave out --solved, or name files only"

_Found: TypeAlias = tuple[str, Board]
_Arrival: TypeAlias = _Found | Problem

_EXAMPLES = """\
  pavcodec grep 'hcp(north) + hcp(south) >= 30' event.pbn
  pavcodec grep -c 'shape(south, any 4333 + any 4432 + any 5332)' event.pbn
  pavcodec deal -n 1000 | pavcodec grep -v 'hcp(west) < 20'
  pavcodec grep 'hcp(north) >= 20' deals/ -o strong/ --to pav"""

_DETAILS = """\
The condition is in the language of the classic dealer program; grep tests each deal. It never finds
a board without a complete deal, not even with -v, and prints the number of such boards. The exit
code is 1 if grep finds nothing or cannot read a file.

With -f, every argument is a file. grep uses the script's condition and predealt cards, and ignores
the rest with a warning.

For a folder, several processes search its parts, or its files of boards in the order of their
names; the output is in this order. If the output is a folder too, it gets a part for each part,
with the boards found in it; the same command continues a folder that is not complete.

--json prints an object for each board: "deal", "number" (decimal digits in a text), "board" (the
number in the file, if it has one), "file" and "line"; with -c one object: "found", "boards" and
"without_deal"."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("expression", nargs="?", metavar="EXPR", help="the condition (not with -f)")
    add_fields(parser, Deals, "script")
    option_group(parser, "condition").add_argument(
        "-v", "--invert", action="store_true", help="find the deals that do not satisfy it"
    )
    add_fields(parser, Solving, "solved", group="condition")
    add_reading(parser, files=True)
    add_fields(parser, Workers, "workers", "scheduler")
    option_group(parser, "output").add_argument(
        "-c", "--count", action="store_true", help="print only the number of boards found"
    )
    add_fields(parser, OfEvent)
    add_target(parser)
    add_fields(parser, BoardsOutput, "append")
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Print the boards that satisfy the condition."""
    use_solved_files(args.solved)
    files = _files(args)
    if not args.count and makes_folder(files, args.output):
        return _grep_folder(args, files)
    if args.to and (args.json or args.count):
        raise QuestionError("--json and -c print no boards, so they do not go with --to")
    problems = Problems(strict=args.strict)
    target = None if args.json or args.count else target_of(args.to, args.output)
    if target is not None:
        refuse_screen(target, args.output)
    refuse_same_file([*files, args.script or "-"], args.output)
    search: _Search | _SpreadSearch
    condition = _condition(args)
    if is_spread(args, files):
        search = _SpreadSearch(args, condition, problems)
        boards = search.found(spread_files(args, files, problems))
    else:
        search = _Search(condition, problems, wanted=not args.invert)
        read = boards_of(
            files, search.arrivals, format_name=named_format(args), ranks=numbering("deal"),
        )  # fmt: skip
        boards = search.found(read)
    with open_binary_output(args.output, target, append=args.append) as out:
        if target is not None:
            _write_boards(args, target, (board for _, board in boards), problems, out)
        elif args.count:
            _write_count(args, search, boards, out)
        else:
            out.writelines(f"{json.dumps(_row(*each))}\n".encode() for each in boards)
        refuse_nothing(args.output, search.matched, problems, nothing="")  # as grep of texts
    if search.without_deal:
        complain(f"{many(search.without_deal, 'board')} without a complete deal skipped")
    return problems.exit_code if search.matched else 1


def _grep_folder(args: argparse.Namespace, files: list[str]) -> int:
    """Write the boards of each part of a folder that satisfy the condition."""
    from pavcodec.collection.derived import GrepMaking

    refuse_options(args, {"append": "a part is written once"})
    if args.solved:
        raise QuestionError(_NO_SOLVED)
    target = chosen_target(args)
    event = question_of(args, OfEvent).event_tags
    args.files = files
    making = partial(
        GrepMaking,
        where=_condition(args),
        invert=args.invert,
        tags=tuple(event.tags.items()),
        title=event.title,
    )
    return make_boards_folder(args, target, making)


def _write_boards(
    args: argparse.Namespace,
    target: Format,
    boards: Iterator[Board],
    problems: Problems,
    out: BinaryIO,
) -> None:
    """Write the boards that were found."""
    event, differences = question_of(args, OfEvent).event_tags, Differences()
    tell_event(target, event.tags)
    context = Context(
        "grep",
        problems,
        problems.strict,
        numbering("deal"),
        note=complain,
        differ=differences.note,
        title=event.title,
    )
    target.write(event.of_boards(boards), out, context)
    differences.tell(target)


def _files(args: argparse.Namespace) -> list[str]:
    """Return the files to search: all arguments if the condition is in a script."""
    if args.script is None:
        if args.expression is None:
            raise QuestionError(
                "give a condition (EXPR), as in 'hcp(south) >= 20', or a script: -f"
            )
        return list(args.files)
    files = [] if args.expression is None else [args.expression, *args.files]
    if args.script == "-" and (not files or "-" in files):
        raise QuestionError("the script and the boards cannot both come from stdin")
    return files


def _condition(args: argparse.Namespace) -> Node:
    """Return the condition of the argument or of the script."""
    if args.script is None:
        return condition_of_text(args.expression, "expression")
    request = request_of_script(args.script)
    _warn_of_the_rest(request)
    if request.node is None:
        raise PavError(f"{request.source}: there is no condition, and nothing dealt beforehand")
    return request.node


def _warn_of_the_rest(request: Request) -> None:
    """Warn of the statements of a script that grep ignores."""
    rest = [
        statement
        for statement in ("produce", "generate", "seed", "dealer", "vulnerable")
        if getattr(request.script, statement) is not None
    ]
    rest += ["action"] if request.script and request.script.actions else []
    if rest:
        request.warn(f"grep ignores {', '.join(rest)}")


class _Arrivals(Problems):
    """Boards and problems in their order, in larger chunks after the first boards.

    A problem is printed after the boards before it are searched.
    """

    def __init__(self, problems: Problems, few: int) -> None:
        super().__init__(strict=problems.strict)
        self._few = few
        self._tell = problems
        self._chunk: list[_Arrival] = []

    def __call__(self, problem: Problem) -> None:
        """Store a problem; raise it in strict reading."""
        if self.strict or not self._chunk:
            self._tell(problem)
        else:
            self._chunk.append(problem)

    def chunks(self, boards: Iterator[_Found]) -> Iterator[list[_Arrival]]:
        """Yield chunks: single boards at first, and whenever boards arrive slowly."""
        started = monotonic()
        try:
            for index, each in enumerate(boards):
                self._chunk.append(each)
                waited = monotonic() - started > _PATIENCE
                if index < self._few or len(self._chunk) >= _AT_ONCE or waited:
                    yield self._taken()
                    started = monotonic()
        except PavError:
            yield self._taken()  # the boards before the error
            raise
        yield self._taken()

    def _taken(self) -> list[_Arrival]:
        chunk, self._chunk = self._chunk, []
        return chunk


class _Search:
    """Tests boards, and counts them by result."""

    def __init__(self, condition: Node, problems: Problems, *, wanted: bool) -> None:
        from pavcodec.constraints.arrays.search import Search

        self.boards = 0
        self.matched = 0
        self.without_deal = 0
        self._search = Search(condition, wanted=wanted)
        self.arrivals = _Arrivals(problems, 0 if self._search.solves else _FEW)
        self._problems = problems

    def found(self, boards: Iterator[_Found]) -> Iterator[_Found]:
        """Yield (source, board) for the boards that are wanted; their problems are `arrivals`."""
        for chunk in self.arrivals.chunks(boards):
            deals = [None if isinstance(each, Problem) else _deal_of(each[1]) for each in chunk]
            results = self._search.results([deal for deal in deals if deal is not None])
            for each, deal in zip(chunk, deals, strict=True):
                if isinstance(each, Problem):
                    self._problems(each)
                    continue
                self.boards += 1
                if deal is None:
                    self.without_deal += 1
                elif (result := next(results)) is True:
                    self.matched += 1
                    yield each
                elif isinstance(result, PavError):
                    source, board = each
                    reason = f"{result}: '{deal}'"
                    self._problems.report(source, board.line, reason, board.tags.get("Board"))


class _SpreadSearch:
    """Tests the boards of files by workers, and counts them by result."""

    def __init__(self, args: argparse.Namespace, condition: Node, problems: Problems) -> None:
        from pavcodec.collection.derived import Searching

        if args.solved:
            raise QuestionError(_NO_SOLVED)
        self._args = args
        self._problems = problems
        self._work = Searching(
            where=condition,
            reading=reading_of(args),
            invert=args.invert,
            keeps=not args.count,
        )
        self.boards = self.matched = self.without_deal = 0

    def found(self, files: Sequence[SourceFile]) -> Iterator[_Found]:
        """Yield (source, board) for the boards that are wanted, in the order of the files."""
        results = results_in_order(
            self._args, self._args.command, self._work, files, self._problems
        )
        for boards, counts, report in results:
            self.boards += counts.boards
            self.matched += counts.found
            self.without_deal += counts.without_deal
            take_report(report, self._problems)
            yield from boards


def _deal_of(board: Board) -> Layout | None:
    """Return the complete deal of a board, if it has one."""
    layout = board.layout
    return layout if layout is not None and layout.is_deal else None


def _row(source: str, board: Board) -> dict[str, object]:
    """Return a board for JSON."""
    row = board_row(board, "deal number label", numbering("deal"))
    return row | {"file": source, "line": board.line}


def _write_count(
    args: argparse.Namespace,
    search: _Search | _SpreadSearch,
    matching: Iterator[_Found],
    out: BinaryIO,
) -> None:
    for _ in matching:
        pass
    text = str(search.matched)
    if args.json:
        row = {"found": search.matched, "boards": search.boards}
        text = json.dumps(row | {"without_deal": search.without_deal})
    out.write(f"{text}\n".encode())
