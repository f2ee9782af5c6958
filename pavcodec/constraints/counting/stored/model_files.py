"""Models as files: a head with the size of each part, the layers, and a checksum of everything.

Numbers are little-endian. A file is the line `pavcodec model 2`; the bytes of the text, the hands,
the constrained seats, the letters and the layers as four-byte numbers; the text; the sizes of the
hands and the constrained seats, a byte each; the nodes of each layer, four bytes each; for each
layer its children, a row of four-byte numbers for each node, and its ways, high and low in eight
bytes each; and CRC-32 of all that. A reader accepts only a file of exactly that length whose
model passes `fault_of`, so that no loop that walks through it leaves its tables.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 (for the arguments)

from pavcodec.cards import HAND_SIZE, Seat
from pavcodec.constraints.counting.models.layers import Layer
from pavcodec.constraints.counting.models.model import Model
from pavcodec.constraints.counting.stored.faults import fault_of
from pavcodec.files.output import open_output

__all__ = ["FOUR_HANDS", "VERSION", "read_model", "read_stream", "write_model", "write_stream"]

FOUR_HANDS = (HAND_SIZE,) * len(Seat)
"""The sizes of the hands of a deal."""

VERSION = "2"
"""The version of this format."""

_MAGIC = f"pavcodec model {VERSION}\n".encode()
_HEAD = struct.Struct("<5I")
_COUNT, _CHECKSUM = struct.Struct("<I"), struct.Struct("<I")
_CHILD, _WAY = np.dtype("<i4"), np.dtype("<u8")
_MOST_HANDS, _MOST_LAYERS = 7, 64


def write_model(path: str | os.PathLike[str], text: str, model: Model) -> None:
    """Write the model of a condition to a file, which is complete or absent."""
    with open_output(path) as stream:
        write_stream(stream, text, model)


def read_model(
    path: str | os.PathLike[str], sizes: tuple[int, ...] = FOUR_HANDS
) -> tuple[str, Model]:
    """Return (canonical text of the condition, model); raise `ValueError` for another file."""
    with Path(path).open("rb") as stream:
        return read_stream(stream, sizes)


def write_stream(stream: BinaryIO, text: str, model: Model) -> None:
    """Write the model of a condition."""
    checksum = 0
    for part in _parts(text.encode(), model):
        checksum = crc32(part, checksum)
        stream.write(part)
    stream.write(_CHECKSUM.pack(checksum))


def _parts(text: bytes, model: Model) -> list[bytes | memoryview]:
    """Return the contents of a file before the checksum."""
    layers, letters = model.layers, len(model.seats) + bool(model.free)
    head = _HEAD.pack(len(text), len(model.sizes), len(model.seats), letters, len(layers))
    counts = b"".join(_COUNT.pack(len(layer.ways)) for layer in layers)
    parts: list[bytes | memoryview] = [
        _MAGIC + head + text + bytes(model.sizes) + bytes(model.seats) + counts
    ]
    for layer in layers:
        parts.append(_bytes_of(layer.children.astype(_CHILD, copy=False)))
        parts.append(_bytes_of(layer.ways.astype(_WAY, copy=False)))
    return parts


def _bytes_of(array: NDArray[np.generic]) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def read_stream(stream: BinaryIO, sizes: tuple[int, ...] = FOUR_HANDS) -> tuple[str, Model]:
    """Return (canonical text of the condition, model) from a file that is open.

    Raises `ValueError` for what is no model, is damaged, or is of hands of other sizes.
    """
    reader = _Reader(stream)
    if reader.take(len(_MAGIC)) != _MAGIC:
        raise ValueError("it is no model of this version")
    of_text, hands, seats, letters, layers = _HEAD.unpack(reader.take(_HEAD.size))
    if hands > _MOST_HANDS or seats > hands or letters > hands or layers > _MOST_LAYERS:
        raise ValueError("its head is damaged")
    text = reader.take(of_text)
    found = tuple(reader.take(hands)), tuple(reader.take(seats))
    counts = [_COUNT.unpack(reader.take(_COUNT.size))[0] for _ in range(layers)]
    reader.refuse_unless_left(
        sum(counts) * (letters * _CHILD.itemsize + 2 * _WAY.itemsize) + _CHECKSUM.size
    )
    model = Model(*found, tuple(_layer(reader, count, letters) for count in counts))
    if stream.read(_CHECKSUM.size) != _CHECKSUM.pack(reader.checksum):
        raise ValueError("it is damaged: its checksum is another")
    if model.sizes != sizes:
        raise ValueError("it is of hands of other sizes")
    fault = fault_of(model)
    if fault:
        raise ValueError(fault)
    return text.decode(), model


def _layer(reader: _Reader, count: int, letters: int) -> Layer:
    children = reader.array((count, letters), _CHILD)
    ways = reader.array((count, 2), _WAY)
    return Layer(children.astype(np.int32, copy=False), ways.astype(np.uint64, copy=False))


class _Reader:
    """Reads parts of a file that are there, and adds them to a checksum."""

    def __init__(self, stream: BinaryIO) -> None:
        self.checksum = 0
        self._stream = stream
        self._left = os.fstat(stream.fileno()).st_size

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        data = self._stream.read(size) if size <= self._left else b""
        self._add(data, size)
        return data

    def array(self, shape: tuple[int, int], kind: np.dtype[np.generic]) -> NDArray[np.generic]:
        """Return the next rows of numbers."""
        found = np.empty(shape, kind)
        data = _bytes_of(found)
        self._add(data[: self._stream.readinto(data)], found.nbytes)  # type: ignore[attr-defined]
        return found

    def refuse_unless_left(self, size: int) -> None:
        """Raise `ValueError` unless so many bytes are left."""
        if size != self._left:
            raise ValueError("it is damaged: its length is not what its head tells")

    def _add(self, data: bytes | memoryview, size: int) -> None:
        if len(data) != size:
            raise ValueError("it is damaged: it ends too early")
        self._left -= size
        self.checksum = crc32(data, self.checksum)
