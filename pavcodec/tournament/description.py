"""The two files of a SquareDeal event: the public description and the secret keys.

Each line of the description (`.sqd`) is two letters, a blank and a value. TN is the name of the
tournament, DI the delayed information in words, DV its value, SN a phase, KH the hash of the key
file. Lines that start with # are comments. Each line of the key file (`.sqk`) is
`phase,session:key`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from secrets import choice
from string import ascii_letters, digits

from pavcodec.errors import PavError, ReadError

__all__ = ["Description", "Keys", "Phase", "parse_hash", "with_value"]

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
        return tuple(one for part in self.boards.split(",") for one in _board_ranges(part))

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
    if found := _NUMBER.fullmatch(text):
        low, high = 1, int(text)
    elif found := _RANGE.fullmatch(text):
        low, high = int(found[1]), int(found[2])
    elif found := _TIMES.fullmatch(text):
        times, size = int(found[1]), int(found[2])
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
                phases.append(_phase_of(given, f"{source}:{number}"))
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
        for what, line in (*lines_of_text, *(("remark", one) for one in remarks)):
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


def _phase_of(text: str, place: str) -> Phase:
    try:
        return Phase.parse(text)
    except PavError as error:
        raise ReadError(f"{place}: {error}") from None


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
    kept = [one for one in whole.splitlines(keepends=True) if one.rstrip() != b"DV"]
    place = next((k for k, one in enumerate(kept, 1) if one.startswith(b"DI")), None)
    if place is None:
        place = next(k for k, one in enumerate(kept) if one.startswith(b"SN"))
    return b"".join([*kept[:place], line + end, *kept[place:]])


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
                place: "".join(choice(letters) for _ in range(KEY_SIZE))
                for place in description.sessions
            }
        )

    @cached_property
    def table(self) -> Mapping[tuple[int, int], str]:
        """The key of each (phase, session)."""
        found: dict[tuple[int, int], str] = {}
        for number, line in enumerate(self.data.split(b"\r\n"), 1):
            place = f"{self.source}:{number}"
            if not line.strip():
                continue
            text = line.decode("ascii", "replace")
            match = _KEY_LINE.fullmatch(text)
            if match is None:
                raise ReadError(f"{place}: expected phase,session:key, not {text[:40]!r}")
            one = int(match[1]), int(match[2])
            if one in found:
                raise ReadError(f"{place}: a second key for session {one[0]},{one[1]}")
            found[one] = match[3]
        return found

    @property
    def hash(self) -> str:
        """The SHA-256 of the file in hexadecimal, which the description publishes."""
        return sha256(self.data).hexdigest()
