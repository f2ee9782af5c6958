"""`convert` with several inputs: joined, chosen, sorted and numbered boards."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from formats_support import DEAL, DEMO, OTHER, Cli

import pavcodec as pav
from pavcodec import Board, Deal, Seat, Vulnerability
from pavcodec.formats import format as format_module

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = Deal.from_pbn(DEAL), Deal.from_pbn(OTHER)


def file_of(path: Path, *boards: Board) -> Path:
    pav.write(boards, path)
    return path


def numbers(path: Path) -> list[int | None]:
    return [board.number for board in pav.read(path)]


@pytest.fixture
def monday(tmp_path: Path) -> Path:
    """Boards 1 to 4."""
    return file_of(tmp_path / "monday.pbn", *(Board.make(FIRST, number=n) for n in range(1, 5)))


@pytest.fixture
def tuesday(tmp_path: Path) -> Path:
    """Boards 9, 3 and 4."""
    return file_of(tmp_path / "tuesday.pbn", *(Board.make(SECOND, number=n) for n in (9, 3, 4)))


@pytest.mark.parametrize("at", [0, 1 << 40])
@pytest.mark.parametrize("suffix", ["pbn", "lines", "json", "pav", "parquet"])
def test_several_inputs_are_joined_in_order(
    cli: Cli, monday: Path, tuesday: Path, suffix: str, at: int
) -> None:
    tmp_path = monday.parent
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    lines = file_of(tmp_path / "more.lines", Board(SECOND), Board(FIRST))
    out = tmp_path / f"all.{suffix}"
    with patch.object(format_module, "LARGE", at):
        outcome = cli("convert", monday, lines, tuesday, "-o", out, "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out)["boards"] == 9
    layouts = [board.layout for board in pav.read(out)]
    assert layouts == [FIRST] * 4 + [SECOND, FIRST] + [SECOND] * 3


def test_the_old_form_is_one_input_and_one_output(cli: Cli, tmp_path: Path, monday: Path) -> None:
    assert cli("convert", monday, tmp_path / "a.lines").code == 0
    assert cli("convert", monday, "-o", tmp_path / "b.lines").code == 0
    assert (tmp_path / "a.lines").read_bytes() == (tmp_path / "b.lines").read_bytes()
    before = (tmp_path / "a.lines").read_bytes()
    outcome = cli("convert", monday, tmp_path / "a.lines")
    assert (outcome.code, (tmp_path / "a.lines").read_bytes()) == (2, before)
    assert "exists: use --force" in outcome.complaint
    for words in ([monday], [monday, monday, tmp_path / "c.lines"]):
        outcome = cli("convert", *words)
        assert outcome.code == 2
        assert "the output with -o" in outcome.complaint


def test_a_number_of_several_inputs_is_a_note(
    cli: Cli, tmp_path: Path, monday: Path, tuesday: Path
) -> None:
    outcome = cli("convert", monday, tuesday, "-o", tmp_path / "a.pbn")
    assert outcome.code == 0
    assert outcome.err.splitlines()[-1] == (
        "board numbers 3-4 are in more than one input: --renumber gives each board its own number"
    )
    outcome = cli("convert", monday, tuesday, "--renumber", "-o", tmp_path / "b.pbn")
    assert "in more than one" not in outcome.err
    assert numbers(tmp_path / "b.pbn") == [1, 2, 3, 4, 5, 6, 7]
    assert "in more than one" not in cli("convert", tuesday, "-o", tmp_path / "c.pbn").err
    outcome = cli("convert", monday, tuesday, "-o", tmp_path / "c.lines")
    assert "in more than one" not in outcome.err


@pytest.mark.parametrize("words", [["--renumber", "17"], ["--renumber=17"]])
def test_numbers_may_start_anywhere(
    cli: Cli, tmp_path: Path, monday: Path, words: list[str]
) -> None:
    assert cli("convert", *words, monday, "-o", tmp_path / "b.pbn").code == 0
    assert numbers(tmp_path / "b.pbn") == [17, 18, 19, 20]


def test_a_file_after_renumber_is_no_number(
    cli: Cli, tmp_path: Path, monday: Path, tuesday: Path
) -> None:
    assert cli("convert", "--renumber", tuesday, monday, "-o", tmp_path / "b.pbn").code == 0
    assert next(board.layout for board in pav.read(tmp_path / "b.pbn")) == SECOND
    outcome = cli("convert", "--renumber=0", monday, "-o", tmp_path / "c.pbn")
    assert (outcome.code, "the number of the first board" in outcome.complaint) == (2, True)


def test_a_renumbered_board_keeps_its_dealer_unless_it_is_by_number(
    cli: Cli, tmp_path: Path
) -> None:
    told = Board.make(FIRST, number=1, dealer="S", vulnerable="All")
    source = file_of(tmp_path / "a.pbn", Board.make(SECOND, number=9), told)
    kept, changed = tmp_path / "kept.json", tmp_path / "changed.json"
    plain = file_of(tmp_path / "a.json", Board.make(SECOND, number=9), told)
    outcome = cli("convert", plain, "--renumber", "-o", kept)
    (one, two) = pav.read(kept)
    assert (one.dealer, one.vulnerable) == (Seat.NORTH, Vulnerability.NONE)
    assert (two.number, two.dealer, two.vulnerable) == (2, Seat.SOUTH, Vulnerability.ALL)
    assert outcome.err == (
        "1 board has another dealer or vulnerability than the new number gives; --by-number "
        "changes them\n"
    )
    assert cli("convert", source, "--renumber", "--by-number", "-o", changed).err == ""
    (_, two) = pav.read(changed)
    assert (two.number, two.dealer, two.vulnerable) == (2, Seat.EAST, Vulnerability.NS)


def test_an_auction_of_another_dealer_is_a_note(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_text(f'[Board "3"]\n[Dealer "S"]\n[Deal "{DEAL}"]\n[Auction "S"]\n1C AP\n')
    outcome = cli("convert", path, "--renumber", "--by-number", "-o", tmp_path / "b.pbn")
    assert outcome.err == "1 board has an auction that another seat begins\n"


def test_boards_without_a_number_have_none_to_follow(cli: Cli, tmp_path: Path) -> None:
    source = file_of(tmp_path / "a.pbn", Board.make(FIRST), Board.make(SECOND))
    outcome = cli("convert", source, "--by-number", "-o", tmp_path / "b.pbn")
    assert (outcome.code, outcome.err) == (0, "2 boards have no number: --renumber gives one\n")
    assert cli("convert", source, "--by-number", "--renumber", "-o", tmp_path / "c.pbn").err == ""


def test_boards_are_chosen_by_number(cli: Cli, tmp_path: Path, monday: Path, tuesday: Path) -> None:
    out = tmp_path / "b.pbn"
    outcome = cli("convert", monday, tuesday, "--boards", "1,3-4,12", "-o", out)
    assert outcome.code == 1
    assert "no board 12: there are 1-4, 9" in outcome.err
    assert numbers(out) == [1, 3, 4, 3, 4]
    assert cli("convert", monday, "--boards", "4-3", "-o", tmp_path / "c.pbn").code == 2
    outcome = cli("convert", monday, "--boards", "99", "-o", tmp_path / "c.pbn")
    assert outcome.code == 1
    assert not (tmp_path / "c.pbn").exists()


def test_boards_are_sorted_by_number_or_deal(
    cli: Cli, tmp_path: Path, monday: Path, tuesday: Path
) -> None:
    bare = file_of(tmp_path / "bare.lines", Board(SECOND))
    out = tmp_path / "b.pbn"
    cli("convert", tuesday, bare, monday, "--sort", "number", "-o", out)
    assert numbers(out) == [1, 2, 3, 3, 4, 4, 9, None]
    assert [board.layout for board in pav.read(out)][2:4] == [SECOND, FIRST]
    deals = pav.numbering("deal")
    cli("convert", DEMO, "--sort", "deal", "-o", tmp_path / "c.lines")
    layouts = [board.layout for board in pav.read(tmp_path / "c.lines")]
    ranks = [deals.rank(each) for each in layouts if each is not None and each.is_deal]
    assert ranks == sorted(ranks)
    assert len(ranks) > 10


def test_the_event_is_set(cli: Cli, tmp_path: Path, monday: Path) -> None:
    out = tmp_path / "b.pbn"
    cli("convert", monday, "--event", "Final", "--date", "2026-11-24", "-o", out)
    assert {(b.tags["Event"], b.tags["Date"]) for b in pav.read(out)} == {("Final", "2026.11.24")}
    outcome = cli("convert", monday, "--event", "Final", "-o", tmp_path / "c.lines")
    assert outcome.err.endswith("lose number, dealer, vulnerability and the tag Event\n")


def test_problems_name_their_input(cli: Cli, tmp_path: Path, monday: Path) -> None:
    bad = tmp_path / "bad.pbn"
    bad.write_text(f'[Deal "{DEAL}"]\n\n[Board "7"]\n[Deal "N:AK... AQ... - -"]\n')
    ending = tmp_path / "ending.pbn"
    ending.write_text('[Board "8"]\n[Deal "N:AK... - - -"]\n')
    absent = tmp_path / "absent.pbn"
    outcome = cli("convert", monday, bad, absent, ending, "-o", tmp_path / "b.numbers")
    assert outcome.code == 1
    lines = outcome.err.splitlines()
    assert lines[0].startswith(f"{bad}:4: board 7: card SA is in two hands")
    assert lines[1] == f"{absent}: cannot be read: No such file or directory"
    assert lines[2].startswith(f"{ending}:2: board 8: numbering 'deal' holds")
    assert len((tmp_path / "b.numbers").read_text().split()) == 5


def test_an_input_may_be_its_own_output_if_the_user_agrees(cli: Cli, monday: Path) -> None:
    before = monday.read_bytes()
    assert cli("convert", monday, monday, "-o", monday).code == 2
    assert monday.read_bytes() == before
    assert cli("convert", monday, monday, "-o", monday, "--force").code == 0
    assert numbers(monday) == [1, 2, 3, 4, 1, 2, 3, 4]


def test_many_inputs_are_not_open_together(cli: Cli, tmp_path: Path, monday: Path) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    try:
        outcome = cli("convert", *[monday] * 400, "-o", tmp_path / "b.lines")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert outcome.code == 0
    assert len((tmp_path / "b.lines").read_text().splitlines()) == 1600


def test_a_zip_file_and_a_plain_file_are_joined_into_a_zip_file(
    cli: Cli, tmp_path: Path, monday: Path, tuesday: Path
) -> None:
    path = tmp_path / "rounds.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(monday, "round1.pbn")
        archive.write(tuesday, "round2.pbn")
    out = tmp_path / "all.lin.zip"
    assert cli("convert", path, monday, "--renumber", "-o", out).code == 0
    with zipfile.ZipFile(out) as archive:
        assert archive.namelist() == ["all.lin"]
    assert numbers(out) == list(range(1, 12))


def test_a_page_has_no_checksum(cli: Cli, tmp_path: Path, monday: Path) -> None:
    pytest.importorskip("typst", reason="typst is not installed: pip install 'pavcodec[dev]'")
    assert cli("convert", monday, tmp_path / "a.pdf").out == ""
    assert "checksum" in cli("convert", monday, tmp_path / "a.deal12").out
