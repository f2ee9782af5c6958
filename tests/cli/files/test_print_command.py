"""`pavcodec print`, `show`, `duplicates` and `demo`: pages, diagrams, pictures, lists."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from formats_support import DEMO, Cli
from packages import needs
from printing_support import some_boards

import pavcodec as pav
from pavcodec import Deal, deals, numbering, numbering_names, write
from pavcodec.cli.commands.demo import CONDITION, PACKED, SEED

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli


pypdf = pytest.importorskip("pypdf")
needs("typst")


def text_of(path: Path) -> list[str]:
    return [page.extract_text() for page in pypdf.PdfReader(path).pages]


@pytest.fixture
def event(tmp_path: Path) -> Path:
    path = tmp_path / "event.pbn"
    tags = {"Event": "Heat", "Date": "2026.11.24", "Generator": "pavcodec 1.0.0 seed=5"}
    pav.write((board.with_tags(tags) for board in some_boards(24)), path)
    return path


@pytest.mark.slow
def test_hand_records(tmp_path: Path, cli: Cli, event: Path) -> None:
    pages = tmp_path / "x.pdf"
    outcome = cli("print", event, "-o", pages)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    (text,) = text_of(pages)
    for word in ("Heat", "24 November 2026", "Board 24", "Par", "seed=5", "Page 1 of 1"):
        assert word in text
    again = tmp_path / "y.pdf"
    assert cli("convert", event, again).code == 0
    assert again.read_bytes() == pages.read_bytes()
    page = cli("print", event, "--to", "html").out
    assert page.count('<article class="board') == 24
    assert cli("show", event, "--to", "html").out == page
    picture = cli("show", event, "--boards", "3", "--to", "svg").out
    assert ET.fromstring(picture).tag.endswith("}svg")  # noqa: S314


def test_options_of_the_event_and_of_the_page(tmp_path: Path, cli: Cli, event: Path) -> None:
    page = tmp_path / "x.html"
    words = ("--title", "Tuesday", "--site", "Riverside", "--session", "2", "--paper", "letter")
    assert cli("print", event, "--boards", "3,5-6", *words, "-o", page).code == 0
    text = page.read_text(encoding="utf-8")
    assert "<h1>Tuesday</h1>" in text
    assert "<li>Riverside</li><li>24 November 2026</li><li>Session 2</li>" in text
    assert text.count('<article class="board') == 3
    assert "size: letter" in text
    assert "Double-dummy" in text
    assert "Double-dummy" not in cli("print", event, "--no-solutions", "--to", "html").out


@pytest.mark.slow
def test_missing_tricks_are_told_and_computed(tmp_path: Path, cli: Cli) -> None:
    needs("endplay")
    page = tmp_path / "x.html"
    outcome = cli("print", DEMO, "--boards", "1-2", "-o", page)
    assert (outcome.code, outcome.complaint) == (
        0,
        "2 boards have no tricks: --solve computes them",
    )
    assert "Par" not in page.read_text("utf-8").partition("<body>")[2]
    outcome = cli("print", DEMO, "--boards", "1-2", "--solve", "-o", page, "--force")
    assert (outcome.code, outcome.err) == (0, "")
    assert page.read_text("utf-8").count('<p class="par">') == 2
    assert cli("print", DEMO, "--boards", "1", "--no-solutions", "--to", "html").err == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "needs"),
    [
        ("print event.pbn --solve -o x.pdf", "typst endplay club"),
        ("practice --solve --to pdf -o x.pdf", "typst endplay club"),
        ("solve event.pbn -o y.parquet", "pyarrow endplay parquet,club"),
        ("convert x.parquet x.pdf", "pyarrow typst parquet,club"),
        ("stats x.parquet --plot x.svg", "pyarrow matplotlib parquet,club"),
        ("solve event.pbn --again -o x.zrd", "endplay club"),
    ],
)
def test_all_missing_packages_are_in_one_line(
    monkeypatch: pytest.MonkeyPatch, cli: Cli, event: Path, words: str, needs: str
) -> None:
    monkeypatch.chdir(event.parent)
    pav.write(pav.read(event), "x.parquet")
    packages = ("typst", "endplay", "pyarrow", "matplotlib")
    for name in [*packages, *(n for n in sys.modules if n.startswith(packages))]:
        monkeypatch.setitem(sys.modules, name, None)
    outcome = cli(*words.split())
    assert outcome.code == 1
    *named, extras = needs.split()
    assert re.findall(r"the package (\w+)", outcome.complaint) == named
    assert outcome.complaint.endswith(f": pip install 'pavcodec[{extras}]'")


def test_the_figures_are_there_for_programs(cli: Cli) -> None:
    facts = json.loads(cli("demo", "--json").out)
    assert [row["numbering"] for row in facts["numberings"]] == numbering_names()
    assert all(row["same"] is True and row["layouts"] >= 32 for row in facts["numberings"])
    space, condition = deals(CONDITION), facts["condition"]
    assert int(condition["cardinality"]) == space.cardinality
    shown = [space.rank(Deal.from_pbn(each["deal"])) for each in condition["deals"]]
    assert shown == [int(each["index"]) for each in condition["deals"]]
    assert [space.unrank(index) for index in shown] == space.sample(len(shown), seed=SEED)
    archive = facts["archive"]
    assert (archive["deals"], archive["same"]) == (PACKED, True)
    assert archive["bits_per_deal"] == round(8 * archive["bytes"] / PACKED, 3)
    assert 0 < archive["bits_per_deal"] - archive["bound_bits_per_deal"] < 0.5


def test_json_and_csv_have_all(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "many.deal12"
    write([*numbering("deal").sample(30, seed=7)] * 2, path)
    shown = cli("duplicates", path).lines
    assert shown[-1] == "... and 10 layouts more; --json and --csv have all"
    value = json.loads(cli("duplicates", path, "--json").out)
    assert (value["boards"], value["different"], value["again"]) == (60, 30, 30)
    assert value["repeats"][29]["places"][1] == {"file": str(path), "board": 60}
    rows = list(csv.DictReader(io.StringIO(cli("duplicates", path, "--csv").out)))
    assert [row["board"] for row in rows[:4]] == ["1", "31", "2", "32"]
    assert (len(rows), rows[-1]["repeat"], rows[-1]["file"]) == (60, "30", str(path))
