"""Large models on disk, so that the next program need not build them again.

The cache stores a model under the hash of its condition's canonical text, of the version of its
format and of the version of pavcodec: it ignores models of other versions, which may have counted
wrong. It stores neither small models, which are quick to build, nor very large ones, which save too
little for their size: reading a node takes a third of the time of building it. `read_stream` checks
each model before use. The folder is `$PAVCODEC_CACHE`, else `pavcodec` in the user's cache folder;
an empty `$PAVCODEC_CACHE` turns the cache off. The folder and its files must belong to the user,
and no other user may have write permission; other folders and files are ignored. Its files take at
most `$PAVCODEC_CACHE_SIZE`, else 4 GiB; the cache removes the least recently used files first.
Errors in reading and writing are ignored: a cache is never a reason to fail.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from pavcodec._version import __version__
from pavcodec.constraints.counting.models.model import Model
from pavcodec.constraints.counting.stored.model_files import (
    FOUR_HANDS,
    VERSION,
    read_stream,
    write_stream,
)
from pavcodec.errors import NumberError
from pavcodec.files.output import PREFIX, SUFFIX, open_output
from pavcodec.limits.memory import parse_size

__all__ = ["cache_folder", "cache_size", "keep", "load_model", "open_kept", "store_model"]

KEPT_FROM = 2_000_000
"""The fewest nodes of a model that is stored."""

KEPT_TO = 8_000_000
"""The most nodes of a model that is stored: a quarter of a GiB, which saves about a second."""

_SIZE = "PAVCODEC_CACHE_SIZE"
_MOST_KEPT = 4 << 30

FRAME = 1 << 16
"""The approximate bytes of a file without the nodes."""

_OURS = re.compile(
    rf"[0-9a-f]{{32}}\.(model|plan)|({re.escape(PREFIX)}|pavcodec-).*{re.escape(SUFFIX)}"
)
"""The names of the files that the cache may remove: users may have other files in the folder."""


def cache_folder() -> Path | None:
    """Return the folder of the models; None if the cache is off."""
    folder = os.environ.get("PAVCODEC_CACHE")
    if folder is not None:
        return Path(folder) if folder else None
    with suppress(RuntimeError):
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return Path(base) / "pavcodec"
    return None


def cache_size() -> int:
    """Return the bytes that the files of the folder may take; raise `NumberError` for no size."""
    text = os.environ.get(_SIZE)
    if text is None:
        return _MOST_KEPT
    try:
        return parse_size(text)
    except NumberError as error:
        raise NumberError(f"{_SIZE}: {error}") from None


def load_model(text: str, memory: int, sizes: tuple[int, ...] = FOUR_HANDS) -> Model | None:
    """Return the stored model of a condition; None if there is none of at most `memory` bytes.

    `sizes` are those of the hands. Raises `NumberError` for a wrong `$PAVCODEC_CACHE_SIZE`.
    """
    if cache_folder() is None:
        return None
    cache_size()  # an error in it should appear before hours of counting
    try:
        with open_kept(_name(text)) as stream:
            if os.fstat(stream.fileno()).st_size > memory + FRAME:
                return None
            found, model = read_stream(stream, sizes)
    except (OSError, ValueError):
        return None
    return model if found == text and model.memory <= memory else None


def store_model(text: str, model: Model) -> None:
    """Store a model if its size makes that worth while."""
    if KEPT_FROM <= model.nodes <= KEPT_TO:
        keep(_name(text), model.memory + FRAME, lambda stream: write_stream(stream, text, model))


def open_kept(name: str) -> BinaryIO:
    """Open a file of the folder, and mark it as used; raise `OSError` if there is none."""
    folder = cache_folder()
    if folder is None or not _is_private(folder.stat()):
        raise FileNotFoundError
    stream = (folder / name).open("rb")
    status = os.fstat(stream.fileno())
    if not (stat.S_ISREG(status.st_mode) and _is_private(status)):
        stream.close()
        raise FileNotFoundError
    with suppress(OSError):
        os.utime(folder / name)
    return stream


def keep(name: str, size: int, write: Callable[[BinaryIO], object]) -> None:
    """Store a file of about so many bytes; remove the least recently used files for it."""
    folder = cache_folder()
    if folder is None or (room := cache_size() - size) < 0:
        return
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # conditions are private
        if _is_private(folder.stat()):
            _clear(folder, room)
            with open_output(folder / name, private=True) as stream:
                write(stream)


def _is_private(status: os.stat_result) -> bool:
    """Return whether a file or a folder belongs to the user, and only the user may write to it."""
    if not hasattr(os, "geteuid"):  # Windows has lists of its own, and private folders
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _clear(folder: Path, room: int) -> None:
    """Remove the least recently used files, until the rest take at most `room` bytes.

    That includes half-written files of killed programs, as they get old; a file that a program
    writes now is recent.
    """
    kept = [(path.lstat(), path) for path in folder.iterdir() if _OURS.fullmatch(path.name)]
    total = 0
    for status, path in sorted(kept, key=lambda file: file[0].st_mtime_ns, reverse=True):
        total += status.st_size
        if total > room:
            with suppress(OSError):
                path.unlink()


def _name(text: str) -> str:
    key = f"{VERSION}\n{__version__}\n{text}"
    return sha256(key.encode()).hexdigest()[:32] + ".model"
