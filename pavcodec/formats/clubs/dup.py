"""DUP, the file of Duplimate's older dealing machines: 156 bytes a board.

A record is the cards as in BRI, the hands as in DGE, and ten bytes on the set of boards. Big Deal
writes these into every record, other programs only into the first. The reader takes them from the
first record; in later records they must be the same or blank.

An earlier format of this name, lines of 78 digits without a number, is not supported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple, cast

from pavcodec.boards.board import Board, Context
from pavcodec.cards import RANK_LETTERS, SEAT_LETTERS, SUIT_LETTERS, Seat
from pavcodec.errors import PavError
from pavcodec.files.text import Rejoined, lines, read_up_to
from pavcodec.formats.clubs.texts import (
    CODES,
    deal_of_code,
    frame,
    read_frames,
    tagged,
)
from pavcodec.formats.plain.lines import (
    BoardNumbers,
    deal_of_hands,
    deals_of,
    reason_of,
    report,
)
from pavcodec.formats.plain.texts import shorten
from pavcodec.layout import Deal

# Files with one record for each board: BRI, DGE, BER, CDS, RZD and HRF.
#
# Only the records of CDS and HRF have board numbers. The others have the deals in order, but the
# first deal need not be board 1: Big Deal writes boards 17 to 32 in the same way as boards 1 to 16.
# So readers give these boards no number.


DGE_SUITS = b"\x06\x03\x04\x05"
"""The signs of spades, hearts, diamonds and clubs, as DOS showed them."""
BRI_FILLER = b" " * 32 + bytes(18)
_DGE_FILLER = bytes(60)
_RZD_FILLER = b" " * 11
MOST_IN_RZD = (1 << 16) - 1
_MOST_IN_CDS = 255
_MOST_IN_HRF = 999

_RANKS = f"([{RANK_LETTERS}]*)"
_DGE_HAND = re.compile("".join(f"{chr(sign)}{_RANKS}" for sign in DGE_SUITS))
_HRF_HAND = "".join(f"{suit}{_RANKS}" for suit in SUIT_LETTERS)
_HRF_BOARD = re.compile(rf"[ \0]*([0-9]{{1,3}})[ \0]*{_HRF_HAND * len(SEAT_LETTERS)}(?![0-9A-Z])")


def text_of(data: bytes) -> str:
    """Return the text of bytes that should be ASCII."""
    return data.decode("latin-1")


def deal_of_picture(hands: list[bytes]) -> Deal:
    """Return the deal of four hands of DGE, N E S W; raise `PavError` unless they are a deal."""
    texts = []
    for seat, data in zip(Seat, hands, strict=True):
        holdings = _DGE_HAND.fullmatch(text_of(data))
        if holdings is None:
            raise PavError(
                f"the hand of {seat.letter} has a sign (06 03 04 05) before the ranks of each "
                f"suit, not {shorten(text_of(data))}"
            )
        texts.append(".".join(holdings.groups()))
    return deal_of_hands(texts)


def picture_of(deal: Deal) -> list[bytes]:
    r"""Return the four hands of a deal, N E S W, as DGE has them.

    >>> from pavcodec import numbering
    >>> picture_of(numbering("deal")[1])[2]
    b'\x06\x03\x04AKQJT9876543\x05A'
    """
    return [_signed(hand, DGE_SUITS.decode()).encode() for hand in _hands(deal)]


def _hands(deal: Deal) -> list[list[str]]:
    return [hand.split(".") for hand in deal.to_pbn()[2:].split(" ")]


def _signed(suits: list[str], signs: str) -> str:
    return "".join(sign + ranks for sign, ranks in zip(signs, suits, strict=True))


class _Record(NamedTuple):
    """A kind of records: the board of the fields of one, and the fields of a deal."""

    board_of: Callable[[dict[str, Any]], Board]
    fields_of: Callable[[Deal, int], dict[str, Any]]
    """Returns the fields of a deal and its number."""
    most: int = 0
    """The greatest board number; 0 if records have none."""


def _board_of_dge(fields: dict[str, Any]) -> Board:
    return Board(deal_of_picture([fields[seat.name.lower()] for seat in Seat]))


def _fields_of_dge(deal: Deal, _number: int) -> dict[str, Any]:
    hands = zip((seat.name.lower() for seat in Seat), picture_of(deal), strict=True)
    return {**dict(hands), "filler": _DGE_FILLER}


def _board_of_cds(fields: dict[str, Any]) -> Board:
    if not fields["board"]:
        raise PavError(f"boards are numbered 1 to {_MOST_IN_CDS}, not 0")
    return tagged(deal_of_code("cds", fields["ranks"].hex()), fields["board"])


def _board_of_hrf(fields: dict[str, Any]) -> Board:
    text = text_of(fields["text"])
    board = _HRF_BOARD.match(text)
    if board is None:
        raise PavError(
            "a record has the number of the board and four times S H D C, each with its "
            f"ranks, not {shorten(text)}"
        )
    number, *suits = board.groups()
    hands = (".".join(suits[start : start + 4]) for start in range(0, len(suits), 4))
    return tagged(deal_of_hands(hands), int(number))


def _fields_of_hrf(deal: Deal, number: int) -> dict[str, Any]:
    text = f"{number}{''.join(_signed(hand, SUIT_LETTERS) for hand in _hands(deal))}"
    return {"text": text.encode().ljust(frame("hrf").sizeof())}


RECORDS = {
    "bri": _Record(
        lambda fields: Board(deal_of_code("bri", text_of(fields["cards"]))),
        lambda deal, _: {"cards": CODES["bri"].format(deal).encode(), "filler": BRI_FILLER},
    ),
    "ber": _Record(
        lambda fields: Board(deal_of_code("ber", text_of(fields["owners"]))),
        lambda deal, _: {"owners": CODES["ber"].format(deal).encode()},
    ),
    "dge": _Record(_board_of_dge, _fields_of_dge),
    "cds": _Record(
        _board_of_cds,
        lambda deal, number: {"board": number, "ranks": bytes.fromhex(CODES["cds"].format(deal))},
        _MOST_IN_CDS,
    ),
    "hrf": _Record(_board_of_hrf, _fields_of_hrf, _MOST_IN_HRF),
}
"""The formats that are records alone."""


def read_records(stream: BinaryIO, context: Context, *, name: str) -> Iterator[Board]:
    """Yield a board for each record of the format of a name."""
    return read_frames(name, stream, context, lambda _, fields: RECORDS[name].board_of(fields))


def write_records(boards: Iterable[Board], stream: BinaryIO, context: Context, *, name: str) -> int:
    """Write a record for each deal and return how many. Other boards are problems."""
    kind, build = RECORDS[name], frame(name).build
    written = 0
    if kind.most:
        numbered = BoardNumbers(name, kind.most, context).numbered(boards)
    else:
        numbered = ((board, deal, 0) for board, deal in deals_of(boards, context))
    for _, deal, number in numbered:
        stream.write(build(kind.fields_of(deal, number)))
        written += 1
    return written


def read_rzd(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each record of RZD, the format of KOPS.

    The header has the number of records; another number is a problem.
    """
    shape = frame("rzd-header")
    size = shape.sizeof()
    header = read_up_to(stream, size)
    if len(header) < size:
        if header:
            reason = f"rzd: the file ends after {len(header)} of {size} bytes of its header"
            context.problem(None, reason)
        return
    records = 0

    def board_of(index: int, fields: dict[str, Any]) -> Board:
        nonlocal records
        records = index + 1
        return Board(deal_of_code("kops", fields["ranks"].hex()))

    yield from read_frames("rzd", stream, context, board_of, begin=size)
    told = shape.parse(header)["boards"]
    if told != records:
        context.problem(None, f"rzd: the header has {told} boards, and the file has {records}")


def write_rzd(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write the header and a record for each deal and return how many. Other boards are problems.

    The writer keeps all records until the end, because the header has their number.
    """
    records: list[bytes] = []
    for board, deal in deals_of(boards, context):
        if len(records) < MOST_IN_RZD:
            records.append(bytes.fromhex(CODES["kops"].format(deal)))
        else:
            report(context, board, f"rzd holds at most {MOST_IN_RZD:,} boards")
    if records:
        header = {"boards": len(records), "filler": _RZD_FILLER}
        stream.write(frame("rzd-header").build(header))
        stream.write(b"".join(records))
    return len(records)


MOST_BOARDS = 99
_HAND = 17
_BLANK = re.compile(rb"[ \0]*")
_NUMBER = re.compile(rb" *(0*[1-9][0-9]*)[ \0]*")
_ANSWERS = re.compile(b"[YN][YN]")
_ORDER = ("random", "reverse", "lowest", "copies", "highest")
_LINE = re.compile(rb"[0-9]{78}\r?\n")
_LINE_SIZE = 80


class _Set(NamedTuple):
    """The values of the ten bytes: lowest and highest board, and whether they count down."""

    lowest: int
    highest: int
    counts_down: bool

    @classmethod
    def of(cls, parts: dict[str, bytes]) -> _Set:
        """Return the values of the ten bytes; raise `PavError` for invalid bytes."""
        lowest, highest = _NUMBER.fullmatch(parts["lowest"]), _NUMBER.fullmatch(parts["highest"])
        answers = parts["random"] + parts["reverse"]
        if not _ANSWERS.fullmatch(answers) or lowest is None or highest is None:
            shown = shorten(text_of(b"".join(parts[name] for name in _ORDER)))
            raise PavError(
                "the first record ends with Y or N, Y or N, the lowest board, the copies and "
                f"the highest board, as in 'YN1  0 36 ', not {shown}"
            )
        return cls(int(lowest[1]), int(highest[1]), parts["reverse"] == b"Y")


def read_dup(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each record of DUP, numbered from the lowest board of the set on."""
    start = read_up_to(stream, _LINE_SIZE)
    whole = cast("BinaryIO", Rejoined(start, stream.read))
    if _LINE.match(start):
        yield from _read_lines(whole, context)
    else:
        yield from _Reader(context).read(whole)


def _read_lines(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each line of the older DUP."""
    for number, line in lines(stream):
        if line.strip(" \x1a"):
            try:
                deal = deal_of_code("bri", line)
            except PavError as error:
                context.problem(number, str(error))
            else:
                yield Board(deal, line=number)


class _Reader:
    """Reads the records of one file."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._set: _Set | None = None
        self._order = b""
        self._records = 0

    def read(self, stream: BinaryIO) -> Iterator[Board]:
        """Yield the boards; another number of boards than that of the ten bytes is a problem."""
        yield from read_frames("dup", stream, self._context, self._board)
        whole_set, records = self._set, self._records
        if whole_set is None:
            return
        lowest, highest = whole_set.lowest, whole_set.highest
        if highest not in (records, lowest + records - 1):  # some write how many there are
            boards = f"boards {lowest} to {highest}"
            self._problem(f"the set should have {boards}, and here are {records}")

    def _board(self, index: int, parts: dict[str, Any]) -> Board:
        self._records = index + 1
        self._look_at_order(index, parts)
        deal = deal_of_code("bri", text_of(parts["cards"]))
        number = None if self._set is None else self._set.lowest + index
        self._compare(deal, parts["picture"], index, number)
        return tagged(deal, number)

    def _look_at_order(self, index: int, parts: dict[str, Any]) -> None:
        """Store the ten bytes of the first record, and compare those of later records."""
        order = b"".join(parts[name] for name in _ORDER)
        if index == 0:
            self._order = order
            try:
                self._set = _Set.of(parts)
            except PavError as error:
                self._problem(str(error))
            if self._set is not None and self._set.counts_down:
                self._problem("the boards count backwards, which nobody describes; read upwards")
        elif order != self._order and not _BLANK.fullmatch(order):
            expected, shown = shorten(text_of(self._order)), shorten(text_of(order))
            self._problem(f"record {index} ends with {shown}, and the first one with {expected}")

    def _compare(self, deal: Deal, picture: bytes, index: int, number: int | None) -> None:
        """Report hands that differ from the cards, and invalid hands; they may be blank."""
        if _BLANK.fullmatch(picture):
            return
        hands = [picture[start : start + _HAND] for start in range(0, len(picture), _HAND)]
        try:
            other = deal_of_picture(hands)
        except PavError as error:
            self._problem(f"record {index}: the cards are read, for {reason_of(error)}", number)
        else:
            if other != deal:
                reason = f"record {index} has the cards of {deal}, which are read, and the hands of"
                self._problem(f"{reason} {other}", number)

    def _problem(self, reason: str, number: int | None = None) -> None:
        self._context.problem(None, f"dup: {reason}", None if number is None else str(number))


def write_dup(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a record of DUP for each deal and return how many. Other boards are problems.

    The boards have numbers without gaps up to 99. The writer keeps all boards until the end,
    because each record has the highest number.
    """
    numbers = BoardNumbers("dup", MOST_BOARDS, context, in_turn=True)
    deals = [(number, deal) for _, deal, number in numbers.numbered(boards)]
    build = frame("dup").build
    for _, deal in deals:
        fields = {
            "cards": CODES["bri"].format(deal).encode(),
            "picture": b"".join(picture_of(deal)),
            "random": b"Y",
            "reverse": b"N",
            "lowest": b"%-3d" % deals[0][0],
            "copies": b"0 ",
            "highest": b"%02d " % deals[-1][0],
        }
        stream.write(build(fields))
    return len(deals)
