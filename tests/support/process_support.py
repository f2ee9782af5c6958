"""Functions for other processes, which import this module by its name."""

from __future__ import annotations

from typing import Any

import pavcodec as pav


def drawn(space: Any, start: int) -> list[pav.Layout]:
    """Return some samples of a space."""
    found: list[pav.Layout] = space.sample(40, seed=7, start=start)
    return found
