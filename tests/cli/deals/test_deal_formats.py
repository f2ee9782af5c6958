"""`deal --to FORMAT`: boards keep what they are, and `encode` reads them back."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pavcodec as pav
from pavcodec.formats import format_names, format_of
from pavcodec.questions import dealing, sources

if TYPE_CHECKING:
    from formats_support import Cli

NEEDS_A_NAME = {
    *("deal12", "balanced14", "ending15", "legal14", "base5-16", "deal13", "layout20", "zbs"),
    *("cds", "goe", "kops", "saycbridge-old", "ww-deal", "bridge-deal"),
    *("njhammond-16", "njhammond-64"),
}
"""The formats of which a pipe does not show the name; docs/formats/index.md lists them."""
READ = [name for name in format_names() if format_of(name).is_read]
SOLVED = {"deal-ddline", "zrd", "zdd", "gib-library"}
DEALT = [name for name in READ if name not in SOLVED]
DRAWN = ("deal", "-n", 5, "--seed", 7)


@pytest.mark.slow
@pytest.mark.parametrize("name", DEALT)
def test_encode_reads_what_deal_writes(cli: Cli, tmp_path: Path, name: str) -> None:
    numbers = cli(*DRAWN, "--numbers").lines
    data = cli(*DRAWN, "--to", name).data
    named = ("--from", name) if name in NEEDS_A_NAME else ()
    assert cli("encode", *named, stdin=data).lines == numbers
    assert cli("encode", "--from", name, stdin=data).lines == numbers
    for suffix in format_of(name).suffixes:
        path = tmp_path / f"deals{suffix}"
        assert cli(*DRAWN, "-o", path).code == 0
        assert cli("encode", path).lines == numbers
    path = tmp_path / "deals"
    path.write_bytes(data)
    assert cli("encode", *named, path).lines == numbers


@pytest.mark.parametrize("name", sorted(NEEDS_A_NAME))
def test_the_name_is_needed(cli: Cli, name: str) -> None:
    data = cli(*DRAWN, "--to", name).data
    assert cli("encode", stdin=data).lines != cli(*DRAWN, "--numbers").lines
    page = Path(__file__).parents[3] / "docs" / "formats" / "index.md"
    listed = page.read_text().partition("These you must name:")[2].partition("**For writing**")[0]
    assert f"`{name}`" in listed


@pytest.mark.slow
@pytest.mark.parametrize("name", DEALT)
def test_deals_in_batches_are_the_same(
    cli: Cli, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("deal", "-n", 60, "--seed", 7, "--to", name)
    one_by_one = read(name, cli(*words).data)
    for module in (dealing, sources):
        monkeypatch.setattr(module, "FEW", 10)
    assert read(name, cli(*words).data) == one_by_one
    assert len(one_by_one) == 60


def read(name: str, data: bytes) -> list[pav.Board]:
    """The boards of bytes in a format."""
    return list(pav.read(io.BytesIO(data), format=name))


@pytest.mark.parametrize("name", DEALT)
def test_boards_keep_number_dealer_and_vulnerability(cli: Cli, tmp_path: Path, name: str) -> None:
    target = format_of(name)
    path = tmp_path / "deals"
    rules = () if name == "bba" else ("--dealer", "S", "--vulnerable", "EW")
    words = (*DRAWN, "--start", 2, *rules, "--to", name, "-o", path)
    outcome = cli(*words)
    assert outcome.code == 0, outcome.err
    boards = read(name, path.read_bytes())
    assert [board.layout for board in boards] == pav.numbering("deal").sample(5, seed=7, start=2)
    if target.keeps_tag("Board"):
        assert [board.number for board in boards] == [3, 4, 5, 6, 7]
    if target.keeps_tag("Dealer"):
        assert {board.dealer for board in boards} == {pav.Seat.SOUTH}
    if target.keeps_tag("Vulnerable"):
        assert {board.vulnerable for board in boards} == {pav.Vulnerability.EW}
    if target.keeps_tag("Generator"):
        assert "seed=7 start=2" in boards[0].tags["Generator"]


def test_pages_show_number_and_dealer(cli: Cli) -> None:
    for name in ("svg", "diagram"):
        out = cli(*DRAWN, "--start", 2, "--to", name).out
        assert "Board 3" in out
        assert "South deals, EW vulnerable" in out
    page = cli(*DRAWN, "--start", 2, "--to", "html").out
    assert '<h2><span class="word">Board </span>3</h2><p>Dealer S<br>Vul EW</p>' in page


def test_a_lost_dealer_is_noted(cli: Cli) -> None:
    outcome = cli(*DRAWN, "--dealer", "S", "--vulnerable", "EW", "--to", "dlm")
    assert outcome.code == 0
    *_, note = outcome.err.splitlines()
    assert note == (
        "dlm: the dealer of 4 boards and the vulnerability of 4 boards become those of the board "
        "number"
    )


@pytest.mark.slow
def test_numbers_begin_again_after_the_last_one_of_a_code(cli: Cli) -> None:
    data = cli("deal", "-n", 258, "--seed", 7, "--to", "bba").data
    assert [board.number for board in read("bba", data)][-3:] == [256, 1, 2]
    assert len(cli("deal", "-n", 5000, "--seed", 7, "--to", "bba").lines) == 5000


EVENT = ("--event", "Heat", "--site", "Bled", "--date", "2026-11-24", "--session", "2")
TAGS = {"Event": "Heat", "Site": "Bled", "Date": "2026.11.24", "Session": "2"}


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 5000])
def test_the_event_of_dealt_boards(cli: Cli, count: int) -> None:
    outcome = cli("deal", "-n", count, "--seed", 7, *EVENT, "--to", "pbn")
    assert outcome.err == "seed 7\n"
    boards = read("pbn", outcome.data)
    assert all(board.tags.items() >= TAGS.items() for board in (boards[0], boards[-1]))


def test_the_event_of_found_boards(cli: Cli, tmp_path: Path) -> None:
    path, archive = tmp_path / "deals.pbn", tmp_path / "deals.pav"
    cli(*DRAWN, "-o", path)
    cli("pack", path, "-o", archive)
    for words in (("grep", "1", path), ("get", archive, ":")):
        outcome = cli(*words, *EVENT, "--to", "pbn")
        assert outcome.code == 0
        assert len(read("pbn", outcome.data)) == 5
        assert all(board.tags.items() >= TAGS.items() for board in read("pbn", outcome.data))


def test_a_format_without_a_place_for_the_event(cli: Cli, tmp_path: Path) -> None:
    path, archive = tmp_path / "deals.pbn", tmp_path / "deals.pav"
    cli(*DRAWN, "-o", path)
    cli("pack", path, "-o", archive)
    note = "csv has no place for the event, site, date and session"
    for words in (DRAWN, ("grep", "1", path), ("get", archive, ":")):
        outcome = cli(*words, *EVENT, "--to", "csv")
        assert outcome.code == 0
        assert note in outcome.err.splitlines()


def test_rows_of_json_have_no_event(cli: Cli) -> None:
    outcome = cli(*DRAWN, "--event", "Heat", "--json")
    assert outcome.err.splitlines() == ["--json has no place for the event", "seed 7"]
    assert outcome.out == cli(*DRAWN, "--json").out


def test_the_event_of_a_script_that_prints_pbn(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "one.dlr"
    script.write_text("produce 1\naction printpbn\n")
    out = cli("deal", "-f", script, "--seed", 7, *EVENT).out
    assert '[Event "Heat"]' in out
    assert '[Date "2026.11.24"]' in out
