"""What holds for all tests."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads models that others kept, or keeps its own among them."""
    monkeypatch.setenv("PAVCODEC_CACHE", "")
