"""The tags of single boards of a block, without those of the others.

Rule 1: `decode_metadata` is the definition: of a column that it reads, the boards are its own.
Rule 2: the items of a body are found by arrays, and only those of the board asked for are read.
Rule 3: what is wrong in other boards is not seen. The bytes are known to be good by a checksum.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pavcodec.archive.columns import END, LINE, REPEAT, RULE, decode_text
from pavcodec.archive.envelope import open_envelope
from pavcodec.archive.rules import FACTS, PLAIN, RULES, Rule, is_rule
from pavcodec.archive.tag_columns import FIRST_LIST, KNOWN_NAMES, MOST_PARTS, in_order, parse_tag
from pavcodec.errors import ReadError
from pavcodec.formats.board import Board, Tag
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["TagRows"]

_COUNTED_ON = re.compile("0|[1-9][0-9]{0,17}")
_LONGEST_COUNT = 9  # digits
_LISTS = Rule(PLAIN.propose, PLAIN.make, FIRST_LIST)


class _Body:
    """A body as items: where each begins and ends, and for how many values it stands."""

    def __init__(self, body: bytes) -> None:
        data = np.frombuffer(body, np.uint8)
        self._body = body
        self._ends = np.flatnonzero(data == END[0])
        if body and not body.endswith(END):
            raise ReadError("metadata: the last item has no end")
        self._begins = np.concatenate([[0], self._ends[:-1] + 1]).astype(np.int64)[: len(self)]
        values = np.ones(len(self), np.int64)
        repeats = np.flatnonzero(data[self._begins] == REPEAT[0])
        values[repeats] = [self._run(self.item(place)[1:]) for place in repeats.tolist()]
        self.open = np.append(np.flatnonzero(values == 0), len(self))
        """The items that repeat to the end of their column, and the end."""
        self.values = np.concatenate([[0], np.cumsum(values)])
        """How many values there are before each item, not counting open ones."""

    def __len__(self) -> int:
        return len(self._ends)

    def item(self, place: int) -> bytes:
        """Return an item; behind the last one all repeat what is before them."""
        if place >= len(self):
            return REPEAT
        return self._body[self._begins[place] : self._ends[place]]

    @staticmethod
    def _run(digits: bytes) -> int:
        if not digits:
            return 0
        run = int(digits) if digits.isdigit() and len(digits) <= _LONGEST_COUNT else 0
        if not run:
            raise ReadError(f"metadata: a run of {digits[:20]!r} values")
        return run


@dataclass
class _Items:
    """The items of one column, from one place of a body on."""

    body: _Body
    begin: int
    stops: NDArray[np.int64]
    """For each item how many values there are up to its end."""
    rule: Rule

    @classmethod
    def of(cls, body: _Body, begin: int, count: int, rule: Rule) -> _Items:
        """Return the items of so many values; raise `ReadError` where there are others."""
        before = int(body.values[begin])
        end = int(np.searchsorted(body.values, before + count))
        open_ = int(body.open[np.searchsorted(body.open, begin)])
        stops = body.values[begin + 1 : min(open_, end - 1) + 1] - before
        if open_ < end:
            stops = np.append(stops, count)  # to which an open item repeats, or one left out
        elif body.values[end] == before + count:
            stops = np.append(stops, count)
        else:
            raise ReadError(f"metadata: a column has more than {count} values")
        return cls(body, begin, stops, rule)

    @property
    def end(self) -> int:
        """The place behind the last item."""
        return min(self.begin + len(self.stops), len(self.body))

    def find(self, place: int) -> int:
        """Return which item of the column tells a value."""
        return int(np.searchsorted(self.stops, place, "right"))

    def item(self, which: int) -> bytes:
        """Return the item that stands there, or that is repeated there."""
        last = which
        while last >= 0:
            item = self.body.item(self.begin + last)
            if item[:1] != REPEAT:
                return item if last == which else self.rule.after(item)
            last -= 1
        return self.rule.before

    @cached_property
    def counts(self) -> tuple[list[str], list[int], list[int]]:
        """Return for each item of board numbers the text it goes by, and the steps before it.

        The steps are those from that text to the first value of the item, less one; and the step
        from value to value within the item.
        """
        texts, befores, steps = [], [], []
        text, sum_, start = self.rule.start, 0, 0
        for which, stop in enumerate(self.stops.tolist()):
            item = self.item(which)
            step = int(item == RULE + b"1")
            if not is_rule(item):
                text, sum_ = decode_text(item.split(LINE)[0]), 0
            texts.append(text)
            befores.append(sum_)
            steps.append(step)
            sum_ += step * (stop - start)
            start = stop
        return texts, befores, steps

    def number_before(self, place: int) -> str:
        """Return the board number before a value, as rules count on from it."""
        if not place:
            return self.rule.start
        texts, befores, steps = self.counts
        which = self.find(place - 1)
        start = int(self.stops[which - 1]) if which else 0
        more = befores[which] + steps[which] * (place - start)
        if not more:
            return texts[which]
        if not _COUNTED_ON.fullmatch(texts[which]):
            return ""  # from which no rule counts on
        return str(int(texts[which]) + more)


class TagRows:
    """The metadata column of some boards, of which single ones are read.

    >>> from pavcodec.archive.metadata import encode_metadata
    >>> boards = [Board.make(None, number=number, tags={"Event": "x"}) for number in range(1, 99)]
    >>> TagRows(encode_metadata(boards), 98).board(41, None) == boards[41]
    True
    """

    def __init__(self, data: bytes, count: int) -> None:
        """Find the columns; raise `ReadError` where they are not those of so many boards."""
        text = open_envelope(data, count)
        if text.count(END) + text.count(LINE) > 2 * MOST_PARTS + count + 1:
            raise ReadError(f"metadata: more than {MOST_PARTS} tags and lines")
        body = _Body(text)
        self.size = len(text)
        empty, *own = (body.item(0) if len(body) else b"").split(LINE)
        if empty:
            raise ReadError("metadata: the names do not begin as they should")
        self._names = [*KNOWN_NAMES, *map(decode_text, own)]
        self._lists = _Items.of(body, min(1, len(body)), count, _LISTS)
        self._read_lists()
        self._columns: dict[int, _Items] = {}
        place = self._lists.end
        totals = self._values_before(self._boards_before(len(self._runs)))
        for id_ in sorted(totals):
            rule = RULES.get(self._names[id_], PLAIN)
            self._columns[id_] = _Items.of(body, place, totals[id_], rule)
            place = self._columns[id_].end
        if place < len(body):
            raise ReadError("metadata: there are more items than values")

    def _read_lists(self) -> None:
        """Read the lists of names: which one each item is, and which ids each has."""
        known: dict[bytes, int] = {}
        items = (self._lists.item(which) for which in range(len(self._lists.stops)))
        self._which = np.array([known.setdefault(item, len(known)) for item in items], np.int64)
        self._runs = np.diff(self._lists.stops, prepend=0)
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
        """Return how many boards have each list, before a run."""
        boards = np.bincount(self._which[:run], self._runs[:run], len(self._texts))
        return [int(many) for many in boards]

    def _values_before(self, boards: list[int]) -> Counter[int]:
        """Return how many values each name has where so many boards have each list."""
        values: Counter[int] = Counter()
        for times, many in zip(self._times, boards, strict=True):
            if many:
                for id_, each in times.items():
                    values[id_] += each * many
        return values

    def board(self, row: int, layout: Layout | None) -> Board:
        """Return the board of a row, whose cards are given; `ReadError` where it is none."""
        run = self._lists.find(row)
        of_run = int(self._which[run])
        boards = self._boards_before(run)
        boards[of_run] += row - (int(self._lists.stops[run - 1]) if run else 0)
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
        """Return the tag of a value; rules reach it where something is known."""
        name, column = self._names[id_], self._columns[id_]
        item = column.item(column.find(place))
        if not is_rule(item):
            return parse_tag(name, item)
        previous = column.number_before(place) if name == "Board" else ""
        tag = None if known is None else column.rule.make(item[1:], known, previous)
        if tag is None:
            raise ReadError(f"metadata: a rule of the tag {name} does not apply")
        return tag
