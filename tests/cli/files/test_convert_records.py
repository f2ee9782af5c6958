"""`pavcodec convert` to files of records and back."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, DEMO, ENDING, FOULED, OTHER, Cli, loss, read_text, write_bytes
from records_support import BOARD_SIZES, by_hand

from pavcodec import Board, Deal, SolvedDeal, TrickTable, numbering
from pavcodec.formats import format_of

if TYPE_CHECKING:
    from pathlib import Path

TABLE = TrickTable(bytes([0, 10, 5, 6, 1, 11, 6, 5, 2, 12, 7, 4, 3, 13, 8, 3, 4, 7, 9, 2]))


def sum_by_hand(data: bytes) -> str:
    """The checksum of bytes as it is printed."""
    whole = data + bytes(-len(data) % 4)
    return f"{sum(int(word) for (word,) in struct.iter_unpack('<I', whole)) % 2**64:X}"


def told(name: str, data: bytes) -> str:
    """What `convert` prints of a file that it wrote."""
    return f"{name}: {len(data):,} bytes, checksum {sum_by_hand(data)}\n"


RULES = "number, dealer, vulnerability"
SOLVED = [
    Board.make(Deal.from_pbn(DEAL), number=1, tricks=TABLE, tags={"Event": "Club"}),
    Board.make(Deal.from_pbn(OTHER), number=2, tricks=TrickTable(bytes([7] * 20))),
]
SOLVED_RAW = b"".join(
    by_hand("zrd", SolvedDeal(Deal.from_pbn(text), table))
    for text, table in ((DEAL, TABLE), (OTHER, TrickTable(bytes([7] * 20))))
)


def test_pbn_to_zrd_to_pbn_keeps_the_tricks(cli: Cli, tmp_path: Path) -> None:
    event, solved, back, again = (
        tmp_path / name for name in ("event.pbn", "a.zrd", "back.pbn", "b.zrd")
    )
    event.write_bytes(write_bytes(SOLVED))
    assert cli("convert", "--force", event, solved) == (
        0,
        told("zrd", SOLVED_RAW),
        loss("zrd", 2, f"{RULES} and the tag Event"),
    )
    assert solved.read_bytes() == SOLVED_RAW
    assert cli("convert", "--force", solved, back) == (0, "", "")
    boards = read_text(back.read_bytes()).boards
    assert [(b.layout, b.tricks) for b in boards] == [(b.layout, b.tricks) for b in SOLVED]
    assert cli("convert", "--force", back, again).code == 0
    assert again.read_bytes() == SOLVED_RAW
    tricks = tmp_path / "a.zdd"
    assert cli("convert", "--force", solved, tricks).out == told(
        "zdd", SOLVED_RAW[13:23] + SOLVED_RAW[36:]
    )
    assert tricks.read_bytes() == SOLVED_RAW[13:23] + SOLVED_RAW[36:]
    assert cli("convert", "--force", tricks, back) == (0, "", "")
    assert [b.tricks for b in read_text(back.read_bytes()).boards] == [b.tricks for b in SOLVED]
    deals = tmp_path / "a.deal13"
    assert cli("convert", "--force", solved, deals).code == 0
    assert cli("convert", "--force", "--to", "lines", deals, "-").out == f"{DEAL}\n{OTHER}\n"


@pytest.mark.parametrize("name", list(BOARD_SIZES))
def test_records_go_through_standard_input_and_output(cli: Cli, tmp_path: Path, name: str) -> None:
    (tmp_path / "event.pbn").write_bytes(write_bytes(SOLVED))
    out = cli("convert", "--to", name, tmp_path / "event.pbn", "-")
    assert out.code == 0
    assert len(out.data) == 2 * BOARD_SIZES[name]
    lost = f"{RULES}, double-dummy tricks and the tag Event"
    if name in ("zrd", "gib-library"):
        lost = f"{RULES} and the tag Event"
    elif name == "zdd":
        lost = f"cards, {RULES} and the tag Event"
    assert out.err == loss(name, 2, lost) + told(name, out.data)
    back = cli("convert", "--from", name, "--to", "pbn", "-", "-", stdin=out.data)
    assert (back.code, back.err) == (0, "")
    boards = read_text(back.data).boards
    if name != "zdd":
        assert [board.layout for board in boards] == [board.layout for board in SOLVED]
    if name in ("zrd", "zdd"):
        assert [board.tricks for board in boards] == [board.tricks for board in SOLVED]
    again = cli("convert", "--from", "pbn", "--to", name, "-", "-", stdin=back.out)
    assert again == (0, out.out, told(name, out.data))  # which loses nothing


def test_boards_that_do_not_fit_are_told_with_their_numbers(cli: Cli, tmp_path: Path) -> None:
    for name in ("deal12", "deal13", "balanced14"):
        out = tmp_path / f"a.{name}"
        outcome = cli("convert", DEMO, out)
        ranks = numbering("balanced" if name == "balanced14" else "deal")
        boards = read_text(DEMO.read_bytes()).boards
        bad = [board for board in boards if board.layout not in ranks]
        assert outcome.code == (1 if bad else 0)
        *complaints, last = outcome.err.splitlines()
        lost = f"{RULES} and the tags Event, Date, Scoring, DealId and Description"
        assert last == loss(name, 36, lost).rstrip()
        assert [line.split(": ")[:2] for line in complaints] == [
            [f"{DEMO}:{board.line}", f"board {board.number}"] for board in bad
        ]
        assert outcome.out == told(name, out.read_bytes())
        assert len(out.read_bytes()) == BOARD_SIZES[name] * (36 - len(bad))


def test_json_tells_bytes_and_checksum(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(f"{DEAL}\n{ENDING}\n{FOULED}\n")
    outcome = cli("convert", "--json", tmp_path / "in.txt", tmp_path / "a.zbs")
    data = (tmp_path / "a.zbs").read_bytes()
    assert json.loads(outcome.out) == {
        "boards": 3,
        "left_out": 0,
        "problems": 0,
        "format": "zbs",
        "keeps": format_of("zbs").keeps,
        "loses": format_of("zbs").loses,
        "lost": [],
        "bytes": 48,
        "checksum": sum_by_hand(data),
    }
    assert outcome.err == ""
    outcome = cli("convert", "--json", tmp_path / "in.txt", tmp_path / "a.deal12")
    summary = json.loads(outcome.out)
    assert (outcome.code, summary["boards"], summary["problems"], summary["bytes"]) == (1, 3, 2, 12)


def test_boards_without_cards_are_left_out_and_told(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.pbn").write_text(f'[Board "1"]\n\n[Deal "{DEAL}"]\n\n[Board "3"]\n')
    outcome = cli("convert", tmp_path / "in.pbn", tmp_path / "a.deal13")
    assert outcome.code == 0
    assert outcome.complaint.startswith("2 boards without cards left out: deal13 keeps")
    outcome = cli("convert", tmp_path / "in.pbn", tmp_path / "a.layout20")
    assert (outcome.code, (tmp_path / "a.layout20").stat().st_size) == (0, 20)


def test_tricks_without_cards_are_not_left_out_of_zdd(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.pbn").write_bytes(write_bytes([Board.make(None, number=1, tricks=TABLE)]))
    outcome = cli("convert", tmp_path / "in.pbn", tmp_path / "a.zdd")
    assert outcome == (
        0,
        told("zdd", by_hand("zdd", TABLE)),
        loss("zdd", 1, "number, dealer and vulnerability"),
    )
    outcome = cli("convert", tmp_path / "in.pbn", tmp_path / "a.zrd")
    assert (outcome.code, (tmp_path / "a.zrd").read_bytes()) == (0, b"")
    assert outcome.complaint.startswith("1 board without cards left out")


def test_an_empty_file_becomes_an_empty_file_of_records(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("")
    for name in ("zbs", "zrd", "deal12"):
        outcome = cli("convert", tmp_path / "in.txt", tmp_path / f"a.{name}")
        assert outcome == (0, f"{name}: 0 bytes, checksum 0\n", "no boards\n")
        assert (tmp_path / f"a.{name}").read_bytes() == b""
