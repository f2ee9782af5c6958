"""The tags of boards as columns, one for each name, and columns as a sequence of items in bytes.

An item is the text of a value in UTF-8, or a rule that computes the value, or a count of repeats.
Four bytes that never occur in UTF-8 separate them, so texts need no escapes.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, chain, groupby, repeat
from types import MappingProxyType
from typing import TypeAlias

from pavcodec.boards.batch import owners_of
from pavcodec.boards.board import CYCLE, Board, Tag, Vulnerability, dealer_of_board
from pavcodec.boards.tricks import (
    RESULT_TABLE,
    RESULT_TABLE_COLUMNS,
    TRICK_DIGITS,
    format_result_table,
    parse_result_table,
    parse_trick_digits,
)
from pavcodec.cards import Seat, Strain
from pavcodec.errors import PavError, ReadError
from pavcodec.layout import Layout
from pavcodec.numberings import numbering, numbering_names

RULE = b"\xfc"
"""Starts an item that is a rule; its parameter follows."""
REPEAT = b"\xfd"
"""Starts an item that repeats the previous one: a count, or nothing for "to the end"."""
LINE = b"\xfe"
"""Precedes each line of a tag, and each name of the dictionary."""
END = b"\xff"
"""Ends each item."""

LONGEST_COUNT = 9
"""The most digits of a count of repeats."""


def encode_text(text: str) -> bytes:
    r"""Return a text in UTF-8, with lone surrogates of a `str` in the same form.

    >>> encode_text("Dvo\u0159\xe1k"), encode_text("\ud800")
    (b'Dvo\xc5\x99\xc3\xa1k', b'\xed\xa0\x80')
    """
    return text.encode("utf-8", "surrogatepass")


def decode_text(data: bytes) -> str:
    """Return the text of UTF-8 bytes; raise `ReadError` if they are not UTF-8."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise ReadError(f"metadata: a text is not UTF-8 at its byte {error.start}") from None


# Rules that compute a tag from the board number, the cards or the tag before it.
#
# A rule computes a tag from a parameter and from the known tags and cards of the board. The encoder
# stores a tag as a rule only if the rule returns exactly this tag, and as text otherwise.


NUMBER = re.compile("0|[1-9][0-9]{0,17}")
"""The board numbers to which a rule can add its step."""
_NUMBER_ITEM = re.compile(b"0|[1-9][0-9]{0,17}")
_EMPTY_HAND = re.compile(r"(?<=[: ])-(?= |$)")


@dataclass(frozen=True, slots=True)
class TagPredictor:
    """The rule for the tags of one name.

    `propose` returns the parameters to try for a tag. `make` returns the tag of a parameter, or
    None if the parameter is invalid; its arguments are the parameter, the known part of the board,
    and the previous value in the column, at first `start`. `before` is the item before the first
    one, and `after` returns the item that a repeat after an item repeats.
    """

    propose: Callable[[Tag], Iterable[bytes]]
    make: Callable[[bytes, Board, str], Tag | None]
    before: bytes = RULE
    after: Callable[[bytes], bytes] = lambda item: item
    start: str = ""


PLAIN = TagPredictor(lambda _tag: (), lambda _parameter, _board, _previous: None, b"?")
"""The rule for all other tags: they only repeat, at first PBN's `?`."""


def fold(runs: Iterable[tuple[bytes, int]], rule: TagPredictor) -> list[bytes]:
    r"""Return the items of a column with repeats, from items with their multiplicities.

    >>> fold([(b"?", 2), (b"a", 3), (b"b", 1)], PLAIN)
    [b'\xfd2', b'a', b'\xfd2', b'b']
    >>> fold([(b"a", 1), (b"a", 1)], PLAIN)
    [b'a', b'\xfd']
    """
    folded: list[bytes] = []
    before, run = rule.before, 0
    for item, times in runs:
        left = times
        while left and item != before:
            if run:
                folded.append(REPEAT + b"%d" % run)
                run = 0
            folded.append(item)
            before = rule.after(item)
            left -= 1
        run += left
    return [*folded, REPEAT] if run else folded


def find_item(
    rule: TagPredictor, tag: Tag, board: Board, previous: str, made: bytes | None = None
) -> bytes | None:
    r"""Return the item of the first parameter that yields the tag; None if there is none.

    `made` is a parameter that is known to yield it.

    >>> find_item(RULES["Board"], Tag("Board", "8"), Board(None), "7")
    b'\xfc1'
    >>> find_item(RULES["Board"], Tag("Board", "7-1"), Board(None), "7")
    """
    for parameter in rule.propose(tag):
        if parameter == made or rule.make(parameter, board, previous) == tag:
            return RULE + parameter
    return None


def is_rule(item: bytes) -> bool:
    """Return whether an item is a rule, not a text."""
    return item.startswith(RULE)


_STEPS: Mapping[bytes, int] = MappingProxyType({b"1": 1, b"0": 0})


def _count_on(parameter: bytes, _board: Board, previous: str) -> Tag | None:
    """Return the previous board number plus the step of the parameter, 0 or 1."""
    step = _STEPS.get(parameter)
    if step is None or not NUMBER.fullmatch(previous):
        return None
    return Tag("Board", str(int(previous) + step))


def _after_number(item: bytes) -> bytes:
    """Return the item that a repeat after a board number repeats: "the next number"."""
    return RULE + b"1" if _NUMBER_ITEM.fullmatch(item) else item


def _follow_cycle(cycle: tuple[Tag, ...]) -> Callable[[bytes, Board, str], Tag | None]:
    """Return a function that selects the tag of a cycle by the board number."""

    def make(parameter: bytes, board: Board, _previous: str) -> Tag | None:
        number = board.number
        return None if parameter or number is None else cycle[(number - 1) % CYCLE]

    return make


_DEALERS = tuple(Tag("Dealer", dealer_of_board(number).letter) for number in range(1, CYCLE + 1))
_VULNERABILITIES = tuple(
    Tag("Vulnerable", Vulnerability.of_board(number).value) for number in range(1, CYCLE + 1)
)


_FIRST_SEATS: Mapping[bytes, Seat | None] = MappingProxyType(
    {b"": None} | {seat.letter.encode(): seat for seat in Seat}
)


def _propose_first_seats(tag: Tag) -> Iterable[bytes]:
    """Propose the dealer, and the first seat of a deal text, in both spellings."""
    letter = encode_text(tag.value[:1])
    return (b"", letter, letter.lower()) if letter and letter in _FIRST_SEATS else ()


def _spell_cards(parameter: bytes, board: Board, _previous: str) -> Tag | None:
    """Return the deal text from the dealer or a seat on; a small letter writes `-` as `...`."""
    letter = parameter.upper()
    if board.layout is None or letter not in _FIRST_SEATS:
        return None
    first = _FIRST_SEATS[letter]
    text = board.layout.to_pbn(first=(board.dealer or Seat.NORTH) if first is None else first)
    return Tag("Deal", _EMPTY_HAND.sub("...", text) if parameter.islower() else text)


_NUMBERINGS: Mapping[bytes, str] = MappingProxyType(
    {name.encode(): name for name in numbering_names()}
)


def _identify(parameter: bytes, board: Board, _previous: str) -> Tag | None:
    """Return the identity of the cards in a numbering: its name and their number."""
    name = _NUMBERINGS.get(parameter)
    if board.layout is None or name is None:
        return None
    try:
        return Tag("DealId", f"{name}:{numbering(name).rank(board.layout)}")
    except PavError:
        return None


def _propose_tricks(tag: Tag) -> Iterable[bytes]:
    """Propose the tag DoubleDummyTricks of the board, and digits for the tricks of this table."""
    try:
        table = parse_result_table(tag.value, tag.lines)
    except PavError:
        return ()
    digits = "".join(f"{table[seat, strain]:x}" for seat in _DECLARERS for strain in Strain)
    return b"", digits.encode()


def _tabulate(parameter: bytes, board: Board, _previous: str) -> Tag | None:
    """Return the table of double-dummy tricks, in the form that most programs write."""
    digits = parameter.decode("ascii", "replace") or board.tags.get(TRICK_DIGITS, "")
    try:
        table = parse_trick_digits(digits)
    except PavError:
        return None
    return Tag(RESULT_TABLE, RESULT_TABLE_COLUMNS, format_result_table(table))


_DECLARERS = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)

RULES: Mapping[str, TagPredictor] = MappingProxyType(
    {
        "Board": TagPredictor(lambda _tag: _STEPS, _count_on, RULE + b"1", _after_number, "0"),
        "Dealer": TagPredictor(lambda _tag: (b"",), _follow_cycle(_DEALERS)),
        "Vulnerable": TagPredictor(lambda _tag: (b"",), _follow_cycle(_VULNERABILITIES)),
        "Deal": TagPredictor(_propose_first_seats, _spell_cards),
        "DealId": TagPredictor(
            lambda tag: (encode_text(tag.value.partition(":")[0]),), _identify, RULE + b"deal"
        ),
        RESULT_TABLE: TagPredictor(_propose_tricks, _tabulate),
    }
)
"""The rules by the names of their tags."""

FACTS = ("Board", "Dealer", TRICK_DIGITS)
"""The tags that rules use, in the order in which they are computed."""


# Convert the tags of boards to columns of items and back: the body of a metadata column.


KNOWN_NAMES = (
    "Board", "Dealer", "Vulnerable", "Deal", "DealId", "Generator", "Event", "Site", "Date",
    "West", "North", "East", "South", "Scoring", "Declarer", "Contract", "Result", "Auction",
    "Play", "Note", "DoubleDummyTricks", "OptimumResultTable",
)  # fmt: skip
"""The names that every column contains, by their ids 0, 1, 2, ...; a block's own names follow."""

MOST_PARTS = 1 << 20
"""The maximum number of tags and lines in one column."""

_LISTS = replace(PLAIN, before=encode_text("\0\1\2"))
"""The rule of lists of names: before the first one are board number, dealer, vulnerability."""


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

    rows: list[int] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    items: ItemRuns = field(default_factory=list)

    @property
    def are_first(self) -> list[bool]:
        """Whether each value is the first of its board; rules apply only to such values.

        This limits the time for a board.
        """
        return [row != before for row, before in zip(self.rows, (-1, *self.rows), strict=False)]


def _learn(known: list[Board], column: _Column) -> None:
    """Add the first tag of each board in a column to what is known of the boards."""
    for row, tag, is_first in zip(column.rows, column.tags, column.are_first, strict=True):
        if is_first:
            known[row] = Board(known[row].layout, (*known[row].entries, tag))


def _columns_of(runs: NameRuns) -> dict[str, _Column]:
    """Return the columns of all names in lists of names, with the indexes of their boards."""
    columns: dict[str, _Column] = {}
    start = 0
    for names, run in runs:
        stop = start + run
        for name, times in Counter(names).items():
            rows = range(start, stop)
            column = columns.setdefault(name, _Column())
            column.rows.extend(chain.from_iterable(zip(*[rows] * times, strict=True)))
        start = stop
    return columns


def in_order(names: Iterable[str]) -> list[str]:
    """Return names in the order in which their columns are computed: inputs of rules first."""
    order = {name: rank for rank, name in enumerate(FACTS)}
    return sorted(names, key=lambda name: order.get(name, len(order)))


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
    known = [Board(board.layout) for board in boards]
    for name in in_order(columns):
        columns[name].items = _items_of(name, columns[name], known, before.get(name))
        if name in FACTS:
            _learn(known, columns[name])
    return runs, {name: column.items for name, column in columns.items()}


def _items_of(name: str, column: _Column, known: list[Board], before: str | None) -> ItemRuns:
    """Return the items of a column; rules use what is known of the boards."""
    if name not in RULES:
        return [(_spell(tag), len(list(same))) for tag, same in groupby(column.tags)]
    rule = RULES[name]
    items = []
    if name == "DealId":
        first, *others = {parameter for tag in column.tags for parameter in rule.propose(tag)}
        made = None if others else identities(first, column, known)
        if made is not None:
            pairs = zip(column.tags, made, strict=True)
            return [(RULE + first if tag == own else _spell(tag), 1) for tag, own in pairs]
    previous = rule.start if before is None else before
    for row, tag, is_first in zip(column.rows, column.tags, column.are_first, strict=True):
        item = find_item(rule, tag, known[row], previous) if is_first else None
        items.append((_spell(tag) if item is None else item, 1))
        previous = tag.value
    return items


def identities(parameter: bytes, column: _Column, known: list[Board]) -> list[Tag] | None:
    """Return the tags of the rule DealId for all boards of a column; None if not each has one."""
    name, layouts = _NUMBERINGS.get(parameter), [known[row].layout for row in column.rows]
    if name is None or None in layouts or len(set(column.rows)) < len(column.rows):
        return None
    try:
        numbers = numbering(name).rank_many(owners_of(each for each in layouts if each))
    except PavError:
        return None
    return [Tag("DealId", f"{name}:{high << 64 | low}") for high, low in numbers.tolist()]


def _spell(tag: Tag) -> bytes:
    """Return the value and the lines of a tag as an item."""
    return LINE.join(map(encode_text, (tag.value, *tag.lines)))


def assemble(runs: NameRuns, columns: Mapping[str, ItemRuns]) -> bytes:
    """Return the body of lists of names and columns of items."""
    ids = {name: id_ for id_, name in enumerate(KNOWN_NAMES)}
    lists = []
    for names, run in runs:
        codes = [chr(ids.setdefault(name, len(ids))) for name in names]
        lists.append((encode_text("".join(codes)), run))
    own = b"".join(LINE + encode_text(name) for name in list(ids)[len(KNOWN_NAMES) :])
    items = [own, *fold(lists, _LISTS)]
    for name in ids:
        if name in columns:
            items.extend(fold(columns[name], RULES.get(name, PLAIN)))
    while items[-1] == REPEAT:
        items.pop()
    return b"".join(item + END for item in items) if items != [b""] else b""


class Body:
    """The items of a body for so many boards: a list of names for each, then the columns.

    A body may omit its last columns; the missing values repeat the item before them.
    """

    def __init__(self, body: bytes, count: int) -> None:
        """Find the items; raise `ReadError` if they are not those of so many boards."""
        if body.count(END) + body.count(LINE) > 2 * MOST_PARTS + count + 1:
            raise ReadError(f"metadata: more than {MOST_PARTS} tags and lines")
        self.items = body.split(END)
        if self.items.pop():
            raise ReadError("metadata: the last item has no end")
        covered = [1 if item[:1] != REPEAT else _run(item[1:]) for item in self.items]
        self.values = list(accumulate(covered, initial=0))
        """The number of values before each item, without those of open repeats."""
        self.open = [index for index, run in enumerate(covered) if not run]
        """The open items, which repeat to the end of their column, and the end of all items."""
        self.open.append(len(covered))
        self.names = _read_names(self.items[0] if self.items else b"")
        self.lists = Items(self, min(1, len(self.items)), count, _LISTS)
        self.runs = _read_lists(self.lists.runs(), self.names)

    def columns(self, totals: Mapping[str, int]) -> dict[str, Items]:
        """Return the columns of names, each of so many values; raise `ReadError` for more items."""
        columns: dict[str, Items] = {}
        begin = self.lists.end
        for name in self.names:
            if name in totals and name not in columns:
                columns[name] = Items(self, begin, totals[name], RULES.get(name, PLAIN))
                begin = columns[name].end
        if begin < len(self.items):
            raise ReadError("metadata: there are more items than values")
        return columns


def _run(digits: bytes) -> int:
    """Return the number of repeats in an item; 0 for a repeat to the end of the column."""
    run = int(digits) if digits.isdigit() and len(digits) <= LONGEST_COUNT else 0
    if digits and not run:
        raise ReadError(f"metadata: a run of {digits[:20]!r} values")
    return run


class Items:
    """The items of one column of `count` values, from the item `begin` of a body on."""

    def __init__(self, body: Body, begin: int, count: int, rule: TagPredictor) -> None:
        """Find the end of the column; raise `ReadError` if it has a wrong number of values."""
        self._body, self._begin, self._count, self.rule = body, begin, count, rule
        self._before = body.values[begin]
        end = bisect_left(body.values, self._before + count)
        open_ = body.open[bisect_left(body.open, begin)]
        if open_ < end:
            end = open_ + 1  # the column ends with an open repeat, present or omitted at the end
        elif body.values[end] != self._before + count:
            raise ReadError(f"metadata: a column has more than {count} values")
        self._size = end - begin
        self.end = min(end, len(body.items))

    def __len__(self) -> int:
        return self._size

    def find(self, position: int) -> int:
        """Return the index of the item that contains a value."""
        first = self._begin + 1
        last = self._begin + self._size
        return bisect_right(self._body.values, self._before + position, first, last) - first

    def stop(self, which: int) -> int:
        """Return the number of values up to the end of an item."""
        if which == self._size - 1:
            return self._count
        return self._body.values[self._begin + 1 + which] - self._before

    def start(self, which: int) -> int:
        """Return the number of values before an item."""
        return self.stop(which - 1) if which else 0

    def item(self, which: int) -> bytes:
        """Return the item at an index, or for a repeat the item that it repeats."""
        items = self._body.items
        for index in range(self._begin + which, self._begin - 1, -1):
            item = items[index] if index < len(items) else REPEAT
            if item[:1] != REPEAT:
                return item if index == self._begin + which else self.rule.after(item)
        return self.rule.before

    def runs(self) -> ItemRuns:
        """Return all items, each with the number of its values; a repeat is what it repeats."""
        runs, before = [], self.rule.before
        stop = 0
        for which in range(self._begin, self._begin + self._size):
            item = self._body.items[which] if which < self.end else REPEAT
            start, stop = stop, self.stop(which - self._begin)
            if item[:1] != REPEAT:
                before = self.rule.after(item)
            runs.append((before if item[:1] == REPEAT else item, stop - start))
        return runs

    @cached_property
    def numbers(self) -> list[tuple[str, int, int]]:
        """The last text at or before each item of board numbers, an offset, and a step.

        The first value of the item is their sum; each next value is greater by the step.
        """
        numbers, text, offset = [], self.rule.start, 0
        for which in range(len(self)):
            item = self.item(which)
            step = int(item == RULE + b"1")
            if not is_rule(item):
                text, offset = decode_text(item.split(LINE)[0]), 0
            numbers.append((text, offset, step))
            offset += step * (self.stop(which) - self.start(which))
        return numbers

    def number_before(self, position: int) -> str:
        """Return the previous board number, to which a rule adds its step; "" if none can."""
        if not position:
            return self.rule.start
        which = self.find(position - 1)
        text, offset, step = self.numbers[which]
        more = offset + step * (position - self.start(which))
        if not more:
            return text
        return str(int(text) + more) if NUMBER.fullmatch(text) else ""


def read_body(body: bytes, layouts: Sequence[Layout | None]) -> list[Board]:
    """Return the boards of a body; raise `ReadError` if it is not the body of such boards."""
    reader = Body(body, len(layouts))
    columns = _columns_of(reader.runs)
    found = reader.columns({name: len(column.rows) for name, column in columns.items()})
    for name, items in found.items():
        columns[name].items = items.runs()
    known = [Board(layout) for layout in layouts]
    for name in in_order(columns):
        columns[name].tags = _read_tags(name, columns[name], known)
        if name in FACTS:
            _learn(known, columns[name])
    if assemble(reader.runs, {name: column.items for name, column in columns.items()}) != body:
        raise ReadError("metadata: these bytes are not how the tags of any boards are written")
    left = {name: iter(column.tags) for name, column in columns.items()}
    entries = (
        tuple([next(left[name]) for name in names])
        for names, run in reader.runs
        for _ in range(run)
    )
    return [Board(layout, tags) for layout, tags in zip(layouts, entries, strict=True)]


def _read_names(item: bytes) -> list[str]:
    """Return the names by their ids, from the first item of a body."""
    empty, *own = item.split(LINE)
    if empty:
        raise ReadError("metadata: the names do not begin as they should")
    return [*KNOWN_NAMES, *map(decode_text, own)]


def _read_lists(items: ItemRuns, known: list[str]) -> NameRuns:
    """Return runs of the lists of tag names of the boards."""
    runs: NameRuns = []
    tags = 0
    for item, run in items:
        ids = decode_text(item) if len(item) * run <= _MOST_OF_LISTS else None
        tags += 0 if ids is None else len(ids) * run
        if ids is None or tags > MOST_PARTS:
            raise ReadError(f"metadata: more than {MOST_PARTS} tags")
        if ord(max(ids, default="\0")) >= len(known):
            raise ReadError("metadata: a board has a tag without a name")
        runs.append((tuple([known[ord(letter)] for letter in ids]), run))
    return runs


_MOST_OF_LISTS = 4 * MOST_PARTS
"""The most bytes of the lists of a block: an id has at most four."""


def _read_tags(name: str, column: _Column, known: list[Board]) -> list[Tag]:
    """Return the tags of a column from its items; rules use what is known of the boards."""
    tags: list[Tag] = []
    if name not in RULES:
        for item, run in column.items:
            tags += [parse_tag(name, item)] * run
        return tags
    rule = RULES[name]
    if name == "DealId" and len(column.items) == 1 and is_rule(column.items[0][0]):
        made = identities(column.items[0][0][1:], column, known)
        if made is not None:
            return made
    previous = rule.start
    items = chain.from_iterable(repeat(item, run) for item, run in column.items)
    for row, item, is_first in zip(column.rows, items, column.are_first, strict=True):
        parameter, tag = item[1:] if is_rule(item) else None, None
        if parameter is None:
            tag = parse_tag(name, item)
        elif is_first:
            tag = rule.make(parameter, known[row], previous)
        chosen = None
        if tag is not None and is_first:
            chosen = find_item(rule, tag, known[row], previous, made=parameter)
        if tag is None or chosen != (None if parameter is None else item):
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
