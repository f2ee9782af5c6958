"""The kernel as a whole: each function has a definition, and only right arrays reach it."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys

import numpy as np
import pytest

from pavcodec import kernel
from pavcodec.kernel import reference


def test_each_function_has_a_definition_with_its_arguments() -> None:
    for name, signature in kernel._signatures().items():
        declared = [argument.name for argument in signature.arguments]
        assert [*inspect.signature(getattr(reference, name)).parameters] == declared, name


def test_the_suite_runs_on_the_compiled_kernel() -> None:
    assert kernel.is_compiled() == (os.environ.get("PAVCODEC_KERNEL") != "reference")


@pytest.mark.parametrize(
    "rows",
    [
        np.zeros((3, 2), np.int64),
        np.zeros((3, 2), np.dtype(np.uint64).newbyteorder()),
        np.zeros((3, 4), np.uint64)[:, ::2],
        np.zeros((2, 3), np.uint64).T,
        np.broadcast_to(np.uint64(0), (3, 2)),
    ],
    ids=["type", "byte order", "stride", "order", "read only"],
)
def test_other_arrays_are_refused(rows: np.ndarray) -> None:
    words = np.ones(2, np.uint64)
    with pytest.raises(TypeError, match="the kernel's 'rows' is no such array"):
        kernel.stream_draw(words, words, words, 0, 0, 0, 3, rows)


def program(text: str, *, kernel: str | None) -> subprocess.CompletedProcess[str]:
    """Run a program with a kernel."""
    variables = {name: value for name, value in os.environ.items() if name != "PAVCODEC_KERNEL"}
    variables |= {} if kernel is None else {"PAVCODEC_KERNEL": kernel}
    command = [sys.executable, "-c", text]
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=False)


def test_a_kernel_that_is_not_there_is_named() -> None:
    ended = program(
        "from pavcodec import kernel; kernel.is_compiled()", kernel="no-such-library.so"
    )
    assert ended.returncode == 1
    assert "no-such-library.so" in ended.stderr.splitlines()[-1]


@pytest.mark.slow
def test_a_missing_kernel_is_told_once() -> None:
    text = (
        "from pavcodec import kernel, numbering; kernel._LIBRARY = 'no-such-library'; "
        "print(kernel.is_compiled(), kernel.is_compiled(), numbering('base5').unrank(5).owners[0])"
    )
    ended = program(text, kernel=None)
    assert ended.stdout == "False False 4\n"
    told, advice = ended.stderr.splitlines()
    assert told.startswith("pavcodec: the compiled kernel is missing, and all is slow: ")
    assert "no-such-library" in told
    assert "PAVCODEC_KERNEL=reference" in advice


@pytest.mark.slow
def test_the_definitions_run_the_library() -> None:
    text = "from pavcodec.cli import main; main('deal hcp(south)==37 -n 3 --seed 7'.split())"
    outputs = [program(text, kernel=chosen).stdout for chosen in ("", "reference")]
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") == 3
