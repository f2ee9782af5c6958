"""PBN deal notation: `N:AK.Q.. - .32.4. -` to and from the owner of every card.

    deal = first ":" hand " " hand " " hand " " hand        clockwise from the first seat
    hand = "-" | spades "." hearts "." diamonds "." clubs   "-" is a hand without cards

Rule 1: `parse_slowly` is the definition. It reads from left to right and explains errors.
Rule 2: `parse_owners` reads the usual case by table, and calls `parse_slowly` for all other texts.
Rule 3: A card that is in no hand is unused. A card in two hands is an error. Hands may have any
        size.

The fast reader stores a suit as 13 hexadecimal digits, ace first, with one bit for each seat in a
digit (N = 1, E = 2, S = 4, W = 8). It adds the sixteen holdings of a deal. Then the four suits as
hexadecimal text are the 52 cards in order. A digit with two bits is a card in two hands.
"""

from __future__ import annotations

import re
from functools import cache

from pavcodec.cards import (
    DECK_SIZE,
    RANK_LETTERS,
    SEAT_LETTERS,
    SUIT_LETTERS,
    SUIT_SIZE,
    UNUSED,
    Card,
    Seat,
)
from pavcodec.errors import TextError

_SEATS = len(SEAT_LETTERS)
_SUITS = len(SUIT_LETTERS)
_SUIT_MASK = (1 << SUIT_SIZE) - 1
_TWICE = 255
_GAP = "\0"  # replaces the second character of a ten written 10, so that positions do not change
_UPPER_RANKS = str.maketrans(RANK_LETTERS.lower(), RANK_LETTERS)


class _Lanes(dict[str, int]):
    """Holding of a suit -> hexadecimal lanes; entries are computed at first use (8192 exist)."""

    def __missing__(self, holding: str) -> int:
        lanes = 0
        last = -1
        for letter in holding:
            rank = RANK_LETTERS.index(letter)  # after a ValueError, parse_slowly reads the text
            if rank <= last:
                raise ValueError(f"ranks of {holding!r} do not descend")
            lanes |= 1 << 4 * (SUIT_SIZE - 1 - rank)
            last = rank
        self[holding] = lanes
        return lanes


class _Holdings(dict[bytes, str]):
    """Thirteen bytes, b"1" for each card that the seat holds -> holding of a suit."""

    def __missing__(self, held: bytes) -> str:
        holding = "".join(r for r, mark in zip(RANK_LETTERS, held, strict=True) if mark == ord("1"))
        self[held] = holding
        return holding


_LANES = _Lanes()
_HOLDINGS = _Holdings()
_OWNERS = {ord("0"): UNUSED} | {ord(f"{1 << seat:x}"): seat for seat in range(_SEATS)}
_OWNER_OF_DIGIT = bytes(_OWNERS.get(digit, _TWICE) for digit in range(256))
"""The table from a hexadecimal digit of the sums to the owner; two bits: `_TWICE`."""
_HELD_BY = tuple(b"0" * seat + b"1" + b"0" * (255 - seat) for seat in range(_SEATS))
"""For each seat the table from an owner to b"1" for this seat and b"0" for the other owners."""


def parse_owners(text: str, *, lenient: bool = False) -> bytes:
    """Return the 52 owners of a deal text; raise `TextError` with the position of an error.

    `lenient` also accepts lower case, `10` for the ten, several blanks and suit letters in a hand.

    >>> parse_owners("E:AK... - 32... -")[:13].hex()
    '01010404040404040404040303'
    """
    try:
        first, hands = text.split(":")
        bit = SEAT_LETTERS.index(first)
        spades = hearts = diamonds = clubs = 0
        north, east, south, west = hands.split(" ")
        for hand in (north, east, south, west):
            if hand != "-":
                s, h, d, c = hand.split(".")
                seat = bit % _SEATS
                spades += _LANES[s] << seat
                hearts += _LANES[h] << seat
                diamonds += _LANES[d] << seat
                clubs += _LANES[c] << seat
            bit += 1
    except ValueError:
        return parse_slowly(text, lenient=lenient)
    digits = f"{spades:013x}{hearts:013x}{diamonds:013x}{clubs:013x}".encode()
    owners = digits.translate(_OWNER_OF_DIGIT)
    if len(owners) != DECK_SIZE or _TWICE in owners or len(first) != 1:
        return parse_slowly(text, lenient=lenient)
    return owners


def parse_slowly(text: str, *, lenient: bool = False) -> bytes:
    """Return the 52 owners of a deal text by the definition, card by card (see `parse_owners`)."""
    first, colon, _ = text.partition(":")
    letter = first.strip().upper() if lenient else first
    if not colon or len(letter) != 1 or letter not in SEAT_LETTERS:
        raise TextError(
            f"a deal starts with the first seat and a colon, such as 'N:', not {text[:8]!r}",
            text,
            (0, max(1, len(first))),
        )
    start = len(first) + 1
    words = _words(text, start, lenient=lenient) if text[start:] else []
    if len(words) != _SEATS:
        raise TextError(
            f"a deal has 4 hands between single blanks ('-' for none), not {len(words)}",
            text,
            (start, len(text)),
        )
    owners = bytearray([UNUSED]) * DECK_SIZE
    for turn, (begin, hand) in enumerate(words):
        seat = (SEAT_LETTERS.index(letter) + turn) % _SEATS
        for card, at in _cards_of_hand(hand, text, begin, lenient=lenient):
            if owners[card] != UNUSED:
                name, holder = str(Card(card)), Seat(owners[card]).name.title()
                if owners[card] == seat:
                    reason = f"card {name} occurs twice in {holder}'s hand"
                else:
                    second = Seat(seat).name.title()
                    reason = f"card {name} is in two hands, {holder}'s and {second}'s"
                raise TextError(reason, text, (at, at + 1))
            owners[card] = seat
    return bytes(owners)


def _words(text: str, start: int, *, lenient: bool) -> list[tuple[int, str]]:
    """Split the text after the colon into (position, hand)."""
    if lenient:
        return [(m.start(), m.group()) for m in re.compile(r"\S+").finditer(text, start)]
    words = []
    for hand in text[start:].split(" "):
        words.append((start, hand))
        start += len(hand) + 1
    return words


def _cards_of_hand(hand: str, text: str, begin: int, *, lenient: bool) -> list[tuple[int, int]]:
    """Return (card, position in the text) for each card of one hand."""
    if hand == "-":
        return []
    parts = hand.split(".")
    if len(parts) != _SUITS:
        raise TextError(
            f"a hand has 4 suits S.H.D.C between dots, not {len(parts)} in {hand!r}",
            text,
            (begin, begin + len(hand)),
        )
    cards = []
    for suit, part in enumerate(parts):
        for letter, at in _ranks_of_suit(part, suit, begin, lenient=lenient):
            rank = RANK_LETTERS.find(letter)
            if rank < 0:
                raise TextError(
                    f"{letter!r} in {hand!r} is no rank; expected one of {RANK_LETTERS}",
                    text,
                    (at, at + 1),
                )
            cards.append((suit * SUIT_SIZE + rank, at))
        begin += len(part) + 1
    return cards


def _ranks_of_suit(part: str, suit: int, begin: int, *, lenient: bool) -> list[tuple[str, int]]:
    """Return (rank letter, position) for each card of a suit; `lenient` is decided here."""
    if not lenient:
        return [(letter, begin + i) for i, letter in enumerate(part)]
    if part[:1].upper() == SUIT_LETTERS[suit]:
        part, begin = part[1:], begin + 1
    ranks = part.replace("10", "T" + _GAP).translate(_UPPER_RANKS)
    return [(letter, begin + i) for i, letter in enumerate(ranks) if letter != _GAP]


def format_owners(owners: bytes, first: int = Seat.NORTH) -> str:
    """Return the deal text of 52 owners, hands clockwise from the seat `first`.

    A hand without cards is `-`; ranks descend.
    """
    hands = []
    for seat in range(first, first + _SEATS):
        held = owners.translate(_HELD_BY[seat % _SEATS])
        hand = (
            f"{_HOLDINGS[held[:13]]}.{_HOLDINGS[held[13:26]]}"
            f".{_HOLDINGS[held[26:39]]}.{_HOLDINGS[held[39:]]}"
        )
        hands.append("-" if hand == "..." else hand)
    return f"{SEAT_LETTERS[first]}:{' '.join(hands)}"


def parse_hand(text: str, *, lenient: bool = False) -> int:
    """Return the 52-bit mask of one hand text, bit i for card i.

    >>> parse_hand("A.K..") == 1 << 0 | 1 << 14
    True
    """
    mask = 0
    for card, at in _cards_of_hand(text, text, 0, lenient=lenient):
        if mask >> card & 1:
            raise TextError(f"card {Card(card)} occurs twice in the hand", text, (at, at + 1))
        mask |= 1 << card
    return mask


def format_hand(mask: int) -> str:
    """Return the hand text of a 52-bit mask, or `-` for no cards."""
    return ".".join(holdings_of_mask(mask)) if mask else "-"


def holdings_of_mask(mask: int) -> list[str]:
    """Return the ranks of each suit in a 52-bit mask, highest first.

    >>> holdings_of_mask(1 << 0 | 1 << 1 | 1 << 14)
    ['AK', 'K', '', '']
    """
    return [_ranks_held(mask >> suit * SUIT_SIZE & _SUIT_MASK) for suit in range(_SUITS)]


@cache  # at most 8192 entries
def _ranks_held(held: int) -> str:
    return "".join(rank for index, rank in enumerate(RANK_LETTERS) if held >> index & 1)


def holding_of(owners: bytes, seat: int, suit: int) -> str:
    """Return the ranks that a seat holds of a suit, highest first.

    >>> holding_of(bytes([0, 2, 0] + [4] * 49), 0, 0)
    'AQ'
    """
    return _HOLDINGS[owners[suit * SUIT_SIZE : (suit + 1) * SUIT_SIZE].translate(_HELD_BY[seat])]
