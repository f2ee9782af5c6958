"""The layers of the product of two automata, for models with millions of nodes.

A state of the product is a pair of nodes, one of each automaton. A layer is held as *blocks*: for
each node of the first automaton, the nodes of the second that it is paired with. A card moves a
whole block to one block of the next layer, the same for all its pairs, and each pair in it by one
look-up in a small table; so all work goes on in a few tables that stay in the cache, and no pair is
hashed or sorted.

Functions work on a range of blocks, so that threads can share a layer. Every operand of the ways
stays `uint64`: numba turns a sum of signed and unsigned numbers into a float.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pavcodec.kernels.compiler import compiled

__all__ = ["count_blocks", "incoming", "reach_blocks"]


@compiled()
def incoming(
    children: Any,
    targets: Any,
) -> Any:
    """Return for each node of the next layer the edges that lead there: (begins, edges).

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
    """Return the blocks `first` to before `last` of the next layer: (their sizes, their items).

    `starts` and `items` are the blocks of this layer, `begins` and `edges` what `incoming` tells of
    the first automaton, `steps` the children in the second one, whose next layer has `width` nodes.
    `found_by` is shared by those who make this layer, each of which writes how many items it has
    found to its own place, `part`. All of them give up, with fewer sizes than blocks, when together
    they have more than `most`.
    """
    letters = steps.shape[1]
    seen = np.full(width, -1, np.int64)
    sizes = np.zeros(last - first, np.int64)
    found = np.empty(1024, np.int32)
    count = 0
    for block in range(first, last):
        if count + width > len(found):
            larger = np.empty(max(2 * len(found), count + width), np.int32)
            larger[:count] = found[:count]
            found = larger
        before = count
        for edge in edges[begins[block] : begins[block + 1]]:
            node, letter = edge // letters, edge % letters
            for item in items[starts[node] : starts[node + 1]]:
                step = steps[item, letter]
                if step >= 0 and seen[step] != block:
                    seen[step] = block
                    found[count] = step
                    count += 1
        sizes[block - first] = count - before
        found_by[part] = count
        if found_by.sum() > most:
            return sizes[: block - first], found[:0]
    return sizes, found[:count].copy()


@compiled()
def count_blocks(
    first: Any,
    last: Any,
    starts: Any,
    items: Any,
    moves: Any,
    steps: Any,
    next_starts: Any,
    next_items: Any,
    next_ways: Any,
    width: Any,
    children: Any,
    ways: Any,
) -> Any:
    """Write the children and ways of the pairs in the blocks from `first` to before `last`.

    `moves` and `steps` are the children in the two automata; the next layer is given by its blocks
    and the ways of its pairs, high and low. A child is the place of a pair in the next layer.
    """
    letters = steps.shape[1]
    places = np.full(width, -1, np.int32)
    for block in range(first, last):
        for letter in range(letters):
            target = moves[block, letter]
            if target < 0:
                continue
            for place in range(next_starts[target], next_starts[target + 1]):
                places[next_items[place]] = place
            for pair in range(starts[block], starts[block + 1]):
                step = steps[items[pair], letter]
                if step < 0 or places[step] < 0:
                    continue
                child = places[step]
                children[pair, letter] = child
                low = ways[pair, 1] + next_ways[child, 1]
                if low < next_ways[child, 1]:
                    ways[pair, 0] += np.uint64(1)
                ways[pair, 0] += next_ways[child, 0]
                ways[pair, 1] = low
            for place in range(next_starts[target], next_starts[target + 1]):
                places[next_items[place]] = -1
