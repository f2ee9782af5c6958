"""Folders of files as sources: collections with a plan, and any folders of boards.

Rule 1: A file is read only after its size, and its SHA-256 where a manifest has it, are those of
the manifest. So no damaged part is counted.
Rule 2: A source is described by its plan, without versions that do not change a byte. The plan
determines each part, so a source that is not complete yet has the same description.
"""

from __future__ import annotations

import io
import json
import os
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, BinaryIO

from pavcodec.collection.manifest import PLAN
from pavcodec.collection.plan import DECIDING, Ranges
from pavcodec.collection.stored import open_collection
from pavcodec.errors import ReadError
from pavcodec.files.compressed import ZIP, split_suffix
from pavcodec.files.paths import local_path, protocol_of
from pavcodec.files.stores import storage_of
from pavcodec.files.text import sha256_of
from pavcodec.formats.registry import format_by_suffix

if TYPE_CHECKING:
    from pavcodec.files.stores import Storage


_IN_MEMORY = 1 << 26
"""The size of a file, in bytes, up to which it is read into memory to check it."""


class SourceError(OSError):
    """A file of a source cannot be read, so its part is not made; other parts can be made."""


@dataclass(frozen=True)
class SourceFile:
    """A file of boards in a folder, with what the manifest says about it; None if it says nothing.

    `start` and `count` are the samples of a part; of other files, the place and 1.
    """

    storage: Storage
    name: str
    index: int
    start: int
    count: int
    size: int | None = None
    sha256: str | None = None

    @property
    def shown(self) -> str:
        """The path or the URL of the file."""
        return self.storage.shown(self.name)

    def open(self) -> BinaryIO:
        """Open the file for reading, with a seek, after a check of its size and its SHA-256.

        Raise `ReadError` if they are not those of the manifest, or if the file is missing.
        """
        try:
            size = self.storage.size(self.name)
        except FileNotFoundError:
            if self.sha256 is None:
                raise
            raise ReadError(f"{self.shown}: the part is missing, but its row is there") from None
        if self.size is not None and size != self.size:
            raise ReadError(
                f"{self.shown}: the part is damaged: it has {size:,} bytes, and its row says "
                f"{self.size:,}"
            )
        if size <= _IN_MEMORY:
            data = self.storage.read(self.name)
            if self.sha256 is not None:
                self._check(sha256(data).hexdigest())
            return io.BytesIO(data)
        stream = self.storage.open(self.name)
        try:
            if self.sha256 is not None:
                self._check(sha256_of(stream))
                stream.seek(0)
        except BaseException:
            stream.close()
            raise
        return stream

    def _check(self, digest: str) -> None:
        if digest != self.sha256:
            raise ReadError(
                f"{self.shown}: the part is damaged: its SHA-256 is {digest}, and its row says "
                f"{self.sha256}"
            )

    def hashed(self) -> SourceFile:
        """Return the file with its size and SHA-256, which are read if they are not known."""
        if self.sha256 is not None:
            return self
        with self.storage.open(self.name) as stream:
            digest = sha256_of(stream)
        return replace(self, size=self.storage.size(self.name), sha256=digest)


@dataclass(frozen=True)
class SourceFolder:
    """The files of a folder in order; a part of a collection that is not there yet is None.

    `making` is the description of a collection's making, None for a folder without a plan. `ranges`
    are start and count of all parts. `digest` is the SHA-256 of the plan, or of the names and the
    bytes of the files.
    """

    storage: Storage = field(compare=False)
    files: tuple[SourceFile | None, ...]
    ranges: Ranges
    making: dict[str, object] | None
    digest: str
    skipped: int = 0
    """The files of a folder without a plan that no format of boards reads."""

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, index: int) -> SourceFile:
        file = self.files[index]
        if file is None:
            raise SourceError(f"{self.storage.url}: part {index} is not there yet")
        return file

    @property
    def present(self) -> list[SourceFile]:
        """The files that are there."""
        return [file for file in self.files if file is not None]

    @property
    def absent(self) -> list[int]:
        """The indexes of the parts that are not there yet."""
        return [index for index, file in enumerate(self.files) if file is None]

    @property
    def is_sorted(self) -> bool:
        """Whether the deals ascend from part to part, as those of a sorted collection do."""
        making: Any = self.making or {}
        while making.get("source"):
            making = making["source"].get("making", {})
        return bool(making.get("order", {}).get("name") == "sorted")

    def describe(self) -> dict[str, object]:
        """Return what the source holds, for JSON."""
        kind = {"files": len(self)} if self.making is None else {"making": self.making}
        return {**kind, "sha256": self.digest}

    def hashed(self) -> SourceFolder:
        """Return the source with the digest of all files; a plan has a digest without them."""
        if self.making is not None:
            return self
        files = tuple(file.hashed() for file in self.present)
        lines = "".join(f"{file.sha256}  {file.name}\n" for file in files)
        return replace(self, files=files, digest=sha256(lines.encode()).hexdigest())


def is_folder(path: str) -> bool:
    """Return whether a path is a folder of this machine, or a URL without the suffix of a file.

    Web servers have files only, whose URLs may end with a query.
    """
    here = local_path(path)
    if here is not None:
        return os.path.isdir(here)
    is_file = is_name_of_file(path) or protocol_of(path) in {"http", "https"}
    return path.endswith("/") or not is_file


def is_name_of_file(path: str) -> bool:
    """Return whether a path has the suffix of a format, or of a compressed file.

    >>> is_name_of_file("deals.pbn.zst"), is_name_of_file("deals.v2"), is_name_of_file("deals")
    (True, False, False)
    """
    return format_by_suffix(path) is not None or bool(split_suffix(path)[1])


def source_of(folder: str | os.PathLike[str], *, any_suffix: bool = False) -> SourceFolder:
    """Return the files of a folder: the parts of its plan, or else its files of boards by name.

    With `any_suffix`, all files of a folder without a plan are files of boards. Raise `ReadError`
    for a damaged plan and for a folder without files of boards.
    """
    storage = storage_of(folder)
    names = storage.names()
    if PLAN in names:
        return _of_plan(folder)
    visible = sorted(name for name in names if "/" not in name and not name.startswith("."))
    read = [name for name in visible if any_suffix or _is_read(name)]
    if not read:
        raise ReadError(f"{storage.url}: this folder has no files of boards and no plan")
    files = tuple(SourceFile(storage, name, index, index, 1) for index, name in enumerate(read))
    ranges = Ranges(0, len(read), len(read))
    return SourceFolder(storage, files, ranges, None, "", len(visible) - len(read))


def _is_read(name: str) -> bool:
    """Return whether the suffix of a name is that of a format of boards, or of a zip file."""
    form = format_by_suffix(name)
    return split_suffix(name)[1] == ZIP or (form is not None and form.is_read)


def _of_plan(folder: str | os.PathLike[str]) -> SourceFolder:
    """Return the parts of a collection."""
    opened = open_collection(folder)
    plan, storage = opened.plan, opened.storage
    files: list[SourceFile | None] = [None] * len(plan)
    for row in opened.rows:
        files[row.part] = SourceFile(
            storage, row.name, row.part, row.start, row.count, row.bytes, row.sha256
        )
    description = plan.description
    versions = {name: plan.versions.get(name) for name in DECIDING}
    same = json.dumps(description | {"versions": versions}, sort_keys=True).encode()
    digest = sha256(same).hexdigest()
    return SourceFolder(storage, tuple(files), plan.ranges, plan.making.describe(), digest)
