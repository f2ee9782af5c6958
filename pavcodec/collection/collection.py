"""Collections for Python: `parts` returns one as a value, without making anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import index as as_integer
from typing import SupportsIndex

from pavcodec.boards import Vulnerability
from pavcodec.cards import Seat
from pavcodec.collection.deals import DealMaking, method_of, ranks_of, where_of
from pavcodec.collection.orders import Drawn, Order, Space
from pavcodec.collection.plan import Plan, check_parts
from pavcodec.collection.session import Session
from pavcodec.constraints import Mix, TestedDeals, deals
from pavcodec.constraints.expressions import Expression
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.files.compressed import split_suffix
from pavcodec.formats import Format, format_of
from pavcodec.learning.proposals import Sampled
from pavcodec.numberings import Numbering
from pavcodec.sampling import Seed, check_slice, given_seed

__all__ = ["Collection", "parts", "plan_of_deals", "target_of_parts"]


@dataclass(frozen=True)
class Collection(Plan):
    """A plan with the functions that make and check its parts; `parts` returns one."""


def target_of_parts(to: str) -> tuple[Format, str]:
    """Return the format of parts and the suffix of compressed files, as in `pbn.zst`.

    >>> target_of_parts("pbn.zst")[0].name, target_of_parts("parquet")[1]
    ('pbn', '')
    """
    name, packed = split_suffix(to)
    return format_of(name), packed


def refuse_target(target: Format) -> None:
    """Raise `PavError` for a format that parts of deals cannot have."""
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
        raise PavError(f"there is nothing to draw from: no layout satisfies {where_of(space)}")


def parts(  # noqa: PLR0913 (keywords)
    given: Space | Expression | str | int,
    n: SupportsIndex,
    *,
    parts: SupportsIndex,
    seed: Seed | None = None,
    start: SupportsIndex = 0,
    to: str = "parquet",
    order: str = "drawn",
    dealer: Seat | str | None = None,
    vulnerable: Vulnerability | str | None = None,
    tags: Mapping[str, str] | None = None,
) -> Collection:
    """Return the plan of a collection of `n` deals in parts, as a value; nothing is made.

    `given` is a condition or a space: a numbering, deals or endings of a condition, weighted deals,
    or a mix. Part k has the samples of a range of the seed, and is one file with the bytes that
    `pavcodec deal` writes for these samples. Where a part of the condition is tested deal by deal,
    `n` is the number of samples to test, and the rows of a part are those that pass. `to` is a
    format, also with a suffix of compressed files as in "pbn.zst". `dealer`, `vulnerable` and
    `tags` are those of all boards; without them, dealer and vulnerability follow the board numbers.

    >>> import pavcodec as pav
    >>> plan = parts("spades(west) == 9", 10**9, parts=1000, seed=7)
    >>> len(plan), plan[123]
    (1000, Part(index=123, start=123000000, count=1000000, name='part-000123.parquet'))
    """
    space = given if isinstance(given, Sampled | TestedDeals | Mix) else deals(given)
    key = given_seed(seed)
    session = Session(
        key,
        0,
        method_of(space),
        where_of(space),
        ranks_of(space),
        None if dealer is None else Seat.parse(dealer) if isinstance(dealer, str) else dealer,
        None if vulnerable is None else Vulnerability(vulnerable),
        None,
        dict(tags or {}),
    )
    target, packed = target_of_parts(to)
    making = DealMaking(space, order_of(order, key), session, target.name, packed)
    return plan_of_deals(making, as_integer(n), as_integer(start), parts)


def order_of(name: str, seed: int) -> Order:
    """Return an order by its name."""
    if name != "drawn":
        raise PavError(f"the order of a collection is drawn, not {name!r}")
    return Drawn(seed)


def plan_of_deals(making: DealMaking, count: int, start: int, parts: SupportsIndex) -> Collection:
    """Return the plan of a making with its ranges; raise `PavError` for what cannot be made."""
    refuse_target(making.target)
    refuse_empty(making.space)
    if count < 1:
        raise NumberError(f"a collection has 1 deal or more, not {shown(count)}")
    check_slice(start, count, 1)
    return Collection(making, making.order.ranges(start, count, check_parts(parts, count)))
