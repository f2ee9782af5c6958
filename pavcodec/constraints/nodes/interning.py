"""Values of which equal ones are one object, so that what is built of them is a graph.

Whoever makes a node that is there already gets the one that is there. Equality and hashes then take
no time, however large the expression below a node is, and whatever is remembered by node is
remembered once for all its places. Nodes are kept no longer than somebody has them.

A node that is *loose* is the exception: two that look alike are two objects, since a draw without a
number is one of its own wherever it was written. They compare equal all the same, through their
form, which is shared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from threading import RLock
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform
from weakref import WeakValueDictionary

__all__ = ["Interned", "interned"]

_T = TypeVar("_T")

_MOST_SHOWN, _DEEPEST_SHOWN = 1000, 100
"""The parts, and the parts within one another, up to which `repr` shows a value."""
_LOCK = RLock()  # whatever is collected while a value is made may make another


class _Form:
    """What loose nodes that look alike have in common; it keeps the forms of what is below."""

    __slots__ = ("__weakref__", "below")

    def __init__(self, below: tuple[object, ...]) -> None:
        self.below = below


_form_of = attrgetter("_form")
_KEPT: WeakValueDictionary[tuple[object, ...], Interned | _Form] = WeakValueDictionary()


class _Interning(type):
    """Makes instances, or finds them among those that are there."""

    def __call__(cls: type[_T], *args: Any, **kwargs: Any) -> _T:  # noqa: ANN401
        made: Any = type.__call__(cls, *args, **kwargs)
        found: _T = made._kept()
        return found


class Interned(metaclass=_Interning):
    """A value that is one object with all that are equal; `interned` makes a class of them.

    >>> @interned
    ... class Pair(Interned):
    ...     left: int
    ...     right: int
    >>> Pair(1, 2) is Pair(1, right=2), Pair(1, 2) == Pair(2, 1)
    (True, False)
    """

    __slots__ = ("__weakref__", "_form", "measure")
    __match_args__: ClassVar[tuple[str, ...]] = ()
    _form: _Form | None
    """What loose nodes that look alike share; None for a node that is not loose."""
    measure: Any
    """What was measured of the node, once somebody has; see `pavcodec.constraints.nodes.trees`."""

    @property
    def is_loose(self) -> bool:
        """Whether equal ones are objects of their own."""
        return self._form is not None

    @property
    def below(self) -> Iterator[Interned]:
        """The interned values right below, from left to right."""
        for name in self.__match_args__:
            value = getattr(self, name)
            if isinstance(value, Interned):
                yield value
            elif type(value) is tuple and value and isinstance(value[0], Interned):
                yield from value

    def _starts_loose(self) -> bool:
        """Tell whether the value is loose by itself, whatever is below it."""
        return False

    def _kept(self) -> Self:
        """Return the value that is there already, else this one."""
        object.__setattr__(self, "measure", None)
        object.__setattr__(self, "_form", None)
        key, loose = self._key()
        with _LOCK:
            if not loose:
                return _KEPT.setdefault(key, self)  # type: ignore[return-value]
            object.__setattr__(self, "_form", _KEPT.setdefault((_Form, *key), _Form(loose)))
            return self

    def _key(self) -> tuple[tuple[object, ...], tuple[object, ...]]:
        """Return what tells values apart; of a loose value, also the forms that this is about.

        Values below count by identity, others by their type as well: 1 is not `True` here.
        """
        key: list[object] = [type(self)]
        loose: list[object] = [self._starts_loose()] * self._starts_loose()
        for name in self.__match_args__:
            value = getattr(self, name)
            if isinstance(value, Interned):
                value = (value,)
            if type(value) is tuple and value and isinstance(value[0], Interned):
                if any(map(_form_of, value)):
                    value = [each._form or each for each in value]
                    loose += value
                key.append(tuple(map(id, value)))
            else:
                key += [type(value), value if _is_hashable(value) else id(value)]
        return tuple(key), tuple(loose)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Interned):
            return NotImplemented
        return self._form is not None and self._form is other._form

    def __hash__(self) -> int:
        return object.__hash__(self) if self._form is None else hash(self._form)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (_steps_to(self),)

    def __repr__(self) -> str:
        if not _is_short(self):
            return f"<{type(self).__name__} of many parts>"
        fields = (f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({', '.join(fields)})"


@dataclass_transform(frozen_default=True, eq_default=False)
def interned(cls: type[_T]) -> type[_T]:
    """Make a frozen dataclass with slots of a subclass of `Interned`."""
    return dataclass(frozen=True, slots=True, eq=False, repr=False)(cls)


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _is_short(value: Interned) -> bool:
    """Tell whether a value has few enough parts to be shown, each counted in all its places."""
    pending, parts = [(value, 1)], 0
    while pending and parts < _MOST_SHOWN:
        part, depth = pending.pop()
        if depth > _DEEPEST_SHOWN:
            return False
        parts += 1
        pending += [(each, depth + 1) for each in part.below]
    return not pending


class _Place(int):
    """The place of a step whose value is meant."""


_Step = Interned | tuple[type[Interned], tuple[Any, ...]]


def _steps_to(value: Interned) -> list[_Step]:
    """Return how to rebuild a value, one step a part: nothing is as deep as the value is.

    What is loose by itself is a step as it is, so that it stays one object in a whole pickle.
    """
    steps: list[_Step] = []
    places: dict[int, _Place] = {}
    pending = [value]
    while pending:
        top = pending[-1]
        if top is not value and top._starts_loose():
            unknown = []
        else:
            unknown = [each for each in top.below if id(each) not in places]
        pending += unknown
        if unknown:
            continue
        pending.pop()
        if id(top) not in places:
            places[id(top)] = _Place(len(steps))
            is_whole = top is not value and top._starts_loose()
            steps.append(top if is_whole else (type(top), _told(top, places)))
    return steps


def _told(value: Interned, places: dict[int, _Place]) -> tuple[Any, ...]:
    """Return the fields of a value, with places instead of the values below."""

    def told(field: Any) -> Any:  # noqa: ANN401
        if isinstance(field, Interned):
            return places[id(field)]
        if type(field) is tuple and field and isinstance(field[0], Interned):
            return tuple(places[id(each)] for each in field)
        return field

    return tuple(told(getattr(value, name)) for name in value.__match_args__)


def _rebuilt(steps: list[_Step]) -> Interned:
    """Follow the steps."""
    made: list[Interned] = []

    def meant(field: Any) -> Any:  # noqa: ANN401
        if type(field) is _Place:
            return made[field]
        if type(field) is tuple and field and type(field[0]) is _Place:
            return tuple(made[each] for each in field)
        return field

    for step in steps:
        if isinstance(step, Interned):
            made.append(step)
        else:
            cls, fields = step
            made.append(cls(*map(meant, fields)))
    return made[-1]
