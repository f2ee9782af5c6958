"""Odds: exact probabilities and distributions, and estimates if counting is impossible.

The names are loaded when they are first used.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)
