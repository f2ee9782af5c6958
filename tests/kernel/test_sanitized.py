"""The kernel with traps: calls of every kind meet no undefined behaviour."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent


def build_of_the_sources() -> Any:
    """Return the module that compiles the C beside it; an installed package has no C."""
    spec = spec_from_file_location("build", ROOT / "pavcodec" / "kernel" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_calls_meet_no_undefined_behaviour(tmp_path: Path) -> None:
    library = build_of_the_sources().build(tmp_path / "kernel.bin", sanitize=True)
    ended = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "support" / "kernel_fuzz.py"), "20"],
        env={**os.environ, "PAVCODEC_KERNEL": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert int(ended.stdout) > 10_000
