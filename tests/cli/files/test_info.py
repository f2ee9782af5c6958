"""`pavcodec info`: what is in a file, its checksum, and a session for a director."""

from __future__ import annotations

import json
import struct
from math import factorial, log2
from typing import TYPE_CHECKING

import pytest
from formats_support import (
    DEAL,
    ENDING,
    FOULED,
    OTHER,
    Cli,
    write_format,
)
from records_support import BOARD_SIZES, LIMITS, by_hand

import pavcodec as pav
from pavcodec import Board, Case, Deal, TrickTable, write_archive
from pavcodec.questions import info

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli


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


@pytest.mark.parametrize("name", ["zrd", "zdd", "deal12"])
def test_a_file_of_records_is_told_in_json(cli: Cli, tmp_path: Path, name: str) -> None:
    path, cards = tmp_path / f"a.{name}", name != "zdd"
    path.write_bytes(write_format(name, SOLVED).data)
    outcome = cli("info", "--json", path)
    (facts,) = json.loads(outcome.out)
    kinds = ("boards", "deals", "without_cards", "with_tricks", "bits_per_deal")
    size = BOARD_SIZES[name]
    wanted = [2, 2 * cards, 2 * (not cards), 2 * (name != "deal12"), 8.0 * size]
    assert [facts[kind] for kind in kinds] == wanted
    assert facts.get("bound_bits_per_deal") == (round(log2(DEALS), 3) if cards else None)
    assert (facts["bytes"], facts["checksum"]) == (2 * size, sum_by_hand(path.read_bytes()))
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


CASES = [Case(total, total % 560, None, 1 << total % 16) for total in range(3)]


def test_a_listing_of_cases_with_bad_rows(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.case16"
    rows = [by_hand("case16", case) for case in CASES]
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


def test_a_checksum_is_compared(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.deal13"
    for data in (b"", b"\xff" * 100_001):
        path.write_bytes(data)
        right = sum_by_hand(data)
        for shape in (right.lower(), f"0x{right}", f"000{right}"):
            assert "the checksum is" not in cli("info", "--checksum", shape, path).err
        wrong = f"{int(right, 16) + 1:X}"
        outcome = cli("info", "--checksum", wrong, path)
        assert outcome.code == 1
        assert f"{path}: the checksum is {right}, not {wrong}" in outcome.err.splitlines()


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


def test_a_large_file_is_counted_without_its_session(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pav.write([*SOLVED, SOLVED[0]], tmp_path / "a.pbn")
    monkeypatch.setattr(info, "_OF_SESSION", 100)
    monkeypatch.setattr(info, "LARGE", 100)
    (row,) = json.loads(cli("info", "--json", tmp_path / "a.pbn").out)
    assert "session" not in row
    assert (row["boards"], row["deals"]) == (3, 3)
