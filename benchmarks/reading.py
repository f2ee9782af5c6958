"""How fast PBN and LIN are read, beside endplay, on files that both read.

    python benchmarks/reading.py FOLDER        a folder with files ending in .pbn and .lin

Each file is read from memory, both take turns, and the best CPU time of nine turns counts. What
endplay cannot read, or reads as another number of boards, is left out on both sides. `tags` means
that every tag, section and note was looked at as well, which pavcodec does only when it is asked.
"""

from __future__ import annotations

import io
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pavcodec as pav

ROUNDS = 9


def best(*works: Callable[[], object]) -> list[float]:
    """Return the CPU seconds of the quickest turn of each; they take turns."""
    turns: list[list[float]] = [[] for _ in works]
    for _ in range(ROUNDS):
        for work, times in zip(works, turns, strict=True):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
    return [min(times) for times in turns]


def boards(data: bytes, name: str, *, tags: bool = False) -> int:
    """Read the boards of a file by pavcodec and return how many have cards."""
    count = 0
    for board in pav.read(io.BytesIO(data), format=name, report=lambda _: None):
        count += board.layout is not None
        if tags:
            assert board.entries is not None
    return count


def of_endplay(name: str) -> Callable[[str], Iterable[Any]] | None:
    """Return endplay's reader of a text; None where endplay is not installed."""
    try:
        from endplay.parsers import lin, pbn
    except ImportError:
        return None
    found: Callable[[str], Iterable[Any]] = {"pbn": pbn.loads, "lin": lin.loads}[name]
    return found


def both_read(files: list[Path], name: str, other: Callable[[str], Iterable[Any]]) -> list[bytes]:
    """Return the files that both read, as the same number of boards."""
    chosen = []
    for path in files:
        data = path.read_bytes()
        try:
            count = len(list(other(data.decode())))
        except Exception:  # noqa: BLE001, S112 (whatever stops it)
            continue
        if count and count == boards(data, name):
            chosen.append(data)
    return chosen


def measure(folder: Path, name: str) -> None:
    """Print one line about a format."""
    files = sorted(folder.rglob(f"*.{name}"))
    other = of_endplay(name)
    if other is None:
        print(f"{name}: endplay is not installed (pip install 'pavcodec[club]'); skipped")
        return
    chosen = both_read(files, name, other)
    if not chosen:
        print(f"{name}: no file of {folder} is read by both")
        return
    texts = [data.decode() for data in chosen]
    count = sum(boards(data, name) for data in chosen)
    again = range(max(1, 500 // count))
    theirs, ours, whole = best(
        lambda: [list(other(text)) for _ in again for text in texts],
        lambda: [boards(data, name) for _ in again for data in chosen],
        lambda: [boards(data, name, tags=True) for _ in again for data in chosen],
    )
    count *= len(again)
    size = sum(map(len, chosen))
    print(
        f"{name}: {len(chosen)} of {len(files)} files, {count // len(again)} boards, "
        f"{size / 1e6:.2f} MB: "
        f"endplay {count / theirs:,.0f} boards/s, pavcodec {count / ours:,.0f} "
        f"({theirs / ours:.1f} times), "
        f"with all tags {count / whole:,.0f} ({theirs / whole:.1f} times)"
    )


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    warnings.simplefilter("ignore")
    for name in ("pbn", "lin"):
        measure(Path(sys.argv[1]), name)


if __name__ == "__main__":
    main()
