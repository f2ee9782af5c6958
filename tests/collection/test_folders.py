"""Folders made from folders, and counts over folders: the same as one process over all parts."""

from __future__ import annotations

import io
import json
import pickle
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from packages import needs

import pavcodec as pav
from pavcodec.boards import Board, Context
from pavcodec.boards.batch import owners_of
from pavcodec.collection.derived import (
    ConvertMaking,
    DerivedMaking,
    GrepMaking,
    PackMaking,
    ReadingOptions,
    Repeats,
    Report,
    SolveMaking,
    Tallying,
    derived_plan,
    parts_from,
    stats_of_parts,
)
from pavcodec.collection.engines import engine_of
from pavcodec.collection.manifest import make_part
from pavcodec.collection.run import make
from pavcodec.collection.source import SourceError, source_of
from pavcodec.constraints import ConstrainedDeals
from pavcodec.errors import PavError, ReadError
from pavcodec.formats import format_of
from pavcodec.formats.registry import FORMATS
from pavcodec.layout import Deal
from pavcodec.statistics.repeats import Finder
from pavcodec.statistics.tally import Tally

WHERE = "hcp(south) >= 12"
PARTS = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a collection of 90 boards in three parts of PBN; do not change it."""
    made = tmp_path_factory.mktemp("deals")
    pav.parts(WHERE, 90, parts=PARTS, seed=7, to="pbn").make(made, workers=1)
    return made


@pytest.fixture
def own(folder: Path, tmp_path: Path) -> Path:
    """Return a copy of the collection."""
    return Path(shutil.copytree(folder, tmp_path / "own"))


def counted() -> ConstrainedDeals:
    space = pav.deals(WHERE)
    assert isinstance(space, ConstrainedDeals)
    return space


def boards_in(folder: Path) -> list[Board]:
    return [board for path in sorted(folder.glob("part-*")) for board in pav.read(path)]


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def makings(folder: Path) -> Iterator[DerivedMaking]:
    """Yield a making of each kind."""
    source = source_of(folder)
    yield ConvertMaking(source=source, format="parquet", tags=(("Event", "Club"),), by_number=True)
    yield ConvertMaking(source=source, format="lines", packed=".gz", boards=((1, 5), (40, 70)))
    yield GrepMaking(source=source, format="pbn", where=pav.expression("hcp(north) > 10").node)
    yield GrepMaking(
        source=source, format="jsonl", where=pav.expression("hcp(north) > 10").node, invert=True
    )
    yield PackMaking(source=source, space="deal", cards_only=True)
    yield PackMaking(source=source, space=counted(), all=True)


@pytest.mark.slow
def test_every_making_is_a_value_that_describes_its_source(folder: Path) -> None:
    plans = [derived_plan(making) for making in makings(folder)]
    for plan in plans:
        assert pickle.loads(pickle.dumps(plan)) == plan
        described = json.loads(json.dumps(plan.describe()))
        assert described["making"]["source"]["making"]["space"]["condition"] == WHERE
        assert str(folder) not in json.dumps(described)
        assert [plan[k].start for k in range(PARTS)] == [0, 30, 60]
    texts = {json.dumps(plan.describe()) for plan in plans}
    assert len(texts) == len(plans)


def test_a_plan_describes_the_same_source_before_and_after_it_is_complete(
    folder: Path, tmp_path: Path
) -> None:
    half = tmp_path / "half"
    pav.parts(WHERE, 90, parts=PARTS, seed=7, to="pbn").make(half, workers=1, only=[1])
    assert source_of(half).absent == [0, 2]
    assert source_of(half).describe() == source_of(folder).describe()
    other = tmp_path / "other"
    pav.parts(WHERE, 90, parts=PARTS, seed=8, to="pbn").make(other, workers=1)
    assert source_of(other).describe() != source_of(folder).describe()


@pytest.mark.slow
@pytest.mark.parametrize("to", ["pbn", "lines"])
@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.is_read])
def test_parts_in_each_format_hold_what_one_file_holds(name: str, to: str, tmp_path: Path) -> None:
    pav.parts(WHERE, 9, parts=PARTS, seed=7, to=to).make(tmp_path, workers=1)
    source = source_of(tmp_path)
    try:
        plan = derived_plan(ConvertMaking(source=source, format=name))
        streams = [io.BytesIO() for _ in range(PARTS)]
        for place, stream in enumerate(streams):
            plan.making.write(plan[place], stream)
    except PavError as error:
        is_known = format_of(name).is_of_boards or "numbers boards" in str(error)
        if not (is_known or "at most 256" in str(error)):
            raise
        return
    found = format_of(name)
    whole = io.BytesIO()
    context = Context("one", lambda _: None, numbering=pav.numbering("deal"))
    found.write(boards_in(tmp_path), whole, context)
    strict = Context("part", numbering=pav.numbering("deal"))
    parts = [b for each in streams for b in found.read(io.BytesIO(each.getvalue()), strict)]
    assert parts == list(found.read(io.BytesIO(whole.getvalue()), strict))


@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.is_read])
def test_a_part_without_boards_can_be_read(name: str, folder: Path, tmp_path: Path) -> None:
    found = format_of(name)
    if found.is_of_boards or found.cycle is not None:
        pytest.skip("no format of parts")
    source = source_of(folder)
    nobody = GrepMaking(source=source, format=name, where=pav.expression("hcp(north) > 37").node)
    row = make_part(derived_plan(nobody), 0, tmp_path)
    assert (row.rows, row.facts["searched"]) == (0, 30)
    assert list(pav.read(tmp_path / row.name, format=name, strict=True)) == []


def test_searched_boards_are_those_of_one_process(folder: Path, tmp_path: Path) -> None:
    made = parts_from(folder, to="pbn", where="hcp(north) > 10").make(tmp_path, workers=1)
    expected = [
        board
        for board in boards_in(folder)
        if isinstance(board.layout, Deal) and board.layout["N"].hcp > 10
    ]
    assert boards_in(tmp_path) == expected
    assert made.rows.rows == len(expected) > 10


def test_a_condition_by_chance_chooses_no_parts(folder: Path) -> None:
    with pytest.raises(PavError, match="function of its source"):
        parts_from(folder, to="pbn", where="rnd(2) == 1")


def test_archives_are_those_of_each_part(folder: Path, tmp_path: Path) -> None:
    making = PackMaking(source=source_of(folder), space=counted(), cards_only=True)
    make(derived_plan(making), tmp_path, engine_of(1))
    for place, part in enumerate(sorted(tmp_path.glob("part-*"))):
        own = io.BytesIO()
        deals = [board.layout for board in pav.read(folder / f"part-{place:06}.pbn")]
        pav.write_archive([deal for deal in deals if deal], own, space=counted())
        assert part.read_bytes() == own.getvalue()


def test_archives_of_parts_that_are_not_sorted_are_no_set(folder: Path) -> None:
    with pytest.raises(PavError, match="not sorted, so archives of them are no set together"):
        PackMaking(source=source_of(folder), order="set")


@pytest.mark.slow
def test_solved_parts_have_the_tricks_of_one_process(tmp_path: Path) -> None:
    few = tmp_path / "few"
    pav.parts(WHERE, 3, parts=2, seed=7, to="pbn").make(few, workers=1)
    made = parts_from(few, to="pbn", solve=True, contracts="3NT by S").make(
        tmp_path / "solved", workers=1
    )
    tricks = [board.tags.get("OptimumResultTable") for board in boards_in(few)]
    assert tricks == [None] * 3
    layouts = [board.layout for board in boards_in(few) if board.layout is not None]
    expected = pav.solve_many(owners_of(layouts), "3NT by S")
    found = [list(board.results) for board in boards_in(tmp_path / "solved")]
    assert found == expected.tolist()
    assert [row.facts["solved"] for row in made.rows] == [1, 2]


def test_a_format_without_tricks_holds_no_solved_parts(folder: Path) -> None:
    with pytest.raises(PavError, match="no place for tricks"):
        SolveMaking(source=source_of(folder), format="lines")
    with pytest.raises(PavError, match="not both in one step"):
        parts_from(folder, to="pbn", where="1", solve=True)


@pytest.mark.slow
def test_parts_have_the_same_bytes_for_any_number_of_workers(folder: Path, tmp_path: Path) -> None:
    for place, making in enumerate(makings(folder)):
        plan = derived_plan(making)
        one, two = tmp_path / f"one{place}", tmp_path / f"two{place}"
        assert make(plan, one, engine_of(1)).is_complete
        if place == 0:
            assert make(plan, two, engine_of(2)).is_complete
            assert files_in(one) == files_in(two)
        for row in range(PARTS):  # each part alone, in any order
            make_part(plan, PARTS - 1 - row, tmp_path / f"three{place}")
        parts = files_in(tmp_path / f"three{place}")
        assert parts.items() <= files_in(one).items()
        assert len(parts) == PARTS


def test_a_deleted_part_is_made_again(folder: Path, tmp_path: Path) -> None:
    plan = parts_from(folder, to="pav")
    assert plan.make(tmp_path, workers=1).made == PARTS
    before = files_in(tmp_path)
    (tmp_path / "part-000001.pav").unlink()
    made = plan.make(tmp_path, workers=1)
    assert (made.made, made.verified) == (1, 2)
    assert files_in(tmp_path) == before


@pytest.mark.slow
def test_parts_of_a_part_that_is_not_there_wait(folder: Path, tmp_path: Path) -> None:
    half, other = tmp_path / "half", tmp_path / "other"
    deals = pav.parts(WHERE, 90, parts=PARTS, seed=7, to="pbn")
    deals.make(half, workers=1, only=[0, 2])
    made = parts_from(half, to="pav").make(other, workers=1)
    assert [name for name, _ in made.failed] == ["part-000001.pav"]
    assert not made.is_complete
    with pytest.raises(ReadError, match="1 parts are not there"):
        stats_of_parts(half, workers=1)
    deals.make(half, workers=1)
    made = parts_from(half, to="pav").make(other, workers=1)
    assert (made.made, made.verified, made.is_complete) == (1, 2, True)
    parts_from(folder, to="pav").make(tmp_path / "whole", workers=1)
    assert files_in(other) == files_in(tmp_path / "whole")


@pytest.mark.parametrize("fault", ["longer", "other", "missing"])
def test_a_damaged_part_is_never_used(fault: str, own: Path, tmp_path: Path) -> None:
    path = own / "part-000001.pbn"
    data = path.read_bytes()
    if fault == "missing":
        path.unlink()
    else:
        path.write_bytes(data + b"\n" if fault == "longer" else data[:-2] + b"x\n")
    reason = {"longer": "bytes, and its row says", "other": "its SHA-256 is", "missing": "missing"}
    made = parts_from(own, to="lines").make(tmp_path / "made", workers=1)
    assert [name for name, _ in made.failed] == ["part-000001.txt"]
    assert reason[fault] in made.failed[0][1]
    assert sorted(files_in(tmp_path / "made")) == [
        "part-000000.txt",
        "part-000002.txt",
        "plan.json",
    ]
    with pytest.raises(ReadError, match=reason[fault]):
        stats_of_parts(own, workers=1)
    with pytest.raises(SourceError):
        derived_plan(ConvertMaking(source=source_of(own), format="pav")).making.write(
            parts_from(own, to="pav")[1], io.BytesIO()
        )


def test_a_large_part_is_checked_without_memory_of_its_size(
    folder: Path, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pavcodec.collection.source._IN_MEMORY", 100)
    with source_of(folder)[1].open() as stream:
        assert stream.read() == (folder / "part-000001.pbn").read_bytes()
    path = own / "part-000001.pbn"
    path.write_bytes(path.read_bytes()[:-2] + b"x\n")
    with pytest.raises(ReadError, match="SHA-256"):
        source_of(own)[1].open()


@pytest.mark.slow
def test_tallies_and_repeats_of_parts_are_those_of_the_whole(folder: Path) -> None:
    source, tally, finder = source_of(folder), Tally(), Finder()
    for file in reversed(source.present):
        some, report = Tallying(where=pav.expression("hcp(north) > 3"))(file)
        assert report == Report()
        tally += some
        finder += Repeats()(file)[0]
    layouts = [board.layout for board in boards_in(folder) if board.layout is not None]
    whole = Tally()
    whole.add(owners_of(layouts), where=pav.expression("hcp(north) > 3"))
    assert tally == whole
    assert finder.found() == pav.duplicates(layouts)
    text = stats_of_parts(folder, given=WHERE, workers=1).to_dict()
    assert text == pav.stats(layouts, given=WHERE).to_dict()


def test_a_folder_of_files_is_a_source_in_the_order_of_names(folder: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    for place, name in enumerate(["b.pbn", "a.pbn", "c.pbn"]):
        shutil.copy(folder / f"part-{place:06}.pbn", plain / name)
    (plain / "notes.md").write_text("no boards")
    (plain / ".hidden.pbn").write_text("no boards")
    (plain / "below").mkdir()
    source = source_of(plain)
    assert [file.name for file in source.present] == ["a.pbn", "b.pbn", "c.pbn"]
    assert source.skipped == 1
    plan = parts_from(plain, to="lines")
    assert plan.describe()["ranges"] == {"start": 0, "count": 3}
    assert plan.make(tmp_path / "made", workers=1).is_complete
    names = "".join(
        f"{sha256((plain / name).read_bytes()).hexdigest()}  {name}\n"
        for name in ("a.pbn", "b.pbn", "c.pbn")
    )
    described = plan.making.describe()["source"]
    assert described == {"files": 3, "sha256": sha256(names.encode()).hexdigest()}
    (plain / "a.pbn").write_text("")
    with pytest.raises(PavError, match="another collection"):
        parts_from(plain, to="lines").make(tmp_path / "made", workers=1)


def test_a_folder_without_boards_is_no_source(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("no boards")
    with pytest.raises(ReadError, match="no files of boards and no plan"):
        source_of(tmp_path)
    assert len(source_of(tmp_path, any_suffix=True)) == 1


@pytest.mark.slow
def test_problems_of_a_file_are_kept_and_counted(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("N:rubbish\n" * 1500)
    source = source_of(tmp_path)
    tally, report = Tallying(ReadingOptions("lines"))(source[0])
    assert (tally.deals, report.count, len(report.first)) == (0, 1500, 1000)
    assert report.first[0].source == str(tmp_path / "bad.txt")
    row = make_part(
        derived_plan(ConvertMaking(source=source, format="pav", reading=ReadingOptions("lines"))),
        0,
        tmp_path / "made",
    )
    assert row.facts["problems"] == 1500
    first = row.facts["first_problems"]
    assert isinstance(first, list)
    assert first[0].startswith("bad.txt:1: ")
    with pytest.raises(ReadError, match=r"bad\.txt:1"):
        make_part(
            derived_plan(
                ConvertMaking(
                    source=source, format="pav", reading=ReadingOptions("lines", strict=True)
                )
            ),
            0,
            tmp_path / "made",
        )


@pytest.mark.slow
def test_folders_at_urls_are_those_of_the_disk(folder: Path, tmp_path: Path) -> None:
    needs("fsspec")
    place = f"memory://{tmp_path.name}"
    pav.parts(WHERE, 90, parts=PARTS, seed=7, to="pbn").make(f"{place}/deals", workers=1)
    assert source_of(f"{place}/deals").describe() == source_of(folder).describe()
    there = parts_from(f"{place}/deals", to="pav").make(f"{place}/made", workers=1)
    here = parts_from(folder, to="pav").make(tmp_path / "made", workers=1)
    assert there.sha256 == here.sha256
    found = stats_of_parts(f"{place}/made", workers=1)
    assert found.to_dict() == stats_of_parts(folder, workers=1).to_dict()
