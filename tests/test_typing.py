"""Users need no casts: `mypy --strict` infers the types of results, and they are true."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import typed_user

USER = Path(typed_user.__file__)


def check(path: Path, folder: Path) -> str:
    """Return what `mypy --strict` prints of a file in another folder, as for a user's program."""
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(path)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.long
def test_programs_of_users_need_no_casts(tmp_path: Path) -> None:
    assert check(USER, tmp_path).startswith("Success: no issues found in 1 source file")
    wrong = tmp_path / "wrong.py"
    lines = ["import pavcodec as pav", "pav.deals('1', method='all')", "pav.numbering(5)"]
    wrong.write_text("\n".join(lines))
    found = check(wrong, tmp_path)
    assert "wrong.py:2: error: No overload variant" in found
    assert "wrong.py:3: error: No overload variant" in found


@pytest.mark.slow
def test_programs_of_users_run() -> None:
    typed_user.everything()
