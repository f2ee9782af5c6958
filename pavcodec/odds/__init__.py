"""Odds: exact probabilities and distributions, and estimates if counting is impossible.

The names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader

if TYPE_CHECKING:
    from pavcodec.odds.distributions import (
        Distribution,
        SampledDistribution,
        WeightedDistribution,
    )
    from pavcodec.odds.questions import distribution, probability

__all__ = [
    "Distribution",
    "SampledDistribution",
    "WeightedDistribution",
    "distribution",
    "probability",
]

_HOMES = {
    "Distribution": ".distributions",
    "SampledDistribution": ".distributions",
    "WeightedDistribution": ".distributions",
    "distribution": ".questions",
    "probability": ".questions",
}

__getattr__ = loader(__name__, _HOMES)
