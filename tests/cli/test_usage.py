"""Help, version, wrong usage: exit code 2 and one line."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from packages import needs

import pavcodec
from pavcodec.cli.asking import add_fields
from pavcodec.cli.loading import COMMAND_GROUPS, COMMANDS
from pavcodec.cli.parsers import Parser
from pavcodec.collection.engines import engine_of
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.workers import Workers, engine_from

if TYPE_CHECKING:
    from formats_support import Cli

    from pavcodec.collection.engines.engine import Engine


def test_the_version(cli: Cli) -> None:
    assert cli("--version") == (0, f"pavcodec {pavcodec.__version__}\n", "")


def test_help_groups_the_commands_with_examples(cli: Cli) -> None:
    text = cli("--help").out
    assert cli("-h") == (0, text, "")
    assert all(summary in text for summary in COMMANDS.values())
    assert "examples:" in text
    assert "exit codes: 0" in text
    places = [text.index(f"\n{group}:\n") for group in COMMAND_GROUPS]
    assert places == sorted(places)
    ends = [*places[1:], text.index("\noptions:\n")]
    for group, start, end in zip(COMMAND_GROUPS.values(), places, ends, strict=True):
        for name in group:
            assert f"\n  {name} " in text[start:end]
    assert max(map(len, text.splitlines())) <= 80


def test_help_as_a_command_prints_the_page_of_a_command(cli: Cli) -> None:
    for words in (["deal"], ["squaredeal"], ["squaredeal", "create"], []):
        assert cli("help", *words) == cli(*words, "--help")
    for action in ("club", "create", "value", "deal", "verify"):
        outcome = cli("squaredeal", action, "--help")
        assert f"usage: pavcodec squaredeal {action}" in outcome.out
        assert f"  pavcodec squaredeal {action}" in outcome.out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_begins_with_a_sentence_and_examples(
    cli: Cli, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    outcome = cli(name, "--help")
    usage, first, examples, *_ = outcome.out.split("\n\n")
    assert (outcome.code, outcome.err) == (0, "")
    assert usage.startswith(f"usage: pavcodec {name}")
    assert "\n" not in usage
    assert first == f"{COMMANDS[name][0].upper()}{COMMANDS[name][1:]}."
    assert examples.startswith(f"examples:\n  pavcodec {name}")
    assert max(map(len, outcome.lines)) <= 80
    numbers = {"--as", "--one-based", "--strict"} if name in {"encode", "decode", "convert"} else ()
    assert all(option in outcome.out for option in ("--json", *numbers))
    if numbers:
        folded = "".join(outcome.out.split())
        assert all(numbering in folded for numbering in pavcodec.numbering_names())


OPTION = re.compile(r"^  (-.*?)(?:  .*)?$")
KEPT = Path(__file__).with_name("usage.txt")


@pytest.mark.slow
def test_the_names_of_options_are_kept(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripts of users have them. With PAVCODEC_KEEP=1 the test writes those of today."""
    monkeypatch.setenv("COLUMNS", "80")
    lines = []
    for name, summary in COMMANDS.items():
        lines.append(f"{name}: {summary}")
        for line in cli(name, "--help").lines:
            heading = line[:-1] if line.endswith(":") and line[:1].isalpha() else ""
            option = OPTION.match(line)
            lines += [f"  {heading}:"] if heading else [f"    {option[1]}"] if option else []
    text = "\n".join(lines) + "\n"
    if "PAVCODEC_KEEP" in os.environ:
        KEPT.write_text(text, encoding="utf-8")
    assert text == KEPT.read_text(encoding="utf-8")


def test_without_a_command_there_is_help_and_exit_code_2(cli: Cli) -> None:
    outcome = cli()
    assert outcome.code == 2
    assert "usage: pavcodec" in outcome.out + outcome.err


def test_a_condition_may_start_with_a_minus(cli: Cli) -> None:
    for words in (["-hcp(north) > -2"], ["--", "-hcp(north) > -2"]):
        assert cli("count", *words) == cli("count", "0 - hcp(north) > -2")
        assert cli("count", *words, "--json").code == ("--" in words) * 2


def test_the_options_of_workers_choose_an_engine() -> None:
    def chosen(*words: str) -> Engine:
        parser = Parser("program")
        add_fields(parser, Workers, "workers", "scheduler")
        return engine_from(parser.parse_args(words))

    assert chosen() == engine_of()
    assert chosen("--workers", "3") == engine_of(3)
    with pytest.raises(QuestionError, match="the cluster of a scheduler has its own workers"):
        chosen("--workers", "3", "--scheduler", "tcp://10.0.0.1:8786")
    needs("distributed")
    assert chosen("--scheduler", "local", "--workers", "3") == engine_of(3, "local")
    assert chosen("--scheduler", "tcp://10.0.0.1:8786") == engine_of(None, "tcp://10.0.0.1:8786")
