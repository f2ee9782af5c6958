"""What follows from a declaration, against construct and plain shifts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from construct import BitsInteger, Construct
from hypothesis import given, settings
from hypothesis import strategies as st
from records_support import SIZES, packed, unpacked, verdict

from pavcodec import RecordError
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
every_table = pytest.mark.parametrize("name", NAMES)
some = settings(max_examples=40, deadline=None)


def rows_of(table: BitTable, *, count: int | None = None) -> st.SearchStrategy[list[bytes]]:
    """Some records of any bytes; in each the bits that must be 0 are so, or are not."""
    used = (1 << 8 * table.size) - 1 - table.reserved

    def with_reserved(data: tuple[bytes, bool]) -> bytes:
        whole = int.from_bytes(data[0], "little") & (used if data[1] else -1)
        return whole.to_bytes(table.size, "little")

    any_bytes = st.binary(min_size=table.size, max_size=table.size)
    one = st.tuples(any_bytes, st.sampled_from([True, True, False])).map(with_reserved)
    return st.lists(one, min_size=1 if count is None else count, max_size=count or 5)


def fields_for(table: BitTable, *, spoilt: int = 0) -> st.SearchStrategy[Fields]:
    """Fields of a record; some that do not fit, where they may be spoilt."""
    each: list[st.SearchStrategy[Any]] = []
    for place in table.fields:
        most = (1 << place.bits) - 1 + spoilt
        if place.times:
            more = min(spoilt, 1)
            each.append(
                st.lists(
                    st.integers(0, most), min_size=place.times - more, max_size=place.times + more
                ).map(bytes)
            )
        else:
            each.append(st.integers(-spoilt, most))
    return st.tuples(*each)


def by_shifts(table: BitTable, data: bytes) -> tuple[list[int], list[int]]:
    """The numbers of all fields by plain shifts, and the reserved ones."""
    widths = [place.bits for place in table.places for _ in range(max(place.times, 1))]
    are_zero = [place.is_reserved for place in table.places for _ in range(max(place.times, 1))]
    pairs = list(zip(unpacked(data, widths), are_zero, strict=True))
    return [n for n, is_zero in pairs if not is_zero], [n for n, is_zero in pairs if is_zero]


def flat(fields: Fields) -> list[int]:
    """The numbers of fields one after another."""
    return [n for f in fields for n in (f if isinstance(f, bytes) else [f])]


@pytest.mark.slow
@every_table
@some
@given(data=st.data())
def test_bytes_are_split_and_joined_as_construct_does(name: str, data: st.DataObject) -> None:
    table = bit_table(name)
    (raw,) = data.draw(rows_of(table, count=1))
    found = verdict(table.split, raw)
    assert found == verdict(table.split_by_declaration, raw)
    numbers, zeros = by_shifts(table, raw)
    if any(zeros):
        assert found[0] is RecordError
        return
    fields = table.split(raw)
    assert flat(fields) == numbers
    assert table.join(fields) == table.join_by_declaration(fields) == raw


@pytest.mark.slow
@every_table
@some
@given(data=st.data())
def test_fields_that_do_not_fit_are_refused_as_construct_does(
    name: str, data: st.DataObject
) -> None:
    table = bit_table(name)
    fields = data.draw(fields_for(table) | fields_for(table, spoilt=1))
    joined = verdict(table.join, fields)
    assert joined == verdict(table.join_by_declaration, fields)
    if joined[0] is bytes:
        assert table.split(table.join(fields)) == fields


@pytest.mark.slow
@every_table
@some
@given(data=st.data())
def test_arrays_are_the_fields_row_by_row(name: str, data: st.DataObject) -> None:
    assert_arrays(bit_table(name), data.draw(rows_of(bit_table(name))))


def assert_arrays(table: BitTable, rows: list[bytes]) -> None:
    """Compare columns with the fields of each row, and records that are table of them."""
    array = np.frombuffer(b"".join(rows), np.uint8).reshape(-1, table.size)
    columns, are_good = split_rows(table, array)
    assert are_good.tolist() == [not any(by_shifts(table, raw)[1]) for raw in rows]
    used = (1 << 8 * table.size) - 1 - table.reserved
    cleared = [
        (int.from_bytes(raw, "little") & used).to_bytes(table.size, "little") for raw in rows
    ]
    assert [fields_in(table, columns, row) for row in range(len(rows))] == list(
        map(table.split, cleared)
    )
    assert join_rows(table, columns).tobytes() == b"".join(cleared)


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


def test_a_column_of_one_row_is_for_all_records_and_none_are_none() -> None:
    table = bit_table("base5-16")
    spare = np.array([5], np.uint64)
    for count in (0, 1, 3):
        numbers = np.full((count, 2), 7, np.uint64)
        assert join_rows(table, [numbers, spare]).tobytes() == table.join((7 << 64 | 7, 5)) * count


@st.composite
def tables(draw: st.DrawFn) -> BitTable:
    """The table of any declaration; a record ends with a byte."""
    fields: list[Construct] = []
    place = 0
    for index in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(["number", "digits", "zero"]))
        if kind == "digits":
            fields.append(
                f"f{index}"
                / small_numbers(draw(st.integers(1, 9)), draw(st.sampled_from([2, 3, 4])))
            )
        elif kind == "zero":
            fields.append(reserved(draw(st.integers(1, 12))))
        else:
            fields.append(f"f{index}" / BitsInteger(draw(st.integers(1, 100))))
        place += fields[-1].sizeof()
    if all(field.name == "reserved" for field in fields):
        fields.append("last" / BitsInteger(3))
        place += 3
    if place % 8:
        number: Callable[[int], Construct] = lambda bits: "end" / BitsInteger(bits)  # noqa: E731
        fields.append(draw(st.sampled_from([reserved, number]))(-place % 8))
    return BitTable("any", from_bit_0(*fields))


@pytest.mark.slow
@settings(max_examples=75, deadline=None)
@given(data=st.data())
def test_any_declaration_is_read_and_written_as_plain_shifts_do(data: st.DataObject) -> None:
    table = data.draw(tables())
    rows = data.draw(rows_of(table))
    assert_arrays(table, rows)
    widths = [place.bits for place in table.places for _ in range(max(place.times, 1))]
    assert table.size == sum(widths) // 8
    for raw in rows:
        numbers, zeros = by_shifts(table, raw)
        if any(zeros):
            for split in (table.split, table.split_by_declaration):
                with pytest.raises(RecordError, match="must be 0"):
                    split(raw)
        else:
            fields = table.split(raw)
            assert flat(fields) == numbers
            assert fields == table.split_by_declaration(raw)
            assert table.join(fields) == table.join_by_declaration(fields) == raw
            assert raw == packed(unpacked(raw, widths), widths)
