"""Tricks against contract: the best contract of a side, and the contracts that fail by one.

Rule 1: A side takes the tricks of its better declarer in each strain, double dummy.
Rule 2: Its best contract has the highest score, undoubled, among those that it makes. Of several
levels with the same score, it is the lowest of a game or slam, and the highest of a part-score.
Rule 3: One trick short are the games at their lowest level (3NT, four of a major, five of a minor),
small slams and grand slams that fail by one trick. A side that makes a small or a grand slam has
only the slams of this level or a higher one.
"""

from __future__ import annotations

from dataclasses import dataclass

from pavcodec.boards import Board
from pavcodec.boards.par import par
from pavcodec.boards.scoring import duplicate_score
from pavcodec.boards.tricks import results_row
from pavcodec.cards import STRAIN_SIGNS, Seat, Strain
from pavcodec.layout import TrickTable

__all__ = ["SideTricks", "side_tricks", "solution_row"]

_BOOK = 6
_GAMES = {
    Strain.NOTRUMP: 3,
    Strain.SPADES: 4,
    Strain.HEARTS: 4,
    Strain.DIAMONDS: 5,
    Strain.CLUBS: 5,
}
_SLAMS = (6, 7)
_CONTRACTS = [(level, strain) for level in range(1, 8) for strain in reversed(Strain)]


@dataclass(frozen=True, slots=True)
class SideTricks:
    """The best contract of a side with its tricks, and the games and slams that fail by one.

    A contract is a level and a strain. `best` is None if the side makes no contract.
    """

    side: str
    best: tuple[int, Strain] | None
    tricks: int
    short: tuple[tuple[int, Strain], ...]

    def __str__(self) -> str:
        if self.best is None:
            first = f"{self.side} can make no contract"
        else:
            first = f"{self.side} can make {_sign(self.best)} ({self.tricks} tricks)"
        *some, last = map(_sign, self.short) if self.short else ("",)
        if not last:
            return first
        if not some:
            return f"{first}; {last} fails by one"
        return f"{first}; {', '.join(some)} and {last} fail by one"


def side_tricks(tricks: TrickTable, seat: Seat) -> SideTricks:
    """Return the tricks of the side of a seat against its contracts.

    >>> table = TrickTable(bytes([8, 5, 8, 5] + [10, 3, 10, 3] + [5, 8, 5, 8] * 3))
    >>> print(side_tricks(table, Seat.SOUTH))
    NS can make 4♠ (10 tricks); 3NT fails by one
    >>> print(side_tricks(table, Seat.WEST))
    EW can make 2♥ (8 tricks)
    """
    seats = (Seat.EAST, Seat.WEST) if seat in (Seat.EAST, Seat.WEST) else (Seat.NORTH, Seat.SOUTH)
    taken = {strain: max(tricks[each, strain] for each in seats) for strain in Strain}
    made = [(level, strain) for level, strain in _CONTRACTS if taken[strain] >= _BOOK + level]
    best = max(made, key=lambda each: _value(each[0], each[1], taken[each[1]]), default=None)
    least = best[0] if best is not None and best[0] in _SLAMS else 0
    short = (each for each in _CONTRACTS if _is_target(*each) and each[0] >= least)
    return SideTricks(
        "".join(each.letter for each in seats),
        best,
        0 if best is None else taken[best[1]],
        tuple((level, strain) for level, strain in short if taken[strain] == _BOOK + level - 1),
    )


def solution_row(board: Board, found: SideTricks) -> dict[str, object]:
    """Return the tricks of a board with tricks, par and the contracts of a side for JSON."""
    assert board.tricks is not None
    assert board.dealer is not None
    assert board.vulnerable is not None
    best = par(board.tricks, board.dealer, board.vulnerable)
    return {
        "tricks": results_row(board.tricks),
        "par": {"score": best.score, "contracts": list(map(str, best.contracts))},
        "contract": {
            "side": found.side,
            "best": None if found.best is None else _letters(found.best),
            "tricks": found.tricks,
            "one_short": list(map(_letters, found.short)),
        },
    }


def _value(level: int, strain: Strain, taken: int) -> tuple[int, int]:
    """Return the score of a contract, and the preference among levels of the same score."""
    score = duplicate_score(level, strain, tricks=taken, vulnerable=False)
    return score, -level if level >= _GAMES[strain] else level


def _is_target(level: int, strain: Strain) -> bool:
    return level in (_GAMES[strain], *_SLAMS)


def _sign(contract: tuple[int, Strain]) -> str:
    level, strain = contract
    return f"{level}{STRAIN_SIGNS[strain]}"


def _letters(contract: tuple[int, Strain]) -> str:
    level, strain = contract
    return f"{level}{strain.letters}"
