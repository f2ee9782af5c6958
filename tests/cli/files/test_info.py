"""`pavcodec info`: what is in a file, and whether its checksum is the published one."""

from __future__ import annotations

import json
import struct
from math import factorial, log2
from typing import TYPE_CHECKING

import pytest
from formats_support import (
    DEAL,
    DEMO,
    ENDING,
    FOULED,
    NUMBER,
    OTHER,
    Cli,
    write_bytes,
    write_format,
)
from records_support import BOARD_SIZES, by_hand, totals

from pavcodec import Board, Case, Deal, TrickTable, record, write_archive
from pavcodec.formats import format_of

if TYPE_CHECKING:
    from pathlib import Path

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


@pytest.mark.parametrize("name", ["pbn", "lines", "numbers"])
def test_text_formats_are_told_as_well(cli: Cli, tmp_path: Path, name: str) -> None:
    texts = {"pbn": write_bytes(SOLVED).decode(), "lines": f"{DEAL}\n", "numbers": f"{NUMBER}\n"}
    path = tmp_path / "file"
    path.write_bytes(texts[name].encode())
    (facts,) = json.loads(cli("info", "--json", path).out)
    boards = 2 if name == "pbn" else 1
    assert (facts["format"], facts["boards"], facts["deals"]) == (name, boards, boards)
    assert facts["bytes"] == len(texts[name])
    assert facts["checksum"] == sum_by_hand(texts[name].encode())
    assert facts["with_tricks"] == (2 if name == "pbn" else 0)


@pytest.mark.slow
def test_the_plain_text_has_the_same_facts_in_order(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.zrd"
    path.write_bytes(write_format("zrd", SOLVED * 600).data)
    outcome = cli("info", path)
    (facts,) = json.loads(cli("info", "--json", path).out)
    left_out = ("fouled", "suits", "without_cards", "problems")
    assert [facts[key] for key in left_out] == [0] * 4
    told = {key.replace("_", " "): value for key, value in facts.items() if key not in left_out}
    assert [line[:21].strip() for line in outcome.lines] == list(told)
    values = [line[21:] for line in outcome.lines]
    assert values == [f"{v:,}" if isinstance(v, int | float) else v for v in told.values()]
    assert "27,600" in values


ENDINGS = totals()["ending15"]
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


@pytest.mark.parametrize("name", ["case16", "zbs-word", "zbs-diagram"])
def test_records_that_are_no_boards_are_counted(cli: Cli, tmp_path: Path, name: str) -> None:
    if name == "case16":
        data, count = b"".join(by_hand(name, case) for case in CASES), 100
    else:
        data = write_format("zbs", SOLVED).data
        count = len(data) // record(name).size
    for path, words in (
        (tmp_path / f"a.{name}", []),
        (tmp_path / f"a.{name.upper()}", []),
        (tmp_path / "a.bin", ["--from", name]),
    ):
        path.write_bytes(data)
        outcome = cli("info", "--json", *words, path)
        (facts,) = json.loads(outcome.out)
        assert facts == {
            "file": str(path),
            "format": name,
            "what": f"{record(name).summary}: {record(name).size} bytes each",
            "records": count,
            "bytes": len(data),
            "checksum": sum_by_hand(data),
            "problems": 0,
        }
        assert (outcome.code, outcome.err) == (0, "")


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
@pytest.mark.parametrize("name", ["zbs", "base5-16", "layout20", "zrd", "deal13"])
def test_the_printed_checksum_is_the_one_that_info_takes(
    cli: Cli, tmp_path: Path, name: str
) -> None:
    (tmp_path / "in.pbn").write_bytes(write_bytes(SOLVED))
    path = tmp_path / f"a.{name}"
    printed = cli("convert", tmp_path / "in.pbn", path).out.split()[-1]
    assert printed == sum_by_hand(path.read_bytes())
    for shape in (printed, printed.lower(), f"0x{printed}", f"000{printed}"):
        outcome = cli("info", "--checksum", shape, path)
        assert (outcome.code, outcome.err) == (0, "")
        assert (
            cli("info", "--checksum", shape, "--from", name, "-", stdin=path.read_bytes())[0] == 0
        )
    wrong = f"{int(printed, 16) + 1:X}"
    outcome = cli("info", "--checksum", wrong, path)
    assert outcome.code == 1
    assert outcome.complaint == f"{path}: the checksum is {printed}, not {wrong}"
    assert f"checksum             {printed}" in outcome.lines
    damaged = bytearray(path.read_bytes())
    damaged[5] ^= 4
    path.write_bytes(damaged)
    assert cli("info", "--checksum", printed, path).code == 1


@pytest.mark.slow
def test_any_file_has_a_checksum_over_all_its_bytes(cli: Cli, tmp_path: Path) -> None:
    for data in (DEMO.read_bytes(), b"", b"\x7fELF\0\0\0" * 100_000, b"\xff" * 100_001):
        path = tmp_path / "any.dat"
        path.write_bytes(data)
        (facts,) = json.loads(cli("info", "--json", path).out)
        assert (facts["checksum"], facts["bytes"]) == (sum_by_hand(data), len(data))
        assert cli("info", "--checksum", sum_by_hand(data), path).out != ""


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


def test_a_missing_file_does_not_keep_the_others_from_being_told(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.zdd"
    path.write_bytes(bytes(10))
    outcome = cli("info", "--json", tmp_path / "missing.zrd", path)
    assert outcome.code == 1
    assert outcome.complaint.startswith(f"{tmp_path / 'missing.zrd'}: cannot be read: ")
    assert [row["file"] for row in json.loads(outcome.out)] == [str(path)]


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


def test_layouts_in_numbers_are_those_of_the_numbering_deal(cli: Cli) -> None:
    (facts,) = json.loads(cli("info", "--json", stdin=f"{NUMBER}\n5\n").out)
    assert (facts["file"], facts["format"], facts["deals"]) == ("stdin", "numbers", 2)
