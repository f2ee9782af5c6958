"""`pavcodec bigdeal`: the golden vectors, boards and numbers, fresh seeds, wrong usage."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from oracles import vectors

if TYPE_CHECKING:
    from formats_support import Cli

SEED = "000102030405060708090a0b0c0d0e0f10111213"
OWNER = "Golden Test Owner"
FIRST = 37597453553299299871637159608
SECOND = 39673818533485622983543752037


def words_of(row: dict[str, str]) -> list[str]:
    if row["mode"] == "-h":
        return ["--seed", row["seed_random_hex"], "--owner", row["owner"]]
    return ["-W", row["wizard"], "-e", row["entropy"]]


@pytest.mark.slow
def test_the_golden_vectors_on_the_command_line(cli: Cli) -> None:
    for row in vectors("bigdeal-seed"):
        outcome = cli("bigdeal", *words_of(row), "-n", row["board_index"], "--json")
        assert (outcome.code, outcome.err) == (0, "")
        last = json.loads(outcome.lines[-1])
        assert last == {
            "board": int(row["board_index"]),
            "number": row["number"],
            "deal": row["pbn"],
        }


def test_boards_may_start_anywhere_and_take_the_first_deals(cli: Cli) -> None:
    words = ("bigdeal", "--seed", SEED, "--owner", OWNER)
    first = cli(*words, "-n", 2, "--to", "numbers")
    assert first.lines == [str(FIRST), str(SECOND)]
    later = cli(*words, "-n", "17-18", "--to", "pbn")
    assert '[Board "17"]' in later.out
    assert cli(*words, "-n", "17-18", "--to", "numbers").lines == first.lines
    assert len(cli(*words).lines) == 16


def test_entropy_in_parts_is_entropy_as_one(cli: Cli) -> None:
    one = cli("bigdeal", "--owner", "leftkey0", "--entropy", "rightkeyoriginal", "-n", 3)
    two = cli("bigdeal", "-W", "leftkey0", "-e", "rightkey", "-e", "original", "-n", 3)
    assert one == two
    assert len(one.lines) == 3


def test_a_fresh_seed_is_told_and_repeats_the_run(cli: Cli) -> None:
    once = cli("bigdeal", "--owner", "x", "-n", 3)
    word, seed = once.complaint.split()
    assert word == "seed"
    assert cli("bigdeal", "--owner", "x", "-n", 3, "--seed", seed).out == once.out
    assert cli("bigdeal", "--owner", "y", "-n", 3, "--seed", seed).out != once.out
    assert cli("bigdeal", "--owner", "x", "-n", 3).out != once.out
