"""What follows from a specification, against construct and plain shifts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records_support import SIZES, packed, unpacked, verdict

from pavcodec import RecordError
from pavcodec.records import CASE_BLOCK, CASE_FOOT
from pavcodec.records.arrays import join_rows, split_rows
from pavcodec.records.codec import compiled
from pavcodec.records.declarations import bytes_of, fields_of
from pavcodec.records.fields import Digits, Field, Fields, Specification, specification

NAMES = [*SIZES, CASE_BLOCK.name, CASE_FOOT.name, "index9", "index1"]
every_specification = pytest.mark.parametrize("name", NAMES)
some = settings(max_examples=40, deadline=None)


def rows_of(made: Specification, *, count: int | None = None) -> st.SearchStrategy[list[bytes]]:
    """Some records of any bytes; in each the bits that must be 0 are so, or are not."""
    used = (1 << 8 * made.size) - 1 - made.reserved

    def with_reserved(data: tuple[bytes, bool]) -> bytes:
        whole = int.from_bytes(data[0], "little") & (used if data[1] else -1)
        return whole.to_bytes(made.size, "little")

    any_bytes = st.binary(min_size=made.size, max_size=made.size)
    one = st.tuples(any_bytes, st.sampled_from([True, True, False])).map(with_reserved)
    return st.lists(one, min_size=1 if count is None else count, max_size=count or 5)


def fields_for(made: Specification, *, spoilt: int = 0) -> st.SearchStrategy[Fields]:
    """Fields of a record; some that do not fit, where they may be spoilt."""
    each: list[st.SearchStrategy[Any]] = []
    for place in made.places:
        most = (1 << place.bits) - 1 + spoilt
        if isinstance(place, Digits):
            more = min(spoilt, 1)
            each.append(
                st.lists(
                    st.integers(0, most), min_size=place.used - more, max_size=place.used + more
                ).map(bytes)
            )
        else:
            each.append(st.integers(-spoilt, most))
    return st.tuples(*each)


def by_shifts(made: Specification, data: bytes) -> tuple[list[int], list[int]]:
    """The numbers of all fields by plain shifts, and the reserved ones."""
    widths = [field.bits for field in made.fields for _ in range(max(field.times, 1))]
    reserved = [field.is_reserved for field in made.fields for _ in range(max(field.times, 1))]
    pairs = list(zip(unpacked(data, widths), reserved, strict=True))
    return [n for n, is_zero in pairs if not is_zero], [n for n, is_zero in pairs if is_zero]


def flat(fields: Fields) -> list[int]:
    """The numbers of fields one after another."""
    return [n for f in fields for n in (f if isinstance(f, bytes) else [f])]


@every_specification
@some
@given(data=st.data())
def test_bytes_are_split_and_joined_as_construct_does(name: str, data: st.DataObject) -> None:
    made = specification(name)
    (raw,) = data.draw(rows_of(made, count=1))
    found = verdict(compiled(made).split, raw)
    assert found == verdict(lambda each: fields_of(name, each), raw)
    numbers, zeros = by_shifts(made, raw)
    if any(zeros):
        assert found[0] is RecordError
        return
    fields = compiled(made).split(raw)
    assert flat(fields) == numbers
    assert compiled(made).join(fields) == bytes_of(name, fields) == raw


@every_specification
@some
@given(data=st.data())
def test_fields_that_do_not_fit_are_refused_as_construct_does(
    name: str, data: st.DataObject
) -> None:
    made = specification(name)
    fields = data.draw(fields_for(made) | fields_for(made, spoilt=1))
    joined = verdict(compiled(made).join, fields)
    assert joined == verdict(lambda each: bytes_of(name, each), fields)
    if joined[0] is bytes:
        assert compiled(made).split(compiled(made).join(fields)) == fields


@every_specification
@some
@given(data=st.data())
def test_arrays_are_the_fields_row_by_row(name: str, data: st.DataObject) -> None:
    assert_arrays(specification(name), data.draw(rows_of(specification(name))))


def assert_arrays(made: Specification, rows: list[bytes]) -> None:
    """Compare columns with the fields of each row, and records that are made of them."""
    array = np.frombuffer(b"".join(rows), np.uint8).reshape(-1, made.size)
    columns, are_good = split_rows(made, array)
    assert are_good.tolist() == [not any(by_shifts(made, raw)[1]) for raw in rows]
    used = (1 << 8 * made.size) - 1 - made.reserved
    cleared = [(int.from_bytes(raw, "little") & used).to_bytes(made.size, "little") for raw in rows]
    assert [fields_in(made, columns, row) for row in range(len(rows))] == list(
        map(compiled(made).split, cleared)
    )
    assert join_rows(made, columns).tobytes() == b"".join(cleared)


def fields_in(made: Specification, columns: list[Any], row: int) -> Fields:
    """The fields of a row of columns."""
    fields: list[int | bytes] = []
    for place, column in zip(made.places, columns, strict=True):
        if isinstance(place, Digits):
            assert column.dtype == np.uint8
            fields.append(column[row].tobytes())
        else:
            assert column.dtype == np.uint64
            high, low = column[row].tolist() if place.bits > 64 else (0, int(column[row]))
            fields.append(high << 64 | low)
    return tuple(fields)


def test_a_column_of_one_row_is_for_all_records_and_none_are_none() -> None:
    made = specification("base5-16")
    spare = np.array([5], np.uint64)
    for count in (0, 1, 3):
        numbers = np.full((count, 2), 7, np.uint64)
        assert (
            join_rows(made, [numbers, spare]).tobytes()
            == compiled(made).join((7 << 64 | 7, 5)) * count
        )


@st.composite
def specifications(draw: st.DrawFn) -> Specification:
    """Any specification: small numbers begin a byte, and a record ends with one."""
    fields: list[Field] = []
    place = 0
    for index in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(["number", "digits", "zero"]))
        if kind == "digits" and place % 8 == 0:
            bits, times = draw(st.sampled_from([2, 3, 4])), draw(st.integers(1, 9))
            fields.append(Field(f"f{index}", bits, "some", times))
        elif kind == "zero":
            fields.append(Field.zero(draw(st.integers(1, 12))))
        else:
            fields.append(Field(f"f{index}", draw(st.integers(1, 100)), "one"))
        place += fields[-1].width
    if all(field.is_reserved for field in fields):
        fields.append(Field("last", 3, "one"))
        place += 3
    if place % 8:
        fields.append(
            draw(st.sampled_from([Field.zero, lambda b: Field("end", b, "one")]))(-place % 8)
        )
    return Specification("any", *fields)


@settings(max_examples=75, deadline=None)
@given(data=st.data())
def test_any_specification_is_read_and_written_as_plain_shifts_do(data: st.DataObject) -> None:
    made = data.draw(specifications())
    rows = data.draw(rows_of(made))
    assert_arrays(made, rows)
    widths = [field.bits for field in made.fields for _ in range(max(field.times, 1))]
    assert made.size == sum(widths) // 8
    for raw in rows:
        numbers, zeros = by_shifts(made, raw)
        if any(zeros):
            with pytest.raises(RecordError, match="must be 0"):
                compiled(made).split(raw)
        else:
            assert flat(compiled(made).split(raw)) == numbers
            assert (
                compiled(made).join(compiled(made).split(raw))
                == raw
                == packed(unpacked(raw, widths), widths)
            )


def test_small_numbers_are_one_value_where_whole_ones_lie_between() -> None:
    def made(bits: int, between: int) -> Specification:
        some, more = Field("some", bits, "", 1), Field("more", bits, "", 8)
        return Specification("two", some, Field.zero(between - bits), more)

    assert [place.spans for place in made(2, 8).places if isinstance(place, Digits)] == [
        (range(1), range(4, 12))
    ]
    assert len(made(3, 8).places) == 2
    assert compiled(made(3, 24)).split(bytes([5, 0, 0, 0b10001, 0, 0])) == (
        bytes([5, 1, 2, 0, 0, 0, 0, 0, 0]),
    )
