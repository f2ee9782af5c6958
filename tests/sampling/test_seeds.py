"""Seeds: numbers, texts, fresh ones, and what is none."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest
from gmpy2 import mpz
from hypothesis import given
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec.sampling import fresh_seed, parse_seed, seed_of

LAST = 2**128 - 1


@pytest.mark.parametrize("seed", [0, 7, 2**64, LAST])
def test_a_number_is_its_own_seed(seed: int) -> None:
    assert seed_of(seed) == parse_seed(str(seed)) == seed_of(mpz(seed)) == seed
    assert type(seed_of(mpz(seed))) is int


@given(st.text(st.characters(codec="utf-8")))
def test_a_text_is_hashed(text: str) -> None:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    assert seed_of(text) == sum(digest[place] * 256**place for place in range(16))


def test_texts_that_are_fixed_for_ever() -> None:
    assert seed_of("") == 48815046298653952574165987754911248611
    assert seed_of("Lisbon 2024, session 3") == 339855843104226345513859673413359226400
    assert parse_seed("0" * 5000 + "7") == parse_seed("007") == 7
    for text in ("0x10", "1e3", "1.0", "+7", "7 ", "1_000", "٧", "-"):
        assert parse_seed(text) == seed_of(text)


@pytest.mark.parametrize(
    ("reader", "given", "message"),
    [
        (seed_of, -1, f"a seed is a number from 0 to {LAST}, not -1$"),
        (seed_of, LAST + 1, f"not {LAST + 1}$"),
        (seed_of, 10**5000, "not one of 16610 bits$"),
        (parse_seed, "-1", f"a seed is a number from 0 to {LAST}, not -1$"),
        (parse_seed, str(LAST + 1), f"not {LAST + 1}$"),
        (parse_seed, "-" + "9" * 5000, "not one of 5000 digits$"),
        (parse_seed, "", "this one is empty"),
        (seed_of, "\udc80", r"is Unicode, not '\\udc80'"),
    ],
    ids=range(8),
)
def test_what_is_no_seed(reader: Callable[..., int], given: object, message: str) -> None:
    with pytest.raises(pav.NumberError, match=message):
        reader(given)
    with pytest.raises(TypeError, match="not 'float'"):
        seed_of(7.0)  # type: ignore[arg-type]


def test_fresh_seeds_are_seeds_and_differ() -> None:
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(seed_of(seed) == seed for seed in seeds)
    assert max(seeds).bit_length() > 110, "all 128 bits are used"
