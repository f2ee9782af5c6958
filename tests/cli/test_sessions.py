"""Sessions: command lines in a folder, and all that they print, as the files in `sessions` keep it.

A session begins with `## ` and its name, in a folder with the demonstration and an event. A line
with `$ ` is a command; `cat` shows a file, `ls` the names; `write FILE` writes the lines with `| `
below it, and `edit FILE OLD NEW` other words.
Errors have `! ` before them, and an exit code other than 0 its brackets. With PAVCODEC_KEEP=1 the
test writes what is printed today: write the commands only, and read what it adds.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from formats_support import DEMO, Cli
from oracles import FIXTURES

import pavcodec

FOLDER = Path(__file__).with_name("sessions")
GIVEN = {path.name: path for path in (FIXTURES / "events").iterdir()} | {"demo.pbn": DEMO}
SESSIONS = [
    (path.stem, section.rstrip("\n"))
    for path in sorted(FOLDER.iterdir())
    for section in re.split(r"^(?=## )", path.read_text("utf-8"), flags=re.MULTILINE)
    if section.startswith("## ")
]


def shown(cli: Cli, command: str, lines: list[str]) -> list[str]:
    """Return the lines that a command of a session prints."""
    program, *words = shlex.split(command)
    if program == "write":
        Path(words[0]).write_text("".join(f"{line[2:]}\n" for line in lines), "utf-8")
        return lines
    if program == "edit":
        text = Path(words[0]).read_text("utf-8")
        assert words[1] in text
        Path(words[0]).write_text(text.replace(words[1], words[2]), "utf-8")
        return []
    if program == "ls":
        return sorted(path.name for path in Path().rglob("*") if path.name not in GIVEN)
    if program == "cat":
        return [line.rstrip() for line in Path(words[0]).read_text("utf-8").split("\n")[:-1]]
    assert program == "pavcodec"
    stdin, target = b"", None
    for place in range(len(words) - 2, -1, -1):
        if words[place] == "<":
            stdin = Path(words[place + 1]).read_bytes()
        elif words[place] == ">":
            target = Path(words[place + 1])
        else:
            continue
        del words[place : place + 2]
    outcome = cli(*words, stdin=stdin)
    if target is not None:
        target.write_bytes(outcome.data)
    printed = [] if target else [line.rstrip() for line in outcome.out.split("\n")[:-1]]
    told = [f"! {line}".rstrip() for line in outcome.err.splitlines()]
    return [*printed, *told, *([f"[{outcome.code}]"] if outcome.code else [])]


def played(cli: Cli, section: str) -> str:
    """Return a session with what its commands print today."""
    name, *steps = re.split(r"^\$ ", section, flags=re.MULTILINE)
    lines = [name.rstrip("\n")]
    for step in steps:
        command, *kept = step.rstrip("\n").split("\n")
        written = [line for line in kept if line.startswith("| ") or line == "|"]
        lines += [f"$ {command}", *shown(cli, command, written)]
    return "\n".join(lines)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with the demonstration and an event of two phases."""
    monkeypatch.chdir(tmp_path)
    for name, path in GIVEN.items():
        Path(name).write_bytes(path.read_bytes())


@pytest.mark.parametrize(
    ("file", "section"),
    [
        pytest.param(
            *(file, section),
            id=f"{file}: {section[3:60].partition(chr(10))[0]}",
            marks=[pytest.mark.slow] * ("\nparquet " in section),
        )
        for file, section in SESSIONS
    ],
)
def test_a_session(cli: Cli, file: str, section: str) -> None:
    found = played(cli, section).replace(f"pavcodec {pavcodec.__version__} ", "pavcodec VERSION ")
    if "PAVCODEC_KEEP" in os.environ:
        path = FOLDER / f"{file}.txt"
        path.write_text(path.read_text("utf-8").replace(section, found), "utf-8")
    else:
        assert found.split("\n") == section.split("\n")
