"""Odds: exact probabilities and distributions, and estimates if counting is impossible.

`questions` has the two questions, `probability` and `distribution`; `distributions` their answers
as values, texts and plots. `plans` says in words what is counted, what is tested and why there are
no deals, and `figures` how large numbers and small shares are written.
"""

from __future__ import annotations

from pavcodec._lazy import face

__getattr__, __dir__ = face(__name__)
