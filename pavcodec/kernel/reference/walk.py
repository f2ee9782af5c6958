"""The partition walk, defined: words of owners in dictionary order and their numbers.

Rule 1: A *word* is one owner for each card. The number of a word is the number of words before it.
Rule 2: At each card, the remaining words split into one partition for each owner, in the order of
        owners. The size of a partition is the number of completions after that choice. The number
        of a word is the sum of the partitions before the chosen owners. In reverse, the number
        selects the owner at each card.
Rule 3: A counter counts the completions. Walks differ only in their counter.

The functions of the kernel need tables of completions; here these are written too, and not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import accumulate, compress, product
from math import prod
from typing import Any, Protocol, TypeAlias

from gmpy2 import bincoef, mpz

from pavcodec.kernel.reference.numbers import WORD, Words, number_at, put_number

State: TypeAlias = tuple[int, ...]


class Counter(Protocol):
    """How many ways there are to place the remaining cards of a deck."""

    @property
    def cards(self) -> int:
        """The number of cards to place."""

    @property
    def owners(self) -> int:
        """The number of owners that may get a card; words use the values 0..owners-1."""

    @property
    def start(self) -> State:
        """The state before the first card."""

    def place(self, state: State, owner: int) -> State | None:
        """Return the state after the next card is given to `owner`, or None if it cannot be."""

    def completions(self, state: State) -> int:
        """Return the number of ways to place all remaining cards."""


def rank_word(counter: Counter, word: bytes) -> int | None:
    """Return the number of a word; None if the counter has no completion for it."""
    number, state = 0, counter.start
    for owner in word:
        for earlier in range(min(owner, counter.owners)):
            skipped = counter.place(state, earlier)
            number += counter.completions(skipped) if skipped else 0
        after = counter.place(state, owner) if owner < counter.owners else None
        if after is None:
            return None
        state = after
    return int(number) if counter.completions(state) else None


def unrank_word(counter: Counter, number: int) -> bytes:
    """Return the word of a number."""
    word, state = bytearray(), counter.start
    while len(word) < counter.cards:
        for owner in range(counter.owners):
            after = counter.place(state, owner)
            ways = counter.completions(after) if after else 0
            if after and number < ways:
                word.append(owner)
                state = after
                break
            number -= ways
        else:
            raise IndexError("no word has this number")
    return bytes(word)


def multinomial(sizes: Iterable[int]) -> mpz:
    """Return the number of ways to divide cards among owners of these sizes."""
    each = tuple(sizes)
    return prod(map(bincoef, accumulate(each), each), start=mpz(1))


@dataclass(frozen=True)
class Sizes:
    """Count the words in which each owner gets an exact number of cards; a state is the rooms."""

    sizes: State

    @property
    def cards(self) -> int:
        """The number of cards to place."""
        return sum(self.sizes)

    @property
    def owners(self) -> int:
        """The number of owners."""
        return len(self.sizes)

    @property
    def start(self) -> State:
        """The rooms before the first card."""
        return self.sizes

    def place(self, state: State, owner: int) -> State | None:
        """Return the rooms after a card."""
        room = state[owner]
        return (*state[:owner], room - 1, *state[owner + 1 :]) if room else None

    def completions(self, state: State) -> int:
        """Return a multinomial coefficient."""
        ways: int = multinomial(state)
        return ways


@dataclass(frozen=True)
class Endings:
    """Count the words in which seats have upper limits, or exact sizes if `is_full`.

    One more owner, the last, has the other cards. A state is (cards left, room of each seat).
    """

    cards: int
    limits: State
    is_full: bool
    _known: dict[State, mpz] = field(default_factory=dict, repr=False, compare=False)

    @property
    def owners(self) -> int:
        """The number of owners."""
        return len(self.limits) + 1

    @property
    def start(self) -> State:
        """The state before the first card."""
        return (self.cards, *self.limits)

    def place(self, state: State, owner: int) -> State | None:
        """Return the state after a card."""
        left, *rooms = state
        if not left:
            return None
        if owner < len(rooms):
            if not rooms[owner]:
                return None
            rooms[owner] -= 1
        return (left - 1, *rooms)

    def completions(self, state: State) -> int:
        """Return the number of completions, which is the same for all orders of the rooms."""
        left, *rooms = state
        if self.is_full:
            unused = left - sum(rooms)
            return multinomial((*rooms, unused)) if unused >= 0 else 0
        key = (left, *sorted(rooms))
        ways = self._known.get(key)
        if ways is None:
            after = (self.place(key, owner) for owner in range(self.owners))
            ways = sum((self.completions(each) for each in after if each), mpz(0)) if left else 1
            self._known[key] = ways
        return ways


def put_numbers(
    rank: Callable[[bytes], int | None], cards: int, n: int, words: Any, numbers: Words
) -> int:
    """Write the numbers of words; return the first row without a number, or -1."""
    for row in range(n):
        number = rank(words.reshape(n, cards)[row].tobytes())
        if number is None:
            return row
        put_number(numbers, row, number)
    return -1


def put_words(
    unrank: Callable[[int], bytes], cards: int, n: int, numbers: Words, words: Any
) -> None:
    """Write the words of numbers."""
    for row in range(n):
        words.reshape(n, cards)[row] = list(unrank(number_at(numbers, row)))


def _put_parts(high: Words, low: Words, entry: int, number: int) -> None:
    """Write an entry of a table modulo 2¹²⁸."""
    high.reshape(-1)[entry] = int(number >> 64 & WORD)
    low.reshape(-1)[entry] = int(number & WORD)


def sizes_table(sizes: Any, owners: int, ways: Words, high: Words, low: Words) -> int:
    """Write where the words of each owner begin in each state, and the ways of each state."""
    counter = Sizes(tuple(sizes.tolist()))
    narrow = counter.cards
    for state, rooms in enumerate(product(*(range(size + 1) for size in counter.sizes))):
        begin = mpz(0)
        for owner in range(owners):
            _put_parts(high, low, state * owners + owner, begin)
            after = counter.place(rooms, owner)
            begin += counter.completions(after) if after else 0
        put_number(ways, state, int(counter.completions(rooms)))
        if begin >> 64:
            narrow = min(narrow, sum(rooms) - 1)
    return counter.cards - narrow


def sizes_rank(
    sizes: Any, owners: int, wide: int, high: Words, low: Words, n: int, words: Any, numbers: Words
) -> int:
    """Write the numbers of words with these sizes; return the first other row, or -1."""
    counter = Sizes(tuple(sizes.tolist()))
    return put_numbers(lambda word: rank_word(counter, word), counter.cards, n, words, numbers)


def sizes_unrank(
    sizes: Any, owners: int, wide: int, high: Words, low: Words, n: int, numbers: Words, words: Any
) -> None:
    """Write the words of numbers."""
    counter = Sizes(tuple(sizes.tolist()))
    put_words(lambda number: unrank_word(counter, number), counter.cards, n, numbers, words)


def endings_table(
    cards: int,
    seats: int,
    most: int,
    is_full: int,
    folded: Any,
    states: Any,
    high: Words,
    low: Words,
) -> int:
    """Write the row of each state, the first state of each row, and its ways by cards left.

    A state is the sum of (room + 1) · (most + 2)^seat; a digit 0 is no room, and has the row 0.
    """
    counter = Endings(cards, (most,) * seats, bool(is_full))
    row_of: dict[State, int] = {}
    states[0] = folded[0] = 0
    for state, digits in enumerate(product(range(most + 2), repeat=seats)):
        rooms = tuple(sorted(digit - 1 for digit in digits))
        if rooms[0] >= 0 and rooms not in row_of:
            row_of[rooms] = len(row_of) + 1
            states[row_of[rooms]] = state
        folded[state] = row_of.get(rooms, 0)
    rows, narrow = len(row_of) + 1, -1
    for left in range(cards + 1):
        ways = [mpz(0), *(counter.completions((left, *rooms)) for rooms in row_of)]
        for row, each in enumerate(ways):
            _put_parts(high, low, left * rows + row, each)
        if narrow == left - 1 and not max(ways) >> 64:
            narrow = left
    return cards - narrow


def _parts(shape: Any, sizes: Any, firsts: Words) -> list[tuple[Endings, int]]:
    """Return the counter of each part of some endings, and its first number."""
    cards, seats, _, is_full, _, parts = shape.tolist()
    limits = [tuple(row) for row in sizes.reshape(parts, seats).tolist()]
    return [
        (Endings(cards, each, bool(is_full)), number_at(firsts, part))
        for part, each in enumerate(limits)
    ]


def endings_rank(
    shape: Any, sizes: Any, firsts: Words, folded: Any, high: Words, low: Words,
    n: int, words: Any, numbers: Words,
) -> int:  # fmt: skip
    """Write the numbers of endings; return the first row that is in no part, or -1."""
    parts = _parts(shape, sizes, firsts)

    def rank(word: bytes) -> int | None:
        for counter, first in parts:
            number = rank_word(counter, word)
            if number is not None:
                return first + number
        return None

    return put_numbers(rank, parts[0][0].cards, n, words, numbers)


def endings_unrank(
    shape: Any, sizes: Any, firsts: Words, folded: Any, high: Words, low: Words,
    n: int, numbers: Words, words: Any,
) -> None:  # fmt: skip
    """Write the endings of numbers."""
    parts = _parts(shape, sizes, firsts)

    def unrank(number: int) -> bytes:
        counter, first = [part for part in parts if part[1] <= number][-1]
        return unrank_word(counter, number - first)

    put_words(unrank, parts[0][0].cards, n, numbers, words)


def subsets_table(sizes: Any, owners: int, high: Words, low: Words) -> int:
    """Write the terms C(cards left, room) · words of the later hands, by hand, cards left, room."""
    each = sizes.tolist()
    cards, stride, wide = sum(each), max(each) + 1, 0
    for hand, size in enumerate(each):
        for left, room in product(range(sum(each[hand:]) + 1), range(size + 1)):
            term = bincoef(left, room) * multinomial(each[hand + 1 :])
            _put_parts(high, low, (hand * (cards + 1) + left) * stride + room, term)
        if multinomial(each[hand:]) >> 64:
            wide = hand + 1
    return wide


def _subsets(sizes: Any) -> list[Sizes]:
    """Return for each hand but the last the counter of (held, not held)."""
    each = sizes.tolist()
    return [Sizes((each[hand], sum(each[hand + 1 :]))) for hand in range(len(each) - 1)]


def subsets_rank(
    sizes: Any,
    owners: int,
    high: Words,
    low: Words,
    last: Words,
    n: int,
    words: Any,
    numbers: Words,
) -> int:
    """Write the numbers of words hand by hand; the rank of a hand is that of (held, not held)."""

    def rank(word: bytes) -> int | None:
        if [word.count(owner) for owner in range(owners)] != sizes.tolist():
            return None
        number = 0
        for hand, counter in enumerate(_subsets(sizes)):
            held = rank_word(counter, bytes(owner > hand for owner in word if owner >= hand)) or 0
            number = number * int(counter.completions(counter.start)) + held
        return number

    return put_numbers(rank, sum(sizes.tolist()), n, words, numbers)


def subsets_unrank(
    sizes: Any, owners: int, wide: int, high: Words, low: Words, last: Words,
    n: int, numbers: Words, words: Any,
) -> None:  # fmt: skip
    """Write the words of numbers hand by hand."""

    def unrank(number: int) -> bytes:
        counters, ranks = _subsets(sizes), []
        for counter in reversed(counters):
            number, rank = divmod(number, int(counter.completions(counter.start)))
            ranks.append(rank)
        word = bytearray(sum(sizes.tolist()))
        left = list(range(len(word)))
        for counter, rank in zip(counters, reversed(ranks), strict=True):
            left = list(compress(left, unrank_word(counter, rank)))
            for card in left:
                word[card] += 1
        return bytes(word)

    put_words(unrank, sum(sizes.tolist()), n, numbers, words)


def digits_rank(cards: int, base: int, n: int, words: Any, numbers: Words) -> int:
    """Write the numbers with the digits of words; the last owner is 0, card 0 the last digit."""

    def rank(word: bytes) -> int | None:
        if max(word, default=0) >= base:
            return None
        number: int = sum((owner + 1) % base * base**card for card, owner in enumerate(word))
        return number

    return put_numbers(rank, cards, n, words, numbers)


def digits_unrank(cards: int, base: int, n: int, numbers: Words, words: Any) -> None:
    """Write the words of numbers."""

    def unrank(number: int) -> bytes:
        return bytes((number // base**card - 1) % base for card in range(cards))

    put_words(unrank, cards, n, numbers, words)


def reorder(cards: int, order: Any, names: Any, n: int, words: Any, reordered: Any) -> None:
    """Write for each place of a word the new name of the owner of card `order[place]`."""
    for row in range(n):
        word = words.reshape(n, cards)[row].tolist()
        reordered.reshape(n, cards)[row] = [names[word[card]] for card in order.tolist()]


def scramble(
    factor: Words,
    ratio: Words,
    shift: Words,
    total: Words,
    n: int,
    numbers: Words,
    scrambled: Words,
) -> None:
    """Write number · factor + shift modulo the total."""
    by, more, modulus = map(number_at, (factor, shift, total))
    for row in range(n):
        put_number(scrambled, row, (number_at(numbers, row) * by + more) % modulus)
