"""Zip files: their members as streams, and new files with one member.

Rule 1: folders, and the notes of a Mac about the files, `__MACOSX/`, are no members.
Rule 2: a zip file is refused as a whole, in one line, if a member is encrypted or itself
        compressed, has a name outside the folder of the zip file, or if the data expands to more
        than a file of boards does. Nothing is unpacked on the disk.
"""

from __future__ import annotations

import io
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from pavcodec.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["members", "new_member", "only_member", "zipped"]

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The first time that a zip file can hold; it is the same for all files."""
_UNIX, _REGULAR_FILE = 3, 0o100644
_MOST_MEMBERS = 10_000
_ALWAYS_ALLOWED = 1 << 30
"""Data of this size is allowed, however small the zip file is."""
_MOST_EXPANDED = 200
"""The most bytes of larger data for each byte of the zip file; texts of deals have about 5."""
_UNSAFE = re.compile(r"(?:^|/)\.\.(?:/|$)|^/|\\|^[A-Za-z]:|[\x00-\x1f\x7f]")
_COMPRESSED = (".zip", ".gz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".tar", ".tgz")


def members(stream: BinaryIO, path: str) -> Iterator[tuple[str, BinaryIO]]:
    """Yield the name and the bytes of each file in a zip file, in its order.

    Raises `ReadError` for a zip file that is damaged or that the rules refuse.
    """
    archive = _opened(stream, path)
    found = _checked(archive.infolist(), _size(cast("BinaryIO", archive.fp)), path)
    for info in found:
        yield info.filename, _reading(lambda info=info: archive.open(info), path)  # type: ignore[misc]


def only_member(stream: BinaryIO, path: str) -> BinaryIO:
    """Return the bytes of the only file in a zip file; raise `ReadError` if there are several."""
    found = list(members(stream, path))
    if len(found) != 1:
        raise ReadError(f"{path}: it holds {len(found)} files, and one is expected")
    return found[0][1]


class _Copied(ZipFile):
    """A zip file over a copy of a stream without a seek, such as a pipe."""

    def __init__(self, stream: BinaryIO) -> None:
        self._copy = tempfile.TemporaryFile()  # noqa: SIM115 (it is open as long as its members)
        shutil.copyfileobj(stream, self._copy)
        self._copy.seek(0)
        super().__init__(self._copy)

    def close(self) -> None:
        super().close()
        self._copy.close()


def _opened(stream: BinaryIO, path: str) -> ZipFile:
    """Open a zip file; its directory is at its end."""
    has_seek = hasattr(stream, "seekable") and stream.seekable()
    return cast("ZipFile", _reading(lambda: (ZipFile if has_seek else _Copied)(stream), path))


def _reading(step: Callable[[], Any], path: str) -> Any:  # noqa: ANN401 (what the step returns)
    """Return the result of a step; raise `ReadError` with a reason for a damaged zip file."""
    try:
        return step()
    except (BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError) as error:
        raise ReadError(f"{path}: the compressed file is damaged or incomplete: {error}") from None


def _size(stream: BinaryIO) -> int:
    """Return the size of a stream."""
    place = stream.tell()
    size = stream.seek(0, io.SEEK_END)
    stream.seek(place)
    return size


def _checked(found: Sequence[ZipInfo], size: int, path: str) -> list[ZipInfo]:
    """Return the files of a zip file; raise `ReadError` if the rules refuse one."""
    files = [
        info for info in found if not info.is_dir() and not info.filename.startswith("__MACOSX/")
    ]
    for info in files:
        reason = _refused(info)
        if reason:
            raise ReadError(f"{path}: its file {info.filename!r} {reason}")
    if not files:
        raise ReadError(f"{path}: the zip file holds no files")
    if len(files) > _MOST_MEMBERS:
        raise ReadError(f"{path}: it holds {len(files):,} files, more than {_MOST_MEMBERS:,}")
    expanded = sum(info.file_size for info in files)
    if expanded > _ALWAYS_ALLOWED and expanded > _MOST_EXPANDED * size:
        raise ReadError(f"{path}: {size:,} bytes expand to {expanded:,}, so it is refused")
    _check_places(files, path)
    return files


def _refused(info: ZipInfo) -> str:
    """Return the reason to refuse a file of a zip file; empty for a good one."""
    if _UNSAFE.search(info.orig_filename) or _UNSAFE.search(info.filename):
        return "has an unsafe name"
    if info.flag_bits & 1:
        return "is encrypted"
    if info.filename.lower().endswith(_COMPRESSED):
        return "is itself compressed"
    return ""


def _check_places(files: Sequence[ZipInfo], path: str) -> None:
    """Raise `ReadError` if two files share bytes of the zip file."""
    end = 0
    for info in sorted(files, key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise ReadError(f"{path}: its files overlap, so it is refused")
        end = info.header_offset + info.compress_size


def new_member(stream: BinaryIO, name: str) -> BinaryIO:
    """Return a stream that writes a zip file with one file of this name; `close` writes the end."""
    archive = ZipFile(stream, "w")
    return cast("BinaryIO", _Member(archive, archive.open(_info(name), "w", force_zip64=True)))


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip file of some files by their names; equal files give equal bytes.

    >>> [name for name, _ in members(io.BytesIO(zipped({"a/b.txt": b"1"})), "x.zip")]
    ['a/b.txt']
    """
    stream = io.BytesIO()
    with ZipFile(stream, "w") as archive:
        for name, data in files.items():
            archive.writestr(_info(name), data)
    return stream.getvalue()


def _info(name: str) -> ZipInfo:
    """Return the entry of a new member."""
    info = ZipInfo(name, _EPOCH)
    info.compress_type = ZIP_DEFLATED
    info.create_system = _UNIX
    info.external_attr = _REGULAR_FILE << 16
    return info


class _Member:
    """The one file of a new zip file."""

    def __init__(self, archive: ZipFile, member: Any) -> None:  # noqa: ANN401 (zipfile's own class)
        self._archive = archive
        self._member = member
        self.write = member.write

    def close(self) -> None:
        """Write the end of the file and of the zip file."""
        self._member.close()
        self._archive.close()
