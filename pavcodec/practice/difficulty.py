"""The difficulty of a board: a figure of two partners, and its values at each level.

Rule 1: The figure is that of North and South of the condition: their points together, or the length
of their longest fit in some suits.
Rule 2: Each level is a condition in the language, so it can be counted exactly. Each deal has
exactly one level.
Rule 3: A level and a seed determine deals. So a change of a level is a change of format.

*Points*: game needs about 25 points and slam about 33. A board is hard if one point decides, and
easy if game and slam are at least three points away.

*Fit*: a board is easy with a long fit, and hard without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pavcodec.cards import Seat, Suit
from pavcodec.layout import Deal

__all__ = ["LEVELS", "Difficulty", "difficulty_of"]

LEVELS = ("easy", "medium", "hard")
"""The names of the levels."""

_POINTS = "hcp(north) + hcp(south)"
_FEWEST, _MOST = 0, 40
_RANGES = {
    "easy": ((_FEWEST, 21), (28, 29), (36, _MOST)),
    "medium": ((22, 23), (26, 27), (30, 31), (34, 35)),
    "hard": ((24, 25), (32, 33)),
}
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_MINORS, _MAJORS = ("diamonds", "clubs"), ("spades", "hearts")


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The levels of a situation: by points, or by the longest fit in `suits`.

    A fit of `long` cards is easy, one of `long` - 1 cards medium, and a shorter one hard.

    >>> Difficulty().meaning("hard")
    'North and South have 24, 25, 32 or 33 points together'
    >>> majors = Difficulty(("spades", "hearts"), long=9)
    >>> majors.meaning("medium")
    'the longest fit of North and South in spades or hearts has 8 cards'
    >>> Difficulty(("spades",), long=9).where("easy")
    '(spades(north) + spades(south) >= 9)'
    """

    suits: tuple[str, ...] = ()
    long: int = 9

    def where(self, level: str) -> str:
        """Return the condition of a level, in the language."""
        if not self.suits:
            return _any_of(_between(_POINTS, *ends) for ends in _RANGES[level])
        if level == "easy":
            return self._fit(self.long)
        least = self._fit(self.long - 1)
        return f"{least} && !{self._fit(self.long)}" if level == "medium" else f"!{least}"

    def meaning(self, level: str) -> str:
        """Return the condition of a level in words."""
        if not self.suits:
            values = [word for ends in _RANGES[level] for word in _in_words(*ends)]
            return f"North and South have {_either(values)} points together"
        where = "" if len(self.suits) == len(Suit) else f" in {_either(self.suits)}"
        fit = f"the longest fit of North and South{where}"
        if len(self.suits) == 1:
            fit = f"the fit of North and South in {self.suits[0]}"
        length = {
            "easy": f"{self.long} cards or more",
            "medium": f"{self.long - 1} cards",
            "hard": f"{self.long - 2} cards or fewer",
        }
        return f"{fit} has {length[level]}"

    def figure(self, deal: Deal) -> int:
        """Return the figure of a deal: points, or cards of the longest fit.

        >>> from pavcodec import numbering
        >>> Difficulty().figure(numbering("deal")[0]), Difficulty(("clubs",)).figure(
        ...     numbering("deal")[0])
        (20, 0)
        """
        pair = deal[Seat.NORTH], deal[Seat.SOUTH]
        if not self.suits:
            return sum(hand.hcp for hand in pair)
        places = [_SUITS.index(suit) for suit in self.suits]
        return max(sum(hand.shape[place] for hand in pair) for place in places)

    def level(self, deal: Deal) -> str:
        """Return the level of a deal."""
        figure = self.figure(deal)
        if self.suits:
            return LEVELS[min(max(self.long - figure, 0), 2)]
        return next(
            level
            for level, ranges in _RANGES.items()
            if any(low <= figure <= high for low, high in ranges)
        )

    def describe(self, deal: Deal) -> str:
        """Return the level of a deal with its figure, as in `hard (25 points together)`."""
        figure = self.figure(deal)
        unit = f"a fit of {figure} cards" if self.suits else f"{figure} points together"
        return f"{self.level(deal)} ({unit})"

    def _fit(self, least: int) -> str:
        return _any_of(f"{suit}(north) + {suit}(south) >= {least}" for suit in self.suits)


_BY_POINTS = Difficulty()
_BY_FIT = {
    "weak-two-diamonds": Difficulty(("diamonds",)),
    "weak-two-hearts": Difficulty(("hearts",)),
    "weak-two-spades": Difficulty(("spades",)),
    "preempt": Difficulty(_SUITS),
    "three-suiter": Difficulty(_SUITS),
    "slam-zone": Difficulty(_MAJORS, long=10),
    "takeout-double": Difficulty(("spades", *_MINORS)),
    "michaels": Difficulty(("spades", *_MINORS)),
    "unusual-notrump": Difficulty(_MINORS),
    "landy": Difficulty(_MAJORS),
}


def difficulty_of(name: str) -> Difficulty:
    """Return the levels of a situation of the library; conditions of one's own have points."""
    return _BY_FIT.get(name, _BY_POINTS)


def _between(figure: str, low: int, high: int) -> str:
    if low == _FEWEST:
        return f"{figure} <= {high}"
    if high == _MOST:
        return f"{figure} >= {low}"
    return f"{figure} >= {low} && {figure} <= {high}"


def _in_words(low: int, high: int) -> list[str]:
    """Return the values of a range, or its open end, as words of a list."""
    if low == _FEWEST:
        return [f"at most {high}"]
    return [f"at least {low}"] if high == _MOST else list(map(str, range(low, high + 1)))


def _any_of(conditions: Iterable[str]) -> str:
    return f"({' || '.join(conditions)})"


def _either(words: Sequence[str]) -> str:
    *some, last = words
    return f"{', '.join(some)} or {last}" if some else last
