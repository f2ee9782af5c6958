"""`pavcodec turn`: boards whose players have changed seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, OTHER, Cli

import pavcodec as pav
from pavcodec import Board, Seat
from pavcodec.boards.turning import turn

if TYPE_CHECKING:
    from pathlib import Path

EVENT = f"""[Event "Northern Club"]
[Board "1"]
[North "Nora"]
[East "Eve"]
[South "Sam"]
[West "Will"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{DEAL}"]
[Declarer "E"]
[Contract "3NT"]
[Result "9"]
{{East plays 3NT; South leads.}}
[Score "EW 400"]
[Auction "N"]
Pass 1NT Pass 3NT
AP
[Play "S"]
SQ SK SA S2

[Board "2"]
[Deal "{OTHER}"]
[Auction "E"]
AP
"""


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """A board with auction and play, and a passed-out board."""
    path = tmp_path / "event.pbn"
    path.write_text(EVENT)
    return path


def boards(path: Path) -> list[Board]:
    return list(pav.read(path))


@pytest.mark.parametrize("places", [1, 2, 3])
def test_all_boards_turn_by_places(cli: Cli, tmp_path: Path, event: Path, places: int) -> None:
    out = tmp_path / "out.json"
    outcome = cli("turn", event, "--places", places, "-o", out)
    assert (outcome.code, outcome.err) == (0, "")
    expected = [turn(board, places, numbering=pav.numbering) for board in boards(event)]
    assert [b.entries for b in boards(out)] == [b.entries for b in expected]
    assert [b.number for b in boards(out)] == [1, 2]


def test_the_whole_of_a_board_is_turned(cli: Cli, event: Path) -> None:
    text = cli("turn", event, "--places", "1").out.replace("\r", "")
    for line in (
        '[Event "Northern Club"]', '[East "Nora"]', '[Dealer "E"]', '[Declarer "S"]',
        "{South plays 3NT; West leads.}", '[Score "NS 400"]', '[Auction "E"]', '[Play "W"]',
    ):  # fmt: skip
        assert f"\n{line}\n" in text


def test_four_turns_through_files_give_the_first_boards(
    cli: Cli, tmp_path: Path, event: Path
) -> None:
    path = tmp_path / "0.pbn"
    assert cli("convert", event, path).code == 0
    for number in range(1, 5):
        later = tmp_path / f"{number}.pbn"
        assert cli("turn", path, "--places", "1", "-o", later).code == 0
        path = later
    assert path.read_bytes() == (tmp_path / "0.pbn").read_bytes()


@pytest.mark.parametrize("seat", ["south", "N", "East"])
def test_each_declarer_or_dealer_gets_a_seat(
    cli: Cli, tmp_path: Path, event: Path, seat: str
) -> None:
    out = tmp_path / "out.pbn"
    outcome = cli("turn", event, "--declarer", seat, "-o", out)
    assert outcome.err == "1 board without a declarer is not turned\n"
    first, second = boards(out)
    assert first.tags["Declarer"] == seat[0].upper()
    assert second.layout == boards(event)[1].layout
    assert cli("turn", event, "--dealer", seat, "-o", out, "--force").err == ""
    assert {board.dealer for board in boards(out)} == {Seat.parse(seat)}


@pytest.mark.parametrize(("pair", "moved"), [("ns", "SENW"), ("EW", "NWSE")])
def test_partners_swap_their_seats(
    cli: Cli, tmp_path: Path, event: Path, pair: str, moved: str
) -> None:
    out = tmp_path / "out.pbn"
    outcome = cli("turn", event, "--swap", pair, "-o", out)
    assert outcome.err == (
        "2 boards lose auction, play, double-dummy tricks or par: in these seats nobody plays in "
        "turn\n"
    )
    first = boards(out)[0]
    for seat, letter in zip(Seat, moved, strict=True):
        assert first.layout is not None
        assert first.layout[letter] == boards(event)[0].layout[seat]  # type: ignore[index]
    assert "Auction" not in first.tags
    assert cli("turn", event, "--seats", moved, "-o", tmp_path / "b.pbn").code == 0
    assert (tmp_path / "b.pbn").read_bytes() == out.read_bytes()


def test_boards_events_and_formats(cli: Cli, tmp_path: Path, event: Path) -> None:
    out = tmp_path / "out.jsonl"
    words = ["--places", "2", "--boards", "2", "--event", "Lesson", "-o", out]
    assert cli("turn", event, *words).code == 0
    (board,) = boards(out)
    assert (board.number, board.tags["Event"], board.dealer) == (2, "Lesson", Seat.WEST)


def test_a_format_that_derives_the_dealer_is_a_note(cli: Cli, tmp_path: Path, event: Path) -> None:
    outcome = cli("turn", event, "--places", "1", "-o", tmp_path / "out.dup")
    assert "the dealer of 2 boards and the vulnerability of 1 board become those of the board" in (
        outcome.err
    )


def test_standard_input_and_output(cli: Cli) -> None:
    outcome = cli("turn", "--places", "2", stdin=EVENT)
    assert (outcome.code, outcome.err) == (0, "")
    assert '[Dealer "S"]' in outcome.out
    assert cli("turn", "-", "--places", "2", "--to", "lines", stdin=EVENT).out.count("\n") == 2
