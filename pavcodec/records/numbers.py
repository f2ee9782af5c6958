"""Records of numbers of a numbering, in as many bytes as its cardinality needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from operator import index
from typing import NamedTuple

from pavcodec.cards import DECK_SIZE, UNUSED
from pavcodec.errors import RecordError, shown
from pavcodec.records.bits.fields import Fields
from pavcodec.records.record import Record

__all__ = ["Base5Number", "Base5Record", "NumberRecord"]


_MOST_SPARE = (1 << 7) - 1


class NumberRecord(Record[int]):
    """The numbers of a numbering, from 0 to its cardinality - 1."""

    def __init__(self, name: str, summary: str, cardinality: Callable[[], int]) -> None:
        self.name = name
        self.summary = summary
        self._cardinality = cardinality
        super().__init__()

    @cached_property
    def cardinality(self) -> int:
        """The number of valid numbers."""
        return self._cardinality()

    def _value(self, fields: Fields) -> int:
        number: int = fields[0]
        if number < self.cardinality:
            return number
        raise _past_the_last(self, number)

    def _fields(self, value: int) -> Fields:
        number = index(value)
        if 0 <= number < self.cardinality:
            return (number,)
        raise _past_the_last(self, number)


class Base5Number(NamedTuple):
    """A number of `base5`, and seven bits for user data."""

    number: int
    spare: int = 0


class Base5Record(Record[Base5Number]):
    """A number of `base5` in 121 bits; the other seven bits are for user data."""

    name = "base5-16"
    summary = "a number of base5, with seven spare bits for user data"
    cardinality = (UNUSED + 1) ** DECK_SIZE

    def _value(self, fields: Fields) -> Base5Number:
        number, spare = fields
        if number < self.cardinality:
            return Base5Number(number, spare)
        raise _past_the_last(self, number)

    def _fields(self, value: Base5Number) -> Fields:
        self._parts(value, Base5Number)
        number, spare = map(index, value)
        if not 0 <= number < self.cardinality:
            raise _past_the_last(self, number)
        if not 0 <= spare <= _MOST_SPARE:
            raise self.refusal(f"the spare bits hold 0 to {_MOST_SPARE}, not {shown(spare)}")
        return number, spare


def _past_the_last(record: NumberRecord | Base5Record, number: int) -> RecordError:
    return record.refusal(f"numbers are 0 to {record.cardinality - 1}, not {shown(number)}")
