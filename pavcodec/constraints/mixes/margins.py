"""Tables with given margins: the share in a mix of each pair of types of two lists.

The target is the table of iterative proportional fitting: the natural counts, times a factor for
each row and one for each column, such that the table has both given margins. It exists if, and only
if, some table with these margins is 0 wherever the natural count is 0. Fitting converges to it, but
generally does not reach it. So there are three steps, in integers only:

1. A flow from rows to columns is such a table, or its bottleneck shows why there is none. The flow
   also shows which pairs are 0 in all such tables; these pairs are left out.
2. Fitting continues until all margins are correct to 1 in 2⁶⁴, or for 1,000 rounds.
3. Pairs are rounded down to 1 in 2⁶⁴ of a sample, and the amounts that their rows and columns then
   lack are added along a tree of the largest pairs. The solution is unique and integral. If a pair
   is then below 0, which is possible only if 1,000 rounds were too few, the table is mixed with the
   least part of a flow through all pairs that raises it to 0.

So the margins are exact for any result of step 2, and the pairs are as close to the target as the
fitted table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from math import lcm

from pavcodec.errors import PavError

__all__ = ["MarginsError", "fitted_table", "rounded_table"]

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
        found = {(i, j) for i, row in enumerate(self.flow) for j, sent in enumerate(row) if sent}
        for column in range(len(self.room)):
            senders = [row for row, sent in enumerate(self.flow) if sent[column]]
            _, reached = self._reach(senders)
            found |= {(row, column) for row in reached if column in self.open[row]}
        return found

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

    found = []
    for i, j in sorted(used, key=lambda pair: (-table[pair[0]][pair[1]], pair)):
        row, column = root(("row", i)), root(("column", j))
        if row != column:
            group[row] = column
            found.append((i, j))
    return found


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
    found = [[part // unit for part in row] for row in table]
    while True:
        circle = _circle(parts)
        if not circle:
            return [
                [whole + part // unit for whole, part in zip(*rows, strict=True)]
                for rows in zip(found, parts, strict=True)
            ]
        values = [parts[i][j] for i, j in circle]
        up = min([unit - v for v in values[::2]] + values[1::2])
        down = min(values[::2] + [unit - v for v in values[1::2]])
        amount = up if draw(up + down) < down else -down
        for place, (i, j) in enumerate(circle):
            parts[i][j] += -amount if place % 2 else amount
            if parts[i][j] == unit:
                parts[i][j] = 0
                found[i][j] += 1


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
