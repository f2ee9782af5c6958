"""Tests of practice sets share the models of a few situations."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_recent_models() -> None:
    """Keep the models of the tests before: all tests are about the same few situations."""
