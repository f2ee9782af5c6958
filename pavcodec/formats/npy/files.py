"""Read and write boards as rows of an array of numpy.

Rule 1: a row is a board. Its form is that of the format's name; `npy` alone also reads numbers.
Rule 2: a file that holds another array is one problem, and a row that is no layout is a problem.
Rule 3: the number of rows stands in the header, which is written again at the end; to a stream
        without a seek, the whole file is written at the end.
"""

from __future__ import annotations

import io
import shutil
from ast import literal_eval
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

import numpy as np
from numpy.lib import format as npy

from pavcodec.boards.batch import CONTRACTS, BoardBatch, ManyRanks, Wanted
from pavcodec.boards.board import Context
from pavcodec.cards import DECK_SIZE, HAND_SIZE, UNUSED, Seat, Strain, Suit
from pavcodec.errors import PavError, ReadError
from pavcodec.files.text import read_up_to
from pavcodec.formats.npy.views import (
    KEYS,
    VIEWS,
    keys_of_owners,
    owners_of_keys,
    read_view,
    write_view,
)
from pavcodec.layout import Layout
from pavcodec.layout.columns import are_deals
from pavcodec.layout.layout import describe_sizes
from pavcodec.numberings.catalogue import numbering

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners

    Tricks: TypeAlias = NDArray[np.uint8]
    Words: TypeAlias = NDArray[np.int64]
    Rows: TypeAlias = NDArray[Any]


# The header of a `.npy` file: read strictly, and written with room for any number of rows.


_LENGTHS = {(1, 0): 2, (2, 0): 4}
"""The bytes of the length of the header, by the version."""
_MOST = 10_000
"""The longest header; that of one array has about 100 bytes."""
_FIELDS = {"descr", "fortran_order", "shape"}


@dataclass(frozen=True)
class NpyHeader:
    """The shape and the dtype of an array, and its text for messages."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    is_by_columns: bool

    def __str__(self) -> str:
        sizes = ", ".join(map(str, self.shape))
        return f"{self.dtype}[{sizes}]"


def read_header(stream: BinaryIO) -> NpyHeader:
    """Read a header; raise `ReadError` for bytes that are none."""
    magic = read_up_to(stream, npy.MAGIC_LEN)
    if len(magic) < npy.MAGIC_LEN or not magic.startswith(npy.MAGIC_PREFIX):
        raise ReadError("this is no file of numpy: it does not begin with \\x93NUMPY")
    version = magic[-2], magic[-1]
    if version not in _LENGTHS:
        raise ReadError(f"a file of numpy has version 1.0 or 2.0, not {version[0]}.{version[1]}")
    start = read_up_to(stream, _LENGTHS[version])
    length = int.from_bytes(start, "little")
    if len(start) < _LENGTHS[version] or length > _MOST:
        raise ReadError("the header of the file of numpy is damaged")
    text = read_up_to(stream, length)
    try:
        return _parsed(text.decode("latin-1"))
    except (ValueError, SyntaxError, TypeError, KeyError, RecursionError, MemoryError) as error:
        reason = str(error).partition(": <")[0]  # without the address of an object
        raise ReadError(f"the header of the file of numpy is damaged: {reason}") from None


def _parsed(text: str) -> NpyHeader:
    """Return the header of a text: a dictionary of literals, of which nothing is executed."""
    fields: object = literal_eval(text.strip())
    if not isinstance(fields, dict) or set(fields) != _FIELDS:
        raise ValueError(f"it has the fields {', '.join(sorted(_FIELDS))}")
    shape, is_by_columns = fields["shape"], fields["fortran_order"]
    if not isinstance(shape, tuple) or not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError(f"a shape is a tuple of sizes, not {shape!r}")
    if not isinstance(is_by_columns, bool):
        raise ValueError(f"fortran_order is True or False, not {is_by_columns!r}")  # noqa: TRY004
    return NpyHeader(shape, npy.descr_to_dtype(fields["descr"]), is_by_columns)


def header_bytes(shape: tuple[int, ...], dtype: np.dtype[Any]) -> bytes:
    """Return the bytes of a header; their number does not depend on the number of rows."""
    header = io.BytesIO()
    description = npy.dtype_to_descr(dtype)
    fields = {"descr": description, "fortran_order": False, "shape": shape}
    npy.write_array_header_1_0(cast("Any", header), fields)
    return header.getvalue()


# Solved sets of pgx: `int32[2, n, 4]`, the cards of n deals and then their double-dummy tricks.
#
# Rule 1: a deal is four numbers, those of `keys_of_owners`.
# Rule 2: the tricks are four numbers, for the declarers N E S W, each with a digit of four bits for
#         each strain, in the order C D H S NT, clubs highest.
# Rule 3: the cards of all deals come first, so a stream without a seek is copied to a file.


_AT_ONCE = 1 << 14
_WORDS = len(Suit)
_KIND = np.dtype("<i4")
_STRAIN_SHIFTS = 4 * np.arange(len(Strain))[::-1]


def is_solved_set(header: NpyHeader) -> bool:
    """Return whether an array is a solved set: two blocks of rows of four integers of 32 bits."""
    shape, kind = header.shape, header.dtype
    return (
        len(shape) == 3
        and (shape[0], shape[2]) == (2, _WORDS)
        and kind.kind in "iu"
        and kind.itemsize == _KIND.itemsize
        and not header.is_by_columns
    )


def tricks_of_values(values: NDArray[Any]) -> Tricks:
    """Return tricks, `uint8[n, 20]`, from four numbers each.

    >>> tricks_of_values(np.array([[4160, 904605, 4160, 904605]]))[0, :8].tolist()
    [0, 13, 0, 13, 4, 9, 4, 9]
    """
    digits = values.astype(np.int64)[:, :, np.newaxis] >> _STRAIN_SHIFTS & 15
    return np.ascontiguousarray(
        digits[:, :, ::-1].transpose(0, 2, 1).reshape(-1, CONTRACTS), np.uint8
    )


def values_of_tricks(tricks: Tricks) -> Words:
    """Return the four numbers of each table, `int64[n, 4]`; the inverse of `tricks_of_values`."""
    digits = tricks.reshape(-1, len(Strain), len(Seat)).transpose(0, 2, 1)[:, :, ::-1]
    return np.asarray((digits.astype(np.int64) << _STRAIN_SHIFTS).sum(axis=2), np.int64)


def read_solved_set(stream: BinaryIO, header: NpyHeader, context: Context) -> Iterator[BoardBatch]:
    """Yield the deals of a solved set with their tricks; the stream is after its header."""
    count = header.shape[1]
    width = _WORDS * _KIND.itemsize
    seekable = getattr(stream, "seekable", None)
    if seekable is None or not seekable():
        with TemporaryFile() as file:
            shutil.copyfileobj(stream, file)
            file.seek(0)
            yield from read_solved_set(cast("BinaryIO", file), header, context)
        return
    start = stream.tell()
    end = stream.seek(0, 2)
    if end != start + 2 * count * width:
        expected = 2 * count * width
        reason = f"{count} deals and their tricks take {expected} bytes, not {end - start}"
        context.problem(None, reason)
        return
    for begin in range(0, count, _AT_ONCE):
        many = min(_AT_ONCE, count - begin)
        blocks = []
        for first in (begin, count + begin):
            stream.seek(start + first * width)
            data = read_up_to(stream, many * width)
            blocks.append(np.frombuffer(data, header.dtype).reshape(many, _WORDS))
        keys, values = blocks
        yield from _batch_of(keys, values, begin, context)


def _batch_of(
    keys: NDArray[Any], values: NDArray[Any], begin: int, context: Context
) -> Iterator[BoardBatch]:
    """Yield the good rows of a part; the others are problems."""
    owners, tricks = owners_of_keys(keys), tricks_of_values(values)
    words = keys.astype(np.int64)
    fit = ((words >= 0) & (words < KEYS)).all(axis=1) & are_deals(owners)
    low = values.astype(np.int64)
    solved = ((low >= 0) & (low < 16 ** len(Strain))).all(axis=1)
    solved &= (tricks <= HAND_SIZE).all(axis=1)
    good = fit & solved
    for row in np.flatnonzero(~good).tolist():
        if fit[row]:
            reason = f"{values[row].tolist()} are not the tricks of 20 contracts, 0 to 13 each"
        else:
            reason = f"{keys[row].tolist()} are not the cards of a deal, 13 in each hand"
        try:
            context.problem(None, f"row {begin + row}: {reason}")
        except Exception:
            good[row:] = False
            yield BoardBatch(owners[good], tricks=tricks[good])
            raise
    yield BoardBatch(owners[good], tricks=tricks[good])


def write_solved_set(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write deals with their tricks, and return how many; the others are problems."""
    count = 0
    with TemporaryFile() as keys, TemporaryFile() as values:
        for batch in batches:
            for begin in range(0, len(batch), _AT_ONCE):
                part = batch.rows(begin, min(begin + _AT_ONCE, len(batch)))
                owners, tricks = _solved_rows(part.with_cards(), context)
                keys.write(keys_of_owners(owners).astype(_KIND).tobytes())
                values.write(values_of_tricks(tricks).astype(_KIND).tobytes())
                count += len(owners)
        stream.write(header_bytes((2, count, _WORDS), _KIND))
        for block in (keys, values):
            block.seek(0)
            shutil.copyfileobj(block, stream)
    return count


def _solved_rows(part: BoardBatch, context: Context) -> tuple[Owners, Tricks]:
    """Return the owners and tricks of the boards that are deals and solved."""
    owners, tricks = part.owners, part.all_tricks()
    fit = are_deals(owners)
    good = fit & (tricks <= HAND_SIZE).all(axis=1)
    for row in np.flatnonzero(~good).tolist():
        board, reason = part.board(row), "there are no double-dummy tricks of all 20 contracts"
        if not fit[row]:
            sizes = describe_sizes(Layout(owners[row].tobytes()))
            reason = f"a deal has {HAND_SIZE} cards in each hand; {sizes}"
        context.problem(board.line, reason, None if board.number is None else str(board.number))
    return owners[good], tricks[good]


SOLVED = "solved"
"""The form of solved sets."""
_NEITHER = np.zeros((1, 2), np.bool_)
_EXPECTED = (
    "npy holds owners, uint8[n, 52], numbers, uint64[n, 2], or a solved set, int32[2, n, 4]; the "
    "name of another form has its view, as in npy:openspiel"
)


def read_npy_batches(
    stream: BinaryIO, context: Context, _wanted: Wanted, *, view: str = "", seat: str = ""
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
        yield BoardBatch(whole)
        return
    good = []
    for row in range(len(rows)):
        try:
            good.append(_owners_of(rows[row : row + 1], form, seat, context))
        except PavError as error:
            reason = str(error).removeprefix("row 0: ")
            try:
                context.problem(None, f"row {begin + row}: {reason}")
            except Exception:
                if good:
                    yield BoardBatch(np.concatenate(good))
                raise
    if good:
        yield BoardBatch(np.concatenate(good))


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
            part = batch.rows(begin, min(begin + _AT_ONCE, len(batch))).with_cards()
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
    for row in range(len(owners)):
        try:
            yield _rows_of(owners[row : row + 1], view, seat, context)
        except PavError as error:
            board = part.board(row).number
            reason = str(error).removeprefix("row 0: ")
            context.problem(None, reason, None if board is None else str(board))


def _rows_of(owners: Owners, view: str, seat: str, context: Context) -> Rows:
    """Return the rows of owners; raise `PavError` if one has none."""
    if view in VIEWS:
        chosen = VIEWS[view]
        return write_view(chosen, (owners, _turn(seat), _NEITHER), np.dtype(chosen.dtype))
    if view:
        return _ranks(context).rank_many(owners)
    return owners
