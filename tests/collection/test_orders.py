"""Orders without repeats: permuted and sorted collections, their parts, and set archives."""

from __future__ import annotations

import pickle
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

import pavcodec as pav
from pavcodec.archive.coding.coder import set_bits
from pavcodec.cli import main
from pavcodec.collection import make_part, orders
from pavcodec.collection.deals import DealMaking, SetMaking
from pavcodec.errors import PavError

SMALL = "hcp(south) == 37 && spades(south) == 4 && hcp(north) == 3"
DEALS = pav.numbering("deal")


def numbers_of(plan: pav.Collection, folder: Path) -> list[int]:
    """The deal numbers of all parts, in order; a part is made by a pickled plan."""
    again = pickle.loads(pickle.dumps(plan))
    for index in range(len(plan)):
        make_part(again, index, folder)
    paths = [folder / plan[index].name for index in range(len(plan))]
    boards = chain.from_iterable(pav.read(path) for path in paths)
    return [DEALS.rank(board.layout) for board in boards if board.layout is not None]


@pytest.mark.parametrize("parts", [1, 2, 7])
@pytest.mark.parametrize("to", ["numbers", "pav"])
def test_parts_of_a_permutation(parts: int, to: str, tmp_path: Path) -> None:
    space = pav.deals(SMALL, method="counted")
    plan = pav.parts(space, 300, parts=parts, seed="a", start=20, to=to, order="permuted")
    order = pav.permuted(space, "a")
    assert numbers_of(plan, tmp_path) == [DEALS.rank(deal) for deal in order[20:320]]


@pytest.mark.parametrize("parts", [1, 2, 7])
@pytest.mark.parametrize("to", ["numbers", "pav"])
@pytest.mark.parametrize("condition", [SMALL, None])
def test_parts_of_a_sorted_set(parts: int, to: str, condition: str | None, tmp_path: Path) -> None:
    space = DEALS if condition is None else pav.deals(condition, method="counted")
    plan = pav.parts(space, 300, parts=parts, seed="a", to=to, order="sorted")
    numbers = numbers_of(plan, tmp_path)
    sample = pav.SortedSample(space.cardinality, 300, "a")
    places = [high << 64 | low for rows in sample.part(0, 300) for high, low in rows.tolist()]
    assert numbers == [DEALS.rank(space[place]) for place in places]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("order", ["permuted", "sorted"])
@pytest.mark.parametrize("to", ["parquet", "pbn", "numbers", "pav", "jsonl", "npy"])
def test_a_whole_collection_has_the_bytes_of_deal(order: str, to: str, tmp_path: Path) -> None:
    plan = pav.parts(SMALL, 50, parts=1, seed=7, to=to, order=order)
    make_part(plan, 0, tmp_path)
    output = tmp_path / f"other{plan.making.suffix}"
    options = [f"--{order}", "-n", "50", "--seed", "7", "--to", to, "-o", str(output)]
    assert main(["deal", SMALL, *options]) == 0
    assert output.read_bytes() == (tmp_path / plan[0].name).read_bytes()


@pytest.mark.slow
def test_set_archives_know_their_ends(tmp_path: Path) -> None:
    plan = pav.parts(SMALL, 300, parts=3, seed=7, to="pav", order="sorted")
    assert isinstance(plan.making, SetMaking)
    rows = [make_part(plan, index, tmp_path) for index in range(3)]
    for index, row in enumerate(rows):
        with pav.open_archive(tmp_path / plan[index].name) as archive:
            assert (archive.kind, len(archive), row.rows) == ("set", 100, 100)
            ends = [DEALS.rank(board.layout) for board in (archive[0], archive[-1]) if board.layout]
        assert [row.facts["least"], row.facts["greatest"]] == list(map(str, ends))
    text = pav.parts(SMALL, 300, parts=3, seed=7, to="numbers", order="sorted")
    other = make_part(text, 1, tmp_path)
    assert other.facts == rows[1].facts


@pytest.mark.slow
@pytest.mark.parametrize("condition", ["spades(west) == 9", None])
def test_parts_are_at_the_bound(condition: str | None, tmp_path: Path) -> None:
    """Parts that span a range of the numbers take as few bits as the same deals in one archive."""
    space = DEALS if condition is None else pav.deals(condition, method="counted")
    plan = pav.parts(space, 300_000, parts=6, seed=7, to="pav", order="sorted")
    size = sum(make_part(plan, index, tmp_path).bytes for index in range(6))
    whole = pav.parts(space, 300_000, parts=1, seed=7, to="pav", order="sorted")
    row = make_part(whole, 0, tmp_path)
    bound = float(set_bits(space.cardinality, 300_000))
    assert size < row.bytes * 1.002
    assert 8 * size / 300_000 < bound + 0.15


def test_endings_in_order(tmp_path: Path) -> None:
    space = pav.endings("hcp(south) >= 7", cards=2)
    plan = pav.parts(space, 200, parts=2, seed=7, to="numbers", order="sorted")
    for index in range(2):
        make_part(plan, index, tmp_path)
    found = [int(x) for k in (0, 1) for x in (tmp_path / plan[k].name).read_text().split()]
    assert len(found) == 200
    assert found == sorted(set(found))


@pytest.mark.slow
def test_positions_come_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders, "AT_ONCE", 64)
    plan = pav.parts(SMALL, 1000, parts=1, seed=7, order="sorted")
    assert isinstance(plan.making, DealMaking)
    batches = list(plan.making.order.layouts(plan.making.space, plan[0]))
    assert [len(batch.owners) for batch in batches] == [64] * 15 + [40]
    whole = np.concatenate([batch.owners for batch in batches])
    assert len({row.tobytes() for row in whole}) == 1000


@pytest.mark.slow
def test_orders_that_a_space_does_not_have() -> None:
    total = pav.deals(SMALL, method="counted").cardinality
    mixed = pav.mix([("hcp(south) >= 20", 1)])
    for space, order, start, count, message in (
        ("hcp(south) >= 20 && rnd(2) == 1", "permuted", 0, 9, "tested deal by deal, so its deals"),
        (mixed, "sorted", 0, 9, "mixes are not equally likely, so they have no sorted order"),
        (pav.numbering("andrews"), "sorted", 0, 9, "numbering 'andrews' has another order"),
        (SMALL, "sorted", 3, 9, "a sorted set begins with its first deal, not with deal 3"),
        (SMALL, "sorted", 0, total + 1, f"there are {total} in all, and no {total + 1} different"),
        (SMALL, "permuted", 5, total, f"and no {total} different ones from 5 on"),
        (SMALL, "random", 0, 9, "the order of a collection is drawn, permuted, sorted, not 'rand"),
    ):
        with pytest.raises(PavError, match=message):
            pav.parts(space, count, parts=2, seed=7, start=start, order=order)
    with pytest.raises(PavError, match="a set, which holds no tags"):
        pav.parts(SMALL, 9, parts=2, seed=7, to="pav", order="sorted", tags={"Event": "x"})
