"""Every play of four hands, by suits alone: check the rules of given trumps, count positions.

    python tools/legal_automaton.py check
    python tools/legal_automaton.py count --table 1

Nothing here knows the criterion. What play can reach is found forwards, trick by trick from the
deal. A position is how many cards of each suit are gone, who is on lead, and which seats have shown
that they are void of which suits. Fewer voids allow whatever more voids allow, so only the minimal
sets of voids are kept. Then the positions of the real deck are few enough for arrays: a set of
voids, or of seats that hold suits, is a number of 16 bits, a bit for each seat and suit.

`check` compares the criterion with that for every ending, each denomination and nothing else asked.
`count` counts the layouts of endings, and of positions in the middle of a trick, exactly: numbers
modulo four primes, put together by the Chinese remainder theorem.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import permutations, product
from math import comb, factorial, prod
from operator import add

import numpy as np
from numpy.typing import NDArray

from pavcodec.legal import Signature, has_no_crossing, is_legal, trump_bar

Sets = NDArray[np.int64]
Truth = NDArray[np.bool_]
Gone = tuple[int, ...]

SEATS = SUITS = 4
BITS = SEATS * SUITS
EVERY = np.arange(1 << BITS)
PRIMES = (2147483647, 2147483629, 2147483587, 2147483579)


def bit(suit: int, seat: int) -> int:
    """Return the number of the set of one seat in one suit."""
    return 1 << SEATS * suit + seat


def _union(sets: Iterable[Sets]) -> Sets:
    """Return the sets that have all of some sets."""
    found = np.zeros_like(EVERY)
    for each in sets:
        found = found | each
    return found


def _any(truths: Iterable[Truth]) -> Truth:
    """Return where any of some truths is true."""
    found: Truth = np.logical_or.reduce(list(truths))
    return found


@cache
def renamed_suits(order: tuple[int, ...]) -> Sets:
    """Return what becomes of each set where suit `order[k]` is called k."""
    return _union((EVERY >> SEATS * suit & 15) << SEATS * k for k, suit in enumerate(order))


@cache
def renamed_seats(order: tuple[int, ...]) -> Sets:
    """Return what becomes of each set where seat `order[k]` is called k."""
    return _union(
        (EVERY >> SEATS * suit + seat & 1) << SEATS * suit + k
        for suit in range(SUITS)
        for k, seat in enumerate(order)
    )


@cache
def exchanged(seat: int) -> Sets:
    """Return what becomes of each set where this seat and the first one change places."""
    order = list(range(SEATS))
    order[0], order[seat] = seat, 0
    return renamed_seats(tuple(order))


def sorted_suits(gone: Gone, fixed: int) -> tuple[int, ...]:
    """Return the order of suits by cards gone, the most first; the first `fixed` stay in place."""
    rest = sorted(range(fixed, SUITS), key=lambda suit: -gone[suit])
    return (*range(fixed), *rest)


def halves_of(table: Truth) -> Iterator[tuple[Truth, Truth]]:
    """Yield for each bit of the numbers of rows: the rows without it, and those with it."""
    for place in range(BITS // 2):
        halves = table.reshape(-1, 2, 1 << place, 256)
        yield halves[:, 0], halves[:, 1]


class Automaton:
    """What play can reach in notrump, or with the first suit as trumps; any first leader.

    `reached[gone]` tells of each set of voids whether a line ends with so many cards gone, the
    first seat on lead, and no other voids than these. Other seats on lead follow by renaming. Suits
    that are alike are sorted.
    """

    def __init__(self, ranks: int = 13, tricks: int | None = None, *, has_trumps: bool) -> None:
        self.ranks = ranks
        self.tricks = ranks if tricks is None else tricks
        self.fixed = int(has_trumps)
        self.reached: dict[Gone, Truth] = {}
        first = np.zeros(1 << BITS, np.bool_)
        first[0] = True
        layer = {(0,) * SUITS: first}
        for _ in range(self.tricks + 1):
            minimal = {gone: self._closed(gone, marks) for gone, marks in layer.items()}
            layer = self._after(minimal)

    def _closed(self, gone: Gone, marks: Truth) -> Sets:
        """Keep the closure of some sets of voids upwards; return the minimal ones."""
        for order in permutations(range(SUITS)):
            if order[: self.fixed] == tuple(range(self.fixed)) and all(
                gone[suit] == cards for suit, cards in zip(order, gone, strict=True)
            ):
                marks[renamed_suits(order)[np.flatnonzero(marks)]] = True
        closed, minimal = marks.reshape(256, 256).copy(), marks.reshape(256, 256).copy()
        for table in (closed, closed.T):  # the bits of the rows, then those of the columns
            rows = np.ascontiguousarray(table)
            for without, including in halves_of(rows):
                np.logical_or(including, without, out=including)
            table[:] = rows
        for table, above in ((minimal, closed), (minimal.T, closed.T)):
            rows = np.ascontiguousarray(table)
            both = zip(halves_of(rows), halves_of(np.ascontiguousarray(above)), strict=True)
            for (_, including), (without, _) in both:
                np.greater(including, without, out=including)  # and not
            table[:] = rows
        self.reached[gone] = closed.reshape(-1)
        return np.flatnonzero(minimal)

    def _after(self, layer: dict[Gone, Sets]) -> dict[Gone, Truth]:
        """Play one more trick from all positions."""
        after: dict[Gone, Truth] = defaultdict(lambda: np.zeros(1 << BITS, np.bool_))
        tricks = [self._trick(suits) for suits in product(range(SUITS), repeat=SEATS)]
        for gone, voids in layer.items():
            for counts, played, shown, winners in tricks:
                cards = tuple(map(add, gone, counts))
                if max(cards) > self.ranks:
                    continue
                fit = voids[voids & played == 0]
                if not len(fit):
                    continue
                fit |= shown
                order = sorted_suits(cards, self.fixed)
                marks = after[tuple(cards[suit] for suit in order)]
                for winner in winners:
                    marks[renamed_suits(order)[exchanged(winner)[fit]]] = True
        return after

    def _trick(self, suits: tuple[int, ...]) -> tuple[Gone, int, int, list[int]]:
        """Return of a trick of these suits: their counts, the cards, the voids shown, who may win.

        The first seat leads.
        """
        others = [seat for seat, suit in enumerate(suits) if suit != suits[0]]
        ruffs = [seat for seat in others if self.fixed and not suits[seat]]
        return (
            tuple(suits.count(suit) for suit in range(SUITS)),
            sum(bit(suit, seat) for seat, suit in enumerate(suits)),
            sum(bit(suits[0], seat) for seat in others),
            ruffs or [seat for seat in range(SEATS) if seat not in others],
        )

    def with_first_on_lead(self, gone: Gone) -> Truth:
        """Tell of each set of holders whether play reaches it with the first seat on lead."""
        order = sorted_suits(gone, self.fixed)
        found = self.reached.get(tuple(gone[suit] for suit in order))
        if found is None:
            return np.zeros(1 << BITS, np.bool_)
        return found[renamed_suits(order)[EVERY[::-1]]]

    def with_anybody_on_lead(self, gone: Gone) -> Truth:
        """Tell of each set of holders whether play reaches it."""
        found = self.with_first_on_lead(gone)
        return _any(found[exchanged(seat)] for seat in range(SEATS))


class AnyDenomination:
    """What play can reach in some denomination."""

    def __init__(self, ranks: int = 13, tricks: int | None = None) -> None:
        self.ranks = ranks
        self.automata = [Automaton(ranks, tricks, has_trumps=each) for each in (False, True)]
        self._known: dict[Gone, Truth] = {}

    def with_first_on_lead(self, gone: Gone) -> Truth:
        """Tell of each set of holders whether play reaches it with the first seat on lead."""
        order = sorted_suits(gone, 0)
        key = tuple(gone[suit] for suit in order)
        if key not in self._known:
            plain, trumps = self.automata
            found = plain.with_first_on_lead(key).copy()
            for trump in range(SUITS):
                turned = (trump, *(suit for suit in range(SUITS) if suit != trump))
                cards = tuple(key[suit] for suit in turned)
                found |= trumps.with_first_on_lead(cards)[renamed_suits(turned)]
            self._known[key] = found
        return self._known[key][renamed_suits(order)]

    def endings(self, gone: Gone) -> Truth:
        """Tell of each set of holders whether play reaches it, whoever is on lead."""
        found = self.with_first_on_lead(gone)
        return _any(found[exchanged(seat)] for seat in range(SEATS))

    def in_the_middle(self, gone: Gone, played: int) -> Truth:
        """Tell the same of positions where the first seats have played to a trick.

        The cards on the table are among those that are gone; nobody knows which they are.
        """
        found = np.zeros(1 << BITS, np.bool_)
        for suits in product(range(SUITS), repeat=played):
            before = tuple(cards - suits.count(suit) for suit, cards in enumerate(gone))
            if min(before) < 0:
                continue
            held = EVERY | sum(bit(suit, seat) for seat, suit in enumerate(suits))
            revokes = sum(
                bit(suits[0], seat) for seat, suit in enumerate(suits) if suit != suits[0]
            )
            found |= self.with_first_on_lead(before)[held] & (EVERY & revokes == 0)
        return found


def sorted_gone(ranks: int, total: int, fixed: int = 0) -> Iterator[Gone]:
    """Yield how many cards of each suit may be gone, suits that are alike sorted."""
    for gone in product(range(ranks + 1), repeat=SUITS):
        if sum(gone) == total and sorted_suits(gone, fixed) == tuple(range(SUITS)):
            yield gone


def fits(gone: Gone, held: Sets, sizes: tuple[int, ...], ranks: int = 13) -> Truth:
    """Tell which sets of holders hands of some sizes can be: a card for each, and Hall's rule."""
    at = [(held >> place & 1) for place in range(BITS)]
    spare = [
        sizes[seat] - sum(at[SEATS * suit + seat] for suit in range(SUITS)) for seat in range(SEATS)
    ]
    over = [
        ranks - gone[suit] - sum(at[SEATS * suit : SEATS * suit + SEATS]) for suit in range(SUITS)
    ]
    found = ~_any(np.less(each, 0) for each in [*spare, *over])
    for suits in range(1, 1 << SUITS):
        some = [suit for suit in range(SUITS) if suits >> suit & 1]
        room = sum(
            spare[seat] * _any(at[SEATS * suit + seat] > 0 for suit in some)
            for seat in range(SEATS)
        )
        found &= sum(over[suit] for suit in some) - room <= 0
    return found


def representatives() -> Sets:
    """Return one set of holders of each class, up to the names of the seats."""
    least = EVERY
    for order in permutations(range(SEATS)):
        least = np.minimum(least, renamed_seats(order))
    return np.unique(least)


Rule = Callable[[Signature], bool]


def check(
    pairs: list[tuple[Callable[[Gone], Truth], Rule]], most: int, fixed: int = 0, ranks: int = 13
) -> list[tuple[int, list[Signature]]]:
    """Compare rules with what play reaches; return for each how many classes there are, and faults.

    At most so many tricks are over. Classes are those of endings up to the names of the seats, and
    of suits that are alike.
    """
    classes, few = 0, representatives()
    faults: list[list[Signature]] = [[] for _ in pairs]
    for tricks in range(1, min(ranks, most + 1)):
        for gone in sorted_gone(ranks, SEATS * tricks, fixed):
            held = few[fits(gone, few, (ranks - tricks,) * SEATS, ranks)]
            classes += len(held)
            endings = [
                Signature(gone, tuple(each >> SEATS * suit & 15 for suit in range(SUITS)))
                for each in held.tolist()
            ]
            for (reached, rule), wrong in zip(pairs, faults, strict=True):
                verdicts = zip(endings, reached(gone)[held].tolist(), strict=True)
                wrong += [ending for ending, found in verdicts if rule(ending) != found]
    return [(classes, wrong) for wrong in faults]


def checks(rules: AnyDenomination) -> Iterator[tuple[str, int, list[Signature]]]:
    """Compare the three rules of the criterion; yield what was compared, classes and faults."""
    plain, trumps = rules.automata
    in_any, in_notrump = check(
        [
            (rules.endings, is_legal),
            (
                plain.with_anybody_on_lead,
                lambda ending: is_legal(ending) and not has_no_crossing(ending),
            ),
        ],
        plain.tricks,
    )
    yield "any denomination", *in_any
    yield "notrump", *in_notrump
    (in_trumps,) = check(
        [
            (
                trumps.with_anybody_on_lead,
                lambda ending: is_legal(ending) and trump_bar(ending, 0) is None,
            )
        ],
        trumps.tricks,
        fixed=1,
    )
    yield "a given trump suit", *in_trumps


class Counter:
    """Counts layouts by what the holders of the suits are, modulo a prime."""

    def __init__(self, prime: int, ranks: int = 13) -> None:
        self.prime = prime
        self.ranks = ranks
        self._pairs: dict[tuple[int, int], NDArray[np.uint32]] = {}

    @cache  # noqa: B019 (a counter lives as long as the program)
    def suit(self, held: int) -> tuple[NDArray[np.int64], Sets, NDArray[np.int64]]:
        """Return all lengths of a suit in four hands: the lengths, the holders, the ways."""
        lengths = np.array(
            [each for each in product(range(held + 1), repeat=SEATS) if sum(each) == held]
        )
        ways = [
            comb(self.ranks, held) * factorial(held) // prod(map(factorial, each)) % self.prime
            for each in lengths.tolist()
        ]
        holders = (lengths > 0) @ (1 << np.arange(SEATS))
        return lengths, holders, np.array(ways, np.int64)

    def places(self, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the place of the lengths of three hands; that of the fourth follows."""
        step = self.ranks + 1
        return (lengths[:, 0] * step + lengths[:, 1]) * step + lengths[:, 2]

    def pair(self, first: int, second: int) -> NDArray[np.uint32]:
        """Return the ways of two suits: by the cards of three hands, and the holders of both."""
        if (first, second) not in self._pairs:
            one, other = self.suit(first), self.suit(second)
            table = np.zeros(((self.ranks + 1) ** 3, 256), np.int64)
            for lengths, holders, ways in zip(*one, strict=True):
                both = other[0] + lengths  # all rows differ
                fit = (both <= self.ranks).all(axis=1)
                rows = holders + (other[1][fit] << SEATS)
                table[self.places(both[fit]), rows] += ways * other[2][fit] % self.prime
            self._pairs[first, second] = (table % self.prime).astype(np.uint32)
        return self._pairs[first, second]

    def count(self, gone: Gone, sizes: tuple[int, ...], which: Truth) -> int:
        """Count the layouts with hands of some sizes whose holders are among some sets."""
        held = [self.ranks - cards for cards in gone]
        rooms = np.array(
            [
                each
                for each in product(*(range(size + 1) for size in sizes))
                if sum(each) == held[0] + held[1]
            ]
        )
        if not len(rooms):
            return 0
        low = self.pair(held[0], held[1])[self.places(rooms)].astype(np.int64)
        high = self.pair(held[2], held[3])[self.places(np.array(sizes) - rooms)].astype(np.int64)
        total = 0
        wanted = which.reshape(256, 256)  # by the last two suits, then the first two
        for firsts, lasts in alike(wanted):
            sums = high[:, lasts].sum(axis=1) % self.prime
            sums *= low[:, firsts].sum(axis=1) % self.prime
            total += int((sums % self.prime).sum())
        return total % self.prime


def alike(wanted: Truth) -> Iterator[tuple[Truth, list[int]]]:
    """Yield each row that a table has, if it is true anywhere, and the places of these rows."""
    places: dict[bytes, list[int]] = defaultdict(list)
    for place, row in enumerate(wanted):
        places[row.tobytes()].append(place)
    for some in places.values():
        if wanted[some[0]].any():
            yield wanted[some[0]], some


def joined(remainders: list[int]) -> int:
    """Return the number with these remainders."""
    modulus = prod(PRIMES)
    parts = zip(remainders, PRIMES, strict=True)
    return sum(r * (modulus // p) * pow(modulus // p, -1, p) for r, p in parts) % modulus


def sizes_of(tricks: int, played: int, ranks: int = 13) -> tuple[int, ...]:
    """Return the cards of each hand when the first seats have played to the next trick."""
    each = ranks - tricks
    return (*[each - 1] * played, *[each] * (SEATS - played))


def layouts(tricks: int, played: int, ranks: int = 13) -> int:
    """Return how many layouts there are of so many tricks and cards on the table; any leader."""
    sizes = sizes_of(tricks, played, ranks)
    cards = SUITS * ranks
    ways = factorial(cards) // prod(map(factorial, (*sizes, cards - sum(sizes))))
    return ways * (SEATS if played else 1)


class Positions:
    """Counts the positions that play can reach, in some denomination."""

    def __init__(self, ranks: int = 13, tricks: int | None = None) -> None:
        self.ranks = ranks
        self.rules = AnyDenomination(ranks, tricks)
        self.counters = [Counter(prime, ranks) for prime in PRIMES]

    def count(self, tricks: int, played: int) -> int:
        """Return how many layouts play can reach, whatever the cards on the table; any leader."""
        sizes = sizes_of(tricks, played, self.ranks)
        totals = [0] * len(PRIMES)
        for gone in sorted_gone(self.ranks, SEATS * tricks + played):
            which = self.rules.in_the_middle(gone, played) if played else self.rules.endings(gone)
            times = len(set(permutations(gone))) * (SEATS if played else 1)
            for place, counter in enumerate(self.counters):
                totals[place] += times * counter.count(gone, sizes, which)
        return joined(totals)


def main() -> int:
    """Check, or count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", choices=["check", "count"])
    parser.add_argument(
        "--table",
        type=int,
        nargs="*",
        default=[0, 1, 2, 3],
        help="cards on the table (default: all)",
    )
    parser.add_argument("--tricks", type=int, nargs="*", help="tricks that are over (default: all)")
    args = parser.parse_args()
    if args.work == "check":
        wrong = 0
        for what, classes, faults in checks(AnyDenomination()):
            wrong += len(faults)
            print(f"{what}: {classes:,} classes of endings, {len(faults):,} faults", flush=True)
            print(*faults[:10], sep="\n", end="\n" * bool(faults))
        return bool(wrong)
    positions = Positions()
    for played in args.table:
        for tricks in range(13) if args.tricks is None else args.tricks:
            row = {"tricks": tricks, "table": played, "layouts": str(layouts(tricks, played))}
            row["legal"] = str(positions.count(tricks, played))
            print(json.dumps(row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
