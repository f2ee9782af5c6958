"""The canonical word of a class: one chosen word that represents all words of the class.

Rule 1: Two words are in the same class if a permutation of the symmetry maps one to the other.
Rule 2: Words are compared rank by rank: the owners of the aces, suit by suit, then of the kings,
        and so on, as in the numbering `deal-ranked`. The least word of a class is canonical.

Under rule 2, the best order of the suits is the one in which their own words, ace first, never
decrease. So the suits are sorted, and only the permutations of seats are tried one by one.
"""

from __future__ import annotations

from functools import cache

from pavcodec.symmetry.groups import Symmetry
from pavcodec.symmetry.permutations import Permutation, inverse

__all__ = ["by_ranks", "by_suits", "canonical_word"]


def by_ranks(word: bytes, suits: int) -> bytes:
    """Return the rank-by-rank form of a word that is in suit-by-suit form.

    >>> by_ranks(b"AKQakq", 2)
    b'AaKkQq'
    """
    ranks = len(word) // suits
    return b"".join(word[rank::ranks] for rank in range(ranks))


def by_suits(word: bytes, suits: int) -> bytes:
    """Return the suit-by-suit form of a word that is in rank-by-rank form.

    >>> by_suits(b"AaKkQq", 2)
    b'AKQakq'
    """
    return b"".join(word[suit::suits] for suit in range(suits))


def canonical_word(word: bytes, symmetry: Symmetry) -> tuple[bytes, Permutation]:
    """Return the canonical word of a word's class, and the first permutation that maps to it.

    >>> from pavcodec.symmetry import symmetry_of
    >>> word, permutation = canonical_word(bytes([1, 2, 3, 0] * 13), symmetry_of("turns"))
    >>> word == bytes([0, 1, 2, 3] * 13), str(permutation)
    (True, 'SHDC become SHDC, NESW become WNES')
    """
    count = symmetry.suits
    ranks = len(word) // count
    identity = tuple(range(count))
    best, found = b"", (identity, symmetry.seatings[0])
    for seats in symmetry.seatings:
        owners = word.translate(_renaming(seats))
        parts = [owners[ranks * suit : ranks * (suit + 1)] for suit in identity]
        order = tuple(sorted(identity, key=parts.__getitem__)) if symmetry.any_suits else identity
        image = by_ranks(b"".join(parts[suit] for suit in order), count)
        if not best or image < best:
            best, found = image, (order, seats)
    order, seats = found
    return by_suits(best, count), Permutation(inverse(order), seats)


@cache
def _renaming(seats: tuple[int, ...]) -> bytes:
    """Return the table that gives seats their new names; all other owners stay."""
    return bytes(seats) + bytes(range(len(seats), 256))
