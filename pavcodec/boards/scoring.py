"""Duplicate scores and international match points."""

from __future__ import annotations

from bisect import bisect_left

from pavcodec.cards import Strain

__all__ = ["duplicate_score", "imps"]

_BOOK = 6
_GAME = 100
_MINORS = (Strain.DIAMONDS, Strain.CLUBS)
_IMPS = (
    *(10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590),
    *(740, 890, 1090, 1290, 1490, 1740, 1990, 2240, 2490, 2990, 3490, 3990),
)
"""The largest difference for 0, 1, … 23 IMPs."""


def duplicate_score(
    level: int, strain: Strain, *, tricks: int, vulnerable: bool, doubled: int = 0
) -> int:
    """Return the score of a contract for its declarer; `doubled` is 0, 1 or 2.

    >>> duplicate_score(4, Strain.SPADES, tricks=10, vulnerable=True)
    620
    >>> duplicate_score(3, Strain.NOTRUMP, tricks=8, vulnerable=False, doubled=1)
    -100
    >>> duplicate_score(7, Strain.NOTRUMP, tricks=13, vulnerable=True, doubled=2)
    2980
    """
    over = tricks - _BOOK - level
    if over < 0:
        return -_penalty(-over, vulnerable=vulnerable, doubled=doubled)
    each = 20 if strain in _MINORS else 30
    contract = (each * level + 10 * (strain == Strain.NOTRUMP)) << doubled
    score = contract + 50 * doubled
    if contract >= _GAME:
        score += 500 if vulnerable else 300
    else:
        score += 50
    if level >= 6:
        slam = 750 if vulnerable else 500
        score += slam if level == 6 else 2 * slam
    overtrick = (100 << vulnerable) * doubled if doubled else each
    return score + over * overtrick


def _penalty(under: int, *, vulnerable: bool, doubled: int) -> int:
    """Return the penalty for so many undertricks."""
    if not doubled:
        return under * (100 if vulnerable else 50)
    if vulnerable:
        return doubled * (300 * under - 100)
    later = 300 * under - 400
    return doubled * (later if under > 3 else 200 * under - 100)


def imps(difference: int) -> int:
    """Return the IMPs of a difference in score, by the table of the World Bridge Federation.

    >>> imps(10), imps(20), imps(-430), imps(5000)
    (0, 1, -10, 24)
    """
    won = bisect_left(_IMPS, abs(difference))
    return won if difference >= 0 else -won
