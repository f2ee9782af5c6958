"""What the command and the lines of Python of an answer give."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from shlex import split
from typing import Any

from pavcodec.cli import main

__all__ = ["printed_by", "value_of"]


def printed_by(command: str, *more: str, code: int = 0) -> str:
    """Return what a command line prints, with more words; it must end with an exit code."""
    content = io.BytesIO()
    out = io.TextIOWrapper(content, encoding="utf-8")
    program, *words = split(command)
    assert program == "pavcodec"
    names = 2 if words[0] == "squaredeal" else 1  # those of the command and of its action
    with redirect_stdout(out):
        assert main([*words[:names], *more, *words[names:]]) == code  # no options after `--`
        out.flush()
    return content.getvalue().decode()


def value_of(lines: str) -> Any:
    """Return the value of `answer` after some lines of Python, or None without one."""
    names: dict[str, Any] = {}
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")):
        exec(compile(lines, "the lines of an answer", "exec"), names)  # noqa: S102 (our own lines)
    return names.get("answer")
