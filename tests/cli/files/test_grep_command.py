"""`pavcodec grep`: the boards of any collection that satisfy a condition."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest
from formats_support import DEAL, DEMO, ENDING, OTHER, Cli, read_text

import pavcodec as pav
from pavcodec.constraints import search
from pavcodec.constraints.nodes.syntax import Number
from pavcodec.questions import searching
from pavcodec.questions.inputs import Problems

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STRONG = "hcp(north) + hcp(south) >= 25"
BOARDS = read_text(DEMO.read_bytes()).boards
TOLD = "4 boards without a complete deal skipped\n"


def strong(board: pav.Board) -> bool:
    """What the condition means, in Python."""
    layout = board.layout
    return isinstance(layout, pav.Deal) and layout["N"].hcp + layout["S"].hcp >= 25


def test_lines_of_what_satisfies_the_condition(cli: Cli) -> None:
    expected = [str(board.layout) for board in BOARDS if strong(board)]
    assert 2 < len(expected) < 30
    outcome = cli("grep", STRONG, DEMO)
    assert outcome == (0, "".join(f"{line}\n" for line in expected), TOLD)
    assert cli("grep", STRONG, stdin=DEMO.read_bytes()) == outcome
    assert cli("grep", STRONG, "-", stdin=DEMO.read_bytes()) == outcome


def test_the_others(cli: Cli) -> None:
    found = [*cli("grep", STRONG, DEMO).lines, *cli("grep", "-v", STRONG, DEMO).lines]
    deals = [str(board.layout) for board in BOARDS if isinstance(board.layout, pav.Deal)]
    assert sorted(found) == sorted(deals)


@pytest.mark.slow
def test_only_how_many(cli: Cli) -> None:
    number = sum(map(strong, BOARDS))
    assert cli("grep", "-c", STRONG, DEMO) == (0, f"{number}\n", TOLD)
    assert cli("grep", "-c", "-v", STRONG, DEMO).out == f"{32 - number}\n"
    assert cli("grep", "-c", STRONG, DEMO, DEMO).out == f"{2 * number}\n"
    row = json.loads(cli("grep", "-c", "--json", STRONG, DEMO).out)
    assert row == {"found": number, "boards": 36, "without_deal": 4}


def test_boards_keep_their_tags(cli: Cli, tmp_path: Path) -> None:
    outcome = cli("grep", STRONG, DEMO, "--to", "pbn")
    found = list(pav.read(io.BytesIO(outcome.out.encode()), format="pbn"))
    assert [board.tags for board in found] == [board.tags for board in BOARDS if strong(board)]
    path = tmp_path / "strong.pbn"
    assert cli("grep", STRONG, DEMO, "-o", path).code == 0
    assert path.read_bytes() == outcome.out.encode()


def test_json_has_a_line_for_each_board(cli: Cli) -> None:
    rows = [json.loads(line) for line in cli("grep", STRONG, DEMO, "--json").lines]
    first = next(board for board in BOARDS if strong(board))
    assert first.layout is not None
    assert rows[0] == {
        "deal": str(first.layout),
        "number": str(pav.numbering("deal").rank(first.layout)),
        "board": first.tags["Board"],
        "file": str(DEMO),
        "line": first.line,
    }
    assert len(rows) == sum(map(strong, BOARDS))


@pytest.mark.parametrize("text", [DEAL, f'[Deal "{DEAL}"]', "12345678901234567890123456789"])
def test_any_format_is_read(cli: Cli, text: str) -> None:
    assert cli("grep", "spades(north) == 1", stdin=text) == (0, f"{DEAL}\n", "")


def test_nothing_found(cli: Cli) -> None:
    assert cli("grep", "hcp(north) > 39", stdin=f"{DEAL}\n{OTHER}\n") == (1, "", "")
    assert cli("grep", "-c", "hcp(north) > 39", stdin=DEAL) == (1, "0\n", "")
    one = cli("grep", "1", stdin=ENDING)
    assert one == (1, "", "1 board without a complete deal skipped\n")
    assert cli("grep", "-v", "1", stdin=ENDING) == one


def test_what_cannot_be_read_is_told(cli: Cli, tmp_path: Path) -> None:
    outcome = cli("grep", "1", stdin=f"{DEAL}\nN:rubbish\n{OTHER}\n")
    assert (outcome.code, outcome.lines) == (1, [DEAL, OTHER])
    assert outcome.complaint.startswith("stdin:2: ")
    outcome = cli("grep", "1", tmp_path / "absent.pbn", "-", stdin=DEAL)
    assert (outcome.code, outcome.lines) == (1, [DEAL])
    assert "absent.pbn: cannot be read" in outcome.complaint
    path = tmp_path / "out.txt"
    assert cli("grep", "1", tmp_path / "absent.pbn", "-o", path).code == 1
    assert not path.exists()


def test_a_division_by_nothing_is_a_problem_of_the_board(cli: Cli) -> None:
    outcome = cli("grep", "hcp(north) / (spades(south) - 5) >= 0", stdin=f"{DEAL}\n{OTHER}\n")
    assert outcome.lines == []
    first, second = outcome.err.splitlines()
    assert first.startswith("stdin:1: division by 0")
    assert second.startswith("stdin:2: division by 0")
    assert outcome.code == 1


def test_the_condition_of_a_script(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "strong.dlr"
    script.write_text("both = hcp(north) + hcp(south)\ncondition both >= 25\n")
    assert cli("grep", "-f", script, DEMO) == cli("grep", STRONG, DEMO)
    assert cli("grep", "-f", script, stdin=DEMO.read_bytes()) == cli("grep", STRONG, DEMO)
    assert cli("grep", DEMO, "-f", "-", stdin=script.read_bytes()) == cli("grep", STRONG, DEMO)
    both = cli("grep", "-c", "-f", script, DEMO, DEMO)
    assert both.out == f"{2 * sum(map(strong, BOARDS))}\n"


def test_what_a_script_deals_beforehand_is_searched_for(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "ace.dlr"
    script.write_text("predeal north SA\n")
    found = cli("grep", "-f", script, DEMO)
    assert found == cli("grep", "hascard(north, AS)", DEMO)
    assert len(found.lines) > 2


def test_what_else_a_script_says_is_left_out_and_told(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "full.dlr"
    script.write_text(f"produce 5 dealer east seed 3\n{STRONG} x = 2 action printpbn\n")
    outcome = cli("grep", "-f", script, DEMO)
    assert outcome.lines == cli("grep", STRONG, DEMO).lines
    assert outcome.err == (
        f"{script}:2: warning: 'x' is never used\n"
        f"{script}: warning: grep ignores produce, seed, dealer, action\n{TOLD}"
    )


def test_scripts_that_cannot_be_searched_by(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "empty.dlr"
    script.write_text("produce 5\n")
    outcome = cli("grep", "-f", script, DEMO)
    assert (outcome.code, outcome.out) == (1, "")
    assert f"{script}: there is no condition" in outcome.err
    script.write_text("\nhcp(nroth) > 5\n")
    outcome = cli("grep", "-f", script, DEMO)
    assert outcome.code == 1
    assert outcome.err.startswith(f"pavcodec grep: {script}:2: hcp takes a seat")
    assert cli("grep", "-f", tmp_path / "none.dlr", DEMO).code == 1
    for words in (["-f", "-"], ["-f", "-", "-"]):
        outcome = cli("grep", *words, stdin="1")
        assert (outcome.code, "stdin" in outcome.complaint) == (2, True)
    assert cli("grep", "-f", script, DEMO, "-o", script).code == 2


def test_a_condition_that_may_mean_something_else_is_warned_of(cli: Cli) -> None:
    outcome = cli("grep", "hcp(north) == 40 or 16", DEMO)
    assert outcome.err == f"warning: '16' is always true, whatever the deal\n{TOLD}"
    assert len(outcome.lines) == 32


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
    for name, value in (("_FEW", 20), ("_AT_ONCE", 32), ("_PATIENCE", 60)):
        monkeypatch.setattr(searching, name, value)
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
@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("options", [[], ["-v"], ["-c"], ["--json"], ["--strict"], ["--to", "pbn"]])
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


@pytest.mark.slow
def test_many_boards(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    deals = [pav.Deal(row.tobytes()) for row in pav.numbering("deal").sample_many(9500, seed=5)]
    path.write_text("".join(f"{deal}\n" for deal in deals))
    strong_ones = [str(deal) for deal in deals if deal["N"].hcp + deal["S"].hcp >= 25]
    outcome = cli("grep", STRONG, path)
    assert (outcome.code, outcome.lines, outcome.err) == (0, strong_ones, "")
    assert cli("grep", "-v", "-c", STRONG, path).out == f"{9500 - len(strong_ones)}\n"


@pytest.mark.parametrize("max_consecutive_rejections", [60, 0])
def test_results_do_not_wait_for_boards_that_are_slow_to_come(
    max_consecutive_rejections: int, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """The first boards are searched as they come, and so are all if they are slow."""
    request.getfixturevalue("small_batches")
    monkeypatch.setattr(searching, "_PATIENCE", max_consecutive_rejections)
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
