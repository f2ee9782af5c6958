"""Plans of collections: their parts, orders and models; and collections as they always were."""

from __future__ import annotations

import io
import json
import pickle
import sys
from collections.abc import Callable, Iterator
from gzip import decompress
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import pavcodec as pav
from pavcodec.cli import main
from pavcodec.collection import make_part, run
from pavcodec.collection.collection import Collection
from pavcodec.collection.derived import PackMaking, derived_plan
from pavcodec.collection.plan import Part, Ranges
from pavcodec.collection.run import Prepared, prepared
from pavcodec.collection.source import source_of
from pavcodec.constraints.counting import condition
from pavcodec.constraints.counting.recent import forget_models
from pavcodec.errors import PavError

SMALL = "hcp(south) == 37 && spades(south) == 4 && hcp(north) == 3"
TESTED = "hcp(south) >= 20 && rnd(2) == 1"
DEALS = pav.numbering("deal")


def made(plan: pav.Collection, folder: Path, index: int = 0) -> bytes:
    """The bytes of a part, which a pickled plan makes."""
    row = make_part(pickle.loads(pickle.dumps(plan)), index, folder)
    data = (folder / plan[index].name).read_bytes()
    assert (row.name, row.bytes) == (plan[index].name, len(data))
    assert row.sha256 == sha256(data).hexdigest()
    return data


# parts


FORMATS = [
    "parquet", "pav", "pbn", "pbn.zst", "pbn.gz", "pbn.zip", "deal12", "lines", "numbers",
    "npy:openspiel", "json", "csv", "lin", "deal12.xz",
]  # fmt: skip


@pytest.mark.parametrize("to", FORMATS)
def test_a_part_has_the_bytes_of_deal(to: str, tmp_path: Path) -> None:
    condition = "spades(west) == 9"
    plan = pav.parts(condition, 40, parts=3, seed="a", start=5, to=to, tags={"Event": "Łódź é"})
    assert plan[1] == Part(1, 18, 13, f"part-000001{plan.making.suffix}")
    data, output = made(plan, tmp_path, 1), tmp_path / f"other{plan.making.suffix}"
    words = ["--start", "18", "-n", "13", "--seed", "a", "--event", "Łódź é", "-o", str(output)]
    assert main(["deal", condition, "--to", to.partition(".")[0], *words]) == 0
    if not to.endswith(".zip"):  # a zip file has the name of its member
        assert output.read_bytes() == data
    nothing = pav.parts("hcp(south) >= 20 && rnd(1000) == 999", 6, parts=2, seed=7, to=to)
    assert make_part(nothing, 1, tmp_path / "none").rows == 0
    assert list(pav.read(tmp_path / "none" / nothing[1].name, format=to.partition(".")[0])) == []


@pytest.mark.slow
def test_tested_ranges_are_those_of_the_definition() -> None:
    for where, count in (("hcp(south) >= 24 && tricks(south, notrumps) >= 9", 8), (TESTED, 3000)):
        space = pav.deals(where, method="test")
        assert isinstance(space, pav.TestedDeals)
        wanted = [deal.owners for deal in space.samples(seed=3, tries=count)]
        parts = pairwise([0, 1, count // 2, count])
        found = [space.rows(3, range(begin, end)).owners for begin, end in parts]
        assert [row.tobytes() for part in found for row in part] == wanted


def test_ranges_cover_the_samples_once() -> None:
    for count in range(1, 30):
        for parts in range(1, count + 1):
            ranges = Ranges(7, count, parts)
            samples = [k for start, many in ranges for k in range(start, start + many)]
            assert samples == list(range(7, 7 + count))
            assert {many for _, many in ranges} <= {count // parts, count // parts + 1}
    plan = pav.parts(1, 10**12, parts=10**6, seed=7, to="lines")
    assert plan[-1] == Part(999_999, 999_999 * 10**6, 10**6, "part-999999.txt")
    assert pav.parts(1, 10**12, parts=10**7, seed=7, to="lines")[3].name == "part-0000003.txt"
    with pytest.raises(IndexError, match="1000000 parts, and no part 1000000"):
        plan[10**6]


@pytest.mark.parametrize("order", ["drawn", "permuted", "sorted"])
def test_boards_of_a_numbering_from_1_on_have_ids_from_0_on(order: str, tmp_path: Path) -> None:
    space = pav.numbering("deal", one_based=True)
    made(pav.parts(space, 5, parts=1, seed=7, to="json", order=order), tmp_path)
    for board in pav.read(tmp_path / "part-000000.json"):
        assert board.layout is not None
        assert board.tags["DealId"] == f"deal:{DEALS.rank(board.layout)}"


# orders without repeats


# refusals


def test_what_is_refused() -> None:
    """The refusals of the command line have others."""
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (TESTED, {"order": "permuted"}, "tested deal by deal, so its deals"),
        (
            pav.mix([("hcp(south) >= 20", 1)]),
            {"order": "sorted"},
            "mixes are not equally likely",
        ),
        (pav.numbering("andrews"), {"order": "sorted"}, "numbering 'andrews' has another order"),
        (SMALL, {"order": "sorted", "start": 3}, "begins with its first deal, not with deal 3"),
        (SMALL, {"order": "random"}, "a collection is drawn, permuted, sorted, not 'random'"),
    ]
    for space, options, reason in wrong:
        with pytest.raises(PavError, match=reason):
            pav.parts(space, 9, parts=2, seed=7, to="lines", **options)


def test_other_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = pav.parts(1, 5, parts=1, seed=7, to="lines")
    old = type(plan)(plan.making, plan.ranges, plan.versions | {"pavcodec": "0.0.1"})
    with pytest.raises(PavError, match=r"for pavcodec 0\.0\.1, and this process has"):
        make_part(old, 0, tmp_path)
    assert not list(tmp_path.iterdir())
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(PavError, match=r"pip install 'pavcodec\[parquet\]'"):
        pav.parts(1, 5, parts=1, seed=7)


# models


SPACES: dict[str, Callable[[], Any]] = {
    "a method": lambda: pav.deals("hcp(south) >= 21", method="counted"),
    "a test": lambda: TESTED,
    "endings": lambda: pav.endings("spades(south) == 2", cards=3),
    "legal endings": lambda: pav.endings("spades(south) == 2", cards=3, legal=True),
    "a mix": lambda: pav.mix([("hcp(south) >= 22", 1), ("hcp(south) >= 12 && rnd(2) == 1", 2)]),
}


def parts_of(name: str) -> Any:
    """Return a plan of four parts."""
    return pav.parts(SPACES[name](), 40, parts=4, seed=7, to="lines")


def bytes_of(plan: Any) -> bytes:
    """Return the third part."""
    stream = io.BytesIO()
    plan.making.write(plan[2], stream)
    return stream.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("name", SPACES)
def test_the_preparation_has_all_models(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare = pickle.dumps(prepared(parts_of(name).making))
    forget_models()
    monkeypatch.setattr(condition, "build_model", lambda *_, **__: pytest.fail("it builds one"))
    again: Prepared = pickle.loads(prepare)
    again()
    assert again.models
    making: Any = again.making
    there = bytes_of(pav.parts(making.space, 40, parts=4, seed=7, to="lines"))
    monkeypatch.undo()
    forget_models()
    assert there == bytes_of(parts_of(name))


def test_large_models_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    making = parts_of("a method").making
    [sent] = prepared(making).models
    counted = sent.model.counted
    assert counted
    size = sum(each.children.nbytes + each.ways.nbytes for each in counted.layers)
    for most, models in ((size, 1), (size - 1, 0)):
        monkeypatch.setattr(run, "MOST_SENT", most)
        assert len(prepared(making).models) == models


# collections of ten kinds


def drawn(given: Any, to: str, **options: Any) -> Any:
    """A plan of three parts with 45 deals."""
    return pav.parts(given, 45, parts=3, seed="a", to=to, **options)


def source(folder: Path) -> Path:
    """A folder of boards, from which others are made."""
    plan = drawn("hcp(south) >= 20", "pbn", tags={"Event": "Club", "Site": "Graz"})
    plan.make(folder / "source", workers=1)
    return folder / "source"


def packed(folder: Path) -> Any:
    plan = derived_plan(PackMaking(source=source_of(source(folder)), space="deal", all=True))
    return Collection(plan.making, plan.ranges, plan.versions)


def solved(folder: Path) -> Any:
    drawn(pav.endings("spades(south) == 2", cards=3), "pbn").make(folder / "source", workers=1)
    return pav.parts_from(folder / "source", to="jsonl", solve=True)


KINDS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "lines of a condition": (
        "d876dfd5f661bb05", lambda _: drawn("shape(north, any 4333)", "lines", start=7)),
    "PBN of tested deals": (
        "4ed83a0893444879", lambda _: drawn(TESTED, "pbn.gz", dealer="E", vulnerable="All")),
    "parquet of a permutation": (
        "5d099b92adda5dac", lambda _: drawn(SMALL, "parquet", order="permuted")),
    "sets": (
        "c8864a40aec5fe52",
        lambda _: drawn(pav.deals(SMALL, method="counted"), "pav", order="sorted")),
    "sorted numbers": (
        "f5761748983dd602",
        lambda _: drawn(pav.numbering("balanced"), "numbers.gz", order="sorted")),
    "archives of a mix": (
        "421403f4c530b1d3",
        lambda _: drawn(
            pav.mix([("hcp(south) >= 22", 1), ("hcp(south) >= 12", 2)]), "pav", tags={"Event": "é"}
        )),
    "converted": ("f75dd865597e8054", lambda folder: pav.parts_from(source(folder), to="lin")),
    "searched": (
        "97a9c042316f14b4",
        lambda folder: pav.parts_from(source(folder), to="jsonl", where="hcp(east) > 6")),
    "packed": ("01247392ca725dd4", packed),
    "solved endings": ("8f2102bfea5765e1", solved),
}  # fmt: skip
"""A change of these hashes changes collections that people have begun and want to continue."""


def stable(plan: Any, folder: Path) -> Iterator[bytes]:
    """Yield what a collection is: what was made and found, and the files of its folder.

    Versions of packages are left out, and so are the sizes of files that other packages write.
    """
    begun, whole = plan.make(folder, only=[1], workers=1), plan.make(folder, workers=1)
    found = plan.check(folder, workers=1)
    foreign = {"versions"}
    if plan.making.suffix.endswith((".parquet", ".gz")):
        foreign |= {"sha256", "bytes"}

    def own(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: own(each) for key, each in value.items() if key not in foreign}
        return [own(each) for each in value] if isinstance(value, list) else value

    for each in (begun, whole, found):
        yield json.dumps(own(each.to_dict())).encode()
    for path in sorted(folder.iterdir()):
        yield path.name.encode()
        if path.suffix == ".json":
            yield json.dumps(own(json.loads(path.read_bytes()))).encode()
        elif path.suffix == ".parquet":
            yield "\n".join(f"{each.layout} {each.tags}" for each in pav.read(path)).encode()
        else:
            data = path.read_bytes()
            yield decompress(data) if path.suffix == ".gz" else data


@pytest.mark.parametrize("kind", KINDS)
def test_collections_stay_as_they_are(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pavcodec.sampling.weights.__version__", "1")
    digest, plan = KINDS[kind]
    data = b"\0".join(stable(plan(tmp_path), tmp_path / "made"))
    assert sha256(data).hexdigest()[:16] == digest
