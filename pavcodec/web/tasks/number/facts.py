"""Facts of a deal: points and shapes of its hands, with their exact probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import factorial, prod
from shlex import quote
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.cards import SUIT_SIZE, Seat, Suit
from pavcodec.errors import PavError
from pavcodec.layout import Hand, Layout
from pavcodec.numberings import numbering
from pavcodec.odds import Distribution, distribution
from pavcodec.shapes import SHAPES, ShapeClass
from pavcodec.web.tasks.exact import Chance, chance_of
from pavcodec.web.tasks.number.cards import CardsQuestion, chosen, readings_of
from pavcodec.web.tasks.task import Answer, Task

__all__ = ["FACTS", "FactView", "FactsAnswer"]

_DIGITS = 9
"""The longest suit that the notation of shapes can write."""
_SUITS = ("spades", "hearts", "diamonds", "clubs")


class FactView(BaseModel):
    """A fact of a deal, and how often it is so."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    who: str = Field(description="a seat, a side or all hands")
    what: str = Field(description="the fact, such as '15 points'")
    event: str = Field(description="the event in the language of conditions")
    chance: Chance = Field(description="the exact probability of the event")


class FactsAnswer(Answer):
    """Facts of a deal with their exact probabilities."""

    facts: list[FactView]


class _Fact(NamedTuple):
    """Who, what, the event, and a quick way to its probability; the definition is `probability`."""

    who: str
    what: str
    event: str
    share: Fraction


@cache
def _shares(number: str) -> Mapping[int, Fraction]:
    """Return the probability of each value of a number that all seats share by symmetry."""
    found = distribution(number)
    assert isinstance(found, Distribution)
    return {int(value): share for value, share in found.items()}


def _lengths_share(shapes: Sequence[tuple[int, ...]]) -> Fraction:
    """Return the share of the deals with these lengths in all hands.

    The thirteen cards of a suit are distributed to the hands in 13! / (a! b! c! d!) ways.
    """
    ways = 1
    for lengths in zip(*shapes, strict=True):
        ways *= factorial(SUIT_SIZE) // prod(map(factorial, lengths))
    return Fraction(ways, numbering("deal").cardinality)


def _lengths(seat: str, shape: tuple[int, ...]) -> str:
    """Return the condition for the length of each suit."""
    if max(shape) <= _DIGITS:
        return f"shape({seat}, {''.join(map(str, shape))})"
    return " && ".join(f"{suit}({seat}) == {n}" for suit, n in zip(_SUITS, shape, strict=True))


def _facts(deal: Layout) -> Iterator[_Fact]:
    """Yield the facts of a deal."""
    points = _shares("hcp(north)")
    for seat in Seat:
        name, held = seat.name.lower(), deal[seat].hcp
        what = f"{held} point{'' if held == 1 else 's'}"
        yield _Fact(seat.name.title(), what, f"hcp({name}) == {held}", points[held])
    for seat in Seat:
        yield _shape_fact(seat, deal[seat])
    both = deal.north.hcp + deal.south.hcp
    event, share = "hcp(north) + hcp(south)", _shares("hcp(north) + hcp(south)")[both]
    yield _Fact("North–South", f"{both} points together", f"{event} == {both}", share)
    shapes = [hand.shape for hand in deal]
    lengths = [_lengths(seat.name.lower(), shapes[seat]) for seat in Seat]
    what = "exactly these lengths in all suits"
    yield _Fact("All four", what, " && ".join(lengths), _lengths_share(shapes))


def _shape_fact(seat: Seat, hand: Hand) -> _Fact:
    """Return the fact of the pattern of a hand; of its longest suit if that has ten cards or more.

    The notation of shapes has one digit for each length.
    """
    name, who, longest = seat.name.lower(), seat.name.title(), max(hand.shape)
    if longest <= _DIGITS:
        digits = "".join(map(str, hand.pattern))
        alike = (shape for shape in SHAPES if sorted(shape) == sorted(hand.shape))
        share = ShapeClass(alike).probability
        return _Fact(who, f"shape {'-'.join(digits)}", f"shape({name}, any {digits})", share)
    suit = Suit(hand.shape.index(longest))
    share = ShapeClass(shape for shape in SHAPES if shape[suit] == longest).probability
    word = suit.name.lower()
    return _Fact(who, f"{longest} {word}", f"{word}({name}) == {longest}", share)


def facts(question: CardsQuestion) -> FactsAnswer:
    """Return the points and the shapes of a deal with their exact probabilities."""
    readings, _ = readings_of(question)
    deal = chosen(readings, question).layout
    if not deal.is_deal:
        raise PavError("only a deal of 13 cards in each hand has these facts")
    found = list(_facts(deal))
    events = [fact.event for fact in found]
    listed = "".join(f"    {event!r},\n" for event in events)
    return FactsAnswer(
        facts=[
            FactView(who=one.who, what=one.what, event=one.event, chance=chance_of(one.share))
            for one in found
        ],
        command="\n".join(f"pavcodec odds {quote(event)}" for event in events),
        python=(
            "import pavcodec as pav\n\n"
            f"for event in [\n{listed}]:\n"
            "    print(pav.probability(event), event)\n"
        ),
    )


FACTS = Task(
    "facts",
    "Return the points and the shapes of a deal with their exact probabilities.",
    facts,
    CardsQuestion(text="12345678901234567890123456789"),
)
