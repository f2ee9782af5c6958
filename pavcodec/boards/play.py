"""The play of the cards: PBN's Play section, and lists of cards in the order they were played.

PBN has a column for each player, the first for the opening leader; other formats list the cards in
the order of play. The hands determine who played a card. The strain determines who won a trick; it
is not needed where all players followed suit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from pavcodec.boards.board import Board, Tag
from pavcodec.boards.tricks import REMARKS
from pavcodec.cards import RANK_LETTERS, SEAT_LETTERS, SUIT_LETTERS, SUIT_SIZE, UNUSED, Seat
from pavcodec.errors import PavError
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from pavcodec.legal import LineOfPlay


# Auctions of PBN, and the lists of calls from which other formats are written.
#
# Rule 1: a call is the word of PBN (`1C` … `7NT`, `Pass`, `X`, `XX`) with its note.
# Rule 2: an alert and an explanation are one note: `Alert`, `Alert: text`, or the text alone.
# Rule 3: a star at a call, or with calls after it, is an alert; any other ends the section.
# Rule 4: a contract follows from an auction only if every call in it was allowed and it is over.


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
    f"{level}{strain}": f"{level}{'NT' if strain == 'N' else strain}"
    for level in range(1, 8)
    for strain in ("C", "D", "H", "S", "NT", "N")
}
MARKS = ("", "!", "?", "!!", "??", "!?", "?!")
"""The marks of calls and cards; the index of a mark is its number in PBN, as in `$2`."""

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
    return REMARKS.sub(" ", "\n".join(lines))


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
    if passes_to_end(auction.calls):
        words.append("*")
    lines = tuple(
        " ".join(words[start : start + CALLS_A_LINE])
        for start in range(0, len(words), CALLS_A_LINE)
    )
    tags = [Tag("Auction", auction.dealer.letter, lines)]
    return tags + [Tag("Note", f"{number}:{text}") for text, number in notes.items()]


def notes_of(board: Board, section: str) -> dict[str, str]:
    """Return the notes after a section, by their numbers."""
    notes: dict[str, str] = {}
    inside = False
    for tag in board.entries:
        if tag.name in ("Auction", "Play"):
            inside = tag.name == section
        elif tag.name == "Note" and inside and (match := _NOTE.fullmatch(tag.value)):
            notes.setdefault(match[1], match[2])
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
                call = call_of(word)
                if call is None:
                    raise PavError(f"{word!r} in the auction is no call")
                calls.append(Call(call))
        elif not calls:
            raise PavError(f"the auction has {word!r} before any call")
        else:
            calls[-1] = _annotated(calls[-1], token, notes)
    return calls


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
    """Return the passes that an auction needs to end with three, or with four if nobody bid."""
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
    is_over = not passes_to_end(auction.calls)
    if not is_over or not all(bidding.take(call.word) for call in auction.calls):
        return None
    if not bidding.last:
        return Contract(_PASS, None)
    first = bidding.first[bidding.bidder % 2, bidding.last[1]]
    return Contract(bidding.last + bidding.doubled, Seat((auction.dealer + first) % len(Seat)))


class _Bidding:
    """An auction so far; its calls are numbered from 0."""

    def __init__(self) -> None:
        self.last = ""
        self.bidder = 0
        self.doubled = ""
        self.first: dict[tuple[int, str], int] = {}
        """The player of a side who was the first to bid a strain."""
        self._turn = -1
        self._passes = 0

    def take(self, word: str) -> bool:
        """Add the next call, and return whether it is allowed."""
        self._turn += 1
        if self._passes >= (3 if self.last else 4):
            return False
        self._passes = self._passes + 1 if word == _PASS else 0
        is_opponent = (self._turn - self.bidder) % 2 == 1
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
            self.last, self.bidder, self.doubled = word, self._turn, ""
            self.first.setdefault((self._turn % 2, word[1]), self._turn)
        return allowed


def _height(bid: str) -> tuple[str, int]:
    """Return the key of the order of bids."""
    return bid[0], _STRAINS.index(bid[1])


def contract_tags(contract: Contract) -> dict[str, str]:
    """Return the tags Declarer and Contract."""
    declarer = "" if contract.declarer is None else contract.declarer.letter
    return {"Declarer": declarer, "Contract": contract.text}


SEATS = len(SEAT_LETTERS)
_ROUND = [[(seat + turn) % SEATS for turn in range(SEATS)] for seat in range(SEATS)]
_CARD = re.compile(r"[SHDC][AKQJT2-9]")
_WORD = re.compile(r"=\d+=|\$\d+|[!?]+|[-*+]|[A-Za-z0-9]+|\S")
_STRAIN = re.compile(r"(?:[1-7])?(NT|[SHDCN])X{0,2}", re.IGNORECASE)


def strain_of(contract: str) -> str:
    """Return the strain of a contract, C D H S or N; empty without one.

    >>> strain_of("4SX"), strain_of("3NT"), strain_of("Pass")
    ('S', 'N', '')
    """
    match = _STRAIN.fullmatch(contract)
    return match[1][0].upper() if match else ""


CARDS = tuple(suit + rank for suit in SUIT_LETTERS for rank in RANK_LETTERS)
"""The names of the 52 cards, in the order of the deck."""
_INDEXES = {card: index for index, card in enumerate(CARDS)}


def card_names() -> dict[str, str]:
    """Return the cards by all their names: in either case, a ten as T or 10."""
    names: dict[str, str] = {}
    for card in CARDS:
        for rank in (card[1], card[1].lower(), *(["10"] if card[1] == "T" else [])):
            names |= {suit + rank: card for suit in (card[0], card[0].lower())}
    return names


def play_tag(
    layout: Layout | None, cards: Sequence[str], strain: str, *, is_over: bool = False
) -> Tag | None:
    """Return the Play section of cards in the order of play; None if they do not fit.

    They fit if each card is played once, by its owner, clockwise in each trick, and the winner of
    each trick leads to the next.
    """
    if layout is None or not cards or len(set(cards)) < len(cards):
        return None
    lines = []
    played_by = [layout.owners[_INDEXES[card]] for card in cards]
    first = turn = played_by[0]
    if first == UNUSED:
        return None
    for start in range(0, len(cards), SEATS):
        trick = cards[start : start + SEATS]
        if played_by[start : start + SEATS] != _ROUND[turn][: len(trick)]:
            return None
        row = [*trick, *["-"] * (SEATS - len(trick))]
        turned = (first - turn) % SEATS
        lines.append(" ".join(row[turned:] + row[:turned]))
        if start + SEATS < len(cards):
            try:
                turn = (turn + winner(trick, strain)) % SEATS
            except PavError:
                return None
    if is_over and len(cards) < SEATS * SUIT_SIZE:
        lines.append("*")
    return Tag("Play", SEAT_LETTERS[first], tuple(lines))


def played_cards(board: Board, strain: str) -> list[str]:
    """Return the cards of a board's Play section in the order of play.

    Raises `PavError` if the order is not determined: for an invalid card, and for a trick whose
    winner depends on an unknown strain.
    """
    tag = next((tag for tag in board.entries if tag.name == "Play" and tag.lines), None)
    if tag is None:
        return []
    return list(_cards_of_texts(tag.value, tag.lines, strain))


@lru_cache(_STORED)
def _cards_of_texts(leader: str, lines: tuple[str, ...], strain: str) -> tuple[str, ...]:
    """Return the cards of a section in the order of play."""
    if leader not in tuple(SEAT_LETTERS):
        raise PavError(f"the play begins with N, E, S or W, not {leader!r}")
    rows = _rows(remarks_cut(lines))
    cards: list[str] = []
    first = 0
    for number, row in enumerate(rows):
        order = [row[(first + turn) % SEATS] for turn in range(SEATS)]
        trick = order[: order.index("-")] if "-" in order else order
        if any(card != "-" for card in order[len(trick) :]):
            raise PavError(f"trick {number + 1} lacks a card between two others")
        cards += trick
        if len(trick) < SEATS:
            if any(card != "-" for later in rows[number + 1 :] for card in later):
                raise PavError(f"trick {number + 1} is not complete and others follow")
            break
        if number + 1 < len(rows):
            first = (first + winner(trick, strain)) % SEATS
    if len(set(cards)) < len(cards):
        raise PavError("a card is played twice")
    return tuple(cards)


def _rows(text: str) -> list[list[str]]:
    """Return the tricks of a section, a card or `-` for each column.

    `+` is in the column of the next card: the rest of its row belongs to the same trick.
    """
    words: list[str] = []
    ended_by = ""
    for word in _WORD.findall(text):
        if word[0] in "=$!?":
            continue
        if word in "*+-":
            ended_by = ended_by or word.strip("-")
            words += ["-"] if word != "*" else ["-"] * (-len(words) % SEATS)
            continue
        card = word.upper().replace("10", "T")
        if not _CARD.fullmatch(card):
            raise PavError(f"{word!r} in the play is no card")
        if ended_by and len(words) % SEATS == 0:
            raise PavError(f"the play goes on with {word!r} after {ended_by!r}, which ends it")
        words.append(card)
    words += ["-"] * (-len(words) % SEATS)
    rows = [words[start : start + SEATS] for start in range(0, len(words), SEATS)]
    while rows and set(rows[-1]) == {"-"}:
        del rows[-1]
    return rows


def winner(trick: Sequence[str], strain: str) -> int:
    """Return the index of the winning card in a trick.

    >>> winner(["SK", "S2", "HA", "SA"], "N"), winner(["SK", "S2", "H3", "SA"], "H")
    (3, 2)
    """
    suits = [card[0] for card in trick]
    if not strain and suits.count(suits[0]) < len(suits):
        raise PavError("who won a trick is not known without the contract")
    suit = strain if strain in suits else suits[0]
    best = min(_INDEXES[card] for card in trick if card[0] == suit)
    return trick.index(CARDS[best])


def declarer_tricks(
    layout: Layout, cards: Sequence[str], declarer: Seat, strain: str
) -> int | None:
    """Return the tricks of declarer's side when all cards are played; None before that."""
    if len(cards) < SEATS * SUIT_SIZE or not strain:
        return None
    won = 0
    for start in range(0, len(cards), SEATS):
        trick = cards[start : start + SEATS]
        taker = layout.owners[_INDEXES[trick[winner(trick, strain)]]]
        won += (taker - declarer) % 2 == 0
    return won


def board_of_line(line: LineOfPlay, number: int = 1) -> Board:
    """Return the board of a line of play: its deal, a contract of one, and the play."""
    tags = [Tag("Board", str(number))]
    if line.tricks:
        declarer = Seat((line.tricks[0].leader - 1) % len(Seat))
        tags += [Tag("Declarer", declarer.letter), Tag("Contract", f"1{line.denomination.letters}")]
        play = play_tag(line.deal, [str(card) for card in line.cards], line.denomination.letters[0])
        assert play is not None
        tags.append(play)
    return Board(line.deal, tuple(tags))
