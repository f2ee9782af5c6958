"""Compare the deals of an event with the played deals.

A file of played deals often does not name its session. The session of a board is the first of these
that exists:

1. the session in its tag `Session`;
2. the session in the file name, as in OPRR01.pbn or OPRR01-02.pbn;
3. the session of the board before it, if this board number is still missing there;
4. the session that has its deal.

The dealer and the vulnerability of a board follow from its number. A file that has the name of a
session has all its boards, so it is incomplete without one that another file has.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import itemgetter

from pavcodec.boards import Board, Vulnerability
from pavcodec.boards.board import dealer_of_board
from pavcodec.cards import Seat
from pavcodec.layout import Layout
from pavcodec.tournament.event import MOST, NO_DELAY, Event, Session

SEATS = len(Seat)
_MANY = 8
TURNED = "the deal was played turned"
"""The begin of the reason of a deal that is turned round the table."""
_DEALER, _VULNERABILITY = "the dealer is", "the vulnerability is"
_TURNS = [[*((seat + places) % SEATS for seat in range(SEATS)), SEATS] for places in range(SEATS)]
"""For each number of places, the new owner of each owner's cards; nobody stays nobody."""
Position = tuple[Session, int]
"""A session and a board number."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A played deal that differs from the event's deal, or one for several deals of a file.

    >>> print(Difference("C1.pbn", 12, "C1", 3, "this is the deal of board 4"))
    C1.pbn:12: session C1 board 3: this is the deal of board 4
    """

    source: str
    line: int | None
    session: str | None
    board: int | None
    reason: str

    @property
    def is_of_deal(self) -> bool:
        """Whether the deal differs, and not only the dealer or the vulnerability."""
        return not self.reason.startswith((_DEALER, _VULNERABILITY))

    def __str__(self) -> str:
        where = self.source if self.line is None else f"{self.source}:{self.line}"
        session = "" if self.session is None else f"session {self.session}"
        board = "" if self.board is None else f"board {self.board}"
        what = " ".join(word for word in (session, board) if word)
        return f"{where}: {what}: {self.reason}" if what else f"{where}: {self.reason}"


@dataclass
class Comparison:
    """The result of a comparison: the differences, and what was compared.

    `missing` contains the boards of the compared sessions that are in no file; a short match does
    not play all boards. `faults` are those of whole files: boards that they lack, or a notice with
    other facts. `boards` is the number of different boards in the files, and `wrong` lists
    those that differ, each once with its first difference.
    """

    differences: list[Difference] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    deals: int = 0
    missing: list[Difference] = field(default_factory=list)
    boards: int = 0
    wrong: dict[tuple[Session | None, int | None], Difference] = field(default_factory=dict)
    faults: list[Difference] = field(default_factory=list)

    @property
    def agrees(self) -> bool:
        """Whether there is no difference and no fault."""
        return not (self.differences or self.faults)


def compare(
    event: Event,
    played: Iterable[tuple[str, Board]],
    *,
    files: Iterable[str] = (),
    whole: bool = False,
) -> Comparison:
    """Compare played boards, each with the name of its file, with the deals of an event.

    Boards without cards are skipped. A file of many deals, none of which is right, gives one
    difference. `files` are the names of all files, since one without deals has no board that tells
    it. With `whole`, files with the names of sessions must have all boards, also those that no
    other file has. Raise `PavError` if the delayed value is unknown.
    """
    comparer, result = _Comparer(event), Comparison()
    for source, boards in groupby(played, key=itemgetter(0)):
        with_cards = [board for _, board in boards if board.layout is not None]
        findings = list(comparer.findings(source, with_cards))
        result.deals += len(findings)
        result.differences += _differences_of(source, findings)
        for session, difference in findings:
            if difference is not None:
                result.wrong.setdefault((session, difference.board), difference)
    result.sessions = sorted(
        comparer.seen, key=lambda session: (session.phase, session.number, session.reserve)
    )
    result.boards = len(comparer.boards)
    result.missing = [gap for session in result.sessions for gap in comparer.gaps(session)]
    result.faults = [
        gap for source in comparer.of_file for gap in comparer.lacking(source, whole=whole)
    ]
    result.faults += [
        Difference(file, None, None, None, "no deals to compare")
        for file in files
        if comparer.is_empty(file)
    ]
    return result


_Finding = tuple[Session | None, Difference | None]
"""The session of a played board, and its difference from the event."""


class _Comparer:
    """The deals of an event, computed on demand, and the positions of each deal.

    `seen` are the boards of each session in the files, `boards` all different boards of the files,
    and `of_file` the boards of each file.
    """

    def __init__(self, event: Event) -> None:
        self._event = event
        self._deals: dict[Session, tuple[dict[int, Layout], Iterator[tuple[int, Layout]]]] = {}
        self._positions: dict[Layout, list[Position]] = {}
        self.seen: dict[Session, set[int]] = {}
        self.boards: set[tuple[Session | None, int | None]] = set()
        self.of_file: dict[str, set[Position]] = {}
        for session in event.sessions:
            self._learn(session)
            self._learn(event.reserve_of(session))

    def findings(self, source: str, boards: Sequence[Board]) -> Iterator[_Finding]:
        of_file = self._sessions_of(source)
        session = next((holder for board in boards for holder in self._holders(board)), None)
        done = self.of_file.setdefault(source, set())
        for board in boards:
            session = self._session_of(board, of_file, session, done)
            number = self._number_of(board, session)
            reason = self._fault(board, session, number)
            self.boards.add((session, number))
            if session is not None and number is not None:
                self.seen.setdefault(session, set()).add(number)
                done.add((session, number))
            if reason is None:
                yield session, None
                continue
            name = None if session is None else session.name
            yield session, Difference(source, board.line, name, board.number, reason)

    def _sessions_of(self, source: str) -> tuple[Session, ...]:
        return self._event.named(os.path.splitext(os.path.basename(source))[0])

    def _session_of(
        self,
        board: Board,
        of_file: tuple[Session, ...],
        before: Session | None,
        done: set[Position],
    ) -> Session | None:
        """Return the session of a board; None if it cannot be found."""
        tagged = self._event.named(board.tags.get("Session", ""))
        if len(tagged) == 1:
            return tagged[0]
        if of_file:
            holders = self._holders(board) if board.number is None else []
            fitting = (
                session for session in of_file if _has(session, board.number) or session in holders
            )
            return next(fitting, of_file[0])
        number = board.number
        if before and number and _has(before, number) and (before, number) not in done:
            return before  # even if another session has the deal; `_fault` reports that
        holders = self._holders(board)
        return before if before in holders or not holders else holders[0]

    def _holders(self, board: Board) -> list[Session]:
        """Return the sessions that contain the deal of a board, first those with its number."""
        assert board.layout is not None
        positions = self._positions.get(board.layout, [])
        with_number_first = sorted(positions, key=lambda position: position[1] != board.number)
        return [session for session, _ in with_number_first]

    def _number_of(self, board: Board, session: Session | None) -> int | None:
        """Return the number of a board, or else the number of its deal in the session."""
        assert board.layout is not None
        positions = self._positions.get(board.layout, []) if board.number is None else []
        return next((number for holder, number in positions if holder == session), board.number)

    def _fault(self, board: Board, session: Session | None, number: int | None) -> str | None:
        """Return the reason why a board of a session is wrong; None if it is right."""
        deal = board.layout
        assert deal is not None
        if session is None:
            return f"no session of the event has this deal: '{deal}'"
        if number is None:
            return f"the board has no number, and its deal is '{deal}'"
        if not _has(session, number):
            last = MOST if session.boards is None else session.boards[-1]
            first = 1 if session.boards is None else session.boards[0]
            return f"the session has boards {first} to {last}"
        return self._fault_of_deal(deal, session, number) or _fault_of_table(board, number)

    def _fault_of_deal(self, deal: Layout, session: Session, number: int) -> str | None:
        """Return how a deal differs from that of a board of the session; None if it is equal."""
        expected = self._deal(session, number)
        if deal == expected:
            return None
        for other, board in self._positions.get(deal, []):
            of_other = "" if other == session else f" of session {other.name}"
            return f"this is the deal of board {board}{of_other}"
        turn = _turn(expected, deal)
        if turn is not None:
            return f"{TURNED}: {turn}"
        return f"'{deal}' was played, and the event has '{expected}'"

    def _deal(self, session: Session, number: int) -> Layout:
        if session not in self._deals:
            self._learn(session)
        known, rest = self._deals[session]
        while number not in known:
            self._keep(session, known, *next(rest))
        return known[number]

    def _learn(self, session: Session) -> None:
        """Compute the deals of a session; with unknown board numbers, only on demand."""
        known: dict[int, Layout] = {}
        deals = self._event.deals(session)
        many = 0 if session.boards is None else len(session.boards)
        self._deals[session] = known, deals
        for number, deal in islice(deals, many):
            self._keep(session, known, number, deal)

    def _keep(self, session: Session, known: dict[int, Layout], number: int, deal: Layout) -> None:
        known[number] = deal
        self._positions.setdefault(deal, []).append((session, number))

    def gaps(self, session: Session) -> Iterator[Difference]:
        """Yield one difference with all boards of a session that are in no file."""
        gaps = [number for number in session.boards or () if number not in self.seen[session]]
        if gaps:
            reason = f"{_boards_are(gaps)} in no file"
            yield Difference("played", None, session.name, None, reason)

    def is_empty(self, file: str) -> bool:
        """Return whether a file has the name of a session, and no board; it may be a zip file."""
        is_read = file in self.of_file or any(
            source.startswith(f"{file}/") for source in self.of_file
        )
        return not is_read and bool(self._sessions_of(file))

    def lacking(self, source: str, *, whole: bool) -> Iterator[Difference]:
        """Yield for each session in the name of a file one difference with the boards it lacks."""
        for session in self._sessions_of(source):
            others = (session.boards if whole else self.seen.get(session)) or ()
            gaps = [
                number
                for number in session.boards or ()
                if number in others and (session, number) not in self.of_file[source]
            ]
            if gaps:
                reason = f"{_boards_are(gaps)} missing"
                yield Difference(source, None, session.name, None, reason)


def _has(session: Session, number: int | None) -> bool:
    """Return whether a session may have a board with this number."""
    if number is None:
        return False
    return number in session.boards if session.boards is not None else number <= MOST


def _boards_are(numbers: Sequence[int]) -> str:
    """Return the subject of a sentence on some boards, and its verb."""
    many = ", ".join(map(str, numbers))
    return f"board {many} is" if len(numbers) == 1 else f"boards {many} are"


def _fault_of_table(board: Board, number: int) -> str | None:
    """Return how dealer and vulnerability differ from those of the number; None if they do not."""
    dealer, vulnerable = dealer_of_board(number), Vulnerability.of_board(number)
    faults = []
    if board.dealer is not None and board.dealer != dealer:
        faults.append(f"{_DEALER} {board.dealer.name.title()}, not {dealer.name.title()}")
    if board.vulnerable is not None and board.vulnerable != vulnerable:
        faults.append(f"{_VULNERABILITY} {board.vulnerable.value}, not {vulnerable.value}")
    return ", and ".join(faults) or None


def _turn(expected: Layout, played: Layout) -> str | None:
    """Return whose cards North held, if the played deal is the expected one turned, else None."""
    for places in range(1, SEATS):
        owners = bytes(_TURNS[places][owner] for owner in expected.owners)
        if owners == played.owners:
            holder = Seat((SEATS - places) % SEATS)
            return f"North had the cards of {holder.name.capitalize()}, and so on round the table"
    return None


def _differences_of(source: str, findings: list[_Finding]) -> Iterator[Difference]:
    """Yield the differences of a file; only one if it has many deals and all deals are wrong."""
    wrong = [difference for _, difference in findings if difference is not None]
    deals = sum(difference.is_of_deal for difference in wrong)
    if deals < len(findings) or len(findings) < _MANY:
        yield from wrong
        return
    names = sorted({session.name for session, _ in findings if session is not None})
    reasons = {difference.reason for difference in wrong}
    if len(reasons) == 1 and wrong[0].reason.startswith(TURNED):
        reason = f"all {len(findings)} deals: {wrong[0].reason}"
    else:
        reason = f"none of its {len(findings)} deals is that of the event"
    yield Difference(source, None, " ".join(names) or None, None, reason)


# The result of a comparison in sentences for players.


_CHANGED = "not all files are as they were made"
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
    deals = sum(difference.is_of_deal for difference in result.wrong.values())
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
        rest = "" if wrong == boards else "; 1 is not" if wrong == 1 else f"; {wrong} are not"
        yield f"{right} that the published keys make{rest}:"
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
    reasons = {difference.reason for difference in result.wrong.values()}
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
    board = "A board" if difference.board is None else f"Board {difference.board}"
    where = f" of session {session.name}" if several and session is not None else ""
    reason = difference.reason.replace("and the event has", "and the keys make")
    return f"{board}{where} differs: {reason}."
