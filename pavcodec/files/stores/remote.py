"""A folder in a store that fsspec opens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from typing import BinaryIO

from pavcodec.files.stores.faults import named_fault
from pavcodec.files.stores.objects import (
    create_object,
    has_pattern,
    is_object_store,
    open_object,
    opened,
    put_object,
    size_of_object,
)
from pavcodec.files.stores.store import Storage, check_name
from pavcodec.files.stores.urls import joined, shown_url
from pavcodec.files.stores.whole import is_unfinished

__all__ = ["Remote"]

_AT_ONCE = 1000
"""The most objects that one request of S3 removes."""


@dataclass(frozen=True)
class Remote(Storage):
    """A folder in a store, by the URL that fsspec opens.

    The file system of fsspec is looked up for each action, so a pickle or a fork of the process
    never has a connection of another process.
    """

    address: str = field(repr=False)

    @classmethod
    def checked(cls, url: str) -> Remote:
        """Return the folder of a URL; raises `OSError` if fsspec cannot open its protocol."""
        opened(url)
        return cls(url)

    @property
    def url(self) -> str:
        """The URL of the folder without secrets."""
        return shown_url(self.address)

    def __repr__(self) -> str:
        return f"Remote({self.url!r})"

    def shown(self, name: str) -> str:
        """Return the URL of a file without secrets."""
        return shown_url(self._of(name))

    def put(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Write a file; see `Storage.put`."""
        return put_object(self._of(name))

    def create(self, name: str, data: bytes) -> None:
        """Write a file that does not exist yet; see `Storage.create`."""
        create_object(self._of(name), data)

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading, with seeks."""
        return open_object(self._of(name))

    def names(self, prefix: str = "") -> list[str]:
        """Return the sorted names of the files that start with a prefix; see `Storage.names`."""
        return self._listed(prefix, lambda name: not is_unfinished(name))

    def unfinished(self, prefix: str = "") -> list[str]:
        """Return the names of unfinished files; see `Storage.unfinished`."""
        return self._listed(prefix, is_unfinished)

    def size(self, name: str) -> int:
        """Return the number of bytes of a file."""
        return size_of_object(self._of(name))

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; names that do not exist are no error."""
        wanted = [check_name(name) for name in names]
        for start in range(0, len(wanted), _AT_ONCE):
            self._remove(wanted[start : start + _AT_ONCE])

    def _of(self, name: str) -> str:
        """Return the URL of a file."""
        return joined(self.address, check_name(name))

    def _remove(self, names: list[str]) -> None:
        """Remove files by one request where the store can, otherwise one by one."""
        system, root = opened(self.address)
        paths = [joined(root, name) for name in names]
        with named_fault(self.url):
            with suppress(FileNotFoundError):
                if is_object_store(system) and not any(map(has_pattern, paths)):
                    system.rm(paths)  # which takes names with patterns for many
                    return
            for path in paths:
                with suppress(FileNotFoundError):
                    system.rm_file(path)

    def _listed(self, prefix: str, wanted: Callable[[str], bool]) -> list[str]:
        """Return the sorted names of wanted files that start with a prefix."""
        inner, slash, _ = prefix.rpartition("/")
        folder = self._of(inner) if inner else self.address
        system, path = opened(folder)
        with named_fault(shown_url(folder)):
            try:
                entries = system.ls(path, detail=True)
            except FileNotFoundError:
                return []
        files = (entry for entry in entries if entry.get("type") != "directory")
        found = {str(entry["name"]).rpartition("/")[2] for entry in files}
        names = (f"{inner}{slash}{name}" for name in found if name and wanted(name))
        return sorted(name for name in names if name.startswith(prefix))
