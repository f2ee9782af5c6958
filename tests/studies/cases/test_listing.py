"""Files of listings: the same cases, byte by byte as declared, whole or refused."""

from __future__ import annotations

import os
import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

from pavcodec import Case, ReadError, RecordError, record
from pavcodec.studies.cases import CaseListing, CaseTable, Plan, case_table, open_cases
from pavcodec.studies.cases.files import CASE_BLOCK, CASE_FOOT, CaseBlock, CaseFoot

LONG = "hcp(north) == 10 && hcp(south) <= 7"
"""More than two blocks of cases."""
BLOCK = 65536


@pytest.fixture(scope="module")
def table() -> CaseTable:
    """A listing of more than two blocks."""
    return case_table(LONG)


@pytest.fixture(scope="module")
def path(table: CaseTable, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its file."""
    path = tmp_path_factory.mktemp("listing") / "long.cases"
    assert table.save(path) == len(table)
    return path


@pytest.fixture
def listing(path: Path) -> Iterator[CaseListing]:
    """Its file, open."""
    with open_cases(path) as found:
        yield found


@pytest.mark.slow
def test_a_file_has_the_cases_of_the_table(table: CaseTable, listing: CaseListing) -> None:
    assert 2 * BLOCK < len(listing) == len(table) < 3 * BLOCK
    assert listing.cardinality == table.cardinality
    assert (listing.where, listing.plan) == (table.where, table.plan)
    assert list(listing) == list(table)
    for place in (0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 5, len(table) - 1, -1):
        assert listing[place] == table[place]
    assert listing[BLOCK - 3 : BLOCK + 3] == table[BLOCK - 3 : BLOCK + 3]
    assert listing[::-30011] == table[::-30011]


@pytest.mark.slow
def test_numbers_pick_the_same_cases(table: CaseTable, listing: CaseListing) -> None:
    numbers = random.Random(7)
    picked = [numbers.randrange(table.cardinality) for _ in range(50)]
    for place in (0, BLOCK - 1, BLOCK, len(table) - 1):
        total = table[place].total
        picked += [total - 1, total] if total < table.cardinality else [total - 1]
    for number in picked:
        place = listing.select(number)
        assert place == table.select(number)
        assert listing.total_before(place) <= number < listing[place].total


def test_every_byte_is_as_declared(path: Path, table: CaseTable) -> None:
    data = path.read_bytes()
    case16 = record("case16")
    places = [*range(0, len(table), 997), len(table) - 1]
    for place in places:
        raw = data[16 * place : 16 * place + 16]
        assert raw == case16.build_by_declaration(table[place])
        assert case16.parse(raw) == table[place]
    index = data[16 * len(table) :]
    blocks = -(-len(table) // BLOCK)
    for block in range(blocks):
        end = min((block + 1) * BLOCK, len(table))
        cases = data[16 * block * BLOCK : 16 * end]
        entry = CaseBlock(table[end - 1].total, crc32(cases))
        assert index[16 * block : 16 * block + 16] == CASE_BLOCK.build(entry)
    text = index[16 * blocks : -32]
    assert text.decode() == LONG
    foot = CaseFoot((0, 2), False, True, len(text), len(table), crc32(index[:-4]))
    assert index[-32:] == CASE_FOOT.build(foot)
    assert index[-32:-24] == b"PAVCASES"


def test_listings_of_every_kind(tmp_path: Path) -> None:
    for where in (
        "spades(west) == 9",
        "hcp(north) == 3",
        "hcp(east) > 33 && clubs(east) == 5",
    ):
        table, path = case_table(where), tmp_path / "kind.cases"
        table.save(path)
        with open_cases(path) as listing:
            assert list(listing) == list(table)
            assert listing.plan == table.plan
            assert [*listing.rows()] == [*table.rows()]
    nothing = case_table("hcp(north) > 37")
    assert nothing.save(tmp_path / "none.cases") == 0
    with open_cases(tmp_path / "none.cases") as listing:
        assert (len(listing), listing.cardinality, list(listing)) == (0, 0, [])


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The file of a small listing."""
    path = tmp_path / "small.cases"
    case_table("spades(west) == 9 && shape(east, xx66)").save(path)
    return path


def used(path: Path) -> None:
    """Read everything that there is in a listing."""
    with open_cases(path) as listing:
        list(listing)


@pytest.mark.slow
def test_a_changed_byte_is_found(small: Path) -> None:
    data = small.read_bytes()
    for place in range(len(data)):
        small.write_bytes(data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :])
        with pytest.raises(ReadError, match=r"small\.cases: this"):
            used(small)
    small.write_bytes(data)
    used(small)


def test_a_part_of_a_file_is_no_listing(small: Path) -> None:
    data = small.read_bytes()
    for part in (*range(0, len(data), 7), len(data) - 1):
        small.write_bytes(data[:part])
        with pytest.raises(ReadError, match="no complete case listing"):
            used(small)
    for wrong in (data[16:], b"\0" * 16 + data, data + b"\0"):
        small.write_bytes(wrong)
        with pytest.raises(ReadError):
            used(small)


def test_another_version_is_refused(small: Path) -> None:
    data = bytearray(small.read_bytes())
    data[-24] = 2
    small.write_bytes(data)
    with pytest.raises(ReadError, match="the version is 2; this program reads version 1"):
        open_cases(small)


def test_damage_is_told_with_its_place(small: Path) -> None:
    data = bytearray(small.read_bytes())
    data[100] ^= 1
    small.write_bytes(data)
    with open_cases(small) as listing, pytest.raises(ReadError, match="cases 1 to 30 were changed"):
        listing.select(5)


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_cases(tmp_path / "absent.cases")
    with pytest.raises(ReadError, match="regular file"):
        open_cases(tmp_path)


def test_a_file_is_complete_or_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = case_table("hcp(north) == 3 && hcp(south) == 3")
    monkeypatch.setattr(table, "chunks", lambda: iter([b"", None]))
    with pytest.raises(TypeError):
        table.save(tmp_path / "new.cases")
    assert os.listdir(tmp_path) == []


def test_a_listing_is_pickled_as_its_path(small: Path) -> None:
    with open_cases(small) as listing:
        twin = pickle.loads(pickle.dumps(listing))
        assert list(twin) == list(listing)
        twin.close()
    for one in (CASE_BLOCK, CASE_FOOT):
        assert pickle.loads(pickle.dumps(one)) is one


FOOT = CaseFoot((0, None), True, False, 17, 15, 0xFFFFFFFF)


def test_the_records_around_the_cases() -> None:
    entry = CaseBlock(5157850293780050462400, 0x01020304)
    assert (CASE_BLOCK.size, CASE_FOOT.size) == (16, 32)
    assert CASE_BLOCK.build(entry).hex() == "c0c6151cbb4a8d9b" + "1701" + "0000" + "04030201"
    assert CASE_BLOCK.parse(CASE_BLOCK.build(entry)) == entry
    raw = CASE_FOOT.build(FOOT)
    assert raw == b"PAVCASES\1\0\x60" + bytes(5) + bytes([17, 0, 0, 0, 15]) + bytes(7) + b"\xff" * 4
    assert CASE_FOOT.parse(raw) == FOOT


MOST = 5157850293780050462400
"""The greatest running total: all pairs of hands."""


@pytest.mark.parametrize("text", ["", "x" * 70_000, "♠" * 5])
@pytest.mark.parametrize("total", [5, 1 << 64, MOST])
def test_a_file_with_every_field_at_its_limits(text: str, total: int, tmp_path: Path) -> None:
    path = tmp_path / "limits.cases"
    every = [
        Case(1, 0, 559, 0xFFF8, 0x0007),
        Case(2, 559, 0, 0x0000, 0xFFF8),
        Case(3, 559, 559, 0x8000, 0x7FF8),
        Case(total, 0, 0, 0x0001, 0x0000),
    ]
    data = record("case16").build_many(every)
    tail = CASE_BLOCK.build(CaseBlock(total, crc32(data))) + text.encode()
    foot = CaseFoot((3, 0), True, True, len(text.encode()), 4, 0)
    tail += CASE_FOOT.build(foot)[:-4]
    path.write_bytes(data + tail + crc32(tail).to_bytes(4, "little"))
    with open_cases(path) as found:
        assert list(found) == every
        assert [found[place] for place in range(4)] == every
        assert (found.where, found.cardinality) == (text, total)
        assert found.plan == Plan((3, 0), patterns=True, honours=True)
        assert [found.select(number) for number in (0, 1, 2, 3, total - 1)] == [0, 1, 2, 3, 3]


COLUMNS = [(True, True), (True, False), (False, True)]
SEATS = [(first, second) for first in range(4) for second in (*range(4), None) if first != second]


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("seats", SEATS)
def test_the_foot_at_its_limits(seats: tuple[int, int | None], columns: tuple[bool, bool]) -> None:
    for text_bytes in (0, 1, (1 << 32) - 1):
        for cases in (0, 1, (1 << 64) - 1):
            for checksum in (0, 1 << 31, (1 << 32) - 1):
                foot = CaseFoot(seats, *columns, text_bytes, cases, checksum)
                raw = CASE_FOOT.build(foot)
                assert CASE_FOOT.parse(raw) == foot
                assert raw[16:] == b"".join(
                    number.to_bytes(size, "little")
                    for number, size in ((text_bytes, 4), (cases, 8), (checksum, 4))
                )


def test_entries_at_their_limits() -> None:
    for total in (0, 1, 1 << 64, 1 << 72, MOST):
        for checksum in (0, 1, 1 << 31, (1 << 32) - 1):
            raw = CASE_BLOCK.build(CaseBlock(total, checksum))
            assert raw == total.to_bytes(12, "little") + checksum.to_bytes(4, "little")
            assert CASE_BLOCK.parse(raw) == CaseBlock(total, checksum)


@pytest.mark.parametrize("value", [-1, 1 << 64])
def test_past_the_limits_nothing_is_built(value: int) -> None:
    for foot in (
        FOOT._replace(text_bytes=value),
        FOOT._replace(cases=value),
        FOOT._replace(checksum=value),
    ):
        with pytest.raises(RecordError):
            CASE_FOOT.build(foot)
    for entry in (CaseBlock(value << 10, 5), CaseBlock(5, value)):
        with pytest.raises(RecordError):
            CASE_BLOCK.build(entry)


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        (0, 0, "do not begin with PAVCASES"),
        (8, 9, "the version is 9"),
        (10, 0x64, "4 and 4 are not two seats"),
        (10, 0x40, "0 and 0 are not two seats"),
        (10, 0x78, "0 and 7 are not two seats"),
        (10, 0x20, "neither patterns nor honours"),
        (11, 1, "bits 88 to 127 must be 0"),
    ],
)
def test_what_is_no_foot(place: int, value: int, reason: str) -> None:
    raw = bytearray(CASE_FOOT.build(FOOT))
    raw[place] = value
    with pytest.raises(RecordError, match=reason):
        CASE_FOOT.parse(raw)
    with pytest.raises(RecordError, match="a running total is 0 to"):
        CASE_BLOCK.parse(b"\xff" * 9 + b"\1" + bytes(6))
