"""Collections without repeats: orders of a seed, and archives of sorted sets."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO, ClassVar, cast

from pavcodec.collection.deals import DealMaking
from pavcodec.collection.orders import (
    AT_ONCE,
    IN_ORDER,
    Drawn,
    Order,
    spans,
)
from pavcodec.collection.plan import Part
from pavcodec.collection.session import Session
from pavcodec.constraints import TestedDeals
from pavcodec.errors import NumberError, PavError, UnknownNameError, check_text
from pavcodec.files.compressed import compressing
from pavcodec.numberings import Numbering
from pavcodec.numberings.space import Rows, Space
from pavcodec.sampling import KeyedPermutation
from pavcodec.sampling.sets import SortedSample

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs


ORDERS = ("drawn", "permuted", "sorted")


class OrderOfPositions(Order):
    """An order without repeats: the layouts of a numbering at some of its positions."""

    @abstractmethod
    def positions(self, space: Space, part: Part) -> Iterator[Limbs]:
        """Yield the positions of the layouts of a part, `AT_ONCE` at most together."""

    def layouts(self, space: Space, part: Part) -> Iterator[Rows]:
        """Yield the layouts of a part."""
        chosen = _numbering_of(space, self.name)
        return (layouts_at(chosen, positions) for positions in self.positions(space, part))


class Permuted(OrderOfPositions):
    """The layouts in the order of `pavcodec.permuted`: no layout occurs more than once."""

    name = "permuted"
    stream = "pav-permutation-1"

    @property
    def method(self) -> str:
        """The words for the tag `Generator`."""
        return self.name

    def positions(self, space: Space, part: Part) -> Iterator[Limbs]:
        """Yield the positions of the layouts of a part, `AT_ONCE` at most together."""
        order = KeyedPermutation(self.seed, _numbering_of(space, self.name).cardinality)
        for start, count in spans(part):
            yield order.slice(start, count)


@dataclass(frozen=True)
class Sorted(OrderOfPositions):
    """A set of `count` different layouts in the order of their numbers, as `SortedSample` has it.

    The samples of a part are the indexes of the sorted set.
    """

    count: int

    name: ClassVar[str] = "sorted"
    stream: ClassVar[str] = "pav-sorted-set-1"
    is_sorted: ClassVar[bool] = True

    @property
    def method(self) -> str:
        """The words for the tag `Generator`."""
        return f"sorted={self.count}"

    def describe(self) -> dict[str, object]:
        """Return the order for JSON."""
        return {**super().describe(), "count": self.count}

    def positions(self, space: Space, part: Part) -> Iterator[Limbs]:
        """Yield the positions of the layouts of a part, `AT_ONCE` at most together."""
        chosen = _numbering_of(space, self.name)
        sample = _sample(chosen.cardinality, self.count, self.seed)
        for rows in sample.part(part.start, part.count):
            for begin in range(0, len(rows), AT_ONCE):
                yield rows[begin : begin + AT_ONCE]


@lru_cache(8)
def _sample(cardinality: int, count: int, seed: int) -> SortedSample:
    """Return a sorted set; parts of one process share the counts that it has computed."""
    return SortedSample(cardinality, count, seed)


def layouts_at(space: Numbering, positions: Limbs, threads: int | None = 1) -> Rows:
    """Return the layouts at positions, and their numbers if these are the positions."""
    from pavcodec.arrays import add

    owners = space.unrank_many(add(positions, space.first), threads=threads)
    return Rows(owners, positions if space.numbers_boards else None)


def _numbering_of(space: Space, order: str) -> Numbering:
    """Return a space as a numbering; raise `PavError` if its layouts have no positions."""
    if isinstance(space, Numbering):
        return space
    if isinstance(space, TestedDeals):
        reason = "a part of the condition is tested deal by deal, so its deals"
    else:
        reason = "the deals of weights and mixes are not equally likely, so they"
    raise PavError(f"{reason} have no {order} order: draw them")


def order_by_name(name: str, seed: int, count: int) -> Order:
    """Return an order by its name, for `count` layouts of a sorted set."""
    check_text("the order of a collection", name)
    if name not in ORDERS:
        raise UnknownNameError(f"the order of a collection is {', '.join(ORDERS)}, not {name!r}")
    if name == "drawn":
        return Drawn(seed)
    return Permuted(seed) if name == "permuted" else Sorted(seed, count)


def joined_method(method: str, order: Order) -> str:
    """Return the words of a plan and of an order for the tag `Generator`."""
    return " ".join(filter(None, [method, order.method]))


def check_order(order: Order, space: Space, start: int, count: int) -> None:
    """Raise `PavError` if a space has no such layouts in an order without repeats."""
    if isinstance(order, Drawn):
        return
    chosen = _numbering_of(space, order.name)
    total = chosen.cardinality
    if order.is_sorted:
        from pavcodec.constraints.spaces.constrained import ConstrainedLayouts

        if not (chosen.name in IN_ORDER or isinstance(chosen, ConstrainedLayouts)):
            raise PavError(
                f"numbering {chosen.name!r} has another order than the numbers of boards: use "
                "'deal', 'balanced' or the deals of a condition"
            )
        if start:
            raise NumberError(f"a sorted set begins with its first deal, not with deal {start}")
    if start + count > total:
        layouts = "different ones" if not start else f"different ones from {start} on"
        raise NumberError(f"there are {total} in all, and no {count} {layouts}")


# Parts of a sorted set as archives: each is a set of deals, without tags, in the fewest bits.


@dataclass(frozen=True)
class SetMaking(DealMaking):
    """Parts with the deals of a sorted set, as archives of the kind `set`."""

    def describe(self) -> dict[str, object]:
        """Return what the parts hold, for JSON."""
        description = super().describe()
        description.pop("boards")
        return {**description, "kind": "set"}

    def write(self, part: Part, stream: BinaryIO) -> dict[str, object]:
        """Write the archive of a part; return the number of deals, and its first and last."""
        ends: list[Limbs] = []
        space, order = cast("Numbering", self.space), cast("Sorted", self.order)

        def watched() -> Iterator[Limbs]:
            for positions in order.positions(space, part):
                ends[1:] = [positions[-1:]] if ends else [positions[:1], positions[-1:]]
                yield positions

        with compressing(stream, part.name) as packed:
            rows = write_set_archive(space, watched(), packed)
        if not ends:
            return {"rows": rows}
        from pavcodec.arrays import integer

        ranks = self.session.ranks
        first, last = (ranks.rank(space[integer(end[0])]) for end in (ends[0], ends[-1]))
        return {"rows": rows, "least": str(first), "greatest": str(last)}


def write_set_archive(space: Numbering, positions: Iterator[Limbs], stream: BinaryIO) -> int:
    """Write ascending positions of a space as an archive of the kind `set`; return their number."""
    from pavcodec.archive.block_codec import BlockCodec
    from pavcodec.archive.container import Kind
    from pavcodec.archive.spaces import space_of
    from pavcodec.archive.writer import ArchiveWriter

    name = space.name if type(space) is Numbering else None
    codec = BlockCodec(Kind.SET, keeps_tags=False, space=space_of(name or space))
    writer = ArchiveWriter(stream, codec)
    writer.write_pieces((numbers, None) for numbers in positions)
    return writer.boards


def making_of(  # noqa: PLR0913, PLR0917 (the fields of a making)
    space: Space, order: Order, session: Session, to: str, packed: str = "", title: str = ""
) -> DealMaking:
    """Return the making of deals in a format: archives of sorted deals are sets.

    Raises `PavError` for tags that a set does not hold.
    """
    if not isinstance(order, Sorted) or to != "pav":
        return DealMaking(space, order, session, to, packed, title)
    if session.tags or title:
        raise PavError("an archive of sorted deals is a set, which holds no tags: leave them out")
    return SetMaking(space, order, session, to, packed)
