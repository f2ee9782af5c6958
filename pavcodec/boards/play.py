"""The play of the cards: PBN's Play section, and lists of cards in the order they were played.

PBN has a column for each player, the first for the opening leader; other formats list the cards in
the order of play. The hands determine who played a card. The strain determines who won a trick; it
is not needed where all players followed suit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from pavcodec.boards.auction import remarks_cut
from pavcodec.boards.board import Board, Tag
from pavcodec.cards import RANK_LETTERS, SEAT_LETTERS, SUIT_LETTERS, SUIT_SIZE, UNUSED, Seat
from pavcodec.errors import PavError
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from pavcodec.legal import LineOfPlay

__all__ = [
    "CARDS",
    "board_of_line",
    "card_names",
    "declarer_tricks",
    "play_tag",
    "played_cards",
    "strain_of",
]

_STORED = 64
"""The plays that are kept: a board is often read more than once, one use after another."""

SEATS = len(SEAT_LETTERS)
_ROUND = [[(seat + place) % SEATS for place in range(SEATS)] for seat in range(SEATS)]
_CARD = re.compile(r"[SHDC][AKQJT2-9]")
_WORD = re.compile(r"=\d+=|\$\d+|[!?]+|[-*+]|[A-Za-z0-9]+|\S")
_STRAIN = re.compile(r"(?:[1-7])?(NT|[SHDCN])X{0,2}", re.IGNORECASE)


def strain_of(contract: str) -> str:
    """Return the strain of a contract, C D H S or N; empty without one.

    >>> strain_of("4SX"), strain_of("3NT"), strain_of("Pass")
    ('S', 'N', '')
    """
    found = _STRAIN.fullmatch(contract)
    return found[1][0].upper() if found else ""


CARDS = tuple(suit + rank for suit in SUIT_LETTERS for rank in RANK_LETTERS)
"""The names of the 52 cards, in the order of the deck."""
_PLACES = {card: place for place, card in enumerate(CARDS)}


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
    played_by = [layout.owners[_PLACES[card]] for card in cards]
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
        order = [row[(first + place) % SEATS] for place in range(SEATS)]
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
    """Return the place of the winning card in a trick.

    >>> winner(["SK", "S2", "HA", "SA"], "N"), winner(["SK", "S2", "H3", "SA"], "H")
    (3, 2)
    """
    suits = [card[0] for card in trick]
    if not strain and suits.count(suits[0]) < len(suits):
        raise PavError("who won a trick is not known without the contract")
    suit = strain if strain in suits else suits[0]
    best = min(_PLACES[card] for card in trick if card[0] == suit)
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
        taker = layout.owners[_PLACES[trick[winner(trick, strain)]]]
        won += (taker - declarer) % 2 == 0
    return won


def board_of_line(line: LineOfPlay, number: int = 1) -> Board:
    """Return the board of a line of play: its deal, a contract of one, and the play."""
    tags = [Tag("Board", str(number))]
    if line.tricks:
        declarer = Seat((line.tricks[0].leader - 1) % len(Seat))
        tags += [
            Tag("Declarer", declarer.letter),
            Tag("Contract", f"1{line.denomination.letters}"),
        ]
        play = play_tag(line.deal, [str(card) for card in line.cards], line.denomination.letters[0])
        assert play is not None
        tags.append(play)
    return Board(line.deal, tuple(tags))
