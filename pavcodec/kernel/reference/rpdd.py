"""The generator of Pavlicek's collection of solved deals, defined: Marsaglia's multiply with carry.

It draws words of 32 bits, and starts with a new seed in each part of the collection.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from pavcodec.kernel.reference.numbers import Words, number_at, put_number

_FACTORS = (0x13FB, 0x6F0, 0x5D4, 0x7DD4FFC7)
_WORD = 0xFFFFFFFF
_DISCARDED = 12
_STEP = 0x1C8E815
_MARKS, _OTHER = 1 << 27, 37


def _turned(word: int) -> int:
    """Return a 32-bit word rotated right by 10 bits."""
    return word >> 10 | word << 22 & _WORD


def _outputs(part: int) -> Iterator[int]:
    """Yield the words of a part."""
    number = part + 1
    word = _turned(number ^ 0xFFFF)
    word = _turned(word & ~0xFFFF | number & 0xFFFF)
    word |= 4 * number & 0xFFFF | 3
    words = []  # the last four outputs, the latest first, and the carry
    for _ in range(5):
        word = word * _STEP - 1 & _WORD
        words.append(word)
    while True:
        *last, carry = words
        carry, output = divmod(sum(map(int.__mul__, _FACTORS, last)) + carry, 1 << 32)
        words = [output, *last[:3], carry]
        yield output


def _lows(part: int) -> Iterator[tuple[int, int]]:
    """Yield the low word of each number, and the output that decides its high word."""
    outputs = islice(_outputs(part), _DISCARDED, None)
    for first, second, third in zip(outputs, outputs, outputs, strict=False):
        yield second << 32 | first, third


def _numbers(part: int, total: int) -> Iterator[int]:
    """Yield the numbers of a part."""
    high, rest = divmod(total, 1 << 64)
    for low, output in _lows(part):
        choices = high + (low < rest)  # the high words for which the number is below the total
        yield (output * choices >> 32) << 64 | low


def rpdd_draw(part: int, total: Words, n: int, numbers: Words) -> None:
    """Write the first numbers of a part."""
    for row, number in enumerate(islice(_numbers(part, number_at(total)), n)):
        put_number(numbers, row, number)


def rpdd_mark(parts: int, size: int, marks: Any) -> None:
    """Set two bits for the low word of each number."""
    for part in range(parts):
        for low, _ in islice(_lows(part), size):
            for mark in (low % _MARKS, low >> _OTHER):
                marks[mark >> 3] |= 1 << (mark & 7)


def rpdd_find(parts: int, size: int, total: Words, number: Words) -> int:
    """Return the place of a number in the parts, or -1."""
    wanted, cardinality = number_at(number), number_at(total)
    for part in range(parts):
        for index, drawn in enumerate(islice(_numbers(part, cardinality), size)):
            if drawn == wanted:
                return part * size + index
    return -1
