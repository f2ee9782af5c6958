"""Known cards: hands, cards that were played, suits that a seat does not hold any more.

They are read from texts and Python values, or follow from a `Play` by the rules of play. Together
they make a `Position`, which is a condition on deals or endings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations, product
from operator import index as as_integer
from operator import or_
from typing import TYPE_CHECKING, Any, SupportsIndex, TypedDict, TypeVar

from pavcodec.boards import Board
from pavcodec.boards.play import played_cards, strain_of, winner
from pavcodec.cards import (
    DECK_SIZE,
    HAND_SIZE,
    RANK_LETTERS,
    SUIT_LETTERS,
    SUIT_SIZE,
    UNUSED,
    Card,
    Seat,
    Strain,
    Suit,
)
from pavcodec.constraints.functions import card_sum
from pavcodec.constraints.nodes.syntax import (
    Comparison,
    HasCard,
    Length,
    Node,
    Number,
    conjunction,
    parts_of,
)
from pavcodec.constraints.operators import Expression
from pavcodec.errors import (
    LayoutError,
    NumberError,
    PavError,
    TextError,
    UnknownNameError,
    hint,
    shown,
)
from pavcodec.layout import Deal, Hand, Layout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# Known cards as lines of text: a seat, and then its cards or suits.


_SEAT_FIRST = re.compile(r"\s*([A-Za-z]+)(?:\s*:\s*|\s+)(\S.*?)\s*")


def seat_and_rest(text: str) -> tuple[str, str]:
    """Return the seat at the start of a text, and the rest; raise `PavError` without either.

    >>> seat_and_rest("S AKQ2.K85.AJ4.T63"), seat_and_rest("east: spades")
    (('S', 'AKQ2.K85.AJ4.T63'), ('east', 'spades'))
    """
    match = _SEAT_FIRST.fullmatch(text)
    if not match:
        raise PavError(f"{text!r}: expected a seat and then the others, as in 'S SAKQ'")
    return match[1], match[2]


def texts_by_seat(texts: Iterable[str]) -> dict[str, str]:
    """Return the texts by seat; raise `PavError` for a seat with two texts.

    >>> texts_by_seat(["S SAK", "E H2"])
    {'S': 'SAK', 'E': 'H2'}
    """
    rests: dict[str, str] = {}
    for text in texts:
        seat, rest = seat_and_rest(text)
        if seat in rests:
            raise PavError(f"{text!r}: {seat} occurs twice; write all of a seat into one text")
        rests[seat] = rest
    return rests


# Cards, hands and suits as arguments: text in any usual form, or the values of pavcodec.


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
    return [card for item in cards for card in _cards_of_item(item)]


def cards_of(cards: CardsLike, whose: str) -> Hand:
    """Return cards as a hand; raise errors that begin with `whose`.

    >>> cards_of("SA HA", "South"), cards_of([0, "HA"], "South")
    (Hand.from_pbn('A.A..'), Hand.from_pbn('A.A..'))
    """
    try:
        listed = card_list(cards)
    except TextError as error:
        raise TextError(f"{whose}: {error.message}", error.source, error.span) from None
    except UnknownNameError as error:
        raise UnknownNameError(f"{whose}: {error}") from None
    hand = Hand(listed)
    if len(hand) < len(listed):
        twice = next(card for card in listed if listed.count(card) > 1)
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
    items = [(Seat.of(seat), value) for seat, value in given.items()]
    seats = [seat for seat, _ in items]
    for seat in seats:
        if seats.count(seat) > 1:
            raise PavError(f"{what} have {seat.name.title()} twice, under two names")
    return items


def _cards_of_word(word: str) -> list[Card]:
    match = _HOLDING.fullmatch(word.upper().translate(_LETTERS).replace("10", "T"))
    if not match:
        raise UnknownNameError(
            f"no card is called {word!r}; expected cards such as SA, AS or SAQ5, "
            "or a hand with dots such as AKQ2.K85.AJ4.T63"
        )
    suit, ranks = (match[1], match[2]) if match[1] else (match[4], match[3])
    return [Card.parse(suit + rank) for rank in ranks]


def _cards_of_item(card: CardLike) -> list[Card]:
    if not isinstance(card, str):
        return [Card(card)]
    cards = _cards_of_word(card.strip())
    if len(cards) != 1:
        raise UnknownNameError(f"an item of a list of cards is one card, not {card!r}")
    return cards


def _kind(value: object) -> str:
    return repr(type(value).__name__)


# Whether the unseen cards fit into the hands: by the theorem of Hall, for four suits.
#
# The unseen cards of a suit may be in each hand that is not void in it. They all fit if, for every
# set of suits, the cards of these suits are no more than the free places of the hands that are not
# void in all of them.


def check_room(
    kind: str,
    rooms: Sequence[int],
    unseen: Sequence[int],
    voids: Sequence[tuple[Seat, Suit]],
) -> None:
    """Raise `PavError` if the unseen cards do not fit into the free places of the hands.

    `rooms` has the free places of each seat, and for endings those of nobody; `unseen` the unseen
    cards of each suit. `kind` is the word for layouts of these hands in messages.

    >>> check_room("deal", [0, 6, 0, 7], [4, 3, 3, 3], [(Seat.EAST, Suit.SPADES)])
    >>> check_room("deal", [0, 10, 0, 3], [4, 3, 3, 3], [(Seat.EAST, Suit.SPADES)])
    Traceback (most recent call last):
    ...
    pavcodec.errors.PavError: no deal has these cards: 4 unseen spades, and 3 places for them \
(West 3; East has none of them)
    """
    for many in range(1, len(Suit) + 1):
        for suits in combinations(Suit, many):
            void = [seat for seat in Seat if all((seat, suit) in voids for suit in suits)]
            places = [(owner, room) for owner, room in enumerate(rooms) if owner not in void]
            cards, room = sum(unseen[suit] for suit in suits), sum(room for _, room in places)
            if cards > room:
                names = " and ".join(suit.name.lower() for suit in suits)
                raise PavError(
                    f"no {kind} has these cards: {cards} unseen {names}, and {room} places for "
                    f"them ({_listed(places, void)})"
                )


def _listed(places: list[tuple[int, int]], void: list[Seat]) -> str:
    """Return the places and the void hands as text."""
    rooms = [
        f"{Seat(owner).name.title() if owner < len(Seat) else 'unused'} {room}"
        for owner, room in places
        if room
    ]
    if not void:
        return ", ".join(rooms) or "all hands are full"
    text = ", ".join(rooms) or "the others are full"
    verb = "has" if len(void) == 1 else "have"
    return f"{text}; {' and '.join(seat.name.title() for seat in void)} {verb} none of them"


# A line of play so far: the leader, the cards in order, and what follows by the rules of play.
#
# The player of each card follows from the leader and the winners of the tricks. A player who does
# not follow suit holds no more cards of the suit.


_TRICK = len(Seat)


@dataclass(frozen=True, init=False)
class Play:
    """Cards in the order of play, with their players and the suits that players do not hold.

    `leader` leads to the first trick. The cards are a text or a list. The strain is needed after a
    complete trick in which somebody did not follow suit, since it decides who won. Raises
    `PavError` for a card that is played twice, for a player who plays a suit after not following
    it, and for a trick without a known winner; the message names the trick.

    >>> play = Play("W", "SK S2 S3 S4, SA S5 S6 H2, H3", strain="NT")
    >>> play.turn, play.voids, [str(card) for card in play.trick]
    (<Seat.NORTH: 0>, ((<Seat.SOUTH: 2>, <Suit.SPADES: 0>),), ['H3'])
    >>> play.cards_of("west")
    Hand.from_pbn('AK.3..')
    """

    leader: Seat
    cards: tuple[Card, ...]
    strain: Strain | None

    def __init__(
        self,
        leader: Seat | int | str,
        cards: CardsLike = (),
        strain: Strain | int | str | None = None,
    ) -> None:
        object.__setattr__(self, "leader", Seat.of(leader))
        object.__setattr__(self, "cards", tuple(card_list(cards)))
        object.__setattr__(self, "strain", None if strain is None else Strain.of(strain))
        self._check()

    @classmethod
    def of_board(cls, board: Board) -> Play | None:
        """Return the play of a board; None if it has none. Raises `PavError` if it is not legible.

        The strain is that of the contract. The tags are those of PBN: `Play` and `Contract`.
        """
        if not isinstance(board, Board):
            raise TypeError(f"a Board has a play, not {type(board).__name__!r}")
        tag = next((tag for tag in board.entries if tag.name == "Play" and tag.lines), None)
        if tag is None:
            return None
        strain = strain_of(board.tags.get("Contract", ""))
        return cls(tag.value, played_cards(board, strain), strain or None)

    @cached_property
    def players(self) -> tuple[Seat, ...]:
        """The player of each card."""
        return tuple(seat for _, seat, _, _ in self._steps)

    @property
    def tricks(self) -> tuple[tuple[Card, ...], ...]:
        """The cards of each trick in order; the last may have fewer than four."""
        starts = range(0, len(self.cards), _TRICK)
        return tuple(self.cards[start : start + _TRICK] for start in starts)

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the trick that is not complete; () between two tricks."""
        return self.cards[len(self.cards) // _TRICK * _TRICK :]

    @property
    def turn(self) -> Seat | None:
        """The seat that plays next; None after the last card."""
        played = len(self.cards)
        if played == _TRICK * SUIT_SIZE:
            return None
        return Seat((self._leads[played // _TRICK] + played) % _TRICK)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The winner of each complete trick."""
        return self._leads[1:]

    @property
    def voids(self) -> tuple[tuple[Seat, Suit], ...]:
        """The seats that did not follow suit, each with the suit, in the order of play."""
        return tuple(self.tricks_of_voids)

    @cached_property
    def tricks_of_voids(self) -> dict[tuple[Seat, Suit], int]:
        """The number of the first trick in which a seat did not follow a suit."""
        tricks: dict[tuple[Seat, Suit], int] = {}
        for number, seat, led, card in self._steps:
            if card.suit != led:
                tricks.setdefault((seat, led), number)
        return tricks

    def cards_of(self, seat: Seat | int | str) -> Hand:
        """Return the cards that a seat played."""
        wanted = Seat.of(seat)
        return Hand(card for _, player, _, card in self._steps if player == wanted)

    def first(self, count: SupportsIndex) -> Play:
        """Return the play of the first cards only; raise `NumberError` for less than 0 or too many.

        >>> Play("W", "SK S2 S3", "NT").first(2)
        Play('W', 'SK S2', strain='NT')
        """
        many = as_integer(count)
        if not 0 <= many <= len(self.cards):
            raise NumberError(f"this play has 0 to {len(self.cards)} cards, not {shown(many)}")
        return Play(self.leader, self.cards[:many], self.strain)

    @cached_property
    def _leads(self) -> tuple[Seat, ...]:
        """The leader of each trick, also of the next one after a complete trick."""
        strain = "" if self.strain is None else self.strain.letters[0]
        leads = [self.leader]
        for number, trick in enumerate(self.tricks, 1):
            if len(trick) == _TRICK:
                try:
                    won = winner([str(card) for card in trick], strain)
                except PavError:
                    raise PavError(
                        f"who won trick {number}, {_shown(trick)}, is not known without the "
                        "strain: give strain="
                    ) from None
                leads.append(Seat((leads[-1] + won) % _TRICK))
        return tuple(leads)

    @cached_property
    def _steps(self) -> tuple[tuple[int, Seat, Suit, Card], ...]:
        """For each card the number of its trick, its player, the suit that was led, and itself."""
        return tuple(
            (number, Seat((leader + turn) % _TRICK), trick[0].suit, card)
            for number, (leader, trick) in enumerate(zip(self._leads, self.tricks, strict=False), 1)
            for turn, card in enumerate(trick)
        )

    def _check(self) -> None:
        """Raise `PavError` for a card that is played twice, or a suit after not following it."""
        at: dict[Card, int] = {}
        for index, card in enumerate(self.cards):
            number = index // _TRICK + 1
            if card in at:
                raise PavError(f"trick {number}: {card} was played in trick {at[card]} already")
            at[card] = number
        for number, seat, _, card in self._steps:
            since = self.tricks_of_voids.get((seat, card.suit), number)
            if since < number:
                name, suit = seat.name.title(), card.suit.name.lower()
                raise PavError(
                    f"trick {number}: {name} plays {card}, but did not follow {suit} in trick "
                    f"{since}"
                )

    def __repr__(self) -> str:
        strain = "" if self.strain is None else f", strain={self.strain.letters!r}"
        return f"Play({self.leader.letter!r}, {_shown(self.cards)!r}{strain})"


def _shown(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


# A position: what is known of the cards of a deal, at any moment of the play.
#
# Known are cards of hands, cards that were played, suits that a seat does not hold any more, and
# cards that are gone without a known player. A position is a condition on the original deal, so the
# deals that agree with it are counted and drawn exactly like those of any condition. `remaining`
# takes the gone cards out of such a deal: it maps the deals of a position to the layouts that are
# still possible, each layout once if the players of all gone cards are known.


FourHands = tuple[Hand, ...]
"""A set of cards for each seat, N E S W."""


@dataclass(frozen=True)
class Position:
    """What is known of a deal: made by `pavcodec.position`, which has the meaning of each field.

    >>> from pavcodec import deals, position
    >>> table = position(
    ...     hands={"S": "AQ5.KJ93.A76.T96", "N": "KJT9.AQ64.82.A85"},
    ...     played=Play("W", "DK D2 D4 DA, SA S2 S9 C3", "H"),
    ... )
    >>> table.turn, table.voids, table.unseen.suit("S"), table.sizes
    (<Seat.SOUTH: 2>, ((<Seat.EAST: 1>, <Suit.SPADES: 0>),), '87643', (11, 11, 11, 11))
    """

    hands: FourHands
    """The known cards of each seat, with those that it played."""
    played: FourHands
    """The cards that each seat played."""
    voids: tuple[tuple[Seat, Suit], ...]
    """The seats and suits of which the seat holds no more cards, in the order of seats."""
    unused: Hand
    """The cards that are gone without a known player."""
    play: Play | None = None
    """The play in order, if it is known."""

    @property
    def turn(self) -> Seat | None:
        """The seat that plays next; None if the order of play is not known, or at its end."""
        return None if self.play is None else self.play.turn

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the trick that is not complete, if the order of play is known."""
        return () if self.play is None else self.play.trick

    @cached_property
    def gone(self) -> Hand:
        """The cards that are not in a hand any more."""
        return _union([*self.played, self.unused])

    @cached_property
    def unseen(self) -> Hand:
        """The cards that are still in a hand, nobody knows in which."""
        known = _union([*self.hands, self.unused])
        return Hand(card for card in range(DECK_SIZE) if card not in known)

    @cached_property
    def live(self) -> FourHands:
        """The known cards that each seat still holds."""
        pairs = zip(self.hands, self.played, strict=True)
        return tuple(Hand.from_mask(held.mask & ~gone.mask) for held, gone in pairs)

    @property
    def sizes(self) -> tuple[int, ...] | None:
        """The number of cards that each seat still holds; None if players are not known."""
        return None if self.unused else tuple(HAND_SIZE - len(cards) for cards in self.played)

    @property
    def where(self) -> Expression:
        """The condition on the original deal; raises `PavError` if no deal satisfies it.

        >>> from pavcodec import position
        >>> print(position(played={"E": "S5 HA"}, shown_out={"E": "S"}).where)
        hascard(east, 5S) && hascard(east, AH) && spades(east) == 1
        """
        return Expression(conjunction(self.deal_parts()))

    def deal_parts(self) -> list[Node]:
        """Return the conditions on the original deal; raise `PavError` if they exclude each other.

        A seat without live cards of a suit has as many as it played, if all gone cards of the suit
        have known players. Otherwise its live cards are counted.
        """
        rooms = [HAND_SIZE - len(cards) for cards in self.hands]
        check_room("deal", rooms, self._unseen_by_suit, self.voids)
        return [*_held(self.hands), *filter(None, map(self._void_of_deal, self.voids))]

    def ending_parts(self, cards: int) -> list[Node]:
        """Return the conditions on an ending of so many cards in each hand; see `deal_parts`.

        The seats hold their live cards, and nobody holds the cards that are gone.
        """
        for seat, live, played in zip(Seat, self.live, self.played, strict=True):
            name, gone = seat.name.title(), len(played)
            if len(live) > cards:
                raise PavError(f"{name} holds {len(live)} known cards, and here a hand has {cards}")
            if gone + cards > HAND_SIZE:
                raise PavError(f"{name} played {gone} cards, so it does not hold {cards} any more")
        nobody = DECK_SIZE - cards * len(Seat) - len(self.gone)
        if nobody < 0:
            raise PavError(
                f"{len(self.gone)} cards are gone: hands of {cards} cards cannot remain, since "
                f"these take {cards * len(Seat)} of {DECK_SIZE}"
            )
        rooms = [cards - len(live) for live in self.live]
        check_room("ending", [*rooms, nobody], self._unseen_by_suit, self.voids)
        empty = [Comparison("==", Length(*void), Number(0)) for void in self.voids]
        full = [seat for seat in Seat if not rooms[seat]]
        return [*_held(self.live), *empty, *self._gone_from([s for s in Seat if s not in full])]

    def remaining(self, deal: Layout) -> Layout:
        """Return the layout that remains of a deal of this position, without the gone cards.

        Raises `LayoutError` if the deal does not agree with the position.

        >>> from pavcodec import deals, position
        >>> table = position(played=Play("W", "DK D2 D4 DA C3", "NT"))
        >>> layout = table.remaining(deals("hcp(east) > 20", known=table).sample(1, seed=7)[0])
        >>> layout.sizes, layout.unused
        ((12, 12, 11, 12), Hand.from_pbn('..AK42.3'))
        """
        if not isinstance(deal, Layout):
            raise TypeError(f"a deal is a Deal or a Layout, not {type(deal).__name__!r}")
        if not deal.is_deal:
            raise LayoutError(f"a position is of a deal, and this is none: {deal}")
        reason = self._disagreement(deal.owners)
        if reason:
            raise LayoutError(f"this deal does not agree with the position: {reason}")
        owners = bytearray(deal.owners)
        for card in self.gone:
            owners[card] = UNUSED
        return Layout.unchecked(bytes(owners)) if self.gone else Deal.unchecked(bytes(owners))

    def remaining_many(self, owners: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the layouts that remain of many deals: `uint8[n, 52]` to a new `uint8[n, 52]`.

        Row k is what `remaining` returns for row k. Raises `LayoutError` with the row for a deal
        that does not agree, or for a row that is no deal.
        """
        from pavcodec.constraints.columns import contains_rows

        agree = contains_rows(conjunction(self.deal_parts()), (HAND_SIZE,) * len(Seat), owners)
        if not agree.all():
            row = int(agree.argmin())
            try:
                self.remaining(Layout(owners[row].tobytes()))
            except LayoutError as error:
                raise LayoutError(f"row {row}: {error}") from None
        remaining = owners.copy()
        remaining[:, list(self.gone)] = UNUSED
        return remaining

    @cached_property
    def _unseen_by_suit(self) -> list[int]:
        return [len(self.unseen.suit(suit)) for suit in Suit]

    def _live_cards(self, suit: Suit) -> list[Card]:
        return [card for card in _cards_of_suit(suit) if card not in self.gone]

    def _void_of_deal(self, void: tuple[Seat, Suit]) -> Node | None:
        """Return the condition that a seat has no live cards of a suit; None if that is known."""
        seat, suit = void
        if len(self.hands[seat]) == HAND_SIZE:
            return None
        if not self.unused.suit(suit):
            held = len(self.hands[seat].suit(suit))
            return Comparison("==", Length(seat, suit), Number(held))
        return _none_of(seat, suit, self._live_cards(suit))

    def _gone_from(self, seats: list[Seat]) -> Iterator[Node]:
        """Yield the conditions that seats do not hold gone cards."""
        for seat, suit in product(seats, Suit):
            gone = [card for card in _cards_of_suit(suit) if card in self.gone]
            if gone and (seat, suit) not in self.voids:
                yield _none_of(seat, suit, gone)

    def _disagreement(self, owners: bytes) -> str:
        """Return why the owners of a deal do not agree; empty if they do."""
        for seat, cards in zip(Seat, self.hands, strict=True):
            missing = next((card for card in cards if owners[card] != seat), None)
            if missing is not None:
                return f"{seat.name.title()} does not hold {missing}"
        for seat, suit in self.voids:
            held = next((card for card in self._live_cards(suit) if owners[card] == seat), None)
            if held is not None:
                return f"{seat.name.title()} still holds {held}, but has no {suit.name.lower()}"
        return ""


def _union(hands: Iterable[Hand]) -> Hand:
    return Hand.from_mask(reduce(or_, (hand.mask for hand in hands)))


def _held(hands: FourHands) -> list[Node]:
    return [HasCard(seat, card) for seat, cards in zip(Seat, hands, strict=True) for card in cards]


def _cards_of_suit(suit: Suit) -> list[Card]:
    return [Card(suit * SUIT_SIZE + rank) for rank in range(SUIT_SIZE)]


def _none_of(seat: Seat, suit: Suit, cards: Sequence[Card]) -> Node:
    """Return the condition that a seat holds none of some cards of a suit."""
    marks = [int(card in cards) for card in _cards_of_suit(suit)]
    return Comparison("==", card_sum(seat, suit, marks), Number(0))


# The arguments for known cards that functions on deals and endings share.


HandsLike = Mapping[Any, CardsLike] | Layout | str
PlayedLike = Play | Mapping[Any, CardsLike]
ShownOutLike = Mapping[Any, SuitsLike]


class KnownCards(TypedDict, total=False):
    """The keyword arguments for known cards; `known` is a position with all of them."""

    hands: HandsLike
    played: PlayedLike
    shown_out: ShownOutLike
    unused: CardsLike
    known: Position | None


def position(
    *,
    hands: HandsLike | None = None,
    played: PlayedLike | None = None,
    shown_out: ShownOutLike | None = None,
    unused: CardsLike = (),
) -> Position:
    """Return a position: the known cards of a deal at a moment of its play.

    `hands` maps seats to cards that they were dealt, all or a few; they may include or lack those
    that the seat played. A `Layout` or its text also does. `played` maps seats to the cards that
    they played, or is a `Play`: then the players and the voids follow from the rules of play.
    `shown_out` maps seats to suits of which they hold no more cards. `unused` are cards that are
    gone, and nobody knows who played them. Raises `PavError` where these contradict each other.

    >>> table = position(hands={"S": "AQ5.KJ93.A76.T96"}, played={"E": "S2"}, shown_out={"E": "H"})
    >>> len(table.hands[2]), table.gone, table.voids
    (13, Hand.from_pbn('2...'), ((<Seat.EAST: 1>, <Suit.HEARTS: 1>),))
    >>> position(hands={"S": "SA", "W": "AS"})
    Traceback (most recent call last):
    ...
    pavcodec.errors.PavError: SA is in two hands, South's and West's
    """
    play = played if isinstance(played, Play) else None
    own, gone = _hands_of(hands), _played_of(played)
    nobody = cards_of(unused, "unused")
    voids = dict.fromkeys(play.voids if play else ())
    for seat, suits in by_seat({} if shown_out is None else shown_out, "shown_out"):
        voids |= {(seat, suit): None for suit in suits_of(suits)}
    _seats_of(own, "in two hands, {0}'s and {1}'s")
    players = _seats_of(gone, "played by two seats, {0} and {1}")
    _check_owners(own, players, nobody, play)
    held = tuple(map(_union, zip(own, gone, strict=True)))
    known = Position(held, gone, tuple(sorted(voids)), nobody, play)
    _check_sizes(own, known)
    _check_voids(known)
    return known


def with_known_cards(
    where: Node, given: KnownCards, function: str, cards: int | None = None
) -> Node:
    """Return a condition with the known cards in front of it; unchanged if nothing is known.

    With `cards`, it is a condition on endings of so many cards. `function` names the public
    function for the errors: `TypeError` for other arguments, and `PavError` for known cards that no
    deal or ending has.
    """
    known = _position_of(given, function)
    if known is None:
        return where
    parts = known.deal_parts() if cards is None else known.ending_parts(cards)
    return conjunction([*parts, *parts_of(where)])


def _position_of(given: KnownCards, function: str) -> Position | None:
    names = [*KnownCards.__annotations__]
    for name in given:
        if name not in names:
            raise TypeError(
                f"{function}() got an unexpected keyword argument {name!r}{hint(name, names)}"
            )
    known = given.get("known")
    others = {name: value for name, value in given.items() if name != "known"}
    if known is None:
        return position(**others) if others else None  # type: ignore[arg-type] # its own names
    if others:
        raise TypeError(f"{function}() takes known= or {'=, '.join(others)}=, not both")
    if not isinstance(known, Position):
        raise TypeError(f"known is a Position, not {type(known).__name__!r}: use pavcodec.position")
    return known


def _hands_of(hands: HandsLike | None) -> FourHands:
    """Return the cards of each seat."""
    if isinstance(hands, str):
        hands = Layout.from_pbn(hands, lenient=True)
    if isinstance(hands, Layout):
        return hands.hands
    return _by_seat({} if hands is None else hands, "hands")


def _played_of(played: PlayedLike | None) -> FourHands:
    """Return the played cards of each seat."""
    if isinstance(played, Play):
        played = {seat: played.cards_of(seat) for seat in Seat}
    return _by_seat({} if played is None else played, "played")


def _by_seat(given: Mapping[Any, CardsLike], what: str) -> FourHands:
    pairs = by_seat(given, what)
    hands = {seat: cards_of(cards, seat.name.title()) for seat, cards in pairs}
    return tuple(hands.get(seat, Hand()) for seat in Seat)


def _seats_of(hands: FourHands, problem: str) -> dict[Card, Seat]:
    """Return the seat of each card; raise `PavError` for a card of two seats."""
    owners: dict[Card, Seat] = {}
    for seat in Seat:
        for card in hands[seat]:
            if card in owners:
                names = [each.name.title() for each in (owners[card], seat)]
                raise PavError(f"{card} is {problem.format(*names)}")
            owners[card] = seat
    return owners


def _check_owners(
    own: FourHands, players: Mapping[Card, Seat], unused: Hand, play: Play | None
) -> None:
    """Raise `PavError` for a card in one hand that another seat or nobody played."""
    for seat in Seat:
        name = seat.name.title()
        for card in own[seat]:
            if card in unused:
                raise PavError(
                    f"{card} is unused, but in {name}'s hand: list cards that a seat played "
                    "as played"
                )
            player = players.get(card, seat)
            if player != seat:
                raise PavError(
                    f"{_place(play, card)}{player.name.title()} plays {card}, but it is in "
                    f"{name}'s hand"
                )
        both = next((card for card in unused if players.get(card) == seat), None)
        if both is not None:
            raise PavError(f"{both} is unused, but played by {name}")


def _check_sizes(own: FourHands, known: Position) -> None:
    """Raise `PavError` for a seat with more than 13 cards."""
    for seat in Seat:
        if len(known.hands[seat]) <= HAND_SIZE:
            continue
        name, many = seat.name.title(), len(known.hands[seat])
        other = [card for card in known.played[seat] if card not in own[seat]]
        if len(own[seat]) > HAND_SIZE or not own[seat]:
            raise PavError(f"{name} has {HAND_SIZE} cards at most, not {many}")
        card = other[0] if known.play is None else min(other, key=known.play.cards.index)
        raise PavError(
            f"{_place(known.play, card)}{name} plays {card}, but its hand has "
            f"{len(own[seat])} cards without it: together they are {many}, and a hand has "
            f"{HAND_SIZE}"
        )


def _check_voids(known: Position) -> None:
    """Raise `PavError` for a known card of a suit that the seat does not hold any more."""
    for seat, suit in known.voids:
        card = next((card for card in known.live[seat] if card.suit == suit), None)
        if card is not None:
            name, suit_name = seat.name.title(), suit.name.lower()
            trick = None if known.play is None else known.play.tricks_of_voids.get((seat, suit))
            where = "" if trick is None else f"trick {trick}: "
            raise PavError(f"{where}{name} shows out of {suit_name}, but still holds {card}")


def _place(play: Play | None, card: Card) -> str:
    """Return the trick of a card for a message."""
    return "" if play is None else f"trick {play.cards.index(card) // len(Seat) + 1}: "
