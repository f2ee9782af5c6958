"""Files that lie: refused in little time and memory, with the place."""

from __future__ import annotations

import io
import time
import tracemalloc
import zlib
from itertools import pairwise
from pathlib import Path

import pytest
from container_support import DEALS, opened, packed, some_boards, some_deals
from hypothesis import given
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec import Board, PavError, ReadError
from pavcodec.archive.coding.mixed import MixedCoder
from pavcodec.archive.container import (
    BlockType,
    End,
    Entry,
    Header,
    Kind,
    SpaceType,
    StoredSpace,
    build_block,
    build_end,
    build_entries,
    build_header,
    parse_entries,
    parse_head,
)
from pavcodec.archive.stream import read_pav, repair_archive, verify_archive
from pavcodec.archive.writer import append_archive
from pavcodec.boards import Context, Problem
from pavcodec.boards.batch import Wanted
from pavcodec.numberings.chain import Chain

TOTAL = DEALS.cardinality
DEAL = StoredSpace(SpaceType.NUMBERING, 0, TOTAL, "deal")
HEADER = build_header(Header(Kind.ORDERED, keeps_tags=False, spaces=(DEAL,)))


def archive_of(
    header: bytes = HEADER,
    blocks: bytes = b"",
    entries: tuple[Entry, ...] = (),
    boards: int = 0,
    previous: int = 0,
) -> bytes:
    """An archive as anybody can make it, with all checksums right."""
    index = build_block(
        BlockType.INDEX, len(entries), build_entries(previous, entries, None), header
    )
    return header + blocks + index + build_end(End(len(header + blocks), boards))


def entry_of(block: bytes, count: int) -> Entry:
    """The entry of a block."""
    return Entry(len(block), count, parse_head(block[:20]).checksum, 0)


def read_all(data: bytes, folder: Path) -> list[str]:
    """What is said of a file by everything that reads it."""
    said = []
    problems: list[Problem] = []
    list(read_pav(io.BytesIO(data), Context("x.pav", problems.append), Wanted.BOARDS))
    said += [str(problem) for problem in problems]
    path = folder / "x.pav"
    path.write_bytes(data)
    said += map(str, verify_archive(path))
    try:
        repair_archive(path, folder / "new.pav")
    except PavError as error:
        said.append(str(error))
    try:
        with pav.open_archive(path) as archive:
            list(archive)
            said.append("")
    except ReadError as error:
        said.append(str(error))
    return said


def check_refused(data: bytes, folder: Path, most: int = 1 << 23) -> None:
    """A file is refused by everything that reads it, in little time and memory."""
    tracemalloc.start()
    begin = time.process_time()
    try:
        said = read_all(data, folder)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert said[-1], said
    assert len(said) >= 3
    assert peak < most
    assert time.process_time() - begin < 5


def test_the_archives_of_this_test_are_right(tmp_path: Path) -> None:
    block = packed(some_deals(3))[len(HEADER) : -len(archive_of()) + len(HEADER) - 12]
    data = archive_of(HEADER, block, (entry_of(block, 3),), 3)
    assert data == packed(some_deals(3))
    assert read_all(data, tmp_path) == [""]
    assert read_all(archive_of(), tmp_path) == [""]


@pytest.mark.parametrize("count", [0, 2, 1 << 16, 1 << 31, (1 << 32) - 1])
def test_giant_counts(count: int, tmp_path: Path) -> None:
    numbers = bytes(12)
    block = build_block(BlockType.BOARDS, count, numbers)
    check_refused(archive_of(HEADER, block, (entry_of(block, count),), count), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("place", [8, 12])
def test_giant_lengths(place: int, tmp_path: Path) -> None:
    block = bytearray(build_block(BlockType.BOARDS, 1, bytes(12)))
    for length in (1 << 20, 1 << 26, 1 << 31, (1 << 32) - 1):
        block[place : place + 4] = length.to_bytes(4, "little")
        data = bytes(block)
        check_refused(archive_of(HEADER, data, (entry_of(data, 1),), 1), tmp_path)


def test_giant_indexes(tmp_path: Path) -> None:
    for boards in (1, 1 << 40, (1 << 64) - 1):
        check_refused(archive_of(boards=boards), tmp_path)
    for entry in (
        Entry((1 << 32) - 1, 1, 0, 0),
        Entry(20, (1 << 32) - 1, 0, 0),
        Entry(0, 0, 0, 0),
        Entry(0, 1, 0, 0),
    ):
        check_refused(archive_of(entries=(entry,), boards=entry.count), tmp_path)


@pytest.mark.parametrize("kind", ["NO_CARDS", "TOO_MANY"])
def test_boards_that_take_no_bytes(kind: str, tmp_path: Path) -> None:
    header = build_header(
        Header(Kind.ORDERED, keeps_tags=False, spaces=(StoredSpace(SpaceType.NO_CARDS, 0, 1, ""),))
    )
    count = 1 << 16
    block = build_block(BlockType.BOARDS, count + (kind == "TOO_MANY"), b"")
    data = archive_of(header, block, (entry_of(block, count),), count)
    if kind == "TOO_MANY":
        check_refused(data, tmp_path)
    else:
        assert opened(data)[-1] == Board(None)


def test_many_boards_that_take_no_bytes_take_no_time(tmp_path: Path) -> None:
    header = build_header(
        Header(Kind.ORDERED, keeps_tags=False, spaces=(StoredSpace(SpaceType.NO_CARDS, 0, 1, ""),))
    )
    count, blocks = 1 << 16, 300
    block = build_block(BlockType.BOARDS, count, b"")
    path = tmp_path / "x.pav"
    entries = (entry_of(block, count),) * blocks
    path.write_bytes(archive_of(header, block * blocks, entries, count * blocks))
    begin = time.process_time()
    assert not verify_archive(path)
    assert repair_archive(path, tmp_path / "new.pav").boards == count * blocks
    assert time.process_time() - begin < 3


def test_indexes_in_a_circle(tmp_path: Path) -> None:
    for previous in (len(HEADER), len(HEADER) + 1, 1, 8, 1 << 40, (1 << 64) - 1):
        check_refused(archive_of(previous=previous), tmp_path)
    index = build_block(BlockType.INDEX, 0, build_entries(0, (), None), HEADER)
    end = build_end(End(len(HEADER), 0))
    second = len(HEADER + index + end)
    later = build_block(BlockType.INDEX, 0, build_entries(second, (), None), HEADER)
    check_refused(HEADER + index + end + later + build_end(End(second, 0)), tmp_path)


@pytest.mark.parametrize(
    "spaces",
    [
        (),
        (DEAL,) * 17,
        (DEAL._replace(cardinality=TOTAL + 1),),
        (DEAL._replace(cardinality=1),),
        (DEAL._replace(cardinality=(1 << 128) - 1),),
        (DEAL._replace(text="dael"),),
        (DEAL._replace(text=""),),
        (DEAL._replace(text="../../etc/passwd"),),
        (DEAL._replace(cards=13),),
        (StoredSpace(SpaceType.NO_CARDS, 0, 2, ""),),
        (StoredSpace(SpaceType.NO_CARDS, 0, 1, "x"),),
        (StoredSpace(SpaceType.ENDINGS, 0, 5, "1"),),
        (StoredSpace(SpaceType.ENDINGS, 13, 5, "1"),),
        (StoredSpace(SpaceType.DEALS, 5, 5, "1"),),
        (StoredSpace(SpaceType.DEALS, 0, (1 << 128) - 1, "1"),),
    ],
)
def test_spaces_that_there_are_not(spaces: tuple[StoredSpace, ...], tmp_path: Path) -> None:
    header = build_header(Header(Kind.ORDERED, keeps_tags=False, spaces=spaces))
    with pytest.raises(ReadError, match=r"x\.pav: header: "):
        opened(archive_of(header))
    check_refused(archive_of(header), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hcp(south) >= 37", "numbers here"),
        ("hcp(south)>=37", "canonical form"),
        ("hcp(south", "no condition"),
        ("(" * 30000, "no condition"),
        ("!" * 60000 + "1", "header"),
        ("cccc(north) * cccc(south) == 7", "takes more than 1 MiB"),
    ],
)
@pytest.mark.parametrize("type_", [SpaceType.DEALS, SpaceType.ENDINGS])
def test_conditions_that_are_not_right(text: str, reason: str, type_: SpaceType) -> None:
    space = StoredSpace(type_, 5 * (type_ is SpaceType.ENDINGS), 1000, text)
    header = build_header(Header(Kind.ORDERED, keeps_tags=False, spaces=(space,)))
    block = build_block(BlockType.BOARDS, 1, bytes(2))
    data = archive_of(header, block, (entry_of(block, 1),), 1)
    archive = pav.Archive(data, "x.pav", memory="1M")
    assert len(archive) == 1
    with pytest.raises(PavError, match=reason):
        _ = archive[0]


def test_flags_and_kinds_that_there_are_not() -> None:
    for place, value in ((12, 3), (12, 255), (13, 4), (13, 255)):
        header = bytearray(HEADER[:-4])
        header[place] = value
        whole = bytes(header) + zlib.crc32(header).to_bytes(4, "little")
        with pytest.raises(ReadError, match="header: "):
            opened(archive_of(whole))


@pytest.mark.slow
def test_columns_of_parts_that_are_none() -> None:
    coder = MixedCoder(Chain((5, 7)))
    bomb = zlib.compress(bytes(1 << 24), 9)

    def column(data: bytes, count: int) -> None:
        with pytest.raises(ReadError):
            coder.decode(b"\xff" + len(data).to_bytes(4, "little") + data, count)

    for data in (bomb, b"", b"x" * 9, zlib.compress(b"\0\1")[:-1], zlib.compress(b"\0\1") + b"x"):
        for count in (1, 2, 3):
            column(data, count)
    column(zlib.compress(b"\0\0"), 2)
    column(zlib.compress(b"\0\2"), 2)
    for wrong in (b"", b"\2", b"\0", b"\0\1\1", b"\xff", b"\xff\xff\xff\xff\xff"):
        with pytest.raises(ReadError):
            coder.decode(wrong, 1)


@pytest.mark.slow
@given(st.lists(st.integers(0, 11), max_size=30))
def test_numbers_of_several_parts(numbers: list[int]) -> None:
    import numpy as np

    coder = MixedCoder(Chain((5, 1, 6)))
    rows = np.array([[0, number] for number in numbers], np.uint64).reshape(-1, 2)
    data = coder.encode(rows)
    assert coder.decode(data, len(numbers)).tolist() == rows.tolist()
    assert [coder.at(data, len(numbers), i) for i in range(len(numbers))] == numbers


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    for start in (b"", HEADER):
        with pytest.raises(ReadError):
            opened(start + data)
        problems: list[Problem] = []
        list(read_pav(io.BytesIO(start + data), Context("x.pav", problems.append), Wanted.BOARDS))
        assert problems


def test_many_small_additions_stay_small(tmp_path: Path) -> None:
    path = tmp_path / "x.pav"
    pav.write_archive([], path)
    sizes = [path.stat().st_size]
    for deal in some_deals(20):
        append_archive([deal], path)
        sizes.append(path.stat().st_size)
    assert len({after - before for before, after in pairwise(sizes)}) == 1


@given(st.lists(st.tuples(*[st.integers(0, 99)] * 4), max_size=5), st.none() | st.just(100))
def test_entries_in_a_row(fields: list[tuple[int, ...]], below: int | None) -> None:
    entries = [Entry(a, b, c, d if below else 0) for a, b, c, d in fields]
    data = build_entries(7, entries, below)
    assert parse_entries(data, len(entries), below) == (7, entries)


def test_many_false_blocks_take_linear_time(tmp_path: Path) -> None:
    false = build_block(BlockType.BOARDS, 1, bytes(12))[:16] + bytes(4)
    large = false[:8] + (1 << 20).to_bytes(4, "little") + false[12:]
    path = tmp_path / "x.pav"
    path.write_bytes(HEADER + large * 100_000)
    begin = time.process_time()
    assert verify_archive(path)[-1].reason == "the archive has no end"
    assert time.process_time() - begin < 5


def test_tags_are_kept_or_refused(tmp_path: Path) -> None:
    boards = [
        Board.make(deal, number=n, tags={"Event": "é"}) for n, deal in enumerate(some_deals(9), 1)
    ]
    for kind in ("ordered", "set", "multiset"):
        archive = opened(packed(boards, kind, all=True))
        assert archive.keeps_tags
        assert sorted(archive, key=lambda board: board.number or 0) == boards
        assert archive[3] in boards
    rules = opened(packed(boards))
    assert list(rules) == [Board.make(board.layout, number=board.number) for board in boards]
    assert len(packed(boards)) < len(packed(some_deals(9))) + 20
    assert list(opened(packed(some_boards(), space="any", all=True))) == [
        board if isinstance(board, Board) else Board(board) for board in some_boards()
    ]
    data = packed(boards, all=True)
    block = data[len(HEADER) : opened(data).size]
    head = parse_head(block[:20])
    wrong = build_block(
        BlockType.BOARDS, 9, block[20 : 20 + head.numbers_size], b"x" * head.tags_size
    )
    header = build_header(Header(Kind.ORDERED, keeps_tags=True, spaces=(DEAL,)))
    check_refused(archive_of(header, wrong, (entry_of(wrong, 9),), 9), tmp_path)
    archive = opened(archive_of(header, wrong, (entry_of(wrong, 9),), 9))
    with pytest.raises(ReadError, match=r"x\.pav: block 0 at byte 44: metadata"):
        archive[3]
