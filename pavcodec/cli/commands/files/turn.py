"""`pavcodec turn`: boards whose players have changed seats."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from pavcodec.boards import Board
from pavcodec.boards.turning import IN_TURN_TAGS, Turn, turn_board
from pavcodec.cards import SEAT_LETTERS, Seat
from pavcodec.chances.figures import many
from pavcodec.cli.asking import add_fields, add_numbering, add_reading, question_of
from pavcodec.cli.options.boards import add_boards
from pavcodec.cli.options.rewriting import add_written, rewrite
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import describe, option_group
from pavcodec.numberings import numbering
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.events import OfEvent

_SWAPS = {"NS": "SENW", "EW": "NWSE"}
"""The seats after two partners have swapped theirs."""
_WAYS = ("places", "seats", "swap", "declarer", "dealer")

_EXAMPLES = """\
  pavcodec turn event.pbn --places 1 -o turned.pbn
  pavcodec turn event.pbn --declarer south -o lesson.pbn
  pavcodec turn event.pbn --seats SWNE --to lin
  pavcodec turn monday.pbn tuesday.pbn --swap NS -o swapped.pbn"""

_DETAILS = """\
All facts of a board move with the players: hands, names, dealer, vulnerability, auction, play,
declarer, scores, double-dummy tricks and par, and in comments and notes the English names of seats
and sides. Board numbers stay, and dealer and vulnerability are tags afterwards. A format that
derives them from the number gives the board another dealer; turn then prints a line.

After --swap, and with --seats that reverse the order round the table, nobody bids and plays in
turn: auction, play, double-dummy tricks and par are left out."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    group = option_group(parser, "seats").add_mutually_exclusive_group()
    group.add_argument(
        "--places",
        type=_places,
        metavar="N",
        help="move each player so many places clockwise: 1, 2 or 3",
    )
    group.add_argument(
        "--seats",
        type=_seats,
        metavar="NESW",
        help="the new seats of North, East, South and West, as in SWNE",
    )
    group.add_argument(
        "--swap", type=str.upper, choices=tuple(_SWAPS), help="swap the seats of these partners"
    )
    group.add_argument(
        "--declarer",
        type=Seat.parse,
        metavar="SEAT",
        help="turn each board so that declarer sits here",
    )
    group.add_argument(
        "--dealer",
        type=Seat.parse,
        metavar="SEAT",
        help="turn each board so that the dealer sits here",
    )
    add_reading(parser, files=True)
    add_boards(parser, "turn")
    add_fields(parser, OfEvent)
    add_numbering(parser)
    add_written(parser)
    parser.set_defaults(output="-")


def _places(text: str) -> int:
    """Return a number of places, for argparse."""
    if text not in ("1", "2", "3"):
        raise argparse.ArgumentTypeError(f"a player moves 1, 2 or 3 places, not {text!r}")
    return int(text)


def _seats(text: str) -> Turn:
    """Return the turn to seats such as SWNE."""
    return Turn.of(seats=text)


def run(args: argparse.Namespace) -> int:
    """Turn the boards of the files."""
    if all(getattr(args, way) is None for way in _WAYS):
        raise QuestionError(f"say how to turn: one of {', '.join(f'--{way}' for way in _WAYS)}")
    args.files = args.files or ["-"]
    if args.output == "-" and not args.to:
        args.to = "pbn"
    event = question_of(args, OfEvent).event_tags
    turned = _Turned(args)
    code = rewrite(args, lambda boards, _: event.of_boards(turned.of(boards)), title=event.title)
    turned.tell()
    return code


class _Turned:
    """Turns boards by the options, and counts the boards that lose or lack something."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._missing = self._shortened = 0

    def of(self, boards: Iterator[Board]) -> Iterator[Board]:
        """Yield the boards, turned."""
        for board in boards:
            new = self._turn_of(board)
            if new is None:
                self._missing += 1
                yield board
                continue
            self._shortened += not new.is_rotation and any(
                tag.name in IN_TURN_TAGS for tag in board.entries
            )
            yield turn_board(board, new, numbering)

    def _turn_of(self, board: Board) -> Turn | None:
        """Return the turn of a board; None if it lacks the declarer or dealer of the option."""
        args = self._args
        if args.seats is not None:
            turn: Turn = args.seats
            return turn
        if args.swap is not None:
            return Turn.of(seats=_SWAPS[args.swap])
        if args.places is not None:
            return Turn.of(args.places)
        seat = board.dealer if args.declarer is None else _declarer(board)
        wanted = args.dealer if args.declarer is None else args.declarer
        return None if seat is None else Turn.of(wanted - seat)

    def tell(self) -> None:
        """Print how many boards were not turned, and how many lost parts."""
        if self._missing:
            who = "dealer" if self._args.declarer is None else "declarer"
            are = "is" if self._missing == 1 else "are"
            complain(f"{many(self._missing, 'board')} without a {who} {are} not turned")
        if self._shortened:
            lose = "loses" if self._shortened == 1 else "lose"
            complain(
                f"{many(self._shortened, 'board')} {lose} auction, play, double-dummy tricks or "
                "par: in these seats nobody plays in turn"
            )


def _declarer(board: Board) -> Seat | None:
    """Return the declarer of a board, or None."""
    letter = board.tags.get("Declarer", "").removeprefix("^")
    return Seat.parse(letter) if letter in tuple(SEAT_LETTERS) else None
