"""The figures of each seat in some boards, beside what random deals have on average, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from math import comb, prod

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.boards import Board
from pavcodec.cards import DECK_SIZE, HAND_SIZE, SUIT_SIZE, Seat
from pavcodec.shapes import SHAPES

__all__ = ["HandFigures", "SeatFigures", "figures_of"]

_SHORT, _MOST_DOUBLETONS, _LONGEST = 2, 1, 5
_USUAL_POINTS = Fraction(10)


class SeatFigures(BaseModel):
    """The hands of one seat in some deals."""

    model_config = ConfigDict(frozen=True)

    seat: str
    points: int = Field(description="the points of all hands together")
    balanced: int = Field(description="hands without short suits, with at most one doubleton")
    short: int = Field(description="hands with a void or a singleton")


class HandFigures(BaseModel):
    """The hands of each seat in the first complete deals, and the exact averages of random hands.

    Shares are texts of fractions.
    """

    model_config = ConfigDict(frozen=True)

    deals: int
    seats: tuple[SeatFigures, ...]
    points: str = str(_USUAL_POINTS)
    balanced: str
    short: str


def figures_of(boards: Iterable[Board]) -> HandFigures | None:
    """Return the figures of the deals among some boards; None without a deal.

    >>> from pavcodec import numbering
    >>> found = figures_of(map(Board, numbering("deal").sample(8, seed=7)))
    >>> found.deals, [seat.points for seat in found.seats], found.balanced
    (8, [79, 90, 83, 68], '2699043061/5669763925')
    """
    deals, rows = 0, [[0, 0, 0] for _ in Seat]
    for board in boards:
        if board.layout is None or not board.layout.is_deal:
            continue
        deals += 1
        for seat, row in zip(Seat, rows, strict=True):
            hand = board.layout[seat]
            row[0] += hand.hcp
            row[1] += _is_balanced(hand.shape)
            row[2] += _is_short(hand.shape)
    if not deals:
        return None
    balanced, short = _shares()
    return HandFigures(
        deals=deals,
        seats=tuple(
            SeatFigures(seat=seat.letter, points=points, balanced=even, short=uneven)
            for seat, (points, even, uneven) in zip(Seat, rows, strict=True)
        ),
        balanced=str(balanced),
        short=str(short),
    )


def _is_short(shape: tuple[int, ...]) -> bool:
    return min(shape) < _SHORT


def _is_balanced(shape: tuple[int, ...]) -> bool:
    doubletons = sum(length == _SHORT for length in shape)
    return not _is_short(shape) and doubletons <= _MOST_DOUBLETONS and max(shape) <= _LONGEST


@cache
def _shares() -> tuple[Fraction, Fraction]:
    """Return the exact shares of balanced hands and of hands with a short suit."""
    whole = comb(DECK_SIZE, HAND_SIZE)
    balanced = sum(_hands(shape) for shape in SHAPES if _is_balanced(shape))
    short = sum(_hands(shape) for shape in SHAPES if _is_short(shape))
    return Fraction(balanced, whole), Fraction(short, whole)


def _hands(shape: tuple[int, ...]) -> int:
    return prod(comb(SUIT_SIZE, length) for length in shape)
