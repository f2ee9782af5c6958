"""Tables of the sizes of deals in files, measured by writing the files, and their lower bounds.

Each cell of a table is *certain* or not. A certain figure is exact, equal on every machine and
quick to compute. The others depend on the version of a compressor, take long, or need files that
are not on every machine.
"""

from __future__ import annotations

import gzip
import io
import lzma
import os
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

import pavcodec as pav
from pavcodec.archive import ordered_bits, set_bits
from pavcodec.arrays import Owners
from pavcodec.boards.batch import BoardBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 1
DEALS = pav.numbering("deal")
D = DEALS.cardinality
BALANCED = "shape(south, any 4333 + any 4432 + any 5332) and hcp(south) >= 15 and hcp(south) <= 17"
BOUNDED = (10**4, 10**5, 10**6, 10**7)
MEASURED = (10**4, 10**5, 10**6)
MOST_CERTAIN = 10**5
"""The maximum number of deals of a table that is quick to compute."""

CONDITIONS = {
    "none": None,
    "North and South have 25 points": "hcp(north) + hcp(south) >= 25",
    "South balanced with 15–17": BALANCED,
    "South has 20 points or more": "hcp(south) >= 20",
    "West has nine spades": "spades(west) == 9",
    "East is 5-3-3-2 with 34 points": "shape(east, any 5332) and hcp(east) == 34",
}


class Cell(NamedTuple):
    """A function that computes a figure; it returns None if it cannot, as without public files."""

    figure: Callable[[], str | None]
    is_certain: bool = True


Rows: TypeAlias = dict[str, Sequence[Cell]]
PageFigures: TypeAlias = dict[tuple[str, int], str]
"""The figures in a page, by the name of the row and the index of the column."""


class Table(NamedTuple):
    """The heads of the columns, the first for the names of the rows, and the rows by name."""

    heads: tuple[str, ...]
    rows: Rows

    def lines(self, known: PageFigures, *, certain: bool) -> Iterator[str]:
        """Yield the lines in Markdown; with `certain`, compute only the certain cells."""
        yield _line(self.heads)
        yield _line(["---", *["---:"] * (len(self.heads) - 1)])
        for name, cells in self.rows.items():
            texts = []
            for column, cell in enumerate(cells, 1):
                figure = cell.figure() if cell.is_certain or not certain else None
                texts.append(known.get((name, column), "") if figure is None else figure)
            yield _line([name, *texts])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def figures(text: str) -> PageFigures:
    r"""Return the figures of a table in Markdown.

    >>> figures("| a | b |\n| --- | ---: |\n| one | 1 |")[("one", 1)]
    '1'
    """
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return {(row[0], place): cell for row in rows for place, cell in enumerate(row[1:], 1)}


def bits(size: int, count: int) -> str:
    """Return the bits a deal of a file of `size` bytes with `count` deals."""
    return shown(Fraction(8 * size, count))


def shown(number: Fraction) -> str:
    """Return bits in the form of the page."""
    return f"{float(number):.3f}"


# The random deals, and files of them


@cache
def owners(count: int) -> Owners:
    """Return the first random deals."""
    return DEALS.sample_many(count, seed=SEED)


@cache
def sorted_digits(count: int) -> NDArray[np.uint8]:
    """Return the sorted numbers of the deals, 12 bytes each, the highest byte first.

    >>> numbers = [int.from_bytes(row.tobytes(), "big") for row in sorted_digits(20)]
    >>> numbers == sorted(DEALS.rank(deal) for deal in DEALS.sample(20, seed=SEED))
    True
    """
    records = np.frombuffer(in_format("deal12", count), np.uint8).reshape(count, 12)
    rows = np.ascontiguousarray(records[:, ::-1])
    rows.view("S12")[:, 0].sort()
    return rows


def sorted_records(count: int) -> bytes:
    """Return the deals as sorted records of `deal12`."""
    return sorted_digits(count)[:, ::-1].tobytes()


@cache
def in_format(name: str, count: int) -> bytes:
    """Return the deals in a format of `pavcodec convert`."""
    stream = io.BytesIO()
    pav.write_owners(owners(count), stream, format=name)
    return stream.getvalue()


@cache
def pbn(count: int) -> bytes:
    """Return numbered boards as PBN with its 15 tags."""
    stream = io.BytesIO()
    pav.write_owners(BoardBatch(owners(count), first=1), stream, format="pbn")
    return stream.getvalue()


@cache
def number_column(count: int) -> bytes:
    """Return a table of Parquet with only the column of numbers."""
    from pyarrow import BufferReader, parquet

    table = parquet.read_table(BufferReader(in_format("parquet", count)), columns=["number"])
    stream = io.BytesIO()
    parquet.write_table(
        table.replace_schema_metadata(None), stream, compression="zstd", use_dictionary=False
    )
    return stream.getvalue()


def planes(count: int) -> bytes:
    """Return the first bit of all sorted numbers, then the second bit of all, and so on.

    >>> len(planes(8)), planes(8)[0] == sum(
    ...     (number >> 95) << 7 - place
    ...     for place, number in enumerate(sorted(map(DEALS.rank, DEALS.sample(8, seed=SEED))))
    ... )
    (96, True)
    """
    return np.packbits(np.unpackbits(sorted_digits(count), axis=1).T).tobytes()


COMPRESSORS: dict[str, Callable[[bytes], int]] = {
    "uncompressed": len,
    "gzip -9": lambda data: len(gzip.compress(data, 9)),
    "xz -9e": lambda data: len(xz(data)),
    "zstd -19": lambda data: _codec_size("zstd", 19, data),
    "brotli -q 11": lambda data: _codec_size("brotli", 11, data),
}
SORTED: dict[str, Callable[[int], bytes]] = {
    "`deal12`, sorted": sorted_records,
    "bit planes of it": planes,
}
FILES: dict[str, Callable[[int], bytes]] = {
    "PBN, 15 tags": pbn,
    "[Parquet](../formats/data.md#parquet), all columns": lambda count: in_format("parquet", count),
    "`lines`": lambda count: in_format("lines", count),
    "`numbers`": lambda count: in_format("numbers", count),
    "`deal13`": lambda count: in_format("deal13", count),
    "Parquet, the number alone": number_column,
    "`deal12`": lambda count: in_format("deal12", count),
}


def xz(data: bytes) -> bytes:
    """Return bytes compressed like `xz -9e`."""
    return lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)


def _codec_size(name: str, level: int, data: bytes) -> int:
    from pyarrow import Codec

    return len(Codec(name, compression_level=level).compress(data))


def files_table(count: int, files: dict[str, Callable[[int], bytes]]) -> Table:
    """Return the table of the deals' sizes in files, compressed and uncompressed."""
    rows: Rows = {
        name: [
            Cell(partial(_of_file, file, size_in, count), size_in is len and "Parquet" not in name)
            for size_in in COMPRESSORS.values()
        ]
        for name, file in files.items()
    }
    return Table((f"{count:,} deals", *COMPRESSORS), rows)


def _of_file(file: Callable[[int], bytes], size_in: Callable[[bytes], int], count: int) -> str:
    return bits(size_in(file(count)), count)


# Archives


def _ordered_bound(_count: int) -> Fraction:
    return ordered_bits(D)


def _set_bound(count: int) -> Fraction:
    return set_bits(D, count)


def _of_bound(bound: Callable[[int], Fraction], count: int) -> str:
    return shown(bound(count))


class Collection(NamedTuple):
    """The size of an archive with a number of deals, in bytes, and the bound in bits a deal."""

    size: Callable[[int], int]
    bound: Callable[[int], Fraction]


@cache
def balanced() -> pav.ConstrainedDeals:
    """Return the deals in which South is balanced with 15 to 17 points."""
    return constrained(BALANCED)


def constrained(condition: str) -> pav.ConstrainedDeals:
    """Return the deals of a condition that can be counted."""
    space = pav.deals(condition)
    assert isinstance(space, pav.ConstrainedDeals)
    return space


@cache
def cardinality_of(condition: str | None) -> int:
    """Return the number of deals that satisfy a condition, or of all deals."""
    return D if condition is None else constrained(condition).cardinality


@cache
def archive_size(count: int, kind: str = "ordered", space: str = "deal") -> int:
    """Return the size of an archive of the deals in bytes."""
    stream = io.BytesIO()
    pav.write_archive(owners(count), stream, kind=kind, space=space)
    return len(stream.getvalue())


@cache
def tagged_size(count: int) -> int:
    """Return the size of an archive of the boards of PBN with all their tags, in bytes."""
    stream = io.BytesIO()
    boards = pav.read(io.BytesIO(pbn(count)), format="pbn")
    pav.write_archive(boards, stream, all=True)
    return len(stream.getvalue())


@cache
def balanced_size(count: int, kind: str) -> int:
    """Return the size of an archive of deals with South balanced, in bytes."""
    stream = io.BytesIO()
    deals = balanced().sample_many(count, seed=SEED)
    pav.write_archive(deals, stream, kind=kind, space=balanced())
    return len(stream.getvalue())


ARCHIVES = {
    "ordered": Collection(archive_size, _ordered_bound),
    '`space="any"`, ordered': Collection(partial(archive_size, space="any"), _ordered_bound),
    "the boards of PBN, all tags": Collection(tagged_size, _ordered_bound),
    "set": Collection(partial(archive_size, kind="set"), _set_bound),
    "South balanced 15–17, ordered": Collection(
        partial(balanced_size, kind="ordered"), lambda _: ordered_bits(balanced().cardinality)
    ),
    "South balanced 15–17, set": Collection(
        partial(balanced_size, kind="set"), lambda n: set_bits(balanced().cardinality, n)
    ),
}


def _measured(collection: Collection, count: int) -> Cell:
    return Cell(partial(_of_archive, collection, count), count <= MOST_CERTAIN)


def _above(collection: Collection, count: int) -> Cell:
    return Cell(partial(_of_archive, collection, count, above=True), count <= MOST_CERTAIN)


def _of_archive(collection: Collection, count: int, *, above: bool = False) -> str:
    bound = collection.bound(count) if above else Fraction(0)
    return shown(Fraction(8 * collection.size(count), count) - bound)


def archives_table() -> Table:
    """Return the table of the sizes of archives, and their difference from the bound."""
    rows: Rows = {
        name: [work(collection, count) for count in MEASURED for work in (_measured, _above)]
        for name, collection in ARCHIVES.items()
    }
    heads = [head for count in MEASURED for head in (f"{count:,}", "above the bound")]
    return Table(("archive", *heads), rows)


# Bounds


def bounds_table() -> Table:
    """Return the table of the lower bounds, in bits a deal."""
    bounds = {"ordered": _ordered_bound, "set": _set_bound}
    rows: Rows = {
        name: [Cell(partial(_of_bound, bound, n)) for n in BOUNDED]
        for name, bound in bounds.items()
    }
    return Table(("deals", *(f"{count:,}" for count in BOUNDED)), rows)


def conditions_table() -> Table:
    """Return the table of the lower bounds for deals of conditions, in bits a deal."""
    measures: dict[str, Callable[[int], str]] = {
        "deals T": lambda total: f"{total:,}",
        "ordered": lambda total: shown(ordered_bits(total)),
        "set of 100,000": lambda total: shown(set_bits(total, 10**5)),
    }
    rows: Rows = {
        name: [Cell(partial(_of_condition, measure, where)) for measure in measures.values()]
        for name, where in CONDITIONS.items()
    }
    return Table(("condition", *measures), rows)


def _of_condition(measure: Callable[[int], str], condition: str | None) -> str:
    return measure(cardinality_of(condition))


# The public files

PUBLIC = {"PBN": ("*.pbn", "deal_pbn.txt"), "numbers of Big Deal": ("*.goe",)}


class Pack(NamedTuple):
    """Files, and the boards of each."""

    data: list[bytes]
    boards: list[list[pav.Board]]


def public_table() -> Table:
    """Return the table of the sizes of public files, uncompressed, with `xz` and as archives."""
    measures: dict[str, Callable[[Pack], str]] = {
        "files": lambda pack: f"{len(pack.data):,}",
        "boards": lambda pack: f"{sum(map(len, pack.boards)):,}",
        "bytes": lambda pack: f"{sum(map(len, pack.data)):,}",
        "each `xz -9e`": lambda pack: f"{sum(len(xz(data)) for data in pack.data):,}",
        "each an archive": lambda pack: f"{sum(map(packed_size, pack.boards)):,}",
        "one file, `xz -9e`": lambda pack: f"{len(xz(b''.join(pack.data))):,}",
        "one archive": lambda pack: f"{packed_size([*chain.from_iterable(pack.boards)]):,}",
    }
    rows: Rows = {
        name: [
            Cell(partial(_of_pack, measure, name), is_certain=False)
            for measure in measures.values()
        ]
        for name in PUBLIC
    }
    return Table(("format", *measures), rows)


def _of_pack(measure: Callable[[Pack], str], name: str) -> str | None:
    pack = public_pack(name)
    return None if pack is None else measure(pack)


@cache
def public_pack(name: str) -> Pack | None:
    """Return the public files of a format; None if PAVCODEC_CORPUS names no folder."""
    folder = os.environ.get("PAVCODEC_CORPUS", "")
    if not folder or not Path(folder).is_dir():
        return None
    paths = sorted(path for pattern in PUBLIC[name] for path in Path(folder).rglob(pattern))
    numbering = "bigdeal" if name.endswith("Big Deal") else "deal"
    return Pack(
        [path.read_bytes() for path in paths],
        [list(pav.read(path, numbering=numbering, report=lambda _problem: None)) for path in paths],
    )


def packed_size(boards: list[pav.Board]) -> int:
    """Return the size of an archive of boards with all tags, after a comparison of its boards."""
    stream = io.BytesIO()
    pav.write_archive(boards, stream, space="any", all=True)
    data = stream.getvalue()
    if list(pav.read(io.BytesIO(data), format="pav")) != boards:
        raise AssertionError("the boards of the archive differ")
    return len(data)


TABLES: dict[str, Callable[[], Table]] = {
    "bounds": bounds_table,
    "conditions": conditions_table,
    "files-100000": lambda: files_table(10**5, FILES | SORTED),
    "archives": archives_table,
    "public": public_table,
}
