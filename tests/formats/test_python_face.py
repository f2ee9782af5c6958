"""`read`, `write`, `read_owners` and `write_owners` of pavcodec, as programs call them."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats_support import DEAL, DEMO, ENDING, FOULED, NUMBER, OTHER

import pavcodec as pav

BROKEN = (
    f'[Board "1"]\n[Deal "{DEAL}"]\n\n[Board "2"]\n[Deal "N:AX... - - -"]\n\n[Deal "{OTHER}"]\n'
)
DEALS = pav.numbering("deal")


def layouts_of(*args: Any, **options: Any) -> list[str]:
    return [str(board.layout) for board in pav.read(*args, **options) if board.layout]


def rows_of(*args: Any, **options: Any) -> list[str]:
    chunks = pav.read_owners(*args, **options)
    return [str(pav.Layout(row.tobytes())) for rows in chunks for row in rows]


both_readers = pytest.mark.parametrize("read", [layouts_of, rows_of])
Reader = Callable[..., list[str]]


def test_the_example_of_the_design() -> None:
    boards = list(pav.read(DEMO))
    assert len(boards) == 36
    texts = [str(board.layout) for board in boards]
    with DEMO.open("rb") as stream:
        assert layouts_of(str(DEMO)) == rows_of(str(DEMO)) == rows_of(DEMO) == texts
        assert rows_of(stream, format="pbn") == texts
        stream.seek(0)
        assert rows_of(stream) == texts


@both_readers
def test_problems_are_warnings_unless_someone_takes_them(read: Reader, tmp_path: Path) -> None:
    path = tmp_path / "event.pbn"
    path.write_text(BROKEN)
    with pytest.warns(UserWarning, match=r"event\.pbn:5: board 2: 'X' in 'AX\.\.\.'") as caught:
        assert read(path) == [DEAL, OTHER]
    assert [warning.filename for warning in caught] == [__file__]
    problems: list[pav.Problem] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(path, report=problems.append) == [DEAL, OTHER]
    assert [(p.source, p.line, p.board) for p in problems] == [(str(path), 5, "2")]


def test_reading_is_lazy_and_strict_reading_raises_after_what_was_read() -> None:
    boards = pav.read(io.BytesIO(BROKEN.encode()), strict=True)
    assert next(boards).number == 1
    with pytest.raises(pav.ReadError, match="stream:5: board 2"):
        next(boards)
    chunks = pav.read_owners(io.BytesIO(BROKEN.encode()), strict=True)
    assert len(next(chunks)) == 1
    with pytest.raises(pav.ReadError, match="stream:5: board 2"):
        next(chunks)


def write(boards: Any, *args: Any, **options: Any) -> int:
    return pav.write(boards, *args, **options)


@both_readers
def test_wrong_arguments_are_errors_at_once(read: Reader, tmp_path: Path) -> None:
    reader = pav.read if read is layouts_of else pav.read_owners
    writer = pav.write if read is layouts_of else pav.write_owners
    with pytest.raises(FileNotFoundError):
        reader("/no/such/file.pbn")
    with pytest.raises(TypeError, match="from a path or a stream of bytes, not"):
        reader(io.StringIO(DEAL))  # type: ignore[arg-type]  # what a caller may do wrong
    for wrong in ({"format": "pnb"}, {"numbering": "dael"}):
        with pytest.raises(pav.UnknownNameError, match="did you mean"):
            reader(io.BytesIO(b"0"), **wrong)  # type: ignore[arg-type]
        with pytest.raises(pav.UnknownNameError, match="did you mean"):
            writer([], io.BytesIO(), **{"format": "lines", **wrong})  # type: ignore[arg-type]
    with pytest.raises(pav.UnknownNameError, match="no encoding is called 'utf-16'"):
        writer([], tmp_path / "out.pbn", encoding="utf-16")
    for target in (io.BytesIO(), tmp_path / "x.xyz"):
        with pytest.raises(pav.PavError, match="does not show its format"):
            writer([], target)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_as_a_number_is_an_error_and_leaves_no_file(tmp_path: Path) -> None:
    owners = DEALS.sample_many(3, seed=7)
    owners[1] = np.frombuffer(pav.Layout.from_pbn(ENDING).owners, np.uint8)
    for name in ("a.numbers", "a.deal12", "a.deal13"):
        with pytest.raises(pav.ReadError, match="13 cards in each hand"):
            pav.write_owners(owners, tmp_path / name)
        with pytest.raises(pav.ReadError, match="13 cards in each hand"):
            write([pav.Layout(row.tobytes()) for row in owners], tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    board = pav.Board(pav.Layout.from_pbn(FOULED))
    for name in ("lines", "numbers"):
        stream = io.BytesIO()
        pav.write([board], stream, format=name, numbering="base5")
        stream.seek(0)
        assert list(pav.read(stream, format=name, numbering="base5", strict=True)) == [board]


def test_what_is_written_otherwise_is_a_warning() -> None:
    board = pav.Board.make(pav.Deal.from_pbn(DEAL), number=1, tags={"Event": "Club, Monday"})
    stream = io.BytesIO()
    with pytest.warns(UserWarning, match="no comma in the tag Event: each is"):
        assert pav.write([board, board], stream, format="lin") == 2
    assert stream.getvalue().startswith(b"vg|Club; Monday,")
    stream = io.BytesIO()
    pav.write([board.layout], stream, format="numbers")  # type: ignore[list-item]
    assert stream.getvalue() == f"{NUMBER}\n".encode()


def test_an_array_a_batch_or_several(tmp_path: Path) -> None:
    owners = DEALS.sample_many(30, seed=7)
    path = tmp_path / "deals.txt"
    expected = "".join(f"{pav.Layout(row.tobytes())}\n" for row in owners)
    assert pav.write_owners(owners, path) == 30
    for items in ([owners[:9], owners[9:9], owners[9:]], pav.read_owners(path)):
        assert path.read_text() == expected
        assert pav.write_owners(items, path) == 30
    assert path.read_text() == expected
    quick, slow = io.BytesIO(), io.BytesIO()
    batch = pav.BoardBatch(owners, 9, tags={"Event": "Club"}, numbers=DEALS.rank_many(owners))
    assert pav.write_owners([owners[:2], batch], quick, format="pbn") == 32
    boards = [*(pav.Board(pav.Layout(row.tobytes())) for row in owners[:2]), *batch]
    assert pav.write(boards, slow, format="pbn") == 32
    assert quick.getvalue() == slow.getvalue()
    assert b'[DealId "deal:' in quick.getvalue()


FEW = DEALS.sample_many(3, seed=7)
BAD_ROW = np.vstack([np.full((3, 52), 4, np.uint8), np.full((1, 52), 255, np.uint8)])
WRONG: list[tuple[Any, type[Exception], str]] = [
    (np.zeros((2, 51), np.uint8), TypeError, r"uint8\[n, 52\], not uint8\[2, 51\]"),
    (np.zeros((2, 52), np.int64), TypeError, r"uint8\[n, 52\], not int64"),
    (np.zeros(52, np.uint8), TypeError, r"uint8\[n, 52\], not uint8\[52\]"),
    ([b"x"], TypeError, "not 'bytes'"),
    (5, TypeError, "not iterable"),
    (np.full((2, 52), 5, np.uint8), pav.LayoutError, "row 0: owners are 52 bytes of 0 to 4"),
    (BAD_ROW, pav.LayoutError, "row 3: owners are 52 bytes"),
    (pav.BoardBatch(FEW, numbers=DEALS.draw(2, seed=7)), TypeError, "3 boards has 2 numbers"),
]


def test_other_arrays_are_refused() -> None:
    for items, error, message in WRONG:
        with pytest.raises(error, match=message):
            pav.write_owners(items, io.BytesIO(), format="pbn")
        if isinstance(items, np.ndarray):
            with pytest.raises(error, match=message):
                pav.write_owners(pav.BoardBatch(items), io.BytesIO(), format="lines")
    with pytest.raises(TypeError, match=r"numbers are an array uint64\[n, 2\], not int64"):
        pav.BoardBatch(FEW, numbers=np.zeros((3, 2), np.int64))
