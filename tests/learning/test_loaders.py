"""The programs of the page with the packages that learn, where these are installed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "learning" / "index.md"


def program(package: str) -> dict[str, Any]:
    """Run the program of the page that imports a package, and return its names."""
    pytest.importorskip(package)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    [found] = [block for block in blocks if block.startswith(f"import {package}\n")]
    names: dict[str, Any] = {}
    exec(found, names)  # noqa: S102 (our own documentation)
    return names


def test_pytorch_learns_points() -> None:
    assert program("torch")["loss"] < 20


def test_jax_counts_points() -> None:
    names = program("jax")
    assert names["total"] == 40 * 1024 * len(names["run"])
