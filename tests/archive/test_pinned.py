"""Archives of every kind: their bytes, contents, look-ups and problems, as they have always been.

A change of these hashes changes archives that people keep, or what they read about damaged ones.
`python tests/archive/test_pinned.py FOLDER` writes what is hashed, for a comparison.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import pavcodec as pav
from pavcodec import Archive, Board, Layout, PavError
from pavcodec.archive.stream import read_pav
from pavcodec.archive.writer import write_pav
from pavcodec.boards import Context
from pavcodec.boards.batch import BoardBatch, Wanted, singles
from pavcodec.boards.board import Tag
from pavcodec.boards.tricks import results_of_bytes

DEALS = pav.numbering("deal")
STRONG = "hcp(south) >= 20 && spades(north) == 5"
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


def streamed_out(write: Callable[..., int], boards: Iterable[Any]) -> bytes:
    stream = io.BytesIO()
    write(boards, stream, Context("x.pav"))
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
        pav.write_archive(played(30, 1), path, space="any", all=True)
        for seed in (2, 3):
            pav.append_archive(played(20, seed), path)
        pav.append_archive([], path)
        return path.read_bytes()


def a_set(seed: int, count: int = 300, **options: Any) -> bytes:
    """A set or a multiset, half of which another seed has as well."""
    numbers = np.concatenate([DEALS.draw(count, seed=seed), DEALS.draw(count, seed=7)])
    return written(numbers, **{"kind": "set"} | options)


def clustered() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Numbers in groups, some of them repeated."""
    random, numbers = Random(7), np.zeros((9000, 2), np.uint64)
    begin = 0
    for row in range(9000):
        begin = random.randrange(1 << 64) if row % 10 == 0 else begin + random.randrange(9)
        numbers[row] = row // 3000 << 20, begin % (1 << 64)
    return numbers


def strong() -> Any:
    """The deals of a condition."""
    return pav.deals(STRONG)


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "ordered": lambda: written(DEALS.draw(9000, seed=7)),
    "nothing": lambda: written([]),
    "condition": lambda: written(strong().sample(300, seed=7), space=strong()),
    "endings": lambda: written(
        pav.endings("hcp(west) == 7", cards=2).sample(99, seed=7),
        space=pav.endings("hcp(west) == 7", cards=2),
        kind="multiset",
    ),
    "mixed": lambda: written(played(200, 7), space="any"),
    "all tags": lambda: written(played(200, 7), space="any", all=True),
    "tags and tricks": lambda: written(played(200, 7), space="any", all=True, tricks=True),
    "tricks alone": lambda: written(played(200, 7), space="any", tricks=True),
    "of boards": lambda: streamed_out(write_pav, singles(played(100, 7))),
    "of batches": lambda: streamed_out(
        write_pav,
        [dealt(50, 7), dealt(9000, 8), BoardBatch(DEALS.sample_many(9, seed=1)), dealt(20, 9)],
    ),
    "of solved batches": lambda: streamed_out(write_pav, [dealt(200, 7, tricks=True)]),
    "set": lambda: a_set(8, 9000),
    "multiset": lambda: a_set(8, kind="multiset"),
    "clustered": lambda: written(clustered(), kind="multiset"),
    "set with tags": lambda: written(
        [b for b in played(300, 7) if isinstance(b.layout, pav.Deal)] * 2, kind="set", all=True
    ),
    "set of batches": lambda: written(
        BoardBatch(DEALS.sample_many(200, seed=7), tricks=some_tricks(200, 7)),
        kind="multiset",
        tricks=True,
    ),
    "classes": lambda: written(DEALS.sample(200, seed=7), kind="set", space="deal-suits-turns"),
    "appended": appended,
    "merged": lambda: of_archives(
        pav.merge_archives, written(played(60, 1), space="any", all=True), appended()
    ),
    "united": lambda: of_archives(pav.unite_archives, a_set(1), a_set(2), a_set(3)),
    "intersected": lambda: of_archives(pav.intersect_archives, a_set(1), a_set(2)),
    "subtracted": lambda: of_archives(
        pav.subtract_archives, a_set(1, kind="multiset"), a_set(2, kind="multiset")
    ),
    "split and united": lambda: of_archives(
        pav.unite_archives, *(written(DEALS[a : a + 50], kind="set") for a in (900, 0, 100))
    ),
    "united with tags": lambda: of_archives(
        pav.unite_archives,
        written(dealt(60, 7), kind="multiset", all=True),
        written(DEALS.sample(80, seed=7), kind="multiset"),
    ),
    "deduplicated": lambda: of_archives(
        pav.deduplicate_archive, written([*played(60, 1), *played(70, 1)], space="any", all=True)
    ),
}


def shown(board: Board) -> str:
    owners = None if board.layout is None else bytes(board.layout.owners).hex()
    return f"{owners} {board.entries!a}"


def told(action: Callable[..., object], *arguments: object) -> str:
    """The result of an action, or its error."""
    try:
        return repr(action(*arguments))
    except (PavError, IndexError, ValueError) as error:
        return f"{type(error).__name__}: {error!a}"


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
    yield from map(shown, islice(archive, 300))


def look_ups(data: bytes) -> Iterator[str]:
    """What is found by position, by cards and by symmetry."""
    archive, random = Archive(data, "x.pav"), Random(7)
    if not len(archive):
        yield told(archive.__getitem__, 0)
        return
    for _ in range(12):
        position = random.randrange(-len(archive), len(archive))
        board = archive[position]
        yield f"{position} {shown(board)}"
        some = archive[position : position + 900 : 7]
        yield f"{len(some)} {[shown(each) for each in some[:3]]}"
        if board.layout is None or not isinstance(board.layout, pav.Deal):
            continue
        turned = board.layout.permuted(pav.Permutation((1, 0, 2, 3), (1, 2, 3, 0)))
        yield f"{told(archive.index, board)} {archive.count(board.layout)} {turned in archive}"
        yield f"{[each.position for each in archive.find(turned, 'suits,turns')]}"
        yield told(archive.tricks_of, turned)
    yield told(archive.index, DEALS[0])


def resealed(data: bytes, random: Random) -> Iterator[bytes]:
    """Copies with a changed block of boards, whose checksum is right again."""
    begin = int.from_bytes(data[8:12], "little")
    size = sum(int.from_bytes(data[begin + at : begin + at + 4], "little") for at in (8, 12))
    head, payload, rest = (
        data[begin : begin + 16],
        data[begin + 20 :][:size],
        data[begin + 20 + size :],
    )
    for _ in range(6 if data[begin + 3] == ord("B") and size else 0):
        place = random.randrange(size)
        changed = payload[:place] + bytes([payload[place] ^ 0x11]) + payload[place + 1 :]
        checksum = crc32(changed, crc32(head)).to_bytes(4, "little")
        yield data[:begin] + head + checksum + changed + rest


def problems(data: bytes) -> Iterator[str]:
    """What is told about damaged copies, and what is saved of them."""
    random = Random(7)
    places = [*random.sample(range(len(data)), 5), 8, 16, len(data) - 1, len(data) - 30]
    copies = []
    for place in places:
        copies.append(data[:place] + bytes([data[place] ^ 0x40]) + data[place + 1 :])
        copies.append(data[:place])
        copies.append(data[:place] + data[place + 7 :])
    copies += [data + b"\0", data + data, bytes(60) + data[60:], *resealed(data, random)]
    for which, copy in enumerate(copies):
        yield f"copy {which}"
        with tempfile.TemporaryDirectory() as folder:
            path, target = Path(folder) / "x.pav", Path(folder) / "new.pav"
            path.write_bytes(copy)
            texts = [*map(str, pav.verify_archive(path)), told(_repaired, path, target)]
            texts.append(told(_read, path))
            yield from (text.replace(f"{folder}/", "") for text in texts)
        for wanted in (Wanted.BOARDS, Wanted.CARDS):
            said: list[object] = []
            batches = read_pav(io.BytesIO(copy), Context("x.pav", said.append), wanted)
            boards = sum(len(batch) if wanted is Wanted.BOARDS else 1 for batch in batches)
            yield f"{boards} {list(map(str, said))!a}"


def _repaired(path: Path, target: Path) -> str:
    result = pav.repair_archive(path, target)
    return f"{result.boards} {len(result.damages)} {sha256(target.read_bytes()).hexdigest()}"


def _read(path: Path) -> list[str]:
    with pav.open_archive(path) as archive:
        found = [told(archive.__getitem__, k)[:200] for k in range(0, len(archive), 701)]
        return [*found, told(lambda: sum(1 for _ in archive))]


def record(name: str) -> dict[str, list[str]]:
    """All that is pinned of an archive."""
    data = ARCHIVES[name]()
    facts = contents, look_ups, problems
    whole = {"bytes": [f"{len(data)} {sha256(data).hexdigest()}"]}
    return whole | {fact.__name__: list(fact(data)) for fact in facts}


def hashes(parts: dict[str, list[str]]) -> str:
    """The hashes of a record: bytes, contents, look-ups, problems."""
    texts = ("\n".join(part).encode() for part in parts.values())
    return " ".join(sha256(text).hexdigest()[:8] for text in texts)


PINNED: dict[str, str] = {
    "ordered": "cd865564 775502e1 c2ed08cd 1370ba2f",
    "nothing": "b25c069c b9204ba0 d510e392 9b7a9179",
    "condition": "4990a5a6 02a6b98d ef8544e5 687fc70f",
    "endings": "cb2cecab 7ac24c04 a76e04fd 1eaf95ea",
    "mixed": "750d5535 19e909fc 8790c36f 044cc822",
    "all tags": "ca0bdc3a 5b0a8854 02558ac6 eed026da",
    "tags and tricks": "870799dc eee58d81 02558ac6 a74c1ebb",
    "tricks alone": "bc46afc0 78c51905 222cbefe 2ad2fdd1",
    "of boards": "9ec33252 551f4d6f 97b67462 164575c0",
    "of batches": "8672cc77 3069b305 6aadff93 f61423af",
    "of solved batches": "2a3c883b f639c927 d901b85a 9a821b71",
    "set": "3f8d160a 119bab63 ebc527fe fc68c396",
    "multiset": "234a7345 80828ce9 901207d9 c0ff19cc",
    "clustered": "f9b03f2a 2fb90bf6 0b3e5722 4da3f90c",
    "set with tags": "9f063cc4 50abb89f d93fd3d9 6484cdda",
    "set of batches": "9b9d0497 97a5d1e6 f91fe9ea ff49e3e1",
    "classes": "2db79eb3 0c560681 91b14fbe d73aef1f",
    "appended": "6f8385e7 9eb6e3b3 4d8da0fd 61635686",
    "merged": "da26cf29 a63c17a4 3bb7b5d5 744bb7d5",
    "united": "eea0dc87 5ae97c8a cdd60293 a161fdb6",
    "intersected": "a1113ae3 f1cd44a8 fcc3409a 81f23069",
    "subtracted": "f04028dc 4e038076 306f0f72 75b78fcc",
    "split and united": "48c10306 2abaa6c9 43fe732f ce1eab83",
    "united with tags": "444346ae 31bf6b6f 6d243b0c ca4f7f0a",
    "deduplicated": "0951e6f1 e378272a c290ef0d be95ac4a",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ARCHIVES)
def test_archives_stay_as_they_are(name: str) -> None:
    assert hashes(record(name)) == PINNED[name]


if __name__ == "__main__":
    for archive_name in ARCHIVES:
        target = Path(sys.argv[1]) / archive_name.replace(" ", "-")
        parts_ = record(archive_name)
        target.write_text("\n".join(line for part in parts_.values() for line in part))
        print(f'    "{archive_name}": "{hashes(parts_)}",')
