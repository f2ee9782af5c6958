"""Read and write boards as rows of an array of numpy.

Rule 1: a row is a board. Its form is that of the format's name; `npy` alone also reads numbers.
Rule 2: a file that holds another array is one problem, and a row that is no layout is a problem.
Rule 3: the number of rows stands in the header, which is written again at the end; to a stream
        without a seek, the whole file is written at the end.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

import numpy as np

from pavcodec.arrays.views.catalogue import VIEWS
from pavcodec.arrays.views.reading import read_view
from pavcodec.arrays.views.writing import write_view
from pavcodec.boards.batch import BoardBatch, ManyRanks, batches_of_boards
from pavcodec.boards.board import Board
from pavcodec.boards.context import Context
from pavcodec.cards import DECK_SIZE, UNUSED, Seat
from pavcodec.errors import PavError, ReadError
from pavcodec.files.reading import read_up_to
from pavcodec.formats.npy.header import NpyHeader, header_bytes, read_header
from pavcodec.formats.npy.solved import is_solved_set, read_solved_set, write_solved_set
from pavcodec.numberings import numbering

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners

    Rows: TypeAlias = NDArray[Any]

__all__ = ["read_npy", "read_npy_batches", "write_npy", "write_npy_batches"]

SOLVED = "solved"
"""The form of solved sets."""
_AT_ONCE = 1 << 14
_NEITHER = np.zeros((1, 2), np.bool_)
_EXPECTED = (
    "npy holds owners, uint8[n, 52], numbers, uint64[n, 2], or a solved set, int32[2, n, 4]; the "
    "name of another form has its view, as in npy:openspiel"
)


def read_npy(
    stream: BinaryIO, context: Context, *, view: str = "", seat: str = ""
) -> Iterator[Board]:
    """Yield the boards of an array."""
    return chain.from_iterable(read_npy_batches(stream, context, view=view, seat=seat))


def read_npy_batches(
    stream: BinaryIO, context: Context, *, view: str = "", seat: str = ""
) -> Iterator[BoardBatch]:
    """Yield the boards of an array in batches; `view` and `seat` are those of the format's name."""
    if view in VIEWS and VIEWS[view].gives == "nothing":
        raise ReadError(f"{context.source}: files of npy:{view} are written, and not read")
    try:
        header = read_header(stream)
        if view in ("", SOLVED) and is_solved_set(header):
            yield from read_solved_set(stream, header, context)
            return
        form = _form_of(header, view)
    except ReadError as error:
        context.problem(None, str(error))
        return
    count, row = header.shape[0], header.shape[1:]
    width = int(np.prod(row)) * header.dtype.itemsize
    for begin in range(0, count, _AT_ONCE):
        many = min(_AT_ONCE, count - begin)
        data = read_up_to(stream, many * width)
        whole = len(data) // width
        rows = np.frombuffer(data[: whole * width], header.dtype).reshape(whole, *row)
        native = rows.astype(header.dtype.newbyteorder("="), copy=False)
        yield from _batches_of(native, begin, form, seat, context)
        if whole < many:
            context.problem(None, f"the file ends in row {begin + whole} of {count}")
            return
    if read_up_to(stream, 1):
        context.problem(None, f"the file goes on after its {count} rows")


def _form_of(header: NpyHeader, view: str) -> str:
    """Return `""` for owners, `numbers` or a view; raise `ReadError` for another array."""
    shape, kind = header.shape, header.dtype
    if header.is_by_columns:
        raise ReadError(f"the array is stored by columns: {header}; store it by rows")
    if view in VIEWS:
        expected = VIEWS[view].shape
        if shape[1:] == expected and kind.kind in "biuf":
            return view
        sizes = ", ".join(map(str, ("n", *expected)))
        raise ReadError(f"the view {view} is an array [{sizes}] of numbers, not {header}")
    if shape[1:] == (2,) and kind.newbyteorder("=") == np.uint64:
        return "numbers"
    if not view and shape[1:] == (DECK_SIZE,) and kind == np.uint8:
        return ""
    raise ReadError(f"{_EXPECTED}; this file holds {header}")


def _batches_of(
    rows: Rows, begin: int, form: str, seat: str, context: Context
) -> Iterator[BoardBatch]:
    """Yield the boards of some rows; `begin` is the number of the first row."""
    whole = None
    with suppress(PavError):
        whole = _owners_of(rows, form, seat, context)
    if whole is not None:
        yield BoardBatch(whole, has_more=False)
        return
    good = []
    for place in range(len(rows)):
        try:
            good.append(_owners_of(rows[place : place + 1], form, seat, context))
        except PavError as error:
            reason = str(error).removeprefix("row 0: ")
            try:
                context.problem(None, f"row {begin + place}: {reason}")
            except Exception:
                if good:
                    yield BoardBatch(np.concatenate(good), has_more=False)
                raise
    if good:
        yield BoardBatch(np.concatenate(good), has_more=False)


def _owners_of(rows: Rows, form: str, seat: str, context: Context) -> Owners:
    """Return the owners of rows; raise `PavError` if one is no layout."""
    if form in VIEWS:
        return read_view(VIEWS[form], rows, _turn(seat))
    if form:
        return _ranks(context).unrank_many(np.ascontiguousarray(rows), threads=1)
    if len(rows) and rows.max() > UNUSED:
        wrong = int(rows.max(axis=1).argmax())
        raise PavError(f"row {wrong}: an owner is 0 to {UNUSED}, not {rows[wrong].max()}")
    return rows.copy()


def _turn(seat: str) -> NDArray[np.uint8]:
    return np.array([Seat.parse(seat) if seat else 0], np.uint8)


def _ranks(context: Context) -> ManyRanks:
    ranks: object = context.numbering or numbering("deal")
    if not isinstance(ranks, ManyRanks):
        raise PavError(f"numbers of {ranks!r} do not fit into two words of 64 bits")
    return ranks


def write_npy(
    boards: Iterable[Board], stream: BinaryIO, context: Context, *, view: str = "", seat: str = ""
) -> int:
    """Write a row for each board that has cards, and return how many."""
    found = (board for board in boards if board.layout is not None)
    return write_npy_batches(
        batches_of_boards(found, context), stream, context, view=view, seat=seat
    )


def write_npy_batches(
    batches: Iterable[BoardBatch],
    stream: BinaryIO,
    context: Context,
    *,
    view: str = "",
    seat: str = "",
) -> int:
    """Write a row for each board of batches, and return how many."""
    if view == SOLVED:
        return write_solved_set(batches, stream, context)
    if _may_go_back(stream):
        return _write(batches, stream, context, view, seat)
    with TemporaryFile() as file:
        whole = cast("BinaryIO", file)
        count = _write(batches, whole, context, view, seat)
        whole.seek(0)
        shutil.copyfileobj(whole, stream)
    return count


def _may_go_back(stream: BinaryIO) -> bool:
    """Return whether the header of a stream can be written again.

    A stream that cannot be read may be one whose writes all go to its end.
    """
    methods = (getattr(stream, name, None) for name in ("seekable", "readable"))
    return all(method is not None and method() for method in methods)


def _write(
    batches: Iterable[BoardBatch], stream: BinaryIO, context: Context, view: str, seat: str
) -> int:
    """Write to a stream with a seek."""
    start, count = stream.tell(), 0
    empty = _rows_of(np.empty((0, DECK_SIZE), np.uint8), view, seat, context)
    stream.write(header_bytes(empty.shape, empty.dtype))
    for batch in batches:
        for begin in range(0, len(batch), _AT_ONCE):
            part = batch.rows(begin, min(begin + _AT_ONCE, len(batch)))
            for rows in _good_rows(part, view, seat, context):
                stream.write(np.ascontiguousarray(rows).data)
                count += len(rows)
    end = stream.tell()
    stream.seek(start)
    stream.write(header_bytes((count, *empty.shape[1:]), empty.dtype))
    stream.seek(end)
    return count


def _good_rows(part: BoardBatch, view: str, seat: str, context: Context) -> Iterator[Rows]:
    """Yield the rows of the boards that have one; the others are problems."""
    owners = np.ascontiguousarray(part.owners)
    whole = None
    with suppress(PavError):
        whole = _rows_of(owners, view, seat, context)
    if whole is not None:
        yield whole
        return
    for place in range(len(owners)):
        try:
            yield _rows_of(owners[place : place + 1], view, seat, context)
        except PavError as error:
            board = part.board(place).number
            reason = str(error).removeprefix("row 0: ")
            context.problem(None, reason, None if board is None else str(board))


def _rows_of(owners: Owners, view: str, seat: str, context: Context) -> Rows:
    """Return the rows of owners; raise `PavError` if one has none."""
    if view in VIEWS:
        found = VIEWS[view]
        return write_view(found, owners, _turn(seat), _NEITHER, np.dtype(found.dtype))
    if view:
        return _ranks(context).rank_many(owners)
    return owners
