"""Compressed files of any format, by their suffix: `.gz`, `.bz2`, `.xz`, `.zst` and `.zip`.

Data is read block by block, so a small file that expands to a huge one needs little memory. Equal
bytes give equal files: the files contain neither times nor names of other files. Zstandard needs
Python 3.14, `backports.zstd` or pyarrow.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from lzma import LZMADecompressor, LZMAError
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZIP_LZMA, BadZipFile, ZipFile, ZipInfo

from pavcodec.errors import ReadError
from pavcodec.files.opening import open_output
from pavcodec.files.paths import is_url, local_path

ZIP = ".zip"
"""The suffix of files that may hold several files."""
_SUFFIXES = (".gz", ".bz2", ".xz", ".zst", ZIP)

_IN_MEMORY, _AT_ONCE = 1 << 24, 1 << 20
_MOST_MEMORY = 1 << 28
"""The most memory of an expansion: files of the strongest setting of `xz` need 65 MiB.

Zstandard itself refuses windows of more than 128 MiB; gzip and bzip2 need at most 8 MiB.
"""


def _expanding(stream: BinaryIO, suffix: str, path: str) -> BinaryIO:
    """Return the stream that expands another; without a suffix, this stream itself."""
    expanding: Any
    match suffix:
        case "":
            expanding = stream
        case ".zip":
            expanding = only_member(stream, path)
        case ".gz":
            from gzip import GzipFile

            expanding = GzipFile(fileobj=stream)
        case ".bz2":
            from bz2 import BZ2File

            expanding = BZ2File(stream)
        case ".xz":
            expanding = io.BufferedReader(_ExpandedXz(stream))
        case _:
            expanding = _zstandard_file()(stream)
    return cast("BinaryIO", expanding)


def _packing(stream: BinaryIO, suffix: str, name: str) -> BinaryIO:
    """Return the stream that compresses into another; `name` is that of a file in a zip file."""
    packing: Any
    match suffix:
        case ".gz":
            from gzip import GzipFile

            packing = GzipFile(filename="", mode="wb", fileobj=stream, mtime=0, compresslevel=6)
        case ".bz2":
            from bz2 import BZ2File

            packing = BZ2File(stream, "wb")
        case ".xz":
            from lzma import LZMAFile

            packing = LZMAFile(stream, "wb")  # noqa: SIM115 (the caller closes it)
        case ".zst":
            packing = _zstandard_file()(stream, "wb")
        case _:
            archive = ZipFile(stream, "w")
            packing = _Member(archive, archive.open(_info(name), "w", force_zip64=True))
    return cast("BinaryIO", packing)


def _zstandard_file() -> Callable[..., Any]:
    """Return the class of Zstandard files: that of Python 3.14, or of the package for older ones.

    Both have the same interface.
    """
    try:
        from compression.zstd import ZstdFile
    except ImportError:
        from backports.zstd import ZstdFile
    return cast("Callable[..., Any]", ZstdFile)


def zstandard_version() -> str:
    """Return the version of the Zstandard library that compresses.

    >>> zstandard_version().split(".")[0]
    '1'
    """
    module = sys.modules[_zstandard_file().__module__.rpartition(".")[0]]
    return str(module.zstd_version)


def split_suffix(path: str) -> tuple[str, str]:
    """Return a path without the suffix of a compressed file, and that suffix in lower case.

    >>> split_suffix("event.pbn.GZ"), split_suffix("event.pbn")
    (('event.pbn', '.gz'), ('event.pbn', ''))
    """
    stem, suffix = os.path.splitext(path)
    suffix = suffix.lower()
    return (stem, suffix) if suffix in _SUFFIXES else (path, "")


def parts(stream: BinaryIO, path: str) -> Iterator[tuple[str, BinaryIO]]:
    """Yield the name and the stream of each file in a zip file; of other files the file itself.

    The name of a file `round1.pbn` in `event.zip` is `event.zip/round1.pbn`. Files with other
    suffixes of compressed files are not decompressed.
    """
    if split_suffix(path)[1] != ZIP:
        yield path, stream
        return
    for name, member in members(stream, path):
        inner = f"{path}/{name}"
        yield inner, cast("BinaryIO", Decompressed(member, "", inner))


class Decompressed:
    """The decompressed bytes of a stream; damaged data raises a `ReadError` that names the file."""

    def __init__(self, stream: BinaryIO, suffix: str, path: str) -> None:
        self._path = path
        with _damage_named(path, OSError):
            self._stream: Any = _expanding(stream, suffix, path)

    def read(self, size: int = -1) -> bytes:
        """Return `size` bytes, or fewer at the end; without a size, all remaining bytes."""
        with _damage_named(self._path, OSError):
            data: bytes = self._stream.read(None if size < 0 else size)
        return data

    read1 = read

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return False: the stream can be read only once, from start to end."""
        return False


@contextmanager
def _damage_named(path: str, *more: type[Exception]) -> Iterator[None]:
    """Raise what a block raises for damaged data as a `ReadError` with the path and the reason.

    `more` are classes of errors that stand for damage as well.
    """
    try:
        yield
    except ReadError:
        raise
    except Exception as error:
        if not isinstance(error, (*_DAMAGE, *more)) and type(error).__name__ != "ZstdError":
            raise
        reason = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, MemoryError):
            reason = "it needs too much memory"
        raise ReadError(f"{path}: the compressed file is damaged or incomplete: {reason}") from None


_DAMAGE = BadZipFile, EOFError, LZMAError, MemoryError, RuntimeError, ValueError, zlib.error
"""What the readers of compressed files raise; the class of Zstandard is known by its name."""


@contextmanager
def spool(path: str | None) -> Iterator[BinaryIO]:
    """Yield a temporary stream with a seek; large data is in an unnamed file beside `path`.

    Without a path, and for a URL, the file is in the folder of temporary files.
    """
    here = None if path is None else local_path(path)
    folder = None if here is None else os.path.dirname(os.path.realpath(here))
    with SpooledTemporaryFile(_IN_MEMORY, dir=folder) as stream:
        yield cast("BinaryIO", stream)


@contextmanager
def compressed(stream: BinaryIO, path: str) -> Iterator[BinaryIO]:
    """Yield a stream whose bytes are compressed into `stream`, by the suffix of `path`.

    Yields `stream` itself for a path without a suffix of compressed files. Writers may go back in
    the yielded stream, as in a file, so it is compressed at the end.
    """
    if not split_suffix(path)[1]:
        yield stream
        return
    with compressing(stream, path) as packed, held(packed, path) as whole:
        yield whole


@contextmanager
def compressing(stream: BinaryIO, path: str) -> Iterator[BinaryIO]:
    """Yield a stream whose bytes are compressed into `stream` while they are written.

    Writers cannot go back in the yielded stream, and nothing of the size of the whole is stored. An
    error of the block stays the error, whatever the end of the compressed data does.
    """
    plain, suffix = split_suffix(path)
    if not suffix:
        yield stream
        return
    packed = _packing(stream, suffix, os.path.basename(plain))
    blocks = _InBlocks(packed)
    try:
        yield cast("BinaryIO", blocks)
        blocks.finish()
    except BaseException:
        with suppress(Exception):  # the file is dropped, so its end is too
            packed.close()
        raise
    packed.close()


class _InBlocks(io.RawIOBase):
    """A stream for writing that writes blocks of the same size to another."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Take bytes, and write the blocks that are full."""
        self._held += data
        whole = len(self._held) - len(self._held) % _AT_ONCE
        with memoryview(self._held) as held:
            for begin in range(0, whole, _AT_ONCE):
                self._stream.write(held[begin : begin + _AT_ONCE])
        del self._held[:whole]
        return memoryview(data).nbytes

    def finish(self) -> None:
        """Write the rest."""
        if self._held:
            self._stream.write(bytes(self._held))
        self._held.clear()


@contextmanager
def open_compressed_output(
    path: str | os.PathLike[str], *, durable: bool = False, again: bool = False
) -> Iterator[BinaryIO]:
    """Open a file for writing, as `open_output`; its suffix decides whether it is compressed.

    With `again`, the writer may go back in the stream also if the path is a URL: the object is in a
    temporary file until it is complete. So is a zip file, whose writer goes back.
    """
    text = os.fspath(path)
    suffix = split_suffix(text)[1]
    goes_back = suffix == ZIP or (again and not suffix)
    with open_output(text, durable=durable) as stream:
        output = held(stream, text) if goes_back and is_url(text) else nullcontext(stream)
        with output as whole, compressed(whole, text) as out:
            yield out


@contextmanager
def held(stream: BinaryIO, path: str | None = None) -> Iterator[BinaryIO]:
    """Yield a stream with a seek, and copy it to another at the end; see `spool` for `path`."""
    with spool(path) as whole:
        yield whole
        whole.seek(0)
        shutil.copyfileobj(whole, stream, _AT_ONCE)


# Zip files: their members as streams, and new files with one member.
#
# Rule 1: folders, and the notes of a Mac about the files, `__MACOSX/`, are no members.
# Rule 2: a zip file is refused as a whole, in one line, if a member is encrypted or itself
#         compressed, has a name outside the folder of the zip file, or if the data expands to more
#         than a file of boards does, or needs more memory for it than an xz file may. Nothing is
#         unpacked on the disk.


_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The first time that a zip file can hold; it is the same for all files."""
_UNIX, _REGULAR_FILE = 3, 0o100644
_MOST_MEMBERS = 10_000
_ALWAYS_ALLOWED = 1 << 30
"""Data of this size is allowed, however small the zip file is."""
_MOST_EXPANDED = 200
"""The most bytes of larger data for each byte of the zip file; texts of deals have about 5."""
_LENGTHS_AT, _WINDOW_AT = 26, 5
"""The places in a member of the lengths of its name and its extra field, and of LZMA's window."""
_UNSAFE = re.compile(r"(?:^|/)\.\.(?:/|$)|^/|\\|^[A-Za-z]:|[\x00-\x1f\x7f]")
_COMPRESSED = (".zip", ".gz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".tar", ".tgz")


def members(stream: BinaryIO, path: str) -> Iterator[tuple[str, BinaryIO]]:
    """Yield the name and the bytes of each file in a zip file, in its order.

    Raises `ReadError` for a zip file that is damaged or that the rules refuse.
    """
    has_seek = hasattr(stream, "seekable") and stream.seekable()
    with _damage_named(path):
        archive: Any = (ZipFile if has_seek else _Copied)(stream)
    position = archive.fp.tell()
    size = archive.fp.seek(0, io.SEEK_END)
    archive.fp.seek(position)
    for info in _checked(archive.infolist(), size, path):
        if info.compress_type == ZIP_LZMA and _window(archive.fp, info) > _MOST_MEMORY:
            raise ReadError(f"{path}: its file {info.filename!r} needs too much memory")
        with _damage_named(path):
            member = archive.open(info)
        yield info.filename, member


def _window(stream: BinaryIO, info: ZipInfo) -> int:
    """Return the bytes of the window that a member of LZMA asks for; 0 if its start is cut off."""
    stream.seek(info.header_offset + _LENGTHS_AT)
    name, extra = (int.from_bytes(stream.read(2), "little") for _ in range(2))
    stream.seek(name + extra + _WINDOW_AT, io.SEEK_CUR)
    return int.from_bytes(stream.read(4), "little")


def only_member(stream: BinaryIO, path: str) -> BinaryIO:
    """Return the bytes of the only file in a zip file; raise `ReadError` if there are several."""
    files = list(members(stream, path))
    if len(files) != 1:
        raise ReadError(f"{path}: it holds {len(files)} files, and one is expected")
    return files[0][1]


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


def _checked(entries: Sequence[ZipInfo], size: int, path: str) -> list[ZipInfo]:
    """Return the files of a zip file; raise `ReadError` if the rules refuse one."""
    files = [
        info for info in entries if not info.is_dir() and not info.filename.startswith("__MACOSX/")
    ]
    for info in files:
        reason = ""
        if _UNSAFE.search(info.orig_filename) or _UNSAFE.search(info.filename):
            reason = "has an unsafe name"
        elif info.flag_bits & 1:
            reason = "is encrypted"
        elif info.filename.lower().endswith(_COMPRESSED):
            reason = "is itself compressed"
        if reason:
            raise ReadError(f"{path}: its file {info.filename!r} {reason}")
    if not files:
        raise ReadError(f"{path}: the zip file holds no files")
    if len(files) > _MOST_MEMBERS:
        raise ReadError(f"{path}: it holds {len(files):,} files, more than {_MOST_MEMBERS:,}")
    expanded = sum(info.file_size for info in files)
    if expanded > _ALWAYS_ALLOWED and expanded > _MOST_EXPANDED * size:
        raise ReadError(f"{path}: {size:,} bytes expand to {expanded:,}, so it is refused")
    end = 0
    for info in sorted(files, key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise ReadError(f"{path}: its files overlap, so it is refused")
        end = info.header_offset + info.compress_size
    return files


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
    info = ZipInfo(name, _EPOCH)
    info.compress_type = ZIP_DEFLATED
    info.create_system = _UNIX
    info.external_attr = _REGULAR_FILE << 16
    return info


class _Member:
    """The one file of a new zip file."""

    def __init__(self, archive: ZipFile, member: Any) -> None:
        self._archive = archive
        self._member = member
        self.write = member.write

    def close(self) -> None:
        """Write the end of the file and of the zip file."""
        self._member.close()
        self._archive.close()


# The expanded bytes of xz files, with a limit of memory.


class _ExpandedXz(io.RawIOBase):
    """The expanded bytes of an xz file; a file that names a huge dictionary is refused."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._part = LZMADecompressor(memlimit=_MOST_MEMORY)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer from its start, and return the number of bytes; 0 is the end."""
        expanded = b""
        while not expanded:
            packed = b""
            if self._part.eof:
                packed = self._after_part()
                if not packed:
                    return 0
                self._part = LZMADecompressor(memlimit=_MOST_MEMORY)
            elif self._part.needs_input:
                packed = self._stream.read(_AT_ONCE)
                if not packed:
                    raise EOFError("it ends too early")
            expanded = self._part.decompress(packed, len(buffer))
        buffer[: len(expanded)] = expanded
        return len(expanded)

    def _after_part(self) -> bytes:
        """Return the begin of the next part of the file; zeros may stand between parts."""
        packed = self._part.unused_data.lstrip(b"\0")
        while not packed:
            block = self._stream.read(_AT_ONCE)
            if not block:
                break
            packed = block.lstrip(b"\0")
        return packed
