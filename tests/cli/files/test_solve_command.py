"""`pavcodec solve` and `deal --solve`: tricks and par, problems, what is kept, stopped runs."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest
from packages import needs
from solving_support import endings

import pavcodec as pav
from pavcodec import Board, Layout, TrickTable
from pavcodec.boards.batch import owners_of, tricks_of
from pavcodec.boards.par import par
from pavcodec.cli import main
from pavcodec.questions import dealing
from pavcodec.solving.many import Dds

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

needs("endplay")
ONE_CARD = "N:A... K... Q... J..."
UNEVEN = "N:A... K... Q... -"


def ending_boards(cards: int, count: int, seed: int) -> list[Board]:
    owners = endings(cards, count, seed)
    return [Board.make(Layout(row.tobytes()), number=k) for k, row in enumerate(owners, 1)]


def written(boards: list[Board], path: Path) -> Path:
    pav.write(boards, path)
    return path


@pytest.mark.slow
def test_deals_have_tricks_and_par(cli: Cli, tmp_path: Path) -> None:
    deals, out = tmp_path / "deals.pbn", tmp_path / "solved.pbn"
    pav.write((Board.make(d, number=k) for k, d in enumerate(pav.numbering("deal")[:2], 1)), deals)
    outcome = cli("solve", deals, "--par", "-o", out)
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err.startswith("2 boards solved, ")
    solved = list(pav.read(out))
    tricks = pav.solve_many(owners_of(board.layout for board in solved if board.layout))
    assert [board.tricks for board in solved] == [TrickTable(row.tobytes()) for row in tricks]
    for board in solved:
        assert board.tricks is not None
        assert board.dealer is not None
        assert board.vulnerable is not None
        found = par(board.tricks, board.dealer, board.vulnerable)
        side, score = board.tags["OptimumScore"].split()
        assert int(score) * (1 if side == "NS" else -1) == found.score
        assert board.tags["ParContract"] == "; ".join(map(str, found.contracts))
    assert sorted(os.listdir(tmp_path)) == ["deals.pbn", "solved.pbn"]
    for name in ("solved.zrd", "solved.jsonl", "solved.pav"):
        again = cli("solve", out, "-o", tmp_path / name, "--json")
        row = json.loads(again.out)
        assert (row["boards"], row["kept"], row["solved"], row["problems"]) == (2, 2, 0, 0)
        found_tricks = [board.tricks for board in pav.read(tmp_path / name)]
        assert found_tricks == [board.tricks for board in solved]


def test_boards_that_cannot_be_solved_are_problems(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text(f"{ONE_CARD}\n{UNEVEN}\n{ONE_CARD}\n")
    outcome = cli("solve", path, "-o", tmp_path / "x.jsonl")
    assert outcome.code == 1
    expected = "double dummy needs four hands of the same size, not 1, 1, 1, 0 cards"
    assert outcome.err.splitlines()[0] == f"{path}:2: {expected}"
    assert outcome.err.splitlines()[1].endswith("; 1 equal to others up to symmetry")
    found = [board.tricks for board in pav.read(tmp_path / "x.jsonl")]
    assert [tricks is None for tricks in found] == [False, True, False]
    strict = cli("solve", path, "--strict", "-o", tmp_path / "y.jsonl")
    assert strict.code == 1
    assert not (tmp_path / "y.jsonl").exists()


def test_some_contracts(cli: Cli, tmp_path: Path) -> None:
    boards = written(ending_boards(2, 5, seed=4), tmp_path / "some.pbn")
    outcome = cli("solve", boards, "--contracts", "3NT by S, H", "-o", tmp_path / "part.pbn")
    assert outcome.code == 0
    for board in pav.read(tmp_path / "part.pbn"):
        rows = board.sections["OptimumResultTable"]
        assert [row[:4] for row in rows] == ["N  H", "S NT", "S  H", "E  H", "W  H"]
    whole = cli("solve", tmp_path / "part.pbn", "-o", tmp_path / "whole.pbn")
    assert whole.code == 0
    cli("solve", boards, "-o", tmp_path / "direct.pbn")
    assert (tmp_path / "whole.pbn").read_bytes() == (tmp_path / "direct.pbn").read_bytes()


def test_tricks_in_the_input_are_kept_or_compared(cli: Cli, tmp_path: Path) -> None:
    board = ending_boards(1, 1, seed=1)[0].with_tricks(TrickTable(bytes([9] * 20)))
    path, out = written([board], tmp_path / "a.pbn"), tmp_path / "b.pbn"
    assert cli("solve", path, "-o", out).err == "1 board with tricks already\n"
    assert [each.tricks for each in pav.read(out)] == [board.tricks]
    outcome = cli("solve", path, "--again", "-o", out, "--force")
    assert outcome.err.endswith("; 1 with other tricks before\n")
    assert [each.tricks for each in pav.read(out)] != [board.tricks]


def test_a_solved_file_answers_instead_of_the_solver(cli: Cli, tmp_path: Path) -> None:
    plain = written([Board(deal) for deal in pav.numbering("deal")[:3]], tmp_path / "a.pbn")
    wrong = [each.with_tricks(TrickTable(bytes([1] * 20))) for each in pav.read(plain)]
    solved = written(wrong, tmp_path / "b.pbn")
    try:
        outcome = cli("solve", plain, "--solved", solved, "-o", tmp_path / "c.pbn")
        assert (outcome.code, outcome.err) == (0, "3 boards found in a solved file\n")
    finally:
        pav.forget_solved()
    assert [each.tricks for each in pav.read(tmp_path / "c.pbn")] == [b.tricks for b in wrong]


def test_the_journal_of_another_run_is_not_used(cli: Cli, tmp_path: Path) -> None:
    out, journal = tmp_path / "x.pbn", tmp_path / "x.pbn.solving"
    first = written(ending_boards(1, 3, seed=1), tmp_path / "a.pbn")
    other = written(ending_boards(1, 3, seed=2), tmp_path / "b.pbn")
    stopped(first, out)
    outcome = cli("solve", other, "-o", out)
    assert outcome.code == 1
    assert "has the tricks of another run, with other boards or options" in outcome.err
    assert (journal.exists(), out.exists()) == (True, False)
    outcome = cli("solve", first, "-o", out)
    assert "3 boards solved by an earlier run" in outcome.err
    assert (journal.exists(), out.exists()) == (False, True)
    stopped(first, out)
    assert cli("solve", other, "-o", out, "--force").code == 0
    assert not journal.exists()


def stopped(source: Path, out: Path) -> None:
    """Leave the journal of a run that was stopped before its output was complete."""
    from pavcodec.solving.journal import ChunkSolver, Journal

    journal = Journal(f"{out}.solving")
    list(ChunkSolver(journal=journal).boards(pav.read(source), print))
    journal.close()


def test_a_screen_shows_tricks_and_par(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "one.pbn"
    deal = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
    path.write_text(f'[Board "1"]\n[Deal "{deal}"]\n')
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["solve", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Board 1"
    assert "N       13  13  12  12  12" in lines
    assert [line for line in lines if line.startswith("par")] == ["par     NS 1520: NS 7N="]


ENDINGS = ("deal", "--cards", "3", "--seed", "7", "--solve")


@pytest.mark.slow
def test_pbn_is_the_default_and_has_the_tricks(cli: Cli) -> None:
    outcome = cli(*ENDINGS, "-n", "3")
    assert outcome.code == 0
    boards = list(pav.read(io.BytesIO(outcome.out.encode())))
    owners = owners_of(board.layout for board in boards if board.layout is not None)
    assert (tricks_of(boards) == pav.solve_many(owners)).all()
    plain = list(pav.read(io.BytesIO(cli(*ENDINGS[:-1], "-n", "3", "--to", "pbn").out.encode())))
    assert [board.tags["DealId"] for board in boards] == [b.tags["DealId"] for b in plain]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["x.pbn", "x.jsonl", "x.parquet", "x.pav"])
def test_batches_are_written_as_boards(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    words = ("--contracts", "NT by S") if name == "x.pbn" else ()
    one, other = tmp_path / name, tmp_path / f"batches-{name}"
    assert cli(*ENDINGS, *words, "-n", "30", "-o", one).code == 0
    monkeypatch.setattr(dealing, "FEW", 1)
    assert cli(*ENDINGS, *words, "-n", "30", "-o", other).code == 0
    boards = list(pav.read(one))
    assert boards == list(pav.read(other))
    assert all(words or board.tricks for board in boards)
    if name != "x.parquet":
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_a_file_of_deals_with_tricks(cli: Cli, tmp_path: Path) -> None:
    assert cli("deal", "--seed", "7", "--solve", "-n", "1", "-o", tmp_path / "x.zrd").code == 0
    cli("solve", *("-o", tmp_path / "y.zrd"), stdin=cli("deal", "--seed", "7").out)
    assert (tmp_path / "y.zrd").read_bytes() == (tmp_path / "x.zrd").read_bytes()


def test_json_has_the_tricks(cli: Cli) -> None:
    rows = [json.loads(line) for line in cli(*ENDINGS, "-n", "2", "--json").lines]
    plain = [json.loads(line) for line in cli(*ENDINGS[:-1], "-n", "2", "--json").lines]
    for row, other in zip(rows, plain, strict=True):
        tricks = row.pop("tricks")
        assert row == other
        assert {seat: list(each) for seat, each in tricks.items()} == {
            seat: ["NT", "S", "H", "D", "C"] for seat in "NESW"
        }
    some = cli(*ENDINGS, "-n", "1", "--json", "--contracts", "3NT by S").lines
    assert list(json.loads(some[0])["tricks"]) == ["S"]


@pytest.mark.slow
def test_a_stopped_run_continues(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The third chunk meets Ctrl-C; the same command with the same seed gives the same bytes."""
    out, whole, solve, calls = tmp_path / "x.pbn", tmp_path / "whole.pbn", Dds.strains, []
    words = (*ENDINGS, "-n", "450", "--contracts", "NT")
    assert cli(*words, "-o", whole).code == 0

    def stopping(self: Dds, *given: Any) -> Any:
        calls.append(given)
        if len(calls) > 2:
            raise KeyboardInterrupt
        return solve(self, *given)

    monkeypatch.setattr(Dds, "strains", stopping)
    outcome = cli(*words, "-o", out)
    assert outcome.code == 130
    assert f"stopped: {out}.solving has the tricks so far; the same run continues" in outcome.err
    assert not out.exists()
    monkeypatch.setattr(Dds, "strains", solve)
    outcome = cli(*words, "-o", out)
    assert "400 solved by an earlier run" in outcome.err
    assert out.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["whole.pbn", "x.pbn"]
