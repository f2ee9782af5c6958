"""Models for workers: the driver builds each model once, and sends it with the preparation.

Rule 1: a worker process gets the models before its first part, also if it starts later, and on
        machines without a common disk. No part builds a model.
Rule 2: models that take more than `MOST_SENT` bytes together are not sent: each worker process
        builds them once. So are the models of weights, which belong to one space.
"""

from __future__ import annotations

import pickle
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, cast

from pavcodec.collection.plan import Making
from pavcodec.constraints.counting.model import Model
from pavcodec.constraints.counting.recent import models_used, recent_model, remember_model

MOST_SENT = 1 << 28
"""The most bytes of all models of a collection that workers get from the driver.

The scheduler of a cluster passes on some 100 MB in a second, to all workers together; a worker
builds as much of a large model in half a second.
"""


class _Sent(NamedTuple):
    """A model as a worker gets it: its pickle has nothing that ranks and loops derive from it."""

    key: Hashable
    model: Model

    def remember(self) -> Model:
        """Give the model to this process, if it has none."""
        recent = recent_model(self.key, self.model.limit)
        if recent is None:
            remember_model(*self)
        return recent or self.model


@dataclass(frozen=True)
class Prepared:
    """The preparation of a worker process: it takes the models, and then prepares the making."""

    making: Making
    models: tuple[_Sent, ...]

    def __call__(self) -> None:
        """Prepare this process."""
        alive = [each.remember() for each in self.models]
        self.making.prepare()
        del alive  # the making holds them now


def prepared(making: Making) -> Prepared:
    """Prepare a making in this process; return the preparation of workers, with the models.

    A model that the caller's space has is not built again.
    """
    fresh = cast("Making", pickle.loads(pickle.dumps(making)))  # noqa: S301 (our own value)
    with models_used() as used:
        fresh.prepare()
    sizes = accumulate(model.memory for model in used.values())
    pairs = zip(used.items(), sizes, strict=True)
    sent = [_Sent(*item) for item, size in pairs if size <= MOST_SENT]
    return Prepared(making, tuple(sent))
