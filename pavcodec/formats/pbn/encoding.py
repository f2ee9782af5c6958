"""Bytes of PBN: ISO-8859-1, or UTF-8 where that is needed, and lines that say which it is.

Rule 1: a file starts as ISO-8859-1, as the standard says. It becomes UTF-8 for a character that
        ISO-8859-1 lacks, for text that came as UTF-8, for text whose bytes would be taken for
        another encoding, and where a line such as `% Content-type: text/x-pbn; charset=UTF-8` says
        so.
Rule 2: what was written so far is recoded if the stream can go back. If not, the file can still
        become UTF-8 as long as only ASCII was written.
Rule 3: a line that names another charset than that of the file is put right.
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
"""What a charset line calls an encoding, and what else it may call it."""


class EncodedStream:
    """A byte stream of text that chooses its encoding by what is written, unless that is given."""

    def __init__(self, stream: BinaryIO, encoding: str | None) -> None:
        self._stream = stream
        self._may_go_back = stream.seekable() and stream.readable()
        self._start = stream.tell() if self._may_go_back else 0
        self.encoding = encoding or "iso-8859-1"
        self._may_widen = encoding is None
        self._only_ascii = True
        self._has_charset = False

    def write(self, text: str, *, as_utf8: bool = False) -> None:
        """Write text; raise UnicodeEncodeError where the encoding is settled and cannot hold it.

        `as_utf8` asks for UTF-8 if the text is not ASCII.
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
    """Tell whether a text in this encoding is read as the same text."""
    try:
        return text.isascii() or decode(text.encode(encoding)) == text
    except UnicodeEncodeError:
        return False
