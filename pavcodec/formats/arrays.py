"""Collections of many deals as arrays, without a Python object for each layout.

A collection is a file, a stream, an archive, an array, or layouts, boards and batches one after
another. `rows_of` reads any of them; statistics and programs that learn take what it yields.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias, cast

import numpy as np

from pavcodec.arrays import checked, refuse
from pavcodec.boards.batch import BoardBatch, Gathered, Wanted, gathered, tricks_of
from pavcodec.boards.board import Board, Context, Problem, Ranks
from pavcodec.boards.tricks import NOT_SOLVED, results_of_bytes
from pavcodec.cards import DECK_SIZE, HAND_SIZE, UNUSED
from pavcodec.formats.format import Format
from pavcodec.formats.registry import read_with, write_with
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.archive import Archive
    from pavcodec.arrays import Owners

Item: TypeAlias = "Owners | Layout | Board | BoardBatch"
Collection: TypeAlias = "str | os.PathLike[str] | BinaryIO | Archive | Owners | Iterable[Item]"


class DealRows(NamedTuple):
    """Some boards of a collection: those with cards as arrays, and the number of the others.

    `owners` are `uint8[n, 52]`; `tricks` have a row of 20 bytes for each board with cards, and then
    for boards without cards, with 255 for a contract without a result.
    """

    owners: Owners
    tricks: NDArray[np.uint8] | None = None
    without_cards: int = 0


def rows_of(  # noqa: PLR0913 (those of `read`)
    collection: object,
    *,
    tricks: bool | None = False,
    format: str | None = None,
    numbering: str | Ranks = "deal",
    strict: bool = False,
    report: Callable[[Problem], None] | None = None,
) -> Iterator[DealRows]:
    """Yield the boards of a collection in parts; files and streams are read as by `read`.

    With `tricks`, all rows have them; None is for those that take no further reading.

    >>> from pavcodec import numbering
    >>> deals = numbering("deal")
    >>> [part.owners.shape for part in rows_of([deals.sample_many(5, seed=7), *deals[:2]])]
    [(5, 52), (2, 52)]
    """
    if isinstance(collection, str | os.PathLike) or hasattr(collection, "read"):
        return read_with(
            partial(read_rows, tricks=tricks),
            cast("str | BinaryIO", collection),
            format=format,
            strict=strict,
            report=report,
            numbering=numbering,
        )
    if isinstance(collection, np.ndarray):
        return iter([DealRows(collection)])
    owners, solved = (getattr(collection, name, None) for name in ("owners", "solved"))
    if callable(owners) and callable(solved):  # an archive
        return (DealRows(*pair) for pair in solved()) if tricks else map(DealRows, owners())
    return _rows_of_items(cast("Iterable[object]", collection), tricks)


def read_rows(
    reader: Format, stream: BinaryIO, context: Context, *, tricks: bool | None = False
) -> Iterator[DealRows]:
    """Yield the boards of a stream in parts, as `rows_of` does."""
    return _rows_of_items(reader.read_batches(stream, context, Wanted.CARDS), tricks)


def _rows_of_items(collection: Iterable[object], tricks: bool | None) -> Iterator[DealRows]:
    """Yield arrays and batches as they are, and layouts and boards some thousands at a time."""
    for part in gathered(map(_part, collection)):
        if isinstance(part, np.ndarray):
            yield DealRows(part)
            continue
        having = part.with_cards()
        if not isinstance(part, Gathered):
            rows = having.all_tricks() if tricks else having.tricks
        else:
            ordered = sorted(part, key=lambda board: board.layout is None)
            has_tags = tricks or (tricks is None and any(board.entries for board in part))
            rows = tricks_of(ordered) if has_tags else None
        yield DealRows(having.owners, rows, len(part) - len(having))


def _part(item: object) -> Owners | BoardBatch:
    """Return an item of a collection as an array or a batch."""
    if isinstance(item, np.ndarray | BoardBatch):
        return item
    if isinstance(item, Board | Layout):
        return Gathered([item if isinstance(item, Board) else Board(item)])
    raise TypeError(f"deals are layouts, boards or batches, not {type(item).__name__!r}")


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
    parts = rows_of(source, format=format, strict=strict, report=report, numbering=numbering)
    return (part.owners for part in parts if len(part.owners))


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
    for part in rows_of(
        source, tricks=True, format=format, strict=strict, report=report, numbering=numbering
    ):
        if part.tricks is not None and len(part.owners):
            yield part.owners, part.tricks[: len(part.owners)]


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
