"""Tests of the page Deal and its tasks."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn the cache of models off."""
    monkeypatch.setenv("PAVCODEC_CACHE", "")
