"""Functions for other processes, which import this module by its name."""

from __future__ import annotations

from typing import Any

import numpy as np

import pavcodec as pav
from pavcodec.arrays import Owners


def drawn(space: Any, start: int) -> list[pav.Layout]:
    """Return some samples of a space."""
    found: list[pav.Layout] = space.sample(40, seed=7, start=start)
    return found


def one_batch(run: pav.Batches, place: int) -> Owners:
    """Return a batch of a run."""
    return np.asarray(run[place])
