"""Counting by turns: how many words satisfy some conditions, without a model.

Equivalent cards are dealt to one hand after another.

Usually, conditions depend only on the number of spot cards of a suit in a hand. Card by card, the
layers among these cards are by far the widest of a product, because each hand may have any number
of them. By turns, one hand gets all its spot cards of the suit, then the next hand.

Rule 1: two neighbouring cards are *alike* for a factor if exchanging them never changes its value.
Rule 2: the deck is cut into *parts*: a single card, or a *run* of cards that are alike for all
factors, together with the *odd* cards that were among them and are dealt before them.
Rule 3: a single or an odd card is one turn, whose letters are those of the model. A run has a turn
for each letter of its `order` except the last: the number of its cards. The last letter gets the
rest.
Rule 4: after a part every factor is in the same node as card by card. For a factor, a turn with
more cards than are left is equal to a turn with all that are left, so a factor that does not depend
on a hand keeps its node in the turn of the hand. Only the *remainder*, an automaton that is a
factor of its own, excludes such turns.
Rule 5: the remainder also has the number of words of a turn: from r cards that are left, k cards
can be dealt in C(r, k) ways.

The factors by turns are combined into two automata, and the states are pairs of nodes of these. A
forward pass finds the pairs that can be reached before each turn; a backward pass counts their
ways. Only the ways of one layer are in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod

import numpy as np

from pavcodec.constraints.counting.automaton import Diagram, Ids, numbered
from pavcodec.constraints.counting.model import build_model, factors_of, letters_of
from pavcodec.constraints.counting.pairs import (
    DEAD,
    Automaton,
    Steps,
    Ways,
    counted,
    halves_of,
    integers_of,
    living_steps,
    reached,
    workers,
)
from pavcodec.limits import MEMORY, MemoryBudget
from pavcodec.walk import FixedSizes

FEWEST = 3
"""The fewest cards of a run."""
MOST = 13
"""The most cards of a run."""
_TARGETS = 1 << 25
"""The most targets of all shares of a run, of all nodes of a factor."""


@dataclass(frozen=True)
class TurnPart:
    """Consecutive cards of the deck: the odd cards, which are first, and a run or none.

    `order` are the letters of the model in the order in which they take cards of the run.
    """

    odd: tuple[int, ...]
    run: tuple[int, ...] = ()
    order: tuple[int, ...] = ()


def parts_of_deck(
    factors: Sequence[Sequence[Ids]],
    letters: int,
    owners: Sequence[int | None],
    fewest: int = FEWEST,
) -> tuple[TurnPart, ...]:
    """Return the parts of the deck for some factors, given as living steps.

    `owners` has for each factor the letter that it depends on if there is only one.
    """
    cards = len(factors[0])
    most = _most_cards(max(len(layer) for factor in factors for layer in factor), letters)
    widths = [prod(len(factor[card]) for factor in factors) for card in range(cards)] + [1]
    parts: list[TurnPart] = []
    card = 0
    while card < cards:
        end = min(_end_of_run(factors, card), card + most)
        if letters == 1 or end - card < fewest:
            parts.append(TurnPart((card,)))
            card += 1
            continue
        run, odd = list(range(card, end)), []
        here = [list(factor) for factor in factors]
        while (
            end < cards and widths[end + 1] < widths[end]
        ):  # it leads down, as a suit's last cards
            alike = sum(_alike(each[end - 1], each[end]) for each in here)
            if len(run) < most and alike == len(here):
                run.append(end)
            elif 2 * alike < len(here):  # this is another kind of card
                break
            else:
                odd.append(end)
                for layers in here:
                    _move(layers, end, end - len(run))
            end += 1
        order = _order(factors, owners, letters, card, end)
        parts.append(TurnPart(tuple(odd), tuple(run), order))
        card = end
    return tuple(parts)


def _most_cards(width: int, letters: int) -> int:
    """Return the most cards of a run that keep the targets of a factor within the limit."""
    most = MOST
    while most and width * (most + 1) ** (letters - 1) > _TARGETS:
        most -= 1
    return most


def _end_of_run(factors: Sequence[Sequence[Ids]], card: int) -> int:
    end = card + 1
    while end < len(factors[0]) and all(_alike(each[end - 1], each[end]) for each in factors):
        end += 1
    return end


def _alike(first: Ids, second: Ids) -> bool:
    """Return whether two cards are alike."""
    both = _two(first, second)
    return bool((both == both.transpose(0, 2, 1)).all())


def _two(first: Ids, second: Ids) -> Ids:
    """Return where two cards lead: [node, letter of the first, letter of the second]."""
    dead = np.full((1, second.shape[1]), DEAD, second.dtype)
    grandchildren: Ids = np.concatenate([second, dead])[first]  # -1 is the last row
    return grandchildren


def _move(layers: list[Ids], card: int, to: int) -> None:
    """Move a card down to a place, past all cards between."""
    for layer in range(card, to, -1):
        rows = _two(layers[layer - 1], layers[layer]).transpose(0, 2, 1)
        layers[layer - 1], layers[layer] = _places(rows)


def _places(rows: Ids) -> tuple[Ids, Ids]:
    """Return the row of each place, and the rows; -1 marks dead rows."""
    flat = rows.reshape(-1, rows.shape[-1])
    living = (flat != DEAD).any(axis=1)
    node_of = np.full(len(flat), DEAD, np.int64)
    different, node_of[living] = numbered(flat[living])
    return node_of.reshape(rows.shape[:-1]), different


def _order(
    factors: Sequence[Sequence[Ids]],
    owners: Sequence[int | None],
    letters: int,
    first: int,
    end: int,
) -> tuple[int, ...]:
    """Return the letters; those whose factors have the fewest nodes after a run are first."""

    def grown(letter: int) -> Fraction:
        own = [factor for factor, owner in zip(factors, owners, strict=True) if owner == letter]
        after = prod(_width(factor, end) for factor in own)
        return Fraction(after, max(1, prod(len(factor[first]) for factor in own)))

    return tuple(sorted(range(letters), key=lambda letter: (grown(letter), letter)))


def _width(factor: Sequence[Ids], card: int) -> int:
    return len(factor[card]) if card < len(factor) else 1


def in_turns(factor: Sequence[Ids], parts: Sequence[TurnPart]) -> list[Steps]:
    """Return the layers of a factor before each turn, without nodes that only lead to 0."""
    steps: list[Steps] = []
    for part in parts:
        cards = sorted(part.odd + part.run)
        layers = [factor[card] for card in cards]
        for turn, card in enumerate(part.odd):
            at = cards.index(card)
            _move(layers, at, turn)
            cards.insert(turn, cards.pop(at))
        steps.extend(layer.astype(np.int32) for layer in layers[: len(part.odd)])
        if part.run:
            steps.extend(_run([layer[:, part.order] for layer in layers[len(part.odd) :]]))
    return steps


def _run(steps: Sequence[Ids]) -> list[Steps]:
    """Return the layers of the turns of a run, from where all shares lead: the last turn first."""
    targets, layers = _targets(steps), []
    for _ in range(targets.ndim - 2):
        targets, rows = _places(targets)
        layers.append(rows.astype(np.int32))
    return [targets.astype(np.int32), *layers[::-1]]


def _targets(steps: Sequence[Ids]) -> Ids:
    """Return where shares of a run lead: [node, cards of letter 0, of letter 1, …], but the last.

    A share above the number of cards left counts as all cards left.
    """
    many, nodes, letters = len(steps), len(steps[0]), steps[0].shape[1]
    rest = [np.arange(int(steps[-1].max(initial=DEAD)) + 1)]
    for step in reversed(steps):
        rest.append(_after(rest[-1], step[:, letters - 1]))
    rest.reverse()
    targets = np.empty((nodes, *(many + 1,) * (letters - 1)), np.int64)

    def fill(letter: int, used: int, here: Ids, into: Ids) -> None:
        if letter == letters - 1:
            into[...] = _after(rest[used], here)
            return
        for taken in range(many + 1):
            if taken and used == many:
                into[:, taken] = into[:, taken - 1]
                continue
            if taken:
                here = _after(steps[used][:, letter], here)
                used += 1
            fill(letter + 1, used, here, into[:, taken])

    fill(0, 0, np.arange(nodes), targets)
    return targets


def _after(targets: Ids, nodes: Ids) -> Ids:
    """Return the targets of nodes; dead ones stay so."""
    return np.append(targets, DEAD)[nodes]


def remainder(parts: Sequence[TurnPart], letters: int) -> tuple[list[Steps], list[Ways]]:
    """Return the layers of the remainder, and the number of words of each of its edges."""
    layers: list[Steps] = []
    weights: list[Ways] = []
    for part in parts:
        layers += [np.zeros((1, letters), np.int32)] * len(part.odd)
        weights += [np.ones((1, letters), np.uint64)] * len(part.odd)
        many = len(part.run)
        for turn in range(len(part.order) - 1):
            left = range(many + 1) if turn else [many]
            is_last = turn == len(part.order) - 2
            rows = [
                [DEAD if k > r else 0 if is_last else r - k for k in range(many + 1)] for r in left
            ]
            layers.append(np.array(rows, np.int32))
            ways = [[comb(r, k) for k in range(many + 1)] for r in left]
            weights.append(np.array(ways, np.uint64))
    return layers, weights


_PAIR_BYTES = 4
_TRANSIENT_BYTES = 40
"""The bytes of a pair while its layer is processed: its ways twice, and which of them stay."""


def count_layouts(
    conditions: Sequence[Diagram], sizes: tuple[int, ...], *, memory: int = MEMORY
) -> int:
    """Return how many words of owners with hands of these sizes satisfy all conditions.

    The result is `build_model(conditions, sizes).cardinality`, in less time and memory. Raises
    `ProductTooLarge` if counting would take more than `memory` bytes.

    >>> from pavcodec.constraints.counting.automaton import weighted_sum
    >>> two_spades = weighted_sum(0, [1, 1, 1, 0, 0, 0]).map(lambda spades: (spades == 2) * 1)
    >>> count_layouts([two_spades], (2, 2, 2))
    18
    """
    memory -= sum(condition.memory for condition in conditions)
    factors = factors_of(conditions, sizes, memory)
    if factors is None:
        return 0
    seats, letters = letters_of(factors, sizes)
    if letters == 1:
        return build_model(conditions, sizes, memory=memory).cardinality
    steps = [living_steps(factor, seats, letters) for factor in factors]
    owners = [
        seats.index(factor.seats[0]) if len(factor.seats) == 1 else None for factor in factors
    ]
    parts = parts_of_deck(steps, letters, owners)
    layers, weights = remainder(parts, letters)
    by_turns = [
        Automaton.of(in_turns(each, parts), factor.seats, place)
        for place, (each, factor) in enumerate(zip(steps, factors, strict=True))
    ]
    room = MemoryBudget(memory)
    halves = halves_of(by_turns, Automaton.of(layers), room)
    if not all(half.is_living for half in halves):
        return 0
    with workers() as threads:
        pairs = reached(halves, room, threads, resident=_PAIR_BYTES, transient=_TRANSIENT_BYTES)
        total = integers_of(counted(halves, weights, pairs, threads))
    free = tuple(size for seat, size in enumerate(sizes) if seat not in seats)
    return sum(total) * FixedSizes(free).cardinality
