"""The models of the last conditions of this process, so that it builds none of them twice.

Larger models are in files instead; `cache` reads both.
"""

from __future__ import annotations

from pavcodec.constraints.counting.models.model import Model
from pavcodec.limits.lru_cache import LruCache

__all__ = ["MOST_MODELS", "MOST_NODES", "forget_models", "recent_model", "remember_model"]

MOST_MODELS = 16
MOST_NODES = 500_000
"""The most nodes of all models together: some tens of MiB."""

_models = LruCache[str, Model](MOST_NODES)


def recent_model(text: str) -> Model | None:
    """Return the model of a condition's text; None if it is not among the last ones."""
    return _models.get(text)


def remember_model(text: str, model: Model) -> None:
    """Store a model; each counts as a minimum size at least, which limits their number."""
    if model.nodes <= MOST_NODES:
        _models.keep(text, model, max(model.nodes, MOST_NODES // MOST_MODELS))


def forget_models() -> None:
    """Drop all models."""
    _models.clear()
