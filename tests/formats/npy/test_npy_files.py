"""Arrays of numpy as files of boards, and solved sets: what numpy has, damage, and the rest."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from formats_support import Dribble, OneWay, write_format

import pavcodec as pav
from pavcodec.arrays import Owners
from pavcodec.boards.batch import BoardBatch
from pavcodec.formats import format_of
from pavcodec.formats.npy import files
from pavcodec.formats.npy.files import header_bytes
from pavcodec.formats.npy.views import keys_of_owners
from pavcodec.layout import TrickTable

DEALS = pav.numbering("deal")
VIEWS = [view.name for view in pav.feature_views()]
READ = [view.name for view in pav.feature_views() if view.gives != "nothing"]


def name_of(view: str) -> str:
    needs_seat = next(each.needs_seat for each in pav.feature_views() if each.name == view)
    return f"npy:{view}:E" if needs_seat else f"npy:{view}"


def written(owners: Owners, name: str = "npy") -> bytes:
    stream = io.BytesIO()
    assert pav.write_owners(owners, stream, format=name) == len(owners)
    return stream.getvalue()


def saved(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)  # type: ignore[arg-type]
    return stream.getvalue()


def owners_in(data: bytes, name: str | None = None) -> tuple[Owners, list[str]]:
    problems: list[pav.Problem] = []
    found = list(pav.read_owners(io.BytesIO(data), format=name, report=problems.append))
    joined = np.concatenate(found) if found else np.empty((0, 52), np.uint8)
    return joined, [problem.reason for problem in problems]


def test_the_bytes_are_those_that_numpy_saves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_AT_ONCE", 40)
    for count in (0, 1, 40, 101):
        owners = pav.numbering("ending").sample_many(count, seed=7)
        assert written(owners) == saved(owners)
        numbers = DEALS.draw(count, seed=7)
        deals = DEALS.unrank_many(numbers)
        assert written(deals, "npy:numbers") == saved(numbers)
        assert owners_in(saved(owners))[1] == []
        assert np.array_equal(owners_in(saved(owners))[0], owners)
        assert np.array_equal(owners_in(saved(numbers))[0], deals)


@pytest.mark.parametrize("view", VIEWS)
def test_views_are_saved_as_features_and_read_again(
    view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_AT_ONCE", 20)
    owners, name = DEALS.sample_many(50, seed=7), name_of(view)
    seat = "E" if name.endswith(":E") else None
    data = written(owners, name)
    assert data == saved(pav.features(owners, view, seat=seat))
    if view in READ:
        found, problems = owners_in(data, name)
        assert problems == []
        assert np.array_equal(found, np.where(owners == 1, owners, 4) if seat else owners)


def test_a_file_is_mapped_into_memory_whatever_its_length(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    owners = DEALS.sample_many(100, seed=7)
    pav.write_owners([owners[:1], owners[1:70], owners[70:]], path)
    mapped = np.load(path, mmap_mode="r")
    assert mapped.offset % 64 == 0
    assert np.array_equal(mapped, owners)
    sizes = {len(header_bytes((count, 52), np.dtype("uint8"))) for count in (0, 1, 10**15)}
    assert len(sizes) == 1


def test_numbers_of_other_orders_of_bytes_and_versions() -> None:
    numbers = DEALS.draw(7, seed=7)
    deals = DEALS.unrank_many(numbers)
    assert np.array_equal(owners_in(saved(numbers.astype(">u8")))[0], deals)
    stream = io.BytesIO()
    np.lib.format.write_array(stream, deals, version=(2, 0))
    assert np.array_equal(owners_in(stream.getvalue())[0], deals)
    views = pav.features(deals, "openspiel").astype(">f8")
    assert np.array_equal(owners_in(saved(views), "npy:openspiel")[0], deals)


def test_numbers_have_the_numbering_of_the_caller() -> None:
    andrews = pav.numbering("andrews", one_based=True)
    owners = andrews.sample_many(9, seed=7)
    stream = io.BytesIO()
    pav.write_owners(owners, stream, format="npy:numbers", numbering=andrews)
    assert stream.getvalue() == saved(andrews.rank_many(owners))
    found = list(pav.read_owners(io.BytesIO(stream.getvalue()), numbering=andrews))
    assert np.array_equal(found[0], owners)


def test_a_pipe_gets_the_same_bytes(tmp_path: Path) -> None:
    owners = DEALS.sample_many(50, seed=7)
    pipe = OneWay()
    pav.write_owners(owners, pipe, format="npy")
    assert pipe.getvalue() == saved(owners)
    path = tmp_path / "two.npy"
    path.write_bytes(b"before")
    with path.open("ab") as out:
        pav.write_owners(owners, out, format="npy")
    assert path.read_bytes() == b"before" + saved(owners)


OTHERS = {
    "this file holds uint8[3, 51]": np.zeros((3, 51), np.uint8),
    "this file holds int64[3, 52]": np.zeros((3, 52), np.int64),
    "this file holds uint8[52]": np.zeros(52, np.uint8),
    "this file holds uint64[3, 3]": np.zeros((3, 3), np.uint64),
    "this file holds uint8[]": np.zeros((), np.uint8),
    "this file holds uint32[3, 3, 4]": np.zeros((3, 3, 4), np.uint32),
    "npy:openspiel; this file holds float32[2, 4, 52]": np.zeros((2, 4, 52), np.float32),
    "stored by columns: uint8[3, 52]": np.asfortranarray(np.zeros((3, 52), np.uint8)),
    "this file holds object[1, 52]": np.array([[object] * 52], object),
}


def test_other_arrays_are_one_problem() -> None:
    for reason, array in OTHERS.items():
        owners, (problem,) = owners_in(saved(array))
        assert (len(owners), reason in problem) == (0, True), problem
    data = saved(np.zeros((3, 4, 51), np.float32))
    assert owners_in(data, "npy:openspiel")[1] == [
        "the view openspiel is an array [n, 4, 52] of numbers, not float32[3, 4, 51]"
    ]


def test_damaged_files() -> None:
    owners = DEALS.sample_many(5, seed=7)
    good = written(owners)
    found, problems = owners_in(good[:-60])
    assert np.array_equal(found, owners[:3])
    assert problems == ["the file ends in row 3 of 5"]
    found, problems = owners_in(good + b"x")
    assert np.array_equal(found, owners)
    assert problems == ["the file goes on after its 5 rows"]
    for data, reason in [
        (good[:4], "it does not begin with"),
        (good[:6] + b"\x03\x00" + good[8:], "has version 1.0 or 2.0, not 3.0"),
        (good[:9], "the header of the file of numpy is damaged"),
        (good[:50], "the header of the file of numpy is damaged"),
        (good.replace(b"(5, 52), }", b"((5, 52   "), "the header of the file of numpy is damaged"),
        (good.replace(b"shape", b"shope"), "the header of the file of numpy is damaged"),
        (good.replace(b"(5, 52)", b"(5- 52)"), "is damaged: malformed node or string on line 1"),
    ]:
        found, problems = owners_in(data, "npy")
        assert len(found) == 0
        assert [reason in problem for problem in problems] == [True]
        assert " at 0x" not in problems[0]


def test_rows_that_are_no_layout_are_problems_and_the_others_are_read() -> None:
    owners = DEALS.sample_many(6, seed=7)
    wrong = owners.copy()
    wrong[2, 0], wrong[4, 51] = 5, 255
    found, problems = owners_in(saved(wrong))
    assert np.array_equal(found, owners[[0, 1, 3, 5]])
    assert problems == [f"row {n}: an owner is 0 to 4, not {k}" for n, k in ((2, 5), (4, 255))]
    numbers = DEALS.draw(4, seed=7)
    numbers[1] = 2**64 - 1
    found, problems = owners_in(saved(numbers))
    assert len(found) == 3
    assert problems[0].startswith("row 1: numbering 'deal' has numbers 0 to")
    read = pav.read_owners(io.BytesIO(saved(wrong)), strict=True)
    assert np.array_equal(next(read), owners[:2])
    with pytest.raises(pav.ReadError, match="row 2: an owner is 0 to 4"):
        next(read)


def test_layouts_without_a_row_are_problems() -> None:
    owners = np.concatenate([DEALS.sample_many(2, seed=7), np.full((1, 52), 4, np.uint8)])
    with pytest.raises(pav.ReadError, match="view 'pgx' needs deals"):
        pav.write_owners(owners, io.BytesIO(), format="npy:pgx")


def test_forms_that_do_not_exist() -> None:
    for form, reason in {
        "": "no form of npy is called ''",
        "pgy": "did you mean 'pgx'",
        "numbers:S": "numbers are of whole deals",
        "ben-hand": "name it, as in npy:ben-hand:S",
        "ben-hand:Q": "no seat is called 'Q'",
        "pgx:S:N": "no seat is called 'S:N'",
    }.items():
        with pytest.raises(pav.UnknownNameError, match=reason):
            format_of(f"npy:{form}")


def test_what_a_view_keeps() -> None:
    assert format_of("npy:ben:s").name == "npy:ben:S"
    assert not format_of("npy:ben").is_read
    assert format_of("npy:ben-hand:S").keeps == "no whole layouts"
    assert format_of("npy:openspiel-hand:S").keeps == "cards of one hand"
    with pytest.raises(pav.PavError, match="files of npy:ben are written, and not read"):
        list(pav.read(io.BytesIO(b"x"), format="npy:ben"))


# solved sets of pgx: numbers worked out by hand, round trips, and damage


def solved(count: int) -> BoardBatch:
    tricks = np.random.default_rng(7).integers(0, 14, (count, 20)).astype(np.uint8)
    return BoardBatch(pav.numbering("deal").sample_many(count, seed=7), tricks=tricks)


def as_solved(batch: BoardBatch) -> bytes:
    stream = io.BytesIO()
    pav.write_owners(batch, stream, format="npy:solved")
    return stream.getvalue()


def test_numbers_worked_out_by_hand() -> None:
    # Each suit of one hand: 0, 4^13 / 3 · 1, · 2, and 4^13 - 1.
    owners = np.repeat(np.arange(4, dtype=np.uint8), 13)[np.newaxis]
    assert keys_of_owners(owners).tolist() == [[0, 22369621, 44739242, 67108863]]
    # North has the ace alone, East the two, South the three, West the rest.
    owners[0, :13] = [0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 1]
    assert keys_of_owners(owners)[0, 0] == 0 * 4**12 + 1 * 4**11 + 2 * 4**10 + (4**10 - 1)
    # The example of the environment: North takes C0 D1 H0 S4 NT0, East C13 D12 H13 S9 NT13.
    table = TrickTable(bytes([0, 13, 0, 13, 4, 9, 4, 9, 0, 13, 0, 13, 1, 12, 1, 12, 0, 13, 0, 13]))
    tricks = np.frombuffer(table.tricks, np.uint8)[np.newaxis]
    deals = pav.numbering("deal").sample_many(1, seed=3)
    data = np.load(io.BytesIO(as_solved(BoardBatch(deals, tricks=tricks))))
    assert data.dtype == np.int32
    assert data.shape == (2, 1, 4)
    assert data[1, 0].tolist() == [4160, 904605, 4160, 904605]


def test_a_deal_and_its_solution() -> None:
    # A key, and the tricks that a solver finds for its cards; see "Solved sets" in the page.
    keys = [19556549, 61212362, 52381660, 50424958]
    values = [71233, 771721, 71505, 706185]
    (board,) = pav.read(io.BytesIO(saved(np.array([[keys], [values]], np.int32))))
    assert str(board.layout) == (
        "N:J92.J76.K72.9432 AKQ6.84.J863.T65 87543.KQ9532..K7 T.AT.AQT954.AQJ8"
    )
    assert str(board.tricks) == "N:1,4,6,1,1 E:9,8,6,12,11 S:1,5,7,1,1 W:9,8,6,12,10"


def test_round_trips_of_any_size_and_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_AT_ONCE", 16)
    for count in (0, 1, 3 * 16 + 7):
        batch = solved(count)
        data, slow = as_solved(batch), io.BytesIO()
        for name in ("npy", "npy:solved"):
            assert list(pav.read(io.BytesIO(data), format=name)) == list(batch)
        pav.write(list(batch), slow, format="npy:solved")
        assert slow.getvalue() == data
    assert np.load(io.BytesIO(data)).shape == (2, len(batch), 4)
    for stream in (io.BytesIO(data), Dribble(data)):
        found = list(pav.read_solved(stream, format="npy"))  # type: ignore[arg-type]
        assert (np.concatenate([owners for owners, _ in found]) == batch.owners).all()
        assert (np.concatenate([tricks for _, tricks in found]) == batch.tricks).all()


def test_damaged_sets() -> None:
    rows = np.load(io.BytesIO(as_solved(solved(5))))
    for kind in (np.uint32, ">i4"):
        assert len(owners_in(saved(rows.astype(kind)))[0]) == 5
    for data, reason in (
        (saved(rows)[:-1], "5 deals and their tricks take 160 bytes, not 159"),
        (saved(rows[:1]), "this file holds int32[1, 5, 4]"),
    ):
        found, (problem,) = owners_in(data, "npy")
        assert (len(found), reason in problem) == (0, True)
    rows[0, 1, 0], rows[1, 3, 2], rows[1, 4, 2] = 5, 0xEEEEE, -1
    problems: list[pav.Problem] = []
    assert len(list(pav.read(io.BytesIO(saved(rows)), format="npy", report=problems.append))) == 2
    reasons = [problem.reason for problem in problems]
    assert [reason[:6] for reason in reasons] == ["row 1:", "row 3:", "row 4:"]
    assert "13 in each hand" in reasons[0]
    assert "20 contracts" in reasons[1]


def test_boards_without_tricks_are_problems() -> None:
    batch = solved(3)
    assert batch.tricks is not None
    batch.tricks[1, 5] = 255
    boards = [*batch, pav.Board(pav.Layout.from_pbn("N:AK.Q.. - .32.4. -"))]
    data, problems = write_format("npy:solved", boards)
    assert "20 contracts" in problems[0].reason
    assert "13 cards in each hand" in problems[1].reason
    assert (len(problems), len(owners_in(data)[0])) == (2, 2)
