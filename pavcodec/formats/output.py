"""Output files that are complete or absent."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import BinaryIO, cast

__all__ = ["named", "open_output", "put_in_place"]


@contextmanager
def open_output(path: str | os.PathLike[str], *, durable: bool = False) -> Iterator[BinaryIO]:
    """Open a file for writing; it gets its name when the block ends well, and not before.

    The bytes go to a temporary file in the same folder, which an exception removes again. A path
    that is no regular file, such as a device or a pipe, is written directly.

    A program that ends, however it does, leaves the file complete or absent. A machine that stops
    does so only to a file that is `durable`: its bytes are on the disk before it gets its name, and
    its name is, where the system can do that, when the block has ended. That takes the time that
    the disk takes; other files reach it when the system sees fit.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
        with named(path), open(target, "wb") as stream:
            yield stream
        return
    temporary = os.path.join(os.path.dirname(target), f".pavcodec-{token_hex(8)}.part")
    try:  # the name is known before there is a file, so that no signal leaves one behind
        with named(path):
            with open(temporary, "x+b") as file:
                yield cast("BinaryIO", file)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            put_in_place(temporary, target)
            if durable:
                _sync_folder(os.path.dirname(target))
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def put_in_place(temporary: str, target: str) -> None:
    """Give a finished file its name, and the permissions that a file of this name has."""
    os.chmod(temporary, _mode(target))
    os.replace(temporary, target)


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
