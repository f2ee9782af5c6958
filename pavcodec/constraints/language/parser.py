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
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from pavcodec.constraints.language.build import Builder, Points
from pavcodec.constraints.language.script import Script, Statements
from pavcodec.constraints.language.source import SourceText, branches
from pavcodec.constraints.language.weights import MixTypes, read_mix, read_weights
from pavcodec.constraints.nodes.syntax import Node, Weight
from pavcodec.errors import TextError

if TYPE_CHECKING:
    from pavcodec.constraints.language.source import Branch


Warn = Callable[[str], object]
T = TypeVar("T")

_DEFINES = re.compile(r"\s*\w+\s*=(?!=)")


def parse_expression(
    text: str,
    *,
    pointcount: Points | None = None,
    altcount: Mapping[int, Points] | None = None,
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
    points = Script(pointcount=pointcount, altcount=altcount or {})
    return _read(text, "expression", Builder.integer, points, warn)


def parse_condition(text: str, *, script: Script | None = None, warn: Warn | None = None) -> Node:
    """Return the node of an expression that is used as a condition.

    Also warns if the condition is always or never true, whatever the deal. With a `script`, the
    text may use the variables and points that the script has at its end. Raises `TextError` as
    `parse_expression` does.

    >>> condition = parse_condition("hcp(north) == 15 or 16", warn=print)
    '16' is always true, whatever the deal; another value is written hcp(north) == 16
    >>> script = parse_script("strong = hcp(south) >= 20")
    >>> parse_condition("!strong", script=script) == parse_condition("!(hcp(south) >= 20)")
    True
    """
    return _read(text, "expression", Builder.condition, script, warn)


def _read(
    text: str,
    rule: str,
    read: Callable[[Builder, Branch], T],
    script: Script | None = None,
    warn: Warn | None = None,
) -> T:
    """Parse a text by a rule, and return what `read` makes of it; report the warnings.

    With a `script`, the text may use its variables and points.
    """
    source, known = SourceText(text), script or Script()
    tree = _with_variables(source, rule) or source.tree(rule)
    builder = Builder(source, tree, known.pointcount, known.altcount, known.variables)
    for part in tree.find_data("assignment"):
        builder.assign(part)
    made = read(builder, branches(tree)[-1] if tree.data == f"defined_{rule}" else tree)
    if warn is not None:
        for _, reason in sorted(builder.warnings):
            warn(reason)
    return made


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


def parse_mix(text: str, *, warn: Warn | None = None) -> MixTypes:
    """Return the types of a mix: pairs of a condition and a weight or None.

    Raises `TextError` with the place of the first fault, as for weights of some types only.

    >>> from pavcodec.constraints.nodes.format import format_mix
    >>> format_mix(parse_mix("hcp(north)>12:2.5, spades(north) ? 1 : 0 : 35"))
    'hcp(north) > 12 : 5/2, (spades(north) ? 1 : 0) : 35'
    """
    return _read(text, "mixture", read_mix, warn=warn)


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
    return _read(text, "weighing", read_weights, script, warn)


def parse_script(text: str) -> Script:
    """Parse a script; raise `TextError` with the place of the first fault.

    >>> parse_script("produce 5 produce 7  hcp(north) > 15").warnings
    ('line 1: a second produce is ignored: the one in line 1 applies',)
    """
    source = SourceText(text)
    return Statements(source, source.tree("script")).script()
