"""Folders made from folders, and counts over folders: the same as one process over all parts."""

from __future__ import annotations

import io
import json
import pickle
import shutil
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

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
from pavcodec.errors import PavError, ReadError
from pavcodec.formats import format_of
from pavcodec.formats.registry import FORMATS
from pavcodec.statistics.repeats import Finder
from pavcodec.statistics.tally import Tally

WHERE = "hcp(south) >= 12"
NORTH = pav.expression("hcp(north) > 10").node
NOBODY = pav.expression("hcp(north) > 37").node
PARTS = 3
DEALS = partial(pav.parts, WHERE, parts=PARTS, seed=7)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a collection of 90 boards in three parts of PBN; do not change it."""
    made = tmp_path_factory.mktemp("deals")
    DEALS(90, to="pbn").make(made, workers=1)
    return made


@pytest.fixture
def own(folder: Path, tmp_path: Path) -> Path:
    """Return a copy of the collection."""
    return Path(shutil.copytree(folder, tmp_path / "own"))


def boards_in(folder: Path) -> list[Board]:
    return [board for path in sorted(folder.glob("part-*")) for board in pav.read(path)]


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


MAKINGS: list[Callable[..., DerivedMaking]] = [
    partial(ConvertMaking, format="json", tags=(("Event", "Club"),), by_number=True),
    partial(ConvertMaking, format="lines", packed=".gz", boards=((1, 5), (40, 70))),
    partial(GrepMaking, format="pbn", where=NORTH),
    partial(GrepMaking, format="jsonl", where=NORTH, invert=True),
    partial(PackMaking, space="deal", cards_only=True),
    partial(PackMaking, space="balanced", all=True),
]
"""A making of each kind, of a source."""


@pytest.mark.slow
def test_makings_are_values_that_describe_their_source_and_make_parts_in_any_order(
    folder: Path, tmp_path: Path
) -> None:
    plans = [derived_plan(making(source=source_of(folder))) for making in MAKINGS]
    for place, plan in enumerate(plans):
        assert pickle.loads(pickle.dumps(plan)) == plan
        described = json.loads(json.dumps(plan.describe()))
        assert described["making"]["source"]["making"]["space"]["condition"] == WHERE
        assert str(folder) not in json.dumps(described)
        assert [plan[k].start for k in range(PARTS)] == [0, 30, 60]
        one, two = tmp_path / f"one{place}", tmp_path / f"two{place}"
        assert make(plan, one, engine_of(1)).is_complete
        for row in range(PARTS):
            make_part(plan, PARTS - 1 - row, two)
        parts = files_in(two)
        assert parts.items() <= files_in(one).items()
        assert len(parts) == PARTS
    assert len({json.dumps(plan.describe()) for plan in plans}) == len(plans)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.is_read])
def test_parts_in_each_format_hold_what_one_file_holds(
    name: str, folder: Path, tmp_path: Path
) -> None:
    DEALS(5, to="pbn").make(tmp_path, workers=1)
    try:
        plan = derived_plan(ConvertMaking(source=source_of(tmp_path), format=name))
        streams = [io.BytesIO() for _ in range(PARTS)]
        for place, stream in enumerate(streams):
            plan.making.write(plan[place], stream)
    except PavError as error:
        is_known = format_of(name).is_of_boards or "numbers boards" in str(error)
        if not (is_known or "at most 256" in str(error)):
            raise
        return
    found, whole = format_of(name), io.BytesIO()
    context = Context("one", lambda _: None, numbering=pav.numbering("deal"))
    found.write(boards_in(tmp_path), whole, context)
    strict = Context("part", numbering=pav.numbering("deal"))
    parts = [b for each in streams for b in found.read(io.BytesIO(each.getvalue()), strict)]
    assert parts == list(found.read(io.BytesIO(whole.getvalue()), strict))
    if found.cycle is None:
        nobody = GrepMaking(source=source_of(folder), format=name, where=NOBODY)
        row = make_part(derived_plan(nobody), 0, tmp_path / "none")
        assert (row.rows, row.facts["searched"]) == (0, 30)
        assert list(pav.read(tmp_path / "none" / row.name, format=name, strict=True)) == []


def test_what_is_refused(folder: Path, tmp_path: Path) -> None:
    source = source_of(folder)
    refusals: dict[str, Callable[[], object]] = {
        "function of its source": lambda: parts_from(folder, to="pbn", where="rnd(2) == 1"),
        "not sorted, so archives of them": lambda: PackMaking(source=source, order="set"),
        "no place for tricks": lambda: SolveMaking(source=source, format="lines"),
        "not both in one step": lambda: parts_from(folder, to="pbn", where="1", solve=True),
        "no files of boards and no plan": lambda: source_of(tmp_path),
    }
    (tmp_path / "notes.md").write_text("no boards")
    for reason, call in refusals.items():
        with pytest.raises((PavError, ReadError), match=reason):
            call()
    assert len(source_of(tmp_path, any_suffix=True)) == 1


# parts that are not there, or not what they were


@pytest.mark.slow
def test_parts_of_a_part_that_is_not_there_wait(folder: Path, tmp_path: Path) -> None:
    half, other, whole = (tmp_path / name for name in ("half", "other", "whole"))
    parts_from(folder, to="pav").make(whole, workers=1)
    DEALS(90, to="pbn").make(half, workers=1, only=[0, 2])
    assert source_of(half).absent == [1]
    assert source_of(half).describe() == source_of(folder).describe()
    made = parts_from(half, to="pav").make(other, workers=1)
    assert [name for name, _ in made.failed] == ["part-000001.pav"]
    assert not made.is_complete
    with pytest.raises(ReadError, match="1 parts are not there"):
        stats_of_parts(half, workers=1)
    DEALS(90, to="pbn").make(half, workers=1)
    for _ in range(2):
        made = parts_from(half, to="pav").make(other, workers=1)
        assert (made.made, made.verified, made.is_complete) == (1, 2, True)
        assert files_in(other) == files_in(whole)
        (other / "part-000001.pav").unlink()


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("longer", "bytes, and its row says"),
        ("other", "its SHA-256 is"),
        ("in pieces", "its SHA-256 is"),
        ("missing", "missing"),
    ],
)
def test_a_damaged_part_is_never_used(
    fault: str, reason: str, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = own / "part-000001.pbn"
    data = path.read_bytes()
    if fault == "in pieces":  # as a large part is read
        monkeypatch.setattr("pavcodec.collection.source._IN_MEMORY", 100)
        with source_of(own)[1].open() as stream:
            assert stream.read() == data
    path.write_bytes(data + b"\n" if fault == "longer" else data[:-2] + b"x\n")
    if fault == "missing":
        path.unlink()
    made = parts_from(own, to="lines").make(tmp_path / "made", workers=1)
    [(name, said)] = made.failed
    assert (name, reason in said) == ("part-000001.txt", True)
    files = ["part-000000.txt", "part-000002.txt", "plan.json"]
    assert sorted(files_in(tmp_path / "made")) == files
    with pytest.raises(ReadError, match=reason):
        stats_of_parts(own, workers=1)
    plan = parts_from(own, to="pav")
    with pytest.raises(SourceError):
        plan.making.write(plan[1], io.BytesIO())


# counts


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
    assert stats_of_parts(folder, workers=1).observed == pav.stats(layouts).observed


# folders of files


def test_a_folder_of_files_is_a_source_in_the_order_of_names(folder: Path, tmp_path: Path) -> None:
    plain, names = tmp_path / "plain", ["a.pbn", "b.pbn", "c.pbn"]
    plain.mkdir()
    for place, name in enumerate(("b.pbn", "a.pbn", "c.pbn")):
        shutil.copy(folder / f"part-{place:06}.pbn", plain / name)
    (plain / "notes.md").write_text("no boards")
    (plain / ".hidden.pbn").write_text("no boards")
    (plain / "below").mkdir()
    source = source_of(plain)
    assert [file.name for file in source.present] == names
    assert source.skipped == 1
    plan = parts_from(plain, to="lines")
    assert plan.describe()["ranges"] == {"start": 0, "count": 3}
    assert plan.make(tmp_path / "made", workers=1).is_complete
    digests = [sha256((plain / name).read_bytes()).hexdigest() for name in names]
    text = "".join(f"{each}  {name}\n" for each, name in zip(digests, names, strict=True))
    described = {"files": 3, "sha256": sha256(text.encode()).hexdigest()}
    assert plan.making.describe()["source"] == described
    (plain / "a.pbn").write_text("")
    with pytest.raises(PavError, match="another collection"):
        parts_from(plain, to="lines").make(tmp_path / "made", workers=1)


@pytest.mark.slow
def test_problems_of_a_file_are_kept_and_counted(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("N:rubbish\n" * 1500)
    source = source_of(tmp_path)
    tally, report = Tallying(ReadingOptions("lines"))(source[0])
    assert (tally.deals, report.count, len(report.first)) == (0, 1500, 1000)
    assert report.first[0].source == str(tmp_path / "bad.txt")

    def made(**options: Any) -> Any:
        reading = ReadingOptions("lines", **options)
        plan = derived_plan(ConvertMaking(source=source, format="pav", reading=reading))
        return make_part(plan, 0, tmp_path / "made").facts

    facts = made()
    assert facts["problems"] == 1500
    assert facts["first_problems"][0].startswith("bad.txt:1: ")
    with pytest.raises(ReadError, match=r"bad\.txt:1"):
        made(strict=True)
