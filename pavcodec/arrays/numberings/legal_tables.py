"""The states of legal endings, and the number of completions of each state.

A state is the number of cards left, the number of cards gone of the current suit, and for each seat
the cards that it still gets and whether it holds the suit: twice the cards, plus one for a holder.
The result does not depend on which seat has which value. So the seats of a state are in descending
order, in *slots*. When the seat in a slot takes a card, it moves behind the slots with larger
values.

The number of tricks that must still have been led, the *need*, is not part of the state. Instead,
each state has a count for each need: from the minimum that its completions give, for which all of
them count, to the maximum that play can have left open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pavcodec.arrays.compiler import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray


_ONE, _ZERO = np.uint64(1), np.uint64(0)
_ROW_BITS, _GAIN_BITS, _MOVE_BITS, _NEED_BITS = (np.uint64(bits) for bits in (24, 5, 2, 5))
_GAIN = _ROW_BITS
_MOVE = _GAIN + _GAIN_BITS
_LOWEST = _MOVE + _MOVE_BITS
_HIGHEST = _LOWEST + _NEED_BITS
_PLACE = _HIGHEST + _NEED_BITS
_MOST_WAYS = 1 << 64 - int(_PLACE)


class LegalTables(NamedTuple):
    """All states of the endings of some sizes, one row each, in the order of cards."""

    steps: NDArray[np.uint64]
    """By row, and by slot and for unused: the step when this owner takes the next card, or 0.

    The bits of a step, from the lowest: the next row; the maximum number of tricks led in the suit,
    if it ends; the new slot of the seat; the least and the greatest need of the next row; the start
    of its counts.
    """
    ways: NDArray[np.uint64]
    """The counts (high, low)."""
    starts: NDArray[np.uint64]
    """By the requested sizes: the start, as a step."""


def legal_tables(seats: int, suits: int, ranks: int, sizes: tuple[int, ...]) -> LegalTables:
    """Return the tables for endings with these hand sizes."""
    cards = suits * ranks
    binomials = np.zeros((2 * max(sizes) + seats + 2, seats + 1), np.int64)
    binomials[:, 0] = 1
    for n in range(1, len(binomials)):
        binomials[n, 1:] = binomials[n - 1, 1:] + binomials[n - 1, :-1]
    slots = np.array([[0] * seats, *([2 * size] * seats for size in sizes)], np.uint8)
    gone = np.zeros(len(slots), np.uint8)  # row 0 is not a state
    layers: list[tuple[Any, ...]] = []
    first = 0
    for placed in range(cards):
        first += len(slots)
        is_last = placed % ranks == ranks - 1
        *after, links, moves, gains = _expanded(
            slots, gone, cards - placed, ranks, is_last, binomials
        )
        links[links >= 0] += first
        layers.append((slots, gone, links, moves, gains))
        slots, gone = after
    return _counted(seats, suits, ranks, layers, slots, len(sizes))


def _counted(
    seats: int, suits: int, ranks: int, layers: list[tuple[Any, ...]], last: Any, starts: int
) -> LegalTables:
    """Return the tables of all layers; counting begins at the states after the last card."""
    none = np.full((len(last), seats + 1), -1, np.int32)
    links = np.concatenate([layer[2] for layer in layers] + [none])
    moves = np.concatenate(
        [layer[3] for layer in layers] + [np.zeros((len(last), seats), np.uint8)]
    )
    gains = np.concatenate([layer[4] for layer in layers] + [np.zeros_like(none, np.uint8)])
    most = []
    for placed, (slots, gone, *_) in enumerate(layers):
        left = suits * ranks - placed - (slots >> 1).sum(axis=1, dtype=np.int64)
        need = (gone + left + (seats - 1) * (placed // ranks)) // seats
        most.append(need.astype(np.uint8))
    most.append(np.full(len(last), suits * (seats - 1) // seats, np.uint8))
    layers.clear()  # the data were copied; this frees memory
    caps = np.concatenate(most)
    least, greatest = np.zeros(len(links), np.uint8), np.zeros(len(links), np.uint8)
    _bounds(links, gains, least, greatest)
    lowest = np.minimum(least, caps)
    highest = np.minimum(greatest, caps)
    counts = highest - lowest + 1
    offsets = np.cumsum(counts, dtype=np.uint64) - counts
    needs = highest.astype(np.uint64) << _NEED_BITS | lowest.astype(np.uint64)
    places = offsets << _NEED_BITS + _NEED_BITS | needs
    ways = np.zeros((int(counts.sum(dtype=np.uint64)), 2), np.uint64)
    assert len(ways) <= _MOST_WAYS
    assert len(links) <= 1 << int(_ROW_BITS)
    steps = np.zeros((len(links), seats + 1), np.uint64)
    _fill(links, moves, gains, places, steps)
    _count(steps, places, ways)
    rows = np.arange(1, starts + 1, dtype=np.uint64)
    return LegalTables(steps, ways, places[1 : starts + 1] << _LOWEST | rows)


@compiled()
def _expanded(slots: Any, gone: Any, left: Any, ranks: Any, is_last: Any, binomials: Any) -> Any:
    """Return the states after the next card, and the links, moves and gains of each state."""
    states, seats = slots.shape
    known = np.full(binomials[len(binomials) - 2, seats] * (ranks + 1), -1, np.int32)
    after_slots = np.empty((states * (seats + 1), seats), np.uint8)
    after_gone = np.empty(states * (seats + 1), np.uint8)
    links = np.full((states, seats + 1), -1, np.int32)
    moves = np.zeros((states, seats), np.uint8)
    gains = np.zeros((states, seats + 1), np.uint8)
    new = np.empty(seats, np.uint8)
    count = 0
    for state in range(states):
        rooms = 0
        for slot in range(seats):
            rooms += slots[state, slot] >> 1
        for taker in range(seats + 1):
            if (taker == seats and left <= rooms) or (taker < seats and slots[state, taker] < 2):
                continue
            new[:] = slots[state]
            played = gone[state]
            if taker == seats:
                played += 1
            else:
                value, new_slot = new[taker] - 2 | 1, taker
                while new_slot + 1 < seats and new[new_slot + 1] > value:
                    new[new_slot] = new[new_slot + 1]
                    new_slot += 1
                new[new_slot] = value
                moves[state, taker] = new_slot
            if is_last:
                holders = 0
                for slot in range(seats):
                    holders += new[slot] & 1
                    new[slot] &= 254
                gains[state, taker] = played // max(1, holders)
                played = 0
            index = 0
            for slot in range(seats):
                index += binomials[new[slot] + seats - slot - 1, seats - slot]
            index = index * (ranks + 1) + played
            if known[index] < 0:
                known[index] = count
                after_slots[count] = new
                after_gone[count] = played
                count += 1
            links[state, taker] = known[index]
    return after_slots[:count].copy(), after_gone[:count].copy(), links, moves, gains


@compiled()
def _bounds(links: Any, gains: Any, least: Any, greatest: Any) -> None:
    """Write for each state the minimum and maximum number of tricks that its completions give."""
    for row in range(len(links) - 1, -1, -1):
        low, high = 255, 0
        for taker in range(links.shape[1]):
            after = links[row, taker]
            if after >= 0:
                low = min(low, least[after] + gains[row, taker])
                high = max(high, greatest[after] + gains[row, taker])
        if low < 255:
            least[row], greatest[row] = low, high


@compiled()
def _fill(links: Any, moves: Any, gains: Any, places: Any, steps: Any) -> None:
    """Write the steps of all states."""
    for row in range(len(links)):
        for taker in range(links.shape[1]):
            after = links[row, taker]
            if after >= 0:
                step = np.uint64(after) | np.uint64(gains[row, taker]) << _GAIN
                step |= places[after] << _LOWEST
                if taker < moves.shape[1]:
                    step |= np.uint64(moves[row, taker]) << _MOVE
                steps[row, taker] = step


@compiled()
def row_of(step: Any) -> Any:
    """Return the next row of a step."""
    return step & (_ONE << _ROW_BITS) - _ONE


@compiled()
def gain_of(step: Any) -> Any:
    """Return the maximum number of tricks led in a suit that ends with a step, otherwise 0."""
    return np.int64(step >> _GAIN & (_ONE << _GAIN_BITS) - _ONE)


@compiled()
def move_of(step: Any) -> Any:
    """Return the new slot of the seat after a step."""
    return step >> _MOVE & (_ONE << _MOVE_BITS) - _ONE


@compiled()
def ways_of(ways: Any, step: Any, need: Any) -> Any:
    """Return the number of completions after a step that give `need` tricks or more (high, low)."""
    lowest = np.int64(step >> _LOWEST & (_ONE << _NEED_BITS) - _ONE)
    if step == _ZERO or need > np.int64(step >> _HIGHEST & (_ONE << _NEED_BITS) - _ONE):
        return _ZERO, _ZERO
    at = (step >> _PLACE) + np.uint64(max(need - lowest, 0))
    return ways[at, 0], ways[at, 1]


@compiled()
def _count(steps: Any, places: Any, ways: Any) -> None:
    """Write the counts of all states, from the last state to the first."""
    for row in range(len(steps) - 1, -1, -1):
        start = places[row] << _LOWEST
        lowest = np.int64(start >> _LOWEST & (_ONE << _NEED_BITS) - _ONE)
        highest = np.int64(start >> _HIGHEST & (_ONE << _NEED_BITS) - _ONE)
        is_end = True
        for taker in range(steps.shape[1]):
            is_end &= steps[row, taker] == _ZERO
        for need in range(lowest, highest + 1):
            high = low = _ZERO
            if is_end:
                low = np.uint64(need == 0)
            else:
                for taker in range(steps.shape[1]):
                    step = steps[row, taker]
                    part = ways_of(ways, step, need - gain_of(step))
                    low += part[1]
                    high += part[0] + np.uint64(low < part[1])
            at = (start >> _PLACE) + np.uint64(need - lowest)
            ways[at, 0], ways[at, 1] = high, low
