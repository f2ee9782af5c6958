"""RecordFile: the records of a file as a sequence, and streams of records."""

from __future__ import annotations

import io
import mmap
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest
from formats_support import Dribble
from hypothesis import given
from hypothesis import strategies as st

from pavcodec import RecordError, RecordFile, record
from pavcodec.records import read_records, split_records

DEAL12 = record("deal12")
NUMBERS = list(range(100, 120))
RAW = b"".join(number.to_bytes(12, "little") for number in NUMBERS)
BAD = b"\xff" * 12


def file_of(data: bytes) -> RecordFile[int]:
    """The records of bytes in memory."""
    return RecordFile(DEAL12, data)


@pytest.fixture
def numbers(tmp_path: Path) -> RecordFile[int]:
    """A file of twenty numbers."""
    path = tmp_path / "numbers.deal12"
    path.write_bytes(RAW)
    return RecordFile.open(DEAL12, path)


def test_a_file_is_a_sequence(numbers: RecordFile[int]) -> None:
    with numbers:
        assert isinstance(numbers, Sequence)
        assert len(numbers) == 20
        assert list(numbers) == NUMBERS == list(DEAL12.parse_many(RAW))
        assert list(reversed(numbers)) == NUMBERS[::-1]
        assert 105 in numbers
        assert 99 not in numbers
        assert (numbers.index(105), numbers.count(105), numbers.count(5)) == (5, 1, 0)
        assert repr(numbers) == "<20 records deal12>"
        assert numbers.record is DEAL12
        with pytest.raises(ValueError):  # noqa: PT011 (it is a sequence of Python)
            numbers.index(99)


def test_every_index_is_as_in_a_list(numbers: RecordFile[int]) -> None:
    with numbers:
        for index in range(-20, 20):
            assert numbers[index] == NUMBERS[index]
        for index in (20, -21, 1 << 70, -(1 << 70)):
            with pytest.raises(IndexError, match=f"{index} is past the end of a length of 20"):
                numbers[index]
        for wrong in ("1", 1.0, None):
            with pytest.raises(TypeError):
                numbers[wrong]  # type: ignore[call-overload]  # what a caller may do wrong


places = st.none() | st.integers(-25, 25)
slices = st.builds(slice, places, places, st.sampled_from([None, 1, 2, 3, -1, -2, 30, -30]))


@given(first=slices, second=slices)
def test_slices_of_slices_are_those_of_a_list(first: slice, second: slice) -> None:
    numbers = file_of(RAW)
    view, expected = numbers[first], NUMBERS[first]
    assert isinstance(view, RecordFile)
    assert (list(view), len(view)) == (expected, len(expected))
    assert list(view[second]) == expected[second]
    assert list(reversed(view)) == expected[::-1]
    for index in range(-len(expected), len(expected)):
        assert view[index] == expected[index]
    with pytest.raises(IndexError, match=f"past the end of a length of {len(expected)}"):
        view[len(expected)]


def test_slices_read_nothing_until_they_are_asked() -> None:
    numbers = file_of(BAD * 5 + (7).to_bytes(12, "little"))
    views = [numbers[:], numbers[1:3], numbers[1:][::2], numbers[-1:]]
    assert [len(view) for view in views] == [6, 2, 3, 1]
    assert list(views[3]) == [7]
    with pytest.raises(RecordError, match="deal12 record 1 at byte 12: "):
        views[1][0]


def test_an_error_tells_the_place_in_the_file_and_not_in_the_view() -> None:
    numbers = file_of(RAW[:36] + BAD + RAW[48:])
    assert numbers[2] == 102
    for ask in (
        lambda: numbers[3],
        lambda: numbers[-17],
        lambda: numbers[2:][1],
        lambda: numbers[::-1][16],
        lambda: list(numbers[1:][2:]),
    ):
        with pytest.raises(RecordError) as caught:
            ask()
        assert (caught.value.index, caught.value.offset) == (3, 36)
    rest = iter(numbers)
    assert [next(rest) for _ in range(3)] == [100, 101, 102]
    with pytest.raises(RecordError, match="record 3 at byte 36"):
        next(rest)


@pytest.mark.parametrize("data", [b"", RAW[:0]])
def test_an_empty_file_has_no_records(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "none"
    path.write_bytes(data)
    with RecordFile.open(DEAL12, path) as numbers:
        assert (len(numbers), list(numbers), list(numbers[:])) == (0, [], [])
        assert not numbers
        for index in (0, -1):
            with pytest.raises(IndexError, match="past the end of a length of 0"):
                numbers[index]


@pytest.mark.parametrize("rest", range(1, 12))
@pytest.mark.parametrize("whole", [0, 1, 20])
def test_a_file_that_is_cut_off_counts_whole_records_and_raises_at_the_end(
    tmp_path: Path, whole: int, rest: int
) -> None:
    path = tmp_path / "cut"
    path.write_bytes((RAW + RAW)[: 12 * whole + rest])
    with RecordFile.open(DEAL12, path) as numbers:
        assert len(numbers) == whole
        found: list[int] = []
        with pytest.raises(RecordError) as caught:
            found.extend(numbers)
        assert str(caught.value) == (
            f"deal12 record {whole} at byte {12 * whole}: the file ends after {rest} of 12 bytes"
        )
        assert (caught.value.index, caught.value.offset) == (whole, 12 * whole)
        one_by_one = [numbers[index] for index in range(whole)]
        assert one_by_one == NUMBERS[:whole] == list(numbers[:])
        with pytest.raises(IndexError):
            numbers[whole]


def test_the_file_is_closed_at_the_end_of_the_block(numbers: RecordFile[int]) -> None:
    with numbers as same:
        assert same is numbers
        view = numbers[5:]
        assert view[0] == 105
    for closed in (numbers, view):
        with pytest.raises(ValueError, match="closed"):
            closed[0]
        with pytest.raises(ValueError, match="closed"):
            list(closed)
    assert (len(numbers), len(view)) == (20, 15)
    numbers.close()


def test_a_view_does_not_close_the_file(numbers: RecordFile[int]) -> None:
    with numbers:
        with numbers[5:] as view:
            assert view[0] == 105
        view.close()
        assert (view[0], numbers[0]) == (105, 100)


def test_a_file_knows_its_name_and_what_is_left_over(tmp_path: Path) -> None:
    path = tmp_path / "cut"
    path.write_bytes(RAW[:-5])
    with RecordFile.open(DEAL12, path) as numbers:
        assert (numbers.name, numbers.cut_off) == (str(path), 7)
        assert numbers[:].cut_off == 0
    with pytest.raises(ValueError, match=f"{path.name}' is closed"):
        numbers[0]


MANY = 40_000  # more than are read at a time, twice over


@pytest.mark.slow
def test_a_long_file_is_read_in_several_goes() -> None:
    raw = DEAL12.build_many(range(MANY))
    numbers = file_of(raw)
    assert list(numbers) == list(range(MANY))
    for part in (slice(5, -5), slice(16_000, 33_000), slice(None, None, 7), slice(None, None, -1)):
        assert list(numbers[part]) == list(range(MANY))[part]
    bad = 20_000
    damaged = file_of(raw[: 12 * bad] + BAD + raw[12 * bad + 12 :])
    for view, before in ((damaged, bad), (damaged[100:], bad - 100), (damaged[::2], bad // 2)):
        found: list[int] = []
        with pytest.raises(RecordError) as caught:
            found.extend(view)
        assert (caught.value.index, caught.value.offset) == (bad, 12 * bad)
        assert len(found) == before


def test_a_view_of_words_is_as_good_as_bytes() -> None:
    words = memoryview(array("I", RAW))
    assert list(RecordFile(DEAL12, words)) == NUMBERS
    assert len(RecordFile(DEAL12, words)) == 20


def test_records_in_memory_need_no_closing() -> None:
    for data in (RAW, bytearray(RAW), memoryview(RAW)):
        with RecordFile(DEAL12, data) as numbers:
            assert list(numbers[:2]) == [100, 101]
        assert numbers[-1] == 119


def test_a_memory_map_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "numbers"
    path.write_bytes(RAW)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        assert list(RecordFile(DEAL12, data)) == NUMBERS


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        RecordFile.open(DEAL12, tmp_path / "missing")


Found = tuple[list[tuple[int, Any]], list[str]]


def found_in(data: bytes, portion: int, *, parsed: bool) -> Found:
    """What a stream of records gives, and what is reported."""
    problems: list[str] = []
    read: Callable[..., Iterator[tuple[int, Any]]]
    read = partial(read_records, DEAL12) if parsed else partial(split_records, "deal12", 12)
    for stream in (io.BytesIO(data), Dribble(data, portion)):
        problems.clear()
        found = list(read(cast("BinaryIO", stream), lambda error: problems.append(str(error))))
    return list(found), problems


@pytest.mark.parametrize("portion", [1, 5, 12, 100])
def test_a_stream_gives_the_records_with_their_indexes(portion: int) -> None:
    assert found_in(RAW, portion, parsed=True) == (list(enumerate(NUMBERS)), [])
    parts = [RAW[start : start + 12] for start in range(0, 240, 12)]
    assert found_in(RAW, portion, parsed=False) == (list(enumerate(parts)), [])
    assert found_in(b"", portion, parsed=True) == ([], [])


@pytest.mark.parametrize("portion", [1, 5, 12, 100])
def test_a_stream_reports_what_is_no_record_and_goes_on(portion: int) -> None:
    found, problems = found_in(RAW[:24] + BAD + RAW[24:47], portion, parsed=True)
    assert found == [(0, 100), (1, 101), (3, 102)]
    assert [problem.split(": ")[0] for problem in problems] == [
        "deal12 record 2 at byte 24",
        "deal12 record 4 at byte 48",
    ]
    assert problems[1].endswith("the file ends after 11 of 12 bytes")
