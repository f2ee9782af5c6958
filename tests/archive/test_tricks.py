"""The column of tricks: model and loops, columns, archives with tricks, damage, and look-ups."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tricks_support import rows_of_tricks

import pavcodec as pav
from pavcodec import kernel
from pavcodec.archive import (
    Archive,
    append_archive,
    merge_archives,
    repair_archive,
    unite_archives,
    verify_archive,
)
from pavcodec.archive import tricks as tables
from pavcodec.archive.tricks import (
    PATH,
    Prior,
    are_whole,
    code_rows,
    decode_rows,
    decode_tricks,
    encode_rows,
    encode_tricks,
    estimates_of,
    new_coder,
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


def boards_of(tricks: Rows, **tags: str) -> list[Board]:
    """Return boards with numbers, tags and tricks."""
    return list(BoardBatch(DEALS[: len(tricks)], first=1, tags=tags, tricks=tricks))


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
@pytest.mark.parametrize("make", [likely, impossible])
def test_rows_equal_the_definition(make: object, monkeypatch: pytest.MonkeyPatch) -> None:
    tricks = np.concatenate([make(40), np.zeros((3, 20)), np.full((3, 20), 13)])  # type: ignore[operator]
    tricks = tricks.astype(np.uint8)
    estimates = estimates_of(DEALS[:46], prior())
    data = encode_rows(tricks, DEALS[:46], 10**6)
    assert data is not None
    assert (decode_rows(data, DEALS[:46]) == tricks).all()
    monkeypatch.setattr(tables, "kernel", reference)
    assert (estimates_of(DEALS[:46], prior()) == estimates).all()
    assert encode_rows(tricks, DEALS[:46], 10**6) == data
    assert encode_rows(tricks, DEALS[:46], len(data) - 1) is None
    assert (decode_rows(data, DEALS[:46]) == tricks).all()


def test_the_model_learns_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two calls continue one stream, and leave all tables and the coder as the definition does."""
    ends = []
    for room in (kernel, reference):
        monkeypatch.setattr(tables, "kernel", room)
        model = Prior.from_bytes(prior().to_bytes())
        coder, data = new_coder(), np.zeros(60, np.uint8)
        for part in (slice(0, 7), slice(7, 20)):
            code_rows(model, likely(20)[part], DEALS[part], (coder, data))
        ends.append((model.to_bytes(), model.counts.tolist(), coder.tolist(), data.tolist()))
    assert ends[0] == ends[1]


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.integers(0, 13), min_size=20, max_size=20), max_size=5))
def test_any_tricks_round_trip(rows: list[list[int]]) -> None:
    tricks = np.array(rows, np.uint8).reshape(-1, 20)
    data = encode_rows(tricks, DEALS[: len(rows)], 10**6)
    assert data is not None
    assert decode_rows(data, DEALS[: len(rows)]).tolist() == rows
    assert encode_rows(tricks, DEALS[: len(rows)], len(data)) == data
    if data:
        assert encode_rows(tricks, DEALS[: len(rows)], len(data) - 1) is None


def test_a_stream_has_one_form() -> None:
    tricks = likely(30)
    data = encode_rows(tricks, DEALS[:30], 10**6)
    assert data is not None
    wrong = [data[:-1], data + b"\0", data + b"\1", b""]
    random = Random(3)
    for _ in range(200):
        place = random.randrange(len(data))
        wrong.append(data[:place] + bytes([random.randrange(256)]) + data[place + 1 :])
    for each in wrong:
        try:
            found = decode_rows(each, DEALS[:30])
        except ReadError:
            continue
        assert encode_rows(found, DEALS[:30], 10**6) == each


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


def test_columns_refuse_more_than_13_tricks() -> None:
    with pytest.raises(LayoutError, match="0 to 13, or 255"):
        encode_tricks(np.full((1, 20), 14, np.uint8), DEALS[:1])


def test_impossible_tricks_take_at_most_ten_bytes_a_row() -> None:
    tricks = impossible(400)
    assert len(encode_tricks(tricks, DEALS)) <= 1 + 100 + 4000
    assert len(encode_tricks(likely(400), DEALS)) < 2400


@pytest.mark.parametrize("kind", ["ordered", "set", "multiset"])
def test_archives_keep_tricks(kind: str) -> None:
    tricks = likely(300)
    tricks[17] = 255
    tricks[18, 3:] = 255
    batch = BoardBatch(DEALS[:300], tricks=tricks)
    archive = archive_of(batch, kind=kind, tricks=True)
    boards = list(archive)
    assert archive.keeps_tricks
    assert archive.count_solved() == 298
    assert archive[10:30].count_solved() == sum(each.tricks is not None for each in boards[10:30])
    assert not archive.keeps_tags
    assert sorted(map(repr, boards)) == sorted(map(repr, batch))
    assert [archive[place] for place in (0, 17, 18, 19, -1)] == [
        boards[place] for place in (0, 17, 18, 19, -1)
    ]
    owners = np.concatenate([owners for owners, _ in archive.solved()])
    again = BoardBatch(owners, tricks=tricks_in(archive))
    assert list(again) == boards
    part = archive[5:200:3]
    assert tricks_in(part).tolist() == tricks_in(archive)[5:200:3].tolist()
    slow = archive_of(list(batch), kind=kind, tricks=True)
    assert slow._contents.data == archive._contents.data


@pytest.mark.parametrize("kind", ["ordered", "set"])
@pytest.mark.parametrize("keeps_all", [True, False])
def test_archives_keep_tags_beside_tricks(kind: str, *, keeps_all: bool) -> None:
    tricks = likely(100)
    tricks[4] = 255
    boards = boards_of(tricks, Event="Club")
    archive = archive_of(boards, kind=kind, tricks=True, all=keeps_all)
    if not keeps_all:
        kept = ("Board", "Dealer", "Vulnerable", RESULT_TABLE)
        boards = [
            Board(board.layout, tuple(tag for tag in board.entries if tag.name in kept))
            for board in boards
        ]
    found = list(archive)
    assert sorted(map(repr, found)) == sorted(map(repr, boards))
    assert [archive[place] for place in range(100)] == found
    if kind == "ordered":
        assert tricks_in(archive).tolist() == tricks.tolist()


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
    expected = [table.tricks if board.tricks == table else None for board in boards[:-1]]
    found = [row.tobytes() if row[0] != 255 else None for row in tricks_in(archive)]
    assert [expected[place] for place in (0, 1, 2, 5, 8)] == [table.tricks] * 5
    assert all(each == one for each, one in zip(expected, found, strict=True) if each)
    with_digits = found[4]
    assert with_digits == bytes([7] * 20)
    assert found[9] is not None  # of five contracts


def test_format_pav_has_a_column_if_the_first_board_is_solved() -> None:
    tricks = likely(60)
    tricks[9] = 255
    batch = BoardBatch(DEALS[:60], first=1, tags={"Event": "Club"}, tricks=tricks)
    quick, slow = io.BytesIO(), io.BytesIO()
    pav.write_owners([batch.rows(0, 9), batch.rows(9, 60)], quick, format="pav")
    pav.write(list(batch), slow, format="pav")
    assert quick.getvalue() == slow.getvalue()
    archive = Archive(quick.getvalue())
    assert archive.keeps_tricks
    assert list(archive) == list(batch)
    read = list(pav.read(io.BytesIO(quick.getvalue()), format="pav"))
    assert read == list(batch)
    plain = archive_of(list(BoardBatch(DEALS[:60], first=1)), all=True, space="any")
    stream = io.BytesIO()
    pav.write(list(BoardBatch(DEALS[:60], first=1)), stream, format="pav")
    assert stream.getvalue() == plain._contents.data
    assert not plain.keeps_tricks


def test_operations_keep_tricks(tmp_path: Path) -> None:
    tricks = likely(90)
    first = archive_of(BoardBatch(DEALS[:50], tricks=tricks[:50]), kind="set", tricks=True)
    second = archive_of(BoardBatch(DEALS[40:90], tricks=tricks[40:]), kind="set", tricks=True)
    stream = io.BytesIO()
    assert unite_archives([first, second], stream) == 90
    whole = archive_of(BoardBatch(DEALS[:90], tricks=tricks), kind="set", tricks=True)
    assert stream.getvalue() == whole._contents.data
    path = tmp_path / "some.pav"
    pav.write_archive(BoardBatch(DEALS[:50], tricks=tricks[:50]), path, tricks=True)
    append_archive([BoardBatch(DEALS[50:90], tricks=tricks[50:])], path)
    with pav.open_archive(path) as archive:
        assert tricks_in(archive).tolist() == tricks.tolist()
        joined = io.BytesIO()
        assert merge_archives([archive, archive], joined) == 180
    assert (tricks_in(Archive(joined.getvalue())) == np.concatenate([tricks, tricks])).all()


def test_damage_is_found_and_the_rest_is_saved(tmp_path: Path) -> None:
    path, saved = tmp_path / "some.pav", tmp_path / "saved.pav"
    tricks = likely(400)
    pav.write_archive(BoardBatch(DEALS[:300], tricks=tricks[:300]), path, tricks=True)
    append_archive([BoardBatch(DEALS[300:], tricks=tricks[300:])], path)
    assert verify_archive(path) == []
    data = bytearray(path.read_bytes())
    with pav.open_archive(path) as archive:
        contents = archive._contents
        place = contents.blocks[0]
        with contents.block(0) as block:
            head = block.head
    data[place.offset + head.size - 40] ^= 4  # in the column of the first block
    path.write_bytes(data)
    assert next(iter(verify_archive(path))).reason == "its checksum is wrong"
    with pav.open_archive(path) as archive:
        with pytest.raises(ReadError, match="checksum"):
            archive[3]
        assert archive[300].tricks == TrickTable(bytes(tricks[300]))
    assert repair_archive(path, saved).boards == 100
    with pav.open_archive(saved) as archive:
        assert tricks_in(archive).tolist() == tricks[300:].tolist()


def test_a_changed_column_with_a_right_checksum_is_refused() -> None:
    codec = archive_of(BoardBatch(DEALS[:9], tricks=likely(9)), tricks=True)._contents.codec
    numbers = codec.space.numbers(DEALS[:9])
    column = encode_tricks(likely(9), DEALS[:9])
    size = len(column).to_bytes(4, "little")
    for tags in (
        size[:3],
        size + column[:-1],
        size + column + b"\0",
        (len(column) + 1).to_bytes(4, "little") + column + b"\0",
        bytes(4),
    ):
        data, _ = codec.block(numbers, tags)
        archive = _archive_with(codec.header, data)
        with pytest.raises(ReadError, match=r"tricks|metadata"):
            list(archive)


def _archive_with(header: bytes, block: bytes) -> Archive:
    """Return an archive of one block of boards, however wrong its content is."""
    from pavcodec.archive.container import (
        BlockType,
        End,
        Entry,
        build_block,
        build_end,
        build_entries,
        parse_head,
    )

    head = parse_head(block)
    entries = build_entries(0, [Entry(len(block), head.count, head.checksum, 0)], None)
    index = build_block(BlockType.INDEX, 1, entries, header)
    end = build_end(End(len(header) + len(block), head.count))
    return Archive(header + block + index + end)


def test_archives_of_classes_refuse_tricks() -> None:
    with pytest.raises(PavError, match="without tags and tricks"):
        archive_of(
            BoardBatch(DEALS[:3], tricks=likely(3)), kind="set", tricks=True, space="deal-suits"
        )


def test_old_archives_keep_their_bytes() -> None:
    boards = boards_of(likely(5), Event="Club")
    for keeps_all in (True, False):
        archive = archive_of(boards, all=keeps_all)
        assert archive._contents.data[13:14] == bytes([keeps_all])
        assert not archive.keeps_tricks
        assert [board.tricks is not None for board in archive] == [keeps_all] * 5
    whole = archive_of(boards, all=True)
    assert tricks_in(whole).tolist() == likely(5).tolist()


SYMMETRIES = ["suits", "turns", "suits,turns", "half-turn", "suits,seats"]


@pytest.mark.parametrize("kind", ["ordered", "set"])
@pytest.mark.parametrize("up_to", SYMMETRIES)
def test_deals_are_found_up_to_symmetry(kind: str, up_to: str) -> None:
    archive = archive_of(BoardBatch(DEALS[:40], tricks=likely(40)), kind=kind, tricks=True)
    random = Random(up_to)
    for board in list(archive)[:6]:
        assert board.layout is not None
        assert board.tricks is not None
        way = random.choice(symmetry_of(up_to).permutations)
        sought = board.layout.permuted(way)
        (found,) = archive.find(sought, up_to)
        assert archive[found.position] == board
        assert board.layout.permuted(found.permutation) == sought
        exact = list(archive.find(sought))
        assert len(exact) == (sought == board.layout)
        if way.is_turn:
            assert archive.tricks_of(sought) == board.tricks.permuted(way)
    assert list(archive.find(pav.Deal(DEALS[50].tobytes()), up_to)) == []
    assert archive.tricks_of(pav.Deal(DEALS[50].tobytes())) is None


def test_finding_needs_a_layout_and_a_symmetry() -> None:
    archive = archive_of(DEALS[:2])
    with pytest.raises(TypeError, match="a Layout is sought"):
        list(archive.find("N:AK"))  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError):
        list(archive.find(pav.Deal(DEALS[0].tobytes()), "turn"))


@pytest.mark.slow
def test_a_public_collection_takes_few_bits() -> None:
    ranks = pav.numbering("rpdd")
    owners = ranks.unrank_many(np.array([[0, n] for n in range(40)], np.uint64))
    tricks = likely(40)
    archive = archive_of(BoardBatch(owners, tricks=tricks), tricks=True, space="rpdd")
    ((found, taken),) = archive.solved()
    assert (found == owners).all()
    assert (taken == tricks).all()
    plain = archive_of(owners, space="rpdd")
    assert plain.size < 40 * 24 // 8 + 200  # header, index and end


def test_statistics_count_the_column() -> None:
    tricks = likely(80)
    archive = archive_of(BoardBatch(DEALS[:80], tricks=tricks), tricks=True)
    found = pav.stats(archive, tricks=True)
    assert found.observed.boards_with_tricks == 80
    counted = np.bincount(tricks[:, 0], minlength=14)
    assert found.observed.counts["tricks"][0, 0].tolist() == counted.tolist()
    assert pav.stats(archive).observed.boards_with_tricks == 0
