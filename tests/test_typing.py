"""Users need no casts: `mypy --strict` infers the types of results, and they are true."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import typed_user

USER = Path(typed_user.__file__)


@pytest.mark.slow
@pytest.mark.long
def test_programs_of_users_need_no_casts(tmp_path: Path) -> None:
    """`mypy --strict` in another folder, as for a user's programs: it finds what is wrong only."""
    wrong = tmp_path / "wrong.py"
    lines = ["import pavcodec as pav", "pav.deals('1', method='all')", "pav.numbering(5)"]
    wrong.write_text("\n".join(lines))
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(USER), str(wrong)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert [error.split(": error: No overload variant")[0] for error in errors] == [
        "wrong.py:2",
        "wrong.py:3",
    ]
    assert done.stdout.splitlines()[-1].startswith("Found 2 errors in 1 file (checked 2 source")
    assert done.stderr == ""


@pytest.mark.slow
def test_programs_of_users_run() -> None:
    typed_user.everything()
