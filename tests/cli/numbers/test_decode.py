"""`pavcodec decode`: numbers to layouts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, ENDING, NUMBER, Cli, read_text

from pavcodec import Layout, numbering, numbering_names

if TYPE_CHECKING:
    from pathlib import Path


def test_arguments_are_numbers(cli: Cli) -> None:
    outcome = cli("decode", NUMBER, hex(NUMBER), f"{NUMBER:,}", f"+{NUMBER}", "0")
    assert outcome.lines == [DEAL] * 4 + [str(numbering("deal")[0])]
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.parametrize("words", [["decode"], ["decode", "-"]])
def test_the_standard_input_has_one_number_a_line(cli: Cli, words: list[str]) -> None:
    stdin = f"# numbers\n{NUMBER}\r\n\n 0x{NUMBER:X} \n"
    assert cli(*words, stdin=stdin) == (0, f"{DEAL}\n{DEAL}\n", "")


def test_arguments_may_be_files_of_numbers(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "n.txt"
    path.write_text(f"{NUMBER}\n5")
    five, six = (str(numbering("deal")[n]) for n in (5, 6))
    assert cli("decode", path, "6", "-", stdin="5").lines == [DEAL, five, six, five]


def test_hexadecimal_digits_need_no_sign_where_asked_for(cli: Cli) -> None:
    words = ["decode", "--hex", f"{NUMBER:x}", f"0x{NUMBER:X}", "10"]
    assert cli(*words).lines == [DEAL, DEAL, str(numbering("deal")[16])]
    assert cli("decode", "--hex", stdin=f"{NUMBER:x}\n").lines == [DEAL]


def test_numbers_may_start_at_one(cli: Cli) -> None:
    assert cli("decode", "--one-based", NUMBER + 1).lines == [DEAL]
    outcome = cli("decode", "--one-based", "0", "1")
    assert outcome.lines == [str(numbering("deal")[0])]
    assert "1 to 53644737765488792839237440000, not 0" in outcome.complaint


@pytest.mark.slow
@pytest.mark.parametrize("name", numbering_names())
def test_every_numbering_decodes_its_ends_and_encodes_them_again(cli: Cli, name: str) -> None:
    ranks = numbering(name)
    numbers = [0, 1, ranks.cardinality // 2, ranks.cardinality - 1]
    outcome = cli("decode", "--as", name, *numbers)
    assert outcome.code == 0
    assert [Layout.from_pbn(line) for line in outcome.lines] == [ranks[n] for n in numbers]
    assert [int(n) for n in cli("encode", "--as", name, stdin=outcome.out).lines] == numbers
    assert cli("decode", "--as", name, ranks.cardinality, -1).code == 1


def test_json_has_a_line_for_each_number(cli: Cli) -> None:
    (line,) = cli("decode", "--json", f"{NUMBER:,}").lines
    assert json.loads(line) == {"number": str(NUMBER), "deal": DEAL}


def test_the_format_may_be_pbn_or_numbers(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "out.pbn"
    assert cli("decode", "--to", "pbn", "-o", path, NUMBER, NUMBER) == (0, "", "")
    assert read_text(path.read_bytes()).layouts == [DEAL, DEAL]
    assert cli("encode", path).lines == [str(NUMBER)] * 2
    assert cli("decode", "--to", "numbers", hex(NUMBER)).lines == [str(NUMBER)]
    assert cli("decode", "--to", "pbn", NUMBER).out.startswith("% PBN 2.1\r\n% EXPORT\r\n[Event")


def test_decoded_pbn_can_be_encoded_again(cli: Cli) -> None:
    number = numbering("base5").rank(Layout.from_pbn(ENDING))
    pbn = cli("decode", "--as", "base5", "--to", "pbn", number)
    assert cli("encode", "--as", "base5", stdin=pbn.out).lines == [str(number)]


def test_output_goes_to_a_file(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    assert cli("decode", "-o", path, NUMBER) == (0, "", "")
    assert path.read_text() == f"{DEAL}\n"


def test_no_numbers_give_no_deals(cli: Cli) -> None:
    assert cli("decode", stdin="") == (0, "", "no numbers\n")
    assert cli("decode", stdin="# nothing\n\n") == (0, "", "no numbers\n")
