"""Holdings with small cards, such as QTxx: their meaning and their text.

An `x` is a small card: any card that is lower than the ten and lower than all named cards. So QTxx
is the queen, the ten and two of 98765432, and no other card of the suit. K9x is the king, the nine
and one of 8765432.
"""

from __future__ import annotations

from typing import NamedTuple

from pavcodec.cards import RANK_LETTERS
from pavcodec.errors import PavError

__all__ = ["SmallHolding"]

_SMALL = "x"
_VOID = "void"
_TEN = RANK_LETTERS.index("T")


class SmallHolding(NamedTuple):
    """The named ranks, highest first, and the number of small cards.

    >>> holding = SmallHolding.parse("qtxx")
    >>> holding, str(holding), SmallHolding.parse("void")
    (SmallHolding(ranks='QT', small=2), 'QTxx', SmallHolding(ranks='', small=0))
    >>> [holding.fits(cards) for cards in ("QT93", "QT9", "QJT9", "QT932")]
    [True, False, False, False]
    """

    ranks: str
    small: int

    @classmethod
    def parse(cls, text: str) -> SmallHolding:
        """Parse a holding; `10` is the ten, and `void` is a holding without cards.

        Raises `PavError` for another text, a rank that occurs twice, and too many small cards.

        >>> SmallHolding.parse("xQ")
        Traceback (most recent call last):
            ...
        pavcodec.errors.PavError: a holding is cards and then an x for each small one, as in QTxx, \
or void, not 'xQ'
        """
        if text.lower() == _VOID:
            return cls("", 0)
        named = text.upper().replace("10", "T")
        ranks = named.rstrip(_SMALL.upper())
        places = [RANK_LETTERS.find(rank) for rank in ranks]
        if not named or -1 in places:
            kinds = "cards and then an x for each small one, as in QTxx, or void"
            raise PavError(f"a holding is {kinds}, not {text!r}")
        if len(set(places)) < len(places):
            raise PavError(f"{text!r} names a card twice")
        found = cls("".join(sorted(ranks, key=RANK_LETTERS.index)), len(named) - len(ranks))
        if found.small > len(found.small_ranks):
            lower = found.small_ranks or "none"
            raise PavError(f"{text!r} has more small cards than there are: {lower}")
        return found

    @property
    def named_ranks(self) -> int:
        """The number of ranks from the ace down to the ten or the lowest named rank.

        These ranks are never small cards.
        """
        lowest = RANK_LETTERS.index(self.ranks[-1]) if self.ranks else 0
        return max(lowest, _TEN) + 1

    @property
    def small_ranks(self) -> str:
        """The ranks that a small card may have."""
        return RANK_LETTERS[self.named_ranks :]

    def fits(self, holding: str) -> bool:
        """Return whether the cards of a suit, as ranks from the highest, match the holding."""
        small = self.small_ranks
        named = "".join(rank for rank in holding if rank not in small)
        return named == self.ranks and len(holding) == len(named) + self.small

    def __str__(self) -> str:
        return f"{self.ranks}{_SMALL * self.small}" or _VOID
