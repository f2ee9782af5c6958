"""Tests of packages that need not be installed."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def needs(*names: str) -> None:
    """Skip a test, or a module of tests, without these packages; they are not imported yet."""
    for name in names:
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed", allow_module_level=True)
