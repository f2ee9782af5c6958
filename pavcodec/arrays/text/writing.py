"""Write many boards as text: variable fields between constant literals.

A text consists of four literals with three fields between them: the number of the board, its deal
text, and a decimal number. The first and the last field are optional. The *class* of a board, such
as its number modulo 16, determines its literals and the first seat of its deal text. The classes
follow one another in a cycle.

The holding of a suit is copied from a table, eight bytes in each step whatever its length, and the
next holding overwrites the surplus bytes. All positions are `uint64`: for a signed one, numba would
test whether it counts from the end, and would compile the copy loops to single bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.words.wide import load_word, store_word
from pavcodec.cards import DECK_SIZE, RANK_LETTERS, SEAT_LETTERS, SUIT_LETTERS, SUIT_SIZE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.arrays.words.limbs import Limbs


_LITERALS = 4
_MOST_DIGITS = 39
"""The maximum number of digits of a number of two words."""

_MOST_IN_FIELDS = 2 * _MOST_DIGITS + 69
"""The maximum number of characters in a board's fields: a deal text has a seat, 52 cards and 16
other characters."""
_WORD_BYTES = 8
_OVERRUN = 16
"""The number of bytes after the end of a text that may be overwritten."""
_SEATS, _SUITS = len(SEAT_LETTERS), len(SUIT_LETTERS)
_LANE = 16
"""The number of bits for each seat when one word has all holdings of a suit."""
_LANE_BITS, _HOLDING = np.uint64(_LANE), np.uint64((1 << SUIT_SIZE) - 1)
_DOTS = np.uint64(_SUITS)
_LETTERS = np.frombuffer(SEAT_LETTERS.encode(), np.uint8)
_DOT, _BLANK, _COLON, _DASH, _NEWLINE = (np.uint8(ord(sign)) for sign in ". :-\n")
_ZERO, _ONE, _TWO, _EIGHT, _TEN = (np.uint64(number) for number in (0, 1, 2, 8, 10))

_HALF_BITS, _HALF_WORD = np.uint64(32), np.uint64((1 << 32) - 1)
_TO_4, _GROUP, _GROUPS = np.uint64(10**4), np.uint64(10**8), 5

_BYTES = types.Array(types.uint8, 1, "C")
_ROWS_AND_END: Any = types.UniTuple(types.uint64, 2)  # type: ignore[no-untyped-call]
_GIVEN_BYTES = types.Array(types.uint8, 1, "C", readonly=True)
_GIVEN_OWNERS = types.Array(types.uint8, 2, "C", readonly=True)
_GIVEN_WORDS = types.Array(types.uint64, 1, "C", readonly=True)
_GIVEN_ROWS = types.Array(types.uint64, 2, "C", readonly=True)


@cache
def _holdings() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the text of each holding and a dot, as two words, and its length.

    Bit 0 of a holding is the ace.
    """
    holdings = np.arange(1 << SUIT_SIZE)
    texts = np.zeros((len(holdings), _OVERRUN), np.uint8)
    lengths = np.zeros(len(holdings), np.int64)
    for bit, letter in enumerate(RANK_LETTERS.encode()):
        has = holdings >> bit & 1 == 1
        texts[has, lengths[has]] = letter
        lengths[has] += 1
    texts[holdings, lengths] = _DOT
    return texts.view(np.uint64), lengths.astype(np.uint64) + _ONE


@cache
def _lanes() -> NDArray[np.uint64]:
    """Return for each owner the bit of a card in a suit's holdings, before the shift."""
    lanes = np.zeros(256, np.uint64)
    lanes[:_SEATS] = [1 << _LANE * seat for seat in range(_SEATS)]
    return lanes


@dataclass(frozen=True, eq=False)
class Pieces:
    """The common parts of the boards of each class: literals, and the first seat of deal texts."""

    literals: NDArray[np.uint8]
    """All literals, one after another, and eight more bytes."""
    cuts: NDArray[np.uint64]
    """`[classes, 5]`: the starts of the literals of a class, and the end of the last one."""
    seats: NDArray[np.uint64]

    @classmethod
    def of(cls, classes: Sequence[Sequence[bytes]], seats: Sequence[int]) -> Pieces:
        """Return the pieces with the literals and the first seat of each class."""
        joined = b"".join(literal for literals in classes for literal in literals)
        cuts, end = [], 0
        for literals in classes:
            cuts.append(list(accumulate(map(len, literals), initial=end)))
            end = cuts[-1][-1]
        padded = np.frombuffer(joined + bytes(_WORD_BYTES), np.uint8)
        return cls(padded, np.array(cuts, np.uint64), np.array(seats, np.uint64))

    def turned(self, turns: int) -> Pieces:
        """Return the same pieces with another class first."""
        cuts, seats = np.roll(self.cuts, -turns, axis=0), np.roll(self.seats, -turns)
        return Pieces(self.literals, cuts, seats)


def format_boards(
    owners: Owners, numbers: Limbs, pieces: Pieces, *, first: int | None, most: int
) -> tuple[int, NDArray[np.uint8]]:
    """Return the number of formatted boards and their text.

    Formatting stops before the first board with a hand of more than `most` cards. `first` is the
    number of the first board, which is of the first class; with None, boards have no numbers.
    `numbers` has a row for each board, or no rows.

    >>> from pavcodec import numbering
    >>> owners = numbering("deal").sample_many(1, seed=7)
    >>> pieces = Pieces.of([[b"<", b" ", b"", b">"]], [3])
    >>> none = np.empty((0, 2), np.uint64)
    >>> format_boards(owners, none, pieces, first=12, most=13)[1].tobytes()
    b'<12 W:AT632.J7.973.J53 K.AQ932.J62.8642 Q4.KT5.AT854.KQT J9875.864.KQ.A97>'
    """
    longest = int((pieces.cuts[:, _LITERALS] - pieces.cuts[:, 0]).max())
    text = np.empty(len(owners) * (longest + _MOST_IN_FIELDS) + _OVERRUN, np.uint8)
    fixed = (pieces.literals, pieces.cuts, pieces.seats, *_holdings(), _lanes())
    number, numbered = np.uint64(first or 0), first is not None
    rows, end = _format_boards(owners, numbers, number, numbered, np.uint64(most), *fixed, text)
    return int(rows), text[: int(end)]


def format_deals(owners: Owners) -> NDArray[np.uint8]:
    r"""Return deal texts, one in each line, North first.

    >>> format_deals(np.full((1, 52), 4, np.uint8)).tobytes()
    b'N:- - - -\n'
    """
    none = np.empty((0, 2), np.uint64)
    return format_boards(owners, none, _lines(), first=None, most=DECK_SIZE)[1]


@cache
def _lines() -> Pieces:
    """Return the pieces of deal texts, one in each line."""
    return Pieces.of([[b"", b"", b"\n", b""]], [0])


def format_numbers(numbers: Limbs) -> NDArray[np.uint8]:
    r"""Return decimal numbers as text, one in each line.

    >>> format_numbers(np.array([[0, 7], [1, 0]], np.uint64)).tobytes()
    b'7\n18446744073709551616\n'
    """
    text = np.empty(len(numbers) * (_MOST_DIGITS + 1) + _OVERRUN, np.uint8)
    return text[: int(_format_numbers(numbers, text))]


@compiled()
def _digits(number: Any) -> Any:
    """Return the eight digits of a number as a word of bytes, the first digit lowest.

    The number is split into halves, quarters and single digits; each step processes all parts of
    the word together. Divisions are replaced by multiplications that are exact for numbers of these
    sizes.
    """
    halves = number // _TO_4 | number % _TO_4 << np.uint64(32)
    hundreds = halves * np.uint64(10486) >> np.uint64(20) & np.uint64(0x7F0000007F)
    pairs = (halves - hundreds * np.uint64(100) << np.uint64(16)) + hundreds
    tens = pairs * np.uint64(103) >> np.uint64(10) & np.uint64(0xF000F000F000F)
    return (pairs - tens * _TEN << _EIGHT) + tens + np.uint64(0x3030303030303030)


@compiled()
def _put_number(high: Any, low: Any, groups: Any, text: Any, position: Any) -> Any:
    """Write a number of two words and return its end; `groups` must have five elements."""
    a, b = high >> _HALF_BITS, high & _HALF_WORD
    c, d = low >> _HALF_BITS, low & _HALF_WORD
    used = 0
    while used == 0 or a | b | c | d:  # schoolbook division; remainders are groups of eight digits
        b |= a % _GROUP << _HALF_BITS
        c |= b % _GROUP << _HALF_BITS
        d |= c % _GROUP << _HALF_BITS
        groups[used] = d % _GROUP
        a, b, c, d = a // _GROUP, b // _GROUP, c // _GROUP, d // _GROUP
        used += 1
    missing, power = _EIGHT - _ONE, _TEN
    while groups[used - 1] >= power:
        power *= _TEN
        missing -= _ONE
    store_word(text, position, _digits(groups[used - 1]) >> _EIGHT * missing)
    position += _EIGHT - missing
    for group in range(used - 2, -1, -1):
        store_word(text, position, _digits(groups[group]))
        position += _EIGHT
    return position


@compiled()
def _put_hand(suits: Any, seat: Any, holdings: Any, lengths: Any, text: Any, position: Any) -> Any:
    """Write a hand and a blank, and return their end; `suits` has the holdings of each suit."""
    lane = _LANE_BITS * seat
    if (suits[0] | suits[1] | suits[2] | suits[3]) >> lane & _HOLDING == _ZERO:
        text[position] = _DASH
        text[position + _ONE] = _BLANK
        return position + _TWO
    for suit in range(_SUITS):
        holding = suits[suit] >> lane & _HOLDING
        store_word(text, position, holdings[holding, 0])
        store_word(text, position + _EIGHT, holdings[holding, 1])
        position += lengths[holding]
    text[position - _ONE] = _BLANK  # replaces the last dot
    return position


@compiled()
def _put_deal(
    owners: Any,
    first: Any,
    most: Any,
    suits: Any,
    holdings: Any,
    lengths: Any,
    lanes: Any,
    text: Any,
    position: Any,
) -> Any:
    """Write a deal text and return its end, or 0 if a hand has more than `most` cards.

    `suits` is temporary memory for the holdings of each suit.
    """
    for suit in range(_SUITS):
        held = _ZERO
        for rank in range(SUIT_SIZE):
            held |= lanes[owners[suit * SUIT_SIZE + rank]] << np.uint64(rank)
        suits[suit] = held
    text[position] = _LETTERS[first]
    text[position + _ONE] = _COLON
    position += _TWO
    for turn in range(_SEATS):
        seat = (first + np.uint64(turn)) % np.uint64(_SEATS)
        end = _put_hand(suits, seat, holdings, lengths, text, position)
        if end - position > most + _DOTS:
            return _ZERO
        position = end
    return position - _ONE


@compiled()
def _put_literal(literals: Any, begin: Any, end: Any, text: Any, position: Any) -> Any:
    """Copy a literal and return its end."""
    stop = position + end - begin
    while position < stop:
        store_word(text, position, load_word(literals, begin))
        position += _EIGHT
        begin += _EIGHT
    return stop


@compiled(
    _ROWS_AND_END(
        *(_GIVEN_OWNERS, _GIVEN_ROWS, types.uint64, types.boolean, types.uint64),
        *(_GIVEN_BYTES, _GIVEN_ROWS, _GIVEN_WORDS, _GIVEN_ROWS, _GIVEN_WORDS, _GIVEN_WORDS),
        _BYTES,
    )
)
def _format_boards(
    owners: Any,
    numbers: Any,
    first: Any,
    numbered: Any,
    most: Any,
    literals: Any,
    cuts: Any,
    seats: Any,
    holdings: Any,
    lengths: Any,
    lanes: Any,
    text: Any,
) -> Any:
    """Write the text, and return the number of its boards and its end."""
    groups, suits = np.empty(_GROUPS, np.uint64), np.empty(_SUITS, np.uint64)
    position = _ZERO
    for row in range(len(owners)):
        begin, number, kind = position, np.uint64(row), row % len(seats)
        cut = cuts[kind]
        position = _put_literal(literals, cut[0], cut[1], text, position)
        if numbered:
            position = _put_number(_ZERO, first + number, groups, text, position)
        position = _put_literal(literals, cut[1], cut[2], text, position)
        position = _put_deal(
            owners[row], seats[kind], most, suits, holdings, lengths, lanes, text, position
        )
        if position == _ZERO:
            return number, begin
        position = _put_literal(literals, cut[2], cut[3], text, position)
        if len(numbers):
            position = _put_number(numbers[row, 0], numbers[row, 1], groups, text, position)
        position = _put_literal(literals, cut[3], cut[4], text, position)
    return np.uint64(len(owners)), position


@compiled(types.uint64(_GIVEN_ROWS, _BYTES))
def _format_numbers(numbers: Any, text: Any) -> Any:
    """Write the text and return its end."""
    groups = np.empty(_GROUPS, np.uint64)
    position = _ZERO
    for row in range(len(numbers)):
        position = _put_number(numbers[row, 0], numbers[row, 1], groups, text, position)
        text[position] = _NEWLINE
        position += _ONE
    return position
