"""`encode --where` and `decode --where`: indexes in a condition."""

from __future__ import annotations

import json

from formats_support import DEMO, ENDING, Cli

import pavcodec as pav

NINE = "spades(west) == 9"
LAST = 4968111751882804000475999


def test_what_was_dealt_is_found_again(cli: Cli) -> None:
    deals = cli("deal", NINE, "-n", 20, "--seed", 7).out
    indexes = cli("encode", "--where", NINE, stdin=deals)
    assert (indexes.code, indexes.err) == (0, "")
    assert cli("decode", "--where", NINE, stdin=indexes.out).out == deals
    again = cli("encode", "--where", NINE, stdin=indexes.out)
    assert again == indexes, "numbers that are read are indexes too"
    to_numbers = cli("decode", "--where", NINE, "--to", "numbers", stdin=indexes.out)
    assert to_numbers == indexes


def test_bases_and_origins(cli: Cli) -> None:
    (first, last) = cli("decode", "--where", NINE, 0, LAST).lines
    assert cli("decode", "--where", NINE, "--one-based", 1, LAST + 1).lines == [first, last]
    outcome = cli("encode", "--where", NINE, "--hex", "--one-based", stdin=f"{first}\n{last}\n")
    digits = len(f"{LAST + 1:x}")
    assert outcome.lines == [f"0x{1:0{digits}x}", f"0x{LAST + 1:x}"]
    rows = [json.loads(line) for line in cli("encode", "--where", NINE, "--json", stdin=last).lines]
    assert [(row["number"], row["deal"]) for row in rows] == [(str(LAST), last)]


def test_other_layouts_are_problems(cli: Cli) -> None:
    where = "hcp(north) >= 10"
    outcome = cli("encode", "--where", where, DEMO)
    boards = list(pav.read(DEMO))
    members = [b for b in boards if isinstance(b.layout, pav.Deal) and b.layout["N"].hcp >= 10]
    assert outcome.code == 1
    assert 0 < len(members) < 32
    assert len(outcome.lines) == len(members)
    complaints = outcome.err.splitlines()
    others = [line for line in complaints if f"this deal does not satisfy '{where}'" in line]
    assert len(others) == 3
    more = f"{DEMO}: {32 - len(members) - 3} more of the same kind: this deal does not satisfy"
    assert sum(line.startswith(more) for line in complaints) == 1
    assert len(complaints) == 3 + 1 + len(boards) - 32
    assert all(line.startswith(f"{DEMO}:") for line in complaints)
    assert "here N holds 3" in cli("encode", "--where", where, stdin=ENDING).complaint


def test_numbers_that_are_too_large(cli: Cli) -> None:
    outcome = cli("decode", "--where", NINE, LAST + 1)
    assert outcome.code == 1
    expected = f"arguments:1: numbering '{NINE}' has numbers 0 to {LAST}, not {LAST + 1}"
    assert outcome.complaint == expected


def test_a_condition_that_may_mean_something_else_is_warned_of(cli: Cli) -> None:
    told = "warning: a <= b <= c is read as a <= b && b <= c"
    outcome = cli("decode", "--where", "9 <= spades(west) <= 9", "0")
    assert outcome.err.startswith(told)
    assert cli("encode", "--where", "9 <= spades(west) <= 9", stdin=outcome.out).out == "0\n"
