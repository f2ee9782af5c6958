"""The evaluation of the Bridge World, October 1982 (Kaplan and Rubens), times 100.

The definition is that of the classic dealer program, for which D. Suits wrote `quality` and `cccc`
in 1999. All values are integers, because they count hundredths.
"""

from __future__ import annotations

from pavcodec.cards import RANK_LETTERS

__all__ = ["suit_quality", "suit_value"]

_LONG = 7
_WORTH = {"A": 4, "K": 3, "Q": 2, "J": 1}


def suit_quality(holding: str) -> int:
    """Return the quality of a suit times 100, from its ranks.

    Let L be the length and H the number of A, K, Q, J in the suit. The quality is 10 L times
    the sum of:
    the sum of:

    - 4 for the ace, 3 for the king, 2 for the queen, 1 for the jack;
    - in a suit of at most six cards, for the ten: 1 if H is 2 or more or the suit has the jack,
      otherwise 1/2; and for the nine: 1/2 if H is exactly 2, or if the suit has the ten or the
      eight;
    - in a suit of seven cards or more, instead, for the missing honours that the length replaces:
      3, less 2 with the queen and less 1 with the jack, but at most L - 6.

    >>> suit_quality("AKQJT"), suit_quality("A9532"), suit_quality("KQ962")
    (550, 200, 275)
    >>> suit_quality("T9"), suit_quality("KJ76543"), suit_quality("AKQJ65432"), suit_quality("")
    (20, 350, 900, 0)
    """
    length = len(holding)
    honours = [rank for rank in "AKQJ" if rank in holding]
    halves = sum(2 * _WORTH[rank] for rank in honours)
    if length >= _LONG:
        made_up = 3 - 2 * ("Q" in holding) - ("J" in holding)
        halves += 2 * min(made_up, length - _LONG + 1)
    else:
        if "T" in holding:
            halves += 2 if len(honours) >= 2 or "J" in holding else 1
        if "9" in holding and (len(honours) == 2 or "T" in holding or "8" in holding):
            halves += 1
    return 5 * length * halves


def suit_value(holding: str) -> int:
    """Return the value of a suit in the hand evaluation `cccc`, times 100, from its ranks.

    The points for short suits are not included. The value is the quality plus the sum of:

    - 300 for the ace; 200 for the king, but 50 for a singleton king; 100 for the queen, less 25
      without ace and king, and less 75 for a singleton queen or 25 for a doubleton;
    - for the jack: 50 with exactly two of A, K, Q, and 25 with exactly one;
    - for the ten: 25 with exactly two of A, K, Q, J, and 25 with exactly one and the nine.

    >>> suit_value("K"), suit_value("AQ852"), suit_value("QJ97"), suit_value("T63"), suit_value("")
    (80, 700, 240, 15, 0)
    """
    return suit_quality(holding) + _high_cards(holding)


def _high_cards(holding: str) -> int:
    """Return the points of the honours in a suit, without the quality."""
    length = len(holding)
    held = [rank in holding for rank in RANK_LETTERS]
    ace, king, queen, jack, ten, nine = held[:6]
    value = 300 * ace
    if king:
        value += 200 if length > 1 else 50
    if queen:
        value += 100 - 25 * (not ace and not king) - {1: 75, 2: 25}.get(length, 0)
    above_jack = ace + king + queen
    if jack:
        value += {2: 50, 1: 25}.get(above_jack, 0)
    above_ten = above_jack + jack
    if ten:
        value += 25 * (above_ten == 2 or (above_ten == 1 and nine))
    return value
