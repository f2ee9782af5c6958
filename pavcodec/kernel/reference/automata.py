"""Layered automata, defined: products, reduction, counts, and the words of a counted automaton.

A row of `children` is a node, with its child for each letter, or -1. A layer follows the one
before it; `starts` has the first node of each layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pavcodec.kernel.reference.numbers import Words, number_at, put_number
from pavcodec.kernel.reference.walk import (
    State,
    put_numbers,
    put_words,
    rank_word,
    unrank_word,
)

Bytes: TypeAlias = NDArray[np.uint8]
Nodes: TypeAlias = NDArray[np.int32]
Places: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class CountedWalk:
    """Count the words of a counted automaton.

    The completions are the ways of the node, times the arrangements of the cards of the *free*
    owners, which the automaton does not distinguish. A state is (card, node, rooms of the free
    owners, arrangements). Ways may have more than two words of 64 bits here.
    """

    starts: Places
    children: Nodes
    ways: Words
    letter: Sequence[int]
    strides: Sequence[int]
    factors: Words
    high_factors: Words
    room: int

    @property
    def cards(self) -> int:
        """The number of cards."""
        return len(self.starts) - 1

    @property
    def owners(self) -> int:
        """The number of owners."""
        return len(self.letter)

    @property
    def start(self) -> State:
        """The state before the first card; nothing needs its arrangements."""
        return (0, 0, self.room, 0)

    def place(self, state: State, owner: int) -> State | None:
        """Return the state after a card."""
        card, node, room, _ = state
        row = self.children.reshape(-1, max(self.letter) + 1)[int(self.starts[card]) + node]
        child, at = int(row[self.letter[owner]]), (room, owner)
        arrangements = int(self.high_factors[at]) << 64 | int(self.factors[at])
        if child < 0 or not arrangements:
            return None
        return (card + 1, child, room - int(self.strides[owner]), arrangements)

    def completions(self, state: State) -> int:
        """Return the ways of the node times the arrangements."""
        card, node, _, arrangements = state
        first = int(self.starts[card]) + card + 1  # the row before has the ways of -1
        ways = int.from_bytes(self.ways[first + node].astype(">u8").tobytes(), "big")
        return ways * arrangements


def automaton_unrank(
    starts: Places,
    children: Nodes,
    ways: Words,
    letter: Bytes,
    strides: NDArray[np.uint32],
    factors: Words,
    high_factors: Words,
    kinds: Bytes,
    cards: int,
    owners: int,
    letters: int,
    room: int,
    n: int,
    numbers: Words,
    words: Bytes,
) -> None:
    """Write the words of numbers below the cardinality.

    `kinds` tells how large sums can be: here, they have no limit.
    """
    del kinds, letters
    walk = CountedWalk(
        starts, children, ways.reshape(-1, 2), letter.tolist(), strides.tolist(),
        factors.reshape(-1, owners), high_factors.reshape(-1, owners), room,
    )  # fmt: skip
    put_words(partial(unrank_word, walk), cards, n, numbers, words)


def automaton_rank(
    starts: Places,
    children: Nodes,
    ways: Words,
    letter: Bytes,
    strides: NDArray[np.uint32],
    factors: Words,
    high_factors: Words,
    kinds: Bytes,
    sizes: Bytes,
    cards: int,
    owners: int,
    letters: int,
    room: int,
    n: int,
    words: Bytes,
    numbers: Words,
) -> int:
    """Write the numbers of words; return the first row that is no word, or -1.

    `sizes` are the numbers of cards of the owners.
    """
    del kinds, letters
    walk = CountedWalk(
        starts, children, ways.reshape(-1, 2), letter.tolist(), strides.tolist(),
        factors.reshape(-1, owners), high_factors.reshape(-1, owners), room,
    )  # fmt: skip

    def rank(word: bytes) -> int | None:
        has_sizes = [*map(word.count, range(owners))] == sizes.tolist()
        return rank_word(walk, word) if has_sizes and sum(sizes.tolist()) == cards else None

    return put_numbers(rank, cards, n, words.reshape(-1, cards)[:n], numbers)


def _numbered(keys: list[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return (the different keys as they come, the place of each key among these)."""
    places: dict[tuple[int, ...], int] = {}
    numbers = [places.setdefault(key, len(places)) for key in keys]
    return list(places), numbers


def rows_number(
    rows: Nodes, width: int, n: int, table: Nodes, different: Nodes, places: Places
) -> int:
    """Write the different rows as they come, and the place of each row among them; count them."""
    del table
    found, places[:n] = _numbered(list(map(tuple, rows.reshape(-1, width)[:n].tolist())))
    different.reshape(-1, width)[: len(found)] = np.array(found).reshape(-1, width)
    return len(found)


def automata_decide(
    rows: Nodes, starts: Places, ends: Places, parts: int, cards: int, letters: int, decided: Bytes
) -> None:
    """Mark the nodes of several automata whose children are all marked.

    The nodes of a part before a card are the rows from `starts[part, card]` on, and their marks
    those from `ends[part, card]` to before `ends[part, card + 1]`.
    """
    for part in range(parts):
        for card in reversed(range(cards)):
            first, end = ends.reshape(parts, -1)[part, card : card + 2].tolist()
            row = int(starts.reshape(parts, -1)[part, card])
            children = rows.reshape(-1, letters)[row : row + end - first]
            decided[first:end] = decided[end + children].all(axis=1)


def automata_multiply(
    rows: Nodes,
    starts: Places,
    ends: Places,
    decided: Bytes,
    parts: int,
    cards: int,
    letters: int,
    first: int,
    room: int,
    widths: Places,
    nodes: Nodes,
    after: Nodes,
    table: Nodes,
    made: Nodes,
) -> int:
    """Make layers of the product of automata while there is room; return the card of the next.

    The automata are those of `automata_decide`. A state is a row of `nodes`, with a node of each
    part. All states with a marked node are one state. `widths` has the states before `first`, and
    gets those of the layers that follow.
    """
    del after, table
    card, used = first, 0
    rows, states = rows.reshape(-1, letters), nodes.reshape(-1, parts)
    starts, ends = starts.reshape(parts, cards), ends.reshape(parts, -1)
    while card < cards and used + int(widths[card]) <= room:
        count, sink = int(widths[card]), None
        children = []
        for state in states[:count].tolist():
            nodes_of = [rows[starts[part, card] + node] for part, node in enumerate(state)]
            for child in zip(*(row.tolist() for row in nodes_of), strict=True):
                if any(decided[ends[part, card + 1] + node] for part, node in enumerate(child)):
                    sink = sink or child
                    children.append(sink)
                else:
                    children.append(child)
        different, places = _numbered(children)
        made.reshape(-1, letters)[used : used + count] = np.reshape(places, (count, letters))
        states[: len(different)] = different
        widths[card + 1] = len(different)
        card, used = card + 1, used + count
    return card


def automaton_merge(
    rows: Nodes,
    starts: Places,
    letters: int,
    first: int,
    last: int,
    classes: Nodes,
    merged: Nodes,
    table: Nodes,
    counts: Places,
) -> None:
    """Merge equal nodes from the layer before `last` back to `first`, in their place.

    `classes` has the class of each node of layer `last`, and gets those of layer `first`.
    """
    del merged, table
    for card in reversed(range(first, last)):
        layer = rows.reshape(-1, letters)[starts[card] : starts[card + 1]]
        different, places = _numbered(list(map(tuple, classes[layer].tolist())))
        layer[: len(different)] = different
        classes[: len(places)] = places
        counts[card] = len(different)


def automaton_trim(
    rows: Nodes,
    starts: Places,
    counts: Places,
    letters: int,
    first: int,
    last: int,
    left_starts: Places,
    reached: Nodes,
    after: Nodes,
    numbers: Nodes,
    left: Nodes,
) -> None:
    """Copy the nodes that are reached, numbered as they come, from layer `first` to before `last`.

    `reached` has the nodes of layer `first`, and gets those of layer `last`.
    """
    del counts, after, numbers
    for card in range(first, last):
        begin, end = left_starts[card : card + 2].tolist()
        here = rows.reshape(-1, letters)[starts[card] + reached[: end - begin]]
        children, places = _numbered([(child,) for child in here.reshape(-1).tolist()])
        left.reshape(-1, letters)[begin:end] = np.reshape(places, here.shape)
        reached[: len(children)] = [child for (child,) in children]
        left_starts[card + 2] = end + len(children)


def automaton_arrive(children: Nodes, letters: int, n: int, words: Words, after: Words) -> None:
    """Add the words that lead to each node of a layer to those that lead to its children."""
    for node, row in enumerate(children.reshape(-1, letters)[:n].tolist()):
        for child in row:
            if child >= 0:
                put_number(after, child, number_at(after, child) + number_at(words, node))


def automaton_sum(
    children: Nodes, letters: int, limbs: int, n: int, after: Words, ways: Words
) -> None:
    """Write the ways of nodes: the sums of those of their children, numbers of so many words."""
    sums = [int.from_bytes(row.tobytes(), "big") for row in after.reshape(-1, limbs).astype(">u8")]
    for node, row in enumerate(children.reshape(-1, letters)[:n].tolist()):
        total = sum(sums[child] for child in row if child >= 0)
        ways.reshape(-1, limbs)[node] = np.frombuffer(total.to_bytes(8 * limbs, "big"), ">u8")


def blocks_incoming(
    moves: Nodes, letters: int, n: int, targets: int, begins: Places, edges: Places
) -> None:
    """Write the edges to each node of the next layer, numbered node * letters + letter.

    Those to a node are `edges[begins[node] : begins[node + 1]]`.
    """
    children = moves.reshape(-1)[: n * letters].tolist()
    into = [[edge for edge, child in enumerate(children) if child == to] for to in range(targets)]
    begins[: targets + 1] = np.cumsum([0, *map(len, into)])
    edges[: begins[targets]] = [edge for each in into for edge in each]


def blocks_join(
    begins: Places,
    edges: Places,
    starts: Places,
    items: Nodes,
    steps: Nodes,
    letters: int,
    first: int,
    last: int,
    most: int,
    keeps: int,
    positions: Nodes,
    sizes: Places,
    reached: Nodes,
    children: Nodes,
) -> int:
    """Write the items of the blocks from `first` to before `last`, and their numbers; count all.

    With `keeps`, the children of the pairs before are written as well, as places among the items.
    Return -1 when there are more than `most`.
    """
    del positions
    count = 0
    for block in range(first, last):
        places: dict[int, int] = {}
        for edge in edges[begins[block] : begins[block + 1]].tolist():
            node, letter = divmod(edge, letters)
            for pair in range(int(starts[node]), int(starts[node + 1])):
                step = int(steps.reshape(-1, letters)[items[pair], letter])
                if step < 0:
                    continue
                place = places.setdefault(step, count + len(places))
                if keeps:
                    children.reshape(-1, letters)[pair, letter] = place
        sizes[block - first] = len(places)
        reached[count : count + len(places)] = list(places)
        count += len(places)
        if count > most:
            return -1
    return count


def blocks_count(
    starts: Places,
    items: Nodes,
    moves: Nodes,
    steps: Nodes,
    origins: Nodes,
    weights: Words,
    letters: int,
    next_starts: Places,
    next_items: Nodes,
    next_ways: Words,
    keeps: int,
    first: int,
    last: int,
    positions: Nodes,
    ways: Words,
    children: Nodes,
) -> int:
    """Write the ways of the pairs in some blocks; return how many pairs have ways.

    The ways of a child count as often as the weight of its edge says, by the origin of the block.
    With `keeps`, the children are written as well, -1 for those without ways.
    """
    del positions
    living = 0
    for block in range(first, last):
        for pair in range(int(starts[block]), int(starts[block + 1])):
            total = 0
            for letter in range(letters):
                step = int(steps.reshape(-1, letters)[items[pair], letter])
                move = int(moves.reshape(-1, letters)[block, letter])
                begin, end = next_starts[move : move + 2].tolist() if move >= 0 else (0, 0)
                here = next_items[begin:end].tolist()
                child = begin + here.index(step) if step in here else -1
                if keeps:
                    children.reshape(-1, letters)[pair, letter] = child
                if child >= 0:
                    weight = int(weights.reshape(-1, letters)[origins[block], letter])
                    total += number_at(next_ways, child) * weight
            put_number(ways, pair, total)
            living += total > 0
    return living


def blocks_keep(
    starts: Places,
    items: Nodes,
    ways: Words,
    children: Nodes,
    letters: int,
    keeps: int,
    first: int,
    last: int,
    kept: int,
    left_starts: Places,
    left_items: Nodes,
    left_ways: Words,
    left_children: Nodes,
) -> None:
    """Copy the pairs with ways of some blocks to the place `kept` and after it."""
    for block in range(first, last):
        for pair in range(int(starts[block]), int(starts[block + 1])):
            if number_at(ways, pair):
                left_items[kept] = items[pair]
                put_number(left_ways, kept, number_at(ways, pair))
                if keeps:
                    left_children.reshape(-1, letters)[kept] = children.reshape(-1, letters)[pair]
                kept += 1
        left_starts[block + 1] = kept
