"""Write, read and measure single objects that URLs name, by fsspec."""

from __future__ import annotations

import errno
import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from pavcodec.files.stores.faults import as_os_error, missing_package, named_fault
from pavcodec.files.stores.streams import Download, Upload
from pavcodec.files.stores.urls import shown_url
from pavcodec.files.stores.whole import unfinished_name

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

__all__ = [
    "create_object",
    "has_pattern",
    "is_object_store",
    "object_exists",
    "open_object",
    "opened",
    "put_new_object",
    "put_object",
    "size_of_object",
]

_BLOCK = 1 << 22
"""The bytes after those it needs that a reader asks a store for, since they may be next."""

_ON_CLOSE = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl"})
"""Protocols of object stores: an object appears, whole, when its upload is completed."""
_IN_MEMORY = frozenset({"memory"})
"""Protocols whose files appear when they are opened, and whose content is in memory anyway."""
_EXISTS = "the object exists already"
_FOLDER = "it is a folder and no object"


def opened(url: str) -> tuple[AbstractFileSystem, str]:
    """Return the file system of fsspec for a URL, and the path in it.

    The file system remembers no listings of earlier calls. Raises `OSError` for a protocol that
    fsspec does not have, and for a package that is not installed.
    """
    try:
        from fsspec.core import url_to_fs

        system, path = url_to_fs(url)
    except ImportError as error:
        found = missing_package(url, error)
        raise OSError(found.errno, found.strerror, shown_url(url)) from error
    except Exception as error:
        if "Protocol not known" in str(error):
            reason = f"fsspec has no protocol {url.partition('://')[0]!r}"
            raise OSError(errno.EINVAL, reason, shown_url(url)) from None
        raise as_os_error(error, shown_url(url)) from error
    system.invalidate_cache()
    return system, path


def has_pattern(path: str) -> bool:
    """Return whether some functions of fsspec take a path for a pattern of many names.

    >>> has_pattern("bucket/set[12]/plan.json"), has_pattern("bucket/set/plan.json")
    (True, False)
    """
    return any(letter in path for letter in "*?[")


def is_object_store(system: AbstractFileSystem) -> bool:
    """Return whether an object of a store appears, whole, when its upload is completed."""
    return bool(_protocols(system) & _ON_CLOSE)


@contextmanager
def put_object(url: str) -> Iterator[BinaryIO]:
    """Write an object through a stream; it is complete or absent.

    Object stores show an object when its upload is completed, and an error ends the upload. In
    other stores the object has a temporary name in the same folder first.
    """
    shown = shown_url(url)
    system, path = _place(url)
    if is_object_store(system):
        way = _put_on_close
    elif _protocols(system) & _IN_MEMORY:
        way = _put_from_memory
    else:
        way = _put_renamed
    with way(system, path, shown) as stream:
        yield stream


@contextmanager
def put_new_object(url: str) -> Iterator[BinaryIO]:
    """Write an object as `put_object`; raises `FileExistsError` if it exists at the start."""
    if object_exists(url):
        raise FileExistsError(errno.EEXIST, _EXISTS, shown_url(url))
    with put_object(url) as stream:
        yield stream


def create_object(url: str, data: bytes) -> None:
    """Write a small object that does not exist yet; raises `FileExistsError` if it does.

    The store checks this itself if it can; otherwise this function looks first and writes then.
    """
    shown = shown_url(url)
    system, path = _place(url)
    if _protocols(system) & (_ON_CLOSE | _IN_MEMORY):
        try:
            with named_fault(shown):
                system.pipe_file(path, data, mode="create")
        except OSError as error:
            if error.errno not in {errno.ENOSYS, errno.EOPNOTSUPP}:  # writes under a condition
                raise
        else:
            return
    with put_new_object(url) as stream:
        stream.write(data)


def open_object(url: str, *, ahead: int = _BLOCK) -> BinaryIO:
    """Open an object for reading; seeks ask the store for ranges, if it can give them.

    A request takes `ahead` bytes after those that the reader needs.
    """
    shown = shown_url(url)
    system, path = opened(url)
    with named_fault(shown):
        if _protocols(system) & _IN_MEMORY:  # fsspec has one file object for all readers
            return io.BytesIO(system.cat_file(path))
        file = system.open(path, "rb", block_size=ahead)
        is_folder = not getattr(file, "size", 1) and system.info(path).get("type") == "directory"
    if is_folder:  # a store opens it as an empty object
        raise IsADirectoryError(errno.EISDIR, _FOLDER, shown)
    return cast("BinaryIO", io.BufferedReader(Download(file, shown), 1 << 16))


def size_of_object(url: str) -> int:
    """Return the number of bytes of an object; raises `FileNotFoundError` if it does not exist."""
    shown = shown_url(url)
    system, path = opened(url)
    with named_fault(shown):
        facts = system.info(path)
    if facts.get("type") == "directory":
        raise FileNotFoundError(errno.ENOENT, _FOLDER, shown)
    size = facts.get("size")
    if size is None:
        raise OSError(errno.EIO, "the store does not say the size", shown)
    return int(size)


def object_exists(url: str) -> bool:
    """Return whether an object exists; raises `OSError` if the store does not say it."""
    shown = shown_url(url)
    system, path = opened(url)
    with named_fault(shown):
        try:
            return bool(system.info(path).get("type") != "directory")
        except FileNotFoundError:
            return False


def _protocols(system: AbstractFileSystem) -> frozenset[str]:
    """Return the names of the protocols of a file system."""
    found = system.protocol
    return frozenset({found} if isinstance(found, str) else found)


def _place(url: str) -> tuple[AbstractFileSystem, str]:
    """Return the file system and the path of an object to write, and make its folder.

    Object stores have no folders; there, fsspec would make a bucket.
    """
    system, path = opened(url)
    if url.endswith("/") or (is_object_store(system) and "/" not in path):
        reason = "this URL names a folder: add the name of a file"
        raise IsADirectoryError(errno.EISDIR, reason, shown_url(url))
    if not _protocols(system) & (_ON_CLOSE | _IN_MEMORY):
        with named_fault(shown_url(url)), suppress(NotImplementedError, FileExistsError):
            system.makedirs(path.rpartition("/")[0], exist_ok=True)
    return system, path


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
    if has_pattern(path):
        raise OSError(errno.EINVAL, "a name in this store has none of the characters * ? [", shown)
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
    except BaseException:
        if file is not None:
            with suppress(Exception):
                file.close()
        with suppress(Exception):
            system.rm_file(temporary)
        raise
