"""Owners of many layouts in other forms, defined card by card.

A row of owners has the suits S H D C and in each the ranks A K Q … 2; an owner is 0 to 3 for N E S
W and 4 for an unused card. Functions that check rows return the first bad one, or -1.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pavcodec.kernel.reference.numbers import Words

Owners: TypeAlias = NDArray[np.uint8]
Counts: TypeAlias = NDArray[np.int64]

_CARDS, _SUITS, _RANKS, _SEATS, _UNUSED = 52, 4, 13, 4, 4


def pack_hands(n: int, owners: Owners, hands: Words) -> int:
    """Write the four hands of each layout, with bit i for card i."""
    for row, cards in enumerate(owners.reshape(n, _CARDS).tolist()):
        if max(cards) > _UNUSED:
            return row
        hands.reshape(n, _SEATS)[row] = [
            sum(1 << card for card, owner in enumerate(cards) if owner == seat)
            for seat in range(_SEATS)
        ]
    return -1


def unpack_hands(n: int, hands: Words, owners: Owners) -> int:
    """Write the owners of hands; bad are hands that share a card or have a bit above the last."""
    for row, masks in enumerate(hands.reshape(n, _SEATS).tolist()):
        holders = [
            [seat for seat in range(_SEATS) if masks[seat] >> card & 1] for card in range(64)
        ]
        if any(len(some) > 1 for some in holders) or any(holders[_CARDS:]):
            return row
        cards = [some[0] if some else _UNUSED for some in holders[:_CARDS]]
        owners.reshape(n, _CARDS)[row] = cards
    return -1


def split_suits(n: int, owners: Owners, holdings: NDArray[np.uint16]) -> int:
    """Write the cards of each seat in each suit, the ace in the highest bit: `[seats, suits, n]`.

    From a bad row on, the contents of `holdings` are undefined.
    """
    for row, cards in enumerate(owners.reshape(n, _CARDS).tolist()):
        if max(cards) > _UNUSED:
            return row
        for seat in range(_SEATS):
            for suit in range(_SUITS):
                bits = [int(owner == seat) for owner in cards[_RANKS * suit :][:_RANKS]]
                holding = int("".join(map(str, bits)), 2)
                holdings.reshape(_SEATS, _SUITS, n)[seat, suit, row] = holding
    return -1


def count_places(
    places: Owners, n: int, owners: Owners, turns: Owners, hands: int, width: int, counts: Owners
) -> int:
    """Write how many cards each hand has at each place, for the first hands of each layout.

    `places` has the place of each card, below `width`, 64 at most. The layout is turned before:
    seat `turns[row]` takes the place of North.
    """
    for row, cards in enumerate(owners.reshape(n, _CARDS).tolist()):
        if max(cards) > _UNUSED:
            return row
        held = counts.reshape(n, hands, width)[row]
        held[:] = 0
        for place, owner in zip(places.tolist(), cards, strict=True):
            hand = (owner - int(turns[row])) % _SEATS
            if owner < _UNUSED and hand < hands:
                held[hand, place] += 1
    return -1


def place_cards(
    cards: Owners,
    n: int,
    owners: Owners,
    turns: Owners,
    hand_step: int,
    card_step: int,
    places: Owners,
) -> int:
    """Write the places of the cards of each hand in order; bad are layouts that are no deals.

    `cards` has the card at each place. Card k of a hand, from 0, stands at the hand's number times
    `hand_step` plus k times `card_step`. Layouts are turned as in `count_places`.
    """
    for row, deal in enumerate(owners.reshape(n, _CARDS).tolist()):
        if any(deal.count(seat) != _RANKS for seat in range(_SEATS)):
            return row
        in_places = [(deal[card] - int(turns[row])) % _SEATS for card in cards.tolist()]
        for hand in range(_SEATS):
            held = [place for place in range(_CARDS) if in_places[place] == hand]
            for k, place in enumerate(held):
                places.reshape(n, _CARDS)[row, hand * hand_step + k * card_step] = place
    return -1


_POINTS, _CONTROLS = 16, 24


def tally_deals(
    cards: int,
    words: Words,
    size: int,
    n: int,
    owners: Owners,
    shapes: Counts,
    points: Counts,
    controls: Counts,
    holders: Counts,
) -> int:
    """Add the deals among some rows to the counts; return the number of these deals.

    Each card is a word with a field for each property: the four suits in 4 bits each, the points
    from bit 16, the controls from bit 24, and 1 for the number of cards from bit 32. The word of a
    hand is the sum of the words of its cards, and no field overflows into the next one. A deal has
    `size` cards in each hand. `shapes` counts, for each of N E S W and N + S, the lengths of
    spades, hearts and diamonds, `[5, 4096]`; `points` and `controls` are `[5, 64]`. `holders`
    counts the holders of each card, `[cards, 4]`.
    """
    deals = 0
    for deal in owners.reshape(n, cards).tolist():
        if any(deal.count(seat) != size for seat in range(_SEATS)) or cards != _SEATS * size:
            continue
        deals += 1
        held = [0] * _SEATS
        for card, owner in enumerate(deal):
            holders.reshape(cards, _SEATS)[card, owner] += 1
            held[owner] += int(words[card])
        for group, word in enumerate([*held, held[0] + held[2]]):
            shapes.reshape(-1, 4096)[group, word % 4096] += 1
            points.reshape(-1, 64)[group, (word >> _POINTS) % 64] += 1
            controls.reshape(-1, 64)[group, (word >> _CONTROLS) % 64] += 1
    return deals
