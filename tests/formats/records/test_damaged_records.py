"""Damaged files of records: every problem has its record and byte, the other records are kept."""

from __future__ import annotations

import pytest
from formats_support import DEAL, OTHER, Reading, read_format, write_format
from hypothesis import given, settings
from hypothesis import strategies as st
from records_support import BOARD_SIZES, flipped, is_good

from pavcodec import Board, Deal, Layout, TrickTable, numbering
from pavcodec.formats.records.boards import RECORD_FORMATS

every_format = pytest.mark.parametrize("name", RECORD_FORMATS)
SOLVED = [
    Board.make(Deal.from_pbn(text), number=1, tricks=TrickTable(bytes([tricks] * 20)))
    for text, tricks in ((DEAL, 7), (OTHER, 13), (str(numbering("deal")[0]), 0))
]


def good(name: str) -> bytes:
    """The records of three boards."""
    data, problems = write_format(name, SOLVED)
    assert problems == []
    return data


def facts(reading: Reading) -> list[tuple[Layout | None, TrickTable | None]]:
    """What boards hold."""
    return [(board.layout, board.tricks) for board in reading.boards]


@every_format
def test_a_file_that_is_cut_off_gives_the_whole_records(name: str) -> None:
    size, data = BOARD_SIZES[name], good(name)
    whole = facts(read_format(name, data))
    for length in (1, size - 1, size + 1, 3 * size - 1):
        reading = read_format(name, data[:length])
        count, rest = divmod(length, size)
        assert facts(reading) == whole[:count]
        assert reading.problem.line is None
        assert str(reading.problem) == (
            f"in.{name}: {name} record {count} at byte {count * size}: "
            f"the file ends after {rest} of {size} bytes"
        )


WHY = {
    "deal12": (b"\xff" * 12, "numbers are 0 to 53644737765488792839237439999, not 7922816"),
    "balanced14": (bytes(13) + b"\x80", "bit 111 must be 0"),
    "ending15": (b"\xff" * 15, "numbers are 0 to 1068380067768858063542620835042803324, not 1329"),
    "legal14": (bytes(13) + b"\x08", "bits 107 to 111 must be 0"),
    "base5-16": (b"\xff" * 16, "numbers are 0 to 2220446049250313080847263336181640624, not 2658"),
    "deal13": (b"\xff" * 13, "a deal has 13 cards in each hand; here N holds 0, E 0, S 0, W 52"),
    "layout20": (b"\x05" + bytes(19), "card SA has owner 5, expected 0 to 4"),
    "zrd": (bytes(23), "a deal has 13 cards in each hand; here N holds 0, E 0, S 0, W 52"),
    "zdd": (b"\x0e" + bytes(9), "W in NT takes 14 tricks, expected 0 to 13"),
    "gib-library": (b"\x04" + bytes(25), "bits 2 to 7, 34 to 39, 66 to 71, 98 to 103 must be 0"),
}


@every_format
def test_a_record_that_is_none_is_one_problem_and_those_around_it_are_kept(name: str) -> None:
    (bad, reason), size, data = WHY[name], BOARD_SIZES[name], good(name)
    whole = facts(read_format(name, data))
    for place in range(3):
        damaged = data[: place * size] + bad + data[(place + 1) * size :]
        reading = read_format(name, damaged)
        assert facts(reading) == whole[:place] + whole[place + 1 :]
        where = f"in.{name}: {name} record {place} at byte {place * size}: "
        assert str(reading.problem).startswith(where + reason)


@pytest.mark.slow
@every_format
@given(data=st.data())
@settings(max_examples=25)
def test_flipped_bits_are_seen_exactly_where_they_make_no_record(
    name: str, data: st.DataObject
) -> None:
    size, raw = BOARD_SIZES[name], good(name)
    for bit in data.draw(st.lists(st.integers(0, 24 * size - 1), max_size=4)):
        raw = flipped(raw, bit)
    parts = [raw[start : start + size] for start in range(0, 3 * size, size)]
    bad = [place for place, part in enumerate(parts) if not is_good(name, part)]
    reading = read_format(name, raw)
    assert len(reading.boards) == 3 - len(bad)
    assert [str(problem).split(": ")[1] for problem in reading.problems] == [
        f"{name} record {place} at byte {place * size}" for place in bad
    ]
    kept = b"".join(part for place, part in enumerate(parts) if place not in bad)
    assert write_format(name, reading.boards).data == kept
