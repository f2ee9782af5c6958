"""An event of SquareDeal: the deals of each session, from the description and the keys.

The key of a session has two halves. The left half is the owner of a Big Deal seed. The entropy of
the seed consists of the right half, the delayed value in base 64, and the word `original`, or
`reserve` for the second set of boards. In a phase with an open number of sessions, all sessions
share one key, and the word `ses` with the session's number ends the entropy.
"""

from __future__ import annotations

import os
import re
import unicodedata
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from hashlib import sha256
from itertools import chain, count
from secrets import choice
from string import ascii_letters, digits

from pavcodec.boards import Board
from pavcodec.errors import PavError, ReadError, suggest
from pavcodec.files.opening import open_file, open_output
from pavcodec.layout import Layout
from pavcodec.tournament.bigdeal import BigDealSeed

# The two files of a SquareDeal event: the public description and the secret keys.
#
# Each line of the description (`.sqd`) is two letters, a blank and a value. TN is the name of the
# tournament, DI the delayed information in words, DV its value, SN a phase, KH the hash of the key
# file. Lines that start with # are comments. Each line of the key file (`.sqk`) is
# `phase,session:key`.


MOST = 9999
"""The maximum number of sessions in a phase, and the maximum board number."""
UNKNOWN_BOARDS = "?"
"""The text for an unknown number of boards."""
KEY_SIZE = 60
"""The number of characters in a new key: 357 bits."""

_NUMBER = re.compile(r"[0-9]{1,4}")
_RANGE = re.compile(r"([0-9]{1,4})-([0-9]{1,4})")
_TIMES = re.compile(r"([0-9]{1,4})x([0-9]{1,4})")
_PREFIX = re.compile(r"(?![. ]|$)[\w. -]*#*[\w. -]*")
_KEY_LINE = re.compile(r"([0-9]{1,4}),([0-9]{1,4}):([!-~]{2,})")
_HASH = re.compile(r"[0-9a-fA-F]{64}")
_SHARPS = re.compile(r"#+")
_HEADER = """\
# Description file of tournament for program SquareDeal 2.4 (written by pavcodec)
#
"""
_REMARK = """\
# Description of phases of tournament
# Per phase a line with SN nsessions:nboards:filename:description
"""


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of an event: the number of sessions, their boards, file names and titles.

    `sessions` is 0 if the number is open. `boards` is a list such as `1-16,17-32`, which the
    sessions use in turn; `16` is short for `1-16`, and `3x7` for `1-7,8-14,15-21`; `?` means that
    the boards are unknown. In `prefix` and `title`, a row of # is replaced by the session's number.

    >>> phase = Phase.parse("6:1-16,17-32:QF#:Quarter Finals #/6")
    >>> phase.ranges, phase.boards_of(3), phase.name_of(3), phase.title_of(3)
    ((range(1, 17), range(17, 33)), range(1, 17), 'QF3', 'Quarter Finals 3/6')
    """

    sessions: int
    boards: str
    prefix: str
    title: str

    def __post_init__(self) -> None:
        if not 0 <= self.sessions <= MOST:
            raise PavError(f"a phase has 0 to {MOST} sessions, not {self.sessions}")
        if not _PREFIX.fullmatch(self.prefix):
            raise PavError(
                f"{self.prefix!r} is not a valid file name: use letters, digits and one row of #"
            )
        if self.sessions != 1 and "#" not in self.prefix:
            raise PavError(
                f"{self.prefix!r} needs a # for the session, as in {self.prefix + '#'!r}"
            )
        if not self.title.isprintable():
            raise PavError(f"the title {self.title!r} is no line of text")
        assert self.ranges is not None  # raises `PavError` for an invalid list of boards

    @classmethod
    def parse(cls, text: str) -> Phase:
        """Return the phase of a text `sessions:boards:prefix:title`; raise `PavError` if invalid.

        >>> Phase.parse("6:1-16")
        Traceback (most recent call last):
        ...
        pavcodec.errors.PavError: a phase is sessions:boards:prefix:title, not '6:1-16'
        """
        parts = text.split(":", 3)
        if len(parts) != 4:
            raise PavError(f"a phase is sessions:boards:prefix:title, not {text!r}")
        sessions, boards, prefix, title = parts
        if not _NUMBER.fullmatch(sessions):
            raise PavError(f"{sessions!r} is no number of sessions, 0 to {MOST}")
        return cls(int(sessions), boards, prefix, title)

    def __str__(self) -> str:
        return f"{self.sessions}:{self.boards}:{self.prefix}:{self.title}"

    @property
    def ranges(self) -> tuple[range, ...]:
        """The boards of the sessions in turn; empty if they are unknown."""
        if self.boards == UNKNOWN_BOARDS:
            return ()
        return tuple(chain.from_iterable(map(_board_ranges, self.boards.split(","))))

    def boards_of(self, session: int) -> range | None:
        """Return the boards of a session, counted from 1; None if they are unknown."""
        ranges = self.ranges
        return ranges[(session - 1) % len(ranges)] if ranges else None

    def name_of(self, session: int) -> str:
        """Return the file name of a session, without suffix."""
        return _filled(self.prefix, str(session))

    def title_of(self, session: int) -> str:
        """Return the title of a session."""
        return _filled(self.title, str(session))


def _filled(text: str, number: str) -> str:
    """Replace each row of # by a number, padded with zeros to the length of the row."""
    return _SHARPS.sub(lambda row: number.zfill(len(row[0])), text)


def _board_ranges(text: str) -> Iterator[range]:
    """Yield the boards of each session in a part of a list."""
    if _NUMBER.fullmatch(text):
        low, high = 1, int(text)
    elif match := _RANGE.fullmatch(text):
        low, high = int(match[1]), int(match[2])
    elif match := _TIMES.fullmatch(text):
        times, size = int(match[1]), int(match[2])
        if 0 < times * size <= MOST:
            yield from (range(size * k + 1, size * k + size + 1) for k in range(times))
            return
        low = high = 0
    else:
        raise PavError(f"{text!r} is no list of boards, such as 16, 1-16,17-32, 3x7 or ?")
    if not 1 <= low <= high:
        raise PavError(f"{text!r} holds no boards, or more than {MOST}")
    yield range(low, high + 1)


@dataclass(frozen=True, slots=True)
class Description:
    r"""The public description of an event, with the delayed value when it is known.

    `delayed` describes in words the future event that decides the deals; `value` is None until its
    result is known. `key_hash` is the SHA-256 of the key file; an event without it is not published
    yet. Bytes of the file that are not UTF-8 stay unchanged.

    >>> text = b"TN Club\nDI The DJI of 3 May\nDV 40829\nSN 2:16:C#:Round #\n"
    >>> event = Description.parse(text)
    >>> event.name, event.value, event.phases[0].name_of(2), event.key_hash
    ('Club', '40829', 'C2', None)
    """

    name: str
    delayed: str
    value: str | None
    phases: tuple[Phase, ...]
    key_hash: str | None = None

    @classmethod
    def parse(cls, data: bytes, source: str = "description") -> Description:
        """Parse the bytes of a description; raise `ReadError` with the number of a wrong line."""
        items: dict[str, str] = {}
        phases: list[Phase] = []
        text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        for number, line in enumerate(text.split("\n"), 1):
            line = line.removesuffix("\r")  # noqa: PLW2901 (the same line without CR)
            tag, given = line[:2], line[2:].lstrip(" ")
            if not line.strip() or line.startswith("#"):
                continue
            if tag not in ("TN", "DI", "DV", "SN", "KH") or line[2:3] not in ("", " "):
                raise ReadError(
                    f"{source}:{number}: expected TN, DI, DV, SN or KH, not {line[:40]!r}"
                )
            if tag == "SN":
                try:
                    phases.append(Phase.parse(given))
                except PavError as error:
                    raise ReadError(f"{source}:{number}: {error}") from None
            elif tag in items:
                raise ReadError(f"{source}:{number}: a second {tag}")
            else:
                items[tag] = given
        if not phases:
            raise ReadError(f"{source}: there is no phase, no line with SN")
        _check_prefixes(phases, source)
        key_hash = items.get("KH")
        if key_hash is not None and not _HASH.fullmatch(key_hash):
            raise ReadError(f"{source}: KH {key_hash!r} is no SHA-256, 64 hexadecimal digits")
        return cls(
            items.get("TN", ""),
            items.get("DI", ""),
            items.get("DV") or None,
            tuple(phases),
            None if key_hash is None else key_hash.lower(),
        )

    def format(self, remarks: Sequence[str] = ()) -> bytes:
        """Return the bytes of the file, with `remarks` as comments.

        Raise `PavError` if a text is not one printable line.
        """
        lines_of_text = [("name", self.name), ("delayed information", self.delayed)]
        for what, line in (*lines_of_text, *(("remark", remark) for remark in remarks)):
            if not line.strip() or not line.isprintable():
                raise PavError(f"the {what} {line!r} is no line of text")
        lines = [f"TN {self.name}\n", f"DI {self.delayed}\n"]
        lines += [] if self.value is None else [f"DV {_checked_value(self.value)}\n"]
        lines += [_REMARK, *(f"SN {phase}\n" for phase in self.phases)]
        lines += [] if self.key_hash is None else [f"KH {self.key_hash}\n"]
        comments = [f"# {remark}\n" for remark in remarks]
        return "".join([_HEADER, *comments, *lines]).encode("utf-8", "surrogateescape")

    @property
    def sessions(self) -> Iterator[tuple[int, int]]:
        """Yield each (phase, session) with a key; session 0 if the number of sessions is open."""
        for number, phase in enumerate(self.phases, 1):
            many = range(1, phase.sessions + 1) if phase.sessions else range(1)
            yield from ((number, session) for session in many)


def _check_prefixes(phases: Sequence[Phase], source: str) -> None:
    """Raise `ReadError` if two phases have the same file names."""
    prefixes = [phase.prefix for phase in phases]
    for number, prefix in enumerate(prefixes, 1):
        if prefix in prefixes[: number - 1]:
            first = prefixes.index(prefix) + 1
            raise ReadError(
                f"{source}: phases {first} and {number} have files of the name {prefix!r}"
            )


def _checked_value(value: str) -> str:
    """Return a delayed value; raise `PavError` if the file cannot store it."""
    if not value.strip() or value != value.strip() or not value.isprintable():
        raise PavError(f"the delayed value {value!r} must be one line of text without outer blanks")
    return value


def with_value(data: bytes, value: str, source: str = "description") -> bytes:
    r"""Return the bytes of a description with the delayed value inserted, and no other change.

    Raise `PavError` if it has another value already, since the new one would change all deals.

    >>> with_value(b"TN Club\nDI DJI\nSN 2:16:C#:Round #\n", "40829")
    b'TN Club\nDI DJI\nDV 40829\nSN 2:16:C#:Round #\n'
    """
    described = Description.parse(data, source)
    line = f"DV {_checked_value(value)}".encode()
    if described.value == value:
        return data
    if described.value is not None:
        raise PavError(
            f"{source}: the delayed value is {described.value!r} already; it cannot change"
        )
    end = b"\r\n" if b"\r\n" in data else b"\n"
    whole = data if data.endswith(b"\n") or b"DI" not in data else data + end
    lines = [other for other in whole.splitlines(keepends=True) if other.rstrip() != b"DV"]
    index = next((k for k, other in enumerate(lines, 1) if other.startswith(b"DI")), None)
    if index is None:
        index = next(k for k, other in enumerate(lines) if other.startswith(b"SN"))
    return b"".join([*lines[:index], line + end, *lines[index:]])


def parse_hash(text: str) -> str:
    """Return a SHA-256 as somebody copied it, without blanks and in small letters.

    Raise `PavError` unless it has 64 hexadecimal digits.

    >>> parse_hash("AB " + 31 * "cd ")[:6]
    'abcdcd'
    """
    plain = "".join(text.split()).lower()
    if not _HASH.fullmatch(plain):
        raise PavError(f"a SHA-256 has 64 digits and letters a to f, not {plain!r} ({len(plain)})")
    return plain


@dataclass(frozen=True)
class Keys:
    r"""The keys of an event: a text for each (phase, session), and the bytes of their file.

    In `data`, all lines end with CR and LF, also if those of the file do not; the hash needs this.

    >>> keys = Keys.of({(1, 1): "aB3dE6"})
    >>> keys.data, keys.table[1, 1], keys.hash[:8]
    (b'1,1:aB3dE6\r\n', 'aB3dE6', 'c6804866')
    """

    data: bytes
    source: str = field(default="keys", compare=False)

    @classmethod
    def parse(cls, data: bytes, source: str = "keys") -> Keys:
        """Parse the bytes of a key file; raise `ReadError` with the number of a wrong line."""
        lines = data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        keys = cls(lines, source)
        assert keys.table is not None  # raises `ReadError` for an invalid line
        return keys

    @classmethod
    def of(cls, table: Mapping[tuple[int, int], str]) -> Keys:
        """Return the keys of a table, in its order."""
        lines = (f"{phase},{session}:{key}\r\n" for (phase, session), key in table.items())
        return cls.parse("".join(lines).encode())

    @classmethod
    def fresh(cls, description: Description) -> Keys:
        """Return random keys for all sessions, from the system's random source."""
        letters = ascii_letters + digits
        return cls.of(
            {
                session: "".join(choice(letters) for _ in range(KEY_SIZE))
                for session in description.sessions
            }
        )

    @cached_property
    def table(self) -> Mapping[tuple[int, int], str]:
        """The key of each (phase, session)."""
        keys: dict[tuple[int, int], str] = {}
        for number, line in enumerate(self.data.split(b"\r\n"), 1):
            where = f"{self.source}:{number}"
            if not line.strip():
                continue
            text = line.decode("ascii", "replace")
            match = _KEY_LINE.fullmatch(text)
            if match is None:
                raise ReadError(f"{where}: expected phase,session:key, not {text[:40]!r}")
            phase, session = int(match[1]), int(match[2])
            if (phase, session) in keys:
                raise ReadError(f"{where}: a second key for session {phase},{session}")
            keys[phase, session] = match[3]
        return keys

    @property
    def hash(self) -> str:
        """The SHA-256 of the file in hexadecimal, which the description publishes."""
        return sha256(self.data).hexdigest()


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
        published, actual = self.description.key_hash, self.keys.hash
        if published is None:
            raise ReadError(f"{self.source}: not published: there is no line KH with a hash")
        if published != actual:
            raise ReadError(
                f"{self.keys.source}: these are not the keys that were published: "
                f"their SHA-256 is {actual}, and KH says {published}"
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

    def _session(self, number: int, session: int, *, reserve: bool = False) -> Session:
        phase = self.description.phases[number - 1]
        name = phase.name_of(session) + (RESERVE if reserve else "")
        title = phase.title_of(session) + (f" ({RESERVE})" if reserve else "")
        return Session(number, session, name, title, phase.boards_of(session), reserve)

    def session(self, text: str) -> Session:
        """Return the session with a name, or a place such as `1,3`, also with `reserve` after it.

        Raise `UnknownNameError` if there is none, and `PavError` if there are several.
        """
        if sessions := self.named(text):
            if len(sessions) == 1:
                return sessions[0]
            raise PavError(f"{text!r} names {len(sessions)} sessions")
        known = [session.name for session in self.sessions]
        raise suggest("session", text, known or [phase.prefix for phase in self.description.phases])

    def named(self, text: str) -> tuple[Session, ...]:
        """Return the sessions that a text names: one, several (`OPRR01-02`), or none."""
        text = text.strip()
        if match := re.fullmatch(rf"([0-9]{{1,4}}),([0-9]{{1,4}})\s*({RESERVE})?", text):
            return self._of_phase(int(match[1]), match[2], match[2], reserve=bool(match[3]))
        for number, phase in enumerate(self.description.phases, 1):
            numbers = r"([0-9]{1,4})(?:-([0-9]{1,4}))?" if "#" in phase.prefix else "()()"
            before, _, after = re.sub("#+", "#", phase.prefix).partition("#")
            pattern = f"{re.escape(before)}{numbers}{re.escape(after)}({RESERVE})?"
            if match := re.fullmatch(pattern, text, re.IGNORECASE):
                low = match[1] or "1"
                sessions = self._of_phase(number, low, match[2] or low, reserve=bool(match[3]))
                if sessions:
                    return sessions
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


# Draw the keys of an event, and create and read its two files.


Path = str | os.PathLike[str]

_LINE = 1000
_KEY_LINE_START = re.compile(rb"[0-9]+,[0-9]+:")


def key_path(description: Path) -> str:
    """Return the path of the key file for a description.

    >>> key_path("events/club.sqd")
    'events/club.sqk'
    """
    return f"{os.path.splitext(os.fspath(description))[0]}.sqk"


def description_in(folder: Path) -> str:
    """Return the path of the description in a folder; raise `PavError` unless there is one."""
    names = sorted(name for name in os.listdir(folder) if name.lower().endswith(".sqd"))
    if len(names) != 1:
        content = f"the descriptions {', '.join(names)}: name one" if names else "no description"
        raise PavError(f"{os.fspath(folder)}: the folder has {content}, a file .sqd")
    return os.path.join(folder, names[0])


def is_key_line(line: bytes) -> bool:
    """Return whether a line is one of a key file, such as `1,1:aB3dE6`."""
    return bool(_KEY_LINE_START.match(line.strip()))


def open_event(description: Path, keys: Path | None = None) -> Event:
    """Read the two files of an event; by default, the key file is next to the description.

    Raise `ReadError` if a file is invalid, or if the keys do not have the published hash.
    """
    keys = key_path(description) if keys is None else keys
    with open_file(description) as stream:
        described = Description.parse(stream.read(), os.fspath(description))
    with open_file(keys) as stream:
        held = Keys.parse(stream.read(), os.fspath(keys))
    return Event(described, held, os.fspath(description))


def draw_event(  # noqa: PLR0913 (keywords)
    source: str,
    keys: str,
    *,
    name: str,
    delayed: str,
    phases: Sequence[Phase],
    value: str | None = None,
) -> Event:
    """Return a new event with fresh keys; `source` and `keys` are the names of its files.

    `delayed` describes in words the future event that decides the deals. Only an event without
    delayed information has its `value` from the start. Raise `PavError` for invalid texts.
    """
    unpublished = Description(name, delayed, value, tuple(phases))
    unpublished = Description.parse(unpublished.format(), source)
    held = replace(Keys.fresh(unpublished), source=keys)
    return Event(replace(unpublished, key_hash=held.hash), held, source)


def create_event(  # noqa: PLR0913 (keywords)
    description: Path,
    keys: Path | None = None,
    *,
    name: str,
    delayed: str,
    phases: Sequence[Phase],
    value: str | None = None,
    remarks: Sequence[str] = (),
) -> Event:
    """Draw the keys of an event, and write its public description and its secret key file.

    The texts are those of `draw_event`. `remarks` are comments for the description. Existing files
    are never replaced, since the keys of a published event cannot be drawn again; raise `PavError`
    instead.
    """
    keys = key_path(description) if keys is None else keys
    event = draw_event(
        os.fspath(description),
        os.fspath(keys),
        name=name,
        delayed=delayed,
        phases=phases,
        value=value,
    )
    write_event(event, remarks)
    return event


def write_event(event: Event, remarks: Sequence[str] = ()) -> None:
    """Write the files of a new event; raise `PavError` if one of them exists."""
    for path in (event.source, event.keys.source):
        if os.path.lexists(path):
            raise PavError(f"{path}: it exists already and is not changed")
    _write_new(event.keys.source, event.keys.data, secret=True)
    try:
        _write_new(event.source, event.description.format(remarks), secret=False)
    except BaseException:
        if not os.path.lexists(event.source):  # keys without a description have no use
            with suppress(OSError):
                os.unlink(event.keys.source)
        raise


def _write_new(path: Path, data: bytes, *, secret: bool) -> None:
    """Write a new file; only its owner may read a secret one. Raise `PavError` if it exists."""
    try:
        with open_output(path, durable=True, private=secret, fresh=True) as stream:
            stream.write(data)
    except FileExistsError:
        raise PavError(f"{os.fspath(path)}: it exists already and is not changed") from None


# A club's set of boards: the names of its files, its phase, and its tags in the description.
#
# A description has no lines for the date and the site of an event. A club's set stores them as
# comments, `# Date 2026.11.24`, which SquareDeal ignores.


DEFAULT_SESSION = "Session"
"""The title of a session without a name."""
NO_DELAY = "none: the deals were made together with the keys"
"""The delayed information of a set that has none."""
NO_VALUE = "none"
"""The delayed value of such a set; SquareDeal needs one."""

SHORT_VALUE = 4
"""The length of a value below which somebody could try all values."""

_TAGS = ("Date", "Site")
_DATE = re.compile(r"([0-9]{4})[-.]([0-9]{1,2})[-.]([0-9]{1,2})")
_REMARK_LINE = re.compile(rf"# ({'|'.join(_TAGS)}) (.*\S)")
_LONGEST = 60
_WHOLE_LETTERS = str.maketrans(
    {"Ł": "L", "ł": "l", "Ø": "O", "ø": "o", "Đ": "D", "đ": "d", "ı": "i"}
    | {"ß": "ss", "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Þ": "Th", "þ": "th", "ð": "d"}
)
"""Letters that Unicode does not divide into a letter and its accent."""


def file_stem(title: str, date: str = "") -> str:
    """Return the common part of the names of a set's files, from its title and its date.

    >>> file_stem("Tuesday pairs", "2026.11.24"), file_stem("Café d'été"), file_stem("橋牌")
    ('tuesday-pairs-2026-11-24', 'cafe-d-ete', 'club')
    """
    plain = (
        unicodedata.normalize("NFKD", title.translate(_WHOLE_LETTERS))
        .encode("ascii", "ignore")
        .decode()
        .lower()
    )
    words = re.findall("[a-z0-9]+", plain) or ["club"]
    name = "-".join(words)[:_LONGEST].rstrip("-")
    return "-".join([name, *date.split(".")]) if date else name


def club_phase(stem: str, boards: str, sessions: int = 1, session: str = "") -> Phase:
    """Return the phase of a set; `session` is the title of its sessions.

    Raise `PavError` unless each session has a fixed list of boards.

    >>> str(club_phase("tuesday", "24")), str(club_phase("tuesday", "1-12,13-24", 2))
    ('1:24:tuesday:Session', '2:1-12,13-24:tuesday-#:Session #/2')
    >>> club_phase("tuesday", "3x4")
    Traceback (most recent call last):
    ...
    pavcodec.errors.PavError: '3x4' is for 3 sessions: give 3 sessions, or one range such as 1-24
    """
    title = session or DEFAULT_SESSION
    if sessions == 1:
        phase = Phase(1, boards, stem, title)
    else:
        sharps = "#" * len(str(sessions))
        phase = Phase(sessions, boards, f"{stem}-{sharps}", f"{title} #/{sessions}")
    lists = len(phase.ranges)
    if not lists:
        raise PavError("a set needs its number of boards")
    if lists > sessions:
        raise PavError(
            f"{boards!r} is for {lists} sessions: give {lists} sessions, or one range such as 1-24"
        )
    return phase


def pbn_date(text: str) -> str:
    """Return a date in the form of PBN; raise `PavError` if there is no such day.

    >>> pbn_date("2026-11-24")
    '2026.11.24'
    """
    match = _DATE.fullmatch(text.strip())
    try:
        day = date(*map(int, match.groups())) if match else None
    except ValueError:
        day = None
    if day is None:
        raise PavError(f"expected a date, as in 2026-11-24, not {text!r}")
    return f"{day:%Y.%m.%d}"


def value_warnings(value: str) -> Iterator[str]:
    """Yield why a delayed value may prove less, or may be typed in another way by other people.

    >>> list(value_warnings("40829.12")), list(value_warnings("17"))
    ([], ["'17' is short: an organiser could try all such values in advance"])
    """
    if len(value) < SHORT_VALUE:
        yield f"{value!r} is short: an organiser could try all such values in advance"
    elif not value.isascii() or any(mark in value for mark in ", "):
        yield f"other people may write {value!r} in another way"


def remarks_of(tags: Mapping[str, str]) -> tuple[str, ...]:
    """Return the comments of a description that store the date and the site.

    >>> remarks_of({"Event": "Tuesday", "Date": "2026.11.24"})
    ('Date 2026.11.24',)
    """
    return tuple(f"{name} {tags[name]}" for name in _TAGS if name in tags)


def tags_in(description: bytes) -> dict[str, str]:
    r"""Return the date and the site that the comments of a description store.

    >>> tags_in(b"# Date 2026.11.24\nTN Tuesday\n")
    {'Date': '2026.11.24'}
    """
    lines = description.decode("utf-8", "replace").splitlines()
    return {match[1]: match[2] for match in map(_REMARK_LINE.fullmatch, lines) if match}
