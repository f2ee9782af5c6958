"""Folders of parts for Python: their statistics, and the plans of folders made from them."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import TYPE_CHECKING, SupportsIndex

from pavcodec.collection.collection import Collection, target_of_parts
from pavcodec.collection.derived.convert import ConvertMaking
from pavcodec.collection.derived.grep import GrepMaking
from pavcodec.collection.derived.making import BoardMaking, derived_plan
from pavcodec.collection.derived.reading import Reading
from pavcodec.collection.derived.solve import SolveMaking
from pavcodec.collection.derived.survey import Tallying
from pavcodec.collection.engines.choice import engine_of
from pavcodec.collection.run import closed
from pavcodec.collection.source import source_of
from pavcodec.constraints.expressions import Expression, expression
from pavcodec.constraints.operators import expression_of
from pavcodec.errors import PavError, ReadError
from pavcodec.limits.memory import MEMORY
from pavcodec.odds.questions import ConditionLike
from pavcodec.solving.contracts import columns_of
from pavcodec.statistics.expectation import expected_tally, space_of
from pavcodec.statistics.report import LEVEL, Statistics, level_of
from pavcodec.statistics.survey import condition_to_test
from pavcodec.statistics.tally import Tally

if TYPE_CHECKING:
    from distributed import Client

    from pavcodec.solving.contracts import ChosenContracts

__all__ = ["parts_from", "stats_of_parts"]


def stats_of_parts(  # noqa: PLR0913 (keywords)
    folder: str | os.PathLike[str],
    *,
    given: ConditionLike = 1,
    level: Fraction | str = LEVEL,
    tricks: bool = False,
    format: str | None = None,
    workers: SupportsIndex | None = None,
    scheduler: str | Client | None = None,
    memory: int | str = MEMORY,
) -> Statistics:
    """Return the statistics of the files of a folder, which workers count; see `stats`.

    The folder is a path or a URL of a collection, or of files of boards. The tallies of the files
    add up, so the result is that of one process. `workers` processes of this machine share the
    work, by default one for each processor; one worker is this process. `scheduler` is a Dask
    cluster instead, as in `Collection.make`. Raise `ReadError` if a part is missing or damaged, or
    if a file has a problem.

    >>> import pavcodec as pav, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pav.parts("hcp(south) == 20", 1000, parts=4, seed=7).make(folder, workers=1)
    ...     found = stats_of_parts(folder, given="hcp(south) == 20", workers=1)
    >>> found.deals, found.departs
    (1000, False)
    """
    level = level_of(level)
    source = source_of(folder, any_suffix=format is not None)
    if source.absent:
        raise ReadError(f"{source.storage}: {len(source.absent):,} parts are not there")
    space = space_of(given, memory)
    where = condition_to_test(space)
    tallying = Tallying(Reading(format, strict=True), where, tricks)
    tally = Tally()
    for _, outcome in closed(engine_of(workers, scheduler).run(tallying, source.present)):
        if isinstance(outcome, Exception):
            raise outcome
        tally += outcome[0]
    expected = expected_tally(space, memory=memory)
    return Statistics(tally, expected, given="" if where is None else str(space.where), level=level)


def parts_from(  # noqa: PLR0913 (keywords)
    folder: str | os.PathLike[str],
    *,
    to: str,
    where: Expression | str | None = None,
    solve: bool = False,
    contracts: ChosenContracts = None,
    format: str | None = None,
) -> Collection:
    """Return the plan of a collection with a part for each file of a folder; nothing is made.

    Part k has the boards of file k in the format `to`, as in "pav" or "pbn.zst": all of them, or
    those that satisfy `where`, or with `solve` all of them with the double-dummy tricks of
    `contracts`. The files are the parts of a collection, or those of boards in the order of their
    names. Raise `PavError` for formats that cannot be written part by part.

    >>> import pavcodec as pav, tempfile
    >>> with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
    ...     _ = pav.parts("hcp(south) == 20", 1000, parts=4, seed=7).make(folder, workers=1)
    ...     strong = parts_from(folder, to="pav", where="hcp(north) > 9")
    ...     made = strong.make(other, workers=1)
    >>> made.is_complete, made.rows.rows
    (True, 197)
    """
    if where is not None and (solve or contracts):
        raise PavError("a part has the boards of a condition or their tricks, not both in one step")
    source = source_of(folder, any_suffix=format is not None)
    target, packed = target_of_parts(to)
    making: BoardMaking
    if where is not None:
        making = GrepMaking(
            source=source,
            format=target.name,
            packed=packed,
            reading=Reading(format),
            where=(expression(where) if isinstance(where, str) else expression_of(where)).node,
        )
    elif solve or contracts:
        making = SolveMaking(
            source=source,
            format=target.name,
            packed=packed,
            reading=Reading(format),
            columns=columns_of(contracts),
        )
    else:
        making = ConvertMaking(
            source=source, format=target.name, packed=packed, reading=Reading(format)
        )
    plan = derived_plan(making)
    return Collection(plan.making, plan.ranges, plan.versions)
