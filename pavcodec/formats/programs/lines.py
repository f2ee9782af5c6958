"""The output of programs that deal, several lines a deal: `dealer`, and tests of the solver DDS."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO

from pavcodec.boards.board import Board, Context, Tag, Vulnerability
from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, Seat, Strain, Suit
from pavcodec.errors import PavError, ReadError
from pavcodec.files.text import first_control, lines
from pavcodec.formats.plain.lines import (
    DEALER_REPORT,
    STRAINS,
    deal_of,
    deal_of_hands,
    layout_of,
    named_hands,
    reason_of,
    tell_differences,
    write_each,
)
from pavcodec.formats.plain.texts import numbered_lines, shorten
from pavcodec.layout import TrickTable
from pavcodec.layout.layout import layout_from_owners
from pavcodec.layout.notation import parse_owners

# Deals as the classic dealer program prints them in several lines: `printcompact`, `printall`.
#
# `printcompact` has a hand on a line, `n S.H.D.C` and so on. `printall` has a line with the number
# of the deal, four lines for the suits, each with the holdings of N E S W in columns of 20, the
# ranks with blanks behind them and `-` for a void, and an empty line. A holding of more than ten
# cards moves the later holdings to the right. Then there is no blank between South's and West's
# holding: the other suits determine where West's begins, as West has 13 cards. The reader skips the
# title and the row of headings that some versions print. DealerV2 prints the headings after the
# number, and five blanks before each line of holdings.


_NAMED_HAND = re.compile(r"(?i:([nesw]) +([AKQJT98765432]*(?:\.[AKQJT98765432]*){3}))")
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
        entries = Board.make(layout, number=int(self.number or 0) or None).entries
        yield Board(layout, entries, line=self.line)

    def report_end(self, context: Context, parts: str) -> None:
        """Report that the deal is not whole."""
        reason = f"the deal ends after {len(self.parts)} of 4 {parts}"
        context.problem(self.line, reason, self.number)


def read_compact(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each four hands N E S W."""
    deal: _Parts | None = None
    is_lost = False  # after damage, up to the next hand of North
    for line, text in numbered_lines(stream, context):
        hand = _NAMED_HAND.fullmatch(text)
        seat = hand[1].upper() if hand else ""
        if deal is not None and seat != SEAT_LETTERS[len(deal.parts)]:
            wanted = SEAT_LETTERS[len(deal.parts)].lower()
            context.problem(line, f"expected the hand '{wanted} S.H.D.C': {shorten(text)}")
            deal, is_lost = None, True
        elif hand is None and not DEALER_REPORT.fullmatch(text):
            context.problem(line, f"expected a hand 'n S.H.D.C': {shorten(text)}")
        elif deal is None and seat not in ("", SEAT_LETTERS[0]) and not is_lost:
            context.problem(line, f"expected a deal to begin with 'n': {shorten(text)}")
            is_lost = True
        if hand is None:
            continue
        if seat == SEAT_LETTERS[0]:
            deal, is_lost = _Parts(line), False
        if deal is not None:
            deal.parts.append([hand[2]])
            if len(deal.parts) == len(SEAT_LETTERS):
                yield from deal.board((holdings for (holdings,) in deal.parts), context)
                deal = None
    if deal is not None:
        deal.report_end(context, "hands")


def write_compact(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write four lines for each deal, and return how many."""
    return write_each(boards, stream, context, lambda board: named_hands(board, "\n"))


def read_printall(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each number with four lines of suits."""
    deal: _Parts | None = None
    is_lost = False  # after damage, up to the next number
    for line, text in lines(stream):
        number = _NUMBER.fullmatch(text)
        if deal is not None and deal.parts and (number is not None or not text.strip()):
            deal.report_end(context, "suits")
            deal, is_lost = None, True
        if number is not None:
            deal, is_lost = _Parts(line, number[1]), False
            continue
        if _is_passed_over(text) or is_lost:
            continue
        row = _ROW.fullmatch(f"{text.removeprefix(_INDENT).rstrip()} ")
        if deal is None or row is None:
            expected = "the number of a deal" if deal is None else "four holdings in columns of 20"
            told = None if deal is None else deal.number
            context.problem(line, f"expected {expected}: {shorten(text)}", told)
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
        deal = deal_of(board)
        done += 1
        rows = [_row([hand.suit(suit) for hand in deal]) for suit in Suit]
        tell_differences(board, board.number or done, context)
        return f"{board.number or done:4}.\n" + "".join(f"{row}\n" for row in rows) + "\n"

    return write_each(boards, stream, context, text_of)


def _row(holdings: list[str]) -> str:
    """Return a line of holdings; the last column has the width of its text."""
    *first, last = ("".join(f"{rank} " for rank in ranks) or "- " for ranks in holdings)
    return "".join(f"{cell:<{_COLUMN}}" for cell in first) + last


# Lists of deals for the tests of the double-dummy solver DDS.
#
# The first line is `NUMBER n`. A deal is a line `PBN dealer vulnerable trump first "N:..."` and
# lines with the expected results: `TABLE` are the tricks of the 20 contracts, S H D C NT, and in
# each N E S W. PBN has no place for the other lines; they are stored as tags, `DdsFut` and so on.
# Trump and first are the strain and the leader of the lines `FUT` and `PLAY`, also stored as tags.


_PBN = re.compile(r'PBN +([0-3]) +([0-3]) +([0-4]) +([0-3]) +"([^"]*)"')
_NUMBER_WORD = re.compile(r"NUMBER +([0-9]{1,9})")
_WORDS = ("FUT", "TABLE", "PAR", "PAR2", "PLAY", "TRACE")
"""The lines that may follow a deal, in order."""
_TABLE = "TABLE"
_TRICKS = re.compile("[0-9]|1[0-3]")
_TRUMP, _FIRST = "DdsTrump", "DdsFirst"
_VULNERABLE = (Vulnerability.NONE, Vulnerability.ALL, Vulnerability.NS, Vulnerability.EW)


def read_dds(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each deal, with its tricks and tags."""
    board: Board | None = None
    told, deals = 0, 0
    for line, text in numbered_lines(stream, context):
        word, _, rest = text.partition(" ")
        if word == "PBN":
            if board is not None:
                yield board
            board = _dds_board(text, line, context)
            deals += 1
        elif word in _WORDS:
            if board is not None:
                board = _with_row(board, word, rest.strip(), line, context)
        elif number := _NUMBER_WORD.fullmatch(text):
            told += int(number[1])
        else:
            expected = ", ".join(("NUMBER", "PBN", *_WORDS))
            context.problem(line, f"expected one of {expected}: {shorten(text)}")
    if board is not None:
        yield board
    if told and told != deals:
        context.problem(None, f"NUMBER is {told}, and there are {deals} deals")


def _dds_board(text: str, line: int, context: Context) -> Board | None:
    """Return the board of a line; report a wrong line and return None."""
    parts = _PBN.fullmatch(text)
    try:
        if parts is None:
            raise ReadError(
                "expected PBN, dealer, vulnerability, trump and first, and a deal text in quotes"
            )
        layout = layout_from_owners(parse_owners(parts[5], lenient=not context.strict))
    except PavError as error:
        context.problem(line, f"{reason_of(error)}: {shorten(text)}")
        return None
    dealer, vulnerable = Seat(int(parts[1])), _VULNERABLE[int(parts[2])]
    tags = {_TRUMP: parts[3], _FIRST: parts[4]}
    entries = Board.make(layout, dealer=dealer, vulnerable=vulnerable, tags=tags).entries
    return Board(layout, entries, line=line)


def _with_row(board: Board, word: str, text: str, line: int, context: Context) -> Board:
    """Return the board with the values of a line; report a wrong line and return the board."""
    entries: tuple[Tag, ...] = (Tag(_tag_name(word), text),)
    if word == _TABLE:
        numbers = text.split()
        if len(numbers) != len(Seat) * len(Strain) or not all(map(_TRICKS.fullmatch, numbers)):
            context.problem(line, f"expected 20 numbers from 0 to {HAND_SIZE}: {shorten(text)}")
            return board
        rows = {s: numbers[4 * i : 4 * i + 4] for i, s in enumerate(STRAINS)}
        tricks = TrickTable(bytes(int(taken) for strain in Strain for taken in rows[strain]))
        entries = Board.solved(None, tricks).entries
    return Board(board.layout, (*board.entries, *entries), line=board.line)


def _tag_name(word: str) -> str:
    return f"Dds{word.title()}"


def write_dds(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write the number of the boards that have cards, and these boards; return the number."""
    deals = BytesIO()
    written = write_each(boards, deals, context, _dds_text)
    if written:
        stream.write(f"NUMBER {written} \n".encode())
        stream.write(deals.getvalue())
    return written


def _dds_text(board: Board) -> str:
    dealer, vulnerable = board.dealer, board.vulnerable
    if dealer is None or vulnerable is None:
        raise ReadError("the list needs a dealer and a vulnerability")
    trump, first = board.tags.get(_TRUMP, "0"), board.tags.get(_FIRST, str(int(dealer)))
    numbers = f"{int(dealer)} {_VULNERABLE.index(vulnerable)} {trump} {first}"
    text = f'PBN {numbers} "{layout_of(board).to_pbn(dealer)}"'
    if not _PBN.fullmatch(text):
        raise ReadError(f"{_TRUMP} is 0 to 4 and {_FIRST} 0 to 3, not {trump!r} and {first!r}")
    others = (word for word in _WORDS if word != _TABLE)
    rows = {word: board.tags[_tag_name(word)] for word in others if _tag_name(word) in board.tags}
    if board.tricks is not None:
        tricks = board.tricks
        rows[_TABLE] = " ".join(str(tricks[seat, s]) for s in STRAINS for seat in Seat)
    for word, row in rows.items():
        if "\n" in row or first_control(row.encode()) is not None:
            raise ReadError(f"the tag {_tag_name(word)} is more than a line: {shorten(row)}")
    lines = [text, *(f"{word} {rows[word]}" for word in _WORDS if word in rows)]
    return "".join(f"{line} \n" for line in lines)
