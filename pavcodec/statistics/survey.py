"""Count the deals of any collection: files, streams, archives, arrays, layouts and boards."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias, cast

import numpy as np

from pavcodec.arrays import Threads
from pavcodec.boards.batch import BoardBatch, owners_of
from pavcodec.boards.board import Board, Context, Problem, Ranks
from pavcodec.boards.tricks import NOT_SOLVED
from pavcodec.chances.questions import ConditionLike
from pavcodec.constraints.operators import Expression
from pavcodec.errors import PavError
from pavcodec.formats.format import Format, Need
from pavcodec.formats.registry import read_with
from pavcodec.layout import Layout
from pavcodec.limits import MEMORY
from pavcodec.statistics.repeats import Duplicates, Finder
from pavcodec.statistics.report import LEVEL, Statistics, level_of
from pavcodec.statistics.tally import Tally, condition_to_test, space_of

if TYPE_CHECKING:
    from pavcodec.archive import Archive
    from pavcodec.arrays import Owners


_AT_ONCE = 1 << 14


class SurveyedPart(NamedTuple):
    """Some boards of a collection: the owners of those with cards, tricks, and other boards.

    Each text of `tricks` is one table of 20 bytes or several.
    """

    owners: Owners
    tricks: tuple[bytes, ...] = ()
    without_cards: int = 0

    def add_to(
        self, tally: Tally, where: Expression | None = None, threads: Threads = None
    ) -> None:
        """Count these boards; with `where`, also the deals that do not satisfy it."""
        tally.add(self.owners, where=where, threads=threads)
        tally.add_tricks(self.tricks)
        tally.without_cards += self.without_cards


Item: TypeAlias = "Owners | Layout | Board"
Collection: TypeAlias = "str | os.PathLike[str] | BinaryIO | Archive | Owners | Iterable[Item]"


def stats(  # noqa: PLR0913 (keywords)
    collection: Collection,
    *,
    given: ConditionLike = 1,
    level: Fraction | str = LEVEL,
    tricks: bool = False,
    format: str | None = None,
    numbering: str | Ranks = "deal",
    strict: bool = False,
    report: Callable[[Problem], None] | None = None,
    threads: Threads = None,
    memory: int | str = MEMORY,
) -> Statistics:
    """Return the statistics of a collection, with the exact expectations for random deals.

    `collection` is the path of a file of any format, a stream of bytes, an archive, an array
    `uint8[n, 52]`, or an iterable of arrays, layouts and boards. It is read once, in constant
    memory. `given` is the condition for the random sample to compare with: a text, an expression or
    a result of `deals`. `level` is the significance level of the verdict. With `tricks`, formats
    with more than cards are read board by board for their double-dummy tricks. The other arguments
    are those of `read`. Raise `PavError` if the condition cannot be counted, and the errors of
    `read`.

    >>> from pavcodec import deals
    >>> space = deals("hcp(north) >= 20")
    >>> found = stats(space.sample_many(5000, seed=7), given=space)
    >>> found.deals, found.departs, found["hcp", "north"].observed[19:23]
    (5000, False, (0, 2195, 1298, 775))
    """
    level = level_of(level)
    space = space_of(given, memory)
    where = condition_to_test(space)
    tally = Tally()
    for part in parts_of(
        collection, format=format, numbering=numbering, strict=strict, report=report, tricks=tricks
    ):
        part.add_to(tally, where, threads)
    return Statistics.against(space, tally, level=level, memory=memory)


def duplicates(  # noqa: PLR0913 (keywords)
    collection: Collection,
    *,
    up_to: str = "",
    format: str | None = None,
    numbering: str | Ranks = "deal",
    strict: bool = False,
    report: Callable[[Problem], None] | None = None,
    threads: Threads = None,
) -> Duplicates:
    """Return the repeated layouts of a collection, equal or equal up to a symmetry.

    `collection` and the other arguments are those of `stats`; `up_to` is a symmetry, as in
    `Layout.canonical`. A layout takes 16 bytes of memory. Raise `UnknownNameError` for an unknown
    symmetry, and the errors of `read`.

    >>> from pavcodec import numbering
    >>> deals = numbering("deal").sample(100, seed=7)
    >>> turned = [deal.canonical("suits,turns")[0] for deal in deals[:3]]
    >>> found = duplicates(deals + turned, up_to="suits,turns")
    >>> found.layouts, found.different, [place.number for place in found.repeats[2].places]
    (103, 100, [3, 103])
    """
    finder = Finder(up_to, threads=threads)
    for part in parts_of(
        collection, format=format, numbering=numbering, strict=strict, report=report
    ):
        finder.add(part.owners)
        finder.without_cards += part.without_cards
    return finder.found()


def read_parts(
    reader: Format, stream: BinaryIO, context: Context, *, tricks: bool = False
) -> Iterator[SurveyedPart]:
    """Yield the boards of a stream in parts: as arrays, or board by board for their tricks."""
    left_out: list[int] = []
    context = replace(context, on_skipped=left_out.append)
    need = Need.SOLVED if tricks else Need.CARDS
    yield from _parts_in_memory(reader.read_batches(stream, context, need), tricks=tricks)
    yield SurveyedPart(owners_of([]), (), sum(left_out))


def parts_of(  # noqa: PLR0913 (keywords)
    collection: Collection,
    *,
    format: str | None,
    numbering: str | Ranks,
    strict: bool,
    report: Callable[[Problem], None] | None,
    tricks: bool = False,
) -> Iterator[SurveyedPart]:
    """Yield the boards of a collection in parts; files and streams are read as by `read`."""
    if isinstance(collection, str | os.PathLike) or hasattr(collection, "read"):
        yield from read_with(
            partial(read_parts, tricks=tricks),
            cast("str | BinaryIO", collection),
            format=format,
            strict=strict,
            report=report,
            numbering=numbering,
        )
    else:
        yield from _parts_in_memory(collection, tricks=tricks)


def _parts_in_memory(collection: object, *, tricks: bool = False) -> Iterator[SurveyedPart]:
    """Yield arrays unchanged, and layouts and boards in parts of some thousands."""
    if isinstance(collection, np.ndarray):
        yield SurveyedPart(collection)
        return
    owners, solved = (getattr(collection, name, None) for name in ("owners", "solved"))
    if callable(owners) and callable(solved):  # an archive
        if not tricks:
            yield from map(SurveyedPart, owners())
            return
        for rows, taken in solved():
            yield _part_of_batch(BoardBatch(rows, tricks=taken), tricks=True)
        return
    items = iter(collection)  # type: ignore[call-overload]
    while some := list(islice(items, 1)):
        if isinstance(some[0], np.ndarray):
            yield SurveyedPart(some[0])
        elif isinstance(some[0], BoardBatch):
            yield _part_of_batch(some[0], tricks=tricks)
        else:
            yield _part_of([*some, *islice(items, _AT_ONCE - 1)])


def _part_of_batch(batch: BoardBatch, *, tricks: bool) -> SurveyedPart:
    """Return a batch as a part, with the rows of tricks that have all contracts."""
    rows = batch.all_tricks() if tricks else batch.tricks
    if rows is None:
        return SurveyedPart(batch.owners)
    whole = rows[(rows != NOT_SOLVED).all(axis=1)]
    return SurveyedPart(batch.owners, (whole.tobytes(),))


def _part_of(items: list[object]) -> SurveyedPart:
    """Return layouts and boards as a part."""
    layouts, tricks = [], []
    for item in items:
        if isinstance(item, Board):
            table = item.tricks
            if table is not None:
                tricks.append(table.tricks)
        elif not isinstance(item, Layout):
            raise PavError(f"a collection contains layouts or boards, not {item!r}")
        layout = item.layout if isinstance(item, Board) else item
        if layout is not None:
            layouts.append(layout)
    return SurveyedPart(owners_of(layouts), tuple(tricks), len(items) - len(layouts))
