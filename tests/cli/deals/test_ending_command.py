"""`pavcodec ending`."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav
from pavcodec.boards.play import played_cards

if TYPE_CHECKING:
    from formats_support import Cli

ENDING = "N:AKQJT9876... .AKQJT987.A. .6543.KQJT9. .2.8765.AKQJ"
MIDDLE = "N:A..2. K... Q... J..4."


def test_a_line_of_play_as_a_table(cli: Cli) -> None:
    outcome = cli("ending", "--denomination", "nt", ENDING)
    assert (outcome.code, outcome.err) == (0, "")
    ending, verdict, what, deal, head, *rows = outcome.lines
    assert (ending, verdict) == (ENDING, "legal in NT")
    assert what == "a line of play in NT, from the deal"
    assert pav.Layout.from_pbn(deal).is_deal
    assert head.split() == ["trick", "led", "by", "N", "E", "S", "W", "won", "by"]
    assert [row.split()[0] for row in rows if row] == ["1", "2", "3", "4"]


def test_the_reason_of_an_ending_that_is_not_legal(cli: Cli) -> None:
    outcome = cli("ending", "N:AK.A.A.A QJ.K.K.K T9.Q.Q.Q 87.J.J.J", "N:A... K... Q... J...")
    assert outcome.code == 1
    assert outcome.err == ""
    assert outcome.lines[1].startswith("not legal: 8 tricks are over, but at most 7 can have been")
    assert "legal in NT, S, H, D, C" in outcome.lines


def test_json(cli: Cli) -> None:
    outcome = cli("ending", "--json", "--table", "H3,H2", "--first-leader", "w", MIDDLE)
    row = json.loads(outcome.out)
    assert (outcome.code, row["ending"], row["legal"]) == (0, MIDDLE, True)
    assert row["tricks"][-1] == {"leader": "E", "cards": ["H3", "H2"], "winner": None}
    assert row["tricks"][0]["leader"] == "W"
    row = json.loads(cli("ending", "--json", "--table", "S3,H2", MIDDLE).out)
    assert row == {
        "ending": MIDDLE,
        "legal": False,
        "reason": "S played H2 to a spade and still holds spades: a revoke",
        "on_lead": "E",
        "table": ["S3", "H2"],
    }


@pytest.mark.parametrize("text", [ENDING, MIDDLE, "N:A... K... Q... J..."])
def test_boards_with_the_play(cli: Cli, text: str) -> None:
    outcome = cli("ending", "--to", "pbn", text)
    assert (outcome.code, outcome.err) == (0, "")
    (board,) = pav.read(io.BytesIO(outcome.out.encode()))
    assert board.layout is not None
    left = bytearray(board.layout.owners)
    for card in played_cards(board, board.tags["Contract"][1]):
        left[pav.Card.parse(card)] = 4
    assert pav.Layout(bytes(left)) == pav.Layout.from_pbn(text)


def test_files_and_what_is_no_ending(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "endings.txt"
    path.write_text(f"{ENDING}\nN:AQ... K... J... -\nN:AK.A.A.A QJ.K.K.K T9.Q.Q.Q 87.J.J.J\n")
    written = tmp_path / "lines.pbn"
    outcome = cli("ending", str(path), "-o", str(written))
    assert outcome.code == 1
    first, second = outcome.err.splitlines()
    assert first.startswith(
        f"{path}:2: an ending has equally many cards in every hand, or one less"
    )
    assert second.startswith(f"{path}:3: 8 tricks are over, but at most 7 can have been led: ")
    assert len(list(pav.read(written))) == 1
