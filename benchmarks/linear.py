"""How the time and the memory of reading grow with the length of a file, for every format.

    python benchmarks/linear.py [FORMAT...]

Each format writes a file of some boards and one of eight times as many, and both are read in turns
from memory. The best CPU time of two turns counts; memory is the most that Python held beside the
file.
`time` and `memory` are the ratios of the two sizes: near 8 is linear, 64 the square. The rows
after the formats are files that are hard to read: all in one line, without line ends, or broken.
Formats of double-dummy tricks alone have no boards here. The program ends with 1 where a ratio is
above 14.
"""

from __future__ import annotations

import io
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import BinaryIO, cast

import pavcodec as pav
from pavcodec.boards import Context
from pavcodec.formats import format_names, format_of

BOARDS = 120
TIMES = 8
MOST = 14.0
ROUNDS = 2
SMALL = 1 << 16
"""Below as many bytes, memory is that of single blocks and tells nothing."""

Work = Callable[[], object]


class Trickle(io.RawIOBase):
    """A stream that gives 8 KB at once, as a pipe does."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._inner = io.BytesIO(data)

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""
        return self._inner.read(8192 if size < 0 else min(size, 8192))


def boards(count: int) -> Iterator[pav.Board]:
    """Yield boards with a name and an auction."""
    random, every = Random(1), pav.numbering("deal")
    deals = (every.unrank(random.randrange(every.cardinality)) for _ in range(count))
    tags = {"West": "Will", "Dealer": "N", "Vulnerable": "None"}
    return (pav.Board.make(deal, number=n % 99 + 1, tags=tags) for n, deal in enumerate(deals))


def written(name: str, count: int) -> bytes:
    """Return the file of boards in a format; those that it cannot hold stay out."""
    stream = io.BytesIO()
    context = Context("boards", lambda _: None, numbering=pav.numbering("deal"))
    format_of(name).write(boards(count), stream, context)
    return stream.getvalue()


HARD: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "one line of lin": ("lin", lambda n: written("lin", n).replace(b"\n", b"")),
    "lin, then names": ("lin", lambda n: b"md|1SA|" + b"pn|a,b,c,d|st||" * n * 20),
    "lin without hands": ("lin", lambda n: b"nt|chat|pg||\n" * n * 20),
    "lin, broken tags": ("lin", lambda n: b"md|1SA|mb|1C\nmb|?\n" * n),
    "lin, open value": ("lin", lambda n: b"md|1SA|nt|" + b"chat\n" * n * 50),
    "pbn without blank lines": ("pbn", lambda n: written("pbn", n).replace(b"\r\n\r\n", b"\r\n")),
    "pbn in one line": ("pbn", lambda n: written("pbn", n).replace(b"\r\n", b" ")),
    "pbn, open comment": ("pbn", lambda n: b'[Deal "N:A... - - -"]\n{' + b"remark\n" * n * 20),
    "pbn, open string": ("pbn", lambda n: b'[Event "' + b"x\n" * n * 20),
    "pbn, long auction": ("pbn", lambda n: b'[Deal "N:A... - - -"]\n[Auction "N"]\n' + b"1C " * n),
    "pbn, open tags": ("pbn", lambda n: b'[Event "x\n' * n * 5),
    "one line": ("lines", lambda n: b"x" * n * 1000),
    "one number": ("numbers", lambda n: b"1" * n * 1000),
    "json in one line": ("json", lambda n: written("json", n).replace(b"\n", b"")),
    "json, broken": ("json", lambda n: b'{"deal": x}\n' * n * 100),
    "json, open text": ("json", lambda n: b'{"deal": "' + b"x\n" * n * 50),
    "rbn without blank lines": ("rbn", lambda n: b"B 1\nH W:A:K:Q:J\n" * n),
    "rbx in one line": ("rbx", lambda n: written("rbx", n).replace(b"\n", b" ")),
    "rbn, open text": ("rbn", lambda n: b"H W:A:K:Q:J\n{" + b"remark\n" * n * 20),
    "address in one line": ("handviewer", lambda n: written("handviewer", n).replace(b"\n", b"&")),
    "dlm, one board again": ("dlm", lambda n: b"[Document]\r\n" + b"Board 01=a\r\n" * n * 5),
    "dds, endless": ("dds", lambda n: b"NUMBER 9\n" + b"PBN 0 0 4 3 \"N:\"\n" * n * 5),
    "diagrams, broken": ("diagram", lambda n: b"S A K Q\n" * n * 5),
    "dealer-all, broken": ("dealer-all", lambda n: b"   1.\n" * n * 5),
}  # fmt: skip


def read(name: str, data: bytes, *, trickle: bool) -> None:
    """Read a file and look at all that is known of each board."""
    stream = Trickle(data) if trickle else io.BytesIO(data)
    context = Context("file", lambda _: None, numbering=pav.numbering("deal"))
    for board in format_of(name).read(cast("BinaryIO", stream), context):
        assert board.entries is not None


def seconds(works: list[Work]) -> list[float]:
    """Return the CPU seconds of the quickest turn of each; they take turns."""
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for place, work in enumerate(works):
            start = time.process_time()
            work()
            best[place] = min(best[place], time.process_time() - start)
    return best


def memory(work: Work) -> int:
    """Return the most bytes that Python held while something was done."""
    tracemalloc.start()
    work()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def measure(what: str, name: str, make: Callable[[int], bytes]) -> bool:
    """Print one line, and return whether the growth is at most linear."""
    good = True
    small, large = make(BOARDS), make(BOARDS * TIMES)
    for trickle in (False, True):
        works = [partial(read, name, each, trickle=trickle) for each in (small, large)]
        few, many = seconds(list(works))
        low, high = (memory(work) for work in works)
        grown, held = many / max(few, 1e-4), high / max(low, SMALL)
        ok = grown <= MOST and held <= MOST
        good &= ok
        way = "pipe" if trickle else "file"
        print(
            f"{what:<26} {way}  {len(large) / 1e6:7.2f} MB  {many:7.3f} s  time {grown:5.2f}  "
            f"{high / 1e6:7.2f} MB  memory {held:5.2f}{'' if ok else '  NOT LINEAR'}",
            flush=True,
        )
    return good


def main() -> int:
    warnings.simplefilter("ignore")
    chosen = sys.argv[1:]
    good = True
    for name in format_names():
        found = format_of(name)
        if found.is_read and found.keeps_cards and (not chosen or name in chosen):
            good &= measure(name, name, partial(written, name))
    for what, (name, make) in HARD.items():
        if not chosen or name in chosen:
            good &= measure(what, name, make)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
