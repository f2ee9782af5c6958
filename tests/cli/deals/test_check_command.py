"""`pavcodec check`: findings with their places, exit codes, JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from formats_support import Cli

SCRIPT = """\
# What South opens
balanced = shape(south, any 4333 + any 4432 + any 5332)
15 <= hcp(south) <= 17 && balanced   # the range
predeal spades(west)==3
action printoneline,
"""


LENGTH = (
    "BBO, the classic dealer and DealerV2 read it and deal as if it were not there; "
    "Dealer3 refuses it"
)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "one.dlr"
    path.write_text(SCRIPT)
    return path


def test_findings_have_file_line_and_column(cli: Cli, script: Path) -> None:
    outcome = cli("check", str(script))
    assert outcome.code == 0
    assert [line.removeprefix(str(script)) for line in outcome.out.splitlines()] == [
        ":3:1: a chain of comparisons: BBO, the classic dealer and DealerV2 read (a <= b) <= c",
        ":3:38: a comment with # after code: BBO, the classic dealer and DealerV2 refuse it",
        f":4:9: predeal of a length: {LENGTH}",
    ]


@pytest.mark.parametrize(("program", "code", "lines"), [("dealer3", 1, [4]), ("bbo", 1, [3, 3, 4])])
def test_one_program_refuses(
    cli: Cli, script: Path, program: str, code: int, lines: list[int]
) -> None:
    outcome = cli("check", "--for", program, "--json", str(script))
    assert outcome.code == code
    found = json.loads(outcome.out)
    assert [each["line"] for each in found] == lines
    assert all(each["programs"] == [program] for each in found)


def test_what_only_differs_is_no_refusal(cli: Cli) -> None:
    outcome = cli("check", "-", "--for", "dealer", stdin=b"5 <= hcp(north) <= 7\n")
    assert outcome.code == 0
    assert (
        outcome.out == "stdin:1:1: a chain of comparisons: the classic dealer reads (a <= b) <= c\n"
    )


def test_a_script_that_cannot_be_read(cli: Cli) -> None:
    outcome = cli("check", "-", stdin=b"produce 5\r\nhpc(north) > 3\r\n")
    assert outcome.code == 1
    assert outcome.out == "stdin:2:1: no function is called 'hpc'; did you mean 'hcp'?\n"


def test_warnings_and_open_comments(cli: Cli) -> None:
    outcome = cli("check", "-", stdin=b"a = 1\nb = 2\nhcp(north) > 12\n")
    assert (outcome.code, outcome.out) == (0, "stdin:1:1: never used: a, b (lines 1, 2)\n")
    outcome = cli("check", "-", stdin=b"hcp(north) > 12 /* open")
    assert (outcome.code, outcome.out) == (1, "stdin:1:17: the closing */ is missing\n")


def test_nothing_to_tell(cli: Cli) -> None:
    outcome = cli("check", "-", stdin=b"condition hcp(north) > 12\naction printall\n")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
