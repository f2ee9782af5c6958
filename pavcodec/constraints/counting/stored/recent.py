"""The models of the last conditions of this process, so that it makes none of them twice.

Models that are worth a file are kept on disk instead; `cache` looks in both places.
"""

from __future__ import annotations

from pavcodec.constraints.counting.models.model import Model
from pavcodec.limits.lru_cache import LruCache

__all__ = ["MOST_MODELS", "MOST_NODES", "forget_models", "recent_model", "remember_model"]

MOST_MODELS = 16
MOST_NODES = 500_000
"""The nodes of all of them together: some tens of MiB."""

_models = LruCache[str, Model](MOST_NODES)


def recent_model(text: str) -> Model | None:
    """Return the model of a condition's text if it is among the last ones."""
    return _models.get(text)


def remember_model(text: str, model: Model) -> None:
    """Keep a model; each takes a part of the room at least, so that there are not too many."""
    if model.nodes <= MOST_NODES:
        _models.keep(text, model, max(model.nodes, MOST_NODES // MOST_MODELS))


def forget_models() -> None:
    """Drop all models."""
    _models.clear()
