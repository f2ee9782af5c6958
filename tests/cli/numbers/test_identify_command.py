"""`pavcodec identify`, and codes in `encode` and `decode`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, DEMO, ENDING, NUMBER
from oracles import vectors

import pavcodec as pav

if TYPE_CHECKING:
    from formats_support import Cli

BBA = "6976424A64820BB4FF80D8A08EB9"


def test_one_line_for_each_scheme(cli: Cli) -> None:
    outcome = cli("identify", NUMBER)
    assert (outcome.code, outcome.err) == (0, "")
    rows = [line.split(maxsplit=2) for line in outcome.lines]
    expected = pav.identify(str(NUMBER))
    assert [row[0] for row in rows] == [one.scheme for one in expected]
    for row, one in zip(rows, expected, strict=True):
        if one.number is not None:
            assert row[1:] == [str(NUMBER), str(one.layout)]


def test_a_code_with_its_board(cli: Cli) -> None:
    first, *_ = cli("identify", BBA).lines
    assert first.split(maxsplit=3)[:3] == ["bba", "board", "99"]
    assert first.endswith("N:9.KQT963.KT64.97 AKQJ.5.AJ8.AKQT3 T86432.J4.Q952.2 75.A872.73.J8654")


def test_json(cli: Cli) -> None:
    outcome = cli("identify", "--json", BBA, "5")
    first, second = map(json.loads, outcome.lines)
    assert (first["code"], second["code"]) == (BBA, "5")
    assert first["schemes"][0] == {
        "scheme": "bba",
        "kind": "code",
        "summary": "28 hexadecimal digits: dealer, vulnerability and board, then a byte a rank",
        "form": "deal",
        "board": 99,
        "deal": "N:9.KQT963.KT64.97 AKQJ.5.AJ8.AKQT3 T86432.J4.Q952.2 75.A872.73.J8654",
    }
    deal = second["schemes"][0]
    assert (deal["scheme"], deal["kind"], deal["number"], deal["hex"]) == (
        "deal", "numbering", "5", "0x5",
    )  # fmt: skip


def test_nothing_fits(cli: Cli) -> None:
    outcome = cli("identify", "hello-world")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.complaint == "arguments:1: 'hello-world' fits no numbering and no code"
    outcome = cli("identify", "--json", "1" * 52)
    assert (outcome.code, outcome.out) == (1, "")
    assert "as ber, a deal has 13 cards in each hand" in outcome.complaint


def test_several_texts_and_the_standard_input(cli: Cli) -> None:
    both = cli("identify", BBA, "hello-world", "0")
    assert both.code == 1
    assert "arguments:2: 'hello-world'" in both.complaint
    assert {line.split()[0] for line in both.lines} == {BBA, "0"}
    read = cli("identify", stdin=f"{BBA}\n# remark\n\n0\n")
    assert (read.code, read.out) == (0, both.out)
    assert cli("identify", "-", stdin=f"{BBA}\n0\n").out == both.out


def test_numbers_from_one(cli: Cli) -> None:
    outcome = cli("identify", "--one-based", "--json", "1")
    (told,) = map(json.loads, outcome.lines)
    assert told["schemes"][0]["deal"] == str(pav.numbering("deal")[0])


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


def test_codes_of_what_is_no_deal(cli: Cli) -> None:
    outcome = cli("encode", "--as", "ber", stdin=ENDING)
    assert (outcome.code, outcome.out) == (1, "")
    assert "13 cards in each hand" in outcome.complaint
    outcome = cli("decode", "--as", "ber", stdin=f"{'1' * 52}\nx\n")
    assert (outcome.code, outcome.out) == (1, "")
    first, second = outcome.err.splitlines()
    assert first.startswith("stdin:1: a deal has 13 cards in each hand; here N holds 52")
    assert second.startswith("stdin:2: 'x' is not a code 'ber'")


def test_a_large_board_number_is_a_problem_for_dlm(cli: Cli) -> None:
    outcome = cli("encode", "--as", "dlm", stdin=f'[Board "100"]\n[Deal "{DEAL}"]\n')
    assert (outcome.code, outcome.out) == (1, "")
    assert "code 'dlm' holds boards 1 to 99, not 100" in outcome.complaint


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
