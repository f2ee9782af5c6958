"""Write output files that are complete or absent, on this machine or where a URL names."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from pavcodec.files.stores.urls import local_path
from pavcodec.files.stores.whole import PREFIX, SUFFIX, named, open_whole, put_in_place

__all__ = ["PREFIX", "SUFFIX", "check_stream", "named", "open_output", "put_in_place"]


@contextmanager
def open_output(
    path: str | os.PathLike[str],
    *,
    durable: bool = False,
    private: bool = False,
    fresh: bool = False,
) -> Iterator[BinaryIO]:
    """Open a file for writing; the file gets its name only when the block ends without an error.

    A path names a file of this machine; `open_whole` has the meaning of the options. A URL names an
    object of a store, which is complete or absent in the same way; its stream has no seek. A store
    decides itself who may read an object and when it is on a disk. With `fresh`, an existing file
    or object is not replaced: `FileExistsError`.
    """
    text = os.fspath(path)
    here = local_path(text)
    if here is not None:
        with open_whole(here, durable=durable, private=private, fresh=fresh) as stream:
            yield stream
        return
    from pavcodec.files.stores.objects import put_new_object, put_object

    with (put_new_object if fresh else put_object)(text) as stream:
        yield stream


def check_stream(what: str, target: object) -> None:
    """Raise `TypeError` if a target is no open binary file; `what` is written to it."""
    if isinstance(target, io.TextIOBase) or not hasattr(target, "write"):
        kind = type(target).__name__
        raise TypeError(f"{what} is written to a path or a stream of bytes, not {kind!r}")
