"""Batches are written as their boards are, one by one: the same bytes, problems and counts."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, product
from typing import TYPE_CHECKING, NamedTuple, cast
from unittest.mock import patch

import numpy as np
import pytest
from batches_support import TAGS, any_batches, mixed_owners
from formats_support import OneWay, writes_arrays
from hypothesis import given
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec.boards import Context, Problem
from pavcodec.boards.batch import BoardBatch, owners_of
from pavcodec.boards.board import Ranks
from pavcodec.formats import format_names, format_of
from pavcodec.formats.plain import batches as batch_writers
from pavcodec.formats.plain.batches import format_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEALS = pav.numbering("deal")
QUICK = [name for name in format_names() if writes_arrays(name)]
SOLVED = ("zrd", "gib-library")
"""Formats of deals with tricks: boards without tricks are problems."""


class Written(NamedTuple):
    """What a writer did."""

    data: bytes
    boards: int
    problems: list[Problem]
    differences: Counter[str]


def written(
    name: str,
    batches: Iterable[BoardBatch],
    stream: io.BytesIO,
    *,
    quickly: bool,
    numbering: Ranks = DEALS,
    encoding: str | None = None,
) -> Written:
    """Write batches the quick way, or their boards the slow way."""
    done = Written(b"", 0, [], Counter())
    context = Context("boards", done.problems.append, numbering=numbering, encoding=encoding)
    context = replace(context, differ=lambda part: done.differences.update([part]))
    if quickly:
        boards = format_of(name).write_batches(batches, stream, context)
    else:
        boards = format_of(name).write(chain.from_iterable(batches), stream, context)
    return done._replace(data=stream.getvalue(), boards=boards)


def assert_the_same(
    name: str,
    *batches: BoardBatch,
    numbering: Ranks = DEALS,
    encoding: str | None = None,
    kind: type[io.BytesIO] = io.BytesIO,
) -> Written:
    """Check that both ways write the same, and return it."""
    slow, quick = (
        written(name, batches, kind(), quickly=quickly, numbering=numbering, encoding=encoding)
        for quickly in (False, True)
    )
    assert quick.data == slow.data
    assert quick == slow
    return quick


def rows(*texts: str) -> NDArray[np.uint8]:
    return owners_of(map(pav.Layout.from_pbn, texts))


def limbs(*numbers: int) -> NDArray[np.uint64]:
    return np.array([divmod(number, 1 << 64) for number in numbers], np.uint64).reshape(-1, 2)


def batch_for(name: str, owners: NDArray[np.uint8], first: int | None = None) -> BoardBatch:
    """Return a batch of these owners, with tricks where a format needs them."""
    tricks = np.random.default_rng(7).integers(0, 14, (len(owners), 20), np.uint8)
    return BoardBatch(owners, first, tricks=tricks if name in SOLVED else None)


@pytest.mark.parametrize("name", QUICK)
def test_layouts_of_all_kinds(name: str) -> None:
    found = assert_the_same(name, batch_for(name, DEALS.sample_many(30, seed=7)))
    assert (found.boards, found.problems) == (30, [])
    found = assert_the_same(name, batch_for(name, mixed_owners(), 95))
    assert found.boards > 8
    of_layouts = ("lines", "layout20", "base5-16", "jsonl", "npy", "parquet", "pav")
    assert bool(found.problems) == (name not in of_layouts)


@pytest.mark.parametrize("name", QUICK)
def test_parts_of_any_size_and_arrays_in_pieces(name: str) -> None:
    owners = np.asfortranarray(mixed_owners())[::-1]
    owners.flags.writeable = False
    numbers = DEALS.draw(2 * len(owners), seed=7)[::2]
    empty = BoardBatch(np.empty((0, 52), np.uint8), 1, numbers=np.empty((0, 2), np.uint64))
    assert assert_the_same(name).boards == 0
    for at_once in (1, 16):
        with patch.object(batch_writers, "_BOARDS_AT_ONCE", at_once):
            batch = BoardBatch(owners, 9, tags={"Event": "Club"}, numbers=numbers)
            assert_the_same(name, empty, batch, empty, batch.rows(3, 3), batch.rows(3, 40))


@pytest.mark.slow
def test_numbers_of_every_numbering() -> None:
    for place, name in enumerate(pav.numbering_names()):
        numbering = pav.numbering(name, one_based=place % 2 == 0)
        batch = BoardBatch(numbering.sample_many(40, seed=7))
        assert assert_the_same("numbers", batch, numbering=numbering).boards == 40
        assert_the_same("numbers", BoardBatch(mixed_owners(), 1), numbering=numbering)


def test_numbers_of_a_numbering_without_arrays() -> None:
    class Scalar:
        rank, unrank, index = DEALS.rank, DEALS.unrank, DEALS.index
        __getitem__ = DEALS.__getitem__

    batch = BoardBatch(DEALS.sample_many(3, seed=7))
    assert assert_the_same("numbers", batch, numbering=cast("Ranks", Scalar())).boards == 3


@pytest.mark.slow
def test_board_numbers_of_any_length() -> None:
    owners = DEALS.sample_many(39, seed=7)
    for first in (1, 8, 98, 9_990, 99_999, 10**9 - 5, 10**18 - 40):
        for name in ("pbn", "csv", "jsonl"):
            assert assert_the_same(name, BoardBatch(owners, first)).boards == 39
    for first in (0, -1, -20):
        with pytest.raises(pav.NumberError, match=f"a board number is 1 or more, not {first}"):
            BoardBatch(owners, first)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_any_batches(name: str) -> None:
    owners, numbers = mixed_owners(), DEALS.draw(41, seed=7)
    for tags in TAGS if name in ("pbn", "csv", "jsonl") else ():
        assert_the_same(name, BoardBatch(owners, 9, tags=tags))
        assert_the_same(name, BoardBatch(owners, 1, numbers=numbers, tags=tags))

    @given(st.lists(any_batches(), max_size=3))
    def write_some(batches: list[BoardBatch]) -> None:
        assert_the_same(name, *batches)

    write_some()


@pytest.mark.slow
def test_encodings() -> None:
    owners = np.concatenate([rows("N:AKQJT98765432.A.. - - -"), DEALS.sample_many(20, seed=7)])
    texts = ("plain", "Liège", "plain", "Dvořák", "plain", "Liège", "Ã©")
    batches = [BoardBatch(owners, 1, tags={"Site": text}) for text in texts]
    for kind, encoding in product((io.BytesIO, OneWay), (None, "iso-8859-1", "utf-8")):
        for begin in (0, 1, 3, 4, 6):
            assert_the_same("pbn", *batches[begin:], encoding=encoding, kind=kind)


@pytest.mark.slow
def test_deal_ids() -> None:
    powers = [10**k + step for k in range(39) for step in (-1, 0)]
    numbers = limbs(*powers, 2**64 - 1, 2**64, 2**96, 2**128 - 1)
    owners = DEALS.sample_many(len(numbers), seed=7)
    for numbering in ("deal", "a\\", '"', "", "#", "##", "é", "♠", "x\r\ny"):
        assert_the_same("pbn", BoardBatch(owners, 1, numbers=numbers, numbering=numbering))


def test_numbers_of_every_length() -> None:
    numbers = [10**k + step for k in range(39) for step in (-1, 0, 1)] + [2**128 - 1, 2**64 - 1]
    assert format_numbers(limbs(*numbers)).tobytes() == b"".join(b"%d\n" % n for n in numbers)


@pytest.mark.slow
def test_every_holding_of_a_suit() -> None:
    owners = np.full((1 << 13, 52), 4, np.uint8)
    held = np.arange(1 << 13)[:, None] >> np.arange(13) & 1
    owners[:, 26:39] = np.where(held == 1, 2, 0)
    lines = "".join(f"{pav.Layout(row.tobytes())}\n" for row in owners)
    assert written("lines", [BoardBatch(owners)], io.BytesIO(), quickly=True).data.decode() == lines


def test_owners_that_are_none() -> None:
    owners = DEALS.sample_many(9, seed=7)
    for owner in (5, 8, 255):
        owners[5, 7] = owner
        for name in ("lines", "pbn"):
            assert_the_same(name, BoardBatch(owners, 3))


@pytest.mark.parametrize("name", QUICK)
def test_errors_of_the_stream_and_of_the_batches_come_through(name: str) -> None:
    class Full(io.BytesIO):
        def write(self, _: object) -> int:
            raise OSError(28, "No space left on device")

    def broken() -> Iterable[BoardBatch]:
        yield BoardBatch(mixed_owners())
        raise pav.PavError("no more")

    batches = [batch_for(name, mixed_owners())] * 3
    with pytest.raises(OSError, match="No space left"):
        written(name, batches, Full(), quickly=True)
    with pytest.raises(pav.PavError, match="no more"):
        written(name, broken(), io.BytesIO(), quickly=True)


def test_boards_that_are_more_than_their_batch_tells() -> None:
    owners = mixed_owners()
    made = list(BoardBatch(owners, 20, tags={"Event": "x"}))
    batch = BoardBatch(owners, origin=made.__getitem__)
    assert list(batch) == made
    assert list(batch.rows(5, 9).rows(1, 4)) == made[6:9]
    for name in QUICK:
        assert_the_same(name, batch)
