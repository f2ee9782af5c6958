"""Products of layered automata and their reduction, a whole automaton in one call.

`pavcodec.constraints.counting.diagrams.diagram` defines these operations in numpy. There, each
layer needs several calls, which take most of the time if the layers are small.

The layers of an automaton are stored one after another: the nodes of layer c are the rows from
`starts[c]` to before `starts[c + 1]`. A row has for each letter the position of the child in the
next layer. The nodes after the last card are a layer without rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pavcodec.arrays.compiler import compiled

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_MOST = 1 << 62


@compiled()
def _empty_table(rows: Any) -> Any:
    """Return an open-addressing hash table for `rows` rows; -1 marks a free slot."""
    size = 16
    while size < 2 * rows:
        size *= 2
    return np.full(size, -1, np.int32)


@compiled()
def _place_of(row: Any, rows: Any, first: Any, count: Any, table: Any) -> Any:
    """Return the place of a row among `count` rows from `first` on; append the row if it is new."""
    mask = len(table) - 1
    key = np.uint64(0)
    for number in row:
        key = (key ^ np.uint64(number)) * _FACTOR
        key ^= key >> _SHIFT
    slot = np.int64(key & np.uint64(mask))
    while table[slot] >= 0:
        position = table[slot]
        is_same = True
        for column in range(len(row)):
            if rows[first + position, column] != row[column]:
                is_same = False
                break
        if is_same:
            return position
        slot = (slot + 1) & mask
    table[slot] = count
    for column in range(len(row)):
        rows[first + count, column] = row[column]
    return count


@compiled()
def _place_of_key(key: Any, keys: Any, count: Any, table: Any) -> Any:
    """Return the place of a number among the first `count` of `keys`; append it if it is new."""
    mask = len(table) - 1
    mixed = np.uint64(key) * _FACTOR
    slot = np.int64((mixed ^ (mixed >> _SHIFT)) & np.uint64(mask))
    while table[slot] >= 0:
        if keys[table[slot]] == key:
            return table[slot]
        slot = (slot + 1) & mask
    table[slot] = count
    keys[count] = key
    return count


@compiled()
def _radixes(widths: Any) -> Any:
    """Return the weight of each digit of a mixed-radix number; empty if it exceeds 62 bits."""
    radixes = np.ones(len(widths), np.int64)
    for digit in range(1, len(widths)):
        if radixes[digit - 1] > _MOST // max(1, widths[digit - 1]):
            return radixes[:0]
        radixes[digit] = radixes[digit - 1] * widths[digit - 1]
    if radixes[-1] > _MOST // max(1, widths[-1]):
        return radixes[:0]
    return radixes


@compiled()
def _joined(layers: Any, starts: Any, letters: Any) -> Any:
    """Return the rows of all layers in one array."""
    rows = np.empty((starts[len(layers)], letters), np.int32)
    for card, layer in enumerate(layers):
        rows[starts[card] : starts[card + 1]] = layer
    return rows


@compiled()
def mark_decided(rows: Any, starts: Any, ends: Any, decided: Any) -> None:
    """Mark in `decided` the nodes whose children are all marked, from the last card back.

    `decided` has the nodes of several automata, in the order of `multiply_layers`. The nodes after
    the last card are marked by the caller.
    """
    parts, cards, letters = starts.shape[0], starts.shape[1], rows.shape[1]
    for part in range(parts):
        for card in range(cards - 1, -1, -1):
            here, after = ends[part, card], ends[part, card + 1]
            for node in range(after - here):
                are_marked = True
                for letter in range(letters):
                    are_marked &= decided[after + rows[starts[part, card] + node, letter]]
                decided[here + node] = are_marked


@compiled()
def multiply_layers(
    rows: Any, starts: Any, ends: Any, decided: Any, memory: Any, resident: Any, transient: Any
) -> Any:
    """Return (rows, starts, last nodes) of the product of some automata.

    `rows` has the rows of all automata; those of part p before card c start at `starts[p, c]`.
    `decided` has for each node, and for each node after the last card, whether this node alone
    decides the result: the nodes of part p before card c start at `ends[p, c]`, and those after the
    last card end at `ends[p, cards + 1]`. All states of the product with such a node are merged
    into one. The last nodes are rows with a node of each part.

    A state needs `resident` bytes, and `transient` more bytes while its layer is built. If the
    total would exceed `memory`, the result has no rows, and its starts end with the layer that does
    not fit.
    """
    parts, cards, letters = starts.shape[0], starts.shape[1], rows.shape[1]
    layers, made_starts = [np.empty((0, letters), np.int32)], np.zeros(cards + 1, np.int64)
    layers.clear()  # numba has now inferred its type
    nodes = np.zeros((1, parts), np.int32)
    row = np.empty(parts, np.int64)
    total, widest = 0, 0
    for card in range(cards):
        count = len(nodes)
        widest = max(widest, count)
        if resident * (total + count) + transient * widest > memory:
            made_starts[card + 1] = total + count
            return np.empty((0, letters), np.int32), made_starts[: card + 2], nodes
        made = np.empty((count, letters), np.int32)
        table = _empty_table(count * letters)
        after = np.empty((count * letters, parts), np.int32)
        radixes = _radixes(ends[:, card + 2] - ends[:, card + 1])
        has_keys = len(radixes) > 0
        keys = np.empty(count * letters if has_keys else 0, np.int64)
        reached, sink = 0, -1
        for node in range(count):
            for letter in range(letters):
                is_decided, key = False, 0
                for part in range(parts):
                    child = rows[starts[part, card] + nodes[node, part], letter]
                    row[part] = child
                    if has_keys:
                        key += child * radixes[part]
                    is_decided |= decided[ends[part, card + 1] + child]
                position = sink
                if not is_decided or sink < 0:
                    if has_keys:
                        position = _place_of_key(key, keys, reached, table)
                        if position == reached:
                            after[reached] = row
                    else:
                        position = _place_of(row, after, 0, reached, table)
                    reached += position == reached
                    if is_decided:
                        sink = position
                made[node, letter] = position
        total += count
        made_starts[card + 1] = total
        layers.append(made)
        nodes = after[:reached].copy()
    return _joined(layers, made_starts, letters), made_starts, nodes


@compiled()
def reduce_layers(rows: Any, starts: Any, classes: Any) -> Any:
    """Return (rows, starts, remaining last nodes) of an automaton with equivalent nodes merged.

    `classes` has for each node after the last card its class, numbered from 0; nodes of one class
    are equivalent. Nodes that no word reaches are removed, also after the last card. `rows` is
    overwritten with the merged rows.
    """
    cards, letters = len(starts) - 1, rows.shape[1]
    counts = np.zeros(cards, np.int64)
    row = np.empty(letters, np.int64)
    for card in range(cards - 1, -1, -1):
        first, last = starts[card], starts[card + 1]
        table = _empty_table(last - first)
        merged = np.empty(last - first, np.int64)
        count = 0
        for node in range(last - first):
            for letter in range(letters):
                row[letter] = classes[rows[first + node, letter]]
            merged[node] = _place_of(row, rows, first, count, table)
            count += merged[node] == count
        counts[card] = count
        classes = merged
    return _trimmed(rows, starts, counts, classes[0])


@compiled()
def _trimmed(merged: Any, starts: Any, counts: Any, root: Any) -> Any:
    """Remove the nodes that no word reaches, and number the others in the order of their visit."""
    cards, letters = len(starts) - 1, merged.shape[1]
    left, left_starts = np.empty((counts.sum(), letters), np.int64), np.zeros(cards + 1, np.int64)
    reached = np.full(1, root, np.int64)
    total = 0
    for card in range(cards):
        first = starts[card]
        width = 0
        for node in reached:
            for letter in range(letters):
                width = max(width, merged[first + node, letter] + 1)
        numbers = np.full(width, -1, np.int64)
        children = np.empty(width, np.int64)
        count = 0
        for index in range(len(reached)):
            for letter in range(letters):
                child = merged[first + reached[index], letter]
                if numbers[child] < 0:
                    numbers[child] = count
                    children[count] = child
                    count += 1
                left[total + index, letter] = numbers[child]
        total += len(reached)
        left_starts[card + 1] = total
        reached = children[:count].copy()
    return left[:total].copy(), left_starts, reached
