"""Messages between the server and a worker: a kind, the number of bytes, and the bytes.

The server sends questions, and the worker answers each by one of these sequences:

    ANSWER                  the answer, as a pickle
    ERROR                   an exception, as a pickle
    HEAD CHUNK… END         a file: its name and media type as a pickle, and its bytes
    HEAD CHUNK… ERROR       a file that has no end

Pickles come only from our own processes.
"""

from __future__ import annotations

import struct
from enum import IntEnum

__all__ = ["CHUNK_SIZE", "HEADER", "Fault", "Kind", "framed"]

HEADER = struct.Struct(">BQ")
"""The kind and the number of bytes of a message."""

CHUNK_SIZE = 64 << 10
"""The bytes of each part of a file but the last."""


class Kind(IntEnum):
    """What a message is."""

    QUESTION = 0
    ANSWER = 1
    ERROR = 2
    HEAD = 3
    CHUNK = 4
    END = 5


class Fault(Exception):  # noqa: N818 (the server has the error)
    """An error of the program in a worker: its class and its place, without the user's values."""

    def __init__(self, name: str, place: str) -> None:
        super().__init__(name, place)
        self.name = name
        self.place = place


def framed(kind: Kind, data: bytes = b"") -> bytes:
    r"""Return a message as bytes.

    >>> framed(Kind.CHUNK, b"ab")
    b'\x04\x00\x00\x00\x00\x00\x00\x00\x02ab'
    """
    return HEADER.pack(kind, len(data)) + data
