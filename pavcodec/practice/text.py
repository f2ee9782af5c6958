"""The pages of a practice set as text: one for each player, and the solution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pavcodec.boards import Board
from pavcodec.cards import STRAIN_SIGNS, Seat
from pavcodec.layout.drawings.diagram import diagram
from pavcodec.practice.sets import HEADS, Facts, PracticeSet
from pavcodec.printing.facts import facts_of

__all__ = ["text_pages"]

_GAP = "  "


def text_pages(practice: PracticeSet) -> str:
    """Return all pages as text, separated by form feeds."""
    facts = [Facts.of(board) for board in practice.boards]
    pages = [_player(practice, seat, facts) for seat in practice.players]
    pages.append(_solution(practice, facts))
    return "\f".join("".join(f"{line}\n" for line in page) for page in pages)


def _heading(practice: PracticeSet, whose: str) -> Iterator[str]:
    yield practice.title
    yield from practice.event
    yield f"{whose}, {practice.span}"
    yield ""


def _player(practice: PracticeSet, seat: Seat, facts: Sequence[Facts]) -> Iterator[str]:
    yield from _heading(practice, seat.name.title())
    rows = [HEADS, *(each.row(seat) for each in facts)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, *cells in rows:
        padded = map(str.ljust, cells, widths[1:])
        yield _GAP.join([number.rjust(widths[0]), *padded]).rstrip()


def _solution(practice: PracticeSet, facts: Sequence[Facts]) -> Iterator[str]:
    yield from _heading(practice, "Solution")
    yield from practice.notes
    for place, each in enumerate(facts):
        points = _GAP.join(f"{seat.letter} {each.layout[seat].hcp}" for seat in Seat)
        yield ""
        yield f"Board {each.number}: dealer {each.dealer}, vulnerable {each.vulnerable}"
        yield from diagram(each.layout)
        yield f"HCP  {points}"
        yield from _tricks(practice.boards[place])
        yield f"deal {each.identity}"
        yield from practice.notes_of(place)


def _tricks(board: Board) -> Iterator[str]:
    """Yield the lines of the tricks and of par, if the board has tricks."""
    facts = facts_of(board)
    if facts.tricks:
        rows = (" ".join((seat, *map(str, taken))) for seat, taken in facts.tricks)
        yield _GAP.join((f"tricks {' '.join(STRAIN_SIGNS)}", *rows))
        yield f"par  {facts.par}"
