"""Batches in the PBN export format: the bytes that `write_pbn` writes for their boards.

Rule 1: `write_pbn` is the definition. It also formats the parts that the boards of a batch share:
        one board of each class, cut at the number, the deal and the decimal of DealId.
Rule 2: a batch that cannot be cut or written in this way is written board by board, and so is each
        board with a hand that is too large.
Rule 3: `PbnWriter` chooses the encoding: it writes the first board of each batch that is not ASCII,
        and the rest of the batch has the same encoding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from pavcodec.arrays.text.writing import Pieces, format_boards
from pavcodec.boards.batch import BoardBatch
from pavcodec.boards.context import Context
from pavcodec.boards.vulnerability import Vulnerability
from pavcodec.cards import DECK_SIZE, HAND_SIZE, UNUSED, Seat
from pavcodec.formats.pbn.writer import SEPARATOR, PbnWriter, format_board, not_pbn
from pavcodec.formats.plain.batch_writers import PipelinedWriter, parts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["write_pbn_batches"]

_CYCLE = 16
"""The period of dealer and vulnerability in board numbers."""
_PAST_NUMBERS = 10**18
"""The first board number from which no dealer follows."""
_NO_NUMBERS = np.empty((0, 2), np.uint64)


def write_pbn_batches(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write batches in the PBN export format; return how many boards fit. The rest are problems."""
    writer = PbnWriter(stream, context)
    with PipelinedWriter(partial(_write_made, writer)) as behind:
        for batch in batches:
            form, begin = _form_of(batch), 0
            if form is None or not form.is_ascii:
                behind.finish()
                begin = _write_slowly(writer, batch, until_one_is_written=form is not None)
            if form is not None and begin < len(batch):
                pieces = form.pieces(writer.encoding)
                for part in parts_of(batch.rows(begin, len(batch))):
                    behind.submit(partial(_make, part, pieces))
    return writer.written


def _write_slowly(writer: PbnWriter, batch: BoardBatch, *, until_one_is_written: bool) -> int:
    """Write boards one by one, all or until one is written; return how many were processed."""
    before = writer.written
    for place, board in enumerate(batch):
        writer.write(board)
        if until_one_is_written and writer.written > before:
            return place + 1
    return len(batch)


@dataclass(frozen=True)
class _Made:
    """The text of the first boards of a part, and how many they are."""

    part: BoardBatch
    pieces: Pieces
    boards: int
    text: NDArray[np.uint8]


def _make(part: BoardBatch, shared: Pieces) -> _Made:
    """Format the boards of a part up to one with a hand that is too large."""
    first = None if part.first is None or "Board" in part.tags else part.first
    pieces = shared if part.first is None else shared.turned((part.first - 1) % _CYCLE)
    numbers = _NO_NUMBERS if part.numbers is None else np.ascontiguousarray(part.numbers)
    owners = np.ascontiguousarray(part.owners)
    boards, text = format_boards(owners, numbers, pieces, first=first, most=HAND_SIZE)
    return _Made(part, shared, boards, text)


def _write_made(writer: PbnWriter, made: _Made) -> None:
    """Write formatted boards, the board that has no formatted text, and the boards after it."""
    writer.write_formatted(made.text.data, made.boards)
    done = made.boards
    while done < len(made.part):
        writer.write(made.part.board(done))
        rest = _make(made.part.rows(done + 1, len(made.part)), made.pieces)
        writer.write_formatted(rest.text.data, rest.boards)
        done += 1 + rest.boards


@dataclass(frozen=True)
class _Form:
    """What the boards of a batch share: for each class four literals, and the dealer's seat."""

    literals: tuple[tuple[str, ...], ...]
    seats: tuple[int, ...]

    @property
    def is_ascii(self) -> bool:
        """Whether every encoding has the same bytes."""
        return all(literal.isascii() for literals in self.literals for literal in literals)

    def pieces(self, encoding: str) -> Pieces:
        """Return the literals as bytes."""
        return Pieces.of(
            [[literal.encode(encoding) for literal in literals] for literals in self.literals],
            self.seats,
        )


def _form_of(batch: BoardBatch) -> _Form | None:
    """Return the form of the boards of a batch; None if they must be written one by one."""
    if batch.needs_origin or batch.has_tricks or not len(batch):
        return None
    if batch.first is not None and not 0 < batch.first <= _PAST_NUMBERS - len(batch):
        return None
    numbering = None if batch.numbers is None else batch.numbering
    numbered = batch.first is not None
    return _form(tuple(batch.tags.items()), batch.dealer, batch.vulnerable, numbering, numbered)


@lru_cache(maxsize=4)
def _form(
    tags: tuple[tuple[str, str], ...],
    dealer: Seat | None,
    vulnerable: Vulnerability | None,
    numbering: str | None,
    numbered: bool,  # noqa: FBT001 (keys of a cache)
) -> _Form | None:
    """Return the form of boards that share this, by the text of boards without cards."""
    classes = _CYCLE if numbered else 1
    batch = BoardBatch(
        np.full((classes, DECK_SIZE), UNUSED, np.uint8),
        1 if numbered else None,
        dealer,
        vulnerable,
        dict(tags),
        None if numbering is None else np.zeros((classes, 2), np.uint64),
        numbering or "",
    )
    boards = list(batch)
    if any(map(not_pbn, boards)):
        return None
    varies = numbered and "Board" not in batch.tags
    literals, seats = [], []
    for board in boards:
        sizes = {
            "Board": len(str(board.number)) if varies else 0,
            "Deal": len(str(board.layout)),
            "DealId": 0 if numbering is None else 1,
        }
        literals.append(tuple(_cut(SEPARATOR + format_board(board), sizes)))
        seats.append(board.dealer or Seat.NORTH)
    return _Form(tuple(literals), tuple(seats))


def _cut(text: str, sizes: dict[str, int]) -> Iterator[str]:
    """Yield the text around the last characters of the values of some tags, in their order."""
    done = 0
    for name, size in sizes.items():
        end = done
        if size:
            end = text.index('"]' + SEPARATOR, text.index(f'{SEPARATOR}[{name} "'))
        yield text[done : end - size]
        done = end
    yield text[done:]
