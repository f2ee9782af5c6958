"""Collections in folders: made, continued, repaired, checked; by several runs together."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from collection_support import contents
from packages import needs

import pavcodec as pav
from pavcodec.collection import Collection
from pavcodec.collection.engines import engine_of
from pavcodec.collection.manifest import Row, Rows
from pavcodec.collection.run import Done, Indexes, make, shown_ranges
from pavcodec.errors import NumberError, PavError, ReadError

CONDITION = "hcp(south) == 20"


def plan(parts: int = 5, *, count: int = 23, seed: object = 7, to: str = "deal12") -> Collection:
    return pav.parts(CONDITION, count, parts=parts, seed=seed, to=to)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    assert plan().make(folder, workers=1).is_complete
    return contents(folder)


def put(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).write_bytes(data)


def test_a_complete_folder_has_plan_parts_and_manifest(whole: dict[str, bytes]) -> None:
    names = [f"part-00000{k}.deal12" for k in range(5)]
    assert sorted(whole) == ["manifest.json", *names, "plan.json"]
    manifest = json.loads(whole["manifest.json"])
    assert manifest["plan"] == json.loads(whole["plan.json"])
    assert manifest["rows"] == 23
    assert manifest["bytes"] == 23 * 12 == sum(map(len, map(whole.__getitem__, names)))
    listed = "".join(f"{sha256(whole[name]).hexdigest()}  {name}\n" for name in names)
    assert manifest["sha256"] == sha256(listed.encode()).hexdigest()
    assert [row["start"] for row in manifest["parts"]] == [0, 4, 9, 13, 18]
    deals = b"".join(whole[name] for name in names)
    space = pav.deals(CONDITION)
    ranks = [pav.numbering("deal").to_bytes(deal) for deal in space.sample(23, seed=7)]
    assert deals == b"".join(ranks)


def test_any_way_to_the_whole_gives_the_same_bytes(whole: dict[str, bytes], tmp_path: Path) -> None:
    for part in ([4], [0, 2], range(1, 3)):
        made = plan().make(tmp_path, only=part, workers=1)
        assert not made.is_complete
        assert made.missing == 0
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


@pytest.mark.parametrize("has_manifest", [True, False])
def test_damage_is_found_and_made_again(
    has_manifest: bool,
    whole: dict[str, bytes],
    tmp_path: Path,
) -> None:
    if has_manifest:
        put(tmp_path, whole)
    else:
        plan().make(tmp_path, only=range(4), workers=1)
    flipped = bytearray(whole["part-000001.deal12"])
    flipped[7] ^= 1
    put(tmp_path, {"part-000001.deal12": bytes(flipped), "part-000002.deal12": b"short"})
    (tmp_path / "part-000003.deal12").unlink()
    before = contents(tmp_path)
    found = pav.verify_collection(tmp_path, workers=1)
    assert contents(tmp_path) == before
    assert [name for name, _ in found.damaged] == ["part-000001.deal12", "part-000002.deal12"]
    assert "its SHA-256 is" in found.damaged[0][1]
    assert found.damaged[1][1] == "has 5 bytes, not 48"
    assert list(found.missing) == ([3] if has_manifest else [3, 4])
    assert not found.unrecorded
    assert not found.is_complete
    inode = (tmp_path / "part-000000.deal12").stat().st_ino
    made = plan().make(tmp_path, workers=1)
    assert [name for name, _ in made.again] == ["part-000001.deal12", "part-000002.deal12"]
    assert made.verified == (2 if has_manifest else 1)
    assert (tmp_path / "part-000000.deal12").stat().st_ino == inode
    assert contents(tmp_path) == whole
    assert plan().check(tmp_path, workers=1).is_complete


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("manifest.json", b"{"),
        ("manifest.json", b"[]"),
        ("manifest.json", b'{"plan": {}, "parts": []}'),
        ("rows/part-000001.json", b"nothing"),
        ("rows/part-000001.json", b'{"part": 1}'),
    ],
)
def test_damaged_rows_and_manifests_are_written_again(
    name: str, data: bytes, whole: dict[str, bytes], tmp_path: Path
) -> None:
    if name.startswith("rows"):
        plan().make(tmp_path, only=range(4), workers=1)
    else:
        put(tmp_path, whole)
    (tmp_path / name).write_bytes(data)
    assert not pav.verify_collection(tmp_path, workers=1).is_complete
    assert plan().make(tmp_path, workers=1).is_complete
    assert contents(tmp_path) == whole


def test_other_folders_are_refused(whole: dict[str, bytes], tmp_path: Path) -> None:
    put(tmp_path, whole)
    for other, message in (
        (plan(seed=8), "it has seed 7, not seed 8; use another folder"),
        (plan(parts=6), "it has 5 parts, not 6 parts; use"),
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


def test_the_memory_of_one_process_is_no_place_for_several() -> None:
    needs("fsspec")
    with pytest.raises(PavError, match="memory of one process: use one worker"):
        plan().make("memory://of-one", workers=2)


def test_rows_count_from_the_end_as_parts_do(tmp_path: Path) -> None:
    rows = plan().make(tmp_path, only=[0, 4], workers=1).rows
    assert rows[-1] == rows[4] == pav.open_collection(tmp_path).rows[-1]
    assert (rows[-1].part, rows[-5].part, rows.get(-1)) == (4, 0, None)
    for place in (1, -2, 5, -6):
        with pytest.raises(IndexError):
            rows[place]


def test_parts_of_no_plan_are_found(whole: dict[str, bytes], tmp_path: Path) -> None:
    put(tmp_path, whole | {"part-000005.deal12": b"", "part-2.deal12": b"", "notes.md": b"x"})
    found = pav.verify_collection(tmp_path, workers=1)
    assert found.foreign == ("part-000005.deal12", "part-2.deal12")
    assert found.to_dict()["problems"] == [
        {"name": name, "reason": "is not in the plan"} for name in found.foreign
    ]
    assert not found.is_complete


HOSTILE: dict[str, list[object]] = {
    "parts": [0, -1, 10**9, "5", 1.5, True, None],
    "suffix": ["", "pav", "/../x", ".pav/..", "..", ".a.b.c.d", 5],
    "kind": ["other", None],
    "version": [2, "1"],
    "ranges": [[], None, {"start": 0}, {"start": -1, "count": 5}, {"start": 0, "count": "5"}],
    "making": [None, "x"],
    "versions": [[], {"pavcodec": 1}],
}


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in HOSTILE.items() for value in values]
)
def test_plans_of_others_are_checked(
    key: str, value: object, whole: dict[str, bytes], tmp_path: Path
) -> None:
    text = json.dumps(json.loads(whole["plan.json"]) | {key: value}).encode()
    put(tmp_path, whole | {"plan.json": text})
    with pytest.raises(ReadError, match=r"plan\.json: "):
        pav.open_collection(tmp_path)
    with pytest.raises(PavError, match=r"plan\.json: "):
        plan().make(tmp_path, workers=1)


@pytest.mark.parametrize("data", [b"", b"\xff", b"[" * 100_000, b"5", b'{"kind": 1e999}'])
def test_files_that_are_no_plans(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes(data)
    with pytest.raises(ReadError, match=r"plan\.json: "):
        pav.open_collection(tmp_path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("name", "../part-000001.deal12"),
        ("name", "part-000002.deal12"),
        ("part", 9),
        ("part", -1),
        ("start", 5),
        ("rows", "5"),
        ("bytes", -5),
        ("sha256", "x" * 64),
        ("sha256", None),
    ],
)
def test_manifests_of_others_are_checked(
    key: str, value: object, whole: dict[str, bytes], tmp_path: Path
) -> None:
    manifest = json.loads(whole["manifest.json"])
    manifest["parts"][1][key] = value
    put(tmp_path, whole | {"manifest.json": json.dumps(manifest).encode()})
    with pytest.raises(ReadError, match=r"manifest\.json: "):
        _ = pav.open_collection(tmp_path).rows
    assert pav.verify_collection(tmp_path, workers=1).manifest


def test_parts_without_rows_are_found_and_made_again(
    whole: dict[str, bytes], tmp_path: Path
) -> None:
    put(tmp_path, {name: data for name, data in whole.items() if name != "manifest.json"})
    found = pav.verify_collection(tmp_path, workers=1)
    assert (list(found.unrecorded), list(found.missing)) == ([0, 1, 2, 3, 4], [])
    made = plan().make(tmp_path, workers=1)
    assert (made.made, made.again) == (5, [])
    assert contents(tmp_path) == whole


@pytest.mark.parametrize("indent", [None, 2, 1])
def test_a_manifest_may_have_other_lines(
    indent: int | None, whole: dict[str, bytes], tmp_path: Path
) -> None:
    manifest = json.loads(whole["manifest.json"])
    put(tmp_path, whole | {"manifest.json": json.dumps(manifest, indent=indent).encode()})
    assert pav.verify_collection(tmp_path, workers=1).is_complete
    assert plan().make(tmp_path, workers=1).verified == 5
    assert contents(tmp_path) == whole


@pytest.mark.parametrize("cut", range(0, 1500, 97))
def test_manifests_that_are_cut_are_damaged(
    cut: int, whole: dict[str, bytes], tmp_path: Path
) -> None:
    data = whole["manifest.json"]
    for damaged in (data[: cut % len(data)], data + b"more"):
        put(tmp_path, whole | {"manifest.json": damaged})
        with pytest.raises(ReadError, match=r"manifest\.json: "):
            _ = pav.open_collection(tmp_path).rows


def test_a_run_verifies_what_another_completes_meanwhile(
    whole: dict[str, bytes], tmp_path: Path
) -> None:
    plan().make(tmp_path, only=[0], workers=1)
    others = {name: data for name, data in whole.items() if name != "plan.json"}
    seen: list[Done] = []

    def complete(done: Done) -> None:
        if not seen:
            (tmp_path / "rows" / "part-000000.json").unlink()
            put(tmp_path, others)
        seen.append(done)

    made = make(plan(), tmp_path, engine_of(1), on_row=complete)
    assert (made.made, made.verified, made.is_complete) == (0, 5, True)
    assert contents(tmp_path) == whole


@pytest.mark.slow
def test_rows_take_little_memory_and_know_what_is_missing() -> None:
    long = pav.parts(1, 10**12, parts=10**6, seed=7)
    rows = Rows(long)
    for index in (3, 4, 999_999):
        part = long[index]
        rows.add(Row(index, part.name, part.start, part.count, 1, 2, "0" * 64))
    assert rows.made == 3
    assert list(rows.missing()) == [range(3), range(5, 999_999)]
    assert [row.part for row in rows] == [3, 4, 999_999]
    assert rows[4].name == "part-000004.parquet"
    assert (rows.rows, rows.bytes, rows.is_complete) == (3, 6, False)
    with pytest.raises(IndexError, match="part 5 is not made"):
        rows[5]
    assert list(Rows(long).missing()) == [range(10**6)]


def test_indexes_are_those_of_their_ranges() -> None:
    some = Indexes([range(5, 9), range(2), range(8, 12), range(3, 3)])
    assert list(some) == [0, 1, 5, 6, 7, 8, 9, 10, 11]
    assert [some[k] for k in range(-len(some), len(some))] == list(some) * 2
    assert shown_ranges(some.ranges) == "0-1,5-11"
    assert len(Indexes([])) == 0
    with pytest.raises(NumberError, match="parts 0 to 4, and no part 5"):
        plan().make("nowhere", only=[1, 5], workers=1)
    assert not Path("nowhere").exists()
