"""Deals as the classic dealer program prints them in several lines: `printcompact`, `printall`.

`printcompact` has a hand on a line, `n S.H.D.C` and so on. `printall` has a line with the number of
the deal, four lines for the suits, each with the holdings of N E S W in columns of 20, the ranks
with blanks behind them and `-` for a void, and an empty line. A holding of more than ten cards
moves the later holdings to the right. Then there is no blank between South's and West's holding:
the other suits determine where West's begins, as West has 13 cards. The reader skips the title and
the row of headings that some versions print. DealerV2 prints the headings after the number, and
five blanks before each line of holdings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, Suit
from pavcodec.errors import PavError
from pavcodec.files.text import lines
from pavcodec.formats.clubs.boards import tell_differences
from pavcodec.formats.plain.texts import numbered_lines, shorten
from pavcodec.formats.programs.deal_lines import (
    DEALER_REPORT,
    deal_of_hands,
    hands_of,
    layout_of,
    reason_of,
    write_each,
)

__all__ = [
    "read_compact",
    "read_printall",
    "write_compact",
    "write_printall",
]

_HAND = re.compile(r"(?i:([nesw]) +([AKQJT98765432]*(?:\.[AKQJT98765432]*){3}))")
_NUMBER = re.compile(r" *([0-9]{1,9})\.\s*(?:North\s+East\s+South\s+West\s*)?")
_INDENT = " " * 5
"""The blanks before the holdings in DealerV2, whose headings are in the line of the number."""
_TITLE = re.compile(r"\[.*\]")
_SLOTS = 10
_COLUMN = 2 * _SLOTS
_RANKS = "(?:[AKQJT98765432] )"
_SHORT = "|".join(f"{_RANKS}{{{n}}} {{{_COLUMN - 2 * n}}}" for n in range(1, _SLOTS))
_PADDED = f"- {{{_COLUMN - 1}}}|{_SHORT}"
_CELL = f"({_PADDED}|{_RANKS}{{{_SLOTS},13}})"
_ROW = re.compile(
    f"{_CELL}{_CELL}(?:({_PADDED})(- |{_RANKS}{{1,13}})|({_RANKS}{{{_SLOTS},13}})(- )?)"
)
_JOINED = "+"
"""The mark for a holding of West that is joined with that of South."""
_HEADS = re.compile(r"\s*North\s+East\s+South\s+West\s*", re.IGNORECASE)


@dataclass
class _Parts:
    """The parts of a deal that were read so far, and where it began."""

    line: int = 0
    number: str | None = None
    parts: list[list[str]] = field(default_factory=list)

    def board(self, hands: Iterable[str], context: Context) -> Iterator[Board]:
        """Yield the board of four hands N E S W; report hands that are no deal."""
        texts = list(hands)
        try:
            layout = deal_of_hands(texts)
        except PavError as error:
            reason = f"{reason_of(error)}: {shorten(' '.join(texts))}"
            context.problem(self.line, reason, self.number)
            return
        made = Board.make(layout, number=int(self.number or 0) or None)
        yield Board(layout, made.entries, line=self.line)

    def report_end(self, context: Context, parts: str) -> None:
        """Report that the deal is not whole."""
        reason = f"the deal ends after {len(self.parts)} of 4 {parts}"
        context.problem(self.line, reason, self.number)


def read_compact(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each four hands N E S W."""
    deal: _Parts | None = None
    is_lost = False  # after damage, up to the next hand of North
    for line, text in numbered_lines(stream, context):
        found = _HAND.fullmatch(text)
        seat = found[1].upper() if found else ""
        if deal is not None and seat != SEAT_LETTERS[len(deal.parts)]:
            wanted = SEAT_LETTERS[len(deal.parts)].lower()
            context.problem(line, f"expected the hand '{wanted} S.H.D.C': {shorten(text)}")
            deal, is_lost = None, True
        elif found is None and not DEALER_REPORT.fullmatch(text):
            context.problem(line, f"expected a hand 'n S.H.D.C': {shorten(text)}")
        elif deal is None and seat not in ("", SEAT_LETTERS[0]) and not is_lost:
            context.problem(line, f"expected a deal to begin with 'n': {shorten(text)}")
            is_lost = True
        if found is None:
            continue
        if seat == SEAT_LETTERS[0]:
            deal, is_lost = _Parts(line), False
        if deal is not None:
            deal.parts.append([found[2]])
            if len(deal.parts) == len(SEAT_LETTERS):
                yield from deal.board((hand for (hand,) in deal.parts), context)
                deal = None
    if deal is not None:
        deal.report_end(context, "hands")


def write_compact(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write four lines for each deal, and return how many."""

    def text_of(board: Board) -> str:
        return "".join(
            f"{seat} {hand}\n" for seat, hand in zip("nesw", hands_of(board), strict=True)
        )

    return write_each(boards, stream, context, text_of)


def read_printall(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each number with four lines of suits."""
    deal: _Parts | None = None
    is_lost = False  # after damage, up to the next number
    for line, text in lines(stream):
        found = _NUMBER.fullmatch(text)
        if deal is not None and deal.parts and (found is not None or not text.strip()):
            deal.report_end(context, "suits")
            deal, is_lost = None, True
        if found is not None:
            deal, is_lost = _Parts(line, found[1]), False
            continue
        if _is_passed_over(text) or is_lost:
            continue
        row = _ROW.fullmatch(f"{text.removeprefix(_INDENT).rstrip()} ")
        if deal is None or row is None:
            expected = "the number of a deal" if deal is None else "four holdings in columns of 20"
            number = None if deal is None else deal.number
            context.problem(line, f"expected {expected}: {shorten(text)}", number)
            deal, is_lost = None, True
            continue
        deal.parts.append(_holdings(row))
        if len(deal.parts) == len(Suit):
            yield from deal.board(_hands(deal.parts), context)
            deal = None
    if deal is not None:
        deal.report_end(context, "suits")


def _holdings(row: re.Match[str]) -> list[str]:
    """Return the holdings of a suit, N E S W; those of S and W may be joined."""
    north, east, south, west, long, dash = (
        (cell or "").replace(" ", "").replace("-", "") for cell in row.groups()
    )
    if not row[5]:
        return [north, east, south, west]
    return [north, east, long, dash if row[6] else _JOINED]


def _hands(rows: list[list[str]]) -> list[str]:
    """Return the hands of four suits, with the holdings of S and W taken apart."""
    others = sum(len(west) for *_, west in rows if west != _JOINED)
    for row in rows:
        if row[3] == _JOINED:
            joined = row[2]
            begin = max(0, len(joined) - (HAND_SIZE - others))
            row[2:] = [joined[:begin], joined[begin:]]
    return [".".join(suits) for suits in zip(*rows, strict=True)]


def _is_passed_over(text: str) -> bool:
    """Return whether a line is blank, a heading, a title or a report of dealer."""
    text = text.strip()
    is_title = not text or text.isalpha() or _TITLE.fullmatch(text) is not None
    return is_title or any(words.fullmatch(text) for words in (DEALER_REPORT, _HEADS))


def write_printall(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a number and four lines for each deal, and return how many."""
    done = 0

    def text_of(board: Board) -> str:
        nonlocal done
        hands_of(board)  # which raises `PavError` unless it is a deal
        done += 1
        rows = [_row([hand.suit(suit) for hand in layout_of(board)]) for suit in Suit]
        tell_differences(board, board.number or done, context)
        return f"{board.number or done:4}.\n" + "".join(f"{row}\n" for row in rows) + "\n"

    return write_each(boards, stream, context, text_of)


def _row(holdings: list[str]) -> str:
    """Return a line of holdings; the last column has the width of its text."""
    *first, last = ("".join(f"{rank} " for rank in ranks) or "- " for ranks in holdings)
    return "".join(f"{cell:<{_COLUMN}}" for cell in first) + last
