"""The facts of a board on a page, computed once for every kind of page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pavcodec.boards.board import Board
from pavcodec.boards.par import par
from pavcodec.cards import HAND_SIZE, STRAIN_SIGNS, Seat, Strain, Suit
from pavcodec.layout import Layout, TrickTable

__all__ = ["VOID", "BoardFacts", "HandFacts", "facts_of"]

VOID = "–"

_BOOK = 6
_PAIRS = {"NS": (Seat.NORTH, Seat.SOUTH), "EW": (Seat.EAST, Seat.WEST)}
_UNKNOWN = ("", "?", "-")
_MINUS = "−"
_SCORE = re.compile(r"(NS|EW) ([+-]?)([0-9]{1,5})")
_CONTRACT = re.compile(r"(NS|EW|[NESW]) ([1-7])(NT?|[SHDC])(X{0,2})(=|[+-][0-9]{1,2})?")


@dataclass(frozen=True, slots=True)
class HandFacts:
    """A hand: its seat, the ranks of each suit (a dash for a void), and its high-card points."""

    seat: Seat
    suits: tuple[str, str, str, str]
    hcp: int


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """The facts of a board as texts; empty where they are unknown."""

    number: str
    dealer: str
    vulnerable: str
    """NS, EW, All or None; "" if it is unknown."""
    hands: tuple[HandFacts, ...]
    """North, East, South and West; none for a board without cards."""
    tricks: tuple[tuple[str, tuple[int, ...]], ...]
    """The tricks of N, S, E and W with NT S H D C; none if they are unknown."""
    makeable: tuple[tuple[str, tuple[str, ...]], ...]
    """The highest contracts of NS and EW, as `4♠`, or `3/2♠` where the partners differ."""
    par_score: str
    par_contracts: tuple[str, ...]

    @property
    def title(self) -> str:
        """The heading of the board."""
        return f"Board {self.number}" if self.number else "Board"

    @property
    def par(self) -> str:
        """The par score with its contracts, in one line."""
        return ": ".join(filter(None, (self.par_score, ", ".join(self.par_contracts))))


def facts_of(board: Board) -> BoardFacts:
    """Return the facts of a board.

    Par is that of the tags OptimumScore and ParContract; without them, that of the tricks.

    >>> from pavcodec import numbering
    >>> tricks = TrickTable(bytes([7, 5, 7, 5] + [10, 3, 10, 3] + [5, 8, 5, 8] * 3))
    >>> facts = facts_of(Board.make(numbering("deal")[0], number=1, tricks=tricks))
    >>> facts.title, facts.makeable, facts.par
    ('Board 1', (('NS', ('4♠', '1NT')), ('EW', ('2♣', '2♦', '2♥'))), 'NS +420: 4♠ NS =')
    """
    number = board.tags.get("Board", "").strip()
    score, contracts = _par(board)
    return BoardFacts(
        number="" if number in _UNKNOWN else number,
        dealer="" if board.dealer is None else board.dealer.letter,
        vulnerable="" if board.vulnerable is None else board.vulnerable.value,
        hands=() if board.layout is None else tuple(_hand(board.layout, seat) for seat in Seat),
        tricks=() if board.tricks is None else tuple(_rows(board.tricks)),
        makeable=_makeable(board),
        par_score=score,
        par_contracts=contracts,
    )


def _hand(layout: Layout, seat: Seat) -> HandFacts:
    hand = layout[seat]
    spades, hearts, diamonds, clubs = (hand.suit(suit) or VOID for suit in Suit)
    return HandFacts(seat, (spades, hearts, diamonds, clubs), hand.hcp)


def _rows(tricks: TrickTable) -> list[tuple[str, tuple[int, ...]]]:
    seats = [seat for pair in _PAIRS.values() for seat in pair]
    return [(seat.letter, tuple(tricks[seat, strain] for strain in Strain)) for seat in seats]


def _is_deal(board: Board) -> bool:
    """Return whether each hand has 13 cards, as far as the cards are known."""
    layout = board.layout
    return layout is None or all(len(layout[seat]) == HAND_SIZE for seat in Seat)


def _makeable(board: Board) -> tuple[tuple[str, tuple[str, ...]], ...]:
    tricks = board.tricks
    if tricks is None or not _is_deal(board):
        return ()
    found = []
    for pair, seats in _PAIRS.items():
        contracts = []
        for strain in reversed(Strain):
            levels = [max(0, tricks[seat, strain] - _BOOK) for seat in seats]
            texts = [str(level) if level else VOID for level in levels]
            if any(levels):
                level = texts[0] if len(set(texts)) == 1 else "/".join(texts)
                contracts.append((max(levels), level + STRAIN_SIGNS[strain]))
        contracts.sort(key=lambda each: -each[0])
        found.append((pair, tuple(text for _, text in contracts)))
    return tuple(found)


def _par(board: Board) -> tuple[str, tuple[str, ...]]:
    """Return the par score and the par contracts, from the tags or from the tricks."""
    computed = _computed_par(board)
    told = _SCORE.fullmatch(board.tags.get("OptimumScore", "").strip())
    if told is None:
        return computed
    contracts = (each.strip() for each in board.tags.get("ParContract", "").split(";"))
    matches = [found for each in contracts if (found := _CONTRACT.fullmatch(each))]
    score = _score(int(told[2] + told[3]) * (1 if told[1] == "NS" else -1))
    if not matches and score == computed[0]:
        return computed
    return score, tuple(map(_contract, matches))


def _computed_par(board: Board) -> tuple[str, tuple[str, ...]]:
    dealer, vulnerable, tricks = board.dealer, board.vulnerable, board.tricks
    if dealer is None or vulnerable is None or tricks is None or not _is_deal(board):
        return "", ()
    found = par(tricks, dealer, vulnerable)
    if not found.contracts:
        return "0", ("all pass",)
    matches = (_CONTRACT.fullmatch(str(contract)) for contract in found.contracts)
    return _score(found.score), tuple(_contract(match) for match in matches if match)


def _score(score: int) -> str:
    """Return the score of the side that wins points."""
    return f"{'NS' if score > 0 else 'EW'} +{abs(score)}" if score else "0"


def _contract(found: re.Match[str]) -> str:
    """Return a contract of ParContract with signs, as `4♠X NS −1`."""
    declarers, level, strain, doubled, over = found.groups()
    sign = STRAIN_SIGNS[Strain.parse(strain)]
    result = f" {over.replace('-', _MINUS)}" if over else ""
    return f"{level}{sign}{doubled} {declarers}{result}"
