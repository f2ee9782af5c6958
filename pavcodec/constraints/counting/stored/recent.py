"""The models of the last conditions, kept while the process runs, so that none is made twice.

Models that are worth a file are kept on disk instead; `cache` asks both.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from pavcodec.constraints.counting.models.model import Model

__all__ = ["MOST_MODELS", "MOST_NODES", "forget_models", "recent_model", "remember_model"]

MOST_MODELS = 16
MOST_NODES = 500_000
"""The nodes of all of them together: some tens of MiB."""

_models: OrderedDict[str, Model] = OrderedDict()
_lock = Lock()


def recent_model(text: str) -> Model | None:
    """Return the model of a condition's text if it is among the last ones."""
    with _lock:
        model = _models.get(text)
        if model is not None:
            _models.move_to_end(text)
        return model


def remember_model(text: str, model: Model) -> None:
    """Keep a model, and let those go that were not used for longest."""
    if model.nodes > MOST_NODES:
        return
    with _lock:
        _models[text] = model
        _models.move_to_end(text)
        while (
            len(_models) > MOST_MODELS or sum(each.nodes for each in _models.values()) > MOST_NODES
        ):
            _models.popitem(last=False)


def forget_models() -> None:
    """Let all models go."""
    with _lock:
        _models.clear()
