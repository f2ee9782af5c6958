"""The table of legal endings is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import legal_endings

if TYPE_CHECKING:
    import pytest


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert legal_endings.main(["--count", "400", "--turns", "1"]) == 0
    assert "| a line of play |" in capsys.readouterr().out
