"""The metadata column: all tags and lines of a block of boards, without the cards, in few bytes.

The column consists of smaller columns: the list of tag names of each board, then the values of each
name. A tag that follows from the board number or the cards is stored as a rule, repetition as a
count, any other value as text. Then all is compressed. The page `archive/format` of the
documentation specifies the bytes.
"""

from __future__ import annotations

import lzma
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from pavcodec.archive.tags.columns import (
    FACTS,
    MOST_PARTS,
    RULE,
    Body,
    ItemRuns,
    NameRuns,
    assemble,
    count_parts,
    encode_text,
    in_order,
    is_rule,
    parse_tag,
    read_body,
    spell,
)
from pavcodec.boards.batch import BoardBatch
from pavcodec.boards.board import CYCLE, Board, Tag
from pavcodec.boards.tricks import NOT_SOLVED, RESULT_TABLE, TRICK_TAGS
from pavcodec.errors import LayoutError, PavError, ReadError
from pavcodec.layout import Layout
from pavcodec.numberings import numbering, numbering_names

# The envelope of a metadata column: checksum, compression, and limits on decompressed size.


MOST_BYTES = 1 << 26
"""The maximum size of an uncompressed column: 64 MiB."""

_LEAST_WINDOW = 1 << 12  # the minimum of LZMA
_LARGEST_WINDOW = 1 << 23  # compression needs eleven times as much memory
_STORED, _LZMA = b"\0", b"\1"
"""The method of compression, the first byte after the checksum."""
_FIELD = 4
"""The bytes of the checksum, and of the size of a compressed body; both are little-endian."""


def _filters(size: int) -> list[dict[str, int]]:
    """Return the LZMA2 filter for a body of `size` bytes; the window covers it, up to a limit."""
    window = min(max(_LEAST_WINDOW, size), _LARGEST_WINDOW)
    return [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": window, "lc": 3, "lp": 0, "pb": 0}]


def seal(body: bytes, count: int) -> bytes:
    r"""Return a body in its envelope, compressed if that is shorter; `count` boards have the body.

    Raise `PavError` if the body has more than `MOST_BYTES`.

    >>> seal(b"", 3), len(seal(b"1" * 1000, 3))
    (b'\xcd\x8d\x82\x81\x00', 28)
    """
    if len(body) > MOST_BYTES:
        raise PavError(
            f"metadata: the tags have {len(body)} bytes, more than the {MOST_BYTES} of a column; "
            "write fewer boards a block"
        )
    packed = lzma.compress(body, lzma.FORMAT_RAW, filters=_filters(len(body)))
    compressed = _LZMA + len(body).to_bytes(_FIELD, "little") + packed
    contents = min(_STORED + body, compressed, key=len)
    return _checksum(contents, count) + contents


def _checksum(contents: bytes, count: int) -> bytes:
    """Return the checksum, which also covers the number of boards."""
    start = zlib.crc32(count.to_bytes(_FIELD, "little"))
    return zlib.crc32(contents, start).to_bytes(_FIELD, "little")


def open_envelope(data: bytes, count: int) -> bytes:
    """Return the body of an envelope; raise `ReadError` if it is not a valid one of `count` boards.

    At most as many bytes are decompressed as the envelope declares, and it may not declare more
    than `MOST_BYTES`.
    """
    contents = data[_FIELD:]
    if len(data) >= _FIELD and _checksum(contents, count) != data[:_FIELD]:
        raise ReadError(f"metadata: damaged, or not of {count} boards: the checksum is another")
    method, size = contents[:1], contents[1 : 1 + _FIELD]
    if method == _STORED:
        return contents[1:]
    if method != _LZMA or len(size) < _FIELD:
        raise ReadError("metadata: the bytes end too early, or are of an unknown method")
    return _expand(contents[1 + _FIELD :], int.from_bytes(size, "little"))


def _expand(data: bytes, size: int) -> bytes:
    """Decompress exactly `size` bytes."""
    if size > MOST_BYTES:
        raise ReadError(f"metadata: {size} bytes are declared, at most {MOST_BYTES} are allowed")
    expander = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_filters(size))
    try:
        body = expander.decompress(data, size + 1)
    except lzma.LZMAError:
        raise ReadError("metadata: the compressed bytes are damaged") from None
    if len(body) != size or not expander.eof or expander.unused_data:
        raise ReadError(f"metadata: the compressed bytes are not the {size} declared")
    return body


_CYCLE_NAMES = frozenset(("Board", "Dealer", "Vulnerable"))


def encode_metadata(boards: Sequence[Board]) -> bytes:
    """Return the tags and lines of some boards as bytes; a block has some thousand boards.

    Raise `PavError` if they have more than `MOST_PARTS` tags and lines, or more than `MOST_BYTES`
    of text; a block of fewer boards solves this.

    >>> from pavcodec import numbering
    >>> deals = numbering("deal")
    >>> boards = [Board.make(deals[i], number=i, tags={"Event": "Club"}) for i in range(1, 1000)]
    >>> data = encode_metadata(boards)
    >>> len(data), decode_metadata(data, [board.layout for board in boards]) == boards
    (18, True)
    """
    parts = count_parts(boards)
    if parts > MOST_PARTS:
        raise PavError(
            f"metadata: {parts} tags and lines, more than the {MOST_PARTS} of a column; "
            "write fewer boards a block"
        )
    return seal(assemble(*spell(boards)), len(boards))


def decode_metadata(data: bytes, layouts: Sequence[Layout | None]) -> list[Board]:
    """Return the boards of a metadata column, equal to the encoded ones.

    `layouts` are the cards of the encoded boards, None for a board without cards. Raise `ReadError`
    unless the bytes are those of `encode_metadata` for boards with these layouts.

    >>> decode_metadata(encode_metadata([Board.make(None, number=7)])[:-1], [None])
    Traceback (most recent call last):
        ...
    pavcodec.errors.ReadError: metadata: damaged, or not of 1 boards: the checksum is another
    """
    body = open_envelope(data, len(layouts))
    boards = read_body(body, layouts)
    if count_parts(boards) > MOST_PARTS:
        raise ReadError(f"metadata: more than {MOST_PARTS} tags and lines")
    return boards


def decode_rules(data: bytes, layouts: Sequence[Layout | None]) -> list[Board]:
    """Return boards of a column that has only their `cycle_tags`.

    Raise `ReadError` unless the bytes are those of `encode_metadata` for such boards.
    """
    boards = decode_metadata(data, layouts)
    if not any(board.entries for board in boards):
        raise ReadError("metadata: other tags than board number, dealer and vulnerability, or none")
    for board in boards:
        check_rules(board)
    return boards


def check_rules(board: Board) -> None:
    """Raise `ReadError` if a board has other tags than its `cycle_tags`.

    >>> check_rules(Board.make(None, number=7))
    """
    if board.entries != cycle_tags(board):
        raise ReadError("metadata: other tags than board number, dealer and vulnerability")


def cycle_tags(board: Board) -> tuple[Tag, ...]:
    """Return the first tags of number, dealer and vulnerability, without their lines.

    If the board numbers count up and the other tags follow the usual cycle, these tags take about 5
    to 15 bytes for any number of boards.

    >>> boards = [Board(None, cycle_tags(Board.make(None, number=n))) for n in range(1, 10)]
    >>> len(encode_metadata(boards))
    8
    """
    return tuple(Tag(name, value) for name, value in board.tags.items() if name in _CYCLE_NAMES)


# Decode the tags of single boards of a block without decoding the other boards.
#
# Rule 1: `decode_metadata` is the definition. For a column that it reads, the boards are equal.
# Rule 2: The start of each column is found by counting values; only items of the board are decoded.
# Rule 3: Faults in other boards are not found. A checksum has already verified the bytes.


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
        self.size = len(text)
        body = Body(text, count)
        self._lists = body.lists
        which: dict[tuple[str, ...], int] = {}
        self._which = [which.setdefault(names, len(which)) for names, _ in body.runs]
        self._runs = [run for _, run in body.runs]
        self._names = list(which)
        self._times = list(map(Counter, which))
        totals = self._values_before(self._boards_before(len(self._runs)))
        self._columns = body.columns(totals)

    def _boards_before(self, run: int) -> list[int]:
        """Return how many boards before a run have each list."""
        boards = [0] * len(self._names)
        for which, many in zip(self._which[:run], self._runs, strict=False):
            boards[which] += many
        return boards

    def _values_before(self, boards: list[int]) -> Counter[str]:
        """Return how many values each name has, if `boards[i]` boards have the list i."""
        values: Counter[str] = Counter()
        for times, many in zip(self._times, boards, strict=True):
            if many:
                for name, each in times.items():
                    values[name] += each * many
        return values

    def board(self, row: int, layout: Layout | None) -> Board:
        """Return the board of a row with the given cards; raise `ReadError` if it is invalid."""
        run = self._lists.find(row)
        of_run = self._which[run]
        boards = self._boards_before(run)
        boards[of_run] += row - self._lists.start(run)
        before, times = self._values_before(boards), self._times[of_run]
        known = Board(layout)
        tags: dict[str, Iterator[Tag]] = {}
        for name in in_order(times):
            first = before[name]
            found = [
                self._tag(name, position, known if position == first else None)
                for position in range(first, first + times[name])
            ]
            tags[name] = iter(found)
            if name in FACTS:
                known = Board(layout, (*known.entries, found[0]))
        return Board(layout, tuple([next(tags[name]) for name in self._names[of_run]]))

    def _tag(self, name: str, position: int, known: Board | None) -> Tag:
        """Return the tag of a value; a rule needs the known part of the board."""
        column = self._columns[name]
        item = column.item(column.find(position))
        if not is_rule(item):
            return parse_tag(name, item)
        previous = column.number_before(position) if name == "Board" else ""
        tag = None if known is None else column.rule.make(item[1:], known, previous)
        if tag is None:
            raise ReadError(f"metadata: a rule of the tag {name} does not apply")
        return tag


# The metadata column of batches of boards, without a `Board` for each row.
#
# Rule 1: `encode_metadata` of the boards is the definition; the bytes are equal. Rule 2: The tags
# of a batch depend on its first board and, in the other boards, on the board number modulo 16. The
# definition computes the first 17 rows; each later row k has the items of row k - 16. Rule 3: Only
# the identities of deals depend on the cards. They are computed as an array. Rule 4: For a batch to
# which these rules do not apply, the boards are encoded one by one.


def encode_batches(batches: Sequence[BoardBatch], *, tricks_apart: bool = False) -> bytes | None:
    """Return `encode_metadata` of the boards of batches; None if it needs the single boards.

    With `tricks_apart`, boards with tricks have an empty tag OptimumResultTable instead.

    The result is b"" for boards without tags. Raise `PavError` if the text is too long.

    >>> deals = numbering("deal")
    >>> batch = BoardBatch(deals.sample_many(1000, seed=7), first=1, tags={"Event": "Club"})
    >>> len(encode_batches([batch]))
    18
    """
    names: NameRuns = []
    columns: dict[str, ItemRuns] = {}
    before: Mapping[str, str] = {}
    for batch in batches:
        spelled = _spell_batch(batch, before, tricks_apart=tricks_apart)
        if spelled is None:
            return None
        of_all, items = spelled
        names.append((of_all, len(batch)))
        for name, runs in items.items():
            columns.setdefault(name, []).extend(runs)
        last = replace(batch.rows(len(batch) - 1, len(batch)), tricks=None)
        before = {**before, **last.board(0).tags}
    if sum(len(of_all) * rows for of_all, rows in names) > MOST_PARTS:
        return None
    if not columns:
        return b""
    return seal(assemble(names, columns), sum(rows for _, rows in names))


def _spell_batch(
    batch: BoardBatch, before: Mapping[str, str], *, tricks_apart: bool
) -> tuple[tuple[str, ...], dict[str, ItemRuns]] | None:
    """Return the tag names of each board, and the items of each name; None as above."""
    if not batch.is_regular:
        return None
    if not {"Deal", "DealId", *TRICK_TAGS}.isdisjoint(batch.tags):
        return None
    has_tables = batch.has_tricks
    if has_tables and not (tricks_apart and _are_solved(batch)):
        return None
    some = replace(batch.rows(0, min(len(batch), 1 + CYCLE)), numbers=None, tricks=None)
    ((names, _),), columns = spell(list(some), before)
    for name, items in columns.items():
        columns[name] = list(_continued(items, len(batch)))
    if batch.numbers is not None:
        identities = _identities(batch)
        if identities is None:
            return None
        columns["DealId"] = identities
        names += ("DealId",)
    if has_tables:
        columns[RESULT_TABLE] = [(b"", len(batch))]
        names += (RESULT_TABLE,)
    return names, columns


def _are_solved(batch: BoardBatch) -> bool:
    """Return whether every board of a batch has results."""
    return batch.tricks is not None and bool((batch.tricks != NOT_SOLVED).any(axis=1).all())


def _continued(runs: ItemRuns, rows: int) -> Iterator[tuple[bytes, int]]:
    """Yield the items of `rows` rows; `runs` are those of the first 17."""
    items = [item for item, run in runs for _ in range(run)]
    first, cycle = items[0], items[1:]
    yield first, 1
    if not cycle or cycle.count(cycle[0]) == len(cycle):
        yield from [(item, rows - 1) for item in cycle[:1]]
        return
    whole, rest = divmod(rows - 1, len(cycle))
    for item in cycle * whole + cycle[:rest]:
        yield item, 1


def _identities(batch: BoardBatch) -> ItemRuns | None:
    """Return the items of the identities; None if some layouts are not in their numbering."""
    name, numbers = batch.numbering, batch.numbers
    assert numbers is not None
    follow = np.zeros(len(batch), np.bool_)
    if name in numbering_names():
        try:
            follow = (numbering(name).rank_many(batch.owners) == numbers).all(axis=1)
        except LayoutError:
            return None
    rule = RULE + encode_text(name)
    if follow.all():
        return [(rule, len(batch))]
    pairs = zip(follow.tolist(), numbers.tolist(), strict=True)
    return [
        (rule if follows else encode_text(f"{name}:{high << 64 | low}"), 1)
        for follows, (high, low) in pairs
    ]
