"""The encoding of written PBN: ISO-8859-1, or UTF-8 where needed, and lines that name it.

Rule 1: a file starts as ISO-8859-1, as the standard says. It becomes UTF-8 for a character that
        ISO-8859-1 lacks, for text that was read as UTF-8, for text whose bytes a reader would
        decode in another encoding, and for a line such as
        `% Content-type: text/x-pbn; charset=UTF-8`.
Rule 2: a change of encoding recodes the written part if the stream is seekable. If not, the file
        can still become UTF-8 as long as its text is ASCII.
Rule 3: a line that names another charset than that of the file is corrected.
"""

from __future__ import annotations

import re
from typing import BinaryIO

from pavcodec.files.text import decode

__all__ = ["EncodedStream"]

_CHARSET = re.compile(r"^(%[^\n]*?\bcharset *= *[\"']?)([\w.:+-]+)", re.MULTILINE | re.IGNORECASE)
_UNICODE = re.compile(r"utf|ucs|unicode", re.IGNORECASE)
_NAMES = {
    "utf-8": ("UTF-8", re.compile(r"utf-?8", re.IGNORECASE)),
    "iso-8859-1": (
        "ISO-8859-1",
        re.compile(r"iso[-_]?8859-1|latin-?1|(windows-|cp)1252", re.IGNORECASE),
    ),
}
"""The names of an encoding in a charset line; the first is written."""


class EncodedStream:
    """Writes text in a given encoding, or in one chosen by the text."""

    def __init__(self, stream: BinaryIO, encoding: str | None) -> None:
        self._stream = stream
        self._may_go_back = stream.seekable() and stream.readable()
        self._start = stream.tell() if self._may_go_back else 0
        self.encoding = encoding or "iso-8859-1"
        self._may_widen = encoding is None
        self._only_ascii = True
        self._has_charset = False

    def write(self, text: str, *, as_utf8: bool = False) -> None:
        """Write text; raise `UnicodeEncodeError` where a fixed encoding cannot hold it.

        `as_utf8` requests UTF-8 if the text is not ASCII.
        """
        charsets = [found[2] for found in _CHARSET.finditer(text)] if "%" in text else []
        if self._may_widen and (
            (as_utf8 and not text.isascii())
            or not _reads_back(text, self.encoding)
            or any(map(_UNICODE.match, charsets))
            or (charsets and not self._may_go_back)
        ):
            self._widen()
        if charsets:
            text = self._with_charset(text)
            self._has_charset = True
        data = text.encode(self.encoding)
        self._only_ascii = self._only_ascii and text.isascii()
        self._stream.write(data)

    def write_bytes(self, data: memoryview) -> None:
        """Write text that is encoded already."""
        self._stream.write(data)

    def _widen(self) -> None:
        """Become UTF-8 if what was written allows it."""
        if self._may_go_back and (self._has_charset or not self._only_ascii):
            self._stream.seek(self._start)
            written = self._stream.read().decode(self.encoding)
            self.encoding = "utf-8"
            self._stream.seek(self._start)
            self._stream.write(self._with_charset(written).encode(self.encoding))
            self._stream.truncate()
        elif not self._only_ascii:
            return
        self.encoding = "utf-8"
        self._may_widen = False

    def _with_charset(self, text: str) -> str:
        """Return text whose charset lines name the encoding."""
        name, others = _NAMES[self.encoding]

        def named(found: re.Match[str]) -> str:
            return found[1] + (found[2] if others.fullmatch(found[2]) else name)

        return _CHARSET.sub(named, text)


def _reads_back(text: str, encoding: str) -> bool:
    """Return whether a reader decodes the bytes of a text in this encoding to the same text."""
    try:
        return text.isascii() or decode(text.encode(encoding)) == text
    except UnicodeEncodeError:
        return False
