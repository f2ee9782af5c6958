"""Paths and URLs: which is which, how messages show them without secrets, and files as a whole.

A file of this machine gets its name only when its bytes are complete. So whatever stops a program,
the file is complete or absent.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import BinaryIO, cast

from pavcodec.errors import PavError

# Patterns are texts: few programs need them, and compiling them would slow the start of all.
_URL = r"(?:[a-zA-Z][\w.+-]+::)*[a-zA-Z][\w.+-]+://"
"""The start of a URL, also of chained ones; drives of Windows have one letter, protocols more."""

_IN_TEXT = r"[a-zA-Z][\w.+-]+://[^\s'\"<>]+"
_NAMED_VALUE = (
    r"(?i)\b(\w*(?:password|passwd|secret|signature|token|credential|api_?key)\w*|sig|key)"
    r"(\s*[=:]\s*)[^\s&,;'\"]+"
)
_USER = r"(?<![^\s\"'(=])[^\s\"'(=/@:]+:[^\s\"'/@]+@(?=\w)"
"""A user name and a password before the name of a host, outside of a URL."""
_AT_IS_NO_SECRET = frozenset({"abfs", "abfss", "az", "wasb", "wasbs"})
"""Protocols that write container@account where others write user:password@host."""


def is_url(path: str | os.PathLike[str]) -> bool:
    r"""Return whether a path is a URL; a path with a drive of Windows is none.

    >>> is_url("s3://bucket/set.pav"), is_url("set.pav"), is_url("C:\\sets\\set.pav"), is_url("C://a")
    (True, False, False, False)
    """
    return isinstance(path, str) and "://" in path and re.match(_URL, path) is not None


def protocol_of(url: str) -> str:
    """Return the protocol of a URL; of chained ones, the first.

    >>> protocol_of("s3://bucket/set.pav")
    's3'
    """
    return re.split("::|://", url, maxsplit=1)[0].lower()


def local_path(path: str) -> str | None:
    """Return the path of this machine that a path or a `file://` URL names, or None.

    Characters of a `file://` URL are those of the path; `%20` is no blank. Raises `PavError` for a
    path with characters that no system allows.

    >>> local_path("file:///tmp/a"), local_path("a"), local_path("s3://bucket/a")
    ('/tmp/a', 'a', None)
    """
    try:
        is_name = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:  # half of a character
        is_name = False
    if not is_name:
        raise PavError(f"{path!r} is no name of a file: it has a null or half of a character")
    if not is_url(path):
        return path
    if protocol_of(path) not in {"file", "local"} or "::" in path:
        return None
    inner = path.split("://", 1)[1]
    return inner[1:] if re.match(r"/[a-zA-Z]:[\\/]", inner) else inner


def joined(folder: str, name: str) -> str:
    """Return the URL of a file in a folder.

    >>> joined("s3://bucket/set/", "plan.json"), joined("memory://", "plan.json")
    ('s3://bucket/set/plan.json', 'memory://plan.json')
    """
    return f"{folder}{name}" if folder.endswith(("://", "/")) else f"{folder}/{name}"


def shown_url(url: str) -> str:
    """Return a URL without user name, password and query, for messages.

    >>> shown_url("sftp://anna:secret@host/set"), shown_url("https://host/a.pav?sig=abc")
    ('sftp://host/set', 'https://host/a.pav?…')
    >>> shown_url("abfs://container@account.dfs.core.windows.net/set")
    'abfs://container@account.dfs.core.windows.net/set'
    """
    return "::".join(_shown_link(link) for link in url.split("::"))


def shown_path(path: str) -> str:
    """Return a path, or a URL without secrets, for messages.

    >>> shown_path("a?b"), shown_path("https://host/a?b")
    ('a?b', 'https://host/a?…')
    """
    return shown_url(path) if is_url(path) else path


def _shown_link(link: str) -> str:
    """Return one URL of a chain without its secrets."""
    protocol, mark, rest = link.partition("://")
    if not mark:
        return link
    rest, query, _ = rest.partition("?")
    rest = rest.split("#", 1)[0] if protocol.lower() in {"http", "https"} else rest
    authority, slash, path = rest.partition("/")
    before, at, host = authority.rpartition("@")
    if at and (protocol.lower() not in _AT_IS_NO_SECRET or ":" in before):
        authority = host
    elif re.search(r":(?!\d+$)", authority) and "[" not in authority:  # a password with a slash
        authority, path = "…", path.rpartition("@")[2]
    return f"{protocol}://{authority}{slash}{path}{'?…' if query else ''}"


def without_secrets(text: str) -> str:
    """Return a text in which the URLs have no secrets, nor the names that are followed by values.

    >>> without_secrets("no answer from 'https://u:p@host/x?sig=1'; token=abc")
    "no answer from 'https://host/x?…'; token=…"
    >>> without_secrets("invalid bucket name 'anna:pw@bucket' at 12:30")
    "invalid bucket name 'bucket' at 12:30"
    """
    plain = re.sub(_IN_TEXT, lambda match: shown_url(match[0]), text)
    return re.sub(_NAMED_VALUE, r"\1\2…", re.sub(_USER, "", plain))


# Write files of this machine that are complete or absent.


PREFIX, SUFFIX = ".pavcodec-", ".part"
"""The first and last characters of the names of unfinished files."""

_PRIVATE = 0o600
_unfinished: set[str] = set()
"""The unfinished files of this process."""
_IN_ITS_PLACE = (
    "the new file is complete and in its place, but may be lost if the machine stops now"
)


@contextmanager
def open_whole(
    path: str | os.PathLike[str],
    *,
    durable: bool = False,
    private: bool = False,
    fresh: bool = False,
) -> Iterator[BinaryIO]:
    """Open a file for writing; the file gets its name only when the block ends without an error.

    Bytes are written to a temporary file in the same folder. An exception removes that file. A path
    that is not a regular file, such as a device or a pipe, is written directly. With `private`,
    only the owner may read the file. With `fresh`, an existing file is not replaced:
    `FileExistsError`.

    If the program stops, for any reason, the file is complete or absent. If the machine stops, this
    holds only with `durable`: the bytes are on the disk before the file gets its name, and the name
    is on the disk at the end of the block, if the system supports that. `durable` waits for the
    disk; without it, the system decides when it writes. If the disk stores the bytes but not the
    name, an `OSError` says that the new file is in place nevertheless.
    """
    target = os.fspath(path) if fresh else os.path.realpath(path)
    if not fresh and os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
        with named(path), open(target, "wb") as stream:
            yield stream
        return
    folder = os.path.dirname(target)
    temporary = os.path.join(folder, unfinished_name())
    lock = None
    try:  # the name is known before the file exists, so a signal never leaves the file behind
        _unfinished.add(temporary)
        with named(path):
            opener = partial(os.open, mode=_PRIVATE) if private else None
            with open(temporary, "x+b", opener=opener) as file:
                lock = _locked(file.fileno())
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
    finally:
        _unfinished.discard(temporary)
        if lock is not None:
            os.close(lock)


def remove_unfinished() -> None:
    """Remove the unfinished files of a process that ends without the ends of its blocks."""
    for temporary in tuple(_unfinished):
        with suppress(OSError):
            os.unlink(temporary)


def _locked(file: int) -> int | None:
    """Lock a file until the returned number is closed, where the system has such locks.

    The lock shows `is_abandoned` that a program is writing the file.
    """
    try:
        import fcntl
    except ImportError:
        return None
    lock = os.dup(file)
    with suppress(OSError):  # a file system without locks
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return lock


def is_abandoned(path: str) -> bool:
    """Return whether an unfinished file is one that no program is writing.

    Without locks in the system or the file system, every unfinished file is taken for one.
    """
    try:
        import fcntl

        file = os.open(path, os.O_RDWR)
    except ImportError:
        return True
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        os.close(file)
    return True


def unfinished_name() -> str:
    """Return a new name, without a folder, for a file that is not complete yet."""
    return f"{PREFIX}{os.urandom(8).hex()}{SUFFIX}"


def is_unfinished(name: str) -> bool:
    """Return whether a name, without its folder, is that of an unfinished file.

    >>> is_unfinished(unfinished_name()), is_unfinished("part-000001.pav")
    (True, False)
    """
    return name.startswith(PREFIX) and name.endswith(SUFFIX)


def put_in_place(temporary: str, target: str, mode: int | None = None) -> None:
    """Give a finished file its name, and `mode` or the mode of the file that it replaces.

    A new file keeps the mode with which the system made it: threads cannot read the system's mask
    for new files without a change of it for all threads.
    """
    if mode is None:
        with suppress(FileNotFoundError):
            mode = stat.S_IMODE(os.stat(target).st_mode)
    if mode is not None:
        os.chmod(temporary, mode)
    os.replace(temporary, target)


def _put_in_empty_place(temporary: str, target: str) -> None:
    """Give a finished file a name that no file has; its permissions do not change."""
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
    """Write the names in a folder to the disk; an error says that the new file is in place."""
    try:
        _sync_folder(folder)
    except OSError as error:
        raise type(error)(error.errno, f"{_IN_ITS_PLACE}: {error.strerror}") from error


def _sync_folder(path: str) -> None:
    """Write the names in a folder to the disk, if the system supports that."""
    if not hasattr(os, "O_DIRECTORY"):  # Windows cannot open folders
        return
    try:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except PermissionError:  # the folder may be writable but not readable
        return
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:  # a file system without folder sync
            raise
    finally:
        os.close(folder)


@contextmanager
def named(path: str | os.PathLike[str]) -> Iterator[None]:
    """Replace the name of the temporary file in an OSError by the path of the output file."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise type(error)(error.errno, error.strerror, os.fspath(path)) from None
