"""The deals of Big Deal 2: the sequence of numbers of a seed.

A seed consists of 20 random bytes and the name of the program's owner. Candidate number k, from 1
on, is computed from a block of 44 bytes: k (4 bytes, least significant first), the random bytes,
and the RIPEMD-160 hash of the owner. The first 12 bytes of the RIPEMD-160 hash of this block, most
significant first, are the candidate. If it is below D, the number of all deals, it is the next
number; otherwise it is skipped. The numbers are those of the numbering `bigdeal`.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from string import hexdigits

from pavcodec.errors import NumberError, check_bytes
from pavcodec.layout import Deal
from pavcodec.numberings.catalogue import numbering

# RIPEMD-160, the hash function of Big Deal.
#
# `hashlib` has it only if OpenSSL provides it. So this module also contains the definition of
# Dobbertin, Bosselaers and Preneel (1996), and uses it where `hashlib` has none. The tests compare
# it with the published vectors.


_WORD = 0xFFFFFFFF
_BLOCK = 64
_START = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0)

_LEFT_CONSTANTS = (0x00000000, 0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xA953FD4E)
_RIGHT_CONSTANTS = (0x50A28BE6, 0x5C4DD124, 0x6D703EF3, 0x7A6D76E9, 0x00000000)

# The index of the word of the block for each step of the five rounds.
_LEFT_WORDS = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8),
    (3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12),
    (1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2),
    (4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13),
)
_RIGHT_WORDS = (
    (5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12),
    (6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2),
    (15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13),
    (8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14),
    (12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11),
)
# The number of bits by which each step rotates its sum.
_LEFT_TURNS = (
    (11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8),
    (7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12),
    (11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5),
    (11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12),
    (9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6),
)
_RIGHT_TURNS = (
    (8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6),
    (9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11),
    (9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5),
    (15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8),
    (8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11),
)
# The words, the turns, the number of the function and the constant of each round.
_LEFT_ROUNDS = tuple(zip(_LEFT_WORDS, _LEFT_TURNS, range(5), _LEFT_CONSTANTS, strict=True))
_RIGHT_ROUNDS = tuple(
    zip(_RIGHT_WORDS, _RIGHT_TURNS, reversed(range(5)), _RIGHT_CONSTANTS, strict=True)
)

State = tuple[int, int, int, int, int]


def ripemd160(data: bytes) -> bytes:
    """Return the 20 bytes of the hash.

    >>> ripemd160(b"abc").hex()
    '8eb208f7e05d987a9b044a8e98c6b087f15a0bfc'
    """
    if not _in_hashlib():
        return ripemd160_by_definition(data)
    return hashlib.new("ripemd160", data, usedforsecurity=False).digest()


@cache
def _in_hashlib() -> bool:
    """Return whether this Python's `hashlib` provides the hash."""
    try:
        hashlib.new("ripemd160", usedforsecurity=False)
    except ValueError:
        return False
    return True


def ripemd160_by_definition(data: bytes) -> bytes:
    """Return the same 20 bytes, computed by the definition.

    >>> ripemd160_by_definition(b"").hex()
    '9c1185a5c5e9fc54612808977ee8f548b2258d31'
    """
    padding = b"\x80" + bytes((55 - len(data)) % _BLOCK)
    message = data + padding + struct.pack("<Q", 8 * len(data))
    state = _START
    for begin in range(0, len(message), _BLOCK):
        state = _compress(state, struct.unpack_from("<16I", message, begin))
    return struct.pack("<5I", *state)


def _compress(state: State, words: tuple[int, ...]) -> State:
    """Return the state after a block: two lines of five rounds, combined."""
    left = right = state
    for left_round, right_round in zip(_LEFT_ROUNDS, _RIGHT_ROUNDS, strict=True):
        left = _round(left, words, *left_round)
        right = _round(right, words, *right_round)
    h0, h1, h2, h3, h4 = state
    return (
        h1 + left[2] + right[3] & _WORD,
        h2 + left[3] + right[4] & _WORD,
        h3 + left[4] + right[0] & _WORD,
        h4 + left[0] + right[1] & _WORD,
        h0 + left[1] + right[2] & _WORD,
    )


def _round(  # noqa: PLR0913, PLR0917 (the parts of a round, as the definition has them)
    state: State,
    words: tuple[int, ...],
    order: tuple[int, ...],
    turns: tuple[int, ...],
    function: int,
    constant: int,
) -> State:
    """Return the state after the sixteen steps of a round in one line."""
    a, b, c, d, e = state
    for index, turn in zip(order, turns, strict=True):
        total = a + _mix(function, b, c, d) + words[index] + constant & _WORD
        a, b, c, d, e = e, _rotated(total, turn) + e & _WORD, b, _rotated(c, 10), d
    return a, b, c, d, e


def _mix(function: int, x: int, y: int, z: int) -> int:
    """Return one of the five bitwise functions of the definition."""
    match function:
        case 0:
            return x ^ y ^ z
        case 1:
            return x & y | ~x & z & _WORD
        case 2:
            return (x | ~y & _WORD) ^ z
        case 3:
            return x & z | y & ~z & _WORD
        case _:
            return x ^ (y | ~z & _WORD)


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> 32 - bits) & _WORD


RANDOM_SIZE = 20
"""The number of random bytes in a seed."""
_CANDIDATE_SIZE = 12


@dataclass(frozen=True, slots=True)
class BigDealSeed:
    """A seed of Big Deal 2: 20 random bytes and the owner, who distinguishes copies of the program.

    Raise `NumberError` for another number of bytes.

    >>> seed = BigDealSeed(bytes(range(20)), b"Golden Test Owner")
    >>> numbers = seed.numbers()
    >>> next(numbers), next(numbers)
    (37597453553299299871637159608, 39673818533485622983543752037)
    >>> next(seed.deals())
    Deal.from_pbn('N:T98.J87.QJT98.A4 AJ32.T92.6.KQT87 KQ764.AKQ3.54.32 5.654.AK732.J965')
    """

    random: bytes
    owner: bytes

    def __post_init__(self) -> None:
        check_bytes("the random part of a seed", self.random)
        check_bytes("the owner of a seed", self.owner)
        if len(self.random) != RANDOM_SIZE:
            raise NumberError(
                f"a seed of Big Deal has {RANDOM_SIZE} random bytes, not {len(self.random)}"
            )

    @classmethod
    def from_hex(cls, owner: bytes, text: str) -> BigDealSeed:
        """Return the seed with random bytes in hexadecimal digits, like `bigdealx -h`.

        Raise `NumberError` for other texts.

        >>> BigDealSeed.from_hex(b"me", 20 * "0f").random == bytes(20 * [15])
        True
        """
        if len(text) != 2 * RANDOM_SIZE or not set(text) <= set(hexdigits):
            raise NumberError(
                f"a seed of Big Deal has {2 * RANDOM_SIZE} hexadecimal digits, not {text!r}"
            )
        return cls(bytes.fromhex(text), owner)

    @classmethod
    def from_entropy(cls, owner: bytes, entropy: bytes) -> BigDealSeed:
        """Return the seed with the hash of some bytes as random bytes, like `bigdealx -W -e`.

        >>> next(BigDealSeed.from_entropy(b"a", b"q").numbers())
        23027129254772430532905652906
        """
        check_bytes("entropy", entropy)
        return cls(ripemd160(entropy), owner)

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of the deals in the numbering `bigdeal`, at most 2³² - 1 candidates."""
        total = numbering("bigdeal").cardinality
        rest = self.random + ripemd160(self.owner)
        for count in range(1, 1 << 32):
            block = count.to_bytes(4, "little") + rest
            candidate = int.from_bytes(ripemd160(block)[:_CANDIDATE_SIZE], "big")
            if candidate < total:
                yield candidate

    def deals(self) -> Iterator[Deal]:
        """Yield the deals of `numbers`, starting with the first board."""
        return map(numbering("bigdeal").unrank, self.numbers())
