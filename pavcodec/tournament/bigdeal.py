"""The deals of Big Deal 2: the sequence of numbers of a seed.

A seed consists of 20 random bytes and the name of the program's owner. Candidate number k, from 1
on, is computed from a block of 44 bytes: k (4 bytes, least significant first), the random bytes,
and the RIPEMD-160 hash of the owner. The first 12 bytes of the RIPEMD-160 hash of this block, most
significant first, are the candidate. If it is below D, the number of all deals, it is the next
number; otherwise it is skipped. The numbers are those of the numbering `bigdeal`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from string import hexdigits

from pavcodec.errors import NumberError, check_bytes
from pavcodec.layout import Deal
from pavcodec.numberings import numbering
from pavcodec.tournament.ripemd160 import ripemd160

__all__ = ["RANDOM_SIZE", "BigDealSeed"]

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
