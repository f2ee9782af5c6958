"""Questions of players, to click on the page and to test."""

from __future__ import annotations

from dataclasses import dataclass

from pavcodec.web.tasks.odds.question import OddsQuestion

__all__ = ["EXAMPLES", "Example"]


@dataclass(frozen=True)
class Example:
    """A question in the words of a player, and its fields."""

    words: str
    question: OddsQuestion


_FOUR_WITH_QUEEN = (
    "spades(north) + spades(south) == 9 && !hascard(north, SQ) && !hascard(south, SQ)"
)
_DROPS = "(hascard(east, SQ) && spades(east) <= 2) || (hascard(west, SQ) && spades(west) <= 2)"
_NOTRUMP = "shape(north, any 4333 + any 4432 + any 5332) && hcp(north) >= 15 && hcp(north) <= 17"
_HAND = "S AKQ2.K85.AJ4.T63"
_MAJORS = "S KQ974.AJ86.52.83"

EXAMPLES = (
    Example(
        "Five trumps are missing: how do they break?",
        OddsQuestion(event="spades(west)", given="spades(north) + spades(south) == 8"),
    ),
    Example(
        "West opened a weak two with six hearts, East has two: how do four spades break?",
        OddsQuestion(
            event="spades(west)",
            given="spades(north) + spades(south) == 9 && hearts(west) == 6 && hearts(east) == 2",
        ),
    ),
    Example(
        "Nine trumps without the queen: does she fall in two rounds?",
        OddsQuestion(event=_DROPS, given=_FOUR_WITH_QUEEN),
    ),
    Example(
        "I hold 17 points: how many has partner?",
        OddsQuestion(event="hcp(north)", hands=(_HAND,)),
    ),
    Example(
        "I have five spades and four hearts, partner opens 1NT: have we a fit of eight?",
        OddsQuestion(
            event="spades(north) >= 3 || hearts(north) >= 4", given=_NOTRUMP, hands=(_MAJORS,)
        ),
    ),
    Example(
        "The lengths of partner's majors after 1NT, opposite that hand",
        OddsQuestion(
            event="spades(north)", second="hearts(north)", given=_NOTRUMP, hands=(_MAJORS,)
        ),
    ),
    Example(
        "I have six spades: how often has partner two or more?",
        OddsQuestion(event="spades(north) >= 2", given="spades(south) == 6"),
    ),
    Example(
        "We have 25 points together: how are the other 15 divided?",
        OddsQuestion(event="hcp(west)", given="hcp(north) + hcp(south) == 25"),
    ),
    Example(
        "How often does somebody hold a seven-card suit?",
        OddsQuestion(
            event=" || ".join(
                f"{suit}({seat}) >= 7"
                for seat in ("north", "east", "south", "west")
                for suit in ("spades", "hearts", "diamonds", "clubs")
            )
        ),
    ),
)
