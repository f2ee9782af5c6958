"""A club's set of boards: the names of its files, its phase, and its tags in the description.

A description has no lines for the date and the site of an event. A club's set stores them as
comments, `# Date 2026.11.24`, which SquareDeal ignores.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from pavcodec.tournament.description import Phase

__all__ = [
    "DEFAULT_SESSION",
    "NO_DELAY",
    "NO_VALUE",
    "club_phase",
    "file_stem",
    "remarks_of",
    "tags_in",
]

DEFAULT_SESSION = "Session"
"""The title of a session without a name."""
NO_DELAY = "none: the deals were made together with the keys"
"""The delayed information of a set that has none."""
NO_VALUE = "none"
"""The delayed value of such a set; SquareDeal needs one."""

_TAGS = ("Date", "Site")
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
