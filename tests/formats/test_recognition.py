"""The format of a stream without a name, by its first bytes."""

from __future__ import annotations

import io
import json

import pytest
from formats_support import DEAL, OTHER, write_format

import pavcodec as pav
from pavcodec.formats import recognise

BOARDS = [
    pav.Board.make(pav.Deal.from_pbn(text), number=number)
    for number, text in enumerate((DEAL, OTHER), 1)
]


class Slow(io.RawIOBase):
    """A stream that returns a few bytes at a time."""

    def __init__(self, data: bytes) -> None:
        self._rest = data

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data, self._rest = self._rest[: min(size, 5)], self._rest[min(size, 5) :]
        return data


@pytest.mark.parametrize("name", ["dup", "bri", "dge", "ber", "rzd", "hrf"])
def test_records_of_clubs_are_recognised(name: str) -> None:
    data = write_format(name, BOARDS).data
    for stream in (io.BytesIO(data), Slow(data)):
        found, whole = recognise(stream)  # type: ignore[arg-type]  # as sys.stdin.buffer
        assert found.name == name
        boards = list(pav.read(whole, format=name))
        assert [board.layout for board in boards] == [board.layout for board in BOARDS]


def test_one_board_of_ber_is_a_line_of_digits() -> None:
    found, _ = recognise(io.BytesIO(write_format("ber", BOARDS[:1]).data))
    assert found.name == "deal-digits"


def test_text_is_no_club_format() -> None:
    for text in (" " * 16 + "♠ K", "1 S", "  " + " " * 11 + "x", "12345678" * 20):
        found, _ = recognise(io.BytesIO(text.encode()))
        assert found.name not in ("dup", "bri", "dge", "ber", "rzd", "hrf")


@pytest.mark.slow
def test_a_long_first_line_is_recognised() -> None:
    data = json.dumps([{"deal": DEAL, "board": number} for number in range(15_000)]).encode()
    assert len(data) > 1 << 20
    found, whole = recognise(io.BytesIO(data))
    assert found.name == "json"
    assert sum(1 for _ in pav.read(whole, format="json")) == 15_000
