"""Addresses of Bridge Base's hand viewer, one a line: boards from and to the part after the `?`.

Rule 1: `lin=` holds LIN, percent-encoded; the reader of `lin` reads it.
Rule 2: without `lin=`, each hand, name, and so on has a parameter of its own, listed in
        docs/formats/lin.md; parameters for the display of the deal are ignored.
Rule 3: `+` is a plus sign; blanks are `%20`.
Rule 4: the writer writes `lin=`, which holds all parts.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO
from urllib.parse import quote, unquote

from pavcodec.boards.board import Board, Context, Tag
from pavcodec.boards.play import (
    Auction,
    Call,
    auction_tags,
    call_of,
    contract_of,
    contract_tags,
    declarer_tricks,
    play_tag,
)
from pavcodec.cards import SEAT_LETTERS, Seat
from pavcodec.errors import PavError
from pavcodec.formats.bbo.lin import (
    PLAY_TAG,
    VULNERABILITIES,
    boards_of_text,
    layout_of_hands,
    parse_suits,
)
from pavcodec.formats.bbo.lin_writer import Report, format_lin, not_lin, once, reporter
from pavcodec.formats.plain.texts import numbered_lines, shorten
from pavcodec.layout import Layout

VIEWER = "https://www.bridgebase.com/tools/handviewer.html"

_CALL = re.compile(
    r"(?P<word>[1-7](?:nt?|[shdc])|p|d|xx|x|r)(?P<alert>!?)"
    r"(?P<remarks>(?:\([^)]*\)|\{[^}]*\})*)",
    re.IGNORECASE,
)
_EXPLANATION = re.compile(r"\(([^)]*)\)")
_CARDS = re.compile(r"([shdc])(10|[akqjt2-9])", re.IGNORECASE)
_LETTERS = SEAT_LETTERS.lower()


def read_handviewer(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of each address; lines that hold no cards are problems."""
    for line, text in numbered_lines(stream, context):
        parameters = _parameters(text)
        if "lin" in parameters:
            yield from boards_of_text(parameters["lin"], context, line)
            continue

        def complain(reason: str, line: int = line, text: str = text) -> None:
            context.problem(line, f"{reason}: {shorten(text)}")

        try:
            yield _board(parameters, line, complain)
        except PavError as error:
            complain(str(error))


def write_handviewer(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write an address for each board that has cards, and return how many were written."""
    written = 0
    note = once(context.note)
    for board in boards:
        if board.layout is None:
            continue
        complain, reason = reporter(board, context), not_lin(board)
        if reason is not None:
            complain(reason)
            continue
        lin = quote(format_lin(board, complain, note), safe="")
        stream.write(f"{VIEWER}?lin={lin}\n".encode())
        written += 1
    return written


def _parameters(address: str) -> dict[str, str]:
    """Return the parameters of an address; the first of each name."""
    query = html.unescape(address.partition("?")[2]).partition("#")[0]
    values: dict[str, str] = {}
    for part in query.split("&"):
        name, _, value = part.partition("=")
        values.setdefault(name.strip().lower(), unquote(value))
    return values


def _board(parameters: Mapping[str, str], line: int, complain: Report) -> Board:
    """Return the board of an address with a parameter for each hand.

    Other wrong parameters are reported and left out. Returns None without cards.
    """
    hands = {
        Seat(seat): parse_suits(parameters[letter])
        for seat, letter in enumerate(_LETTERS)
        if parameters.get(letter)
    }
    if not hands:
        raise PavError("expected the cards in lin=, or in n= e= s= w=")
    layout = layout_of_hands(hands)
    tags = {}
    if number := parameters.get("b", "").strip():
        tags["Board"] = " ".join(number.split())
    for name in ("West", "North", "East", "South"):
        if player := " ".join(parameters.get(f"{name[0].lower()}n", "").split()):
            tags[name] = player
    for part in (_dealer, _vulnerability):
        try:
            tags |= part(parameters)
        except PavError as error:
            complain(str(error))
    board = Board.make(layout, tags=tags)
    more = tuple(_played(board, layout, parameters, complain))
    return Board(layout, (*board.entries, *more), line=line)


def _dealer(parameters: Mapping[str, str]) -> dict[str, str]:
    dealer = parameters.get("d", "").strip().upper()
    if len(dealer) > 1 or dealer not in SEAT_LETTERS:
        raise PavError(f"the dealer d= is n, e, s or w, not {dealer!r}")
    return {"Dealer": dealer} if dealer else {}


def _vulnerability(parameters: Mapping[str, str]) -> dict[str, str]:
    letter = parameters.get("v", "").strip().lower()
    if letter not in VULNERABILITIES:
        raise PavError(f"the vulnerability v= is -, n, e or b, not {letter!r}")
    word = VULNERABILITIES[letter]
    return {"Vulnerable": word} if word else {}


def _played(
    board: Board, layout: Layout, parameters: Mapping[str, str], complain: Report
) -> Iterator[Tag]:
    """Yield contract and result, the auction with its notes, and the play."""
    auction, cards = None, []
    try:
        auction = _auction(board, parameters.get("a", ""))
    except PavError as error:
        complain(str(error))
    try:
        cards = _cards(parameters.get("p", ""))
    except PavError as error:
        complain(str(error))
    contract = contract_of(auction) if auction else None
    play = play_tag(layout, cards, contract.strain if contract else "")
    if contract is not None:
        yield from (Tag(name, value) for name, value in contract_tags(contract).items())
        if contract.declarer is not None and play is not None:
            result = declarer_tricks(layout, cards, contract.declarer, contract.strain)
            if result is not None:
                yield Tag("Result", str(result))
    if auction is not None:
        yield from auction_tags(auction)
    if play is not None:
        yield play
    elif cards:
        yield Tag(PLAY_TAG, " ".join(cards))


def _auction(board: Board, text: str) -> Auction | None:
    """Return the auction of `a=`, or None."""
    calls = _calls(text)
    if calls and board.dealer is None:
        raise PavError("an auction a= needs the dealer d= or a board number b=")
    return Auction(board.dealer, calls) if calls and board.dealer is not None else None


def _calls(text: str) -> tuple[Call, ...]:
    """Return the calls of `a=`: `p d r` and bids, each with `!` and `(explanation)`."""
    calls = []
    offset = 0
    text = text.strip()
    if text.startswith("-"):
        return ()  # a contract in place of an auction
    while offset < len(text):
        call = _CALL.match(text, offset)
        if call is None:
            raise PavError(f"expected a call at {text[offset : offset + 8]!r} in the auction a=")
        note = " ".join(" ".join(_EXPLANATION.findall(call["remarks"])).split())
        calls.append(Call(call_of(call["word"]) or "", bool(call["alert"]), note))
        offset = call.end()
        while offset < len(text) and text[offset] in " -,":
            offset += 1
    return tuple(calls)


def _cards(text: str) -> list[str]:
    packed = re.sub(r"[\s,]+", "", text)
    cards = list(_CARDS.finditer(packed))
    if "".join(card[0] for card in cards) != packed:
        raise PavError(f"expected cards such as sasks2 in the play p=, not {packed[:20]!r}")
    return [card[1].upper() + card[2].upper().replace("10", "T") for card in cards]
