"""`pavcodec practice`: boards to practise with, a page for each player and one of solutions."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pavcodec.boards import Board, Context
from pavcodec.boards.rows import board_row
from pavcodec.cards import Seat
from pavcodec.cli.commands.deals.deal_sources import DealSource, Draw, draw, watched
from pavcodec.cli.options.conditions import Request, add_condition, read_request
from pavcodec.cli.options.sessions import (
    add_draw,
    add_rules,
    chosen_seed,
    generator,
    given_seed,
    overrides,
    preface,
    refuse_together,
    rules,
)
from pavcodec.cli.options.spaces import refuse_empty, space_of
from pavcodec.cli.output.figures import chances
from pavcodec.cli.output.streams import (
    UsageError,
    add_common,
    complain,
    open_binary_output,
    refuse_same_file,
    refuse_screen,
)
from pavcodec.cli.output.tables import print_table
from pavcodec.cli.output.targets import format_of_output
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import PavError, suggest
from pavcodec.formats import Format, format_names, format_of
from pavcodec.numberings import numbering
from pavcodec.practice import (
    PracticeSet,
    Seating,
    Situation,
    html_pages,
    situation,
    situation_names,
    text_pages,
)

__all__ = ["add_arguments", "run"]

Pages = Callable[[PracticeSet], str]

_TITLE = "Practice"
_LEAST, _USUAL, _MOST = 4, 16, 64
_HANDS = {
    "NS": (Seat.NORTH, Seat.SOUTH),
    "EW": (Seat.EAST, Seat.WEST),
    "all": tuple(Seat),
}
_PAGES: dict[str, Pages] = {"text": text_pages, "html": html_pages}
_SUFFIXES = {".txt": "text", ".html": "html", ".htm": "html"}
_TURNED = len(" turned=3")
_NAME = re.compile(r"[A-Za-z][\w-]*")
"""The pattern of the name of a situation: no condition is a single word."""

_EXAMPLES = """\
  pavcodec practice --list
  pavcodec practice stayman --hands NS --turn -n 24 -o stayman.html
  pavcodec practice 'hcp(south) >= 20' --dealer south --turn -n 8"""

_DETAILS = """\
Each player gets a page with only the own hands. The last page has the solutions, the seed, and the
number of each deal, which 'pavcodec decode' turns back into the deal. Every deal that satisfies the
condition is equally likely; the deals are those of 'pavcodec deal' with the same seed and
condition.

--list prints the situations. A situation is for South, who makes the call, and North; --hands EW
turns it to West and East. You can also give a condition of your own, which practice does not turn,
or a script of the classic dealer program, from which practice uses the condition, seed, predeal and
produce, but no actions.

--turn turns the table from board to board; hands, dealer and vulnerability move together. For four
players, the dealer of the condition sits North on board 1, East on board 2 and so on, as in
tournaments. For two players, the partners change places on every second board.

The dealer comes from --dealer, else from the script or the situation, else from the board number as
in tournaments; the vulnerability comes from --vulnerable, else from the script, else from the board
number. Dealer and vulnerability of options and scripts refer to the condition before any turn.

In the situations, a balanced hand has no void, no singleton and at most one doubleton; a good suit
has two of the top three honours or three of the top five; an opening of one of a suit has five or
more cards in it, no other five-card suit, and 11 to 15 points."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    add_condition(
        parser,
        without="all deals",
        metavar="SITUATION",
        meaning="a situation of --list, or a condition",
    )
    add_draw(
        parser,
        f"the number of boards, {_LEAST} to {_MOST} (default: {_USUAL}, or as the script says)",
    )
    group = option_group(parser, "boards")
    group.add_argument(
        "--hands",
        choices=_HANDS,
        default="all",
        help="the players: two partners or all four (default: all)",
    )
    group.add_argument(
        "--turn", action="store_true", help="turn the table, so that each player gets each role"
    )
    add_rules(parser, "of the condition")
    _add_output(parser)
    add_common(parser)


def _add_output(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what is written."""
    group = option_group(parser, "output")
    group.add_argument("--list", action="store_true", help="list the situations, or describe one")
    group.add_argument(
        "--title", metavar="TEXT", help="the title of the pages (default: that of the situation)"
    )
    group.add_argument(
        "--to",
        dest="to_format",
        metavar="FORMAT",
        help="write text, html or another format (default: by the suffix of -o, else text; "
        "'pavcodec formats' lists all formats)",
    )


def run(args: argparse.Namespace) -> int:
    """Make a practice set, or list the situations."""
    _check(args)
    chosen = _situation(args.expression)
    if args.list:
        _list(chosen, as_json=args.json)
        return 0
    target = _target(args)
    if isinstance(target, Format) and not args.json:
        refuse_screen(target, args.output)
    given = given_seed(args)
    where = args.expression if chosen is None else chosen.where
    request = read_request(argparse.Namespace(**vars(args) | {"expression": where}))
    count = _count(args, request)
    space = None
    if request.node is not None:
        space = space_of(request.condition, "plan")
        refuse_empty(space)
    seed = chosen_seed(given, request)
    tries = None if request.script is None else request.script.generate
    source = draw(space, Draw(count, seed, args.start, tries=tries))
    complain(f"seed {seed}")
    condition = "" if space is None else str(space.where)
    session = _Session(args, chosen, _seating(args, request, chosen), seed, condition, count)
    boards = tuple(session.boards(source))
    enough = source.finish()
    _write(args, target, session, boards)
    return 0 if enough else 1


def _check(args: argparse.Namespace) -> None:
    """Refuse options that exclude each other."""
    refuse_together(
        (
            ("--list", args.list, "-f", args.script is not None),
            ("--list", args.list, "-o", args.output != "-"),
            ("--list", args.list, "--to", args.to_format),
            ("--json", args.json, "--to", args.to_format),
        )
    )
    if args.list and args.expression is not None and not _NAME.fullmatch(args.expression):
        raise UsageError(f"--list takes the name of a situation, not {args.expression!r}")
    if args.title is not None and not (args.title.strip() and args.title.isprintable()):
        raise UsageError(f"--title is a line of text, not {args.title!r}")
    if args.script is not None:
        refuse_same_file([args.script], args.output)


def _situation(text: str | None) -> Situation | None:
    """Return the situation of a name; None for a condition."""
    return situation(text) if text is not None and _NAME.fullmatch(text) else None


def _target(args: argparse.Namespace) -> Pages | Format:
    """Return the writer of the output: of pages, or of a format of boards."""
    name = args.to_format or _SUFFIXES.get(os.path.splitext(args.output)[1].lower())
    if name in _PAGES:
        return _PAGES[name]
    if name is not None:
        if name not in format_names():
            raise suggest("format", name, [*_PAGES, *format_names()])
        return format_of(name)
    return format_of_output(args.output) or text_pages


def _count(args: argparse.Namespace, request: Request) -> int:
    """Return the number of boards."""
    produce = None if request.script is None else request.script.produce
    if args.count is not None:
        overrides(request, "-n", f"produce {produce}", both=produce is not None)
    count: int = next(n for n in (args.count, produce, _USUAL) if n is not None)
    if not _LEAST <= count <= _MOST:
        said = f"{request.source} says produce" if args.count is None else "-n is"
        raise UsageError(f"a set has {_LEAST} to {_MOST} boards, and {said} {count}")
    return count


def _seating(args: argparse.Namespace, request: Request, chosen: Situation | None) -> Seating:
    """Return the seating of the hands at the table."""
    dealer, vulnerable = rules(args, request)
    return Seating(
        players=_HANDS[args.hands],
        dealer=chosen.dealer if dealer is None and chosen is not None else dealer,
        vulnerable=vulnerable,
        turning=args.turn,
        across=chosen is not None and args.hands == "EW",
    )


@dataclass(frozen=True)
class _Session:
    """The values that the boards of a run share, and the pages and boards built from them."""

    args: argparse.Namespace
    chosen: Situation | None
    seating: Seating
    seed: int
    where: str
    count: int

    @property
    def title(self) -> str:
        """The title of the pages."""
        title: str | None = self.args.title
        return title or (_TITLE if self.chosen is None else self.chosen.title)

    @property
    def _generator(self) -> str:
        script: str | None = self.args.script
        return generator(self.seed, self.args.start, self.where, script=script, spare=_TURNED)

    @property
    def preface(self) -> tuple[str, ...]:
        """The lines of a file before the boards."""
        return preface(self.where, self._generator)

    def boards(self, source: DealSource) -> Iterator[Board]:
        """Yield the boards of the deals."""
        made = self._generator
        deals = watched(source, source.deals(), self.args.output)
        for number, deal in enumerate(deals, self.args.start + 1):
            places = self.seating.places(number)
            by = f"{made} turned={places}" if places else made
            yield self.seating.board(number, deal, {"Event": self.title, "Generator": by})

    def practice(self, boards: Sequence[Board]) -> PracticeSet:
        """Return the set, with the notes of its solution."""
        notes = [] if self.chosen is None else [f"{self.chosen.summary}."]
        notes += [f"Condition: {self.where}"] if self.where else []
        turned = self.seating.describe()
        notes += [turned] if turned else []
        notes += [f"Made by: {self._again()}"]
        return PracticeSet(self.title, tuple(boards), self.seating.players, tuple(notes))

    def _again(self) -> str:
        """Return the command that makes the same boards again."""
        args = self.args
        words = ["pavcodec", "practice"]
        words += [] if args.script is None else ["-f", args.script]
        words += [word for cards in args.predeal for word in ("--predeal", cards)]
        words += ["-n", str(self.count), "--seed", str(self.seed)]
        words += ["--start", str(args.start)] if args.start else []
        words += ["--hands", args.hands] if args.hands != "all" else []
        words += ["--turn"] if args.turn else []
        words += [] if args.dealer is None else ["--dealer", args.dealer.letter]
        words += [] if args.vulnerable is None else ["--vulnerable", args.vulnerable.value]
        words += [] if args.title is None else ["--title", args.title]
        if args.expression is not None:
            words += ["--", args.expression] if args.expression[:1] == "-" else [args.expression]
        return shlex.join(words)

    def row(self, board: Board) -> dict[str, object]:
        """Return a board for JSON."""
        assert board.layout is not None
        assert board.number is not None
        row = board_row(board, "board deal number dealer vulnerable", numbering("deal"))
        return row | {
            "seed": str(self.seed),
            "turned": self.seating.places(board.number),
            "hands": {seat.letter: str(board.layout[seat]) for seat in self.seating.players},
            "hcp": {seat.letter: board.layout[seat].hcp for seat in Seat},
        }


def _write(
    args: argparse.Namespace, target: Pages | Format, session: _Session, boards: Sequence[Board]
) -> None:
    """Write the boards as pages, in a format, or as JSON."""
    if not boards:
        raise PavError("there are no boards to write")
    made = target if isinstance(target, Format) else None
    with open_binary_output(args.output, made) as out:
        if args.json:
            out.writelines(f"{json.dumps(session.row(board))}\n".encode() for board in boards)
        elif isinstance(target, Format):
            said = session.preface
            context = Context("practice", numbering=numbering("deal"), preface=said, note=complain)
            target.write(boards, out, context)
        else:
            out.write(target(session.practice(boards)).encode())


def _list(chosen: Situation | None, *, as_json: bool) -> None:
    """Print all situations, or everything about one."""
    every = [situation(name) for name in situation_names()]
    if as_json:
        rows = list(map(_row, every))
        print(json.dumps(rows if chosen is None else _row(chosen), indent=2))
    elif chosen is None:
        print_table(
            ("situation", "deals", "chance", "what it is"),
            [
                (one.name, f"{one.cardinality:,}", chances(one.probability), one.summary)
                for one in every
            ],
            folds=True,
        )
    else:
        rows_of_one = (
            ("situation", chosen.name),
            ("title", chosen.title),
            ("what", chosen.summary),
            ("dealer", chosen.dealer.name.title()),
            ("deals", f"{chosen.cardinality:,}"),
            ("chance", f"{chosen.probability}: {chances(chosen.probability)}"),
            ("condition", chosen.where),
        )
        for head, value in rows_of_one:
            print(f"{head:<11}{value}")


def _row(one: Situation) -> dict[str, object]:
    """Return a situation for JSON."""
    return {
        "name": one.name,
        "title": one.title,
        "summary": one.summary,
        "dealer": one.dealer.letter,
        "cardinality": str(one.cardinality),
        "probability": str(one.probability),
        "where": one.where,
    }
