"""A file beside an output with the tricks that are solved so far, so that a run can continue.

Rule 1: the file has a header and then one record for each chunk of boards, in their order: the
        number of rows, a digest of the boards and of what is wanted, the tricks, and a checksum.
Rule 2: a record is complete or absent. At the first record whose checksum is wrong or that is cut
        off, the file ends; the rest is solved again.
Rule 3: a record is used only for the chunk with its digest. Another chunk at its place is an error,
        since the file belongs to another run.
Rule 4: the file is removed when the output is complete.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from time import perf_counter
from typing import IO, TYPE_CHECKING

import numpy as np

from pavcodec.boards import Board
from pavcodec.boards.batch import CONTRACTS, tricks_of
from pavcodec.boards.tricks import NOT_SOLVED, results_of_bytes
from pavcodec.cards import DECK_SIZE, UNUSED
from pavcodec.errors import PavError
from pavcodec.solving.contracts import ALL_CONTRACTS
from pavcodec.solving.many import are_solvable, solve_wanted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Owners
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.solving.many import Dds


if sys.platform != "win32":
    import fcntl


SUFFIX = ".solving"
"""The journal of an output has the name of the output and this suffix."""
_HEADER = b"pavcodec solving 1\n"
_HEAD = struct.Struct("<I16s")
_CHECKSUM_SIZE = 8


def digest_of(*parts: bytes) -> bytes:
    """Return a digest of 16 bytes; the borders of the parts matter."""
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(struct.pack("<Q", len(part)))
        digest.update(part)
    return digest.digest()


class Journal:
    """The journal of a run; it has a file once the first chunk is solved.

    With `force`, a record of another chunk is replaced, and so are those that follow it. Raises
    `PavError` for a file that is no journal or that another process writes.
    """

    def __init__(self, path: str, *, force: bool = False) -> None:
        self.path = path
        self._force = force
        self._file: IO[bytes] | None = None
        self._end = self._position = 0
        if os.path.lexists(path):
            self._open("r+b")
            self._end = self._position + self._length()

    def take(self, digest: bytes, rows: int) -> bytes | None:
        """Return the tricks of the next chunk, 20 bytes for each row; None if they are not here.

        Raises `PavError` if the record of another chunk is at its place.
        """
        if self._file is None or self._position == self._end:
            return None
        self._file.seek(self._position)
        count, stored = _HEAD.unpack(self._file.read(_HEAD.size))
        if stored != digest or count != rows:
            if not self._force:
                raise PavError(
                    f"{self.path} has the tricks of another run, with other boards or options: "
                    "repeat that run to continue it, or remove the file, or use --force"
                )
            self._end = self._position
            return None
        tricks = self._file.read(CONTRACTS * rows)
        self._position += _record_size(rows)
        return tricks

    def add(self, digest: bytes, tricks: bytes) -> None:
        """Write the tricks of the next chunk."""
        if self._file is None:
            self._open("x+b")
        assert self._file is not None
        record = _HEAD.pack(len(tricks) // CONTRACTS, digest) + tricks
        self._file.seek(self._position)
        self._file.truncate()
        self._file.write(record + _checksum(record))
        self._file.flush()
        self._position = self._end = self._file.tell()

    def remove(self) -> None:
        """Remove the file, since the output is complete."""
        if self._file is not None:
            with suppress(OSError):
                os.unlink(self.path)
        self.close()

    def close(self) -> None:
        """Close the file, which stays for the next run."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self, mode: str) -> None:
        """Open the file and lock it; write the header of a new file, or check that of another."""
        file = open(self.path, mode)  # noqa: SIM115 (it stays open)
        try:
            _lock(file, self.path)
            _begin(file, self.path)
        except BaseException:
            file.close()
            raise
        self._file, self._position = file, len(_HEADER)

    def _length(self) -> int:
        """Return the length of the complete records."""
        assert self._file is not None
        size, length = os.fstat(self._file.fileno()).st_size - self._position, 0
        while size - length > _HEAD.size:
            head = self._file.read(_HEAD.size)
            end = length + _record_size(_HEAD.unpack(head)[0])
            if end > size:
                break
            rest = self._file.read(end - length - len(head))
            if _checksum(head + rest[:-_CHECKSUM_SIZE]) != rest[-_CHECKSUM_SIZE:]:
                break
            length = end
        return length


def _record_size(rows: int) -> int:
    return _HEAD.size + CONTRACTS * rows + _CHECKSUM_SIZE


def _checksum(record: bytes) -> bytes:
    return blake2b(record, digest_size=_CHECKSUM_SIZE).digest()


def _begin(file: IO[bytes], path: str) -> None:
    """Read the header; write that of a new file, or of one that was stopped in its header."""
    head = file.read(len(_HEADER))
    if not _HEADER.startswith(head):
        raise PavError(f"{path} is no journal of solved boards: remove it")
    if head != _HEADER:
        file.seek(0)
        file.write(_HEADER)
        file.flush()


def _lock(file: IO[bytes], path: str) -> None:
    """Lock a file until it is closed; raise `PavError` if another process has locked it."""
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PavError(f"{path}: another run writes this file now") from None
    except OSError:  # a file system without locks
        return


# Solve boards chunk by chunk: what is known stays, and a journal keeps what is solved.
#
# A `ChunkSolver` takes the owners and the known tricks of a chunk, and returns all tricks. So the
# memory is bounded, and a run that is stopped loses one chunk.


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
        engine: Dds | None = None,
    ) -> None:
        self.counts = Counts()
        self._chosen = np.zeros(CONTRACTS, bool)
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
        solved = self._taken_or_solved(owners, wanted)
        has_any = wanted.any(axis=1)
        differs = wanted & (known != NOT_SOLVED) & (solved != known)
        self.counts.kept += int((can_be_solved & ~has_any).sum())
        self.counts.changed += int(differs.any(axis=1).sum())
        return np.where(wanted, solved, known)

    def _taken_or_solved(self, owners: Owners, wanted: NDArray[np.bool_]) -> NDArray[np.uint8]:
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
        tricks = solve_wanted(
            owners, wanted, self._engine, on_solved=self._on_solved, on_known=self._on_known
        )
        after = self.counts.solved + self.counts.looked_up
        self.counts.copied += boards - (after - before)
        if self._journal is not None:
            self._journal.add(digest, tricks.tobytes())
        return tricks

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
            words = b"".join(_NO_CARDS if layout is None else layout.owners for layout in layouts)
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
                    known = np.full((len(part), CONTRACTS), NOT_SOLVED, np.uint8)
                yield replace(part, tricks=self.tricks(part.owners, known))


def _checked(on_unsolvable: Callable[[Board], object]) -> Callable[[Board], Board]:
    """Return a function that reports a board that cannot be solved, and returns each board."""

    def check(board: Board) -> Board:
        cards = None if board.layout is None else np.frombuffer(board.layout.owners, np.uint8)
        if cards is not None and not are_solvable(cards[None])[0]:
            on_unsolvable(board)
        return board

    return check
