"""Collections in folders: made, continued, repaired, checked; by several runs together."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from collection_support import contents
from packages import needs

import pavcodec as pav
from pavcodec.collection import Collection
from pavcodec.collection.engines import engine_of
from pavcodec.collection.manifest import Row, Rows
from pavcodec.collection.run import Done, make
from pavcodec.collection.stored import check_stored
from pavcodec.errors import NumberError, PavError, ReadError
from pavcodec.files.stores import Folder, storage_of

CONDITION = "hcp(south) == 20"
PART, LAST = "part-000001.deal12", "part-000004.deal12"
Files = dict[str, bytes]


def plan(parts: int = 5, *, count: int = 23, **options: Any) -> Collection:
    given: dict[str, Any] = {"seed": 7, "to": "deal12"} | options
    return pav.parts(CONDITION, count, parts=parts, **given)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("whole")
    assert plan().make(folder, workers=1).is_complete
    return contents(folder)


def put(folder: Path, files: Files) -> None:
    for name, data in files.items():
        (folder / name).write_bytes(data)


def check_completed(folder: Path, whole: Files) -> None:
    """A run completes what there is in a folder."""
    assert plan().make(folder, workers=1).is_complete
    assert contents(folder) == whole
    assert plan().check(folder, workers=1).is_complete


def test_a_complete_folder_has_plan_parts_and_manifest(whole: Files) -> None:
    names = [f"part-00000{k}.deal12" for k in range(5)]
    assert sorted(whole) == ["manifest.json", *names, "plan.json"]
    manifest = json.loads(whole["manifest.json"])
    assert manifest["plan"] == json.loads(whole["plan.json"])
    assert manifest["rows"] == 23
    assert manifest["bytes"] == 23 * 12 == sum(map(len, map(whole.__getitem__, names)))
    listed = "".join(f"{sha256(whole[name]).hexdigest()}  {name}\n" for name in names)
    assert manifest["sha256"] == sha256(listed.encode()).hexdigest()
    assert [row["start"] for row in manifest["parts"]] == [0, 4, 9, 13, 18]
    deals = pav.deals(CONDITION).sample(23, seed=7)
    assert b"".join(map(whole.get, names)) == b"".join(map(pav.numbering("deal").to_bytes, deals))  # type: ignore[arg-type]


@pytest.mark.slow
def test_any_way_to_the_whole_gives_the_same_bytes(whole: Files, tmp_path: Path) -> None:
    for part in ([4], [0, 2], range(1, 3)):
        made = plan().make(tmp_path, only=part, workers=1)
        assert (made.is_complete, made.missing) == (False, 0)
    rows = pav.open_collection(tmp_path).rows
    assert rows[-1] == rows[4]
    assert (rows[-1].part, rows[-5].part, rows.get(3), rows.get(-1)) == (4, 0, None, None)
    for place in (3, -2, 5, -6):
        with pytest.raises(IndexError):
            rows[place]
    assert set(contents(tmp_path)) - set(whole) == {
        f"rows/part-00000{k}.json" for k in (0, 1, 2, 4)
    }
    (tmp_path / ".pavcodec-0123456789abcdef.part").write_bytes(b"of a killed worker")
    made = plan().make(tmp_path, only=[3], workers=1)
    assert made.is_complete
    assert contents(tmp_path) == whole
    assert not (tmp_path / "rows").exists()
    again = plan().make(tmp_path, workers=1)
    assert (again.made, again.verified, again.is_complete) == (0, 5, True)
    assert contents(tmp_path) == whole


# damage


@pytest.mark.slow
@pytest.mark.parametrize("has_manifest", [True, False])
def test_damage_is_found_and_made_again(has_manifest: bool, whole: Files, tmp_path: Path) -> None:
    if has_manifest:
        put(tmp_path, whole)
    else:
        plan().make(tmp_path, only=range(4), workers=1)
    flipped = bytearray(whole[PART])
    flipped[7] ^= 1
    put(tmp_path, {PART: bytes(flipped), "part-000002.deal12": b"short"})
    (tmp_path / "part-000003.deal12").unlink()
    before = contents(tmp_path)
    found = pav.verify_collection(tmp_path, workers=1)
    assert contents(tmp_path) == before
    assert [name for name, _ in found.damaged] == [PART, "part-000002.deal12"]
    assert "its SHA-256 is" in found.damaged[0][1]
    assert found.damaged[1][1] == "has 5 bytes, not 48"
    assert list(found.missing) == ([3] if has_manifest else [3, 4])
    assert (list(found.unrecorded), found.is_complete) == ([], False)
    inode = (tmp_path / "part-000000.deal12").stat().st_ino
    made = plan().make(tmp_path, workers=1)
    assert [name for name, _ in made.again] == [PART, "part-000002.deal12"]
    assert made.verified == (2 if has_manifest else 1)
    assert (tmp_path / "part-000000.deal12").stat().st_ino == inode
    check_completed(tmp_path, whole)


def changed(whole: Files, key: str, value: object) -> bytes:
    """A manifest with another value in the row of the second part."""
    manifest = json.loads(whole["manifest.json"])
    manifest["parts"][1][key] = value
    return json.dumps(manifest).encode()


ROWS_OF_OTHERS: list[tuple[str, object]] = [
    ("name", "../part-000001.deal12"), ("name", "part-000002.deal12"), ("part", 9), ("part", -1),
    ("start", 5), ("rows", "5"), ("bytes", -5), ("sha256", "x" * 64), ("sha256", None),
]  # fmt: skip
IMPOSSIBLE: list[tuple[str, object]] = [
    ("rows", 1 << 64), ("bytes", 10**30), ("rows", 4), ("rows", 0),
]  # fmt: skip
"""A number of boards is in no SHA-256, but the sum over all parts is there as well."""


@pytest.mark.slow
def test_manifests_that_are_damaged_are_written_again(whole: Files, tmp_path: Path) -> None:
    data = whole["manifest.json"]
    damaged = [b"{", b"[]", b'{"plan": {}, "parts": []}', data + b"more"]
    damaged += [data[: cut % len(data)] for cut in range(0, 1500, 290)]
    damaged += [changed(whole, key, value) for key, value in ROWS_OF_OTHERS]
    for each in damaged:
        put(tmp_path, whole | {"manifest.json": each})
        with pytest.raises(ReadError, match=r"manifest\.json: "):
            _ = pav.open_collection(tmp_path).rows
        assert pav.verify_collection(tmp_path, workers=1).manifest
    for key, value in IMPOSSIBLE:
        put(tmp_path, whole | {"manifest.json": changed(whole, key, value)})
        found = pav.verify_collection(tmp_path, workers=1)
        assert key in found.manifest
        assert not found.is_complete
    assert not plan().make(tmp_path, only=[3], workers=1).is_complete
    check_completed(tmp_path, whole)
    manifest = json.loads(whole["manifest.json"])
    put(tmp_path, {"manifest.json": json.dumps(manifest, indent=1).encode()})  # other lines
    assert plan().make(tmp_path, workers=1).verified == 5
    assert contents(tmp_path) == whole


@pytest.mark.slow
def test_rows_that_are_damaged_are_written_again(whole: Files, tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    plan().make(tmp_path, only=range(4), workers=1)
    for data in (b"nothing", b'{"part": 1}'):
        (rows / "part-000001.json").write_bytes(data)
        with pytest.raises(ReadError, match=r"rows.part-000001\.json: "):
            _ = pav.open_collection(tmp_path).rows
        assert not pav.verify_collection(tmp_path, workers=1).is_complete
    (rows / "part-000001.json").write_bytes((rows / "part-000002.json").read_bytes())
    [(name, reason)] = pav.verify_collection(tmp_path, workers=1).damaged
    assert name == PART
    assert "this is the row of part 2, not 1" in reason
    made = plan().make(tmp_path, workers=1)
    assert [name for name, _ in made.again] == [PART]
    check_completed(tmp_path, whole)


def test_parts_without_rows_and_parts_of_no_plan_are_found(whole: Files, tmp_path: Path) -> None:
    foreign = ("part-000005.deal12", "part-2.deal12")
    put(tmp_path, whole | dict.fromkeys(foreign, b"") | {"notes.md": b"x"})
    found = pav.verify_collection(tmp_path, workers=1)
    assert (found.foreign, found.is_complete) == (foreign, False)
    assert found.to_dict()["problems"] == [
        {"name": name, "reason": "is not in the plan"} for name in foreign
    ]
    for name in (*foreign, "notes.md", "manifest.json"):
        (tmp_path / name).unlink()
    found = pav.verify_collection(tmp_path, workers=1)
    assert (list(found.unrecorded), list(found.missing)) == ([0, 1, 2, 3, 4], [])
    made = plan().make(tmp_path, workers=1)
    assert (made.made, made.again) == (5, [])
    assert contents(tmp_path) == whole


# folders of others


@pytest.mark.slow
def test_other_folders_are_refused(whole: Files, tmp_path: Path) -> None:
    put(tmp_path, whole)
    for other, message in (
        (plan(seed=8), "it has seed 7, not seed 8; use another folder"),
        (plan(6), "it has 5 parts, not 6 parts; use"),
        (plan(count=2400), "it has 23 deals, not 2,400 deals; use"),
        (plan(to="pav"), "it has the format deal12, not the format pav; use"),
        (plan(to="deal12.gz"), "it has the format deal12, not the format deal12.gz; use"),
    ):
        with pytest.raises(PavError, match="this folder has another collection: ") as caught:
            other.make(tmp_path, workers=1)
        assert message in str(caught.value)
        with pytest.raises(PavError, match="has another collection: it has"):
            other.check(tmp_path, workers=1)
    assert contents(tmp_path) == whole
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("dear")
    with pytest.raises(PavError, match=r"has other files, such as thesis\.txt, and no plan\.json"):
        plan().make(mine, workers=1)
    assert list(contents(mine)) == ["thesis.txt"]
    with pytest.raises(ReadError, match=r"has no plan\.json, so it is no collection"):
        pav.open_collection(mine)
    with pytest.raises(NumberError, match="parts 0 to 4, and no part 5"):
        plan().make(tmp_path / "nowhere", only=[1, 5], workers=1)
    assert not (tmp_path / "nowhere").exists()
    needs("fsspec")
    with pytest.raises(PavError, match="memory of one process: use one worker"):
        plan().make("memory://of-one", workers=2)


HOSTILE: dict[str, list[object]] = {
    "parts": [0, -1, 10**9, "5", 1.5, True, None],
    "suffix": ["", "pav", "/../x", ".pav/..", "..", ".a.b.c.d", 5],
    "kind": ["other", None],
    "version": [2, "1"],
    "ranges": [[], None, {"start": 0}, {"start": -1, "count": 5}, {"start": 0, "count": "5"}],
    "making": [None, "x"],
    "versions": [[], {"pavcodec": 1}],
}


@pytest.mark.slow
def test_plans_of_others_are_checked(whole: Files, tmp_path: Path) -> None:
    stored = json.loads(whole["plan.json"])
    plans = [json.dumps(stored | {key: each}) for key in HOSTILE for each in HOSTILE[key]]
    texts = [text.encode() for text in (*plans, "", "[" * 100_000, "5", '{"kind": 1e999}')]
    for data in (*texts, b"\xff"):
        (tmp_path / "plan.json").write_bytes(data)
        with pytest.raises(ReadError, match=r"plan\.json: "):
            pav.open_collection(tmp_path)
        with pytest.raises(PavError, match=r"plan\.json: "):
            plan().make(tmp_path, workers=1)


@pytest.mark.slow
def test_the_order_of_tags_is_in_the_bytes_and_in_the_plan(tmp_path: Path) -> None:
    one, two = {"Teacher": "A", "Class": "B"}, {"Class": "B", "Teacher": "A"}
    first, second = plan(to="json", tags=one), plan(to="json", tags=two)
    digest = first.make(tmp_path / "0", workers=1).sha256
    assert digest != second.make(tmp_path / "1", workers=1).sha256
    other = "it has the tags Teacher 'A', Class 'B', not the tags Class 'B'"
    with pytest.raises(PavError, match=other):
        second.make(tmp_path / "0", workers=1)


@pytest.mark.skipif(os.name != "posix", reason="names of POSIX are bytes")
def test_texts_that_are_no_characters_are_escapes(tmp_path: Path) -> None:
    strange = plan(tags={"Event": "\udcff é"})
    assert strange.make(tmp_path, workers=1).is_complete
    assert b'"Event": "\\udcff \xc3\xa9"' in (tmp_path / "plan.json").read_bytes()
    assert strange.make(tmp_path, workers=1).verified == 5
    check_stored(strange, storage_of(tmp_path))
    with pytest.raises(PavError, match="another collection"):
        check_stored(plan(), storage_of(tmp_path))
    assert pav.open_collection(tmp_path).plan.description == strange.description


# rows and ranges


@pytest.mark.slow
def test_rows_take_little_memory_and_know_what_is_missing() -> None:
    long = pav.parts(1, 10**12, parts=10**6, seed=7, to="lines")
    rows = Rows(long)
    assert list(rows.missing()) == [range(10**6)]
    for index in (3, 4, 999_999):
        part = long[index]
        old = Row(index, part.name, 99, 1, 4, 48, "0" * 64, {"least": "5"})
        rows.add(old)
        right = Row(index, part.name, part.start, part.count, 1, 2, "1" * 64)
        rows.add(right)
        assert rows[index] == right
    assert list(rows.missing()) == [range(3), range(5, 999_999)]
    assert [row.part for row in rows] == [3, 4, 999_999]
    assert (rows.made, rows.rows, rows.bytes, rows.is_complete) == (3, 3, 6, False)
    with pytest.raises(IndexError, match="part 5 is not made"):
        rows[5]


# runs that meet, and folders that change meanwhile


def before_names(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Let another program act once, before the first listing of a folder."""
    real, acts = Folder.names, [act]

    def names(self: Folder, prefix: str = "") -> list[str]:
        while acts:
            acts.pop()()
        return real(self, prefix)

    monkeypatch.setattr(Folder, "names", names)


@pytest.mark.slow
def test_of_two_runs_at_once_the_later_goes_on_or_is_refused(
    whole: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other run writes its plan and a part after this one found no plan."""
    here, there = tmp_path / "here", tmp_path / "there"
    before_names(monkeypatch, lambda: plan().make(here, only=[0], workers=1))
    made = plan().make(here, workers=1)
    assert (made.made, made.verified) == (4, 1)
    assert contents(here) == whole
    before_names(monkeypatch, lambda: plan(seed=8).make(there, only=[0], workers=1))
    with pytest.raises(PavError, match="this folder has another collection: "):
        plan().make(there, workers=1)
    assert len(contents(there)) == 3  # plan, part and row of the other


def test_a_store_that_replaces_plans_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some stores look first and write then, so the plan of a second run replaces that of one."""

    def create(self: Folder, name: str, data: bytes) -> None:
        for each in (data, json.dumps(plan(seed=8).describe()).encode()):
            with self.put(name) as stream:
                stream.write(each)

    monkeypatch.setattr(Folder, "create", create)
    with pytest.raises(PavError, match="it has seed 8, not seed 7"):
        plan().make(tmp_path, workers=1)
    assert list(contents(tmp_path)) == ["plan.json"]


@pytest.mark.parametrize("goes", [False, True])
def test_no_manifest_without_its_plan(goes: bool, tmp_path: Path) -> None:
    def replace(_: Done) -> None:
        if goes:
            (tmp_path / "plan.json").unlink(missing_ok=True)
        else:
            (tmp_path / "plan.json").write_text(json.dumps(plan(seed=8).describe()))

    expected: Any = FileNotFoundError if goes else PavError
    with pytest.raises(expected, match=r"plan\.json"):
        make(plan(), tmp_path, engine_of(1), on_row=replace)
    assert not (tmp_path / "manifest.json").exists()


def test_a_folder_is_completed_meanwhile(
    whole: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By another run, while this one makes its first part; and while somebody reads the rows."""
    written, read = tmp_path / "written", tmp_path / "read"
    plan().make(written, only=[0], workers=1)
    plan().make(read, only=range(4), workers=1)

    def complete(_: Done) -> None:
        if "manifest.json" not in contents(written):
            (written / "rows" / "part-000000.json").unlink()
            put(written, {name: data for name, data in whole.items() if name != "plan.json"})

    made = make(plan(), written, engine_of(1), on_row=complete)
    assert (made.made, made.verified, made.is_complete) == (0, 5, True)
    opened, real = pav.open_collection(read), Folder.read

    def read_late(self: Folder, name: str) -> bytes:
        monkeypatch.setattr(Folder, "read", real)
        plan().make(read, workers=1)
        return real(self, name)

    monkeypatch.setattr(Folder, "read", read_late)
    assert opened.rows.made == 5
    assert contents(written) == contents(read) == whole


def test_a_manifest_is_written_again_if_another_run_removes_the_unfinished_one(
    whole: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where files have no locks, the other run takes it for one of a killed program."""
    real, lost = Folder.put, ["manifest.json"]

    @contextmanager
    def put_once(self: Folder, name: str) -> Iterator[BinaryIO]:
        with real(self, name) as stream:
            yield stream
            if name in lost:
                lost.remove(name)
                raise FileNotFoundError(2, "No such file or directory", name)

    monkeypatch.setattr(Folder, "put", put_once)
    check_completed(tmp_path, whole)
    assert not lost


class Crash(BaseException):
    """The end of a program at any place; nobody handles it."""


class Steps:
    """Counts what a run does to a folder, and ends it at a chosen step."""

    def __init__(self, plan: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
        self.plan, self.count, self.last = plan, 0, 10**9
        real_put, create, remove = Folder.put, Folder.create, Folder.remove

        @contextmanager
        def stepped_put(folder: Folder, name: str) -> Iterator[BinaryIO]:
            self.step()
            with real_put(folder, name) as stream:
                yield stream
                self.step()
            self.step()

        def stepped_create(folder: Folder, name: str, data: bytes) -> None:
            self.step()
            create(folder, name, data)
            self.step()

        def stepped_remove(folder: Folder, names: list[str]) -> None:
            for name in names:
                self.step()
                remove(folder, [name])

        monkeypatch.setattr(Folder, "put", stepped_put)
        monkeypatch.setattr(Folder, "create", stepped_create)
        monkeypatch.setattr(Folder, "remove", stepped_remove)

    def step(self) -> None:
        """End the program if this is the last step."""
        self.count += 1
        if self.count > self.last:
            raise Crash

    def run(self, folder: Path, last: int, only: list[int] | None = None) -> bool:
        """Make the parts in so many steps; return whether the run came to its end."""
        self.count, self.last = 0, last
        try:
            self.plan.make(folder, only=only, workers=1)
        except Crash:
            return False
        finally:
            self.last = 10**9
        return True


@pytest.mark.slow
def test_a_run_that_ends_at_any_step_is_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = plan(3, count=7)
    small.make(tmp_path / "whole", workers=1)
    whole, steps = contents(tmp_path / "whole"), Steps(small, monkeypatch)
    for last in range(27):
        folder, fault = tmp_path / str(last), ("damage", "loss", "")[last % 3]
        ended = steps.run(folder, last)
        found = contents(folder)
        parts = {name: data for name, data in found.items() if name.startswith("part-")}
        assert parts.items() <= whole.items()
        if "manifest.json" in found:
            assert whole.items() <= found.items()
        if fault and PART in found:
            (folder / PART).unlink() if fault == "loss" else put(folder, {PART: b"damage"})
            assert not pav.verify_collection(folder, workers=1).is_complete
        again = steps.run(folder, last // 2)
        if not again or last % 2:
            assert steps.run(folder, 10**9, [2, 0])
        assert steps.run(folder, 10**9)
        assert contents(folder) == whole
        assert pav.verify_collection(folder, workers=1).is_complete
        # there are 2 steps of the plan, 3 of each of 7 files, and 3 of the removal of rows
        assert ended == (last == 26)
