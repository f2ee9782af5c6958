"""Listings that somebody made up: with fresh checksums, and cases that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from zlib import crc32

import pytest

import pavcodec as pav
from pavcodec.records import Case, record
from pavcodec.studies.cases.files import CASE_BLOCK, CASE_FOOT, fault_of_cases

WHERES = [
    "spades(west) == 9",
    "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6",
    "hcp(north) >= 36",
    "hcp(south) >= 36 && spades(south) == 3 && spades(north) == 10",
    "hcp(south) == 36 && hcp(north) <= 1",
]


def crafted(table: pav.CaseTable, cases: list[Case], path: Path, *, end: int | None = None) -> Path:
    """A file of some cases that says that they are those of a table."""
    table.save(path)
    foot = CASE_FOOT.parse(path.read_bytes()[-CASE_FOOT.size :])
    data = record("case16").build_many(cases)
    total = cases[-1].total if end is None else end
    tail = CASE_BLOCK.build_many(
        [CASE_BLOCK.parse(total.to_bytes(12, "little") + bytes(4))._replace(checksum=crc32(data))]
    )
    tail += table.where.encode() + CASE_FOOT.build(foot._replace(cases=len(cases)))[:-4]
    path.write_bytes(data + tail + crc32(tail).to_bytes(4, "little"))
    return path


def asked(path: Path) -> None:
    """Ask a listing for all it has."""
    with pav.open_cases(path) as listing:
        list(listing.rows())
        deals = listing.deals
        assert all(deal in deals for deal in deals.sample(3, seed=1))


@pytest.mark.slow
@pytest.mark.parametrize("where", WHERES)
def test_cases_without_fault(where: str, tmp_path: Path) -> None:
    table = pav.case_table(where)
    asked(crafted(table, list(table), tmp_path / "a.cases"))
    for start in (0, len(table) // 2):
        some = list(table)[start:]
        data = record("case16").build_many(some)
        before = table.total_before(start)
        assert fault_of_cases(table.plan, data, before, some[-1].total) is None
        assert fault_of_cases(table.plan, data, before + 1, some[-1].total)
        assert fault_of_cases(table.plan, data, before, some[-1].total + (1 << 64))


CHANGES: dict[str, Callable[[Case], Case]] = {
    "a total more": lambda case: case._replace(total=case.total + 1),
    "a total of a word more": lambda case: case._replace(total=case.total + (1 << 64)),
    "another pattern": lambda case: case._replace(first_pattern=(case.first_pattern or 0) ^ 1),
    "no pattern": lambda case: case._replace(first_pattern=None),
    "a second hand": lambda case: case._replace(second_pattern=3),
    "honours": lambda case: case._replace(first_honours=0x1000),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", CHANGES)
@pytest.mark.parametrize("place", [0, 7, 14])
def test_a_case_that_cannot_be_is_refused(kind: str, place: int, tmp_path: Path) -> None:
    table = pav.case_table(WHERES[0])
    cases = list(table)
    cases[place] = CHANGES[kind](cases[place])
    path = crafted(table, cases, tmp_path / "a.cases")
    with pytest.raises(pav.ReadError, match=r"a\.cases: this listing cannot be used"):
        asked(path)


def test_cases_out_of_order_or_short_of_the_index_are_refused(tmp_path: Path) -> None:
    table = pav.case_table(WHERES[1])
    cases = list(table)
    first, second = cases[:2]
    cases[:2] = [
        second._replace(total=second.total - first.total),
        first._replace(total=second.total),
    ]
    with pytest.raises(pav.ReadError, match="are not in order"):
        asked(crafted(table, cases, tmp_path / "a.cases"))
    total = table.cardinality
    crafted(table, list(table), tmp_path / "a.cases", end=total + 5)
    with (
        pav.open_cases(tmp_path / "a.cases") as listing,
        pytest.raises(pav.ReadError, match="have other totals than its index"),
    ):
        listing.select(total + 2)


@pytest.mark.slow
@pytest.mark.parametrize("where", WHERES[:2])
def test_any_damage_with_fresh_checksums_is_an_error_of_ours(where: str, tmp_path: Path) -> None:
    table, path, random = pav.case_table(where), tmp_path / "a.cases", Random(1)
    table.save(path)
    whole, start = path.read_bytes(), 16 * len(table)
    refused = 0
    for _ in range(150):
        data = bytearray(whole)
        place = random.choice([random.randrange(start), random.randrange(start, len(whole))])
        data[place] ^= 1 << random.randrange(8)
        data[start + CASE_BLOCK.size - 4 : start + CASE_BLOCK.size] = crc32(data[:start]).to_bytes(
            4, "little"
        )
        data[-4:] = crc32(data[start:-4]).to_bytes(4, "little")
        path.write_bytes(data)
        try:
            asked(path)
        except pav.PavError:
            refused += 1
    assert refused > 75
