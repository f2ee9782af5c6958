"""Numbers of 128 bits in compiled loops, for which numba has no integers."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

__all__ = ["add_product", "at_least", "multiply_add", "select"]

_LONG, _WORD = ir.IntType(128), ir.IntType(64)
_WORD_BITS = ir.Constant(_LONG, 64)


def _multiply_add(_context: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Give numba the code for a · b + c + d, which is below 2¹²⁸, as high and low word."""
    pair: Any = types.UniTuple(types.uint64, 2)  # type: ignore[no-untyped-call]

    def generate(context: Any, builder: Any, _: Any, words: Any) -> Any:
        a, b, c, d = (builder.zext(value, _LONG) for value in words)
        total = builder.add(builder.add(builder.mul(a, b), c), d)
        high = builder.trunc(builder.lshr(total, _WORD_BITS), _WORD)
        return context.make_tuple(builder, pair, (high, builder.trunc(total, _WORD)))

    return pair(a, b, c, d), generate


def _at_least(_context: Any, high: Any, low: Any, least_high: Any, least_low: Any) -> Any:
    """Give numba the code for the comparison of two numbers of two words, as 1 or 0."""

    def generate(_context: Any, builder: Any, _: Any, words: Any) -> Any:
        high, low, least_high, least_low = (builder.zext(value, _LONG) for value in words)
        number = builder.or_(builder.shl(high, _WORD_BITS), low)
        least = builder.or_(builder.shl(least_high, _WORD_BITS), least_low)
        return builder.zext(builder.icmp_unsigned(">=", number, least), _WORD)

    return types.uint64(high, low, least_high, least_low), generate


def _add_product(
    _context: Any, a_high: Any, a: Any, b_high: Any, b: Any, c_high: Any, c: Any
) -> Any:
    """Give numba the code for a + b · c modulo 2¹²⁸, each high and low, as high and low word."""
    pair: Any = types.UniTuple(types.uint64, 2)  # type: ignore[no-untyped-call]

    def generate(context: Any, builder: Any, _: Any, words: Any) -> Any:
        longs = [builder.zext(word, _LONG) for word in words]
        first, second, third = (
            builder.or_(builder.shl(high, _WORD_BITS), low)
            for high, low in zip(longs[::2], longs[1::2], strict=True)
        )
        total = builder.add(first, builder.mul(second, third))
        high = builder.trunc(builder.lshr(total, _WORD_BITS), _WORD)
        return context.make_tuple(builder, pair, (high, builder.trunc(total, _WORD)))

    return pair(a_high, a, b_high, b, c_high, c), generate


def _select(_context: Any, is_first: Any, first: Any, second: Any) -> Any:
    """Give numba the code for a choice by 1 or 0."""

    def generate(_context: Any, builder: Any, _: Any, words: Any) -> Any:
        is_first, first, second = words
        return builder.select(builder.trunc(is_first, ir.IntType(1)), first, second)

    return types.uint64(is_first, first, second), generate


multiply_add: Any = intrinsic(_multiply_add)
"""In a compiled loop, `multiply_add(a, b, c, d)` is (high, low) of a · b + c + d."""

at_least: Any = intrinsic(_at_least)
"""In a compiled loop, `at_least(high, low, least_high, least_low)` is 1 or 0, without a branch.

numba's own way, comparing high words and then low ones, costs a branch that no processor foresees.
"""

add_product: Any = intrinsic(_add_product)
"""In a compiled loop, `add_product(a, a', b, b', c, c')` is a + b · c, all high and low words."""

select: Any = intrinsic(_select)
"""In a compiled loop, `select(c, a, b)` is a if c is 1 and b if it is 0, without a branch."""
