"""Chunks of boards: known tricks stay, and an interrupted run gives the same boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from solving_support import Player, endings

from pavcodec import Board, BoardBatch, Layout, TrickTable
from pavcodec.boards.batch import tricks_of
from pavcodec.cards import Strain
from pavcodec.solving import journal as chunks
from pavcodec.solving.contracts import columns_of
from pavcodec.solving.journal import ChunkSolver, Journal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "AT_ONCE", 5)


def some_boards(count: int, seed: int = 1) -> list[Board]:
    owners = endings(1, count, seed)
    return [Board.make(Layout(row.tobytes()), number=k) for k, row in enumerate(owners, 1)]


def refuse(board: Board) -> None:
    raise AssertionError(board)


def test_known_tricks_stay() -> None:
    boards = some_boards(12)
    wrong = TrickTable(bytes([9] * 20))
    boards[3] = boards[3].with_tricks(wrong)
    boards[7] = Board.make(None, number=8)
    solver = ChunkSolver(engine=Player())
    found = list(solver.boards(boards, refuse))
    assert [board.number for board in found] == list(range(1, 13))
    assert found[3] is boards[3]
    assert found[7] is boards[7]
    plain = list(ChunkSolver(engine=Player()).boards(some_boards(12), refuse))
    assert [b for k, b in enumerate(found) if k not in (3, 7)] == [
        b for k, b in enumerate(plain) if k not in (3, 7)
    ]
    assert (solver.counts.kept, solver.counts.solved + solver.counts.copied) == (1, 10)
    again = ChunkSolver(again=True, engine=Player())
    assert next(iter(list(again.boards(boards, refuse))[3:])).tricks == plain[3].tricks
    assert again.counts.changed == 1


def test_only_missing_contracts_are_solved() -> None:
    boards = some_boards(4)
    part = list(ChunkSolver(columns_of("NT"), engine=Player()).boards(boards, refuse))
    assert all(board.tricks is None for board in part)
    assert (tricks_of(part)[:, 4:] == 255).all()
    whole = list(ChunkSolver(engine=Player()).boards(part, refuse))
    assert whole == list(ChunkSolver(engine=Player()).boards(boards, refuse))
    engine = Player()
    assert list(ChunkSolver(columns_of("NT"), engine=engine).boards(part, refuse)) == part
    assert engine.calls == []


def test_a_board_that_cannot_be_solved_is_reported_before_the_next_is_read() -> None:
    boards = some_boards(3)
    boards[1] = Board.make(Layout.from_pbn("N:AK... Q... J... T..."), number=2)
    seen: list[int | None] = []
    read: list[int | None] = []

    def reading() -> Iterator[Board]:
        for board in boards:
            read.append(board.number)
            yield board

    def on_unsolvable(board: Board) -> None:
        assert read == [1, 2]
        seen.append(board.number)

    found = list(ChunkSolver(engine=Player()).boards(reading(), on_unsolvable))
    assert seen == [2]
    assert found[1] is boards[1]
    assert found[2].tricks is not None


def test_batches_have_the_tricks_of_their_boards() -> None:
    owners = endings(1, 13, seed=3)
    batches = [BoardBatch(owners[:8], first=1), BoardBatch(owners[8:], first=9)]
    found = [board for batch in ChunkSolver(engine=Player()).batches(batches) for board in batch]
    boards = [Board.make(Layout(row.tobytes()), number=k) for k, row in enumerate(owners, 1)]
    assert found == list(ChunkSolver(engine=Player()).boards(boards, refuse))


class _StoppedError(Exception):
    pass


class Stopping(Player):
    """A player that stops at a call."""

    def __init__(self, last: int) -> None:
        super().__init__()
        self.last = last

    def strains(self, owners: NDArray[np.uint8], strains: Sequence[Strain]) -> NDArray[np.uint8]:
        if len(self.calls) >= self.last:
            raise _StoppedError
        return super().strains(owners, strains)


@pytest.mark.slow
@pytest.mark.parametrize("stop", range(6))
def test_a_run_continues_where_it_was_stopped(tmp_path: Path, stop: int) -> None:
    boards, path = some_boards(28, seed=stop), str(tmp_path / "x.solving")
    plain, counted = ChunkSolver(engine=Player()), Player()
    expected = list(plain.boards(boards, refuse))
    journal = Journal(path)
    with pytest.raises(_StoppedError):
        list(ChunkSolver(journal=journal, engine=Stopping(stop)).boards(boards, refuse))
    journal.close()
    journal = Journal(path)
    solver = ChunkSolver(journal=journal, engine=counted)
    assert list(solver.boards(boards, refuse)) == expected
    assert solver.counts.resumed == 5 * stop
    assert len(counted.calls) == 6 - stop
    journal.close()
