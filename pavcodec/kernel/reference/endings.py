"""The tricks of small endings, defined: every play of every card, without tables.

An ending is the owners of its cards, suit by suit and from the top; seat 0 leads. With trumps, the
first suit is the trump suit. A side takes what the best play of both sides gives it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

SEATS, SUITS, RANKS = 4, 4, 13
MOST_SIZE = 4
NO_PLAY = 255

Cards = tuple[tuple[int, ...], ...]
"""The owners of the cards of each suit, from the top."""
Bytes = NDArray[np.uint8]
Table = NDArray[np.generic]


@cache
def tricks_of(cards: Cards, trumps: int) -> int:
    """Return the tricks of the side of seat 0, who leads.

    >>> tricks_of(((0, 1, 2, 3), (), (), ()), 0), tricks_of(((0, 3), (1, 2), (), ()), 0)
    (1, 1)
    """
    size = sum(map(len, cards)) // SEATS
    return _best(cards, trumps, ()) if size else 0


def _best(cards: Cards, trumps: int, played: tuple[tuple[int, int], ...]) -> int:
    """Return the tricks of the side of seat 0 after some cards of a trick: (suit, place) each."""
    seat = len(played)
    if seat == SEATS:
        return _after(cards, trumps, played)
    values = [_best(cards, trumps, (*played, card)) for card in _plays(cards, played)]
    return min(values) if seat % 2 else max(values)


def _plays(cards: Cards, played: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """Return the cards that the next seat can play: (suit, place) each."""
    own = [
        (suit, place)
        for suit, owners in enumerate(cards)
        for place, owner in enumerate(owners)
        if owner == len(played)
    ]
    return [card for card in own if played and card[0] == played[0][0]] or own


def _after(cards: Cards, trumps: int, played: tuple[tuple[int, int], ...]) -> int:
    ruffs = [card for card in played if trumps and card[0] == 0]
    best = min(ruffs or [card for card in played if card[0] == played[0][0]])
    winner = played.index(best)
    rest = tuple(
        tuple(
            (owner - winner) % SEATS
            for place, owner in enumerate(owners)
            if (suit, place) not in played
        )
        for suit, owners in enumerate(cards)
    )
    size = sum(map(len, rest)) // SEATS
    others = tricks_of(rest, trumps)
    return size - others if winner % 2 else 1 + others


def _words(left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the words in which each seat has so many cards, in lexicographic order."""
    if not any(left):
        yield ()
    for seat, cards in enumerate(left):
        if cards:
            for rest in _words((*left[:seat], cards - 1, *left[seat + 1 :])):
                yield (seat, *rest)


def _endings(size: int, lengths: list[int]) -> Iterator[Cards]:
    """Yield the endings of some lengths of suits, in the order of their words."""
    ends = list(accumulate(lengths, initial=0))
    for word in _words((size,) * SEATS):
        yield tuple(word[begin:end] for begin, end in pairwise(ends))


def endings_solved(
    known: int,
    tables: Bytes,
    starts: Table,
    rows: Table,
    adds: Table,
    size: int,
    trumps: int,
    n: int,
    lengths: Bytes,
    table: Bytes,
) -> None:
    """Put the tricks of all endings of some rows of lengths into a table, two bits each."""
    index, entries = 0, table.reshape(-1)
    for row in lengths.reshape(-1, SUITS)[:n].tolist():
        for cards in _endings(size, row):
            entries[index // SEATS] |= tricks_of(cards, trumps) << index % SEATS * 2
            index += 1


def endings_tricks(
    known: int,
    tables: Bytes,
    starts: Table,
    rows: Table,
    adds: Table,
    n: int,
    owners: Bytes,
    contracts: int,
    columns: Bytes,
    tricks: Bytes,
) -> int:
    """Put the declarer's tricks of some contracts into rows; return the first row of other hands.

    A contract is its strain, notrump first, times four, plus the declarer; the next seat leads.
    """
    results = tricks.reshape(n, contracts)
    for row, held in enumerate(owners.reshape(n, SUITS, RANKS).tolist()):
        if not (size := _size(held)):
            return row
        for place, contract in enumerate(columns.tolist()):
            strain, leader = contract // SEATS, (contract + 1) % SEATS
            suits = [tuple((o - leader) % SEATS for o in suit if o < SEATS) for suit in held]
            trump = [suits.pop(strain - 1)] if strain else []
            results[row, place] = size - tricks_of((*trump, *suits), int(strain > 0))
    return -1


def _size(held: list[list[int]]) -> int:
    """Return the size of the hands; 0 unless each has the same number of cards, 1 to 4."""
    sizes = {sum(suit.count(seat) for suit in held) for seat in range(SEATS)}
    size = sizes.pop()
    return size if not sizes and size <= MOST_SIZE else 0


def endings_plays(
    known: int,
    tables: Bytes,
    starts: Table,
    rows: Table,
    adds: Table,
    n: int,
    owners: Bytes,
    turns: Bytes,
    tricks: Bytes,
) -> int:
    """Put the tricks of a side, by each card that it can play next, into rows of 52 cards.

    A row of turns is the strain, the leader, and three places for the cards on the table, which are
    among those of the owners; a place without a card has 52. Other cards have 255. Return the first
    row of other hands.
    """
    results = tricks.reshape(n, SUITS * RANKS)
    for row, held in enumerate(owners.reshape(n, SUITS, RANKS).tolist()):
        if not (size := _size(held)):
            return row
        strain, leader, *table = turns.reshape(n, 1 + SEATS)[row].tolist()
        order = sorted(range(SUITS), key=lambda suit: suit != strain - 1)
        numbers = [
            [RANKS * suit + rank for rank in range(RANKS) if held[suit][rank] < SEATS]
            for suit in order
        ]
        cards = tuple(
            tuple((held[card // RANKS][card % RANKS] - leader) % SEATS for card in suit)
            for suit in numbers
        )
        place = {card: (at, suit.index(card)) for at, suit in enumerate(numbers) for card in suit}
        played = tuple(place[card] for card in table if card in place)
        results[row] = NO_PLAY
        for at, index in _plays(cards, played):
            won = _best(cards, int(strain > 0), (*played, (at, index)))
            results[row, numbers[at][index]] = size - won if len(played) % 2 else won
    return -1
