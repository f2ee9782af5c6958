"""The boards of BEN, a robot, and of Bridge Bidding Analyser: `.ben`.

    ben = { [ "# " remark newline ] hands newline dealer " " vulnerable { " " call } newline }

Rule 1: the hands are N E S W, suits between dots; the vulnerability is `None N-S E-W Both`; a star
        at a call is an alert. Lines that start with `#` are remarks.
Rule 2: dealer and vulnerability may be in the line of the hands, before or after them, and the
        parts may be in quotes with a comma between: such files exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from pavcodec.boards.auction import (
    Auction,
    auction_of,
    auction_of_dealer,
    auction_tags,
    contract_of,
    contract_tags,
)
from pavcodec.boards.board import Board, Tag
from pavcodec.boards.context import Context
from pavcodec.boards.vulnerability import Vulnerability
from pavcodec.cards import Seat
from pavcodec.errors import PavError, ReadError
from pavcodec.formats.plain.texts import numbered_lines, shorten
from pavcodec.formats.programs.deal_lines import deal_of_hands, hands_of, reason_of, write_each

__all__ = ["read_ben", "write_ben"]

_SUITS = r"[AKQJT2-9]*(?:\.[AKQJT2-9]*){3}"
_HANDS = rf"(?P<hands>{_SUITS}(?: +{_SUITS}){{3}})"
_RULES = r"(?P<dealer>[NESW]) +(?P<vulnerable>None|N-S|E-W|Both)(?P<calls>(?: +[A-Za-z0-9*]+)*)"
_LINE = re.compile(_HANDS)
_RULES_LINE = re.compile(_RULES)
_ONE_LINE = (re.compile(rf"{_HANDS}[ ,]+{_RULES}"), re.compile(rf"{_RULES}[ ,]+{_HANDS}"))
_WORDS = {
    Vulnerability.NONE: "None",
    Vulnerability.NS: "N-S",
    Vulnerability.EW: "E-W",
    Vulnerability.ALL: "Both",
}
_CALLS = {"Pass": "P"}


def read_ben(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield a board for each four hands; lines that are not of the format are problems."""
    held: tuple[int, str] | None = None  # hands whose dealer is in the next line
    for line, raw in numbered_lines(stream, context):
        text = " ".join(raw.replace("'", " ").replace('"', " ").split())
        whole = next(filter(None, (form.fullmatch(text) for form in _ONE_LINE)), None)
        rules = _RULES_LINE.fullmatch(text)
        if held is not None and rules is None:
            yield from _board(*held, None, context)
            held = None
        if whole is not None:
            yield from _board(line, whole["hands"], whole, context)
        elif rules is not None and held is not None:
            yield from _board(*held, rules, context)
            held = None
        elif _LINE.fullmatch(text):
            held = line, text
        else:
            expected = "four hands, or dealer, vulnerability and calls as in 'E N-S P 1C'"
            context.problem(line, f"expected {expected}: {shorten(text)}")
    if held is not None:
        yield from _board(*held, None, context)


def _board(line: int, hands: str, rules: re.Match[str] | None, context: Context) -> Iterator[Board]:
    """Yield the board of its lines; report lines that are no board."""
    try:
        layout = deal_of_hands(hands.split())
    except PavError as error:
        context.problem(line, f"{reason_of(error)}: {shorten(hands)}")
        return
    if rules is None:
        context.problem(line, f"there is no dealer behind the hands {shorten(hands)}")
        yield Board(layout, line=line)
        return
    dealer, vulnerable = rules["dealer"], Vulnerability.parse(rules["vulnerable"])
    assert vulnerable is not None, "the pattern has its words alone"
    tags = [Tag("Dealer", dealer), Tag("Vulnerable", vulnerable.value)]
    try:
        auction = _auction(Seat.parse(dealer), rules["calls"])
    except PavError as error:
        context.problem(line, str(error))
        auction = None
    contract = None if auction is None else contract_of(auction)
    if contract is not None:
        tags += [Tag(*tag) for tag in contract_tags(contract).items()]
    more = auction_tags(auction) if auction is not None else []
    yield Board(layout, (*tags, *more), line=line)


def _auction(dealer: Seat, calls: str) -> Auction | None:
    """Return the auction of calls, if there are any."""
    return auction_of(Board(None, (Tag("Auction", dealer.letter, (calls,)),)))


def write_ben(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write two lines for each deal, and return how many."""
    return write_each(boards, stream, context, lambda board: _text_of(board, context))


def _text_of(board: Board, context: Context) -> str:
    hands = " ".join(hands_of(board))
    dealer, vulnerable = board.dealer, board.vulnerable
    if dealer is None or vulnerable is None:
        raise ReadError("BEN needs a dealer and a vulnerability")
    try:
        auction = auction_of_dealer(board)
    except PavError as error:
        context.problem(board.line, f"the auction is left out: {error}", board.tags.get("Board"))
        auction = None
    calls = [] if auction is None else auction.calls
    words = [
        (_CALLS.get(call.word) or call.word.removesuffix("T")) + ("*" if call.alert else "")
        for call in calls
    ]
    return f"{hands}\n{' '.join([dealer.letter, _WORDS[vulnerable], *words])}\n"
