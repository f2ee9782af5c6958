"""`pavcodec grep`: the boards of any collection that satisfy a condition."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from formats_support import DEMO, ENDING, Cli, read_text

import pavcodec as pav
from pavcodec.boards import batch
from pavcodec.constraints import search
from pavcodec.constraints.nodes.syntax import Number
from pavcodec.questions import searching
from pavcodec.questions.inputs import Problems

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STRONG = "hcp(north) + hcp(south) >= 25"
BOARDS = read_text(DEMO.read_bytes()).boards


def strong(board: pav.Board) -> bool:
    """What the condition means, in Python."""
    layout = board.layout
    return isinstance(layout, pav.Deal) and layout["N"].hcp + layout["S"].hcp >= 25


def test_boards_keep_their_tags(cli: Cli, tmp_path: Path) -> None:
    outcome = cli("grep", STRONG, DEMO, "--to", "pbn")
    found = list(pav.read(io.BytesIO(outcome.out.encode()), format="pbn"))
    assert [board.tags for board in found] == [board.tags for board in BOARDS if strong(board)]
    path = tmp_path / "strong.pbn"
    assert cli("grep", STRONG, DEMO, "-o", path).code == 0
    assert path.read_bytes() == outcome.out.encode()


def lines_of_all_kinds() -> str:
    """Deals, endings and rubbish, in some order."""
    lines = [str(deal) for deal in pav.numbering("deal").sample(300, seed="lines")]
    for place in range(0, 300, 23):
        lines.insert(place, ENDING)
        lines.insert(place + 5, f"N:rubbish {place}")
        lines.insert(place + 6, f"N:rubbish {place} again")
    return "".join(f"{line}\n" for line in lines)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search in batches from the 20th board on."""
    for room, name, value in (
        (searching, "_FEW", 20), (searching, "_AT_ONCE", 32), (batch, "_PATIENCE", 60)
    ):  # fmt: skip
        monkeypatch.setattr(room, name, value)
    monkeypatch.setattr(search, "_FEW_IN_BATCH", 4)


CONDITIONS = [
    STRONG,
    "12 / (spades(south) - 5) > 2",
    "hcp(north) > 9 && 12 % (spades(south) - 5) && losers(east) != 7",
    "hcp(north) > 9 && rnd(1) == 0",
    "hcp(north) > 9 && rnd(spades(south) - 2) < 99",
    "hcp(north) > 17 && tricks(north, spades) > 3",
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("condition", "options"),
    [
        *((condition, ["--json"]) for condition in CONDITIONS),
        *((CONDITIONS[2], options) for options in (["-v"], ["-c"], ["--strict"], ["--to", "pbn"])),
    ],
)
def test_batches_are_not_to_be_seen(
    cli: Cli, condition: str, options: list[str], request: pytest.FixtureRequest
) -> None:
    """Results and problems are the same, in the same order."""
    words = ["grep", condition, "-", "absent.pbn", *options]
    text = lines_of_all_kinds()
    if "--strict" in options:
        text = text.replace("N:rubbish 0\n", "").replace("N:rubbish 0 again\n", "")
    one_by_one = cli(*words, stdin=text)
    request.getfixturevalue("small_batches")
    assert cli(*words, stdin=text) == one_by_one
    assert one_by_one.err


@pytest.mark.parametrize("max_consecutive_rejections", [60, 0])
def test_results_do_not_wait_for_boards_that_are_slow_to_come(
    max_consecutive_rejections: int, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """The first boards are searched as they come, and so are all if they are slow."""
    request.getfixturevalue("small_batches")
    monkeypatch.setattr(batch, "_PATIENCE", max_consecutive_rejections)
    read: list[int] = []

    def slow() -> Iterator[tuple[str, pav.Board]]:
        for place, deal in enumerate(pav.numbering("deal").samples(90, seed=2)):
            read.append(place)
            yield "slow", pav.Board.make(deal)

    search = searching.Search(Number(1), Problems())
    ahead = [len(read) - place for place, _ in enumerate(search.found(slow()), start=1)]
    assert len(ahead) == 90
    assert ahead[:20] == [0] * 20
    assert max(ahead) == (31 if max_consecutive_rejections else 0)
