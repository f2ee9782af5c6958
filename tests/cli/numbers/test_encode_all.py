"""`pavcodec encode --all`: a layout in all numberings and codes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from formats_support import DEAL

import pavcodec as pav

if TYPE_CHECKING:
    from formats_support import Cli


def test_a_line_for_each_scheme(cli: Cli) -> None:
    outcome = cli("encode", "--all", DEAL)
    assert (outcome.code, outcome.err) == (0, "")
    expected = pav.encode_all(pav.Deal.from_pbn(DEAL))
    assert [tuple(line.split()) for line in outcome.lines] == [
        (one.scheme, one.text) for one in expected
    ]


def test_json_has_numbers_and_codes(cli: Cli) -> None:
    outcome = cli("encode", "--all", "--json", "--one-based", DEAL)
    row = json.loads(outcome.out)
    assert row["deal"] == DEAL
    expected = pav.encode_all(pav.Deal.from_pbn(DEAL), one_based=True)
    for one, told in zip(expected, row["schemes"], strict=True):
        assert told["scheme"] == one.scheme
        assert told.get("number", told.get("code")) == one.text
        assert told.get("hex") == (None if one.number is None else hex(one.number))


def test_codes_have_the_number_of_the_board(cli: Cli) -> None:
    outcome = cli("encode", "--all", stdin=f'[Board "7"]\n[Deal "{DEAL}"]\n')
    rows = dict(line.split() for line in outcome.lines)
    assert pav.code("bba").parse_board(rows["bba"])[1] == 7
    assert cli("encode", "--all", "--board", "7", DEAL).out == outcome.out
    assert cli("encode", "--as", "bba", "--board", "7", DEAL).lines == [rows["bba"]]
    assert cli("encode", "--board", "0", DEAL).code == 2
