"""Faulty scripts, as teachers write them: what `check` and `deal` say of each, in `faulty.txt`.

A script has `| ` before each line; ⇥ is a tab, ␍ the end of a line of Windows, ␢ a byte-order
mark, and ␣ a character that cannot be seen. Below it are the lines of `check`, with `! ` before
them if `deal` refuses the script. With PAVCODEC_KEEP=1 the test writes what is said today: write
the scripts only, and read what it adds.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from formats_support import Cli

TABLE = Path(__file__).with_name("faulty.txt")
HEAD, *CASES = TABLE.read_text("utf-8").rstrip("\n").split("\n\n")
SIGNS = {"⇥": "\t", "␍": "\r", "␢": "\ufeff", "␣": "\u200b"}
FOUND = re.compile(r"x\.dlr:(\d+):(\d+): ((?:error: |warning: )?)(.*)")
WARNED = re.compile(r"x\.dlr:(\d+): warning: (.*)")
REFUSED = re.compile(r"pavcodec deal: x\.dlr:(\d+): (.*)\n  (.*)\n  ( *)\^+\n", re.MULTILINE)


def said(cli: Cli, text: str) -> list[str]:
    """Return the lines of `check` on a script; what `deal` says must be among them."""
    Path("x.dlr").write_bytes(text.encode())
    checked = cli("check", "x.dlr")
    dealt = cli("deal", "-f", "x.dlr", "-n", 1, "--seed", 7)
    found = [match.groups() for match in map(FOUND.fullmatch, checked.lines) if match]
    assert len(found) == len(checked.lines)
    told = {(line, reason) for line, _, _, reason in found}
    refused = REFUSED.search(dealt.err)
    assert bool(refused) == (dealt.code == 1)
    if refused:
        line, reason, shown, before = refused.groups()
        whole = text.split("\n")[int(line) - 1]
        blanks = len(shown) - len(shown.lstrip())
        column = len(before) + 1 - blanks + whole.index(shown.strip())
        assert (line, str(column), "error: ", reason) in found
    assert {match.groups() for match in WARNED.finditer(dealt.err)} <= told
    marks = "! " * dealt.code
    return [f"{marks}{line}:{column}: {kind}{reason}" for line, column, kind, reason in found]


@pytest.mark.parametrize("case", CASES, ids=range(1, len(CASES) + 1))
def test_a_fault_is_named_at_its_place(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    monkeypatch.chdir(tmp_path)
    script = [line for line in case.splitlines() if line.startswith("| ")]
    text = "".join(f"{line[2:]}\n" for line in script)
    for sign, character in SIGNS.items():
        text = text.replace(sign, character)
    found = "\n".join([*script, *said(cli, text)]).replace("\u200b", "␣")
    if os.environ.get("PAVCODEC_KEEP"):
        CASES[CASES.index(case)] = found
        TABLE.write_text("\n\n".join([HEAD, *CASES]) + "\n", "utf-8")
    assert found == case
