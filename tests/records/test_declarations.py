"""The declarations: their sizes, their fields and bit tables, against plain shifts."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest
from records_support import SIZES, WIDTHS

from pavcodec import RecordError, record
from pavcodec.records.declarations import Fields, bit_table

NAMES = list(SIZES)
every_record = pytest.mark.parametrize("name", NAMES)

FIELD_NAMES = {
    "deal12": ["number"],
    "balanced14": ["number", "reserved"],
    "ending15": ["number"],
    "legal14": ["number", "reserved"],
    "base5-16": ["number", "spare"],
    "deal13": ["owners"],
    "layout20": ["owners", "reserved"],
    "zbs-word": ["suit", "suit_flag"],
    "zbs-diagram": ["spades", "spades_flag", "hearts", "hearts_flag", "diamonds", "diamonds_flag",
            "clubs", "clubs_flag"],
    "zrd": ["owners", "notrump", "spades", "hearts", "diamonds", "clubs"],
    "zdd": ["notrump", "spades", "hearts", "diamonds", "clubs"],
    "gib-library": [
        *(f"{suit}_{part}" if part != "reserved" else part
          for suit in ("spade", "heart", "diamond", "club")
          for part in ("two", "reserved", "owners")),
        "notrump", "spades", "hearts", "diamonds", "clubs",
    ],
    "case16": ["total", "first_pattern", "second_pattern", "first_honours", "second_honours",
               "reserved"],
}  # fmt: skip
PLACES = {
    "deal12": [(0, 95)],
    "balanced14": [(0, 110), (111, 111)],
    "ending15": [(0, 119)],
    "legal14": [(0, 106), (107, 111)],
    "base5-16": [(0, 120), (121, 127)],
    "deal13": [(0, 103)],
    "layout20": [(0, 155), (156, 159)],
    "zbs-word": [(0, 30), (31, 31)],
    "zbs-diagram": [
        (0, 30),
        (31, 31),
        (32, 62),
        (63, 63),
        (64, 94),
        (95, 95),
        (96, 126),
        (127, 127),
    ],
    "zrd": [(0, 103), (104, 119), (120, 135), (136, 151), (152, 167), (168, 183)],
    "zdd": [(0, 15), (16, 31), (32, 47), (48, 63), (64, 79)],
    "gib-library": [
        *(
            (first + begin, first + end)
            for first in range(0, 128, 32)
            for begin, end in ((0, 1), (2, 7), (8, 31))
        ),
        *((first, first + 15) for first in range(128, 208, 16)),
    ],
    "case16": [(0, 72), (73, 82), (83, 92), (93, 108), (109, 124), (125, 127)],
}


@every_record
def test_a_declaration_is_as_long_as_its_record(name: str) -> None:
    assert bit_table(name).size == record(name).size == SIZES[name] == sum(WIDTHS[name]) // 8


@every_record
def test_the_bit_table_is_the_one_of_the_format(name: str) -> None:
    rows = record(name).bits
    assert [row.name for row in rows] == FIELD_NAMES[name]
    assert [(row.first, row.last) for row in rows] == PLACES[name]
    assert all(row.meaning for row in rows)


@every_record
def test_the_bit_table_covers_every_bit_once(name: str) -> None:
    rows = record(name).bits
    covered = [bit for row in rows for bit in range(row.first, row.last + 1)]
    assert covered == list(range(8 * record(name).size))
    assert all(before.last + 1 == after.first for before, after in pairwise(rows))


RESERVED = {
    "balanced14": ("bit 111", [111]),
    "legal14": ("bits 107 to 111", [*range(107, 112)]),
    "layout20": ("bits 156 to 159", [*range(156, 160)]),
    "gib-library": (
        "bits 2 to 7, 34 to 39, 66 to 71, 98 to 103",
        [first + bit for first in range(0, 128, 32) for bit in range(2, 8)],
    ),
    "case16": ("bits 125 to 127", [125, 126, 127]),
}
"""The bits of each record that must be 0, in words and one by one."""


@pytest.mark.parametrize(("name", "reserved"), RESERVED.items())
def test_every_reserved_bit_is_refused_by_its_place(
    name: str, reserved: tuple[str, list[int]]
) -> None:
    which, bits = reserved
    for bit in bits:
        with pytest.raises(RecordError) as caught:
            bit_table(name).split_by_declaration((1 << bit).to_bytes(SIZES[name], "little"))
        assert str(caught.value) == f"{name} record: {which} must be 0"


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("deal12", (1 << 96,)),
        ("deal12", (-1,)),
        ("balanced14", (1 << 111,)),
        ("base5-16", (0, 128)),
        ("deal13", (bytes([4] * 52),)),
        ("deal13", (bytes(51),)),
        ("zdd", (bytes([16] * 20),)),
        ("case16", (0, 1024, 0, 0, 0)),
        ("zbs-word", (0, 2)),
    ],
)
def test_a_number_too_big_for_its_field_is_an_error_of_records(name: str, fields: Fields) -> None:
    for join in (bit_table(name).join_by_declaration, bit_table(name).join):
        with pytest.raises(RecordError) as caught:
            join(fields)
        assert caught.value.record == name
        assert "\n" not in str(caught.value)


def test_bytes_of_another_length_are_an_error_of_records_as_well() -> None:
    for name in NAMES:
        with pytest.raises(RecordError) as caught:
            bit_table(name).split_by_declaration(bytes(SIZES[name] - 1))
        assert caught.value.record == name


QUICK = """
import sys
from pavcodec import deals, numbering, record
for name in ("deal12", "balanced14", "ending15", "legal14"):
    found = record(name)
    assert list(found.parse_many(found.build_many([5, found.parse(bytes(found.size))]))) == [5, 0]
assert numbering("deal").from_bytes(bytes(12)) in numbering("deal")
some = deals("spades(west) == 9")
assert some.from_bytes(some.to_bytes(some[5])) == some[5]
assert "construct" not in sys.modules
record("deal12").parse_by_declaration(bytes(12))
assert "construct" in sys.modules
"""


@pytest.mark.slow
def test_records_of_numbers_do_not_need_construct_and_their_declarations_do() -> None:
    done = subprocess.run(
        [sys.executable, "-c", QUICK], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
