"""Arrays for programs that learn from deals, and samples by the likelihoods of such programs.

Each name is imported when it is first used.
"""

from __future__ import annotations

from pavcodec._lazy import loader

__all__: list[str] = []

_HOMES: dict[str, str] = {}

__getattr__ = loader(__name__, _HOMES)
