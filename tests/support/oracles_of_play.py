"""Double dummy by plain search of real cards: no tables, no equal cards, no kernel."""

from __future__ import annotations

from functools import cache


@cache
def tricks_of_leader(owners: tuple[int, ...], trump: int, leader: int) -> int:
    """Return the tricks of the leader's side; trump is a suit, spades first, or -1."""
    if not any(owner < 4 for owner in owners):
        return 0
    return _play(owners, trump, leader, ())


def _play(owners: tuple[int, ...], trump: int, leader: int, played: tuple[int, ...]) -> int:
    if len(played) == 4:
        strength = [(card // 13 == trump, card // 13 == played[0] // 13, -card) for card in played]
        winner = (leader + strength.index(max(strength))) % 4
        rest = tuple(4 if card in played else owner for card, owner in enumerate(owners))
        left = sum(owner == leader for owner in rest)
        won = tricks_of_leader(rest, trump, winner)
        return 1 + won if (winner - leader) % 2 == 0 else left - won
    seat = (leader + len(played)) % 4
    hand = [card for card, owner in enumerate(owners) if owner == seat]
    follows = [card for card in hand if played and card // 13 == played[0] // 13]
    values = [_play(owners, trump, leader, (*played, card)) for card in follows or hand]
    return min(values) if len(played) % 2 else max(values)
