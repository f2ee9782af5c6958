"""Facts of a deal: points and shapes of its hands, with their exact probabilities."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from shlex import quote

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.cards import Seat, Suit
from pavcodec.errors import PavError
from pavcodec.layout import Layout
from pavcodec.odds import probability
from pavcodec.web.tasks.exact import Chance, chance_of
from pavcodec.web.tasks.number.cards import CardsQuestion, chosen, readings_of
from pavcodec.web.tasks.task import Answer, Task

__all__ = ["FACTS", "FactView", "FactsAnswer"]

_STORED = 4096
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


@lru_cache(_STORED)
def _probability(event: str) -> Fraction:
    found = probability(event)
    assert isinstance(found, Fraction)
    return found


def _lengths(seat: str, shape: tuple[int, ...]) -> str:
    """Return the condition for the length of each suit."""
    if max(shape) <= _DIGITS:
        return f"shape({seat}, {''.join(map(str, shape))})"
    return " && ".join(f"{suit}({seat}) == {n}" for suit, n in zip(_SUITS, shape, strict=True))


def _facts(deal: Layout) -> list[tuple[str, str, str]]:
    """Return who, what and the event of each fact."""
    found = []
    for seat in Seat:
        name, hand = seat.name.lower(), deal[seat]
        points = f"{hand.hcp} point{'' if hand.hcp == 1 else 's'}"
        found.append((seat.name.title(), points, f"hcp({name}) == {hand.hcp}"))
    for seat in Seat:
        name, hand = seat.name.lower(), deal[seat]
        pattern = "-".join(map(str, hand.pattern))
        if max(hand.pattern) <= _DIGITS:
            event = f"shape({name}, any {pattern.replace('-', '')})"
            found.append((seat.name.title(), f"shape {pattern}", event))
        else:
            longest = Suit(hand.shape.index(max(hand.shape))).name.lower()
            what = f"{max(hand.shape)} {longest}"
            found.append((seat.name.title(), what, f"{longest}({name}) == {max(hand.shape)}"))
    together = deal.north.hcp + deal.south.hcp
    found.append(
        ("North–South", f"{together} points together", f"hcp(north) + hcp(south) == {together}")
    )
    shapes = [_lengths(seat.name.lower(), deal[seat].shape) for seat in Seat]
    found.append(("All four", "exactly these lengths in all suits", " && ".join(shapes)))
    return found


def facts(question: CardsQuestion) -> FactsAnswer:
    """Return the points and the shapes of a deal with their exact probabilities."""
    readings, _ = readings_of(question)
    deal = chosen(readings, question).layout
    if not deal.is_deal:
        raise PavError("only a deal of 13 cards in each hand has these facts")
    found = _facts(deal)
    events = [event for _, _, event in found]
    views = []
    for who, what, event in found:
        chance = chance_of(_probability(event))
        assert isinstance(chance, Chance)
        views.append(FactView(who=who, what=what, event=event, chance=chance))
    listed = "".join(f"    {event!r},\n" for event in events)
    return FactsAnswer(
        facts=views,
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
