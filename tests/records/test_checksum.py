"""The checksum of binary files: the 64-bit sum of their 32-bit words."""

from __future__ import annotations

import io
import struct
from array import array
from typing import BinaryIO, cast

import pytest
from formats_support import Dribble
from hypothesis import given
from hypothesis import strategies as st

from pavcodec.records import Checksum, SummedStream


def sum_by_hand(data: bytes) -> int:
    """The sum of the words, a last one that is cut short filled with zeros."""
    whole = data + bytes(-len(data) % 4)
    return sum(int(word) for (word,) in struct.iter_unpack("<I", whole)) % 2**64


def summed(*parts: bytes) -> Checksum:
    """The checksum of bytes that come in parts."""
    total = Checksum()
    for part in parts:
        total.update(part)
    return total


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ("", "0"),
        ("01", "1"),
        ("0001", "100"),
        ("01000000", "1"),
        ("ffffffff", "FFFFFFFF"),
        ("ffffffff" * 2, "1FFFFFFFE"),
        ("0100000002", "3"),
        ("000000000000000a", "A000000"),
        ("efbeadde" + "00" * 4, "DEADBEEF"),
    ],
)
def test_sums_beside_bytes(data: str, shown: str) -> None:
    total = summed(bytes.fromhex(data))
    assert (str(total), total.value) == (shown, int(shown, 16))
    assert total.value == sum_by_hand(bytes.fromhex(data))
    assert total.bytes == len(data) // 2


@given(parts=st.lists(st.binary(max_size=20), max_size=12))
def test_any_chunking_gives_the_same_sum(parts: list[bytes]) -> None:
    data = b"".join(parts)
    total = summed(*parts)
    assert total.value == summed(data).value == sum_by_hand(data)
    assert total.bytes == len(data)
    by_bytes = summed(*(data[place : place + 1] for place in range(len(data))))
    assert (by_bytes.value, by_bytes.bytes) == (total.value, total.bytes)


@given(parts=st.lists(st.binary(max_size=9), max_size=6))
def test_the_sum_may_be_asked_for_on_the_way(parts: list[bytes]) -> None:
    total, sofar = Checksum(), b""
    for part in parts:
        total.update(part)
        sofar += part
        assert total.value == sum_by_hand(sofar)


def test_a_sum_wraps_at_64_bits() -> None:
    total = summed(b"\xff" * 8)
    total._total = 2**64 - 1  # four billion words of FFFFFFFF take too long
    total.update(b"\x02")
    assert (total.value, str(total)) == (1, "1")


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_buffer_is_summed(kind: type[bytes | bytearray | memoryview]) -> None:
    data = bytes(range(250))
    total = Checksum()
    total.update(kind(data))
    assert (total.value, total.bytes) == (sum_by_hand(data), 250)


def test_a_view_of_words_counts_in_bytes() -> None:
    words = array("I", [1, 2, 3])
    total = Checksum()
    total.update(memoryview(words))
    assert (total.value, total.bytes) == (sum_by_hand(words.tobytes()), len(words.tobytes()))


DATA = bytes(range(1, 200)) * 3


@pytest.mark.parametrize("size", [-1, 1, 3, 64, 10_000])
def test_a_summed_stream_hands_on_what_is_read(size: int) -> None:
    for stream in (io.BytesIO(DATA), Dribble(DATA, 7), io.BufferedReader(Dribble(DATA, 5))):
        through = SummedStream(cast("BinaryIO", stream))
        parts = []
        while part := through.read(size):
            parts.append(part)
        assert b"".join(parts) == DATA
        assert (through.checksum.value, through.checksum.bytes) == (sum_by_hand(DATA), len(DATA))


def test_a_summed_stream_hands_on_what_is_written() -> None:
    target = io.BytesIO()
    through = SummedStream(target)
    counts = [through.write(part) for part in (b"12345", bytearray(b"678"), memoryview(b"9"))]
    assert counts == [5, 3, 1]
    assert target.getvalue() == b"123456789"
    assert through.checksum.value == sum_by_hand(b"123456789")
    assert not target.closed
