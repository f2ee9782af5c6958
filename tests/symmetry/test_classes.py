"""Classes on toy decks, whole, against classes that are made by trying everything."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import factorial, prod
from operator import itemgetter
from typing import TypeAlias

import pytest
from oracles import DEALS, words_of_sizes

from pavcodec.errors import UnknownNameError
from pavcodec.numberings.classes import ClassWalk
from pavcodec.symmetry import (
    Permutation,
    Symmetry,
    canonical_word,
    class_count,
    count_classes,
    seatings,
    symmetry_of,
)
from pavcodec.walk import NotAMemberError

Places: TypeAlias = Callable[[bytes], tuple[int, ...]]
SIZES = {
    "suits": 2235197513162569580480368800,
    "turns": 13411184441372198209809360000,
    "suits,half-turn": 1117598756581328413518366800,
    "suits,turns": 558799378290664206767572008,
    "suits,seats": 93133229715117977002372951,
}
DECKS = [(4, 1, 4), (2, 2, 4), (2, 3, 2), (2, 5, 2), (3, 4, 2), (3, 2, 3), (4, 2, 2)]
"""Suits, ranks and seats of toy decks."""
LARGER = [(4, 2, 4), (2, 4, 4), (4, 3, 4)]
KINDS = [
    (any_suits, name)
    for any_suits in (True, False)
    for name in ("", "turns", "half-turn", "seats")
    if any_suits or name
]
every_kind = pytest.mark.parametrize(("any_suits", "seating"), KINDS)


def toy(deck: tuple[int, int, int], any_suits: bool, seating: str) -> Symmetry:
    suits, _, seats = deck
    if seating == "half-turn" and seats % 2:
        pytest.skip("there is no half turn of three seats")
    return Symmetry("toy", any_suits, seatings(seating, seats), suits)


@cache
def words_of(deck: tuple[int, int, int]) -> list[bytes]:
    suits, ranks, seats = deck
    return words_of_sizes((suits * ranks // seats,) * seats)


def rank_major(deck: tuple[int, int, int]) -> Places:
    """From a word to its owners rank by rank."""
    suits, ranks, _ = deck
    return itemgetter(*(suit * ranks + rank for rank in range(ranks) for suit in range(suits)))


def moves(
    deck: tuple[int, int, int],
    any_suits: bool,
    seating: str,
) -> tuple[list[Places], list[bytes]]:
    """From a word to its owners in new places, and the new names of all owners, in all ways."""
    suits, ranks, seats = deck
    orders = list(permutations(range(suits))) if any_suits else [tuple(range(suits))]
    if seating == "seats":
        names = [list(one) for one in permutations(range(seats))]
    else:
        by = {"": [0], "turns": range(seats), "half-turn": [0, seats // 2]}[seating]
        names = [[(seat + step) % seats for seat in range(seats)] for step in by]
    sources: list[Places] = [
        itemgetter(*(order[i] * ranks + r for i in range(suits) for r in range(ranks)))
        for order in orders
    ]
    return sources, [bytes(name).ljust(256, b"?") for name in names]


def with_larger_decks() -> list[object]:
    slow = [pytest.param(deck, marks=pytest.mark.slow) for deck in LARGER]
    return [*DECKS, *slow]


@pytest.mark.slow
@pytest.mark.parametrize("deck", with_larger_decks(), ids=str)
@every_kind
def test_the_order_is_that_of_the_least_words(
    deck: tuple[int, int, int],
    any_suits: bool,
    seating: str,
) -> None:
    """Each class by trying every permutation on every word; numbers, counts and least words.

    Of the largest deck some thousands of numbers are tried, of the others all.
    """
    symmetry, (_, ranks, _) = toy(deck, any_suits, seating), deck
    (sources, tables), by_ranks = moves(deck, any_suits, seating), rank_major(deck)
    least: dict[bytes, bytes] = {}
    for word in words_of(deck):
        if word not in least:
            moved = {bytes(source(word)) for source in sources}
            images = {each.translate(table) for each in moved for table in tables}
            first = min(images, key=by_ranks)
            least |= dict.fromkeys(images, first)
    in_order = sorted(set(least.values()), key=by_ranks)
    walk = ClassWalk(symmetry, ranks)
    assert symmetry.order == len(sources) * len(tables)
    assert walk.cardinality == len(in_order)
    step = max(1, len(in_order) // 8000)
    numbers = range(0, len(in_order), step)
    assert [walk.unrank(number) for number in numbers] == in_order[::step]
    assert walk.unrank(walk.cardinality - 1) == in_order[-1]
    places = {word: number for number, word in enumerate(in_order)}
    for word in words_of(deck)[:: max(1, len(least) // 2000)]:
        assert walk.rank(word) == places[least[word]]
        canonical, permutation = canonical_word(word, symmetry)
        assert canonical == least[word] == permutation.word(word)
        assert permutation in symmetry.permutations


@pytest.mark.slow
@pytest.mark.parametrize(
    "rooms", [(3, 1, 0, 0), (1, 2, 1, 2), (2, 2, 0, 0), (4, 0, 0, 4), (2, 2, 2, 2)]
)
@every_kind
def test_counts_of_hands_of_any_sizes(
    rooms: tuple[int, ...],
    any_suits: bool,
    seating: str,
) -> None:
    """Burnside's lemma counts the classes of words, taken over the permutations that keep sizes."""
    symmetry = toy((2, sum(rooms) // 2, 4), any_suits, seating)
    kept = tuple(
        one
        for one in symmetry.permutations
        if all(rooms[one.seats[seat]] == rooms[seat] for seat in range(4))
    )
    words = words_of_sizes(rooms)
    classes = {frozenset(one.word(word) for one in kept) for word in words}
    assert count_classes(kept, sum(rooms) // 2, rooms) == len(classes)


@pytest.mark.parametrize("name", SIZES)
def test_the_classes_of_all_deals(name: str) -> None:
    assert class_count(name) == SIZES[name]
    assert DEALS // symmetry_of(name).order <= SIZES[name] <= DEALS
    assert ClassWalk(symmetry_of(name), 13).cardinality == SIZES[name]


@pytest.mark.slow
def test_the_sizes_of_the_classes_add_up_to_all_deals() -> None:
    """Up to suits, by how many suits lie alike, without Burnside's lemma.

    Two suits can lie alike, or three; not two and two, nor four, since 13 is odd. A class in which
    all lie differently has 24 deals, else 12 or 4.
    """
    ways = {
        lengths: factorial(13) // prod(map(factorial, lengths))
        for lengths in product(range(14), repeat=4)
        if sum(lengths) == 13
    }
    two = three = 0
    for lengths, suit in ways.items():
        rest = tuple(13 - 3 * length for length in lengths)
        three += suit * ways.get(rest, 0)
        for other, ways_of_other in ways.items():
            last = tuple(13 - 2 * a - b for a, b in zip(lengths, other, strict=True))
            two += suit * ways_of_other * ways.get(last, 0)
    three_alike = 4 * three
    two_alike = 6 * (two - 2 * three)
    different = DEALS - two_alike - three_alike
    classes = {
        24: Fraction(different, 24),
        12: Fraction(two_alike, 12),
        4: Fraction(three_alike, 4),
    }
    assert all(count.denominator == 1 for count in classes.values())
    assert sum(classes.values()) == class_count("suits")
    assert sum(size * count for size, count in classes.items()) == DEALS


@pytest.mark.slow
@pytest.mark.parametrize("deck", DECKS, ids=str)
@every_kind
def test_the_sizes_of_the_classes_add_up(
    deck: tuple[int, int, int],
    any_suits: bool,
    seating: str,
) -> None:
    """A class is as large as the group, divided by how many permutations keep a deal of it."""
    symmetry = toy(deck, any_suits, seating)
    walk = ClassWalk(symmetry, deck[1])
    total = 0
    for number in range(walk.cardinality):
        word = walk.unrank(number)
        total += symmetry.order // sum(one.word(word) == word for one in symmetry.permutations)
    assert total == len(words_of(deck))


def test_a_permutation_and_its_inverse() -> None:
    one, other = Permutation((2, 0, 3, 1), (1, 2, 3, 0)), Permutation((1, 0, 2, 3), (3, 2, 1, 0))
    word = bytes(card % 5 for card in range(52))
    assert one.inverse.word(one.word(word)) == word
    assert one.then(other).word(word) == other.word(one.word(word))
    assert (one.is_turn, other.is_turn) == (True, False)
    assert one.word(word)[2 * 13] == (word[0] + 1) % 4, "spades become diamonds, N becomes E"
    assert str(one) == "SHDC become DSCH, NESW become ESWN"
    with pytest.raises(ValueError, match="each of 0 to 3"):
        Permutation((0, 0, 1, 2), (0, 1, 2, 3))


def test_tricks_go_with_suits_and_seats() -> None:
    tricks = bytes(range(20))
    found = Permutation((1, 2, 3, 0), (1, 2, 3, 0)).tricks(tricks)
    for strain, becomes in ((0, 0), (1, 2), (2, 3), (3, 4), (4, 1)):
        for seat in range(4):
            assert found[becomes * 4 + (seat + 1) % 4] == tricks[strain * 4 + seat]
    with pytest.raises(ValueError, match="do not keep their order"):
        Permutation((0, 1, 2, 3), (1, 0, 2, 3)).tricks(tricks)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("suit", "no symmetry is called 'suit'; did you mean 'suits'"),
        ("", "no symmetry is called ''"),
        ("suits,turns,half-turn", "one of turns, half-turn, seats, not 'suits,turns,half-turn'"),
    ],
)
def test_names_that_no_symmetry_has(text: str, message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        symmetry_of(text)


def test_names_in_any_order_are_one_symmetry() -> None:
    assert symmetry_of("turns, suits") == symmetry_of("suits,turns")
    with pytest.raises(TypeError, match="name of a symmetry is a str"):
        symmetry_of(5)  # type: ignore[arg-type]  # what a caller may do wrong


def test_a_walk_is_a_value_and_refuses_what_is_no_deal() -> None:
    walk = ClassWalk(symmetry_of("suits"), 2)
    walk.rank(walk.unrank(3))
    twin = pickle.loads(pickle.dumps(walk))
    assert (twin, hash(twin)) == (walk, hash(walk))
    for word in (b"", bytes(8), bytes([0, 0, 1, 1, 2, 2, 3, 4]), bytes(52)):
        with pytest.raises(NotAMemberError):
            walk.rank(word)
    with pytest.raises(ValueError, match="do not fill 4 hands"):
        _ = ClassWalk(Symmetry("toy", True, seatings("", 4), 3), 1).cardinality
