"""What follows from a declaration, against construct."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records_support import SIZES, verdict

from pavcodec import RecordError, record
from pavcodec.records.arrays import join_rows, split_rows
from pavcodec.records.declarations import BitTable, Fields, bit_table

NAMES = [*SIZES, "case-block", "case-foot", "index9", "index1"]


TABLES = st.sampled_from(NAMES).map(bit_table)


def rows_of(table: BitTable) -> st.SearchStrategy[list[bytes]]:
    """Some records of any bytes; in each the bits that must be 0 are so, or are not."""
    any_bytes = st.binary(min_size=table.size, max_size=table.size)
    cleared_bytes = any_bytes.map(lambda raw: cleared(table, raw))
    return st.lists(cleared_bytes | cleared_bytes | any_bytes, min_size=1, max_size=4)


def cleared(table: BitTable, raw: bytes) -> bytes:
    """The bytes with 0 for the reserved bits."""
    whole = int.from_bytes(raw, "little") & ~table.reserved
    return whole.to_bytes(table.size, "little")


@settings(max_examples=100)
@given(data=st.data())
@pytest.mark.slow
def test_every_declaration_is_read_and_written_as_construct_does(data: st.DataObject) -> None:
    table = data.draw(TABLES)
    rows = data.draw(rows_of(table))
    assert_arrays(table, rows)
    for raw in rows:
        good = cleared(table, raw)
        assert verdict(table.split, raw) == verdict(table.split_by_declaration, raw)
        assert is_refused(table, raw) == (raw != good)
        fields = table.split(good)
        assert table.join(fields) == table.join_by_declaration(fields) == good


def is_refused(table: BitTable, raw: bytes) -> bool:
    return verdict(table.split_by_declaration, raw)[0] is RecordError


def assert_arrays(table: BitTable, rows: list[bytes]) -> None:
    """Compare columns with the fields of each row, and the records that are made of them."""
    array = np.frombuffer(b"".join(rows), np.uint8).reshape(-1, table.size)
    columns, are_good = split_rows(table, array)
    assert are_good.tolist() == [not is_refused(table, raw) for raw in rows]
    good = [cleared(table, raw) for raw in rows]
    found = [fields_in(table, columns, row) for row in range(len(rows))]
    assert found == list(map(table.split_by_declaration, good))
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


@pytest.mark.parametrize("name", SIZES)
def test_the_fields_of_a_record_have_no_gaps(name: str) -> None:
    rows = record(name).bits
    assert [row.first for row in rows] == [0, *(row.last + 1 for row in rows[:-1])]
    assert rows[-1].last + 1 == 8 * record(name).size == 8 * SIZES[name]
    assert all(row.meaning for row in rows)
