"""What a process may use: memory and time for counting, the size of a cache, threads for arrays."""

from __future__ import annotations

import os
import re
import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from operator import index
from threading import Lock
from typing import Generic, TypeVar

from pavcodec.errors import ModelTooLarge, NumberError, PavError, shown

# The memory limit of counting: sizes as text, and the memory that a product has used.
#
# A product is built layer by layer, and its size is not known before. So each layer is charged
# before it is built: the bytes that stay (*resident*), and the bytes that only its construction
# needs (*transient*). The charges are upper bounds of what numpy allocates, so the limit holds
# without measurement.


MEMORY = 4 << 30
"""The default limit of the memory for counting, in bytes."""

_SIZE = re.compile(r"([0-9]{1,15})\s*([KMGT]?)(?:I?B)?", re.IGNORECASE)
_UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}


def memory_of(memory: object) -> int:
    """Return a memory limit in bytes, from a number or a text; K, M, G and T are 2^10 to 2^40.

    Raises `NumberError` for a text that is not a size and for sizes below 1, and `TypeError` for
    other types.

    >>> memory_of(10**6), memory_of("500"), memory_of("2G"), memory_of("64 MiB")
    (1000000, 500, 2147483648, 67108864)
    """
    if isinstance(memory, str):
        match = _SIZE.fullmatch(memory.strip())
        if not match:
            raise NumberError(f"a size is a number and K, M, G or T, not {memory[:100]!r}")
        size = int(match[1]) << _UNITS[match[2].upper()]
    else:
        try:
            size = index(memory)  # type: ignore[arg-type]  # other types raise TypeError
        except TypeError:
            kind = type(memory).__name__
            raise TypeError(
                f"memory is a number of bytes, or text such as '2G', not {kind}"
            ) from None
    if size < 1:
        raise NumberError(f"memory is at least 1 byte, not {shown(size)}")
    return size


def format_size(size: int) -> str:
    """Return a number of bytes as text: in whole binary units if exact, otherwise in decimal units.

    >>> [format_size(size) for size in (2**31, 3 * 2**19, 10**6, 1_234_567_890, 999, 1)]
    ['2 GiB', '1536 KiB', '1 MB', '1.2 GB', '999 bytes', '1 byte']
    """
    for unit, bits in reversed(_UNITS.items()):
        if unit and not size % (1 << bits):
            return f"{size >> bits} {unit}iB"
    for unit, power in (("TB", 12), ("GB", 9), ("MB", 6), ("KB", 3)):
        if size >= 10**power:
            whole, tenth = divmod(size * 10 // 10**power, 10)
            return f"{whole}.{tenth} {unit}" if tenth else f"{whole} {unit}"
    return "1 byte" if size == 1 else f"{size} bytes"


class ProductTooLarge(ModelTooLarge):
    """A product exceeds its limits: it had `states` nodes before card `card`."""

    def __init__(self, states: int, card: int) -> None:
        super().__init__(states, card)
        self.states = states
        self.card = card

    def __str__(self) -> str:
        return f"too many states: {self.states:,} before card {self.card}"


@dataclass
class MemoryBudget:
    """The memory limit of a product and the bytes charged so far, resident and transient.

    `limit` is the maximum number of states in total, and `widest` the maximum before one card.
    These two limits do not depend on the sizes of states in bytes, so they stop the same products
    on every machine.

    >>> room = MemoryBudget(1000)
    >>> room.take(card=0, states=20, resident=200, transient=500)
    >>> room.most(10, 100)
    7
    >>> room.take(card=1, states=30, resident=350, transient=100)
    Traceback (most recent call last):
        ...
    pavcodec.limits.ProductTooLarge: too many states: 50 before card 1
    """

    memory: int
    resident: int = 0
    transient: int = 0
    states: int = 0
    limit: int | None = None
    widest: int | None = None

    def take(self, *, card: int, states: int, resident: int, transient: int) -> None:
        """Charge the states before a card and their bytes; raise `ProductTooLarge` if too many.

        Raises `TimeIsUp` as `check_time` does. The widest layer needs its transient bytes twice:
        when it is built, and in the pass back from the last card. In that pass all resident bytes
        are in use.
        """
        check_time()
        self.states += states
        self.resident += resident
        self.transient = max(self.transient, transient)
        if self.resident + self.transient > self.memory:
            raise ProductTooLarge(self.states, card)
        if self.limit is not None and self.states > self.limit:
            raise ProductTooLarge(self.states, card)
        if self.widest is not None and states > self.widest:
            raise ProductTooLarge(self.states, card)

    def most(self, resident: int, transient: int) -> int:
        """Return how many more states fit, from the bytes that each state needs."""
        left = self.memory - self.resident
        most = max(0, min((left - self.transient) // resident, left // (resident + transient)))
        if self.limit is not None:
            most = min(most, self.limit - self.states)
        return most if self.widest is None else min(most, self.widest)


# The time of counting. It decides whether a number is counted, and from how many deals it is
# estimated, and nothing else: plans and deals do not depend on it, so they are made outside of such
# blocks. It is looked at before each layer, and between the deals of an estimate.
#
# The seconds are those of the clock. On a busy machine they are those of the processor, so that
# other programs do not turn a number into an estimate.


class TimeIsUp(PavError):  # noqa: N818 (a limit was reached; the input has no error)
    """Counting has not ended within the seconds that it may take."""


class Clock:
    """The seconds that have passed since it was made."""

    def __init__(self) -> None:
        self._start, self._start_of_work = time.monotonic(), time.process_time()

    @property
    def passed(self) -> float:
        """The seconds of the clock, or of the processor if these are fewer."""
        return min(time.monotonic() - self._start, time.process_time() - self._start_of_work)


_limit: ContextVar[tuple[Clock, float] | None] = ContextVar("limit", default=None)


@contextmanager
def time_limited(seconds: float, since: Clock | None = None) -> Iterator[None]:
    """Let counting in the block raise `TimeIsUp` after so many seconds, of a clock or of its own.

    >>> with time_limited(0):
    ...     check_time()
    Traceback (most recent call last):
        ...
    pavcodec.limits.TimeIsUp: counting takes more than 0 s; allow more with --seconds or seconds=
    """
    token = _limit.set((since or Clock(), seconds))
    try:
        yield
    finally:
        _limit.reset(token)


def is_time_up() -> bool:
    """Return whether the seconds of counting have passed; never if nothing limits them."""
    clock, seconds = _limit.get() or (None, 0)
    return clock is not None and clock.passed >= seconds


def check_time() -> None:
    """Raise `TimeIsUp` if the seconds of counting have passed."""
    if is_time_up():
        _, seconds = _limit.get() or (None, 0)
        raise TimeIsUp(
            f"counting takes more than {seconds:g} s; allow more with --seconds or seconds="
        )


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LruCache(Generic[Key, Value]):
    """Store values by key up to a total size, and drop the least recently used ones first.

    Several threads may use one cache.

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
            entry = self._values.get(key)
            if entry is None:
                return None
            self._values.move_to_end(key)
            return entry[0]

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


# The number of threads that share the work of arrays, for a whole process.
#
# By default it is one for each processor that the process may use. A process that is one of several
# workers limits it to one, so that the workers of a machine do not compete for its processors.


_limits: list[int] = []
"""The limits in force; blocks in several threads may begin and end in any order."""


def processors() -> int:
    """Return the number of threads for a batch: the processors of this process, up to the limits.

    >>> with threads_limited(1):
    ...     processors()
    1
    """
    return min([available(), *_limits])


def available() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # a batch queue may leave a process few of many
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def threads_limited(most: int) -> Iterator[None]:
    """Limit the threads of each batch in this process while the block runs, in all its threads."""
    _limits.append(most)
    try:
        yield
    finally:
        _limits.remove(most)
