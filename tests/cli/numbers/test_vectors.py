"""Every golden vector, both ways, through the command line."""

from __future__ import annotations

import subprocess
import sys

import pytest
from oracles import vectors

NUMBERINGS = ["deal", "deal-ranked", "deal-scrambled", "andrews", "andrews-scrambled", "bigdeal"]


def pavcodec(*arguments: str, lines: list[str]) -> list[str]:
    """Run a command on lines of standard input and return the lines that it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "pavcodec", *arguments],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def assert_both_ways(name: str, numbers: list[str], deals: list[str]) -> None:
    assert pavcodec("encode", "--as", name, lines=deals) == numbers
    assert pavcodec("decode", "--as", name, lines=numbers) == deals
    ones = [str(int(number) + 1) for number in numbers]
    assert pavcodec("encode", "--as", name, "--one-based", lines=deals) == ones
    digits = pavcodec("encode", "--as", name, "--hex", lines=deals)
    assert [int(text, 16) for text in digits] == [int(number) for number in numbers]
    assert pavcodec("decode", "--as", name, "--hex", lines=digits) == deals


@pytest.mark.slow
@pytest.mark.parametrize("name", NUMBERINGS)
def test_deals(name: str) -> None:
    rows = vectors(name)
    assert_both_ways(name, [row["number"] for row in rows], [row["pbn"] for row in rows])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["balanced", "ending"])
def test_endings(name: str) -> None:
    rows = [row for row in vectors("endings") if row["scheme"] == name]
    assert len(rows) > 30
    deals = pavcodec("decode", "--as", name, lines=[row["number"] for row in rows])
    assert pavcodec("encode", "--as", name, lines=[row["pbn"] for row in rows]) == [
        row["number"] for row in rows
    ]
    assert pavcodec("encode", "--as", name, lines=deals) == [row["number"] for row in rows]


@pytest.mark.slow
def test_base5() -> None:
    rows = vectors("endings")
    deals = pavcodec("decode", "--as", "base5", lines=[row["base5"] for row in rows])
    assert_both_ways("base5", [row["base5"] for row in rows], deals)
    assert pavcodec("encode", "--as", "base5", lines=[row["pbn"] for row in rows]) == [
        row["base5"] for row in rows
    ]
