"""The kernel with traps: no call meets undefined behaviour, or leaves its arrays."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
TESTS = [
    "tests/kernel",
    "tests/walk",
    "tests/numberings/test_rankings.py",
    "tests/numberings/test_classes.py",
    "tests/numberings/test_legal.py",
    "tests/sampling/test_stream.py",
    "tests/sampling/test_permutation.py",
]
"""The tests of all functions of the kernel."""


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
        [sys.executable, str(ROOT / "tests" / "support" / "kernel_fuzz.py"), "5"],
        env={**os.environ, "PAVCODEC_KERNEL": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert int(ended.stdout) > 2_000


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc has the library that watches memory")
def test_the_tests_of_the_kernel_touch_no_memory_of_others(tmp_path: Path) -> None:
    """The quick ones of these tests, with a kernel and arrays that AddressSanitizer watches."""
    build, library = build_of_the_sources(), tmp_path / "kernel.bin"
    told = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], stdout=subprocess.PIPE, text=True, check=True
    )
    watch = Path(told.stdout.strip())
    if not watch.is_absolute():
        pytest.skip("gcc has no libasan")
    flags = ["-std=c11", "-O1", "-g", "-fPIC", "-shared", "-fsanitize=address"]
    flags += [f'-DFINGERPRINT="{build.fingerprint()}"', "-o", str(library)]
    files = [str(path) for path in build.sources() if path.suffix == ".c"]
    subprocess.run(["gcc", *flags, *files], check=True)
    watched = {
        "LD_PRELOAD": str(watch),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
        "PAVCODEC_KERNEL": str(library),
    }
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", *TESTS],
        env={**os.environ, **watched},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-3000:]
