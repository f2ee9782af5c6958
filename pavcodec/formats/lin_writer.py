"""LIN, the files of Bridge Base Online: boards to a stream of bytes.

Rule 1: one board a line, its tags in the order that Bridge Base itself writes them: qx pn st md rh
        ah sv, then calls with their explanations, cards and claim.
Rule 2: a `vg` comes before the first board of an event, with its first and last board number.
Rule 3: what LIN cannot hold of a board, as a name with a comma, is a problem and is left out.
Rule 4: the file is UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from typing import BinaryIO

from pavcodec.cards import HAND_SIZE
from pavcodec.errors import PavError
from pavcodec.formats.auctions import Auction, auction_of_dealer, contract_of
from pavcodec.formats.board import Board, Context
from pavcodec.formats.lin import (
    AUCTION_TAG,
    EVENT_TAGS,
    PLAY_TAG,
    SCORINGS,
    SEATS,
    VULNERABILITIES,
)
from pavcodec.formats.lin_hands import format_suits
from pavcodec.formats.plays import declarer_tricks, played_cards, strain_of
from pavcodec.layout.layout import describe_sizes

__all__ = ["Complain", "format_lin", "not_lin", "write_lin"]

_AT_ONCE = 1024
"""The boards that share a `vg` at most, so that a stream is never held as a whole."""

_SHORT = {"Pass": "p", "X": "d", "XX": "r"}
_VULNERABILITY_LETTERS = {word: letter for letter, word in VULNERABILITIES.items() if word} | {
    "None": "o"
}
_SCORING_LETTERS = {word: letter for letter, word in SCORINGS.items()}
_UNHELD = re.compile(r"[|\x00-\x08\x0e-\x1f]")
_RAW_AUCTION = re.compile(r"(?:(?:mb|an)\|[^|]*\|)*")
_UNKNOWN = ("", "?")

Complain = Callable[[str], None]
"""Takes the reason why something of a board is left out."""


def write_lin(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a line for each board that has cards, and return how many were written."""
    written = 0
    event: list[str] = [""] * len(EVENT_TAGS)
    for fields, group in groupby((b for b in boards if b.layout is not None), _event_of):
        while some := list(islice(group, _AT_ONCE)):
            if any(fields) or any(event):
                stream.write(_header(list(fields), some).encode())
            event = list(fields)
            for board in some:
                reason = not_lin(board)
                if reason is not None:
                    context.problem(board.line, reason, board.tags.get("Board"))
                    continue
                complain = _reporter(board, context)
                for name in filter(None, EVENT_TAGS):
                    _held(board.tags.get(name, ""), f"the tag {name}", complain, commas=False)
                stream.write(f"{format_lin(board, complain)}pg||\n".encode())
                written += 1
    return written


def _reporter(board: Board, context: Context) -> Complain:
    return lambda reason: context.problem(board.line, reason, board.tags.get("Board"))


def not_lin(board: Board) -> str | None:
    """Say why a board cannot be written as LIN, if it cannot."""
    if board.layout is not None and max(board.layout.sizes) > HAND_SIZE:
        sizes = describe_sizes(board.layout)
        return f"in LIN a hand has at most {HAND_SIZE} cards; {sizes}: '{board.layout}'"
    return None


def format_lin(board: Board, complain: Complain) -> str:
    """Return one board that has cards as LIN, without the `pg` that ends it.

    >>> from pavcodec import numbering
    >>> board = Board.make(numbering("deal")[0], number=7, tags={"South": "Dov"})
    >>> format_lin(board, print)[:60]
    'qx|o7,BOARD 7|pn|Dov,,,|st||md|1SHDAKQJT98765432C,SHDCAKQJT9'
    """
    assert board.layout is not None, "boards without cards were left out"
    auction = None
    try:
        auction = auction_of_dealer(board)
    except PavError as error:
        complain(f"the auction is left out: {error}")
    dealer = board.dealer if auction is None else auction.dealer
    hands = ",".join(format_suits(board.layout, seat) for seat in SEATS)
    first = "" if dealer is None else str(SEATS.index(dealer) + 1)
    parts = [*_before(board, complain), f"md|{first}{hands}|", *_after(board, complain)]
    parts += _auction(board, auction, complain)
    parts += _play(board, auction, complain)
    return "".join(parts)


def _held(text: str, what: str, complain: Complain, *, commas: bool = True) -> str:
    """Return a text in one line; empty, with a complaint, if LIN cannot hold it."""
    tidy = " ".join(text.split())
    wrong = _UNHELD.search(tidy)
    if wrong or ("," in tidy and not commas):
        complain(f"{what} is left out: LIN has no {wrong[0] if wrong else ','!r} in it: {tidy!r}")
        return ""
    return tidy


def _event_of(board: Board) -> tuple[str, ...]:
    """Return the fields of the `vg` of a board; those LIN cannot hold are empty."""
    fields = []
    for name in EVENT_TAGS:
        value = " ".join(board.tags.get(name, "").split()) if name else ""
        value = "" if value in _UNKNOWN or "," in value or _UNHELD.search(value) else value
        fields.append(_SCORING_LETTERS.get(value, value) if name == "Scoring" else value)
    return tuple(fields)


def _header(fields: list[str], boards: list[Board]) -> str:
    """Return the `vg` of some boards."""
    numbers = [board.number for board in boards if board.number is not None]
    fields[3:5] = [str(min(numbers)), str(max(numbers))] if numbers else ["", ""]
    return f"vg|{','.join(fields)},|pg||\n"


def _before(board: Board, complain: Complain) -> Iterator[str]:
    """Yield what stands before the hands."""
    room = board.tags.get("Room", "")
    if board.number is not None:
        letter = "c" if room == "Closed" else "o"
        title = "" if room in ("Open", "Closed") else f",BOARD {board.number}"
        yield f"qx|{letter}{board.number}{title}|"
    names = []
    for seat in SEATS:
        name = board.tags.get(seat.name.title(), "")
        what = f"the name of {seat.name.title()}"
        names.append("" if name in _UNKNOWN else _held(name, what, complain, commas=False))
    yield f"pn|{','.join(names)}|"  # without it, common readers find no board
    yield "st||"


def _after(board: Board, complain: Complain) -> Iterator[str]:
    """Yield what stands between the hands and the auction."""
    number = _held(board.tags.get("Board", ""), "the tag Board", complain)
    if number not in _UNKNOWN:
        yield f"rh||ah|Board {number}|"
    if board.vulnerable is not None:
        yield f"sv|{_VULNERABILITY_LETTERS[board.vulnerable.value]}|"


def _auction(board: Board, auction: Auction | None, complain: Complain) -> Iterator[str]:
    """Yield the calls, each with what it means."""
    if auction is None:
        raw = board.tags.get(AUCTION_TAG, "")
        if raw and _RAW_AUCTION.fullmatch(f"{raw}|"):
            yield f"{raw}|"
        return
    for call in auction.calls:
        word = _SHORT.get(call.word, call.word[:2])
        yield f"mb|{word}{'!' if call.alert else ''}|"
        note = _held(call.note, "the note of a call", complain)
        if note:
            yield f"an|{note}|"


def _play(board: Board, auction: Auction | None, complain: Complain) -> Iterator[str]:
    """Yield the cards, and the claim where the cards do not tell the result."""
    assert board.layout is not None
    contract = contract_of(auction) if auction else None
    strain = contract.strain if contract else strain_of(board.tags.get("Contract", ""))
    try:
        cards = played_cards(board, strain)
    except PavError as error:
        complain(f"the play is left out: {error}")
        cards = []
    raw = _held(board.tags.get(PLAY_TAG, ""), f"the tag {PLAY_TAG}", complain)
    for card in cards or raw.split():
        yield f"pc|{card}|"
    result = board.tags.get("Result", "")
    if re.fullmatch("[0-9]|1[0-3]", result):
        told = None
        if contract is not None and contract.declarer is not None and len(cards) == 52:
            told = declarer_tricks(board.layout, cards, contract.declarer, contract.strain)
        if told != int(result):
            yield f"mc|{result}|"
