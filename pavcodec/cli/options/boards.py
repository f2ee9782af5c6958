"""The options that choose, sort and number boards."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence

from pavcodec.boards import Board, Vulnerability
from pavcodec.boards.board import dealer_of_board
from pavcodec.boards.play import auction_of
from pavcodec.chances.figures import many
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError
from pavcodec.questions.inputs import Problems, name_of

_MOST_RUNS = 10
"""The runs of board numbers that a message lists."""
_MOST_NUMBER = 10**18
"""The first number that is too large for a board."""


def add_boards(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the option `--boards`; `what` is the verb of its help, such as `show`."""
    option_group(parser, "input").add_argument(
        "--boards",
        type=board_numbers,
        metavar="N,A-B",
        help=f"{what} the boards with these numbers",
    )


def add_order(parser: argparse.ArgumentParser) -> None:
    """Add the options that sort and number boards."""
    group = option_group(parser, "boards")
    group.add_argument(
        "--sort",
        choices=("number", "deal"),
        help="write the boards in the order of their numbers, or of the numbers of their deals",
    )
    group.add_argument(
        "--renumber",
        nargs="?",
        type=_first_number,
        const=1,
        metavar="K",
        help="number the boards K, K+1, … (default: from 1); dealer and vulnerability stay if the "
        "board has them as tags",
    )
    group.add_argument(
        "--by-number",
        action="store_true",
        help="set dealer and vulnerability by the board number",
    )


def chosen_ends(args: argparse.Namespace) -> tuple[tuple[int, int], ...]:
    """Return the first and last number of each range of `--boards`."""
    return tuple((some[0], some[-1]) for some in args.boards or ())


def board_numbers(text: str) -> list[range]:
    """Read board numbers such as 3,5-7, for argparse."""
    ranges = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise argparse.ArgumentTypeError(f"{part!r} is no board number, nor several as in 5-7")
        low, high = int(first), int(last if dash else first)
        if low > high:
            raise argparse.ArgumentTypeError(f"{part!r} has the greater number first")
        ranges.append(range(low, high + 1))
    return ranges


def _first_number(text: str) -> int:
    """Read the number of the first board, for argparse."""
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < _MOST_NUMBER):
        raise argparse.ArgumentTypeError(
            f"expected the number of the first board, as in --renumber 17, not {text!r}"
        )
    return int(text)


class ChosenBoards:
    """A filter for the boards of `--boards`; without the option, all boards.

    >>> chosen = ChosenBoards(board_numbers("2,7"))
    >>> [board.number for board in chosen.of(Board.make(None, number=n) for n in (1, 2, 3))]
    [2]
    >>> list(chosen.missing())
    ['no board 7: there are 1-3']
    """

    def __init__(self, asked: Sequence[range] | None) -> None:
        self._asked = asked
        self._there: set[int] = set()

    def of(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Yield the chosen boards."""
        if self._asked is None:
            yield from boards
            return
        for board in boards:
            number = board.number
            if number is not None:
                self._there.add(number)
                if any(number in some for some in self._asked):
                    yield board

    def missing(self) -> Iterator[str]:
        """Yield a line for each range of `--boards` without any board, after all boards."""
        for some in self._asked or ():
            if not any(number in some for number in self._there):
                asked = f"{some[0]}-{some[-1]}" if len(some) > 1 else f"{some[0]}"
                yield f"no board {asked}: {list_numbers(self._there)}"

    def report_missing(self, files: Sequence[str], problems: Problems) -> None:
        """Report the lines of `missing` as problems of the files; none is the standard input."""
        source = ", ".join(map(name_of, files or ["-"]))
        for line in self.missing():
            problems.report(source, None, line)


def list_numbers(numbers: Iterable[int]) -> str:
    """Return a list of board numbers, such as `there are 1-8, 12`.

    >>> list_numbers([12, 1, 2, 3, 2])
    'there are 1-3, 12'
    """
    told = runs_of(numbers)
    if len(told) > _MOST_RUNS:
        told = [*told[:_MOST_RUNS], f"... {told[-1]}"]
    return f"there are {', '.join(told)}" if told else "there are no boards with numbers"


def runs_of(numbers: Iterable[int]) -> list[str]:
    """Return the runs of numbers in order, such as `1-8` and `12`."""
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return [f"{first}-{last}" if last > first else f"{first}" for first, last in runs]


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


class Renumbered:
    """Gives boards other numbers, and dealers and vulnerabilities by their numbers."""

    def __init__(self, first: int | None, *, by_number: bool) -> None:
        self._first = first
        self._by_number = by_number
        self._kept = self._other_dealer = self._unnumbered = 0

    def of(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Yield the boards with new tags."""
        for index, board in enumerate(boards):
            number = board.number if self._first is None else self._first + index
            self._unnumbered += number is None
            yield board if number is None else self._numbered(board, number)

    def _numbered(self, board: Board, number: int) -> Board:
        """Return a board with a number."""
        dealer, vulnerable = dealer_of_board(number), Vulnerability.of_board(number)
        tags = {} if self._first is None else {"Board": str(number)}
        if self._by_number:
            tags |= {"Dealer": dealer.letter, "Vulnerable": vulnerable.value}
            try:
                auction = auction_of(board)
            except PavError:
                auction = None
            self._other_dealer += auction is not None and auction.dealer is not dealer
        made = board.with_tags(tags) if tags else board
        self._kept += (made.dealer, made.vulnerable) != (dealer, vulnerable)
        return made

    def tell(self) -> None:
        """Print what no longer agrees."""
        if self._kept and not self._by_number:
            have = "has" if self._kept == 1 else "have"
            complain(
                f"{many(self._kept, 'board')} {have} another dealer or vulnerability than the new "
                "number gives; --by-number changes them"
            )
        if self._unnumbered and self._by_number:
            have = "has" if self._unnumbered == 1 else "have"
            complain(f"{many(self._unnumbered, 'board')} {have} no number: --renumber gives one")
        if self._other_dealer:
            begin = "has an auction" if self._other_dealer == 1 else "have auctions"
            complain(f"{many(self._other_dealer, 'board')} {begin} that another seat begins")
