"""The kept tables of the parser: used only if they are those of the grammar and of lark."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from pavcodec.constraints.language import source

SCRIPT = "x = hcp(south) >= 12\ncondition x && shape(north, any 4333)\nproduce 4\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the grammar, in which tables are kept."""
    grammar = source._home().joinpath("grammar.lark").read_text(encoding="utf-8")
    (tmp_path / "grammar.lark").write_text(grammar, encoding="utf-8")
    monkeypatch.setattr(source, "_home", lambda: tmp_path)
    return tmp_path


def made_anew(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the rules whose tables are made from now on."""
    rules: list[str] = []
    new_parser = source._new_parser

    def noted(start: str) -> object:
        rules.append(start)
        return new_parser(start)

    monkeypatch.setattr(source, "_new_parser", noted)
    return rules


@pytest.mark.slow
def test_kept_tables_parse_as_new_ones(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = source._new_parser("script").parse(SCRIPT)
    source.keep_tables()
    assert (home / "grammar.tables").stat().st_size > 1000
    rules = made_anew(monkeypatch)
    assert source._parser.__wrapped__("script").parse(SCRIPT) == new
    source._parser.__wrapped__("mixture").parse("hcp(south) >= 20 : 35")  # not kept
    assert rules == ["mixture"]


@pytest.mark.slow
def test_tables_of_another_grammar_are_not_used(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.keep_tables()
    with (home / "grammar.lark").open("a", encoding="utf-8") as grammar:
        grammar.write("// changed\n")
    rules = made_anew(monkeypatch)
    source._parser.__wrapped__("expression")
    assert rules == ["expression"]


@pytest.mark.slow
@pytest.mark.parametrize("damaged", [b"", b"no tables", pickle.dumps({"of": 1})])
def test_damaged_tables_are_not_used(
    home: Path, monkeypatch: pytest.MonkeyPatch, damaged: bytes
) -> None:
    (home / "grammar.tables").write_bytes(damaged)
    rules = made_anew(monkeypatch)
    source._parser.__wrapped__("expression")
    assert rules == ["expression"]
