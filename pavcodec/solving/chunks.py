"""Solve boards chunk by chunk: what is known stays, and a journal keeps what is solved.

A `ChunkSolver` takes the owners and the known tricks of a chunk, and returns all tricks. So the
memory is bounded, and a run that is stopped loses one chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.boards import Board
from pavcodec.boards.batch import tricks_of
from pavcodec.boards.tricks import NOT_SOLVED, results_of_bytes
from pavcodec.cards import DECK_SIZE, UNUSED
from pavcodec.solving.contracts import ALL_CONTRACTS
from pavcodec.solving.journal import digest_of
from pavcodec.solving.many import are_solvable, solve_wanted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.solving.dds import BulkEngine
    from pavcodec.solving.journal import Journal

__all__ = ["AT_ONCE", "ChunkSolver", "Counts"]

AT_ONCE = 200
"""The boards of a chunk: five calls of the library for all contracts, one for a single contract."""
_NO_CARDS = bytes([UNUSED] * DECK_SIZE)


@dataclass
class Counts:
    """What was done so far, in boards."""

    solved: int = 0
    """Boards for which the engine searched."""
    looked_up: int = 0
    """Boards whose tricks were in a file of solved deals."""
    copied: int = 0
    """Boards whose tricks are those of another board of the chunk, up to symmetry."""
    resumed: int = 0
    """Boards whose tricks were in the journal."""
    kept: int = 0
    """Boards that had the tricks already."""
    changed: int = 0
    """Boards that had other tricks."""
    seconds: float = 0.0
    """The time of the engine."""

    @property
    def rate(self) -> float:
        """The boards that the engine solved in a second."""
        return self.solved / self.seconds if self.seconds else 0.0


class ChunkSolver:
    """Solves the contracts of `columns` for boards, in chunks.

    With `again`, also those that are known already. The journal keeps the tricks of each chunk.
    """

    def __init__(
        self,
        columns: tuple[int, ...] = ALL_CONTRACTS,
        *,
        again: bool = False,
        journal: Journal | None = None,
        engine: BulkEngine | None = None,
    ) -> None:
        self.counts = Counts()
        self._chosen = np.zeros(len(ALL_CONTRACTS), bool)
        self._chosen[list(columns)] = True
        self._again = again
        self._journal = journal
        self._engine = engine
        self._started = 0.0

    def tricks(self, owners: Owners, known: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the tricks of a chunk, known and solved: `uint8[n, 20]`.

        Rows that no engine can solve, and contracts that are not chosen, keep what is known.
        """
        wanted = np.repeat(self._chosen[None], len(owners), axis=0)
        if not self._again:
            wanted &= known == NOT_SOLVED
        can_be_solved = are_solvable(owners)
        wanted[~can_be_solved] = False
        found = self._found(owners, wanted)
        has_any = wanted.any(axis=1)
        differs = wanted & (known != NOT_SOLVED) & (found != known)
        self.counts.kept += int((can_be_solved & ~has_any).sum())
        self.counts.changed += int(differs.any(axis=1).sum())
        return np.where(wanted, found, known)

    def _found(self, owners: Owners, wanted: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """Return the wanted tricks, from the journal or the engine."""
        boards = int(wanted.any(axis=1).sum())
        if not boards:
            return np.full(wanted.shape, NOT_SOLVED, np.uint8)
        digest = digest_of(owners.tobytes(), np.packbits(wanted).tobytes())
        if self._journal is not None:
            known = self._journal.take(digest, len(owners))
            if known is not None:
                self.counts.resumed += boards
                return np.frombuffer(known, np.uint8).reshape(wanted.shape)
        before, self._started = self.counts.solved + self.counts.looked_up, perf_counter()
        found = solve_wanted(
            owners, wanted, self._engine, on_solved=self._on_solved, on_known=self._on_known
        )
        after = self.counts.solved + self.counts.looked_up
        self.counts.copied += boards - (after - before)
        if self._journal is not None:
            self._journal.add(digest, found.tobytes())
        return found

    def _on_solved(self, boards: int) -> None:
        now = perf_counter()
        self.counts.solved += boards
        self.counts.seconds += now - self._started
        self._started = now

    def _on_known(self, boards: int) -> None:
        self.counts.looked_up += boards
        self._started = perf_counter()

    def boards(
        self, boards: Iterable[Board], on_unsolvable: Callable[[Board], object]
    ) -> Iterator[Board]:
        """Yield boards with their tricks, in their order.

        A board with cards that no engine can solve goes to `on_unsolvable` before the next board is
        read, and is yielded unchanged.
        """
        rest = iter(boards)
        while chunk := list(map(_checked(on_unsolvable), islice(rest, AT_ONCE))):
            layouts = (board.layout for board in chunk)
            words = b"".join(_NO_CARDS if each is None else each.owners for each in layouts)
            owners = np.frombuffer(words, np.uint8).reshape(-1, DECK_SIZE)
            rows = self.tricks(owners, tricks_of(chunk))
            for board, row in zip(chunk, rows, strict=True):
                yield board.with_results(results_of_bytes(row.tobytes()))

    def batches(self, batches: Iterable[BoardBatch]) -> Iterator[BoardBatch]:
        """Yield batches with their tricks, each of them one chunk."""
        for batch in batches:
            for begin in range(0, len(batch), AT_ONCE):
                part = batch.rows(begin, min(begin + AT_ONCE, len(batch)))
                known = part.tricks
                if known is None:
                    known = np.full((len(part), len(ALL_CONTRACTS)), NOT_SOLVED, np.uint8)
                yield replace(part, tricks=self.tricks(part.owners, known))


def _checked(on_unsolvable: Callable[[Board], object]) -> Callable[[Board], Board]:
    """Return a function that reports a board that cannot be solved, and returns each board."""

    def check(board: Board) -> Board:
        cards = None if board.layout is None else np.frombuffer(board.layout.owners, np.uint8)
        if cards is not None and not are_solvable(cards[None])[0]:
            on_unsolvable(board)
        return board

    return check
