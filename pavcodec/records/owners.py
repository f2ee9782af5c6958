"""Records of owners: an equal number of bits for each card, the spade ace in the lowest bits."""

from __future__ import annotations

from pavcodec.cards import HAND_SIZE, UNUSED, Card
from pavcodec.errors import RecordError
from pavcodec.layout import Deal, Layout
from pavcodec.layout.layout import describe_sizes, layout_from_owners
from pavcodec.records.bits.fields import Fields
from pavcodec.records.record import Record, Value

__all__ = ["DealRecord", "LayoutRecord", "deal_of_owners", "owners_of_deal"]


def deal_of_owners(record: Record[Value], owners: bytes) -> Deal:
    """Return the deal of 52 owners; raise `RecordError` if a hand does not have 13 cards."""
    layout = layout_from_owners(owners)
    if isinstance(layout, Deal):
        return layout
    raise _no_deal(record, layout)


def owners_of_deal(record: Record[Value], deal: object) -> bytes:
    """Return the owners of a deal for a record.

    Raises `TypeError` for other types, and `RecordError` if a hand does not have 13 cards.
    """
    if not isinstance(deal, Layout):
        raise TypeError(f"this record holds a Deal, not {type(deal).__name__!r}")
    if not deal.is_deal:
        raise _no_deal(record, deal)
    return deal.owners


def _no_deal(record: Record[Value], layout: Layout) -> RecordError:
    return record.refusal(f"a deal has {HAND_SIZE} cards in each hand; {describe_sizes(layout)}")


class DealRecord(Record[Deal]):
    """A deal with two bits for each card, 0 to 3 for N E S W."""

    name = "deal13"
    summary = "a deal, two bits a card"

    def _value(self, fields: Fields) -> Deal:
        return deal_of_owners(self, fields[0])

    def _fields(self, value: Deal) -> Fields:
        return (owners_of_deal(self, value),)


class LayoutRecord(Record[Layout]):
    """A layout with three bits for each card, 0 to 3 for N E S W and 4 for unused."""

    name = "layout20"
    summary = "any layout, three bits a card"

    def _value(self, fields: Fields) -> Layout:
        owners: bytes = fields[0]
        if max(owners) > UNUSED:
            card, owner = next(pair for pair in enumerate(owners) if pair[1] > UNUSED)
            raise self.refusal(f"card {Card(card)} has owner {owner}, expected 0 to {UNUSED}")
        return layout_from_owners(owners)

    def _fields(self, value: Layout) -> Fields:
        if not isinstance(value, Layout):
            raise TypeError(f"this record holds a Layout, not {type(value).__name__!r}")
        return (value.owners,)
