"""Classes of layouts, defined: canonical words, and the numbers of classes by a table of nodes.

`labels` has the new name of each owner under each seating. Words are compared rank by rank: the
owners of the aces, suit by suit, then of the kings, and so on. The least word of a class is
canonical.

A node of the table is what is known after some ranks of a canonical word. `starts[node][row]` is
the number of classes with an earlier row of owners at the next rank, and `after[node][row]` is the
node after the row, or one of `UNKNOWN` and `PLAIN`. Behind `PLAIN`, every word is canonical.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pavcodec.kernel.reference.numbers import Words, number_at, put_number
from pavcodec.kernel.reference.walk import Sizes, rank_word, unrank_word

Owners = NDArray[np.uint8]

UNKNOWN, PLAIN = -1, -2


def canonical_words(
    labels: Owners,
    seatings: int,
    seats: int,
    suits: int,
    any_suits: int,
    ranks: int,
    n: int,
    owners: Owners,
    canonical: Owners,
    ways: Owners,
) -> int:
    """Write canonical words, and the new names of suits and seats of the first way to them.

    Returns the first row with an owner that has no label, or -1.
    """
    names = labels.reshape(seatings, -1).tolist()
    words, ways = canonical.reshape(n, suits * ranks), ways.reshape(n, suits + seats)
    for row, word in enumerate(owners.reshape(n, suits * ranks).tolist()):
        if max(word) >= len(names[0]):
            return row
        images = [_image(word, new_names, suits, any_suits) for new_names in names]
        rows, order, new_names = min(images, key=lambda image: image[0])
        words[row] = np.transpose(rows).ravel()
        ways[row] = [order.index(suit) for suit in range(suits)] + new_names[:seats]
    return -1


def _image(
    word: list[int], names: list[int], suits: int, any_suits: int
) -> tuple[list[tuple[int, ...]], list[int], list[int]]:
    """Return the least word with these new names: rank by rank, its old suits, and the names."""
    ranks = len(word) // suits
    of_suits = [[names[owner] for owner in word[ranks * i : ranks * (i + 1)]] for i in range(suits)]
    order = sorted(range(suits), key=of_suits.__getitem__) if any_suits else [*range(suits)]
    return [*zip(*(of_suits[suit] for suit in order), strict=True)], order, names


def class_rank(
    labels: Owners,
    seatings: int,
    seats: int,
    suits: int,
    any_suits: int,
    ranks: int,
    starts: Words,
    after: NDArray[np.int32],
    first: int,
    n: int,
    owners: Owners,
    numbers: Words,
    missing: NDArray[np.int64],
) -> int:
    """Write the numbers of the classes of deals; return the first row without a number, or -1.

    The row is not a deal, and `missing` is -1; or `missing` is the place in `after` of a node that
    the table must get.
    """
    cards, rows = suits * ranks, seats**suits
    canonical, ways = np.empty(cards, np.uint8), np.empty(suits + seats, np.uint8)
    for deal, word in enumerate(owners.reshape(n, cards)[first:], first):
        missing[0] = -1
        rooms = [cards // seats] * seats
        if np.bincount(word, minlength=seats).tolist() != rooms:
            return deal
        canonical_words(labels, seatings, seats, suits, any_suits, ranks, 1, word, canonical, ways)
        number, node = 0, 0
        by_rank = canonical.reshape(suits, ranks).T
        for rank in range(ranks):
            if node == PLAIN:
                number += rank_word(Sizes(tuple(rooms)), by_rank[rank:].tobytes()) or 0
                break
            row = 0
            for owner in by_rank[rank].tolist():
                row = row * seats + owner
                rooms[owner] -= 1
            number += number_at(starts, node * (rows + 1) + row)
            link = node * rows + row
            node = int(after.ravel()[link])
            if node == UNKNOWN:
                missing[0] = link
                return deal
        put_number(numbers, deal, number)
    return -1


def class_unrank(
    seats: int,
    suits: int,
    ranks: int,
    starts: Words,
    after: NDArray[np.int32],
    first: int,
    n: int,
    numbers: Words,
    owners: Owners,
    missing: NDArray[np.int64],
) -> int:
    """Write the canonical deals of numbers below the number of classes.

    Returns the first row that needs a `missing` node, as in `class_rank`, or -1.
    """
    cards, rows = suits * ranks, seats**suits
    for deal, word in enumerate(owners.reshape(n, suits, ranks)[first:], first):
        number, node, rooms = number_at(numbers, deal), 0, [cards // seats] * seats
        for rank in range(ranks):
            if node == PLAIN:
                rest = np.frombuffer(unrank_word(Sizes(tuple(rooms)), number), np.uint8)
                word[:, rank:] = rest.reshape(-1, suits).T
                break
            begin = node * (rows + 1)
            row = max(row for row in range(rows) if number_at(starts, begin + row) <= number)
            number -= number_at(starts, begin + row)
            for suit in range(suits):
                word[suit, rank] = owner = row // seats ** (suits - 1 - suit) % seats
                rooms[owner] -= 1
            link = node * rows + row
            node = int(after.ravel()[link])
            if node == UNKNOWN:
                missing[0] = link
                return deal
    return -1
