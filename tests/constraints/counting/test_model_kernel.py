"""The words of counting models in the kernel: toy decks, edges of real ones, no member."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from constraints_models import Deck
from model_support import CONDITIONS, FOUR, SPACES, model_in, partitions, rank_of, space_of
from oracles import integers, limbs

import pavcodec as pav
from pavcodec import Seat, Suit
from pavcodec.arrays import Owners
from pavcodec.constraints.counting import model as models
from pavcodec.constraints.counting.model import Model
from pavcodec.constraints.nodes.syntax import Comparison, Length, Number
from pavcodec.kernel.reference.walk import rank_word, unrank_word

SIZES = [FOUR, Deck(3, 2, (1, 2, 3)), Deck(2, 3, (2, 2, 1, 1))]


def rows_of(words: list[bytes]) -> Owners:
    return np.frombuffer(b"".join(words), np.uint8).reshape(len(words), -1)


def check_words(model: Model, words: list[bytes]) -> None:
    """All words have the number that the definition gives them, or none; so have single ones."""
    rows, defined = model, model.defined
    known = {word: number for word in words if (number := rank_word(defined, word)) is not None}
    if known:
        members = rows_of(list(known))
        numbers = np.empty((len(known), 2), np.uint64)
        assert rows.rank_rows(len(members), members, numbers) == -1
        assert integers(numbers) == list(known.values())
        found = np.empty_like(members)
        rows.unrank_rows(len(found), numbers, found)
        assert np.array_equal(found, members)
        assert [unrank_word(defined, number) for number in known.values()] == list(known)
        assert [rank_of(model, word) for word in known] == list(known.values())
        assert [model.unrank(number) for number in known.values()] == list(known)
    for word in words:
        if word not in known:
            assert rows.rank_rows(1, word, np.empty((1, 2), np.uint64)) == 0
            assert rank_of(model, word) is None


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [(0, 0), (1, 3), (2, 5), (2, 8)])
@pytest.mark.parametrize("name", CONDITIONS)
def test_whole_toy_decks(
    name: str, kinds: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With sums of all kinds, the larger ones up to any card."""
    kind, cards = kinds
    monkeypatch.setattr(
        models, "_kinds", lambda *_: [max(0, kind - (card >= cards)) for card in range(8)]
    )
    model = model_in(FOUR, CONDITIONS[name][0])
    check_words(model, FOUR.words[:: 1 if kind == 2 else 7])


@pytest.mark.slow
@pytest.mark.parametrize("deck", SIZES[1:], ids=lambda deck: str(deck.sizes))
def test_words_of_other_sizes_have_no_number(deck: Deck) -> None:
    model = model_in(deck, [Comparison(">=", Length(Seat(0), Suit.SPADES), Number(0))])
    check_words(model, deck.words)
    words = [bytes(word) for word in np.ndindex(*[len(deck.sizes)] * 4)][:60]
    others = [word + bytes(deck.cards - 4) for word in words]
    owners = rows_of([word for word in others if word not in deck.words])
    numbers = np.empty((1, 2), np.uint64)
    for row in [*owners, np.full(deck.cards, 7, np.uint8), np.full(deck.cards, 255, np.uint8)]:
        assert model.rank_rows(1, bytes(row), numbers) == 0
        assert rank_of(model, bytes(row)) is None
    for word in (b"", b"\0", bytes(deck.cards + 1)):
        assert rank_of(model, word) is None


def test_the_first_row_without_a_number_is_told() -> None:
    space = space_of("two hands")
    owners = space.sample_many(40, seed=3)
    [other] = pav.numbering("deal").sample_many(1, seed=3)
    fouled = np.where(owners[0] == 1, 0, owners[0])
    for place, wrong, reason in (
        (7, other, "this deal does not satisfy"),
        (39, fouled, "N holds 26"),
    ):
        rows = owners.copy()
        rows[place:] = wrong
        with pytest.raises(pav.LayoutError, match=f"row {place}: .*{reason}"):
            space.rank_many(rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", SPACES)
def test_edges_and_random_indexes(name: str) -> None:
    model, total, random = space_of(name).model, space_of(name).cardinality, Random(name)
    walked = [0, total - 1, *(random.randrange(total) for _ in range(3))]
    edges = {edge for number in walked for edge in partitions(model, number)}
    near = {edge + step for edge in edges for step in (-1, 0, 1)}
    places = sorted(place for place in near | set(walked) if 0 <= place < total)
    rows = model
    owners, numbers = np.empty((len(places), 52), np.uint8), np.empty((len(places), 2), np.uint64)
    rows.unrank_rows(len(places), limbs(places), owners)
    assert [bytes(row) for row in owners] == list(map(model.unrank, places))
    defined = model.defined
    assert [bytes(row) for row in owners[::9]] == [
        unrank_word(defined, place) for place in places[::9]
    ]
    assert [rank_word(defined, bytes(row)) for row in owners[::9]] == places[::9]
    assert rows.rank_rows(len(owners), owners, numbers) == -1
    assert integers(numbers) == places


@pytest.mark.slow
@pytest.mark.parametrize("cards", [1, 5, 12])
@pytest.mark.parametrize("where", ["1", "spades(south) >= 1", "hcp(north) + hcp(west) >= 5"])
def test_endings(where: str, cards: int) -> None:
    space = pav.endings(where, cards=cards)
    total, random = space.cardinality, Random(cards)
    places = [0, 1, total - 1, *(random.randrange(total) for _ in range(50))]
    owners = space.unrank_many(limbs(places))
    assert [bytes(row) for row in owners] == [space.unrank(place).owners for place in places]
    assert integers(space.rank_many(owners)) == places


@pytest.mark.slow
def test_neither_threads_nor_the_seams_of_batches_matter() -> None:
    space = space_of("two hands")
    one, two = (space.draw(40_000, seed=1, threads=threads) for threads in (1, 2))
    assert np.array_equal(one, two)
    owners = pav.numbering("deal").unrank_many(one)
    assert np.array_equal(owners, space.sample_many(40_000, seed=1))
    ranks = [space.rank_many(owners, threads=threads) for threads in (1, 2)]
    assert np.array_equal(ranks[0], ranks[1])
    assert np.array_equal(space.unrank_many(ranks[0]), owners)
    for k in [0, 16_383, 16_384, 32_767, 32_768, 39_999, *Random(1).sample(range(40_000), 20)]:
        assert [deal.owners for deal in space.sample(1, seed=1, start=k)] == [owners[k].tobytes()]


@pytest.mark.slow
def test_nothing_satisfies_a_condition() -> None:
    empty = pav.deals("hcp(north) > 40")
    assert isinstance(empty, pav.ConstrainedDeals)
    assert empty.unrank_many(np.empty((0, 2), np.uint64)).shape == (0, 52)
    with pytest.raises(pav.LayoutError, match=r"row 0: this deal does not satisfy"):
        empty.rank_many(pav.numbering("deal").sample_many(3, seed=1))
    with pytest.raises(pav.NumberError, match="nothing to draw from"):
        empty.draw(1, seed=1)
