"""The line of `convert` about the parts that boards lose, and `formats --survives`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from formats_support import DEAL, Cli, loss
from packages import needs

from pavcodec.formats import format as format_module
from pavcodec.formats import format_names, format_of
from pavcodec.formats.losing import GROUPS

if TYPE_CHECKING:
    from pathlib import Path


PRINTED = f"""\
[Event "Club night"]
[Date "2026.11.24"]
[Board "7"]
[Vulnerable "None"]
[Deal "{DEAL}"]
[DoubleDummyTricks "77777777777777777777"]
[OptimumScore "NS 90"]
"""


@pytest.mark.parametrize("name", ["html", "pdf", "svg"])
def test_pages_lose_what_they_do_not_show(cli: Cli, tmp_path: Path, name: str) -> None:
    if name == "pdf":
        needs("typst")
    to_page = ("convert", "--to", name, "-")
    outcome = cli(*to_page, tmp_path / "one", stdin=PRINTED)
    lost = loss("svg", 1, "the tags Event and Date") if name == "svg" else ""
    assert lost in outcome.err
    assert outcome.err.count("lose") == bool(lost)
    extra = cli(*to_page, tmp_path / "two", stdin=f'{PRINTED}[North "Ann"]\n[Annotator "Bo"]\n')
    assert "names" in extra.err
    assert "Annotator" in extra.err
    assert "dealer" not in extra.err


@pytest.mark.slow
def test_few_boards_of_a_large_file_are_examined(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "many.pbn"
    plain, tagged = f'[Deal "{DEAL}"]\n\n', f'[Event "x"]\n[Deal "{DEAL}"]\n\n'
    path.write_text(plain * 1500 + tagged * 2000)
    with patch.object(format_module, "LARGE", 0):
        outcome = cli("convert", path, tmp_path / "out.txt")
    assert outcome.err == "lines: 1 of the first 1,501 boards loses the tag Event\n"
    path.write_text(tagged * 2000)
    with patch.object(format_module, "LARGE", 0):
        outcome = cli("convert", path, tmp_path / "out.txt", "--force")
    assert outcome.err == "lines: 1,024 of the first 1,024 boards lose the tag Event\n"


@pytest.mark.slow
def test_the_table_of_all_formats(cli: Cli) -> None:
    outcome = cli("formats", "--survives")
    head, *rows = outcome.lines
    assert (outcome.code, outcome.err) == (0, "")
    assert head.split()[0] == "format"
    assert max(map(len, outcome.lines)) <= 80
    read = [name for name in format_names() if format_of(name).is_read]
    assert [row.split()[0] for row in rows[: len(read)]] == read
    assert rows[len(read) :] == ["", "html, pdf and svg are written, and not read."]
    assert rows[0].split() == ["pbn", *["yes"] * len(GROUPS)]
