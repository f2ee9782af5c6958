"""Decision diagrams against tables of all words of toy decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from constraints_models import SMALL, Walker, assert_reduced, automata, same, tree
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import words

from pavcodec import ModelTooLarge
from pavcodec.constraints.counting.automaton import Diagram, both, combine, numbered, reduce
from pavcodec.constraints.vectors import Values

SIZES = [(8, 2), (4, 3), (6, 3), (4, 4), (5, 4)]
"""Toy decks: cards and owners."""


def several(
    count: int, values: st.SearchStrategy[int] = SMALL
) -> st.SearchStrategy[tuple[int, list[Diagram]]]:
    """Some automata over one toy deck, and the number of its owners."""
    return st.sampled_from(SIZES).flatmap(
        lambda size: st.tuples(
            st.just(size[1]),
            st.lists(automata(*size, values), min_size=count, max_size=count),
        )
    )


@pytest.mark.slow
@given(several(1))
@settings(max_examples=30, deadline=None)
def test_a_diagram_is_reduced_to_the_one_form_of_its_function(
    drawn: tuple[int, list[Diagram]],
) -> None:
    owners, [diagram] = drawn
    every = list(words(diagram.cards, owners))
    expected = [diagram.value(word) for word in every]
    assert diagram.nodes == sum(map(len, diagram.layers))
    assert diagram.widest == max(map(len, diagram.layers))
    reduced = reduce(diagram.seats, diagram.layers, diagram.values)
    assert Walker(reduced).values(every) == expected
    assert_reduced(reduced)


FUNCTIONS: dict[str, Callable[[list[Values]], Values]] = {
    "a weighted sum": lambda v: np.asarray(sum((3 * i - 2) * each for i, each in enumerate(v))),
    "a product": lambda v: np.prod(np.stack(v), axis=0),
    "a remainder": lambda v: np.asarray(sum(each * 7**i for i, each in enumerate(v))) % 5,
    "nothing": lambda v: np.zeros_like(v[0]) + 7,
    "whether they differ": lambda v: np.asarray(v[0] != v[-1]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
@given(st.integers(1, 3).flatmap(several))
@settings(max_examples=8, deadline=None)
def test_a_function_of_several(name: str, drawn: tuple[int, list[Diagram]]) -> None:
    owners, parts = drawn
    function = FUNCTIONS[name]
    made = combine(parts, function)
    every = list(words(parts[0].cards, owners))
    columns = [np.array([part.value(word) for word in every]) for part in parts]
    assert Walker(made).values(every) == function(columns).astype(int).tolist()
    assert made.seats == tuple(sorted({seat for part in parts for seat in part.seats}))
    assert_reduced(made)
    if len(parts) == 1:
        assert same(parts[0].map(lambda values: function([values]).astype(int)), made)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("absorbing", "logic"), [(0, np.logical_and.reduce), (1, np.logical_or.reduce)]
)
@given(drawn=st.integers(1, 4).flatmap(lambda count: several(count, st.integers(0, 1))))
@settings(max_examples=15, deadline=None)
def test_what_is_decided_early_stays_decided(
    absorbing: int, logic: Callable[[list[Values]], Values], drawn: tuple[int, list[Diagram]]
) -> None:
    _, parts = drawn
    quick = combine(parts, logic, absorbing=absorbing)
    assert same(quick, combine(parts, logic))
    if absorbing == 0:
        assert same(both(parts), quick)


def test_absorbing_keeps_products_small() -> None:
    """Eight questions about a card each: without the rule, the product has 2^8 nodes."""
    seats, cards = (0,), 9
    parts = [tree(seats, cards, lambda word, card=card: word[card]) for card in range(8)]  # type: ignore[misc]
    parts = [reduce(seats, part.layers, part.values) for part in parts]
    assert both(parts, memory=2000).nodes <= 2 * cards
    with pytest.raises(ModelTooLarge):
        combine(parts, np.logical_and.reduce, memory=2000)
    assert same(combine(parts, np.logical_and.reduce), both(parts))


WIDTHS = st.integers(1, 6).map(
    lambda width: st.lists(
        st.integers(0, 3) | st.sampled_from([2**20, 2**31 - 1]), min_size=width, max_size=width
    )
)


@given(WIDTHS.flatmap(lambda row: st.lists(row, min_size=1, max_size=30)))
def test_different_rows_are_told_apart_however_wide(rows: list[list[int]]) -> None:
    different, place = numbered(np.array(rows))
    assert different[place].tolist() == rows
    assert Counter(map(tuple, different.tolist())) == Counter(set(map(tuple, rows)))


@pytest.mark.parametrize(
    ("memory", "reached"),
    [(299, "1 before card 0"), (300, "3 before card 1"), (611, "3 before card 1"),
     (612, "9 before card 2"), (1835, "9 before card 2"), (1836, "21 before card 3")],
)  # fmt: skip
def test_a_product_that_is_too_large_says_before_which_card(memory: int, reached: str) -> None:
    """Two parts that look at different cards; a letter takes 96 bytes in its step, and 4 after."""
    first = tree((0,), 6, lambda word: word[0] + 2 * word[1])
    second = tree((1,), 6, lambda word: word[1] + 2 * word[2] + 4 * word[3])
    parts = [reduce(part.seats, part.layers, part.values) for part in (first, second)]
    with pytest.raises(ModelTooLarge, match=f"^too many states: {reached}$"):
        combine(parts, np.add.reduce, memory=memory)
