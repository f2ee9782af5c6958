"""`pavcodec encode`: layouts to numbers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, DEMO, ENDING, FOULED, NUMBER, OTHER, Cli, read_text

from pavcodec import Layout, numbering, numbering_names

if TYPE_CHECKING:
    from pathlib import Path

OTHER_NUMBER = numbering("deal").rank(Layout.from_pbn(OTHER))


def test_a_pbn_file_gives_one_number_a_line(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "event.pbn"
    path.write_text(f'[Deal "{DEAL}"]\n\n[Board "2"]\n[Deal ""]\n\n[Deal "{OTHER}"]\n')
    assert cli("encode", path) == (0, f"{NUMBER}\n{OTHER_NUMBER}\n", "")


@pytest.mark.parametrize("words", [["encode"], ["encode", "-"]])
@pytest.mark.parametrize(
    "text", [DEAL, f'[Deal "{DEAL}"]', f"{NUMBER:,}", f"# x\n{DEAL.lower()}\r\n", f"\ufeff{DEAL}"]
)
def test_the_standard_input_is_read_in_any_format(cli: Cli, words: list[str], text: str) -> None:
    assert cli(*words, stdin=text) == (0, f"{NUMBER}\n", "")


def test_several_files_are_read_in_turn_with_the_standard_input(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.pbn").write_text(f'[Deal "{DEAL}"]')
    (tmp_path / "b.txt").write_text(f"{OTHER}\n")
    (tmp_path / "c.numbers").write_text("7\n")
    paths = [tmp_path / name for name in ("a.pbn", "b.txt", "c.numbers", "a.pbn")]
    outcome = cli("encode", *paths[:3], "-", paths[3], stdin="9\n8\n")
    assert outcome.code == 0
    assert [int(x) for x in outcome.lines] == [NUMBER, OTHER_NUMBER, 7, 9, 8, NUMBER]


def test_hexadecimal_numbers_have_all_their_digits(cli: Cli) -> None:
    assert cli("encode", "--hex", stdin=DEAL).lines == [f"0x{NUMBER:024x}"]
    assert cli("encode", "--hex", stdin="0\n255\n").lines == [f"0x{'0' * 24}", f"0x{'0' * 22}ff"]
    assert cli("encode", "--hex", "--one-based", stdin="1").lines == [f"0x{1:024x}"]
    (line,) = cli("encode", "--hex", "--as", "base5", stdin="N:- - - -").lines
    assert len(line) == 2 + 31  # 5**52 - 1 has 121 bits


def test_numbers_may_start_at_one(cli: Cli) -> None:
    assert cli("encode", "--one-based", stdin=DEAL).lines == [str(NUMBER + 1)]
    outcome = cli("encode", "--one-based", "--as", "andrews", stdin=DEAL)
    ranks = numbering("andrews", one_based=True)
    assert outcome.lines == [str(ranks.rank(Layout.from_pbn(DEAL)))]


@pytest.mark.parametrize("name", numbering_names())
def test_every_numbering_encodes_its_layouts_of_the_demonstration_file(cli: Cli, name: str) -> None:
    ranks = numbering(name)
    boards = read_text(DEMO.read_bytes()).boards
    members = [board.layout for board in boards if board.layout in ranks]
    outcome = cli("encode", "--as", name, DEMO)
    assert [int(line) for line in outcome.lines] == [ranks.rank(one) for one in members if one]
    assert outcome.code == (len(members) < len(boards))
    complaints = outcome.err.splitlines()
    assert len(complaints) == len(boards) - len(members)
    for line in complaints:
        assert f"{DEMO}:" in line
        assert name in line
        assert ": board 3" in line  # the endings are boards 33 to 36


def test_json_has_a_line_for_each_layout(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "event.pbn"
    path.write_text(f'[Board "1-1"]\n[Deal "{DEAL}"]\n\n[Deal "{OTHER}"]\n')
    rows = [json.loads(line) for line in cli("encode", "--json", path, "-", stdin="3").lines]
    zero = str(numbering("deal").unrank(3))
    assert rows == [
        {"number": str(NUMBER), "deal": DEAL, "board": "1-1", "file": str(path), "line": 2},
        {"number": str(OTHER_NUMBER), "deal": OTHER, "board": None, "file": str(path), "line": 4},
        {"number": "3", "deal": zero, "board": None, "file": "stdin", "line": 1},
    ]
    (row,) = cli("encode", "--json", "--hex", stdin=DEAL).lines
    assert json.loads(row)["number"] == str(NUMBER), "JSON is decimal, whatever people read"


def test_output_goes_to_a_file(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "numbers.txt"
    assert cli("encode", "-o", path, stdin=DEAL) == (0, "", "")
    assert path.read_text() == f"{NUMBER}\n"
    assert cli("encode", f"--output={path}", "--force", stdin=OTHER).code == 0
    assert path.read_text() == f"{OTHER_NUMBER}\n"


def test_the_format_may_be_named(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "deals.pbn"
    path.write_text(f"{DEAL}\n")
    assert cli("encode", "--from", "lines", path).lines == [str(NUMBER)]
    assert cli("encode", path).code == 1


def test_a_fouled_board_has_a_number_in_base5_only(cli: Cli) -> None:
    number = numbering("base5").rank(Layout.from_pbn(FOULED))
    assert cli("encode", "--as", "base5", stdin=FOULED) == (0, f"{number}\n", "")
    outcome = cli("encode", "--as", "ending", stdin=f"{ENDING}\n{FOULED}\n")
    assert outcome.code == 1
    assert len(outcome.lines) == 1
    assert "stdin:2:" in outcome.complaint
    assert FOULED in outcome.complaint
    assert "at most 13 cards" in outcome.complaint


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "name"),
    [
        (DEMO.read_text(), "base5"),
        (DEMO.read_text(), "ending"),
        (f"{DEAL}\n{OTHER}\n", "deal"),
        (f"{ENDING}\nN:- - - -\n", "base5"),
        (f"{ENDING}\nN:- - - -\n", "ending"),
        ("N:A... K... Q... J...\n" + DEAL, "balanced"),
        (f"{FOULED}\nN:AKQJT98765432.A.. - - -\nW:.AKQJT98765432.32. - - AKQ...\n", "base5"),
    ],
)
@pytest.mark.parametrize("options", [[], ["--hex"], ["--one-based"], ["--one-based", "--hex"]])
def test_encode_decode_encode_is_a_fixed_point(
    cli: Cli, text: str, name: str, options: list[str]
) -> None:
    numbers = cli("encode", "--as", name, *options, stdin=text)
    assert (numbers.code, numbers.err) == (0, "")
    deals = cli("decode", "--as", name, *options, stdin=numbers.out)
    assert (deals.code, len(deals.lines)) == (0, len(numbers.lines))
    assert cli("encode", "--as", name, *options, stdin=deals.out) == numbers
    again = cli("decode", "--as", name, *options, stdin=numbers.out)
    assert again == deals


def test_deals_as_arguments(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"{DEAL}\n")
    number = cli("encode", path).out
    assert cli("encode", DEAL) == (0, number, "")
    assert cli("encode", DEAL, path, DEAL.lower()).out == number * 3
    row = json.loads(cli("encode", "--json", path, DEAL).lines[1])
    assert (row["file"], row["line"], row["deal"]) == ("arguments", 2, DEAL)
    wrong = cli("encode", "N:AK", path)
    assert (wrong.code, wrong.out) == (1, number)
    assert wrong.complaint.startswith("arguments:1: ")
