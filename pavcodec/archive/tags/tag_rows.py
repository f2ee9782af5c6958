"""The tags of single boards of a block, without those of the others.

Rule 1: `decode_metadata` is the definition: of a column that it reads, the boards are its own.
Rule 2: where each column begins is found by counting, and only items of the board are read.
Rule 3: what is wrong in other boards is not seen. The bytes are known to be good by a checksum.
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
    """A body as items, and for how many values they stand."""

    def __init__(self, body: bytes) -> None:
        self.items = body.split(END)
        if self.items.pop():
            raise ReadError("metadata: the last item has no end")
        runs = [1 if item[:1] != REPEAT else _run(item[1:]) for item in self.items]
        self.values = list(accumulate(runs, initial=0))
        """How many values there are before each item, not counting open ones."""
        self.open = [place for place, run in enumerate(runs) if not run]
        """The items that repeat to the end of their column, and the end of all."""
        self.open.append(len(runs))


def _run(digits: bytes) -> int:
    """Return the number of repeats that an item tells; 0 for those to the end of the column."""
    run = int(digits) if digits.isdigit() and len(digits) <= _LONGEST_COUNT else 0
    if digits and not run:
        raise ReadError(f"metadata: a run of {digits[:20]!r} values")
    return run


class _Items:
    """The items of one column of so many values, from one place of a body on."""

    def __init__(self, body: _Body, begin: int, count: int, rule: TagPredictor) -> None:
        """Find the end of the column; raise `ReadError` where there are other values."""
        self._body, self._begin, self._count, self.rule = body, begin, count, rule
        self._before = body.values[begin]
        end = bisect_left(body.values, self._before + count)
        open_ = body.open[bisect_left(body.open, begin)]
        if open_ < end:
            end = open_ + 1  # it repeats to the end of the column, or is left out behind the body
        elif body.values[end] != self._before + count:
            raise ReadError(f"metadata: a column has more than {count} values")
        self._size = end - begin
        self.end = min(end, len(body.items))

    def __len__(self) -> int:
        return self._size

    def find(self, place: int) -> int:
        """Return which item of the column tells a value."""
        first = self._begin + 1
        last = self._begin + self._size
        return bisect_right(self._body.values, self._before + place, first, last) - first

    def stop(self, which: int) -> int:
        """Return how many values there are up to the end of an item."""
        if which == self._size - 1:
            return self._count
        return self._body.values[self._begin + 1 + which] - self._before

    def start(self, which: int) -> int:
        """Return how many values there are before an item."""
        return self.stop(which - 1) if which else 0

    def item(self, which: int) -> bytes:
        """Return the item that stands there, or that is repeated there."""
        items = self._body.items
        for place in range(self._begin + which, self._begin - 1, -1):
            item = items[place] if place < len(items) else REPEAT
            if item[:1] != REPEAT:
                return item if place == self._begin + which else self.rule.after(item)
        return self.rule.before

    @cached_property
    def counts(self) -> tuple[list[str], list[int], list[int]]:
        """Return for each item of board numbers the text it goes by, and the steps before it.

        The steps are those from that text to the first value of the item, less one; and the step
        from value to value within the item.
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
        """Return the board number before a value, as rules count on from it."""
        if not place:
            return self.rule.start
        texts, befores, steps = self.counts
        which = self.find(place - 1)
        more = befores[which] + steps[which] * (place - self.start(which))
        if not more:
            return texts[which]
        if not _COUNTED_ON.fullmatch(texts[which]):
            return ""  # from which no rule counts on
        return str(int(texts[which]) + more)


class TagRows:
    """The metadata column of some boards, of which single ones are read.

    >>> from pavcodec.archive.tags.metadata import encode_metadata
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
        """Read the lists of names: which one each item is, and which ids each has."""
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
        """Return how many boards have each list, before a run."""
        boards = [0] * len(self._texts)
        for which, many in zip(self._which[:run], self._runs, strict=False):
            boards[which] += many
        return boards

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
