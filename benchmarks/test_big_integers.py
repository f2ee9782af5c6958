"""Where gmpy2 pays and where Python's own integers do: the ground for using it in base 5 only."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest
from gmpy2 import bincoef, mpz
from plain_loop import unrank_loop
from test_scalar import each

from pavcodec.numberings.rankings import OwnerDigits

DIGITS = OwnerDigits(52, 5)


def digits_by_division(number: int) -> bytes:
    """Return the base-5 digits of a number, least significant first, one division each."""
    digits = bytearray(52)
    for place in range(52):
        number, digits[place] = divmod(number, 5)
    return bytes(digits)


@pytest.mark.benchmark(group="52 base-5 digits of a number")
def test_digits_yardstick_divisions(benchmark: Any, numbers: list[int]) -> None:
    each(benchmark, digits_by_division, numbers)


@pytest.mark.benchmark(group="52 base-5 digits of a number")
def test_digits_gmpy2(benchmark: Any, numbers: list[int]) -> None:
    each(benchmark, DIGITS.unrank, numbers)


@pytest.mark.benchmark(group="number of 52 base-5 digits")
def test_number_yardstick_horner(benchmark: Any, numbers: list[int]) -> None:
    def horner(digits: bytes) -> int:
        number = 0
        for digit in reversed(digits):
            number = number * 5 + digit
        return number

    each(benchmark, horner, [digits_by_division(number) for number in numbers])


@pytest.mark.benchmark(group="number of 52 base-5 digits")
def test_number_gmpy2(benchmark: Any, numbers: list[int]) -> None:
    texts = [mpz(number).digits(5) for number in numbers]
    each(benchmark, lambda text: int(mpz(text, 5)), texts)


@pytest.mark.benchmark(group="number of 52 base-5 digits")
def test_number_python_int(benchmark: Any, numbers: list[int]) -> None:
    texts = [mpz(number).digits(5) for number in numbers]
    each(benchmark, lambda text: int(text, 5), texts)


@pytest.mark.benchmark(group="the plain loop over 96 bits")
def test_loop_yardstick_python_int(benchmark: Any, numbers: list[int]) -> None:
    each(benchmark, unrank_loop, numbers)


@pytest.mark.benchmark(group="the plain loop over 96 bits")
def test_loop_gmpy2(benchmark: Any, numbers: list[int]) -> None:
    each(benchmark, unrank_loop, [mpz(number) for number in numbers])


@pytest.mark.benchmark(group="binomial coefficients up to C(52, k)")
def test_binomials_yardstick_python(benchmark: Any) -> None:
    each(benchmark, lambda k: comb(52, k), list(range(53)) * 300)


@pytest.mark.benchmark(group="binomial coefficients up to C(52, k)")
def test_binomials_gmpy2(benchmark: Any) -> None:
    each(benchmark, lambda k: bincoef(52, k), list(range(53)) * 300)
