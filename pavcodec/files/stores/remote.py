"""A folder in a store that fsspec opens."""

from __future__ import annotations

import errno
import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from pavcodec.files.output import is_unfinished, unfinished_name
from pavcodec.files.stores.faults import as_os_error, missing_package, named_fault
from pavcodec.files.stores.store import Storage, check_name
from pavcodec.files.stores.streams import Download, Upload
from pavcodec.files.stores.urls import joined, protocol_of, shown_url

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

__all__ = ["Remote"]

_BLOCK = 1 << 22
"""The bytes that a reader asks a store for at once, or more if it needs more."""
_AT_ONCE = 1000

_ON_CLOSE = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl"})
"""Protocols of object stores: an object appears, whole, when its upload is completed."""
_IN_MEMORY = frozenset({"memory"})
"""Protocols whose files appear when they are opened, and whose content is in memory anyway."""


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
        made = cls(url)
        made._opened()
        return made

    @property
    def url(self) -> str:
        """The URL of the folder without secrets."""
        return shown_url(self.address)

    def __repr__(self) -> str:
        return f"Remote({self.url!r})"

    def shown(self, name: str) -> str:
        """Return the URL of a file without secrets."""
        return joined(self.url, check_name(name))

    @contextmanager
    def put(self, name: str) -> Iterator[BinaryIO]:
        """Write a file; see `Storage.put`."""
        shown = self.shown(name)
        with named_fault(shown):
            system, path = self._place(name)
        kinds = _protocols(system)
        way = _put_on_close if kinds & _ON_CLOSE else _put_renamed
        if kinds & _IN_MEMORY:
            way = _put_from_memory
        with way(system, path, shown) as stream:
            yield stream

    def create(self, name: str, data: bytes) -> None:
        """Write a file that does not exist yet; see `Storage.create`."""
        shown = self.shown(name)
        with named_fault(shown):
            system, path = self._place(name)
        kinds = _protocols(system)
        if not kinds & (_ON_CLOSE | _IN_MEMORY):
            if self.exists(name):
                raise FileExistsError(errno.EEXIST, "the object exists already", shown)
            with _put_renamed(system, path, shown) as stream:
                stream.write(data)
            return
        try:
            with named_fault(shown):
                system.pipe_file(path, data, mode="create")
        except OSError as error:
            if error.errno not in {errno.ENOSYS, errno.EOPNOTSUPP}:
                raise
            self._create_after_look(name, system, path, data)

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading, with seeks."""
        with named_fault(self.shown(name)):
            system, path = self._there(name)
            if _protocols(system) & _IN_MEMORY:  # one file object for all readers of fsspec's
                return io.BytesIO(system.cat_file(path))
            file = system.open(path, "rb", block_size=_BLOCK)
        return cast("BinaryIO", io.BufferedReader(Download(file, self.shown(name)), 1 << 16))

    def names(self, prefix: str = "") -> list[str]:
        """Return the sorted names of the files that start with a prefix; see `Storage.names`."""
        return self._listed(prefix, lambda name: not is_unfinished(name))

    def unfinished(self, prefix: str = "") -> list[str]:
        """Return the names of unfinished files; see `Storage.unfinished`."""
        return self._listed(prefix, is_unfinished)

    def size(self, name: str) -> int:
        """Return the number of bytes of a file."""
        shown = self.shown(name)
        with named_fault(shown):
            system, path = self._there(name)
            facts = system.info(path)
            if facts.get("type") == "directory":
                raise FileNotFoundError(path)
            size = facts.get("size")
        if size is None:
            raise OSError(errno.EIO, "the store does not say the size", shown)
        return int(size)

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; names that do not exist are no error."""
        wanted = list(names)
        for start in range(0, len(wanted), _AT_ONCE):
            self._remove(wanted[start : start + _AT_ONCE])

    def _remove(self, names: list[str]) -> None:
        """Remove files by one request where the store can, otherwise one by one."""
        for name in names:
            check_name(name)
        with named_fault(self.url):
            system, root = self._opened()
            paths = [joined(root, name) for name in names]
            with suppress(FileNotFoundError):
                if _protocols(system) & _ON_CLOSE:
                    system.rm(paths)
                    return
            for path in paths:
                with suppress(FileNotFoundError):
                    system.rm_file(path)
            system.invalidate_cache()

    def _create_after_look(
        self, name: str, system: AbstractFileSystem, path: str, data: bytes
    ) -> None:
        """Write a file in a store that cannot write under a condition."""
        shown = self.shown(name)
        if self.exists(name):
            raise FileExistsError(errno.EEXIST, "the object exists already", shown)
        with named_fault(shown):
            system.pipe_file(path, data)

    def _opened(self) -> tuple[AbstractFileSystem, str]:
        """Return the file system of fsspec, and the path of the folder in it."""
        try:
            from fsspec.core import url_to_fs

            system, path = url_to_fs(self.address)
        except ImportError as error:
            found = missing_package(self.address, error)
            raise OSError(found.errno, found.strerror, self.url) from error
        except Exception as error:
            if "Protocol not known" in str(error):
                reason = f"fsspec has no protocol {protocol_of(self.address)!r}"
                raise OSError(errno.EINVAL, reason, self.url) from None
            raise as_os_error(error, self.url) from error
        return system, path

    def _there(self, name: str) -> tuple[AbstractFileSystem, str]:
        """Return the file system and the path of a file in it, without remembered listings."""
        system, root = self._opened()
        system.invalidate_cache()
        return system, joined(root, check_name(name))

    def _place(self, name: str) -> tuple[AbstractFileSystem, str]:
        """Return the file system and the path of a file to write, and make its folder.

        Object stores have no folders; there, fsspec would make a bucket.
        """
        system, path = self._there(name)
        if not _protocols(system) & (_ON_CLOSE | _IN_MEMORY):
            with suppress(NotImplementedError, FileExistsError):
                system.makedirs(path.rpartition("/")[0], exist_ok=True)
        return system, path

    def _listed(self, prefix: str, wanted: Callable[[str], bool]) -> list[str]:
        """Return the sorted names of wanted files that start with a prefix."""
        inner, slash, _ = prefix.rpartition("/")
        with named_fault(self.url):
            system, root = self._opened()
            system.invalidate_cache()
            folder = joined(root, check_name(inner)) if inner else root
            try:
                entries = system.ls(folder, detail=True)
            except FileNotFoundError:
                return []
        files = (entry for entry in entries if entry.get("type") != "directory")
        found = {str(entry["name"]).rpartition("/")[2] for entry in files}
        names = (f"{inner}{slash}{name}" for name in found if name and wanted(name))
        return sorted(name for name in names if name.startswith(prefix))


def _protocols(system: AbstractFileSystem) -> frozenset[str]:
    """Return the names of the protocols of a file system."""
    found = system.protocol
    return frozenset({found} if isinstance(found, str) else found)


@contextmanager
def _put_on_close(system: AbstractFileSystem, path: str, shown: str) -> Iterator[BinaryIO]:
    """Write an object whose store shows it when the upload is completed."""
    with named_fault(shown):
        file = system.open(path, "wb")
    try:
        yield cast("BinaryIO", Upload(file, shown))
        with named_fault(shown):
            file.close()
    except BaseException:
        _abandon(file)
        raise


def _abandon(file: IO[bytes]) -> None:
    """End an upload without an object; the class of fsspec would complete it when it is closed."""
    with suppress(Exception):
        file.discard()  # type: ignore[attr-defined]
    with suppress(Exception):
        file.closed = True  # type: ignore[misc]


@contextmanager
def _put_from_memory(system: AbstractFileSystem, path: str, shown: str) -> Iterator[BinaryIO]:
    """Write an object by one action, from memory."""
    whole = io.BytesIO()
    yield cast("BinaryIO", Upload(whole, shown))
    with named_fault(shown):
        system.pipe_file(path, whole.getvalue())


@contextmanager
def _put_renamed(system: AbstractFileSystem, path: str, shown: str) -> Iterator[BinaryIO]:
    """Write a temporary name in the same folder, and rename it."""
    folder, slash, _ = path.rpartition("/")
    temporary = f"{folder}{slash}{unfinished_name()}"
    file = None
    try:
        with named_fault(shown):
            file = system.open(temporary, "wb")
        yield cast("BinaryIO", Upload(file, shown))
        with named_fault(shown):
            file.close()
            system.mv(temporary, path)
            system.invalidate_cache()
    except BaseException:
        if file is not None:
            with suppress(Exception):
                file.close()
        with suppress(Exception):
            system.rm_file(temporary)
        raise
