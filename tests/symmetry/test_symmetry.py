"""Symmetries: permutations, names, canonical layouts by definition, and identities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import words
from strategies import deals, layouts, sparse_layouts

import pavcodec as pav
from pavcodec import kernel
from pavcodec.errors import UnknownNameError
from pavcodec.kernel import reference
from pavcodec.symmetry import Permutation, Symmetry, seatings, symmetry_of

NAMES = ["suits", "turns", "half-turn", "seats", "suits,turns", "suits,half-turn", "suits,seats"]


def canonical_rows(room: Any, symmetry: Symmetry, owners: Any) -> tuple[int, Any, Any]:
    """The first bad row, and the words and permutations before it."""
    ranks = owners.shape[1] // symmetry.suits
    found = np.zeros_like(owners)
    ways = np.zeros((len(owners), symmetry.suits + symmetry.seats), np.uint8)
    labels, *rest = symmetry.definition
    given = np.frombuffer(labels, np.uint8), *rest, ranks, len(owners), owners
    bad = room.canonical_words(*given, found, ways)
    return bad, found[:bad], ways[:bad]


def by_definition(symmetry: Symmetry, owners: Any) -> tuple[int, Any, Any]:
    """The same by the definition, which the kernel gives as well."""
    bad, found, ways = canonical_rows(reference, symmetry, owners)
    again, *compiled = canonical_rows(kernel, symmetry, owners)
    assert again == bad
    assert all(map(np.array_equal, compiled, (found, ways)))
    return bad, found, ways


@pytest.mark.parametrize(("suits", "ranks", "seats"), [(4, 1, 4), (2, 3, 4), (3, 2, 3), (1, 2, 2)])
@pytest.mark.parametrize("seating", ["", "turns", "seats"])
def test_canonical_words_of_toy_decks(suits: int, ranks: int, seats: int, seating: str) -> None:
    every = [*words(suits * ranks, 5)]
    some = b"".join(every[:: 1 + len(every) // 100])
    owners = np.frombuffer(some, np.uint8).reshape(-1, suits * ranks)
    wrong = np.full_like(owners[:1], 5)
    for any_suits in (True, False):
        symmetry = Symmetry("toy", any_suits, seatings(seating, seats), suits)
        assert by_definition(symmetry, np.vstack([owners, wrong]))[0] == len(owners)


@pytest.mark.parametrize("name", NAMES)
def test_canonical_layouts(name: str) -> None:
    """In arrays, with threads and one by one, they are those of the definition."""
    rows = [pav.numbering(each).sample_many(40, seed=5) for each in ("deal", "base5")]
    owners = np.vstack([*rows, *(np.full((1, 52), owner, np.uint8) for owner in range(5))])
    before = owners.copy()
    bad, words, ways = by_definition(symmetry_of(name), np.vstack([owners, 255 - owners[:1]]))
    assert bad == len(owners)
    found = pav.canonical_many(owners, name, threads=3)
    assert [array.dtype for array in found] == [np.uint8, np.uint8]
    assert all(map(np.array_equal, found, (words, ways)))
    assert np.array_equal(owners, before), "what is given is not changed"
    for row, word, way in zip(owners, words, ways.tolist(), strict=True):
        permutation = Permutation(tuple(way[:4]), tuple(way[4:]))
        canonical = pav.Layout(word.tobytes())
        assert pav.Layout(row.tobytes()).canonical(name) == (canonical, permutation)
        assert permutation.word(row.tobytes()) == word.tobytes()


def test_what_has_no_canonical_layout() -> None:
    owners = pav.numbering("deal").sample_many(20, seed=1)
    owners[11, 30] = 5
    with pytest.raises(pav.LayoutError, match=r"^row 11: an owner is 0 to 4, not 5"):
        pav.canonical_many(owners, "suits")
    with pytest.raises(TypeError, match=r"owners are an array uint8\[n, 52\], not "):
        pav.canonical_many(owners[:, :51], "suits")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["turns", "suits,turns"])
@given(layout=deals() | layouts() | sparse_layouts(), data=st.data())
def test_identities(name: str, layout: pav.Layout, data: st.DataObject) -> None:
    """The same for all that are the same: the number of the canonical layout."""
    permutation = data.draw(st.sampled_from(symmetry_of(name).permutations))
    found = pav.identity(layout, name)
    assert pav.identity(layout.permuted(permutation), name) == found
    ranks = pav.numbering("deal" if layout.is_deal else "base5")
    assert len(found) == (24 if layout.is_deal else 31)
    assert ranks.unrank(int(found, 16)) == layout.canonical(name)[0]


def test_turns_are_the_default() -> None:
    deal = pav.numbering("deal")[12345]
    turned = pav.Deal.from_pbn(deal.to_pbn().replace("N:", "E:"))
    assert turned != deal
    assert pav.identity(turned) == pav.identity(deal) == pav.identity(deal, "turns")
    other = deal.permuted(Permutation((1, 0, 2, 3), (0, 1, 2, 3)))
    assert pav.identity(other) != pav.identity(deal)
    assert pav.identity(other, "suits") == pav.identity(deal, "suits")


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
