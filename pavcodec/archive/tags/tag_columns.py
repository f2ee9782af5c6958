"""Convert the tags of boards to columns of items and back: the body of a metadata column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, repeat
from types import MappingProxyType
from typing import TypeAlias

from pavcodec.archive.tags.predictors import (
    FACTS,
    PLAIN,
    RULES,
    TagPredictor,
    find_item,
    identities,
    is_rule,
)
from pavcodec.archive.tags.text_columns import (
    END,
    LINE,
    REPEAT,
    RULE,
    ItemReader,
    decode_text,
    encode_text,
    fold,
)
from pavcodec.boards.board import Board, Tag
from pavcodec.errors import ReadError
from pavcodec.layout import Layout

__all__ = [
    "FIRST_LIST",
    "KNOWN_NAMES",
    "MOST_PARTS",
    "ItemRuns",
    "NameRuns",
    "assemble",
    "build_body",
    "count_parts",
    "in_order",
    "parse_tag",
    "read_body",
    "spell",
]

KNOWN_NAMES = (
    "Board", "Dealer", "Vulnerable", "Deal", "DealId", "Generator", "Event", "Site", "Date",
    "West", "North", "East", "South", "Scoring", "Declarer", "Contract", "Result", "Auction",
    "Play", "Note", "DoubleDummyTricks", "OptimumResultTable",
)  # fmt: skip
"""The names that every column contains, by their ids 0, 1, 2, ...; a block's own names follow."""

MOST_PARTS = 1 << 20
"""The maximum number of tags and lines in one column."""

_FEWEST_AT_ONCE = 4096
"""The minimum number of identities for which the arrays of numba are faster."""

FIRST_LIST = encode_text("\0\1\2")
"""The implicit list of names before the first one: board number, dealer, vulnerability."""


def count_parts(boards: Iterable[Board]) -> int:
    """Return the number of tags and lines of some boards."""
    return sum(1 + len(tag.lines) for board in boards for tag in board.entries)


NameRuns: TypeAlias = list[tuple[tuple[str, ...], int]]
"""Runs of boards with the same list of tag names: the names, and the number of boards."""

ItemRuns: TypeAlias = list[tuple[bytes, int]]
"""Runs of equal items in a column: the item, and the number of values."""


@dataclass(slots=True)
class _Column:
    """The values of one name: the index of the board and the tag of each value, and the items."""

    places: list[int] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    items: ItemRuns = field(default_factory=list)


class _Facts:
    """The input of rules: the cards of each board, and its tags as they are decoded."""

    def __init__(self, layouts: Iterable[Layout | None]) -> None:
        self._boards = [Board(layout) for layout in layouts]

    def layouts(self, column: _Column) -> list[Layout | None]:
        """Return the cards of the board of each value of a column."""
        return [self._boards[place].layout for place in column.places]

    def learn(self, column: _Column) -> None:
        """Add the first tag of each board in a column."""
        before = -1
        for place, tag in zip(column.places, column.tags, strict=True):
            if place != before:
                known = self._boards[place]
                self._boards[place] = Board(known.layout, (*known.entries, tag))
            before = place

    def of(self, column: _Column) -> list[Board | None]:
        """Return the known part of the board of each value; None if no rule applies to the value.

        Rules apply only to the first tag of a name in a board. This limits the time for a board.
        """
        before = (-1, *column.places)
        return [
            None if place == other else self._boards[place]
            for place, other in zip(column.places, before, strict=False)
        ]


def _columns_of(runs: NameRuns) -> dict[str, _Column]:
    """Return the columns of all names in lists of names, with the indexes of their boards."""
    columns: dict[str, _Column] = {}
    start = 0
    for names, run in runs:
        stop = start + run
        for name, times in Counter(names).items():
            places = range(start, stop)
            column = columns.setdefault(name, _Column())
            column.places.extend(chain.from_iterable(zip(*[places] * times, strict=True)))
        start = stop
    return columns


def in_order(names: Iterable[str]) -> list[str]:
    """Return names in the order in which their columns are computed: inputs of rules first."""
    order = {name: place for place, name in enumerate(FACTS)}
    return sorted(names, key=lambda name: order.get(name, len(order)))


def build_body(boards: Sequence[Board]) -> bytes:
    """Return the tags of boards as bytes, not compressed."""
    return assemble(*spell(boards))


def spell(
    boards: Sequence[Board], before: Mapping[str, str] = MappingProxyType({})
) -> tuple[NameRuns, dict[str, ItemRuns]]:
    """Return runs of the lists of tag names of boards, and the items of each name.

    `before` contains the last values of names in the earlier boards of the same column.
    """
    lists = groupby(tuple([tag.name for tag in board.entries]) for board in boards)
    runs = [(names, len(list(same))) for names, same in lists]
    columns = _columns_of(runs)
    start = 0
    for names, run in runs:
        entries = [board.entries for board in boards[start : start + run]]
        start += run
        if len(set(names)) == len(names):
            for name, tags in zip(names, zip(*entries, strict=True), strict=True):
                columns[name].tags.extend(tags)
        else:
            for tag in chain.from_iterable(entries):
                columns[tag.name].tags.append(tag)
    facts = _Facts(board.layout for board in boards)
    for name in in_order(columns):
        columns[name].items = _items_of(name, columns[name], facts, before.get(name))
        if name in FACTS:
            facts.learn(columns[name])
    return runs, {name: column.items for name, column in columns.items()}


def _items_of(name: str, column: _Column, facts: _Facts, before: str | None) -> ItemRuns:
    """Return the items of a column."""
    if name not in RULES:
        return [(_spell(tag), len(list(same))) for tag, same in groupby(column.tags)]
    rule = RULES[name]
    items = []
    if name == "DealId":
        first, *others = {parameter for tag in column.tags for parameter in rule.propose(tag)}
        made = None if others else _identities(first, column, facts)
        if made is not None:
            pairs = zip(column.tags, made, strict=True)
            return [(RULE + first if tag == own else _spell(tag), 1) for tag, own in pairs]
    previous = rule.start if before is None else before
    for tag, board in zip(column.tags, facts.of(column), strict=True):
        item = None if board is None else find_item(rule, tag, board, previous)
        items.append((_spell(tag) if item is None else item, 1))
        previous = tag.value
    return items


def _identities(parameter: bytes, column: _Column, facts: _Facts) -> list[Tag] | None:
    """Return the identities of all boards of a column by one rule, if there are many boards."""
    if len(column.places) < _FEWEST_AT_ONCE or len(set(column.places)) < len(column.places):
        return None
    return identities(parameter, facts.layouts(column))


def _spell(tag: Tag) -> bytes:
    """Return the value and the lines of a tag as an item."""
    return LINE.join(map(encode_text, (tag.value, *tag.lines)))


def assemble(runs: NameRuns, columns: Mapping[str, ItemRuns]) -> bytes:
    """Return the body of lists of names and columns of items."""
    ids = {name: place for place, name in enumerate(KNOWN_NAMES)}
    lists = []
    for names, run in runs:
        codes = [chr(ids.setdefault(name, len(ids))) for name in names]
        lists.append((encode_text("".join(codes)), run))
    own = b"".join(LINE + encode_text(name) for name in list(ids)[len(KNOWN_NAMES) :])
    items = [own, *fold(lists, FIRST_LIST)]
    for name in ids:
        if name in columns:
            rule = RULES.get(name, PLAIN)
            items.extend(fold(columns[name], rule.before, rule.after))
    while items[-1] == REPEAT:
        items.pop()
    return b"".join(item + END for item in items) if items != [b""] else b""


def read_body(body: bytes, layouts: Sequence[Layout | None]) -> list[Board]:
    """Return the boards of a body; raise `ReadError` if it is not the body of such boards."""
    if body.count(END) + body.count(LINE) > 2 * MOST_PARTS + len(layouts) + 1:
        raise ReadError(f"metadata: more than {MOST_PARTS} tags and lines")
    reader = ItemReader(body)
    known = _read_names(reader)
    runs = _read_lists(reader, known, len(layouts))
    columns = _columns_of(runs)
    for name in known:
        if name in columns:
            column, rule = columns[name], RULES.get(name, PLAIN)
            column.items = list(reader.unfold(len(column.places), rule.before, rule.after))
    facts = _Facts(layouts)
    for name in in_order(columns):
        columns[name].tags = _read_tags(name, columns[name], facts)
        if name in FACTS:
            facts.learn(columns[name])
    made = assemble(runs, {name: column.items for name, column in columns.items()})
    if not reader.at_end or made != body:
        raise ReadError("metadata: these bytes are not how the tags of any boards are written")
    left = {name: iter(column.tags) for name, column in columns.items()}
    entries = (tuple([next(left[n]) for n in names]) for names, run in runs for _ in range(run))
    return [Board(layout, tags) for layout, tags in zip(layouts, entries, strict=True)]


def _read_names(reader: ItemReader) -> list[str]:
    """Return the names by their ids."""
    empty, *own = (b"" if reader.at_end else reader.take()).split(LINE)
    if empty:
        raise ReadError("metadata: the names do not begin as they should")
    return [*KNOWN_NAMES, *map(decode_text, own)]


def _read_lists(reader: ItemReader, known: list[str], count: int) -> NameRuns:
    """Return runs of the lists of tag names of the boards."""
    runs: NameRuns = []
    tags = 0
    for item, run in reader.unfold(count, FIRST_LIST):
        ids = decode_text(item)
        tags += len(ids) * run
        if tags > MOST_PARTS:
            raise ReadError(f"metadata: more than {MOST_PARTS} tags")
        if ord(max(ids, default="\0")) >= len(known):
            raise ReadError("metadata: a board has a tag without a name")
        runs.append((tuple([known[ord(place)] for place in ids]), run))
    return runs


def _read_tags(name: str, column: _Column, facts: _Facts) -> list[Tag]:
    """Return the tags of a column from its items."""
    tags: list[Tag] = []
    if name not in RULES:
        for item, run in column.items:
            tags += [parse_tag(name, item)] * run
        return tags
    rule = RULES[name]
    if name == "DealId" and len(column.items) == 1 and is_rule(column.items[0][0]):
        made = _identities(column.items[0][0][1:], column, facts)
        if made is not None:
            return made
    previous = rule.start
    items = chain.from_iterable(repeat(item, run) for item, run in column.items)
    for item, board in zip(items, facts.of(column), strict=True):
        if is_rule(item):
            tag = None if board is None else rule.make(item[1:], board, previous)
        else:
            tag = parse_tag(name, item)
        if tag is None or not _is_chosen(rule, item, tag, board, previous):
            raise ReadError(
                f"metadata: a rule of the tag {name} does not apply, or is not the first"
            )
        tags.append(tag)
        previous = tag.value
    return tags


def parse_tag(name: str, item: bytes) -> Tag:
    """Return the tag of an item that is a text."""
    value, *lines = map(decode_text, item.split(LINE))
    return Tag(name, value, tuple(lines))


def _is_chosen(
    rule: TagPredictor, item: bytes, tag: Tag, board: Board | None, previous: str
) -> bool:
    """Return whether the encoder writes a tag as this item."""
    made = item[1:] if is_rule(item) else None
    chosen = None if board is None else find_item(rule, tag, board, previous, made)
    return chosen == (item if is_rule(item) else None)
