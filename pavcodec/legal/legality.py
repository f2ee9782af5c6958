"""Legality: whether legal play can reach a layout, the reason if not, and a line of play if so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from pavcodec.cards import SUIT_SIZE, UNUSED, Card, Seat, Strain, Suit
from pavcodec.errors import LayoutError, shown
from pavcodec.layout import Layout
from pavcodec.layout.layout import check_layout, describe_sizes
from pavcodec.legal import reasons
from pavcodec.legal.criterion import Signature, has_no_crossing, is_legal, signature, trump_bar
from pavcodec.legal.line import LineOfPlay, line_of_plan
from pavcodec.legal.plans import PlannedTrick, notrump_plan, plan, trump_plan
from pavcodec.legal.search import search

__all__ = ["Legality", "legality"]

_Found = tuple[int | None, list[PlannedTrick]]
"""A trump suit, or None for notrump; and the tricks from the deal to an ending."""


@dataclass(frozen=True)
class Legality:
    """Whether legal play can reach a layout; its truth value is `is_legal`.

    `pavcodec.legality` returns this.

    >>> from pavcodec import Layout, legality
    >>> found = legality(Layout.from_pbn("N:A... K... Q... J..."))
    >>> bool(found), len(found.line.tricks), found.line.denomination.letters
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
        found = _plan(signature(before), self.denomination, self.first_leader, self.on_lead)
        assert found is not None
        return line_of_plan(before, *found, self.table or ())

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
        strains = (
            legality(
                self.layout,
                denomination=strain,
                first_leader=self.first_leader,
                on_lead=self.on_lead,
                table=self.table or None,
            )
            for strain in Strain
        )
        return tuple(strain for strain, found in zip(Strain, strains, strict=True) if found)

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
            return reasons.too_few_leads(ending)
        strain = self.denomination
        if strain is Strain.NOTRUMP and has_no_crossing(ending):
            return reasons.no_crossing(ending)
        bar = trump_bar(ending, strain - 1) if strain else None
        if strain and bar:
            return reasons.trump_reason(ending, strain - 1, bar)
        return self._searched()

    def _searched(self, table: str = "") -> str:
        return reasons.no_line(self.denomination, self.first_leader, self.on_lead, table=table)


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
    table = None if table is None else _cards(table)
    first = None if first_leader is None else Seat.of(first_leader)
    lead = None if on_lead is None else Seat.of(on_lead)
    owners = layout.owners
    count = owners.count
    if count(0) == count(1) == count(2) == count(3):
        if table:
            raise LayoutError("no card is on the table if all hands have equally many cards")
        ending = signature(owners)
        legal = _is_reached(ending, strain, first, lead)
        return Legality(layout, legal, strain, first, lead, ())
    return _in_the_middle(layout, strain, first, lead, None if table is None else _cards(table))


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

    found = next(filter(is_reached, tables), None)
    return Legality(layout, found is not None, strain, first, leader, found or table)


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
) -> _Found | None:
    """Return the tricks to an ending in the first denomination that allows it, or None."""
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
            return reasons.revoke(seat, card, led)
    return None
