"""The envelope of a metadata column: checksum, compression, and limits on decompressed size."""

from __future__ import annotations

import lzma
import zlib

from construct import Byte, Const, ConstructError, GreedyBytes, Int32ul, Struct, Switch

from pavcodec.errors import PavError, ReadError

__all__ = ["MOST_BYTES", "open_envelope", "seal"]

MOST_BYTES = 1 << 26
"""The maximum size of an uncompressed column: 64 MiB."""

_LEAST_WINDOW = 1 << 12  # the minimum of LZMA
_LARGEST_WINDOW = 1 << 23  # compression needs eleven times as much memory
_STORED, _LZMA = 0, 1
_PAYLOADS = {
    _STORED: Struct("data" / GreedyBytes),
    _LZMA: Struct("size" / Int32ul * "bytes of the body", "data" / GreedyBytes),
}
_CONTENTS = Struct(
    "method" / Byte * "0: as it is, 1: LZMA2",
    "payload" / Switch(lambda this: this.method, _PAYLOADS, default=Const(b"no such method")),
)
_ENVELOPE = Struct(
    "checksum" / Int32ul * "CRC-32 of the number of boards, four bytes, and all that follows",
    "contents" / GreedyBytes,
)


def _filters(size: int) -> list[dict[str, int]]:
    """Return the LZMA2 filter for a body of `size` bytes; the window covers it, up to a limit."""
    window = min(max(_LEAST_WINDOW, size), _LARGEST_WINDOW)
    return [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": window, "lc": 3, "lp": 0, "pb": 0}]


def seal(body: bytes, count: int) -> bytes:
    r"""Return a body in its envelope, compressed if that is shorter; `count` boards have the body.

    Raise `PavError` if the body has more than `MOST_BYTES`.

    >>> seal(b"", 3), len(seal(b"1" * 1000, 3))
    (b'\xcd\x8d\x82\x81\x00', 28)
    """
    if len(body) > MOST_BYTES:
        raise PavError(
            f"metadata: the tags have {len(body)} bytes, more than the {MOST_BYTES} of a column; "
            "write fewer boards a block"
        )
    packed = lzma.compress(body, lzma.FORMAT_RAW, filters=_filters(len(body)))
    contents = min(
        _build(_STORED, {"data": body}),
        _build(_LZMA, {"size": len(body), "data": packed}),
        key=len,
    )
    return bytes(_ENVELOPE.build({"checksum": _checksum(contents, count), "contents": contents}))


def _checksum(contents: bytes, count: int) -> int:
    """Return the checksum, which also covers the number of boards."""
    return zlib.crc32(contents, zlib.crc32(Int32ul.build(count)))


def _build(method: int, payload: dict[str, object]) -> bytes:
    return bytes(_CONTENTS.build({"method": method, "payload": payload}))


def open_envelope(data: bytes, count: int) -> bytes:
    """Return the body of an envelope; raise `ReadError` if it is not a valid one of `count` boards.

    At most as many bytes are decompressed as the envelope declares, and it may not declare more
    than `MOST_BYTES`.
    """
    try:
        envelope = _ENVELOPE.parse(data)
        if _checksum(envelope.contents, count) != envelope.checksum:
            raise ReadError(f"metadata: damaged, or not of {count} boards: the checksum is another")
        contents = _CONTENTS.parse(envelope.contents)
    except ConstructError as error:
        raise ReadError("metadata: the bytes end too early, or are of an unknown method") from error
    payload = contents.payload
    return payload.data if contents.method == _STORED else _expand(payload.data, payload.size)


def _expand(data: bytes, size: int) -> bytes:
    """Decompress exactly `size` bytes."""
    if size > MOST_BYTES:
        raise ReadError(f"metadata: {size} bytes are declared, at most {MOST_BYTES} are allowed")
    expander = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_filters(size))
    try:
        body = expander.decompress(data, size + 1)
    except lzma.LZMAError:
        raise ReadError("metadata: the compressed bytes are damaged") from None
    if len(body) != size or not expander.eof or expander.unused_data:
        raise ReadError(f"metadata: the compressed bytes are not the {size} declared")
    return body
