"""Records of numbers: what a numbering gives, in the bytes that its cardinality needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, NamedTuple, cast

from pavcodec.cards import DECK_SIZE, UNUSED
from pavcodec.errors import shown
from pavcodec.records.record import Record

if TYPE_CHECKING:
    from pavcodec.records.declarations import Fields

__all__ = ["Base5Number", "Base5Record", "NumberRecord"]


class NumberRecord(Record[int]):
    """The numbers of a numbering, 0 to its cardinality - 1."""

    def __init__(self, name: str, size: int, summary: str, cardinality: Callable[[], int]) -> None:
        self.name = name
        self.size = size
        self.summary = summary
        self._cardinality = cardinality

    @cached_property
    def cardinality(self) -> int:
        """How many numbers there are."""
        return self._cardinality()

    def _parse(self, data: bytes) -> int:
        number = int.from_bytes(data, "little")
        return number if number < self.cardinality else self.parse_by_declaration(data)

    def _build(self, value: int) -> bytes:
        return self._checked(value).to_bytes(self.size, "little")

    def _value(self, fields: Fields) -> int:
        return self._checked(cast("int", fields[0]))

    def _fields(self, value: int) -> Fields:
        return (self._checked(value),)

    def _checked(self, value: int) -> int:
        number = index(value)
        if not 0 <= number < self.cardinality:
            raise self.refusal(f"numbers are 0 to {self.cardinality - 1}, not {shown(number)}")
        return number


class Base5Number(NamedTuple):
    """A number of `base5`, and seven bits for data of the user's."""

    number: int
    spare: int = 0


class Base5Record(Record[Base5Number]):
    """A number of `base5` in 121 bits, with the seven bits that are left for the user."""

    NUMBER_BITS = 121
    SPARE_BITS = 7

    name = "base5-16"
    size = 16
    summary = "a number of base5, with seven spare bits for data of the user's"
    cardinality = (UNUSED + 1) ** DECK_SIZE

    def _parse(self, data: bytes) -> Base5Number:
        spare, number = divmod(int.from_bytes(data, "little"), 1 << self.NUMBER_BITS)
        if number >= self.cardinality:
            return self.parse_by_declaration(data)
        return Base5Number(number, spare)

    def _build(self, value: Base5Number) -> bytes:
        number, spare = self._checked(value)
        return (spare << self.NUMBER_BITS | number).to_bytes(self.size, "little")

    def _value(self, fields: Fields) -> Base5Number:
        return self._checked(Base5Number(*cast("tuple[int, int]", fields)))

    def _fields(self, value: Base5Number) -> Fields:
        return self._checked(value)

    def _checked(self, value: Base5Number) -> Base5Number:
        self._parts(value, Base5Number)
        number, spare = map(index, value)
        if not 0 <= number < self.cardinality:
            raise self.refusal(f"numbers are 0 to {self.cardinality - 1}, not {shown(number)}")
        if not 0 <= spare < 1 << self.SPARE_BITS:
            raise self.refusal(
                f"the spare bits hold 0 to {(1 << self.SPARE_BITS) - 1}, not {shown(spare)}"
            )
        return Base5Number(number, spare)
