"""Batches for training loops: the deals of their sources, in the same order in every process."""

from __future__ import annotations

import os
import pickle
from itertools import product
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import pavcodec as pav
from pavcodec.arrays import Owners
from pavcodec.formats.npy.files import values_of_tricks
from pavcodec.formats.npy.views import keys_of_owners
from pavcodec.learning.loading import order_of_epoch
from pavcodec.sampling import Stream

DEALS = pav.numbering("deal")
OWNERS = DEALS.sample_many(1000, seed=3)
TRICKS = (np.arange(20_000) % 14).astype(np.uint8).reshape(1000, 20)


def all_of(run: pav.Batches) -> Owners:
    return np.concatenate(list(run))


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, Any]:
    """The same deals from each kind of source."""
    pav.write_owners(OWNERS, tmp_path / "a.npy")
    pav.write_owners(OWNERS, tmp_path / "numbers.npy", format="npy:numbers")
    pav.write_owners(OWNERS, tmp_path / "a.parquet")
    pav.write_archive(OWNERS, tmp_path / "a.pav")
    return {
        "array": OWNERS,
        "numbers": DEALS.rank_many(OWNERS),
        "mapped": np.load(tmp_path / "a.npy", mmap_mode="r"),
        "npy": tmp_path / "a.npy",
        "npy numbers": str(tmp_path / "numbers.npy"),
        "parquet": tmp_path / "a.parquet",
        "archive": tmp_path / "a.pav",
        "layouts": [pav.Deal(row.tobytes()) for row in OWNERS],
    }


@pytest.mark.slow
def test_all_sources_give_the_same_batches(sources: dict[str, Any]) -> None:
    for name, source in sources.items():
        run = pav.batches(source, 64, view="owners", seed=7)
        assert [len(rows) for rows in run] == [*[64] * 15, 40], name
        assert np.array_equal(all_of(run), OWNERS), name
        mixed = pav.batches(source, 64, view="owners", seed=7, shuffle=True)
        assert np.array_equal(all_of(mixed), OWNERS[order_of_epoch(7, 0, 1000)]), name
        for changed in (run, mixed):
            before = changed[0].copy()
            changed[0][:] = 4
            assert np.array_equal(changed[0], before), f"{name}: a batch is a copy"
    some = pav.batches(OWNERS, 10, rows=range(200, 300), view="owners", seed=7, shuffle=True)
    assert np.array_equal(all_of(some), OWNERS[200 + order_of_epoch(7, 0, 100)])
    assert repr(some) == "Batches(10 batches of 10, view='owners', seed=7)"


def test_samples_of_a_space_are_those_of_the_stream() -> None:
    space = cast("pav.ConstrainedDeals", pav.deals("hcp(south) >= 20"))
    parts = pav.splits(1000, "0.8/0.2", start=50)
    run = pav.batches(space, 64, rows=parts["test"], view="owners", seed=7)
    assert np.array_equal(all_of(run), space.sample_many(200, seed=7, start=850))
    endless = pav.batches(space, 64, rows=2**63, view="owners", seed=7)
    far = endless[len(endless) - 1]
    assert np.array_equal(far, space.sample_many(64, seed=7, start=2**63 - 64))


def test_a_batch_is_a_view() -> None:
    for view in pav.feature_views():
        run = pav.batches(OWNERS, 100, view=view.name, seat="S")
        assert np.array_equal(run[3], pav.features(OWNERS[300:400], view.name, seat="S"))
    run = pav.batches(
        OWNERS, 10, view="pgx-observation", seat="S", vulnerable="NS", dtype="float32", threads=1
    )
    expected = pav.features(OWNERS[:10], "pgx-observation", seat="S", vulnerable="NS")
    assert run[0].dtype == np.float32
    assert np.array_equal(run[0], expected)


@pytest.mark.parametrize("shuffle", [False, True])
def test_a_run_resumes_and_is_shared_by_workers(shuffle: bool) -> None:
    def run(**more: Any) -> pav.Batches:
        return pav.batches(OWNERS, 64, view="owners", seed=7, shuffle=shuffle, epochs=3, **more)

    whole = list(run())
    assert len(whole) == len(run()) == 48
    resumed = run(start=20)
    assert len(resumed) == 28
    assert all(map(np.array_equal, resumed, whole[20:]))
    assert all(map(np.array_equal, run()[20:][3::5], whole[23::5]))
    assert np.array_equal(run()[-1], whole[-1])
    parts = [run().part(worker, 5) for worker in range(5)]
    for place, batch in enumerate(whole):
        assert np.array_equal(parts[place % 5][place // 5], batch)
    assert len(run(start=48)) == len(run(start=100)) == 0
    with pytest.raises(IndexError, match="48 is past the end: there are 48 batches"):
        run()[48]


def test_each_epoch_has_every_deal_once_in_another_order() -> None:
    orders = [order_of_epoch(7, epoch, 1000) for epoch in range(3)]
    for order in orders:
        assert sorted(order.tolist()) == list(range(1000))
    assert len({order.tobytes() for order in orders}) == 3
    for epoch, order in enumerate(orders):
        words = [Stream(7).hash_of(epoch << 64 | row) for row in range(1000)]
        assert order.tolist() == sorted(range(1000), key=lambda row: (words[row], row))
    run = pav.batches(OWNERS, 64, view="owners", seed=7, shuffle=True, epochs=3, drop_last=True)
    assert run.batches_per_epoch == 15
    assert {len(rows) for rows in run} == {64}
    assert np.array_equal(run[15], OWNERS[orders[1][:64]])


def test_no_deals(tmp_path: Path) -> None:
    pav.write_owners(OWNERS[:0], tmp_path / "none.npy")
    sources: list[object] = [tmp_path / "none.npy", OWNERS[:0], []]
    for source in sources:
        assert list(pav.batches(source, 10, shuffle=True)) == []


@pytest.mark.slow
def test_another_process_gives_the_same_batches(sources: dict[str, Any]) -> None:
    """What it gets is a pickle, which has the path of a file and not its deals."""
    for name in ("npy", "parquet", "archive"):
        run = pav.batches(sources[name], 64, view="owners", seed=7, shuffle=True)
        first = run[0]
        data = pickle.dumps(run)
        assert len(data) < 1500, name
        assert np.array_equal(pickle.loads(data)[0], first)
    space = pav.deals("hcp(south) >= 20")
    for run in (
        pav.batches(OWNERS, 64, shuffle=True),
        pav.batches(space, 64, rows=500, view="owners", seed=7),
    ):
        assert np.array_equal(pickle.loads(pickle.dumps(run))[2], run[2])


def test_tricks_come_with_their_deals(tmp_path: Path) -> None:
    np.save(tmp_path / "tricks.npy", TRICKS)
    pav.write_owners(OWNERS, tmp_path / "a.npy")
    keys = pav.features(OWNERS, "pgx-key")
    assert np.array_equal(keys_of_owners(OWNERS), keys)
    solved = tmp_path / "solved.npy"  # as Pgx keeps them
    np.save(solved, np.stack([keys, values_of_tricks(TRICKS)]).astype("<i4"))
    sources: list[tuple[Any, Any]] = [
        (OWNERS, TRICKS),
        (OWNERS, tmp_path / "tricks.npy"),
        (tmp_path / "a.npy", str(tmp_path / "tricks.npy")),
        (solved, True),
    ]
    for (source, tricks), shuffle in product(sources, (False, True)):
        run = pav.batches(source, 64, view="owners", tricks=tricks, seed=7, shuffle=shuffle)
        order = order_of_epoch(7, 0, 1000) if shuffle else np.arange(1000)
        x, y = (np.concatenate(part) for part in zip(*run, strict=True))
        assert np.array_equal(x, OWNERS[order])
        assert np.array_equal(y, TRICKS[order])
        assert np.array_equal(pickle.loads(pickle.dumps(run))[3][0], run[3][0])


@pytest.mark.parametrize("suffix", ["zrd", "parquet", "pbn"])
def test_tricks_of_files(tmp_path: Path, suffix: str) -> None:
    boards = [
        pav.Board.make(pav.Deal(row.tobytes()), tricks=pav.TrickTable(some.tobytes()))
        for row, some in zip(OWNERS[:50], TRICKS, strict=False)
    ]
    path = tmp_path / f"solved.{suffix}"
    pav.write(boards, path)
    for source in (path, boards):
        run = pav.batches(source, 20, view="ben", tricks=True)
        x, y = run[1]
        assert np.array_equal(x, pav.features(OWNERS[20:40], "ben"))
        assert np.array_equal(y, TRICKS[20:40])


def test_arguments_that_fit_no_run(tmp_path: Path) -> None:
    space = cast("pav.ConstrainedDeals", pav.deals("hcp(south) >= 20"))
    pav.write_owners(OWNERS, tmp_path / "x.npy", format="npy:openspiel")
    (tmp_path / "bad.npy").write_bytes(b"x")
    pav.write_owners(OWNERS, tmp_path / "short.npy")
    os.truncate(tmp_path / "short.npy", 30_000)
    np.save(tmp_path / "columns.npy", np.asfortranarray(OWNERS))
    calls: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
        (space, {}, TypeError, "a space has no last sample: give rows="),
        (space, {"rows": 10, "shuffle": True}, pav.PavError, "leave out shuffle"),
        (space, {"rows": 2**64 + 1}, pav.NumberError, "rows are a range within 0 to"),
        (OWNERS, {"rows": 1001}, pav.NumberError, "rows are a range within 0 to 1000"),
        (OWNERS, {"rows": range(0, 9, 2)}, pav.NumberError, "with step 1"),
        (OWNERS, {"size": 0}, pav.NumberError, "size is 1 or more, not 0"),
        (OWNERS, {"epochs": 0}, pav.NumberError, "epochs is 1 or more, not 0"),
        (OWNERS, {"start": -1}, pav.NumberError, "start is 0 or more, not -1"),
        (OWNERS, {"view": "pgy"}, pav.UnknownNameError, "no view is called 'pgy'"),
        (OWNERS, {"tricks": True}, pav.PavError, "the source has no double-dummy tricks"),
        (OWNERS, {"view": "onehot-hand"}, TypeError, "shows what one seat sees: name it"),
        (space, {"rows": 5, "dtype": "nonsense"}, TypeError, "has no dtype 'nonsense'"),
        (space, {"rows": 5, "threads": 0}, pav.NumberError, "threads are 1 or more, not 0"),
        (OWNERS, {"tricks": TRICKS.tolist()}, TypeError, "or a path, not 'list'"),
        (OWNERS, {"tricks": TRICKS[:5]}, TypeError, "1000 deals have 1000 rows of tricks, not 5"),
        (OWNERS[:, :51], {}, TypeError, r"deals are an array uint8\[n, 52\]"),
        (OWNERS, {"seat": np.zeros(3, np.uint8)}, TypeError, "have one seat"),
        (tmp_path / "x.npy", {}, pav.PavError, r"x.npy: deals are an array uint8\[n, 52\]"),
        (tmp_path / "bad.npy", {}, pav.PavError, "bad.npy: this is no file of numpy"),
        (tmp_path / "short.npy", {}, pav.PavError, "short.npy: the file is shorter than its array"),
        (tmp_path / "columns.npy", {}, pav.PavError, "columns.npy: uint8.* is not stored as rows"),
        (pav.deals("rnd(2) == 1"), {"rows": 5}, TypeError, "have no index in arrays, so write"),
    ]
    for source, more, error, reason in calls:
        with pytest.raises(error, match=reason):
            pav.batches(source, **{"size": 10, **more})
    with pytest.raises(pav.NumberError, match="a worker is 0 to 2, not 3"):
        pav.batches(OWNERS, 10).part(3, 3)
    with pytest.raises(pav.NumberError, match="workers are 1 or more, not 0"):
        pav.batches(OWNERS, 10).part(0, 0)
