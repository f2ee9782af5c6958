"""Whole jobs: encoding a large PBN file, and starting the program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import pavcodec as pav
from pavcodec.cli import main

BOARDS = 20_000


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a PBN file of many boards in the export format."""
    deals = pav.numbering("deal")
    random = Random(2026)
    path = tmp_path_factory.mktemp("pbn") / "event.pbn"
    tags = {"Event": "Benchmark", "Site": "?", "Date": "2026.11.21", "Scoring": "MP"}
    boards = (
        pav.Board.make(deals.unrank(random.randrange(deals.cardinality)), number=n, tags=tags)
        for n in range(1, BOARDS + 1)
    )
    pav.write(boards, path)
    return path


def one_expression(path: Path, output: str) -> None:
    """Match the Deal tags with one regular expression and rank them, and nothing else."""
    rank, parse = pav.numbering("deal").rank, pav.Deal.from_pbn
    texts = re.findall(r'\[Deal "([^"]*)"\]', path.read_text(encoding="iso-8859-1"))
    with open(output, "w", encoding="ascii") as out:
        out.writelines(f"{rank(parse(text))}\n" for text in texts)


@pytest.mark.benchmark(group="encode a PBN file of 20,000 boards")
def test_encode_yardstick_one_expression(benchmark: Any, event: Path) -> None:
    benchmark.extra_info["items"] = BOARDS
    benchmark.pedantic(one_expression, (event, os.devnull), rounds=7, warmup_rounds=1)


@pytest.mark.benchmark(group="encode a PBN file of 20,000 boards")
def test_encode_command(benchmark: Any, event: Path) -> None:
    benchmark.extra_info["items"] = BOARDS
    arguments = ["encode", str(event), "-o", os.devnull]
    benchmark.pedantic(main, (arguments,), rounds=7, warmup_rounds=1)


@pytest.mark.benchmark(group="encode a PBN file of 20,000 boards")
def test_read_with_all_tags(benchmark: Any, event: Path) -> None:
    benchmark.extra_info["items"] = BOARDS
    benchmark.pedantic(
        lambda: sum(len(board.tags) for board in pav.read(event)), rounds=5, warmup_rounds=1
    )


@pytest.mark.benchmark(group="start the program")
def test_start_yardstick_bare_python(benchmark: Any) -> None:
    command = [sys.executable, "-c", "pass"]
    benchmark.pedantic(subprocess.run, (command,), rounds=15, warmup_rounds=1)


@pytest.mark.benchmark(group="start the program")
def test_start_version(benchmark: Any) -> None:
    command = [str(Path(sys.executable).parent / "pavcodec"), "--version"]
    benchmark.pedantic(
        lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True),
        rounds=15,
        warmup_rounds=1,
    )
