"""Output files that are complete or absent."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, cast

__all__ = ["PREFIX", "SUFFIX", "named", "open_output", "put_in_place"]

PREFIX, SUFFIX = ".pavcodec-", ".part"
"""What the names of unfinished files begin and end with."""

_PRIVATE = 0o600
_IN_ITS_PLACE = (
    "the new file is complete and in its place, but may be lost if the machine stops now"
)


@contextmanager
def open_output(
    path: str | os.PathLike[str],
    *,
    durable: bool = False,
    private: bool = False,
    fresh: bool = False,
) -> Iterator[BinaryIO]:
    """Open a file for writing; it gets its name when the block ends well, and not before.

    The bytes go to a temporary file in the same folder, which an exception removes again. A path
    that is no regular file, such as a device or a pipe, is written directly. Only its owner may
    read a file that is `private`. One that is `fresh` replaces nothing: `FileExistsError`.

    A program that ends, however it does, leaves the file complete or absent. A machine that stops
    does so only to a file that is `durable`: its bytes are on the disk before it gets its name, and
    its name is, where the system can do that, when the block has ended. That takes the time that
    the disk takes; other files reach it when the system sees fit. Where the disk takes the bytes
    and not the name, an `OSError` says that the file is in its place all the same.
    """
    target = os.fspath(path) if fresh else os.path.realpath(path)
    if not fresh and os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
        with named(path), open(target, "wb") as stream:
            yield stream
        return
    folder = os.path.dirname(target)
    temporary = os.path.join(folder, f"{PREFIX}{os.urandom(8).hex()}{SUFFIX}")
    try:  # the name is known before there is a file, so that no signal leaves one behind
        with named(path):
            with open(temporary, "x+b", opener=_private_opener if private else None) as file:
                yield cast("BinaryIO", file)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            if fresh:
                _put_in_empty_place(temporary, target)
            else:
                put_in_place(temporary, target, _PRIVATE if private else None)
            if durable:
                _sync_name(folder or os.curdir)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _private_opener(path: str, flags: int) -> int:
    return os.open(path, flags, _PRIVATE)


def put_in_place(temporary: str, target: str, mode: int | None = None) -> None:
    """Give a finished file its name, and the permissions that a file of this name has, or these."""
    os.chmod(temporary, _mode(target) if mode is None else mode)
    os.replace(temporary, target)


def _put_in_empty_place(temporary: str, target: str) -> None:
    """Give a finished file a name that no file has; it keeps its permissions."""
    try:
        os.link(temporary, target, follow_symlinks=False)
    except FileExistsError:
        raise
    except (OSError, AttributeError, NotImplementedError):  # a file system without links
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from None
        os.replace(temporary, target)
    else:
        os.unlink(temporary)


def _sync_name(folder: str) -> None:
    """Put the names in a folder on the disk; say what is true of a new file where that fails."""
    try:
        _sync_folder(folder)
    except OSError as error:
        raise type(error)(error.errno, f"{_IN_ITS_PLACE}: {error.strerror}") from error


def _sync_folder(path: str) -> None:
    """Put the names in a folder on the disk, where the system can do that."""
    if not hasattr(os, "O_DIRECTORY"):  # Windows opens no folders
        return
    try:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except PermissionError:  # of a folder that can be written but not read
        return
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:  # a file system without that
            raise
    finally:
        os.close(folder)


@contextmanager
def named(path: str | os.PathLike[str]) -> Iterator[None]:
    """Let an OSError speak of the file asked for, not of the temporary one."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from None


def _mode(target: str) -> int:
    """Return the permissions of the file that stands, or those that a new file gets."""
    if os.path.exists(target):
        return stat.S_IMODE(os.stat(target).st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
