"""Archives on the command line: pack, unpack, get, append, merge, verify, repair and info."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest
from formats_support import DEMO, Cli

import pavcodec as pav

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli


BOARDS = list(pav.read(DEMO))


@pytest.fixture
def event(tmp_path: Path, cli: Cli) -> Path:
    """The demonstration with all tags."""
    path = tmp_path / "event.pav"
    assert cli("pack", "--all", DEMO, "-o", path).code == 0
    return path


@pytest.mark.slow
def test_all_that_was_packed_is_unpacked(tmp_path: Path, event: Path, cli: Cli) -> None:
    again = tmp_path / "again.pbn"
    outcome = cli("unpack", event, "-o", again)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    cli("convert", DEMO, tmp_path / "direct.pbn")
    assert again.read_bytes() == (tmp_path / "direct.pbn").read_bytes()
    piped = cli("pack", "--all", DEMO, "-o", "-").data
    assert piped == event.read_bytes()
    (facts,) = json.loads(cli("info", "--json", stdin=piped).out)
    assert (facts["file"], facts["deals"]) == ("stdin", 32)
    assert cli("get", "-", 0, stdin=piped).lines == [str(BOARDS[0].layout)]
    assert cli("unpack", stdin=event.read_bytes()).data == again.read_bytes()


@pytest.mark.slow
def test_python_asks_as_the_commands(tmp_path: Path, event: Path, cli: Cli) -> None:
    rows = [json.loads(line) for line in cli("get", event, "--json", "2:4", 0).lines]
    assert pav.get(str(event), "2:4", "0").to_dict() == {"boards": rows}
    whole = tmp_path / "whole.pav"
    merged = json.loads(cli("merge", event, event, "-o", whole, "--json").out)
    again = pav.merge(str(event), str(event), output=str(whole), force=True)
    assert again.to_dict() == merged
    before = whole.read_bytes()
    assert pav.append(str(whole), str(DEMO)).to_dict()["boards"] == 36 * 3
    assert whole.read_bytes().startswith(before)
    with pav.open_archive(whole) as archive:
        assert list(archive) == BOARDS * 3
    saved = pav.repair(str(whole), output=str(tmp_path / "saved.pav"))
    assert saved.to_dict() == {"boards": 36 * 3, "damages": []}
    with pytest.raises(pav.PavError, match="exists"):
        pav.repair(str(whole), output=str(tmp_path / "saved.pav"))


@pytest.mark.slow
def test_damage_is_found_and_the_rest_saved(tmp_path: Path, event: Path, cli: Cli) -> None:
    assert cli("verify", event).out == f"{event}: whole, 36 boards\n"
    whole = event.read_bytes()
    cli("append", event, DEMO)
    data = bytearray(event.read_bytes())
    data[len(whole) // 2] ^= 1
    event.write_bytes(data)
    outcome = cli("verify", event)
    assert (outcome.code, outcome.out) == (1, "")
    assert ": its checksum is wrong" in outcome.err
    row, other = json.loads(cli("verify", "--json", event, "none.pav").out)
    assert (row["is_whole"], len(row["damages"])) == (False, 1)
    reason = "cannot be read: No such file or directory"
    assert other == {"file": "none.pav", "is_whole": False, "problems": [reason]}
    saved = tmp_path / "saved.pav"
    outcome = cli("repair", event, "-o", saved)
    assert (outcome.code, outcome.out) == (1, f"{saved}: 36 boards saved\n")
    assert outcome.err.startswith(f"{event}: at byte ")
    with pav.open_archive(saved) as archive:
        assert list(archive) == BOARDS
    assert cli("get", event, 0).code == 1
    assert cli("get", event, 36).lines == [str(BOARDS[0].layout)]


def test_a_cut_archive_is_read_up_to_the_damage(event: Path, cli: Cli) -> None:
    whole = event.stat().st_size
    cli("append", event, DEMO)
    event.write_bytes(event.read_bytes()[: whole + 100])
    for outcome in (
        cli("unpack", event, "--to", "lines"),
        cli("convert", event, "-", "--to", "lines"),
    ):
        assert (outcome.code, len(outcome.lines)) == (1, 36)
        assert outcome.err.startswith(f"{event}: block 1 at byte {whole}: the file ends in it")
    (facts,) = json.loads(cli("info", "--json", event).out)
    assert (facts["deals"], facts["endings"], facts["problems"]) == (32, 4, 1)


def test_no_archive_on_a_screen(monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    class Screen(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Screen(io.BytesIO()))
    assert cli("pack", DEMO).code == 2
