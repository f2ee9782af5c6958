"""Rankings against lists of words, by the compiled kernel and by its definitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeAlias

import numpy as np
import pytest
from oracles import integers, limbs, words

from pavcodec import kernel, walk
from pavcodec.numberings import legal, rpdd
from pavcodec.sampling import stream
from pavcodec.walk import NotAMemberError, Ranking

Kernel: TypeAlias = Callable[[], AbstractContextManager[None]]
_MANY = 300
"""The words outside a ranking that are tried, at most twice as many."""


@contextmanager
def definitions() -> Iterator[None]:
    """Let the definitions run instead of the compiled kernel, for rankings without tables yet."""
    chosen = kernel._library
    setattr(kernel, "_library", lambda: None)  # noqa: B010 (a function, to mypy)
    _forget()
    try:
        yield
    finally:
        setattr(kernel, "_library", chosen)  # noqa: B010
        _forget()


def _forget() -> None:
    """Forget the functions and tables that were bound to a kernel."""
    for name in kernel._signatures().keys() & vars(kernel).keys():
        delattr(kernel, name)
    tables: list[Any] = [walk._size_rows, walk._ending_table, legal.table_of]
    drawn: list[Any] = [stream._drawing, rpdd.block_numbers, rpdd._search]
    for each in tables + drawn:
        each.cache_clear()


every_kernel = pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(nullcontext, id="compiled"),
        pytest.param(definitions, id="defined", marks=pytest.mark.slow),
    ],
)
"""A test gets `chosen`, and runs in `with chosen():`."""


def assert_rows(ranking: Ranking, numbers: list[int], expected: list[bytes]) -> None:
    """Both ways, many rows have these numbers and words."""
    given = limbs(numbers)
    owners = np.full((len(numbers), ranking.cards), 99, np.uint8)
    ranking.unrank_rows(len(numbers), given, owners)
    assert [row.tobytes() for row in owners] == expected
    assert integers(given) == numbers, "what is given is not changed"
    found = np.zeros((len(numbers), 2), np.uint64)
    assert ranking.rank_rows(len(numbers), owners, found) == -1
    assert integers(found) == numbers
    assert [row.tobytes() for row in owners] == expected, "so here"


def assert_order(ranking: Ranking, expected: list[bytes], owners: int) -> None:
    """The ranking numbers these words, in this order, and no other words of more owners."""
    total = len(expected)
    assert ranking.cardinality == total
    assert_rows(ranking, list(range(total)), expected)
    for number in {*range(0, total, 1 + total // 100), total - 1}:
        assert ranking.unrank(number) == expected[number]
        assert ranking.rank(expected[number]) == number
    for wrong in (expected[0][1:], expected[0] + b"\0"):
        with pytest.raises(NotAMemberError):
            ranking.rank(wrong)
    for number in (-1, total, 2**128):
        with pytest.raises(IndexError, match=f"^{number} is not in 0.."):
            ranking.unrank(number)
    assert_no_others(ranking, expected, owners)


def assert_no_others(ranking: Ranking, expected: list[bytes], owners: int) -> None:
    """The second of two rows is refused, if it is any word outside; or many of very many."""
    members, found = set(expected), limbs([0, 0])
    every = (owners + 1) ** ranking.cards
    others: Any = (word for word in words(ranking.cards, owners + 1) if word not in members)
    for place, word in enumerate(others):
        if place % (1 + every // _MANY) == 0:
            rows = np.frombuffer(expected[-1] + word, np.uint8)
            assert ranking.rank_rows(2, rows, found) == 1, word
