"""Seeds: numbers, texts, fresh ones, and what is none."""

from __future__ import annotations

import hashlib

import pytest
from gmpy2 import mpz
from hypothesis import given
from hypothesis import strategies as st

import pavcodec as pav
from pavcodec.sampling import fresh_seed, parse_seed, seed_of

LAST = 2**128 - 1


@pytest.mark.parametrize("seed", [0, 7, 2**64, LAST])
def test_a_number_is_its_own_seed(seed: int) -> None:
    assert seed_of(seed) == parse_seed(str(seed)) == seed
    assert type(seed_of(mpz(seed))) is int
    assert seed_of(mpz(seed)) == seed


@given(st.text(st.characters(codec="utf-8")))
def test_a_text_is_hashed(text: str) -> None:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    assert seed_of(text) == sum(digest[place] * 256**place for place in range(16))


def test_a_text_that_is_fixed_for_ever() -> None:
    assert seed_of("") == 48815046298653952574165987754911248611
    assert seed_of("Lisbon 2024, session 3") == 339855843104226345513859673413359226400


def test_a_text_that_looks_like_a_number_is_read_as_one() -> None:
    assert parse_seed("007") == 7
    assert parse_seed("0" * 5000 + "7") == 7
    for text in ("0x10", "1e3", "1.0", "+7", "7 ", "1_000", "٧", "-"):
        assert parse_seed(text) == seed_of(text)


@pytest.mark.parametrize("seed", [-1, LAST + 1, -(10**100), 10**5000], ids=int.bit_length)
def test_numbers_outside_the_range(seed: int) -> None:
    with pytest.raises(
        pav.NumberError, match=f"a seed is a number from 0 to {LAST}, not "
    ) as found:
        seed_of(seed)
    assert len(str(found.value)) < 200


@pytest.mark.parametrize("text", ["-1", str(LAST + 1), "9" * 5000, "-" + "9" * 5000], ids=len)
def test_texts_of_numbers_outside_the_range(text: str) -> None:
    with pytest.raises(
        pav.NumberError, match=f"a seed is a number from 0 to {LAST}, not "
    ) as found:
        parse_seed(text)
    assert len(str(found.value)) < 200


def test_what_is_no_seed() -> None:
    with pytest.raises(pav.NumberError, match="this one is empty"):
        parse_seed("")
    with pytest.raises(pav.NumberError, match=r"is Unicode, not '\\udc80'"):
        seed_of("\udc80")
    with pytest.raises(TypeError):
        seed_of(7.0)  # type: ignore[arg-type]


def test_fresh_seeds_are_seeds_and_differ() -> None:
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(seed_of(seed) == seed for seed in seeds)
    assert max(seeds).bit_length() > 110, "all 128 bits are used"
    assert pav.fresh_seed is fresh_seed
