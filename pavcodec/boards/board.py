"""Boards: a layout with dealer, vulnerability, number and any other tags.

A board stores everything but the cards as PBN tags, in the order of the file. So a format can keep
tags that no other part of pavcodec uses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import SupportsIndex

from pavcodec.boards.context import Context, Problem, Ranks, raise_problem
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
from pavcodec.boards.vulnerability import Vulnerability, board_number, dealer_of_board
from pavcodec.cards import SEAT_LETTERS, Seat, Strain
from pavcodec.errors import PavError, shown
from pavcodec.layout import Layout, TrickTable

__all__ = [
    "Board",
    "Context",
    "Problem",
    "Ranks",
    "Tag",
    "Vulnerability",
    "board_number",
    "raise_problem",
]


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
        if known is not None and all(known[each] == taken for each, taken in results.items()):
            return self
        if not results:
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

        >>> Board.make(None, number=3).to_dict()
        {'board': 3, 'dealer': 'S', 'vulnerable': 'EW', 'tags': {'Board': '3'}}
        """
        from pavcodec.boards.rows import board_object

        return board_object(self)

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
        from pavcodec.boards.captions import caption_of
        from pavcodec.layout.drawings.html import notebook_diagram

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
    """Return the tag of double-dummy tricks."""
    return Tag(RESULT_TABLE, RESULT_TABLE_COLUMNS, format_result_table(tricks))


def _restored(
    layout: Layout | None,
    entries: tuple[Tag, ...],
    line: int | None,
    is_utf8: bool,  # noqa: FBT001 (of a pickle)
) -> Board:
    """Return the board of a pickle."""
    board = Board(layout, entries, line=line)
    board.is_utf8 = is_utf8
    return board
