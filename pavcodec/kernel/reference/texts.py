"""Texts, defined: deal texts, hands, decimal numbers, plain games of PBN, boards of LIN.

A deal text is the first seat, a colon, and four hands. A hand is S.H.D.C, or a dash without cards.
The readers take only what is certain: they stop at any other text, which a reader of the complete
format may still understand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pavcodec.kernel.reference.numbers import Words, number_at, put_number

Bytes: TypeAlias = NDArray[np.uint8]
Positions: TypeAlias = NDArray[np.int64]

_SEATS, _RANKS = b"NESW", b"AKQJT98765432"
_SUIT, _DECK, _UNUSED, _NO_CARDS = 13, 52, 4, 255

_SUIT_TEXT = rb"[AKQJT98765432]*"
_HAND = rb"(-|" + rb"\.".join([_SUIT_TEXT] * 4) + rb")"
_DEAL = re.compile(rb"([NESW]):" + b" ".join([_HAND] * 4))
_NUMBER = re.compile(rb"[0-9]{1,38}")


def _cards(hand: bytes) -> list[int]:
    """Return the cards of the text of a hand."""
    suits = enumerate(hand.replace(b"-", b"").split(b"."))
    return [_SUIT * suit + _RANKS.index(rank) for suit, ranks in suits for rank in ranks]


def _deal(text: bytes, most: int) -> tuple[int, bytes] | None:
    """Return the size of a deal text and its owners, if no hand has more than `most` cards."""
    match = _DEAL.match(text)
    if not match:
        return None
    owners = bytearray([_UNUSED]) * _DECK
    for turn, hand in enumerate(match.groups()[1:]):
        cards = _cards(hand)
        for card in cards:
            if owners[card] != _UNUSED:
                return None
            owners[card] = (_SEATS.index(match[1]) + turn) % 4
        if len(cards) > most:
            return None
    return match.end(), bytes(owners)


def _whole_lines(text: Bytes, size: int, begin: int) -> bytes:
    """Return a text from a position to its last line end."""
    rest = text[begin:size].tobytes()
    return rest[: rest.rfind(b"\n") + 1]


def _read_lines(
    text: bytes, rows: int, at: Positions, row_of: Callable[[bytes], Any]
) -> Iterator[Any]:
    """Yield what is read from lines, up to one of which `row_of` makes None."""
    for line in text.splitlines(keepends=True)[:rows]:
        row = row_of(line.rstrip(b"\r\n")) if line.endswith(b"\n") else None
        if row is None:
            return
        at[0] += len(line)
        yield row


def read_deals(text: Bytes, size: int, n: int, owners: Bytes, at: Positions) -> int:
    """Read deal texts, one a line."""

    def owners_of(line: bytes) -> bytes | None:
        deal = _deal(line, _DECK)
        return deal[1] if deal and deal[0] == len(line) else None

    rows = list(_read_lines(_whole_lines(text, size, int(at[0])), n, at, owners_of))
    for row, read in zip(owners.reshape(-1, _DECK), rows, strict=False):
        row[:] = list(read)
    return len(rows)


def read_numbers(
    text: Bytes, size: int, least: Words, most: Words, n: int, numbers: Words, at: Positions
) -> int:
    """Read decimal numbers from `least` to `most`, one a line."""

    def number_of(line: bytes) -> int | None:
        number = int(line) if _NUMBER.fullmatch(line) else -1
        return number if number_at(least) <= number <= number_at(most) else None

    rows = list(_read_lines(_whole_lines(text, size, int(at[0])), n, at, number_of))
    for row, number in enumerate(rows):
        put_number(numbers, row, number)
    return len(rows)


def read_hands(
    text: Bytes, size: int, offsets: NDArray[np.int32], seat: int, n: int, owners: Bytes
) -> int:
    """Give the cards of hands to a seat: unused cards, written in order."""
    rows = owners.reshape(-1, _DECK)
    for row in range(n):
        begin, end = int(offsets[row]), int(offsets[row + 1])
        hand = text[begin:end].tobytes() if 0 <= begin <= end <= size else b""
        if not re.fullmatch(_HAND, hand) or hand == b"...":
            return row
        cards = _cards(hand)
        if cards != sorted(set(cards)) or any(rows[row, cards] != _UNUSED):
            return row
        rows[row, cards] = seat
    return -1


_LONGEST_GAME = 1 << 14
_DEAL_TAG = re.compile(rb'\[Deal "')
_TAG_END = re.compile(rb'"\]\r?\n')
_PLAIN_TAG = re.compile(
    rb'\[(?:Deal "\??|Dealer "[NESW?]?|Vulnerable "(?:None|Love|-|NS|EW|All|Both|\?|)'
    rb'|(?!(?:Deal|Dealer|Vulnerable) )[A-Za-z0-9_]+ "(?!\#)[^"\n\r]*(?<!\\))"\]\r?\n'
)
_DATA = re.compile(rb'[ \t]*(?=[!-~])[^\[\]{};"\n\r]*\r?\n')
_BLANK = re.compile(rb"[ \t]*\r?\n")


def read_games(text: Bytes, size: int, n: int, owners: Bytes, at: Positions) -> int:
    """Read plain games, a row each; that of a game without a deal is 255.

    A game begins with a tag, and all its lines are plain tags or data, at most one of them a deal.
    A blank line ends it, and further ones belong to it. The end of the text ends no game.
    """
    rest, base = _whole_lines(text, size, int(at[0])), int(at[0])
    at[1:] = 0, base, base
    begin = rows = 0
    while rows < n and (game := _game(rest, begin)):
        end, lines, deal = game
        at[2:] = base + begin, base + end
        while blank := _BLANK.match(rest, end):
            end, lines = blank.end(), lines + 1
        owners.reshape(-1, _DECK)[rows] = list(deal) or _NO_CARDS
        at[0], at[1] = base + end, at[1] + lines
        rows, begin = rows + 1, end
    return rows


def _game(text: bytes, begin: int) -> tuple[int, int, bytes] | None:
    """Return the end of a plain game, its number of lines, and the owners of its deal, if any."""
    at, lines, deals, owners = begin, 0, 0, b""
    while at - begin < _LONGEST_GAME:
        head = _DEAL_TAG.match(text, at)
        deal = _deal(text[head.end() : head.end() + 80], _SUIT) if head else None
        if head and deal:
            end = _TAG_END.match(text, head.end() + deal[0])
            owners = deal[1]
        else:
            end = _PLAIN_TAG.match(text, at) or (_DATA.match(text, at) if lines else None)
        if not end or end.end() == len(text):
            return None
        deals += head is not None
        at, lines = end.end(), lines + 1
        if deals > 1:
            return None
        if _BLANK.match(text, at):
            return at, lines, owners
    return None


_LIN_HAND = rb"S" + rb"H".join([rb"(" + _SUIT_TEXT + rb")"] * 2)
_LIN_HAND += rb"D(" + _SUIT_TEXT + rb")C(" + _SUIT_TEXT + rb")"
_LIN_BOARD = re.compile(
    rb"(?:(?:qx|pn|st|rh|ah)\|(?:[^|\x00-\x1f]*[^|g\x00-\x1f])?\|)*"
    rb"md\|[1-4]?" + rb",".join([_LIN_HAND] * 3) + rb"(?:,?|," + _LIN_HAND + rb")\|"
    rb"(?:sv\|[oneb]?\||(?:rh|ah)\|[^|\x00-\x1f]*\|)*"
    rb"pg\|\|(?P<blanks>[ \t\n]*)(?=(?:qx|pn|md|vg)\|)"
)
_LIN_ORDER = (2, 3, 0, 1)


def read_lin(text: Bytes, size: int, n: int, owners: Bytes, at: Positions) -> int:
    """Read plain boards of LIN: complete deals, with tags before and after that cannot be wrong.

    Another board begins behind each. A fourth hand is all other cards, also where it is missing.
    """
    data, rows = text[:size].tobytes(), 0
    at[1] = 0
    while rows < n and (board := _LIN_BOARD.match(data, int(at[0]))):
        held = [
            _SUIT * (suit % 4) + _RANKS.index(rank)
            for suit, ranks in enumerate(board.groups(b"")[:16])
            for rank in ranks
        ]
        sizes = [sum(map(len, board.groups(b"")[hand * 4 : hand * 4 + 4])) for hand in range(4)]
        if len(set(held)) < len(held) or sizes not in ([13] * 4, [13, 13, 13, 0]):
            break
        if not sizes[3] and board[13] is not None:
            break
        row = owners.reshape(-1, _DECK)[rows]
        row[:] = _LIN_ORDER[3]
        for hand in range(3):
            row[held[hand * 13 : hand * 13 + 13]] = _LIN_ORDER[hand]
        at[0], at[1] = board.end(), at[1] + board["blanks"].count(b"\n")
        rows += 1
    return rows


_NUMBER_ROOM = 39 + 8
_HAND_ROOM = 52 + 3 + 1 + 8
_FIELD_ROOM = 2 + 4 + 52 + 4 * 3 + 8
"""Bytes that must be left before a row is written; the kernel writes eight bytes at a time."""

_FIRST_DEAL, _FIRST_NUMBER = 16, 20
"""The first fields of boards that are deals and numbers; those before are suits of hands."""


def _hand_text(cards: Iterable[int]) -> bytes:
    suits: list[list[int]] = [[], [], [], []]
    for card in cards:
        suits[card // _SUIT].append(_RANKS[card % _SUIT])
    return b".".join(map(bytes, suits)) if any(suits) else b"-"


def _put(text: Bytes, at: int, written: bytes) -> int:
    end = at + len(written)
    text[at:end] = list(written)
    return end


def write_boards(
    n: int,
    owners: Bytes,
    numbers: Words,
    first: int,
    least: int,
    most: int,
    classes: int,
    class_of_first: int,
    count: int,
    fields: Bytes,
    literals: Bytes,
    cuts: Positions,
    size: int,
    text: Bytes,
    end: Positions,
) -> int:
    """Write boards: literals, and between them suits of hands, deals and numbers."""
    end[0] = 0
    for row, owned in enumerate(owners.reshape(-1, _DECK)[:n]):
        kind = (class_of_first + row) % classes
        cut = cuts.reshape(-1, count + 2)[kind].tolist()
        hands = [np.flatnonzero(owned == seat).tolist() for seat in range(4)]
        if size - end[0] < cut[-1] - cut[0] + count * _FIELD_ROOM:
            return row
        sizes = [len(hand) for hand in hands]
        if min(sizes) < least or max(sizes) > most or owned.max() > _UNUSED:
            return row
        for place, field in enumerate(fields.reshape(-1, count)[kind].tolist()):
            if field < _FIRST_DEAL:
                cards = [card for card in hands[field // 4] if card // _SUIT == field % 4]
                value = bytes(_RANKS[card % _SUIT] for card in cards)
            elif field < _FIRST_NUMBER:
                seat = field - _FIRST_DEAL
                turns = map(_hand_text, hands[seat:] + hands[:seat])
                value = b"%c:%b" % (_SEATS[seat], b" ".join(turns))
            else:
                value = b"%d" % (first + row if field == _FIRST_NUMBER else number_at(numbers, row))
            literal = literals[cut[place] : cut[place + 1]].tobytes()
            end[0] = _put(text, int(end[0]), literal + value)
        end[0] = _put(text, int(end[0]), literals[cut[-2] : cut[-1]].tobytes())
    return n


def write_numbers(n: int, numbers: Words, size: int, text: Bytes, end: Positions) -> int:
    """Write decimal numbers, one a line."""
    end[0] = 0
    for row in range(n):
        if size - end[0] < _NUMBER_ROOM + 1:
            return row
        end[0] = _put(text, int(end[0]), b"%d\n" % number_at(numbers, row))
    return n


def write_hands(
    n: int, holdings: NDArray[np.uint16], size: int, text: Bytes, offsets: NDArray[np.int32]
) -> int:
    """Write the hands that hold `holdings[suit, row]`, 13 bits, the ace the highest."""
    offsets[0] = 0
    for row in range(n):
        if min(size, (1 << 31) - 1) - offsets[row] < _HAND_ROOM:
            return row
        held = [int(holding) for holding in holdings.reshape(4, -1)[:, row]]
        cards = [card for card in range(_DECK) if held[card // _SUIT] >> 12 - card % _SUIT & 1]
        offsets[row + 1] = _put(text, int(offsets[row]), _hand_text(cards))
    return n
