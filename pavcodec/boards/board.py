"""Boards: a layout with dealer, vulnerability, number and any other tags.

A board stores everything but the cards as PBN tags, in the order of the file. So a format can keep
tags that no other part of pavcodec uses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from operator import index
from types import MappingProxyType
from typing import Protocol, SupportsIndex

from pavcodec.boards.tricks import (
    NOT_SOLVED,
    RESULT_TABLE,
    RESULT_TABLE_COLUMNS,
    TRICK_TAGS,
    find_results,
    find_tricks,
    format_result_table,
    format_results,
)
from pavcodec.cards import SEAT_LETTERS, STRAIN_SIGNS, Seat, Strain
from pavcodec.errors import NumberError, PavError, ReadError, UnknownNameError, check_text, shown
from pavcodec.layout import Layout, TrickTable
from pavcodec.layout.drawings import Caption

# The number of a board, and the dealer and the vulnerability that follow from it.


_MOST = 1 << 1000


class Vulnerability(Enum):
    """The vulnerable sides; the value is the word of the PBN export format."""

    NONE = "None"
    NS = "NS"
    EW = "EW"
    ALL = "All"

    @classmethod
    def parse(cls, text: str) -> Vulnerability | None:
        """Return the vulnerability of a PBN word (`None Love - NS EW All Both`), or None.

        `N-S` and `E-W`, which some programs write, are accepted too.

        >>> Vulnerability.parse("Both"), Vulnerability.parse("?")
        (<Vulnerability.ALL: 'All'>, None)
        """
        check_text("a vulnerability to parse", text)
        return _VULNERABILITY_WORDS.get(text)

    @classmethod
    def of(cls, vulnerable: Vulnerability | str) -> Vulnerability:
        """Return a vulnerability unchanged, or the vulnerability of a PBN word in any case.

        Raises `UnknownNameError` for another text, and `TypeError` for another type.

        >>> Vulnerability("ns"), Vulnerability.of("none")
        (<Vulnerability.NS: 'NS'>, <Vulnerability.NONE: 'None'>)
        """
        if isinstance(vulnerable, cls):
            return vulnerable
        check_text("a vulnerability", vulnerable)
        member = _WORDS_IN_CAPITALS.get(str(vulnerable).strip().upper())
        if member is None:
            raise UnknownNameError(
                f"no vulnerability is called {vulnerable!r}; expected None, NS, EW or All"
            )
        return member

    @classmethod
    def _missing_(cls, value: object) -> Vulnerability:
        return cls.of(value)  # type: ignore[arg-type] # other types raise TypeError

    @classmethod
    def of_board(cls, number: int) -> Vulnerability:
        """Return the vulnerability that tournaments give to a board number, in cycles of 16.

        >>> [Vulnerability.of_board(n).value for n in (1, 2, 3, 4, 5, 16)]
        ['None', 'NS', 'EW', 'All', 'NS', 'EW']
        """
        number = board_number(number)
        return _CYCLE[(number - 1 + (number - 1) // 4) % 4]

    @property
    def seats(self) -> frozenset[Seat]:
        """The vulnerable players.

        >>> sorted(Vulnerability.EW.seats)
        [<Seat.EAST: 1>, <Seat.WEST: 3>]
        """
        return _VULNERABLE[self]


_CYCLE = tuple(Vulnerability)
_VULNERABLE = {
    Vulnerability.NONE: frozenset[Seat](),
    Vulnerability.NS: frozenset({Seat.NORTH, Seat.SOUTH}),
    Vulnerability.EW: frozenset({Seat.EAST, Seat.WEST}),
    Vulnerability.ALL: frozenset(Seat),
}
_VULNERABILITY_WORDS = {v.value: v for v in Vulnerability} | {
    "Love": Vulnerability.NONE,
    "-": Vulnerability.NONE,
    "Both": Vulnerability.ALL,
    "N-S": Vulnerability.NS,
    "E-W": Vulnerability.EW,
}
_WORDS_IN_CAPITALS = {word.upper(): member for word, member in _VULNERABILITY_WORDS.items()}


def dealer_of_board(number: int) -> Seat:
    """Return the dealer that tournaments give to a board number, in cycles of 4.

    >>> [dealer_of_board(n).letter for n in (1, 2, 3, 4, 5)]
    ['N', 'E', 'S', 'W', 'N']
    """
    return Seat((number - 1) % len(Seat))


def board_number(number: SupportsIndex) -> int:
    """Return the number of a board as an integer."""
    try:
        whole = index(number)
    except TypeError:
        raise TypeError(f"a board number is an integer, not {type(number).__name__!r}") from None
    if whole < 1:
        raise NumberError(f"a board number is 1 or more, not {shown(whole)}")
    if whole >= _MOST:
        raise NumberError(f"a board number has at most 1000 bits, not {shown(whole)}")
    return whole


# The options of reading and writing, and the functions that receive problems and losses.


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that could not be read or written: where, and why.

    >>> print(Problem("event.pbn", 12, "tag pair without a value: '[Event]'", "3"))
    event.pbn:12: board 3: tag pair without a value: '[Event]'
    """

    source: str
    line: int | None
    reason: str
    board: str | None = None

    def __str__(self) -> str:
        where = self.source if self.line is None else f"{self.source}:{self.line}"
        board = f"board {self.board}: " if self.board else ""
        return f"{where}: {board}{self.reason}"


class Ranks(Protocol):
    """The part of a numbering that the formats of numbers need."""

    def rank(self, layout: Layout) -> int:
        """Return the number of a layout."""

    def unrank(self, number: SupportsIndex) -> Layout:
        """Return the layout of a number."""

    def index(self, layout: Layout) -> int:
        """Return the number of a layout, counted from 0."""

    def __getitem__(self, position: int) -> Layout:
        """Return the layout of a number, counted from 0."""


def raise_problem(problem: Problem) -> None:
    """Stop at a problem: raise it as a `ReadError`."""
    raise ReadError(str(problem))


def _disregard(_fact: object) -> None:
    """Ignore a count or a note."""


@dataclass(frozen=True, slots=True)
class Context:
    """The options of reading or writing one stream; `source` is the name of the input in messages.

    Readers and writers call `report` with each problem, and continue when it returns; the default
    raises `ReadError`. A `strict` reader refuses known deviations from a standard. Writers call
    `differ` for each board whose `number`, `dealer` or `vulnerability` changes, because the format
    derives it. `preface` are lines for the start of a file, where its format has a place for them.
    `title` is the title of written pages. Writers call `note` once for each kind of change in what
    they write; a note is no problem.
    """

    source: str
    report: Callable[[Problem], None] = raise_problem
    strict: bool = False
    numbering: Ranks | None = None
    encoding: str | None = None
    differ: Callable[[str], None] = _disregard
    preface: tuple[str, ...] = ()
    note: Callable[[str], None] = _disregard
    title: str = ""

    def problem(self, line: int | None, reason: str, board: str | None = None) -> None:
        """Report a problem at a line, or in the stream as a whole."""
        self.report(Problem(self.source, line, reason, board))


_BOARD_NUMBER = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag of a board: its name, its value, and the lines that follow it in the file.

    `lines` are the data of a section (auction, play, a table) and comments, unchanged.
    """

    name: str
    value: str
    lines: tuple[str, ...] = ()


class Board:
    """An immutable layout with its tags.

    `entries` are the tags in order. Of two tags with the same name, `tags` and the properties use
    the first, as the PBN standard says.

    >>> from pavcodec import Deal, numbering
    >>> board = Board.make(numbering("deal")[0], number=7, tags={"Event": "Club night"})
    >>> board.number, board.dealer, board.vulnerable, board.tags["Event"]
    (7, <Seat.SOUTH: 2>, <Vulnerability.ALL: 'All'>, 'Club night')
    """

    __slots__ = ("_entries", "_layout", "_line", "_parse", "_tags", "_tricks", "is_utf8")

    def __init__(
        self,
        layout: Layout | None,
        entries: tuple[Tag, ...] = (),
        *,
        line: int | None = None,
        parse: Callable[[], tuple[Tag, ...]] | None = None,
    ) -> None:
        """Store a layout and its tags; `parse` makes the tags when a caller first reads them.

        Raises `TypeError` unless `layout` is a `Layout` or None and `entries` a tuple of `Tag`.
        """
        if layout is not None and not isinstance(layout, Layout):
            raise TypeError(
                f"a board has a Layout, not {type(layout).__name__!r}; texts go to Deal.from_pbn"
            )
        if not isinstance(entries, tuple) or (entries and not isinstance(entries[0], Tag)):
            raise TypeError(f"the entries of a board are a tuple of Tag, not {shown(entries)}")
        self._layout = layout
        self._entries = entries
        self._line = line
        self._parse = parse
        self._tags: Mapping[str, str] | None = None
        self._tricks: TrickTable | None = None
        self.is_utf8 = False
        """Whether its text was read as UTF-8; writers with a choice then write UTF-8."""

    @classmethod
    def solved(cls, layout: Layout | None, tricks: TrickTable) -> Board:
        """Return the board of a layout and its double-dummy tricks; its tag is made when needed."""
        _check_tricks(tricks)
        board = cls(layout, parse=lambda: (_tag_of(tricks),))
        board._tricks = tricks
        return board

    @property
    def layout(self) -> Layout | None:
        """The cards; None where the board has no readable deal."""
        return self._layout

    @property
    def line(self) -> int | None:
        """The line of the deal in its file; None for a board that was not read from text."""
        return self._line

    @classmethod
    def make(  # noqa: PLR0913 (the parts of a board, each by its name)
        cls,
        layout: Layout | None,
        *,
        number: SupportsIndex | None = None,
        dealer: Seat | int | str | None = None,
        vulnerable: Vulnerability | str | None = None,
        tags: Mapping[str, str] | None = None,
        tricks: TrickTable | None = None,
    ) -> Board:
        """Make a board from its parts; dealer and vulnerability follow the number if not given.

        `dealer` may be a letter or a name, and `vulnerable` a word such as `NS`. `tricks` replace
        any tags of double-dummy tricks. Raises `NumberError` for a number below 1,
        `UnknownNameError` for an unknown dealer or vulnerability, and `TypeError` for arguments of
        other types.

        >>> board = Board.make(None, number=3, dealer="W", vulnerable="All")
        >>> board.dealer, board.vulnerable
        (<Seat.WEST: 3>, <Vulnerability.ALL: 'All'>)
        """
        known = {
            "Board": None if number is None else str(board_number(number)),
            "Dealer": None if dealer is None else Seat.of(dealer).letter,
            "Vulnerable": None if vulnerable is None else Vulnerability.of(vulnerable).value,
        }
        entries = {name: value for name, value in known.items() if value is not None}
        entries.update({} if tags is None else _checked_tags(tags))
        board = cls(layout, tuple(Tag(name, value) for name, value in entries.items()))
        return board if tricks is None else board.with_tricks(tricks)

    def with_tags(self, tags: Mapping[str, str]) -> Board:
        """Return the board with other values of some tags; tags that it lacks are added at the end.

        >>> Board.make(None, number=1, tags={"Event": "Heat"}).with_tags({"Event": "Final"}).entries
        (Tag(name='Board', value='1', lines=()), Tag(name='Event', value='Final', lines=()))
        """
        rest = dict(_checked_tags(tags))
        entries = []
        for tag in self.entries:
            value = rest.pop(tag.name, None)
            entries.append(tag if value is None else Tag(tag.name, value, tag.lines))
        entries += [Tag(name, value) for name, value in rest.items()]
        return self._with_entries(entries)

    def with_tricks(self, tricks: TrickTable) -> Board:
        """Return the board with these double-dummy tricks instead of any tags of tricks.

        Raises `TypeError` for arguments of other types.
        """
        _check_tricks(tricks)
        others = [tag for tag in self.entries if tag.name not in TRICK_TAGS]
        return self._with_entries([*others, _tag_of(tricks)])

    def with_results(self, results: TrickTable | Mapping[tuple[Seat, Strain], int]) -> Board:
        """Return the board with the results of some contracts; itself if it has them or none.

        Other results replace any tags of tricks: a whole table, or a table of some contracts.

        >>> board = Board(None).with_results({(Seat.NORTH, Strain.SPADES): 9})
        >>> board.sections["OptimumResultTable"], board.tricks
        (('N  S  9',), None)
        """
        if isinstance(results, TrickTable):
            return self if self.tricks == results else self.with_tricks(results)
        if not isinstance(results, Mapping):
            raise TypeError(f"results are a TrickTable or a dict, not {type(results).__name__!r}")
        known = self.tricks
        if not results or (
            known is not None
            and all(known[contract] == taken for contract, taken in results.items())
        ):
            return self
        tag = Tag(RESULT_TABLE, RESULT_TABLE_COLUMNS, format_results(results))
        if tag in self.entries:
            return self
        return self._with_entries([t for t in self.entries if t.name not in TRICK_TAGS] + [tag])

    def _with_entries(self, entries: Iterable[Tag]) -> Board:
        board = type(self)(self.layout, tuple(entries), line=self.line)
        board.is_utf8 = self.is_utf8
        return board

    @property
    def entries(self) -> tuple[Tag, ...]:
        """The tags in the order of the file, with the lines that follow each."""
        if self._parse is not None:
            self._entries = self._parse()
            self._parse = None
        return self._entries

    @property
    def tags(self) -> Mapping[str, str]:
        """Tag values by name; of two tags with the same name, the first."""
        if self._tags is None:
            first: dict[str, str] = {}
            for tag in self.entries:
                if tag.name:
                    first.setdefault(tag.name, tag.value)
            self._tags = MappingProxyType(first)
        return self._tags

    @property
    def sections(self) -> Mapping[str, tuple[str, ...]]:
        """The lines that follow each tag, by its name, for tags that have any."""
        first: dict[str, tuple[str, ...]] = {}
        for tag in self.entries:
            if tag.name and tag.lines:
                first.setdefault(tag.name, tag.lines)
        return first

    @property
    def number(self) -> int | None:
        """The board number; None unless the tag Board is a positive integer (`1-1` is not)."""
        text = self.tags.get("Board", "")
        return int(text) or None if _BOARD_NUMBER.fullmatch(text) else None

    @property
    def dealer(self) -> Seat | None:
        """The dealer by its tag; without one, by the board number; or None."""
        text = self.tags.get("Dealer", "").strip()
        if text and len(text) == 1 and text in SEAT_LETTERS:
            return Seat(SEAT_LETTERS.index(text))
        number = None if text else self.number
        return None if number is None else dealer_of_board(number)

    @property
    def vulnerable(self) -> Vulnerability | None:
        """The vulnerability by its tag; without one, by the board number; or None."""
        text = self.tags.get("Vulnerable", "").strip()
        number = None if text else self.number
        return Vulnerability.parse(text) if number is None else Vulnerability.of_board(number)

    @property
    def tricks(self) -> TrickTable | None:
        """The double-dummy tricks by OptimumResultTable, DoubleDummyTricks or Ability, if whole."""
        if self._tricks is None:
            try:
                self._tricks = find_tricks(self.tags, self.sections)
            except PavError:
                return None
        return self._tricks

    def to_dict(self) -> dict[str, object]:
        """Return all of the board for JSON: an object of the formats `json` and `jsonl`.

        `entries` has all tags if `tags` and `sections` do not determine them, as for two tags with
        one name. Unknown values are left out.

        >>> Board.make(None, number=3).to_dict()
        {'board': 3, 'dealer': 'S', 'vulnerable': 'EW', 'tags': {'Board': '3'}}
        """
        row = board_row(self, "deal board dealer vulnerable")
        made = {key: value for key, value in row.items() if value is not None}
        tags, sections = dict(self.tags), dict(self.sections)
        made["tags"] = tags
        if sections:
            made["sections"] = {name: list(lines) for name, lines in sections.items()}
        known = [(name, value, sections.get(name, ())) for name, value in tags.items()]
        if known != [(tag.name, tag.value, tuple(tag.lines)) for tag in self.entries]:
            made["entries"] = [
                [tag.name, tag.value, list(tag.lines)] if tag.lines else [tag.name, tag.value]
                for tag in self.entries
            ]
        return made

    @property
    def results(self) -> bytes:
        r"""The double-dummy tricks as in a row of an array: 20 bytes, 255 for no result.

        >>> Board(None).with_results({(Seat.NORTH, Strain.SPADES): 9}).results[4:6]
        b'\t\xff'
        """
        if self.tricks is not None:
            return self.tricks.tricks
        row = bytearray([NOT_SOLVED]) * (len(Strain) * len(Seat))
        for (declarer, strain), taken in find_results(self.tags, self.sections).items():
            row[strain * len(Seat) + declarer] = taken
        return bytes(row)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _restored, (self.layout, self.entries, self.line, self.is_utf8)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.layout == other.layout and self.entries == other.entries

    def __hash__(self) -> int:
        return hash((self.layout, self.entries))

    def _repr_html_(self) -> str | None:
        """Return a diagram of the board in HTML, for notebooks; None without cards."""
        from pavcodec.layout.drawings import notebook_diagram

        return None if self.layout is None else notebook_diagram(self.layout, caption_of(self))

    def __repr__(self) -> str:
        return f"Board({self.layout!r}, {self.entries!r})"


def _checked_tags(tags: Mapping[str, str]) -> Mapping[str, str]:
    """Return tags unchanged; raise `TypeError` unless they are texts by name."""
    if not isinstance(tags, Mapping):
        raise TypeError(f"tags are a mapping of texts, not {type(tags).__name__!r}")
    for name, value in tags.items():
        if not (isinstance(name, str) and isinstance(value, str)):
            raise TypeError(f"tags are texts by name, not {value!r} by {name!r}")
    return tags


def _check_tricks(tricks: TrickTable) -> None:
    if not isinstance(tricks, TrickTable):
        raise TypeError(f"tricks are a TrickTable, not {type(tricks).__name__!r}")


def _tag_of(tricks: TrickTable) -> Tag:
    return Tag(RESULT_TABLE, RESULT_TABLE_COLUMNS, format_result_table(tricks))


def _restored(
    layout: Layout | None,
    entries: tuple[Tag, ...],
    line: int | None,
    is_utf8: bool,
) -> Board:
    board = Board(layout, entries, line=line)
    board.is_utf8 = is_utf8
    return board


CYCLE = 16
"""The period of dealer and vulnerability in board numbers."""
PAST_NUMBERS = 10**18
"""Board numbers are below this: they have 18 digits at most."""
UNKNOWN = ("", "?", "-")
"""The values of tags that say nothing."""
SOURCE = "SourceFile"
"""The tag of the file that a board came from, where the boards of several files are together."""


# Boards as rows of JSON: the values of a board by key, for `--json` and the formats of JSON.


_VALUES: dict[str, tuple[str, Callable[[Board], object]]] = {
    "deal": ("deal", lambda board: None if board.layout is None else str(board.layout)),
    "board": ("board", lambda board: board.number),
    "label": ("board", lambda board: board.tags.get("Board")),
    "dealer": ("dealer", lambda board: None if board.dealer is None else board.dealer.letter),
    "vulnerable": ("vulnerable", lambda board: board.vulnerable and board.vulnerable.value),
    "line": ("line", lambda board: board.line),
}
"""The key and the value of each part of a row."""


def board_row(board: Board, parts: str, ranks: Ranks | None = None) -> dict[str, object]:
    """Return parts of a board by their keys, in the order of `parts`; unknown values are None.

    The parts are `deal`, the text of the cards; `number`, the decimal digits of the number of the
    cards in `ranks`; `board`, the board number; `label`, the text of the tag Board, under the key
    `board`; `dealer`; `vulnerable`; `line`; and `source`, the file of the tag SourceFile, which is
    left out without the tag. Raises `LayoutError` for cards without a number.

    >>> from pavcodec import Board, numbering
    >>> board_row(Board.make(numbering("andrews")[5], number=7), "board dealer vulnerable")
    {'board': 7, 'dealer': 'S', 'vulnerable': 'All'}
    """
    row: dict[str, object] = {}
    for part in parts.split():
        if part == "number":
            layout = board.layout
            row[part] = None if ranks is None or layout is None else str(ranks.rank(layout))
        elif part == "source":
            row |= {part: board.tags[SOURCE]} if SOURCE in board.tags else {}
        else:
            key, value = _VALUES[part]
            row[key] = value(board)
    return row


# The caption of a drawn board: its number, dealer, vulnerability, contract, result and tricks.


def caption_of(board: Board) -> Caption:
    """Return the caption of a board.

    >>> from pavcodec import Board, numbering
    >>> caption_of(Board.make(numbering("deal")[0], number=7)).notes[0]
    'South deals, all vulnerable'
    """
    number = board.tags.get("Board", "")
    return Caption(
        heading=f"Board {number}" if number not in UNKNOWN else "",
        notes=tuple(_notes(board)),
        dealer=board.dealer,
        vulnerable=board.vulnerable.seats if board.vulnerable else frozenset(),
        table=() if board.tricks is None else tuple(_table(board.tricks)),
    )


def _notes(board: Board) -> Iterator[str]:
    parts = [] if board.dealer is None else [f"{board.dealer.name.title()} deals"]
    if board.vulnerable is not None:
        word = board.vulnerable.value
        parts.append(f"{word if word.isupper() else word.lower()} vulnerable")
    if parts:
        yield ", ".join(parts)
    if board.layout is not None:
        points = "  ".join(f"{seat.letter} {board.layout[seat].hcp}" for seat in Seat)
        yield f"HCP  {points}"
    yield from _bid(board)


def _bid(board: Board) -> Iterator[str]:
    contract, declarer, result = (
        board.tags.get(name, "") for name in ("Contract", "Declarer", "Result")
    )
    if contract in UNKNOWN:
        return
    if contract.lower() == "pass":
        yield "passed out"
        return
    by = "" if declarer in UNKNOWN else f" by {declarer.removeprefix('^')}"
    made = "" if result in UNKNOWN else f", {result} tricks"
    yield f"contract {contract}{by}{made}"


def _table(tricks: TrickTable) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table of tricks, partners below each other."""
    yield "", *STRAIN_SIGNS
    for seat in (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST):
        yield seat.letter, *(str(tricks[seat, strain]) for strain in Strain)
