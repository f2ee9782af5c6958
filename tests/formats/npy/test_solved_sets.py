"""Solved sets of pgx: numbers worked out by hand, round trips, damage, and the definition."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
from formats_support import Dribble

import pavcodec as pav
from pavcodec.boards.batch import BoardBatch
from pavcodec.boards.board import Context
from pavcodec.formats import format_of
from pavcodec.formats.npy import files as solved_sets
from pavcodec.formats.npy.views import keys_of_owners
from pavcodec.layout import TrickTable

if TYPE_CHECKING:
    import pytest


def solved(count: int) -> BoardBatch:
    tricks = np.random.default_rng(7).integers(0, 14, (count, 20)).astype(np.uint8)
    return BoardBatch(pav.numbering("deal").sample_many(count, seed=7), tricks=tricks)


def written(batch: object) -> bytes:
    stream = io.BytesIO()
    pav.write_owners(batch, stream, format="npy:solved")  # type: ignore[arg-type]
    return stream.getvalue()


def test_numbers_worked_out_by_hand() -> None:
    # Each suit of one hand: 0, 4^13 / 3 · 1, · 2, and 4^13 - 1.
    owners = np.repeat(np.arange(4, dtype=np.uint8), 13)[np.newaxis]
    assert keys_of_owners(owners).tolist() == [[0, 22369621, 44739242, 67108863]]
    # North has the ace alone, East the two, South the three, West the rest.
    suit = np.array([0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 1], np.uint8)
    owners[0, :13] = suit
    assert keys_of_owners(owners)[0, 0] == 0 * 4**12 + 1 * 4**11 + 2 * 4**10 + (4**10 - 1)
    # The example of the environment: North takes C0 D1 H0 S4 NT0, East C13 D12 H13 S9 NT13.
    table = TrickTable(bytes([0, 13, 0, 13, 4, 9, 4, 9, 0, 13, 0, 13, 1, 12, 1, 12, 0, 13, 0, 13]))
    tricks = np.frombuffer(table.tricks, np.uint8)[np.newaxis]
    deals = pav.numbering("deal").sample_many(1, seed=3)
    data = np.load(io.BytesIO(written(BoardBatch(deals, tricks=tricks))))
    assert data.dtype == np.int32
    assert data.shape == (2, 1, 4)
    assert data[1, 0].tolist() == [4160, 904605, 4160, 904605]


def test_a_deal_and_its_solution() -> None:
    # A key, and the tricks that a solver finds for its cards; see "Solved sets" in the page.
    keys = [19556549, 61212362, 52381660, 50424958]
    values = [71233, 771721, 71505, 706185]
    stream = io.BytesIO()
    np.save(stream, np.array([[keys], [values]], np.int32))
    (board,) = pav.read(io.BytesIO(stream.getvalue()))
    assert str(board.layout) == (
        "N:J92.J76.K72.9432 AKQ6.84.J863.T65 87543.KQ9532..K7 T.AT.AQT954.AQJ8"
    )
    assert str(board.tricks) == "N:1,4,6,1,1 E:9,8,6,12,11 S:1,5,7,1,1 W:9,8,6,12,10"


def test_round_trips_of_any_size_and_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solved_sets, "_AT_ONCE", 16)
    for count in (0, 1, 3 * 16 + 7):
        batch = solved(count)
        data, slow = written(batch), io.BytesIO()
        for name in ("npy", "npy:solved"):
            assert list(pav.read(io.BytesIO(data), format=name)) == list(batch)
        pav.write(list(batch), slow, format="npy:solved")
        assert slow.getvalue() == data
    assert np.load(io.BytesIO(data)).shape == (2, len(batch), 4)
    for stream in (io.BytesIO(data), Dribble(data)):
        found = list(pav.read_solved(stream, format="npy"))  # type: ignore[arg-type]
        assert (np.concatenate([owners for owners, _ in found]) == batch.owners).all()
        assert (np.concatenate([tricks for _, tricks in found]) == batch.tricks).all()


def test_damage_is_reported() -> None:
    data = written(solved(5))
    rows = np.load(io.BytesIO(data))

    def problems_of(array: object, cut: int = 0) -> tuple[int, list[str]]:
        stream = io.BytesIO()
        np.save(stream, array)  # type: ignore[arg-type]
        problems: list[pav.Problem] = []
        whole = io.BytesIO(stream.getvalue()[: len(stream.getvalue()) - cut])
        boards = list(pav.read(whole, format="npy", report=problems.append))
        return len(boards), [problem.reason for problem in problems]

    wrong = rows.copy()
    wrong[0, 1, 0], wrong[1, 3, 2], wrong[1, 4, 2] = 5, 0xEEEEE, -1
    count, reasons = problems_of(wrong)
    assert (count, [reason[:6] for reason in reasons]) == (2, ["row 1:", "row 3:", "row 4:"])
    assert "13 in each hand" in reasons[0]
    assert "20 contracts" in reasons[1]
    cut = "5 deals and their tricks take 160 bytes, not 159"
    for array, less, reason in ((rows, 1, cut), (rows[:1], 0, "this file holds int32[1, 5, 4]")):
        count, (found,) = problems_of(array, cut=less)
        assert (count, reason in found) == (0, True)
    for kind in (np.uint32, ">i4"):
        assert problems_of(rows.astype(kind)) == (5, [])


def test_boards_without_tricks_are_problems() -> None:
    batch = solved(3)
    assert batch.tricks is not None
    batch.tricks[1, 5] = 255
    problems: list[pav.Problem] = []
    stream = io.BytesIO()
    boards = [*batch, pav.Board(pav.Layout.from_pbn("N:AK.Q.. - .32.4. -"))]
    context = Context("x", problems.append)
    assert format_of("npy:solved").write(boards, stream, context) == 2
    reasons = [problem.reason for problem in problems]
    assert ["20 contracts" in reason for reason in reasons] == [True, False]
    assert "13 cards in each hand" in reasons[1]
    assert len(list(pav.read(io.BytesIO(stream.getvalue()), format="npy"))) == 2
