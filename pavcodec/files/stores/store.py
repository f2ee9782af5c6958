"""The interface of a folder of files, wherever it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import BinaryIO

__all__ = ["Storage", "check_name"]


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

    @property
    @abstractmethod
    def url(self) -> str:
        """The path or the URL of the folder for messages, without secrets."""

    @abstractmethod
    def shown(self, name: str) -> str:
        """Return the path or the URL of a file for messages, without secrets."""

    @abstractmethod
    def put(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Write a file through a stream; the file has its name when the block ends.

        The file is complete or absent: after any exception in the block, the name is absent or has
        its old content, and no part of the new content remains. An existing file is replaced in one
        step. Folders on the way are made. The stream is written from start to end; a seek is an
        error in most stores.
        """

    @abstractmethod
    def create(self, name: str, data: bytes) -> None:
        """Write a small file that does not exist yet; raises `FileExistsError` if it does.

        Of several writers at the same time, one succeeds, on disks and in stores that can write
        under this condition: S3, Google Cloud Storage and Azure. Others look first and write then.
        If the answer of a store is lost and its package tries again, the existing file may be that
        of this call: compare its content.
        """

    @abstractmethod
    def open(self, name: str) -> BinaryIO:
        """Open a file for reading, with seeks; raises `FileNotFoundError` if it does not exist."""

    @abstractmethod
    def names(self, prefix: str = "") -> list[str]:
        """Return the sorted names of the files that start with `prefix`, never from a cache.

        The last `/` of the prefix chooses the folder; deeper folders are not listed. Unfinished
        files of `put` are left out. A folder that does not exist has no names.
        """

    @abstractmethod
    def size(self, name: str) -> int:
        """Return the number of bytes of a file; raises `FileNotFoundError` if it does not exist."""

    @abstractmethod
    def remove(self, names: Iterable[str]) -> None:
        """Remove files; names that do not exist are no error."""

    @abstractmethod
    def unfinished(self, prefix: str = "") -> list[str]:
        """Return the names of unfinished files that killed programs left in the folder.

        `prefix` chooses the folder as in `names`. On disks with locks, files that a program is
        writing are left out; elsewhere, remove the files only when nobody writes there. Object
        stores have none: parts of an upload that was never completed are no objects, and a rule of
        the bucket removes them.
        """

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
