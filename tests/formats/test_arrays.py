"""`pavcodec.read_owners` and `pavcodec.write_owners`, as programs call them."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from formats_support import DEAL, DEMO, ENDING, OTHER

import pavcodec as pav

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEALS = pav.numbering("deal")
BROKEN = f'[Deal "{DEAL}"]\n\n[Board "2"]\n[Deal "N:AX... - - -"]\n\n[Deal "{OTHER}"]\n'


def texts(chunks: Iterator[NDArray[np.uint8]]) -> list[str]:
    return [str(pav.Layout(row.tobytes())) for rows in chunks for row in rows]


@pytest.mark.parametrize("kind", [str, Path])
def test_the_owners_of_a_file_are_those_of_its_boards(kind: type[str | Path]) -> None:
    boards = [str(board.layout) for board in pav.read(DEMO) if board.layout is not None]
    assert texts(pav.read_owners(kind(DEMO))) == boards
    with DEMO.open("rb") as stream:
        assert texts(pav.read_owners(stream, format="pbn")) == boards
        stream.seek(0)
        assert texts(pav.read_owners(stream)) == boards


def test_problems_are_warnings_unless_someone_takes_them(tmp_path: Path) -> None:
    path = tmp_path / "event.pbn"
    path.write_text(BROKEN)
    with pytest.warns(UserWarning, match=r"event\.pbn:4: board 2: 'X' in 'AX\.\.\.'") as caught:
        assert texts(pav.read_owners(path)) == [DEAL, OTHER]
    assert [warning.filename for warning in caught] == [__file__]
    problems: list[pav.Problem] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert texts(pav.read_owners(path, report=problems.append)) == [DEAL, OTHER]
    assert [(problem.line, problem.board) for problem in problems] == [(4, "2")]


def test_strict_reading_raises_after_what_was_read() -> None:
    chunks = pav.read_owners(io.BytesIO(BROKEN.encode()), strict=True)
    assert len(next(chunks)) == 1
    with pytest.raises(pav.ReadError, match="stream:4: board 2"):
        next(chunks)


def test_errors_are_those_of_read() -> None:
    with pytest.raises(FileNotFoundError):
        pav.read_owners("/no/such/file.pbn")
    with pytest.raises(TypeError, match="a path or a stream of bytes, not 'StringIO'"):
        pav.read_owners(io.StringIO(DEAL))  # type: ignore[arg-type]
    for wrong in ({"format": "pnb"}, {"numbering": "dael"}):
        with pytest.raises(pav.UnknownNameError, match="did you mean"):
            pav.read_owners(io.BytesIO(b"0"), **wrong)  # type: ignore[arg-type]
        with pytest.raises(pav.UnknownNameError, match="did you mean"):
            pav.write_owners([], io.BytesIO(), **{"format": "lines", **wrong})
    with pytest.raises(pav.UnknownNameError, match="utf-8"):
        pav.write_owners([], io.BytesIO(), format="pbn", encoding="utf8")


def test_an_array_a_batch_or_several(tmp_path: Path) -> None:
    owners = DEALS.sample_many(30, seed=7)
    path = tmp_path / "deals.txt"
    assert pav.write_owners(owners, path) == 30
    expected = b"".join(b"%s\n" % str(pav.Layout(row.tobytes())).encode() for row in owners)
    assert path.read_bytes() == expected
    assert pav.write_owners([owners[:9], owners[9:9], owners[9:]], path) == 30
    assert path.read_bytes() == expected
    assert pav.write_owners(pav.read_owners(path), tmp_path / "again.lines") == 30
    assert (tmp_path / "again.lines").read_bytes() == expected
    quick, slow = io.BytesIO(), io.BytesIO()
    batch = pav.BoardBatch(owners, 9, tags={"Event": "Club"}, numbers=DEALS.rank_many(owners))
    assert pav.write_owners([owners[:2], batch], quick, format="pbn") == 32
    boards = [*(pav.Board(pav.Layout(row.tobytes())) for row in owners[:2]), *batch]
    assert pav.write(boards, slow, format="pbn") == 32
    assert quick.getvalue() == slow.getvalue()
    assert b'[DealId "deal:' in quick.getvalue()


def test_numbers_are_of_the_numbering_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "endings.numbers"
    endings = pav.numbering("balanced").sample_many(5, seed=7)
    assert pav.write_owners(endings, path, numbering="balanced") == 5
    (found,) = pav.read_owners(path, numbering=pav.numbering("balanced"))
    assert np.array_equal(found, endings)


def test_a_layout_that_does_not_fit_is_an_error_and_leaves_no_file(tmp_path: Path) -> None:
    owners = DEALS.sample_many(3, seed=7)
    owners[1] = np.frombuffer(pav.Layout.from_pbn(ENDING).owners, np.uint8)
    for name in ("a.numbers", "a.deal12", "a.deal13"):
        with pytest.raises(pav.ReadError, match="13 cards in each hand"):
            pav.write_owners(owners, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


WRONG: list[tuple[Any, type[Exception], str]] = [
    (np.zeros((2, 51), np.uint8), TypeError, r"uint8\[n, 52\], not uint8\[2, 51\]"),
    (np.zeros((2, 52), np.int64), TypeError, r"uint8\[n, 52\], not int64"),
    (np.zeros(52, np.uint8), TypeError, r"uint8\[n, 52\], not uint8\[52\]"),
    ([b"x"], TypeError, "not 'bytes'"),
    (5, TypeError, "not iterable"),
    (np.full((2, 52), 5, np.uint8), pav.LayoutError, "row 0: owners are 52 bytes of 0 to 4"),
    (
        np.vstack([np.full((3, 52), 4, np.uint8), np.full((1, 52), 255, np.uint8)]),
        pav.LayoutError,
        "row 3: owners are 52 bytes",
    ),
]


@pytest.mark.parametrize(("owners", "error", "message"), WRONG)
def test_other_arrays_are_refused(owners: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        pav.write_owners(owners, io.BytesIO(), format="lines")  # type: ignore[arg-type]
    if isinstance(owners, np.ndarray):
        with pytest.raises(error, match=message):
            pav.write_owners(pav.BoardBatch(owners), io.BytesIO(), format="lines")


def test_other_numbers_are_refused() -> None:
    owners = DEALS.sample_many(3, seed=7)
    batch = pav.BoardBatch(owners, numbers=DEALS.draw(2, seed=7))
    with pytest.raises(TypeError, match="3 boards has 2 numbers"):
        pav.write_owners(batch, io.BytesIO(), format="pbn")
    wrong: Any = np.zeros((3, 2), np.int64)
    with pytest.raises(TypeError, match=r"numbers are an array uint64\[n, 2\], not int64"):
        pav.BoardBatch(owners, numbers=wrong)
