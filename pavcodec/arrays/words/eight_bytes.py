"""Read and write eight bytes of an array in one step, at any place; numba itself has only bytes."""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

__all__ = ["load_word", "store_word"]

_BYTE, _WORD = ir.IntType(8), ir.IntType(64)


def _at(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    """Return the address of eight bytes in an array."""
    found = context.make_array(kind)(context, builder, array)
    begin = builder.bitcast(found.data, _BYTE.as_pointer())
    return builder.bitcast(builder.gep(begin, [place]), _WORD.as_pointer())


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
