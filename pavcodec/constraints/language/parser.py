"""The language of the classic dealer: expressions and scripts.

>>> from pavcodec.constraints.language.parser import parse_expression, parse_script
>>> parse_expression("spades(west) == 9")
Comparison(operator='==', left=Length(seat=<Seat.WEST: 3>, suit=<Suit.SPADES: 0>), right=Number(value=9))
>>> script = parse_script("produce 10  hcp(north) > 12")
>>> script.produce, script.condition == parse_expression("hcp(north) > 12")
(10, True)
"""  # noqa: E501 (what Python shows of a node)

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from pavcodec.constraints.language.build import Builder
from pavcodec.constraints.language.mix import MixTypes, read_mix
from pavcodec.constraints.language.script import Script, read_script
from pavcodec.constraints.language.source import SourceText, branches
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.errors import TextError

if TYPE_CHECKING:
    from lark import Token, Tree

    Branch = Tree[Token]

__all__ = ["Script", "parse_condition", "parse_expression", "parse_mix", "parse_script"]

Warn = Callable[[str], object]

_DEFINES = re.compile(r"\s*\w+\s*=(?!=)")


def parse_expression(
    text: str,
    *,
    pointcount: Sequence[int] | None = None,
    altcount: Mapping[int, Sequence[int]] | None = None,
    warn: Warn | None = None,
) -> Node:
    """Return the node of an expression; raise `TextError` that points at what is wrong.

    Variables may be defined before it, as in `fit = spades(north) + spades(south)  fit >= 8`; the
    canonical text of a long expression does so. `pointcount` is what `hcp` counts, ace first, and
    `altcount` what `pt0` to `pt9` count. `warn` is called with a line for each thing that may mean
    something else than it seems to.

    >>> parse_expression("hcp(nroth) > 12")
    Traceback (most recent call last):
    ...
    pavcodec.errors.TextError: hcp takes a seat (north, east, south or west) here, not 'nroth'; \
did you mean 'north'?
      hcp(nroth) > 12
          ^^^^^
    """
    builder, tree = _started(text, pointcount, altcount)
    node = builder.expression(tree)
    _tell(builder, warn)
    return node


def parse_condition(text: str, *, script: Script | None = None, warn: Warn | None = None) -> Node:
    """Return the tree of an expression that is a condition; it is one that some deals satisfy.

    So there is also a warning where it is always or never true, whatever the deal. The variables of
    a `script`, and its points, hold in the expression as at the end of the script.

    >>> condition = parse_condition("hcp(north) == 15 or 16", warn=print)
    '16' is always true, whatever the deal
    >>> script = parse_script("strong = hcp(south) >= 20")
    >>> parse_condition("!strong", script=script) == parse_condition("!(hcp(south) >= 20)")
    True
    """
    if script is None:
        builder, tree = _started(text)
    else:
        builder, tree = _started(
            text, script.pointcount, script.altcount, variables=script.variables
        )
    node = builder.condition(tree)
    _tell(builder, warn)
    return node


def _started(
    text: str,
    pointcount: Sequence[int] | None = None,
    altcount: Mapping[int, Sequence[int]] | None = None,
    rule: str = "expression",
    variables: Mapping[str, Node] | None = None,
) -> tuple[Builder, Branch]:
    """Return the builder, which knows the variables before what is asked for, and its tree."""
    source = SourceText(text)
    tree = _with_variables(source, rule) or source.tree(rule)
    builder = Builder(source, tree, pointcount, altcount, variables)
    for part in tree.find_data("assignment"):
        builder.assign(part)
    return builder, branches(tree)[-1] if tree.data == f"defined_{rule}" else tree


def _with_variables(source: SourceText, rule: str) -> Branch | None:
    """Return the tree of definitions and what follows them; None where there is no such thing."""
    if not _DEFINES.match(source.code):
        return None
    try:
        return source.tree(f"defined_{rule}")
    except TextError as error:
        if source.code[error.span[0] :].strip():
            raise
        return None  # a single = instead of ==, most likely


def _tell(builder: Builder, warn: Warn | None) -> None:
    """Hand over the warnings, where somebody takes them."""
    if warn is not None:
        for _, reason in sorted(builder.warnings):
            warn(reason)


def parse_mix(text: str, *, warn: Warn | None = None) -> MixTypes:
    """Return the types of a mix, each a condition and a weight or None.

    >>> from pavcodec.constraints.nodes.format import format_mix
    >>> format_mix(parse_mix("hcp(north)>12:2.5, spades(north) ? 1 : 0 : 35"))
    'hcp(north) > 12 : 5/2, (spades(north) ? 1 : 0) : 35'
    """
    builder, tree = _started(text, rule="mixture")
    found = read_mix(builder, tree)
    _tell(builder, warn)
    return found


def parse_script(text: str) -> Script:
    """Return what a script says; raise `TextError` that points at what is wrong.

    >>> parse_script("hcp(north) > 12  hcp(north) > 15").warnings
    ('line 1: a second condition; the one in line 1 does not count',)
    """
    return read_script(text)
