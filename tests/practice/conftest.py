"""No test of practice sets reads models of the disk, or keeps its own there."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn the cache of models off."""
    monkeypatch.setenv("PAVCODEC_CACHE", "")


@pytest.fixture(autouse=True)
def no_recent_models() -> None:
    """Keep the models of the tests before: all tests are about the same few situations."""
