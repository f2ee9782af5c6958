"""Run the command lines and the lines of Python that answers print, in this process."""

from __future__ import annotations

import io
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import Any
from unittest.mock import patch

from pavcodec.cli.main import main

__all__ = ["run_command", "run_python"]


def run_command(command: str, *options: str) -> bytes:
    """Return what a command line prints; `printf '%s\\n' TEXT |` before it is its input.

    The options come after those of the command line.
    """
    words = shlex.split(command, comments=False)
    given = b""
    if words[0] == "printf":
        assert words[1] == "%s\\n"
        assert words[3] == "|"
        given, words = f"{words[2]}\n".encode(), words[4:]
    assert words[0] == "pavcodec"
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    typed = io.TextIOWrapper(io.BytesIO(given), "utf-8")
    place = words.index("--") if "--" in words else len(words)
    words[place:place] = options
    with patch.object(sys, "stdin", typed), redirect_stdout(out), redirect_stderr(io.StringIO()):
        main(words[1:])
    out.flush()
    return out.buffer.getvalue()


def run_python(lines: str) -> tuple[str, dict[str, Any]]:
    """Return what lines of Python print, and their names."""
    out, names = io.StringIO(), {"__name__": "lines"}
    with redirect_stdout(out):
        exec(compile(lines, "lines", "exec"), names)  # noqa: S102 (the lines of an answer)
    return out.getvalue(), names
