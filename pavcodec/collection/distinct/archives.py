"""Parts of a sorted set as archives: each is a set of deals, without tags, in the fewest bits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, cast

from pavcodec.collection.deals import DealMaking
from pavcodec.collection.distinct.orders import Sorted
from pavcodec.collection.orders import Order, Space
from pavcodec.collection.plan import Part
from pavcodec.collection.session import Session
from pavcodec.errors import PavError
from pavcodec.files.compressed import compressing
from pavcodec.numberings import Numbering

if TYPE_CHECKING:
    from pavcodec.arrays.words.limbs import Limbs

__all__ = ["SetMaking", "making_of", "write_set_archive"]


@dataclass(frozen=True)
class SetMaking(DealMaking):
    """Parts with the deals of a sorted set, as archives of the kind `set`."""

    def describe(self) -> dict[str, object]:
        """Return what the parts hold, for JSON."""
        found = super().describe()
        found.pop("boards")
        return {**found, "kind": "set"}

    def write(self, part: Part, stream: BinaryIO) -> dict[str, object]:
        """Write the archive of a part; return the number of deals, and its first and last."""
        ends: list[Limbs] = []
        space, order = cast("Numbering", self.space), cast("Sorted", self.order)

        def watched() -> Iterator[Limbs]:
            for places in order.positions(space, part):
                ends[1:] = [places[-1:]] if ends else [places[:1], places[-1:]]
                yield places

        with compressing(stream, part.name) as packed:
            rows = write_set_archive(space, watched(), packed)
        if not ends:
            return {"rows": rows}
        ranks = self.session.ranks
        first, last = (
            ranks.rank(space[int(high) << 64 | int(low)]) for high, low in (ends[0][0], ends[-1][0])
        )
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
    writer.write_numbers(positions)
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
