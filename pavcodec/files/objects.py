"""Write, read and measure single objects that URLs name, by fsspec.

Each fault of a store becomes an `OSError` with the name of the object and the reason in plain
words. `is_transient` says which of them are worth another try.
"""

from __future__ import annotations

import errno
import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from pavcodec.files.paths import protocol_of, shown_url, unfinished_name, without_secrets

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer
    from fsspec import AbstractFileSystem


# The errors of stores as `OSError` with a name and a reason, and which are worth another try.


_STORE_FAILED = getattr(errno, "EREMOTEIO", errno.EPROTO)
_LONGEST = 200

_TRANSIENT = {
    getattr(errno, name)
    for name in (
        *("EAGAIN", "EBUSY", "ECONNABORTED", "ECONNREFUSED", "ECONNRESET", "EHOSTDOWN"),
        *("EHOSTUNREACH", "EINTR", "ENETDOWN", "ENETRESET", "ENETUNREACH", "EPIPE"),
        *("ESTALE", "ETIMEDOUT"),
    )
    if hasattr(errno, name)
} | {_STORE_FAILED}

_ABSENT = "there is no such object"
_EXISTS = "the object exists already"
_NO_CREDENTIALS = "no credentials were found for this store"
_NO_CONNECTION = "no connection to the store"
_FOLDER = "it is a folder"
_FULL = "no space is left in the store"

_WORDS_OF_FAULTS = {
    (errno.ENOENT, "the bucket does not exist"): "NoSuchBucket",
    (errno.ENOENT, "the container does not exist"): "ContainerNotFound",
    (errno.ENOENT, _ABSENT): "NoSuchKey BlobNotFound 404 FileNotFoundError",
    (errno.EEXIST, _EXISTS): "PreconditionFailed BlobAlreadyExists 412 FileExistsError",
    (errno.EBUSY, "the store is busy"): """
        ConditionalRequestConflict SlowDown ServiceUnavailable ServerBusy TooManyRequests
        OperationAborted 409 429 503
    """,
    (errno.EACCES, "the store refuses access"): """
        AccessDenied AllAccessDisabled 403 PermissionError
    """,
    (errno.EACCES, "the store refuses the credentials"): """
        InvalidAccessKeyId SignatureDoesNotMatch ExpiredToken InvalidToken AuthenticationFailed
        RequestTimeTooSkewed 401 RefreshError ClientAuthenticationError AuthenticationException
    """,
    (errno.EACCES, _NO_CREDENTIALS): """
        NoCredentialsError PartialCredentialsError CredentialRetrievalError TokenRetrievalError
        ProfileNotFound DefaultCredentialsError
    """,
    (errno.ETIMEDOUT, "the store did not answer in time"): """
        RequestTimeout 408 504 ConnectTimeoutError ReadTimeoutError FSTimeoutError TimeoutError
    """,
    (errno.ECONNREFUSED, _NO_CONNECTION): """
        EndpointConnectionError ClientConnectionError ServiceRequestError TransportError
        ConnectionRefusedError
    """,
    (errno.ECONNRESET, _NO_CONNECTION): """
        HTTPClientError ResponseParserError IncompleteRead ClientPayloadError ServiceResponseError
        SSHException ConnectionResetError ConnectionError
    """,
    (_STORE_FAILED, "the store failed"): "InternalError 500 502",
    (errno.ENOSPC, _FULL): "XMinioStorageFull InsufficientStorage QuotaExceeded 507",
    (errno.EISDIR, _FOLDER): "IsADirectoryError",
    (errno.ENOTDIR, "a part of the path is a file"): "NotADirectoryError",
    (errno.ENOSYS, "this store cannot do that"): "NotImplementedError",
}
_FAULTS = {word: fault for fault, words in _WORDS_OF_FAULTS.items() for word in words.split()}
"""The number and the reason of a fault by its name in the answer of a store, by the state of HTTP,
and by the class of the error; classes have names here since their packages need not be installed.

The names in answers are those of the services of S3, Google and Azure.
"""

_SPEAKS_FOR_ITSELF = {_ABSENT, "the bucket does not exist", "the container does not exist", _FULL}
_SPEAKS_FOR_ITSELF |= {_EXISTS, _FOLDER, _NO_CREDENTIALS}

_PACKAGES = {
    **dict.fromkeys(("s3", "s3a"), ("s3fs", "pavcodec[s3]")),
    **dict.fromkeys(("gs", "gcs"), ("gcsfs", "pavcodec[gs]")),
    **dict.fromkeys(("az", "abfs", "abfss", "adl"), ("adlfs", "pavcodec[az]")),
    **dict.fromkeys(("http", "https"), ("aiohttp", "aiohttp")),
    **dict.fromkeys(("sftp", "ssh"), ("paramiko", "paramiko")),
    "smb": ("smbprotocol", "smbprotocol"),
    "hdfs": ("pyarrow", "pyarrow"),
}
"""The package that a protocol needs, and the argument of pip for it."""


def is_transient(error: BaseException) -> bool:
    """Return whether another try may succeed: lost connections, busy stores, timeouts.

    A missing object, refused access and a full disk are not of that kind.

    >>> is_transient(ConnectionResetError(errno.ECONNRESET, "Connection reset by peer"))
    True
    >>> is_transient(OSError(errno.ENOSPC, "No space left on device"))
    False
    """
    if not isinstance(error, OSError):
        return False
    return error.errno in _TRANSIENT or isinstance(error, TimeoutError | ConnectionError)


def as_os_error(error: Exception, name: str) -> OSError:
    """Return an error of a store as an `OSError` that names the object and the reason.

    `name` is the object as messages show it. The message has no secrets of URLs.

    >>> print(as_os_error(FileNotFoundError("/a"), "memory://a"))
    [Errno 2] there is no such object: 'memory://a'
    """
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and len(causes) < 10:
        causes.insert(0, cause)
        cause = cause.__cause__
    if any(type(cause).__name__ == "FileExpired" for cause in causes):
        return OSError(errno.EBUSY, "the object changed while it was read", name)
    for cause in causes:  # the first one first
        if fault := _known(cause):
            number, reason = fault
            more = "" if reason in _SPEAKS_FOR_ITSELF else _line(cause)
            return OSError(number, f"{reason}: {more}" if more else reason, name)
    if isinstance(error, OSError) and error.errno is not None:
        return OSError(error.errno, _line(error), name)
    return OSError(errno.EIO, _line(error) or type(error).__name__, name)


@contextmanager
def named_fault(name: str) -> Iterator[None]:
    """Raise every error of the block as an `OSError` of the object; see `as_os_error`."""
    try:
        yield
    except Exception as error:
        raise as_os_error(error, name) from error


def _missing_package(url: str, error: ImportError) -> str:
    """Return the reason of an error for a package that the protocol of a URL needs."""
    protocol = protocol_of(url)
    if (error.name or "").partition(".")[0] == "fsspec":
        package, argument = "fsspec", _PACKAGES.get(protocol, ("", "pavcodec[cluster]"))[1]
    else:
        package, argument = _PACKAGES.get(protocol, (error.name or "", ""))
    if not argument:
        return f"{protocol}:// needs a package that is not installed: {_line(error)}"
    quoted = f"'{argument}'" if "[" in argument else argument
    missing = f"the package {package}, which is not installed: pip install {quoted}"
    return f"{protocol}:// needs {missing}"


def _known(error: BaseException) -> tuple[int, str] | None:
    """Return the number and the reason of a known error, from the answer, state or class."""
    code = _code(error)
    classes = (kind.__name__ for kind in type(error).__mro__)
    words = (code, str(_status(error, code)), *classes)
    return next((_FAULTS[word] for word in words if word in _FAULTS), None)


def _code(error: BaseException) -> str:
    """Return the name of the error in the answer of a store, or ''."""
    answer = getattr(error, "response", None)
    if isinstance(answer, dict):
        return str(answer.get("Error", {}).get("Code", ""))
    code = getattr(error, "error_code", "")
    return str(getattr(code, "value", code))


def _status(error: BaseException, code: str) -> int | None:
    """Return the state of HTTP that an error has, or None."""
    if code.isdigit():
        return int(code)
    for name in ("status", "status_code", "code"):
        value = getattr(error, name, None)
        if isinstance(value, int):
            return value
        if isinstance(value, str) and value.isdigit():
            return int(value)
    return None


def _line(error: BaseException) -> str:
    """Return the text of an error in one short line without secrets."""
    text = getattr(error, "strerror", None) or str(error)
    line = without_secrets(" ".join(str(text).split()))
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


# Streams of stores whose faults are `OSError` with the name of the object.


class _Upload(io.BufferedIOBase):
    """The bytes on their way to a store; who opened it completes it, so `close` does nothing."""

    def __init__(self, file: IO[bytes], shown: str) -> None:
        self._file = file
        self._shown = shown
        self._written = 0

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        view = memoryview(data).cast("B")
        with named_fault(self._shown):
            self._file.write(view)
        self._written += len(view)
        return len(view)

    def tell(self) -> int:
        return self._written

    def flush(self) -> None:
        """Do nothing: the store takes blocks of its own size."""


class _Download(io.RawIOBase):
    """The bytes of an object, read by ranges where the store can."""

    def __init__(self, file: IO[bytes], shown: str) -> None:
        self._file = file
        self._shown = shown

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read the next bytes into a buffer, and return their number; 0 at the end."""
        view = memoryview(buffer).cast("B")
        with named_fault(self._shown):
            data = self._file.read(len(view))
        view[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        with named_fault(self._shown):
            return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def close(self) -> None:
        if not self.closed:
            with named_fault(self._shown):
                self._file.close()
        super().close()


_BLOCK = 1 << 22
"""The bytes after those it needs that a reader asks a store for, since they may be next."""

_ON_CLOSE = frozenset({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl"})
"""Protocols of object stores: an object appears, whole, when its upload is completed."""
_IN_MEMORY = frozenset({"memory"})
"""Protocols whose files appear when they are opened, and whose content is in memory anyway."""


def opened(url: str) -> tuple[AbstractFileSystem, str]:
    """Return the file system of fsspec for a URL, and the path in it.

    The file system remembers no listings of earlier calls. Raises `OSError` for a protocol that
    fsspec does not have, and for a package that is not installed.
    """
    try:
        from fsspec.core import url_to_fs

        system, path = url_to_fs(url)
    except ImportError as error:
        raise OSError(errno.ENOSYS, _missing_package(url, error), shown_url(url)) from error
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
    system, path = _writable(url)
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
    with suppress(FileNotFoundError):
        size_of_object(url)
        raise FileExistsError(errno.EEXIST, _EXISTS, shown_url(url))
    with put_object(url) as stream:
        yield stream


def create_object(url: str, data: bytes) -> None:
    """Write a small object that does not exist yet; raises `FileExistsError` if it does.

    The store checks this itself if it can; otherwise this function looks first and writes then.
    """
    shown = shown_url(url)
    system, path = _writable(url)
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
        raise IsADirectoryError(errno.EISDIR, f"{_FOLDER} and no object", shown)
    return cast("BinaryIO", io.BufferedReader(_Download(file, shown), 1 << 16))


def size_of_object(url: str) -> int:
    """Return the number of bytes of an object; raises `FileNotFoundError` if it does not exist."""
    shown = shown_url(url)
    system, path = opened(url)
    with named_fault(shown):
        facts = system.info(path)
    if facts.get("type") == "directory":
        raise FileNotFoundError(errno.ENOENT, f"{_FOLDER} and no object", shown)
    size = facts.get("size")
    if size is None:
        raise OSError(errno.EIO, "the store does not say the size", shown)
    return int(size)


def _protocols(system: AbstractFileSystem) -> frozenset[str]:
    names = system.protocol
    return frozenset({names} if isinstance(names, str) else names)


def _writable(url: str) -> tuple[AbstractFileSystem, str]:
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
        yield cast("BinaryIO", _Upload(file, shown))
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
    yield cast("BinaryIO", _Upload(whole, shown))
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
        yield cast("BinaryIO", _Upload(file, shown))
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
