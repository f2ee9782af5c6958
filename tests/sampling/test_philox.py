"""The generator: the known answers of Random123, and numpy's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stream_support import WORD, numpy_block

from pavcodec.kernel.reference.stream import philox4x64

KNOWN_ANSWERS = """
0000000000000000 0000000000000000 0000000000000000 0000000000000000
0000000000000000 0000000000000000
16554d9eca36314c db20fe9d672d0fdc d7e772cee186176b 7e68b68aec7ba23b

ffffffffffffffff ffffffffffffffff ffffffffffffffff ffffffffffffffff
ffffffffffffffff ffffffffffffffff
87b092c3013fe90b 438c3c67be8d0224 9cc7d7c69cd777b6 a09caebf594f0ba0

243f6a8885a308d3 13198a2e03707344 a4093822299f31d0 082efa98ec4e6c89
452821e638d01377 be5466cf34e90c6c
a528f45403e61d95 38c72dbd566e9788 a5a1610e72fd18b5 57bd43b5e52b7fe6
"""
"""Counter, key and block of the lines `philox4x64 10` in Random123's tests/kat_vectors."""

words = st.integers(0, WORD)


@pytest.mark.parametrize("answer", KNOWN_ANSWERS.strip().split("\n\n"))
def test_known_answers(answer: str) -> None:
    counter, key, block = ([int(word, 16) for word in line.split()] for line in answer.split("\n"))
    assert [
        *philox4x64((counter[0], counter[1], counter[2], counter[3]), (key[0], key[1]))
    ] == block
    assert [*numpy_block(counter, key)] == block


@given(st.tuples(words, words, words, words), st.tuples(words, words))
def test_numpy_says_the_same(counter: tuple[int, int, int, int], key: tuple[int, int]) -> None:
    assert philox4x64(counter, key) == numpy_block(counter, key)
