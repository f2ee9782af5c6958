"""`pavcodec ending`."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav
from pavcodec.boards.play import played_cards

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

ENDING = "N:AKQJT9876... .AKQJT987.A. .6543.KQJT9. .2.8765.AKQJ"
MIDDLE = "N:A..2. K... Q... J..4."


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
