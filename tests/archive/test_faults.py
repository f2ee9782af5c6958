"""Whatever happens to an archive: right boards, or a refusal that names the place; never others."""

from __future__ import annotations

import io
import os
import re
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NoReturn

import pytest
from container_support import (
    CONSTRAINED,
    KINDS,
    layouts_of,
    opened,
    packed,
    some_boards,
    some_deals,
)

import pavcodec as pav
from pavcodec import Board, Layout, ReadError
from pavcodec.archive import spaces as spaces_module
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
    counted = cache(pav.deals)
    monkeypatch.setattr(spaces_module, "deals", lambda where, **_: counted(str(where)))


@cache
def small_archive(name: str) -> bytes:
    """A small archive of a kind."""
    if name == "any":
        return packed(some_boards(), space="any")
    if name == "condition":
        return packed(CONSTRAINED.sample(4, seed=7), space=CONSTRAINED)
    if name == "none":
        return packed([])
    return packed([*some_deals(7), *some_deals(2)], name)


NAMES = [*KINDS, "any", "condition", "none"]


@pytest.fixture(params=NAMES)
def whole(request: pytest.FixtureRequest) -> bytes:
    """A small archive."""
    return small_archive(request.param)


def streamed(data: bytes) -> tuple[Layouts, list[Problem]]:
    """What a reader of streams makes of bytes."""
    problems: list[Problem] = []
    batches = read_pav(io.BytesIO(data), Context("x.pav", problems.append), Wanted.BOARDS)
    boards = list(chain.from_iterable(batches))
    return layouts_of(boards), problems


def check_damaged(data: bytes, expected: Layouts) -> None:
    """A damaged archive gives right boards up to the damage, and says so."""
    found, problems = streamed(data)
    assert len(problems) == 1
    assert found == expected[: len(found)]
    try:
        archive = opened(data)
    except ReadError as error:
        assert re.match(FAULTS, str(error)), error  # noqa: PT017 (either is right)
    else:
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
    assert len(found) == repaired.boards
    rest = iter(expected)
    assert all(layout in rest for layout in found), "a subsequence"
    assert repaired.damages
    streamed_boards, _ = streamed(data)
    assert len(found) >= len(streamed_boards)


@pytest.mark.slow
def test_a_file_cut_off_anywhere(whole: bytes, tmp_path: Path) -> None:
    expected = layouts_of(opened(whole))
    assert not streamed(whole)[1]
    for size in range(len(whole)):
        check_damaged(whole[:size], expected)
        if size % 7 == 0:
            check_tools(whole[:size], expected, tmp_path)


@pytest.mark.slow
def test_a_byte_changed_anywhere(whole: bytes, tmp_path: Path) -> None:
    expected = layouts_of(opened(whole))
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= (0xFF, 0x01, 0x80)[place % 3]
        check_damaged(bytes(damaged), expected)
        if place % 7 == 0:
            check_tools(bytes(damaged), expected, tmp_path)


@pytest.mark.slow
def test_bytes_added_or_taken_out_anywhere(whole: bytes) -> None:
    expected = layouts_of(opened(whole))
    for place in range(len(whole)):
        rest = whole[place:] if place % 2 else whole[place + 1 :]
        added = b"\0" if place % 2 else b""  # at every second place, and at the others one is lost
        check_damaged(whole[:place] + added + rest, expected)
    check_damaged(whole + b"\0", expected)


def test_one_damaged_block_costs_no_other(tmp_path: Path) -> None:
    data = packed(some_deals(9))
    place = opened(data)._contents.blocks[1].offset + 25
    path = tmp_path / "x.pav"
    path.write_bytes(data[:place] + b"?" + data[place + 1 :])
    (damage,) = verify_archive(path)
    assert "its checksum is wrong" in str(damage)
    repaired = repair_archive(path, tmp_path / "new.pav")
    assert repaired.boards == 6
    with pav.open_archive(tmp_path / "new.pav") as archive:
        assert layouts_of(archive) == [*some_deals(9)[:3], *some_deals(9)[6:]]
    with pav.open_archive(path) as archive, pytest.raises(ReadError, match="block 1 at byte"):
        list(archive)


def test_blocks_in_another_order_or_twice_are_refused(tmp_path: Path) -> None:
    for kind in KINDS:
        data = packed(some_deals(9), kind)
        first, second, third = (
            data[place.offset : place.offset + place.entry.size]
            for place in opened(data)._contents.blocks
        )
        start = data.index(first)
        for blocks in ([second, first, third], [first, first, third], [first, third]):
            wrong = data[:start] + b"".join(blocks) + data[start + len(first + second + third) :]
            _, problems = streamed(wrong)
            assert problems
            (tmp_path / "x.pav").write_bytes(wrong)
            assert verify_archive(tmp_path / "x.pav")


def test_without_a_header_the_copy_in_the_index_tells_it(tmp_path: Path) -> None:
    data = packed(some_deals(7))
    path = tmp_path / "x.pav"
    path.write_bytes(bytes(30) + data[30:])
    assert repair_archive(path, tmp_path / "new.pav").boards == 7
    assert (tmp_path / "new.pav").read_bytes() == data


class Killed(BaseException):
    """The process ends here."""


def after_every_write(monkeypatch: pytest.MonkeyPatch, job: Callable[[], object]) -> Iterator[int]:
    """Do a job that is killed after its first write, its second and so on, until it is done."""
    real = writer_module.ArchiveWriter._write
    real_take_back = writer_module._take_back
    for most in range(1, 100):
        calls = 0

        def write(self: writer_module.ArchiveWriter, data: bytes, most: int = most) -> None:
            nonlocal calls
            if calls == most:
                raise Killed
            calls += 1
            real(self, data)

        monkeypatch.setattr(writer_module.ArchiveWriter, "_write", write)
        monkeypatch.setattr(writer_module, "_take_back", lambda *_: None)
        is_done = False
        try:
            job()
            is_done = True
        except Killed:
            pass
        monkeypatch.setattr(writer_module.ArchiveWriter, "_write", real)
        monkeypatch.setattr(writer_module, "_take_back", real_take_back)
        if is_done:
            return
        yield most
    raise AssertionError("it never ends")


def test_killed_while_a_file_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.pav"
    path.write_bytes(b"old")
    kills = 0
    for _ in after_every_write(monkeypatch, lambda: pav.write_archive(some_deals(7), path)):
        kills += 1
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]
    assert kills == 5
    with pav.open_archive(path) as archive:
        assert len(archive) == 7


@pytest.mark.slow
def test_killed_while_boards_are_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, target = tmp_path / "x.pav", tmp_path / "new.pav"
    old = packed(some_deals(5))
    new = some_deals(5, seed=8)

    def add() -> None:
        path.write_bytes(old)
        append_archive(new, path)

    for kill in after_every_write(monkeypatch, add):
        data = path.read_bytes()
        assert data.startswith(old)
        boards = {1: 8}.get(kill, 10)
        assert streamed(data)[0] == [*some_deals(5), *new][:boards]
        with pytest.raises(ReadError, match="appending to it was interrupted"):
            pav.open_archive(path)
        assert repair_archive(path, target).boards == boards
        for size in range(len(old) + 1, len(data)):
            path.write_bytes(data[:size])
            assert repair_archive(path, target).boards >= 5
    with pav.open_archive(path) as archive:
        assert layouts_of(archive) == [*some_deals(5), *new]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_process_killed_while_it_adds(tmp_path: Path) -> None:
    path = tmp_path / "x.pav"
    for most in range(5):
        pav.write_archive(some_deals(5), path)

        def boards(most: int = most) -> Iterator[Board]:
            for place, deal in enumerate(some_deals(40, seed=8)):
                if place == 7 * most:
                    os._exit(9)
                yield Board(deal)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # threads of a test before this
            child = os.fork()
        if not child:
            try:
                append_archive(boards(), path)
            finally:
                os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        found, _ = streamed(path.read_bytes())
        assert found[:5] == list(some_deals(5))
        assert found[5:] == list(some_deals(40, seed=8)[: len(found) - 5])


class FullDisk(io.BytesIO):
    """A stream that takes only so many bytes."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def write(self, data: object) -> int:
        assert isinstance(data, bytes)
        if self.tell() + len(data) > self.size:
            super().write(data[: self.size - self.tell()])
            raise OSError(28, "No space left on device")
        return super().write(data)


@pytest.mark.slow
def test_a_disk_that_fills() -> None:
    expected = layouts_of(opened(packed(some_deals(7))))
    data = packed(some_deals(7))
    for size in range(len(data)):
        stream = FullDisk(size)
        with pytest.raises(OSError, match="No space left"):
            pav.write_archive(some_deals(7), stream)
        assert stream.getvalue() == data[:size]
        check_damaged(stream.getvalue(), expected)
    stream = FullDisk(len(data))
    assert pav.write_archive(some_deals(7), stream) == 7


def test_two_readers_at_once_and_one_while_boards_are_added(tmp_path: Path) -> None:
    path = tmp_path / "x.pav"
    pav.write_archive(some_deals(9), path)
    with pav.open_archive(path) as first, pav.open_archive(path) as second:
        append_archive(some_deals(4, seed=8), path)
        for here, there in zip(first, reversed(second), strict=True):
            assert here in second
            assert there in first
        assert len(first) == 9
    with pav.open_archive(path) as archive:
        assert layouts_of(archive) == [*some_deals(9), *some_deals(4, seed=8)]


def test_many_additions(tmp_path: Path) -> None:
    path = tmp_path / "x.pav"
    pav.write_archive([], path)
    added: list[Layout] = []
    for count in (1, 0, 4, 2):
        added += some_deals(count, seed=count)
        assert append_archive(some_deals(count, seed=count), path) == len(added)
        with pav.open_archive(path) as archive:
            assert layouts_of(archive) == added
        assert not verify_archive(path)
        assert streamed(path.read_bytes()) == (added, [])


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

    def boards() -> Iterator[Layout]:
        yield from some_deals(5)
        fail()

    def fail() -> NoReturn:
        raise RuntimeError("no more")

    for wrong in (boards(), [*some_deals(5), Layout.from_pbn("N:A... - - -")]):
        with pytest.raises((RuntimeError, pav.LayoutError)):
            append_archive(wrong, path)
        assert path.read_bytes() == data


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
