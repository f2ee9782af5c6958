"""Parts of a collection: each has the bytes of `pavcodec deal` for its samples."""

from __future__ import annotations

import pickle
import sys
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

import pavcodec as pav
from pavcodec.cli import main
from pavcodec.collection import make_part
from pavcodec.collection.plan import Part, Plan, Ranges
from pavcodec.errors import NumberError, PavError

FORMATS = [
    "parquet", "pav", "pbn", "pbn.zst", "pbn.gz", "pbn.zip", "deal12", "deal13", "lines", "numbers",
    "npy", "npy:openspiel", "json", "jsonl", "csv", "lin", "html", "dealer-all", "rbn", "deal12.xz",
]  # fmt: skip
CONDITION = "spades(west) == 9"


def named(plan: Plan, index: int, folder: Path) -> bytes:
    return (folder / plan[index].name).read_bytes()


@pytest.mark.parametrize("to", FORMATS)
def test_a_part_has_the_bytes_of_deal(to: str, tmp_path: Path) -> None:
    plan = pav.parts(CONDITION, 40, parts=3, seed="a", start=5, to=to, tags={"Event": "Łódź é"})
    row = make_part(pickle.loads(pickle.dumps(plan)), 1, tmp_path)
    part = plan[1]
    assert (row.part, row.name, row.start, row.count) == (1, part.name, 18, 13)
    output = tmp_path / f"other{plan.making.suffix}"
    options = ["--start", "18", "-n", "13", "--seed", "a", "--event", "Łódź é"]
    name = to.partition(".")[0]
    assert main(["deal", CONDITION, *options, "--to", name, "-o", str(output)]) == 0
    data = named(plan, 1, tmp_path)
    if not to.endswith(".zip"):  # a zip file has the name of its member
        assert output.read_bytes() == data
    assert (row.rows, row.bytes, row.sha256) == (13, len(data), sha256(data).hexdigest())


@pytest.mark.parametrize("to", ["parquet", "pav", "pbn", "csv", "npy", "json"])
def test_a_part_without_boards_is_a_whole_file(to: str, tmp_path: Path) -> None:
    plan = pav.parts("hcp(south) >= 20 && rnd(1000) == 999", 6, parts=2, seed=7, to=to)
    assert make_part(plan, 1, tmp_path).rows == 0
    assert list(pav.read(tmp_path / plan[1].name)) == []


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_parts_of_tested_deals_have_all_that_pass(parts: int, tmp_path: Path) -> None:
    space = pav.deals("hcp(south) >= 12 && rnd(3) == 1")
    assert isinstance(space, pav.TestedDeals)
    plan = pav.parts(space, 100, parts=parts, seed=7, to="numbers")
    rows = [make_part(plan, index, tmp_path) for index in range(parts)]
    found = b"".join(named(plan, index, tmp_path) for index in range(parts))
    deals = pav.numbering("deal")
    wanted = [deals.rank(deal) for deal in space.samples(seed=7, tries=100)]
    assert list(map(int, found.split())) == wanted
    assert sum(row.rows for row in rows) == len(wanted)
    assert sum(row.count for row in rows) == 100


@pytest.mark.slow
def test_tested_ranges_are_those_of_the_definition() -> None:
    tricks = pav.deals("hcp(south) >= 24 && tricks(south, notrumps) >= 9")
    cases = pav.deals("hcp(north) + hcp(south) >= 26 && rnd(2) == 1", method="test")
    assert isinstance(tricks, pav.TestedDeals)
    assert isinstance(cases, pav.TestedDeals)
    for space, count in ((tricks, 12), (cases, 3000)):
        wanted = [deal.owners for deal in space.samples(seed=3, tries=count)]
        cuts = [0, 1, count // 2, count]
        parts = pairwise(cuts)
        found = [space.rows(3, range(begin, end)).owners for begin, end in parts]
        assert [row.tobytes() for part in found for row in part] == wanted


def test_ranges_cover_the_samples_once() -> None:
    for count in range(1, 30):
        for parts in range(1, count + 1):
            ranges = Ranges(7, count, parts)
            samples = [k for start, many in ranges for k in range(start, start + many)]
            assert samples == list(range(7, 7 + count))
            assert {many for _, many in ranges} <= {count // parts, count // parts + 1}


@pytest.mark.slow
def test_a_plan_is_a_sequence_of_any_length() -> None:
    plan = pav.parts(1, 10**12, parts=10**6, seed=7)
    assert plan[-1] == Part(999_999, 999_999 * 10**6, 10**6, "part-999999.parquet")
    assert pav.parts(1, 10**12, parts=10**7, seed=7)[3].name == "part-0000003.parquet"
    with pytest.raises(IndexError, match="1000000 parts, and no part 1000000"):
        plan[10**6]


@pytest.mark.parametrize("order", ["drawn", "permuted", "sorted"])
def test_boards_of_a_numbering_from_1_on_have_the_same_ids(order: str, tmp_path: Path) -> None:
    """A tag DealId is a number from 0 on; only the numbers of the caller's numbering differ."""
    made = []
    for one_based in (False, True):
        space, folder = pav.numbering("deal", one_based=one_based), tmp_path / str(one_based)
        plan = pav.parts(space, 5, parts=1, seed=7, to="json", order=order)
        make_part(plan, 0, folder)
        made.append(named(plan, 0, folder))
    assert made[0] == made[1]
    for board in pav.read(tmp_path / "True" / "part-000000.json"):
        assert board.layout is not None
        assert board.tags["DealId"] == f"deal:{pav.numbering('deal').rank(board.layout)}"


@pytest.mark.slow
def test_wrong_arguments_are_refused() -> None:
    for parts, count in ((0, 5), (6, 5), (-1, 5)):
        with pytest.raises(NumberError, match="1 to 5 parts"):
            pav.parts(1, count, parts=parts)
    with pytest.raises(NumberError, match="1 deal or more"):
        pav.parts(1, 0, parts=1)
    with pytest.raises(PavError, match=r"no layout satisfies hcp\(south\) > 37"):
        pav.parts("hcp(south) > 37", 5, parts=1)
    with pytest.raises(PavError, match="needs the double-dummy tricks"):
        pav.parts(1, 5, parts=1, to="zrd")
    with pytest.raises(PavError, match="at most 256 boards"):
        pav.parts(1, 5, parts=1, to="bba")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(PavError, match=r"pip install 'pavcodec\[parquet\]'"):
        pav.parts(1, 5, parts=1, seed=7)


def test_a_process_of_another_version_makes_no_part(tmp_path: Path) -> None:
    plan = pav.parts(1, 5, parts=1, seed=7, to="lines")
    old = type(plan)(plan.making, plan.ranges, plan.versions | {"pavcodec": "0.0.1"})
    with pytest.raises(PavError, match=r"for pavcodec 0\.0\.1, and this process has"):
        make_part(old, 0, tmp_path)
    assert not list(tmp_path.iterdir())
