"""Runs that meet in one folder, and folders that change while a run works on them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from collection_support import contents

import pavcodec as pav
from pavcodec.collection import Collection
from pavcodec.collection.deals import describe_space
from pavcodec.collection.engines import engine_of
from pavcodec.collection.manifest import Row, Rows
from pavcodec.collection.plan import difference
from pavcodec.collection.run import Done, make
from pavcodec.collection.stored import check_stored
from pavcodec.errors import PavError, ReadError
from pavcodec.files.stores import Folder, storage_of

CONDITION = "hcp(south) == 20"


def plan(*, seed: int = 7, to: str = "deal12", **keywords: Any) -> Collection:
    return pav.parts(CONDITION, 23, parts=5, seed=seed, to=to, **keywords)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    assert plan().make(folder, workers=1).is_complete
    return contents(folder)


def before_names(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Let another program act once, before the first listing of a folder."""
    real, acts = Folder.names, [act]

    def names(self: Folder, prefix: str = "") -> list[str]:
        while acts:
            acts.pop()()
        return real(self, prefix)

    monkeypatch.setattr(Folder, "names", names)


@pytest.mark.slow
def test_a_run_that_begins_a_moment_later_goes_on(
    whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other run writes its plan and a part after this one found no plan."""
    before_names(monkeypatch, lambda: plan().make(tmp_path, only=[0], workers=1))
    made = plan().make(tmp_path, workers=1)
    assert (made.made, made.verified) == (4, 1)
    assert contents(tmp_path) == whole


@pytest.mark.parametrize("other", [{"seed": 8}, {"to": "pav"}])
def test_of_two_plans_at_once_one_is_refused(
    other: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before_names(monkeypatch, lambda: plan(**other).make(tmp_path, only=[0], workers=1))
    with pytest.raises(PavError, match="this folder has another collection: "):
        plan().make(tmp_path, workers=1)
    assert len(contents(tmp_path)) == 3  # plan, part and row of the other


def test_a_store_that_replaces_plans_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some stores look first and write then, so the plan of a second run replaces that of one."""

    def create(self: Folder, name: str, data: bytes) -> None:
        with self.put(name) as stream:
            stream.write(data)
        with self.put(name) as stream:
            stream.write(json.dumps(plan(seed=8).describe()).encode())

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


def test_no_manifest_while_the_file_of_another_run_is_missing(
    whole: dict[str, bytes], tmp_path: Path
) -> None:
    plan().make(tmp_path, only=range(4), workers=1)
    (tmp_path / "part-000002.deal12").unlink()
    made = plan().make(tmp_path, only=[4], workers=1)
    assert (made.missing, made.is_complete) == (0, False)
    assert not (tmp_path / "manifest.json").exists()
    assert plan().make(tmp_path, workers=1).made == 1
    assert contents(tmp_path) == whole
    (tmp_path / "part-000002.deal12").unlink()
    assert not plan().make(tmp_path, only=[4], workers=1).is_complete
    assert plan().make(tmp_path, workers=1).is_complete
    assert contents(tmp_path) == whole


def test_some_parts_beside_a_damaged_manifest(whole: dict[str, bytes], tmp_path: Path) -> None:
    for name, data in whole.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "manifest.json").write_bytes(b"{")
    made = plan().make(tmp_path, only=[3], workers=1)
    assert (made.made, made.is_complete) == (1, False)
    assert plan().make(tmp_path, workers=1).is_complete
    assert contents(tmp_path) == whole


def test_the_row_of_another_part_is_no_row(whole: dict[str, bytes], tmp_path: Path) -> None:
    plan().make(tmp_path, only=range(4), workers=1)
    rows = tmp_path / "rows"
    (rows / "part-000002.json").write_bytes((rows / "part-000001.json").read_bytes())
    found = pav.verify_collection(tmp_path, workers=1)
    [(name, reason)] = found.damaged
    assert name == "part-000002.deal12"
    assert "this is the row of part 1, not 2" in reason
    made = plan().make(tmp_path, workers=1)
    assert [name for name, _ in made.again] == ["part-000002.deal12"]
    assert contents(tmp_path) == whole


@pytest.mark.parametrize(
    ("key", "value"), [("rows", 1 << 64), ("bytes", 10**30), ("rows", 4), ("rows", 0)]
)
def test_numbers_of_a_manifest_that_cannot_be(
    key: str, value: int, whole: dict[str, bytes], tmp_path: Path
) -> None:
    """A number of boards is in no SHA-256, but the sum over all parts is there as well."""
    for name, data in whole.items():
        (tmp_path / name).write_bytes(data)
    manifest = json.loads(whole["manifest.json"])
    manifest["parts"][1][key] = value
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    found = pav.verify_collection(tmp_path, workers=1)
    assert key in found.manifest
    assert not found.is_complete
    assert plan().make(tmp_path, workers=1).is_complete
    assert contents(tmp_path) == whole


def test_a_row_replaces_all_facts_of_the_row_before() -> None:
    rows, part = Rows(plan()), plan()[1]
    rows.add(Row(1, part.name, 99, 1, 4, 48, "0" * 64, {"least": "5"}))
    right = Row(1, part.name, part.start, part.count, 5, 60, "1" * 64)
    rows.add(right)
    assert rows[1] == right
    assert rows.made == 1


def test_a_folder_is_read_while_a_run_completes_it(
    whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan().make(tmp_path, only=range(4), workers=1)
    opened, real = pav.open_collection(tmp_path), Folder.read

    def read(self: Folder, name: str) -> bytes:
        monkeypatch.setattr(Folder, "read", real)
        plan().make(tmp_path, workers=1)
        return real(self, name)

    monkeypatch.setattr(Folder, "read", read)
    assert opened.rows.made == 5
    assert contents(tmp_path) == whole


def test_a_manifest_is_written_again_if_another_run_removes_the_unfinished_one(
    whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where files have no locks, the other run takes it for one of a killed program."""
    real, lost = Folder.put, ["manifest.json"]

    @contextmanager
    def put(self: Folder, name: str) -> Iterator[BinaryIO]:
        with real(self, name) as stream:
            yield stream
            if name in lost:
                lost.remove(name)
                raise FileNotFoundError(2, "No such file or directory", name)

    monkeypatch.setattr(Folder, "put", put)
    assert plan().make(tmp_path, workers=1).is_complete
    assert not lost
    assert contents(tmp_path) == whole


def test_the_order_of_tags_is_in_the_bytes_and_in_the_plan(tmp_path: Path) -> None:
    one, two = {"Teacher": "A", "Class": "B"}, {"Class": "B", "Teacher": "A"}
    first, second = plan(to="json", tags=one), plan(to="json", tags=two)
    assert first.make(tmp_path / "1", workers=1).sha256 != (
        second.make(tmp_path / "2", workers=1).sha256
    )
    assert difference(first.description, first.description) == ""
    with pytest.raises(
        PavError, match="it has the tags Teacher 'A', Class 'B', not the tags Class 'B'"
    ):
        second.make(tmp_path / "1", workers=1)
    derived, other = (pav.parts_from(tmp_path / name, to="json").description for name in "12")
    assert "the tags Teacher" in difference(derived, other)


@pytest.mark.slow
def test_the_names_and_the_plans_of_types_are_in_the_plan() -> None:
    names: list[dict[str, Any]] = [
        {"weak": "hcp(north) < 5", "rest": 1},
        {"poor": "hcp(north) < 5", "rest": 1},
    ]
    one, two = (describe_space(pav.level(CONDITION, types=types, shares=[1, 1])) for types in names)
    assert one["names"] == [["weak", "rest"]]
    assert one != two
    mixed = pav.mix([("hcp(south) >= 20 && rnd(2) == 1", 1), ("hcp(south) >= 12", 2)])
    types: Any = describe_space(mixed)["types"]
    assert [("tested" in each) for each in types] == [True, True]
    assert types[0]["counted"] == "hcp(south) >= 20"


@pytest.mark.skipif(os.name != "posix", reason="names of POSIX are bytes")
def test_texts_that_are_no_characters_are_escapes(tmp_path: Path) -> None:
    strange = plan(tags={"Event": "\udcff é"})
    made = strange.make(tmp_path, workers=1)
    assert made.is_complete
    assert b'"Event": "\\udcff \xc3\xa9"' in (tmp_path / "plan.json").read_bytes()
    assert strange.make(tmp_path, workers=1).verified == 5
    check_stored(strange, storage_of(tmp_path))
    with pytest.raises(PavError, match="another collection"):
        check_stored(plan(), storage_of(tmp_path))
    assert pav.open_collection(tmp_path).plan.description == strange.description


def test_a_row_that_is_damaged_is_a_read_error(tmp_path: Path) -> None:
    plan().make(tmp_path, only=[0], workers=1)
    (tmp_path / "rows" / "part-000000.json").write_bytes(b"{}")
    with pytest.raises(ReadError, match=r"rows.part-000000\.json: a row has"):
        _ = pav.open_collection(tmp_path).rows


class Crash(BaseException):
    """The end of a program at any place; nobody handles it."""


class Steps:
    """Counts what a run does to a folder, and ends it at a chosen step."""

    def __init__(self, plan: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
        self.plan, self.count, self.last = plan, 0, 10**9
        put, create, remove = Folder.put, Folder.create, Folder.remove

        @contextmanager
        def stepped_put(folder: Folder, name: str) -> Iterator[BinaryIO]:
            self.step()
            with put(folder, name) as stream:
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
@pytest.mark.parametrize("shift", [0, 1])
def test_a_run_that_ends_at_any_step_is_continued(
    shift: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = pav.parts(CONDITION, 7, parts=3, seed=7, to="deal12")
    small.make(tmp_path / "whole", workers=1)
    whole, steps = contents(tmp_path / "whole"), Steps(small, monkeypatch)
    for last in range(27):
        folder, fault = tmp_path / str(last), ("damage", "loss", "")[(last + shift) % 3]
        ended = steps.run(folder, last)
        found = contents(folder)
        parts = {name: data for name, data in found.items() if name.startswith("part-")}
        assert parts.items() <= whole.items()
        if "manifest.json" in found:
            assert whole.items() <= found.items()
        if fault and "part-000001.deal12" in found:
            path = folder / "part-000001.deal12"
            path.unlink() if fault == "loss" else path.write_bytes(b"damage")
            assert not pav.verify_collection(folder, workers=1).is_complete
        again = steps.run(folder, last // 2)
        if not again or last % 2:
            assert steps.run(folder, 10**9, [2, 0])
        assert steps.run(folder, 10**9)
        assert contents(folder) == whole
        assert pav.verify_collection(folder, workers=1).is_complete
        # there are 2 steps of the plan, 3 of each of 7 files, and 3 of the removal of rows
        assert ended == (last == 26)
