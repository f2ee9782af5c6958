"""Formats of one board a line: a row of `LINE_FORMATS` each, one loop that reads, one that writes.

A row has the function from a line to a board, and that from a board to a line. Many of these
formats are the output of programs that deal. Their readers join the hands to a deal text, so the
rules for hands are those of PBN.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, TypeAlias

from pavcodec.boards.board import (
    Board,
    Context,
    Ranks,
    Tag,
    Vulnerability,
    dealer_of_board,
)
from pavcodec.boards.tricks import RESULT_TABLE, RESULT_TABLE_COLUMNS, format_results
from pavcodec.cards import HAND_SIZE, Seat, Strain
from pavcodec.codes import code
from pavcodec.errors import LayoutError, PavError, ReadError, TextError
from pavcodec.files.text import lines
from pavcodec.formats.plain.texts import BARE_HANDS, is_text, parse_number, shorten
from pavcodec.layout import Deal, Layout, TrickTable
from pavcodec.layout.layout import describe_sizes, layout_from_owners
from pavcodec.layout.notation import parse_owners

BoardOf: TypeAlias = Callable[[str, int], Board | None]
"""Returns the board of a text and of the number of its line; None for a remark.

Raises `PavError` for other texts.
"""
TextOf: TypeAlias = Callable[[Board], str]
"""Returns the line of a board that has cards; raises `PavError` for a board that does not fit."""


@dataclass(frozen=True)
class LineFormat:
    """Reads and writes boards, one a line."""

    reader: Callable[[Context], BoardOf]
    writer: Callable[[Context], TextOf]
    ends: str | None = ""
    """The characters that are left out at both ends of a line; None for all blanks."""
    holds: str = "deal"
    """What a line holds, for messages; empty if a line with control characters is read, too."""
    tells_text: bool = True
    """Whether the problem of a line has its text."""
    has_long_remarks: bool = False
    """Whether remarks in braces may be several lines long."""


def read_lines(stream: BinaryIO, context: Context, *, name: str) -> Iterator[Board]:
    """Yield a board for each line of the format of a name; lines without one are problems."""
    return boards_of_lines(lines(stream), context, name)


def boards_of_lines(
    numbered: Iterable[tuple[int, str]], context: Context, name: str
) -> Iterator[Board]:
    """Yield the boards of some lines, each with its number."""
    kind = LINE_FORMATS[name]
    board_of = kind.reader(context)
    if kind.has_long_remarks:
        numbered = _without_remarks(numbered, context)
    for number, line in numbered:
        if is_skipped(line, name):
            continue
        if is_end(line, name):
            context.problem(number, f"this is not text: expected one {kind.holds} a line")
            return
        text = line.strip(kind.ends)
        try:
            board = board_of(text, number)
        except PavError as error:
            reason = reason_of(error)
            context.problem(number, f"{reason}: {shorten(text)}" if kind.tells_text else reason)
        else:
            if board is not None:
                yield board


def is_skipped(line: str, name: str) -> bool:
    """Return whether a line is blank, or a remark."""
    kind = LINE_FORMATS[name]
    text = line.strip(kind.ends or None)
    return not text or (bool(kind.holds) and text.startswith("#"))


def is_end(line: str, name: str) -> bool:
    """Return whether reading ends at a line, because it is no text; a remark may hold anything."""
    return bool(LINE_FORMATS[name].holds) and not is_text(line) and not is_skipped(line, name)


def write_lines(boards: Iterable[Board], stream: BinaryIO, context: Context, *, name: str) -> int:
    """Write a line for each board that has cards, and return how many."""
    text_of = LINE_FORMATS[name].writer(context)
    return write_each(boards, stream, context, lambda board: f"{text_of(board)}\n")


def write_each(boards: Iterable[Board], stream: BinaryIO, context: Context, text_of: TextOf) -> int:
    """Write the text of each board that has cards; one that cannot be written is a problem."""
    written = 0
    for board in boards:
        if board.layout is None:
            continue
        try:
            text = text_of(board)
        except PavError as error:
            report(context, board, str(error))
            continue
        stream.write(text.encode())
        written += 1
    return written


def report(context: Context, board: Board, reason: str) -> None:
    """Report a board that cannot be written, with its cards."""
    context.problem(board.line, f"{reason}: '{board.layout}'", board.tags.get("Board"))


_REMARK = re.compile(r"\{[^{}]*\}")


def _without_remarks(
    numbered: Iterable[tuple[int, str]], context: Context
) -> Iterator[tuple[int, str]]:
    """Yield lines without the remarks in braces, which may be several lines long."""
    opened = 0
    for number, line in numbered:
        text = line
        if opened:
            _, brace, text = line.partition("}")
            if not brace:
                continue
            opened = 0
        text = _REMARK.sub("", text)
        if "{" in text:
            text, opened = text[: text.index("{")], number
        yield number, text
    if opened:
        context.problem(opened, "the remark opened by '{' here is not closed")


# Hands, deals and board numbers, as many formats of lines and of records have them.


def reason_of(error: PavError) -> str:
    """Return the message of an error, without the text of a `TextError`."""
    return error.message if isinstance(error, TextError) else str(error)


def layout_of_hands(hands: Iterable[str]) -> Layout:
    """Return the layout of four hands N E S W, as deal texts have them; raise `TextError`."""
    return layout_from_owners(parse_owners(f"N:{' '.join(hands)}", lenient=True))


def deal_of_hands(hands: Iterable[str]) -> Deal:
    """Return the deal of four hands N E S W; raise `PavError` for another layout.

    >>> deal_of_hands(["AKQJT98765432...", ".AKQJT98765432..", "..AKQJT98765432.", "..."])["E"].hcp
    Traceback (most recent call last):
    ...
    pavcodec.errors.LayoutError: a deal has 13 cards in each hand; here N holds 13, E 13, S 13, W 0
    """
    return _full(layout_of_hands(hands))


def _full(layout: Layout) -> Deal:
    if not layout.is_deal:
        raise LayoutError(f"a deal has {HAND_SIZE} cards in each hand; {describe_sizes(layout)}")
    return Deal.unchecked(layout.owners)


def deal_of(board: Board) -> Deal:
    """Return the cards of a board; raise `PavError` if they are no deal."""
    return _full(layout_of(board))


def hands_of(board: Board) -> list[str]:
    """Return the hands of a deal, N E S W, with dots; raise `PavError` unless they are full."""
    return deal_of(board).to_pbn()[2:].split(" ")


def layout_of(board: Board) -> Layout:
    """Return the cards of a board that has any."""
    assert board.layout is not None, "boards without cards were left out"
    return board.layout


def named_hands(board: Board, end: str) -> str:
    """Return the hands of a deal, each behind its seat, as dealer prints them."""
    hands = zip("nesw", hands_of(board), strict=True)
    return "".join(f"{seat} {hand}{end}" for seat, hand in hands)


class BoardNumbers:
    """The numbers of boards in a file: their own, or the next number for boards without one.

    `keeps_rules`: the file also holds dealer and vulnerability. `most`: the greatest number of the
    format. `in_turn`: each number is one more than the previous number. `upwards`: each is greater.
    """

    def __init__(  # noqa: PLR0913 (what a format asks of its numbers, each by its name)
        self,
        name: str,
        most: int,
        context: Context,
        *,
        in_turn: bool = False,
        upwards: bool = False,
        keeps_rules: bool = False,
    ) -> None:
        self._name, self._most, self._context = name, most, context
        self._keeps_rules = keeps_rules
        self._in_turn, self._upwards = in_turn, upwards
        self.last = 0
        """The number of the previous board; 0 before the first."""

    def of(self, board: Board) -> int:
        """Return the number of the next board; raise `PavError` if the file cannot hold it."""
        number = board.number
        if number is None:
            text = board.tags.get("Board", "")
            if text not in ("", "?"):
                raise PavError(f"{self._name} numbers boards 1 to {self._most}, not {text!r}")
            number = self.last + 1
        if number > self._most:
            raise PavError(f"{self._name} numbers boards 1 to {self._most}, not {number}")
        last, name = self.last, self._name
        if last and self._in_turn and number != last + 1:
            rule = f"after board {last} comes {last + 1}, without gaps"
            raise PavError(f"in {name} {rule}, not {number}")
        if last and self._upwards and number <= last:
            raise PavError(f"in {name} after board {last} come greater numbers, not {number}")
        self.last = number
        tell_differences(board, number, self._context, keeps_rules=self._keeps_rules)
        return number

    def numbered(self, boards: Iterable[Board]) -> Iterator[tuple[Board, Deal, int]]:
        """Yield the deals among boards with their numbers; other boards are problems."""
        for board, deal in deals_of(boards, self._context):
            try:
                number = self.of(board)
            except PavError as error:
                report(self._context, board, str(error))
            else:
                yield board, deal, number


def deals_of(boards: Iterable[Board], context: Context) -> Iterator[tuple[Board, Deal]]:
    """Yield the boards that are deals; boards with other cards are problems."""
    for board in boards:
        if board.layout is not None:
            try:
                deal = deal_of(board)
            except PavError as error:
                report(context, board, str(error))
            else:
                yield board, deal


def tell_differences(
    board: Board, number: int | None, context: Context, *, keeps_rules: bool = False
) -> None:
    """Call `context.differ` for parts of a board that do not follow from its number in the file."""
    if number != board.number:
        context.differ("number")
    if not keeps_rules:
        dealer, vulnerable = rules_of(number)
        if board.dealer not in (None, dealer):
            context.differ("dealer")
        if board.vulnerable not in (None, vulnerable):
            context.differ("vulnerability")


def rules_of(number: int | None) -> tuple[Seat | None, Vulnerability | None]:
    """Return the dealer and the vulnerability of a board number; None without one."""
    if number is None:
        return None, None
    return dealer_of_board(number), Vulnerability.of_board(number)


# Rows of formats whose lines hold a board and nothing that depends on other boards.


def _alone(board_of: Callable[[str], Board | None]) -> Callable[[Context], BoardOf]:
    """Return the reader of a format whose boards depend on nothing but their text."""

    def numbered(text: str, line: int) -> Board | None:
        board = board_of(text)
        return None if board is None else Board(board.layout, board.entries, line=line)

    return lambda _: numbered


DEALER_REPORT = re.compile(r"(Generated|Produced|Initial random seed|Time needed)\b.*")
"""The lines that dealer prints below the deals."""


def _printed(
    pattern: str,
    expected: str,
    board_of: Callable[[re.Match[str]], Board],
    text_of: TextOf,
    *,
    has_long_remarks: bool = False,
) -> LineFormat:
    """Return the row of a format with a pattern for lines, and an example of one for messages."""
    shape = re.compile(pattern)

    def parse(line: str) -> Board | None:
        # blanks at the ends of a line may be void suits, and may be missing
        texts = (line, line.strip(), f"{line} ")
        match = next(filter(None, map(shape.fullmatch, texts)), None)
        if match is not None:
            return board_of(match)
        if DEALER_REPORT.fullmatch(line.strip()):
            return None
        raise ReadError(f"expected {expected}")

    return LineFormat(_alone(parse), lambda _: text_of, has_long_remarks=has_long_remarks)


STRAINS = (Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS, Strain.NOTRUMP)
"""The strains in the order of programs that solve."""
_LEADERS_OF_GIB = (Seat.SOUTH, Seat.EAST, Seat.NORTH, Seat.WEST)
_CONTRACTS_OF_GIB = [(Seat((leader - 1) % 4), s) for s in Strain for leader in _LEADERS_OF_GIB]
_UNKNOWN = "-"


# Andrews' deal: digits, and hands with tricks


def _owners_of_digits(digits: str) -> bytes:
    """Return the owners of digits; a deal has the digit 0, or the digit 4."""
    first = 1 if "4" in digits else 0
    return bytes(int(digit) - first for digit in digits)


def _solved_board(line: re.Match[str]) -> Board:
    """Return a deal with tricks: for N E S W, each with S H D C NT."""
    parts = line[0].split("|")
    taken = {}
    for seat, group in zip(Seat, parts[len(Seat) :], strict=True):
        for strain, number in zip(STRAINS, group.split(), strict=True):
            if int(number) > HAND_SIZE:
                raise ReadError(f"nobody takes {number} tricks")
            taken[seat, strain] = int(number)
    return Board.solved(deal_of_hands(parts[: len(Seat)]), _table(taken))


def _table(taken: dict[tuple[Seat, Strain], int]) -> TrickTable:
    return TrickTable(bytes(taken[seat, strain] for strain in Strain for seat in Seat))


def _solved_text(board: Board) -> str:
    tricks = board.tricks
    if tricks is None:
        raise ReadError("this format needs the double-dummy tricks of each deal")
    groups = [" ".join(str(tricks[seat, strain]) for strain in STRAINS) for seat in Seat]
    return "|".join([*hands_of(board), *groups])


# GIB: hands W N E S, then the tricks of N and S by strain and leader


def _gib_board(line: re.Match[str]) -> Board:
    west, north, east, south = line["hands"].split(" ")
    layout = layout_of_hands([north, east, south, west])
    digits = line["tricks"] or _UNKNOWN * len(_CONTRACTS_OF_GIB)
    taken = {
        contract: _taken(layout, contract[0], digit)
        for contract, digit in zip(_CONTRACTS_OF_GIB, digits, strict=True)
        if digit != _UNKNOWN
    }
    if len(taken) == len(_CONTRACTS_OF_GIB):
        return Board.solved(layout, _table(taken))
    return Board(
        layout, (Tag(RESULT_TABLE, RESULT_TABLE_COLUMNS, format_results(taken)),) if taken else ()
    )


def _taken(layout: Layout, declarer: Seat, digit: str) -> int:
    """Return the tricks of a declarer, from a digit for the tricks of North and South."""
    most, ours = _tricks_of(layout), int(digit, 16)
    if ours > most:
        raise ReadError(f"the digit {digit} is more than the {most} tricks there are")
    return ours if declarer % 2 == 0 else most - ours


def _tricks_of(layout: Layout) -> int:
    """Return how many tricks are played; raise `ReadError` for hands that are not equally long."""
    if len(set(layout.sizes)) > 1:
        raise ReadError(f"only hands of equal lengths have tricks; {describe_sizes(layout)}")
    return layout.sizes[0]


def _gib_text(board: Board) -> str:
    layout, tricks = layout_of(board), board.tricks
    north, east, south, west = (hand.to_pbn().replace(_UNKNOWN, "...") for hand in layout)
    digits = _UNKNOWN * len(_CONTRACTS_OF_GIB)
    if tricks is not None:
        digits = "".join(_gib_digit(layout, tricks, *contract) for contract in _CONTRACTS_OF_GIB)
    return f"{west} {north} {east} {south}:{digits}"


def _gib_digit(layout: Layout, tricks: TrickTable, declarer: Seat, strain: Strain) -> str:
    most, taken = _tricks_of(layout), tricks[declarer, strain]
    if taken > most:
        raise ReadError(f"{taken} tricks are given for hands with {most} cards")
    return f"{taken if declarer % 2 == 0 else most - taken:X}"


# Deal texts and numbers.


def _deal_texts(context: Context) -> BoardOf:
    """Return the reader of deal texts; four hands may have no seat before them."""
    is_lenient = not context.strict

    def board_of(text: str, line: int) -> Board:
        deal = f"N:{text}" if is_lenient and BARE_HANDS.fullmatch(text) else text
        return Board(layout_from_owners(parse_owners(deal, lenient=is_lenient)), line=line)

    return board_of


def _numbering(context: Context) -> Ranks:
    if context.numbering is None:
        raise PavError("the format 'numbers' needs a numbering")
    return context.numbering


def _numbers(context: Context) -> BoardOf:
    unrank = _numbering(context).unrank
    return lambda text, line: Board(unrank(parse_number(text)), line=line)


def _number_text(context: Context) -> TextOf:
    rank = _numbering(context).rank
    return lambda board: str(rank(layout_of(board)))


_WIDTH_OF_GOE = 38  # 29 digits and 9 commas


def _goe_text(context: Context) -> TextOf:
    """Return the writer of GOE: the number of Big Deal with commas, aligned on the right."""
    rank = _numbering(context).rank
    return lambda board: f"{rank(deal_of(board)):>{_WIDTH_OF_GOE},}"


# CSV: sixteen suits, the board, dealer and vulnerability.


_MOST_IN_CSV = 10**18 - 1
_FIELDS = 18
_NUMBER = re.compile("[0-9]{1,18}")
_RULES = re.compile("([NESW])/(-|NS|EW|All)")


def _board_of_csv(text: str) -> Board:
    try:
        (row,) = csv.reader([text], strict=True)
    except csv.Error as error:
        raise PavError(f"this is no row of CSV, {error}") from None
    if len(row) != _FIELDS:
        raise PavError(f"a row has 16 suits, the board, and dealer/vulnerability, not {len(row)}")
    *suits, number, rules = row
    dealer_and_side = _RULES.fullmatch(rules)
    if not _NUMBER.fullmatch(number) or not int(number):
        raise PavError(f"{shorten(number)} is no number of a board")
    if dealer_and_side is None:
        raise PavError(f"dealer and vulnerability are as in 'N/-' or 'E/NS', not {shorten(rules)}")
    deal = deal_of_hands(".".join(suits[start : start + 4]) for start in range(0, 16, 4))
    dealer, side = dealer_and_side.groups()
    word = "None" if side == "-" else side
    tags = Tag("Board", str(int(number))), Tag("Dealer", dealer), Tag("Vulnerable", word)
    return Board(deal, tags)


def csv_numbers(context: Context) -> BoardNumbers:
    """Return the numbers of the boards of a file of CSV."""
    return BoardNumbers("csv", _MOST_IN_CSV, context, keeps_rules=True)


def csv_text(numbers: BoardNumbers) -> TextOf:
    """Return the writer of rows of CSV with these numbers.

    If a board has no dealer or vulnerability, it follows from the number.
    """

    def text_of(board: Board) -> str:
        hands = hands_of(board)
        number = numbers.of(board)
        dealer, vulnerable = board.dealer, board.vulnerable
        if dealer is None or vulnerable is None:
            parsed = {"Dealer": dealer, "Vulnerable": vulnerable}
            unread = (board.tags.get(name, "") for name, value in parsed.items() if value is None)
            wrong = next((text for text in unread if text not in ("", "?")), None)
            if wrong is not None:
                raise PavError(f"csv has no dealer or vulnerability {wrong!r}")
            of_number, side = rules_of(number)
            dealer = of_number if dealer is None else dealer
            vulnerable = vulnerable or side
        assert dealer is not None
        assert vulnerable is not None
        word = "-" if vulnerable is Vulnerability.NONE else vulnerable.value
        suits = ".".join(hands).split(".")
        row = '","'.join([*suits, str(number), f"{dealer.letter}/{word}"])
        return f'"{row}"'

    return text_of


# Codes of other programs.


_BBA = "bba"
_BOARDS_OF_BBA = 256
_NUMBERED = (_BBA, "saycbridge")
"""The codes that hold the number of a board."""


def _code_row(name: str) -> LineFormat:
    """Return the row of the codes of a name."""
    chosen = code(name)

    def parse(line: str) -> Board | None:
        text = line.strip()
        if name == _BBA and text.startswith("%"):  # a remark, as in PBN
            text = text.removeprefix("%").strip()
            if not chosen.fits(text):
                return None
        if not chosen.fits(text):
            raise ReadError(f"expected {chosen.summary}")
        deal, number = chosen.parse_board(text)
        return Board.make(deal, number=number or None)

    def writer(context: Context) -> TextOf:
        last = 0

        def text_of(board: Board) -> str:
            nonlocal last
            number = board.number
            if name == _BBA:
                number = last = number or last % _BOARDS_OF_BBA + 1
                _refuse_other_rules(board, number)
            if name in _NUMBERED:
                tell_differences(board, number, context)
            return chosen.format(layout_of(board), board=number)

        return text_of

    return LineFormat(_alone(parse), writer)


def _refuse_other_rules(board: Board, number: int) -> None:
    """Refuse a board whose dealer or vulnerability is not that of its number."""
    mine = {"dealer": board.dealer, "vulnerability": board.vulnerable}
    for (what, own), its in zip(mine.items(), rules_of(number), strict=True):
        if own not in (None, its):
            raise LayoutError(
                f"code 'bba' holds the {what} that board {number} has by its number, "
                f"{_word(its)}, not {_word(own)}"
            )


def _word(rule: object) -> str:
    return str(rule.value if isinstance(rule, Vulnerability) else getattr(rule, "letter", rule))


# The table.


_HAND = r"[AKQJT98765432]*(?:\.[AKQJT98765432]*){3}"
_SUITS = r"[AKQJT98765432]*(?: [AKQJT98765432]*){3}"

LINE_FORMATS = {
    "lines": LineFormat(
        _deal_texts, lambda _: lambda board: str(board.layout), ends=None, holds="item"
    ),
    "numbers": LineFormat(_numbers, _number_text, ends=None, holds="item", tells_text=False),
    "goe": LineFormat(_numbers, _goe_text, ends=None, holds="item", tells_text=False),
    "csv": LineFormat(
        _alone(_board_of_csv),
        lambda context: csv_text(csv_numbers(context)),
        ends=" \t\x1a",
        holds="",
    ),
    "dealer": _printed(
        rf"n ({_HAND}) +e ({_HAND}) +s ({_HAND}) +w ({_HAND})",
        "'n S.H.D.C e S.H.D.C s S.H.D.C w S.H.D.C'",
        lambda line: Board(deal_of_hands(line.groups())),
        lambda board: named_hands(board, " "),
    ),
    "deal-lines": _printed(
        rf"({_SUITS})\|({_SUITS})\|({_SUITS})\|({_SUITS})",
        "four hands with '|' between, the suits of each with blanks between",
        lambda line: Board(deal_of_hands(hand.replace(" ", ".") for hand in line.groups())),
        lambda board: "|".join(hands_of(board)).replace(".", " "),
    ),
    "deal-digits": _printed(
        r"[0-3]{52}|[1-4]{52}",
        "52 digits from 0 to 3, or from 1 to 4",
        lambda line: Board(_full(layout_from_owners(_owners_of_digits(line[0])))),
        lambda board: "".join(map(str, deal_of(board).owners)),
    ),
    "deal-ddline": _printed(
        rf"(?a:{_HAND}(?:\|{_HAND}){{3}}(?:\|\d{{1,2}}(?: \d{{1,2}}){{4}}){{4}})",
        "four hands and four groups of five numbers, with '|' between",
        _solved_board,
        _solved_text,
    ),
    "gib": _printed(
        rf"(?P<hands>{_HAND}(?: {_HAND}){{3}})(?::(?P<tricks>[0-9A-Fa-f-]{{20}})?)?",
        "four hands W N E S, a colon and 20 hexadecimal digits",
        _gib_board,
        _gib_text,
        has_long_remarks=True,
    ),
} | {
    name: _code_row(name)
    for name in (
        "bba",
        "kops",
        "saycbridge",
        "saycbridge-old",
        "ww-deal",
        "bridge-deal",
        "njhammond-16",
        "njhammond-64",
    )
}
"""The formats by their names."""
