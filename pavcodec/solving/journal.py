"""A file beside an output with the tricks that are solved so far, so that a run can continue.

Rule 1: the file has a header and then one record for each chunk of boards, in their order: the
        number of rows, a digest of the boards and of what is wanted, the tricks, and a checksum.
Rule 2: a record is complete or absent. At the first record whose checksum is wrong or that is cut
        off, the file ends; the rest is solved again.
Rule 3: a record is used only for the chunk with its digest. Another chunk at its place is an error,
        since the file belongs to another run.
Rule 4: the file is removed when the output is complete.
"""

from __future__ import annotations

import os
import struct
import sys
from contextlib import suppress
from hashlib import blake2b
from typing import IO

from pavcodec.errors import PavError
from pavcodec.solving.contracts import ALL_CONTRACTS

if sys.platform != "win32":
    import fcntl

__all__ = ["SUFFIX", "Journal", "digest_of"]

SUFFIX = ".solving"
"""The journal of an output has the name of the output and this suffix."""
_HEADER = b"pavcodec solving 1\n"
_HEAD = struct.Struct("<I16s")
_WIDTH = len(ALL_CONTRACTS)
_CHECKSUM_SIZE = 8


def digest_of(*parts: bytes) -> bytes:
    """Return a digest of 16 bytes; the borders of the parts matter."""
    found = blake2b(digest_size=16)
    for part in parts:
        found.update(struct.pack("<Q", len(part)))
        found.update(part)
    return found.digest()


class Journal:
    """The journal of a run; it has a file once the first chunk is solved.

    With `force`, a record of another chunk is replaced, and so are those that follow it. Raises
    `PavError` for a file that is no journal or that another process writes.
    """

    def __init__(self, path: str, *, force: bool = False) -> None:
        self.path = path
        self._force = force
        self._file: IO[bytes] | None = None
        self._end = self._place = 0
        if os.path.lexists(path):
            self._open("r+b")
            self._end = self._place + self._length()

    def take(self, digest: bytes, rows: int) -> bytes | None:
        """Return the tricks of the next chunk, 20 bytes for each row; None if they are not here.

        Raises `PavError` if the record of another chunk is at its place.
        """
        if self._file is None or self._place == self._end:
            return None
        self._file.seek(self._place)
        count, found = _HEAD.unpack(self._file.read(_HEAD.size))
        if found != digest or count != rows:
            if not self._force:
                raise PavError(
                    f"{self.path} has the tricks of another run, with other boards or options: "
                    "repeat that run to continue it, or remove the file, or use --force"
                )
            self._end = self._place
            return None
        tricks = self._file.read(_WIDTH * rows)
        self._place += _record_size(rows)
        return tricks

    def add(self, digest: bytes, tricks: bytes) -> None:
        """Write the tricks of the next chunk."""
        if self._file is None:
            self._open("x+b")
        assert self._file is not None
        record = _HEAD.pack(len(tricks) // _WIDTH, digest) + tricks
        self._file.seek(self._place)
        self._file.truncate()
        self._file.write(record + _checksum(record))
        self._file.flush()
        self._place = self._end = self._file.tell()

    def remove(self) -> None:
        """Remove the file, since the output is complete."""
        if self._file is not None:
            with suppress(OSError):
                os.unlink(self.path)
        self.close()

    def close(self) -> None:
        """Close the file, which stays for the next run."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self, mode: str) -> None:
        """Open the file and lock it; write the header of a new file, or check that of another."""
        file = open(self.path, mode)  # noqa: SIM115 (it stays open)
        try:
            _lock(file, self.path)
            _begin(file, self.path)
        except BaseException:
            file.close()
            raise
        self._file, self._place = file, len(_HEADER)

    def _length(self) -> int:
        """Return the length of the complete records."""
        assert self._file is not None
        size, length = os.fstat(self._file.fileno()).st_size - self._place, 0
        while size - length > _HEAD.size:
            head = self._file.read(_HEAD.size)
            end = length + _record_size(_HEAD.unpack(head)[0])
            if end > size:
                break
            rest = self._file.read(end - length - len(head))
            if _checksum(head + rest[:-_CHECKSUM_SIZE]) != rest[-_CHECKSUM_SIZE:]:
                break
            length = end
        return length


def _record_size(rows: int) -> int:
    return _HEAD.size + _WIDTH * rows + _CHECKSUM_SIZE


def _checksum(record: bytes) -> bytes:
    return blake2b(record, digest_size=_CHECKSUM_SIZE).digest()


def _begin(file: IO[bytes], path: str) -> None:
    """Read the header; write that of a new file, or of one that was stopped in its header."""
    head = file.read(len(_HEADER))
    if not _HEADER.startswith(head):
        raise PavError(f"{path} is no journal of solved boards: remove it")
    if head != _HEADER:
        file.seek(0)
        file.write(_HEADER)
        file.flush()


def _lock(file: IO[bytes], path: str) -> None:
    """Lock a file until it is closed; raise `PavError` if another process has locked it."""
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PavError(f"{path}: another run writes this file now") from None
    except OSError:  # a file system without locks
        return
