"""A cache with a size limit that drops the least recently used values first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["LruCache"]

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LruCache(Generic[Key, Value]):
    """Store values by key up to a total size; several threads may use one cache.

    >>> cache = LruCache[int, str](most=10)
    >>> cache.keep(1, "a", size=6), cache.keep(2, "b", size=4), cache.get(1)
    ('a', 'b', 'a')
    >>> cache.keep(3, "c", size=3), cache.get(1), cache.get(2)
    ('c', 'a', None)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._total = 0
        self._lock = Lock()
        self._values: OrderedDict[Key, tuple[Value, int]] = OrderedDict()  # least recent first

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, or None if it is not stored."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def keep(self, key: Key, value: Value, size: int) -> Value:
        """Store a value of a size and return it; the newest value stays even if it is too large."""
        with self._lock:
            before = self._values.pop(key, None)
            self._values[key] = value, size
            self._total += size - (before[1] if before else 0)
            while self._total > self._most and len(self._values) > 1:
                _, (_, dropped) = self._values.popitem(last=False)
                self._total -= dropped
        return value

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._values.clear()
            self._total = 0
