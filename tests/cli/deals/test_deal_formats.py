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
SOLVED = {"deal-ddline", "zrd", "zdd", "gib-library"}
DEALT = [name for name in format_names() if format_of(name).is_read and name not in SOLVED]
DRAWN = ("deal", "-n", 5, "--seed", 7, "--start", 2)
DEALS = pav.numbering("deal").sample(5, seed=7, start=2)
NUMBERS = [str(pav.numbering("deal").rank(deal)) for deal in DEALS]


def draw_in_batches(patch: pytest.MonkeyPatch, few: int) -> None:
    """Write more deals than `few` from arrays."""
    for module in (dealing, sources):
        patch.setattr(module, "FEW", few)


def read(name: str, data: bytes) -> list[pav.Board]:
    """The boards of bytes in a format."""
    return list(pav.read(io.BytesIO(data), format=name))


@pytest.mark.slow
@pytest.mark.parametrize("name", DEALT)
def test_boards_come_back(
    cli: Cli, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One by one and in batches, from a pipe and from a file with its suffix."""
    rules = () if name == "bba" else ("--dealer", "S", "--vulnerable", "EW")
    data, keeps = cli(*DRAWN, *rules, "--to", name).data, format_of(name).keeps_tag
    boards = read(name, data)
    assert [board.layout for board in boards] == DEALS
    assert not keeps("Board") or [board.number for board in boards] == [3, 4, 5, 6, 7]
    assert not keeps("Dealer") or {board.dealer for board in boards} == {pav.Seat.SOUTH}
    sides = {board.vulnerable for board in boards}
    assert not keeps("Vulnerable") or sides == {pav.Vulnerability.EW}
    assert not keeps("Generator") or "seed=7 start=2" in boards[0].tags["Generator"]
    named = ("--from", name) if name in NEEDS_A_NAME else ()
    assert cli("encode", *named, stdin=data).lines == NUMBERS
    draw_in_batches(monkeypatch, 2)
    suffix = "".join(format_of(name).suffixes[:1])
    path, to = tmp_path / f"deals{suffix}", () if suffix else ("--to", name)
    assert cli(*DRAWN, *rules, *to, "-o", path).code == 0
    assert read(name, path.read_bytes()) == boards
    assert cli("encode", *(() if suffix else named), path).lines == NUMBERS


def test_the_name_is_needed(cli: Cli) -> None:
    page = Path(__file__).parents[3] / "docs" / "formats" / "index.md"
    listed = page.read_text().partition("These you must name:")[2].partition("**For writing**")[0]
    for name in sorted(NEEDS_A_NAME):
        data = cli(*DRAWN, "--to", name).data
        assert cli("encode", stdin=data).lines != NUMBERS, name
        assert f"`{name}`" in listed


def test_a_lost_dealer_is_noted(cli: Cli) -> None:
    words = ("deal", "-n", 5, "--seed", 7, "--dealer", "S", "--vulnerable", "EW", "--to", "dlm")
    assert cli(*words).err.splitlines()[-1] == (
        "dlm: the dealer of 4 boards and the vulnerability of 4 boards become those of the board "
        "number"
    )


@pytest.mark.slow
@pytest.mark.parametrize("few", [1000, 10])
def test_numbers_begin_again_after_the_last_one_of_a_code(
    cli: Cli, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_in_batches(monkeypatch, few)
    data = cli("deal", "-n", 258, "--seed", 7, "--to", "bba").data
    assert [board.number for board in read("bba", data)][-3:] == [256, 1, 2]


EVENT = ("--event", "Heat", "--site", "Bled", "--date", "2026-11-24", "--session", "2")
TAGS = {"Event": "Heat", "Site": "Bled", "Date": "2026.11.24", "Session": "2"}


@pytest.mark.slow
def test_the_event_of_boards(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, archive, script = (tmp_path / name for name in ("deals.pbn", "deals.pav", "one.dlr"))
    cli(*DRAWN, "-o", path)
    cli("pack", path, "-o", archive)
    script.write_text("produce 5\naction printpbn\n")
    printed = cli("deal", "-f", script, "--seed", 7, *EVENT).out
    assert '[Event "Heat"]' in printed
    assert '[Date "2026.11.24"]' in printed
    for words in (DRAWN, ("grep", "1", path), ("get", archive, ":"), DRAWN):
        boards = read("pbn", cli(*words, *EVENT, "--to", "pbn").data)
        assert len(boards) == 5
        assert all(board.tags.items() >= TAGS.items() for board in boards), words
        lost = cli(*words, *EVENT, "--to", "csv").err.splitlines()
        assert "csv has no place for the event, site, date and session" in lost
        draw_in_batches(monkeypatch, 1)
    rows = cli(*DRAWN, "--event", "Heat", "--json")
    assert rows.err.splitlines() == ["--json has no place for the event", "seed 7"]
    assert rows.out == cli(*DRAWN, "--json").out
