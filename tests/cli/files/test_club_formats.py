"""The formats of clubs on the command line: the same numbers from each, and there and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from clubs_support import FOLDER, bdset36
from formats_support import DEAL, ENDING, OTHER, Cli, loss

if TYPE_CHECKING:
    from pathlib import Path


def test_what_does_not_fit_is_told(cli: Cli, tmp_path: Path) -> None:
    outcome = cli("convert", "-", tmp_path / "a.dup", stdin=f"{DEAL}\n{ENDING}\n")
    assert outcome.code == 1
    assert outcome.complaint == (
        f"stdin:2: a deal has 13 cards in each hand; here N holds 3, E 0, S 3, W 0: '{ENDING}'"
    )
    assert (tmp_path / "a.dup").stat().st_size == 156


def test_strict_reading_stops_at_the_first_problem(cli: Cli, tmp_path: Path) -> None:
    source = tmp_path / "a.bri"
    source.write_bytes(bdset36("bri")[:128] + b"x" * 128 + bdset36("bri")[256:384] + b"y")
    outcome = cli("encode", "--strict", source)
    assert (outcome.code, len(outcome.lines)) == (1, 1)
    assert "bri record 1 at byte 128: " in outcome.complaint
    outcome = cli("encode", source)
    assert (outcome.code, len(outcome.lines), len(outcome.err.splitlines())) == (1, 2, 2)


OFF_THE_CYCLE = f"""[Board "1"]
[Dealer "S"]
[Vulnerable "All"]
[Deal "{DEAL}"]

[Board "2"]
[Dealer "E"]
[Vulnerable "None"]
[Deal "{DEAL}"]

[Board "3"]
[Deal "{DEAL}"]
"""


@pytest.mark.parametrize(
    "name", ["dup", "dlm", "bhg", "cds", "hrf", "dealer-all", "saycbridge", "csv"]
)
def test_dealers_and_vulnerabilities_off_the_cycle_are_told(
    cli: Cli, tmp_path: Path, name: str
) -> None:
    outcome = cli("convert", "--to", name, "-", tmp_path / "out", stdin=OFF_THE_CYCLE)
    assert outcome.code == 0
    notes = outcome.err.splitlines()
    differing = "the dealer of 1 board and the vulnerability of 2 boards"
    told = f"{name}: {differing} become those of the board number"
    assert notes == ([] if name == "csv" else [told])
    grep = cli("grep", "--to", name, "1", "-", "-o", tmp_path / "found", stdin=OFF_THE_CYCLE)
    assert grep.err.splitlines() == notes


@pytest.mark.parametrize("name", ["dup", "dlm", "csv", "dealer-all", "bba"])
def test_boards_that_get_numbers_are_told(cli: Cli, tmp_path: Path, name: str) -> None:
    deals = f"{DEAL}\n{DEAL}\n"
    outcome = cli("convert", "--to", name, "-", tmp_path / "out", stdin=deals)
    assert (outcome.code, outcome.err) == (
        0, f"{name}: 2 boards have no number and are numbered in turn\n",
    )  # fmt: skip


def test_boards_on_the_cycle_are_no_news(cli: Cli, tmp_path: Path) -> None:
    outcome = cli("convert", FOLDER / "bdset36.pbn", tmp_path / "out.dup")
    assert outcome.err == loss("dup", 1, "the tag Generator")
    assert cli("convert", tmp_path / "out.dup", tmp_path / "out.dlm").err == ""


def test_tags_are_told_of_if_any_board_has_them(cli: Cli, tmp_path: Path) -> None:
    deals = f'{{"deal": "{DEAL}"}}\n{{"deal": "{DEAL}", "board": "7"}}\n'
    outcome = cli("convert", "--from", "jsonl", "-", tmp_path / "a.bri", stdin=deals)
    assert outcome.err == loss("bri", 1, "number, dealer and vulnerability")


RESULTS = "".join(
    f'[Board "{number}"]\n[Room "{room}"]\n[Deal "{deal}"]\n\n'
    for room in ("Open", "Closed", "Third")
    for number, deal in ((1, DEAL), (2, OTHER))
)
UNIQUE = "4 boards left out that came before, with the same number and deal"


@pytest.mark.parametrize("name", ["dlm", "dup", "bri", "csv", "goe"])
def test_formats_of_boards_hold_each_board_of_a_results_file_once(
    cli: Cli, tmp_path: Path, name: str
) -> None:
    outcome = cli("convert", "--to", name, "-", tmp_path / "out", stdin=RESULTS)
    assert outcome.code == 0
    assert outcome.err.splitlines()[0] == f"{UNIQUE}; --no-unique writes them"
    again = cli("convert", "--from", name, "--to", "lines", tmp_path / "out", "-")
    assert again.lines == [DEAL, OTHER]
    all_of_them = cli("convert", "--no-unique", "--to", name, "-", "-", stdin=RESULTS)
    assert "came before" not in all_of_them.err
    assert all_of_them.code == (1 if name in ("dlm", "dup") else 0)


def test_other_formats_hold_each_board_once_if_that_is_asked_for(cli: Cli) -> None:
    every = cli("convert", "--to", "lines", "-", "-", stdin=RESULTS)
    lost = "number, dealer, vulnerability and the tag Room"
    assert (every.lines, every.err) == ([DEAL, OTHER] * 3, loss("lines", 6, lost))
    once = cli("convert", "--unique", "--to", "lines", "-", "-", stdin=RESULTS)
    assert once.lines == [DEAL, OTHER]
    assert once.err == UNIQUE + "\n" + loss("lines", 2, lost)


def test_deals_without_numbers_are_left_out_only_if_that_is_asked_for(cli: Cli) -> None:
    deals = f"{DEAL}\n{OTHER}\n{DEAL}\n"
    every = cli("convert", "--to", "goe", "-", "-", stdin=deals)
    assert (len(every.lines), every.err.splitlines()[:-1]) == (3, [])
    once = cli("convert", "--unique", "--to", "lines", "-", "-", stdin=deals)
    assert (once.lines, once.err) == ([DEAL, OTHER], UNIQUE.replace("4 boards", "1 board") + "\n")


def test_another_deal_with_the_same_number_is_another_board(cli: Cli, tmp_path: Path) -> None:
    boards = f'[Board "1"]\n[Deal "{DEAL}"]\n\n[Board "1"]\n[Deal "{OTHER}"]\n'
    outcome = cli("convert", "-", tmp_path / "a.dup", stdin=boards)
    assert outcome.code == 1
    assert "after board 1 comes 2" in outcome.complaint


def test_json_counts_boards_that_came_before_as_left_out(cli: Cli, tmp_path: Path) -> None:
    outcome = cli("convert", "--json", "-", tmp_path / "a.dup", stdin=RESULTS)
    row = json.loads(outcome.out)
    assert (row["boards"], row["left_out"], row["problems"]) == (6, 4, 0)
