"""Open files for reading, on this machine or where a URL names.

Only URLs load the modules on objects of stores.
"""

from __future__ import annotations

import os
from errno import EISDIR
from typing import BinaryIO

from pavcodec.files.stores.urls import local_path

__all__ = ["exists", "open_file", "size_if_file", "size_of_file"]


def open_file(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file of this machine or an object that a URL names for reading.

    An object of a store is read by ranges, so seeks read only what is needed. Raises `OSError` with
    the name of the file.
    """
    text = os.fspath(path)
    here = local_path(text)
    if here is None:
        from pavcodec.files.stores.objects import open_object

        return open_object(text)
    stream = open(here, "rb")  # noqa: SIM115 (the caller closes it)
    if os.path.isdir(here):  # on some systems, a folder can be opened and not be read
        stream.close()
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), text)
    return stream


def exists(path: str | os.PathLike[str]) -> bool:
    """Return whether a regular file or an object exists; raises `OSError` if a store is silent."""
    text = os.fspath(path)
    here = local_path(text)
    if here is not None:
        return os.path.isfile(here)
    from pavcodec.files.stores.objects import object_exists

    return object_exists(text)


def size_if_file(path: str | os.PathLike[str]) -> int | None:
    """Return the number of bytes of a regular file or an object; None if there is none."""
    return size_of_file(path) if exists(path) else None


def size_of_file(path: str | os.PathLike[str]) -> int:
    """Return the number of bytes of a file or an object."""
    text = os.fspath(path)
    here = local_path(text)
    if here is not None:
        return os.path.getsize(here)
    from pavcodec.files.stores.objects import size_of_object

    return size_of_object(text)
