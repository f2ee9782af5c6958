"""Interned values: equal values are one object, so an expression is a graph.

A constructor returns the existing object when an equal node exists. So equality and hashes take
constant time for expressions of any size, and a cache by node has one entry for all places of the
node. The table of nodes has weak references: it does not keep a node that nothing else refers to.

A *loose* node is the exception. A draw (`rnd`) without a number is independent of every other draw,
so two loose nodes with equal fields are two objects. They still compare equal, because they share
one *form*, an object that represents their fields.
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
"""The largest number of parts, and the greatest depth, of a value that `repr` writes out."""
_LOCK = RLock()  # a garbage collection during the creation of a value may create another value


class _Form:
    """The shared identity of loose nodes with equal fields; refers to the forms below it."""

    __slots__ = ("__weakref__", "below")

    def __init__(self, below: tuple[object, ...]) -> None:
        self.below = below


_form_of = attrgetter("_form")
_INSTANCES: WeakValueDictionary[tuple[object, ...], Interned | _Form] = WeakValueDictionary()


class _Interning(type):
    """A metaclass whose constructors return the existing equal instance, or a new one."""

    def __call__(cls: type[_T], *args: Any, **kwargs: Any) -> _T:  # noqa: ANN401
        made: Any = type.__call__(cls, *args, **kwargs)
        found: _T = made._existing_or_self()
        return found


class Interned(metaclass=_Interning):
    """A value of which only one object exists; the decorator `interned` makes such a class.

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
    """The shared form of equal loose nodes; None for a node that is not loose."""
    measure: Any
    """The cached measure of the node, or None; see `pavcodec.constraints.nodes.trees`."""

    @property
    def is_loose(self) -> bool:
        """Whether equal nodes may be different objects."""
        return self._form is not None

    @property
    def below(self) -> Iterator[Interned]:
        """The interned values in the fields of this value, from left to right."""
        for name in self.__match_args__:
            value = getattr(self, name)
            if isinstance(value, Interned):
                yield value
            elif type(value) is tuple and value and isinstance(value[0], Interned):
                yield from value

    def _starts_loose(self) -> bool:
        """Return whether the value is loose even if no value below it is."""
        return False

    def _existing_or_self(self) -> Self:
        """Return the existing equal value, otherwise this value."""
        object.__setattr__(self, "measure", None)
        object.__setattr__(self, "_form", None)
        key, loose = self._key()
        with _LOCK:
            if not loose:
                return _INSTANCES.setdefault(key, self)  # type: ignore[return-value]
            object.__setattr__(self, "_form", _INSTANCES.setdefault((_Form, *key), _Form(loose)))
            return self

    def _key(self) -> tuple[tuple[object, ...], tuple[object, ...]]:
        """Return the key of the value in the table, and the forms that a loose value refers to.

        The key has the identity of each interned value below, and the type and value of each other
        field: 1 and `True` have different keys. The forms of a value that is not loose are `()`.
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
    """Make a subclass of `Interned` a frozen dataclass with slots."""
    return dataclass(frozen=True, slots=True, eq=False, repr=False)(cls)


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _is_short(value: Interned) -> bool:
    """Return whether `repr` can write out a value; a part counts in each of its places."""
    pending, parts = [(value, 1)], 0
    while pending and parts < _MOST_SHOWN:
        part, depth = pending.pop()
        if depth > _DEEPEST_SHOWN:
            return False
        parts += 1
        pending += [(each, depth + 1) for each in part.below]
    return not pending


class _Place(int):
    """The index of the step that makes the value of a field."""


_Step = Interned | tuple[type[Interned], tuple[Any, ...]]


def _steps_to(value: Interned) -> list[_Step]:
    """Return the steps that rebuild a value, one for each part.

    The list is flat, so pickling a deep value does not recurse. A value that is loose even without
    loose values below is a step itself: so it stays one object in the whole pickle.
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
            steps.append(top if is_whole else (type(top), _fields_by_place(top, places)))
    return steps


def _fields_by_place(value: Interned, places: dict[int, _Place]) -> tuple[Any, ...]:
    """Return the fields of a value; each interned value is replaced by its `_Place`."""

    def by_place(field: Any) -> Any:  # noqa: ANN401
        if isinstance(field, Interned):
            return places[id(field)]
        if type(field) is tuple and field and isinstance(field[0], Interned):
            return tuple(places[id(each)] for each in field)
        return field

    return tuple(by_place(getattr(value, name)) for name in value.__match_args__)


def _rebuilt(steps: list[_Step]) -> Interned:
    """Return the value that the steps of a pickle build."""
    made: list[Interned] = []

    def resolved(field: Any) -> Any:  # noqa: ANN401
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
            made.append(cls(*map(resolved, fields)))
    return made[-1]
