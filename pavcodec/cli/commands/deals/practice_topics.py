"""The topics of a practice set: its situations and conditions, with weights, and their deals."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import repeat
from typing import TYPE_CHECKING, cast

from pavcodec.cards import Seat
from pavcodec.cli.commands.deals.deal_sources import DealSource, Draw, draw, draw_mix
from pavcodec.cli.options.conditions import (
    ExpressionError,
    Request,
    condition_of_node,
    condition_of_text,
    read_request,
)
from pavcodec.cli.options.sessions import rules
from pavcodec.cli.options.shares.levels import level_of
from pavcodec.cli.options.shares.mixes import mix_of
from pavcodec.cli.options.spaces import refuse_empty, space_of
from pavcodec.cli.output.streams import UsageError, complain
from pavcodec.errors import NumberError, TextError
from pavcodec.practice import Seating, Situation, situation
from pavcodec.practice.topics import HANDS, NAME, TITLE, Topic, with_level

if TYPE_CHECKING:
    from pavcodec.boards import Vulnerability
    from pavcodec.constraints import Levelled, Mix
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.constraints.spaces.deals import DealSpace
    from pavcodec.odds.questions import Space

__all__ = ["Choice", "choose"]

_WEIGHTED = re.compile(rf"({NAME.pattern})\s*[=:]\s*([-+]?[\w.][\w./]*)")


@dataclass(frozen=True)
class Choice:
    """The topics of a set, and their deals: a space, a mix, or without both all deals."""

    topics: tuple[Topic, ...]
    request: Request
    space: Space | None = None
    mix: Mix | None = None

    def source(self, wanted: Draw) -> DealSource:
        """Return the source of the deals."""
        return draw(self.space, wanted) if self.mix is None else draw_mix(self.mix, wanted)

    def topics_of(self, wanted: Draw) -> Iterator[Topic]:
        """Yield the topic of each deal."""
        if self.mix is None:
            return repeat(self.topics[0])
        places = self.mix.places(wanted.count, seed=wanted.seed, start=wanted.start)
        return (self.topics[place] for place in places)


@dataclass(frozen=True)
class _Wanted:
    """A topic as it is requested."""

    condition: str | Node
    weight: Fraction | None = None
    situation: Situation | None = None

    @property
    def text(self) -> str:
        """The condition as a text."""
        from pavcodec.constraints.expressions import Expression

        found = self.condition
        return found if isinstance(found, str) else str(Expression(found))

    @property
    def node(self) -> Node:
        """The condition as a tree."""
        found = self.condition
        return condition_of_text(found) if isinstance(found, str) else found


def choose(args: argparse.Namespace) -> Choice:
    """Return the topics of the arguments, counted."""
    words: list[str] = args.situations
    if words and args.script is not None:
        raise UsageError("give situations and conditions, or a script with -f, not both")
    wanted = [each for word in words for each in _wanted(word, alone=len(words) == 1)]
    is_mix = len(wanted) > 1
    alone = wanted[0].text if wanted and not is_mix else None
    request = read_request(argparse.Namespace(**vars(args) | {"expression": alone, "mix": []}))
    seats = _Seats(args, *rules(args, request))
    if is_mix:
        return _mixed(args, request, wanted, seats)
    found = _scripted(args, request, seats)
    if found is not None:
        return found
    if args.interleave is not None:
        raise UsageError("--interleave orders several topics: name more than one")
    chosen = wanted[0].situation if wanted else None
    node = with_level(request.node, args.difficulty, chosen)
    space = None
    if node is not None:
        space = space_of(condition_of_node(node, args.memory), "plan")
        refuse_empty(space)
    where = "" if space is None else str(space.where)
    title = TITLE if chosen is None else chosen.title
    return Choice((Topic(title, where, seats.of(chosen), situation=chosen),), request, space)


@dataclass(frozen=True)
class _Seats:
    """The options of the seating; `of` is the seating of one topic."""

    args: argparse.Namespace
    dealer: Seat | None
    vulnerable: Vulnerability | None

    def of(self, chosen: Situation | None) -> Seating:
        """Return the seating of a situation, or of a condition."""
        dealer = self.dealer
        return Seating(
            players=HANDS[self.args.hands],
            dealer=chosen.dealer if dealer is None and chosen is not None else dealer,
            vulnerable=self.vulnerable,
            turning=self.args.turn,
            across=chosen is not None and self.args.hands == "EW",
        )


def _wanted(word: str, *, alone: bool) -> Iterator[_Wanted]:
    """Yield the topics of one argument: a name, `name=weight`, or a condition."""
    if NAME.fullmatch(word):
        found = situation(word)
        yield _Wanted(found.where, None, found)
        return
    weighted = _WEIGHTED.fullmatch(word.strip())
    if weighted:
        found = situation(weighted[1])
        yield _Wanted(found.where, _weight(weighted[2]), found)
    elif alone:
        yield _Wanted(word)
    else:
        yield from (_Wanted(node, weight) for node, weight in _types(word))


def _weight(text: str) -> Fraction:
    from pavcodec.sampling.weights import weight_of

    try:
        return weight_of(text)
    except NumberError as error:
        raise UsageError(str(error)) from None


def _types(text: str) -> Sequence[tuple[Node, Fraction | None]]:
    """Return the conditions of a text, each with its weight."""
    from pavcodec.constraints.language.parser import parse_mix

    try:
        return parse_mix(text, warn=lambda reason: complain(f"warning: {reason}"))
    except TextError as error:
        raise ExpressionError(error) from None


def _mixed(
    args: argparse.Namespace, request: Request, wanted: Sequence[_Wanted], seats: _Seats
) -> Choice:
    """Return several topics: each is drawn by its weight, then its deal among all of the topic."""
    from pavcodec.constraints import Mix
    from pavcodec.constraints.mixes.types import MixType, joined
    from pavcodec.constraints.nodes.syntax import Number
    from pavcodec.sampling.weights import proportion

    if args.level:
        raise UsageError("--level names variables of a script: give the script with -f")
    base = Number(1) if request.node is None else request.node
    weights = [Fraction(1) if each.weight is None else each.weight for each in wanted]
    try:
        proportion(weights)  # which refuses sums that are too large for a draw
    except NumberError as error:
        raise UsageError(str(error)) from None
    kinds, topics = [], []
    for each, weight in zip(wanted, weights, strict=True):
        node = with_level(each.node, args.difficulty, each.situation)
        assert node is not None
        whole = node if request.node is None else joined(base, node)
        space = cast("DealSpace", space_of(condition_of_node(whole, args.memory), "plan"))
        refuse_empty(space)
        share = weight / sum(weights)
        kinds.append(MixType(node, weight, share, space, base))
        title = TITLE if each.situation is None else each.situation.title
        seating = seats.of(each.situation)
        topics.append(Topic(title, str(space.where), seating, share, each.situation))
    mix = Mix(tuple(kinds), base, is_natural=False)
    mix = mix.interleaved if args.interleave else mix
    return Choice(tuple(topics), request, mix=mix)


def _scripted(args: argparse.Namespace, request: Request, seats: _Seats) -> Choice | None:
    """Return the types of a script, its own mix or those of --level; None without types."""
    own = replace(request, node=with_level(request.node, args.difficulty, None))
    names = argparse.Namespace(**vars(args) | {"mix": []})
    levelled: Levelled | None = level_of(names, own)
    mix: Mix | None = levelled
    if levelled is None and request.script is not None and request.script.mix:
        mix = mix_of(names, own)
    if mix is None:
        return None
    topics = []
    for place, kind in enumerate(mix.types):
        name = "" if levelled is None else " ".join(levelled.names_of(place))
        where = str(kind.space.where)
        topics.append(Topic(name or TITLE, where, seats.of(None), kind.share, kind=name))
    return Choice(tuple(topics), request, mix=mix)
