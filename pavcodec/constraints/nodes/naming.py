"""What messages call a part of a condition: the variable that it is, or its text, cut where long.

The names of variables are no part of nodes, since one node may have several names and none. A
script knows them, and `named` makes them known to the messages of what is done with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from pavcodec.constraints.nodes.format import format_short
from pavcodec.constraints.nodes.syntax import Node

__all__ = ["Names", "named", "place_of", "show", "show_text", "use_names"]

Names = Mapping[Node, tuple[str, int]]
"""The variable that a node is, and the line that defines it."""

_NAMES: ContextVar[Names] = ContextVar("names of variables")
_NO_NAMES: Names = {}


def use_names(names: Names) -> None:
    """Let messages name these variables from here on, in this context."""
    _NAMES.set(names)


@contextmanager
def named(names: Names) -> Iterator[None]:
    """Let messages name these variables within a block.

    >>> from pavcodec.constraints.language.parser import parse_script
    >>> script = parse_script("strong = hcp(north) > 19 strong && hcp(south) < 5")
    >>> with named(script.names):
    ...     print(show(script.condition), show(script.condition.parts[0]))
    'strong && hcp(south) < 5' strong (line 1)
    """
    token = _NAMES.set(names)
    try:
        yield
    finally:
        _NAMES.reset(token)


def show(node: Node) -> str:
    """Return what a message calls a part of a condition: a variable with its line, or its text."""
    names = _NAMES.get(_NO_NAMES)
    return show_text(node) if node in names else f"'{show_text(node)}'"


def show_text(node: Node) -> str:
    """Return what `show` does, without quotes: for a table."""
    names = _NAMES.get(_NO_NAMES)
    return "{} (line {})".format(*names[node]) if node in names else format_short(node, names=names)


def place_of(nodes: Iterable[Node]) -> str:
    """Return the first of some nodes that is a variable, as in ' in strong (line 3)'; '' if none.

    >>> place_of([])
    ''
    """
    names = _NAMES.get(_NO_NAMES)
    found = next((node for node in nodes if node in names), None)
    return "" if found is None else f" in {show(found)}"
