"""Random combinations of options end in our own words: no traceback, and an exit code we know."""

from __future__ import annotations

import io
import os
import sys
import traceback
import warnings
from typing import TYPE_CHECKING

import pytest
from random_options import SECONDS, Lines, TooLongError, fresh_folder, make_files, time_limit

from pavcodec.cli import main

if TYPE_CHECKING:
    from pathlib import Path

SEED = int(os.environ.get("PAVCODEC_RANDOM_SEED", "17"))
RUNS = int(os.environ.get("PAVCODEC_RANDOM_RUNS", "400"))
STDIN = [b"", b"5\n", b"N:AK - - -\n", b'[Deal "N:AKQJT98765432... - - -"]\n', b"\xff\x00\n"]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="needs a timer")
def test_random_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    made, place = tmp_path / "made", tmp_path / "place"
    made.mkdir()
    make_files(made)
    lines = Lines(SEED, sorted(path.name for path in made.iterdir()))
    fresh_folder(made, place)
    monkeypatch.chdir(place)
    faults, slow = [], 0
    for number in range(RUNS):
        words = lines.line()
        if number % 20 == 0:
            monkeypatch.chdir(tmp_path)
            fresh_folder(made, place)
            monkeypatch.chdir(place)
        data = io.TextIOWrapper(io.BytesIO(lines.random.choice(STDIN)))
        monkeypatch.setattr(sys, "stdin", data)
        try:
            with time_limit(SECONDS), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                code = main(words)
        except TooLongError:
            slow += 1
            continue
        except BaseException as error:  # noqa: BLE001 (whatever comes is what is looked for)
            where = traceback.extract_tb(error.__traceback__)[-1]
            faults.append(f"{words}: {error!r} at {where.filename}:{where.lineno}")
            continue
        finally:
            err = capsysbinary.readouterr().err.decode(errors="replace")
        if code not in (0, 1, 2) or "Traceback" in err or (code == 2 and not err):
            faults.append(f"{words}: exit code {code}, {err[:200]!r}")
    print(f"{RUNS} command lines, {slow} took more than {SECONDS} s")
    assert not faults, "\n".join(faults)
