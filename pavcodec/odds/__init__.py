"""Odds: exact probabilities and distributions, and estimates where nobody can count.

The names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pavcodec.odds.distributions import Distribution, SampledDistribution
    from pavcodec.odds.questions import distribution, probability

__all__ = ["Distribution", "SampledDistribution", "distribution", "probability"]

_HOMES = {
    "Distribution": "distributions",
    "SampledDistribution": "distributions",
    "distribution": "questions",
    "probability": "questions",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'pavcodec.odds' has no attribute {name!r}")
    value = getattr(import_module(f"pavcodec.odds.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
