"""The stream pav-1 once more, on numpy's generator; what measures evenness; programs of pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from oracles import FIXTURES

WORD = 2**64 - 1


def numpy_block(counter: Sequence[int], key: Sequence[int]) -> tuple[int, ...]:
    """The block of a counter, from numpy: it adds 1 to the counter before the first block."""
    number = sum(word << 64 * place for place, word in enumerate(counter))
    generator = np.random.Philox(
        counter=(number - 1) % 2**256, key=sum(word << 64 * place for place, word in enumerate(key))
    )
    return tuple(int(word) for word in generator.random_raw(4))


def numpy_index(seed: int, k: int, cardinality: int, use: int = 0, number: int = 0) -> int:
    """Sample k by the program of the page; for use 1, a further number of it."""
    return int(PROGRAM["draw"](seed, k, use, number, cardinality))


def deviation(counts: Iterable[int], weights: Iterable[Fraction | int] | None = None) -> float:
    """How far counts are from weights, or from each other: chi-square as a normal deviate.

    The cube root of chi-square over its degrees of freedom is nearly normal (Wilson and Hilferty).
    """
    found = np.array(list(counts), float)
    shares = np.ones(len(found)) if weights is None else np.array([*map(float, weights)])
    expected = found.sum() * shares / shares.sum()
    freedom = len(found) - 1
    chi_square = float(((found - expected) ** 2 / expected).sum())
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


PAGE = (FIXTURES.parent / "docs" / "random.md").read_text(encoding="utf-8")
"""The definitions of all streams."""


def section(stream: str) -> str:
    """The part of the page that defines a stream."""
    [part] = re.findall(rf"^## [^\n]*{stream}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return str(part)


def page_code(page: str, **names: Any) -> dict[str, Any]:
    """What the programs of a page define, with the help of some names."""
    for body in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        if ">>>" not in body:
            exec(body, names)  # noqa: S102 (our own documentation)
    return names


PROGRAM = page_code(section("pav-permutation-1"), block=numpy_block)
