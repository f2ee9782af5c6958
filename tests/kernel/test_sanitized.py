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
"""The tests of all functions of the kernel, of which the quick ones run here."""


def build_of_the_sources() -> Any:
    """Return the module that compiles the C beside it; an installed package has no C."""
    spec = spec_from_file_location("build", ROOT / "pavcodec" / "kernel" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILD = build_of_the_sources()


def compile_watched(library: Path) -> dict[str, str]:
    """Compile a kernel whose memory and arrays AddressSanitizer watches."""
    told = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], stdout=subprocess.PIPE, text=True, check=True
    )
    watch = Path(told.stdout.strip())
    if not watch.is_absolute():
        pytest.skip("gcc has no libasan")
    flags = ["-std=c11", "-O1", "-g", "-fPIC", "-shared", "-fsanitize=address"]
    flags += [f'-DFINGERPRINT="{BUILD.fingerprint()}"', "-o", str(library)]
    files = [str(path) for path in BUILD.sources() if path.suffix == ".c"]
    subprocess.run(["gcc", *flags, *files], check=True)
    return {
        "LD_PRELOAD": str(watch),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
    }


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("stops_at", ["undefined behaviour", "memory of others"])
def test_the_tests_of_the_kernel_meet_no(stops_at: str, tmp_path: Path) -> None:
    library, watched = tmp_path / "kernel.bin", dict[str, str]()
    if stops_at == "undefined behaviour":
        BUILD.build(library, sanitize=True)
    elif shutil.which("gcc"):
        watched = compile_watched(library)
    else:
        pytest.skip("gcc has the library that watches memory")
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", *TESTS],
        env={**os.environ, **watched, "PAVCODEC_KERNEL": str(library)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-3000:]
