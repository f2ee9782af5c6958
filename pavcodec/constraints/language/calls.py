"""Calls of functions: checks of their arguments, and the nodes of the calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from pavcodec.cards import RANK_LETTERS, SUIT_LETTERS, Card, Seat, Strain, Suit
from pavcodec.constraints.language.hints import instead_of_argument
from pavcodec.constraints.language.source import SourceText, words
from pavcodec.constraints.nodes.syntax import (
    Cccc,
    HasCard,
    Holding,
    Imps,
    Length,
    Losers,
    Node,
    Quality,
    Random,
    Score,
    SmallHolding,
    Tricks,
)
from pavcodec.constraints.nodes.trees import losing_trick_count
from pavcodec.constraints.nodes.vocabulary import (
    REFUSED,
    SEAT_LETTERS,
    SEATS,
    STRAINS,
    SUITS,
    USAGE,
    VULNERABLE,
    canonical,
    card_sum,
)
from pavcodec.errors import PavError, TextError

if TYPE_CHECKING:
    from pavcodec.constraints.language.source import Branch


CONTRACT = re.compile(r"[xz]([1-7])(s|h|d|c|nt?)(x{0,2})", re.IGNORECASE)
STRAIN_LETTERS = {strain.letters[0]: strain for strain in Strain}
_NUMBERED_STRAINS = [STRAIN_LETTERS[letter] for letter in "CDHSN"]
"""The strains in the order of their numbers in Dealer3."""


class _Maker(Protocol):
    """The attributes of the builder that a call uses."""

    source: SourceText

    def node(self, part: Branch) -> Node: ...
    def points_of(self, name: str) -> Sequence[int]: ...


class Call:
    """A function with its arguments; each method returns an argument of one kind.

    Every method raises `TextError`, with the place of the argument, for an argument of another
    kind.
    """

    def __init__(self, builder: _Maker, name: str, part: Branch, given: Sequence[Branch]) -> None:
        self.builder = builder
        self.name = name
        self.part = part
        self.given = given

    def expect(self, *counts: int) -> None:
        """Check the number of arguments."""
        if len(self.given) not in counts:
            many = f"{len(self.given)} argument{'s' * (len(self.given) != 1)}"
            raise self.builder.source.error_at(f"{USAGE[self.name]}, not {many}", self.part)

    def node(self, index: int) -> Node:
        """Return an argument that is an expression."""
        return self.builder.node(self.given[index])

    def word(self, index: int) -> str:
        """Return the text of an argument."""
        start, end = self.builder.source.span(self.given[index])
        return self.builder.source.text[start:end]

    def _wrong(self, index: int, kind: str, known: Sequence[str] = ()) -> TextError:
        word = self.word(index)
        hint = instead_of_argument(self.name, word, known)
        reason = f"{self.name} takes {kind} here, not {word!r}{hint and f'; {hint}'}"
        return self.builder.source.error_at(reason, self.given[index])

    def seat(self, index: int) -> Seat:
        """Return an argument that is a seat, or the letter of a seat that is no variable."""
        word = self.word(index)
        letters = {} if word in self.builder.source.defined else SEAT_LETTERS
        seat = (SEATS | letters).get(word.lower())
        if seat is None:
            raise self._wrong(index, "a seat (north, east, south or west)", list(SEATS))
        return seat

    def suit(self, index: int) -> Suit:
        """Return an argument that is a suit."""
        suit = SUITS.get(canonical(self.word(index)))
        if suit is None:
            raise self._wrong(index, "a suit (spades, hearts, diamonds or clubs)", list(SUITS))
        return suit

    def maybe_suit(self, index: int) -> Suit | None:
        """Return an argument that is a suit; None if the call has fewer arguments."""
        return self.suit(index) if index < len(self.given) else None

    def strain(self, index: int) -> Strain:
        """Return an argument that is a strain, or the number of a strain in Dealer3."""
        strain = STRAINS.get(canonical(self.word(index)))
        if self.given[index].data == "number" and self.number(index) < len(_NUMBERED_STRAINS):
            strain = _NUMBERED_STRAINS[self.number(index)]
        if strain is None:
            raise self._wrong(index, "a suit or notrump", list(STRAINS))
        return strain

    def card(self, index: int) -> Card:
        """Return an argument that is a card, rank first or suit first."""
        letters = sorted(self.word(index).upper().replace("10", "T"), key=RANK_LETTERS.find)
        if len(letters) != 2 or letters[0] not in SUIT_LETTERS or letters[1] not in RANK_LETTERS:
            raise self._wrong(index, "a card, such as AS or SA,")
        return Card.parse("".join(letters))

    def number(self, index: int) -> int:
        """Return an argument that is a literal number."""
        part = self.given[index]
        if part.data != "number":
            raise self._wrong(index, "a number")
        return self.builder.source.integer(words(part)[0])


def _hascard(call: Call) -> Node:
    call.expect(2)
    return HasCard(call.seat(0), call.card(1))


def _card_sum(call: Call) -> Node:
    call.expect(1, 2)
    return card_sum(call.seat(0), call.maybe_suit(1), call.builder.points_of(call.name))


def _length(call: Call) -> Node:
    call.expect(1)
    return Length(call.seat(0), SUITS[call.name])


def _losers(call: Call) -> Node:
    call.expect(1, 2)
    return Losers(call.seat(0), call.maybe_suit(1))


def _quality(call: Call) -> Node:
    call.expect(2)
    return Quality(call.seat(0), call.suit(1))


def _holding(call: Call) -> Node:
    call.expect(3)
    seat, suit = call.seat(0), call.suit(1)
    try:
        return Holding(seat, suit, SmallHolding.parse(call.word(2)))
    except PavError as error:
        raise call.builder.source.error_at(str(error), call.given[2]) from None


def _cccc(call: Call) -> Node:
    call.expect(1)
    return Cccc(call.seat(0))


def _tricks(call: Call) -> Node:
    call.expect(2)
    return Tricks(call.seat(0), call.strain(1))


def _imps(call: Call) -> Node:
    call.expect(1)
    return Imps(call.node(0))


def _rnd(call: Call) -> Node:
    call.expect(1, 2)
    return Random(call.node(0), call.number(1) if len(call.given) > 1 else None)


def _ltc(call: Call) -> Node:
    call.expect(1, 2)
    return losing_trick_count(call.seat(0), call.maybe_suit(1))


def _refused(call: Call) -> Node:
    raise call.builder.source.error_at(REFUSED[call.name], call.part)


def _numbered_contract(number: int) -> tuple[int, Strain, int] | None:
    """Return (level, strain, doubling) of the number of a contract in Dealer3; None if unknown."""
    doubled, undoubled = divmod(number, 40)
    level, strain = divmod(undoubled, len(_NUMBERED_STRAINS))
    known = 1 <= level <= 7 and doubled <= 2
    return (level, _NUMBERED_STRAINS[strain], doubled) if known else None


def _score(call: Call) -> Node:
    call.expect(3)
    vulnerable = VULNERABLE.get(call.word(0).lower())
    if vulnerable is None and call.word(0) in ("0", "1"):
        vulnerable = call.word(0) == "1"
    if vulnerable is None:
        raise call._wrong(0, "vul or nv")
    if call.given[1].data == "number":
        numbered = _numbered_contract(call.number(1))
        if numbered is None:
            raise call._wrong(1, "a contract, such as x4S, x3N or x6HX,")
        return Score(vulnerable, *numbered, call.node(2))
    contract = CONTRACT.fullmatch(call.word(1))
    if contract is None:
        raise call._wrong(1, "a contract, such as x4S, x3N or x6HX,")
    level, letters, doubled = contract.groups()
    strain = STRAIN_LETTERS[letters[0].upper()]
    return Score(vulnerable, int(level), strain, len(doubled), call.node(2))


MAKERS: dict[str, Callable[[Call], Node]] = {
    **dict.fromkeys(SUITS, _length),
    "hcp": _card_sum,
    "losers": _losers,
    "quality": _quality,
    "cccc": _cccc,
    "hascard": _hascard,
    "holding": _holding,
    "ltc": _ltc,
    **dict.fromkeys(REFUSED, _refused),
    "tricks": _tricks,
    "score": _score,
    "imps": _imps,
    "rnd": _rnd,
}
