"""Oracles for legality: every play of toy decks, with real ranks, and a referee.

Nothing here knows the criterion or how lines of play are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from oracles import words_of_sizes

__all__ = ["every_play", "layouts_of", "referee"]


def layouts_of(seats: int, cards: int, each: int) -> list[bytes]:
    """All placings of so many cards in each hand, the others gone; in dictionary order."""
    return words_of_sizes((*[each] * seats, cards - seats * each))


def every_play(seats: int, suits: int, ranks: int, trump: int | None) -> dict[bytes, int]:
    """What is left after every play of every deal: by layout, who led first and who leads now.

    Bit `seats * first + now` says that a line from a first leader ends with that seat on lead.
    Every deal is played card by card; the highest trump wins, or else the highest follower.
    """
    cards = suits * ranks
    each = cards // seats
    start = sum(1 << (seats + 1) * seat for seat in range(seats))
    layer = dict.fromkeys(layouts_of(seats, cards, each), start)
    reached = dict(layer)
    for _ in range(each):
        after: dict[bytes, int] = {}
        for word, who in layer.items():
            for leader in range(seats):
                firsts = sum(1 << seats * f for f in range(seats) if who >> seats * f + leader & 1)
                if firsts:
                    for left, winner in _tricks(word, leader, seats, ranks, trump):
                        after[left] = after.get(left, 0) | firsts << winner
        reached |= after
        layer = after
    return reached


def _tricks(
    word: bytes, leader: int, seats: int, ranks: int, trump: int | None
) -> Iterator[tuple[bytes, int]]:
    """Every trick that a seat may lead to: what is left, and the winner."""
    hands = [[card for card, owner in enumerate(word) if owner == seat] for seat in range(seats)]
    for lead in hands[leader]:
        led = lead // ranks
        choices = [[lead]]
        for turn in range(1, seats):
            hand = hands[(leader + turn) % seats]
            choices.append([card for card in hand if card // ranks == led] or hand)
        for trick in product(*choices):
            left = bytearray(word)
            for card in trick:
                left[card] = seats
            trumps = [card for card in trick if card // ranks == trump]
            best = min(trumps or [card for card in trick if card // ranks == led])
            yield bytes(left), (leader + trick.index(best)) % seats


def referee(
    deal: Sequence[int],
    trump: int | None,
    tricks: Sequence[tuple[int, Sequence[int]]],
) -> tuple[list[int], int | None]:
    """Play (leader, cards) by the Laws from a deal of 52 owners; return what is left and who leads.

    The last trick may lack cards. Any fault fails an assertion.
    """
    owners = list(deal)
    assert [owners.count(seat) for seat in range(5)] == [13, 13, 13, 13, 0]
    turn: int | None = None
    for number, (leader, trick) in enumerate(tricks):
        assert turn in (None, leader), "led out of turn"
        assert len(trick) == 4 or (number == len(tricks) - 1 and 0 < len(trick) < 4)
        winning, seat = trick[0], leader
        for place, card in enumerate(trick):
            player = (leader + place) % 4
            assert owners[card] == player, "a card that is not held"
            if card // 13 != trick[0] // 13:
                assert player not in owners[trick[0] // 13 * 13 :][:13], "a revoke"
            owners[card] = 4
            if card // 13 == winning // 13:
                if card < winning:
                    winning, seat = card, player
            elif card // 13 == trump:
                winning, seat = card, player
        turn = seat if len(trick) == 4 else leader
    return owners, turn
