"""The records of double-dummy solved deals: ZRD and ZDD, and the library of GIB.

ZRD and ZDD are Pavlicek's formats; ZDD is the last ten bytes of ZRD. In all of them the seats have
the order W N E S.
"""

from __future__ import annotations

from operator import itemgetter
from typing import NamedTuple

from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, SUIT_SIZE, Seat, Strain, Suit
from pavcodec.layout import Deal, TrickTable
from pavcodec.records.bits.fields import Fields
from pavcodec.records.owners import deal_of_owners, owners_of_deal
from pavcodec.records.record import Record

__all__ = ["LibraryRecord", "SolvedDeal", "SolvedDealRecord", "TrickTableRecord"]

_WNES = [SEAT_LETTERS.index(letter) for letter in "WNES"]
_SEATS = len(_WNES)
_TO_OWNERS = bytes.maketrans(bytes(range(_SEATS)), bytes(_WNES))
_FROM_OWNERS = bytes.maketrans(bytes(_WNES), bytes(range(_SEATS)))
# Records and trick tables have the same order of strains, but different orders of declarers.
_FROM_RECORD = itemgetter(*(4 * s + _WNES.index(seat) for s in Strain for seat in range(_SEATS)))
_TO_RECORD = itemgetter(*(4 * strain + seat for strain in Strain for seat in _WNES))


class SolvedDeal(NamedTuple):
    """A deal with the tricks of its 20 contracts."""

    deal: Deal
    tricks: TrickTable


class TrickTableRecord(Record[TrickTable]):
    """The tricks of 20 contracts, four bits each."""

    name = "zdd"
    summary = "the double-dummy tricks of a deal, without the deal"

    def _value(self, fields: Fields) -> TrickTable:
        return _table(self, fields[0])

    def _fields(self, value: TrickTable) -> Fields:
        return (bytes(_TO_RECORD(_tricks(value))),)


class SolvedDealRecord(Record[SolvedDeal]):
    """A deal with two bits for each card, 0 to 3 for W N E S, and its tricks."""

    name = "zrd"
    summary = "a deal with its double-dummy tricks"

    def _value(self, fields: Fields) -> SolvedDeal:
        cards, tricks = fields
        deal = deal_of_owners(self, cards.translate(_TO_OWNERS))
        return SolvedDeal(deal, _table(self, tricks))

    def _fields(self, value: SolvedDeal) -> Fields:
        self._parts(value, SolvedDeal)
        deal, tricks = value
        cards = owners_of_deal(self, deal).translate(_FROM_OWNERS)
        return cards, bytes(_TO_RECORD(_tricks(tricks)))


def _table(record: Record[TrickTable] | Record[SolvedDeal], taken: bytes) -> TrickTable:
    """Return the trick table of the tricks of W N E S by strain; raise `RecordError` above 13."""
    if max(taken) > HAND_SIZE:
        place, most = next(pair for pair in enumerate(taken) if pair[1] > HAND_SIZE)
        contract = f"{'WNES'[place % _SEATS]} in {Strain(place // _SEATS).letters}"
        raise record.refusal(f"{contract} takes {most} tricks, expected 0 to {HAND_SIZE}")
    return TrickTable.unchecked(bytes(_FROM_RECORD(taken)))


def _tricks(value: TrickTable) -> bytes:
    if not isinstance(value, TrickTable):
        raise TypeError(f"this record holds a TrickTable, not {type(value).__name__!r}")
    return value.tricks


# The order of a suit's cards in its four bytes: the lowest card, then three bytes of four cards.
_LOWEST_FIRST = (12, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3)
_TO_LIBRARY = itemgetter(*(SUIT_SIZE * suit + card for suit in Suit for card in _LOWEST_FIRST))
_FROM_LIBRARY = itemgetter(
    *(SUIT_SIZE * suit + _LOWEST_FIRST.index(card) for suit in Suit for card in range(SUIT_SIZE))
)
_LEFT = bytes.maketrans(bytes(range(HAND_SIZE + 1)), bytes(reversed(range(HAND_SIZE + 1))))
"""The tricks that remain for the other side."""


class LibraryRecord(Record[SolvedDeal]):
    """A deal and its tricks as in Ginsberg's library of GIB, in big-endian words.

    The tricks are those of North and South for every declarer.
    """

    name = "gib-library"
    summary = "a deal with its double-dummy tricks, as in the library of GIB"

    def _value(self, fields: Fields) -> SolvedDeal:
        cards, tricks = fields
        if max(tricks) > HAND_SIZE:
            place, taken = next(pair for pair in enumerate(tricks) if pair[1] > HAND_SIZE)
            strain, leader = Strain(place // _SEATS), SEAT_LETTERS[(place + 1) % _SEATS]
            reason = f"N and S take {taken} tricks in {strain.letters} when {leader} leads"
            raise self.refusal(f"{reason}, expected 0 to {HAND_SIZE}")
        deal = deal_of_owners(self, bytes(_FROM_LIBRARY(cards.translate(_TO_OWNERS))))
        return SolvedDeal(deal, TrickTable.unchecked(_declarers(tricks)))

    def _fields(self, value: SolvedDeal) -> Fields:
        self._parts(value, SolvedDeal)
        deal, tricks = value
        owners = owners_of_deal(self, deal).translate(_FROM_OWNERS)
        return bytes(_TO_LIBRARY(owners)), _declarers(_tricks(tricks))


def _declarers(tricks: bytes) -> bytes:
    """Convert tricks of North and South to tricks of the declarers N E S W, or the reverse."""
    made = bytearray(tricks)
    left = tricks.translate(_LEFT)
    for seat in (Seat.EAST, Seat.WEST):
        made[seat::_SEATS] = left[seat::_SEATS]
    return bytes(made)
