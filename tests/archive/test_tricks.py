"""The column of tricks: model and loops, columns, archives with tricks, damage, and look-ups."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tricks_support import rows_of_tricks

import pavcodec as pav
from pavcodec.archive import Archive, append_archive, merge_archives, unite_archives
from pavcodec.archive import tricks as tables
from pavcodec.archive.container import (
    BlockType,
    End,
    Entry,
    build_block,
    build_end,
    build_entries,
    parse_head,
)
from pavcodec.archive.tricks import (
    PATH,
    Prior,
    are_whole,
    decode_rows,
    decode_tricks,
    encode_rows,
    encode_tricks,
    estimates_of,
    prior,
)
from pavcodec.boards.batch import BoardBatch
from pavcodec.boards.board import Board, Tag
from pavcodec.boards.tricks import RESULT_TABLE, TRICK_DIGITS
from pavcodec.errors import LayoutError, PavError, ReadError, UnknownNameError
from pavcodec.kernel import reference
from pavcodec.layout import TrickTable
from pavcodec.symmetry import symmetry_of

DEALS = pav.numbering("deal").sample_many(400, seed=11)
Rows = NDArray[np.uint8]


def likely(count: int) -> Rows:
    """Return tricks near the estimates, as solved deals have them."""
    found = estimates_of(DEALS[:count], prior())
    noise = np.random.default_rng(5).integers(-1, 2, (count, 20))
    return np.asarray(np.clip((found + 32) // 64 + noise, 0, 13), np.uint8)


def impossible(count: int) -> Rows:
    """Return tricks that no deal has."""
    return np.random.default_rng(6).integers(0, 14, (count, 20)).astype(np.uint8)


def archive_of(items: object, **options: object) -> Archive:
    """Return an archive in memory."""
    stream = io.BytesIO()
    pav.write_archive(items, stream, **options)  # type: ignore[arg-type]
    return Archive(stream.getvalue())


def tricks_in(archive: Archive) -> Rows:
    """Return all tricks of an archive."""
    return np.concatenate([tricks for _, tricks in archive.solved()])


def test_the_tables_are_fixed() -> None:
    data = zlib.decompress(PATH.read_bytes())
    assert zlib.crc32(data) == tables.CHECKSUM == 0x242544F7
    assert prior().to_bytes() == Prior.from_bytes(data).to_bytes() == data
    assert tables.SQUASH[2048] == 32768
    assert (np.diff(tables.SQUASH) >= 0).all()
    inverse = tables.SQUASH[tables.STRETCH.clip(-2047, 2047) + 2048]
    assert (np.abs(inverse[40:4056] - (16 * np.arange(40, 4056) + 8)) <= 72).all()


@pytest.mark.slow
def test_rows_equal_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = np.repeat(np.array([[0], [13]], np.uint8), 20, axis=1)
    tricks = np.concatenate([likely(20), impossible(20), ends])
    deals = DEALS[: len(tricks)]
    estimates, data = estimates_of(deals, prior()), encode_rows(tricks, deals, 10**6)
    assert data is not None
    assert (decode_rows(data, deals) == tricks).all()
    monkeypatch.setattr(tables, "kernel", reference)
    assert (estimates_of(deals, prior()) == estimates).all()
    assert encode_rows(tricks, deals, 10**6) == data
    assert encode_rows(tricks, deals, len(data) - 1) is None
    assert (decode_rows(data, deals) == tricks).all()


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(rows_of_tricks(9), st.data())
def test_columns_round_trip(rows: list[list[int]], data: st.DataObject) -> None:
    tricks, owners = np.array(rows, np.uint8), DEALS[: len(rows)].copy()
    for row in range(len(rows)):
        if data.draw(st.booleans()):
            owners[row, 7:] = 4  # no deal
    column = encode_tricks(tricks, owners)
    assert decode_tricks(column, owners).tolist() == rows
    assert are_whole(column, len(rows)).tolist() == [255 not in row for row in rows]
    assert bool(column) == any(each != 255 for row in rows for each in row)
    place = data.draw(st.integers(0, len(column)))
    changed = column[:place] + bytes([data.draw(st.integers(0, 255))]) + column[place + 1 :]
    for other in (changed, column[:place]):
        try:
            found = decode_tricks(other, owners)
        except ReadError:
            continue
        assert encode_tricks(found, owners) == other


def test_tables_stay_where_they_are() -> None:
    table = TrickTable(bytes(likely(1)[0]))
    solved = Board.make(pav.Deal(DEALS[0].tobytes()), number=3, tricks=table)
    *rest, tag = solved.entries
    odd = Tag(RESULT_TABLE, tag.value, (*tag.lines[1:], tag.lines[0]))
    digits = Tag(TRICK_DIGITS, "7" * 20)
    entries: list[Sequence[Tag]] = [
        solved.entries,
        [tag, *rest],
        [*rest[:1], tag, *rest[1:]],
        [*rest, odd],
        [*rest, digits],
        [*rest, digits, tag],
        [*rest, Tag(RESULT_TABLE, "")],
        [*rest, Tag(RESULT_TABLE, ""), tag],
        [*rest, tag, odd],
        [*rest, Tag(RESULT_TABLE, tag.value, tag.lines[:5])],
        rest,
        [],
    ]
    boards = [Board(solved.layout, tuple(each)) for each in entries]
    boards.append(Board(None, solved.entries))
    archive = archive_of(boards, tricks=True, all=True, space="any")
    assert list(archive) == boards
    assert [archive[place] for place in range(len(boards))] == boards
    found = [row.tobytes() for row in tricks_in(archive)]
    assert [found[place] for place in (0, 1, 2, 5, 8)] == [table.tricks] * 5
    assert found[4] == bytes([7] * 20)
    assert found[9][0] != 255  # of five contracts


def test_likely_tricks_take_few_bytes_and_impossible_ones_at_most_ten_a_row() -> None:
    assert len(encode_tricks(impossible(400), DEALS)) <= 1 + 100 + 4000
    assert len(encode_tricks(likely(400), DEALS)) < 2400


def some_tricks(count: int) -> Rows:
    """Return tricks of most boards, some of which have none, or some of a table."""
    tricks = likely(count)
    tricks[17] = 255
    tricks[18, 3:] = 255
    return tricks


@pytest.mark.parametrize("kind", ["ordered", "set", "multiset"])
def test_archives_keep_tricks(kind: str) -> None:
    tricks = some_tricks(100)
    batch = BoardBatch(DEALS[:100], tricks=tricks)
    archive = archive_of(batch, kind=kind, tricks=True)
    boards = list(archive)
    assert (archive.keeps_tricks, archive.keeps_tags, archive.count_solved()) == (True, False, 98)
    assert archive[10:30].count_solved() == sum(each.tricks is not None for each in boards[10:30])
    assert sorted(map(repr, boards)) == sorted(map(repr, batch))
    assert [archive[place] for place in (0, 17, 18, -1)] == [boards[n] for n in (0, 17, 18, -1)]
    owners = np.concatenate([owners for owners, _ in archive.solved()])
    assert list(BoardBatch(owners, tricks=tricks_in(archive))) == boards
    assert tricks_in(archive[5:90:3]).tolist() == tricks_in(archive)[5:90:3].tolist()
    slow = archive_of(list(batch), kind=kind, tricks=True)
    assert slow._contents.data == archive._contents.data


def test_operations_keep_tricks(tmp_path: Path) -> None:
    tricks, path, options = likely(90), tmp_path / "some.pav", {"kind": "set", "tricks": True}
    parts = [
        archive_of(BoardBatch(DEALS[some], tricks=tricks[some]), **options)
        for some in (slice(50), slice(40, 90))
    ]
    united, joined = io.BytesIO(), io.BytesIO()
    assert unite_archives(parts, united) == 90
    whole = archive_of(BoardBatch(DEALS[:90], tricks=tricks), **options)
    assert united.getvalue() == whole._contents.data
    pav.write_archive(BoardBatch(DEALS[:50], tricks=tricks[:50]), path, tricks=True)
    append_archive([BoardBatch(DEALS[50:90], tricks=tricks[50:])], path)
    with pav.open_archive(path) as archive:
        assert tricks_in(archive).tolist() == tricks.tolist()
        assert merge_archives([archive, archive], joined) == 180
    assert tricks_in(Archive(joined.getvalue())).tolist() == tricks.tolist() * 2


def test_a_changed_column_with_a_right_checksum_is_refused() -> None:
    codec = archive_of(BoardBatch(DEALS[:9], tricks=likely(9)), tricks=True)._contents.codec
    numbers, column = codec.space.numbers(DEALS[:9]), encode_tricks(likely(9), DEALS[:9])
    size, more = (len(column) + extra for extra in (0, 1))
    wrong = [column[:-1], column + b"\0"]
    columns = [size.to_bytes(4, "little") + each for each in wrong]
    columns += [size.to_bytes(3, "little"), more.to_bytes(4, "little") + wrong[1], bytes(4)]
    for tags in columns:
        block, _ = codec.block(numbers, tags)
        head = parse_head(block)
        entries = build_entries(0, [Entry(len(block), head.count, head.checksum, 0)], None)
        index = build_block(BlockType.INDEX, 1, entries, codec.header)
        end = build_end(End(len(codec.header) + len(block), head.count))
        with pytest.raises(ReadError, match=r"tricks|metadata"):
            list(Archive(codec.header + block + index + end))


@pytest.mark.slow
@pytest.mark.parametrize("up_to", ["suits", "turns", "suits,turns", "half-turn", "suits,seats"])
def test_deals_are_found_up_to_symmetry(up_to: str) -> None:
    random, kind = Random(up_to), "set" if "suits" in up_to else "ordered"
    archive = archive_of(BoardBatch(DEALS[:20], tricks=likely(20)), kind=kind, tricks=True)
    for board in list(archive)[:4]:
        assert board.layout is not None
        assert board.tricks is not None
        way = random.choice(symmetry_of(up_to).permutations)
        sought = board.layout.permuted(way)
        (found,) = archive.find(sought, up_to)
        assert archive[found.position] == board
        assert board.layout.permuted(found.permutation) == sought
        assert len(list(archive.find(sought))) == (sought == board.layout)
        if way.is_turn:
            assert archive.tricks_of(sought) == board.tricks.permuted(way)
    other = pav.Deal(DEALS[50].tobytes())
    assert list(archive.find(other, up_to)) == []
    assert archive.tricks_of(other) is None


WRONG: dict[str, tuple[type[Exception], Callable[[], object]]] = {
    "0 to 13, or 255": (
        LayoutError, lambda: encode_tricks(np.full((1, 20), 14, np.uint8), DEALS[:1])),
    "without tags and tricks": (
        PavError, lambda: archive_of(DEALS[:3], kind="set", tricks=True, space="deal-suits")),
    "turn": (
        UnknownNameError,
        lambda: list(archive_of(DEALS[:2]).find(pav.Deal(DEALS[0].tobytes()), "turn"))),
}  # fmt: skip


@pytest.mark.parametrize("reason", WRONG)
def test_what_is_refused(reason: str) -> None:
    error, call = WRONG[reason]
    with pytest.raises(error, match=reason):
        call()
