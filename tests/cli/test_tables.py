"""Tables: no line of any command is wider than 80 columns, and no fact is lost."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import FIXTURES

from pavcodec.cli import main
from pavcodec.questions.tables import WIDTH, fact_lines, table_lines

if TYPE_CHECKING:
    from formats_support import Cli

DEMO = "pavcodec/data/demo.pbn"
EVENTS = FIXTURES / "events"

COMMANDS = [
    ("formats",),
    ("numberings",),
    ("numberings", "--table"),
    ("numberings", "deal"),
    ("shapes",),
    ("shapes", "--patterns"),
    ("shapes", "any 4333 + any 4432 + any 5332", "--patterns"),
    ("identify", "--list"),
    ("practice", "--list"),
    ("demo",),
    ("info", DEMO),
    ("stats", DEMO),
    ("cases", "spades(west) == 9", "-n", "3"),
    ("count", "hcp(south) >= 37"),
    ("odds", "spades(east)", "--given", "spades(north) + spades(south) == 9"),
    ("odds", "hcp(south)", "hcp(north)"),
    ("deal", "--mix", ("spades(south) >= 7 && hearts(south) <= 1 && clubs(south) <= 2 && "
     "diamonds(south) <= 4"), "--mix", "hearts(south) >= 7", "-n", "1", "--seed", "1"),
    ("squaredeal", "verify", EVENTS / "cup.sqd", EVENTS / "cup.sqk", EVENTS / "RR01.pbn"),
]  # fmt: skip


@pytest.mark.slow
def test_no_line_is_wider_than_80_columns(cli: Cli) -> None:
    for words in COMMANDS:
        outcome = cli(*words)
        assert (outcome.code, outcome.out == "") == (0, False), words
        told = [*outcome.lines, *outcome.err.splitlines()]
        assert [line for line in told if len(line) > WIDTH] == []


def test_points_are_below_each_other() -> None:
    rows = [["a", "33.33 %"], ["b", "5 %"], ["c", "1e-7 %"], ["d", "1,000.5 %"], ["e", ""]]
    _, *lines = table_lines(["", "share"], rows)
    assert lines == [
        "a     33.33 %",
        "b      5    %",
        "c      1e-7 %",
        "d  1,000.5  %",
        "e",
    ]


def test_a_wide_table_of_figures_is_divided() -> None:
    heads = ["", *(f"column{k}" for k in range(20))]
    rows = [[name, *(str(100 * k) for k in range(20))] for name in "abc"]
    lines = list(table_lines(heads, rows))
    assert max(map(len, lines)) <= WIDTH
    assert sum(line.startswith("b") for line in lines) == lines.count("") + 1 > 1
    assert "column19" in lines[-4]


cells = st.text("abc 123.,%", max_size=60).map(lambda text: " ".join(text.split()))


@pytest.mark.slow
@given(
    st.integers(1, 6).flatmap(
        lambda size: st.lists(st.lists(cells, min_size=size, max_size=size), min_size=1)
    )
)
def test_no_text_is_lost_and_no_line_is_too_wide(rows: list[list[str]]) -> None:
    heads = [f"h{k}" for k in range(len(rows[0]))]
    lines = list(table_lines(heads, rows, width=62))
    assert all(len(line) <= 62 for line in lines)
    shown = sorted("".join("".join(lines[1:]).split()))
    missing = sorted("".join("".join(cell.split()) for row in rows for cell in row))
    for letter in missing:
        shown.remove(letter)


def test_a_terminal_has_its_own_width(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "50")
    assert main(["formats"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 50
    monkeypatch.setenv("COLUMNS", "150")
    assert main(["formats"]) == 0
    assert 80 < max(map(len, capsys.readouterr().out.splitlines())) <= 150


def test_readings_on_a_terminal_are_two_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(["identify", "12345678901234567890123456789"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "deal               12345678901234567890123456789"
    assert lines[1].startswith("    N:A.KJ93.Q765.T962 ")
    assert max(map(len, lines)) <= WIDTH


def test_facts_are_folded_and_never_cut() -> None:
    digits = "0123456789abcdef" * 4
    lines = list(fact_lines([("keys", f"as published, SHA-256 {digits}"), ("none", "")], 10))
    assert lines == ["keys      as published, SHA-256", f"          {digits}", "none"]
