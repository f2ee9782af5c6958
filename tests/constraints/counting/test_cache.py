"""Models on disk: read back equal, or not at all; never a reason to fail."""

from __future__ import annotations

import io
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import pavcodec as pav
from pavcodec import ConstrainedDeals
from pavcodec.constraints.counting import plan
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.models.layers import Layer
from pavcodec.constraints.counting.models.model import Model
from pavcodec.constraints.counting.stored import cache, faults
from pavcodec.constraints.counting.stored.cache import (
    cache_folder,
    cache_size,
    load_model,
    store_model,
)
from pavcodec.constraints.counting.stored.faults import fault_of
from pavcodec.constraints.counting.stored.model_files import read_model, write_model
from pavcodec.constraints.counting.stored.plan_cache import load_plan, store_plan
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.limits.memory import MEMORY

TEXT = "hcp(south) == 37 && hcp(north) == 1"
OTHER = "hcp(south) == 37 && hcp(north) == 2"


def model_for(text: str) -> Model:
    return Condition(parse_expression(text)).build()


MODEL = model_for(TEXT)
"""A small one, of about a thousand nodes."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, in which all models are kept."""
    kept = tmp_path / "deep" / "cache"
    monkeypatch.setenv("PAVCODEC_CACHE", str(kept))
    monkeypatch.setattr(cache, "KEPT_FROM", 0)
    return kept


def same(one: Model, other: Model | None) -> bool:
    """Whether two models are equal, array by array."""
    return (
        other is not None
        and (one.sizes, one.seats) == (other.sizes, other.seats)
        and len(one.layers) == len(other.layers)
        and all(
            np.array_equal(left, right) and left.dtype == right.dtype
            for here, there in zip(one.layers, other.layers, strict=True)
            for left, right in ((here.children, there.children), (here.ways, there.ways))
        )
    )


def test_a_model_is_read_back_equal(folder: Path) -> None:
    assert load_model(TEXT, MEMORY) is None
    assert not folder.exists()
    store_model(TEXT, MODEL)
    [file] = folder.iterdir()
    assert file.suffix == ".model"
    found = load_model(TEXT, MEMORY)
    assert found is not None
    assert same(MODEL, found)
    assert found.cardinality == MODEL.cardinality > 0
    assert [found.unrank(5), found.rank(found.unrank(7))] == [MODEL.unrank(5), 7]
    assert load_model(OTHER, MEMORY) is None


def test_models_of_no_deals_and_of_all_deals(folder: Path) -> None:
    for text in ("hcp(north) > 37", "1", "hcp(north) >= 0"):
        model = model_for(text)
        store_model(text, model)
        assert same(model, load_model(text, MEMORY))
    assert len(list(folder.iterdir())) == 3


def test_spaces_use_what_was_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = pav.deals(TEXT)
    assert isinstance(first, ConstrainedDeals)
    members = [first[0], first[-1]]
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr(plan, "build_model", None)
    for where in (TEXT, "hcps(SOUTH)==37 and (hcp(north)==1)"):
        again = pav.deals(where)
        assert isinstance(again, ConstrainedDeals)
        assert again.cardinality == first.cardinality
        assert [again[0], again[-1]] == members
    with pytest.raises(TypeError):
        pav.deals(OTHER).cardinality  # noqa: B018


def test_what_was_kept_needs_no_diagrams(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where other parts are tested."""
    store_model(f"planned: {TEXT}", MODEL)
    divided = "40 / hcp(west) == 3"
    space = pav.deals(f"{TEXT} && {divided}")
    assert isinstance(space, pav.TestedDeals)
    assert space.counted.cardinality == MODEL.cardinality
    monkeypatch.setattr(plan, "build_model", None)
    space = pav.deals(f"{TEXT} && rnd(2) == 1 && tricks(north, spades) > 3")
    assert isinstance(space, pav.TestedDeals)
    assert space.counted.cardinality == MODEL.cardinality
    assert space.reasons == ("rnd is tested deal by deal", "tricks is tested deal by deal")
    assert folder.exists()


def test_a_model_of_another_version_is_not_trusted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_model(TEXT, MODEL)
    for name in ("VERSION", "__version__"):
        with monkeypatch.context() as patch:
            patch.setattr(cache, name, "0")
            assert load_model(TEXT, MEMORY) is None
    assert same(MODEL, load_model(TEXT, MEMORY))
    assert len(list(folder.iterdir())) == 1


def test_a_kept_model_heeds_the_memory(folder: Path) -> None:
    """One that is too large is refused as if nothing had been kept."""
    kept = f"planned: {TEXT}"
    store_model(kept, MODEL)
    assert load_model(kept, MODEL.memory - 1) is None
    assert same(MODEL, load_model(kept, MODEL.memory))
    with pytest.raises(pav.ModelTooLarge) as refused:
        pav.deals(TEXT, memory=MODEL.memory - 1).cardinality  # noqa: B018
    assert pav.deals(TEXT, memory=MODEL.memory).cardinality == MODEL.cardinality
    shutil.rmtree(folder)
    with pytest.raises(pav.ModelTooLarge) as built:
        pav.deals(TEXT, memory=MODEL.memory - 1).cardinality  # noqa: B018
    assert str(refused.value) == str(built.value)


def test_the_size_of_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PAVCODEC_CACHE_SIZE", raising=False)
    assert cache_size() == 4 << 30
    for text, size in (("500M", 500 << 20), ("0", 0), (" 2 GiB ", 2 << 30)):
        monkeypatch.setenv("PAVCODEC_CACHE_SIZE", text)
        assert cache_size() == size


@pytest.mark.parametrize("text", ["", "much", "-1", "1.5G"])
def test_what_is_no_size_of_the_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """Said before anything is counted."""
    monkeypatch.setenv("PAVCODEC_CACHE_SIZE", text)
    with pytest.raises(pav.NumberError, match=f"^PAVCODEC_CACHE_SIZE: a size is .*, not '{text}'$"):
        pav.deals(TEXT)
    assert not folder.exists()
    monkeypatch.setenv("PAVCODEC_CACHE", "")
    assert pav.deals(TEXT).cardinality == MODEL.cardinality


def kept_texts(folder: Path) -> set[str]:
    return {read_model(path)[0] for path in folder.glob("*.model")}


def test_what_was_not_used_for_longest_goes_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"{TEXT} && {number}" for number in range(5)]
    store_model(texts[0], MODEL)
    [first] = folder.iterdir()
    room_for_two = 5 * first.stat().st_size // 2
    monkeypatch.setenv("PAVCODEC_CACHE_SIZE", str(room_for_two + MODEL.memory + cache.FRAME))
    for text in texts[1:3]:
        store_model(text, MODEL)
    for age, path in enumerate(sorted(folder.iterdir(), key=lambda path: read_model(path)[0])):
        os.utime(path, ns=(age, age))
    assert kept_texts(folder) == set(texts[:3])
    assert load_model(texts[0], MEMORY) is not None  # so that the second is now the oldest
    store_model(texts[3], MODEL)
    assert kept_texts(folder) == {texts[0], texts[2], texts[3]}
    store_model(texts[4], MODEL)
    assert kept_texts(folder) == {texts[0], texts[3], texts[4]}
    monkeypatch.setenv("PAVCODEC_CACHE_SIZE", str(MODEL.memory))
    store_model(texts[1], MODEL)  # larger than the folder may be: it is not worth all the others
    assert kept_texts(folder) == {texts[0], texts[3], texts[4]}


def test_half_files_get_old_and_other_files_stay(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir(parents=True)
    half, mine, notes = (folder / name for name in ("pavcodec-x1.part", "my.model", "x.part"))
    old, plan_of_old = (folder / f"{'0' * 32}.{kind}" for kind in ("model", "plan"))
    for path in (half, mine, notes, old, plan_of_old):
        path.write_bytes(bytes(100_000))
        os.utime(path, ns=(1, 1))
    monkeypatch.setenv("PAVCODEC_CACHE_SIZE", str(MODEL.memory + cache.FRAME + 90_000))
    store_model(TEXT, MODEL)
    assert same(MODEL, load_model(TEXT, MEMORY))
    assert not any(path.exists() for path in (half, old, plan_of_old))
    assert mine.exists()
    assert notes.exists()


def test_small_models_are_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "KEPT_FROM", MODEL.nodes + 1)
    store_model(TEXT, MODEL)
    assert not folder.exists()
    monkeypatch.setattr(cache, "KEPT_FROM", MODEL.nodes)
    store_model(TEXT, MODEL)
    assert len(list(folder.iterdir())) == 1


def test_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAVCODEC_CACHE", "/some/where")
    assert cache_folder() == Path("/some/where")
    monkeypatch.setenv("PAVCODEC_CACHE", "")
    assert cache_folder() is None
    monkeypatch.delenv("PAVCODEC_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert cache_folder() == Path("/x/pavcodec")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", "/h")
    assert cache_folder() == Path("/h/.cache/pavcodec")

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    assert cache_folder() is None


def test_an_empty_name_turns_the_cache_off(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_model(TEXT, MODEL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAVCODEC_CACHE", "")
    assert load_model(TEXT, MEMORY) is None
    store_model(OTHER, MODEL)
    assert len(list(folder.iterdir())) == 1
    assert [path.name for path in tmp_path.rglob("*.model")] == [
        path.name for path in folder.iterdir()
    ]


@pytest.fixture
def kept(folder: Path) -> Path:
    """The file of a model in the cache."""
    store_model(TEXT, MODEL)
    [file] = folder.iterdir()
    return file


def foreign() -> Iterator[bytes]:
    """Files that are no models, and one that is a model of something else."""
    yield b""
    yield b"hello"
    yield bytes(1000)
    yield b"PK\x03\x04"
    yield b"PK\x05\x06" + bytes(18)
    yield b"pavcodec model 2\n"
    yield b"pavcodec model 2\n" + bytes(20) + bytes(4)
    yield b"pavcodec model 2\n" + b"\xff" * 24
    yield b"pavcodec model 2\n" + bytes([255, 255, 255, 127]) + b"\x07\0\0\0" * 4 + bytes(4)
    for fields in (
        {"head": np.frombuffer(b"pavcodec model 0\nhcp", np.uint8)},
        {"head": np.frombuffer(b"\xff\xfe", np.uint8)},
        {"other": np.arange(3)},
        {"head": np.array([1.5, 2.5])},
        {"head": np.frombuffer(f"pavcodec model 1\n{TEXT}".encode(), np.uint8)},
    ):
        buffer = io.BytesIO()
        np.savez(buffer, **fields)
        yield buffer.getvalue()
    buffer = io.BytesIO()
    np.save(buffer, np.arange(10))
    yield buffer.getvalue()
    buffer = io.BytesIO()
    np.savez(buffer, head=np.array([{"a": 1}], object), sizes=[13] * 4)
    yield buffer.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("data", list(foreign()), ids=range(16))
def test_a_foreign_file_is_passed_over(kept: Path, data: bytes, tmp_path: Path) -> None:
    kept.write_bytes(data)
    assert load_model(TEXT, MEMORY) is None
    space = pav.deals(TEXT)
    assert space.cardinality == MODEL.cardinality
    store_model(TEXT, MODEL)
    assert same(MODEL, load_model(TEXT, MEMORY))
    other = tmp_path / "foreign.model"
    other.write_bytes(data)
    with pytest.raises(pav.ReadError, match=r"foreign\.model: this is no model of this version"):
        ConstrainedDeals.load(other)


def test_a_model_of_another_condition_is_passed_over(kept: Path) -> None:
    write_model(kept, OTHER, model_for(OTHER))
    assert read_model(kept)[0] == OTHER
    assert load_model(TEXT, MEMORY) is None
    assert pav.deals(TEXT).cardinality == MODEL.cardinality


def test_a_folder_in_the_place_of_the_file(kept: Path) -> None:
    kept.unlink()
    kept.mkdir()
    (kept / "x").touch()
    assert load_model(TEXT, MEMORY) is None
    store_model(TEXT, MODEL)
    assert pav.deals(TEXT).cardinality == MODEL.cardinality


def test_a_file_that_ends_too_early_is_passed_over(kept: Path) -> None:
    whole = kept.read_bytes()
    random = Random(1)
    for size in {1, 100, len(whole) - 1, *(random.randrange(len(whole)) for _ in range(40))}:
        kept.write_bytes(whole[:size])
        assert load_model(TEXT, MEMORY) is None
    kept.write_bytes(whole)
    assert same(MODEL, load_model(TEXT, MEMORY))


@pytest.mark.slow
def test_a_damaged_file_is_passed_over(kept: Path) -> None:
    """A bit anywhere, in the layers or in what the head says about them."""
    whole = kept.read_bytes()
    random = Random(2)
    places = [random.randrange(len(whole)) for _ in range(300)]
    for place in [*range(200), *places, *range(len(whole) - 4, len(whole))]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << random.randrange(8)
        kept.write_bytes(damaged)
        assert load_model(TEXT, MEMORY) is None, place
    kept.write_bytes(whole + b"x")
    assert load_model(TEXT, MEMORY) is None


@pytest.mark.slow
def test_a_damaged_file_with_a_fresh_checksum_is_a_model_or_is_passed_over(kept: Path) -> None:
    """Whoever has changed it has made the checksum anew; what is no model is still none."""
    whole = kept.read_bytes()
    random = Random(3)
    places = [random.randrange(len(whole) - 4) for _ in range(100)]
    for place in [*range(0, 80, 2), *range(80, 180), *places]:
        damaged = bytearray(whole[:-4])
        damaged[place] = random.choice([0, 1, 127, 255, damaged[place] ^ 1])
        kept.write_bytes(damaged + crc32(damaged).to_bytes(4, "little"))
        found = load_model(TEXT, MEMORY)
        assert found is None or fault_of(found) is None, place
        with suppress(pav.ReadError):
            assert same(MODEL, ConstrainedDeals.load(kept).model)


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "KEPT_FROM", 0)
    file = tmp_path / "file"
    file.write_text("no folder")
    for name in (file, file / "below", "/proc/nowhere"):
        monkeypatch.setenv("PAVCODEC_CACHE", str(name))
        store_model(TEXT, MODEL)
        assert load_model(TEXT, MEMORY) is None
        assert pav.deals(TEXT).cardinality == MODEL.cardinality
    assert file.read_text() == "no folder"


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is closed to root"
)
def test_a_folder_that_is_closed(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(stat.S_IRUSR)
    store_model(TEXT, MODEL)
    assert load_model(TEXT, MEMORY) is None
    folder.chmod(stat.S_IRWXU)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("stop", [OSError("no space left"), KeyboardInterrupt()], ids=repr)
def test_a_file_is_complete_or_absent(
    folder: Path, monkeypatch: pytest.MonkeyPatch, stop: BaseException
) -> None:
    """Also where there was one before."""
    store_model(OTHER, MODEL)
    [before] = folder.iterdir()
    content = before.read_bytes()

    def fails(file: Any, *_: Any) -> None:
        file.write(b"half a model")
        raise stop

    monkeypatch.setattr(cache, "write_stream", fails)
    for text in (TEXT, OTHER):
        if isinstance(stop, OSError):
            store_model(text, MODEL)
        else:
            with pytest.raises(KeyboardInterrupt):
                store_model(text, MODEL)
    assert [path.read_bytes() for path in folder.iterdir()] == [content]


def test_nothing_is_left_where_a_file_cannot_be_put_in_its_place(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: str, __: str) -> None:
        raise OSError("the network is away")

    monkeypatch.setattr(os, "replace", fails)
    store_model(TEXT, MODEL)
    assert list(folder.iterdir()) == []


def test_save_and_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = pav.deals(TEXT)
    assert isinstance(space, ConstrainedDeals)
    path = tmp_path / "a space"
    space.save(str(path))
    monkeypatch.setattr(plan, "build_model", None)
    again = ConstrainedDeals.load(path)
    assert again == space
    assert same(space.model, again.model)
    assert again[-1] == space[-1]
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(FileNotFoundError):
        ConstrainedDeals.load(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        space.save(tmp_path / "none" / "x")


def test_a_damaged_file_is_told_when_it_is_asked_for_by_name(tmp_path: Path) -> None:
    space = pav.deals(TEXT)
    assert isinstance(space, ConstrainedDeals)
    path = tmp_path / "space.model"
    space.save(path)
    whole = path.read_bytes()
    random = Random(3)
    for _ in range(60):
        damaged = bytearray(whole)
        damaged[random.randrange(len(whole))] ^= 1 << random.randrange(8)
        path.write_bytes(damaged)
        with pytest.raises(pav.ReadError, match=r"space\.model: this is no model of this version"):
            ConstrainedDeals.load(path)
    path.write_bytes(b"")
    with pytest.raises(pav.ReadError, match=r"space\.model: this is no model"):
        ConstrainedDeals.load(path)


@pytest.mark.parametrize(
    "text",
    [
        "hcp(south) == 37 && hcp(north) == 2",  # other deals
        "hcp(south) == 37",  # more deals
        f"{TEXT} && hcp(east) >= 0 && spades(west) >= 1",  # less
        f"{TEXT} && rnd(2) == 0",
        f"{TEXT} && 1 / 0",
        "hcp(",
        "",
        "\udcff",
    ],
)
def test_a_model_under_another_condition_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "space.model"
    write_model(path, "hcp(east) >= 0" if text == "\udcff" else text, MODEL)
    if text == "\udcff":
        data = path.read_bytes().replace(b"hcp(east)", b"hcp(\xff\xfe)\x00\x00")[:-4]
        path.write_bytes(data + crc32(data).to_bytes(4, "little"))
    with pytest.raises(pav.ReadError, match=r"space\.model: this is no model of this version"):
        ConstrainedDeals.load(path)


def test_a_model_of_endings_is_none_of_deals(folder: Path, tmp_path: Path) -> None:
    endings = pav.endings(TEXT.replace("37", "30"), cards=9)
    assert endings.cardinality
    (kept,) = folder.iterdir()
    with pytest.raises(pav.ReadError, match="of hands of other sizes"):
        ConstrainedDeals.load(kept)
    kept.rename(tmp_path / "a.model")
    write_model(kept, f"9 cards: {endings.name}", model_for("hcp(north) > 37"))
    assert pav.endings(endings.name, cards=9).cardinality == endings.cardinality


def test_loaded_models_agree_with_their_conditions(tmp_path: Path) -> None:
    for place, text in enumerate([TEXT, "1", "hcp(north) > 37", "spades(east) == 4", "hcp(west)"]):
        space = pav.deals(text)
        assert isinstance(space, ConstrainedDeals)
        space.save(tmp_path / str(place))
        assert ConstrainedDeals.load(tmp_path / str(place)) == space


def test_the_cache_may_be_removed_at_any_time(kept: Path) -> None:
    shutil.rmtree(kept.parent)
    assert load_model(TEXT, MEMORY) is None
    store_model(TEXT, MODEL)
    assert same(MODEL, load_model(TEXT, MEMORY))


needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners of POSIX")


@needs_owners
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722])
def test_a_folder_that_others_may_write_to_is_not_used(kept: Path, mode: int) -> None:
    kept.parent.chmod(mode)
    assert load_model(TEXT, MEMORY) is None
    assert load_plan(TEXT) is None
    store_model(OTHER, MODEL)
    store_plan(OTHER, frozenset([pav.Seat.NORTH]))
    assert list(kept.parent.iterdir()) == [kept]
    assert pav.deals(TEXT).cardinality == MODEL.cardinality
    kept.parent.chmod(0o755)
    assert same(MODEL, load_model(TEXT, MEMORY))


@needs_owners
def test_files_that_others_may_write_or_own_are_not_used(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for mode in (0o620, 0o602):
        kept.chmod(mode)
        assert load_model(TEXT, MEMORY) is None
    kept.chmod(0o644)
    assert same(MODEL, load_model(TEXT, MEMORY))
    monkeypatch.setattr(os, "geteuid", lambda: kept.stat().st_uid + 1)
    assert load_model(TEXT, MEMORY) is None
    store_model(OTHER, MODEL)
    assert list(kept.parent.iterdir()) == [kept]


def test_plans_are_private_and_count_as_used(folder: Path) -> None:
    seats = frozenset([pav.Seat.NORTH, pav.Seat.WEST])
    store_plan(TEXT, seats)
    (path,) = folder.iterdir()
    assert path.suffix == ".plan"
    assert path.stat().st_mode & 0o777 == 0o600
    whole = path.read_bytes()
    os.utime(path, ns=(1, 1))
    assert load_plan(TEXT) == seats
    assert path.stat().st_mtime_ns > 1
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        assert load_plan(TEXT) is None
    for other in (whole.replace(b"NW", b"NE"), whole[:-1], whole + b"\n", b"", bytes(2000)):
        path.write_bytes(other)
        assert load_plan(TEXT) is None


def test_large_models_are_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "KEPT_TO", MODEL.nodes - 1)
    store_model(TEXT, MODEL)
    assert not folder.exists() or list(folder.iterdir()) == []
    monkeypatch.setattr(cache, "KEPT_TO", MODEL.nodes)
    store_model(TEXT, MODEL)
    (path,) = folder.iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def changed(model: Model, card: int, kind: str) -> Model:
    """A model with one thing changed before a card."""
    layer = model.layers[card]
    children, ways = layer.children.copy(), layer.ways.copy()
    if kind == "a child beyond":
        children[0, 0] = 1 << 30
    elif kind == "a child below":
        children[0, 0] = -2
    elif kind == "another child":
        children[:, [0, 1]] = children[:, [1, 0]]
    elif kind == "a child less":
        children[0, (children[0] >= 0).argmax()] = -1
    elif kind == "a way more":
        ways[0, 1] += np.uint64(1)
    elif kind == "a node more":
        children, ways = np.vstack([children, children[:1]]), np.vstack([ways, ways[:1]])
    elif kind == "a letter more":
        children = np.hstack([children, children[:, :1]])
    elif kind == "wide children":
        return replaced(model, card, Layer(children.astype(np.int64), ways))
    elif kind == "signed ways":
        return replaced(model, card, Layer(children, ways.astype(np.int64)))
    else:
        children, ways = children[:0], ways[:0]
    return replaced(model, card, Layer(children, ways))


def replaced(model: Model, card: int, layer: Layer) -> Model:
    layers = [*model.layers[:card], layer, *model.layers[card + 1 :]]
    return Model(model.sizes, model.seats, tuple(layers))


CHANGES = [
    "a child beyond", "a child below", "another child", "a child less", "a way more",
    "a node more", "a letter more", "wide children", "signed ways", "no nodes",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("large", [0, 1 << 20], ids=["by a loop", "by arrays"])
@pytest.mark.parametrize("kind", CHANGES)
@pytest.mark.parametrize("card", [0, 13, 30, 51])
def test_a_crafted_model_is_passed_over(
    folder: Path, card: int, kind: str, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its checksums are right, and yet a loop might walk out of its tables."""
    monkeypatch.setattr(faults, "LARGE", large)
    bad = changed(MODEL, card, kind)
    assert fault_of(MODEL) is None
    assert fault_of(bad)
    store_model(TEXT, bad)
    assert len(list(folder.iterdir())) == 1
    found = load_model(TEXT, MEMORY)
    if kind in {"wide children", "signed ways"}:  # a file has but one form
        assert same(MODEL, found)
    else:
        assert found is None


def test_a_model_of_other_hands_is_at_fault() -> None:
    layers = MODEL.layers
    sizes, seats = MODEL.sizes, MODEL.seats
    for other in (
        Model(sizes[:3], seats, layers),
        Model((12, 14, 13, 13), (0, *seats[1:]), layers),
        Model((14, 12, 13, 13), (0, *seats[1:]), layers),
        Model(sizes, tuple(seat + 4 for seat in seats), layers),
        Model(sizes, (*seats, *seats), layers),
        Model(sizes, seats, layers[1:]),
        Model((-13, 13, 26, 26), seats, layers),
        Model((1000, 13, 13, 13), seats, layers),
        Model((*sizes, *[0] * 4), seats, layers),
        Model((0, 15, 16, 16, 16), seats, layers),
    ):
        assert fault_of(other)


@pytest.mark.parametrize("large", [0, 1 << 20], ids=["by a loop", "by arrays"])
def test_models_without_fault(large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "LARGE", large)
    for text in ("1", "hcp(north) >= 38", "hcp(north) == 2 && hcp(south) <= 1", "hcp(east) > 40"):
        space = pav.deals(text)
        assert isinstance(space, pav.ConstrainedDeals)
        assert fault_of(space.model) is None
