"""The output of programs that deal, one deal a line: `dealer`, Andrews' `deal`, GIB.

Each format is a pattern for the line and a function that writes it. The reader joins the hands to a
deal text, so the rules for hands are those of PBN.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO

from pavcodec.boards.board import Board, Context, Tag, Vulnerability
from pavcodec.boards.tricks import RESULT_TABLE, RESULT_TABLE_COLUMNS, format_results
from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, Seat, Strain, Suit
from pavcodec.codes import code
from pavcodec.errors import LayoutError, PavError, ReadError, TextError
from pavcodec.files.text import first_control, lines
from pavcodec.formats.clubs.texts import tell_differences
from pavcodec.formats.plain.texts import is_text, numbered_lines, shorten, write_each
from pavcodec.layout import Layout, TrickTable
from pavcodec.layout.layout import describe_sizes, layout_from_owners
from pavcodec.layout.notation import parse_owners

_STRAINS = (Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS, Strain.NOTRUMP)
_LEADERS_OF_GIB = (Seat.SOUTH, Seat.EAST, Seat.NORTH, Seat.WEST)
_CONTRACTS_OF_GIB = [(Seat((leader - 1) % 4), s) for s in Strain for leader in _LEADERS_OF_GIB]
_UNKNOWN = "-"
_REMARK = re.compile(r"\{[^{}]*\}")
DEALER_REPORT = re.compile(r"(Generated|Produced|Initial random seed|Time needed)\b.*")
"""The lines that dealer prints below the deals."""


@dataclass(frozen=True)
class LineFormat:
    """Reads and writes deals, one a line."""

    pattern: re.Pattern[str]
    expected: str
    """An example of a line, for messages."""
    board_of: Callable[[re.Match[str]], Board]
    text_of: Callable[[Board], str]
    """Returns the line of a board that has cards; raises `PavError` for boards that do not fit."""
    remark: re.Pattern[str] = DEALER_REPORT
    """Lines that the reader skips."""
    has_long_remarks: bool = False
    """Whether remarks in braces may be several lines long."""

    def match(self, line: str) -> re.Match[str] | None:
        """Match a line; blanks at its ends may be void suits, and may be missing."""
        texts = (line, line.strip(), f"{line} ")
        return next(filter(None, map(self.pattern.fullmatch, texts)), None)

    def parse(self, text: str) -> Board | None:
        """Return the board of a line; None for a remark."""
        match = self.match(text)
        if match is not None:
            return self.board_of(match)
        if self.remark.fullmatch(text.strip()):
            return None
        raise ReadError(f"expected {self.expected}")


def read_deal_lines(stream: BinaryIO, context: Context, *, name: str) -> Iterator[Board]:
    """Yield a board for each line of the format of a name."""
    chosen = LINE_FORMATS[name]
    numbered = lines(stream)
    if chosen.has_long_remarks:
        numbered = _without_remarks(numbered, context)
    return _boards_of(numbered, context, chosen.parse)


def write_deal_lines(
    boards: Iterable[Board], stream: BinaryIO, context: Context, *, name: str
) -> int:
    """Write a line for each board that has cards, and return how many."""
    text_of = LINE_FORMATS[name].text_of
    return write_each(boards, stream, context, lambda board: f"{text_of(board)}\n")


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


def _boards_of(
    numbered: Iterable[tuple[int, str]], context: Context, parse: Callable[[str], Board | None]
) -> Iterator[Board]:
    """Yield the board of each line; a line that `parse` refuses is a problem."""
    for number, text in numbered:
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        if not is_text(text):
            context.problem(number, "this is not text: expected one deal a line")
            return
        try:
            board = parse(text)
        except PavError as error:
            context.problem(number, f"{reason_of(error)}: {shorten(text)}")
            continue
        if board is not None:
            yield Board(board.layout, board.entries, line=number)


def reason_of(error: PavError) -> str:
    """Return the message of an error, without the text of a `TextError`."""
    return error.message if isinstance(error, TextError) else str(error)


def layout_of_hands(hands: Iterable[str]) -> Layout:
    """Return the layout of four hands N E S W, as deal texts have them; raise `TextError`."""
    return layout_from_owners(parse_owners(f"N:{' '.join(hands)}", lenient=True))


def deal_of_hands(hands: Iterable[str]) -> Layout:
    """Return the deal of four hands N E S W; raise `PavError` for another layout."""
    return _full(layout_of_hands(hands))


def _full(layout: Layout) -> Layout:
    if not layout.is_deal:
        raise ReadError(f"a deal has {HAND_SIZE} cards in each hand; {describe_sizes(layout)}")
    return layout


def hands_of(board: Board) -> list[str]:
    """Return the hands of a deal, N E S W, with dots; raise `ReadError` unless they are full."""
    return [hand.to_pbn() for hand in _full(layout_of(board))]


def layout_of(board: Board) -> Layout:
    """Return the cards of a board that has any."""
    assert board.layout is not None, "boards without cards were left out"
    return board.layout


def _named_hands(board: Board, end: str) -> str:
    """Return the hands of a deal, each behind its seat, as dealer prints them."""
    hands = zip("nesw", hands_of(board), strict=True)
    return "".join(f"{seat} {hand}{end}" for seat, hand in hands)


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
        for strain, number in zip(_STRAINS, group.split(), strict=True):
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
    groups = [" ".join(str(tricks[seat, strain]) for strain in _STRAINS) for seat in Seat]
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


_HAND = r"[AKQJT98765432]*(?:\.[AKQJT98765432]*){3}"
_SUITS = r"[AKQJT98765432]*(?: [AKQJT98765432]*){3}"

LINE_FORMATS = {
    "dealer": LineFormat(
        re.compile(rf"n ({_HAND}) +e ({_HAND}) +s ({_HAND}) +w ({_HAND})"),
        "'n S.H.D.C e S.H.D.C s S.H.D.C w S.H.D.C'",
        lambda line: Board(deal_of_hands(line.groups())),
        lambda board: _named_hands(board, " "),
    ),
    "deal-lines": LineFormat(
        re.compile(rf"({_SUITS})\|({_SUITS})\|({_SUITS})\|({_SUITS})"),
        "four hands with '|' between, the suits of each with blanks between",
        lambda line: Board(deal_of_hands(hand.replace(" ", ".") for hand in line.groups())),
        lambda board: "|".join(hands_of(board)).replace(".", " "),
    ),
    "deal-digits": LineFormat(
        re.compile(r"[0-3]{52}|[1-4]{52}"),
        "52 digits from 0 to 3, or from 1 to 4",
        lambda line: Board(_full(layout_from_owners(_owners_of_digits(line[0])))),
        lambda board: "".join(map(str, _full(layout_of(board)).owners)),
    ),
    "deal-ddline": LineFormat(
        re.compile(rf"{_HAND}(?:\|{_HAND}){{3}}(?:\|\d{{1,2}}(?: \d{{1,2}}){{4}}){{4}}", re.ASCII),
        "four hands and four groups of five numbers, with '|' between",
        _solved_board,
        _solved_text,
    ),
    "gib": LineFormat(
        re.compile(rf"(?P<hands>{_HAND}(?: {_HAND}){{3}})(?::(?P<tricks>[0-9A-Fa-f-]{{20}})?)?"),
        "four hands W N E S, a colon and 20 hexadecimal digits",
        _gib_board,
        _gib_text,
        has_long_remarks=True,
    ),
}
"""The formats by their names."""


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
    return write_each(boards, stream, context, lambda board: _named_hands(board, "\n"))


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


# Codes of deals, one a line.


_BBA = "bba"
_BOARDS_OF_BBA = 256
_NUMBERED = (_BBA, "saycbridge")
"""The codes that hold the number of a board."""


def read_codes(stream: BinaryIO, context: Context, *, name: str) -> Iterator[Board]:
    """Yield a board for each line of the code of a name."""
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

    return _boards_of(lines(stream), context, parse)


def write_codes(boards: Iterable[Board], stream: BinaryIO, context: Context, *, name: str) -> int:
    """Write a line in the code of a name for each deal, and return how many."""
    chosen = code(name)
    last = 0

    def text_of(board: Board) -> str:
        nonlocal last
        number = board.number
        if name == _BBA:
            number = last = number or last % _BOARDS_OF_BBA + 1
            _refuse_other_rules(board, number)
        if name in _NUMBERED:
            tell_differences(board, number, context)
        return f"{chosen.format(layout_of(board), board=number)}\n"

    return write_each(boards, stream, context, text_of)


def _refuse_other_rules(board: Board, number: int) -> None:
    """Refuse a board whose dealer or vulnerability is not that of its number."""
    rules = Board.make(None, number=number)
    for word, mine, its in (
        ("dealer", board.dealer, rules.dealer),
        ("vulnerability", board.vulnerable, rules.vulnerable),
    ):
        if mine not in (None, its):
            raise LayoutError(
                f"code 'bba' holds the {word} that board {number} has by its number, "
                f"{_word(its)}, not {_word(mine)}"
            )


def _word(rule: object) -> str:
    return str(rule.value if isinstance(rule, Vulnerability) else getattr(rule, "letter", rule))


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
        rows = {s: numbers[4 * i : 4 * i + 4] for i, s in enumerate(_STRAINS)}
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
        rows[_TABLE] = " ".join(str(tricks[seat, s]) for s in _STRAINS for seat in Seat)
    for word, row in rows.items():
        if "\n" in row or first_control(row.encode()) is not None:
            raise ReadError(f"the tag {_tag_name(word)} is more than a line: {shorten(row)}")
    lines = [text, *(f"{word} {rows[word]}" for word in _WORDS if word in rows)]
    return "".join(f"{line} \n" for line in lines)
