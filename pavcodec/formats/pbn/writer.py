"""PBN 2.1, the export format: boards to a stream of bytes.

Rule 1: the 15 mandatory tags come first, in the standard's order; then the other tags by name; then
        the auction and the play, each with its notes; then the other sections by name.
Rule 2: lines end in CRLF and hold at most 255 characters with it. Comments, auctions and plays are
        broken at a blank; a longer tag or table row stays whole, since the standard has no way to
        split it.
Rule 3: a deal starts with the dealer. Unknown values are `?`. Of two tags with the same name, only
        the first is written.
Rule 4: the `preface` of the context is in escape lines, `% …`, after those of the header.
Rule 5: the file is ISO-8859-1, as the standard says, and becomes UTF-8 if a character needs it or
        if text was read as UTF-8.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from pavcodec.boards.board import Board, Context, Tag
from pavcodec.cards import HAND_SIZE, Seat
from pavcodec.files.text import NO_TEXT, decode
from pavcodec.formats.pbn.reader import NEVER_INHERITED
from pavcodec.layout.layout import describe_sizes

# The encoding of written PBN: ISO-8859-1, or UTF-8 where needed, and lines that name it.
#
# Rule 1: a file starts as ISO-8859-1, as the standard says. It becomes UTF-8 for a character that
#         ISO-8859-1 lacks, for text that was read as UTF-8, for text whose bytes a reader would
#         decode in another encoding, and for a line such as
#         `% Content-type: text/x-pbn; charset=UTF-8`.
# Rule 2: a change of encoding recodes the written part if the stream is seekable. If not, the file
#         can still become UTF-8 as long as its text is ASCII.
# Rule 3: a line that names another charset than that of the file is corrected.


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
        charsets = [charset[2] for charset in _CHARSET.finditer(text)] if "%" in text else []
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

        def named(charset: re.Match[str]) -> str:
            return charset[1] + (charset[2] if others.fullmatch(charset[2]) else name)

        return _CHARSET.sub(named, text)


def _reads_back(text: str, encoding: str) -> bool:
    """Return whether a reader decodes the bytes of a text in this encoding to the same text."""
    try:
        return text.isascii() or decode(text.encode(encoding)) == text
    except UnicodeEncodeError:
        return False


MANDATORY_TAGS = (
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable",
    "Deal", "Scoring", "Declarer", "Contract", "Result",
)  # fmt: skip

ENCODINGS = ("iso-8859-1", "utf-8")
"""The encodings of written PBN: that of the standard, and that of most programs."""

SEPARATOR = "\r\n"
"""The separator between two boards."""

_HEADER = "% PBN 2.1\r\n% EXPORT\r\n"
_UNKNOWN = {name: Tag(name, "?") for name in MANDATORY_TAGS}
_STREAMS = ("Auction", "Play")
_LONGEST = 253  # characters of a line, its end not counted
_CONTROLS = dict.fromkeys(range(32), "?") | dict.fromkeys(map(ord, "\t\n\r"), " ")
_COMMENT = re.compile(r"\{[^}]*\}")
_NOT_IN_SECTION = re.compile(r"^[ \t]*(?:\[|$)|\r", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z0-9_]+")
_MAY_CHANGE = re.compile(r'["\\\x00-\x1f]')
_NEEDS_ESCAPE = re.compile(r'"|\\(?=["\\]|$)')


def write_pbn(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write boards in the PBN export format; return how many. Unfit boards are problems."""
    writer = PbnWriter(stream, context)
    for board in boards:
        writer.write(board)
    return writer.written


class PbnWriter:
    """Writes a header, and then boards one by one, in the PBN export format."""

    def __init__(self, stream: BinaryIO, context: Context) -> None:
        self.written = 0
        self._context = context
        self._out = EncodedStream(stream, context.encoding)
        self._out.write(_HEADER + "".join(f"{line}\r\n" for line in _said_before(context.preface)))

    @property
    def encoding(self) -> str:
        """The encoding of the file so far."""
        return self._out.encoding

    def write(self, board: Board) -> None:
        """Write a board; one that cannot be written is a problem."""
        reason = not_pbn(board)
        if reason is None:
            try:
                text = (SEPARATOR if self.written else "") + format_board(board)
                self._out.write(text, as_utf8=board.is_utf8)
                self.written += 1
            except UnicodeEncodeError as error:
                character = error.object[error.start]
                reason = f"{character!r} is not in {self.encoding}; choose the encoding utf-8"
        if reason is not None:
            self._context.problem(board.line, reason, board.tags.get("Board"))

    def write_formatted(self, data: memoryview, boards: int) -> None:
        """Write boards that are formatted and encoded already, each with the separator before it.

        If they are not all ASCII, a board of the same batch was written before.
        """
        if boards:
            self._out.write_bytes(data[0 if self.written else len(SEPARATOR) :])
            self.written += boards


def _said_before(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines as escape lines, long ones broken at blanks."""
    for line in lines:
        yield from textwrap.wrap(
            line,
            _LONGEST,
            initial_indent="% ",
            subsequent_indent="%   ",
            break_on_hyphens=False,
        )


def not_pbn(board: Board) -> str | None:
    """Return why PBN cannot hold a board; None if it can."""
    if board.layout is not None and max(board.layout.sizes) > HAND_SIZE:
        sizes = describe_sizes(board.layout)
        return f"in PBN a hand has at most {HAND_SIZE} cards; {sizes}: '{board.layout}'"
    for tag in board.entries:
        if tag.name and not _NAME.fullmatch(tag.name):
            return f"a tag is named with letters, digits and _, not {tag.name!r}"
        if tag.name not in NEVER_INHERITED and (tag.value == "#" or tag.value.startswith("##")):
            return f"the value {tag.value!r} of {tag.name} would mean inheritance in PBN"
        if tag.lines and _NOT_IN_SECTION.search(_COMMENT.sub("{}", "\n".join(tag.lines))):
            return f"a line after {tag.name or 'the start'} is blank, or would begin a tag in PBN"
    return None


def format_board(board: Board) -> str:
    """Return one board in the PBN export format, with its line ends.

    >>> from pavcodec import numbering
    >>> text = format_board(Board.make(numbering("deal")[1], number=2))
    >>> print(text.splitlines()[8:11])  # doctest: +NORMALIZE_WHITESPACE
    ['[Dealer "E"]', '[Vulnerable "NS"]',
     '[Deal "E:.AKQJT98765432.. ..AKQJT9876543.A ..2.KQJT98765432 AKQJT98765432..."]']
    """
    lines: list[str] = []
    for tag in _in_export_order(board):
        if tag.name:
            lines.append(f'[{tag.name} "{_escape(tag.value)}"]')
        if tag.lines:
            lines.extend(_format_lines(tag))
    return "".join(f"{line}\r\n" for line in lines)


def _escape(value: str) -> str:
    """Escape quotes, and only those backslashes that would be read as an escape.

    A string has no tabs and no line ends; each becomes a blank. Other control characters become
    question marks, so that a text that is unreadable because of them stays unreadable.
    """
    if not _MAY_CHANGE.search(value):
        return value
    return _NEEDS_ESCAPE.sub(r"\\\g<0>", value.translate(_CONTROLS))


def _in_export_order(board: Board) -> Iterator[Tag]:
    """Yield the tags of a board in the order of the export format."""
    lead, first, notes = _sorted_out(board)
    if lead:
        yield lead
    for name in MANDATORY_TAGS:
        tag = first.pop(name, None) or _UNKNOWN[name]
        value = _mandatory_value(board, tag)
        yield tag if value == tag.value else Tag(name, value, tag.lines)
    streams = [first.pop(name) for name in _STREAMS if name in first]
    sections = []
    for tag in sorted(first.values(), key=lambda tag: tag.name):
        if _is_section(tag):
            sections.append(tag)
        else:
            yield tag
    for stream in streams:
        yield stream
        yield from notes.pop(stream.name, ())
    for orphans in notes.values():
        yield from orphans
    yield from sections


def _sorted_out(board: Board) -> tuple[Tag | None, dict[str, Tag], dict[str, list[Tag]]]:
    """Return the text before the tags, the first tag of each name, the notes of each section."""
    lead = None
    first: dict[str, Tag] = {}
    notes: dict[str, list[Tag]] = {}
    section = ""
    for tag in board.entries:
        if tag.name == "Note":
            notes.setdefault(section, []).append(tag)
            continue
        if tag.name in _STREAMS:
            section = tag.name
        if not tag.name:
            lead = tag
        else:
            first.setdefault(tag.name, tag)
    return lead, first, notes


def _is_section(tag: Tag) -> bool:
    """Return whether a tag has data, and not only comments."""
    body = "\n".join(tag.lines)
    return bool(body) and bool(
        re.sub(r"\{[^}]*\}|;[^\n]*|^%[^\n]*", "", body, flags=re.MULTILINE).strip()
    )


def _mandatory_value(board: Board, tag: Tag) -> str:
    """Return the canonical value of a mandatory tag; an unreadable value stays unchanged."""
    unknown = tag.value in ("", "?")
    if tag.name == "Deal":
        if board.layout is None:
            return "" if unknown else tag.value
        return board.layout.to_pbn(first=board.dealer or Seat.NORTH)
    if tag.name == "Dealer" and board.dealer is not None:
        return board.dealer.letter
    if tag.name == "Vulnerable" and board.vulnerable is not None:
        return board.vulnerable.value
    return tag.value


def _format_lines(tag: Tag) -> Iterator[str]:
    """Yield the lines after a tag, with tabs expanded and long lines broken if allowed.

    Characters that no text contains become question marks, as in values.
    """
    in_comment, marks = False, dict.fromkeys(NO_TEXT, "?")
    for line in (line.expandtabs().translate(marks) for line in tag.lines):
        breakable = in_comment or line.startswith("{") or (tag.name in _STREAMS and ";" not in line)
        if breakable and len(line) > _LONGEST and not line.startswith("%"):
            yield from _break_line(line)
        else:
            yield line
        if "{" in line or "}" in line:
            in_comment = line.rfind("{") > line.rfind("}")


def _break_line(line: str) -> Iterator[str]:
    """Break a line at blanks; a part that would start as an escape line gets a blank before it."""
    parts = textwrap.wrap(line, _LONGEST - 1, break_long_words=False, break_on_hyphens=False)
    for position, part in enumerate(parts):
        yield f" {part}" if position and part.startswith("%") else part
