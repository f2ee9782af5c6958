"""The errors of stores as `OSError` with a name and a reason, and which are worth another try."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from pavcodec.files.stores.urls import protocol_of, without_secrets

__all__ = ["as_os_error", "is_transient", "missing_package", "named_fault"]

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
_NO_ACCESS = "the store refuses access"
_BAD_CREDENTIALS = "the store refuses the credentials"
_NO_CREDENTIALS = "no credentials were found for this store"
_NO_CONNECTION = "no connection to the store"
_NO_ANSWER = "the store did not answer in time"
_BUSY = "the store is busy"
_FAILED = "the store failed"
_FULL = "no space is left in the store"

_CODES: dict[str, tuple[int, str]] = {
    "NoSuchBucket": (errno.ENOENT, "the bucket does not exist"),
    "ContainerNotFound": (errno.ENOENT, "the container does not exist"),
    "NoSuchKey": (errno.ENOENT, _ABSENT),
    "BlobNotFound": (errno.ENOENT, _ABSENT),
    "PreconditionFailed": (errno.EEXIST, "the object exists already"),
    "BlobAlreadyExists": (errno.EEXIST, "the object exists already"),
    "ConditionalRequestConflict": (errno.EBUSY, _BUSY),
    "AccessDenied": (errno.EACCES, _NO_ACCESS),
    "AllAccessDisabled": (errno.EACCES, _NO_ACCESS),
    "InvalidAccessKeyId": (errno.EACCES, _BAD_CREDENTIALS),
    "SignatureDoesNotMatch": (errno.EACCES, _BAD_CREDENTIALS),
    "ExpiredToken": (errno.EACCES, _BAD_CREDENTIALS),
    "InvalidToken": (errno.EACCES, _BAD_CREDENTIALS),
    "AuthenticationFailed": (errno.EACCES, _BAD_CREDENTIALS),
    "RequestTimeTooSkewed": (errno.EACCES, _BAD_CREDENTIALS),
    "SlowDown": (errno.EBUSY, _BUSY),
    "ServiceUnavailable": (errno.EBUSY, _BUSY),
    "ServerBusy": (errno.EBUSY, _BUSY),
    "TooManyRequests": (errno.EBUSY, _BUSY),
    "OperationAborted": (errno.EBUSY, _BUSY),
    "RequestTimeout": (errno.ETIMEDOUT, _NO_ANSWER),
    "InternalError": (_STORE_FAILED, _FAILED),
    "XMinioStorageFull": (errno.ENOSPC, _FULL),
    "InsufficientStorage": (errno.ENOSPC, _FULL),
    "QuotaExceeded": (errno.ENOSPC, _FULL),
}
"""The errors that stores name in their answers; the services of S3, Google and Azure."""

_STATUS: dict[int, tuple[int, str]] = {
    401: (errno.EACCES, _BAD_CREDENTIALS),
    403: (errno.EACCES, _NO_ACCESS),
    404: (errno.ENOENT, _ABSENT),
    408: (errno.ETIMEDOUT, _NO_ANSWER),
    409: (errno.EBUSY, _BUSY),
    412: (errno.EEXIST, "the object exists already"),
    429: (errno.EBUSY, _BUSY),
    500: (_STORE_FAILED, _FAILED),
    502: (_STORE_FAILED, _FAILED),
    503: (errno.EBUSY, _BUSY),
    504: (errno.ETIMEDOUT, _NO_ANSWER),
    507: (errno.ENOSPC, _FULL),
}
"""The states of HTTP in answers."""

_CLASSES: dict[str, tuple[int, str]] = {
    "NoCredentialsError": (errno.EACCES, _NO_CREDENTIALS),
    "PartialCredentialsError": (errno.EACCES, _NO_CREDENTIALS),
    "CredentialRetrievalError": (errno.EACCES, _NO_CREDENTIALS),
    "TokenRetrievalError": (errno.EACCES, _NO_CREDENTIALS),
    "ProfileNotFound": (errno.EACCES, _NO_CREDENTIALS),
    "DefaultCredentialsError": (errno.EACCES, _NO_CREDENTIALS),
    "RefreshError": (errno.EACCES, _BAD_CREDENTIALS),
    "ClientAuthenticationError": (errno.EACCES, _BAD_CREDENTIALS),
    "AuthenticationException": (errno.EACCES, _BAD_CREDENTIALS),
    "EndpointConnectionError": (errno.ECONNREFUSED, _NO_CONNECTION),
    "ConnectTimeoutError": (errno.ETIMEDOUT, _NO_ANSWER),
    "ReadTimeoutError": (errno.ETIMEDOUT, _NO_ANSWER),
    "HTTPClientError": (errno.ECONNRESET, _NO_CONNECTION),
    "ResponseParserError": (errno.ECONNRESET, _NO_CONNECTION),
    "IncompleteRead": (errno.ECONNRESET, _NO_CONNECTION),
    "ClientPayloadError": (errno.ECONNRESET, _NO_CONNECTION),
    "ClientConnectionError": (errno.ECONNREFUSED, _NO_CONNECTION),
    "ServiceRequestError": (errno.ECONNREFUSED, _NO_CONNECTION),
    "ServiceResponseError": (errno.ECONNRESET, _NO_CONNECTION),
    "TransportError": (errno.ECONNREFUSED, _NO_CONNECTION),
    "SSHException": (errno.ECONNRESET, _NO_CONNECTION),
    "FSTimeoutError": (errno.ETIMEDOUT, _NO_ANSWER),
    "TimeoutError": (errno.ETIMEDOUT, _NO_ANSWER),
    "ConnectionRefusedError": (errno.ECONNREFUSED, _NO_CONNECTION),
    "ConnectionResetError": (errno.ECONNRESET, _NO_CONNECTION),
    "ConnectionError": (errno.ECONNRESET, _NO_CONNECTION),
    "FileNotFoundError": (errno.ENOENT, _ABSENT),
    "FileExistsError": (errno.EEXIST, "the object exists already"),
    "IsADirectoryError": (errno.EISDIR, "it is a folder"),
    "NotADirectoryError": (errno.ENOTDIR, "a part of the path is a file"),
    "PermissionError": (errno.EACCES, _NO_ACCESS),
    "NotImplementedError": (errno.ENOSYS, "this store cannot do that"),
}
"""The classes of errors, by name, since their packages need not be installed."""

_SPEAKS_FOR_ITSELF = {_ABSENT, "the bucket does not exist", "the container does not exist", _FULL}
_SPEAKS_FOR_ITSELF |= {"the object exists already", "it is a folder", _NO_CREDENTIALS}

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
    number, reason = _number_and_reason(error)
    return OSError(number, reason, name)


@contextmanager
def named_fault(name: str) -> Iterator[None]:
    """Raise every error of the block as an `OSError` of the object; see `as_os_error`."""
    try:
        yield
    except Exception as error:
        raise as_os_error(error, name) from error


def missing_package(url: str, error: ImportError) -> OSError:
    """Return the error for a package that the protocol of a URL needs."""
    protocol = protocol_of(url)
    if (error.name or "").partition(".")[0] == "fsspec":
        package, argument = "fsspec", _PACKAGES.get(protocol, ("", "pavcodec[cluster]"))[1]
    else:
        package, argument = _PACKAGES.get(protocol, (error.name or "", ""))
    if not argument:
        reason = f"{protocol}:// needs a package that is not installed: {_line(error)}"
    else:
        quoted = f"'{argument}'" if "[" in argument else argument
        missing = f"the package {package}, which is not installed: pip install {quoted}"
        reason = f"{protocol}:// needs {missing}"
    return OSError(errno.ENOSYS, reason)


def _number_and_reason(error: Exception) -> tuple[int, str]:
    """Return the number of an error of the system, and its reason in plain words."""
    causes = _causes(error)
    if any(type(cause).__name__ == "FileExpired" for cause in causes):
        return errno.EBUSY, "the object changed while it was read"
    for cause in causes:
        found = _known(cause)
        if found:
            number, reason = found
            more = "" if reason in _SPEAKS_FOR_ITSELF else _line(cause)
            return number, f"{reason}: {more}" if more else reason
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno, _line(error)
    return errno.EIO, _line(error) or type(error).__name__


def _known(error: BaseException) -> tuple[int, str] | None:
    """Return the number and the reason of a known error, from the answer, state or class."""
    code = _code(error)
    if code in _CODES:
        return _CODES[code]
    status = _status(error, code)
    if status in _STATUS:
        return _STATUS[status]
    for kind in type(error).__mro__:
        if kind.__name__ in _CLASSES:
            return _CLASSES[kind.__name__]
    return None


def _causes(error: BaseException) -> list[BaseException]:
    """Return the causes of an error and the error, the first cause first."""
    found: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and len(found) < 10:
        found.insert(0, at)
        at = at.__cause__
    return found


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
