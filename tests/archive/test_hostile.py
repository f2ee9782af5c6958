"""Files that lie: refused in little time and memory, with the place."""

from __future__ import annotations

import io
import time
import tracemalloc
import zlib
from pathlib import Path

import pytest
from container_support import DEALS, opened, packed, some_deals
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
    parse_head,
)
from pavcodec.archive.stream import read_pav, repair_archive, verify_archive
from pavcodec.boards import Context, Problem
from pavcodec.boards.batch import Wanted
from pavcodec.numberings.chain import Chain

TOTAL = DEALS.cardinality
DEAL = StoredSpace(SpaceType.NUMBERING, 0, TOTAL, "deal")
NO_CARDS = StoredSpace(SpaceType.NO_CARDS, 0, 1, "")


def header_of(*spaces: StoredSpace, keeps_tags: bool = False) -> bytes:
    """The header of an ordered archive."""
    return build_header(Header(Kind.ORDERED, keeps_tags=keeps_tags, spaces=spaces))


HEADER = header_of(DEAL)


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


def archive_of_block(block: bytes, count: int, header: bytes = HEADER, times: int = 1) -> bytes:
    """An archive of one block, or of the same block so many times."""
    entry = Entry(len(block), count, parse_head(block[:20]).checksum, 0)
    return archive_of(header, block * times, (entry,) * times, count * times)


def read_all(data: bytes, folder: Path) -> list[str]:
    """What is said of a file by everything that reads it."""
    problems: list[Problem] = []
    list(read_pav(io.BytesIO(data), Context("x.pav", problems.append), Wanted.BOARDS))
    said = [str(problem) for problem in problems]
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


def check_refused(data: bytes, folder: Path) -> None:
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
    assert peak < 1 << 23
    assert time.process_time() - begin < 5


def test_the_archives_of_this_test_are_right(tmp_path: Path) -> None:
    block = packed(some_deals(3))[len(HEADER) : -len(archive_of()) + len(HEADER) - 12]
    data = archive_of_block(block, 3)
    assert data == packed(some_deals(3))
    assert read_all(data, tmp_path) == read_all(archive_of(), tmp_path) == [""]


@pytest.mark.slow
def test_giant_counts_and_lengths(tmp_path: Path) -> None:
    for count in (0, 2, 1 << 16, 1 << 31, (1 << 32) - 1):
        block = build_block(BlockType.BOARDS, count, bytes(12))
        check_refused(archive_of_block(block, count), tmp_path)
    for place in (8, 12):
        for length in (1 << 20, (1 << 32) - 1):
            lies = bytearray(build_block(BlockType.BOARDS, 1, bytes(12)))
            lies[place : place + 4] = length.to_bytes(4, "little")
            check_refused(archive_of_block(bytes(lies), 1), tmp_path)


def test_a_block_that_differs_from_its_entry() -> None:
    for numbers in (bytes(12), b"\xff" * 12):  # of a deal, and of none
        block = build_block(BlockType.BOARDS, 1, numbers)
        checksum = parse_head(block[:20]).checksum
        archive = opened(archive_of(HEADER, block, (Entry(len(block), 1, checksum ^ 1, 0),), 1))
        with pytest.raises(ReadError, match=r"block 0 at byte .* differs from its entry"):
            list(archive)
        problems: list[Problem] = []
        data = archive_of_block(block, 1)
        read = read_pav(io.BytesIO(data), Context("x.pav", problems.append), Wanted.CARDS)
        assert (len(list(read)), len(problems)) == ((1, 0) if numbers == bytes(12) else (0, 1))


def test_giant_indexes(tmp_path: Path) -> None:
    for boards in (1, 1 << 40, (1 << 64) - 1):
        check_refused(archive_of(boards=boards), tmp_path)
    for size, count in (((1 << 32) - 1, 1), (20, (1 << 32) - 1), (0, 0), (0, 1)):
        entry = Entry(size, count, 0, 0)
        check_refused(archive_of(entries=(entry,), boards=count), tmp_path)


def test_indexes_in_a_circle(tmp_path: Path) -> None:
    for previous in (len(HEADER), len(HEADER) + 1, 1, 8, 1 << 40, (1 << 64) - 1):
        check_refused(archive_of(previous=previous), tmp_path)
    first = HEADER + build_block(BlockType.INDEX, 0, build_entries(0, (), None), HEADER)
    first += build_end(End(len(HEADER), 0))
    later = build_block(BlockType.INDEX, 0, build_entries(len(first), (), None), HEADER)
    check_refused(first + later + build_end(End(len(first), 0)), tmp_path)


def test_boards_that_take_no_bytes(tmp_path: Path) -> None:
    header, count = header_of(NO_CARDS), 1 << 16
    block = build_block(BlockType.BOARDS, count, b"")
    assert opened(archive_of_block(block, count, header))[-1] == Board(None)
    path, begin = tmp_path / "x.pav", time.process_time()
    path.write_bytes(archive_of_block(block, count, header, times=300))
    assert not verify_archive(path)
    assert repair_archive(path, tmp_path / "new.pav").boards == count * 300
    assert time.process_time() - begin < 3
    too_many = build_block(BlockType.BOARDS, count + 1, b"")
    check_refused(archive_of_block(too_many, count, header), tmp_path)


@pytest.mark.parametrize(
    ("spaces", "reason"),
    [
        ((), "0 spaces and flags 0 are unknown"),
        ((DEAL,) * 17, "17 spaces and flags 0"),
        ((DEAL._replace(cardinality=TOTAL + 1),), "numbers here"),
        ((DEAL._replace(cardinality=1),), "numbers here"),
        ((DEAL._replace(cardinality=(1 << 128) - 1),), "numbers here"),
        ((DEAL._replace(text="dael"),), "there is no numbering 'dael'"),
        ((DEAL._replace(text=""),), "there is no numbering ''"),
        ((DEAL._replace(text="../../etc/passwd"),), "there is no numbering"),
        ((DEAL._replace(cards=13),), "cannot have 13 cards"),
        ((NO_CARDS._replace(cardinality=2),), "the part without cards"),
        ((NO_CARDS._replace(text="x"),), "the part without cards"),
        ((StoredSpace(SpaceType.ENDINGS, 0, 5, "1"),), "cannot have 0 cards"),
        ((StoredSpace(SpaceType.ENDINGS, 13, 5, "1"),), "cannot have 13 cards"),
        ((StoredSpace(SpaceType.DEALS, 5, 5, "1"),), "cannot have 5 cards"),
        ((StoredSpace(SpaceType.DEALS, 0, (1 << 128) - 1, "1"),), "exceeds that of all layouts"),
    ],
)
def test_spaces_that_there_are_not(
    spaces: tuple[StoredSpace, ...], reason: str, tmp_path: Path
) -> None:
    header = header_of(*spaces)
    with pytest.raises(ReadError, match=rf"x\.pav: header: .*{reason}"):
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
        ("!" * 9999 + "1", "header"),
        ("cccc(north) * cccc(south) == 7", "takes more than 1 MiB"),
    ],
)
def test_conditions_that_are_not_right(text: str, reason: str) -> None:
    types = ((SpaceType.DEALS, 0), (SpaceType.ENDINGS, 5))
    for type_, cards in types[: 2 if len(text) < 20 else 1]:
        space = StoredSpace(type_, cards, 1000, text)
        block = build_block(BlockType.BOARDS, 1, bytes(2))
        archive = pav.Archive(archive_of_block(block, 1, header_of(space)), "x.pav", memory="1M")
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


def test_columns_of_parts_that_are_none() -> None:
    coder = MixedCoder(Chain((5, 7)))
    packed_columns = [
        b"", b"x" * 9, zlib.compress(b"\0\1")[:-1], zlib.compress(b"\0\1") + b"x",
        zlib.compress(b"\0\0"), zlib.compress(b"\0\2"), zlib.compress(bytes(1 << 20), 9),
    ]  # fmt: skip
    columns = [b"\xff" + len(data).to_bytes(4, "little") + data for data in packed_columns]
    for column in [*columns, b"", b"\2", b"\0", b"\0\1\1", b"\xff", b"\xff" * 5]:
        for count in (1, 2, 3):
            if (column, count) != (b"\0\1\1", 2):
                with pytest.raises(ReadError):
                    coder.decode(column, count)


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    for start in (b"", HEADER):
        with pytest.raises(ReadError):
            opened(start + data)
        problems: list[Problem] = []
        list(read_pav(io.BytesIO(start + data), Context("x.pav", problems.append), Wanted.BOARDS))
        assert problems


def test_many_false_blocks_take_linear_time(tmp_path: Path) -> None:
    false = build_block(BlockType.BOARDS, 1, bytes(12))[:16] + bytes(4)
    large = false[:8] + (1 << 20).to_bytes(4, "little") + false[12:]
    path, begin = tmp_path / "x.pav", time.process_time()
    path.write_bytes(HEADER + large * 100_000)
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
    head = parse_head(packed(boards, all=True)[len(HEADER) :][:20])
    numbers = packed(boards, all=True)[len(HEADER) + 20 :][: head.numbers_size]
    wrong = build_block(BlockType.BOARDS, 9, numbers, b"x" * head.tags_size)
    data = archive_of_block(wrong, 9, header_of(DEAL, keeps_tags=True))
    check_refused(data, tmp_path)
    with pytest.raises(ReadError, match=r"x\.pav: block 0 at byte 44: metadata"):
        _ = opened(data)[3]
