"""Operations on archives: concatenation, and union, intersection and difference of sets.

Sorted archives are read in parallel, one block of each at a time, so memory does not grow with the
archives. All must have the same space and kind. If one stores all tags, the result does, too; of
boards with equal numbers, the result has the first. For multisets, a number occurs in the union as
often as the maximum over the archives, in the intersection as often as the minimum, and in the
difference as often as in the first less the sum over the others, at least 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from pavcodec.archive.archive import Archive
from pavcodec.archive.block_codec import BlockCodec
from pavcodec.archive.coding.sorted import first_not_below
from pavcodec.archive.container import Kind
from pavcodec.archive.writer import Piece, Target, write_to
from pavcodec.arrays import are_new, integer, sorting
from pavcodec.boards.batch import Gathered
from pavcodec.errors import PavError

if TYPE_CHECKING:
    from numpy.typing import NDArray


_Counts: TypeAlias = "NDArray[np.int64]"
"""The multiplicity of each number in each source: `int64[sources, numbers]`."""


def merge_archives(sources: Sequence[Archive], target: Target) -> int:
    """Write the boards of all archives, and return their number.

    Ordered archives are concatenated, with their tags. In the result, a set has each number once,
    and a multiset as often as all sources together. Raise `PavError` for archives of different
    spaces or kinds.
    """
    codec = _common(sources)
    if codec.is_sorted:
        once = codec.kind is Kind.SET
        return _combine(
            sources, target, lambda counts: counts.max(0) if once else counts.sum(0), is_union=True
        )
    has_tags = any(map(_has_tags, sources))
    pieces = (piece for source in sources for piece in _pieces(source, has_boards=has_tags))
    return write_to(target, codec, lambda writer: writer.write_pieces(pieces, fills=True))


def unite_archives(sources: Sequence[Archive], target: Target) -> int:
    """Write the union of sets or multisets, and return the number of its deals.

    >>> import io
    >>> from pavcodec import numbering, write_archive
    >>> def archive_of(layouts):
    ...     stream = io.BytesIO()
    ...     _ = write_archive(layouts, stream, kind="set")
    ...     return Archive(stream.getvalue())
    >>> deals = numbering("deal")
    >>> sets = [archive_of(deals[:5]), archive_of(deals[3:9])]
    >>> unite_archives(sets, io.BytesIO()), intersect_archives(sets, io.BytesIO())
    (9, 2)
    """
    return _combine(sources, target, lambda counts: counts.max(0), is_union=True)


def intersect_archives(sources: Sequence[Archive], target: Target) -> int:
    """Write the intersection of sets or multisets, and return the number of its deals."""
    return _combine(sources, target, lambda counts: counts.min(0))


def subtract_archives(sources: Sequence[Archive], target: Target) -> int:
    """Write the first set or multiset without the others, and return the number of its deals."""
    return _combine(sources, target, lambda counts: np.maximum(counts[0] - counts[1:].sum(0), 0))


def deduplicate_archive(source: Archive, target: Target) -> int:
    """Write the first board of all boards with the same cards, and return their number.

    Boards keep their order and their tags. All numbers of an ordered archive must fit in memory.
    """
    _check_archive(source)
    codec = source._open.codec
    if codec.is_sorted:
        return _combine([source], target, lambda counts: np.minimum(counts[0], 1))
    rows = np.concatenate([np.empty((0, 2), np.uint64), *source.numbers()])
    order = sorting(rows)
    are_first = np.zeros(len(rows), np.bool_)
    are_first[order] = are_new(rows[order])

    def pieces() -> Iterator[Piece]:
        begin = 0
        for piece in _pieces(source, has_boards=_has_tags(source)):
            end = begin + len(piece[0])
            yield _rows(piece, np.flatnonzero(are_first[begin:end]))
            begin = end

    return write_to(target, codec, lambda writer: writer.write_pieces(pieces(), fills=True))


def _check_archive(source: object) -> None:
    if not isinstance(source, Archive):
        raise TypeError(f"open each source with open_archive; this is a {type(source).__name__!r}")


def _has_tags(source: Archive) -> bool:
    """Return whether any block stores tags."""
    contents = source._open
    for which in range(len(contents.blocks)):
        with contents.block(which) as block:
            if block.head.tags_size:
                return True
    return False


def _common(sources: Sequence[Archive]) -> BlockCodec:
    """Return the codec for the result; it stores all tags if one source does."""
    if not isinstance(sources, list | tuple):
        raise TypeError(f"archives are given as a list, not as {type(sources).__name__!r}")
    if not sources:
        raise PavError("there are no archives to combine")
    for source in sources:
        _check_archive(source)
    first = sources[0]._open.codec
    for source in sources:
        codec = source._open.codec
        if codec.space != first.space:
            raise PavError(
                f"{source.name}: its space is {codec.space}, and that of {sources[0].name} is "
                f"{first.space}"
            )
        if codec.kind is not first.kind:
            raise PavError(f"{source.name}: it is of the kind {source.kind}, not {sources[0].kind}")
    keeps_tricks = any(source._open.codec.keeps_tricks for source in sources)
    keeps_tags = any(source.keeps_tags for source in sources)
    return BlockCodec(first.kind, keeps_tags, first.space, keeps_tricks)


def _combine(
    sources: Sequence[Archive],
    target: Target,
    rule: Callable[[_Counts], _Counts],
    *,
    is_union: bool = False,
) -> int:
    """Write each number as often as `rule` returns; raise `PavError` unless archives are sorted.

    The rule of a union keeps every number of one source as often as the source has it. Then parts
    of one sorted set are read one after another: the bytes are the same, and only one block is in
    memory.
    """
    codec = _common(sources)
    if not codec.is_sorted:
        raise PavError(
            f"{sources[0].name}: it is ordered, but this operation needs sets or multisets"
        )
    has_boards = codec.keeps_tags or codec.keeps_tricks
    turns = _in_turn(sources) if is_union and not has_boards else None
    if turns is not None:
        pieces = _one_after_another(turns)
    else:
        pieces = combined([_pieces(source, has_boards=has_boards) for source in sources], rule)
    return write_to(target, codec, lambda writer: writer.write_pieces(pieces, fills=True))


def _pieces(source: Archive, *, has_boards: bool = False) -> Iterator[Piece]:
    """Yield the numbers of an archive a block at a time, with their boards if wanted."""
    if not has_boards:
        yield from ((numbers, None) for numbers in source.numbers())
        return
    contents = source._open
    for which, rows in source._pieces():
        yield contents.numbers(which)[rows], Gathered(contents.boards(which)[rows])


def _one_after_another(sources: Iterable[Archive]) -> Iterator[Piece]:
    """Yield the numbers of archives; only one of them keeps a block in memory."""
    for source in sources:
        yield from _pieces(source)
        source._open.forget()


def _in_turn(sources: Sequence[Archive]) -> list[Archive] | None:
    """Return sorted archives in the order of their numbers; None if their ranges overlap."""
    ends = []
    for which, source in enumerate(sources):
        positions = source._indexes
        if positions.step != 1:
            return None
        if positions:
            first, last = (source._open.number(end) for end in (positions[0], positions[-1]))
            ends.append((first, last, which))
    ends.sort()
    if any(last >= first for (_, last, _), (first, _, _) in pairwise(ends)):
        return None
    return [sources[which] for *_, which in ends]


def combined(
    sources: Sequence[Iterable[Piece]], rule: Callable[[_Counts], _Counts]
) -> Iterator[Piece]:
    """Merge streams of sorted numbers, and yield each number as often as `rule` returns.

    The argument of `rule` is `int64[sources, numbers]`, the multiplicity of each number in each
    source; its result is `int64[numbers]`, at most the sum. Of boards with equal numbers, the first
    are yielded.

    >>> first, second = np.array([[0, 5], [0, 7]], np.uint64), np.array([[0, 7]], np.uint64)
    >>> streams = [[(first, None)], [(second, None)]]
    >>> [rows.tolist() for rows, _ in combined(streams, lambda counts: counts.min(0))]
    [[[0, 7]]]
    """
    streams = [whole_runs(source) for source in sources]
    buffers = [next(stream, None) for stream in streams]
    while ends := [integer(buffer[0][-1]) for buffer in buffers if buffer is not None]:
        parts = []
        for which, buffer in enumerate(buffers):
            end = 0 if buffer is None else first_not_below(buffer[0], min(ends) + 1)
            parts.append(_NOTHING if buffer is None else _rows(buffer, slice(end)))
            if buffer is not None:
                is_left = end < len(buffer[0])
                buffers[which] = (
                    _rows(buffer, slice(end, None)) if is_left else next(streams[which], None)
                )
        piece = _chosen(parts, rule)
        if len(piece[0]):
            yield piece


def _chosen(parts: Sequence[Piece], rule: Callable[[_Counts], _Counts]) -> Piece:
    """Return the numbers of sorted parts, each as often as `rule` returns."""
    whole = _joined(parts)
    order = sorting(whole[0])
    are_first = are_new(whole[0][order])
    groups = np.cumsum(are_first) - 1
    origins = np.repeat(np.arange(len(parts)), [len(rows) for rows, _ in parts])[order]
    counted = partial(np.bincount, minlength=int(are_first.sum()))
    counts = np.stack([counted(groups[origins == which]) for which in range(len(parts))])
    places = np.arange(len(order)) - np.flatnonzero(are_first)[groups]
    return _rows(whole, order[places < rule(counts)[groups]])


_NOTHING: Piece = np.empty((0, 2), np.uint64), None


def _rows(piece: Piece, rows: slice | NDArray[np.intp]) -> Piece:
    """Return some rows of a piece."""
    numbers, boards = piece
    if isinstance(boards, Gathered):
        some = boards.boards[rows] if isinstance(rows, slice) else [boards.boards[r] for r in rows]
        boards = Gathered(some)
    return numbers[rows], boards


def _joined(pieces: Sequence[Piece]) -> Piece:
    """Return pieces as one."""
    boards = [batch for _, batch in pieces if batch is not None]
    joined = Gathered([board for batch in boards for board in batch]) if boards else None
    return np.concatenate([numbers for numbers, _ in pieces]), joined


def whole_runs(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Split a stream of sorted numbers so that equal numbers are in the same piece.

    >>> batches = [np.array([[0, 5], [0, 7]], np.uint64), np.array([[0, 7], [0, 8]], np.uint64)]
    >>> [rows[:, 1].tolist() for rows, _ in whole_runs((batch, None) for batch in batches)]
    [[5], [7, 7], [8]]
    """
    rest: list[Piece] = []
    for piece in pieces:
        numbers, _ = piece
        if not len(numbers):
            continue
        last = first_not_below(numbers, integer(numbers[-1]))
        if last or (rest and (rest[-1][0][-1] != numbers[0]).any()):
            joined = _joined([*rest, _rows(piece, slice(last))])
            if len(joined[0]):
                yield joined
            rest = []
        rest.append(_rows(piece, slice(last, None)))
    if rest:
        yield _joined(rest)
