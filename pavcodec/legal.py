"""Whether legal play can reach an ending, the reason if not, and a line of play if it can.

A criterion on the numbers of cards gone decides it, and plans give the tricks to a legal ending. A
complete search answers for a given first leader or seat on lead. `legality` puts them together; the
documentation has the proofs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import NamedTuple

from pavcodec.cards import SUIT_SIZE, UNUSED, Card, Seat, Strain, Suit
from pavcodec.errors import LayoutError, shown
from pavcodec.layout import Deal, Layout
from pavcodec.layout.layout import check_layout, describe_sizes

# The criterion: whether legal play can reach an ending, for any deck and any number of seats.
#
# Rule 1: Let T tricks be complete. Only the *signature* of the ending matters: the number of cards
# gone of each suit, and the seats that still hold the suit. Rule 2: A trick takes a card of the led
# suit from each seat that still holds this suit. So at most M = gone // max(1, holders) tricks were
# led in a suit. Rule 3: An ending is legal in some denomination if and only if the M of all suits
# sum to T or more. Rule 4: Notrump has one exception, and a given trump suit has three.
#
# The documentation has the proofs. Rules 1 to 3 do not depend on the size of the deck. The
# exceptions of a given trump suit are proved for four seats and suits of 13 cards.


SEATS = 4


class Signature(NamedTuple):
    """The data that decide whether an ending is legal.

    >>> signature(bytes([0, 0, 1, 2, 2, 1]), suits=2, seats=2)
    Signature(gone=(0, 2), holders=(3, 2))
    """

    gone: tuple[int, ...]
    """By suit: the number of cards played."""
    holders: tuple[int, ...]
    """By suit: the seats that hold it, as bits."""

    @property
    def tricks(self) -> int:
        """The number of complete tricks, for four seats."""
        return sum(self.gone) // SEATS

    @property
    def most_led(self) -> list[int]:
        """By suit: the maximum number of tricks that were led in it."""
        return [
            gone // (held.bit_count() or 1)
            for gone, held in zip(self.gone, self.holders, strict=True)
        ]


def signature(owners: bytes, *, suits: int = 4, seats: int = SEATS) -> Signature:
    """Return the signature of owners; the value `seats` marks a card that was played."""
    ranks = len(owners) // suits
    gone, holders = [], []
    for start in range(0, len(owners), ranks):
        suit = owners[start : start + ranks]
        gone.append(suit.count(seats))
        holders.append(_holders(frozenset(suit), seats))
    return Signature(tuple(gone), tuple(holders))


@cache
def _holders(owners: frozenset[int], seats: int) -> int:
    """Return the seats among some owners, as bits."""
    return sum(1 << seat for seat in range(seats) if seat in owners)


def is_legal(ending: Signature, seats: int = SEATS) -> bool:
    """Return whether play can reach an ending in some denomination (rule 3)."""
    return sum(ending.most_led) * seats >= sum(ending.gone)


def has_no_crossing(ending: Signature) -> bool:
    """Return whether play in notrump cannot reach an ending that rule 3 allows.

    In such an ending only two suits were led, each the maximum number of times, by two groups of
    seats without a common seat. All cards of both suits that are gone were followed to these
    tricks. So no seat that wins a trick in one of these suits can lead the other.
    """
    most = ending.most_led
    led = [suit for suit, tricks in enumerate(most) if tricks]
    if len(led) != 2 or sum(most) != ending.tricks:
        return False
    first, second = (ending.holders[suit] for suit in led)
    return not first & second and all(
        ending.gone[suit] == ending.holders[suit].bit_count() * most[suit] for suit in led
    )


class TrumpBar(NamedTuple):
    """The reason why a given trump suit is impossible although the ending is legal."""

    kind: str
    """`crossing`, `last trick` or `ruffs`."""
    suits: tuple[int, ...]
    """The suits that were led."""


def trump_bar(ending: Signature, trump: int) -> TrumpBar | None:
    """Return why this trump suit is impossible for an ending that rule 3 allows, or None.

    Every discarded card of the trump suit is a ruff, and the seat with the highest ruff leads next.

    * `crossing`: the exception of notrump, if no ruff can help.
    * `last trick`: only one side suit was led, so a seat that ruffs never leads again. All trumps
      must then fall on the last trick, but too few seats can ruff there.
    * `ruffs`: the seats that can ruff cannot give the lead back often enough.
    """
    gone, holders = ending
    most = ending.most_led
    led = tuple(suit for suit, tricks in enumerate(most) if tricks)
    sizes = [held.bit_count() for held in holders]
    if has_no_crossing(ending) and (trump in led or not gone[trump]):
        return TrumpBar("crossing", led)
    if len(led) == 1 and led[0] != trump and ending.tricks > 1:
        (suit,) = led
        if gone[trump] + max(1, sizes[suit]) > SEATS:
            return TrumpBar("last trick", led)
    if sum(most) == ending.tricks and _has_too_many_ruffs(ending, trump, most, led):
        return TrumpBar("ruffs", led)
    return None


def _has_too_many_ruffs(
    ending: Signature, trump: int, most: list[int], led: tuple[int, ...]
) -> bool:
    """Return whether the trumps gone need more ruffs than the play allows.

    The same seats hold all suits that some seat need not follow, and the other seats ruff. After a
    trick with ruffs, one of these seats is on lead. It gives the lead back in a trick to which all
    seats follow.
    """
    gone, holders = ending
    ruffs = gone[trump] - SEATS * most[trump]
    sometimes = [suit for suit in led if holders[suit].bit_count() < SEATS]
    if ruffs < 2 or len({holders[suit] for suit in sometimes}) != 1:
        return False
    followers = holders[sometimes[0]].bit_count()
    room = SEATS - followers
    if room > 1 and any(gone[suit] != followers * most[suit] for suit in sometimes):
        return False
    followed = {suit: most[suit] for suit in led}
    for suit in sometimes:
        followed[suit] -= max(0, -(-(SEATS * most[suit] - gone[suit]) // room))
    spare = sum(followed.values()) - min(followed[suit] for suit in sometimes)
    return -(-ruffs // room) - 1 > spare


# Plans: the suits that each seat plays to each trick on the way to an ending.
#
# A plan has no ranks. Any cards of the right suits can be played to it, and the seats can exchange
# them within a trick so that the planned winner has the highest. So a plan without a revoke, in
# which each winner leads to the next trick, is a line of play.
#
# Rule 1: Write gone = 4 · f + r for each suit. With f tricks led in each suit, some tricks are
# missing. Choose suits that lead the missing tricks, too; one suit may lead several of them. The
# chosen suits are *short*: all their cards are played to their own tricks, and each seat follows as
# long as it can. The other suits are *whole*: all seats follow to their f tricks, and their r
# remaining cards are discarded on the tricks of short suits. Rule 2: No suit is both discarded and
# not followed, so there is no revoke in any order of the tricks that keeps the order within each
# suit. Rule 3: The lead can pass from a trick to the next if some seat follows to both. Short suits
# are first, one after another. Whole tricks, to which all seats follow, are inserted where the lead
# needs one. Rule 4: If this fails for every choice of short suits, one ruff moves the lead to the
# other seats.


_ALL = (1 << SEATS) - 1
_Step = tuple[int, int]
"""The suit led, and the seats that follow, as bits."""


class PlannedTrick(NamedTuple):
    """A trick without ranks: `suits` has the suit that each seat plays, North first."""

    led: int
    leader: int
    suits: tuple[int, ...]
    winner: int


def plan(ending: Signature) -> tuple[int | None, list[PlannedTrick]]:
    """Return a trump suit (None: notrump) and the tricks to an ending, which must be legal."""
    tricks = notrump_plan(ending)
    return (None, tricks) if tricks is not None else _with_one_ruff(ending)


def notrump_plan(ending: Signature) -> list[PlannedTrick] | None:
    """Return tricks in notrump to a legal ending, or None if there are none."""
    return next(_block_plans(ending), None)


def trump_plan(ending: Signature, trump: int) -> list[PlannedTrick] | None:
    """Return tricks without a ruff, or None if rules 1 to 3 give none."""
    for tricks in _block_plans(ending):
        if all(trump not in trick.suits or trick.led == trump for trick in tricks):
            return tricks
    return None


def _block_plans(ending: Signature) -> Iterator[list[PlannedTrick]]:
    """Yield the plans of rules 1 to 3, those with few short suits first."""
    whole = [gone // SEATS for gone in ending.gone]
    missing = ending.tricks - sum(whole)
    rooms = [
        range(min(missing, most - tricks) + 1)
        for most, tricks in zip(ending.most_led, whole, strict=True)
    ]
    choices = [more for more in product(*rooms) if sum(more) == missing]
    for more in sorted(choices, key=lambda each: sum(map(bool, each))):
        steps = _steps(ending, more)
        if steps is not None:
            over = [
                suit
                for suit, gone in enumerate(ending.gone)
                if not more[suit]
                for _ in range(gone % SEATS)
            ]
            yield _tricks(steps, over)


def _steps(ending: Signature, more: tuple[int, ...]) -> list[_Step] | None:
    """Return the suits led and their followers for a choice of short suits; None if the lead fails.

    The lead fails if two consecutive short suits have no common follower and no whole trick is
    left.
    """
    gone, holders = ending
    whole = [
        (suit, _ALL)
        for suit, cards in enumerate(gone)
        if not more[suit]
        for _ in range(cards // SEATS)
    ]
    leads = [cards // SEATS + extra for cards, extra in zip(gone, more, strict=True)]
    short = [suit for suit, extra in enumerate(more) if extra]
    short.sort(key=lambda suit: gone[suit] - leads[suit] * max(1, holders[suit].bit_count()))
    steps: list[_Step] = []
    for index, suit in enumerate(short):
        before = steps[-1][1] if steps else 0
        meeting = before or (holders[short[1]] if len(short) > 1 else 0)
        block = _block(gone[suit], holders[suit], leads[suit], meeting)
        if index and not before & block[0]:
            if not whole:
                return None
            steps.append(whole.pop())
        steps += [(suit, followers) for followers in block]
    return steps + whole


def _block(cards: int, holders: int, leads: int, meeting: int) -> list[int]:
    """Return the followers of each trick of a short suit: all holders, and others while they can.

    The other seats are added in seat order; but seats of `meeting` are first if none of them is a
    holder.
    """
    order = sorted(range(SEATS), key=lambda seat: not meeting >> seat & 1)
    if holders & meeting:
        order = list(range(SEATS))
    times = [leads if holders >> seat & 1 else 0 for seat in range(SEATS)]
    if not holders:
        times[order[0]] = leads
    spare = cards - sum(times)
    for seat in order:
        if not times[seat]:
            times[seat] = min(leads, spare)
            spare -= times[seat]
    return [sum(1 << seat for seat in range(SEATS) if times[seat] > turn) for turn in range(leads)]


def _tricks(steps: list[_Step], over: list[int]) -> list[PlannedTrick]:
    """Return the tricks of steps: a seat that follows to both tricks wins; `over` is discarded."""
    tricks: list[PlannedTrick] = []
    leader = _first(steps[0][1]) if steps else 0
    for index, (led, followers) in enumerate(steps):
        after = steps[index + 1][1] if index + 1 < len(steps) else _ALL
        winner = _first(followers & after)
        suits = tuple(led if followers >> seat & 1 else over.pop() for seat in range(SEATS))
        tricks.append(PlannedTrick(led, leader, suits, winner))
        leader = winner
    return tricks


def _with_one_ruff(ending: Signature) -> tuple[int, list[PlannedTrick]]:
    """Return the plan of rule 4: all tricks in one suit, then all in another, with a ruff between.

    A seat that holds the second suit ruffs the last trick of the first suit. The remaining trumps
    fall on this trick, too, or on the very last trick.
    """
    most, holders = ending.most_led, ending.holders
    first, second = (suit for suit in range(len(most)) if most[suit])
    trump, other = (suit for suit in range(len(most)) if not most[suit])
    trumps = ending.gone[trump]
    leader = _first(holders[first])
    tricks = []
    for trick in range(ending.tricks):
        led = first if trick < most[first] else second
        crosses, is_last = trick == most[first] - 1, trick == ending.tricks - 1
        suits = [led if holders[led] >> seat & 1 else other for seat in range(SEATS)]
        free = [seat for seat in range(SEATS) if not holders[led] >> seat & 1]
        free.sort(key=lambda seat: not holders[second] >> seat & 1)
        ruffs = free[:trumps] if crosses or is_last else []
        for seat in ruffs:
            suits[seat] = trump
        trumps -= len(ruffs)
        winner = ruffs[0] if ruffs else leader
        tricks.append(PlannedTrick(led, leader, tuple(suits), winner))
        leader = winner
    return trump, tricks


def _first(seats: int) -> int:
    """Return the first of some seats, given as bits."""
    return (seats & -seats).bit_length() - 1


# Lines of play: a plan with cards, from the original deal to the ending.


@dataclass(frozen=True, slots=True)
class PlayedTrick:
    """A trick: its leader and its cards in playing order; the last trick may be incomplete."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None
    """The seat that won the trick; None for an incomplete trick."""

    @property
    def by_seat(self) -> dict[Seat, Card]:
        """The card of each seat that has played, in playing order."""
        return {
            Seat((self.leader + turn) % len(Seat)): card for turn, card in enumerate(self.cards)
        }


@dataclass(frozen=True, slots=True)
class LineOfPlay:
    """A play that leads to an ending: the original deal, the denomination, and every trick."""

    deal: Deal
    denomination: Strain
    tricks: tuple[PlayedTrick, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in playing order."""
        return tuple(card for trick in self.tricks for card in trick.cards)


def line_of_plan(
    owners: bytes, trump: int | None, plan: Iterable[PlannedTrick], table: Sequence[Card] = ()
) -> LineOfPlay:
    """Return the line of play of a plan: it assigns the cards gone, the highest of each suit first.

    `owners` are the owners before the cards on the `table` were played, and the plan leads to this
    ending. Within a trick, the winner gets the highest card of the winning suit.
    """
    deal = bytearray(owners)
    gone = [
        iter([card for card in range(start, start + SUIT_SIZE) if owners[card] == UNUSED])
        for start in range(0, len(owners), SUIT_SIZE)
    ]
    tricks = []
    for planned in plan:
        cards = [next(gone[suit]) for suit in planned.suits]
        winning = planned.suits[planned.winner]
        best = min(
            range(len(cards)), key=lambda seat: (planned.suits[seat] != winning, cards[seat])
        )
        cards[best], cards[planned.winner] = cards[planned.winner], cards[best]
        for seat, card in enumerate(cards):
            deal[card] = seat
        order = [(planned.leader + turn) % len(cards) for turn in range(len(cards))]
        played = tuple(Card(cards[seat]) for seat in order)
        tricks.append(PlayedTrick(Seat(planned.leader), played, Seat(planned.winner)))
    if table:
        tricks.append(PlayedTrick(Seat(owners[table[0]]), tuple(table), None))
    strain = Strain.NOTRUMP if trump is None else Strain(trump + 1)
    return LineOfPlay(Deal.unchecked(bytes(deal)), strain, tuple(tricks))


# An exact and complete search for plans with given denomination, first leader and seat on lead.
#
# The search takes tricks back one by one, from the ending to the deal. A position consists of the
# number of cards of each suit to take back, the seats that are void in each suit, and the seat that
# must have won the trick that is taken back next.
#
# Rule 1: A seat that holds the led suit follows. A void seat may follow with the last card that it
#         had, or discard.
# Rule 2: A seat that takes a card back is not void in its suit any more.
# Rule 3: The winner is a seat that played a trump if there is one, otherwise a seat that followed.
#
# The search skips a position that the criterion excludes, and tries each position only once.


_Position = tuple[tuple[int, ...], tuple[int, ...], int | None]
"""By suit, the cards to take back and the holders; and the seat on lead."""


def search(
    ending: Signature,
    trump: int | None,
    first: int | None = None,
    last: int | None = None,
    *,
    seats: int = SEATS,
) -> list[PlannedTrick] | None:
    """Return tricks to an ending, or None if no line of play has this trump suit and these leaders.

    `first` led to the first trick, and `last` is on lead in the ending; None allows any seat.
    """
    if not any(ending.gone):
        return [] if first is None or last is None or first == last else None
    return _Search(trump, first, seats).back((ending.gone, ending.holders, last))


class _Search:
    """One search, with the positions that it has found to be impossible."""

    def __init__(self, trump: int | None, first: int | None, seats: int) -> None:
        self._trump = trump
        self._first = first
        self._seats = seats
        self._dead: set[_Position] = set()

    def back(self, position: _Position) -> list[PlannedTrick] | None:
        """Return the tricks to a position, or None if there are none."""
        gone, holders, on_lead = position
        if not any(gone):
            return [] if self._first is None or self._first == on_lead else None
        if position in self._dead:
            return None
        if self._is_possible(Signature(gone, holders)):
            for trick, before in self._taken_back(position):
                line = self.back(before)
                if line is not None:
                    line.append(trick)
                    return line
        self._dead.add(position)
        return None

    def _is_possible(self, ending: Signature) -> bool:
        """Return False if the criterion excludes an ending in this denomination."""
        if not is_legal(ending, self._seats):
            return False
        return self._trump is not None or self._seats != SEATS or not has_no_crossing(ending)

    def _taken_back(self, position: _Position) -> Iterator[tuple[PlannedTrick, _Position]]:
        """Yield each possible last trick, and the position before it."""
        gone, holders, on_lead = position
        suits_there = [suit for suit, cards in enumerate(gone) if cards]
        for led in suits_there:
            free = [led, *(suit for suit in suits_there if suit != led)]
            choices = [(led,) if holders[led] >> seat & 1 else free for seat in range(self._seats)]
            for suits in product(*choices):
                followers = [seat for seat, suit in enumerate(suits) if suit == led]
                if not followers or any(suits.count(suit) > gone[suit] for suit in suits_there):
                    continue
                winners = [seat for seat, suit in enumerate(suits) if suit == self._trump]
                winners = winners or followers
                if on_lead is not None and on_lead not in winners:
                    continue
                winner = winners[0] if on_lead is None else on_lead
                cards, held = list(gone), list(holders)
                for seat, suit in enumerate(suits):
                    cards[suit] -= 1
                    held[suit] |= 1 << seat
                for leader in followers:
                    trick = PlannedTrick(led, leader, suits, winner)
                    yield trick, (tuple(cards), tuple(held), leader)


# The reasons why an ending is not legal, as texts.


def too_few_leads(ending: Signature) -> str:
    """Return the text: more tricks are over than can have been led.

    >>> print(too_few_leads(Signature((1, 3, 0, 0), (3, 15, 15, 15))).partition(" and")[0])
    1 trick is over, but none can have been led: spades, 1 gone
    """
    most = ending.most_led
    suits = [_suit(suit, ending, tricks) for suit, tricks in enumerate(most) if ending.gone[suit]]
    led = f"at most {sum(most)}" if sum(most) else "none"
    return f"{_tricks_over(ending.tricks)}, but {led} can have been led: {'; '.join(suits)}"


def _suit(suit: int, ending: Signature, most: int) -> str:
    """Return how often one suit can have been led, as text."""
    name, gone, held = _name(suit), ending.gone[suit], ending.holders[suit]
    seats = "everybody" if held.bit_count() == len(Seat) else _and(_seats(held)) or "nobody"
    times = f"led {most} time{'s' * (most > 1)} at most" if most else "never led"
    return f"{name}, {gone} gone and still with {seats}, were {times}"


def no_crossing(ending: Signature, denomination: str = "in notrump") -> str:
    """Return the text: no seat could change from one suit to the other."""
    first, second = (suit for suit, tricks in enumerate(ending.most_led) if tricks)
    groups = [f"{_name(suit)} by {_and(_seats(ending.holders[suit]))}" for suit in (first, second)]
    return (
        f"{denomination} nobody could go over from {_name(first)} to {_name(second)}: all "
        f"{ending.tricks} tricks were led in these two suits, and all cards of them that are gone "
        f"were played to these tricks, {' and '.join(groups)}"
    )


def trump_reason(ending: Signature, trump: int, bar: TrumpBar) -> str:
    """Return the text: this suit cannot have been trumps."""
    name = _name(trump)
    if bar.kind == "crossing":
        return no_crossing(ending, f"with {name} as trumps,") + "; only a ruff could help"
    if bar.kind == "last trick":
        (suit,) = bar.suits
        free = len(Seat) - max(1, ending.holders[suit].bit_count())
        return (
            f"with {name} as trumps, all {ending.tricks} tricks were led in {_name(suit)}, and a "
            f"seat that ruffs cannot lead them again: so the {ending.gone[trump]} trumps that are "
            f"gone were all ruffs on the last trick, and there only {free} "
            f"seat{'s' * (free > 1)} could ruff"
        )
    suits = _and([_name(suit) for suit in bar.suits])
    ruffs = ending.gone[trump] - len(Seat) * ending.most_led[trump]
    return (
        f"with {name} as trumps, {ruffs} trumps at least were ruffs, and all {ending.tricks} "
        f"tricks were led in {suits}: a seat that has ruffed is on lead, and the seats that could "
        "ruff had too few ways to give the lead back"
    )


def revoke(seat: int, card: Card, led: Suit) -> str:
    """Return the text: a card on the table is a revoke.

    >>> revoke(1, Card.parse("H5"), Suit.SPADES)
    'E played H5 to a spade and still holds spades: a revoke'
    """
    return (
        f"{Seat(seat).letter} played {card} to a {led.name.lower()[:-1]} and still holds "
        f"{_name(led)}: a revoke"
    )


def no_line(
    denomination: Strain | None, first_leader: Seat | None, on_lead: Seat | None, *, table: str = ""
) -> str:
    """Return the text: the search found no line of play."""
    where = "in any denomination" if denomination is None else _in(denomination)
    leaders = []
    if first_leader is not None:
        leaders.append(f"{first_leader.letter} led to the first trick")
    if on_lead is not None:
        leaders.append(f"{on_lead.letter} is on lead now")
    when = f" in which {_and(leaders)}" if leaders else ""
    return f"no line of play {where}{when} leads here{table}; all were tried"


def _in(denomination: Strain) -> str:
    """Return the denomination as part of a sentence.

    >>> _in(Strain.NOTRUMP), _in(Strain.CLUBS)
    ('in notrump', 'with clubs as trumps')
    """
    if denomination is Strain.NOTRUMP:
        return "in notrump"
    return f"with {_name(denomination - 1)} as trumps"


def _name(suit: int) -> str:
    return Suit(suit).name.lower()


def _seats(held: int) -> list[str]:
    return [seat.letter for seat in Seat if held >> seat & 1]


def _and(words: Iterable[str]) -> str:
    """Join words with commas and a final "and".

    >>> _and("NES"), _and("N"), _and("")
    ('N, E and S', 'N', '')
    """
    *some, last = [*words] or [""]
    return f"{', '.join(some)} and {last}" if some else last


def _tricks_over(tricks: int) -> str:
    return "1 trick is over" if tricks == 1 else f"{tricks} tricks are over"


# The answer for a layout, which may have an incomplete trick.


@dataclass(frozen=True)
class Legality:
    """Whether legal play can reach a layout; its truth value is `is_legal`.

    `pavcodec.legality` returns this.

    >>> from pavcodec import Layout, legality
    >>> verdict = legality(Layout.from_pbn("N:A... K... Q... J..."))
    >>> bool(verdict), len(verdict.line.tricks), verdict.line.denomination.letters
    (True, 12, 'NT')
    """

    layout: Layout
    is_legal: bool
    denomination: Strain | None = None
    first_leader: Seat | None = None
    on_lead: Seat | None = None
    """The seat that is on lead or has led to the incomplete trick; None if it may be any."""
    table: tuple[Card, ...] | None = None
    """The cards on the table: as given, or some possible cards; None if unknown and not legal."""

    def __bool__(self) -> bool:
        return self.is_legal

    @cached_property
    def line(self) -> LineOfPlay | None:
        """A line of play that leads to the layout, or None if there is none."""
        if not self.is_legal:
            return None
        before = _before(self.layout.owners, self.table or ())
        planned = _plan(signature(before), self.denomination, self.first_leader, self.on_lead)
        assert planned is not None
        return line_of_plan(before, *planned, self.table or ())

    @cached_property
    def denominations(self) -> tuple[Strain, ...]:
        """All denominations with a line of play to the layout, with the same leaders and table.

        >>> from pavcodec import Layout, legality
        >>> text = "N:Q94.KQ9542.82. 86532..A53.653 ..KQ9.AKQJT942 AKT7.JT863.J7."
        >>> [strain.letters for strain in legality(Layout.from_pbn(text)).denominations]
        ['S', 'D']
        """
        if not self.is_legal:
            return ()
        if self.denomination is not None:
            return (self.denomination,)
        verdicts = (
            legality(
                self.layout,
                denomination=strain,
                first_leader=self.first_leader,
                on_lead=self.on_lead,
                table=self.table or None,
            )
            for strain in Strain
        )
        return tuple(strain for strain, verdict in zip(Strain, verdicts, strict=True) if verdict)

    @cached_property
    def reason(self) -> str:
        """The reason why there is no line of play, as a text; empty if there is one."""
        if self.is_legal:
            return ""
        if self.table is None:
            return self._searched(", whatever the cards on the table")
        owners = self.layout.owners
        revoke = _revoke(owners, self.table, self.on_lead) if self.table else None
        return revoke or self._of_the_rules(signature(_before(owners, self.table)))

    def _of_the_rules(self, ending: Signature) -> str:
        """Return the reason from the criterion, or that of the search if the criterion has none."""
        if not is_legal(ending):
            return too_few_leads(ending)
        strain = self.denomination
        if strain is Strain.NOTRUMP and has_no_crossing(ending):
            return no_crossing(ending)
        bar = trump_bar(ending, strain - 1) if strain else None
        if strain and bar:
            return trump_reason(ending, strain - 1, bar)
        return self._searched()

    def _searched(self, table: str = "") -> str:
        return no_line(self.denomination, self.first_leader, self.on_lead, table=table)


def legality(
    layout: Layout,
    *,
    denomination: Strain | int | str | None = None,
    first_leader: Seat | int | str | None = None,
    on_lead: Seat | int | str | None = None,
    table: Iterable[Card | str] | None = None,
) -> Legality:
    """Return whether legal play from some deal can reach a layout, with the reason or a line.

    `denomination`, `first_leader` (the seat that led to the first trick) and `on_lead` (the seat
    that is on lead now) restrict the play; without them, any is allowed. All hands must have
    equally many cards. In the middle of a trick, the seats that have played have one card less, and
    `table` is the list of the cards that they played, in this order; without it, any cards are
    allowed. Raises `LayoutError` for other hand sizes or impossible cards on the table.

    >>> from pavcodec import Layout, legality
    >>> ending = Layout.from_pbn("N:AK.A.A.A QJ.K.K.K T9.Q.Q.Q 87.J.J.J")
    >>> bool(legality(ending)), legality(ending).reason.partition(":")[0]
    (False, '8 tricks are over, but at most 7 can have been led')
    """
    check_layout(layout)
    strain = None if denomination is None else Strain.of(denomination)
    cards = None if table is None else _cards(table)
    first = None if first_leader is None else Seat.of(first_leader)
    lead = None if on_lead is None else Seat.of(on_lead)
    owners = layout.owners
    count = owners.count
    if count(0) == count(1) == count(2) == count(3):
        if cards:
            raise LayoutError("no card is on the table if all hands have equally many cards")
        legal = _is_reached(signature(owners), strain, first, lead)
        return Legality(layout, legal, strain, first, lead, ())
    return _in_the_middle(layout, strain, first, lead, cards)


def _in_the_middle(
    layout: Layout,
    strain: Strain | None,
    first: Seat | None,
    lead: Seat | None,
    table: tuple[Card, ...] | None,
) -> Legality:
    """Return the legality of a layout with an incomplete trick."""
    leader = _leader(layout)
    if lead not in (None, leader):
        raise LayoutError(f"{leader.letter} has led to this trick, not {lead.letter}")
    played = layout.sizes.count(min(layout.sizes))
    tables = _tables(layout, played) if table is None else _checked(layout, table, played)

    def is_reached(cards: tuple[Card, ...]) -> bool:
        if _revoke(layout.owners, cards, leader) is not None:
            return False
        return _is_reached(signature(_before(layout.owners, cards)), strain, first, leader)

    possible = next(filter(is_reached, tables), None)
    return Legality(layout, possible is not None, strain, first, leader, possible or table)


def _is_reached(
    ending: Signature, strain: Strain | None, first: Seat | None, lead: Seat | None
) -> bool:
    """Return whether a line of play exists; the search runs only if a leader is given."""
    if first is None and lead is None:
        if strain is None or not is_legal(ending):
            return is_legal(ending)
        return not (has_no_crossing(ending) if not strain else trump_bar(ending, strain - 1))
    return _plan(ending, strain, first, lead) is not None


def _plan(
    ending: Signature, strain: Strain | None, first: Seat | None, lead: Seat | None
) -> tuple[int | None, list[PlannedTrick]] | None:
    """Return the first trump suit (None: notrump) with tricks to an ending, and them; or None."""
    if not is_legal(ending):
        return None
    if strain is None and first is None and lead is None:
        return plan(ending)
    for each in Strain if strain is None else (strain,):
        trump = each - 1 if each else None
        tricks = _plan_in(ending, trump, first, lead)
        if tricks is not None:
            return trump, tricks
    return None


def _plan_in(
    ending: Signature, trump: int | None, first: Seat | None, lead: Seat | None
) -> list[PlannedTrick] | None:
    """Return the tricks to an ending in one denomination, or None if there are none."""
    if has_no_crossing(ending) if trump is None else trump_bar(ending, trump):
        return None
    quick = notrump_plan(ending) if trump is None else trump_plan(ending, trump)
    if quick is not None and ending.tricks:
        is_first = first in (None, quick[0].leader)
        if is_first and lead in (None, quick[-1].winner):
            return quick
    return search(ending, trump, first, lead)


def _leader(layout: Layout) -> Seat:
    """Return the leader of the incomplete trick; raise `LayoutError` for other hand sizes."""
    sizes = layout.sizes
    fewest = min(sizes)
    for leader in Seat:
        turned = [size - fewest for size in (*sizes[leader:], *sizes[:leader])]
        if turned == sorted(turned) and turned[0] == 0 and turned[-1] == 1:
            return leader
    raise LayoutError(
        "an ending has equally many cards in every hand, or one less in the hands that have played "
        f"to a trick; {describe_sizes(layout)}"
    )


def _cards(table: Iterable[Card | str]) -> tuple[Card, ...]:
    if isinstance(table, str) or not isinstance(table, Iterable):
        raise TypeError(f"cards on the table are a list such as ['SA', 'HK'], not {shown(table)}")
    return tuple(map(Card, table))


def _checked(layout: Layout, cards: tuple[Card, ...], played: int) -> Iterator[tuple[Card, ...]]:
    """Yield the cards on the table if they are possible; otherwise, raise `LayoutError`."""
    if len(cards) != played or len(set(cards)) != played:
        raise LayoutError(f"by the sizes of the hands, {played} different cards are on the table")
    for card in cards:
        owner = layout.owners[card]
        if owner != UNUSED:
            raise LayoutError(f"{card} is not on the table: {Seat(owner).letter} holds it")
    yield cards


def _tables(layout: Layout, played: int) -> Iterator[tuple[Card, ...]]:
    """Yield possible cards on the table, one choice for each combination of suits."""
    gone = [
        [card for card in range(start, start + SUIT_SIZE) if layout.owners[card] == UNUSED]
        for start in range(0, len(layout.owners), SUIT_SIZE)
    ]
    for suits in product(range(len(gone)), repeat=played):
        if all(suits.count(suit) <= len(gone[suit]) for suit in suits):
            lowest = [iter(cards[::-1]) for cards in gone]
            yield tuple(Card(next(lowest[suit])) for suit in suits)


def _before(owners: bytes, table: Sequence[Card]) -> bytes:
    """Return the owners before the incomplete trick, with its cards back in the hands."""
    if not table:
        return owners
    leader = _leader(Layout.unchecked(owners))
    before = bytearray(owners)
    for turn, card in enumerate(table):
        before[card] = (leader + turn) % len(Seat)
    return bytes(before)


def _revoke(owners: bytes, table: Sequence[Card], leader: Seat | None) -> str | None:
    """Return the text of a revoke on the table, or None if there is no revoke."""
    assert leader is not None
    led = Suit(table[0] // SUIT_SIZE)
    for turn, card in enumerate(table):
        seat = (leader + turn) % len(Seat)
        if card // SUIT_SIZE != led and seat in owners[led * SUIT_SIZE :][:SUIT_SIZE]:
            return revoke(seat, card, led)
    return None


# The number of legal endings of the 52-card deck, stored so that no program counts them again.


LEGAL_ENDINGS = {
    13: 53644737765488792839237440000,
    12: 2327061423861866901023366072040,
    11: 22093788362373869218156446621696,
    10: 59075008703891163949944355977600,
    9: 39905089842934080935547707478720,
    8: 4664325195705228467891897235816,
    7: 111581795667735459251595970560,
    6: 748787786442602772523257600,
    5: 1422587954627976897858240,
    4: 653447424897294885000,
    3: 76277828779152000,
    2: 1896396138000,
    1: 6497400,
}
"""The count for each number of cards in a hand. The tests recompute it."""
