"""`pavcodec info`: what is in a file, its checksum, and a session for a director."""

from __future__ import annotations

import json
import struct
from math import factorial, log2
from typing import TYPE_CHECKING, Any

import pytest
from formats_support import (
    DEAL,
    DEMO,
    ENDING,
    FOULED,
    OTHER,
    Cli,
    write_format,
)
from records_support import BOARD_SIZES, LIMITS, by_hand

import pavcodec as pav
from pavcodec import Board, Case, Deal, TrickTable, record, write_archive
from pavcodec.formats import format_of
from pavcodec.questions import info

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli


BOARD_KEYS = [
    "file", "format", "what", "boards", "deals", "endings", "fouled", "suits", "without_cards",
    "with_tricks",
    "bound_bits_per_deal", "bytes", "bits_per_deal", "checksum", "problems",
]  # fmt: skip
TABLE = TrickTable(bytes([7] * 20))
SOLVED = [
    Board.make(Deal.from_pbn(DEAL), number=1, tricks=TABLE),
    Board.make(Deal.from_pbn(OTHER), number=2, tricks=TABLE),
]
DEALS = factorial(52) // factorial(13) ** 4


def sum_by_hand(data: bytes) -> str:
    """The checksum of bytes as it is printed."""
    whole = data + bytes(-len(data) % 4)
    return f"{sum(int(word) for (word,) in struct.iter_unpack('<I', whole)) % 2**64:X}"


@pytest.mark.parametrize("name", list(BOARD_SIZES))
def test_a_file_of_records_is_told_in_json(cli: Cli, tmp_path: Path, name: str) -> None:
    path = tmp_path / f"a.{name}"
    path.write_bytes(write_format(name, SOLVED).data)
    outcome = cli("info", "--json", path)
    (facts,) = json.loads(outcome.out)
    cards, tricks = name != "zdd", name in ("zrd", "zdd", "gib-library")
    assert list(facts) == [key for key in BOARD_KEYS if cards or key != "bound_bits_per_deal"]
    assert facts == {
        "file": str(path),
        "format": name,
        "what": format_of(name).summary,
        "boards": 2,
        "deals": 2 * cards,
        "endings": 0,
        "fouled": 0,
        "suits": 0,
        "without_cards": 2 * (not cards),
        "with_tricks": 2 * tricks,
        **({"bound_bits_per_deal": round(log2(DEALS), 3)} if cards else {}),
        "bytes": 2 * BOARD_SIZES[name],
        "bits_per_deal": 8.0 * BOARD_SIZES[name],
        "checksum": sum_by_hand(path.read_bytes()),
        "problems": 0,
    }
    assert (outcome.code, outcome.err) == (0, "")


def test_solved_boards_of_archives_are_counted(cli: Cli, tmp_path: Path) -> None:
    boards = [*SOLVED, Board(Deal.from_pbn(DEAL))]
    for name, items, solved in (("a", boards, 2), ("b", boards[2:], 0)):
        path = tmp_path / f"{name}.pav"
        write_archive(items, path, tricks=True)
        (facts,) = json.loads(cli("info", "--json", path).out)
        assert (facts["boards"], facts["solved_boards"]) == (len(items), solved)
        assert f"solved boards        {solved}" in cli("info", path).out
    write_archive(boards, tmp_path / "c.pav")
    assert "solved boards" not in cli("info", tmp_path / "c.pav").out


ENDINGS = LIMITS["ending15"]
BALANCED = sum(factorial(52) // factorial(j) ** 4 // factorial(52 - 4 * j) for j in range(1, 14))


@pytest.mark.parametrize(
    ("texts", "kinds", "bound"),
    [
        ([DEAL, OTHER], (2, 0, 0), DEALS),
        ([DEAL, "N:A... K... Q... J..."], (1, 1, 0), BALANCED),
        (["N:A... K... Q... J..."], (0, 1, 0), BALANCED),
        ([DEAL, ENDING], (1, 1, 0), ENDINGS),
        (["N:- - - -"], (0, 1, 0), ENDINGS),
        ([DEAL, ENDING, FOULED], (1, 1, 1), 5**52),
        ([FOULED, DEAL], (1, 0, 1), 5**52),
        ([FOULED], (0, 0, 1), 5**52),
    ],
)
def test_the_bound_is_that_of_the_smallest_numbering_that_holds_all(
    cli: Cli, texts: list[str], kinds: tuple[int, int, int], bound: int
) -> None:
    (facts,) = json.loads(cli("info", "--json", "-", stdin="\n".join(texts)).out)
    assert (facts["deals"], facts["endings"], facts["fouled"]) == kinds
    assert facts["boards"] == len(texts)
    assert facts["bound_bits_per_deal"] == pytest.approx(log2(bound), abs=0.001)


CASES = [Case(total, total % 560, None, 1 << total % 16) for total in range(100)]


def test_records_that_are_no_boards_are_counted(cli: Cli, tmp_path: Path) -> None:
    listing, words = (
        b"".join(by_hand("case16", case) for case in CASES),
        write_format("zbs", SOLVED),
    )
    for name, data, suffix in (
        ("case16", listing, "CASE16"),
        ("zbs-word", words.data, "zbs-word"),
        ("zbs-diagram", words.data, "bin"),
    ):
        path = tmp_path / f"a.{suffix}"
        path.write_bytes(data)
        named = ["--from", name] if suffix == "bin" else []
        outcome = cli("info", "--json", *named, path)
        assert (outcome.code, outcome.err) == (0, "")
        assert json.loads(outcome.out) == [{
            "file": str(path),
            "format": name,
            "what": f"{record(name).summary}: {record(name).size} bytes each",
            "records": len(data) // record(name).size,
            "bytes": len(data),
            "checksum": sum_by_hand(data),
            "problems": 0,
        }]  # fmt: skip


def test_a_listing_of_cases_with_bad_rows(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.case16"
    rows = [by_hand("case16", case) for case in CASES[:3]]
    path.write_bytes(rows[0] + b"\xff" * 16 + rows[1] + rows[2][:9])
    outcome = cli("info", "--json", path)
    (facts,) = json.loads(outcome.out)
    assert (outcome.code, facts["records"], facts["problems"], facts["bytes"]) == (1, 2, 2, 57)
    assert outcome.err.splitlines() == [
        f"{path}: case16 record 1 at byte 16: bits 125 to 127 must be 0",
        f"{path}: case16 record 3 at byte 48: the file ends after 9 of 16 bytes",
    ]
    outcome = cli("info", "--strict", path)
    assert (outcome.code, outcome.out) == (1, "")
    assert "case16 record 1 at byte 16" in outcome.complaint


@pytest.mark.slow
def test_a_checksum_is_compared(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.deal13"
    for data in (write_format("deal13", SOLVED).data, b"", b"\xff" * 100_001, DEMO.read_bytes()):
        path.write_bytes(data)
        right = sum_by_hand(data)
        for shape in (right, right.lower(), f"0x{right}", f"000{right}"):
            told = cli("info", "--checksum", shape, path)
            assert f"the checksum is {right}, not " not in told.err
        wrong = f"{int(right, 16) + 1:X}"
        outcome = cli("info", "--checksum", wrong, path)
        assert outcome.code == 1
        assert f"{path}: the checksum is {right}, not {wrong}" in outcome.err.splitlines()
        assert f"checksum             {right}" in outcome.lines


def test_several_files_are_told_in_turn(cli: Cli, tmp_path: Path) -> None:
    first, second = tmp_path / "a.zrd", tmp_path / "b.case16"
    first.write_bytes(write_format("zrd", SOLVED).data)
    second.write_bytes(by_hand("case16", CASES[0]))
    outcome = cli("info", first, second, "-", stdin=DEAL)
    blocks = [block.splitlines() for block in outcome.out.split("\n\n")]
    assert [block[0].split()[-1] for block in blocks] == [str(first), str(second), "stdin"]
    assert [block[1].split()[-1] for block in blocks] == ["zrd", "case16", "lines"]
    facts = json.loads(cli("info", "--json", first, second).out)
    assert [row["file"] for row in facts] == [str(first), str(second)]


def test_suits_alone_and_problems_are_counted(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.zbs"
    path.write_bytes(bytes.fromhex("daf0ba48" + "00000080" * 3 + "00000000" + "00000080"))
    outcome = cli("info", "--json", path)
    (facts,) = json.loads(outcome.out)
    assert outcome.code == 1
    kinds = ("boards", "deals", "endings", "suits", "problems")
    assert [facts[kind] for kind in kinds] == [2, 0, 1, 1, 1]
    assert "bound_bits_per_deal" not in facts
    assert outcome.complaint == (
        f"{path}: zbs-word record 5 at byte 20: a diagram has 4 words, not 1: no more follow"
    )


PLAYED = pav.numbering("deal").sample(30, seed=1)


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
    return [pav.Board.make(PLAYED[k], number=k, **more) for k in numbers]  # type: ignore[arg-type]


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


def test_results_of_several_tables_are_no_duplicates(cli: Cli, tmp_path: Path) -> None:
    tags = {"Contract": "4S", "Result": "10", "Declarer": "N"}
    boards = [board.with_tags(tags) for board in made([1, 2, 3] * 4)]
    lines, _ = facts(cli, boards, tmp_path / "a.pbn")
    assert lines["numbers"] == "1-3; up to 4 rows a number"
    assert (lines["contracts"], lines["results"]) == ("12", "12")
    assert lines["duplicates"] == "none"


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
    owners = bytearray(PLAYED[3].owners)
    owners[0] = 4
    short = pav.Board.make(pav.Layout(bytes(owners)), number=3)
    lines, row = facts(cli, [*made([1, 2]), short], tmp_path / "a.pbn")
    assert lines["incomplete"] == "not 13 cards in each hand: 3"
    assert row["session"]["incomplete"] == ["3"]
    lines, _ = facts(cli, [short, *made([4])], tmp_path / "b.pbn")
    assert "incomplete" not in lines
