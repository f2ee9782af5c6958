"""Lines of play: a plan with cards, from the original deal to the ending."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pavcodec.cards import SUIT_SIZE, UNUSED, Card, Seat, Strain
from pavcodec.layout import Deal
from pavcodec.legal.plans import PlannedTrick

__all__ = ["LineOfPlay", "PlayedTrick", "line_of_plan"]


@dataclass(frozen=True, slots=True)
class PlayedTrick:
    """A trick: its leader and its cards in playing order; the last trick may be incomplete."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None
    """The seat that won the trick; None for an incomplete trick."""

    @property
    def by_seat(self) -> dict[Seat, Card]:
        """The card of each seat that has played, in playing order."""
        return {
            Seat((self.leader + turn) % len(Seat)): card for turn, card in enumerate(self.cards)
        }


@dataclass(frozen=True, slots=True)
class LineOfPlay:
    """A play that leads to an ending: the original deal, the denomination, and every trick."""

    deal: Deal
    denomination: Strain
    tricks: tuple[PlayedTrick, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in playing order."""
        return tuple(card for trick in self.tricks for card in trick.cards)


def line_of_plan(
    owners: bytes, trump: int | None, plan: Iterable[PlannedTrick], table: Sequence[Card] = ()
) -> LineOfPlay:
    """Return the line of play of a plan: it assigns the cards gone, the highest of each suit first.

    `owners` are the owners before the cards on the `table` were played, and the plan leads to this
    ending. Within a trick, the winner gets the highest card of the winning suit.
    """
    deal = bytearray(owners)
    gone = [
        iter([card for card in range(start, start + SUIT_SIZE) if owners[card] == UNUSED])
        for start in range(0, len(owners), SUIT_SIZE)
    ]
    tricks = []
    for planned in plan:
        cards = [next(gone[suit]) for suit in planned.suits]
        winning = planned.suits[planned.winner]
        best = min(
            range(len(cards)), key=lambda seat: (planned.suits[seat] != winning, cards[seat])
        )
        cards[best], cards[planned.winner] = cards[planned.winner], cards[best]
        for seat, card in enumerate(cards):
            deal[card] = seat
        order = [(planned.leader + turn) % len(cards) for turn in range(len(cards))]
        played = tuple(Card(cards[seat]) for seat in order)
        tricks.append(PlayedTrick(Seat(planned.leader), played, Seat(planned.winner)))
    if table:
        tricks.append(PlayedTrick(Seat(owners[table[0]]), tuple(table), None))
    strain = Strain.NOTRUMP if trump is None else Strain(trump + 1)
    return LineOfPlay(Deal.unchecked(bytes(deal)), strain, tuple(tricks))
