"""Parts in another format, and with other tags."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pavcodec.boards.board import Board
from pavcodec.boards.vulnerability import Vulnerability, dealer_of_board
from pavcodec.collection.derived.making import BoardMaking, Ends, Input, boards_with_numbers
from pavcodec.formats.format import Need

if TYPE_CHECKING:
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.boards.context import Context
    from pavcodec.collection.derived.reading import Report

__all__ = ["ConvertMaking"]


@dataclass(frozen=True, kw_only=True)
class ConvertMaking(BoardMaking):
    """Parts with the boards of a source in a format.

    `boards` are the first and last numbers of the chosen boards; without them, all are chosen. With
    `by_number`, the number of a board gives its dealer and vulnerability.
    """

    boards: Ends = ()
    by_number: bool = False

    kind: ClassVar[str] = "convert"

    def _options(self) -> dict[str, object]:
        chosen = [list(ends) for ends in self.boards]
        return {"boards": chosen, "by_number": self.by_number, **super()._options()}

    def _boards(
        self,
        inputs: Iterator[Input],
        context: Context,  # noqa: ARG002 (of all parts with boards)
        report: Report,  # noqa: ARG002
        facts: dict[str, object],  # noqa: ARG002
    ) -> Iterator[BoardBatch | Board]:
        is_changing = self.boards or self.by_number or self.tags
        need = Need.STEPS if is_changing or self.reading.strict else self.target.need
        for found, stream, named in inputs:
            if is_changing:
                yield from self._changed(found.read(stream, named))
            else:
                yield from found.read_batches(stream, named, need)

    def _changed(self, boards: Iterator[Board]) -> Iterator[Board]:
        """Yield the chosen boards, with the dealers and vulnerabilities of their numbers."""
        for board in boards_with_numbers(boards, self.boards):
            number = board.number
            if self.by_number and number is not None:
                dealer, vulnerable = dealer_of_board(number), Vulnerability.of_board(number)
                tags = {"Dealer": dealer.letter, "Vulnerable": vulnerable.value}
                yield board.with_tags(tags)
            else:
                yield board
