"""Run the command lines and the lines of Python that answers print, in this process."""

from __future__ import annotations

import io
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import Any
from unittest.mock import patch

from pavcodec.cli.main import main


def run_command(line: str, *options: str, code: int | None = None) -> bytes:
    """Return what a line of commands with pipes prints; `printf '%s\\n' TEXT` may be the first.

    The options come after those of the last command, which must end with an exit code.
    """
    words, out = shlex.split(line), b""
    while words:
        end = words.index("|") if "|" in words else len(words)
        (program, *step), words = words[:end], words[end + 1 :]
        if program == "printf":
            out = f"{step[1]}\n".encode()
            continue
        assert program == "pavcodec"
        if not words:
            place = step.index("--") if "--" in step else len(step)
            step[place:place] = options
        typed = io.TextIOWrapper(io.BytesIO(out), "utf-8")
        printed = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
        with patch.object(sys, "stdin", typed), redirect_stdout(printed):
            with redirect_stderr(io.StringIO()):
                ended = main(step)
            assert words or code in (None, ended)
            printed.flush()
        out = printed.buffer.getvalue()
    return out


def run_python(lines: str) -> tuple[str, dict[str, Any]]:
    """Return what lines of Python print, and their names."""
    out, names = io.StringIO(), {"__name__": "lines"}
    with redirect_stdout(out):
        exec(compile(lines, "lines", "exec"), names)  # noqa: S102 (the lines of an answer)
    return out.getvalue(), names
