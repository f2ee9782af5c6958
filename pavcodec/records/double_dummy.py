"""The records of deals that were solved double dummy: ZRD and ZDD, and the library of GIB.

ZRD and ZDD are Pavlicek's; ZDD is the last ten bytes of ZRD. All of them count the seats W N E S.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, cast

from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, SUIT_SIZE, Seat, Strain, Suit
from pavcodec.errors import LayoutError, RecordError
from pavcodec.layout import Deal, TrickTable
from pavcodec.layout.layout import wrap
from pavcodec.records.owners import DealRecord, TwoBits, owners_of_deal
from pavcodec.records.record import Record

if TYPE_CHECKING:
    from pavcodec.records.declarations import Fields

__all__ = ["LibraryRecord", "SolvedDeal", "SolvedDealRecord", "TrickTableRecord"]

_WNES = [SEAT_LETTERS.index(letter) for letter in "WNES"]
_SEATS = len(_WNES)
# In the bytes and in a trick table the strains have the same order, and the declarers another.
_FROM_RECORD = itemgetter(*(4 * s + _WNES.index(seat) for s in Strain for seat in range(_SEATS)))
_TO_RECORD = itemgetter(*(4 * strain + seat for strain in Strain for seat in _WNES))
_HEX_VALUES = bytes.maketrans(b"0123456789abcdef", bytes(range(16)))
_HEX_DIGITS = bytes.maketrans(bytes(range(16)), b"0123456789abcdef")


class SolvedDeal(NamedTuple):
    """A deal with the tricks of its 20 contracts."""

    deal: Deal
    tricks: TrickTable


class TrickTableRecord(Record[TrickTable]):
    """The tricks of 20 contracts, four bits each."""

    name = "zdd"
    size = 10
    summary = "the double-dummy tricks of a deal, without the deal"

    def _parse(self, data: bytes) -> TrickTable:
        nibbles = data[::-1].hex()[::-1].encode().translate(_HEX_VALUES)
        if max(nibbles) > HAND_SIZE:
            return self.parse_by_declaration(data)
        return TrickTable.unchecked(bytes(_FROM_RECORD(nibbles)))

    def _build(self, value: TrickTable) -> bytes:
        nibbles = bytes(_TO_RECORD(self._tricks(value)))
        return bytes.fromhex(nibbles[::-1].translate(_HEX_DIGITS).decode())[::-1]

    def _value(self, fields: Fields) -> TrickTable:
        by_strain = cast("tuple[tuple[int, ...], ...]", fields)
        tricks = bytearray()
        for strain, nibbles in zip(Strain, by_strain, strict=True):
            by_seat = dict(zip(_WNES, nibbles, strict=True))
            for seat, taken in by_seat.items():
                if taken > HAND_SIZE:
                    contract = f"{SEAT_LETTERS[seat]} in {strain.letters}"
                    raise self.refusal(
                        f"{contract} takes {taken} tricks, expected 0 to {HAND_SIZE}"
                    )
            tricks += bytes(by_seat[seat] for seat in range(_SEATS))
        return TrickTable(bytes(tricks))

    def _fields(self, value: TrickTable) -> Fields:
        tricks = self._tricks(value)
        return tuple(tuple(tricks[4 * strain + seat] for seat in _WNES) for strain in Strain)

    def _tricks(self, value: TrickTable) -> bytes:
        if not isinstance(value, TrickTable):
            raise TypeError(f"a TrickTable goes into this record, not {type(value).__name__!r}")
        return value.tricks


class SolvedDealRecord(Record[SolvedDeal]):
    """A deal in two bits a card, 0 to 3 for W N E S, and its tricks."""

    name = "zrd"
    size = DealRecord.size + TrickTableRecord.size
    summary = "a deal with its double-dummy tricks"

    _cards = TwoBits("WNES")
    _tricks = TrickTableRecord()

    def _parse(self, data: bytes) -> SolvedDeal:
        deal = wrap(self._cards.owners(data[: DealRecord.size]))
        if not isinstance(deal, Deal):
            return self.parse_by_declaration(data)
        try:
            return SolvedDeal(deal, self._tricks.parse(data[DealRecord.size :]))
        except RecordError:
            return self.parse_by_declaration(data)

    def _build(self, value: SolvedDeal) -> bytes:
        self._parts(value, SolvedDeal)
        deal, tricks = value
        cards = self._cards.bytes_of(owners_of_deal(self, deal))
        return cards + self._tricks.build(tricks)

    def _value(self, fields: Fields) -> SolvedDeal:
        try:
            deal = self._cards.deal(cast("tuple[int, ...]", fields[0]))
            return SolvedDeal(deal, self._tricks._value(fields[1:]))
        except LayoutError as error:
            raise self.refusal(str(error)) from None
        except RecordError as error:
            raise self.refusal(error.reason) from None

    def _fields(self, value: SolvedDeal) -> Fields:
        self._parts(value, SolvedDeal)
        deal, tricks = value
        codes = self._cards.codes(owners_of_deal(self, deal))
        return codes, *self._tricks._fields(tricks)


_WORD = 4
_WORDS = _WORD * len(Suit)
# The cards of a suit as its four bytes have them: the lowest card, then three bytes of four.
_LOWEST_FIRST = (12, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3)


class LibraryRecord(Record[SolvedDeal]):
    """A deal and its tricks as Ginsberg's library of GIB has them, in big-endian words.

    The tricks are those of North and South whoever declares.
    """

    name = "gib-library"
    size = 26
    summary = "a deal with its double-dummy tricks, as in the library of GIB"

    _cards = TwoBits("WNES")

    def _parse(self, data: bytes) -> SolvedDeal:
        owners = [self._cards.owners(data[k : k + _WORD][::-1]) for k in range(0, _WORDS, _WORD)]
        deal = wrap(b"".join(each[:SUIT_SIZE] for each in owners))
        nibbles = data[_WORDS:][::-1].hex()[::-1].encode().translate(_HEX_VALUES)
        is_good = max(data[:_WORDS:_WORD]) < 4 and max(nibbles) <= HAND_SIZE
        if not is_good or not isinstance(deal, Deal):
            return self.parse_by_declaration(data)
        return SolvedDeal(deal, TrickTable.unchecked(_declarers(nibbles)))

    def _build(self, value: SolvedDeal) -> bytes:
        owners, tricks = self._checked(value)
        words = (
            self._cards.bytes_of(owners[k : k + SUIT_SIZE] + bytes([self._cards.seats[0]]) * 3)
            for k in range(0, len(owners), SUIT_SIZE)
        )
        nibbles = _declarers(tricks)[::-1].translate(_HEX_DIGITS).decode()
        return b"".join(word[::-1] for word in words) + bytes.fromhex(nibbles)[::-1]

    def _value(self, fields: Fields) -> SolvedDeal:
        lowest, others = fields[: 2 * len(Suit) : 2], fields[1 : 2 * len(Suit) : 2]
        codes: list[int] = []
        for low, rest in zip(lowest, others, strict=True):
            suit = dict(zip(_LOWEST_FIRST, (low, *cast("tuple[int, ...]", rest)), strict=True))
            codes += (cast("int", suit[place]) for place in range(SUIT_SIZE))
        nibbles = [n for row in fields[2 * len(Suit) :] for n in cast("tuple[int, ...]", row)]
        for place, taken in enumerate(nibbles):
            if taken > HAND_SIZE:
                strain, leader = Strain(place // _SEATS), SEAT_LETTERS[(place + 1) % _SEATS]
                reason = f"N and S take {taken} tricks in {strain.letters} when {leader} leads"
                raise self.refusal(f"{reason}, expected 0 to {HAND_SIZE}")
        try:
            return SolvedDeal(
                self._cards.deal(tuple(codes)), TrickTable(_declarers(bytes(nibbles)))
            )
        except LayoutError as error:
            raise self.refusal(str(error)) from None

    def _fields(self, value: SolvedDeal) -> Fields:
        owners, tricks = self._checked(value)
        codes = self._cards.codes(owners)
        fields: list[int | tuple[int, ...]] = []
        for begin in range(0, len(codes), SUIT_SIZE):
            low, *rest = (codes[begin + place] for place in _LOWEST_FIRST)
            fields += (low, tuple(rest))
        nibbles = _declarers(tricks)
        return *fields, *(tuple(nibbles[k : k + _SEATS]) for k in range(0, len(nibbles), _SEATS))

    def _checked(self, value: SolvedDeal) -> tuple[bytes, bytes]:
        """Return the owners and the tricks of a value."""
        self._parts(value, SolvedDeal)
        deal, tricks = value
        owners = owners_of_deal(self, deal)
        if not isinstance(tricks, TrickTable):
            raise TypeError(f"a TrickTable goes into this record, not {type(tricks).__name__!r}")
        return owners, tricks.tricks


def _declarers(tricks: bytes) -> bytes:
    """Return tricks of declarers from those of North and South, by declarer N E S W, or back."""
    of_others = (Seat.EAST, Seat.WEST)
    return bytes(
        HAND_SIZE - taken if place % _SEATS in of_others else taken
        for place, taken in enumerate(tricks)
    )
