"""Par: the score of a board when both sides bid and play double dummy, and its contracts.

The auction is a game of two sides. In turn, a side passes or bids a higher contract. A contract
that fails is doubled. Each side chooses the partner with more tricks as declarer. Par is the score
of best play by both sides. A par contract ends an auction in which no side loses points, and over
it the other side would lose points by each bid.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

from pavcodec.boards.board import Board, Vulnerability
from pavcodec.cards import Seat, Strain
from pavcodec.layout import TrickTable

# Duplicate scores and international match points.


BOOK = 6
_GAME = 100
_MINORS = (Strain.DIAMONDS, Strain.CLUBS)
_IMPS = (
    *(10, 40, 80, 120, 160, 210, 260, 310, 360, 420, 490, 590),
    *(740, 890, 1090, 1290, 1490, 1740, 1990, 2240, 2490, 2990, 3490, 3990),
)
"""The largest difference for 0, 1, … 23 IMPs."""


def duplicate_score(
    level: int, strain: Strain, *, tricks: int, vulnerable: bool, doubled: int = 0
) -> int:
    """Return the score of a contract for its declarer; `doubled` is 0, 1 or 2.

    >>> duplicate_score(4, Strain.SPADES, tricks=10, vulnerable=True)
    620
    >>> duplicate_score(3, Strain.NOTRUMP, tricks=8, vulnerable=False, doubled=1)
    -100
    >>> duplicate_score(7, Strain.NOTRUMP, tricks=13, vulnerable=True, doubled=2)
    2980
    """
    over = tricks - BOOK - level
    if over < 0:
        return -_penalty(-over, vulnerable=vulnerable, doubled=doubled)
    trick = 20 if strain in _MINORS else 30
    contract = (trick * level + 10 * (strain == Strain.NOTRUMP)) << doubled
    score = contract + 50 * doubled
    if contract >= _GAME:
        score += 500 if vulnerable else 300
    else:
        score += 50
    if level >= 6:
        slam = 750 if vulnerable else 500
        score += slam if level == 6 else 2 * slam
    overtrick = (100 << vulnerable) * doubled if doubled else trick
    return score + over * overtrick


def _penalty(under: int, *, vulnerable: bool, doubled: int) -> int:
    if not doubled:
        return under * (100 if vulnerable else 50)
    if vulnerable:
        return doubled * (300 * under - 100)
    later = 300 * under - 400
    return doubled * (later if under > 3 else 200 * under - 100)


def imps(difference: int) -> int:
    """Return the IMPs of a difference in score, by the table of the World Bridge Federation.

    >>> imps(10), imps(20), imps(-430), imps(5000)
    (0, 1, -10, 24)
    """
    won = bisect_left(_IMPS, abs(difference))
    return won if difference >= 0 else -won


PAIRS = {"NS": (Seat.NORTH, Seat.SOUTH), "EW": (Seat.EAST, Seat.WEST)}
"""The partners of each side."""
_SIDES = tuple(PAIRS.values())
_SIGNS = (1, -1)
BIDS = [(level, strain) for level in range(1, 8) for strain in reversed(Strain)]
"""The bids, from the lowest up."""


@dataclass(frozen=True, slots=True)
class ParContract:
    """A contract with its best declarers; `over` counts overtricks, or undertricks below 0.

    A contract that fails is doubled.

    >>> str(ParContract(4, Strain.SPADES, (Seat.NORTH, Seat.SOUTH), -1))
    'NS 4SX-1'
    """

    level: int
    strain: Strain
    declarers: tuple[Seat, ...]
    over: int

    def __str__(self) -> str:
        declarers = "".join(seat.letter for seat in self.declarers)
        doubled = "X" if self.over < 0 else ""
        result = f"{self.over:+}" if self.over else "="
        return f"{declarers} {self.level}{self.strain.letters[0]}{doubled}{result}"


@dataclass(frozen=True, slots=True)
class Par:
    """The par score for North and South, and the par contracts; none if all pass."""

    score: int
    contracts: tuple[ParContract, ...]


def par(tricks: TrickTable, dealer: Seat, vulnerable: Vulnerability) -> Par:
    """Return the par of a deal from its double-dummy tricks.

    Of several par contracts of one side in one strain, it has the lowest.

    >>> table = TrickTable(bytes([7, 5, 7, 5] + [10, 3, 10, 3] + [5, 8, 5, 8] * 3))
    >>> best = par(table, Seat.NORTH, Vulnerability.NONE)
    >>> best.score, [str(contract) for contract in best.contracts]
    (420, ['NS 4S='])
    """
    outcomes = [_outcomes(tricks, side, vulnerable) for side in range(2)]
    values, best = _values(outcomes)
    turns = [(dealer + turn) % 2 for turn in range(len(Seat))]
    passed = [0]
    for side in reversed(turns):
        passed.insert(0, _better(side, passed[0], best[side]))
    score = passed[0]
    firsts = set()
    for side, after in zip(turns, passed[1:], strict=True):
        firsts.add(side)
        if after != score:  # a pass loses points
            break
    final = [
        (side, bid)
        for side, bid in _reached(values, score, firsts)
        if outcomes[side][bid] == score and score not in values[1 - side][bid + 1 :]
    ]
    return Par(score, tuple(_lowest(tricks, final)))


def _outcomes(tricks: TrickTable, side: int, vulnerability: Vulnerability) -> list[int]:
    """Return the score for North and South of each bid of a side, from the lowest bid up."""
    scores = []
    vulnerable = _SIDES[side][0] in vulnerability.seats
    for level, strain in BIDS:
        taken = max(tricks[seat, strain] for seat in _SIDES[side])
        doubled = int(taken < BOOK + level)
        score = duplicate_score(level, strain, tricks=taken, vulnerable=vulnerable, doubled=doubled)
        scores.append(_SIGNS[side] * score)
    return scores


def _better(side: int, *scores: int) -> int:
    return min(scores) if side else max(scores)


def _values(outcomes: list[list[int]]) -> tuple[list[list[int]], list[int]]:
    """Return the score after each bid of each side by best play, and the best bid of each side."""
    values = [[0] * len(BIDS) for _ in range(2)]
    best: list[int | None] = [None, None]
    for bid in reversed(range(len(BIDS))):
        scores = []
        for side in range(2):
            answer = best[1 - side]
            passed = outcomes[side][bid]
            scores.append(passed if answer is None else _better(1 - side, passed, answer))
        for side, value in enumerate(scores):
            known = best[side]
            values[side][bid] = value
            best[side] = value if known is None else _better(side, known, value)
    return values, [value for value in best if value is not None]


def _reached(values: list[list[int]], score: int, firsts: set[int]) -> list[tuple[int, int]]:
    """Return the bids (side, bid) of auctions in which no side loses points."""
    bids = [
        (side, bid) for side in firsts for bid, value in enumerate(values[side]) if value == score
    ]
    lowest = min((bid for _, bid in bids), default=len(BIDS))
    for side in {0, 1} - firsts:
        bids += [
            (side, bid) for bid, value in enumerate(values[side]) if value == score and bid > lowest
        ]
    return bids


def _lowest(tricks: TrickTable, final: list[tuple[int, int]]) -> Iterator[ParContract]:
    """Yield the lowest contract of each side and strain, from the lowest bid up."""
    seen = set()
    for side, bid in sorted(final, key=itemgetter(1)):
        level, strain = BIDS[bid]
        if (side, strain) not in seen:
            seen.add((side, strain))
            taken = max(tricks[seat, strain] for seat in _SIDES[side])
            seats = tuple(seat for seat in _SIDES[side] if tricks[seat, strain] == taken)
            yield ParContract(level, strain, seats, taken - BOOK - level)


def with_par(board: Board) -> Board:
    """Return the board with the tags OptimumScore and ParContract of its tricks.

    A board without tricks, dealer or vulnerability is returned unchanged, and so is an ending. The
    score is that of the side of the par contract, as in `EW -100`, and if all pass that of North
    and South.

    >>> table = TrickTable(bytes([7, 5, 7, 5] + [10, 3, 10, 3] + [5, 8, 5, 8] * 3))
    >>> board = with_par(Board.make(None, number=1, tricks=table))
    >>> board.tags["OptimumScore"], board.tags["ParContract"]
    ('NS 420', 'NS 4S=')
    """
    dealer, vulnerable, tricks = board.dealer, board.vulnerable, board.tricks
    if dealer is None or vulnerable is None or tricks is None:
        return board
    if board.layout is not None and not board.layout.is_deal:
        return board
    best = par(tricks, dealer, vulnerable)
    side = best.contracts[0].declarers[0] % 2 if best.contracts else 0
    contracts = "; ".join(map(str, best.contracts)) or "Pass"
    score = f"{'EW' if side else 'NS'} {_SIGNS[side] * best.score}"
    return board.with_tags({"OptimumScore": score, "ParContract": contracts})
