"""Operations on 128-bit numbers in compiled loops; numba has no integers of this size."""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_LONG, _WORD = ir.IntType(128), ir.IntType(64)
_WORD_BITS = ir.Constant(_LONG, 64)


def _multiply_add(_context: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return the type and the code generator of `multiply_add`; its result is below 2¹²⁸."""
    pair: Any = types.UniTuple(types.uint64, 2)  # type: ignore[no-untyped-call]

    def generate(context: Any, builder: Any, _: Any, words: Any) -> Any:
        a, b, c, d = (builder.zext(value, _LONG) for value in words)
        total = builder.add(builder.add(builder.mul(a, b), c), d)
        high = builder.trunc(builder.lshr(total, _WORD_BITS), _WORD)
        return context.make_tuple(builder, pair, (high, builder.trunc(total, _WORD)))

    return pair(a, b, c, d), generate


def _at_least(_context: Any, high: Any, low: Any, least_high: Any, least_low: Any) -> Any:
    """Return the type and the code generator of `at_least`."""

    def generate(_context: Any, builder: Any, _: Any, words: Any) -> Any:
        high, low, least_high, least_low = (builder.zext(value, _LONG) for value in words)
        number = builder.or_(builder.shl(high, _WORD_BITS), low)
        least = builder.or_(builder.shl(least_high, _WORD_BITS), least_low)
        return builder.zext(builder.icmp_unsigned(">=", number, least), _WORD)

    return types.uint64(high, low, least_high, least_low), generate


def _add_product(
    _context: Any, a_high: Any, a: Any, b_high: Any, b: Any, c_high: Any, c: Any
) -> Any:
    """Return the type and the code generator of `add_product`."""
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
    """Return the type and the code generator of `select`."""

    def generate(_context: Any, builder: Any, _: Any, words: Any) -> Any:
        is_first, first, second = words
        return builder.select(builder.trunc(is_first, ir.IntType(1)), first, second)

    return types.uint64(is_first, first, second), generate


multiply_add: Any = intrinsic(_multiply_add)
"""Return a · b + c + d as (high, low): `multiply_add(a, b, c, d)` in a compiled loop."""

at_least: Any = intrinsic(_at_least)
"""Compare two numbers of two words: `at_least(high, low, least_high, least_low)` is 1 or 0.

The comparison has no branch. In plain numba code, a comparison of high words and then low words
compiles to a branch that processors cannot predict.
"""

add_product: Any = intrinsic(_add_product)
"""Return a + b · c modulo 2¹²⁸ as (high, low): `add_product(a_high, a, b_high, b, c_high, c)`."""

select: Any = intrinsic(_select)
"""Return a if c is 1, or b if c is 0, without a branch: `select(c, a, b)`."""


# Read and write eight bytes of an array in one step, at any place; numba itself has only bytes.


_BYTE, _EIGHT_BYTES = ir.IntType(8), ir.IntType(64)


def _at(context: Any, builder: Any, kind: Any, array: Any, offset: Any) -> Any:
    """Return the address of eight bytes in an array."""
    view = context.make_array(kind)(context, builder, array)
    begin = builder.bitcast(view.data, _BYTE.as_pointer())
    return builder.bitcast(builder.gep(begin, [offset]), _EIGHT_BYTES.as_pointer())


def _in_order(builder: Any, word: Any) -> Any:
    """Reverse the bytes of a word on processors that are not little-endian."""
    return word if sys.byteorder == "little" else builder.bswap(word)


def _load_word(_context: Any, source: Any, _place: Any) -> Any:
    """Return the type and the code generator of `load_word`, for numba."""

    def generate(context: Any, builder: Any, call: Any, values: Any) -> Any:
        address = _at(context, builder, call.args[0], values[0], values[1])
        return _in_order(builder, builder.load(address, align=1))

    return types.uint64(source, types.uint64), generate


def _store_word(_context: Any, target: Any, _place: Any, _word: Any) -> Any:
    """Return the type and the code generator of `store_word`, for numba."""

    def generate(context: Any, builder: Any, call: Any, values: Any) -> Any:
        address = _at(context, builder, call.args[0], values[0], values[1])
        builder.store(_in_order(builder, values[2]), address, align=1)
        return context.get_dummy_value()

    return types.void(target, types.uint64, types.uint64), generate


load_word: Any = intrinsic(_load_word)
"""Return eight bytes of a contiguous array of bytes: `load_word(source, place)` in a compiled loop.

The byte at `place` is the lowest of the word. Nothing checks that the array has eight bytes there.
"""

store_word: Any = intrinsic(_store_word)
"""Write a word as `load_word` reads it: `store_word(target, place, word)` in a compiled loop."""
