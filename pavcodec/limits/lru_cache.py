"""What was read last, kept up to a limit of memory."""

from __future__ import annotations

from threading import Lock
from typing import Generic, TypeVar

__all__ = ["Kept"]

T = TypeVar("T")


class Kept(Generic[T]):
    """Values by number; the ones used longest ago are dropped where they take too much together.

    >>> kept = Kept[str](most=10)
    >>> kept.keep(1, "a", size=6), kept.keep(2, "b", size=4), kept.get(1), kept.keep(3, "c", size=3)
    ('a', 'b', 'a', 'c')
    >>> kept.get(1), kept.get(2), kept.get(3)
    ('a', None, 'c')
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._total = 0
        self._lock = Lock()  # several threads may read one archive
        self._values: dict[int, tuple[T, int]] = {}  # the one used last stands last

    def get(self, key: int) -> T | None:
        """Return a value if it is still there."""
        with self._lock:
            found = self._values.pop(key, None)
            if found is None:
                return None
            self._values[key] = found
            return found[0]

    def keep(self, key: int, value: T, size: int) -> T:
        """Keep a new value of so many bytes, and return it; the last one is kept at any size."""
        with self._lock:
            before = self._values.pop(key, None)
            self._values[key] = value, size
            self._total += size - (before[1] if before else 0)
            while self._total > self._most and len(self._values) > 1:
                _, dropped = self._values.pop(next(iter(self._values)))
                self._total -= dropped
        return value
