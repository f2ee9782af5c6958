"""Cards, hands and suits as arguments: text in any usual form, or the values of pavcodec."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pavcodec.cards import RANK_LETTERS, SUIT_LETTERS, Card, Seat, Suit
from pavcodec.errors import PavError, TextError, UnknownNameError
from pavcodec.layout import Hand

__all__ = ["CardsLike", "SuitsLike", "by_seat", "card_list", "cards_of", "suits_of"]

CardLike = Card | int | str
CardsLike = Hand | str | Iterable[CardLike]
"""Cards as an argument: a `Hand`, a text of a hand or of cards, or some cards."""
SuitsLike = Suit | int | str | Iterable[Suit | int | str]

_BETWEEN = re.compile(r"[\s,]+")
_SUIT, _RANK = f"[{SUIT_LETTERS}]", f"[{RANK_LETTERS}]"
_HOLDING = re.compile(f"({_SUIT})({_RANK}+)|({_RANK})({_SUIT})")

_SIGNS, _DASHES = "♠♤♥♡♦♢♣♧", "-–—"
_LETTERS = str.maketrans(_SIGNS, "SSHHDDCC")
_VARIANT = re.compile("[\ufe0e\ufe0f]")
"""What a phone writes behind a sign, for its look."""
_AFTER_SIGN = re.compile(rf"(?<![^\s,])([{_SIGNS}])\s+(?=[{RANK_LETTERS}{RANK_LETTERS.lower()}1])")
_VOID = re.compile(rf"(?<![^\s,])[{_SIGNS}]\s*[{_DASHES}](?![^\s,])")
"""A sign and a dash: no card of the suit."""

_Given = TypeVar("_Given")


def card_list(cards: CardsLike) -> list[Card]:
    """Return cards in the given order.

    A text is a hand with dots (`AK2.QT..9876`), or cards between blanks or commas: `SA`, `AS`, or
    several of a suit such as `SAQ5` or `♠AQ5`, in any case, a ten as `T` or `10`; `-` is no card.
    Raises `UnknownNameError` or `TextError` for other texts, and `TypeError` for a single card that
    is not a text.

    >>> card_list("SAQ 5h, dT"), card_list("A..K.") == card_list(["SA", "KD"])
    ([Card.parse('SA'), Card.parse('SQ'), Card.parse('H5'), Card.parse('DT')], True)
    >>> card_list("♠A ♥ - ♦ 10") == card_list("SA DT")
    True
    """
    if isinstance(cards, Hand):
        return list(cards)
    if isinstance(cards, str):
        cards = _VOID.sub("", _AFTER_SIGN.sub(r"\1", _VARIANT.sub("", cards)))
        if "." in cards:
            return list(Hand.from_pbn(cards.strip(), lenient=True))
        words = [word for word in _BETWEEN.split(cards) if word not in ("", *_DASHES)]
        return [card for word in words for card in _cards_of_word(word)]
    if isinstance(cards, int) or not isinstance(cards, Iterable):
        raise TypeError(f"cards are a Hand, a text or a list of cards, not {_kind(cards)}")
    return [found for card in cards for found in _cards_of_item(card)]


def cards_of(cards: CardsLike, whose: str) -> Hand:
    """Return cards as a hand; raise errors that begin with `whose`.

    >>> cards_of("SA HA", "South"), cards_of([0, "HA"], "South")
    (Hand.from_pbn('A.A..'), Hand.from_pbn('A.A..'))
    """
    try:
        found = card_list(cards)
    except TextError as error:
        raise TextError(f"{whose}: {error.message}", error.source, error.span) from None
    except UnknownNameError as error:
        raise UnknownNameError(f"{whose}: {error}") from None
    hand = Hand(found)
    if len(hand) < len(found):
        twice = next(card for card in found if found.count(card) > 1)
        raise PavError(f"{whose}: {twice} occurs twice")
    return hand


def suits_of(suits: SuitsLike) -> list[Suit]:
    """Return suits from one or several: a text has names or letters between blanks or commas.

    >>> suits_of("spades, h"), suits_of([Suit.CLUBS, "d"]), suits_of(3)
    ([<Suit.SPADES: 0>, <Suit.HEARTS: 1>], [<Suit.CLUBS: 3>, <Suit.DIAMONDS: 2>], [<Suit.CLUBS: 3>])
    """
    if isinstance(suits, str):
        return [Suit.parse(word) for word in _BETWEEN.split(suits.strip())]
    if isinstance(suits, Iterable):
        return [Suit.of(suit) for suit in suits]
    return [Suit.of(suits)]


def by_seat(given: Mapping[Any, _Given], what: str) -> list[tuple[Seat, _Given]]:
    """Return the items of a mapping from seats; raise `PavError` for a seat with two names.

    `what` names the mapping in messages. Raises `TypeError` for a value that is no mapping.

    >>> by_seat({"S": 1, "north": 2}, "hands")
    [(<Seat.SOUTH: 2>, 1), (<Seat.NORTH: 0>, 2)]
    """
    if not isinstance(given, Mapping):
        raise TypeError(f"{what} are a mapping from seats, as in {{'S': …}}, not {_kind(given)}")
    found = [(Seat.of(seat), value) for seat, value in given.items()]
    seats = [seat for seat, _ in found]
    for seat in seats:
        if seats.count(seat) > 1:
            raise PavError(f"{what} have {seat.name.title()} twice, under two names")
    return found


def _cards_of_word(word: str) -> list[Card]:
    found = _HOLDING.fullmatch(word.upper().translate(_LETTERS).replace("10", "T"))
    if not found:
        raise UnknownNameError(
            f"no card is called {word!r}; expected cards such as SA, AS or SAQ5, "
            "or a hand with dots such as AKQ2.K85.AJ4.T63"
        )
    suit, ranks = (found[1], found[2]) if found[1] else (found[4], found[3])
    return [Card.parse(suit + rank) for rank in ranks]


def _cards_of_item(card: CardLike) -> list[Card]:
    if not isinstance(card, str):
        return [Card(card)]
    found = _cards_of_word(card.strip())
    if len(found) != 1:
        raise UnknownNameError(f"an item of a list of cards is one card, not {card!r}")
    return found


def _kind(value: object) -> str:
    return repr(type(value).__name__)
