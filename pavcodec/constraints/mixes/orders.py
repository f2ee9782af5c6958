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
(`rounded_table`). The second type of a place is one that the round still has with the first
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

from pavcodec.errors import NumberError, PavError
from pavcodec.sampling import Stream

# Tables with given margins: the share in a mix of each pair of types of two lists.
#
# The target is the table of iterative proportional fitting: the natural counts, times a factor for
# each row and one for each column, such that the table has both given margins. It exists if, and
# only if, some table with these margins is 0 wherever the natural count is 0. Fitting converges to
# it, but generally does not reach it. So there are three steps, in integers only:
#
# 1. A flow from rows to columns is such a table, or its bottleneck shows why there is none. The
# flow also shows which pairs are 0 in all such tables; these pairs are left out. 2. Fitting
# continues until all margins are correct to 1 in 2⁶⁴, or for 1,000 rounds. 3. Pairs are rounded
# down to 1 in 2⁶⁴ of a sample, and the amounts that their rows and columns then lack are added
# along a tree of the largest pairs. The solution is unique and integral. If a pair is then below 0,
# which is possible only if 1,000 rounds were too few, the table is mixed with the least part of a
# flow through all pairs that raises it to 0.
#
# So the margins are exact for any result of step 2, and the pairs are as close to the target as the
# fitted table.


Table = list[list[int]]
Pair = tuple[int, int]

_SHARP = 64
_FINE = 192
_ROUNDS = 1000
_PARTS = 1 << 20


class MarginsError(PavError):
    """No table has the margins: the `rows` need more than the `columns` that they meet have."""

    def __init__(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> None:
        super().__init__(rows, columns)
        self.rows, self.columns = rows, columns

    def __str__(self) -> str:
        return f"rows {self.rows} have more than columns {self.columns}, and meet no others"


def fitted_table(
    counts: Sequence[Sequence[int]], first: Sequence[int], second: Sequence[int]
) -> Table:
    """Return a table whose rows are in proportion to `first` and its columns to `second`, exactly.

    `counts` are the natural numbers of deals, `first` and `second` integers above 0. All entries
    sum to the least common multiple of the sums of both, times 2⁶⁴ or a multiple of it. Raises
    `MarginsError` if zeros among the counts exclude all such tables.

    >>> table = fitted_table([[4, 1], [1, 4]], [1, 1], [1, 1])
    >>> [[round(x / 2**64, 3) for x in row] for row in table]
    [[0.8, 0.2], [0.2, 0.8]]
    >>> fitted_table([[5, 3], [2, 0]], [1, 1], [1, 1])  # what has no column but one takes it all
    [[0, 18446744073709551616], [18446744073709551616, 0]]
    """
    total = lcm(sum(first), sum(second))
    rows = [total // sum(first) * weight for weight in first]
    columns = [total // sum(second) * weight for weight in second]
    flow = _Flow(counts, rows, columns)
    used = flow.used()
    table = [
        [count if (i, j) in used else 0 for j, count in enumerate(row)]
        for i, row in enumerate(counts)
    ]
    balanced = _balanced(_fit(table, rows, columns), rows, columns, used)
    if min(map(min, balanced)) >= 0:
        return balanced
    return _mixed(balanced, flow.through(used))


class _Flow:
    """A largest flow from rows to columns, through pairs that have counts."""

    def __init__(
        self, counts: Sequence[Sequence[int]], rows: Sequence[int], columns: Sequence[int]
    ) -> None:
        self.open = [[j for j, count in enumerate(row) if count] for row in counts]
        self.flow = [[0] * len(columns) for _ in rows]
        self.spare = list(rows)
        self.room = list(columns)
        for start in range(len(rows)):
            while self.spare[start]:
                self._augment(start)

    def _augment(self, start: int) -> None:
        """Increase the flow from a row to a column with free capacity."""
        came, seen = self._reach([start])
        end = next((j for j in came if self.room[j]), None)
        if end is None:
            raise MarginsError(tuple(sorted(seen)), tuple(sorted(came)))
        path: list[tuple[Pair, int]] = []
        column = end
        while True:
            row = came[column]
            path.append(((row, column), 1))
            if row == start:
                break
            column = seen[row]
            path.append(((row, column), -1))
        taken = [self.flow[i][j] for (i, j), sign in path if sign < 0]
        amount = min(self.spare[start], self.room[end], *taken)
        for (i, j), sign in path:
            self.flow[i][j] += sign * amount
        self.spare[start] -= amount
        self.room[end] -= amount

    def _reach(self, starts: Sequence[int]) -> tuple[dict[int, int], dict[int, int]]:
        """Return the columns, each with the row before, and rows, each with the column before."""
        columns: dict[int, int] = {}
        rows = dict.fromkeys(starts, -1)
        waiting = list(starts)
        while waiting:
            row = waiting.pop(0)
            for column in self.open[row]:
                if column in columns:
                    continue
                columns[column] = row
                for other, sent in enumerate(self.flow):
                    if sent[column] and other not in rows:
                        rows[other] = column
                        waiting.append(other)
        return columns, rows

    def used(self) -> set[Pair]:
        """Return the pairs that are more than 0 in some table with these margins."""
        pairs = {(i, j) for i, row in enumerate(self.flow) for j, sent in enumerate(row) if sent}
        for column in range(len(self.room)):
            senders = [row for row, sent in enumerate(self.flow) if sent[column]]
            _, reached = self._reach(senders)
            pairs |= {(row, column) for row in reached if column in self.open[row]}
        return pairs

    def through(self, used: set[Pair]) -> Table:
        """Return a flow through all pairs of a set, with a multiple of all margins."""
        times = 2 * len(used)
        table = [[times * sent for sent in row] for row in self.flow]
        for i, j in sorted(used):
            if not self.flow[i][j]:
                senders = [row for row, sent in enumerate(self.flow) if sent[j]]
                came, seen = self._reach(senders)
                table[i][j] += 1
                row = i
                while seen[row] >= 0:
                    table[row][seen[row]] -= 1
                    table[came[seen[row]]][seen[row]] += 1
                    row = came[seen[row]]
                table[row][j] -= 1
        return table


def _mixed(table: Table, positive: Table) -> Table:
    """Return a table mixed with the least part of another table that leaves no entry below 0."""
    total, other = sum(map(sum, table)), sum(map(sum, positive))
    pairs = zip(chain.from_iterable(table), chain.from_iterable(positive), strict=True)
    needed = ((-low * other, high * total) for low, high in pairs if low < 0)
    part = max(-(-_PARTS * lack // (lack + gain)) for lack, gain in needed)
    return [
        [(_PARTS - part) * other * one + part * total * two for one, two in zip(*rows, strict=True)]
        for rows in zip(table, positive, strict=True)
    ]


def _fit(table: Table, rows: Sequence[int], columns: Sequence[int]) -> Table:
    """Fit a table to margins, both with the same sum, in units of 1 in 2¹⁹²."""
    unit, total, whole = 1 << _FINE, sum(map(sum, table)), sum(rows)
    wide = [[-(-count * unit // total) for count in row] for row in table]
    goals = [row * unit // whole for row in rows], [column * unit // whole for column in columns]
    for _ in range(_ROUNDS):
        sums = [sum(column) for column in zip(*wide, strict=True)]
        wide = [
            [-(-part * goal // has) for part, goal, has in zip(row, goals[1], sums, strict=True)]
            for row in wide
        ]
        sums = [sum(row) for row in wide]
        if all(abs(has - goal) << _SHARP <= goal for has, goal in zip(sums, goals[0], strict=True)):
            break
        wide = [
            [-(-part * goal // has) for part in row]
            for row, goal, has in zip(wide, goals[0], sums, strict=True)
        ]
    return [[part * whole >> _FINE - _SHARP for part in row] for row in wide]


def _balanced(table: Table, rows: Sequence[int], columns: Sequence[int], used: set[Pair]) -> Table:
    """Return the table with exact margins, corrected along a tree of its largest pairs."""
    lacks = [(goal << _SHARP) - sum(row) for goal, row in zip(rows, table, strict=True)]
    sums = map(sum, zip(*table, strict=True))
    lacks += [(goal << _SHARP) - has for goal, has in zip(columns, sums, strict=True)]
    links: dict[int, set[int]] = {node: set() for node in range(len(lacks))}
    for i, j in _tree(table, used):
        links[i].add(len(rows) + j)
        links[len(rows) + j].add(i)
    leaves = [node for node, others in links.items() if len(others) == 1]
    while leaves:
        leaf = leaves.pop()
        if not links[leaf]:
            continue
        other = links[leaf].pop()
        links[other].remove(leaf)
        i, j = min(leaf, other), max(leaf, other) - len(rows)
        table[i][j] += lacks[leaf]
        lacks[other] -= lacks[leaf]
        if len(links[other]) == 1:
            leaves.append(other)
    return table


def _tree(table: Table, used: set[Pair]) -> list[Pair]:
    """Return a spanning forest of rows and columns, made of the largest pairs."""
    group = {("row", i): ("row", i) for i, _ in used} | {
        ("column", j): ("column", j) for _, j in used
    }

    def root(node: tuple[str, int]) -> tuple[str, int]:
        while group[node] != node:
            node = group[node]
        return node

    tree = []
    for i, j in sorted(used, key=lambda pair: (-table[pair[0]][pair[1]], pair)):
        row, column = root(("row", i)), root(("column", j))
        if row != column:
            group[row] = column
            tree.append((i, j))
    return tree


def rounded_table(table: Sequence[Sequence[int]], unit: int, draw: Callable[[int], int]) -> Table:
    """Round a table to multiples of `unit`, at random; margins, and the means of pairs, stay.

    All rows and columns sum to multiples of the unit. `draw(n)` gives a random number below n.
    While a pair is not whole, there is a circle of such pairs: from the first pair to the first
    other pair in its row, to the first other pair in the column of that one, and so on. An amount
    that is added to every second pair of the circle and subtracted from the remaining pairs does
    not change the margins. The amount is the one that makes a pair whole, in one direction or the
    other, with the probabilities for which the average change is 0.

    >>> rounded_table([[2, 1], [1, 2]], 3, lambda below: below - 1)
    [[0, 1], [1, 0]]
    >>> rounded_table([[2, 1], [1, 2]], 3, lambda below: 0)
    [[1, 0], [0, 1]]
    """
    parts = [[part % unit for part in row] for row in table]
    wholes = [[part // unit for part in row] for row in table]
    while True:
        circle = _circle(parts)
        if not circle:
            return [
                [whole + part // unit for whole, part in zip(*rows, strict=True)]
                for rows in zip(wholes, parts, strict=True)
            ]
        values = [parts[i][j] for i, j in circle]
        up = min([unit - v for v in values[::2]] + values[1::2])
        down = min(values[::2] + [unit - v for v in values[1::2]])
        amount = up if draw(up + down) < down else -down
        for index, (i, j) in enumerate(circle):
            parts[i][j] += -amount if index % 2 else amount
            if parts[i][j] == unit:
                parts[i][j] = 0
                wholes[i][j] += 1


def _circle(parts: Table) -> list[Pair]:
    """Return a circle of pairs that are not 0, alternately in the same row and the same column."""
    start = next(
        ((i, j) for i, row in enumerate(parts) for j, part in enumerate(row) if part), None
    )
    if start is None:
        return []
    i, j = start
    path, met = [start], {("column", j): 0, ("row", i): 1}
    while True:
        if len(path) % 2:
            j = next(other for other, part in enumerate(parts[i]) if part and other != j)
            node = "column", j
        else:
            i = next(other for other, row in enumerate(parts) if row[j] and other != i)
            node = "row", i
        path.append((i, j))
        if node in met:
            return path[met[node] :]
        met[node] = len(path)


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
    searched = _Search(weights, WINDOW).word(_STEPS) if total <= _SEARCHED else None
    word = searched or _Search(weights, 0).word(None)
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
        position = len(self.placed)
        if position >= self.total:
            again = self.placed[position - self.total]
            return [again] if self._fits(again) else []
        ready = [
            kind
            for kind, count in enumerate(self.counts)
            if count * self.total < (position + 1) * self.weights[kind]
        ]
        due = [kind for kind in ready if self._deadline(kind) <= position + 1]
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
        word = even_word(self.weights)
        names = _names(self.weights, Stream(seed).chance(0, lane=_LANE_OF_NAMES))
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
        numbers = {pair: kind for kind, pair in enumerate(self.pairs)}
        begin, skipped = divmod(start, self.round)
        rounds = -(-(skipped + count) // self.round)
        pairs = chain.from_iterable(self._round(seed, begin + i) for i in range(rounds))
        return [numbers[pair] for pair in islice(pairs, skipped, skipped + count)]

    def _round(self, seed: int, number: int) -> list[tuple[int, int]]:
        """Return the pairs of a round."""
        draw = Stream(seed).chance(0, lane=_LANE_OF_NAMES)
        rows, columns = (_names(weights, draw) for weights in (self.first, self.second))
        shares = [[self.round * part for part in row] for row in self.table]
        draw_round = Stream(seed).chance(number, lane=_LANE_OF_ROUNDS)
        left = rounded_table(shares, sum(map(sum, self.table)), draw_round)
        word, counts = even_word(self.first), [0] * len(self.second)
        turns = {column: turn for turn, column in enumerate(columns)}
        total, pairs = sum(self.second), []
        for position in range(self.round):
            row = rows[word[position % len(word)]]
            _, _, column = min(
                (-(-(counts[j] + 1) * total // self.second[j]), turns[j], j)
                for j, many in enumerate(left[row])
                if many
            )
            left[row][column] -= 1
            counts[column] += 1
            pairs.append((row, column))
        return pairs


def _names(weights: Sequence[int], draw: Callable[[int], int]) -> list[int]:
    """Return the permutation of types by which types of the same weight have changed places."""
    names = list(range(len(weights)))
    for weight in dict.fromkeys(weights):
        members = [index for index, other in enumerate(weights) if other == weight]
        for i in range(len(members) - 1, 0, -1):
            one, other = members[i], members[draw(i + 1)]
            names[one], names[other] = names[other], names[one]
    return names
