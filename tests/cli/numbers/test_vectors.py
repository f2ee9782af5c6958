"""Every golden vector, both ways, through the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from oracles import vectors

if TYPE_CHECKING:
    from formats_support import Cli

NUMBERINGS = ["deal", "deal-ranked", "deal-scrambled", "andrews", "andrews-scrambled", "bigdeal"]


Run = Callable[..., list[str]]


@pytest.fixture
def pavcodec(cli: Cli) -> Run:
    """Run a command on lines of standard input and return the lines that it prints."""

    def run(*arguments: str, lines: list[str]) -> list[str]:
        done = cli(*arguments, stdin="".join(f"{line}\n" for line in lines))
        assert (done.code, done.err) == (0, "")
        return done.out.splitlines()

    return run


def assert_both_ways(pavcodec: Run, name: str, numbers: list[str], deals: list[str]) -> None:
    assert pavcodec("encode", "--as", name, lines=deals) == numbers
    assert pavcodec("decode", "--as", name, lines=numbers) == deals
    ones = [str(int(number) + 1) for number in numbers]
    assert pavcodec("encode", "--as", name, "--one-based", lines=deals) == ones
    digits = pavcodec("encode", "--as", name, "--hex", lines=deals)
    assert [int(text, 16) for text in digits] == [int(number) for number in numbers]
    assert pavcodec("decode", "--as", name, "--hex", lines=digits) == deals


@pytest.mark.slow
@pytest.mark.parametrize("name", NUMBERINGS)
def test_deals(pavcodec: Run, name: str) -> None:
    rows = vectors(name)
    assert_both_ways(pavcodec, name, [row["number"] for row in rows], [row["pbn"] for row in rows])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["balanced", "ending"])
def test_endings(pavcodec: Run, name: str) -> None:
    rows = [row for row in vectors("endings") if row["scheme"] == name]
    assert len(rows) > 30
    deals = pavcodec("decode", "--as", name, lines=[row["number"] for row in rows])
    assert pavcodec("encode", "--as", name, lines=[row["pbn"] for row in rows]) == [
        row["number"] for row in rows
    ]
    assert pavcodec("encode", "--as", name, lines=deals) == [row["number"] for row in rows]


@pytest.mark.slow
def test_base5(pavcodec: Run) -> None:
    rows = vectors("endings")
    deals = pavcodec("decode", "--as", "base5", lines=[row["base5"] for row in rows])
    assert_both_ways(pavcodec, "base5", [row["base5"] for row in rows], deals)
    assert pavcodec("encode", "--as", "base5", lines=[row["pbn"] for row in rows]) == [
        row["base5"] for row in rows
    ]
