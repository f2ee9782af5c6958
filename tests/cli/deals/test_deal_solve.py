"""`pavcodec deal --solve`: deals with their tricks, in boards, batches and JSON; stopped runs."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from packages import needs

import pavcodec as pav
from pavcodec.boards.batch import owners_of, tricks_of
from pavcodec.questions import dealing
from pavcodec.solving.many import Dds

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

needs("endplay")
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
