"""Print how fast archives are packed and read, as ratios within one run.

    python benchmarks/archives.py           packing and unpacking, to the plain loop in C and to PBN
    python benchmarks/archives.py --get     one board by its position

The machine may be busy. So all rows take turns, and the best of all turns counts: CPU time, and
the clock for all processors. Of single boards the median counts. The tables are in Markdown.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from time import process_time

import numpy as np
from batches import Row, markdown, tables

import pavcodec as pav
from pavcodec.boards import Context
from pavcodec.boards.batch import BoardBatch
from pavcodec.formats import Format, format_of

SEED = 1999
HEADS = ("deals", "CPU, a second", "ratio", "clock, a second")


def batch_of(count: int) -> BoardBatch:
    """Return boards as `pavcodec deal` makes them."""
    deals = pav.numbering("deal")
    numbers = deals.draw(count, seed=SEED)
    owners = deals.unrank_many(numbers)
    return BoardBatch(owners, first=1, tags={"Generator": "benchmark"}, numbers=numbers)


def packing_rows(batch: BoardBatch) -> Iterator[Row]:
    """Yield what packs numbers and boards, and for comparison what writes them as PBN."""
    count, numbers = len(batch), batch.numbers
    context = Context("benchmark", numbering=pav.numbering("deal"))
    for kind in ("ordered", "set"):
        yield Row(f"pack numbers, {kind}", count, partial(_pack, numbers, kind))
    for name, what in (("pav", "pack boards with tags"), ("pbn", "write boards as `pbn`")):
        yield Row(what, count, partial(_write, format_of(name), batch, context))


def _pack(numbers: object, kind: str, _threads: int) -> int:
    return pav.write_archive(numbers, io.BytesIO(), kind=kind)  # type: ignore[arg-type]


def _write(to: Format, batch: BoardBatch, context: Context, _threads: int) -> int:
    return to.write_batches([batch], io.BytesIO(), context)


def reading_rows(batch: BoardBatch, folder: Path) -> Iterator[Row]:
    """Yield what reads archives back."""
    count = len(batch)
    for kind in ("ordered", "set"):
        path = folder / f"{kind}.pav"
        assert batch.numbers is not None
        pav.write_archive(batch.numbers, path, kind=kind)
        for what in ("numbers", "owners"):
            yield Row(f"unpack {what}, {kind}", count, partial(_unpack, path, what))
    path = folder / "boards.pav"
    pav.write_owners(batch, path)
    yield Row("unpack boards with tags", count, partial(_unpack, path, "__iter__"))


def _unpack(path: Path, what: str, _threads: int) -> int:
    with pav.open_archive(path) as archive:
        return sum(1 for _ in getattr(archive, what)())


def collections(count: int) -> Iterator[tuple[str, Callable[[Path], object]]]:
    """Yield what there are archives of, and what packs them."""
    deals = pav.numbering("deal")
    numbers = deals.draw(count, seed=SEED)
    for kind in ("ordered", "set"):
        pack = partial(pav.write_archive, numbers, kind=kind)
        yield f"{count:,} deals, {kind}", pack
    yield f"{count:,} boards with tags", partial(pav.write_owners, batch_of(count))


def gets(path: Path, times: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds of boards at random: the first of an archive, and of one in use."""
    random = np.random.default_rng(SEED)
    first = []
    for _ in range(times):
        with pav.open_archive(path) as archive:
            first.append(_get(archive, int(random.integers(len(archive)))))
    with pav.open_archive(path) as archive:
        places = random.integers(len(archive), size=20 * times).tolist()
        more = [_get(archive, place) for place in places]
    return first, more[len(more) // 2 :]


def _get(archive: pav.Archive, place: int) -> float:
    started = process_time()
    _ = archive[place].entries
    return 1000 * (process_time() - started)


def single_boards(counts: Sequence[int], times: int) -> None:
    """Print what one board takes."""
    lines = []
    with tempfile.TemporaryDirectory() as name:
        for count in counts:
            for what, pack in collections(count):
                path = Path(name) / "some.pav"
                pack(path)
                first, more = gets(path, times)
                row = [median(first), quantiles(first, n=10)[-1], median(more)]
                lines.append([what, *(f"{each:.2f}" for each in row)])
    heads = ("archive", "first board, ms", "nine of ten within", "in use, ms")
    print(markdown(heads, lines), end="\n\n", flush=True)


def main(words: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--get", action="store_true", help="measure single boards")
    parser.add_argument("--count", type=int, help="deals (default: 65,536; 100,000 and a million)")
    parser.add_argument("--turns", type=int, default=10, help="turns (default: 10)")
    args = parser.parse_args(words)
    if args.get:
        single_boards([args.count] if args.count else [10**5, 10**6], 10 * args.turns)
    else:
        count = args.count or 1 << 16
        with tempfile.TemporaryDirectory() as name:
            batch = batch_of(count)
            for rows in ([*packing_rows(batch)], [*reading_rows(batch, Path(name))]):
                lines, _ = tables(rows, count, args.turns)
                print(markdown(HEADS, lines), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
