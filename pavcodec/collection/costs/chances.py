"""Random events of a simulation, by the stream `pav-1` and by integers alone.

Rule 1: each event has its own draws, by what it is about, so the same faults strike the same parts
        and workers whatever the other parameters are.
Rule 2: no logarithm and no float, so that all machines find the same times.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pavcodec.sampling import Stream

__all__ = ["Chances"]

_FRACTION = 1 << 64
_DEATHS, _SLOW, _PUTS = 1, 2, 3
"""The lanes of the stream."""
_TRIES = 1 << 20
"""The most tries of a part, and lives of a worker, that have draws of their own."""


@dataclass(frozen=True)
class Chances:
    """The chances of a seed."""

    seed: int
    _stream: Stream = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_stream", Stream(self.seed))

    def lifetime(self, mean: int, worker: int, life: int) -> int:
        """Return an exponential time with this mean, rounded down, by von Neumann's method.

        Uniform numbers are drawn while they descend. If they are odd in number, the first is the
        fraction of the result; otherwise the whole part is one more, and the drawing begins again.

        >>> [Chances(7).lifetime(1000, 0, life) for life in range(5)]
        [400, 587, 233, 723, 1866]
        """
        roll = self._stream.chance(worker * _TRIES + life, lane=_DEATHS)
        whole = 0
        while True:
            first = last = roll(_FRACTION)
            drawn = 1
            while (found := roll(_FRACTION)) < last:
                last, drawn = found, drawn + 1
            if drawn % 2:
                return (whole * _FRACTION + first) * mean // _FRACTION
            whole += 1

    def is_slow(self, one_in: int, part: int, attempt: int) -> bool:
        """Return whether a try of a part is slow, which one in so many is."""
        return self._is_one(one_in, part, attempt, _SLOW)

    def is_refused(self, one_in: int, part: int, attempt: int) -> bool:
        """Return whether the put of a try of a part fails, which one in so many does."""
        return self._is_one(one_in, part, attempt, _PUTS)

    def _is_one(self, one_in: int, part: int, attempt: int, lane: int) -> bool:
        if not one_in:
            return False
        return not self._stream.chance(part * _TRIES + attempt, lane=lane)(one_in)
