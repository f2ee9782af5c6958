"""Readers never raise and never lose their way, whatever the bytes."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import BinaryIO

import pytest
from formats_support import DEAL, DEMO, ENDING, NUMBER, write_bytes
from hypothesis import given, settings
from hypothesis import strategies as st

from pavcodec import Board, Seat, Vulnerability, numbering
from pavcodec.boards import Context, Problem
from pavcodec.formats import format_of
from pavcodec.formats.pbn.reader import read_pbn

READERS = {"pbn": read_pbn, "lines": format_of("lines").read, "numbers": format_of("numbers").read}
VALID = [
    DEMO.read_bytes()[:700],
    f'{{a\n\nb}}[Event "##é"]\n[Deal "{DEAL}"]\n[Auction "N"]\n1C =1=\n[Note "1:x"]\n'.encode() * 2,
    f"{DEAL}\n{ENDING}\n".encode(),
    f"{NUMBER}\n0x{NUMBER:x}\n-1\n{NUMBER:,}\n".encode(),
    f'[Event "x"]\n[Deal "{DEAL}"]\n'.encode("utf-16"),
]

Reader = Callable[[BinaryIO, Context], Iterator[Board]]


def read_everything(reader: Reader, data: bytes, *, strict: bool = False) -> list[Board]:
    """Read all boards, look at every property, and check that problems stand in the file."""
    problems: list[Problem] = []
    context = Context("x", problems.append, strict, numbering("deal"))
    boards = list(reader(io.BytesIO(data), context))
    for board in boards:
        assert board.line is not None
        assert board.number is None or board.number > 0
        assert board.dealer is None or board.dealer in Seat
        assert board.vulnerable is None or board.vulnerable in Vulnerability
        assert len(board.tags) <= len(board.entries)
        assert len(board.sections) <= len(board.entries)
    last = data.count(b"\n") + data.count(b"\r") + 1
    for problem in problems:
        assert problem.line is not None
        assert 1 <= problem.line <= last
        assert "\n" not in str(problem)
    return boards


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS.keys())
@settings(deadline=None, max_examples=125)
@given(st.binary(max_size=300), st.booleans())
def test_any_bytes(reader: Reader, data: bytes, strict: bool) -> None:
    read_everything(reader, data, strict=strict)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Draw a valid file with some places changed, dropped, doubled or put in."""
    data = bytearray(draw(st.sampled_from(VALID)))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(data)))
        stop = start + draw(st.integers(0, 8))
        tokens = [
            b"{",
            b"}",
            b'"',
            b"\\",
            b"[",
            b"]",
            b";",
            b"%",
            b"\n",
            b"\r",
            b"\n\n",
            b"\x1a",
            b"#",
        ]
        piece = draw(
            st.sampled_from(tokens) | st.binary(max_size=4) | st.just(bytes(data[start:stop]))
        )
        data[start:stop] = piece * draw(st.integers(1, 2))
    return bytes(data)


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS.keys())
@settings(deadline=None, max_examples=150)
@given(mutated())
def test_valid_files_with_some_damage(reader: Reader, data: bytes) -> None:
    read_everything(reader, data)


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(mutated())
def test_what_was_read_from_a_damaged_file_can_be_written(data: bytes) -> None:
    boards = read_everything(read_pbn, data)
    again = read_everything(read_pbn, write_bytes(boards))
    layouts = [board.layout for board in boards if board.layout is not None]
    assert [board.layout for board in again if board.layout is not None] == layouts
