"""The result of a comparison in sentences for players."""

from __future__ import annotations

import os
from collections.abc import Iterator

from pavcodec.tournament.club import NO_DELAY
from pavcodec.tournament.event import Event, Session
from pavcodec.tournament.verify import TURNED, Comparison, Difference

__all__ = ["verdict"]

_CHANGED = "not all files are as they were made"
_MANY = 8
_SHOWN = 12
"""The greatest number of different boards, and of faults of files, that `verdict` lists."""


def verdict(event: Event, result: Comparison, kept: str = "") -> Iterator[str]:
    """Yield sentences on a comparison: what was found, and what this proves.

    `kept` is the hash of the keys that somebody has from before the play, if it is known.
    """
    if kept and kept != event.keys.hash:
        yield "These keys do not have the fingerprint (hash) that you kept: it is of other keys."
        yield "Show this to the director: somebody may have exchanged the keys."
    wrong, boards = len(result.wrong), result.boards
    deals = sum(one.is_of_deal for one in result.wrong.values())
    if not boards:
        yield "The keys are those that were published. No boards were compared."
    elif not wrong:
        whole = not (result.missing or result.faults)
        but = f", but {_CHANGED}:" if result.faults else "."
        yield f"{_all(boards, whole=whole)} those that the published keys make{but}"
        if not result.faults:
            yield from _meaning(event, kept)
    elif deals == boards >= _MANY and (turn := _turn_of_all(result)):
        yield f"All {boards} boards are those that the published keys make, but turned:"
        yield f"{turn}."
        yield "Show this to the director: the files may have the hands in other seats."
    elif deals == boards >= _MANY:
        yield f"None of the {boards} boards is one that the published keys make."
        yield "Perhaps the delayed value is not the right one, or the files are of another event."
    else:
        right = _right_of(boards - wrong, boards)
        yield f"{right} that the published keys make{_rest(wrong, boards)}"
        several = len(event.sessions) > 1
        for (session, _), difference in list(result.wrong.items())[:_SHOWN]:
            yield _sentence(session, difference, several=several)
        if wrong > _SHOWN:
            yield f"{_plural(wrong - _SHOWN)} more."
        yield "Show this to the director: a board may have been turned, exchanged or dealt by hand."
    if result.faults and (wrong or not boards):
        yield f"{_CHANGED.capitalize()}:"
    yield from _faults(result)


def _faults(result: Comparison) -> Iterator[str]:
    """Yield a sentence about each fault of a file."""
    for fault in result.faults[:_SHOWN]:
        yield f"{os.path.basename(fault.source)}: {fault.reason}."
    if len(result.faults) > _SHOWN:
        yield f"{len(result.faults) - _SHOWN} more."


def _turn_of_all(result: Comparison) -> str:
    """Return how all boards are turned; "" if they are not turned alike."""
    reasons = {one.reason for one in result.wrong.values()}
    (reason,) = reasons if len(reasons) == 1 else ("",)
    return reason.removeprefix(f"{TURNED}: ") if reason.startswith(TURNED) else ""


def _plural(boards: int) -> str:
    return "1 board" if boards == 1 else f"{boards} boards"


def _right_of(right: int, boards: int) -> str:
    """Return the subject of the sentence for boards of which some differ, and its verb."""
    if right:
        verb = "is one" if right == 1 else "are those"
        return f"{right} of {_plural(boards)} {verb}"
    return "The board is not one" if boards == 1 else f"None of the {boards} boards is one"


def _rest(wrong: int, boards: int) -> str:
    if wrong == boards:
        return ":"
    return "; 1 is not:" if wrong == 1 else f"; {wrong} are not:"


def _all(boards: int, *, whole: bool) -> str:
    """Return the subject of the sentence for boards without a difference, and its verb."""
    of_files = "" if whole else " in the files"
    return f"The board{of_files} is one of" if boards == 1 else f"All {boards} boards{of_files} are"


def _meaning(event: Event, kept: str) -> Iterator[str]:
    """Yield what boards without a difference prove, and the condition for it."""
    described = event.description
    if described.delayed == NO_DELAY:
        yield "They were fixed when the hash was published, and nobody changed one afterwards."
        yield (
            "There was no delayed information: the organiser could make several sets and choose "
            "one, and could see the boards before play."
        )
    else:
        yield (
            "Nobody could choose them, not even the organiser, if the hash below was published "
            f"before anybody knew the value of {described.delayed!r}, {described.value}."
        )
    if kept == event.keys.hash:
        yield f"The keys have the fingerprint (hash) that you kept: {kept}"
    else:
        yield f"The hash of the keys, to compare with the published one: {event.keys.hash}"


def _sentence(session: Session | None, difference: Difference, *, several: bool) -> str:
    """Return a sentence about a board that differs."""
    board = "A board" if difference.board is None else f"Board {difference.board}"
    where = f" of session {session.name}" if several and session is not None else ""
    reason = difference.reason.replace("and the event has", "and the keys make")
    return f"{board}{where} differs: {reason}."
