"""`pavcodec encode`, `decode`, `identify` and `ending`: every numbering and every code."""

from __future__ import annotations

import io

import pytest
from formats_support import DEAL, DEMO, NUMBER, Cli, read_text
from oracles import vectors

import pavcodec as pav
from pavcodec import Layout, numbering, numbering_names
from pavcodec.boards.play import played_cards


def test_the_standard_input_is_read_in_any_format(cli: Cli) -> None:
    pbn, lower = f'[Deal "{DEAL}"]', f"# x\n{DEAL.lower()}\r\n"
    for text in (DEAL, pbn, f"{NUMBER:,}", lower, f"\ufeff{DEAL}"):
        assert cli("encode", stdin=text) == cli("encode", "-", stdin=text)
        assert cli("encode", stdin=text) == (0, f"{NUMBER}\n", "")


@pytest.mark.slow
@pytest.mark.parametrize("name", numbering_names())
def test_every_numbering_goes_there_and_back(cli: Cli, name: str) -> None:
    ranks = numbering(name)
    numbers = [0, 1, ranks.cardinality // 2, ranks.cardinality - 1]
    outcome = cli("decode", "--as", name, *numbers)
    assert outcome.code == 0
    assert [Layout.from_pbn(line) for line in outcome.lines] == [ranks[n] for n in numbers]
    assert [int(n) for n in cli("encode", "--as", name, stdin=outcome.out).lines] == numbers
    assert cli("decode", "--as", name, ranks.cardinality, -1).code == 1
    boards = read_text(DEMO.read_bytes()).boards
    members = [board.layout for board in boards if board.layout in ranks]
    outcome = cli("encode", "--as", name, DEMO)
    assert [int(line) for line in outcome.lines] == [ranks.rank(one) for one in members if one]
    assert outcome.code == (len(members) < len(boards))
    complaints = outcome.err.splitlines()
    assert len(complaints) == len(boards) - len(members)
    for line in complaints:  # the endings are boards 33 to 36
        assert [each in line for each in (f"{DEMO}:", name, ": board 3")] == [True] * 3


@pytest.mark.slow
@pytest.mark.parametrize("name", pav.code_names())
def test_encode_and_decode_by_codes(cli: Cli, name: str) -> None:
    deals = [str(deal) for deal in numbering("deal").sample(8, seed=7)]
    encoded = cli("encode", "--as", name, stdin="\n".join(deals))
    assert (encoded.code, encoded.err) == (0, "")
    assert encoded.lines == [pav.code(name).format(pav.Deal.from_pbn(deal)) for deal in deals]
    decoded = cli("decode", "--as", name, stdin=encoded.out)
    assert (decoded.code, decoded.lines) == (0, deals)


def test_the_list_of_codes(cli: Cli) -> None:
    names = pav.code_names(rare=True)
    heads = [line.split(" ")[0] for line in cli("identify", "--list").lines]
    assert [head for head in heads if head in names] == names


@pytest.mark.slow
def test_codes_have_the_number_of_the_board(cli: Cli) -> None:
    rows = vectors("bba")
    text = "".join(f"{row['code']}\n" for row in rows)
    decoded = cli("decode", "--as", "bba", "--to", "pbn", stdin=text)
    assert (decoded.code, decoded.out.count("[Board ")) == (0, len(rows))
    assert cli("encode", "--as", "bba", stdin=decoded.out).out == text
    outcome = cli("encode", "--all", stdin=f'[Board "7"]\n[Deal "{DEAL}"]\n')
    codes = dict(line.split() for line in outcome.lines)
    assert pav.code("bba").parse_board(codes["bba"])[1] == 7
    assert cli("encode", "--all", "--board", "7", DEAL).out == outcome.out
    assert cli("encode", "--as", "bba", "--board", "7", DEAL).lines == [codes["bba"]]


@pytest.mark.slow
def test_endings_are_boards_with_the_play(cli: Cli) -> None:
    ending = "N:AKQJT9876... .AKQJT987.A. .6543.KQJT9. .2.8765.AKQJ"
    for text in (ending, "N:A..2. K... Q... J..4."):
        outcome = cli("ending", "--to", "pbn", text)
        (board,) = pav.read(io.BytesIO(outcome.out.encode()))
        assert board.layout is not None
        left = bytearray(board.layout.owners)
        for card in played_cards(board, board.tags["Contract"][1]):
            left[pav.Card.parse(card)] = 4
        assert pav.Layout(bytes(left)) == pav.Layout.from_pbn(text)
