"""The options that choose, sort and number boards."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from pavcodec.boards import Board, Vulnerability
from pavcodec.boards.board import dealer_of_board
from pavcodec.boards.play import auction_of
from pavcodec.chances.figures import many
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError
from pavcodec.questions.inputs import board_numbers

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


def _first_number(text: str) -> int:
    """Read the number of the first board, for argparse."""
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < _MOST_NUMBER):
        raise argparse.ArgumentTypeError(
            f"expected the number of the first board, as in --renumber 17, not {text!r}"
        )
    return int(text)


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
