"""Functions shared by the formats of clubs and dealing machines: deals, board numbers, and frames.

Such a file holds only deals. Only CSV has dealer and vulnerability; in other files they follow from
the board number, and are unknown without one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.cards import HAND_SIZE
from pavcodec.codes.card_codes import CARD_CODES
from pavcodec.errors import LayoutError, PavError, ReadError, RecordError, TextError
from pavcodec.formats.plain.texts import shorten
from pavcodec.layout import Deal, Layout
from pavcodec.layout.layout import describe_sizes
from pavcodec.records.files import split_records

if TYPE_CHECKING:
    from pavcodec.records.frames import Frame

__all__ = [
    "CODES",
    "BoardNumbers",
    "deal_of_code",
    "deal_of_hands",
    "deals_of",
    "frame",
    "read_frames",
    "report",
    "tagged",
    "tell_differences",
]

CODES = {code.name: code for code in CARD_CODES}
"""The texts of deals by name, as in `pavcodec.codes.card_codes`."""


def frame(name: str) -> Frame:
    """Return the places of the fields of a record by its name; this loads construct."""
    from pavcodec.records.frames import FRAMES

    return FRAMES[name]


def deal_of_code(name: str, text: str, *, board: int | None = None) -> Deal:
    """Return the deal of a text in a code; raise `PavError` with the text if it has no deal."""
    try:
        return CODES[name].parse(text, board=board)
    except TextError as error:
        raise PavError(error.message) from None
    except LayoutError as error:
        raise LayoutError(f"{error}: {shorten(text)}") from None


def deal_of_hands(hands: Iterable[str]) -> Deal:
    """Return the deal of four hands N E S W of PBN; raise `PavError` for hands that are no deal.

    >>> deal_of_hands(["AKQJT98765432...", ".AKQJT98765432..", "..AKQJT98765432.", "..."])["E"].hcp
    Traceback (most recent call last):
    ...
    pavcodec.errors.PavError: a deal has 13 cards in each hand; here N holds 13, E 13, S 13, W 0
    """
    try:
        return Deal.from_pbn(f"N:{' '.join(hands)}", lenient=True)
    except TextError as error:
        raise PavError(error.message) from None
    except LayoutError as error:
        raise PavError(str(error)) from None


def tagged(deal: Deal, number: int | None, *, line: int | None = None) -> Board:
    """Return a deal as a board, with a number if there is one."""
    return Board(deal, Board.make(deal, number=number or None).entries, line=line)


def report(context: Context, board: Board, reason: str) -> None:
    """Report a board that cannot be written, with its cards."""
    context.problem(board.line, f"{reason}: '{board.layout}'", board.tags.get("Board"))


def deals_of(boards: Iterable[Board], context: Context) -> Iterator[tuple[Board, Deal]]:
    """Yield the boards that are deals; boards with other cards are problems."""
    for board in boards:
        layout = board.layout
        if layout is None:
            continue
        if layout.is_deal:
            yield board, Deal.unchecked(layout.owners)
        else:
            report(context, board, not_a_deal(layout))


def not_a_deal(layout: Layout) -> str:
    """Return why a layout is no deal."""
    return f"a deal has {HAND_SIZE} cards in each hand; {describe_sizes(layout)}"


class BoardNumbers:
    """The numbers of boards in a file: their own, or the next number for boards without one.

    `keeps_rules`: the file also holds dealer and vulnerability. `most`: the greatest number of the
    format. `in_turn`: each number is one more than the previous number. `upwards`: each is greater.
    """

    def __init__(
        self,
        name: str,
        most: int,
        *,
        in_turn: bool = False,
        upwards: bool = False,
        keeps_rules: bool = False,
    ) -> None:
        self._name, self._most = name, most
        self._keeps_rules = keeps_rules
        self._in_turn, self._upwards = in_turn, upwards
        self._last: int | None = None

    def of(self, board: Board) -> int:
        """Return the number of the next board; raise `PavError` if the file cannot hold it."""
        text = board.tags.get("Board", "")
        number = board.number
        if number is None:
            if text not in ("", "?"):
                raise PavError(f"{self._name} numbers boards 1 to {self._most}, not {text!r}")
            number = (self._last or 0) + 1
        if number > self._most:
            raise PavError(f"{self._name} numbers boards 1 to {self._most}, not {number}")
        if self._last is not None:
            self._follows(self._last, number)
        self._last = number
        return number

    def _follows(self, last: int, number: int) -> None:
        """Raise `PavError` for a number that cannot follow another."""
        if self._in_turn and number != last + 1:
            rule = f"after board {last} comes {last + 1}, without gaps"
        elif self._upwards and number <= last:
            rule = f"after board {last} come greater numbers"
        else:
            return
        raise PavError(f"in {self._name} {rule}, not {number}")

    def numbered(
        self, boards: Iterable[Board], context: Context
    ) -> Iterator[tuple[Board, Deal, int]]:
        """Yield the deals among boards with their numbers; other boards are problems."""
        for board, deal in deals_of(boards, context):
            try:
                number = self.of(board)
            except PavError as error:
                report(context, board, str(error))
            else:
                tell_differences(board, number, context, keeps_rules=self._keeps_rules)
                yield board, deal, number


def tell_differences(
    board: Board, number: int | None, context: Context, *, keeps_rules: bool = False
) -> None:
    """Call `context.differ` for parts of a board that do not follow from its number in the file."""
    if number != board.number:
        context.differ("number")
    if not keeps_rules:
        rules = Board.make(None, number=number)
        if board.dealer not in (None, rules.dealer):
            context.differ("dealer")
        if board.vulnerable not in (None, rules.vulnerable):
            context.differ("vulnerability")


def read_frames(
    name: str,
    stream: BinaryIO,
    context: Context,
    board_of: Callable[[int, dict[str, Any]], Board],
    *,
    begin: int = 0,
) -> Iterator[Board]:
    """Yield a board for each frame of a stream, by its index and its parts.

    A frame for which `board_of` raises `PavError`, or that is cut off, is a problem with its index
    from 0 and the offset of its first byte; the first frame starts at `begin`.
    """
    shape = frame(name)

    def report(error: RecordError) -> None:
        index = error.index or 0
        context.problem(None, str(error.at(index, begin + index * shape.size)))

    for index, data in split_records(shape, stream, report):
        try:
            board = board_of(index, shape.parts(data))
        except ReadError:  # strict reading stops at a problem
            raise
        except PavError as error:
            report(RecordError(name, str(error), index))
        else:
            yield board
