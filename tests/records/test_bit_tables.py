"""What follows from a declaration, against construct and plain shifts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from construct import BitsInteger, Construct
from hypothesis import given, settings
from hypothesis import strategies as st
from records_support import SIZES, unpacked, verdict

from pavcodec import RecordError, record
from pavcodec.records.arrays import join_rows, split_rows
from pavcodec.records.declarations import (
    BitTable,
    Fields,
    bit_table,
    from_bit_0,
    reserved,
    small_numbers,
)

NAMES = [*SIZES, "case-block", "case-foot", "index9", "index1"]


@st.composite
def any_table(draw: st.DrawFn) -> BitTable:
    """The table of any declaration; a record ends with a byte."""
    fields: list[Construct] = []
    for index in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(["number", "digits", "zero"]))
        if kind == "digits":
            times, bits = draw(st.integers(1, 9)), draw(st.sampled_from([2, 3, 4]))
            fields.append(f"f{index}" / small_numbers(times, bits))
        elif kind == "zero":
            fields.append(reserved(draw(st.integers(1, 12))))
        else:
            fields.append(f"f{index}" / BitsInteger(draw(st.integers(1, 100))))
    if all(field.name == "reserved" for field in fields):
        fields.append("last" / BitsInteger(3))
    if rest := -sum(field.sizeof() for field in fields) % 8:
        fields.append(draw(st.sampled_from([reserved(rest), "end" / BitsInteger(rest)])))
    return BitTable("any", from_bit_0(*fields))


TABLES = any_table() | st.sampled_from(NAMES).map(bit_table)


def rows_of(table: BitTable) -> st.SearchStrategy[list[bytes]]:
    """Some records of any bytes; in each the bits that must be 0 are so, or are not."""
    any_bytes = st.binary(min_size=table.size, max_size=table.size)
    cleared_bytes = any_bytes.map(lambda raw: cleared(table, raw))
    return st.lists(cleared_bytes | cleared_bytes | any_bytes, min_size=1, max_size=4)


def cleared(table: BitTable, raw: bytes) -> bytes:
    """The bytes with 0 for the reserved bits."""
    whole = int.from_bytes(raw, "little") & ~table.reserved
    return whole.to_bytes(table.size, "little")


def by_shifts(table: BitTable, data: bytes) -> tuple[list[int], list[int]]:
    """The numbers of all fields by plain shifts, and the reserved ones."""
    places = [place for place in table.places for _ in range(max(place.times, 1))]
    numbers = unpacked(data, [place.bits for place in places])
    pairs = list(zip(numbers, places, strict=True))
    return (
        [number for number, place in pairs if not place.is_reserved],
        [number for number, place in pairs if place.is_reserved],
    )


@settings(max_examples=100)
@given(data=st.data())
@pytest.mark.slow
def test_any_declaration_is_read_and_written_as_plain_shifts_do(data: st.DataObject) -> None:
    table = data.draw(TABLES)
    rows = data.draw(rows_of(table))
    assert_arrays(table, rows)
    for raw in rows:
        numbers, zeros = by_shifts(table, raw)
        found = verdict(table.split, raw)
        assert found == verdict(table.split_by_declaration, raw)
        assert (found[0] is RecordError) == any(zeros)
        fields = table.split(cleared(table, raw))
        assert [n for f in fields for n in (f if isinstance(f, bytes) else [f])] == numbers
        assert table.join(fields) == table.join_by_declaration(fields) == cleared(table, raw)


def assert_arrays(table: BitTable, rows: list[bytes]) -> None:
    """Compare columns with the fields of each row, and the records that are made of them."""
    array = np.frombuffer(b"".join(rows), np.uint8).reshape(-1, table.size)
    columns, are_good = split_rows(table, array)
    assert are_good.tolist() == [not any(by_shifts(table, raw)[1]) for raw in rows]
    good = [cleared(table, raw) for raw in rows]
    assert [fields_in(table, columns, row) for row in range(len(rows))] == list(
        map(table.split, good)
    )
    assert join_rows(table, columns).tobytes() == b"".join(good)


def fields_in(table: BitTable, columns: list[Any], row: int) -> Fields:
    """The fields of a row of columns."""
    fields: list[int | bytes] = []
    for place, column in zip(table.fields, columns, strict=True):
        if place.times:
            assert column.dtype == np.uint8
            fields.append(column[row].tobytes())
        else:
            assert column.dtype == np.uint64
            high, low = column[row].tolist() if place.bits > 64 else (0, int(column[row]))
            fields.append(high << 64 | low)
    return tuple(fields)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("deal12", (1 << 96,)),
        ("deal12", (-1,)),
        ("deal13", (bytes([4] * 52),)),
        ("deal13", (bytes(51),)),
        ("zdd", (bytes([16] * 20),)),
        ("case16", (0, 1024, 0, 0, 0)),
    ],
)
def test_fields_that_do_not_fit_are_refused(name: str, fields: Fields) -> None:
    for join in (bit_table(name).join, bit_table(name).join_by_declaration):
        with pytest.raises(RecordError, match=f"^{name} record: [^\n]+$"):
            join(fields)


def test_a_column_of_one_row_is_for_all_records_and_none_are_none() -> None:
    table = bit_table("base5-16")
    spare = np.array([5], np.uint64)
    for count in (0, 1, 3):
        numbers = np.full((count, 2), 7, np.uint64)
        assert join_rows(table, [numbers, spare]).tobytes() == table.join((7 << 64 | 7, 5)) * count


TRICKS = ["notrump 16", "spades 16", "hearts 16", "diamonds 16", "clubs 16"]
BITS = {
    "deal12": ["number 96"],
    "balanced14": ["number 111", "reserved 1"],
    "ending15": ["number 120"],
    "legal14": ["number 107", "reserved 5"],
    "base5-16": ["number 121", "spare 7"],
    "deal13": ["owners 104"],
    "layout20": ["owners 156", "reserved 4"],
    "zbs-word": ["suit 31", "suit_flag 1"],
    "zbs-diagram": [
        *("spades 31", "spades_flag 1", "hearts 31", "hearts_flag 1"),
        *("diamonds 31", "diamonds_flag 1", "clubs 31", "clubs_flag 1"),
    ],
    "zrd": ["owners 104", *TRICKS],
    "zdd": TRICKS,
    "gib-library": [
        *("spade_two 2", "reserved 6", "spade_owners 24", "heart_two 2", "reserved 6"),
        *("heart_owners 24", "diamond_two 2", "reserved 6", "diamond_owners 24", "club_two 2"),
        *("reserved 6", "club_owners 24", *TRICKS),
    ],
    "case16": [
        *("total 73", "first_pattern 10", "second_pattern 10"),
        *("first_honours 16", "second_honours 16", "reserved 3"),
    ],
}
"""The fields of each record and their bits, from bit 0 on."""


@pytest.mark.parametrize("name", SIZES)
def test_the_bit_table_is_the_one_of_the_format(name: str) -> None:
    rows = record(name).bits
    assert [f"{row.name} {row.last + 1 - row.first}" for row in rows] == BITS[name]
    assert [row.first for row in rows] == [0, *(row.last + 1 for row in rows[:-1])]
    assert rows[-1].last + 1 == 8 * record(name).size == 8 * SIZES[name]
    assert all(row.meaning for row in rows)
