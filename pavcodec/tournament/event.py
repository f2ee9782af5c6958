"""An event of SquareDeal: the deals of each session, from the description and the keys.

The key of a session has two halves. The left half is the owner of a Big Deal seed. The entropy of
the seed consists of the right half, the delayed value in base 64, and the word `original`, or
`reserve` for the second set of boards. In a phase with an open number of sessions, all sessions
share one key, and the word `ses` with the session's number ends the entropy.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from pavcodec.boards import Board
from pavcodec.errors import PavError, ReadError, suggest
from pavcodec.layout import Layout
from pavcodec.tournament.bigdeal import BigDealSeed
from pavcodec.tournament.description import MOST, Description, Keys

__all__ = ["Event", "Session"]

RESERVE = "reserve"


@dataclass(frozen=True, slots=True)
class Session:
    """A session of an event: its phase and its number, both from 1, its file name and its title.

    `boards` are its board numbers, None if the description does not contain them. `str` is the
    session in the form of the key file, such as `1,3`.
    """

    phase: int
    number: int
    name: str
    title: str
    boards: range | None
    reserve: bool = False

    def __str__(self) -> str:
        return f"{self.phase},{self.number}{' ' + RESERVE if self.reserve else ''}"

    @property
    def numbers(self) -> Iterator[int]:
        """The board numbers, without end if the description does not contain them."""
        return iter(self.boards) if self.boards is not None else count(1)


@dataclass(frozen=True)
class Event:
    r"""The sessions of an event and their deals.

    Raise `ReadError` if the keys do not have the published hash, or if a session has no key.

    >>> from dataclasses import replace
    >>> text = b"TN Club\nDI DJI of 3 May\nDV 40829\nSN 2:1-3,4-6:C#:Round #\n"
    >>> keys = Keys.of({(1, 1): "left1right1", (1, 2): "left2right2"})
    >>> published = replace(Description.parse(text), key_hash=keys.hash)
    >>> event = Event(published, keys)
    >>> session = event.session("C2")
    >>> print(session, session.title, [board.number for board in event.boards(session)])
    1,2 Round 2 [4, 5, 6]
    """

    description: Description
    keys: Keys
    source: str = "description"

    def __post_init__(self) -> None:
        published, found = self.description.key_hash, self.keys.hash
        if published is None:
            raise ReadError(f"{self.source}: not published: there is no line KH with a hash")
        if published != found:
            raise ReadError(
                f"{self.keys.source}: these are not the keys that were published: "
                f"their SHA-256 is {found}, and KH says {published}"
            )
        expected = set(self.description.sessions)
        for phase, session in sorted(expected - set(self.keys.table)):
            raise ReadError(f"{self.keys.source}: there is no key for session {phase},{session}")
        for phase, session in sorted(set(self.keys.table) - expected):
            raise ReadError(
                f"{self.keys.source}: there is a key for session {phase},{session}, "
                "which is not in the description"
            )

    @cached_property
    def sessions(self) -> tuple[Session, ...]:
        """The sessions of phases with a fixed number of them, in order, without reserve sets."""
        return tuple(
            self._session(phase, session) for phase, session in self.description.sessions if session
        )

    def _session(self, phase: int, session: int, *, reserve: bool = False) -> Session:
        found = self.description.phases[phase - 1]
        name = found.name_of(session) + (RESERVE if reserve else "")
        title = found.title_of(session) + (f" ({RESERVE})" if reserve else "")
        return Session(phase, session, name, title, found.boards_of(session), reserve)

    def session(self, text: str) -> Session:
        """Return the session with a name, or a place such as `1,3`, also with `reserve` after it.

        Raise `UnknownNameError` if there is none, and `PavError` if there are several.
        """
        if found := self.named(text):
            if len(found) == 1:
                return found[0]
            raise PavError(f"{text!r} names {len(found)} sessions")
        known = [session.name for session in self.sessions]
        raise suggest("session", text, known or [phase.prefix for phase in self.description.phases])

    def named(self, text: str) -> tuple[Session, ...]:
        """Return the sessions that a text names: one, several (`OPRR01-02`), or none."""
        text = text.strip()
        if match := re.fullmatch(rf"([0-9]{{1,4}}),([0-9]{{1,4}})\s*({RESERVE})?", text):
            return self._of_phase(int(match[1]), match[2], match[2], reserve=bool(match[3]))
        for number, phase in enumerate(self.description.phases, 1):
            one = r"([0-9]{1,4})(?:-([0-9]{1,4}))?" if "#" in phase.prefix else "()()"
            before, _, after = re.sub("#+", "#", phase.prefix).partition("#")
            pattern = f"{re.escape(before)}{one}{re.escape(after)}({RESERVE})?"
            if match := re.fullmatch(pattern, text, re.IGNORECASE):
                low = match[1] or "1"
                found = self._of_phase(number, low, match[2] or low, reserve=bool(match[3]))
                if found:
                    return found
        return ()

    def _of_phase(self, phase: int, low: str, high: str, *, reserve: bool) -> tuple[Session, ...]:
        """Return the sessions `low` to `high` of a phase; none unless the phase has all of them."""
        phases = self.description.phases
        if not 1 <= phase <= len(phases):
            return ()
        most = phases[phase - 1].sessions or MOST
        if not 1 <= int(low) <= int(high) <= most:
            return ()
        numbers = range(int(low), int(high) + 1)
        return tuple(self._session(phase, number, reserve=reserve) for number in numbers)

    def seed(self, session: Session) -> BigDealSeed:
        """Return the seed of a session; raise `PavError` if the delayed value is unknown."""
        value = self.description.value
        if value is None:
            raise PavError(
                f"{self.source}: the delayed value is not known: there is no line DV "
                f"(the delayed information is {self.description.delayed!r})"
            )
        as_needed = self.description.phases[session.phase - 1].sessions == 0
        key = self.keys.table[session.phase, 0 if as_needed else session.number].encode()
        left, right = key[: len(key) // 2], key[len(key) // 2 :]
        parts = [right, b64encode(value.encode("utf-8", "surrogateescape"))]
        parts += [RESERVE.encode() if session.reserve else b"original"]
        parts += [b"ses%d" % session.number] if as_needed else []
        return BigDealSeed.from_entropy(left, b"".join(parts))

    def deals(self, session: Session) -> Iterator[tuple[int, Layout]]:
        """Yield (board, deal) of a session; without end if the number of boards is unknown."""
        return zip(session.numbers, self.seed(session).deals(), strict=False)

    def boards(self, session: Session, tags: Sequence[tuple[str, str]] = ()) -> Iterator[Board]:
        """Yield the boards of a session with tags for event, stage and session, and more `tags`."""
        texts = {"Event": self.description.name, "Stage": session.title, "Session": session.name}
        shown = {name: text.encode("utf-8", "replace").decode() for name, text in texts.items()}
        for number, deal in self.deals(session):
            yield Board.make(deal, number=number, tags=shown | dict(tags))

    def reserve_of(self, session: Session) -> Session:
        """Return the reserve set of a session."""
        return self._session(session.phase, session.number, reserve=True)
