"""Batches are packed as their boards are, one by one: the same bytes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from unittest.mock import patch

import numpy as np
import pytest
from batches_support import NUMBERS, OWNERS, TAGS, any_batches, mixed_owners
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec import Layout, numbering
from pavcodec.archive import writer
from pavcodec.archive.spaces import space_of
from pavcodec.archive.tags import metadata
from pavcodec.archive.tags.columns import MOST_PARTS
from pavcodec.archive.tags.metadata import encode_batches, encode_metadata
from pavcodec.archive.writer import write_pav
from pavcodec.boards import Context
from pavcodec.boards.batch import BoardBatch, owners_of, singles
from pavcodec.boards.board import Board, Tag
from pavcodec.errors import LayoutError, PavError

DEALS = numbering("deal")
CONTEXT = Context("boards", numbering=DEALS)
MIXED = mixed_owners()
PAST_18_DIGITS = 10**18


def packed(batches: Sequence[BoardBatch], at_once: int = 8192) -> bytes:
    """Pack batches in blocks of so many boards, and see that their boards give the same."""
    quick, slow = io.BytesIO(), io.BytesIO()
    with patch.object(writer, "AT_ONCE", at_once):
        count = write_pav(iter(batches), quick, CONTEXT)
        boards = singles(board for each in batches for board in each)
        assert count == write_pav(boards, slow, CONTEXT)
    assert quick.getvalue() == slow.getvalue()
    return quick.getvalue()


def dealt(first: int, rows: int = 100) -> BoardBatch:
    """Boards as `pavcodec deal` makes them."""
    tags = {"Generator": "pavcodec seed=7"}
    return BoardBatch(OWNERS[:rows], first=first, tags=tags, numbers=NUMBERS[:rows])


@pytest.mark.slow
@pytest.mark.parametrize("first", [1, 16, PAST_18_DIGITS - 101, PAST_18_DIGITS - 60, 10**40])
def test_boards_as_they_are_dealt(first: int) -> None:
    assert (encode_batches([dealt(first)]) is not None) == (first + 100 < PAST_18_DIGITS)
    packed([dealt(first)], at_once=7)
    packed([dealt(first, rows) for rows in (1, 2, 16, 17, 18, 33, 34)], at_once=50)
    packed([dealt(first), dealt(first)], at_once=60)


def test_batches_fill_blocks() -> None:
    sizes = [3, 9000, 1, 8192, 20]
    written = io.BytesIO()
    write_pav((BoardBatch(np.resize(OWNERS, (size, 52)), 1) for size in sizes), written, CONTEXT)
    blocks = pav.Archive(written.getvalue())._contents.blocks
    assert [block.entry.count for block in blocks] == [8192, 8192, sum(sizes) - 2 * 8192]


@pytest.mark.slow
def test_tags_that_all_boards_share() -> None:
    for tags in TAGS:
        batch = BoardBatch(OWNERS[:20], 3, tags=tags, numbers=NUMBERS[:20])
        packed([batch, dealt(3, 20), batch], at_once=26)


def test_boards_that_are_more_than_their_batch_tells() -> None:
    boards = [
        Board(Layout(word.tobytes()), (Tag("Event", str(row), ("a line",)),))
        for row, word in enumerate(OWNERS)
    ]
    packed([dealt(1), BoardBatch(OWNERS, origin=boards.__getitem__), dealt(101)], at_once=60)


@pytest.mark.slow
def test_more_tags_than_a_block_takes() -> None:
    many = {f"n{place}": "" for place in range(MOST_PARTS // 100 + 1)}
    assert encode_batches([BoardBatch(OWNERS, tags=many)]) is None
    with patch.object(metadata, "MOST_PARTS", 100):  # each board has a name, and each batch two
        assert encode_batches([BoardBatch(OWNERS[:45], tags={"a": "b"})] * 2) is not None
        assert encode_batches([BoardBatch(OWNERS[:55], tags={"a": "b"})] * 2) is None
    huge = BoardBatch(OWNERS[:40], tags={"Event": "x" * (1 << 26)}, numbers=NUMBERS[:40])
    with pytest.raises(PavError, match=r"more than the .* of a column"):
        packed([huge])


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(any_batches(tricks=False), max_size=4), st.integers(1, 60))
@example([dealt(1, 17), dealt(18, 17)], 34)
def test_any_batches(found: list[BoardBatch], at_once: int) -> None:
    packed(found, at_once)
    tags = encode_batches([batch for batch in found if len(batch)])
    boards = [board for batch in found for board in batch]
    if tags is not None:
        assert tags == (encode_metadata(boards) if any(b.entries for b in boards) else b"")


# numbers of layouts of all kinds, many at once


@pytest.mark.parametrize("name", ["any", "deal", "base5"])
def test_numbers_of_many_layouts_are_those_of_each(name: str) -> None:
    rows = OWNERS if name == "deal" else MIXED
    some: list[Layout | None] = [Layout(row.tobytes()) for row in rows]
    if name == "any":
        some[4:4] = [None, None]
    space = space_of(name)
    numbers = space.numbers(owners_of(some))
    assert [high << 64 | low for high, low in numbers.tolist()] == list(map(space.number, some))
    assert space.layouts(numbers) == some


def test_layouts_that_no_part_holds() -> None:
    with pytest.raises(LayoutError, match="13 cards"):
        space_of("deal").numbers(MIXED)
    rows = BoardBatch(owners_of([Layout(OWNERS[0].tobytes())] * 2 + [None]))
    with pytest.raises(LayoutError, match="board 103 of those given: a board without cards"):
        pav.write_archive([BoardBatch(OWNERS), rows], io.BytesIO())
