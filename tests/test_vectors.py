"""Vectors for other languages: codes, records, what is refused, and the readers of all."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from oracles import FIXTURES, vectors
from vectors import refused

import pavcodec as pav

READERS = sorted(path for path in (FIXTURES / "vectors" / "readers").iterdir())
TOOLS = {".c": "cc", ".rs": "rustc", ".js": "node"}


def test_codes() -> None:
    for row in vectors("codes"):
        code, deal = pav.code(row["code"]), pav.Deal.from_pbn(row["pbn"])
        read, board = code.parse_board(row["text"])
        assert (read, str(board)) == (deal, str(row["board"]))


def test_records() -> None:
    for row in vectors("records"):
        record, data = pav.record(row["record"]), bytes.fromhex(row["hex"])
        value: object
        if "number" in row:
            number = int(row["number"])
            value = pav.Base5Number(number) if row["record"] == "base5-16" else number
        else:
            kind = pav.Deal if row["record"] == "deal13" else pav.Layout
            value = kind.from_pbn(row["pbn"])
        assert (record.build(value), record.parse(data)) == (data, value)


def test_what_is_refused_with_which_reason() -> None:
    assert list(refused()) == vectors("refused")


def questions(name: str) -> dict[str, str]:
    """What a reader is asked about a numbering, with the answers."""
    if name in ("balanced", "ending", "base5"):
        rows = [
            {"number": row["base5"] if name == "base5" else row["number"], "pbn": row["pbn"]}
            for row in vectors("endings")
            if name in ("base5", row["scheme"])
        ]
    else:
        rows = vectors(name)
    asked = {f"{name} rank {row['pbn']}": row["number"] for row in rows}
    asked |= {f"{name} unrank {row['number']}": row["pbn"] for row in rows}
    for row in vectors("refused"):
        if row.get("numbering") == name:
            way = "rank" if "pbn" in row else "unrank"
            asked[f"{name} {way} {row.get('pbn', row.get('number'))}"] = "refused"
    return asked


@pytest.mark.slow
@pytest.mark.parametrize("path", READERS, ids=lambda path: path.name)
def test_a_reader_passes_all_vectors(path: Path, tmp_path: Path) -> None:
    tool = shutil.which(TOOLS[path.suffix])
    if tool is None:
        pytest.skip(f"{TOOLS[path.suffix]} is not installed")
    text = path.read_text()
    assert len(text.splitlines()) < 100
    names = re.search(r"Numberings: ([^.]*)\.", text)
    assert names
    asked = {
        question: answer
        for name in re.findall(r"[\w-]+", names[1])
        for question, answer in questions(name).items()
    }
    command = [tool, str(path)]
    if path.suffix != ".js":
        program = str(tmp_path / "reader")
        subprocess.run([tool, "-O", str(path), "-o", program], check=True)
        command = [program]
    lines = "".join(f"{question}\n" for question in asked)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    assert dict(zip(asked, done.stdout.splitlines(), strict=True)) == asked
