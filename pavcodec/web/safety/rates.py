"""The rate of each client: a bucket of tokens that fills steadily, of which each request takes one.

Memory is bounded: of too many clients, the one that was silent longest is forgotten. Its bucket was
nearly always full, since a bucket fills within seconds.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable

__all__ = ["Rates"]

_MOST_CLIENTS = 50_000


class Rates:
    """The buckets of all clients.

    >>> now = 0.0
    >>> rates = Rates(rate=2, burst=3, clock=lambda: now)
    >>> [rates.take("a") for _ in range(4)], rates.take("b")
    ([0, 0, 0, 1], 0)
    >>> now = 0.5
    >>> rates.take("a"), rates.take("a")
    (0, 1)
    """

    def __init__(
        self,
        rate: float,
        burst: float,
        most: int = _MOST_CLIENTS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """The tokens of a client and the time at which it had them; silent clients first."""

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, client: str, cost: float = 1.0) -> int:
        """Take tokens and return 0, or take none and return the seconds until there are enough."""
        if not self._rate:
            return 0
        now = self._clock()
        tokens, before = self._buckets.pop(client, (self._burst, now))
        tokens = min(self._burst, tokens + (now - before) * self._rate)
        is_enough = tokens >= cost
        self._buckets[client] = (tokens - cost if is_enough else tokens), now
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return 0 if is_enough else math.ceil((cost - tokens) / self._rate)
