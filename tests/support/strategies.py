"""What Hypothesis draws: numbers of a numbering, layouts of any kind."""

from __future__ import annotations

from hypothesis import strategies as st

from pavcodec import Deal, Layout, Numbering


def numbers_of(ranks: Numbering) -> st.SearchStrategy[int]:
    """Numbers of a numbering, its ends among them."""
    return st.integers(ranks.first, ranks.last)


def layouts() -> st.SearchStrategy[Layout]:
    """Any placing of the 52 cards, fouled boards included."""
    return st.binary(min_size=52, max_size=52).map(
        lambda data: Layout(bytes(byte % 5 for byte in data))
    )


def sparse_layouts() -> st.SearchStrategy[Layout]:
    """Layouts with few cards in the hands."""
    cards = st.dictionaries(st.integers(0, 51), st.integers(0, 3), max_size=8)
    return cards.map(lambda held: Layout(bytes(held.get(card, 4) for card in range(52))))


def deals() -> st.SearchStrategy[Deal]:
    """Any deal, by a permutation of the cards."""
    hands = bytes(card % 4 for card in range(52))
    return st.permutations(list(hands)).map(lambda owners: Deal(bytes(owners)))
