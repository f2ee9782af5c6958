"""Decode the tags of single boards of a block without decoding the other boards.

Rule 1: `decode_metadata` is the definition. For a column that it reads, the boards are equal.
Rule 2: The start of each column is found by counting values; only items of the board are decoded.
Rule 3: Faults in other boards are not found. A checksum has already verified the bytes.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate

from pavcodec.archive.tags.envelope import open_envelope
from pavcodec.archive.tags.predictors import FACTS, PLAIN, RULES, TagPredictor, is_rule
from pavcodec.archive.tags.tag_columns import (
    FIRST_LIST,
    KNOWN_NAMES,
    MOST_PARTS,
    in_order,
    parse_tag,
)
from pavcodec.archive.tags.text_columns import END, LINE, REPEAT, RULE, decode_text
from pavcodec.boards.board import Board, Tag
from pavcodec.errors import ReadError
from pavcodec.layout import Layout

__all__ = ["TagRows"]

_COUNTED_ON = re.compile("0|[1-9][0-9]{0,17}")
_LONGEST_COUNT = 9  # digits
_LISTS = TagPredictor(PLAIN.propose, PLAIN.make, FIRST_LIST)


class _Body:
    """The items of a body, and the number of values that each covers."""

    def __init__(self, body: bytes) -> None:
        self.items = body.split(END)
        if self.items.pop():
            raise ReadError("metadata: the last item has no end")
        runs = [1 if item[:1] != REPEAT else _run(item[1:]) for item in self.items]
        self.values = list(accumulate(runs, initial=0))
        """The number of values before each item, without those of open repeats."""
        self.open = [place for place, run in enumerate(runs) if not run]
        """The open items, which repeat to the end of their column, and the end of all items."""
        self.open.append(len(runs))


def _run(digits: bytes) -> int:
    """Return the number of repeats in an item; 0 for a repeat to the end of the column."""
    run = int(digits) if digits.isdigit() and len(digits) <= _LONGEST_COUNT else 0
    if digits and not run:
        raise ReadError(f"metadata: a run of {digits[:20]!r} values")
    return run


class _Items:
    """The items of one column of `count` values, from the item `begin` of a body on."""

    def __init__(self, body: _Body, begin: int, count: int, rule: TagPredictor) -> None:
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

    def find(self, place: int) -> int:
        """Return the index of the item that contains a value."""
        first = self._begin + 1
        last = self._begin + self._size
        return bisect_right(self._body.values, self._before + place, first, last) - first

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
        for place in range(self._begin + which, self._begin - 1, -1):
            item = items[place] if place < len(items) else REPEAT
            if item[:1] != REPEAT:
                return item if place == self._begin + which else self.rule.after(item)
        return self.rule.before

    @cached_property
    def counts(self) -> tuple[list[str], list[int], list[int]]:
        """Return for each item of board numbers its base text, its offset and its step.

        The base text is the last text at or before the item. The first value of the item is the
        base plus the offset plus the step; each next value is greater by the step.
        """
        texts, befores, steps = [], [], []
        text, sum_ = self.rule.start, 0
        for which in range(len(self)):
            item = self.item(which)
            step = int(item == RULE + b"1")
            if not is_rule(item):
                text, sum_ = decode_text(item.split(LINE)[0]), 0
            texts.append(text)
            befores.append(sum_)
            steps.append(step)
            sum_ += step * (self.stop(which) - self.start(which))
        return texts, befores, steps

    def number_before(self, place: int) -> str:
        """Return the previous board number, to which a rule adds its step."""
        if not place:
            return self.rule.start
        texts, befores, steps = self.counts
        which = self.find(place - 1)
        more = befores[which] + steps[which] * (place - self.start(which))
        if not more:
            return texts[which]
        if not _COUNTED_ON.fullmatch(texts[which]):
            return ""  # no rule can add to this
        return str(int(texts[which]) + more)


class TagRows:
    """A decoder of single boards of a metadata column.

    >>> from pavcodec.archive.tags.metadata import encode_metadata
    >>> boards = [Board.make(None, number=number, tags={"Event": "x"}) for number in range(1, 99)]
    >>> TagRows(encode_metadata(boards), 98).board(41, None) == boards[41]
    True
    """

    def __init__(self, data: bytes, count: int) -> None:
        """Find the columns; raise `ReadError` if they are not those of `count` boards."""
        text = open_envelope(data, count)
        if text.count(END) + text.count(LINE) > 2 * MOST_PARTS + count + 1:
            raise ReadError(f"metadata: more than {MOST_PARTS} tags and lines")
        body = _Body(text)
        self.size = len(text)
        empty, *own = (body.items[0] if body.items else b"").split(LINE)
        if empty:
            raise ReadError("metadata: the names do not begin as they should")
        self._names = [*KNOWN_NAMES, *map(decode_text, own)]
        self._lists = _Items(body, min(1, len(body.items)), count, _LISTS)
        self._read_lists()
        self._columns: dict[int, _Items] = {}
        place = self._lists.end
        totals = self._values_before(self._boards_before(len(self._runs)))
        for id_ in sorted(totals):
            rule = RULES.get(self._names[id_], PLAIN)
            self._columns[id_] = _Items(body, place, totals[id_], rule)
            place = self._columns[id_].end
        if place < len(body.items):
            raise ReadError("metadata: there are more items than values")

    def _read_lists(self) -> None:
        """Read the lists of names: the list of each item, and the ids in each list."""
        known: dict[bytes, int] = {}
        items = (self._lists.item(which) for which in range(len(self._lists)))
        self._which = [known.setdefault(item, len(known)) for item in items]
        self._runs = [
            self._lists.stop(which) - self._lists.start(which) for which in range(len(self._lists))
        ]
        self._texts = [decode_text(item) for item in known]
        boards = self._boards_before(len(self._runs))
        if sum(len(text) * many for text, many in zip(self._texts, boards, strict=True)) > (
            MOST_PARTS
        ):
            raise ReadError(f"metadata: more than {MOST_PARTS} tags")
        self._times = [
            {ord(name): times for name, times in Counter(text).items()} for text in self._texts
        ]
        if any(max(times, default=0) >= len(self._names) for times in self._times):
            raise ReadError("metadata: a board has a tag without a name")

    def _boards_before(self, run: int) -> list[int]:
        """Return how many boards before a run have each list."""
        boards = [0] * len(self._texts)
        for which, many in zip(self._which[:run], self._runs, strict=False):
            boards[which] += many
        return boards

    def _values_before(self, boards: list[int]) -> Counter[int]:
        """Return how many values each name has, if `boards[i]` boards have the list i."""
        values: Counter[int] = Counter()
        for times, many in zip(self._times, boards, strict=True):
            if many:
                for id_, each in times.items():
                    values[id_] += each * many
        return values

    def board(self, row: int, layout: Layout | None) -> Board:
        """Return the board of a row with the given cards; raise `ReadError` if it is invalid."""
        run = self._lists.find(row)
        of_run = self._which[run]
        boards = self._boards_before(run)
        boards[of_run] += row - self._lists.start(run)
        before, times = self._values_before(boards), self._times[of_run]
        names = {self._names[id_]: id_ for id_ in times}
        known = Board(layout)
        found: dict[int, Iterator[Tag]] = {}
        for name in in_order(names):
            id_ = names[name]
            first = before[id_]
            tags = [
                self._tag(id_, place, known if place == first else None)
                for place in range(first, first + times[id_])
            ]
            found[id_] = iter(tags)
            if name in FACTS:
                known = Board(layout, (*known.entries, tags[0]))
        return Board(layout, tuple([next(found[ord(name)]) for name in self._texts[of_run]]))

    def _tag(self, id_: int, place: int, known: Board | None) -> Tag:
        """Return the tag of a value; a rule needs the known part of the board."""
        name, column = self._names[id_], self._columns[id_]
        item = column.item(column.find(place))
        if not is_rule(item):
            return parse_tag(name, item)
        previous = column.number_before(place) if name == "Board" else ""
        tag = None if known is None else column.rule.make(item[1:], known, previous)
        if tag is None:
            raise ReadError(f"metadata: a rule of the tag {name} does not apply")
        return tag
