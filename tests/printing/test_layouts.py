"""Documents of boards: titles, lines, footers and layouts."""

from __future__ import annotations

import pytest
from printing_support import some_boards

from pavcodec import Board, UnknownNameError
from pavcodec.printing.document import Hands, Records, Table
from pavcodec.printing.pages import LAYOUTS, SECRET_LAYOUTS, board_document

SEED = "pavcodec 1.0.0 seed=7"


def tagged(*tags: dict[str, str]) -> list[Board]:
    return [Board.make(None, number=n, tags=each) for n, each in enumerate(tags, 1)]


def test_the_title_is_given_or_the_event_or_the_numbers() -> None:
    boards = tagged({"Event": "Heat"}, {"Event": "Heat"})
    assert board_document(boards).title == "Heat"
    given = board_document(boards, title="Our night")
    assert (given.title, given.lines) == ("Our night", ("Heat",))
    assert board_document(tagged({"Event": "Heat"}, {"Event": "Final"})).title == "Boards 1 to 2"
    assert board_document(tagged({"Event": "?"})).title == "Board 1"
    assert board_document([Board(None)]).title == "Boards"
    assert board_document([]).title == "Boards"


def test_lines_are_the_facts_that_all_boards_share() -> None:
    tags = {"Event": "Heat", "Site": "Riverside", "Date": "2026.11.24", "Session": "2"}
    lines = ("Riverside", "24 November 2026", "Session 2")
    assert board_document(tagged(tags, tags)).lines == lines
    assert board_document(tagged(tags, tags | {"Session": "3"})).lines == lines[:2]
    odd = {"Date": "2026.02.30", "Site": "-", "Session": "Evening"}
    assert board_document(tagged(odd)).lines == ("2026.02.30", "Evening")


OF_A_SET = {"Generator": "pavcodec 1.0.0 squaredeal"}


@pytest.mark.parametrize(
    ("tags", "lines"),
    [
        ({"Stage": "Final", "Session": "2"}, ("Final", "Session 2")),
        ({"Stage": "Session", "Session": "tuesday-2026-11-24"} | OF_A_SET, ()),
        ({"Stage": "Round 1/2", "Session": "tuesday-1"} | OF_A_SET, ("Round 1/2",)),
        ({"Stage": "Round 1", "Session": "OPRR01"} | OF_A_SET, ("Round 1", "OPRR01")),
        ({"Stage": "Session", "Session": "Evening"} | OF_A_SET, ("Evening",)),
        ({"Stage": "Final", "Session": "evening"}, ("Final", "evening")),
    ],
)
def test_the_name_of_a_file_is_no_session(tags: dict[str, str], lines: tuple[str, ...]) -> None:
    assert board_document(tagged(tags, tags)).lines == lines


def test_the_footer_has_the_seed_and_the_proof() -> None:
    document = board_document(tagged({"Generator": SEED}))
    assert (document.footer, document.code) == (SEED, SEED)
    other = board_document(tagged({"Generator": "Dealer 3"}))
    assert (other.footer, other.code) == ("Dealer 3", "")
    proof = board_document(tagged({"Generator": SEED, "KH": "ab12"}))
    assert (proof.footer, proof.code) == (f"{SEED}. SquareDeal: hash of the keys ab12", "ab12")


@pytest.mark.parametrize("layout", SECRET_LAYOUTS)
def test_players_do_not_see_the_seed(layout: str) -> None:
    document = board_document(tagged({"Generator": SEED, "KH": "ab12"}), layout=layout)
    assert (document.footer, document.code) == ("", "")


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
