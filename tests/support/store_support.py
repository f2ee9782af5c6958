"""File systems of fsspec for tests: stores that rename, and stores that fail."""

from __future__ import annotations

import io
from typing import Any

from fsspec import register_implementation
from fsspec.implementations.memory import MemoryFileSystem


class RenamingStore(MemoryFileSystem):  # type: ignore[misc]
    """Files in memory behind a protocol of which pavcodec knows nothing, such as sftp."""

    protocol = "renaming"
    store: dict[str, object] = {}  # noqa: RUF012 (the class of fsspec has this)
    pseudo_dirs: list[str] = [""]  # noqa: RUF012

    @classmethod
    def register(cls) -> None:
        """Make the protocol known to fsspec."""
        register_implementation(cls.protocol, cls, clobber=True)

    def _open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        """Open a file; readers get a stream of their own, as those of other stores."""
        if mode == "rb":
            return io.BytesIO(self.cat_file(path))
        return super()._open(path, mode, **options)

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        bare: str = super()._strip_protocol(str(path).removeprefix(f"{cls.protocol}://"))
        return bare
