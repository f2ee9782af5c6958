"""What each card is worth, double dummy, the best cards, and a best play of both sides.

Endings of at most four cards are looked up: an open trick is played out, and the rest is in the
table of small endings. Larger hands are solved by DDS, which is wrong for hands of one card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pavcodec import kernel
from pavcodec.arrays import Threads, checked, share
from pavcodec.boards.play import winner
from pavcodec.cards import DECK_SIZE, SUIT_SIZE, UNUSED, Card, Seat, Strain
from pavcodec.errors import LayoutError
from pavcodec.layout.columns import hand_sizes
from pavcodec.layout.layout import Layout
from pavcodec.legal import PlayedTrick
from pavcodec.solving.endings import MOST_SIZE, tables_of_package
from pavcodec.solving.many import NO_PLAY, Dds, check_solvable, codes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from pavcodec.arrays import Owners


def tricks_of_cards(
    owners: Owners,
    strain: Strain | int | str | NDArray[np.uint8],
    on_lead: Seat | int | str | NDArray[np.uint8],
    table: NDArray[np.uint8] | None = None,
    *,
    threads: Threads = None,
) -> NDArray[np.uint8]:
    """Return the tricks of the side whose turn it is, by each card it can play: `uint8[n, 52]`.

    `owners` are `uint8[n, 52]`; `strain` and `on_lead` are values for all rows, or arrays
    `uint8[n]`: 0 to 4 for NT S H D C, 0 to 3 for N E S W. The seat leads, or has led: then `table`
    has the cards of the open trick in the order of play, `uint8[n, 1]` to `uint8[n, 3]`, and
    `owners` are without them. The open trick counts. Cards that cannot be played have 255.

    Raises `LayoutError` unless all hands have equally many cards before the trick, or for a card on
    the table that a seat holds, `NumberError` for another number of a strain or seat, and
    `PavError` for more than four cards in each hand without the package endplay.

    >>> from pavcodec import Card, Layout
    >>> held = np.frombuffer(Layout.from_pbn("N:AQ... K2... 43... 65...").owners, np.uint8)
    >>> tricks = tricks_of_cards(held[None], "NT", "N")[0]
    >>> {str(Card(card)): int(tricks[card]) for card in np.flatnonzero(tricks < 255)}
    {'SA': 1, 'SQ': 1}
    """
    before = checked("owners", owners, np.uint8, DECK_SIZE).copy()
    turns = np.full((len(before), 1 + len(Seat)), DECK_SIZE, np.uint8)
    turns[:, 0] = codes("strain", Strain, strain, len(before))
    turns[:, 1] = codes("on_lead", Seat, on_lead, len(before))
    if table is not None:
        cards = checked("table", table, np.uint8, min(np.shape(table)[-1], len(Seat) - 1))
        turns[:, 2 : 2 + cards.shape[1]] = cards
        rows = np.arange(len(before))
        for place, played in enumerate(cards.T):
            held = before[rows, np.minimum(played, DECK_SIZE - 1)] != UNUSED
            if (bad := held | (played >= DECK_SIZE)).any():
                row = int(bad.argmax())
                raise LayoutError(f"row {row}: no card of nobody is on the table: {cards[row]}")
            before[rows, played] = (turns[:, 1] + place) % len(Seat)
    check_solvable(before)
    tricks = np.empty(before.shape, np.uint8)
    is_small = hand_sizes(before)[:, 0] <= MOST_SIZE
    if is_small.any():
        tricks[is_small] = _looked_up(before[is_small], turns[is_small], threads)
    if not is_small.all():
        tricks[~is_small] = Dds().plays(before[~is_small], turns[~is_small])
    return tricks


def _looked_up(owners: Owners, turns: NDArray[np.uint8], threads: Threads) -> NDArray[np.uint8]:
    """Return the tricks by each card of small endings; see `Dds.plays`."""
    tricks, tables = np.empty(owners.shape, np.uint8), tables_of_package()

    def work(part: slice) -> None:
        rows = owners[part], turns[part], tricks[part]
        kernel.endings_plays(*tables.arguments, len(rows[0]), *rows)

    share(work, len(owners), threads)
    return tricks


def best_cards(
    layout: Layout,
    strain: Strain | int | str,
    on_lead: Seat | int | str,
    table: Iterable[Card | str] = (),
) -> tuple[int, tuple[Card, ...]]:
    """Return the tricks of the side whose turn it is, and all cards that give it so many.

    `on_lead` leads, or has led to the cards on the table, which the layout is without; the open
    trick counts. Raises `LayoutError` unless all hands have equally many cards before the trick,
    and `PavError` for more than four without the package endplay.

    >>> from pavcodec import Layout
    >>> most, cards = best_cards(Layout.from_pbn("N:AK.Q.. J9.K.. .A.K4. .J.Q3."), "NT", "S")
    >>> most, [str(card) for card in cards]
    (2, ['HA', 'DK', 'D4'])
    """
    owners = np.frombuffer(layout.owners, np.uint8)[None]
    played = np.array([[*map(Card, table)]], np.uint8)
    [tricks] = tricks_of_cards(owners, strain, on_lead, played, threads=1)
    return best_of(tricks)


def best_of(tricks: NDArray[np.uint8]) -> tuple[int, tuple[Card, ...]]:
    """Return the most tricks of a row of `tricks_of_cards`, and all cards that give so many."""
    most = int(tricks[tricks != NO_PLAY].max())
    return most, tuple(map(Card, np.flatnonzero(tricks == most).tolist()))


def best_play(
    layout: Layout,
    strain: Strain | int | str,
    on_lead: Seat | int | str,
    table: Iterable[Card | str] = (),
) -> tuple[PlayedTrick, ...]:
    """Return the tricks of a best play of both sides: each plays the lowest of its best cards.

    The arguments and errors are those of `best_cards`. The first trick has the cards on the table.

    >>> from pavcodec import Layout
    >>> ending = Layout.from_pbn("N:AQ... K2... 43... 65...")
    >>> [" ".join(map(str, trick.cards)) for trick in best_play(ending, "NT", "E")]
    ['S2 S3 S5 SQ', 'SA SK S4 S6']
    """
    trump, leader = Strain.of(strain), Seat.of(on_lead)
    owners, played, tricks = bytearray(layout.owners), [*map(Card, table)], []
    while played or owners.count(UNUSED) < DECK_SIZE:
        while len(played) < len(Seat):
            _, best = best_cards(Layout.unchecked(bytes(owners)), trump, leader, played)
            played.append(max(best, key=lambda card: card % SUIT_SIZE))
            owners[played[-1]] = UNUSED
        won = Seat((leader + winner([*map(str, played)], trump.letters[0])) % len(Seat))
        tricks.append(PlayedTrick(leader, tuple(played), won))
        leader, played = won, []
    return tuple(tricks)
