"""The catalogue of all records by name."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any

from pavcodec.cards import DECK_SIZE, FOUR_HANDS, HAND_SIZE, Seat
from pavcodec.errors import suggest
from pavcodec.records.cases import CaseRecord
from pavcodec.records.double_dummy import LibraryRecord, SolvedDealRecord, TrickTableRecord
from pavcodec.records.numbers import Base5Record, NumberRecord
from pavcodec.records.owners import DealRecord, LayoutRecord
from pavcodec.records.record import Record
from pavcodec.records.zbs import DiagramRecord, WordRecord
from pavcodec.walk import Counter, FixedSizes, LimitedSizes

__all__ = ["record", "record_names"]


def _deals() -> int:
    return _completions(FixedSizes(FOUR_HANDS))


def _balanced_endings() -> int:
    hands = len(Seat)
    sizes = ((*(size,) * hands, DECK_SIZE - size * hands) for size in range(1, HAND_SIZE + 1))
    return sum(_completions(FixedSizes(each)) for each in sizes)


def _endings() -> int:
    return _completions(LimitedSizes(DECK_SIZE, FOUR_HANDS))


def _legal_endings() -> int:
    from pavcodec.legal.counts import LEGAL_ENDINGS

    return sum(LEGAL_ENDINGS.values())


def _completions(counter: Counter) -> int:
    return counter.completions(counter.start)


_RECORDS: dict[str, Record[Any]] = {
    made.name: made
    for made in (
        NumberRecord("deal12", "the number of a deal", _deals),
        NumberRecord("balanced14", "the number of a balanced ending", _balanced_endings),
        NumberRecord("ending15", "the number of an ending", _endings),
        NumberRecord("legal14", "the number of a legal ending", _legal_endings),
        Base5Record(),
        DealRecord(),
        LayoutRecord(),
        WordRecord(),
        DiagramRecord(),
        SolvedDealRecord(),
        TrickTableRecord(),
        LibraryRecord(),
        CaseRecord(),
    )
}


def _by_name(made: Record[Any]) -> tuple[Callable[[str], Record[Any]], tuple[str]]:
    """Reduce a record to its name, so that copies and unpickled records are the record itself."""
    return record, (made.name,)


for _made in _RECORDS.values():
    copyreg.pickle(type(_made), _by_name)


def record_names() -> list[str]:
    """Return the names that `record` accepts.

    >>> record_names()[:4]
    ['deal12', 'balanced14', 'ending15', 'legal14']
    """
    return list(_RECORDS)


def record(name: str) -> Record[Any]:
    """Return the record of a name; raise `UnknownNameError` for another name.

    >>> record("zrd").size, record("zrd").summary
    (23, 'a deal with its double-dummy tricks')
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a record is a str, not {type(name).__name__!r}")
    if name not in _RECORDS:
        raise suggest("record", name, record_names())
    return _RECORDS[name]
