"""Files with one record for each board: BRI, DGE, BER, CDS, RZD and HRF.

Only the records of CDS and HRF have board numbers. The others have the deals in order, but the
first deal need not be board 1: Big Deal writes boards 17 to 32 in the same way as boards 1 to 16.
So readers give these boards no number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.cards import RANK_LETTERS, SEAT_LETTERS, SUIT_LETTERS, Seat
from pavcodec.errors import PavError
from pavcodec.files.reading import read_up_to
from pavcodec.formats.clubs.boards import (
    CODES,
    BoardNumbers,
    deal_of_code,
    deal_of_hands,
    deals_of,
    frame,
    read_frames,
    report,
    tagged,
)
from pavcodec.formats.plain.texts import shorten
from pavcodec.layout import Deal

__all__ = [
    "BRI_FILLER",
    "DGE_SUITS",
    "MOST_IN_RZD",
    "deal_of_picture",
    "picture_of",
    "read_ber",
    "read_bri",
    "read_cds",
    "read_dge",
    "read_hrf",
    "read_rzd",
    "text_of",
    "write_ber",
    "write_bri",
    "write_cds",
    "write_dge",
    "write_hrf",
    "write_rzd",
]

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


# BRI and BER: a text for each deal


def read_bri(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each record of BRI: the cards of North, East and South by their numbers."""

    def board_of(_: int, parts: dict[str, Any]) -> Board:
        return Board(deal_of_code("bri", text_of(parts["cards"])))

    return read_frames("bri", stream, context, board_of)


def write_bri(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a record of BRI for each deal and return how many. Other boards are problems."""
    built, written = frame("bri").built, 0
    for _, deal in deals_of(boards, context):
        stream.write(built(cards=CODES["bri"].format(deal).encode(), filler=BRI_FILLER))
        written += 1
    return written


def read_ber(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each record of BER: the owner of each card as a digit."""

    def board_of(_: int, parts: dict[str, Any]) -> Board:
        return Board(deal_of_code("ber", text_of(parts["owners"])))

    return read_frames("ber", stream, context, board_of)


def write_ber(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a record of BER for each deal and return how many. Other boards are problems."""
    written = 0
    for _, deal in deals_of(boards, context):
        stream.write(CODES["ber"].format(deal).encode())
        written += 1
    return written


# DGE: the hands, with the signs of the suits


def deal_of_picture(hands: list[bytes]) -> Deal:
    """Return the deal of four hands of DGE, N E S W; raise `PavError` unless they are a deal."""
    texts = []
    for seat, data in zip(Seat, hands, strict=True):
        found = _DGE_HAND.fullmatch(text_of(data))
        if found is None:
            raise PavError(
                f"the hand of {seat.letter} has a sign (06 03 04 05) before the ranks of each "
                f"suit, not {shorten(text_of(data))}"
            )
        texts.append(".".join(found.groups()))
    return deal_of_hands(texts)


def picture_of(deal: Deal) -> list[bytes]:
    r"""Return the four hands of a deal, N E S W, as DGE has them.

    >>> from pavcodec import numbering
    >>> picture_of(numbering("deal")[1])[2]
    b'\x06\x03\x04AKQJT9876543\x05A'
    """
    return [_signed(hand, DGE_SUITS.decode()).encode() for hand in _hands(deal)]


def _hands(deal: Deal) -> list[list[str]]:
    """Return the ranks of each suit of each hand."""
    return [hand.split(".") for hand in deal.to_pbn()[2:].split(" ")]


def _signed(suits: list[str], signs: str) -> str:
    """Return the ranks of suits, each after its sign."""
    return "".join(sign + ranks for sign, ranks in zip(signs, suits, strict=True))


def read_dge(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each record of DGE."""

    def board_of(_: int, parts: dict[str, Any]) -> Board:
        return Board(deal_of_picture([parts[seat.name.lower()] for seat in Seat]))

    return read_frames("dge", stream, context, board_of)


def write_dge(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a record of DGE for each deal and return how many. Other boards are problems."""
    built, written = frame("dge").built, 0
    for _, deal in deals_of(boards, context):
        north, east, south, west = picture_of(deal)
        stream.write(built(north=north, east=east, south=south, west=west, filler=_DGE_FILLER))
        written += 1
    return written


# CDS and RZD: two bits a card, a byte a rank


def read_cds(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each record of CDS: its number and its cards."""

    def board_of(_: int, parts: dict[str, Any]) -> Board:
        if not parts["board"]:
            raise PavError(f"boards are numbered 1 to {_MOST_IN_CDS}, not 0")
        return tagged(deal_of_code("cds", parts["ranks"].hex()), parts["board"])

    return read_frames("cds", stream, context, board_of)


def write_cds(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a record of CDS for each deal and return how many. Other boards are problems."""
    built, written = frame("cds").built, 0
    for _, deal, number in BoardNumbers("cds", _MOST_IN_CDS).numbered(boards, context):
        stream.write(built(board=number, ranks=bytes.fromhex(CODES["cds"].format(deal))))
        written += 1
    return written


def read_rzd(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each record of RZD, the format of KOPS.

    The header has the number of records; another number is a problem.
    """
    shape = frame("rzd-header")
    header = read_up_to(stream, shape.size)
    if len(header) < shape.size:
        if header:
            reason = f"rzd: the file ends after {len(header)} of {shape.size} bytes of its header"
            context.problem(None, reason)
        return
    found = 0

    def board_of(index: int, parts: dict[str, Any]) -> Board:
        nonlocal found
        found = index + 1
        return Board(deal_of_code("kops", parts["ranks"].hex()))

    yield from read_frames("rzd", stream, context, board_of, begin=shape.size)
    told = shape.parts(header)["boards"]
    if told != found:
        context.problem(None, f"rzd: the header has {told} boards, and the file has {found}")


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
        stream.write(frame("rzd-header").built(boards=len(records), filler=_RZD_FILLER))
        stream.write(b"".join(records))
    return len(records)


# HRF: the hands as text, after the number of the board


def read_hrf(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each record of HRF: its number and its hands."""

    def board_of(_: int, parts: dict[str, Any]) -> Board:
        text = text_of(parts["text"])
        found = _HRF_BOARD.match(text)
        if found is None:
            raise PavError(
                "a record has the number of the board and four times S H D C, each with its "
                f"ranks, not {shorten(text)}"
            )
        number, *suits = found.groups()
        hands = (".".join(suits[start : start + 4]) for start in range(0, len(suits), 4))
        return tagged(deal_of_hands(hands), int(number))

    return read_frames("hrf", stream, context, board_of)


def write_hrf(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a record of HRF for each deal and return how many. Other boards are problems."""
    shape, written = frame("hrf"), 0
    for _, deal, number in BoardNumbers("hrf", _MOST_IN_HRF).numbered(boards, context):
        text = f"{number}{''.join(_signed(hand, SUIT_LETTERS) for hand in _hands(deal))}"
        stream.write(shape.built(text=text.encode().ljust(shape.size)))
        written += 1
    return written
