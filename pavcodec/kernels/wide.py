"""Products of 128 bits, which numba has no integers for."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

__all__ = ["multiply_add"]


def _multiply_add(_context: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Give numba the code for a · b + c + d, which is below 2¹²⁸, as high and low word."""
    pair: Any = types.UniTuple(types.uint64, 2)  # type: ignore[no-untyped-call]

    def generate(context: Any, builder: Any, _: Any, words: Any) -> Any:
        long, word = ir.IntType(128), ir.IntType(64)
        a, b, c, d = (builder.zext(value, long) for value in words)
        total = builder.add(builder.add(builder.mul(a, b), c), d)
        high = builder.trunc(builder.lshr(total, ir.Constant(long, 64)), word)
        return context.make_tuple(builder, pair, (high, builder.trunc(total, word)))

    return pair(a, b, c, d), generate


multiply_add: Any = intrinsic(_multiply_add)
"""In a compiled loop, `multiply_add(a, b, c, d)` is (high, low) of a · b + c + d."""
