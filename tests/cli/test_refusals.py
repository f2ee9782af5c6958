"""Command lines that are refused: exit code, one line that says why, and nothing else happens."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from formats_support import DEAL, DEMO, Cli
from oracles import FIXTURES

SCRIPTS = {
    "average.dlr": "action average hcp(north)",
    "many.dlr": "produce 1001\ncondition hcp(south) >= 20\n",
    "mix.dlr": "mix hcp(north) : 1, 1 : 2 action average hcp(north)",
    "printall.dlr": "condition hcp(north) > 3 action printall",
    "levels.dlr": """\
HandType_weak = hcp(south) <= 9
HandType_strong = hcp(south) >= 18
long = spades(south) >= 6
short = spades(south) < 6
condition spades(south) >= 5 and (HandType_weak or HandType_strong)
""",
}
FILES = {
    "a.pbn": f'[Deal "{DEAL}"]\n'.encode(),
    "demo.pbn": DEMO.read_bytes(),
    "half.deal12": bytes(13),
    "old-test.npy": b"old",
    "preempt.dlr": (FIXTURES / "scripts" / "preempt.dlr").read_bytes(),
    **{path.name: path.read_bytes() for path in (FIXTURES / "events").iterdir()},
    **{name: text.encode() for name, text in SCRIPTS.items()},
}
LINE = re.compile(r"pavcodec((?: [a-z]+)*): (.*?)( \(see 'pavcodec\1[ a-z]* --help'\))?")
TABLE = Path(__file__).with_name("refused.txt").read_text(encoding="utf-8")
ROWS = [
    pytest.param(row.lstrip("*"), marks=[pytest.mark.slow] if row.startswith("*") else [])
    for row in TABLE.splitlines()
    if row and not row.startswith("#")
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that no command of the table changes."""
    made = tmp_path_factory.mktemp("refused")
    (made / "many").mkdir()
    return made


@pytest.mark.parametrize("row", ROWS)
def test_a_refusal_is_one_line(
    cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch, row: str
) -> None:
    monkeypatch.chdir(folder)
    for name, data in FILES.items():
        Path(name).write_bytes(data)
    command, _, message = row.replace("⏎", "\n").partition(" ⇒ ")
    code, *words = shlex.split(command)
    outcome = cli(*words)
    assert (outcome.code, outcome.out) == (int(code), "")
    [line] = [line for line in outcome.err.splitlines() if line.startswith("pavcodec")]
    said = LINE.fullmatch(line)
    assert said
    assert said[1].split() == words[: len(said[1].split())]
    assert said[2].startswith(message.removesuffix("…"))
    assert message.endswith("…") or said[2] == message
    assert bool(said[3]) == (code == "2"), "wrong usage names the page of help"
    found = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert found == FILES
