"""No test of constraints reads models that others kept, or keeps its own among them."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn the cache of models off."""
    monkeypatch.setenv("PAVCODEC_CACHE", "")
