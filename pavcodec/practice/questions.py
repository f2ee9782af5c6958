"""The key decision of each situation, as a question about hidden hands with an exact answer.

Rule 1: A question is asked by one player, who sees one hand and has read the summary of the
situation. Its event is a condition in the language.
Rule 2: An answer is the exact chance of the event: among all deals of the situation, or among those
in which the player has the hand of a board.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from pavcodec.cards import Seat
from pavcodec.layout import Deal
from pavcodec.layout.layout import layout_from_owners

if TYPE_CHECKING:
    from pavcodec.constraints import ConstrainedDeals, Expression

__all__ = ["Question", "question_of"]

_NOBODY = len(Seat)


@dataclass(frozen=True, slots=True)
class Question:
    """A key decision: the player who decides, and the event that matters, in words and exactly.

    >>> from pavcodec import situation
    >>> question = question_of("two-clubs")
    >>> question.asker, question.text
    (<Seat.SOUTH: 2>, 'North and South have 25 points or more together')
    >>> space = situation("two-clubs").deals()
    >>> question.odds(space)
    Fraction(432990781891, 472841123081)
    >>> question.odds(space, space.sample(1, seed=7)[0])
    Fraction(2467, 2812)
    """

    asker: Seat
    text: str
    event: str

    def odds(self, space: ConstrainedDeals, deal: Deal | None = None) -> Fraction:
        """Return the exact chance of the event in a space, or for the asker's hand of a deal."""
        from pavcodec.constraints.expressions import template
        from pavcodec.odds import probability

        if deal is None:
            return probability(self.event, given=space)
        own = bytes(owner if owner == self.asker else _NOBODY for owner in deal.owners)
        hidden = [part for part in space.where.parts if not self._sees(part)]
        return probability(
            self.event, given=reduce(and_, hidden, template(layout_from_owners(own)))
        )

    def _sees(self, part: Expression) -> bool:
        """Return whether a part of the situation is only about the asker's hand."""
        from pavcodec.constraints.nodes.syntax import Number
        from pavcodec.constraints.nodes.trees import children, distinct

        leaves = (node for node in distinct(part.node) if not children(node))
        return all(
            isinstance(leaf, Number) or getattr(leaf, "seat", None) == self.asker for leaf in leaves
        )


def question_of(name: str) -> Question | None:
    """Return the key decision of a situation of the library; None for other names."""
    return _QUESTIONS.get(name)


_S, _N = Seat.SOUTH, Seat.NORTH
_TOGETHER = "hcp(north) + hcp(south)"


def _game(asker: Seat) -> Question:
    return Question(asker, "North and South have 25 points or more together", f"{_TOGETHER} >= 25")


def _slam(asker: Seat) -> Question:
    return Question(asker, "North and South have 33 points or more together", f"{_TOGETHER} >= 33")


def _weak_two(suit: str) -> Question:
    text = f"North has two {suit} or more, a fit of eight"
    return Question(_S, text, f"{suit}(north) >= 2")


def _fit(*suits: str) -> str:
    return " || ".join(f"{suit}(north) + {suit}(south) >= 8" for suit in suits)


_QUESTIONS = {
    "strong-notrump": Question(_S, "North has 8 points or more", "hcp(north) >= 8"),
    "weak-notrump": Question(_S, "North has 11 points or more", "hcp(north) >= 11"),
    "weak-two-diamonds": _weak_two("diamonds"),
    "weak-two-hearts": _weak_two("hearts"),
    "weak-two-spades": _weak_two("spades"),
    "preempt": Question(_S, "East and West have 25 points or more together", f"{_TOGETHER} <= 15"),
    "gambling-notrump": Question(
        _S,
        "North has an ace or king in both majors",
        "top2(north, spades) >= 1 && top2(north, hearts) >= 1",
    ),
    "two-clubs": _game(_S),
    "three-suiter": Question(
        _S,
        "North and South have a fit of eight cards or more",
        _fit("spades", "hearts", "diamonds", "clubs"),
    ),
    "reverse": _game(_S),
    "flannery-misfit": _game(_N),
    "cardracks": _slam(_S),
    "stayman": Question(
        _N,
        "South has four cards or more in a major in which North has four",
        "spades(north) == 4 && spades(south) >= 4 || hearts(north) == 4 && hearts(south) >= 4",
    ),
    "transfer": Question(
        _N,
        "South has three cards or more in a major in which North has five",
        "spades(north) >= 5 && spades(south) >= 3 || hearts(north) >= 5 && hearts(south) >= 3",
    ),
    "single-raise": Question(_S, "North has 8 or 9 points", "hcp(north) >= 8"),
    "limit-raise": _game(_N),
    "splinter": Question(
        _N,
        "South has no king, queen or jack of spades",
        "hcp(south, spades) == 4 * hascard(south, AS)",
    ),
    "minor-fit": Question(
        _S, "North and South have 29 points or more together", f"{_TOGETHER} >= 29"
    ),
    "slam-zone": _slam(_S),
    "takeout-double": Question(_S, "North has four spades or more", "spades(north) >= 4"),
    "michaels": Question(_S, "North has three spades or more", "spades(north) >= 3"),
    "unusual-notrump": Question(
        _S,
        "North and South have a fit of eight cards or more in a minor",
        _fit("diamonds", "clubs"),
    ),
    "landy": Question(
        _S, "North and South have a fit of eight cards or more in a major", _fit("spades", "hearts")
    ),
}
