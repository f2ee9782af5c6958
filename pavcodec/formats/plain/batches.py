"""Readers of batches: owners as arrays, and boards on demand from the text in memory.

Rule 1: `Format.read` is the definition. A loop reads on as long as the text or the bytes are
        strictly right; the reader of boards reads each other line or record.
Rule 2: the rows are the owners of its boards, in the same order, and the problems are the same, in
        the same order.
Rule 3: a problem may stop the reading; the rows before it are not lost.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import accumulate, chain, islice
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Generic, NamedTuple, Self, TypeAlias, TypeVar

import numpy as np

from pavcodec import kernel
from pavcodec.arrays import MOST, split, subtract
from pavcodec.boards.batch import NO_CARDS, BoardBatch, ManyRanks, More, Wanted, gathered, singles
from pavcodec.boards.board import CYCLE, Board, Context, Vulnerability
from pavcodec.cards import DECK_SIZE, HAND_SIZE, Seat
from pavcodec.errors import PavError
from pavcodec.files.text import blocks, decode
from pavcodec.formats.format import NOT_PLAIN
from pavcodec.formats.plain.lines import (
    BoardNumbers,
    boards_of_lines,
    csv_numbers,
    csv_text,
    is_end,
    read_lines,
    write_each,
    write_lines,
)
from pavcodec.layout import Layout
from pavcodec.layout.columns import are_deals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.arrays import Limbs, Owners

    Bytes: TypeAlias = NDArray[np.uint8]


T = TypeVar("T")

_AT_ONCE = 1 << 14
"""The rows of a batch."""


class _Stretch:
    """The boards of consecutive rows; `read` makes them from their text, as far as needed."""

    def __init__(
        self, begin: int, read: Callable[[], Iterator[Board]], more: Callable[[], More]
    ) -> None:
        self._begin = begin
        self.read = read
        self.more = more
        self._rest: Iterator[Board] | None = None
        self._boards: list[Board] = []

    def board(self, row: int) -> Board:
        """Return the board of a row."""
        if self._rest is None:
            self._rest = self.read()
        self._boards += islice(self._rest, max(0, row - self._begin + 1 - len(self._boards)))
        return self._boards[row - self._begin]


class Rows:
    """Collects owners, and yields them in batches."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._rows = np.empty((_AT_ONCE, DECK_SIZE), np.uint8)
        self._count = 0
        self._begins: list[int] = []
        self._stretches: list[_Stretch] = []

    @property
    def room(self) -> Owners:
        """The rows that are still to be written."""
        return self._rows[self._count :]

    @property
    def are_full(self) -> bool:
        """Whether there is no room left."""
        return self._count == len(self._rows)

    def wrote(
        self,
        count: int,
        read: Callable[[], Iterator[Board]],
        more: Callable[[], More] = lambda: More.NOTHING,
    ) -> None:
        """Count rows that were written into the room.

        `read` yields their boards, and `more` returns what these hold beyond their cards.
        """
        if count:
            self._begins.append(self._count)
            self._stretches.append(_Stretch(self._count, read, more))
            self._count += count

    def add(self, boards: Iterable[Board]) -> Iterator[BoardBatch]:
        """Add the owners of boards; yield a batch whenever a board has no room."""
        for board in boards:
            if self.are_full:
                yield self.batch()
            layout = board.layout
            self.room[0] = NO_CARDS if layout is None else np.frombuffer(layout.owners, np.uint8)
            self.wrote(1, partial(iter, [board]), partial(_more_of, board))

    def batch(self) -> BoardBatch:
        """Return the rows so far as a batch, and begin anew."""
        begins, stretches = self._begins, self._stretches

        def board(row: int) -> Board:
            return stretches[bisect_right(begins, row) - 1].board(row)

        def more() -> More:
            return max((stretch.more() for stretch in stretches), default=More.NOTHING)

        def each() -> Iterator[Board]:
            return chain.from_iterable(stretch.read() for stretch in stretches)

        batch = BoardBatch(self._rows[: self._count], origin=board, more=more, each=each)
        self._begin()
        return batch

    def all_of(self, items: Iterator[T]) -> Iterator[T | BoardBatch]:
        """Yield items, and the remaining rows at their end or before their exception."""
        try:
            yield from items
        except Exception:
            if self._count:
                yield self.batch()
            raise
        if self._count:
            yield self.batch()


def _more_of(board: Board) -> More:
    """Return what a board has beyond its cards and their tag."""
    if not board.tags.keys().isdisjoint(NOT_PLAIN):
        return More.ANYTHING
    has_tags = any(tag.name != "Deal" or tag.lines for tag in board.entries)
    return More.PLAIN_TAGS if has_tags else More.NOTHING


# Loops that read rows while the text is strictly right. The position at which they stop is in an
# array, from which they also begin.


def read_deals(text: bytes, begin: int, owners: Owners) -> tuple[int, int]:
    r"""Read deal texts, one a line, until `owners` is full or a line is not strictly one.

    Returns the number of rows and the position after them.

    >>> owners = np.empty((5, 52), np.uint8)
    >>> read_deals(b"N:- - - -\nN:A... - - -\nn:- - - -\n", 0, owners)
    (2, 23)
    """
    at = np.array([begin], np.int64)
    rows = kernel.read_deals(text, len(text), len(owners), owners, at)
    return rows, int(at[0])


def read_decimals(
    text: bytes, begin: int, numbers: Limbs, *, least: int, most: int
) -> tuple[int, int]:
    r"""Read decimal numbers of `least` to `most`, one a line, until `numbers` is full.

    Returns the number of rows and the position after them.

    >>> numbers = np.empty((5, 2), np.uint64)
    >>> read_decimals(b"7\n18446744073709551617\n9\n", 0, numbers, least=0, most=1 << 64)
    (1, 2)
    """
    at, limits = np.array([begin], np.int64), [np.array(split(limit)) for limit in (least, most)]
    rows = kernel.read_numbers(text, len(text), *limits, len(numbers), numbers, at)
    return rows, int(at[0])


_CSV_ROW = re.compile(
    rb'"%b","(?!0+")[0-9]{1,18}","[NESW]/(?:-|NS|EW|All)"\n' % b'","'.join([b"([AKQJT2-9]*)"] * 16)
)
"""A plain row of CSV: sixteen suits, the number of the board, dealer and vulnerability."""
_DEAL_TEXT = b"N:" + b" ".join([b".".join([b"%b"] * 4)] * 4) + b"\n"


def _read_csv(text: bytes, begin: int, owners: Owners) -> tuple[int, int]:
    """Read plain rows of CSV as deal texts, until `owners` is full or a row is no deal."""
    texts: list[bytes] = []
    ends = [begin]
    while len(texts) < len(owners) and (row := _CSV_ROW.match(text, ends[-1])):
        texts.append(_DEAL_TEXT % row.groups())
        ends.append(row.end())
    count = read_deals(b"".join(texts), 0, owners)[0] if texts else 0
    are_whole = are_deals(owners[:count])
    count = count if are_whole.all() else int(are_whole.argmin())
    return count, ends[count]


_Read: TypeAlias = "Callable[[bytes, int, Owners], tuple[int, int]]"
"""Reads rows of a text from a position on; returns how many, and the position after them."""


def _number_reader(context: Context) -> _Read | None:
    """Return the loop for numbers of a numbering; None if two words are too short for them."""
    ranks: object = context.numbering
    if not isinstance(ranks, ManyRanks) or ranks.last >= MOST:
        return None
    scratch = np.empty((_AT_ONCE, 2), np.uint64)
    unrank, least, most = ranks.unrank_many, ranks.first, ranks.last

    def read(text: bytes, begin: int, room: Owners) -> tuple[int, int]:
        numbers = scratch[: len(room)]
        count, end = read_decimals(text, begin, numbers, least=least, most=most)
        if count:
            room[:count] = unrank(numbers[:count])
        return count, end

    return read


_READERS: dict[str, Callable[[Context], _Read | None]] = {
    "lines": lambda _: read_deals,
    "numbers": _number_reader,
    "csv": lambda _: _read_csv,
}
"""The loops of the formats of lines that have one."""


def read_line_batches(
    stream: BinaryIO, context: Context, _wanted: Wanted = Wanted.CARDS, *, name: str
) -> Iterator[BoardBatch]:
    """Yield the boards of a format of lines."""
    read = _READERS[name](context)
    if read is None:
        return gathered(singles(read_lines(stream, context, name=name)))
    rows = Rows()
    return rows.all_of(_read_lines(stream, context, read, name, rows))


def _read_lines(
    stream: BinaryIO, context: Context, read: _Read, name: str, rows: Rows
) -> Iterator[BoardBatch]:
    """Yield full batches; the reader of boards reads each line at which `read` stops."""
    more = More.PLAIN_TAGS if name == "csv" else More.NOTHING

    def boards(line: int, text: bytes) -> Iterator[Board]:
        lines = map(decode, text.split(b"\n")[:-1])
        return boards_of_lines(enumerate(lines, line), context, name)

    done = 0
    for text in whole_lines(stream):
        offset = 0
        while offset < len(text):
            count, end = read(text, offset, rows.room)
            rows.wrote(count, partial(boards, done + 1, text[offset:end]), lambda: more)
            done, offset = done + count, end
            if rows.are_full:
                yield rows.batch()
            elif offset < len(text):
                end = text.index(b"\n", offset) + 1
                done += 1
                yield from rows.add(boards(done, text[offset:end]))
                if is_end(decode(text[offset : end - 1]), name):
                    return
                offset = end


def whole_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield a text in blocks of whole lines, a newline after the last one."""
    held: list[bytes] = []
    for data in blocks(stream):
        cut = data.rfind(b"\n") + 1
        if cut:
            yield b"".join([*held, data[:cut]])
            held = [data[cut:]]
        else:
            held.append(data)
    if any(held):
        yield b"".join([*held, b"\n"])


# Writers of batches: the bytes of the writers of boards, made from arrays.
#
# Rule 1: `Format.write` is the definition. It writes each part of a batch that has no bytes here,
#         such as one with a layout that the numbering lacks, and reports the problems.
# Rule 2: a thread makes the next part while one part is written.
# Rule 3: boards are variable fields between constant literals. A class of boards, such as those of
#         one number modulo 16, has its literals and fields; the classes follow one another in a
#         cycle.
# Rule 4: the literals are what the definition writes around the cards and numbers of a board of
#         each class. Where they do not predict another board of the first class, there are none,
#         and boards are written one by one.


DEAL, NUMBER, ENTRY = 16, 20, 21
"""Fields: `DEAL + seat` is the deal from a seat on, and 4 * seat + suit a suit of a hand."""
_MOST_DIGITS = 39
"""The maximum number of digits of a number of two words."""
_FIELD_ROOM = 78
"""The characters of the longest field, and what the loop may overwrite."""
_NO_NUMBERS = np.empty((0, 2), np.uint64)


@dataclass(frozen=True, eq=False)
class Pieces:
    """The common parts of boards: the literals and the fields of each class.

    Board k is of class k - 1, modulo the number of classes; boards without a number have one class.
    """

    literals: bytes
    """All literals, one after another."""
    cuts: NDArray[np.int64]
    """`[classes, fields + 2]`: the starts of the literals of a class, and the end of the last."""
    fields: NDArray[np.uint8]
    """`[classes, fields]`: what is between the literals."""

    @classmethod
    def of(cls, classes: Sequence[Sequence[bytes | int]]) -> Pieces:
        """Return the pieces of each class: literals, and the field between each two of them."""
        literals = [[part for part in parts if isinstance(part, bytes)] for parts in classes]
        fields = [[part for part in parts if isinstance(part, int)] for parts in classes]
        cuts, end = [], 0
        for some in literals:
            cuts.append(list(accumulate(map(len, some), initial=end)))
            end = cuts[-1][-1]
        joined = b"".join(chain.from_iterable(literals))
        return cls(joined, np.array(cuts, np.int64), np.array(fields, np.uint8))


def format_boards(
    owners: Owners,
    numbers: Limbs | None,
    pieces: Pieces,
    *,
    first: int | None,
    sizes: range,
) -> tuple[int, Bytes]:
    """Return the number of formatted boards and their text.

    Formatting stops before the first board with an invalid owner, or a hand whose size is not one
    of `sizes`. `first` is the number of the first board.

    >>> from pavcodec import numbering
    >>> owners = numbering("deal").sample_many(1, seed=7)
    >>> pieces = Pieces.of([[b"<", NUMBER, b" ", DEAL + 3, b">"]])
    >>> format_boards(owners, None, pieces, first=12, sizes=range(14))[1].tobytes()
    b'<12 W:AT632.J7.973.J53 K.AQ932.J62.8642 Q4.KT5.AT854.KQT J9875.864.KQ.A97>'
    """
    classes, count = pieces.fields.shape
    longest = int((pieces.cuts[:, -1] - pieces.cuts[:, 0]).max())
    text = np.empty((len(owners) + 1) * (longest + count * _FIELD_ROOM), np.uint8)
    end, number = np.zeros(1, np.int64), first or 1
    rows = kernel.write_boards(
        *(len(owners), np.ascontiguousarray(owners)),
        _NO_NUMBERS if numbers is None else np.ascontiguousarray(numbers),
        *(number, sizes.start, sizes.stop - 1, classes, (number - 1) % classes),
        *(count, pieces.fields, pieces.literals, pieces.cuts, len(text), text, end),
    )
    return rows, text[: int(end[0])]


Form: TypeAlias = tuple[tuple[str | int, ...], ...]
"""The literals of each class as text, and the field between each two of them."""

_HANDS = "AKQJ.K95.A92.AJ5 T98.AT62.KT3.K84 765.Q84.QJ64.Q93 432.J73.875.T762"
_EXAMPLES = Layout.from_pbn(f"N:{_HANDS}"), Layout.from_pbn(f"E:{_HANDS}")
"""Deals to format: all suits of hands differ, and each is at another place in the other deal."""
_NUMBERS = ((16 * 7716049382716049 + 1, 91827364554637281908172635445362718190), (1, 0))
"""The numbers of the boards of class 0 of both, and their entries."""


def form_of(batch: BoardBatch, text_of: Callable[[Board], str | None]) -> Form | None:
    """Return the form of the boards of a batch; None if they must be written one by one.

    `text_of` returns the text of a board if that depends on nothing before it, or None.
    """
    if not batch.is_regular or batch.has_tricks or not len(batch):
        return None
    shared = _Shared(
        tuple(batch.tags.items()),
        batch.dealer,
        batch.vulnerable,
        None if batch.numbers is None else batch.numbering,
        batch.first is not None,
    )
    return _form(text_of, shared)


class _Shared(NamedTuple):
    """What the boards of a batch have in common."""

    tags: tuple[tuple[str, str], ...]
    dealer: Seat | None
    vulnerable: Vulnerability | None
    numbering: str | None
    are_numbered: bool


@lru_cache(maxsize=8)
def _form(text_of: Callable[[Board], str | None], shared: _Shared) -> Form | None:
    """Return the form of boards that share this, by the text of a board of each class.

    Another board of the first class must have the text that follows from its form.
    """
    classes = CYCLE if shared.are_numbered else 1
    texts: list[list[str | None]] = []
    values = []
    for layout, (first, entry), count in zip(_EXAMPLES, _NUMBERS, (classes, 1), strict=True):
        boards = BoardBatch(
            np.tile(np.frombuffer(layout.owners, np.uint8), (count, 1)),
            first if shared.are_numbered else None,
            shared.dealer,
            shared.vulnerable,
            dict(shared.tags),
            None
            if shared.numbering is None
            else np.tile(np.array(split(entry), np.uint64), (count, 1)),
            shared.numbering or "",
        )
        texts.append([text_of(board) for board in boards])
        cards = _fields_of(layout)
        values.append([[*cards, str(first + row), str(entry)] for row in range(count)])
    forms = [
        tuple(_cut(text, value))
        for text, value in zip(texts[0], values[0], strict=True)
        if text is not None
    ]
    if len(forms) < classes:
        return None
    filled = [
        "".join(value[part] if isinstance(part, int) else part for part in form)
        for form, value in zip(forms, values[1], strict=False)
    ]
    is_even = len(set(map(len, forms))) == 1
    return tuple(forms) if is_even and filled == texts[1] else None


def _fields_of(layout: Layout) -> list[str]:
    """Return the text of each field with cards."""
    hands = layout.to_pbn()[2:].split(" ")
    suits = [suit for hand in hands for suit in hand.split(".")]
    return [*suits, *(layout.to_pbn(first=seat) for seat in Seat)]


def _cut(text: str, values: list[str]) -> Iterator[str | int]:
    """Yield a literal, a field, a literal, and so on; suits are fields if there is no deal."""
    has_deal = any(value in text for value in values[DEAL:NUMBER])
    field_of = {value: n for n, value in enumerate(values) if n >= DEAL or not has_deal}
    cards = tuple(value for value, field in field_of.items() if field < NUMBER)
    literal = ""
    for part in _fields_pattern(cards).split(text):
        if part in field_of:
            yield from (literal, field_of[part])
            literal = ""
        else:  # also another long number, such as a seed
            literal += part
    yield literal


@lru_cache(maxsize=2)
def _fields_pattern(cards: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds the fields of an example: some cards, and its long numbers."""
    return re.compile(rf"({'|'.join(map(re.escape, cards))}|\d{{17,}})")


def write_by_form(
    batches: Iterable[BoardBatch],
    stream: BinaryIO,
    context: Context,
    text_of: Callable[[Board], str | None],
    write: Callable[[Iterable[Board], BinaryIO, Context], int],
) -> int:
    """Write batches of one form each as `write` does, in UTF-8; return how many boards.

    `write` writes parts with a hand that has not 13 cards, and all boards from the first batch on
    that has no form.
    """
    coming, rest = iter(batches), list[BoardBatch]()

    def regular() -> Iterator[BoardBatch]:
        for batch in coming:
            if len(batch) and form_of(batch, text_of) is None:
                rest.append(batch)
                return
            yield batch

    def make(part: BoardBatch) -> Bytes | None:
        form = form_of(part, text_of)
        assert form is not None, "other batches are written by their boards"
        return formatted(part, form)

    written = write_parts(regular(), stream, make, lambda part: write(part, stream, context))
    return written + write(chain.from_iterable(chain(rest, coming)), stream, context)


def formatted(part: BoardBatch, form: Form) -> Bytes | None:
    """Return boards of a form in UTF-8; None if a hand has not 13 cards."""
    rows, text = format_boards(
        part.owners,
        part.numbers,
        encoded(form, "utf-8"),
        first=part.first,
        sizes=range(HAND_SIZE, HAND_SIZE + 1),
    )
    return text if rows == len(part) else None


@lru_cache(maxsize=8)
def encoded(form: Form, encoding: str) -> Pieces:
    """Return the pieces of a form, its literals in an encoding."""
    return Pieces.of(
        [
            [part.encode(encoding) if isinstance(part, str) else part for part in parts]
            for parts in form
        ]
    )


@cache
def _lines() -> Pieces:
    """Return the pieces of deal texts, one in each line."""
    return Pieces.of([[b"", DEAL, b"\n"]])


def format_numbers(numbers: Limbs) -> Bytes:
    r"""Return decimal numbers as text, one in each line.

    >>> format_numbers(np.array([[0, 7], [1, 0]], np.uint64)).tobytes()
    b'7\n18446744073709551616\n'
    """
    text = np.empty((len(numbers) + 1) * (_MOST_DIGITS + 1) + 8, np.uint8)
    end = np.zeros(1, np.int64)
    rows = kernel.write_numbers(len(numbers), np.ascontiguousarray(numbers), len(text), text, end)
    assert rows == len(numbers)
    return text[: int(end[0])]


_BOARDS_AT_ONCE = 1 << 12
"""The boards that are formatted at a time: few enough that their text stays in the cache."""


class PipelinedWriter(Generic[T]):
    """Calls a function with results in order, while a thread makes the next result."""

    def __init__(self, take: Callable[[T], None]) -> None:
        self._take = take
        self._pool = ThreadPoolExecutor(1)
        self._coming: Future[T] | None = None

    def submit(self, job: Callable[[], T]) -> None:
        """Begin a job, and wait for the result of the previous job."""
        before, self._coming = self._coming, self._pool.submit(job)
        if before is not None:
            self._take(before.result())

    def finish(self) -> None:
        """Wait for the result of the last job."""
        last, self._coming = self._coming, None
        if last is not None:
            self._take(last.result())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._pool:
            if error is None:
                self.finish()


def parts_of(batch: BoardBatch) -> Iterator[BoardBatch]:
    """Yield a batch in parts of `_BOARDS_AT_ONCE` boards."""
    for begin in range(0, len(batch), _BOARDS_AT_ONCE):
        yield batch.rows(begin, min(begin + _BOARDS_AT_ONCE, len(batch)))


def write_parts(
    batches: Iterable[BoardBatch],
    stream: BinaryIO,
    make: Callable[[BoardBatch], Bytes | None],
    write_slowly: Callable[[BoardBatch], int],
) -> int:
    """Write all parts, by `write_slowly` where `make` returns None; return how many boards."""
    written = 0

    def make_both(part: BoardBatch) -> tuple[BoardBatch, Bytes | None]:
        return part, make(part)

    def take(made: tuple[BoardBatch, Bytes | None]) -> None:
        nonlocal written
        part, data = made
        if data is None:
            written += write_slowly(part)
        else:
            stream.write(data.reshape(-1).data)
            written += len(part)

    with PipelinedWriter(take) as behind:
        for batch in batches:
            for part in parts_of(batch):
                behind.submit(partial(make_both, part))
    return written


def write_line_batches(
    batches: Iterable[BoardBatch], stream: BinaryIO, context: Context, *, name: str
) -> int:
    """Write a line for each board that has cards, as `write_lines` does."""
    having = (batch.with_cards() for batch in batches)
    if name == "csv":
        return _write_csv(having, stream, context)
    make = _make_lines if name == "lines" else _make_numbers
    return write_parts(
        having,
        stream,
        partial(make, context),
        lambda part: write_lines(part, stream, context, name=name),
    )


def _make_lines(_context: Context, part: BoardBatch) -> Bytes | None:
    rows, text = format_boards(part.owners, None, _lines(), first=None, sizes=range(DECK_SIZE + 1))
    return text if rows == len(part) else None


def _make_numbers(context: Context, part: BoardBatch) -> Bytes | None:
    numbers = numbers_of_batch(part, context)
    return None if numbers is None else format_numbers(numbers)


def _write_csv(batches: Iterable[BoardBatch], stream: BinaryIO, context: Context) -> int:
    """Write rows of CSV; a board without a number has the next one, so no part is made ahead."""
    numbers, written = csv_numbers(context), 0
    text_of = csv_text(numbers)
    for part in chain.from_iterable(map(parts_of, batches)):
        text = _make_csv(part, numbers)
        if text is None:
            written += write_each(part, stream, context, lambda board: f"{text_of(board)}\n")
            continue
        for _ in range(0 if part.first else len(part)):
            context.differ("number")
        stream.write(text.data)
        written += len(part)
    return written


def _make_csv(part: BoardBatch, numbers: BoardNumbers) -> Bytes | None:
    """Return the rows of deals whose fields determine them, and count on their numbers."""
    if not part.is_regular or "Board" in part.tags:
        return None
    first = part.first or numbers.last + 1
    numbered = replace(part, first=first, origin=None, each=None, tricks=None)
    form = form_of(numbered, _csv_line)
    if form is None:
        return None
    text = formatted(numbered, form)
    if text is not None:
        numbers.last = first + len(part) - 1
    return text


def _csv_line(board: Board) -> str | None:
    """Return the row of a board with a number; None if CSV cannot hold it."""
    try:
        return f"{csv_text(csv_numbers(Context('')))(board)}\n"
    except PavError:
        return None


def numbers_of_batch(part: BoardBatch, context: Context, *, from_0: bool = False) -> Limbs | None:
    """Return the numbers of a part; None if a layout has none, or two words are too short."""
    ranks: object = context.numbering
    if not isinstance(ranks, ManyRanks):
        return None
    try:
        numbers = ranks.rank_many(part.owners, threads=1)
    except PavError:
        return None
    return subtract(numbers, ranks.first) if from_0 else numbers
