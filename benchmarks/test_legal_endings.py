"""The table of legal endings is made."""

from __future__ import annotations

import legal_endings
import pytest


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert legal_endings.main(["--count", "400", "--turns", "1"]) == 0
    assert "| a line of play |" in capsys.readouterr().out
