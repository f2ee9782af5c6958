"""`pavcodec.read` and `pavcodec.write`, as programs call them."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import pytest
from formats_support import DEAL, DEMO, ENDING, FOULED, NUMBER, OTHER

import pavcodec as pav

BROKEN = (
    f'[Board "1"]\n[Deal "{DEAL}"]\n\n[Board "2"]\n[Deal "N:AX... - - -"]\n\n[Deal "{OTHER}"]\n'
)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A file with one bad deal of three."""
    path = tmp_path / "event.pbn"
    path.write_text(BROKEN)
    return path


def test_the_example_of_the_design() -> None:
    boards = list(pav.read(DEMO))
    assert len(boards) == 36
    for board in boards:
        assert board.layout is not None
        assert board.number is not None
        assert board.tags["Dealer"] == (board.dealer.letter if board.dealer is not None else "")
        assert board.vulnerable is pav.Vulnerability.of_board(board.number)
        if "DealId" in board.tags:
            assert board.tags["DealId"] == f"deal:{pav.numbering('deal').rank(board.layout)}"


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_may_be_a_text_or_a_path(kind: type[str | Path]) -> None:
    assert len(list(pav.read(kind(DEMO)))) == 36


def test_problems_are_warnings_unless_someone_takes_them(broken: Path) -> None:
    with pytest.warns(UserWarning, match=r"event\.pbn:5: board 2: 'X' in 'AX\.\.\.'") as caught:
        boards = list(pav.read(broken))
    assert len(caught) == 1
    assert [board.layout is not None for board in boards] == [True, False, True]


def test_report_takes_the_problems(broken: Path) -> None:
    problems: list[pav.Problem] = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        boards = list(pav.read(broken, report=problems.append))
    assert len(boards) == 3
    assert [(p.source, p.line, p.board) for p in problems] == [(str(broken), 5, "2")]


def test_strict_reading_raises(broken: Path) -> None:
    boards = pav.read(broken, strict=True)
    assert next(boards).number == 1
    with pytest.raises(pav.ReadError, match=r"event\.pbn:5: board 2"):
        next(boards)
    with pytest.raises(pav.PavError):
        list(pav.read(io.BytesIO(f'[Deal "{DEAL.lower()}"]'.encode()), format="pbn", strict=True))


def test_a_missing_file_is_an_error_at_once() -> None:
    with pytest.raises(FileNotFoundError):
        pav.read("/no/such/file.pbn")


def test_unknown_names_are_errors() -> None:
    for wrong in ({"format": "pnb"}, {"numbering": "dael"}):
        with pytest.raises(pav.UnknownNameError, match="did you mean"):
            list(pav.read(io.BytesIO(b"0"), **wrong))  # type: ignore[arg-type]
        with pytest.raises(pav.UnknownNameError, match="did you mean"):
            pav.write([], io.BytesIO(), **{"format": "lines", **wrong})  # type: ignore[arg-type]


def test_writing_to_a_stream_needs_a_format_and_to_a_file_a_suffix(tmp_path: Path) -> None:
    with pytest.raises(pav.PavError, match="does not show its format"):
        pav.write([], io.BytesIO())
    with pytest.raises(pav.PavError, match="does not show its format"):
        pav.write([], tmp_path / "x.xyz")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", pav.numbering_names())
def test_numbers_are_those_of_the_numbering(tmp_path: Path, name: str) -> None:
    ranks = pav.numbering(name)
    layouts = [ranks[0], ranks[1], ranks[ranks.cardinality // 3], ranks[-1]]
    path = tmp_path / "x.numbers"
    pav.write(map(pav.Board, layouts), path, numbering=name)
    assert [int(line) for line in path.read_text().split()] == [ranks.rank(one) for one in layouts]
    assert [board.layout for board in pav.read(path, numbering=name)] == layouts
    assert [board.layout for board in pav.read(path, numbering=ranks)] == layouts
    pav.write(map(pav.Board, layouts), path, numbering=ranks.one_based())
    assert [board.layout for board in pav.read(path, numbering=ranks.one_based())] == layouts


@pytest.mark.parametrize("name", ["x.pbn", "x.txt", "x.lines", "x.numbers"])
def test_every_format_keeps_the_cards(tmp_path: Path, name: str) -> None:
    boards = list(pav.read(DEMO))
    path = tmp_path / name
    pav.write(boards, path, numbering="base5")
    again = list(pav.read(path, numbering="base5"))
    assert [board.layout for board in again] == [board.layout for board in boards]
    if name == "x.pbn":
        assert [dict(board.tags) for board in again] == [dict(board.tags) for board in boards]


def test_what_cannot_be_written_as_a_number_raises() -> None:
    with pytest.raises(pav.ReadError, match="holds 3"):
        pav.write([pav.Board(pav.Layout.from_pbn(ENDING))], io.BytesIO(), format="numbers")


def test_a_fouled_board_goes_through_lines_and_base5_numbers() -> None:
    board = pav.Board(pav.Layout.from_pbn(FOULED))
    for name in ("lines", "numbers"):
        stream = io.BytesIO()
        pav.write([board], stream, format=name, numbering="base5")
        stream.seek(0)
        assert list(pav.read(stream, format=name, numbering="base5", strict=True)) == [board]


def test_reading_is_lazy_and_can_stop() -> None:
    text = f'[Deal "{DEAL}"]\n\n' * 3
    stream = io.BytesIO(text.encode())
    boards = pav.read(stream)
    assert next(boards).layout == pav.Deal.from_pbn(DEAL)
    boards.close()  # type: ignore[attr-defined]
    first = next(iter(pav.read(io.BytesIO(f"{NUMBER}\n{NUMBER + 1}\n".encode()))))
    assert pav.numbering("deal").rank(first.layout or pav.Layout.from_pbn(ENDING)) == NUMBER


def test_what_read_and_write_take_is_checked_at_once(tmp_path: Path) -> None:
    for source in (b"N:- - - -", io.StringIO("N:- - - -"), None):
        with pytest.raises(TypeError, match="from a path or a stream of bytes, not"):
            pav.read(source)  # type: ignore[arg-type]  # what a caller may do wrong
    with pytest.raises(pav.UnknownNameError, match="no format is called 'zzz'"):
        pav.read(io.BytesIO(), format="zzz")
    with pytest.raises(pav.UnknownNameError, match="no encoding is called 'utf-16'"):
        pav.write([], tmp_path / "out.pbn", encoding="utf-16")
    assert list(tmp_path.iterdir()) == []


def test_a_layout_is_written_like_a_board_without_tags() -> None:
    stream = io.BytesIO()
    pav.write([pav.numbering("deal")[0]], stream, format="numbers")
    assert stream.getvalue() == b"0\n"


def test_what_is_written_otherwise_is_a_warning() -> None:
    board = pav.Board.make(pav.numbering("deal")[0], number=1, tags={"Event": "Club, Monday"})
    stream = io.BytesIO()
    with pytest.warns(UserWarning, match="no comma in the tag Event: each is"):
        assert pav.write([board, board], stream, format="lin") == 2
    assert stream.getvalue().startswith(b"vg|Club; Monday,")
