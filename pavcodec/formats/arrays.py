"""Files of many layouts as arrays of owners, without a Python object for each layout."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from pavcodec.arrays import checked, refuse
from pavcodec.boards.batch import BoardBatch
from pavcodec.boards.board import Context, Problem, Ranks
from pavcodec.boards.tricks import NOT_SOLVED, results_of_bytes
from pavcodec.cards import DECK_SIZE, HAND_SIZE, UNUSED
from pavcodec.formats.format import Format, Need, in_batches
from pavcodec.formats.registry import read_with, write_with
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners


def read_owners(
    source: str | os.PathLike[str] | BinaryIO,
    *,
    format: str | None = None,
    strict: bool = False,
    report: Callable[[Problem], None] | None = None,
    numbering: str | Ranks = "deal",
) -> Iterator[Owners]:
    r"""Read the layouts of a file or a binary stream as arrays `uint8[n, 52]`, one after another.

    The rows are the owners of the boards of `read` that have cards, in their order, some thousands
    at a time; the arguments, the problems and the errors are those of `read`.

    >>> import io
    >>> lines = b"N:AK.Q.. - .32.4. -\nN:- - - -\nE:A... - - -\n"
    >>> [owners.shape for owners in read_owners(io.BytesIO(lines))]
    [(3, 52)]
    """
    return read_with(
        Format.read_owners, source, format=format, strict=strict, report=report, numbering=numbering
    )


def read_solved(
    source: str | os.PathLike[str] | BinaryIO,
    *,
    format: str | None = None,
    strict: bool = False,
    report: Callable[[Problem], None] | None = None,
    numbering: str | Ranks = "deal",
) -> Iterator[tuple[Owners, NDArray[np.uint8]]]:
    r"""Read layouts and their double-dummy tricks, `uint8[n, 52]` and `uint8[n, 20]`, in batches.

    The rows are the boards of `read` that have cards, in their order; the arguments, the problems
    and the errors are those of `read`. A row of tricks has the bytes of a `TrickTable`, by strain
    NT S H D C and within a strain by declarer N E S W, and 255 for a contract without a result.
    Archives, Parquet, records and solved sets of numpy are read without a board for each row.

    >>> import io
    >>> from pavcodec import numbering
    >>> stream, tricks = io.BytesIO(), np.full((3, 20), 6, np.uint8)
    >>> deals = numbering("deal").sample_many(3, seed=7)
    >>> _ = write_owners(BoardBatch(deals, tricks=tricks), stream, format="zrd")
    >>> data = io.BytesIO(stream.getvalue())
    >>> [(owners.shape, tricks[0, 0]) for owners, tricks in read_solved(data, format="zrd")]
    [((3, 52), np.uint8(6))]
    """

    def read_all(format_: Format, stream: BinaryIO, context: Context) -> Iterator[BoardBatch]:
        return in_batches(format_.read_batches(stream, context, Need.SOLVED), context)

    for batch in read_with(
        read_all, source, format=format, strict=strict, report=report, numbering=numbering
    ):
        yield batch.owners, batch.all_tricks()


def write_owners(
    owners: Owners | BoardBatch | Iterable[Owners | BoardBatch],
    target: str | os.PathLike[str] | BinaryIO,
    *,
    format: str | None = None,
    numbering: str | Ranks = "deal",
    encoding: str | None = None,
) -> int:
    r"""Write layouts, an array `uint8[n, 52]` or several of them, and return how many.

    The bytes are those of `write` for the same layouts, and so are the arguments and errors. A
    `BoardBatch` replaces an array for boards with numbers, tags and tricks. Raises `LayoutError`
    for an owner above 4 and for more than 13 tricks, and `TypeError` for another array.

    >>> import io
    >>> from pavcodec import numbering
    >>> stream = io.BytesIO()
    >>> write_owners(numbering("andrews").sample_many(2, seed=7), stream, format="numbers")
    2
    >>> stream.getvalue().split()
    [b'35100065345896021611946388262', b'17039508640469801419570959707']
    """

    def write_all(format_: Format, stream: BinaryIO, context: Context) -> int:
        return format_.write_batches(_batches(owners), stream, context)

    return write_with(write_all, target, format=format, numbering=numbering, encoding=encoding)


def _batches(owners: Owners | BoardBatch | Iterable[Owners | BoardBatch]) -> Iterator[BoardBatch]:
    """Yield arrays and batches as checked batches."""
    several = [owners] if isinstance(owners, np.ndarray | BoardBatch) else owners
    for rows in several:
        batch = rows if isinstance(rows, BoardBatch) else BoardBatch(rows)
        _check(batch)
        yield batch


def _check(batch: BoardBatch) -> None:
    """Raise `TypeError` for arrays of another kind, `LayoutError` for impossible values."""
    rows = checked("owners", batch.owners, np.uint8, DECK_SIZE)
    if batch.numbers is not None:
        numbers = checked("numbers", batch.numbers, np.uint64, 2)
        if len(numbers) != len(rows):
            raise TypeError(f"a batch of {len(rows)} boards has {len(numbers)} numbers")
    if batch.tricks is not None:
        are_wrong = ((batch.tricks > HAND_SIZE) & (batch.tricks != NOT_SOLVED)).any(axis=1)
        if are_wrong.any():
            row = int(are_wrong.argmax())
            wrong = batch.tricks[row].tobytes()
            refuse(row, lambda: results_of_bytes(wrong))
    if len(rows) and rows.max() > UNUSED:
        row = int((rows > UNUSED).any(axis=1).argmax())
        refuse(row, lambda: Layout(rows[row].tobytes()))


# Use solved collections instead of a solver.


def use_solved(
    *sources: str | os.PathLike[str] | BinaryIO,
    format: str | None = None,
    report: Callable[[Problem], None] | None = None,
) -> int:
    """Take the double-dummy tricks of files instead of solving; return how many have some.

    From now on, the function `tricks` of the language, `solve_many` and all else that needs a
    solver looks deals up first, also under other names of suits and turned round the table. The
    files have any format with tricks: archives, `zrd`, `npy:solved`, Parquet, PBN. They are read
    into memory, with 36 bytes for each different deal. Only deals that no file has are solved.
    `forget_solved` undoes it. `report` and the errors are those of `read`.

    >>> import io
    >>> import numpy as np
    >>> from pavcodec import numbering, write_owners
    >>> from pavcodec.boards.batch import BoardBatch
    >>> from pavcodec.solving.double_dummy import double_dummy
    >>> stream, deals = io.BytesIO(), numbering("deal").sample_many(2, seed=7)
    >>> batch = BoardBatch(deals, tricks=np.full((2, 20), 6, np.uint8))
    >>> _ = write_owners(batch, stream, format="zrd")
    >>> use_solved(io.BytesIO(stream.getvalue()), format="zrd")
    2
    >>> double_dummy(batch.board(0).layout, 0, 0)
    6
    >>> forget_solved()
    """
    from pavcodec.solving.double_dummy import double_dummy
    from pavcodec.solving.many import known_tricks

    solved = 0
    for source in sources:
        parts = list(read_solved(source, format=format, report=report))
        if parts:  # one addition for a file, since each sorts all deals
            owners, tricks = (np.concatenate(rows) for rows in zip(*parts, strict=True))
            known_tricks.add(owners, tricks)
            solved += int((tricks != NOT_SOLVED).any(axis=1).sum())
    double_dummy.use(known_tricks.tricks_of)
    return solved


def forget_solved() -> None:
    """Forget the tricks of `use_solved`, and all results of the solver that are cached.

    >>> forget_solved()
    """
    from pavcodec.solving.double_dummy import double_dummy
    from pavcodec.solving.many import known_tricks

    known_tricks.clear()
    double_dummy.use(None)
