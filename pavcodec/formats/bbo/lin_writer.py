"""LIN, the files of Bridge Base Online: boards to a stream of bytes.

Rule 1: one board a line, its tags in the order that Bridge Base itself writes them: qx pn st md rh
        ah sv, then calls with their explanations, cards and claim.
Rule 2: a `vg` comes before the first board of an event, with its first and last board number, or
        the value of the tag LinHeader.
Rule 3: a value that LIN cannot hold, such as a name with `|`, is a problem and left out; the part
        of an auction or a play before it is written. A comma in a name or in a value of `vg`
        becomes a semicolon, with one note.
Rule 4: the file is UTF-8.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, islice, zip_longest
from operator import itemgetter
from typing import BinaryIO, TypeVar

from pavcodec.boards.board import Board, Context
from pavcodec.boards.play import (
    Auction,
    Call,
    auction_of_dealer,
    call_of,
    contract_of,
    declarer_tricks,
    played_cards,
    remarks_cut,
    strain_of,
)
from pavcodec.cards import DECK_SIZE, HAND_SIZE
from pavcodec.errors import PavError
from pavcodec.formats.bbo.lin import (
    AUCTION_TAG,
    COMMENTS_TAG,
    EVENT_TAGS,
    HEADER_TAG,
    PAIR,
    PLAY_TAG,
    SCORINGS,
    SEATS,
    VULNERABILITIES,
    calls_of,
    format_hands,
)
from pavcodec.formats.format import COMMENT
from pavcodec.layout.layout import describe_sizes

# The readable part of an auction or a play, and the places of the comments in a board.


_ALL_PASS = re.compile(r"(?i:AP|ALL)")
_CARD = re.compile(r"(?i:[SHDC](?:10|[AKQJT2-9]))|-")
_COLUMNS = 4

T = TypeVar("T")


def first_part(read: Callable[[Board], T], board: Board, section: str) -> T | None:
    """Return the result of a function for a section up to the first unreadable word.

    `read` raises `PavError` from that word on. Returns None if it can read nothing.
    """
    position = next(
        (n for n, tag in enumerate(board.entries) if tag.name == section and tag.lines), None
    )
    if position is None:
        return None
    words = remarks_cut(board.entries[position].lines).split()

    def attempt(count: int) -> T | None:
        entries = list(board.entries)
        entries[position] = replace(entries[position], lines=(" ".join(words[:count]),))
        try:
            return read(Board(board.layout, tuple(entries)))
        except PavError:
            return None

    wrong = bisect_left(range(len(words)), True, lo=1, key=lambda n: attempt(n + 1) is None)
    return attempt(wrong)


def comments_in(board: Board, calls: int, cards: int) -> Iterator[tuple[int, str]]:
    """Yield the comments of a board, each after the number of calls and cards before it.

    A comment within a trick is after the tricks before it, since the columns of PBN are not the
    order of play.
    """
    for tag in board.entries:
        if not tag.lines:
            continue
        text = "\n".join(tag.lines)
        end, done, is_over = 0, 0, False
        for comment in COMMENT.finditer(text):
            words = text[end : comment.start()].split()
            end = comment.end()
            before = 0
            if tag.name == "Auction":
                is_over = is_over or any(map(_ALL_PASS.fullmatch, words))
                done += sum(call_of(word) is not None for word in words)
                before = calls if is_over else min(calls, done)
            elif tag.name == "Play":
                done += sum(map(bool, map(_CARD.fullmatch, words)))
                before = calls + min(cards, done // _COLUMNS * _COLUMNS)
            remark = comment[1] or comment[2] or ""
            if remark.strip():
                yield before, remark


_AT_ONCE = 1024
"""The most boards that share a `vg`, so that a whole stream is never in memory."""

_SHORT = {"Pass": "p", "X": "d", "XX": "r"}
_VULNERABILITY_LETTERS = {word: letter for letter, word in VULNERABILITIES.items() if word} | {
    "None": "o"
}
_SCORING_LETTERS = {word: letter for letter, word in SCORINGS.items()}
_UNHELD = re.compile(r"[|\x00-\x08\x0e-\x1f]")
_RAW_AUCTION = re.compile(r"(?:(?:mb|an)\|[^|]*\|)*")
_UNKNOWN = ("", "?")
SURROGATE = re.compile(r"[\ud800-\udfff]")
"""What UTF-8 does not have."""

_RAW_HEADER = re.compile(r"(?:[A-Za-z0-9+]{2}\|[^|]*+\|)+")
_RAW_COMMENTS = re.compile(r"(\d{1,4})\|([^|]*+)\|")

Report = Callable[[str], None]
"""Receives a part of a board that is left out or changed, with the reason."""


def write_lin(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a line for each board that has cards, and return how many were written."""
    written = 0
    note = once(context.note)
    event: tuple[str, ...] = ("",) * (len(EVENT_TAGS) + 1)
    with_cards = (board for board in boards if board.layout is not None)
    for fields, group in groupby(with_cards, partial(_event_of, note=note)):
        while some := list(islice(group, _AT_ONCE)):
            if any(fields) or any(event):
                stream.write(_header(list(fields[:-1]), fields[-1], some).encode())
            event = fields
            for board in some:
                reason = not_lin(board)
                complain = reporter(board, context)
                if reason is not None:
                    complain(reason)
                    continue
                for name in filter(None, EVENT_TAGS):
                    _held(board.tags.get(name, ""), f"the tag {name}", complain)
                stream.write(f"{format_lin(board, complain, note)}pg||\n".encode())
                written += 1
    return written


def once(report: Report) -> Report:
    """Return a function that calls `report` once for each text."""
    reported: set[str] = set()

    def report_once(text: str) -> None:
        if text not in reported:
            reported.add(text)
            report(text)

    return report_once


def reporter(board: Board, context: Context) -> Report:
    """Return a function that reports a reason as a problem of a board."""
    return lambda reason: context.problem(board.line, reason, board.tags.get("Board"))


def not_lin(board: Board) -> str | None:
    """Return why a board cannot be written as LIN; None if it can."""
    if board.layout is not None and max(board.layout.sizes) > HAND_SIZE:
        sizes = describe_sizes(board.layout)
        return f"in LIN a hand has at most {HAND_SIZE} cards; {sizes}: '{board.layout}'"
    return None


def format_lin(board: Board, complain: Report, note: Report) -> str:
    """Return one board that has cards as LIN, without the `pg` that ends it.

    `complain` receives the parts that are left out, `note` the parts that are changed.

    >>> from pavcodec import numbering
    >>> board = Board.make(numbering("deal")[0], number=7, tags={"South": "Dov"})
    >>> format_lin(board, print, print)[:60]
    'qx|o7,BOARD 7|pn|Dov,,,|st||md|1SHDAKQJT98765432C,SHDCAKQJT9'
    """
    return _Line(board, complain, note).text()


class _Line:
    """The line of one board: each method writes some of its tags."""

    def __init__(self, board: Board, complain: Report, note: Report) -> None:
        assert board.layout is not None, "boards without cards were left out"
        self._board = board
        self._layout = board.layout
        self._tags = board.tags
        self._complain = complain
        self._note = note
        self._auction = self._readable_auction()

    def text(self) -> str:
        """Return all tags in order; the comments of Bridge Base are between calls and cards."""
        auction = self._auction
        dealer = self._board.dealer if auction is None else auction.dealer
        first = "" if dealer is None else str(SEATS.index(dealer) + 1)
        parts = [*self._before(), f"md|{first}{format_hands(self._layout)}|", *self._after()]
        calls = list(self._calls())
        *cards, claim = self._play()
        comments = [*_noted(self._tags.get(COMMENTS_TAG, ""))]
        for count, text in comments_in(self._board, len(calls), len(cards)):
            tidy = " ".join(text.split())
            comments += [(count, tidy)] if tidy and not _UNHELD.search(tidy) else []
        comments.sort(key=itemgetter(0))
        return "".join([*parts, *_with_comments([*calls, *cards], comments), claim])

    def _readable_auction(self) -> Auction | None:
        """Return the auction, or the part of it before the first call that cannot be read."""
        try:
            return auction_of_dealer(self._board)
        except PavError as error:
            auction = first_part(auction_of_dealer, self._board, "Auction")
            after = _after_what(auction.calls if auction else (), "call")
            self._complain(f"the auction is left out{after}: {error}")
            return auction

    def _held(self, tag: str, what: str) -> str:
        """Return the value of a tag if LIN can hold it; otherwise complain and return nothing."""
        value = self._tags.get(tag, "")
        return "" if value in _UNKNOWN else _held(value, what, self._complain)

    def _before(self) -> Iterator[str]:
        """Yield the tags before the hands: board and room, the names of the players."""
        room, number = self._tags.get("Room", ""), self._board.number
        if number is not None:
            letter = "c" if room == "Closed" else "o"
            title = "" if room in ("Open", "Closed") else f",BOARD {number}"
            yield f"qx|{letter}{number}{title}|"
        players = [seat.name.title() for seat in SEATS]
        held = [self._held(player, f"the name of {player}") for player in players]
        names = ",".join(_without_commas(name, "a name", self._note) for name in held)
        yield f"pn|{names}|"  # without it, common readers find no board
        yield "st||"

    def _after(self) -> Iterator[str]:
        """Yield the tags between the hands and the auction: board and vulnerability."""
        number, vulnerable = self._held("Board", "the tag Board"), self._board.vulnerable
        if number not in _UNKNOWN:
            yield f"rh||ah|Board {number}|"
        if vulnerable is not None:
            yield f"sv|{_VULNERABILITY_LETTERS[vulnerable.value]}|"

    def _calls(self) -> Iterator[str]:
        """Yield the calls with their explanations; the original text if it has the same calls."""
        auction = self._auction
        raw = f"{self._tags.get(AUCTION_TAG, '')}|"
        if _RAW_AUCTION.fullmatch(raw):
            pairs = PAIR.findall(raw)
            if auction is None or tuple(calls_of(pairs)[0]) == auction.calls:
                yield from _joined(f"{tag}|{value}|" for tag, value in pairs)
                return
        for call in auction.calls if auction else ():
            yield "".join(_call(call, self._complain))

    def _play(self) -> Iterator[str]:
        """Yield the cards, and last the claim, which is empty if the cards show the result."""
        auction = self._auction
        contract = contract_of(auction) if auction else None
        strain = contract.strain if contract else strain_of(self._tags.get("Contract", ""))
        cards = self._cards(strain)
        raw = _held(self._tags.get(PLAY_TAG, ""), f"the tag {PLAY_TAG}", self._complain).split()
        is_part = [card.upper().replace("10", "T") for card in raw[: len(cards)]] == cards
        for card in raw if raw and is_part else cards:
            yield f"pc|{card}|"
        result = self._tags.get("Result", "")
        shown = None
        if contract is not None and contract.declarer is not None and len(cards) == DECK_SIZE:
            shown = declarer_tricks(self._layout, cards, contract.declarer, contract.strain)
        is_number = re.fullmatch("[0-9]|1[0-3]", result)
        yield f"mc|{result}|" if is_number and shown != int(result) else ""

    def _cards(self, strain: str) -> list[str]:
        """Return the cards played, up to the first that cannot be read."""
        read = partial(played_cards, strain=strain)
        try:
            return read(self._board)
        except PavError as error:
            cards = first_part(read, self._board, "Play") or []
            self._complain(f"the play is left out{_after_what(cards, 'card')}: {error}")
            return cards


def _after_what(done: Sequence[object], what: str) -> str:
    """Return a text for a number of calls or cards; empty for 0."""
    return f" after {len(done)} {what}{'' if len(done) == 1 else 's'}" if done else ""


def _held(text: str, what: str, complain: Report) -> str:
    """Return a text in one line; empty, with a complaint, if LIN cannot hold it."""
    tidy = " ".join(text.split())
    wrong = _UNHELD.search(tidy)
    if wrong:
        complain(f"{what} is left out: LIN has no {wrong[0]!r} in it: {tidy!r}")
        return ""
    return tidy


def _without_commas(text: str, what: str, note: Report) -> str:
    """Return a text for a list with commas; each comma in it becomes a semicolon."""
    if "," in text:
        note(f"LIN has no comma in {what}: each is written as a semicolon")
    return text.replace(",", ";")


def _event_of(board: Board, note: Report) -> tuple[str, ...]:
    """Return the fields of the `vg` of a board, and the header that was read before it."""
    fields = []
    for name in EVENT_TAGS:
        value = " ".join(board.tags.get(name, "").split()) if name else ""
        value = "" if value in _UNKNOWN or _UNHELD.search(value) else value
        value = _without_commas(value, f"the tag {name}", note)
        fields.append(_SCORING_LETTERS.get(value, value) if name == "Scoring" else value)
    header = board.tags.get(HEADER_TAG, "")
    return *fields, header if _RAW_HEADER.fullmatch(f"{header}|") else ""


def _header(fields: list[str], raw: str, boards: list[Board]) -> str:
    """Return the `vg` of some boards, with the header that was read before them."""
    pairs = PAIR.findall(f"{raw}|")
    for position, (tag, value) in enumerate(pairs):
        if tag == "vg":
            read = value.split(",")
            known = zip_longest(EVENT_TAGS, fields, read, fillvalue="")
            own = [new if name else old for name, new, old in known]
            pairs[position] = ("vg", ",".join(own))
            break
    else:
        numbers = [board.number for board in boards if board.number is not None]
        fields[3:5] = [str(min(numbers)), str(max(numbers))] if numbers else ["", ""]
        pairs.insert(0, ("vg", f"{','.join(fields)},"))
    return "".join(f"{tag}|{value}|" for tag, value in pairs) + "pg||\n"


def _joined(parts: Iterable[str]) -> Iterator[str]:
    """Yield each call together with its explanations."""
    held = ""
    for part in parts:
        if held and part.startswith("mb|"):
            yield held
            held = ""
        held += part
    yield held


def _call(call: Call, complain: Report) -> Iterator[str]:
    word = _SHORT.get(call.word, call.word[:2])
    yield f"mb|{word}{'!' if call.alert else ''}|"
    note = _held(call.note, "the note of a call", complain)
    if note:
        yield f"an|{note}|"


def _noted(raw: str) -> list[tuple[int, str]]:
    """Return the comments of a value of LinComments; none if LIN cannot hold them."""
    is_held = not _UNHELD.search(raw.replace("|", "")) and _RAW_COMMENTS.sub("", f"{raw}|") == ""
    comments = _RAW_COMMENTS.findall(f"{raw}|") if is_held else []
    return [(int(count), text) for count, text in comments]


def _with_comments(parts: list[str], comments: Iterable[tuple[int, str]]) -> Iterator[str]:
    """Yield calls and cards, with the comments after the numbers of calls and cards they have."""
    done = 0
    for count, text in comments:
        upto = max(done, min(count, len(parts)))
        yield from parts[done:upto]
        yield f"nt|{text}|pg||"
        done = upto
    yield from parts[done:]
