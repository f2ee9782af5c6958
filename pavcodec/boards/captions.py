"""The caption of a drawn board: its number, dealer, vulnerability, contract, result and tricks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from pavcodec.boards.vulnerability import Vulnerability
from pavcodec.cards import STRAIN_SIGNS, Seat, Strain
from pavcodec.layout import Layout, TrickTable
from pavcodec.layout.drawings.diagram import Caption

__all__ = ["caption_of"]


class _Described(Protocol):
    """The parts of a board that a caption needs."""

    @property
    def layout(self) -> Layout | None: ...
    @property
    def tags(self) -> Mapping[str, str]: ...
    @property
    def dealer(self) -> Seat | None: ...
    @property
    def vulnerable(self) -> Vulnerability | None: ...
    @property
    def tricks(self) -> TrickTable | None: ...


_SIDES = {
    Vulnerability.NONE: frozenset[Seat](),
    Vulnerability.NS: frozenset({Seat.NORTH, Seat.SOUTH}),
    Vulnerability.EW: frozenset({Seat.EAST, Seat.WEST}),
    Vulnerability.ALL: frozenset(Seat),
}
_WORDS = {
    Vulnerability.NONE: "none vulnerable",
    Vulnerability.NS: "NS vulnerable",
    Vulnerability.EW: "EW vulnerable",
    Vulnerability.ALL: "all vulnerable",
}
_UNKNOWN = ("", "?", "-")


def caption_of(board: _Described) -> Caption:
    """Return the caption of a board.

    >>> from pavcodec import Board, numbering
    >>> caption_of(Board.make(numbering("deal")[0], number=7)).notes[0]
    'South deals, all vulnerable'
    """
    number = board.tags.get("Board", "")
    return Caption(
        heading=f"Board {number}" if number not in _UNKNOWN else "",
        notes=tuple(_notes(board)),
        dealer=board.dealer,
        vulnerable=_SIDES[board.vulnerable] if board.vulnerable else frozenset(),
        table=() if board.tricks is None else tuple(_table(board.tricks)),
    )


def _notes(board: _Described) -> Iterator[str]:
    parts = [] if board.dealer is None else [f"{board.dealer.name.title()} deals"]
    if board.vulnerable is not None:
        parts.append(_WORDS[board.vulnerable])
    if parts:
        yield ", ".join(parts)
    if board.layout is not None:
        points = "  ".join(f"{seat.letter} {board.layout[seat].hcp}" for seat in Seat)
        yield f"HCP  {points}"
    yield from _bid(board)


def _bid(board: _Described) -> Iterator[str]:
    """Yield the contract, if there is one."""
    contract, declarer, result = (
        board.tags.get(name, "") for name in ("Contract", "Declarer", "Result")
    )
    if contract in _UNKNOWN:
        return
    if contract.lower() == "pass":
        yield "passed out"
        return
    by = "" if declarer in _UNKNOWN else f" by {declarer.removeprefix('^')}"
    made = "" if result in _UNKNOWN else f", {result} tricks"
    yield f"contract {contract}{by}{made}"


def _table(tricks: TrickTable) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table of tricks, partners below each other."""
    yield "", *STRAIN_SIGNS
    for seat in (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST):
        yield seat.letter, *(str(tricks[seat, strain]) for strain in Strain)
