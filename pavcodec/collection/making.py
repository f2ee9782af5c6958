"""Make one part: a function of the plan and an index that runs on any machine."""

from __future__ import annotations

import io
import os
from hashlib import sha256
from typing import Any, BinaryIO, cast

from pavcodec.collection.manifest import Row, json_bytes, row_name
from pavcodec.collection.plan import Plan
from pavcodec.files.storage import storage_of
from pavcodec.limits.threads import threads_limited

__all__ = ["Measured", "make_part"]


class Measured(io.RawIOBase):
    """A stream for writing that counts and hashes its bytes; writers cannot go back in it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._digest = sha256()
        self.size = 0

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes so far."""
        return self._digest.hexdigest()

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any) -> int:  # noqa: ANN401 (any buffer)
        """Write bytes."""
        self._stream.write(data)
        self._digest.update(data)
        size = memoryview(data).nbytes
        self.size += size
        return size


def make_part(plan: Plan, index: int, folder: str | os.PathLike[str]) -> Row:
    """Write the file of a part to a folder, then its row; return the row.

    One thread makes the part. Both files are complete or absent. Nothing else is read or written,
    so parts can be made in any order, on any machine, more than once. Raises `PavError` for
    versions other than those of the plan.
    """
    plan.check_versions()
    storage, part = storage_of(folder), plan[index]
    with storage.put(part.name) as stream:
        measured = Measured(stream)
        with threads_limited(1):
            facts = plan.making.write(part, cast("BinaryIO", measured))
    rows = cast("int", facts.pop("rows"))
    row = Row(
        part.index, part.name, part.start, part.count, rows, measured.size, measured.sha256, facts
    )
    with storage.put(row_name(part)) as stream:
        stream.write(json_bytes(row.to_dict()))
    return row
