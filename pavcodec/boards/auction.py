"""Auctions of PBN, and the lists of calls from which other formats are written.

Rule 1: a call is the word of PBN (`1C` … `7NT`, `Pass`, `X`, `XX`) with its note.
Rule 2: an alert and an explanation are one note: `Alert`, `Alert: text`, or the text alone.
Rule 3: a star at a call, or with calls after it, is an alert; any other ends the section.
Rule 4: a contract follows from an auction only if every call in it was allowed and it is over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pavcodec.boards.board import Board, Tag
from pavcodec.cards import SEAT_LETTERS, Seat
from pavcodec.errors import PavError

__all__ = [
    "Auction",
    "Call",
    "Contract",
    "auction_of",
    "auction_of_dealer",
    "auction_tags",
    "call_of",
    "contract_of",
    "contract_tags",
    "notes_of",
    "passes_to_end",
    "remarks_cut",
]

_STORED = 64
"""The auctions that are kept: a board is often read more than once, one use after another."""

CALLS_A_LINE = 4
_STRAINS = "CDHSN"
_PASS, _DOUBLE, _REDOUBLE = "Pass", "X", "XX"
_WORDS = {
    word: call
    for call, words in (
        (_PASS, ("P", "PASS")),
        (_DOUBLE, ("X", "D", "DBL", "DOUBLE")),
        (_REDOUBLE, ("XX", "R", "RDBL", "REDOUBLE")),
    )
    for word in words
} | {
    f"{level}{strain}": f"{level}{'NT' if strain == 'NT' else strain}"
    for level in range(1, 8)
    for strain in ("C", "D", "H", "S", "NT")
}
_WORDS |= {f"{level}N": f"{level}NT" for level in range(1, 8)}
MARKS = ("", "!", "?", "!!", "??", "!?", "?!")
"""The marks of calls and cards; the index of a mark is its number in PBN, as in `$2`."""

_REMARKS = re.compile(r"\{[^}]*\}|;[^\n]*|^%[^\n]*", re.MULTILINE)
_CALL_WORD = rf"(?i:(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b)"
_TOKEN = re.compile(
    rf"""\s*(?:
      =(?P<note>\d+)= | \$(?P<glyph>\d+) | (?P<mark>[!?]{{1,2}})
    | (?P<star>(?<=[^\s*+-])\* | \*(?=\s*{_CALL_WORD}))
    | (?P<all>(?i:AP|ALL[\s-]*PASS)\b) | (?P<end>[*+]) | (?P<word>[A-Za-z0-9]+|-|\S+)
    )""",
    re.VERBOSE,
)
_NOTE = re.compile(r"\s*(\d+)\s*:\s*(.*)", re.DOTALL)
_ALERT = re.compile(r"Alert(?:: (.+)|)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Call:
    """A call, whether it was alerted, its meaning, and the mark of the writer."""

    word: str
    alert: bool = False
    note: str = ""
    mark: str = ""

    def text_of_note(self) -> str:
        """Return the text of the call's note in PBN; empty without a note."""
        if not self.alert:
            return self.note
        return f"Alert: {self.note}" if self.note else "Alert"


@dataclass(frozen=True, slots=True)
class Auction:
    """Calls from a dealer on."""

    dealer: Seat
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Contract:
    """The result of an auction; `text` is that of PBN, such as `4SX`, and `Pass` if nobody bid."""

    text: str
    declarer: Seat | None

    @property
    def strain(self) -> str:
        """The letter of the strain: C D H S N; empty if nobody bid."""
        return self.text[1:2] if self.declarer is not None else ""


def call_of(word: str) -> str | None:
    """Return the call of a word; None for another word.

    >>> call_of("1n"), call_of("dbl"), call_of("8C")
    ('1NT', 'X', None)
    """
    return _WORDS.get(word.upper())


def call_with_note(call: str, text: str, mark: str = "") -> Call:
    """Return a call with PBN's note of it."""
    alert = _ALERT.fullmatch(text)
    if alert is None:
        return Call(call, note=text, mark=mark)
    return Call(call, alert=True, note=alert[1] or "", mark=mark)


def remarks_cut(lines: Iterable[str]) -> str:
    """Return the text of a section without its comments."""
    return _REMARKS.sub(" ", "\n".join(lines))


def auction_tags(auction: Auction) -> list[Tag]:
    """Return the Auction section of an auction, four calls a line, and its notes."""
    notes: dict[str, int] = {}
    words = []
    for call in auction.calls:
        text = call.text_of_note()
        parts = [call.word]
        if text:
            parts.append(f"={notes.setdefault(text, len(notes) + 1)}=")
        if call.mark:
            parts.append(f"${MARKS.index(call.mark)}")
        words.append(" ".join(parts))
    if not _is_over(auction.calls):
        words.append("*")
    lines = tuple(
        " ".join(words[start : start + CALLS_A_LINE])
        for start in range(0, len(words), CALLS_A_LINE)
    )
    tags = [Tag("Auction", auction.dealer.letter, lines)]
    return tags + [Tag("Note", f"{number}:{text}") for text, number in notes.items()]


def _is_over(calls: Sequence[Call]) -> bool:
    """Return whether an auction ends with three passes, or with four if nobody bid."""
    needed = 3 if any(call.word != _PASS for call in calls) else 4
    return len(calls) >= needed and all(call.word == _PASS for call in calls[-needed:])


def notes_of(board: Board, section: str) -> dict[str, str]:
    """Return the notes after a section, by their numbers."""
    notes: dict[str, str] = {}
    inside = False
    for tag in board.entries:
        if tag.name in ("Auction", "Play"):
            inside = tag.name == section
        elif tag.name == "Note" and inside and (found := _NOTE.fullmatch(tag.value)):
            notes.setdefault(found[1], found[2])
    return notes


def auction_of(board: Board) -> Auction | None:
    """Return the auction of a board, or None.

    Raises `PavError` for an auction that is no plain list of calls, as with an irregularity.
    """
    tag = next((tag for tag in board.entries if tag.name == "Auction" and tag.lines), None)
    if tag is None:
        return None
    notes = tuple(notes_of(board, "Auction").items())
    return _auction_of_texts(tag.value, tag.lines, notes)


@lru_cache(_STORED)
def _auction_of_texts(
    dealer: str, lines: tuple[str, ...], notes: tuple[tuple[str, str], ...]
) -> Auction | None:
    """Return the auction of a section with its notes."""
    if dealer not in tuple(SEAT_LETTERS):
        raise PavError(f"the auction begins with N, E, S or W, not {dealer!r}")
    calls = _calls(remarks_cut(lines), dict(notes))
    return Auction(Seat.parse(dealer), tuple(calls)) if calls else None


def auction_of_dealer(board: Board) -> Auction | None:
    """Return the auction of a board, as `auction_of`; it must begin with the dealer."""
    auction = auction_of(board)
    if auction is not None and board.dealer not in (None, auction.dealer):
        raise PavError(f"it begins with {auction.dealer.letter}, who is not the dealer")
    return auction


def _calls(text: str, notes: dict[str, str]) -> list[Call]:
    """Return the calls of a section."""
    calls: list[Call] = []
    ended_by = ""
    for token in _TOKEN.finditer(text):
        kind, word = token.lastgroup, token[0].strip()
        if kind == "end" or (ended_by and kind != "word"):
            ended_by = ended_by or word
        elif kind == "all":
            calls += passes_to_end(calls)
            ended_by = word
        elif kind == "word":
            if ended_by and word != "-":
                raise PavError(
                    f"the auction goes on with {word!r} after {ended_by!r}, which ends it"
                )
            if word != "-" or calls:
                calls.append(Call(_call_in_auction(word)))
        elif not calls:
            raise PavError(f"the auction has {word!r} before any call")
        else:
            calls[-1] = _annotated(calls[-1], token, notes)
    return calls


def _call_in_auction(word: str) -> str:
    """Return the call of a word of an auction; raise `PavError` for another word."""
    call = call_of(word)
    if call is None:
        raise PavError(f"{word!r} in the auction is no call")
    return call


def _annotated(call: Call, token: re.Match[str], notes: dict[str, str]) -> Call:
    """Return a call with the note, the alert or the mark of a token."""
    if token["star"]:
        return replace(call, alert=True)
    if token["note"] is not None:
        text = notes.get(token["note"], "")
        noted = call_with_note(call.word, text, call.mark)
        return replace(noted, alert=call.alert or noted.alert) if text else call
    glyph = token["glyph"]
    if glyph is None:
        mark = token["mark"]
    else:
        mark = MARKS[int(glyph)] if len(glyph) == 1 and int(glyph) < len(MARKS) else call.mark
    return replace(call, mark=mark)


def passes_to_end(calls: Sequence[Call]) -> list[Call]:
    """Return the passes that an auction still needs to end."""
    needed = 3 if any(call.word != _PASS for call in calls) else 4
    standing = 0
    for call in reversed(calls):
        if call.word != _PASS:
            break
        standing += 1
    return [Call(_PASS)] * max(0, needed - standing)


def contract_of(auction: Auction) -> Contract | None:
    """Return the contract of an auction; None if it is not over or a call was not allowed.

    >>> words = "1H Pass 2H X 4H Pass Pass Pass".split()
    >>> contract_of(Auction(Seat.NORTH, tuple(map(Call, words))))
    Contract(text='4H', declarer=<Seat.NORTH: 0>)
    """
    bidding = _Bidding()
    if not _is_over(auction.calls) or not all(bidding.take(call.word) for call in auction.calls):
        return None
    if not bidding.last:
        return Contract(_PASS, None)
    first = bidding.first[bidding.bidder % 2, bidding.last[1]]
    return Contract(bidding.last + bidding.doubled, Seat((auction.dealer + first) % len(Seat)))


class _Bidding:
    """An auction so far, by the places of the calls in it."""

    def __init__(self) -> None:
        self.last = ""
        self.bidder = 0
        self.doubled = ""
        self.first: dict[tuple[int, str], int] = {}
        """The player of a side who was the first to bid a strain."""
        self._place = -1
        self._passes = 0

    def take(self, word: str) -> bool:
        """Add the next call, and return whether it is allowed."""
        self._place += 1
        if self._passes >= (3 if self.last else 4):
            return False
        self._passes = self._passes + 1 if word == _PASS else 0
        is_opponent = (self._place - self.bidder) % 2 == 1
        if word == _PASS:
            return True
        if word == _DOUBLE:
            allowed = bool(self.last) and not self.doubled and is_opponent
            self.doubled = word
        elif word == _REDOUBLE:
            allowed = self.doubled == _DOUBLE and not is_opponent
            self.doubled = word
        else:
            allowed = not self.last or _height(word) > _height(self.last)
            self.last, self.bidder, self.doubled = word, self._place, ""
            self.first.setdefault((self._place % 2, word[1]), self._place)
        return allowed


def _height(bid: str) -> tuple[str, int]:
    """Return the key of the order of bids."""
    return bid[0], _STRAINS.index(bid[1])


def contract_tags(contract: Contract) -> dict[str, str]:
    """Return the tags Declarer and Contract."""
    declarer = "" if contract.declarer is None else contract.declarer.letter
    return {"Declarer": declarer, "Contract": contract.text}
