"""Read plain games of PBN into arrays of owners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from pavcodec.arrays.compiler import compiled
from pavcodec.arrays.text.reading import Found, line_end, read_deal
from pavcodec.arrays.text.signs import (
    BACKSLASH,
    BLANK,
    BYTE_BITS,
    CLOSE,
    DEAL,
    DEAL_READ,
    DEAL_UNKNOWN,
    DEALER,
    DELETE,
    HASH,
    IN_DATA,
    IN_VALUE,
    KINDS,
    MARK,
    NAME,
    NO_DEAL,
    NONE,
    ONE,
    OPEN,
    OWNERS,
    QUOTE,
    SEAT_PLACES,
    SIX_WORDS,
    SLOTS,
    SPACE,
    TEXT,
    TWO,
    VULNERABILITY,
    VULNERABLE,
    WORD_BYTES,
    ZERO,
)
from pavcodec.arrays.words.wide import load_word
from pavcodec.cards import HAND_SIZE

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners

_LONGEST_GAME = 1 << 14
"""The bytes of a game after which the loop stops."""
_KNOWN_LINES = np.uint64(32)
"""The number of lines of a game that are compared with earlier games; later lines share a row."""


def read_games(text: bytes, begin: int, end: int, owners: Owners) -> Found:
    r"""Read plain games of PBN until `owners` is full; each game with a deal fills a row.

    `end` must be the end of a line; the text after it is ignored. Games are read one after another,
    from `begin` on.

    >>> owners = np.empty((5, 52), np.uint8)
    >>> text = b'[Event "x"]\n[Deal "N:- - - -"]\n\n[Site "##y"]\n\n'
    >>> read_games(text, 0, len(text), owners)
    Found(rows=1, end=32, games=1, lines=3, last=slice(0, 31, None))
    """
    given = np.frombuffer(text, np.uint8, end)
    numbers = _read_games(given, np.uint64(begin), owners)
    rows, stopped, games, lines, start, stop = map(int, numbers)
    return Found(rows, stopped, games, lines, slice(start, stop))


@compiled()
def _closed(text: Any, position: Any) -> Any:
    """Return the start of the next line if a tag ends here (quote, bracket, line end), else 0."""
    if text[position] != QUOTE or text[position + ONE] != CLOSE:
        return ZERO
    return line_end(text, position + TWO)


@compiled()
def _is_word(text: Any, position: Any, word: Any) -> Any:
    same = True
    for at in range(len(word)):
        same &= text[position + np.uint64(at)] == word[at]
    return same


@compiled()
def _after_dealer(text: Any, position: Any) -> Any:
    """Return the start of the line after a dealer's value, or 0 if this is not such a value."""
    if SEAT_PLACES[text[position]] != NONE or text[position] == MARK:
        position += ONE
    return _closed(text, position)


@compiled()
def _after_vulnerable(text: Any, position: Any) -> Any:
    """Return the start of the line after a vulnerability, or 0 if this is not such a value."""
    for word in range(len(VULNERABLE)):
        for at in range(VULNERABLE.shape[1]):
            here, there = text[position + np.uint64(at)], VULNERABLE[word, at]
            if here != there:
                break
            if there == QUOTE:
                return _closed(text, position + np.uint64(at))
    return _closed(text, position)


@compiled()
def _after_any(text: Any, position: Any) -> Any:
    """Return the start of the line after any other plain value, or 0 if this is not plain."""
    if text[position] == HASH:
        return ZERO
    while KINDS[text[position]] & IN_VALUE:
        position += ONE
    return ZERO if text[position - ONE] == BACKSLASH else _closed(text, position)


@compiled()
def _after_deal(text: Any, position: Any, slots: Any, owners: Any) -> Any:
    """Return the start of the line after a deal's value (0 if wrong), and the kind of value."""
    if text[position] == MARK or text[position] == QUOTE:
        return _closed(text, position + np.uint64(text[position] == MARK)), DEAL_UNKNOWN
    position = read_deal(text, position, np.uint64(HAND_SIZE), slots, owners)
    return (ZERO if position == ZERO else _closed(text, position)), DEAL_READ


@compiled()
def _after_data(text: Any, position: Any) -> Any:
    """Return the start of the line after plain data, or 0 for other text.

    `position` is after leading blanks. A line escaped by % is plain data, too, because it contains
    no part of a deal.
    """
    if not SPACE < text[position] < DELETE:
        return ZERO
    while KINDS[text[position]] & IN_DATA:
        position += ONE
    return line_end(text, position)


@compiled()
def _past_blanks(text: Any, position: Any) -> Any:
    while KINDS[text[position]] & BLANK:
        position += ONE
    return position


@compiled()
def _past_blank_lines(text: Any, position: Any) -> Any:
    """Return the start of the next line that is not blank, and the number of skipped lines."""
    lines = ZERO
    while position < len(text):
        after = line_end(text, _past_blanks(text, position))
        if after == ZERO:
            break
        position = after
        lines += ONE
    return position, lines


@compiled()
def _is_repeated(text: Any, position: Any, begin: Any, size: Any) -> Any:
    """Return whether an earlier line occurs again at this position; False for a line of size 0."""
    if size == ZERO or position + size + WORD_BYTES > np.uint64(len(text)):
        return False
    while size >= WORD_BYTES:
        if load_word(text, position) != load_word(text, begin):
            return False
        position, begin, size = position + WORD_BYTES, begin + WORD_BYTES, size - WORD_BYTES
    differing = load_word(text, position) ^ load_word(text, begin)
    return size == ZERO or differing << (WORD_BYTES - size) * BYTE_BITS == ZERO


@compiled()
def _after_tag(text: Any, position: Any, slots: Any, owners: Any) -> Any:
    """Return the start of the line after a tag (0 if not plain), and the kind of its deal."""
    name = position + ONE
    position = name
    while KINDS[text[position]] & NAME:
        position += ONE
    size = position - name
    if size == ZERO or text[position] != SPACE or text[position + ONE] != QUOTE:
        return ZERO, NO_DEAL
    position += TWO
    if size == len(DEAL) and _is_word(text, name, DEAL):
        return _after_deal(text, position, slots, owners)
    if size == len(DEALER) and _is_word(text, name, DEALER):
        return _after_dealer(text, position), NO_DEAL
    if size == len(VULNERABILITY) and _is_word(text, name, VULNERABILITY):
        return _after_vulnerable(text, position), NO_DEAL
    return _after_any(text, position), NO_DEAL


@compiled()
def _read_game(text: Any, begin: Any, known: Any, slots: Any, owners: Any) -> Any:
    """Return the end of a plain game, its number of lines, and whether it has a deal.

    The end is 0 if the game is not plain or may not be complete. `known` has the positions and
    sizes of plain lines in earlier games; most lines of a game repeat these.
    """
    position, lines, deal = begin, ZERO, NO_DEAL
    while position - begin < _LONGEST_GAME:
        at, line = min(lines, _KNOWN_LINES - ONE), position
        what = NO_DEAL
        if _is_repeated(text, position, known[at, 0], known[at, 1]):
            position += known[at, 1]
        elif text[position] == OPEN:
            position, what = _after_tag(text, position, slots, owners)
        elif position > begin:
            position = _after_data(text, _past_blanks(text, position))
        else:
            position = ZERO
        if position == ZERO or position == np.uint64(len(text)) or (what and deal):
            break
        known[at, 0] = line
        known[at, 1] = position - line if what == NO_DEAL else ZERO
        deal |= what
        lines += ONE
        if line_end(text, _past_blanks(text, position)) != ZERO:
            return position, lines, deal == DEAL_READ
    return ZERO, lines, False


@compiled(SIX_WORDS(TEXT, types.uint64, OWNERS))
def _read_games(text: Any, begin: Any, owners: Any) -> Any:
    row, slots, known = 0, np.empty(SLOTS, np.uint8), np.zeros((int(_KNOWN_LINES), 2), np.uint64)
    games, lines, start, stop = ZERO, ZERO, begin, begin
    while row < len(owners) and begin < len(text):
        end, its_lines, has_row = _read_game(text, begin, known, slots, owners[row])
        if end == ZERO:
            break
        after, blank_lines = _past_blank_lines(text, end)
        start, stop, begin = begin, end, after
        lines += its_lines + blank_lines
        games += ONE
        row += has_row
    return np.uint64(row), begin, games, lines, start, stop
