"""The models of this process: equal conditions share one, and no model is built twice.

Rule 1: a model that some space holds is shared, of any size. Others stay while all of them take at
        most `MOST_MEMORY` bytes together, with what ranks and loops derive from them; the least
        recently used go first.
Rule 2: a model is shared only with conditions whose memory limit is not below the limit under which
        it was built, so a result never depends on what the process did before.
Rule 3: threads that need the same model wait for the first one to build it.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from threading import Lock, RLock
from weakref import WeakValueDictionary

from pavcodec.cards import Seat
from pavcodec.constraints.counting.model import Model
from pavcodec.limits import LruCache

MOST_MEMORY = 1 << 28
"""The most bytes of all models together that no space holds: a quarter of a GiB."""
_LEAST = 1 << 16
"""The bytes of a model at least, so that the number of models is limited as well."""


class _Building:
    """The lock of a model, while some threads need it."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.users = 0


_models = LruCache[Hashable, Model](MOST_MEMORY)
_seats = LruCache[Hashable, tuple[frozenset[Seat], int]](1000)
"""The seats that plans count, by the keys of their conditions: finding them can take a second."""

_alive: WeakValueDictionary[Hashable, Model] = WeakValueDictionary()
_building: dict[Hashable, _Building] = {}
_noting: list[dict[Hashable, Model]] = []
_lock = Lock()


def recent_model(key: Hashable, memory: int) -> Model | None:
    """Return the model of the process that was built under this limit or a lower one."""
    model = _models.get(key)
    with _lock:
        model = model or _alive.get(key)
    if model is None or max(model.limit, model.memory) > memory:
        return None
    _note(key, model)
    return model


def remember_model(key: Hashable, model: Model) -> None:
    """Store a model in the process."""
    _note(key, model)
    size = max(model.memory, _LEAST)
    if size <= MOST_MEMORY:
        _models.keep(key, model, size)
    with _lock:
        _alive[key] = model


def forget_models() -> None:
    """Drop the models of this process, so that their memory is free; spaces keep their own.

    >>> from pavcodec import deals, forget_models
    >>> one, two = deals("hcp(north) == 37"), deals("hcp(north)==37")
    >>> one.model is two.model
    True
    >>> forget_models()
    >>> deals("hcp(north) == 37").model is one.model
    False
    """
    _models.clear()
    _seats.clear()
    with _lock:
        _alive.clear()


def recent_seats(key: Hashable, memory: int) -> frozenset[Seat] | None:
    """Return the seats that a plan counts, if it was made under this limit or a lower one."""
    seats, limit = _seats.get(key) or (None, 0)
    return seats if limit <= memory else None


def remember_seats(key: Hashable, seats: frozenset[Seat], limit: int) -> None:
    """Store the seats that the plan of a condition counts, made under a memory limit."""
    _seats.keep(key, (seats, limit), 1)


@contextmanager
def models_used() -> Iterator[dict[Hashable, Model]]:
    """Yield a mapping that gets the models that this process uses while the block runs.

    The keys are those of the conditions; `remember_model` gives such models to other processes.
    """
    used: dict[Hashable, Model] = {}
    _noting.append(used)
    try:
        yield used
    finally:
        _noting[:] = [each for each in _noting if each is not used]


def _note(key: Hashable, model: Model) -> None:
    for used in _noting:
        used[key] = model


@contextmanager
def building(key: Hashable) -> Iterator[None]:
    """Let one thread at a time build the model of a condition, by its key."""
    with _lock:
        current = _building.setdefault(key, _Building())
        current.users += 1
    try:
        with current.lock:
            yield
    finally:
        with _lock:
            current.users -= 1
            if not current.users:
                _building.pop(key, None)


def _after_fork() -> None:
    """Make new locks in a child: another thread may have held them when the process forked."""
    global _lock, _models, _seats
    _lock, _models, _seats = Lock(), LruCache(MOST_MEMORY), LruCache(1000)
    _building.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
