"""Texts of many layouts to arrays: deal texts, numbers, and plain games of PBN.

Each loop reads on as long as what it finds is strictly right, and stops at the first place where it
is not, or may not be; what stands there is for the readers that know the whole format. The text
given ends with the end of a line, so that every search for the end of something ends there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import types

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.words.eight_bytes import load_word
from pavcodec.arrays.words.limbs import split
from pavcodec.arrays.words.wide import at_least, multiply_add
from pavcodec.cards import (
    DECK_SIZE,
    HAND_SIZE,
    RANK_LETTERS,
    SEAT_LETTERS,
    SUIT_LETTERS,
    SUIT_SIZE,
    UNUSED,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.arrays.words.limbs import Limbs

__all__ = ["Found", "read_deals", "read_games", "read_numbers"]

_LONGEST_GAME = 1 << 14
"""Bytes of a game after which it is not looked at any further."""
_SEATS, _SUITS = len(SEAT_LETTERS), len(SUIT_LETTERS)
_NONE = np.uint8(255)
_DOTS = np.uint64(_SUITS - 1)
_ZERO, _ONE, _TWO, _TEN = (np.uint64(number) for number in (0, 1, 2, 10))
_WORD_DIGITS = np.uint64(19)
"""The digits that any word holds; twice as many are below 2¹²⁸."""
_WORD_POWER = np.uint64(10**19)
_HAND_SIZE = HAND_SIZE + _SUITS - 1
"""The characters of a hand of 13 cards."""
_HAND_STEP = np.uint64(_HAND_SIZE + 1)
_FULL_SIZE = np.uint64(1) + _HAND_STEP * np.uint64(_SEATS)
_SUIT = np.uint64(SUIT_SIZE)
_SLOTS = 128
"""More than twice the deck: room for what is no card, too."""
_SLOT = np.uint64(_SLOTS - 1)
_STEP_BIT, _STEP, _WRONG = np.uint64(8), np.uint64(15), np.uint64(1 << 63)
_KNOWN_LINES = np.uint64(32)
"""The lines of a game that are compared with those of games before; further ones share a place."""
_WORD_BYTES, _BYTE_BITS = np.uint64(8), np.uint64(8)
_NO_DEAL, _DEAL_UNKNOWN, _DEAL_READ = range(3)
_NAME, _BLANK, _IN_VALUE, _IN_DATA = (np.uint8(1 << bit) for bit in range(4))


def _codes(signs: str) -> tuple[np.uint8, ...]:
    return tuple(np.uint8(ord(sign)) for sign in signs)


_NEWLINE, _RETURN, _SPACE, _QUOTE, _BACKSLASH, _HASH, _MARK = _codes('\n\r "\\#?')
_OPEN, _CLOSE, _COLON, _DASH, _DOT, _NOUGHT, _NINE = _codes("[]:-.09")
_DELETE = np.uint8(0x7F)
_DEAL, _DEALER, _VULNERABILITY = (
    np.frombuffer(name, np.uint8) for name in (b"Deal", b"Dealer", b"Vulnerable")
)


def _places(letters: str) -> NDArray[np.uint8]:
    """Return for each byte its place among letters, or 255."""
    table = np.full(256, _NONE)
    table[list(letters.encode())] = range(len(letters))
    return table


def _signs() -> NDArray[np.uint64]:
    """Return for each byte where it goes in a suit, and how far it is from there to the next one.

    A rank goes to its place, and is 0 from its suit. A dot goes past the deck. Others are wrong.
    """
    table = np.full(256, _WRONG)
    table[list(RANK_LETTERS.encode())] = range(len(RANK_LETTERS))
    table[_DOT] = DECK_SIZE | SUIT_SIZE << int(_STEP_BIT)
    return table


def _kinds() -> NDArray[np.uint8]:
    """Return for each byte what it may be part of in a plain game."""
    kinds = np.zeros(256, np.uint8)
    for byte in range(256):
        sign = chr(byte)
        if byte < _DELETE and (sign.isalnum() or sign == "_"):
            kinds[byte] |= _NAME
        if sign in " \t":
            kinds[byte] |= _BLANK
        if sign not in '"\n\r':
            kinds[byte] |= _IN_VALUE
        if sign not in '[]{};"\n\r':
            kinds[byte] |= _IN_DATA
    return kinds


_RANKS, _SEAT_PLACES, _KINDS = _places(RANK_LETTERS), _places(SEAT_LETTERS), _kinds()
_SIGNS = _signs()
_WORDS = ("None", "Love", "-", "NS", "EW", "All", "Both", "?")
_VULNERABLE = np.array([list(word.ljust(5, '"').encode()) for word in _WORDS], np.uint8)
"""Words of vulnerability, with quotes after them."""

_TEXT = types.Array(types.uint8, 1, "C", readonly=True)
_OWNERS = types.Array(types.uint8, 2, "C")
_NUMBERS = types.Array(types.uint64, 2, "C")
_TWO_WORDS: Any = types.UniTuple(types.uint64, 2)  # type: ignore[no-untyped-call]
_SIX_WORDS: Any = types.UniTuple(types.uint64, 6)  # type: ignore[no-untyped-call]


class Found(NamedTuple):
    """What was read of a text: how much of it, and what was in it."""

    rows: int
    end: int
    """Where reading stopped."""
    games: int = 0
    lines: int = 0
    last: slice = slice(0)
    """Where the last game stands, without the blank lines after it."""


def read_deals(text: bytes, begin: int, owners: Owners) -> Found:
    r"""Read deal texts, one a line, as many as there is room for.

    >>> owners = np.empty((5, 52), np.uint8)
    >>> read_deals(b"N:- - - -\nN:A... - - -\nn:- - - -\n", 0, owners)[:2]
    (2, 23)
    """
    given = np.frombuffer(text, np.uint8)
    rows, end = _read_deals(given, np.uint64(begin), owners)
    return Found(int(rows), int(end))


def read_numbers(text: bytes, begin: int, numbers: Limbs, *, least: int, most: int) -> Found:
    r"""Read decimal numbers, one a line, as many as there is room for; others than those stop it.

    >>> numbers = np.empty((5, 2), np.uint64)
    >>> read_numbers(b"7\n18446744073709551617\n9\n", 0, numbers, least=0, most=1 << 64)[:2]
    (1, 2)
    """
    given = np.frombuffer(text, np.uint8)
    rows, end = _read_numbers(given, np.uint64(begin), *split(least), *split(most), numbers)
    return Found(int(rows), int(end))


def read_games(text: bytes, begin: int, end: int, owners: Owners) -> Found:
    r"""Read plain games of PBN, as many as have room; a row is written for each that has a deal.

    Only the text up to `end` is looked at, where a line ends; it is read on in blocks.

    >>> owners = np.empty((5, 52), np.uint8)
    >>> text = b'[Event "x"]\n[Deal "N:- - - -"]\n\n[Site "##y"]\n\n'
    >>> read_games(text, 0, len(text), owners)
    Found(rows=1, end=32, games=1, lines=3, last=slice(0, 31, None))
    """
    given = np.frombuffer(text, np.uint8, end)
    found = _read_games(given, np.uint64(begin), owners)
    rows, stopped, games, lines, start, stop = map(int, found)
    return Found(rows, stopped, games, lines, slice(start, stop))


@compiled()
def _read_full_deal(text: Any, place: Any, slots: Any, owners: Any) -> Any:
    """Return where the text of a deal with all 52 cards ends, or 0 if it is no such text.

    Every hand has 16 characters: 13 ranks and three dots. No step depends on which is which: a dot
    is put into a slot, too, and moves on to the next suit.
    """
    end = place + _FULL_SIZE
    first = _SEAT_PLACES[text[place]]
    if end > np.uint64(len(text)) or first == _NONE or text[place + _ONE] != _COLON:
        return _ZERO
    for card in range(DECK_SIZE):
        slots[card] = UNUSED
    seen = _ZERO
    for turn in range(_SEATS):
        seat = np.uint8((first + turn) % _SEATS)
        begin, offset = place + _TWO + _HAND_STEP * np.uint64(turn), _ZERO
        for at in range(_HAND_SIZE):
            sign = _SIGNS[text[begin + np.uint64(at)]]
            slots[offset + sign & _SLOT] = seat
            offset += sign >> _STEP_BIT & _STEP
            seen |= sign
        if offset != _SUIT * _DOTS or (turn and text[begin - _ONE] != _SPACE):
            return _ZERO
    greatest = np.uint8(0)
    for card in range(DECK_SIZE):
        owners[card] = slots[card]
        greatest |= slots[card]
    return _ZERO if greatest >= UNUSED or seen & _WRONG else end


@compiled()
def _read_hand(text: Any, place: Any, seat: Any, owners: Any) -> Any:
    """Read a hand and return where it ends, or 0 if it is not right."""
    if text[place] == _DASH:
        return place + _ONE
    for suit in range(_SUITS):
        while True:
            rank = _RANKS[text[place]]
            if rank == _NONE:
                break
            card = np.uint64(suit * SUIT_SIZE) + rank
            if owners[card] != UNUSED:
                return _ZERO
            owners[card] = seat
            place += _ONE
        if suit < _SUITS - 1:
            if text[place] != _DOT:
                return _ZERO
            place += _ONE
    return place


@compiled()
def _read_deal(text: Any, place: Any, most: Any, slots: Any, owners: Any) -> Any:
    """Read a deal text and return where it ends, or 0 if it is not strictly right.

    It is not where a hand has more than `most` cards.
    """
    end = _read_full_deal(text, place, slots, owners)
    if end != _ZERO:
        return end
    first = _SEAT_PLACES[text[place]]
    if first == _NONE or text[place + _ONE] != _COLON:
        return _ZERO
    place += _TWO
    owners[:] = UNUSED
    for turn in range(_SEATS):
        if turn:
            if text[place] != _SPACE:
                return _ZERO
            place += _ONE
        end = _read_hand(text, place, (first + turn) % _SEATS, owners)
        if end == _ZERO or end - place > most + _DOTS:
            return _ZERO
        place = end
    return place


@compiled()
def _line_end(text: Any, place: Any) -> Any:
    """Return where the line after this place begins if this one ends here, else 0."""
    if text[place] == _RETURN:
        place += _ONE
    return place + _ONE if text[place] == _NEWLINE else _ZERO


@compiled(_TWO_WORDS(_TEXT, types.uint64, _OWNERS))
def _read_deals(text: Any, place: Any, owners: Any) -> Any:
    row, slots = 0, np.empty(_SLOTS, np.uint8)
    while row < len(owners) and place < len(text):
        end = _read_deal(text, place, np.uint64(DECK_SIZE), slots, owners[row])
        if end != _ZERO:
            end = _line_end(text, end)
        if end == _ZERO:
            break
        place = end
        row += 1
    return np.uint64(row), place


@compiled()
def _digits(text: Any, begin: Any, end: Any) -> Any:
    """Return the number that some digits make, at most 19 of them."""
    number = _ZERO
    for place in range(begin, end):
        number = number * _TEN + np.uint64(text[place] - _NOUGHT)
    return number


@compiled(_TWO_WORDS(_TEXT, *[types.uint64] * 5, _NUMBERS))
def _read_numbers(
    text: Any,
    place: Any,
    least_high: Any,
    least_low: Any,
    most_high: Any,
    most_low: Any,
    numbers: Any,
) -> Any:
    row = 0
    while row < len(numbers) and place < len(text):
        end = place
        while _NOUGHT <= text[end] <= _NINE:
            end += _ONE
        after, count = _line_end(text, end), end - place
        if not (after and 0 < count <= _TWO * _WORD_DIGITS):
            break
        if count > _WORD_DIGITS:
            cut = end - _WORD_DIGITS
            upper, lower = _digits(text, place, cut), _digits(text, cut, end)
            high, low = multiply_add(upper, _WORD_POWER, lower, _ZERO)
        else:
            high, low = _ZERO, _digits(text, place, end)
        if not (
            at_least(high, low, least_high, least_low) and at_least(most_high, most_low, high, low)
        ):
            break
        numbers[row, 0], numbers[row, 1] = high, low
        place = after
        row += 1
    return np.uint64(row), place


@compiled()
def _closed(text: Any, place: Any) -> Any:
    """Return where the next line begins if a tag ends here, quote, bracket and line; else 0."""
    if text[place] != _QUOTE or text[place + _ONE] != _CLOSE:
        return _ZERO
    return _line_end(text, place + _TWO)


@compiled()
def _is_word(text: Any, place: Any, word: Any) -> Any:
    same = True
    for at in range(len(word)):
        same &= text[place + np.uint64(at)] == word[at]
    return same


@compiled()
def _after_dealer(text: Any, place: Any) -> Any:
    """Return where the line after the value of a dealer begins; 0 if it is no such value."""
    if _SEAT_PLACES[text[place]] != _NONE or text[place] == _MARK:
        place += _ONE
    return _closed(text, place)


@compiled()
def _after_vulnerable(text: Any, place: Any) -> Any:
    """Return where the line after the value of a vulnerability begins; 0 if it is no such value."""
    for word in range(len(_VULNERABLE)):
        for at in range(_VULNERABLE.shape[1]):
            here, there = text[place + np.uint64(at)], _VULNERABLE[word, at]
            if here != there:
                break
            if there == _QUOTE:
                return _closed(text, place + np.uint64(at))
    return _closed(text, place)


@compiled()
def _after_any(text: Any, place: Any) -> Any:
    """Return where the line after any other plain value begins; 0 if it is none."""
    if text[place] == _HASH:
        return _ZERO
    while _KINDS[text[place]] & _IN_VALUE:
        place += _ONE
    return _ZERO if text[place - _ONE] == _BACKSLASH else _closed(text, place)


@compiled()
def _after_deal(text: Any, place: Any, slots: Any, owners: Any) -> Any:
    """Return where the line after the value of a deal begins, 0 if not right; and what it is."""
    if text[place] == _MARK or text[place] == _QUOTE:
        return _closed(text, place + np.uint64(text[place] == _MARK)), _DEAL_UNKNOWN
    place = _read_deal(text, place, np.uint64(HAND_SIZE), slots, owners)
    return (_ZERO if place == _ZERO else _closed(text, place)), _DEAL_READ


@compiled()
def _after_data(text: Any, place: Any) -> Any:
    """Return where the line after plain data begins; 0 for other text. `place` is past blanks.

    A line that is escaped by % passes as well, since it says nothing of a deal.
    """
    if not _SPACE < text[place] < _DELETE:
        return _ZERO
    while _KINDS[text[place]] & _IN_DATA:
        place += _ONE
    return _line_end(text, place)


@compiled()
def _past_blanks(text: Any, place: Any) -> Any:
    while _KINDS[text[place]] & _BLANK:
        place += _ONE
    return place


@compiled()
def _past_blank_lines(text: Any, place: Any) -> Any:
    """Return where the next line that is not blank begins, if one does, and how many are passed."""
    lines = _ZERO
    while place < len(text):
        after = _line_end(text, _past_blanks(text, place))
        if after == _ZERO:
            break
        place = after
        lines += _ONE
    return place, lines


@compiled()
def _is_repeated(text: Any, place: Any, begin: Any, size: Any) -> Any:
    """Tell whether a line that was read before stands here again; one of size 0 does not."""
    if size == _ZERO or place + size + _WORD_BYTES > np.uint64(len(text)):
        return False
    while size >= _WORD_BYTES:
        if load_word(text, place) != load_word(text, begin):
            return False
        place, begin, size = place + _WORD_BYTES, begin + _WORD_BYTES, size - _WORD_BYTES
    differing = load_word(text, place) ^ load_word(text, begin)
    return size == _ZERO or differing << (_WORD_BYTES - size) * _BYTE_BITS == _ZERO


@compiled()
def _after_tag(text: Any, place: Any, slots: Any, owners: Any) -> Any:
    """Return where the line after a tag begins, 0 if it is not plain; and what it is of a deal."""
    name = place + _ONE
    place = name
    while _KINDS[text[place]] & _NAME:
        place += _ONE
    size = place - name
    if size == _ZERO or text[place] != _SPACE or text[place + _ONE] != _QUOTE:
        return _ZERO, _NO_DEAL
    place += _TWO
    if size == len(_DEAL) and _is_word(text, name, _DEAL):
        return _after_deal(text, place, slots, owners)
    if size == len(_DEALER) and _is_word(text, name, _DEALER):
        return _after_dealer(text, place), _NO_DEAL
    if size == len(_VULNERABILITY) and _is_word(text, name, _VULNERABILITY):
        return _after_vulnerable(text, place), _NO_DEAL
    return _after_any(text, place), _NO_DEAL


@compiled()
def _read_game(text: Any, begin: Any, known: Any, slots: Any, owners: Any) -> Any:
    """Return where a plain game ends, its lines, and whether it has a deal.

    The end is 0 where there is none, or where it is not known to end. `known` has the places and
    sizes of plain lines of games before, which most lines of a game repeat.
    """
    place, lines, deal = begin, _ZERO, _NO_DEAL
    while place - begin < _LONGEST_GAME:
        at, line = min(lines, _KNOWN_LINES - _ONE), place
        what = _NO_DEAL
        if _is_repeated(text, place, known[at, 0], known[at, 1]):
            place += known[at, 1]
        elif text[place] == _OPEN:
            place, what = _after_tag(text, place, slots, owners)
        elif place > begin:
            place = _after_data(text, _past_blanks(text, place))
        else:
            place = _ZERO
        if place == _ZERO or place == np.uint64(len(text)) or (what and deal):
            break
        known[at, 0] = line
        known[at, 1] = place - line if what == _NO_DEAL else _ZERO
        deal |= what
        lines += _ONE
        if _line_end(text, _past_blanks(text, place)) != _ZERO:
            return place, lines, deal == _DEAL_READ
    return _ZERO, lines, False


@compiled(_SIX_WORDS(_TEXT, types.uint64, _OWNERS))
def _read_games(text: Any, begin: Any, owners: Any) -> Any:
    row, slots, known = 0, np.empty(_SLOTS, np.uint8), np.zeros((int(_KNOWN_LINES), 2), np.uint64)
    games, lines, start, stop = _ZERO, _ZERO, begin, begin
    while row < len(owners) and begin < len(text):
        end, its_lines, has_row = _read_game(text, begin, known, slots, owners[row])
        if end == _ZERO:
            break
        after, blank_lines = _past_blank_lines(text, end)
        start, stop, begin = begin, end, after
        lines += its_lines + blank_lines
        games += _ONE
        row += has_row
    return np.uint64(row), begin, games, lines, start, stop
