"""Collections for Python: `parts` returns one as a value, without making anything."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index as as_integer
from typing import TYPE_CHECKING, SupportsIndex

from pavcodec.boards import Board, Vulnerability
from pavcodec.cards import Seat
from pavcodec.collection.deals import DealMaking, making_of
from pavcodec.collection.engines import engine_of
from pavcodec.collection.orders import check_order, joined_method, order_by_name
from pavcodec.collection.plan import Plan, Ranges, check_parts, difference
from pavcodec.collection.run import Check, Indexes, Made, check, make
from pavcodec.collection.session import Session
from pavcodec.collection.stored import open_collection
from pavcodec.constraints import TestedDeals, deals
from pavcodec.constraints.operators import Expression
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.files.compressed import split_suffix
from pavcodec.files.paths import shown_path
from pavcodec.formats import Format, format_of
from pavcodec.numberings import Numbering, ranks_of
from pavcodec.numberings.space import Space
from pavcodec.sampling import Seed, check_slice, given_seed

if TYPE_CHECKING:
    from distributed import Client


@dataclass(frozen=True)
class Collection(Plan):
    """A plan with the functions that make and check its parts; `parts` returns one."""

    def make(
        self,
        folder: str | os.PathLike[str],
        *,
        only: Iterable[int] | None = None,
        workers: SupportsIndex | None = None,
        scheduler: str | Client | None = None,
    ) -> Made:
        """Make the parts that a folder does not have, and verify those that it has.

        The folder is a path or a URL. `only` are the indexes of some parts, such as
        `range(100, 200)`. `workers` processes of this machine share the work, by default one for
        each processor; one worker is this process. `scheduler` is a Dask cluster instead: its
        address, its client, or "local". Raises `PavError` for a folder with another plan
        or with other files.

        >>> import pavcodec as pav, tempfile
        >>> plan = pav.parts("hcp(south) == 20", 10, parts=2, seed=7, to="lines")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     first = plan.make(folder, only=[0], workers=1)
        ...     rest = plan.make(folder, workers=1)
        >>> first.is_complete, rest.made, rest.verified, rest.is_complete
        (False, 1, 1, True)
        """
        chosen = None if only is None else indexes_of(only, len(self))
        return make(self, folder, engine_of(workers, scheduler), only=chosen)

    def check(
        self,
        folder: str | os.PathLike[str],
        *,
        workers: SupportsIndex | None = None,
        scheduler: str | Client | None = None,
    ) -> Check:
        """Return what `verify_collection` finds; raise `PavError` for a folder of another plan."""
        other = difference(self.description, open_collection(folder).description)
        if other:
            raise PavError(f"{shown_path(os.fspath(folder))} has another collection: {other}")
        return verify_collection(folder, workers=workers, scheduler=scheduler)


def indexes_of(only: Iterable[int], parts: int) -> Indexes:
    """Return the indexes of some parts; raise `NumberError` for one that is not there."""
    ranges = [only] if isinstance(only, range) and only.step == 1 else None
    chosen = Indexes(ranges or (range(k, k + 1) for k in map(as_integer, only)))
    for each in chosen.ranges:
        if each.start < 0 or each.stop > parts:
            wrong = each.start if each.start < 0 else each.stop - 1
            raise NumberError(f"there are parts 0 to {parts - 1}, and no part {shown(wrong)}")
    return chosen


def verify_collection(
    folder: str | os.PathLike[str],
    *,
    workers: SupportsIndex | None = None,
    scheduler: str | Client | None = None,
) -> Check:
    """Read all parts of a collection in a folder, and compare them with its rows and its plan.

    Nothing is written. `workers` and `scheduler` are those of `Collection.make`. Raises `ReadError`
    for a folder without a plan, or with a damaged one.

    >>> import pavcodec as pav, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plan = pav.parts("hcp(south) == 20", 30, parts=3, seed=7, to="lines")
    ...     _ = plan.make(folder, only=range(2), workers=1)
    ...     found = verify_collection(folder, workers=1)
    >>> found.is_complete, list(found.missing), found.damaged
    (False, [2], ())
    """
    return check(folder, engine_of(workers, scheduler))


def target_of_parts(to: str) -> tuple[Format, str]:
    """Return the format of parts and the suffix of compressed files, as in `pbn.zst`.

    >>> target_of_parts("pbn.zst")[0].name, target_of_parts("parquet")[1]
    ('pbn', '')
    """
    name, packed = split_suffix(to)
    return format_of(name), packed


def refuse_target(target: Format) -> None:
    """Raise `PavError` for a format that parts cannot have, or whose package is missing."""
    target.load()
    if target.needs_tricks:
        raise PavError(
            f"{target.name} needs the double-dummy tricks of each deal: make parts of another "
            "format, such as pav, and use 'pavcodec solve FOLDER'"
        )
    if target.cycle is not None and not target.is_cards_only:
        raise PavError(
            f"{target.name} has at most {target.cycle} boards, and is no format of parts"
        )


def refuse_empty(space: Space) -> None:
    """Raise `PavError` if there is nothing to draw from."""
    counted = space.counted if isinstance(space, TestedDeals) else space
    if isinstance(counted, Numbering) and not counted.cardinality:
        raise PavError(f"there is nothing to draw from: no layout satisfies {space.text}")


def parts(  # noqa: PLR0913 (keywords)
    given: Space | Expression | str | int,
    n: SupportsIndex,
    *,
    parts: SupportsIndex,
    seed: Seed | None = None,
    start: SupportsIndex = 0,
    to: str = "parquet",
    order: str = "drawn",
    dealer: Seat | int | str | None = None,
    vulnerable: Vulnerability | str | None = None,
    tags: Mapping[str, str] | None = None,
) -> Collection:
    """Return the plan of a collection of `n` deals in parts, as a value; nothing is made.

    `given` is a condition or a space: a numbering, deals or endings of a condition, weighted deals,
    or a mix. Part k has the samples of a range of the seed, and is one file with the bytes that
    `pavcodec deal` writes for these samples. Where a part of the condition is tested deal by deal,
    `n` is the number of samples to test, and the rows of a part are those that pass. `to` is a
    format, also with a suffix of compressed files as in "pbn.zst". `order` is
    "drawn", "permuted" (the first `n` deals of `permuted`, none of them twice) or "sorted" (a set
    of `n` deals in the order of their numbers; its parts of the format `pav` are set archives).
    `dealer`, `vulnerable` and `tags` are those of all boards; without them, dealer and
    vulnerability follow the board numbers.

    >>> import pavcodec as pav
    >>> plan = parts("spades(west) == 9", 10**9, parts=1000, seed=7)
    >>> len(plan), plan[123]
    (1000, Part(index=123, start=123000000, count=1000000, name='part-000123.parquet'))
    """
    Board.make(None, tags=tags)  # which checks them
    space = given if isinstance(given, Space) else deals(given)
    key = given_seed(seed)
    chosen = order_by_name(order, key, as_integer(n))
    session = Session(
        key,
        0,
        joined_method(space.method, chosen),
        space.text,
        ranks_of(space),
        None if dealer is None else Seat.of(dealer),
        None if vulnerable is None else Vulnerability.of(vulnerable),
        None,
        dict(tags or {}),
    )
    target, packed = target_of_parts(to)
    making = making_of(space, chosen, session, target.name, packed)
    return plan_of_deals(making, as_integer(n), as_integer(start), parts)


def plan_of_deals(making: DealMaking, count: int, start: int, parts: SupportsIndex) -> Collection:
    """Return the plan of a making with its ranges; raise `PavError` for what cannot be made."""
    refuse_target(making.target)
    refuse_empty(making.space)
    if count < 1:
        raise NumberError(f"a collection has 1 deal or more, not {shown(count)}")
    check_slice(start, count, 1)
    check_order(making.order, making.space, start, count)
    return Collection(making, Ranges(start, count, check_parts(parts, count)))
