"""Codes of deals: the golden vectors, the definition of each, laws, and texts that are no deal."""

from __future__ import annotations

import pickle
import re
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import pytest
from formats_support import corpus_folder
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import DEALS, vectors

import pavcodec as pav
from pavcodec.boards import Vulnerability

NAMES = pav.code_names(rare=True)
every_code = pytest.mark.parametrize("name", NAMES)
DLM = pav.code("dlm")


def test_golden_codes() -> None:
    rows = vectors("codes")
    assert {row["code"] for row in rows} == set(NAMES)
    for row in rows:
        code, deal = pav.code(row["code"]), pav.Deal.from_pbn(row["pbn"])
        board: Any = row["board"]  # a number, or null
        assert code.format(deal, board=board) == row["text"]
        assert code.fits(row["text"])
        assert code.parse_board(f" {row['text']}\n") == (deal, board), row


@every_code
def test_each_code_comes_back(name: str) -> None:
    code, ranks = pav.code(name), pav.numbering("deal")
    assert pickle.loads(pickle.dumps(code)) == code
    numbers = (0, 1, 10**28, DEALS // 2, DEALS - 2, DEALS - 1)
    for deal in [*(ranks[number] for number in numbers), *ranks.sample(20, seed=1)]:
        assert code.parse(code.format(deal)) == deal
        assert name in {one.scheme for one in pav.identify(code.format(deal))}
    for text in ("N:AK.Q.. - .32.4. -", "N:- - - -", "N:AKQJT98765432.A.. .K.. - -"):
        with pytest.raises(pav.LayoutError, match="a deal has 13 cards in each hand"):
            code.format(pav.Layout.from_pbn(text))
    for board in {"bba": (0, 257, -1), "dlm": (0, 100, 1000)}.get(name, ()):
        with pytest.raises(pav.LayoutError, match=f"code '{name}' holds boards 1 to .*not {board}"):
            code.format(ranks[0], board=board)


def test_golden_bba() -> None:
    rows = vectors("bba")
    assert len(rows) == 100
    code = pav.code("bba")
    for row in rows:
        deal, board = code.parse_board(row["code"])
        assert (str(deal), str(board)) == (row["pbn"], str(row["board"]))
        made = pav.Board.make(deal, number=board)
        assert made.dealer is not None
        assert made.vulnerable is not None
        told = {"All": "Both"}.get(row["vulnerable"], row["vulnerable"])
        shown = {"All": "Both"}.get(made.vulnerable.value, made.vulnerable.value)
        assert (made.dealer.letter, shown) == (row["dealer"], told)
        assert code.format(deal, board=board) == row["code"]
        assert code.parse(row["code"].lower()) == deal


def test_golden_zrd() -> None:
    code = pav.code("zrd")
    for row in vectors("rpdd"):
        deal = pav.Deal.from_pbn(row["pbn"])
        assert code.format(deal) == row["zrd_deal_hex"]
        assert code.parse(row["zrd_deal_hex"]) == deal
        record = pav.record("zrd").build(pav.SolvedDeal(deal, pav.TrickTable(bytes(20))))
        assert record.hex().startswith(row["zrd_deal_hex"])


def test_codes_that_keep_the_board() -> None:
    deal = pav.numbering("deal")[10**28]
    words = {"None": 0, "EW": 1, "NS": 2, "All": 3}
    for board in range(1, 257):
        text = pav.code("bba").format(deal, board=board)
        assert pav.code("bba").parse_board(text) == (deal, board)
        vulnerable = words[Vulnerability.of_board(board).value]
        assert int(text[:2], 16) == (board - 1) // 16 * 16 + (board - 1) % 4 * 4 + vulnerable
    for board in range(1, 100):
        text = DLM.format(deal, board=board)
        assert DLM.parse_board(text) == (deal, board)
        assert DLM.parse_board(text[:26]) == (deal, None)
    for board, dealer in ((1, "N"), (2, "E"), (200, "W")):
        text = pav.code("bhg").format(deal, board=board)
        assert pav.code("bhg").parse(text, board=board) == deal
        assert text[:13] == "".join((ascii_uppercase + ascii_lowercase)[c] for c in deal[dealer])
    text = pav.code("saycbridge").format(deal)
    assert pav.code("saycbridge").format(deal, board=12) == f"12-{text}"
    assert pav.code("saycbridge").parse_board(f"12-{text}") == (deal, 12)
    assert pav.code("saycbridge").parse_board(f"12-{text}:P,1C-x") == (deal, 12)
    assert pav.code("saycbridge").parse_board(f"{text.upper()}:P") == (deal, None)


@pytest.mark.slow
@settings(max_examples=80)
@given(st.sampled_from(NAMES), st.data())
def test_any_text_is_a_deal_or_a_clear_error(name: str, data: st.DataObject) -> None:
    code = pav.code(name)
    text = data.draw(st.text(max_size=80) | st.from_regex(code.shape, fullmatch=True))
    try:
        deal = code.parse(text)
    except pav.TextError as error:
        assert not code.fits(text.strip())
        assert repr(code.name) in error.message  # noqa: PT017 (it may be read as well)
    except pav.LayoutError:
        assert code.fits(text.strip())
    else:
        assert deal.is_deal
        assert code.parse(code.format(deal)) == deal


def test_dlm_and_bhg_of_public_files() -> None:
    folder = corpus_folder()
    letters = list((folder / "dlm").glob("*.dlm"))
    borel = list((folder / "bhg").glob("*.bhg"))
    if not letters or not borel:
        pytest.skip("the corpus has no files dlm or bhg")
    seen = 0
    for path in letters:
        for number, text in re.findall(r"^Board (\d+)=(\S+)", path.read_text(), re.MULTILINE):
            deal, board = DLM.parse_board(text)
            assert board == int(number)
            assert DLM.format(deal, board=board) == text
            seen += 1
    for path in borel:
        for board, line in enumerate(path.read_text().split(), 1):
            code = pav.code("bhg")
            assert code.format(code.parse(line, board=board), board=board) == line
            seen += 1
    assert seen > 50


def test_what_is_no_deal_of_rare_codes() -> None:
    """Of the others, the refusals of pages have examples."""
    for name, text, named in (
        ("saycbridge-old", "9" * 32, "above the largest code"),
        ("ww-deal", "ad55e315634dda658bf49200", "has numbers 0 to"),
        ("njhammond-16", "ad55e315634dda658bf49201", "has numbers 1 to"),
        ("njhammond-64", "Hlnz5mddSCmbZ981", "has numbers 1 to"),
    ):
        with pytest.raises(pav.PavError, match=named):
            pav.code(name).parse(text)
