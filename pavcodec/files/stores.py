"""Folders of files on this machine and in object stores, by one interface.

`storage_of` makes a `Storage` from a path or a URL. A path, or a URL that starts with `file://`,
needs no package. Other URLs need fsspec and the package of the store.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import BinaryIO

from pavcodec.files.objects import (
    create_object,
    has_pattern,
    is_object_store,
    named_fault,
    opened,
)
from pavcodec.files.opening import open_file, open_output, size_of
from pavcodec.files.paths import (
    is_abandoned,
    is_unfinished,
    joined,
    local_path,
    open_whole,
    shown_path,
    shown_url,
)


@dataclass(frozen=True)
class Storage(ABC):
    """A folder of files: on this machine, or in a store that a URL names.

    Names of files are relative to the folder, with `/` between the parts on each system:
    `rows/part-000001.json`. A storage is a value: equal folders compare equal, and a pickle has
    only the path or the URL, so a storage goes to other processes and machines. It has no open
    connection; credentials are left to the packages of the store.

    Every fault is an `OSError` with the name of the file and the reason in plain words: a store
    without connection, missing credentials, a bucket that does not exist, a full disk.
    `is_transient` says whether another try may succeed.
    """

    address: str
    """The path or the URL of the folder."""

    @property
    def url(self) -> str:
        """The path or the URL of the folder for messages, without secrets."""
        return shown_path(self.address)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    def shown(self, name: str) -> str:
        """Return the path or the URL of a file for messages, without secrets."""
        return shown_path(self._of(name))

    @abstractmethod
    def _of(self, name: str) -> str:
        """Return the path or the URL of a file or of a folder in this one."""

    def _writable(self, name: str) -> str:
        """Return the path or the URL of a file to write, and make its folder if it needs one."""
        return self._of(name)

    def put(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Write a file through a stream; the file has its name when the block ends.

        The file is complete or absent: after any exception in the block, the name is absent or has
        its old content, and no part of the new content remains. An existing file is replaced in one
        step. Folders on the way are made. The stream is written from start to end; a seek is an
        error in most stores. On a disk, the bytes are there before the file gets its name, and the
        name is there too when the block has ended.
        """
        return open_output(self._writable(name), durable=True)

    @abstractmethod
    def create(self, name: str, data: bytes) -> None:
        """Write a small file that does not exist yet; raises `FileExistsError` if it does.

        Of several writers at the same time, one succeeds, on disks and in stores that can write
        under this condition: S3, Google Cloud Storage and Azure. Others look first and write then.
        If the answer of a store is lost and its package tries again, the existing file may be that
        of this call: compare its content.
        """

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading, with seeks; raises `FileNotFoundError` if it does not exist."""
        return open_file(self._of(name))

    def names(self, prefix: str = "") -> list[str]:
        """Return the sorted names of the files that start with `prefix`, never from a cache.

        The last `/` of the prefix chooses the folder; deeper folders are not listed. Unfinished
        files of `put` are left out. A folder that does not exist has no names.
        """
        return self._listed(prefix, lambda name: not is_unfinished(name))

    def size(self, name: str) -> int:
        """Return the number of bytes of a file; raises `FileNotFoundError` if it does not exist."""
        return size_of(self._of(name))

    @abstractmethod
    def remove(self, names: Iterable[str]) -> None:
        """Remove files; names that do not exist are no error."""

    def unfinished(self, prefix: str = "") -> list[str]:
        """Return the names of unfinished files that killed programs left in the folder.

        `prefix` chooses the folder as in `names`. On disks with locks, files that a program is
        writing are left out; elsewhere, remove the files only when nobody writes there. Object
        stores have none: parts of an upload that was never completed are no objects, and a rule of
        the bucket removes them.
        """
        return self._listed(prefix, is_unfinished)

    def _listed(self, prefix: str, wanted: Callable[[str], bool]) -> list[str]:
        """Return the sorted names of wanted files that start with a prefix."""
        inner, slash, _ = prefix.rpartition("/")
        inside = self._inside(self._of(inner) if inner else self.address)
        names = (f"{inner}{slash}{name}" for name in inside if name and wanted(name))
        return sorted(name for name in names if name.startswith(prefix))

    @abstractmethod
    def _inside(self, folder: str) -> Collection[str]:
        """Return the names of the files in a folder; none if it does not exist."""

    def read(self, name: str) -> bytes:
        """Return the content of a small file."""
        with self.open(name) as stream:
            return stream.read()

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""
        try:
            self.size(name)
        except FileNotFoundError:
            return False
        return True

    def __str__(self) -> str:
        return self.url


def check_name(name: str) -> str:
    r"""Return the name of a file in a folder; raises `ValueError` if it leaves the folder.

    >>> check_name("rows/part-000001.json")
    'rows/part-000001.json'
    >>> check_name("../plan.json")
    Traceback (most recent call last):
    ...
    ValueError: the name of a file in a folder has parts between '/', not '../plan.json'
    """
    if "\\" in name or any(part in {"", ".", ".."} for part in name.split("/")):
        raise ValueError(f"the name of a file in a folder has parts between '/', not {name!r}")
    return name


class Folder(Storage):
    """A folder on this machine; it is made when the first file is written."""

    def _of(self, name: str) -> str:
        return os.path.join(self.address, *check_name(name).split("/"))

    def _writable(self, name: str) -> str:
        """Return the path of a file to write, and make its folder."""
        path = self._of(name)
        os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
        return path

    def create(self, name: str, data: bytes) -> None:
        """Write a file that does not exist yet; see `Storage.create`."""
        with open_whole(self._writable(name), durable=True, fresh=True) as stream:
            stream.write(data)

    def unfinished(self, prefix: str = "") -> list[str]:
        """Return the names of unfinished files; see `Storage.unfinished`."""
        return [name for name in super().unfinished(prefix) if is_abandoned(self._of(name))]

    def remove(self, names: Iterable[str]) -> None:
        """Remove files, and folders in this one that are empty then; see `Storage.remove`."""
        folders = set()
        for name in names:
            with suppress(FileNotFoundError):
                os.unlink(self._of(name))
            folders.add(name.rpartition("/")[0])
        for inner in folders - {""}:
            with suppress(OSError):  # it has other files
                os.rmdir(self._of(inner))

    def _inside(self, folder: str) -> Collection[str]:
        try:
            with os.scandir(folder) as entries:
                return [entry.name for entry in entries if not _is_folder(entry)]
        except FileNotFoundError:
            return ()


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Return whether a name is that of a folder; a link in a circle is a file."""
    try:
        return entry.is_dir()
    except OSError:
        return False


_AT_ONCE = 1000
"""The most objects that one request of S3 removes."""


class Remote(Storage):
    """A folder in a store, by the URL that fsspec opens.

    The file system of fsspec is looked up for each action, so a pickle or a fork of the process
    never has a connection of another process.
    """

    def _of(self, name: str) -> str:
        return joined(self.address, check_name(name))

    def create(self, name: str, data: bytes) -> None:
        """Write a file that does not exist yet; see `Storage.create`."""
        create_object(self._of(name), data)

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; names that do not exist are no error."""
        wanted = [check_name(name) for name in names]
        for start in range(0, len(wanted), _AT_ONCE):
            self._remove(wanted[start : start + _AT_ONCE])

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

    def _inside(self, folder: str) -> Collection[str]:
        system, path = opened(folder)
        with named_fault(shown_url(folder)):
            try:
                entries = system.ls(path, detail=True)
            except FileNotFoundError:
                return ()
        files = (entry for entry in entries if entry.get("type") != "directory")
        return {str(entry["name"]).rpartition("/")[2] for entry in files}


_LOST_SLASH = re.compile(r"[a-z][a-z0-9+.-]+:/(?!/)")


def storage_of(folder: str | os.PathLike[str]) -> Storage:
    """Return the storage of a folder: a path of this machine, or a URL that fsspec opens.

    The folder need not exist, and nothing is opened. Raises `OSError` for a protocol that fsspec
    does not have, and for a package that is not installed.

    >>> storage_of("sets/strong").shown("plan.json")
    'sets/strong/plan.json'
    >>> storage_of("memory://strong").shown("plan.json")
    'memory://strong/plan.json'
    """
    text = os.fspath(folder)
    if not isinstance(text, str):
        raise TypeError(f"a folder is a path or a URL, not {type(folder).__name__!r}")
    if not isinstance(folder, str) and _LOST_SLASH.match(text):
        raise TypeError(f"a URL is given as text, since a path loses a slash of it: {text!r}")
    path = local_path(text)
    if path is not None:
        return Folder(path)
    opened(text)  # raises the errors
    return Remote(text)
