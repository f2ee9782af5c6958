"""Archives of every kind: their bytes and contents, as they have always been.

A change of these hashes changes archives that people keep, or what is read of them.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import pavcodec as pav
from pavcodec import Archive, Board, Layout
from pavcodec.archive import writer
from pavcodec.archive.writer import write_pav
from pavcodec.boards import Context
from pavcodec.boards.batch import BoardBatch, singles
from pavcodec.boards.board import Tag
from pavcodec.boards.tricks import results_of_bytes

DEALS = pav.numbering("deal")
WORDS = ("Club", "Dvořák", "?", "", "\udc80", "a\0b", "Pairs ♠")


def some_tricks(count: int, seed: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Tricks that look like those of deals, some of them missing."""
    random = Random(seed)
    rows = np.full((count, 20), 255, np.uint8)
    for row in range(count):
        if row % 5 == 4:
            continue
        base = [random.randrange(3, 11) for _ in range(5)]
        for strain, tricks in enumerate(base):
            rows[row, 4 * strain : 4 * strain + 4] = [tricks, 13 - tricks, tricks, 12 - tricks]
        if row % 7 == 3:
            rows[row, random.randrange(20)] = 255
    return rows


def played(count: int, seed: int) -> Iterator[Board]:
    """Boards with tags of all kinds, in changing orders, with auctions, plays, notes and tricks."""
    random = Random(seed)
    deals = DEALS.sample(count, seed=seed)
    tricks = some_tricks(count, seed)
    endings = pav.numbering("ending").sample(count, seed=seed)
    for row, deal in enumerate(deals):
        layout: Layout | None = (deal, endings[row], None)[0 if row % 6 else row // 6 % 3]
        tags = {"Event": WORDS[row // 40 % 7], "Site": random.choice(WORDS)}
        if row % 3 == 0:
            tags |= {f"Own{row % 4}": str(row), "DealId": f"deal:{DEALS.rank(deal)}"}
        number = None if row % 11 == 10 else 1 + row + 5 * (row // 50)
        board = Board.make(layout, number=number, tags=tags)
        if row % 4 == 1 and layout is not None:
            board = board.with_results(results_of_bytes(tricks[row].tobytes()))
        if row % 9 == 2:
            entries = [*board.entries, Tag("Note", "1:x", ("one", "", "two")), Tag("Note", "2")]
            random.shuffle(entries)
            board = Board(layout, tuple(entries))
        if row % 10 == 5 and isinstance(layout, pav.Deal):
            auction = Tag("Auction", "N", ("1C Pass 1NT Pass", "Pass Pass"))
            board = Board(layout, (*board.entries, auction, Tag("Play", "E", ("SA S2 S3 S4",))))
        yield board


def dealt(count: int, seed: int, *, tricks: bool = False) -> BoardBatch:
    """Boards as `pavcodec deal` makes them."""
    numbers = DEALS.draw(count, seed=seed)
    tags = {"Event": "Club", "Generator": f"pavcodec seed={seed}"}
    solved = some_tricks(count, seed) if tricks else None
    owners = DEALS.unrank_many(numbers)
    return BoardBatch(owners, first=1, tags=tags, numbers=numbers, tricks=solved)


def written(boards: Any, **options: Any) -> bytes:
    """The bytes of an archive."""
    stream = io.BytesIO()
    pav.write_archive(boards, stream, **options)
    return stream.getvalue()


def streamed_out(boards: Iterable[Any]) -> bytes:
    """What the format pav of boards is."""
    stream = io.BytesIO()
    write_pav(boards, stream, Context("x.pav"))
    return stream.getvalue()


def of_archives(work: Callable[..., int], *sources: bytes) -> bytes:
    stream = io.BytesIO()
    archives = [Archive(each, "x.pav") for each in sources]
    work(archives if len(archives) > 1 else archives[0], stream)
    return stream.getvalue()


def appended() -> bytes:
    """An archive that was extended twice."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.pav"
        pav.write_archive(played(20, 1), path, space="any", all=True)
        for seed in (2, 3):
            pav.append_archive(played(12, seed), path)
        pav.append_archive([], path)
        return path.read_bytes()


def a_set(seed: int, count: int = 60, **options: Any) -> bytes:
    """A set or a multiset, half of which another seed has as well."""
    numbers = np.concatenate([DEALS.draw(count, seed=seed), DEALS.draw(count, seed=7)])
    return written(numbers, **{"kind": "set"} | options)


def clustered() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Numbers in groups, some of them repeated."""
    random, numbers = Random(7), np.zeros((300, 2), np.uint64)
    begin = 0
    for row in range(300):
        begin = random.randrange(1 << 64) if row % 10 == 0 else begin + random.randrange(9)
        numbers[row] = row // 100 << 20, begin % (1 << 64)
    return numbers


STRONG = pav.deals("hcp(south) >= 37")
WEAK = pav.endings("hcp(west) == 7", cards=2)
ARCHIVES: dict[str, Callable[[], bytes]] = {
    "ordered": lambda: written(DEALS.draw(9000, seed=7)),
    "large set": lambda: a_set(8, 9000),
    "nothing": lambda: written([]),
    "condition": lambda: written(STRONG.sample(40, seed=7), space=STRONG),
    "endings": lambda: written(WEAK.sample(40, seed=7), space=WEAK, kind="multiset"),
    "mixed": lambda: written(played(70, 7), space="any"),
    "tags and tricks": lambda: written(played(70, 7), space="any", all=True, tricks=True),
    "tricks alone": lambda: written(played(70, 7), space="any", tricks=True),
    "of boards": lambda: streamed_out(singles(played(70, 7))),
    "of batches": lambda: streamed_out(
        [dealt(20, 7), dealt(70, 8), BoardBatch(DEALS.sample_many(9, seed=1)), dealt(20, 9)]
    ),
    "of solved batches": lambda: streamed_out([dealt(70, 7, tricks=True)]),
    "clustered": lambda: written(clustered(), kind="multiset"),
    "set with tags": lambda: written(
        [b for b in played(50, 7) if isinstance(b.layout, pav.Deal)] * 2, kind="set", all=True
    ),
    "set of batches": lambda: written(
        BoardBatch(DEALS.sample_many(60, seed=7), tricks=some_tricks(60, 7)),
        kind="multiset",
        tricks=True,
    ),
    "classes": lambda: written(DEALS.sample(50, seed=7), kind="set", space="deal-suits-turns"),
    "appended": appended,
    "merged": lambda: of_archives(
        pav.merge_archives, written(played(40, 1), space="any", all=True), appended()
    ),
    "united": lambda: of_archives(pav.unite_archives, a_set(1), a_set(2), a_set(3)),
    "united with tags": lambda: of_archives(
        pav.unite_archives,
        written(dealt(30, 7), kind="multiset", all=True),
        written(DEALS.sample(40, seed=7), kind="multiset"),
    ),
    "deduplicated": lambda: of_archives(
        pav.deduplicate_archive, written([*played(40, 1), *played(50, 1)], space="any", all=True)
    ),
}
LARGE = ("ordered", "large set")
"""Archives with blocks of their real size."""


def shown(board: Board) -> str:
    owners = None if board.layout is None else bytes(board.layout.owners).hex()
    return f"{owners} {board.entries!a}"


def contents(data: bytes) -> Iterator[str]:
    """What an archive says of itself, and its first boards."""
    archive = Archive(data, "x.pav")
    for name in ("kind", "keeps_tags", "keeps_tricks", "space_text", "cardinality", "size"):
        yield f"{name} {getattr(archive, name)}"
    for name in ("bits_per_deal", "bound_bits_per_deal", "counts", "where", "is_of_deals"):
        yield f"{name} {getattr(archive, name)}"
    yield f"{len(archive)} {archive.count_solved()}"
    for numbers in archive.numbers():
        yield sha256(numbers.tobytes()).hexdigest()
    for owners, tricks in archive.solved():
        yield sha256(owners.tobytes() + tricks.tobytes()).hexdigest()
    yield from map(shown, islice(archive, 100))


def hashes(name: str) -> str:
    """The hashes of the bytes and the contents of an archive, with blocks of 32 boards if small."""
    at_once = writer.AT_ONCE if name in LARGE else 32
    with patch.object(writer, "AT_ONCE", at_once), patch("os.fsync"):
        data = ARCHIVES[name]()
        parts = (f"{len(data)} {sha256(data).hexdigest()}", "\n".join(contents(data)))
        return " ".join(sha256(part.encode()).hexdigest()[:8] for part in parts)


PINNED: dict[str, str] = {
    "ordered": "cd865564 2628a4bd",
    "large set": "3f8d160a 7c69b703",
    "nothing": "b25c069c b9204ba0",
    "condition": "57b86a09 c170d49e",
    "endings": "728db9a6 c19a467c",
    "mixed": "6c4302e9 031fa659",
    "tags and tricks": "d7ac6a61 23f411e0",
    "tricks alone": "529bbce7 41d0b887",
    "of boards": "05b90bc4 c15af1d6",
    "of batches": "2daa0a86 d9cd1156",
    "of solved batches": "19bbd6fb c948ce85",
    "clustered": "212c5e86 f42fa57e",
    "set with tags": "2e8e85b7 6700ac4a",
    "set of batches": "d6b0b778 768743e6",
    "classes": "3a683408 41cbe2bd",
    "appended": "6637075a 3f34b5cd",
    "merged": "bfb6d1c7 7c6f72d5",
    "united": "71c0d378 f1819c28",
    "united with tags": "2575dfe0 7d5325b6",
    "deduplicated": "2e57e73f 51431aa1",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ARCHIVES)
def test_archives_stay_as_they_are(name: str) -> None:
    assert hashes(name) == PINNED[name]
