"""Runs the command line inside the test process: fixtures for tests of any room."""

from __future__ import annotations

import argparse
import io
import sys

import pytest
from formats_support import Cli, Outcome

from pavcodec.cli import main
from pavcodec.cli.main import make_parser

__all__ = ["cli", "parsers"]


def parsers(parser: argparse.ArgumentParser | None = None) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of all commands and of their actions, by their words."""
    found: dict[str, argparse.ArgumentParser] = {}
    for action in (parser or make_parser())._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, each in action.choices.items():
                below = parsers(each)
                found |= {f"{name} {word}": one for word, one in below.items()} or {name: each}
    return found


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Cli:
    """Return a function that runs one command and returns what it gave."""

    def run(*words: object, stdin: str | bytes = b"") -> Outcome:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        try:
            code = main([str(word) for word in words])
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else -1
        out, err = capsysbinary.readouterr()
        return Outcome(code, out.decode(errors="surrogateescape"), err.decode())

    return run
