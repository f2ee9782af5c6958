"""`pavcodec show`: boards as diagrams on the screen, as pages and as pictures."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, DEMO, Cli
from printing_support import some_boards

import pavcodec as pav
from pavcodec.layout.drawings import diagram

if TYPE_CHECKING:
    from pathlib import Path

BOARDS = list(pav.read(DEMO))


def test_boards_by_number(cli: Cli) -> None:
    outcome = cli("show", DEMO, "--boards", "7,33-34")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.count("Board ") == 3
    layout = BOARDS[6].layout
    assert layout is not None
    notes = ["South deals, all vulnerable", "HCP  N 9  E 12  S 6  W 13", ""]
    assert outcome.lines[:17] == ["Board 7", *diagram(layout), *notes, "Board 33"]


def test_what_is_known_as_json(cli: Cli) -> None:
    rows = [json.loads(line) for line in cli("show", "--json", DEMO).lines]
    assert [row["deal"] for row in rows] == [str(board.layout) for board in BOARDS]
    assert rows[6]["heading"] == "Board 7"


def test_contracts_and_tricks_are_told(cli: Cli) -> None:
    deal = BOARDS[0].layout
    tricks = "\n".join(f"{s} {d} 7" for s in "NSEW" for d in ("NT", "S", "H", "D", "C"))
    text = (
        f'[Board "1"]\n[Deal "{deal}"]\n[Contract "4SX"]\n[Declarer "N"]\n[Result "9"]\n'
        f'[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\n{tricks}\n'
    )
    lines = cli("show", stdin=text).lines
    assert "contract 4SX by N, 9 tricks" in lines
    assert lines[-6:] == [
        "tricks  NT   ♠   ♥   ♦   ♣",
        *(f"{seat}        7   7   7   7   7" for seat in "NSEW"),
        "",
    ]
    assert "passed out" in cli("show", stdin=f'[Deal "{deal}"]\n[Contract "Pass"]\n').lines


@pytest.mark.slow
def test_pages_and_pictures(tmp_path: Path, cli: Cli) -> None:
    page, picture = tmp_path / "x.html", tmp_path / "x.svg"
    assert cli("show", DEMO, "-o", page).code == 0
    text = page.read_text(encoding="utf-8")
    assert text.count('<article class="board') == 36
    for word in ("http", "url(", "@import", "<script"):
        assert word not in text
    assert cli("show", DEMO, "--boards", "3", "-o", picture).code == 0
    assert ET.parse(picture).getroot().tag.endswith("}svg")  # noqa: S314
    assert cli("show", DEMO, "--boards", "3", "--to", "svg").out == picture.read_text("utf-8")
    again = tmp_path / "y.html"
    assert cli("convert", DEMO, again).code == 0
    assert again.read_bytes() == page.read_bytes()
    outcome = cli("convert", page, tmp_path / "z.pbn")
    assert (outcome.code, "are written, and not read" in outcome.err) == (1, True)


def test_boards_that_are_not_there(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "event.pbn"
    boards = [pav.Board.make(pav.numbering("deal")[n], number=n) for n in (1, 2, 3, 7)]
    pav.write(boards, path)
    outcome = cli("show", "--boards", "99", path)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.complaint == f"{path}: no board 99: there are 1-3, 7"
    some = cli("show", "--boards", "7,4-6", path)
    assert some.code == 1
    assert some.out == cli("show", "--boards", "5-9", path).out != ""
    assert some.complaint == f"{path}: no board 4-6: there are 1-3, 7"
    empty = tmp_path / "without.pbn"
    empty.write_text('[Board "1"]\n[Dealer "N"]\n')
    outcome = cli("show", "--boards", "1", empty)
    assert (outcome.code, outcome.complaint) == (1, f"{empty}:1: board 1 has no cards")
    bare = tmp_path / "deals.txt"
    bare.write_text(f"{DEAL}\n")
    assert "there are no boards with numbers" in cli("show", "--boards", "1", bare).complaint


def test_a_picture_of_each_board(cli: Cli, tmp_path: Path) -> None:
    pattern = tmp_path / "board-#.svg"
    assert cli("show", DEMO, "--boards", "3-5", "-o", pattern).code == 0
    names = [f"board-{number}.svg" for number in (3, 4, 5)]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    one = cli("show", DEMO, "--boards", "4", "--to", "svg").out
    assert (tmp_path / "board-4.svg").read_text("utf-8") == one
    again = cli("show", DEMO, "--boards", "4-6", "-o", pattern)
    assert (again.code, "board-4.svg exists: use --force" in again.complaint) == (2, True)
    assert not (tmp_path / "board-6.svg").exists()
    assert cli("show", DEMO, "--boards", "4-6", "-o", pattern, "--force").code == 0
    twice = cli("show", DEMO, DEMO, "-o", tmp_path / "x-#.svg")
    assert (twice.code, "two boards have the same number" in twice.complaint) == (1, True)


def test_pictures_show_tricks_and_par(cli: Cli, tmp_path: Path) -> None:
    event = tmp_path / "x.pbn"
    pav.write(some_boards(1), event)
    picture = ET.fromstring(cli("show", event, "--to", "svg").out)  # noqa: S314
    words = ["".join(text.itertext()) for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert sum(word.isdecimal() for word in words) == 20
    assert any(word.startswith("Makes") for word in words)
    assert any(word.startswith("Par") for word in words)
