"""`pavcodec info` for a director: numbers, rules, results and duplicates of a session."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pavcodec as pav
from pavcodec.boards import Vulnerability
from pavcodec.cards import Seat
from pavcodec.questions import info

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from formats_support import Cli

DEALS = pav.numbering("deal").sample(30, seed=1)


def facts(cli: Cli, boards: list[pav.Board], path: Path) -> tuple[dict[str, str], dict[str, Any]]:
    """The lines of the text by their heads, and the object of the JSON."""
    pav.write(boards, path)
    text, told = cli("info", path), cli("info", "--json", path)
    assert (text.code, text.err) == (0, "")
    (row,) = json.loads(told.out)
    lines: dict[str, str] = {}
    for line in text.lines:
        head = line[:21].strip()
        lines[head or list(lines)[-1]] = (lines[list(lines)[-1]] + " " if not head else "") + line[
            21:
        ]
    return lines, row


def made(numbers: list[int], **more: object) -> list[pav.Board]:
    return [pav.Board.make(DEALS[k], number=k, **more) for k in numbers]  # type: ignore[arg-type]


def test_a_plain_session(cli: Cli, tmp_path: Path) -> None:
    tags = {"Event": "Tuesday", "Date": "2026.11.24", "Generator": "a program"}
    boards = [board.with_tags(tags) for board in made(list(range(1, 25)))]
    lines, row = facts(cli, boards, tmp_path / "a.pbn")
    assert list(lines)[:9] == [
        "file", "format", "what", "event", "date", "boards", "numbers", "dealer", "vulnerability",
    ]  # fmt: skip
    assert (lines["event"], lines["date"], lines["creator"]) == (
        "Tuesday",
        "2026.11.24",
        "a program",
    )
    assert (lines["boards"], lines["numbers"]) == ("24", "1-24")
    assert lines["dealer"] == lines["vulnerability"] == "as the numbers say"
    assert lines["in no board"].startswith("auctions, plays, contracts, results")
    assert (lines["duplicates"], lines["problems"]) == ("none", "none")
    assert row["session"]["numbers"] == "1-24"


def test_what_is_wrong_with_a_session(cli: Cli, tmp_path: Path) -> None:
    boards = made([1, 2, 3, 5, 6])
    boards += [pav.Board.make(DEALS[9], number=3)]
    boards += [pav.Board.make(DEALS[8], number=8, dealer=Seat.NORTH)]
    boards += [pav.Board.make(DEALS[10], number=9, vulnerable=Vulnerability.ALL)]
    boards += [pav.Board.make(DEALS[1], number=10)]
    turned = pav.Deal(bytes((owner + 1) % 4 for owner in DEALS[2].owners))
    boards += [pav.Board.make(turned, number=11), pav.Board.make(DEALS[12])]
    lines, row = facts(cli, boards, tmp_path / "a.pbn")
    assert lines["numbers"] == (
        "1-3, 5-6, 8-11; missing 4, 7; up to 2 rows a number; several deals under 3; 1 without a "
        "number"
    )
    assert lines["dealer"].endswith("not as the number says: 8")
    assert lines["vulnerability"].endswith("not as the number says: 9")
    assert lines["duplicates"] == "1 = 10; 2 = 11 (turned)"
    assert row["session"]["duplicates"] == [["1", "10"], ["2", "11", "turned"]]


def test_results_of_several_tables_are_no_duplicates(cli: Cli, tmp_path: Path) -> None:
    tags = {"Contract": "4S", "Result": "10", "Declarer": "N"}
    boards = [board.with_tags(tags) for board in made([1, 2, 3] * 4)]
    lines, _ = facts(cli, boards, tmp_path / "a.pbn")
    assert lines["numbers"] == "1-3; up to 4 rows a number"
    assert (lines["contracts"], lines["results"]) == ("12", "12")
    assert lines["duplicates"] == "none"


def test_repeated_deals_of_a_file_of_cards(cli: Cli, tmp_path: Path) -> None:
    deals = [pav.Board(DEALS[1]), pav.Board(DEALS[2]), pav.Board(DEALS[1])]
    lines, row = facts(cli, deals, tmp_path / "a.lines")
    assert lines["repeated deals"] == "1"
    assert row["repeated_deals"] == 1
    assert "session" not in row


def test_a_session_from_a_pipe_or_a_compressed_file(cli: Cli, tmp_path: Path) -> None:
    pav.write(made([1, 2, 3]), tmp_path / "a.pbn")
    data = (tmp_path / "a.pbn").read_bytes()
    (tmp_path / "a.pbn.gz").write_bytes(gzip.compress(data))
    for words, stdin in (((), data), ((tmp_path / "a.pbn.gz",), b"")):
        (row,) = json.loads(cli("info", "--json", *words, stdin=stdin).out)
        assert row["session"]["numbers"] == "1-3"


def test_a_large_file_is_counted_without_its_session(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pav.write(made([1, 2, 3]), tmp_path / "a.pbn")
    monkeypatch.setattr(info, "_OF_SESSION", 100)
    monkeypatch.setattr(info, "LARGE", 100)
    (row,) = json.loads(cli("info", "--json", tmp_path / "a.pbn").out)
    assert "session" not in row
    assert (row["boards"], row["deals"]) == (3, 3)


def test_boards_that_lack_cards_among_deals(cli: Cli, tmp_path: Path) -> None:
    owners = bytearray(DEALS[3].owners)
    owners[0] = 4
    short = pav.Board.make(pav.Layout(bytes(owners)), number=3)
    lines, row = facts(cli, [*made([1, 2]), short], tmp_path / "a.pbn")
    assert lines["incomplete"] == "not 13 cards in each hand: 3"
    assert row["session"]["incomplete"] == ["3"]
    lines, _ = facts(cli, [short, *made([4])], tmp_path / "b.pbn")
    assert "incomplete" not in lines
