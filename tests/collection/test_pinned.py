"""Collections of ten kinds: the contents of their files, manifests and checks stay as they are.

A change of these hashes changes collections that people have begun and want to continue.
Versions of packages are left out, and so are the sizes of files that other packages write.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from gzip import decompress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import pavcodec as pav
from pavcodec.collection.collection import Collection
from pavcodec.collection.derived import PackMaking, derived_plan
from pavcodec.collection.source import source_of

SMALL = "hcp(south) == 37 && spades(south) == 4 && hcp(north) == 3"


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


KINDS: dict[str, Callable[[Path], Any]] = {
    "lines of a condition": lambda _: drawn("shape(north, any 4333)", "lines", start=7),
    "PBN of tested deals": lambda _: drawn(
        "hcp(south) >= 20 && rnd(2) == 1", "pbn.gz", dealer="E", vulnerable="All"
    ),
    "parquet of a permutation": lambda _: drawn(SMALL, "parquet", order="permuted"),
    "sets": lambda _: drawn(pav.deals(SMALL, method="counted"), "pav", order="sorted"),
    "sorted numbers": lambda _: drawn(pav.numbering("balanced"), "numbers.gz", order="sorted"),
    "archives of a mix": lambda _: drawn(
        pav.mix([("hcp(south) >= 22", 1), ("hcp(south) >= 12", 2)]), "pav", tags={"Event": "é"}
    ),
    "converted": lambda folder: pav.parts_from(source(folder), to="lin"),
    "searched": lambda folder: pav.parts_from(source(folder), to="jsonl", where="hcp(east) > 6"),
    "packed": packed,
    "solved endings": solved,
}

PINNED = {
    "lines of a condition": "d876dfd5f661bb05",
    "PBN of tested deals": "4ed83a0893444879",
    "parquet of a permutation": "5d099b92adda5dac",
    "sets": "c8864a40aec5fe52",
    "sorted numbers": "f5761748983dd602",
    "archives of a mix": "421403f4c530b1d3",
    "converted": "f75dd865597e8054",
    "searched": "97a9c042316f14b4",
    "packed": "01247392ca725dd4",
    "solved endings": "8f2102bfea5765e1",
}


def stable(plan: Any, folder: Path) -> Iterator[bytes]:
    """Yield what a collection is: what was made and found, and the files of its folder."""
    begun, made = plan.make(folder, only=[1], workers=1), plan.make(folder, workers=1)
    found = plan.check(folder, workers=1)
    foreign = {"versions"}
    if plan.making.suffix.endswith((".parquet", ".gz")):
        foreign |= {"sha256", "bytes"}

    def own(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: own(each) for key, each in value.items() if key not in foreign}
        return [own(each) for each in value] if isinstance(value, list) else value

    for each in (begun, made, found):
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
    plan = KINDS[kind](tmp_path)
    digest = sha256(b"\0".join(stable(plan, tmp_path / "made"))).hexdigest()
    assert digest[:16] == PINNED[kind]
