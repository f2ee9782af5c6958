"""Names of parts of a condition for messages: a variable, or the text, cut when it is long.

A node does not contain names of variables, because one node may have no name or several. A script
has a table of names, and `named` makes this table available to the messages of a block of code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from pavcodec.constraints.nodes.format import format_short
from pavcodec.constraints.nodes.syntax import Node

__all__ = ["Names", "named", "place_of", "show", "show_text", "use_names"]

Names = Mapping[Node, tuple[str, int]]
"""From a node to the variable with that value, and the line that defines the variable."""

_NAMES: ContextVar[Names] = ContextVar("names of variables")
_NO_NAMES: Names = {}


def use_names(names: Names) -> None:
    """Use these names of variables in all later messages of the current context."""
    _NAMES.set(names)


@contextmanager
def named(names: Names) -> Iterator[None]:
    """Use these names of variables in the messages of a `with` block.

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
    """Return the name of a part for a message: a variable with its line, or the quoted text."""
    names = _NAMES.get(_NO_NAMES)
    return show_text(node) if node in names else f"'{show_text(node)}'"


def show_text(node: Node) -> str:
    """Return the name of a part for a table: as `show`, but without quotes."""
    names = _NAMES.get(_NO_NAMES)
    return "{} (line {})".format(*names[node]) if node in names else format_short(node, names=names)


def place_of(nodes: Iterable[Node]) -> str:
    """Return the first node that is a variable, as in ' in strong (line 3)'; '' if none is.

    >>> place_of([])
    ''
    """
    names = _NAMES.get(_NO_NAMES)
    found = next((node for node in nodes if node in names), None)
    return "" if found is None else f" in {show(found)}"
