"""A club's set of boards: the names of its files, its phase, and its tags in the description.

A description has no lines for the date and the site of an event. A club's set stores them as
comments, `# Date 2026.11.24`, which SquareDeal ignores.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date

from pavcodec.errors import PavError
from pavcodec.tournament.description import Phase

__all__ = [
    "DEFAULT_SESSION",
    "NO_DELAY",
    "NO_VALUE",
    "SHORT_VALUE",
    "checked_phase",
    "club_phase",
    "file_stem",
    "pbn_date",
    "remarks_of",
    "tags_in",
    "value_warnings",
]

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
_REMARK = re.compile(rf"# ({'|'.join(_TAGS)}) (.*\S)")
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

    >>> str(club_phase("tuesday", "24")), str(club_phase("tuesday", "1-12,13-24", 2))
    ('1:24:tuesday:Session', '2:1-12,13-24:tuesday-#:Session #/2')
    """
    title = session or DEFAULT_SESSION
    if sessions == 1:
        return Phase(1, boards, stem, title)
    sharps = "#" * len(str(sessions))
    return Phase(sessions, boards, f"{stem}-{sharps}", f"{title} #/{sessions}")


def checked_phase(stem: str, boards: str, sessions: int = 1, session: str = "") -> Phase:
    """Return the phase of a set; raise `PavError` unless each session has a fixed list of boards.

    >>> checked_phase("tuesday", "3x4")
    Traceback (most recent call last):
    ...
    pavcodec.errors.PavError: '3x4' is for 3 sessions: give 3 sessions, or one range such as 1-24
    """
    phase = club_phase(stem, boards, sessions, session)
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
    found = _DATE.fullmatch(text.strip())
    try:
        day = date(*map(int, found.groups())) if found else None
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
    return {found[1]: found[2] for found in map(_REMARK.fullmatch, lines) if found}
