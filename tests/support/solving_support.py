"""A solver without a search, which notes what it solves."""

from __future__ import annotations

from collections.abc import Sequence

from pavcodec import Layout, Seat
from pavcodec.cards import Strain
from pavcodec.solving.double_dummy import Asked, Engine


def tricks_of(deal: Layout, declarer: Seat, strain: Strain) -> int:
    """Some number of 0 to 13 that depends on all it is given."""
    return (sum(deal.owners[:9]) * 7 + declarer * 5 + strain * 3) % 14


class Fake(Engine):
    """Notes what it is asked for."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []
        self.asked: list[Asked] = []

    def contracts(self, asked: Sequence[Asked]) -> list[int]:
        self.calls.append(("contracts", len(asked)))
        self.asked += asked
        return [tricks_of(*each) for each in asked]

    def strain(self, deals: Sequence[Layout], strain: Strain) -> list[list[int]]:
        self.calls.append((strain.name, len(deals)))
        self.asked += [(deal, seat, strain) for deal in deals for seat in Seat]
        return [[tricks_of(deal, seat, strain) for seat in Seat] for deal in deals]
