"""`pavcodec identify`, and codes in `encode` and `decode`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, DEMO
from oracles import vectors

import pavcodec as pav

if TYPE_CHECKING:
    from formats_support import Cli


def test_the_list_of_codes(cli: Cli) -> None:
    outcome = cli("identify", "--list")
    assert outcome.code == 0
    for name in pav.code_names(rare=True):
        assert any(line.startswith(f"{name} ") for line in outcome.lines)
    rows = json.loads(cli("identify", "--list", "--json").out)
    assert [row["name"] for row in rows] == pav.code_names(rare=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", pav.code_names())
def test_encode_and_decode_by_codes(cli: Cli, name: str) -> None:
    deals = [str(deal) for deal in pav.numbering("deal").sample(8, seed=7)]
    encoded = cli("encode", "--as", name, stdin="\n".join(deals))
    assert (encoded.code, encoded.err) == (0, "")
    assert encoded.lines == [pav.code(name).format(pav.Deal.from_pbn(deal)) for deal in deals]
    decoded = cli("decode", "--as", name, stdin=encoded.out)
    assert (decoded.code, decoded.lines) == (0, deals)


def test_boards_go_through_bba(cli: Cli) -> None:
    rows = vectors("bba")
    text = "".join(f"{row['code']}\n" for row in rows)
    decoded = cli("decode", "--as", "bba", "--to", "pbn", stdin=text)
    assert decoded.code == 0
    assert decoded.out.count("[Board ") == len(rows)
    assert cli("encode", "--as", "bba", stdin=decoded.out).out == text


def test_rows_of_json(cli: Cli) -> None:
    outcome = cli("encode", "--as", "dlm", "--json", DEMO)
    row = json.loads(outcome.lines[0])
    assert row["board"] == "1"
    assert pav.code("dlm").parse_board(row["code"])[1] == 1


@pytest.mark.slow
def test_the_collection_by_index(cli: Cli) -> None:
    rows = vectors("rpdd")
    indexes, deals = [str(row["index"]) for row in rows], [row["pbn"] for row in rows]
    assert cli("decode", "--as", "rpdd", *indexes).lines == deals
    assert cli("encode", "--as", "rpdd", stdin="\n".join(deals)).lines == indexes
    outcome = cli("encode", "--as", "rpdd", stdin=DEAL)
    assert (outcome.code, outcome.out) == (1, "")
    assert "this deal is not one of them" in outcome.complaint


def test_codes_have_the_number_of_the_board(cli: Cli) -> None:
    outcome = cli("encode", "--all", stdin=f'[Board "7"]\n[Deal "{DEAL}"]\n')
    rows = dict(line.split() for line in outcome.lines)
    assert pav.code("bba").parse_board(rows["bba"])[1] == 7
    assert cli("encode", "--all", "--board", "7", DEAL).out == outcome.out
    assert cli("encode", "--as", "bba", "--board", "7", DEAL).lines == [rows["bba"]]
    assert cli("encode", "--board", "0", DEAL).code == 2
