"""The page on pav-1 defines it completely: what is written from it alone is the same."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from stream_support import page_code, section

from pavcodec.kernel.reference.stream import philox4x64
from pavcodec.sampling import Stream, seed_of

SECTION = section("pav-1")
EXPONENTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹−", "0123456789-")


CODE = page_code(SECTION)


@given(st.integers(0, 2**128 - 1), st.integers(0, 2**64 - 1), st.integers(1, 2**128))
def test_the_program_of_the_page(seed: int, k: int, cardinality: int) -> None:
    assert CODE["index"](seed, k, cardinality) == Stream(seed).index(k, cardinality)
    counter, key = (k, seed % 7, 0, cardinality % 2**64), (k, seed >> 64)
    assert CODE["block"](counter, key) == philox4x64(counter, key)


def value(cell: str) -> int:
    """A cell of a table as an integer: digits, a power of two and 1 more or less, or a text."""
    if cell.startswith("`"):
        return int(CODE["seed_of"](cell.strip("`")))
    if "2¹" in cell or "2⁶" in cell:
        exponent, sign = re.fullmatch(r"2(\d+)(?: ([+-]) 1)?", cell.translate(EXPONENTS)).groups()  # type: ignore[union-attr]
        return (1 << int(exponent)) + {"+": 1, "-": -1, None: 0}[sign]
    return int(cell)


def test_the_golden_values_of_the_page() -> None:
    rows = re.findall(r"^\| (.*) \| (.*) \| (.*) \| (\d+) \|$", SECTION, re.MULTILINE)
    assert len(rows) == 10
    for row in rows:
        seed, k, cardinality, index = map(value, row)
        assert CODE["index"](seed, k, cardinality) == Stream(seed).index(k, cardinality) == index


def test_the_text_seed_of_the_page() -> None:
    [(text, seed)] = re.findall(r"seed of the text `(.*)` is (\d+)\.", SECTION)
    assert CODE["seed_of"](text) == seed_of(text) == int(seed)


def test_the_known_answers_of_the_page() -> None:
    answers = re.findall(r"^\| .* \| .* \| `([0-9a-f ]{67})` \|$", SECTION, re.MULTILINE)
    pi = (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89)
    ones = (2**64 - 1,) * 4
    blocks = [
        philox4x64((0, 0, 0, 0), (0, 0)),
        philox4x64(ones, ones[:2]),
        philox4x64(pi, (0x452821E638D01377, 0xBE5466CF34E90C6C)),
    ]
    assert answers == [" ".join(f"{word:016x}" for word in block) for block in blocks]
