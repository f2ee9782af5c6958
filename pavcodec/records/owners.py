"""Records of owners: the same few bits for each card, the spade ace lowest.

Any base that is a power of two can be written down in a Python string of digits, which is the
quickest way between 52 small numbers and their bytes: `int(text, 4)` and `oct`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from pavcodec.cards import DECK_SIZE, HAND_SIZE, SEAT_LETTERS, UNUSED, Card
from pavcodec.errors import LayoutError
from pavcodec.layout import Deal, Layout
from pavcodec.layout.layout import describe_sizes, wrap
from pavcodec.records.record import Record, Value

if TYPE_CHECKING:
    from pavcodec.records.declarations import Fields

__all__ = ["DealRecord", "LayoutRecord", "TwoBits", "owners_of_deal"]

_CARDS_A_BYTE = 4


class TwoBits:
    """Owners in two bits a card, four cards a byte, for an order of the seats.

    >>> list(TwoBits("WNES").owners(bytes([0b11100100])))
    [3, 0, 1, 2]
    """

    def __init__(self, seats: str) -> None:
        self.seats = bytes(map(SEAT_LETTERS.index, seats))
        """The seat that each value of two bits stands for."""
        codes = bytes(self.seats.index(seat) for seat in range(len(self.seats)))
        self._to_digits = bytes.maketrans(
            bytes(range(len(codes))), bytes(b"0123"[c] for c in codes)
        )

    def owners(self, data: bytes) -> bytes:
        """Return the owners that bytes hold."""
        table = _fours(self.seats)
        return b"".join([table[byte] for byte in data])

    def bytes_of(self, owners: bytes) -> bytes:
        """Return the bytes of owners, none of them unused."""
        digits = owners[::-1].translate(self._to_digits)
        return int(digits, 4).to_bytes(len(owners) // _CARDS_A_BYTE, "little")

    def codes(self, owners: bytes) -> tuple[int, ...]:
        """Return the value of two bits for each owner."""
        return tuple(map(self.seats.index, owners))

    def deal(self, codes: tuple[int, ...]) -> Deal:
        """Return the deal of a code for each card; raise `LayoutError` if it is none."""
        return Deal(bytes(self.seats[code] for code in codes))


@cache
def _fours(seats: bytes) -> tuple[bytes, ...]:
    """Return the four owners of every byte."""
    return tuple(
        bytes(seats[byte >> 2 * place & 3] for place in range(_CARDS_A_BYTE)) for byte in range(256)
    )


def owners_of_deal(record: Record[Value], deal: object) -> bytes:
    """Return the owners of a deal that is to go into a record; raise for anything else."""
    if not isinstance(deal, Layout):
        raise TypeError(f"a Deal goes into this record, not {type(deal).__name__!r}")
    if not deal.is_deal:
        raise record.refusal(f"a deal has {HAND_SIZE} cards in each hand; {describe_sizes(deal)}")
    return deal.owners


class DealRecord(Record[Deal]):
    """A deal in two bits a card, 0 to 3 for N E S W."""

    name = "deal13"
    size = 13
    summary = "a deal, two bits a card"
    _cards = TwoBits("NESW")

    def _parse(self, data: bytes) -> Deal:
        layout = wrap(self._cards.owners(data))
        return layout if isinstance(layout, Deal) else self.parse_by_declaration(data)

    def _build(self, value: Deal) -> bytes:
        return self._cards.bytes_of(owners_of_deal(self, value))

    def _value(self, fields: Fields) -> Deal:
        try:
            return self._cards.deal(cast("tuple[int, ...]", fields[0]))
        except LayoutError as error:
            raise self.refusal(str(error)) from None

    def _fields(self, value: Deal) -> Fields:
        return (self._cards.codes(owners_of_deal(self, value)),)


class LayoutRecord(Record[Layout]):
    """A layout in three bits a card, 0 to 3 for N E S W and 4 for unused."""

    name = "layout20"
    size = 20
    summary = "any layout, three bits a card"

    _to_digits = bytes.maketrans(bytes(range(UNUSED + 1)), b"01234")
    _to_owners = bytes.maketrans(b"01234567", bytes(range(8)))

    def _parse(self, data: bytes) -> Layout:
        digits = b"%0*o" % (DECK_SIZE, int.from_bytes(data, "little"))
        owners = digits[::-1].translate(self._to_owners)
        if len(owners) > DECK_SIZE or max(owners) > UNUSED:
            return self.parse_by_declaration(data)
        return wrap(owners)

    def _build(self, value: Layout) -> bytes:
        digits = self._owners(value)[::-1].translate(self._to_digits)
        return int(digits, 8).to_bytes(self.size, "little")

    def _value(self, fields: Fields) -> Layout:
        owners = bytes(cast("tuple[int, ...]", fields[0]))
        for card, owner in enumerate(owners):
            if owner > UNUSED:
                raise self.refusal(f"card {Card(card)} has owner {owner}, expected 0 to {UNUSED}")
        return wrap(owners)

    def _fields(self, value: Layout) -> Fields:
        return (tuple(self._owners(value)),)

    def _owners(self, value: Layout) -> bytes:
        if not isinstance(value, Layout):
            raise TypeError(f"a Layout goes into this record, not {type(value).__name__!r}")
        return value.owners
