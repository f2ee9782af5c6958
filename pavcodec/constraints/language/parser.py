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
from pavcodec.constraints.language.script import Script, Statements
from pavcodec.constraints.language.source import SourceText, branches
from pavcodec.constraints.language.weights import MixTypes, read_mix, read_weights
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.constraints.nodes.trees import Weight
from pavcodec.errors import TextError

if TYPE_CHECKING:
    from pavcodec.constraints.language.source import Branch


Warn = Callable[[str], object]

_DEFINES = re.compile(r"\s*\w+\s*=(?!=)")


def parse_expression(
    text: str,
    *,
    pointcount: Sequence[int] | None = None,
    altcount: Mapping[int, Sequence[int]] | None = None,
    warn: Warn | None = None,
) -> Node:
    """Return the node of an expression; raise `TextError` with the place of the first fault.

    The text may define variables before the expression, as in
    `fit = spades(north) + spades(south)  fit >= 8`; the canonical text of a long expression does
    this. `pointcount` has the points of `hcp`, ace first, and `altcount` the points of `pt0` to
    `pt9`. The function calls `warn` with one line for each part of the text that may not mean what
    its author expects.

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
    _report_warnings(builder, warn)
    return node


def parse_condition(text: str, *, script: Script | None = None, warn: Warn | None = None) -> Node:
    """Return the node of an expression that is used as a condition.

    Also warns if the condition is always or never true, whatever the deal. With a `script`, the
    text may use the variables and points that the script has at its end. Raises `TextError` as
    `parse_expression` does.

    >>> condition = parse_condition("hcp(north) == 15 or 16", warn=print)
    '16' is always true, whatever the deal
    >>> script = parse_script("strong = hcp(south) >= 20")
    >>> parse_condition("!strong", script=script) == parse_condition("!(hcp(south) >= 20)")
    True
    """
    builder, tree = _of_script(text, script)
    node = builder.condition(tree)
    _report_warnings(builder, warn)
    return node


def _of_script(
    text: str, script: Script | None, rule: str = "expression"
) -> tuple[Builder, Branch]:
    """Return the result of `_started`, with the variables and points of a script."""
    if script is None:
        return _started(text, rule=rule)
    return _started(text, script.pointcount, script.altcount, rule, script.variables)


def _started(
    text: str,
    pointcount: Sequence[int] | None = None,
    altcount: Mapping[int, Sequence[int]] | None = None,
    rule: str = "expression",
    variables: Mapping[str, Node] | None = None,
) -> tuple[Builder, Branch]:
    """Parse a text by a rule; return (builder with the defined variables, tree of the rule)."""
    source = SourceText(text)
    tree = _with_variables(source, rule) or source.tree(rule)
    builder = Builder(source, tree, pointcount, altcount, variables)
    for part in tree.find_data("assignment"):
        builder.assign(part)
    return builder, branches(tree)[-1] if tree.data == f"defined_{rule}" else tree


def _with_variables(source: SourceText, rule: str) -> Branch | None:
    """Return the tree of a text that starts with definitions; None for any other text."""
    if not _DEFINES.match(source.code):
        return None
    try:
        return source.tree(f"defined_{rule}")
    except TextError as error:
        if source.code[error.span[0] :].strip():
            raise
        return None  # most likely, the text has = instead of ==


def _report_warnings(builder: Builder, warn: Warn | None) -> None:
    """Call `warn`, if there is one, with each warning in the order of the text."""
    if warn is not None:
        for _, reason in sorted(builder.warnings):
            warn(reason)


def parse_mix(text: str, *, warn: Warn | None = None) -> MixTypes:
    """Return the types of a mix: pairs of a condition and a weight or None.

    Raises `TextError` with the place of the first fault, as for weights of some types only.

    >>> from pavcodec.constraints.nodes.format import format_mix
    >>> format_mix(parse_mix("hcp(north)>12:2.5, spades(north) ? 1 : 0 : 35"))
    'hcp(north) > 12 : 5/2, (spades(north) ? 1 : 0) : 35'
    """
    builder, tree = _started(text, rule="mixture")
    types = read_mix(builder, tree)
    _report_warnings(builder, warn)
    return types


def parse_weights(
    text: str, *, script: Script | None = None, warn: Warn | None = None
) -> tuple[Weight, ...]:
    """Return the weights of a list; raise `TextError` with the place of the first fault.

    With a `script`, the text may use the variables and points that the script has at its end.

    >>> [each.text for each in parse_weights("N: hcp {12:1,14 - 16:2.5}, 1+aces(north)")]
    ['hcp(north) {12: 1, 14 - 16: 5/2}', '1 + aces(north)']
    >>> parse_weights("hcp(north) + hcp(south) {20-24: 1, 24+: 3}")
    Traceback (most recent call last):
    ...
    pavcodec.errors.TextError: '20-24' and '24+' have values in common: a value has one weight in \
a table
      hcp(north) + hcp(south) {20-24: 1, 24+: 3}
                                         ^^^
    """
    builder, tree = _of_script(text, script, "weighing")
    weights = read_weights(builder, tree)
    _report_warnings(builder, warn)
    return weights


def parse_script(text: str) -> Script:
    """Parse a script; raise `TextError` with the place of the first fault.

    >>> parse_script("hcp(north) > 12  hcp(north) > 15").warnings
    ('line 1: a second condition: the one in line 1 is ignored',)
    """
    source = SourceText(text)
    return Statements(source, source.tree("script")).script()
