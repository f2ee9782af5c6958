"""The statement `predeal`: cards and lengths that are dealt beforehand.

Each new card or length is checked: some deal must contain everything that was read so far.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pavcodec.cards import HAND_SIZE, RANK_LETTERS, SUIT_LETTERS, SUIT_SIZE, Card, Seat, Suit
from pavcodec.constraints.language.source import SourceText, words
from pavcodec.constraints.language.words import SEAT_LETTERS, SEATS, SUITS, canonical
from pavcodec.constraints.nodes.syntax import Comparison, HasCard, Length, Node, Number

if TYPE_CHECKING:
    from lark import Token

    from pavcodec.constraints.language.source import Branch


_RANK = re.compile(r"10|.", re.DOTALL)


class Predeal:
    """The cards and lengths that were read so far.

    `empty` has the tokens of holdings without a card, such as `S`.
    """

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.empty: list[Token] = []
        self.nodes: list[Node] = []
        """The conditions: `HasCard` for each card, and a comparison by `==` for each length."""
        self._holder: dict[Card, Seat] = {}
        self._lengths: dict[tuple[Seat, Suit], int] = {}

    def add(self, item: Branch) -> None:
        """Add holdings or a length; raise `TextError` if no deal can have them."""
        if item.data == "length":
            self._add_length(item)
        else:
            seat, *holdings = words(item)
            for holding in holdings:
                self._add_holding((SEATS | SEAT_LETTERS)[seat.lower()], holding)

    def _add_holding(self, seat: Seat, holding: Token) -> None:
        start, end = self.source.span(holding)
        suit = SUIT_LETTERS.find(holding[0].upper())
        if suit < 0:
            reason = "a holding is the letter of a suit and its cards, such as SAQ5"
            hint = "; the suit comes first" if holding[1:].upper() in tuple(SUIT_LETTERS) else ""
            raise self.source.error_at(f"{reason}, not {str(holding)!r}{hint}", holding)
        if canonical(holding) in SUITS:
            length = f"a length is dealt as in {canonical(holding)}({seat.name.lower()}) == 5"
            raise self.source.error_at(f"{length}, and cards as in north SAQ5", holding)
        if len(holding) == 1:
            self.empty.append(holding)
        for match in _RANK.finditer(self.source.code, start + 1, end):
            letter = match[0].upper().replace("10", "T")
            rank = RANK_LETTERS.find(letter)
            if rank < 0:
                reason = f"{match[0]!r} is no rank; expected one of {RANK_LETTERS}"
                raise self.source.error(reason, match.span())
            self._add_card(seat, Card(suit * SUIT_SIZE + rank), match.span())

    def _add_card(self, seat: Seat, card: Card, span: tuple[int, int]) -> None:
        other = self._holder.get(card)
        if other is not None:
            twice = f"twice to {seat.name.title()}"
            both = f"to {other.name.title()} and to {seat.name.title()}"
            given = twice if other == seat else both
            raise self.source.error(f"{card} is dealt beforehand {given}", span)
        self._holder[card] = seat
        self.nodes.append(HasCard(seat, card))
        self._check(seat, card.suit, span)

    def _add_length(self, item: Branch) -> None:
        suit_word, seat_word, _, number = words(item)
        seat, suit = SEATS[seat_word.lower()], SUITS[canonical(str(suit_word))]
        length = self.source.integer(number)
        known = self._lengths.setdefault((seat, suit), length)
        if known != length:
            reason = f"{suit.name.lower()}({seat.name.lower()}) is {known} already"
            raise self.source.error_at(reason, number)
        self.nodes.append(Comparison("==", Length(seat, suit), Number(length)))
        self._check(seat, suit, self.source.span(number))

    def _check(self, seat: Seat, suit: Suit, span: tuple[int, int]) -> None:
        """Check a hand and a suit after a card or a length was added to them."""
        hand, length_of_hand = seat.name.title(), [self._at_least(seat, other) for other in Suit]
        length = self._lengths.get((seat, suit))
        dealt = self._at_least(seat, suit)
        if length is not None and dealt > length:
            reason = f"{hand} is dealt {dealt} {suit.name.lower()} beforehand, more than {length}"
            raise self.source.error(reason, span)
        known = all((seat, other) in self._lengths for other in Suit)
        self._check_sum(hand, sum(length_of_hand), span, is_final=known)
        known = all((other, suit) in self._lengths for other in Seat)
        total = sum(self._at_least(other, suit) for other in Seat)
        self._check_sum(f"the suit of {suit.name.lower()}", total, span, is_final=known)

    def _at_least(self, seat: Seat, suit: Suit) -> int:
        """Return the least number of cards of a suit that a hand has."""
        held = sum(1 for card, owner in self._holder.items() if (owner, card.suit) == (seat, suit))
        return max(held, self._lengths.get((seat, suit), 0))

    def _check_sum(self, what: str, total: int, span: tuple[int, int], *, is_final: bool) -> None:
        if total > HAND_SIZE or (is_final and total < HAND_SIZE):
            raise self.source.error(f"{what} has {HAND_SIZE} cards, not {total}", span)
