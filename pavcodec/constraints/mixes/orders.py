"""Even orders: the type of each sample of a mix, so that any few consecutive boards are mixed.

The order of one list of types, with weights w₁, w₂, … in smallest integers of sum W, is a *word* of
W places that is repeated for ever. At each place the search tries the types that are allowed now
(N·W < (t + 1)·w for a type that occurs N times on the t places before). The type with the earliest
deadline (the ⌈(N + 1)·W / w⌉-th place) is first, and of equals the first in the list. The word is
the first that a depth-first search finds in which

1. the first n places, for every n, hold each type n·w/W times, rounded up or down;
2. any ten consecutive places, also across the ends, hold each type 10·w/W times, rounded up or
   down.

If 20,000 steps of the search find no such word, condition 2 is dropped. The search always finds the
word of condition 1 alone, without a step back (it is the schedule by the earliest deadline). Ten
consecutive places then differ from 10·w/W by less than 2, since the counts at both of their ends
differ by less than 1.

Types of the same weight change places by the seed, further numbers of sample 0 in lane 3: for each
group of them, in the order of the list, from the last member i of it on down to the second, it
changes with the member of the number below i + 1.

The order of two lists consists of rounds of the fewest samples of which all types have whole
shares. The first list has its own order. The number of samples of each pair in round r, counted
from 0, is drawn with the further numbers of sample r in lane 4: the table of exact shares is
rounded so that the margins stay, and so that each pair has its share on average
(`margins.rounded_table`). The second type of a place is one that the round still has with the first
type of the place: the type with the earliest deadline, as above, and of equals the first after
changing places. The second list's types of the same weight change places by the numbers that follow
those of the first list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from math import lcm
from typing import Protocol

from pavcodec.constraints.mixes.margins import rounded_table
from pavcodec.errors import NumberError
from pavcodec.sampling import Stream

__all__ = ["WINDOW", "EvenOrder", "EvenPairs", "Order", "even_word", "is_mixed"]

WINDOW = 10
"""The number of consecutive places that condition 2 examines."""
LONGEST = 1 << 16
"""The most samples after which an order repeats itself."""

_STEPS = 20_000
_SEARCHED = 2000
_LANE_OF_NAMES, _LANE_OF_ROUNDS = 3, 4


class Order(Protocol):
    """The type of each sample, as a function of the seed and the sample."""

    def places(self, seed: int, start: int, count: int) -> list[int]:
        """Return the places of the types of samples `start` to `start + count - 1`."""


@lru_cache(maxsize=64)
def even_word(weights: tuple[int, ...]) -> tuple[int, ...]:
    """Return the word of some weights, before the seed changes types of the same weight.

    >>> even_word((1, 1, 1)), even_word((3, 1)), even_word((7, 12, 1))
    ((0, 1, 2), (0, 0, 0, 1), (1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 2, 1, 1, 0))
    """
    total = sum(weights)
    if total > LONGEST:
        raise NumberError(
            f"an even order repeats itself after at most {LONGEST:,} deals: shares in smallest "
            f"integers sum to at most that, not to {total:,}"
        )
    found = _Search(weights, WINDOW).word(_STEPS) if total <= _SEARCHED else None
    word = found or _Search(weights, 0).word(None)
    assert word is not None
    return word


def is_mixed(weights: tuple[int, ...]) -> bool:
    """Return whether any ten consecutive samples hold each type in its share, rounded.

    >>> is_mixed((1, 1, 1)), is_mixed((7, 12, 1)), is_mixed((8, 26, 31, 35))
    (True, True, False)
    """
    word, total = even_word(weights), sum(weights)
    circle = word * (WINDOW // total + 2)
    row = Counter(circle[:WINDOW])

    def is_rounded(kind: int) -> bool:
        return abs(row[kind] * total - WINDOW * weights[kind]) < total

    if not all(map(is_rounded, range(len(weights)))):
        return False
    for first in range(total):
        leaving, entering = circle[first], circle[first + WINDOW]
        row[leaving] -= 1
        row[entering] += 1
        if not (is_rounded(leaving) and is_rounded(entering)):
            return False
    return True


class _Search:
    """The search for a word: it fills places in turn, and empties a place that has no successor."""

    def __init__(self, weights: Sequence[int], window: int) -> None:
        self.weights = weights
        self.window = window
        self.total = sum(weights)
        self.fewest = [window * weight // self.total for weight in weights]
        self.most = [-(-window * weight // self.total) for weight in weights]
        self.placed: list[int] = []
        self.counts = [0] * len(weights)
        self.recent = [0] * len(weights)  # on the last places that ten can share with the next

    def word(self, steps: int | None) -> tuple[int, ...] | None:
        """Return the word, or None if so many steps find none."""
        end = self.total + self.window  # the first places again, for windows across the ends
        left = [self._enter()]
        taken = 0
        while left and taken != steps:
            taken += 1
            kind = next(left[-1], None)
            if kind is None:
                left.pop()
                self._leave()
                continue
            self._place(kind, 1)
            self.placed.append(kind)
            if len(self.placed) == end:
                return tuple(self.placed[: self.total])
            left.append(self._enter())
        return None

    def _enter(self) -> Iterator[int]:
        """Go to the next place; return the types that are allowed there, the best first."""
        if 0 < self.window <= len(self.placed):
            self.recent[self.placed[-self.window]] -= 1
        return iter(self._candidates())

    def _leave(self) -> None:
        """Go back to the place before, and empty it."""
        if 0 < self.window <= len(self.placed):
            self.recent[self.placed[-self.window]] += 1
        if self.placed:
            self._place(self.placed.pop(), -1)

    def _place(self, kind: int, change: int) -> None:
        self.counts[kind] += change
        self.recent[kind] += change

    def _candidates(self) -> list[int]:
        place = len(self.placed)
        if place >= self.total:
            again = self.placed[place - self.total]
            return [again] if self._fits(again) else []
        ready = [
            kind
            for kind, count in enumerate(self.counts)
            if count * self.total < (place + 1) * self.weights[kind]
        ]
        due = [kind for kind in ready if self._deadline(kind) <= place + 1]
        if len(due) > 1:
            return []
        fitting = filter(self._fits, due or ready)
        return sorted(fitting, key=lambda kind: (self._deadline(kind), kind))

    def _deadline(self, kind: int) -> int:
        """Return the number of places by which the type must occur once more."""
        return -(-(self.counts[kind] + 1) * self.total // self.weights[kind])

    def _fits(self, kind: int) -> bool:
        """Return whether the last places and a type can be part of ten mixed places."""
        if not self.window:
            return True
        if self.recent[kind] >= self.most[kind]:
            return False
        pairs = zip(self.fewest, self.recent, strict=True)
        missing = sum(max(0, fewest - count) for fewest, count in pairs)
        missing -= self.recent[kind] < self.fewest[kind]
        return missing <= max(0, self.window - len(self.placed) - 1)


@dataclass(frozen=True)
class EvenOrder:
    """The even order of one list of types.

    >>> EvenOrder((1, 1, 1)).places(7, 0, 7), EvenOrder((1, 1, 1)).places(8, 5, 2)
    ([2, 0, 1, 2, 0, 1, 2], [1, 0])
    """

    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        even_word(self.weights)  # which refuses weights of too large a sum

    def places(self, seed: int, start: int, count: int) -> list[int]:
        """Return the places of the types of samples `start` to `start + count - 1`."""
        word, names = (
            even_word(self.weights),
            _names(self.weights, Stream(seed).chance(0, lane=_LANE_OF_NAMES)),
        )
        length = len(word)
        return [names[word[k % length]] for k in range(start, start + count)]


@dataclass(frozen=True)
class EvenPairs:
    """The even order of two lists of types.

    `table[i][j]` is the share of type i of the first list with type j of the second, as integers
    whose margins are in proportion to the weights. Types of the mix are the pairs above 0, row by
    row.

    >>> pairs = EvenPairs((1, 1), (1, 1), ((2, 1), (1, 2)))
    >>> pairs.pairs
    ((0, 0), (0, 1), (1, 0), (1, 1))
    >>> pairs.places(4, 0, 8)
    [2, 1, 3, 0, 3, 0, 3, 0]
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    table: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if self.round > LONGEST:
            raise NumberError(
                f"an even order of two lists goes in rounds of at most {LONGEST:,} deals: both "
                f"have whole shares only of {self.round:,}"
            )
        even_word(self.first)

    @property
    def round(self) -> int:
        """The samples of a round: the fewest of which all types have whole shares."""
        return lcm(sum(self.first), sum(self.second))

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of types that occur, in their order in the mix."""
        cells = ((i, j) for i, row in enumerate(self.table) for j in range(len(row)))
        return tuple((i, j) for i, j in cells if self.table[i][j])

    def places(self, seed: int, start: int, count: int) -> list[int]:
        """Return the places of the types of samples `start` to `start + count - 1`."""
        numbers = {pair: place for place, pair in enumerate(self.pairs)}
        begin, skipped = divmod(start, self.round)
        rounds = -(-(skipped + count) // self.round)
        found = chain.from_iterable(self._round(seed, begin + i) for i in range(rounds))
        return [numbers[pair] for pair in islice(found, skipped, skipped + count)]

    def _round(self, seed: int, number: int) -> list[tuple[int, int]]:
        """Return the pairs of a round."""
        draw = Stream(seed).chance(0, lane=_LANE_OF_NAMES)
        rows, columns = (_names(weights, draw) for weights in (self.first, self.second))
        left = self._table(Stream(seed).chance(number, lane=_LANE_OF_ROUNDS))
        word, counts = even_word(self.first), [0] * len(self.second)
        turns = {column: turn for turn, column in enumerate(columns)}
        total, found = sum(self.second), []
        for place in range(self.round):
            row = rows[word[place % len(word)]]
            _, _, column = min(
                (-(-(counts[j] + 1) * total // self.second[j]), turns[j], j)
                for j, many in enumerate(left[row])
                if many
            )
            left[row][column] -= 1
            counts[column] += 1
            found.append((row, column))
        return found

    def _table(self, draw: Callable[[int], int]) -> list[list[int]]:
        """Return the number of samples of each pair in a round."""
        shares = [[self.round * part for part in row] for row in self.table]
        return rounded_table(shares, sum(map(sum, self.table)), draw)


def _names(weights: Sequence[int], draw: Callable[[int], int]) -> list[int]:
    """Return the permutation of types by which types of the same weight have changed places."""
    names = list(range(len(weights)))
    for weight in dict.fromkeys(weights):
        members = [place for place, other in enumerate(weights) if other == weight]
        for i in range(len(members) - 1, 0, -1):
            one, other = members[i], members[draw(i + 1)]
            names[one], names[other] = names[other], names[one]
    return names
