"""Help, version, wrong usage: exit code 2 and one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from formats_support import DEAL, Cli

import pavcodec
from pavcodec.cli.loading import COMMAND_GROUPS, COMMANDS


def test_the_version(cli: Cli) -> None:
    assert cli("--version") == (0, f"pavcodec {pavcodec.__version__}\n", "")


@pytest.mark.parametrize("words", [["--help"], ["-h"]])
def test_help_lists_the_commands_with_examples(cli: Cli, words: list[str]) -> None:
    outcome = cli(*words)
    assert (outcome.code, outcome.err) == (0, "")
    for name, summary in COMMANDS.items():
        assert name in outcome.out
        assert summary in outcome.out
    assert "examples:" in outcome.out
    assert "exit codes: 0" in outcome.out


def test_help_groups_the_commands(cli: Cli) -> None:
    text = cli("--help").out
    places = [text.index(f"\n{group}:\n") for group in COMMAND_GROUPS]
    assert places == sorted(places)
    ends = [*places[1:], text.index("\noptions:\n")]
    for group, start, end in zip(COMMAND_GROUPS.values(), places, ends, strict=True):
        for name in group:
            assert f"\n  {name} " in text[start:end]
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("words", [["deal"], ["squaredeal"], ["squaredeal", "create"], []])
def test_help_as_a_command_prints_the_page_of_a_command(cli: Cli, words: list[str]) -> None:
    outcome = cli("help", *words)
    assert outcome == cli(*words, "--help")
    assert outcome.code == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_help_begins_with_a_sentence_and_examples(cli: Cli, name: str) -> None:
    sentence = f"{COMMANDS[name][0].upper()}{COMMANDS[name][1:]}."
    usage, first, examples, *_ = cli(name, "--help").out.split("\n\n")
    assert usage.startswith(f"usage: pavcodec {name}")
    assert "\n" not in usage
    assert first == sentence
    assert examples.startswith(f"examples:\n  pavcodec {name}")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_not_wider_than_a_screen(
    cli: Cli, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    wide = [line for line in cli(name, "--help").out.splitlines() if len(line) > 80]
    assert wide == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_each__each_command_names_examples_and_options(cli: Cli, name: str) -> None:
    outcome = cli(name, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    assert f"usage: pavcodec {name}" in outcome.out
    assert "example" in outcome.out
    assert f"  pavcodec {name}" in outcome.out
    assert "--json" in outcome.out
    if name in ("encode", "decode", "convert"):
        for option in ("--as", "--one-based", "--strict"):
            assert option in outcome.out
        for numbering in pavcodec.numbering_names():
            assert numbering in "".join(outcome.out.split())  # the list is folded


def test_without_a_command_there_is_help_and_exit_code_2(cli: Cli) -> None:
    outcome = cli()
    assert outcome.code == 2
    assert "usage: pavcodec" in outcome.out + outcome.err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["nope"], "nope"),
        (["--nope"], "--nope"),
        (["encode", "--nope"], "--nope"),
        (["encode", "--as"], "--as"),
        (["encode", "--as", "dael", DEAL], "did you mean 'deal'"),
        (["decode", "--as", "x", "0"], "Known: deal, balanced, ending"),
        (["decode", "--to", "pnb", "0"], "did you mean 'pbn'"),
        (["encode", "--from", "pnb"], "did you mean 'pbn'"),
        (["convert", "a.pbn"], "OUT"),
        (["convert", "a", "b", "c"], "c"),
        (["convert", "--from", "zip", "a.zip", "b.pbn"], "'zip'"),
        (["convert", "--to", "zip", "a.pbn", "b.zip"], "'zip'"),
        (["convert", "--encoding", "utf-7", "a.pbn", "b.pbn"], "utf-7"),
        (["convert", "a.pbn", "b.zip"], "b.zip"),
        (["convert", "a.pbn", "-"], "-"),
        (["convert", "--json", "--to", "pbn", "a.pbn", "-"], "--json"),
        (["numberings", "dael"], "did you mean 'deal'"),
        (["numberings", "deal", "balanced"], "balanced"),
        (["formats", "pdn"], "pbn"),
        (["demo", "x"], "x"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.pbn").write_text(f'[Deal "{DEAL}"]\n')
    outcome = cli(*words, stdin=DEAL)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.complaint.startswith("pavcodec")
    assert named in outcome.complaint
    assert [path.name for path in tmp_path.iterdir()] == ["a.pbn"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["deel"], "pavcodec: no command is called 'deel'; did you mean 'deal'? (see 'pavcodec"),
        (["help", "deel"], "pavcodec: no command is called 'deel'; did you mean 'deal'?"),
        (["xyzzy"], "pavcodec: no command is called 'xyzzy' (see 'pavcodec --help')"),
        (
            ["squaredeal", "verfy"],
            (
                "pavcodec squaredeal: no action is called 'verfy'; did you mean 'verify'? "
                "(see 'pavcodec squaredeal --help')"
            ),
        ),
        (
            ["deal", "--sede", "7"],
            (
                "pavcodec deal: no option is called '--sede'; did you mean '--seed'? "
                "(see 'pavcodec deal --help')"
            ),
        ),
        (["deal", "--weigths", "1"], "did you mean '--weights'?"),
        (["deal", "--suit-weight", "N: hcp {12: 1}"], "; --weights takes other weights (see"),
        (
            ["deal", "--vulnrable=NS"],
            "pavcodec deal: no option is called '--vulnrable'; did you mean '--vulnerable'?",
        ),
        (
            ["squaredeal", "verify", "a.sqd", "a.sqk", "--jsno"],
            (
                "pavcodec squaredeal verify: no option is called '--jsno'; did you mean '--json'? "
                "(see 'pavcodec squaredeal verify --help')"
            ),
        ),
        (["--verison"], "pavcodec: no option is called '--verison'; did you mean '--version'?"),
        (["deal", "0", "1"], "pavcodec deal: unexpected argument '1' (see 'pavcodec deal --help')"),
        (
            ["shapes", "-xxx5"],
            "no option is called '-xxx5'; write -- before an argument that starts with '-'",
        ),
        (["shapes", "--", "-xxx5"], "a list of shapes does not start with '-'"),
        (["deal", "-n"], "pavcodec deal: argument -n: expected one argument (see 'pavcodec deal"),
        (
            ["deal", "--method", "exat"],
            (
                "argument --method: 'exat' is none of plan, exact, test, cases, 1999; "
                "did you mean 'exact'? (see 'pavcodec deal --help')"
            ),
        ),
        (["deal", "--rotate", "--dealer", "N"], "(see 'pavcodec deal --help')"),
        (["count"], "(see 'pavcodec count --help')"),
        (["count", "hpc(south) > 1"], "did you mean 'hcp'? (see 'pavcodec count --help')"),
        (["encode", "--as", "dael", DEAL], "(see 'pavcodec encode --help')"),
        (
            ["squaredeal", "deal", "a.sqd", "--folder", "x", "--json"],
            "(see 'pavcodec squaredeal deal --help')",
        ),
    ],
)
def test_wrong_usage_names_the_nearest_name_and_the_help_page(
    cli: Cli, words: list[str], line: str
) -> None:
    outcome = cli(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert line in outcome.err.splitlines()[0]


def test_data_that_is_wrong_names_no_help_page(cli: Cli) -> None:
    outcome = cli("count", "-f", "absent.dlr")
    assert outcome.code == 1
    assert "--help" not in outcome.err


@pytest.mark.parametrize("words", [["-hcp(north) > -2"], ["--", "-hcp(north) > -2"]])
def test_a_condition_may_start_with_a_minus(cli: Cli, words: list[str]) -> None:
    assert cli("count", *words) == cli("count", "0 - hcp(north) > -2")
    assert cli("count", *words, "--json").code == ("--" in words) * 2
