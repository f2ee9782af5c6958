"""Draw the keys of an event, and create and read its two files."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from pavcodec.errors import PavError
from pavcodec.files.opening import open_file
from pavcodec.files.output import open_output
from pavcodec.tournament.description import Description, Keys, Phase
from pavcodec.tournament.event import Event

__all__ = [
    "create_event",
    "description_in",
    "draw_event",
    "is_key_file",
    "is_key_line",
    "key_path",
    "open_event",
]

Path = str | os.PathLike[str]

_LINE = 1000
_KEY_LINE = re.compile(rb"[0-9]+,[0-9]+:")


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
        found = f"the descriptions {', '.join(names)}: name one" if names else "no description"
        raise PavError(f"{os.fspath(folder)}: the folder has {found}, a file .sqd")
    return os.path.join(folder, names[0])


def is_key_file(path: Path) -> bool:
    """Return whether a file has keys, by its suffix or its first line."""
    if os.fspath(path).lower().endswith(".sqk") or not os.path.isfile(path):
        return True
    with open_file(path) as stream:
        return is_key_line(stream.readline(_LINE))


def is_key_line(line: bytes) -> bool:
    """Return whether a line is one of a key file, such as `1,1:aB3dE6`."""
    return bool(_KEY_LINE.match(line.strip()))


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
    for path in (description, keys):
        if os.path.lexists(path):
            raise PavError(f"{os.fspath(path)}: it exists already and is not changed")
    _write_new(keys, event.keys.data, secret=True)
    try:
        _write_new(description, event.description.format(remarks), secret=False)
    except BaseException:
        if not os.path.lexists(description):  # keys without a description have no use
            with suppress(OSError):
                os.unlink(keys)
        raise
    return event


def _write_new(path: Path, data: bytes, *, secret: bool) -> None:
    """Write a new file; only its owner may read a secret one. Raise `PavError` if it exists."""
    try:
        with open_output(path, durable=True, private=secret, fresh=True) as stream:
            stream.write(data)
    except FileExistsError:
        raise PavError(f"{os.fspath(path)}: it exists already and is not changed") from None
