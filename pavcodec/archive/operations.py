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
from heapq import merge
from itertools import chain, count, groupby, islice, pairwise, repeat
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from pavcodec.archive.archive import Archive
from pavcodec.archive.block_codec import AT_ONCE, BlockCodec
from pavcodec.archive.coding.sorted import first_not_below
from pavcodec.archive.container import Kind
from pavcodec.archive.writer import Piece, Target, write_to
from pavcodec.arrays import Limbs, are_new, integer, sorting, split
from pavcodec.boards.board import Board
from pavcodec.errors import PavError

if TYPE_CHECKING:
    from numpy.typing import NDArray


_Numbered: TypeAlias = tuple[int, Board]
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
    if any(_has_tags(source) for source in sources):
        return write_to(target, codec, lambda writer: writer.write(chain(*sources)))
    pieces = ((numbers, None) for source in sources for numbers in source.numbers())
    return write_to(target, codec, lambda writer: writer.write_pieces(pieces))


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
    numbers = list(source.numbers())
    rows = np.concatenate(numbers) if numbers else np.empty((0, 2), np.uint64)
    order = sorting(rows)
    are_first = np.zeros(len(rows), np.bool_)
    are_first[order] = are_new(rows[order])
    if not _has_tags(source):
        return write_to(
            target, codec, lambda writer: writer.write_pieces([(rows[are_first], None)])
        )
    boards = (board for board, first in zip(source, are_first.tolist(), strict=True) if first)
    return write_to(target, codec, lambda writer: writer.write(boards))


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
    pieces: Iterable[Piece]
    if codec.keeps_tags or codec.keeps_tricks:
        pieces = _pieces(_combined_boards(sources, rule))
    else:
        turns = _in_turn(sources) if is_union else None
        batches = (
            combined([source.numbers() for source in sources], rule)
            if turns is None
            else _one_after_another(turns)
        )
        pieces = ((numbers, None) for numbers in batches)
    return write_to(target, codec, lambda writer: writer.write_pieces(pieces))


def _one_after_another(sources: Iterable[Archive]) -> Iterator[Limbs]:
    """Yield the numbers of archives; only one of them keeps a block in memory."""
    for source in sources:
        yield from source.numbers()
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


def _combined_boards(
    sources: Sequence[Archive], rule: Callable[[_Counts], _Counts]
) -> Iterator[_Numbered]:
    """Yield the numbers and boards of sorted archives, each as often as `rule` returns."""
    merged = merge(*map(_numbered, sources, count()), key=itemgetter(0))
    for _, group in groupby(merged, itemgetter(0)):
        same = list(group)
        origins = np.array([origin for *_, origin in same])
        counts = np.bincount(origins, minlength=len(sources))[:, np.newaxis]
        yield from ((number, board) for number, board, _ in same[: int(rule(counts)[0])])


def _numbered(source: Archive, origin: int) -> Iterator[tuple[int, Board, int]]:
    """Yield the numbers and boards of an archive, each with the index of the archive."""
    numbers = (integer(row) for batch in source.numbers() for row in batch)
    return zip(numbers, source, repeat(origin))


def _pieces(boards: Iterable[_Numbered]) -> Iterator[Piece]:
    """Yield numbers and boards in pieces of the size of a block."""
    remaining = iter(boards)
    while some := list(islice(remaining, AT_ONCE)):
        yield np.array([split(number) for number, _ in some]), [board for _, board in some]


def combined(
    sources: Sequence[Iterable[Limbs]], rule: Callable[[_Counts], _Counts]
) -> Iterator[Limbs]:
    """Merge streams of sorted numbers, and yield each number as often as `rule` returns.

    The argument of `rule` is `int64[sources, numbers]`, the multiplicity of each number in each
    source; its result is `int64[numbers]`.

    >>> first, second = np.array([[0, 5], [0, 7]], np.uint64), np.array([[0, 7]], np.uint64)
    >>> [rows.tolist() for rows in combined([[first], [second]], lambda counts: counts.min(0))]
    [[[0, 7]]]
    """
    streams = [whole_runs(source) for source in sources]
    buffers = [next(stream, None) for stream in streams]
    while any(buffer is not None for buffer in buffers):
        limit = min(integer(buffer[-1]) for buffer in buffers if buffer is not None)
        parts = []
        for which, buffer in enumerate(buffers):
            if buffer is None:
                parts.append(np.empty((0, 2), np.uint64))
                continue
            end = first_not_below(buffer, limit + 1)
            parts.append(buffer[:end])
            rest = buffer[end:]
            buffers[which] = rest if len(rest) else next(streams[which], None)
        rows = _chosen(parts, rule)
        if len(rows):
            yield rows


def _chosen(parts: Sequence[Limbs], rule: Callable[[_Counts], _Counts]) -> Limbs:
    """Return the numbers of sorted parts, each as often as `rule` returns."""
    rows = np.concatenate(parts)
    order = sorting(rows)
    rows = rows[order]
    are_first = are_new(rows)
    groups = np.cumsum(are_first) - 1
    origins = np.repeat(np.arange(len(parts)), [len(part) for part in parts])[order]
    counted = partial(np.bincount, minlength=int(are_first.sum()))
    counts = np.stack([counted(groups[origins == which]) for which in range(len(parts))])
    chosen: Limbs = np.repeat(rows[are_first], rule(counts), axis=0)
    return chosen


def whole_runs(batches: Iterable[Limbs]) -> Iterator[Limbs]:
    """Split a stream of sorted numbers so that equal numbers are in the same batch.

    >>> batches = [np.array([[0, 5], [0, 7]], np.uint64), np.array([[0, 7], [0, 8]], np.uint64)]
    >>> [rows[:, 1].tolist() for rows in whole_runs(batches)]
    [[5], [7, 7], [8]]
    """
    rest: list[Limbs] = []
    for batch in batches:
        if not len(batch):
            continue
        last = first_not_below(batch, integer(batch[-1]))
        if last or (rest and (rest[-1][-1] != batch[0]).any()):
            rest.append(batch[:last])
            joined = np.concatenate(rest)
            if len(joined):
                yield joined
            rest = []
        rest.append(batch[last:])
    if rest:
        yield np.concatenate(rest)
