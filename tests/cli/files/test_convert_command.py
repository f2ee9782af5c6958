"""`pavcodec convert`: one file into another format."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from formats_support import (
    DEAL,
    DEMO,
    NUMBER,
    OTHER,
    Cli,
    read_text,
)

if TYPE_CHECKING:
    from pathlib import Path

PBN = f"""[Event "Club"]
[Board "2"]
[Deal "{DEAL}"]
[Room "Zoë"]
[Auction "E"]
1C AP

[Board "3"]
[Deal ""]

[Deal "{OTHER}"]
"""


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """A file with two deals and a board without cards."""
    path = tmp_path / "event.pbn"
    path.write_text(PBN)
    return path


@pytest.mark.parametrize("text", [DEAL, str(NUMBER), f'[Deal "{DEAL}"]'])
def test_streams_need_a_format_to_write_but_none_to_read(cli: Cli, text: str) -> None:
    assert cli("convert", "--to", "lines", "-", "-", stdin=text) == (0, f"{DEAL}\n", "")
    assert cli("convert", "-", "-", "--to=numbers", stdin=text) == (0, f"{NUMBER}\n", "")
    pbn = cli("convert", "-", "-", "--to", "pbn", stdin=text)
    assert read_text(pbn.out).layouts == [DEAL]


@pytest.mark.parametrize("old", [None, "old"])
def test_where_nothing_could_be_read_nothing_is_written(
    cli: Cli, tmp_path: Path, old: str | None
) -> None:
    out = tmp_path / "out.pbn"
    if old:
        out.write_text(old)
    (tmp_path / "in.pbn").write_bytes(b"\x7fELF\0\0")
    for name in ("in.pbn", "missing.pbn"):
        outcome = cli("convert", "--force", tmp_path / name, out)
        assert outcome.code == 1
        assert name in outcome.err.splitlines()[0]
        assert f"{out}" in outcome.err.splitlines()[-1]
        assert "is left as it was" in outcome.err.splitlines()[-1]
        assert (out.read_text() if out.exists() else None) == old
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.pbn"] + ["out.pbn"] * bool(old)


def test_the_demonstration_file_goes_round(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "out.pbn"
    assert cli("convert", DEMO, out) == (0, "", "")
    assert out.read_bytes().splitlines() == DEMO.read_bytes().splitlines()
