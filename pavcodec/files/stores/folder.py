"""A folder on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import BinaryIO

from pavcodec.files.stores.store import Storage, check_name
from pavcodec.files.stores.whole import is_abandoned, is_unfinished, open_whole

__all__ = ["Folder"]


@dataclass(frozen=True)
class Folder(Storage):
    """A folder on this machine; it is made when the first file is written.

    A put writes a temporary name in the same folder and renames it when its bytes are on the disk;
    the new name is on the disk too when the put returns.
    """

    path: str

    @property
    def url(self) -> str:
        """The path of the folder."""
        return self.path

    def shown(self, name: str) -> str:
        """Return the path of a file."""
        return os.path.join(self.path, *check_name(name).split("/"))

    @contextmanager
    def put(self, name: str) -> Iterator[BinaryIO]:
        """Write a file; see `Storage.put`."""
        path = self._place(name)
        with open_whole(path, durable=True) as stream:
            yield stream

    def create(self, name: str, data: bytes) -> None:
        """Write a file that does not exist yet; see `Storage.create`."""
        with open_whole(self._place(name), durable=True, fresh=True) as stream:
            stream.write(data)

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading."""
        return open(self.shown(name), "rb")

    def names(self, prefix: str = "") -> list[str]:
        """Return the sorted names of the files that start with a prefix; see `Storage.names`."""
        return self._listed(prefix, lambda name: not is_unfinished(name))

    def unfinished(self, prefix: str = "") -> list[str]:
        """Return the names of unfinished files; see `Storage.unfinished`."""
        found = self._listed(prefix, is_unfinished)
        return [name for name in found if is_abandoned(self.shown(name))]

    def size(self, name: str) -> int:
        """Return the number of bytes of a file."""
        return os.stat(self.shown(name)).st_size

    def remove(self, names: Iterable[str]) -> None:
        """Remove files, and folders in this one that are empty then; see `Storage.remove`."""
        folders = set()
        for name in names:
            with suppress(FileNotFoundError):
                os.unlink(self.shown(name))
            folders.add(name.rpartition("/")[0])
        for inner in folders - {""}:
            with suppress(OSError):  # it has other files
                os.rmdir(self.shown(inner))

    def _place(self, name: str) -> str:
        """Return the path of a file to write, and make its folder."""
        path = self.shown(name)
        os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
        return path

    def _listed(self, prefix: str, wanted: Callable[[str], bool]) -> list[str]:
        """Return the sorted names of wanted files that start with a prefix."""
        inner, slash, _ = prefix.rpartition("/")
        try:
            with os.scandir(self.shown(inner) if inner else self.path) as entries:
                found = [
                    entry.name for entry in entries if wanted(entry.name) and not _is_folder(entry)
                ]
        except FileNotFoundError:
            return []
        names = (f"{inner}{slash}{name}" for name in found)
        return sorted(name for name in names if name.startswith(prefix))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Return whether a name is that of a folder; a link in a circle is a file."""
    try:
        return entry.is_dir()
    except OSError:
        return False
