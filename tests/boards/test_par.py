"""Par: values of a game tree of every call, and those that other programs publish."""

from __future__ import annotations

import re

import pytest
from formats_support import corpus_folder

from pavcodec import Seat, TrickTable, Vulnerability
from pavcodec.boards.par import ParContract, par
from pavcodec.boards.tricks import parse_trick_digits

PARS: dict[tuple[str, str, str], tuple[int, str]] = {
    ("67524042416631147425", "W", "None"): (-80, "W 1S="),
    ("5a78a584106380a97069", "W", "EW"): (200, "W 4NX-1; E 5CX-1"),
    ("3d3c153c78b1385b9217", "N", "EW"): (500, "EW 7NX-2"),
    ("27364477011716316075", "N", "None"): (80, "NS 1S="),
    ("0607383333aa88a06757", "S", "None"): (-300, "S 4NX-2"),
    ("61d568a1bdd24b8abb8a", "E", "EW"): (-2220, "E 7N="),
    ("02050146471427553605", "W", "All"): (-70, "E 1D="),
    ("835888028723252228a6", "S", "EW"): (-130, "W 4D="),
    ("5c7787b87cd6a4d2b385", "W", "All"): (-2220, "E 7N="),
    ("31366577312032074722", "N", "EW"): (-90, "W 1N="),
    ("06704765764622a9913a", "S", "All"): (-500, "S 3NX-2"),
    ("8590a69542d83db96a9b", "S", "None"): (-1100, "N 7NX-5"),
    ("37031114434265461020", "S", "EW"): (80, "N 1S="),
    ("3a5344163825a2149874", "N", "EW"): (200, "W 4SX-1; E 5HX-1"),
    ("9c6744343cb892dd6640", "N", "None"): (-800, "N 7NX-4"),
    # a game, a board that all pass, and sacrifices in three suits
    ("7a7777a7776366663666", "N", "None"): (420, "NS 4S="),
    ("66666666666666666666", "E", "All"): (0, ""),
    ("7a4447a4445399953999", "N", "NS"): (300, "EW 5CX-2; EW 5DX-2; EW 5HX-2"),
    # the dealer bids first
    ("76666766667666676666", "S", "None"): (90, "NS 1N="),
    ("76666766667666676666", "W", "None"): (-90, "EW 1N="),
    # North opens, and the sacrifice of the others is par
    ("1b5bb1b5bb6a8276a827", "N", "All"): (500, "EW 6SX-2"),
    # 2N and no 1N+1, over which a bid costs nothing: as BridgeComposer has it
    ("88697886975473654736", "N", "None"): (120, "NS 2N="),
}
"""Digits of tricks, dealer and vulnerability: the value of the game of all calls, in which each
contract scores it and each higher bid of the other side loses points."""


@pytest.mark.parametrize(("digits", "dealer", "vulnerable"), PARS)
def test_par_is_the_value_of_the_game(digits: str, dealer: str, vulnerable: str) -> None:
    found = par(parse_trick_digits(digits), Seat(dealer), Vulnerability(vulnerable))
    contracts = "; ".join(map(str, found.contracts))
    assert (found.score, contracts) == PARS[digits, dealer, vulnerable]


def test_scores_and_contracts_of_dds() -> None:
    """The lines PBN, TABLE and PAR2 of the files of the library DDS."""
    deal = re.compile(
        r"^PBN (\d) (\d) .*?^TABLE ([\d ]+?)$.*?^PAR2 \"(-?\d+)\" (.*?)$", re.MULTILINE | re.DOTALL
    )
    compared = 0
    for path in sorted((corpus_folder() / "dds").glob("*.txt")):
        for dealer, vulnerable, tricks, score, told in deal.findall(path.read_text()):
            numbers = [*map(int, tricks.split())]
            table = TrickTable(bytes([*numbers[16:20], *numbers[:16]]))
            word = ("None", "All", "NS", "EW")[int(vulnerable)]
            found = par(table, Seat(int(dealer)), Vulnerability.of(word))
            assert found.score == int(score)
            assert set(map(as_dds, found.contracts)) == set(re.findall('"([^"]*)"', told))
            compared += 1
    assert compared > 100


def as_dds(contract: ParContract) -> str:
    seats = "".join(seat.letter for seat in contract.declarers)
    over = f"{contract.over:+}" if contract.over else ""
    doubled = "*" if contract.over < 0 else ""
    return f"{contract.level}{contract.strain.letters[0]}{doubled}-{seats}{over}"
