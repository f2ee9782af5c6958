"""Use solved collections instead of a solver."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import BinaryIO

import numpy as np

from pavcodec.boards.context import Problem
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.formats.arrays import read_solved

__all__ = ["forget_solved", "use_solved"]


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
    from pavcodec.solving.known import known_tricks

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
    from pavcodec.solving.known import known_tricks

    known_tricks.clear()
    double_dummy.use(None)
