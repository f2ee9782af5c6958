"""The layers of the product of two automata, for models with millions of nodes.

A state of the product is a pair of nodes, one of each automaton. A layer is stored as *blocks*: for
each node of the first automaton, the nodes of the second automaton that are paired with it. A
letter moves a whole block to one block of the next layer, and moves each pair in it by one lookup
in a small table. So the work needs only a few tables, which stay in the cache, and no pair is
hashed or sorted.

Functions process a range of blocks or of pairs, so threads can share a layer. Every operand of the
ways stays `uint64`, because numba converts a sum of signed and unsigned numbers to a float.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pavcodec.arrays.compiler import compiled

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ZERO = np.uint64(0)
_ONE = np.uint64(1)


@compiled()
def incoming(children: Any, targets: Any) -> Any:
    """Return the edges to each node of the next layer: (begins, edges).

    An edge is a node and a letter, numbered node * letters + letter.
    """
    letters = children.shape[1]
    begins = np.zeros(targets + 1, np.int64)
    for node in range(len(children)):
        for letter in range(letters):
            if children[node, letter] >= 0:
                begins[children[node, letter] + 1] += 1
    for target in range(targets):
        begins[target + 1] += begins[target]
    edges = np.empty(begins[targets], np.int64)
    filled = begins.copy()
    for node in range(len(children)):
        for letter in range(letters):
            target = children[node, letter]
            if target >= 0:
                edges[filled[target]] = node * letters + letter
                filled[target] += 1
    return begins, edges


@compiled()
def reach_blocks(
    first: Any,
    last: Any,
    begins: Any,
    edges: Any,
    starts: Any,
    items: Any,
    steps: Any,
    width: Any,
    found_by: Any,
    part: Any,
    most: Any,
) -> Any:
    """Return the blocks from `first` to before `last` of the next layer: (their sizes, items).

    `starts` and `items` are the blocks of this layer. `begins` and `edges` are the result of
    `incoming` for the first automaton. `steps` are the children in the second automaton, whose next
    layer has `width` nodes. All threads of a layer share `found_by`; each thread writes its number
    of items at the index `part`. If the sum exceeds `most`, the threads stop and return fewer sizes
    than blocks.
    """
    letters = steps.shape[1]
    seen = np.full(width, -1, np.int32)
    sizes = np.zeros(last - first, np.int64)
    reached = np.empty(1024, np.int32)
    count = 0
    for block in range(first, last):
        if count + width > len(reached):
            larger = np.empty(max(2 * len(reached), count + width), np.int32)
            larger[:count] = reached[:count]
            reached = larger
        before = count
        for edge in edges[begins[block] : begins[block + 1]]:
            node, letter = edge // letters, edge % letters
            for item in items[starts[node] : starts[node + 1]]:
                step = steps[item, letter]
                if step >= 0 and seen[step] != block:
                    seen[step] = block
                    reached[count] = step
                    count += 1
        sizes[block - first] = count - before
        found_by[part] = count
        if block & 63 == 63 and found_by.sum() > most:
            return sizes[: block - first], reached[:0]
    return sizes, reached[:count].copy()


@compiled()
def link_blocks(
    first: Any,
    last: Any,
    starts: Any,
    items: Any,
    moves: Any,
    steps: Any,
    next_starts: Any,
    next_items: Any,
    width: Any,
    children: Any,
) -> None:
    """Write the children of the pairs in the blocks from `first` to before `last`.

    `moves` and `steps` are the children in the two automata. A child is the position of a pair in
    the next layer, or -1.
    """
    letters = steps.shape[1]
    positions = np.full(width, -1, np.int32)
    for block in range(first, last):
        begin, end = starts[block], starts[block + 1]
        for letter in range(letters):
            target = moves[block, letter]
            if target < 0:
                for pair in range(begin, end):
                    children[pair, letter] = -1
                continue
            for position in range(next_starts[target], next_starts[target + 1]):
                positions[next_items[position]] = position
            for pair in range(begin, end):
                step = steps[items[pair], letter]
                children[pair, letter] = positions[step] if step >= 0 else -1
            for position in range(next_starts[target], next_starts[target + 1]):
                positions[next_items[position]] = -1


@compiled()
def sum_pairs(first: Any, last: Any, children: Any, next_ways: Any, ways: Any) -> Any:
    """Write the ways of the pairs from `first` to before `last`; return how many are not 0."""
    letters = children.shape[1]
    living = 0
    for pair in range(first, last):
        high, low = _ZERO, _ZERO
        for letter in range(letters):
            child = children[pair, letter]
            if child >= 0:
                more = next_ways[child, 1]
                low += more
                high += next_ways[child, 0] + np.uint64(low < more)
        ways[pair, 0] = high
        ways[pair, 1] = low
        living += (high | low) != _ZERO
    return living


@compiled()
def keep_pairs(
    first: Any, last: Any, kept: Any, children: Any, ways: Any, left_children: Any, left_ways: Any,
    positions: Any,
) -> None:  # fmt: skip
    """Copy the pairs with ways to position `kept` and after; write their new positions, or -1."""
    letters = children.shape[1]
    for pair in range(first, last):
        if ways[pair, 0] | ways[pair, 1] == _ZERO:
            positions[pair] = -1
            continue
        positions[pair] = kept
        for letter in range(letters):
            left_children[kept, letter] = children[pair, letter]
        left_ways[kept, 0] = ways[pair, 0]
        left_ways[kept, 1] = ways[pair, 1]
        kept += 1


@compiled()
def add_blocks(
    first: Any,
    last: Any,
    starts: Any,
    items: Any,
    moves: Any,
    origins: Any,
    weights: Any,
    steps: Any,
    next_starts: Any,
    next_items: Any,
    next_ways: Any,
    width: Any,
    ways: Any,
) -> None:
    """Add up the ways of the pairs in the blocks from `first` to before `last`, without children.

    `weights` has the multiplier of a child's ways, by the origin of the block and the letter.
    """
    letters = steps.shape[1]
    positions = np.full(width, -1, np.int32)
    for block in range(first, last):
        begin, end = starts[block], starts[block + 1]
        for letter in range(letters):
            target = moves[block, letter]
            if target < 0 or next_starts[target] == next_starts[target + 1]:
                continue
            weight = np.uint64(weights[origins[block], letter])
            for position in range(next_starts[target], next_starts[target + 1]):
                positions[next_items[position]] = position
            for pair in range(begin, end):
                step = steps[items[pair], letter]
                if step < 0 or positions[step] < 0:
                    continue
                child = positions[step]
                high, low = next_ways[child, 0], next_ways[child, 1]
                if weight != _ONE:
                    below = (low & _LOW) * weight
                    above = (low >> _HALF) * weight + (below >> _HALF)
                    high = high * weight + (above >> _HALF)
                    low = (above << _HALF) | (below & _LOW)
                total = ways[pair, 1] + low
                ways[pair, 0] += high + np.uint64(total < low)
                ways[pair, 1] = total
            for position in range(next_starts[target], next_starts[target + 1]):
                positions[next_items[position]] = -1


@compiled()
def join_layer(
    starts: Any, items: Any, moves: Any, steps: Any, height: Any, width: Any, most: Any
) -> Any:
    """Return the next layer and the children of this layer: (starts, items, children).

    The next layer has `height` blocks, of nodes below `width`. If it has more than `most` pairs,
    the last start is -1.
    """
    begins, edges = incoming(moves, height)
    letters = steps.shape[1]
    children = np.full((len(items), letters), -1, np.int32)
    positions = np.full(width, -1, np.int32)
    next_starts = np.zeros(height + 1, np.int64)
    reached = np.empty(1024, np.int32)
    count = 0
    for block in range(height):
        if count + width > len(reached):
            larger = np.empty(max(2 * len(reached), count + width), np.int32)
            larger[:count] = reached[:count]
            reached = larger
        before = count
        for edge in edges[begins[block] : begins[block + 1]]:
            node, letter = edge // letters, edge % letters
            for pair in range(starts[node], starts[node + 1]):
                step = steps[items[pair], letter]
                if step >= 0:
                    if positions[step] < before:
                        positions[step] = count
                        reached[count] = step
                        count += 1
                    children[pair, letter] = positions[step]
        next_starts[block + 1] = count
        if count > most:
            next_starts[height] = -1
            return next_starts, reached[:0], children
    return next_starts, reached[:count].copy(), children


@compiled()
def check_layer(children: Any, ways: Any, next_ways: Any, held: Any, next_held: Any) -> Any:
    """Return whether the children of a layer are valid and its ways are the sums of their ways.

    `held` has the numbers of cards for each letter before each node, one byte for each letter.
    `next_held` is filled with the same numbers for the nodes of the next layer; the caller sets it
    to -1. All edges to a node must give equal numbers, and each node needs at least one edge.
    """
    letters = children.shape[1]
    for node in range(len(children)):
        if held[node] < 0:
            return False
        high, low = _ZERO, _ZERO
        for letter in range(letters):
            child = children[node, letter]
            if child < -1 or child >= len(next_ways):
                return False
            if child < 0:
                continue
            more = next_ways[child, 1]
            low += more
            high += next_ways[child, 0] + np.uint64(low < more)
            cards = held[node] + (1 << (8 * letter))
            if next_held[child] < 0:
                next_held[child] = cards
            elif next_held[child] != cards:
                return False
        if high != ways[node, 0] or low != ways[node, 1] or high | low == _ZERO:
            return False
    return True
