"""Parts of deals: boards of a space in an order, in a format, or sorted sets as archives."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from pavcodec.boards import Board, Context
from pavcodec.boards.batch import BoardBatch, singles
from pavcodec.collection.orders import Order, Sorted
from pavcodec.collection.plan import Part
from pavcodec.collection.session import Session
from pavcodec.constraints import Levelled, Mix, TestedDeals, WeightedDeals
from pavcodec.errors import PavError
from pavcodec.files.compressed import compressing
from pavcodec.formats import Format, format_of
from pavcodec.numberings import Numbering
from pavcodec.numberings.space import Space
from pavcodec.sampling import preface

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs


_HELD = 1 << 20


class HeldStart(io.RawIOBase):
    """A stream for writing whose first bytes can be read and replaced until there are many.

    The writer of PBN recodes its first lines if the first board needs UTF-8. The stream holds 1 MiB
    for that, and nothing of the size of the whole. It reports that nobody can go back in it after
    the start, so writers of headers do not try.

    >>> out = io.BytesIO()
    >>> held = HeldStart(out)
    >>> held.write(b"abc"), held.seek(0), held.write(b"x"), held.truncate()
    (3, 0, 1, 1)
    >>> held.finish()
    >>> out.getvalue()
    b'x'
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._start: io.BytesIO | None = io.BytesIO()

    def _held(self) -> io.BytesIO:
        if self._start is None:
            raise io.UnsupportedOperation(f"only the first {_HELD} bytes can be written again")
        return self._start

    def readable(self) -> bool:
        """Return whether the start can be read."""
        return self._start is not None

    def writable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return whether the start can be written again."""
        return self._start is not None

    def tell(self) -> int:
        """Return the position in the start."""
        return self._held().tell()

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a position in the start."""
        return self._held().seek(offset, whence)

    def read(self, size: int | None = -1, /) -> bytes:
        """Return bytes of the start."""
        return self._held().read(size)

    def truncate(self, size: int | None = None, /) -> int:
        """Drop the bytes of the start after a position."""
        return self._held().truncate(size)

    def write(self, data: Any) -> int:
        """Write bytes."""
        if self._start is not None and self._start.tell() + len(data) <= _HELD:
            return self._start.write(data)
        self.finish()
        self._stream.write(data)
        return memoryview(data).nbytes

    def finish(self) -> None:
        """Write the start to the stream; from now on it cannot change."""
        if self._start is not None:
            self._stream.write(self._start.getbuffer())
            self._start = None


class InFormat:
    """Makings of parts in the format `format`, compressed by the suffix `packed` if there is one.

    >>> class Lines(InFormat):
    ...     format, packed = "lines", ".zst"
    >>> Lines().suffix
    '.txt.zst'
    """

    format: str
    packed: str

    @property
    def target(self) -> Format:
        """The format of the files."""
        return format_of(self.format)

    @property
    def suffix(self) -> str:
        """The suffix of the files; that of a format without one is its name."""
        target = self.target
        name = target.name.partition(":")[0]
        return (target.suffixes[0] if target.suffixes else f".{name}") + self.packed


@dataclass(frozen=True)
class DealMaking(InFormat):
    """Parts with the boards of a space.

    A part has the bytes of the file that `pavcodec deal` writes for the same samples.
    """

    space: Space
    order: Order
    session: Session
    """What the boards share; its first sample is that of the part."""
    format: str
    packed: str = ""
    """The suffix of compressed files, such as `.zst`, or nothing."""
    title: str = ""

    def describe(self) -> dict[str, object]:
        """Return what the parts hold, for JSON."""
        session = self.session
        description: dict[str, object] = {
            "kind": "deals",
            "space": describe_space(self.space),
            "order": self.order.describe(),
            "format": self.format,
        }
        if self.format.partition(":")[0] == "parquet":
            description["columns"] = _columns(self.format)
        boards = {
            "numbering": session.ranks.name,
            "method": session.method,
            "dealer": None if session.dealer is None else session.dealer.letter,
            "vulnerable": None if session.vulnerable is None else session.vulnerable.value,
            "script": session.script,
            "tags": dict(session.tags),
            "title": self.title,
        }
        return description | {"boards": {name: value for name, value in boards.items() if value}}

    def prepare(self) -> None:
        """Load or build the models of the space, and read the format's loops."""
        describe_space(self.space)

    def write(self, part: Part, stream: BinaryIO) -> dict[str, object]:
        """Write the boards of a part; return the number of rows, of a sorted part its numbers."""
        session = replace(self.session, start=part.start)
        context = Context(
            part.name,
            numbering=session.ranks,
            preface=preface(session.where, session.generator),
            title=self.title,
        )
        ends: list[Limbs] = []
        target = self.target
        boards: Iterator[BoardBatch]
        if isinstance(self.space, Levelled) and not target.is_cards_only:
            boards = singles(self._named(self.space, session, part))
        else:
            boards = self._batches(session, part, ends)
        with compressing(stream, part.name) as packed, _text_start(packed, target) as out:
            rows = target.write_batches(boards, out, context)
        if not ends:
            return {"rows": rows}
        from pavcodec.arrays import integer

        least, greatest = integer(ends[0][0]), integer(ends[-1][-1])
        return {"rows": rows, "least": str(least), "greatest": str(greatest)}

    def _batches(self, session: Session, part: Part, ends: list[Limbs]) -> Iterator[BoardBatch]:
        """Yield the boards of a part in batches; put the ends of sorted numbers in `ends`."""
        keeps = self.target.keeps_tag("DealId")
        number = part.start + 1
        for owners, known in self.order.layouts(self.space, part):
            numbers = known
            if numbers is None and (keeps or self.order.is_sorted):
                numbers = session.ranks.rank_many(owners, threads=1)
            if self.order.is_sorted and numbers is not None:
                ends[1:] = [numbers]
            yield session.batch(number, owners, numbers if keeps else None)
            number += len(owners)

    def _named(self, mix: Levelled, session: Session, part: Part) -> Iterator[Board]:
        """Yield the boards of a mix whose types have names."""
        seed = session.seed
        kinds = mix.places(part.count, seed=seed, start=part.start)
        deals = mix.samples(part.count, seed=seed, start=part.start)
        for number, deal, kind in zip(count(part.start + 1), deals, kinds, strict=False):
            names = mix.names_of(kind)
            yield session.board(number, deal, names[0] if len(names) == 1 else list(names))


@contextmanager
def _text_start(stream: BinaryIO, target: Format) -> Iterator[BinaryIO]:
    """Yield a stream whose start the writer of a format may write again, or the stream itself."""
    if not target.is_written_again:
        yield stream
        return
    held = HeldStart(stream)
    yield cast("BinaryIO", held)
    held.finish()


def _columns(name: str) -> dict[str, str]:
    """Return the types of the columns of a form of Parquet, by their names."""
    from pavcodec.formats.parquet.columns import COLUMNS, columns_of_form

    wanted = columns_of_form(name) if ":" in name else [column.name for column in COLUMNS]
    return {column.name: column.type for column in COLUMNS if column.name in wanted}


def describe_space(space: Space) -> dict[str, object]:
    """Return a space for JSON: its condition, what is counted and tested, and T as text."""
    if isinstance(space, TestedDeals):
        description: dict[str, object] = {
            "condition": str(space.where),
            "counted": str(space.counted.where),
            "tested": str(space.tested),
            "seats": space.plan,
            "cardinality": str(space.counted.cardinality),
        }
    elif isinstance(space, Mix):
        description = {
            "mix": str(space),
            "types": [describe_space(kind.space) for kind in space.types],
        }
        if isinstance(space, Levelled):
            description["names"] = [list(each.names) for each in space.lists]
    elif isinstance(space, WeightedDeals):
        description = {"weighted": str(space), "cardinality": str(space.cardinality)}
    elif isinstance(space, Numbering):
        what = "numbering" if type(space) is Numbering else "condition"
        description = {what: space.name, "cardinality": str(space.cardinality)}
    else:
        raise PavError(f"parts have the deals of a space, not {type(space).__name__!r}")
    kind = getattr(space, "kind", None)
    if isinstance(kind, str):
        description["endings"] = kind
    return {name: value for name, value in description.items() if value != ""}


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
