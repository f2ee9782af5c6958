"""Symmetry: which layouts differ only in the names of suits and seats; for decks of any size.

A symmetry is a group of permutations of suits and seats. One word of each class is canonical; the
classes are counted by Burnside's lemma; and a walk over the canonical words gives each class a
number.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import compress, permutations, product
from math import comb
from operator import sub
from typing import TypeAlias

from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, SUIT_LETTERS, SUIT_SIZE, Seat, Suit
from pavcodec.errors import PavError, UnknownNameError, shown, suggest
from pavcodec.walk import FixedSizes, NotAMemberError


@dataclass(frozen=True, init=False)
class Permutation:
    """New names for suits and seats: suit i becomes `suits[i]`, and seat j becomes `seats[j]`.

    Letters are accepted, too. Raises `PavError` if two suits or two seats get the same name.

    >>> turn = Permutation((1, 0, 2, 3), (1, 2, 3, 0))
    >>> str(turn), turn.is_turn
    ('SHDC become HSDC, NESW become ESWN', True)
    >>> turn.then(turn.inverse)
    Permutation(suits=(0, 1, 2, 3), seats=(0, 1, 2, 3))
    >>> Permutation("HSDC", "ESWN") == turn
    True
    """

    suits: tuple[int, ...]
    seats: tuple[int, ...]

    def __init__(
        self, suits: Iterable[Suit | int | str], seats: Iterable[Seat | int | str]
    ) -> None:
        object.__setattr__(self, "suits", _numbers(suits, Suit))
        object.__setattr__(self, "seats", _numbers(seats, Seat))

    @cached_property
    def inverse(self) -> Permutation:
        """The inverse permutation."""
        return Permutation(inverse(self.suits), inverse(self.seats))

    def then(self, after: Permutation) -> Permutation:
        """Return the permutation that applies this one first and then `after`."""
        check_permutation(after)
        suits = tuple(after.suits[suit] for suit in self.suits)
        return Permutation(suits, tuple(after.seats[seat] for seat in self.seats))

    @property
    def is_turn(self) -> bool:
        """Whether the seats keep their order around the table."""
        first, count = self.seats[0], len(self.seats)
        return all(new == (old + first) % count for old, new in enumerate(self.seats))

    def word(self, word: bytes) -> bytes:
        """Return the owners of all cards, suit by suit, under their new names.

        >>> Permutation((1, 0), (1, 0)).word(bytes([0, 0, 1, 4])).hex()
        '00040101'
        """
        ranks = len(word) // len(self.suits)
        owners = word.translate(_renaming(self.seats))
        return b"".join(owners[ranks * old : ranks * (old + 1)] for old in self.inverse.suits)

    def tricks(self, tricks: bytes) -> bytes:
        """Return double-dummy tricks, by strain (notrump first) and declarer, under the new names.

        Raises `ValueError` if the seats do not keep their order around the table.
        """
        if not self.is_turn:
            raise ValueError("the seats do not keep their order")
        strains, seats = (0, *(suit + 1 for suit in self.inverse.suits)), self.inverse.seats
        return bytes(tricks[strain * len(seats) + seat] for strain in strains for seat in seats)

    def __str__(self) -> str:
        suits = "".join(SUIT_LETTERS[suit] for suit in self.suits)
        seats = "".join(SEAT_LETTERS[seat] for seat in self.seats)
        return (
            f"{SUIT_LETTERS[: len(suits)]} become {suits}, "
            f"{SEAT_LETTERS[: len(seats)]} become {seats}"
        )


def check_permutation(value: object) -> None:
    """Raise `TypeError` if a value is no permutation."""
    if not isinstance(value, Permutation):
        raise TypeError(f"a Permutation is expected, not {type(value).__name__!r}")


def _numbers(names: object, kind: type[Suit | Seat]) -> tuple[int, ...]:
    """Return new names as numbers; raise `PavError` unless each number occurs once."""
    if not isinstance(names, Iterable):
        word = kind.__name__.lower()
        raise TypeError(f"new {word}s are a tuple of numbers or letters, not {shown(names)}")
    numbers = tuple(name if type(name) is int else int(kind.of(name)) for name in names)
    if sorted(numbers) != list(range(len(numbers))):
        raise PavError(f"a permutation has each of 0 to {len(numbers) - 1}, not {names!r}")
    return numbers


def inverse(names: tuple[int, ...]) -> tuple[int, ...]:
    """Return the inverse of a permutation.

    >>> inverse((2, 0, 1))
    (1, 2, 0)
    """
    return tuple(sorted(range(len(names)), key=names.__getitem__))


SEATINGS = ("turns", "half-turn", "seats")
"""The symmetries of seats. Each contains the identity, as its first permutation."""

SYMMETRIES = ("suits", *SEATINGS)
"""The parts of the name of a symmetry: `suits`, and at most one of the other names."""


def seatings(name: str, count: int) -> tuple[tuple[int, ...], ...]:
    """Return the permutations of seats of a symmetry, or only the identity for an empty name.

    >>> seatings("half-turn", 4)
    ((0, 1, 2, 3), (2, 3, 0, 1))
    """
    seats = range(count)
    if name == "seats":
        return tuple(permutations(seats))
    step = {"": count, "turns": 1, "half-turn": count // 2}[name]
    return tuple(tuple((seat + by) % count for seat in seats) for by in range(0, count, step))


@dataclass(frozen=True)
class Symmetry:
    """A group of permutations: of seats, and with `any_suits` also all permutations of suits.

    >>> symmetry = symmetry_of("suits,turns")
    >>> symmetry.name, symmetry.order
    ('suits,turns', 96)
    """

    name: str
    any_suits: bool
    seatings: tuple[tuple[int, ...], ...]
    """The permutations of seats, the identity first."""
    suits: int = len(SUIT_LETTERS)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return type(self), (self.name, self.any_suits, self.seatings, self.suits)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.seatings[0])

    @property
    def order(self) -> int:
        """The number of permutations."""
        return len(self.permutations)

    @cached_property
    def permutations(self) -> tuple[Permutation, ...]:
        """All permutations, the identity first."""
        suits = tuple(range(self.suits))
        orders = permutations(suits) if self.any_suits else [suits]
        return tuple(Permutation(order, seats) for order in orders for seats in self.seatings)


def symmetry_of(text: str) -> Symmetry:
    """Return the symmetry of comma-separated names; raise `UnknownNameError` for other names.

    >>> [permutation.seats for permutation in symmetry_of("half-turn").permutations]
    [(0, 1, 2, 3), (2, 3, 0, 1)]
    """
    if not isinstance(text, str):
        raise TypeError(f"the name of a symmetry is a str, not {type(text).__name__!r}")
    return _symmetry_of(text)


@cache
def _symmetry_of(text: str) -> Symmetry:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in SYMMETRIES:
            raise suggest("symmetry", name, list(SYMMETRIES))
    of_seats = [name for name in SEATINGS if name in names]
    if len(of_seats) > 1:
        raise UnknownNameError(f"a symmetry has one of {', '.join(SEATINGS)}, not {text!r}")
    chosen = [name for name in SYMMETRIES if name in names]
    seat_orders = seatings("".join(of_seats), len(SEAT_LETTERS))
    return Symmetry(",".join(chosen), "suits" in names, seat_orders)


# The canonical word of a class: one chosen word that represents all words of the class.
#
# Rule 1: Two words are in the same class if a permutation of the symmetry maps one to the other.
# Rule 2: Words are compared rank by rank: the owners of the aces, suit by suit, then of the kings,
#         and so on, as in the numbering `deal-ranked`. The least word of a class is canonical.
#
# Under rule 2, the best order of the suits is the one in which their own words, ace first, never
# decrease. So the suits are sorted, and only the permutations of seats are tried one by one.


def by_ranks(word: bytes, suits: int) -> bytes:
    """Return the rank-by-rank form of a word that is in suit-by-suit form.

    >>> by_ranks(b"AKQakq", 2)
    b'AaKkQq'
    """
    ranks = len(word) // suits
    return b"".join(word[rank::ranks] for rank in range(ranks))


def by_suits(word: bytes, suits: int) -> bytes:
    """Return the suit-by-suit form of a word that is in rank-by-rank form.

    >>> by_suits(b"AaKkQq", 2)
    b'AKQakq'
    """
    return b"".join(word[suit::suits] for suit in range(suits))


def canonical_word(word: bytes, symmetry: Symmetry) -> tuple[bytes, Permutation]:
    """Return the canonical word of a word's class, and the first permutation that maps to it.

    >>> word, permutation = canonical_word(bytes([1, 2, 3, 0] * 13), symmetry_of("turns"))
    >>> word == bytes([0, 1, 2, 3] * 13), str(permutation)
    (True, 'SHDC become SHDC, NESW become WNES')
    """
    count = symmetry.suits
    ranks = len(word) // count
    identity = tuple(range(count))
    best, chosen = b"", (identity, symmetry.seatings[0])
    for seats in symmetry.seatings:
        owners = word.translate(_renaming(seats))
        parts = [owners[ranks * suit : ranks * (suit + 1)] for suit in identity]
        order = tuple(sorted(identity, key=parts.__getitem__)) if symmetry.any_suits else identity
        image = by_ranks(b"".join(parts[suit] for suit in order), count)
        if not best or image < best:
            best, chosen = image, (order, seats)
    order, seats = chosen
    return by_suits(best, count), Permutation(inverse(order), seats)


@cache
def _renaming(seats: tuple[int, ...]) -> bytes:
    """Return the table that gives seats their new names; all other owners stay."""
    return bytes(seats) + bytes(range(len(seats), 256))


# Exact counts of classes, by Burnside's lemma.
#
# Rule 1: The number of classes is the average, over all permutations of the symmetry, of the number
# of words that the permutation leaves unchanged. Rule 2: A permutation leaves a word unchanged if
# each suit equals the previous suit of its cycle with the seats renamed. So the first suit of a
# cycle determines the other suits. After n suits, n being the length of the cycle, each owner must
# be the first owner again. If this owner belongs to a circle of d exchanged seats, then d divides
# n, there are d choices for the first owner, and each seat of the circle gets n/d of the n cards.
# Rule 3: So the count needs only, for each circle of d seats and each length n, how many cycles of
# n cards the circle gets.


Circle: TypeAlias = tuple[int, ...]


@cache
def cycles(names: tuple[int, ...]) -> tuple[Circle, ...]:
    """Return the cycles of a permutation, each of which starts at its least element.

    >>> cycles((1, 0, 2))
    ((0, 1), (2,))
    """
    left, circles = set(range(len(names))), []
    while left:
        circle, element = [], min(left)
        while element in left:
            left.remove(element)
            circle.append(element)
            element = names[element]
        circles.append(tuple(circle))
    return tuple(circles)


@cache
def _circles(permutation: Permutation) -> tuple[tuple[tuple[int, int], ...], tuple[Circle, ...]]:
    """Return the number of suit cycles by length, and the cycles of seats."""
    lengths = Counter(map(len, cycles(permutation.suits)))
    return tuple(sorted(lengths.items())), cycles(permutation.seats)


def unchanged(permutation: Permutation, ranks: int, rooms: tuple[int, ...]) -> int:
    """Return how many words a permutation leaves unchanged; `rooms` are the cards of each seat."""
    lengths, circles = _circles(permutation)
    if any(rooms[seat] != rooms[circle[0]] for circle in circles for seat in circle):
        return 0
    sizes = sorted((len(circle), rooms[circle[0]]) for circle in circles)
    return _ways(tuple(sizes), tuple((length, count * ranks) for length, count in lengths))


@cache
def _ways(circles: tuple[tuple[int, int], ...], choices: tuple[tuple[int, int], ...]) -> int:
    """Return the ways to distribute cycles of cards of each length to circles of equal seats.

    `circles` has (number of seats, cards of each seat), and `choices` has (length, count).
    """
    if not circles:
        return int(not any(count for _, count in choices))
    (size, room), rest = circles[0], circles[1:]
    total = 0
    for taken in _shares(room * size, size, choices):
        ways = size ** sum(taken)
        for number, (_, count) in zip(taken, choices, strict=True):
            ways *= comb(count, number)
        left = tuple(
            (length, count - number) for number, (length, count) in zip(taken, choices, strict=True)
        )
        total += ways * _ways(rest, left)
    return total


def _shares(
    cards: int, size: int, choices: tuple[tuple[int, int], ...]
) -> Iterator[tuple[int, ...]]:
    """Yield the numbers of cycles, by length, that give `cards` cards to `size` seats."""
    if not choices:
        if not cards:
            yield ()
        return
    (length, count), rest = choices[0], choices[1:]
    most = min(count, cards // length) if length % size == 0 else 0
    for taken in range(most + 1):
        for more in _shares(cards - taken * length, size, rest):
            yield (taken, *more)


@cache
def count_classes(group: tuple[Permutation, ...], ranks: int, rooms: tuple[int, ...]) -> int:
    """Return how many classes of words there are with these numbers of cards for each seat.

    >>> count_classes(symmetry_of("suits").permutations, 1, (1, 1, 1, 1))
    1
    """
    total, left = divmod(sum(unchanged(one, ranks, rooms) for one in group), len(group))
    assert not left
    return total


def class_count(symmetry: Symmetry | str) -> int:
    """Return the exact number of deals up to a symmetry; raise `UnknownNameError` for other names.

    `symmetry` is `suits`, `turns` (rotations of the seats), `half-turn`, or `seats` (all orders of
    the seats); or `suits` and one of the others, separated by a comma.

    >>> class_count("suits"), class_count("suits,turns")
    (2235197513162569580480368800, 558799378290664206767572008)
    """
    group = symmetry if isinstance(symmetry, Symmetry) else symmetry_of(symmetry)
    return count_classes(group.permutations, SUIT_SIZE, (HAND_SIZE,) * group.seats)


# Rank and unrank classes: the partition walk over canonical words, rank by rank.
#
# Rule 1: The number of a class is the number of canonical words before its own, rank by rank. Rule
# 2: Every beginning of a canonical word is canonical. The owners of one rank are a *row*. So a row
# may follow a beginning if no permutation that leaves this beginning unchanged makes the row
# smaller. Rule 3: After a row, only the permutations that also leave the row unchanged remain.
# Burnside's lemma over them counts the classes of the rest; this count is the partition of the row.
# Rule 4: If only one permutation remains, the rest is the plain walk.
#
# The *room* of a hand is the number of cards that it still gets. The remaining permutations and the
# rooms of the hands define a *node*. Visited nodes are stored.


Group = tuple[int, ...]
"""The remaining permutations, by their positions in the symmetry."""


@dataclass(frozen=True, slots=True)
class Node:
    """The canonical rows in order, the ends of their partitions, and the group after each row."""

    rows: tuple[int, ...]
    ends: tuple[int, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class ClassWalk:
    """Rank and unrank the classes of deals: each word has the number of its canonical word.

    Each suit of the deck has `ranks` cards, and all hands have the same size.

    >>> walk = ClassWalk(symmetry_of("suits"), ranks=1)
    >>> walk.cardinality, walk.unrank(0).hex(), walk.rank(bytes([3, 1, 2, 0]))
    (1, '00010203', 0)
    """

    symmetry: Symmetry
    ranks: int
    _nodes: dict[tuple[Group, tuple[int, ...]], Node] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _chosen: dict[Group, list[tuple[int, Group]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __reduce__(self) -> tuple[object, tuple[Symmetry, int]]:
        return type(self), (self.symmetry, self.ranks)

    @cached_property
    def capacities(self) -> tuple[int, ...]:
        """The number of cards of each hand."""
        seats = self.symmetry.seats
        size, left = divmod(self.symmetry.suits * self.ranks, seats)
        if left:
            suits = self.symmetry.suits
            raise ValueError(f"{suits} suits of {self.ranks} do not fill {seats} hands")
        return (size,) * seats

    @cached_property
    def group(self) -> Group:
        """All permutations."""
        return tuple(range(self.symmetry.order))

    @cached_property
    def cardinality(self) -> int:
        """The number of classes."""
        return self._count(self.group, self.capacities)

    @cached_property
    def plain(self) -> FixedSizes:
        """The walk over all words, rank by rank."""
        return FixedSizes(self.capacities)

    @cached_property
    def owners(self) -> tuple[bytes, ...]:
        """The owners of each row by its number; rows have the order of their owners."""
        symmetry = self.symmetry
        return tuple(map(bytes, product(range(symmetry.seats), repeat=symmetry.suits)))

    @cached_property
    def _row_of(self) -> dict[bytes, int]:
        return {row: number for number, row in enumerate(self.owners)}

    @cached_property
    def _images(self) -> tuple[tuple[int, ...], ...]:
        """The image of each row under each permutation."""
        by_permutation = []
        for one in self.symmetry.permutations:
            order, seats = inverse(one.suits), one.seats
            images = (bytes(seats[row[suit]] for suit in order) for row in self.owners)
            by_permutation.append(tuple(map(self._row_of.__getitem__, images)))
        return tuple(by_permutation)

    def _count(self, group: Group, rooms: tuple[int, ...]) -> int:
        if len(group) == 1:
            return FixedSizes(rooms).cardinality
        permutations = [self.symmetry.permutations[index] for index in group]
        if all(one.seats == permutations[0].seats for one in permutations):
            rooms = tuple(sorted(rooms))  # the seats are alike; sorting makes more cache hits
        return count_classes(tuple(permutations), sum(rooms) // self.symmetry.suits, rooms)

    def node(self, group: Group, rooms: tuple[int, ...]) -> Node:
        """Return the node of a group and the rooms of the hands; create it if needed."""
        node = self._nodes.get((group, rooms))
        if node is None:
            node = self._nodes[group, rooms] = self._make(group, rooms)
        return node

    def _make(self, group: Group, rooms: tuple[int, ...]) -> Node:
        rows, ends, groups, total = [], [], [], 0
        for row, left in self._choices(group):
            after = self.after(rooms, row)
            if min(after) >= 0:
                total += self._count(left, after)
                rows.append(row)
                ends.append(total)
                groups.append(left)
        return Node(tuple(rows), tuple(ends), tuple(groups))

    def _choices(self, group: Group) -> list[tuple[int, Group]]:
        """Return the rows that no permutation makes smaller, each with those that fix it."""
        choices = self._chosen.get(group)
        if choices is None:
            images = [self._images[index] for index in group]
            choices = self._chosen[group] = []
            for row, becomes in enumerate(zip(*images, strict=True)):
                if min(becomes) == row:
                    choices.append((row, tuple(compress(group, map(row.__eq__, becomes)))))
        return choices

    @cached_property
    def _taken(self) -> tuple[tuple[int, ...], ...]:
        """For each row, the number of cards of each seat."""
        return tuple(tuple(map(row.count, range(len(self.capacities)))) for row in self.owners)

    def after(self, rooms: tuple[int, ...], row: int) -> tuple[int, ...]:
        """Return the rooms of the hands after a row."""
        return tuple(map(sub, rooms, self._taken[row]))

    def rank(self, word: bytes) -> int:
        """Return the number of a word's class; raise `NotAMemberError` if it is not a deal."""
        count = self.symmetry.suits
        sizes = tuple(map(word.count, range(len(self.capacities))))
        if len(word) != count * self.ranks or sizes != self.capacities:
            raise NotAMemberError
        canonical = by_ranks(canonical_word(word, self.symmetry)[0], count)
        number, group, rooms = 0, self.group, self.capacities
        for begin in range(0, len(word), count):
            if len(group) == 1:
                return number + self.plain.rank(canonical) - self._first(canonical[:begin], rooms)
            node, row = self.node(group, rooms), self._row_of[canonical[begin : begin + count]]
            index = bisect_left(node.rows, row)
            number += node.ends[index - 1] if index else 0
            group, rooms = node.groups[index], self.after(rooms, row)
        return number

    def unrank(self, number: int) -> bytes:
        """Return the canonical word of a number, which must be in 0..cardinality-1."""
        word, group, rooms = b"", self.group, self.capacities
        while any(rooms):
            if len(group) == 1:
                word = self.plain.unrank(number + self._first(word, rooms))
                break
            node = self.node(group, rooms)
            index = bisect_right(node.ends, number)
            number -= node.ends[index - 1] if index else 0
            row = node.rows[index]
            word += self.owners[row]
            group, rooms = node.groups[index], self.after(rooms, row)
        return by_suits(word, self.symmetry.suits)

    def _first(self, begin: bytes, rooms: tuple[int, ...]) -> int:
        """Return the number in the plain walk of the first word with this beginning."""
        rest = b"".join(bytes([seat]) * room for seat, room in enumerate(rooms))
        return self.plain.rank(begin + rest)
