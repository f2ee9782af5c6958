"""The tags of boards as columns of items, and back: the body of a metadata column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from pavcodec.archive.columns import END, LINE, REPEAT, ItemReader, decode_text, encode_text, fold
from pavcodec.archive.rules import FACTS, PLAIN, RULES, find_item, is_rule
from pavcodec.errors import ReadError
from pavcodec.formats.board import Board, Tag
from pavcodec.layout import Layout

__all__ = ["KNOWN_NAMES", "MOST_PARTS", "build_body", "count_parts", "read_body"]

KNOWN_NAMES = (
    "Board", "Dealer", "Vulnerable", "Deal", "DealId", "Generator", "Event", "Site", "Date",
    "West", "North", "East", "South", "Scoring", "Declarer", "Contract", "Result", "Auction",
    "Play", "Note", "DoubleDummyTricks", "OptimumResultTable",
)  # fmt: skip
"""The names that every column knows, by their ids 0, 1, 2, ...; a block's own names follow."""

MOST_PARTS = 1 << 20
"""How many tags and lines one column may have."""

_FIRST_LIST = encode_text("\0\1\2")
"""What stands before the first list of names: board number, dealer, vulnerability."""


def count_parts(boards: Iterable[Board]) -> int:
    """Return how many tags and lines some boards have."""
    return sum(1 + len(tag.lines) for board in boards for tag in board.entries)


@dataclass(slots=True)
class _Column:
    """The values of one name: for each the place of its board, and the tag."""

    places: list[int] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)

    def firsts(self) -> Iterator[tuple[int, Tag]]:
        """Yield the tags that are the first of this name in their board, and its place."""
        before = -1
        for place, tag in zip(self.places, self.tags, strict=True):
            if place != before:
                yield place, tag
            before = place


class _Facts:
    """What rules go by: for each board its cards, and tags as they become known."""

    def __init__(self, layouts: Iterable[Layout | None]) -> None:
        self._boards = [Board(layout) for layout in layouts]

    def learn(self, column: _Column) -> None:
        """Add the first tag of each board in a column."""
        for place, tag in column.firsts():
            known = self._boards[place]
            self._boards[place] = Board(known.layout, (*known.entries, tag))

    def of(self, column: _Column) -> list[Board | None]:
        """Return what is known for each value of a column; None where rules do not reach."""
        before = (-1, *column.places)
        return [
            None if place == other else self._boards[place]
            for place, other in zip(column.places, before, strict=False)
        ]


def _in_order(names: Iterable[str]) -> list[str]:
    """Return names in the order in which their columns are made: those that rules go by first."""
    order = {name: place for place, name in enumerate(FACTS)}
    return sorted(names, key=lambda name: order.get(name, len(order)))


def build_body(boards: Sequence[Board]) -> bytes:
    """Return the tags of boards as one run of bytes, not compressed yet."""
    ids = {name: place for place, name in enumerate(KNOWN_NAMES)}
    columns: dict[str, _Column] = {}
    lists = []
    for place, board in enumerate(boards):
        names = []
        for tag in board.entries:
            names.append(chr(ids.setdefault(tag.name, len(ids))))
            column = columns.setdefault(tag.name, _Column())
            column.places.append(place)
            column.tags.append(tag)
        lists.append(encode_text("".join(names)))
    facts = _Facts(board.layout for board in boards)
    items = {}
    for name in _in_order(columns):
        items[name] = _items_of(name, columns[name], facts)
        if name in FACTS:
            facts.learn(columns[name])
    own = b"".join(LINE + encode_text(name) for name in list(ids)[len(KNOWN_NAMES) :])
    sections = [[own], fold(lists, _FIRST_LIST), *(items[name] for name in ids if name in items)]
    while sections and sections[-1] in ([], [b""], [REPEAT]):
        sections.pop()
    return b"".join(item + END for item in chain.from_iterable(sections))


def _items_of(name: str, column: _Column, facts: _Facts) -> list[bytes]:
    """Return the items of a column, runs folded."""
    rule = RULES.get(name, PLAIN)
    items = []
    previous = rule.start
    for tag, board in zip(column.tags, facts.of(column), strict=True):
        item = None if board is None else find_item(rule, tag, board, previous)
        items.append(_spell(tag) if item is None else item)
        previous = tag.value
    return fold(items, rule.before, rule.after)


def _spell(tag: Tag) -> bytes:
    """Return a tag's value and lines as an item."""
    return LINE.join(map(encode_text, (tag.value, *tag.lines)))


def read_body(body: bytes, layouts: Sequence[Layout | None]) -> list[Board]:
    """Return the boards of a body; raise `ReadError` where it cannot be one of such boards."""
    if body.count(END) + body.count(LINE) > 2 * MOST_PARTS + len(layouts) + 1:
        raise ReadError(f"metadata: more than {MOST_PARTS} tags and lines")
    reader = ItemReader(body)
    names = _read_names(reader)
    lists = _read_lists(reader, names, len(layouts))
    columns: dict[str, _Column] = {}
    for place, board_names in enumerate(lists):
        for name in board_names:
            columns.setdefault(name, _Column()).places.append(place)
    runs = {}
    for name in names:
        if name in columns:
            rule = RULES.get(name, PLAIN)
            runs[name] = list(reader.unfold(len(columns[name].places), rule.before, rule.after))
    if not reader.at_end:
        raise ReadError("metadata: bytes are left after the last column")
    facts = _Facts(layouts)
    for name in _in_order(runs):
        columns[name].tags = _read_tags(name, runs[name], columns[name], facts)
        if name in FACTS:
            facts.learn(columns[name])
    left = {name: iter(column.tags) for name, column in columns.items()}
    return [
        Board(layout, tuple([next(left[name]) for name in board_names]))
        for layout, board_names in zip(layouts, lists, strict=True)
    ]


def _read_names(reader: ItemReader) -> list[str]:
    """Return the names by their ids."""
    empty, *own = (b"" if reader.at_end else reader.take()).split(LINE)
    if empty:
        raise ReadError("metadata: the names do not begin as they should")
    return [*KNOWN_NAMES, *map(decode_text, own)]


def _read_lists(reader: ItemReader, names: list[str], count: int) -> list[tuple[str, ...]]:
    """Return the names of the tags of each board."""
    lists: list[tuple[str, ...]] = []
    tags = 0
    for item, run in reader.unfold(count, _FIRST_LIST):
        ids = [ord(character) for character in decode_text(item)]
        tags += len(ids) * run
        if tags > MOST_PARTS or max(ids, default=0) >= len(names):
            raise ReadError("metadata: a board has tags without a name, or too many tags")
        lists.extend([tuple([names[place] for place in ids])] * run)
    return lists


def _read_tags(
    name: str, runs: list[tuple[bytes, int]], column: _Column, facts: _Facts
) -> list[Tag]:
    """Return the tags of a column from its items."""
    rule = RULES.get(name, PLAIN)
    known = facts.of(column)
    tags: list[Tag] = []
    previous = rule.start
    for item, run in runs:
        if not is_rule(item):
            value, *lines = map(decode_text, item.split(LINE))
            tags.extend([Tag(name, value, tuple(lines))] * run)
            previous = value
            continue
        for board in known[len(tags) : len(tags) + run]:
            tag = None if board is None else rule.make(item[1:], board, previous)
            if tag is None:
                raise ReadError(f"metadata: a rule of the tag {name[:50]} does not apply")
            tags.append(tag)
            previous = tag.value
    return tags
