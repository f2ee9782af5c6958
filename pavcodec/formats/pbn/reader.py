"""PBN 2.1, the import format: a stream of bytes to boards.

Rule 1: blank lines outside `{comments}` separate games; `pbn_games` finds them.
Rule 2: `tokenise` is the definition of a game: tags, each with the lines that follow it, and
        faults. `PbnReader.read_game` reports the faults and every deal, dealer or vulnerability
        that is unreadable.
Rule 3: a game that `_PLAIN_GAME` matches whole has nothing to report and nothing to inherit, so
        the reader parses only its deal; `_plain_tags` reads its tags when a caller needs them.
Rule 4: no part that can be read is lost: the reader reports a bad tag, and reads the rest of its
        game.

docs/formats/pbn.md lists the deviations of real files from the standard, and their meaning here.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import BinaryIO, NamedTuple

from pavcodec.boards.board import Board, Context, Tag, Vulnerability
from pavcodec.cards import HAND_SIZE, SEAT_LETTERS
from pavcodec.errors import TextError
from pavcodec.files.text import blocks, decode, first_control, unify_line_ends
from pavcodec.formats.plain.texts import shorten
from pavcodec.layout import Deal, Layout
from pavcodec.layout.layout import describe_sizes, layout_from_owners
from pavcodec.layout.notation import parse_owners

# The tokens of a game of PBN: tags, sections and comments, and every fault.


_DECLARATION = re.compile(r"%\s*(PBN\s*[\d.]+|EXPORT|IMPORT)\s*", re.IGNORECASE)
_TRAILER = re.compile(r"(Generated|Produced|Initial random seed|Time needed)\b")
_ESCAPED = re.compile(r'\\(["\\])')
_COMMENT = r"(?P<comment>  \{[^}]*\}  ) |"
_LEXEMES = r"""
      (?P<escape>   ^%[^\n]*                                                        )
    | (?P<tag>      \[\s* (?P<name>\w+) \s* "(?P<value>(?:[^"\\\n]|\\.)*)" \s*\]    )
    | (?P<rest>     ;[^\n]*                                                         )
    | (?P<string>   "(?:[^"\\\n]|\\.)*"                                             )
    | (?P<bracket>  \[                                                              )
    | (?P<data>     (?:[^\s\[{;"\\]|\\.) (?:[^\n\[{;"\\]|\\.)* | \S                 )
    """
FLAGS = re.MULTILINE | re.VERBOSE | re.ASCII
_TOKEN = re.compile(_COMMENT + _LEXEMES, FLAGS)
_TOKEN_OUTSIDE_COMMENTS = re.compile(_LEXEMES, FLAGS)


@dataclass(frozen=True, slots=True)
class Entry:
    """A tag found in the text of a game: where it starts, and what follows it."""

    name: str
    value: str
    start: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A place in the text of a game that is neither tag nor data of a tag."""

    start: int
    reason: str


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Yield the tokens of a game; a brace after the last closing one opens no comment."""
    position = 0
    last_brace = text.rfind("}")
    for pattern, last in ((_TOKEN, last_brace), (_TOKEN_OUTSIDE_COMMENTS, len(text))):
        for token in pattern.finditer(text, position):
            if token.start() > last:
                break
            yield token
            position = token.end()


def tokenise(text: str) -> Iterator[Entry | Fault]:
    """Split the text of a game into its tags, each with the lines that follow it, and its faults.

    The text before the first tag becomes a tag without a name. What follows a fault, up to the next
    tag, belongs to it and is left out.
    """
    name, value, start, end = "", "", 0, 0
    seen_tag = at_fault = False
    for token in _tokens(text):
        kind = token.lastgroup
        if kind == "tag":
            if not at_fault:
                yield from _entry(name, value, start, text[end : token.start()])
            seen_tag, at_fault = True, False
            name, value = token["name"], token["value"]
            if "\\" in value:
                value = _ESCAPED.sub(r"\1", value)
            start, end = token.span()
        elif _is_broken(token, text, end) or (
            kind in ("data", "string") and not seen_tag and not at_fault
        ):
            if not at_fault:
                yield from _entry(name, value, start, text[end : token.start()])
            at_fault = True
            line = text[token.start() : text.find("\n", token.start())].strip()
            if not _TRAILER.match(line):
                reason = f'expected a tag pair such as [Event "..."], not {shorten(line)}'
                yield Fault(token.start(), reason)
    if not at_fault:
        yield from _entry(name, value, start, text[end:])


def _is_broken(token: re.Match[str], text: str, end: int) -> bool:
    """Return whether a bracket at the start of a line, or after a tag, begins no tag."""
    if token.lastgroup != "bracket":
        return False
    before = token.start() - 1
    while before >= 0 and text[before] in " \t":
        before -= 1
    return before < end or text[before] == "\n"


def _entry(name: str, value: str, start: int, body: str) -> Iterator[Entry]:
    """Yield a tag with the lines of its body, unless both are empty."""
    if not body or body.isspace():
        if name:
            yield Entry(name, value, start, ())
        return
    lines = [line.rstrip(" \t") for line in body.split("\n")]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    if not name:
        lines = [line for line in lines if not _DECLARATION.fullmatch(line)]
    if name or lines:
        yield Entry(name, value, start, tuple(lines))


# Where the games of a PBN stream begin and end.
#
# A line that is empty or only blanks ends a game, unless it is inside a `{comment}`. A comment that
# is never closed must not hide the rest of the file: the reader reports it, and reads its lines as
# if the brace were absent.


COMMENT_LIMIT = 1 << 20
"""Characters after which a comment counts as never closed."""

_SNIFFED = 1 << 16  # bytes at the start that are checked first
_BINARY_SNIFFED = 1 << 10
_BLANK_LINES = re.compile(rb"\n(?:[ \t]*\n)+")
_PBN_MARK = re.compile(rb"[ \t]*</?PBN>[ \t]*", re.IGNORECASE)
_PBN_MARK_LINE = re.compile(rb"^[ \t]*</?PBN>[ \t]*$", re.IGNORECASE | re.MULTILINE)
_MAY_HOLD_BRACE = re.compile(
    r'^%[^\n]*|;[^\n]*|"(?:[^"\\\n]|\\.)*"|\\.|\{[^}]*\}|(?P<open>\{)', re.MULTILINE
)


class Game(NamedTuple):
    """The text of one game, and the line of the file at which it starts (from 1)."""

    line: int
    text: str


def games(stream: BinaryIO, context: Context) -> Iterator[Game]:
    """Yield the games between blank lines, with whole comments; report comments that stay open."""
    stretches, comments = Stretches(), Comments(context)
    for data in text_blocks(stream, context):
        stretches.add(data)
        while (stretch := stretches.next()) is not None:
            yield from comments.join(stretch)
    if (stretch := stretches.last()) is not None:
        yield from comments.join(stretch)
    yield from comments.end()


def games_of(data: bytes, line: int) -> Iterator[Game]:
    """Yield the games of text that starts at a line and has no open comments."""
    stretches = Stretches(unify_line_ends(data), line)
    yield from iter(stretches.next, None)
    if (last := stretches.last()) is not None:
        yield last


class Comments:
    """Joins stretches if a comment extends over blank lines."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._held: list[Game] = []  # a game so far, while a comment in it is open
        self._comment = _Comment(0, 0)

    @property
    def is_open(self) -> bool:
        """Whether a comment is open, so that the next stretch may be part of it."""
        return bool(self._held)

    def join(self, game: Game) -> Iterator[Game]:
        """Add the next stretch, and yield the games that are whole."""
        start = 0
        if self._held:
            start = game.text.find("}") + 1
            self._held.append(game)
            self._comment.size += len(game.text)
            if not start:
                if self._comment.size > COMMENT_LIMIT:
                    yield from self.end()
                return
        offset = _open_comment(game.text, start) if "{" in game.text else None
        if offset is not None:
            self._held = self._held or [game]
            line = game.line + game.text.count("\n", 0, offset)
            self._comment = _Comment(line, len(self._held), len(game.text) - offset)
        elif self._held:
            yield _join(self._held)
            self._held = []
        else:
            yield game

    def end(self) -> Iterator[Game]:
        """Report a comment that is open, and yield its lines as games."""
        held, self._held = self._held, []
        if held:
            line, stretches = self._comment.line, self._comment.stretches
            self._context.problem(line, "the comment opened by '{' here is not closed")
            yield _join(held[:stretches])
            yield from held[stretches:]


@dataclass(slots=True)
class _Comment:
    """A comment that is open: its line, the stretches with it and before it, its size so far."""

    line: int
    stretches: int
    size: int = 0


def _join(held: list[Game]) -> Game:
    """Join stretches, with the blank lines between them."""
    text = held[0].text
    line = held[0].line + text.count("\n")
    parts = [text]
    for game in held[1:]:
        parts.append("\n" * (game.line - line) + game.text)
        line = game.line + game.text.count("\n")
    return Game(held[0].line, "".join(parts))


def _open_comment(text: str, start: int) -> int | None:
    """Return the offset of a brace at or after `start` whose comment is not closed, or None."""
    opened = (match for match in _MAY_HOLD_BRACE.finditer(text, start) if match["open"])
    return next((match.start() for match in opened), None)


class Stretches:
    """The text between blank lines, each line with its end, from blocks of it."""

    def __init__(self, rest: bytes = b"\n", line: int = 0) -> None:
        self.line = line
        """The line of the file at which the rest begins; 0 before the newline put first."""
        self.rest = rest  # a newline, so that blank lines at the start are like any others
        self.start = 0
        """Where the next stretch begins in the rest."""
        self._scanned = 0  # there is no blank line before this offset
        self._is_unified = True

    def add(self, data: bytes) -> None:
        """Add the next block."""
        self._drop()
        self.rest += data
        self._is_unified = False

    def unify(self) -> None:
        """Make every line end a newline; needed before the next stretch if blocks are not."""
        if not self._is_unified:
            self._drop()
            self.rest = unify_line_ends(self.rest)
            self._is_unified = True

    def _drop(self) -> None:
        self.rest = self.rest[self.start :]
        self._scanned = max(0, self._scanned - self.start)
        self.start = 0

    def next(self) -> Game | None:
        """Return the next complete stretch, or None."""
        while blank := _BLANK_LINES.search(self.rest, max(self.start, self._scanned)):
            if blank.end() == len(self.rest):
                break  # more blank lines may follow in the next block
            start, line = self.start, self.line
            self.skip(blank.end(), self.rest.count(b"\n", start, blank.end()))
            if blank.start() > start:
                return _game(line, self.rest[start : blank.start() + 1])
        self._scanned = len(self.rest.rstrip(b" \t\n")) - 1
        return None

    def skip(self, start: int, lines: int) -> None:
        """Continue at a later offset, some lines below."""
        self.start = start
        self.line += lines

    def last(self) -> Game | None:
        """Return the rest at the end of the file as a game, or None if it is blank."""
        last = _game(self.line, self.rest[self.start :].rstrip(b"\x1a \t\n") + b"\n")
        return last if last.text.strip() else None


def _game(line: int, data: bytes) -> Game:
    """Decode a stretch; the newline put before line 1 is no part of it."""
    return Game(1, decode(data[1:])) if line == 0 else Game(line, decode(data))


def text_blocks(stream: BinaryIO, context: Context, *, unified: bool = True) -> Iterator[bytes]:
    """Yield the blocks of the PBN text; a file that is no text is one problem.

    Without `unified`, line ends after the first block stay unchanged.
    """
    source = blocks(stream, unified=unified)
    first = b""
    for data in source:
        first += data if unified else unify_line_ends(data)
        if len(first) >= _SNIFFED:
            break
    offset = first_control(first[:_BINARY_SNIFFED])
    if offset is not None:
        context.problem(
            first.count(b"\n", 0, offset) + 1,
            f"byte 0x{first[offset]:02x} at offset {offset}: this is no text, expected PBN "
            'tag pairs such as [Deal "N:..."]',
        )
        return
    if _PBN_MARK_LINE.search(first, 0, _SNIFFED):
        yield from _embedded(first, map(unify_line_ends, source))
    else:
        yield first
        yield from source


def _embedded(first: bytes, source: Iterable[bytes]) -> Iterator[bytes]:
    """Blank every line outside `<PBN>` … `</PBN>`, so that line numbers stay."""
    inside = False
    rest = first
    for data in source:
        *whole, rest = rest.split(b"\n")
        kept, inside = _kept_lines(whole, inside=inside)
        yield kept
        rest += data
    yield _kept_lines(rest.split(b"\n"), inside=inside)[0]


def _kept_lines(lines: list[bytes], *, inside: bool) -> tuple[bytes, bool]:
    kept = []
    for line in lines:
        mark = _PBN_MARK.fullmatch(line)
        if mark:
            inside = b"/" not in line
        kept.append(line + b"\n" if inside and not mark else b"\n")
    return b"".join(kept), inside


NEVER_INHERITED = {
    "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play", "Note",
}  # fmt: skip
_OF_A_BOARD = {
    "Date", "Event", "Site", "Stage", "Scoring", "HomeTeam", "VisitTeam", "Board", "Dealer",
    "Vulnerable", "Deal",
}  # fmt: skip
"""Tags that Pavlicek's files give once for all records of a board."""
STANDING_LIMIT = 256
"""The most tags with `##` in force; a limit, since each is added to each later game."""

_UNKNOWN = {"", "?"}
_PAVLICEK = re.compile(r"%\s*PBN\b.*\brpbridge\b.*", re.IGNORECASE)


_PLAIN_LINE = r"""
    (?: \[(?!Deal[ ]|Dealer[ ]|Vulnerable[ ])[A-Za-z0-9_]+[ ]"(?!\#)[^"\n]*(?<!\\)"\]\n
      | \[Dealer[ ]"[NESW?]?"\]\n
      | \[Vulnerable[ ]"(?:None|Love|-|NS|EW|All|Both|\?)?"\]\n
      | [ \t]*[^\s\[\]{};"%][^\[\]{};"\n]*\n
    )"""
_PLAIN_GAME = re.compile(
    rf"""(?=\[) {_PLAIN_LINE}*+ (?:\[Deal[ ]"([^"\\\n]*)"\]\n {_PLAIN_LINE}*+)?""",
    re.VERBOSE,
)


def read_pbn(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of a PBN stream; report problems and continue."""
    reader = PbnReader(context)
    last = None
    try:
        for board in reader.read(games(stream, context)):
            if last is not None:
                yield last
            last = board
    except Exception:  # a problem may stop the reading, but the boards so far are not lost
        if last is not None:
            yield last
        raise
    if last is not None:
        yield _with_lines(last, reader.lead) if reader.lead else last


def _plain_tags(text: str) -> tuple[Tag, ...]:
    """Read the tags of a game that `_PLAIN_GAME` matched: each line is a tag or data of one."""
    tags: list[Tag] = []
    lines: list[str] = []
    for line in text.split("\n"):
        if line[:1] == "[":
            if lines:
                tags[-1] = Tag(tags[-1].name, tags[-1].value, tuple(lines))
                lines = []
            name, value = line[1:-2].split(' "', 1)
            tags.append(Tag(name, _ESCAPED.sub(r"\1", value) if "\\" in value else value))
        elif line:
            lines.append(line.rstrip(" \t"))
    if lines:
        tags[-1] = Tag(tags[-1].name, tags[-1].value, tuple(lines))
    return tuple(tags)


class PbnReader:
    """Reads game after game; remembers what the games that follow inherit."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._standing: dict[str, Tag] = {}
        self._previous: Board | None = None
        self._has_records = False  # several for each board, as Pavlicek's files have them
        self.lead: tuple[str, ...] = ()  # comments outside games, for the game after them

    @property
    def has_to_give(self) -> bool:
        """Whether the next game inherits tags although it has no `#`."""
        return bool(self._standing or self.lead or self._has_records)

    def remember(self, text: str) -> None:
        """Set the game before the next game: a plain game that another reader has read."""
        self._previous = Board(None, parse=lambda: _plain_tags(text))

    def read(self, games: Iterable[Game]) -> Iterator[Board]:
        """Yield the boards of the games; plain games are read the fast way."""
        for game in games:
            plain = None if self.has_to_give else _PLAIN_GAME.fullmatch(game.text)
            if plain is None:
                yield from self.read_game(game)
            else:
                yield self.read_plain(game, plain)

    def read_plain(self, game: Game, plain: re.Match[str]) -> Board:
        """Read a game without faults: the deal now, the tags when a caller needs them."""
        text = game.text
        deal, offset = plain[1], max(0, plain.start(1))
        layout = self._layout(game, deal, offset) if deal else None
        line = game.line + text.count("\n", 0, offset)
        self._previous = board = Board(layout, line=line, parse=lambda: _plain_tags(text))
        return board

    def read_game(self, game: Game) -> Iterator[Board]:
        """Read one stretch of text by the definition; several deals in it are several boards."""
        entries = []
        for entry in tokenise(game.text):
            if isinstance(entry, Fault):
                self._problem(game, entry.start, entry.reason)
            else:
                entries.append(entry)
        lines = entries.pop(0).lines if entries and not entries[0].name else ()
        self.lead += lines
        if not self._context.strict and any(map(_PAVLICEK.match, lines)):
            self._has_records = True
        for part in _split_at_deals(entries) if entries else ():
            self._previous = self._board(game, [self._inherit(game, entry) for entry in part])
            yield self._previous

    def _board(self, game: Game, entries: list[Entry]) -> Board:
        """Make the board of its own tags, and add the tags in force."""
        layout = self._check(game, entries)
        carried = self._carried(entries)
        if carried and self._previous is not None:
            layout = self._previous.layout
        at = next((entry.start for entry in entries if entry.name == "Deal"), entries[0].start)
        line = _line_at(game, at)
        lead = [Tag("", "", self.lead)] if self.lead else []
        self.lead = ()
        own = (Tag(entry.name, entry.value, entry.lines) for entry in entries)
        tags, standing = (*lead, *carried, *own), tuple(self._standing.values())
        if not standing:
            return Board(layout, tags, line=line)
        return Board(layout, line=line, parse=lambda: _merge(tags, standing))

    def _carried(self, entries: list[Entry]) -> tuple[Tag, ...]:
        """Return the tags, with the deal, that a further record of the previous board inherits."""
        names = {entry.name for entry in entries}
        if not self._has_records or self._previous is None or names & {"Board", "Deal"}:
            return ()
        before = self._previous.tags.items()
        return tuple(Tag(*tag) for tag in before if tag[0] in _OF_A_BOARD - names)

    def _problem(self, game: Game, offset: int, reason: str) -> None:
        self._context.problem(_line_at(game, offset), reason, _board_at(game.text, offset))

    def _inherit(self, game: Game, entry: Entry) -> Entry:
        """Resolve `#` (as in the game before) and `##value` (here and in the games that follow)."""
        name, value = entry.name, entry.value
        if name in NEVER_INHERITED or not (value.startswith("#") or self._standing):
            return entry
        if value.startswith("##"):
            self._stand(game, entry, value[2:])
            return Entry(name, value[2:], entry.start, entry.lines)
        self._standing.pop(name, None)
        if value == "#":
            value = self._previous.tags.get(name, "") if self._previous else ""
            entry = Entry(name, value, entry.start, entry.lines)
            is_missing = self._previous is not None and name not in self._previous.tags
            if is_missing or (self._previous is None and self._context.strict):
                reason = f'[{name} "#"] takes the value of the game before, which has none'
                self._problem(game, entry.start, reason)
        return entry

    def _stand(self, game: Game, entry: Entry, value: str) -> None:
        """Store a tag that later games inherit."""
        if len(self._standing) >= STANDING_LIMIT and entry.name not in self._standing:
            reason = f"more than {STANDING_LIMIT} tags stand with '##': [{entry.name}] does not"
            self._problem(game, entry.start, reason)
            return
        self._standing[entry.name] = Tag(entry.name, value)

    def _check(self, game: Game, entries: list[Entry]) -> Layout | None:
        """Read the deal of a game; report an invalid dealer or vulnerability."""
        layout = None
        seen = set()
        for entry in entries:
            name, value = entry.name, entry.value
            if name in seen or value in _UNKNOWN:
                continue
            seen.add(name)
            if name == "Deal":
                layout = self._layout(game, value, entry.start)
            elif name == "Dealer" and self._said(value) not in tuple(SEAT_LETTERS):
                self._problem(game, entry.start, f"dealer {shorten(value)} is not one of N E S W")
            elif name == "Vulnerable" and (
                Vulnerability.parse(self._said(value)) is None
                or (self._context.strict and value in ("N-S", "E-W"))  # no words of the standard
            ):
                reason = f"vulnerability {shorten(value)} is not one of None NS EW All"
                self._problem(game, entry.start, reason)
        return layout

    def _said(self, value: str) -> str:
        """Return a value without the blanks around it, unless reading is strict."""
        return value if self._context.strict else value.strip()

    def _layout(self, game: Game, deal: str, offset: int) -> Layout | None:
        """Return the layout of a deal text; report a wrong text and return None."""
        if deal in _UNKNOWN:
            return None
        try:
            owners = parse_owners(deal, lenient=not self._context.strict)
        except TextError as error:
            self._problem(game, offset, f"{error.message}: {shorten(deal)}")
            return None
        layout = layout_from_owners(owners)
        if not isinstance(layout, Deal) and max(layout.sizes) > HAND_SIZE:
            reason = (
                f"a hand has at most {HAND_SIZE} cards; {describe_sizes(layout)}: {shorten(deal)}"
            )
            self._problem(game, offset, reason)
            return None
        return layout


@lru_cache(maxsize=1)  # successive calls are for one game
def _line_ends(text: str) -> list[int]:
    return [end.start() for end in re.finditer("\n", text)]


def _line_at(game: Game, offset: int) -> int:
    return game.line + bisect_left(_line_ends(game.text), offset)


@lru_cache(maxsize=1)
def _board_tags(text: str) -> tuple[tuple[int, str], ...]:
    """Return the offsets of the Board tags of a game, and their values."""
    return tuple(
        (entry.start, entry.value)
        for entry in tokenise(text)
        if isinstance(entry, Entry) and entry.name == "Board" and entry.value not in _UNKNOWN
    )


def _board_at(text: str, offset: int) -> str | None:
    """Return the value of the Board tag before an offset, else of the first Board tag."""
    tags = _board_tags(text)
    count = bisect_right(tags, offset, key=lambda tag: tag[0])
    return tags[max(0, count - 1)][1] if tags else None


def _merge(tags: tuple[Tag, ...], standing: tuple[Tag, ...]) -> tuple[Tag, ...]:
    """Add the tags in force that a game does not have itself."""
    names = {tag.name for tag in tags}
    return (*tags, *(tag for tag in standing if tag.name not in names))


def _with_lines(board: Board, lines: tuple[str, ...]) -> Board:
    """Return a board with more lines after its last tag: comments at the end of a file."""
    *others, last = board.entries
    longer = replace(last, lines=(*last.lines, *lines))
    return Board(board.layout, (*others, longer), line=board.line)


def _split_at_deals(entries: list[Entry]) -> Iterator[list[Entry]]:
    """Split a text in which a second deal shows that a blank line is missing between two games.

    The second game starts at the first repeated tag after the deal, such as Event or Board.
    """
    part: list[Entry] = []
    for entry in entries:
        if entry.name == "Deal" and any(other.name == "Deal" for other in part):
            cut = _first_repeated(part)
            yield part[:cut]
            part = part[cut:]
        part.append(entry)
    yield part


def _first_repeated(entries: list[Entry]) -> int:
    """Return the position of the first tag after the deal that came before it already."""
    seen: set[str] = set()
    for position, entry in enumerate(entries):
        if "Deal" in seen and entry.name in seen and entry.name != "Note":
            return position
        seen.add(entry.name)
    return len(entries)
