"""File systems of fsspec for tests: stores that rename, that fail, and that list late.

Processes that import this module know their protocols.
"""

from __future__ import annotations

import io
import json
import os
import random
from pathlib import Path
from typing import Any

from fsspec import AbstractFileSystem, register_implementation
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.spec import AbstractBufferedFile


class RenamingStore(MemoryFileSystem):  # type: ignore[misc]
    """Files in memory behind a protocol of which pavcodec knows nothing, such as sftp."""

    protocol = "renaming"
    store: dict[str, object] = {}  # noqa: RUF012 (the class of fsspec has this)
    pseudo_dirs: list[str] = [""]  # noqa: RUF012

    def _open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        """Open a file; readers get a stream of their own, as those of other stores."""
        if mode == "rb":
            return io.BytesIO(self.cat_file(path))
        return super()._open(path, mode, **options)

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        bare: str = super()._strip_protocol(str(path).removeprefix(f"{cls.protocol}://"))
        return bare


class FailingStore(AbstractFileSystem):  # type: ignore[misc]
    """An object store in a folder of this machine in which one put in ten fails.

    `failing:///FOLDER/…` is FOLDER, which has a file `faults.json`: the seed and the share of the
    puts that fail. A put fails before it begins, in the middle of its bytes, or after the object is
    complete, and the answer is lost. All processes together count the puts, so a seed always fails
    the same ones. Uploads that nobody completed or discarded are files in `.uploads`.
    """

    protocol = ("failing", "s3")  # as an object store: objects appear when uploads are completed
    cachable = False

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.root = Path(options["root"])

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(path).removeprefix("failing://").rstrip("/")

    @staticmethod
    def _get_kwargs_from_urls(path: str) -> dict[str, str]:
        place = Path(str(path).removeprefix("failing://"))
        found = [each for each in (place, *place.parents) if (each / "faults.json").exists()]
        return {"root": str(found[0])}

    def fault(self) -> str:
        """Count a put, and return how it fails; an empty text if it does not."""
        faults = json.loads((self.root / "faults.json").read_text())
        number = os.open(self.root / "puts", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(number, b".")
            count = os.lseek(number, 0, os.SEEK_CUR)
        finally:
            os.close(number)
        chance = random.Random(f"{faults['seed']}:{count}")
        if chance.random() >= faults["share"]:
            return ""
        with (self.root / "failed").open("a") as log:
            log.write(".")
        return chance.choice(["before", "middle", "after"])

    def _open(self, path: str, mode: str = "rb", **_: Any) -> Any:
        if mode == "rb":
            return open(path, "rb")
        return FailingUpload(self, path, mode, block_size=1000)

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **_: Any) -> None:
        """Write an object at once; in the mode "create" only if it does not exist."""
        fault = self.fault()
        if fault in {"before", "middle"}:
            raise ConnectionResetError(104, "Connection reset by peer")
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        whole = self.root / ".uploads" / os.urandom(8).hex()
        whole.parent.mkdir(exist_ok=True)
        whole.write_bytes(value)
        try:
            os.link(whole, path)
        except FileExistsError:
            if mode == "create":
                raise
            os.replace(whole, path)
        else:
            whole.unlink()
        finally:
            whole.unlink(missing_ok=True)
        if fault:
            raise TimeoutError("no answer")

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """Return the facts of an object or a folder."""
        place = Path(self._strip_protocol(path))
        kind = "directory" if place.is_dir() else "file"
        return {"name": str(place), "size": place.stat().st_size, "type": kind}

    def ls(self, path: str, detail: bool = True, **_: Any) -> list[Any]:
        """Return the facts of the objects in a folder."""
        found = [self.info(str(each)) for each in Path(path).iterdir()]
        return found if detail else [each["name"] for each in found]

    def rm(self, path: str | list[str], **_: Any) -> None:
        """Remove objects."""
        for each in [path] if isinstance(path, str) else path:
            Path(each).unlink(missing_ok=True)

    rm_file = rm


class FailingUpload(AbstractBufferedFile):  # type: ignore[misc]
    """An upload in parts to a `FailingStore`."""

    def _initiate_upload(self) -> None:
        self.fault = self.fs.fault()
        if self.fault == "before":
            raise ConnectionResetError(104, "Connection reset by peer")
        self.part = self.fs.root / ".uploads" / os.urandom(8).hex()
        self.part.parent.mkdir(exist_ok=True)
        self.part.touch()

    def _upload_chunk(self, final: bool = False) -> bool:
        if self.fault == "middle" and (final or self.part.stat().st_size):
            raise ConnectionResetError(104, "Connection reset by peer")
        with self.part.open("ab") as stream:
            stream.write(self.buffer.getvalue())
        if final:
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            os.replace(self.part, self.path)
            if self.fault == "after":
                raise TimeoutError("no answer")
        return True

    def discard(self) -> None:
        """Remove the parts."""
        if hasattr(self, "part"):
            self.part.unlink(missing_ok=True)


class LateStore(MemoryFileSystem):  # type: ignore[misc]
    """Files in memory whose listing shows only what was there some listings ago."""

    protocol = ("late", "memory")
    store: dict[str, object] = {}  # noqa: RUF012
    pseudo_dirs: list[str] = [""]  # noqa: RUF012
    seen: dict[str, list[Any]] = {}  # noqa: RUF012

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        bare: str = super()._strip_protocol(str(path).removeprefix("late://"))
        return bare

    def ls(self, path: str, detail: bool = True, **options: Any) -> list[Any]:
        """Return the listing that was right at the call before."""
        try:
            now = super().ls(path, detail=True, **options)
        except FileNotFoundError:
            now = []
        before = self.seen.get(path, [])
        self.seen[path] = now
        return before if detail else [each["name"] for each in before]


for _protocol, _class in (
    ("renaming", RenamingStore),
    ("failing", FailingStore),
    ("late", LateStore),
):
    register_implementation(_protocol, _class, clobber=True)


if __name__ == "__main__":  # a writer that stops in the middle of a large file, to be killed
    import sys
    import time

    from pavcodec.files.stores import storage_of

    with storage_of(sys.argv[1]).put("a") as _stream:
        for _ in range(51):
            _stream.write(bytes(1 << 20))
        print("half", flush=True)
        time.sleep(60)
