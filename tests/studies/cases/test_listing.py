"""Files of listings: the same cases, byte by byte as declared, whole or refused."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from random import Random
from zlib import crc32

import pytest

from pavcodec import Case, ReadError, RecordError, record
from pavcodec.studies.cases import CaseListing, CaseTable, case_table, open_cases
from pavcodec.studies.cases.files import (
    CASE_BLOCK,
    CASE_FOOT,
    CaseBlock,
    CaseFoot,
    fault_of_cases,
)

LONG = "hcp(north) == 10 && hcp(south) <= 7"
"""More than two blocks of cases."""
BLOCK = 65536
CASE16 = record("case16")


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
    places = [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 5, len(table) - 1]
    for place in (*places, -1):
        assert listing[place] == table[place]
    for part in (slice(BLOCK - 3, BLOCK + 3), slice(None, None, -30011)):
        assert listing[part] == table[part]
    random = Random(7)
    picked = [random.randrange(table.cardinality) for _ in range(20)]
    picked += [total for place in places for total in (table[place].total - 1, table[place].total)]
    for number in picked[:-1]:
        place = listing.select(number)
        assert place == table.select(number)
        assert listing.total_before(place) <= number < listing[place].total


@pytest.mark.slow
def test_every_byte_is_as_declared(path: Path, table: CaseTable) -> None:
    data = path.read_bytes()
    for place in [*range(0, len(table), 997), len(table) - 1]:
        raw = data[16 * place : 16 * place + 16]
        assert raw == CASE16.build_by_declaration(table[place])
        assert CASE16.parse(raw) == table[place]
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


WHERES = [
    "spades(west) == 9",
    "spades(west) == 9 && shape(east, xx66)",
    "hcp(north) == 3",
    "hcp(east) > 33 && clubs(east) == 5",
]


@pytest.mark.slow
@pytest.mark.parametrize("where", WHERES)
def test_listings_of_every_kind(where: str, tmp_path: Path) -> None:
    table, path = case_table(where), tmp_path / "kind.cases"
    table.save(path)
    with open_cases(path) as listing:
        assert list(listing) == list(table)
        assert listing.plan == table.plan
        assert [*listing.rows()] == [*table.rows()]
        twin = pickle.loads(pickle.dumps(listing))
        assert list(twin) == list(listing)
        twin.close()
    for start in (0, len(table) // 2):
        some, before = list(table)[start:], table.total_before(start)
        data = CASE16.build_many(some)
        assert fault_of_cases(table.plan, data, before, some[-1].total) is None
        assert fault_of_cases(table.plan, data, before + 1, some[-1].total)
        assert fault_of_cases(table.plan, data, before, some[-1].total + (1 << 64))


def test_a_listing_of_nothing_and_a_file_that_is_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = case_table("hcp(north) > 37")
    assert nothing.save(tmp_path / "none.cases") == 0
    with open_cases(tmp_path / "none.cases") as listing:
        assert (len(listing), listing.cardinality, list(listing)) == (0, 0, [])
    with pytest.raises(FileNotFoundError):
        open_cases(tmp_path / "absent.cases")
    with pytest.raises(ReadError, match="regular file"):
        open_cases(tmp_path)
    table = case_table(WHERES[1])
    monkeypatch.setattr(table, "chunks", lambda: iter([b"", None]))
    with pytest.raises(TypeError):
        table.save(tmp_path / "new.cases")
    assert os.listdir(tmp_path) == ["none.cases"]


# damage


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The file of a small listing."""
    path = tmp_path / "small.cases"
    case_table(WHERES[1]).save(path)
    return path


def asked(path: Path) -> None:
    with open_cases(path) as listing:
        list(listing.rows())
        assert all(deal in listing.deals for deal in listing.deals.sample(3, seed=1))


@pytest.mark.slow
def test_a_changed_byte_and_a_part_of_a_file_are_found(small: Path) -> None:
    data = small.read_bytes()
    for place in range(0, len(data), 7):
        small.write_bytes(data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :])
        with pytest.raises(ReadError, match=r"small\.cases: this"):
            asked(small)
    for part in (*range(0, len(data), 37), len(data) - 1):
        small.write_bytes(data[:part])
        with pytest.raises(ReadError, match="no complete case listing"):
            asked(small)
    for wrong in (data[16:], b"\0" * 16 + data, data + b"\0"):
        small.write_bytes(wrong)
        with pytest.raises(ReadError):
            asked(small)
    for place, value, reason in (
        (100, data[100] ^ 1, "cases 1 to 30 were changed"),
        (-24, 2, "vers"),
    ):
        raw = bytearray(data)
        raw[place] = value
        small.write_bytes(raw)
        with pytest.raises(ReadError, match=reason):
            open_cases(small).select(5)


def crafted(table: CaseTable, cases: list[Case], path: Path, *, end: int | None = None) -> Path:
    """A file of some cases that says that they are those of a table, with right checksums."""
    table.save(path)
    foot = CASE_FOOT.parse(path.read_bytes()[-CASE_FOOT.size :])
    data = CASE16.build_many(cases)
    tail = CASE_BLOCK.build(CaseBlock(cases[-1].total if end is None else end, crc32(data)))
    tail += table.where.encode() + CASE_FOOT.build(foot._replace(cases=len(cases)))[:-4]
    path.write_bytes(data + tail + crc32(tail).to_bytes(4, "little"))
    return path


CHANGES: dict[str, Callable[[Case], Case]] = {
    "a total more": lambda case: case._replace(total=case.total + 1),
    "a total of a word more": lambda case: case._replace(total=case.total + (1 << 64)),
    "another pattern": lambda case: case._replace(first_pattern=(case.first_pattern or 0) ^ 1),
    "no pattern": lambda case: case._replace(first_pattern=None),
    "a second hand": lambda case: case._replace(second_pattern=3),
    "honours": lambda case: case._replace(first_honours=0x1000),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_case_that_cannot_be_is_refused(kind: str, tmp_path: Path) -> None:
    table = case_table(WHERES[0])
    asked(crafted(table, list(table), tmp_path / "a.cases"))
    for place in (0, 7, 14):
        cases = list(table)
        cases[place] = CHANGES[kind](cases[place])
        path = crafted(table, cases, tmp_path / "a.cases")
        with pytest.raises(ReadError, match=r"a\.cases: this listing cannot be used"):
            asked(path)


def test_cases_out_of_order_or_short_of_the_index_are_refused(tmp_path: Path) -> None:
    table, path = case_table(WHERES[1]), tmp_path / "a.cases"
    first, second, *rest = list(table)
    later = first._replace(total=second.total)
    swapped = [second._replace(total=second.total - first.total), later, *rest]
    with pytest.raises(ReadError, match="are not in order"):
        asked(crafted(table, swapped, path))
    crafted(table, list(table), path, end=table.cardinality + 5)
    with (
        open_cases(path) as listing,
        pytest.raises(ReadError, match="have other totals than its index"),
    ):
        listing.select(table.cardinality + 2)


# the records around the cases


FOOT = CaseFoot((0, None), True, False, 17, 15, 0xFFFFFFFF)


def test_the_records_around_the_cases() -> None:
    assert CASE_BLOCK.build(CaseBlock(1 << 72, 0x01020304)) == bytes(9) + b"\1\0\0\4\3\2\1"
    raw = b"PAVCASES\1\0\x60" + bytes(5) + bytes([17, 0, 0, 0, 15]) + bytes(7) + b"\xff" * 4
    assert (CASE_FOOT.build(FOOT), CASE_FOOT.parse(raw)) == (raw, FOOT)
    for place, seats in enumerate(product(range(4), (*range(4), None))):
        if seats[0] != seats[1]:
            columns = ((True, True), (True, False), (False, True))[place % 3]
            foot = CaseFoot(seats, *columns, 1 << 31, (1 << 64) - 1, place)
            assert CASE_FOOT.parse(CASE_FOOT.build(foot)) == foot


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        (0, 0, "do not begin with PAVCASES"),
        (8, 9, "the version is 9; this program reads version 1"),
        (10, 0x64, "4 and 4 are not two seats"),
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
