"""Rows of double-dummy tricks, with and without results, as Hypothesis draws them."""

from __future__ import annotations

from hypothesis import strategies as st

_TRICKS = st.integers(0, 13)


def _row(values: st.SearchStrategy[int]) -> st.SearchStrategy[list[int]]:
    return st.lists(values, min_size=20, max_size=20)


def rows_of_tricks(most: int) -> st.SearchStrategy[list[list[int]]]:
    """Return a strategy of one to `most` rows: any, whole, likely, and without results."""
    likely, nothing = _row(st.integers(5, 8)), st.just([255] * 20)
    row = _row(_TRICKS | st.just(255)) | _row(_TRICKS) | likely | nothing
    return st.lists(row, min_size=1, max_size=most)
