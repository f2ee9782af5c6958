"""The case record of Pavlicek's study of dealing with constraints: a row of a case listing.

A listing has a running total of the ways, and for one hand or two hands a pattern, honours, or
both. Fields that a listing does not use have the value *off*: 560 for a pattern, 16 set bits for
honours. The study gives the widths of the fields; `specifications` defines their positions.
"""

from __future__ import annotations

from math import comb
from operator import index
from typing import NamedTuple

from pavcodec.cards import DECK_SIZE, HAND_SIZE
from pavcodec.errors import shown
from pavcodec.records.bits.fields import Fields
from pavcodec.records.record import Record

__all__ = ["Case", "CaseRecord"]

MOST_WAYS = comb(DECK_SIZE, HAND_SIZE) * comb(DECK_SIZE - HAND_SIZE, HAND_SIZE)
"""The total of all pairs of hands: 5,157,850,293,780,050,462,400."""
PATTERNS = 560
PATTERN_OFF = 560
HONOURS_OFF = 0xFFFF

# the values that mean off, for the fields after the total
_OFF = (PATTERN_OFF, PATTERN_OFF, HONOURS_OFF, HONOURS_OFF)


class Case(NamedTuple):
    """A row of a case listing: the running total and the contents of two hands; None is off.

    A pattern is an index of 0 to 559. Honours are a map of 16 bits, spades A K Q J highest, then
    hearts, diamonds and clubs. A hand has at most 13 of them, and no honour is in both hands.
    """

    total: int
    first_pattern: int | None = None
    second_pattern: int | None = None
    first_honours: int | None = None
    second_honours: int | None = None


class CaseRecord(Record[Case]):
    """A row of a case listing."""

    name = "case16"
    summary = "a row of a case listing: running total, patterns and honours of two hands"

    def _value(self, fields: Fields) -> Case:
        total, *patterns_and_honours = fields
        pairs = zip(patterns_and_honours, _OFF, strict=True)
        return self._checked(Case(total, *[None if f == off else f for f, off in pairs]))

    def _fields(self, value: Case) -> Fields:
        total, *others = self._checked(value)
        pairs = zip(others, _OFF, strict=True)
        return (total, *[off if field is None else field for field, off in pairs])

    def _checked(self, value: Case) -> Case:
        """Return a case of plain integers; raise `RecordError` for an invalid case."""
        self._parts(value, Case)
        total, *others = value
        case = Case(index(total), *[None if each is None else index(each) for each in others])
        if not 0 <= case.total <= MOST_WAYS:
            raise self.refusal(f"a running total is 0 to {MOST_WAYS}, not {shown(case.total)}")
        for pattern in (case.first_pattern, case.second_pattern):
            if pattern is not None and not 0 <= pattern < PATTERNS:
                raise self.refusal(f"a pattern is 0 to {PATTERNS - 1}, not {shown(pattern)}")
        for honours in (case.first_honours, case.second_honours):
            if honours is not None and not _can_be_held(honours):
                given = f"{honours:#06x}" if honours.bit_length() <= 16 else shown(honours)
                raise self.refusal(
                    f"honours are 16 bits, at most {HAND_SIZE} of them set, not {given}"
                )
        both = (case.first_honours or 0) & (case.second_honours or 0)
        if both:
            raise self.refusal(f"honours {both:#06x} are in both hands")
        return case


def _can_be_held(honours: int) -> bool:
    return 0 <= honours < HONOURS_OFF and honours.bit_count() <= HAND_SIZE
