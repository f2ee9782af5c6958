"""The deals of Big Deal 2: what a seed gives, number after number.

A seed is 20 random bytes and the name of the owner of the program. A block of 44 bytes, the count
of candidates so far (4 bytes, the least significant first, from 1), the random bytes and the hash
of the owner, is hashed with RIPEMD-160. The first 12 bytes of the hash, the most significant first,
are a candidate; one below D is the next number, and one that is not is passed over. The numbers are
those of the numbering `bigdeal`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pavcodec.errors import NumberError
from pavcodec.layout import Layout
from pavcodec.numberings import numbering
from pavcodec.tournament.ripemd160 import ripemd160

__all__ = ["RANDOM_SIZE", "BigDealSeed"]

RANDOM_SIZE = 20
"""The random bytes of a seed."""
_CANDIDATE_SIZE = 12


@dataclass(frozen=True, slots=True)
class BigDealSeed:
    """A seed of Big Deal 2: 20 random bytes, and the owner, whose text makes programs differ.

    Raises `NumberError` for another number of bytes.

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
        if len(self.random) != RANDOM_SIZE:
            raise NumberError(
                f"a seed of Big Deal has {RANDOM_SIZE} random bytes, not {len(self.random)}"
            )

    @classmethod
    def from_entropy(cls, owner: bytes, entropy: bytes) -> BigDealSeed:
        """Return the seed whose random bytes are the hash of some bytes, as `bigdealx -W -e` does.

        >>> next(BigDealSeed.from_entropy(b"a", b"q").numbers())
        23027129254772430532905652906
        """
        return cls(ripemd160(entropy), owner)

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of the deals, in the numbering `bigdeal`, without end."""
        total = numbering("bigdeal").cardinality
        rest = self.random + ripemd160(self.owner)
        for count in range(1, 1 << 32):
            block = count.to_bytes(4, "little") + rest
            candidate = int.from_bytes(ripemd160(block)[:_CANDIDATE_SIZE], "big")
            if candidate < total:
                yield candidate

    def deals(self) -> Iterator[Layout]:
        """Yield the deals, the one of the first board first, without end."""
        return map(numbering("bigdeal").unrank, self.numbers())
