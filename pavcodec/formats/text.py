"""Text files as they come: any line end, any common encoding, in blocks of bounded size."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import BinaryIO

__all__ = ["blocks", "decode", "first_control", "lines"]

BLOCK = 1 << 20
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f]")  # 0x1a ended text files, 0x1b is an escape


def blocks(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of a text stream as UTF-8 or as they are, every line end as a newline.

    A UTF-8 mark at the start is dropped, and UTF-16 (known by its mark) is recoded.
    """
    data = stream.read(BLOCK)
    recode = None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        recode = codecs.getincrementaldecoder("utf-16")("replace")
    elif data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
    held = b""
    while data or held:
        more = stream.read(BLOCK)
        if recode is not None:
            data = recode.decode(data, final=not more).encode("utf-8", "replace")
        data = held + data
        held = b""
        if more and data.endswith(b"\r"):  # the other half of a CRLF may come next
            data, held = data[:-1], b"\r"
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        yield data
        data = more


def decode(data: bytes) -> str:
    """Decode UTF-8; what is not UTF-8 is Windows-1252 or, where that has gaps, ISO-8859-1.

    >>> decode("Dvořák".encode()), decode("Liège".encode("latin-1"))
    ('Dvořák', 'Liège')
    """
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("iso-8859-1")


def first_control(data: bytes) -> int | None:
    """Return the offset of the first byte that no text has, such as 0; None in a text."""
    found = _CONTROL.search(data)
    return found.start() if found else None


def lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yield (line number from 1, line without its end) of a text stream."""
    number = 0
    held = b""
    for data in blocks(stream):
        *whole, held = (held + data).split(b"\n")
        for line in whole:
            number += 1
            yield number, decode(line)
    if held:
        yield number + 1, decode(held)
