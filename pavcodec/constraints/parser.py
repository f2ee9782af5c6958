"""The language of the classic dealer: expressions and scripts.

>>> from pavcodec.constraints.parser import parse_expression, parse_script
>>> parse_expression("spades(west) == 9")
Comparison(operator='==', left=Length(seat=<Seat.WEST: 3>, suit=<Suit.SPADES: 0>), right=Number(value=9))
>>> script = parse_script("produce 10  hcp(north) > 12")
>>> script.produce, script.condition == parse_expression("hcp(north) > 12")
(10, True)
"""  # noqa: E501 (what Python shows of a node)

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pavcodec.constraints.build import Builder
from pavcodec.constraints.mixture import Mixture, read_mixture
from pavcodec.constraints.script import Script, read_script
from pavcodec.constraints.source import Source
from pavcodec.constraints.syntax import Node

__all__ = ["Script", "parse_expression", "parse_mixture", "parse_script"]


def parse_expression(
    text: str,
    *,
    pointcount: Sequence[int] | None = None,
    altcount: Mapping[int, Sequence[int]] | None = None,
) -> Node:
    """Return the tree of an expression; raise `TextError` that points at what is wrong.

    `pointcount` is what `hcp` counts, ace first, and `altcount` what `pt0` to `pt9` count.

    >>> parse_expression("hcp(nroth) > 12")
    Traceback (most recent call last):
    ...
    pavcodec.errors.TextError: hcp takes a seat (north, east, south or west) here, not 'nroth'; \
did you mean 'north'?
      hcp(nroth) > 12
          ^^^^^
    """
    source = Source(text)
    tree = source.tree("expression")
    return Builder(source, pointcount, altcount).expression(tree)


def parse_mixture(text: str) -> Mixture:
    """Return the types of a mix, each a condition and a weight or None.

    >>> from pavcodec.constraints.format import format_mix
    >>> format_mix(parse_mixture("hcp(north)>12:2.5, spades(north) ? 1 : 0 : 35"))
    'hcp(north) > 12 : 5/2, (spades(north) ? 1 : 0) : 35'
    """
    source = Source(text)
    return read_mixture(Builder(source), source.tree("mixture"))


def parse_script(text: str) -> Script:
    """Return what a script says; raise `TextError` that points at what is wrong.

    >>> parse_script("hcp(north) > 12  hcp(north) > 15").warnings
    ('line 1: a second condition; the one in line 1 does not count',)
    """
    return read_script(text)
