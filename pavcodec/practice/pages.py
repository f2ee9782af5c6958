"""The pages of a practice set as a document, for HTML and for PDF.

Rule 1: Each player has a table of own hands, with room for the bidding. The tables of two players
with at most eight boards share a sheet, to cut in the middle; a longer table fills sheets of its
own.
Rule 2: The solutions start a new sheet: a diagram of each board with its notes and the number of
its deal, then the notes of the set.
"""

from __future__ import annotations

from pavcodec.practice.sets import Facts, PracticeSet
from pavcodec.printing.document import Document, Hands, Notes, Paper, Part, Records

__all__ = ["practice_document"]

_HALF_A_SHEET = 8
"""The most boards of a player for which two players share a sheet."""


def practice_document(practice: PracticeSet, paper: Paper = "a4") -> Document:
    """Return the pages of a practice set.

    >>> from pavcodec import numbering
    >>> from pavcodec.practice.seating import Seating
    >>> board = Seating().board(1, numbering("deal")[0])
    >>> document = practice_document(PracticeSet("Slams", (board,)))
    >>> [type(part).__name__ for part in document.parts]
    ['Hands', 'Records']
    """
    few = len(practice.boards) <= _HALF_A_SHEET
    span = practice.span.capitalize()
    notes = tuple(
        (*practice.notes_of(place), f"deal {Facts.of(board).identity}")
        for place, board in enumerate(practice.boards)
    )
    parts: list[Part] = [
        Hands(
            practice.boards,
            practice.players,
            heading=span,
            layout="rows",
            per_page=2 if few else 1,
        ),
        Records(practice.boards, heading=f"Solution, {practice.span}", notes=notes),
    ]
    if practice.notes:
        parts += [Notes(practice.notes, starts_page=False)]
    return Document(practice.title, tuple(parts), lines=practice.event, paper=paper)
