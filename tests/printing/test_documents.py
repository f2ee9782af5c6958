"""Boards on pages: their facts, titles, layouts and footers, and `print_boards`."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from packages import needs
from printing_support import odd_boards, some_boards

import pavcodec as pav
from pavcodec import Board, TrickTable, UnknownNameError
from pavcodec.printing.document import Hands, Records, Table, facts_of
from pavcodec.printing.pages import LAYOUTS, SECRET_LAYOUTS, board_document

DEAL = some_boards(1)[0].layout
NINES = TrickTable(bytes([7, 5, 8, 5] + [10, 3, 10, 3] + [5, 8, 5, 8] * 3))


def test_makeable_contracts_and_tricks() -> None:
    facts = facts_of(Board.make(DEAL, number=1, tricks=NINES))
    assert facts.makeable == (("NS", ("4♠", "1/2NT")), ("EW", ("2♣", "2♦", "2♥")))
    assert facts.tricks[0] == ("N", (7, 10, 5, 5, 5))
    assert [seat for seat, _ in facts.tricks] == ["N", "S", "E", "W"]
    one = facts_of(Board.make(DEAL, number=1, tricks=TrickTable(bytes([7, 6, 6, 6] + [6] * 16))))
    assert one.makeable == (("NS", ("1/–NT",)), ("EW", ()))


FLAT = TrickTable(bytes([6] * 20))
PARS: list[tuple[str, TrickTable, dict[str, str]]] = [
    ("NS +420: 4♠ NS =", NINES, {}),
    ("EW +500", NINES, {"OptimumScore": "EW 500"}),
    ("NS +100: 4♠X EW −1", NINES, {"OptimumScore": "EW -100", "ParContract": "EW 4SX-1"}),
    ("0", NINES, {"OptimumScore": "NS 0"}),
    (
        "NS +400: 3NT N =, 5♥XX EW +1",
        NINES,
        {"OptimumScore": "NS +400", "ParContract": "N 3N=; x; EW 5HXX+1"},
    ),
    ("NS +420: 4♠ NS =", NINES, {"OptimumScore": "NS 420"}),
    ("NS +420: 4♠ NS =", NINES, {"OptimumScore": "rubbish"}),
    ("0: all pass", FLAT, {}),
]


def test_par_is_that_of_the_file_or_of_the_tricks() -> None:
    for par, tricks, tags in PARS:
        assert facts_of(Board.make(DEAL, number=1, tags=tags, tricks=tricks)).par == par, tags
    assert facts_of(Board.make(DEAL, tricks=NINES)).par == ""


def test_odd_boards_have_facts() -> None:
    found = [facts_of(board) for board in odd_boards()]
    assert [each.title for each in found][:4] == ["Board 1", "Board 2", "Board 3", "Board"]
    north, east, *_ = found[1].hands
    assert (north.suits, north.hcp, east.suits) == (("AK", "Q", "–", "–"), 9, ("–",) * 4)
    assert found[2].hands == ()
    assert found[3].dealer == found[3].vulnerable == ""
    ending = pav.Layout.from_pbn("N:AK.Q.. T9.J.. .32.4. .T..A")
    few = facts_of(Board.make(ending, number=1, tricks=TrickTable(bytes([3] * 20))))
    assert (few.par, few.makeable, len(few.tricks)) == ("", (), 4)


SEED = "pavcodec 1.0.0 seed=7"


def tagged(*tags: dict[str, str]) -> list[Board]:
    return [Board.make(None, number=n, tags=each) for n, each in enumerate(tags, 1)]


def test_the_title_is_given_or_the_event_or_the_numbers() -> None:
    boards = tagged({"Event": "Heat"}, {"Event": "Heat"})
    for several, title in (
        (boards, "Heat"),
        (tagged({"Event": "Heat"}, {"Event": "Final"}), "Boards 1 to 2"),
        (tagged({"Event": "?"}), "Board 1"),
        ([Board(None)], "Boards"),
        ([], "Boards"),
    ):
        assert board_document(several).title == title
    given = board_document(boards, title="Our night")
    assert (given.title, given.lines) == ("Our night", ("Heat",))


CLUB = {"Event": "Heat", "Site": "Riverside", "Date": "2026.11.24"}
OF_A_SET = {"Generator": "pavcodec 1.0.0 squaredeal"}
LINES: list[tuple[tuple[dict[str, str], ...], tuple[str, ...]]] = [
    ((CLUB | {"Session": "2"},) * 2, ("Riverside", "24 November 2026", "Session 2")),
    ((CLUB, CLUB | {"Session": "3"}), ("Riverside", "24 November 2026")),
    (({"Date": "2026.02.30", "Site": "-", "Session": "Evening"},), ("2026.02.30", "Evening")),
    (({"Stage": "Final", "Session": "2"},), ("Final", "Session 2")),
    (({"Stage": "Session", "Session": "tuesday-2026-11-24"} | OF_A_SET,), ()),
    (({"Stage": "Round 1/2", "Session": "tuesday-1"} | OF_A_SET,), ("Round 1/2",)),
    (({"Stage": "Round 1", "Session": "OPRR01"} | OF_A_SET,), ("Round 1", "OPRR01")),
    (({"Stage": "Session", "Session": "Evening"} | OF_A_SET,), ("Evening",)),
    (({"Stage": "Final", "Session": "evening"},), ("Final", "evening")),
]


def test_lines_are_the_facts_that_all_boards_share_without_names_of_files() -> None:
    for tags, lines in LINES:
        assert board_document(tagged(*tags)).lines == lines


def test_the_footer_has_the_seed_and_the_proof_that_players_do_not_see() -> None:
    proof = tagged({"Generator": SEED, "KH": "ab12"})
    for boards, layout, footer, code in (
        (tagged({"Generator": SEED}), "records", SEED, SEED),
        (tagged({"Generator": "Dealer 3"}), "records", "Dealer 3", ""),
        (proof, "records", f"{SEED}. SquareDeal: hash of the keys ab12", "ab12"),
        *((proof, secret, "", "") for secret in SECRET_LAYOUTS),
    ):
        document = board_document(boards, layout=layout)
        assert (document.footer, document.code) == (footer, code)


def test_each_layout_is_a_part() -> None:
    boards = some_boards(12)
    kinds = {layout: board_document(boards, layout=layout).parts[0] for layout in LAYOUTS}
    for layout in ("records", "large", "single"):
        assert kinds[layout] == Records(tuple(boards), layout)
    for layout in ("curtain", "slips"):
        assert kinds[layout] == Hands(tuple(boards), layout=layout)  # type: ignore[arg-type]
    assert kinds["players"] == Hands(tuple(boards), layout="rows")
    few = Hands(tuple(boards[:8]), layout="rows", per_page=2)
    assert board_document(boards[:8], layout="players").parts == (few,)
    with pytest.raises(UnknownNameError, match="did you mean 'large'"):
        board_document(boards, layout="lage")


def test_columns_of_numbers_are_on_the_right() -> None:
    rows = (("N", "1", "x", "–", "1.5%"), ("S", "23", "4", "", "−2"))
    assert Table(("a", "b", "c", "d", "e"), rows).alignment == "lrlrr"
    assert Table(("a", "b"), (), align="cr").alignment == "cr"


BOARDS = some_boards(2)


def test_a_file_has_the_format_of_its_suffix(tmp_path: Path) -> None:
    needs("typst")
    assert pav.print_boards(BOARDS, tmp_path / "x.PDF", layout="curtain") == 2
    assert (tmp_path / "x.PDF").read_bytes().startswith(b"%PDF")
    for name in ("x.html", "x.htm"):
        assert pav.print_boards(iter(BOARDS), str(tmp_path / name), title="Night & day") == 2
        assert "<h1>Night &amp; day</h1>" in (tmp_path / name).read_text("utf-8")


def test_layouts_and_streams() -> None:
    stream = io.BytesIO()
    assert BOARDS[0].layout is not None
    assert pav.print_boards([BOARDS[0].layout], stream, format="html", paper="letter") == 1
    assert b"size: letter" in stream.getvalue()
    assert b"Makes" not in stream.getvalue()


def test_unknown_names_and_a_board_alone(tmp_path: Path) -> None:
    for options, reason in (
        ({"format": "svg"}, "pages are written as pdf or html, not 'svg'"),
        ({}, "pages are written as pdf or html, not 'pbn'"),
        ({"format": "html", "layout": "recards"}, "did you mean 'records'"),
        ({"format": "html", "paper": "a5"}, "no paper is called 'a5'"),
    ):
        arguments: dict[str, Any] = options
        with pytest.raises(pav.UnknownNameError, match=reason):
            pav.print_boards(BOARDS, tmp_path / "x.pbn", **arguments)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(TypeError, match="boards are printed together"):
        pav.print_boards(BOARDS[0], io.BytesIO(), format="html")  # type: ignore[arg-type]
