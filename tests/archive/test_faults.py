"""Whatever happens to an archive: right boards, or a refusal that names the place; never others."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NoReturn

import pytest
from container_support import KINDS, layouts_of, opened, packed, some_boards, some_deals

import pavcodec as pav
from pavcodec import Layout, ReadError
from pavcodec.archive import writer as writer_module
from pavcodec.archive.stream import read_pav, repair_archive, verify_archive
from pavcodec.archive.writer import append_archive
from pavcodec.boards import Context, Problem
from pavcodec.boards.batch import Wanted

FAULTS = (
    r"x\.pav: (header|index|end|the file has no end block|the archive is cut off|block|this is no)"
)
Layouts = list[Layout | None]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 3 boards."""
    monkeypatch.setattr(writer_module, "AT_ONCE", 3)
    monkeypatch.setattr(os, "fsync", lambda _: None)  # thousands of files


@cache
def small_archive(name: str) -> bytes:
    """A small archive of a kind."""
    if name == "any":
        return packed(some_boards()[3:7], space="any", all=True)
    if name == "none":
        return packed([])
    return packed(some_deals(5), name)


def streamed(data: bytes) -> tuple[Layouts, list[Problem]]:
    """What a reader of streams makes of bytes."""
    problems: list[Problem] = []
    batches = read_pav(io.BytesIO(data), Context("x.pav", problems.append), Wanted.BOARDS)
    return layouts_of(chain.from_iterable(batches)), problems


def check_damaged(data: bytes, expected: Layouts) -> None:
    """A damaged archive gives right boards up to the damage, and says so."""
    found, problems = streamed(data)
    assert len(problems) == 1
    assert found == expected[: len(found)]
    try:
        archive = opened(data)
    except ReadError as error:
        assert re.match(FAULTS, str(error)), error  # noqa: PT017 (either is right)
        return
    assert len(archive) == len(expected)
    refused = 0
    for place, layout in enumerate(expected):
        try:
            assert archive[place].layout == layout
        except ReadError as error:
            assert str(error).startswith("x.pav: block ")  # noqa: PT017 (either is right)
            refused += 1
    assert refused


def check_tools(data: bytes, expected: Layouts, folder: Path) -> None:
    """`verify` finds the damage, and `repair` saves boards of the archive and nothing else."""
    path, target = folder / "x.pav", folder / "new.pav"
    path.write_bytes(data)
    assert verify_archive(path)
    try:
        repaired = repair_archive(path, target)
    except ReadError as error:
        assert "no copy of the header" in str(error)  # noqa: PT017 (either is right)
        return
    assert not verify_archive(target)
    with pav.open_archive(target) as archive:
        found = layouts_of(archive)
    assert repaired.boards == len(found) >= len(streamed(data)[0])
    rest = iter(expected)
    assert all(layout in rest for layout in found), "a subsequence"
    assert repaired.damages


@pytest.mark.slow
@pytest.mark.parametrize("name", ["set", "any", "none"])
def test_a_file_that_is_cut_changed_or_shifted_anywhere(name: str, tmp_path: Path) -> None:
    whole = small_archive(name)
    expected = layouts_of(opened(whole))
    assert not streamed(whole)[1]
    for place in range(len(whole)):
        changed = bytes([whole[place] ^ (0xFF, 0x01, 0x80)[place % 3]])
        start, rest = whole[:place], whole[place + 1 :]
        damaged = [start + changed + rest, start, start + rest, start + b"\0" + whole[place:]]
        check_damaged(damaged[0], expected)
        check_damaged(damaged[place % 3 + 1], expected)
        if place % 9 == 0:
            for data in damaged[:2]:
                check_tools(data, expected, tmp_path)
    check_damaged(whole + b"\0", expected)


def test_one_damaged_block_costs_no_other(tmp_path: Path) -> None:
    data = packed(some_deals(9))
    place = opened(data)._contents.blocks[1].offset + 25
    path = tmp_path / "x.pav"
    path.write_bytes(data[:place] + b"?" + data[place + 1 :])
    (damage,) = verify_archive(path)
    assert "its checksum is wrong" in str(damage)
    assert repair_archive(path, tmp_path / "new.pav").boards == 6
    with pav.open_archive(tmp_path / "new.pav") as archive:
        assert layouts_of(archive) == [*some_deals(9)[:3], *some_deals(9)[6:]]
    with pav.open_archive(path) as archive, pytest.raises(ReadError, match="block 1 at byte"):
        list(archive)
    path.write_bytes(bytes(30) + data[30:])  # the index has a copy of the header
    assert repair_archive(path, tmp_path / "new.pav").boards == 9
    assert (tmp_path / "new.pav").read_bytes() == data


@pytest.mark.parametrize("kind", KINDS)
def test_blocks_in_another_order_or_twice_are_refused(kind: str, tmp_path: Path) -> None:
    data = packed(some_deals(9), kind)
    first, second, third = (
        data[place.offset : place.offset + place.entry.size]
        for place in opened(data)._contents.blocks
    )
    start = data.index(first)
    rest = data[start + len(first + second + third) :]
    for blocks in ([second, first, third], [first, first, third], [first, third]):
        wrong = data[:start] + b"".join(blocks) + rest
        assert streamed(wrong)[1]
        (tmp_path / "x.pav").write_bytes(wrong)
        assert verify_archive(tmp_path / "x.pav")


@pytest.mark.parametrize("data", [b"", b"PAV", b"PAVARC1\n", b"PAVARC2\n" + bytes(100), bytes(99)])
def test_what_is_no_archive(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.pav"
    path.write_bytes(data)
    with pytest.raises(ReadError, match=r"x\.pav: "):
        pav.open_archive(path)
    assert streamed(data)[1]
    assert verify_archive(path)
    with pytest.raises(ReadError, match="no copy of the header"):
        repair_archive(path, tmp_path / "new.pav")
    assert not (tmp_path / "new.pav").exists()
    with pytest.raises(ReadError, match="regular file"):
        pav.open_archive(tmp_path)


# programs that end while they write


@pytest.mark.slow
def test_killed_while_boards_are_added(tmp_path: Path) -> None:
    """Whatever was written of an addition stands behind an archive that does not change."""
    path, target = tmp_path / "x.pav", tmp_path / "new.pav"
    old, new = packed(some_deals(5)), some_deals(5, seed=8)
    path.write_bytes(old)
    append_archive(new, path)
    whole = path.read_bytes()
    assert whole.startswith(old)
    with pav.open_archive(path) as archive:
        assert layouts_of(archive) == [*some_deals(5), *new]
    saved = []
    for size in range(len(old) + 1, len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(ReadError, match="appending to it was interrupted"):
            pav.open_archive(path)
        saved.append(repair_archive(path, target).boards)
        assert streamed(whole[:size])[0] == [*some_deals(5), *new][: saved[-1]]
    assert saved == sorted(saved)
    assert sorted(set(saved)) == [5, 8, 10]


# adding boards


def test_additions_while_two_others_read(tmp_path: Path) -> None:
    path = tmp_path / "x.pav"
    pav.write_archive(some_deals(4, seed=9), path)
    added: list[Layout] = [*some_deals(4, seed=9)]
    with pav.open_archive(path) as first, pav.open_archive(path) as second:
        for count in (1, 0, 4, 2):
            added += some_deals(count, seed=count)
            assert append_archive(some_deals(count, seed=count), path) == len(added)
            assert not verify_archive(path)
            assert streamed(path.read_bytes()) == (added, [])
        for here, there in zip(first, reversed(second), strict=True):
            assert here in second
            assert there in first
    with pav.open_archive(path) as archive:
        assert layouts_of(archive) == added


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_only_one_at_a_time_adds_boards(tmp_path: Path) -> None:
    path = tmp_path / "x.pav"
    pav.write_archive(some_deals(4), path)

    def boards() -> Iterator[Layout]:
        yield from some_deals(4, seed=8)
        with pytest.raises(ReadError, match="another process is adding"):
            append_archive(some_deals(9), path)

    assert append_archive(boards(), path) == 8
    assert not verify_archive(path)
    assert append_archive(some_deals(1), path) == 9


def test_boards_that_cannot_be_added_leave_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "x.pav"
    pav.write_archive(some_deals(4), path)
    data = path.read_bytes()

    def fail() -> NoReturn:
        raise RuntimeError("no more")

    def boards() -> Iterator[Layout]:
        yield from some_deals(5)
        fail()

    for wrong in (boards(), [*some_deals(5), Layout.from_pbn("N:A... - - -")]):
        with pytest.raises((RuntimeError, pav.LayoutError)):
            append_archive(wrong, path)
        assert path.read_bytes() == data
    pav.write_archive(some_deals(4), path, kind="set")
    with pytest.raises(pav.PavError, match="a set is sorted; merge it with another archive"):
        append_archive(some_deals(1), path)
