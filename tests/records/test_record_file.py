"""RecordFile, the records of a file as a sequence; streams of records; checksums."""

from __future__ import annotations

import io
import mmap
import struct
from array import array
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest
from formats_support import Dribble
from hypothesis import given
from hypothesis import strategies as st

from pavcodec import RecordError, RecordFile, record
from pavcodec.records import Checksum, SummedStream, read_records, split_records

DEAL12 = record("deal12")
NUMBERS = list(range(100, 120))
RAW = b"".join(number.to_bytes(12, "little") for number in NUMBERS)
BAD = b"\xff" * 12


@pytest.fixture
def numbers(tmp_path: Path) -> RecordFile[int]:
    """A file of twenty numbers."""
    path = tmp_path / "numbers.deal12"
    path.write_bytes(RAW)
    return RecordFile.open(DEAL12, path)


def test_a_file_is_a_sequence(numbers: RecordFile[int]) -> None:
    with numbers:
        assert isinstance(numbers, Sequence)
        assert list(numbers) == NUMBERS == list(DEAL12.parse_many(RAW))
        assert 105 in numbers
        assert (numbers.index(105), numbers.count(105), numbers.count(5)) == (5, 1, 0)
        assert repr(numbers) == "<20 records deal12>"
        assert numbers.record is DEAL12
        with pytest.raises(ValueError):  # noqa: PT011 (it is a sequence of Python)
            numbers.index(99)
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
    view, expected = RecordFile(DEAL12, RAW)[first], NUMBERS[first]
    assert isinstance(view, RecordFile)
    assert (list(view), len(view)) == (expected, len(expected))
    assert list(view[second]) == expected[second]
    assert list(reversed(view)) == expected[::-1]
    for index in range(-len(expected), len(expected)):
        assert view[index] == expected[index]
    with pytest.raises(IndexError, match=f"past the end of a length of {len(expected)}"):
        view[len(expected)]


def test_an_error_tells_the_place_in_the_file_and_not_in_the_view() -> None:
    numbers = RecordFile(DEAL12, RAW[:36] + BAD + RAW[48:])
    views = [numbers[2:], numbers[::-1], numbers[1:][2:]]  # which read nothing yet
    for ask in (
        lambda: numbers[3],
        lambda: numbers[-17],
        lambda: views[0][1],
        lambda: views[1][16],
        lambda: list(views[2]),
    ):
        with pytest.raises(RecordError) as caught:
            ask()
        assert (caught.value.index, caught.value.offset) == (3, 36)
    rest = iter(numbers)
    assert [next(rest) for _ in range(3)] == [100, 101, 102]
    with pytest.raises(RecordError, match="record 3 at byte 36"):
        next(rest)


@pytest.mark.parametrize("whole", [0, 1, 20])
def test_a_file_that_is_cut_off_counts_whole_records_and_raises_at_the_end(
    tmp_path: Path, whole: int
) -> None:
    path = tmp_path / "cut"
    for rest in (1, 7, 11):
        path.write_bytes((RAW + RAW)[: 12 * whole + rest])
        with RecordFile.open(DEAL12, path) as numbers:
            assert (len(numbers), numbers.name, numbers.cut_off) == (whole, str(path), rest)
            found: list[int] = []
            with pytest.raises(RecordError) as caught:
                found.extend(numbers)
            assert str(caught.value) == (
                f"deal12 record {whole} at byte {12 * whole}: "
                f"the file ends after {rest} of 12 bytes"
            )
            assert (caught.value.index, caught.value.offset) == (whole, 12 * whole)
            assert list(numbers[:]) == NUMBERS[:whole]
            assert numbers[:].cut_off == 0
            with pytest.raises(IndexError):
                numbers[whole]


def test_an_empty_file_has_no_records(tmp_path: Path) -> None:
    (tmp_path / "none").write_bytes(b"")
    with RecordFile.open(DEAL12, tmp_path / "none") as numbers:
        assert (len(numbers), list(numbers), list(numbers[:])) == (0, [], [])
        with pytest.raises(IndexError, match="past the end of a length of 0"):
            numbers[-1]
    with pytest.raises(FileNotFoundError):
        RecordFile.open(DEAL12, tmp_path / "missing")


def test_the_file_is_closed_at_the_end_of_the_block(numbers: RecordFile[int]) -> None:
    with numbers as same:
        assert same is numbers
        with numbers[5:] as view:
            assert view[0] == 105
        view.close()
        assert (view[0], numbers[0]) == (105, 100)  # a view does not close the file
    for closed in (numbers, view):
        with pytest.raises(ValueError, match="12' is closed"):
            closed[0]
        with pytest.raises(ValueError, match="closed"):
            list(closed)
    assert (len(numbers), len(view)) == (20, 15)
    numbers.close()


@pytest.mark.slow
def test_a_long_file_is_read_in_several_goes() -> None:
    many, bad = 40_000, 20_000  # more than are read at a time, twice over
    raw = DEAL12.build_many(range(many))
    for part in (slice(None), slice(16_000, 33_000), slice(None, None, -7)):
        assert list(RecordFile(DEAL12, raw)[part]) == list(range(many))[part]
    damaged = RecordFile(DEAL12, raw[: 12 * bad] + BAD + raw[12 * bad + 12 :])
    for view, before in ((damaged, bad), (damaged[100::2], bad // 2 - 50)):
        found: list[int] = []
        with pytest.raises(RecordError) as caught:
            found.extend(view)
        assert (caught.value.index, caught.value.offset) == (bad, 12 * bad)
        assert len(found) == before


def test_records_in_memory_need_no_closing(tmp_path: Path) -> None:
    for data in (RAW, bytearray(RAW), memoryview(RAW), memoryview(array("I", RAW))):
        with RecordFile(DEAL12, data) as numbers:
            assert list(numbers[:2]) == [100, 101]
        assert (len(numbers), numbers[-1]) == (20, 119)
    path = tmp_path / "numbers"
    path.write_bytes(RAW)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert list(RecordFile(DEAL12, mapped)) == NUMBERS


@pytest.mark.parametrize("portion", [1, 5, 12, 100])
def test_a_stream_gives_the_records_with_their_indexes(portion: int) -> None:
    problems: list[str] = []
    ways: dict[Any, list[Any]] = {
        partial(read_records, DEAL12): NUMBERS,
        partial(split_records, "deal12", 12): [RAW[at : at + 12] for at in range(0, 240, 12)],
    }
    for read, expected in ways.items():
        for data, count in ((RAW, 20), (RAW[:-1], 19), (b"", 0)):
            stream = Dribble(data, portion)
            found = list(read(stream, lambda error: problems.append(str(error))))
            assert found == list(enumerate(expected))[:count]
    whole = io.BytesIO(RAW[:24] + BAD + RAW[24:36])
    found = list(read_records(DEAL12, whole, lambda error: problems.append(str(error))))
    assert found == [(0, 100), (1, 101), (3, 102)]
    assert problems.pop().startswith("deal12 record 2 at byte 24: ")
    cut_off = "deal12 record 19 at byte 228: the file ends after 11 of 12 bytes"
    assert problems == [cut_off] * 2


def sum_by_hand(data: bytes) -> int:
    """The sum of the words, a last one that is cut short filled with zeros."""
    whole = data + bytes(-len(data) % 4)
    return sum(int(word) for (word,) in struct.iter_unpack("<I", whole)) % 2**64


SUMS = {
    "": "0",
    "0001": "100",
    "ffffffff" * 2: "1FFFFFFFE",
    "0100000002": "3",
    "000000000000000a": "A000000",
    "efbeadde" + "00" * 4: "DEADBEEF",
}


def test_sums_beside_bytes() -> None:
    for data, shown in SUMS.items():
        total = Checksum()
        total.update(bytes.fromhex(data))
        assert (str(total), total.value, total.bytes) == (shown, int(shown, 16), len(data) // 2)
    total._total = 2**64 - 1  # four billion words of FFFFFFFF take too long
    total.update(b"\x02")
    assert (total.value, str(total)) == (1, "1")


@given(parts=st.lists(st.binary(max_size=20), max_size=12))
def test_any_chunking_gives_the_same_sum(parts: list[bytes]) -> None:
    total, so_far = Checksum(), b""
    for part in parts:
        total.update(part)
        so_far += part
        assert (total.value, total.bytes) == (sum_by_hand(so_far), len(so_far))


@pytest.mark.parametrize("size", [-1, 3, 10_000])
def test_a_summed_stream_hands_on_what_is_read(size: int) -> None:
    data = bytes(range(1, 200)) * 3
    for stream in (io.BytesIO(data), Dribble(data, 7), io.BufferedReader(Dribble(data, 5))):
        through = SummedStream(cast("BinaryIO", stream))
        assert b"".join(iter(lambda: through.read(size), b"")) == data  # noqa: B023
        assert (through.checksum.value, through.checksum.bytes) == (sum_by_hand(data), len(data))


def test_a_summed_stream_hands_on_what_is_written() -> None:
    target = io.BytesIO()
    through = SummedStream(target)
    counts = [through.write(part) for part in (b"12345", bytearray(b"678"), memoryview(b"9"))]
    assert (counts, target.getvalue()) == ([5, 3, 1], b"123456789")
    assert through.checksum.value == sum_by_hand(b"123456789")
