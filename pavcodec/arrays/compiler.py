"""Compile loops with numba: cached on disk if possible, and without the interpreter's lock.

numba stores compiled code beside the module or in the user's cache folder. If it cannot write to
either folder, it raises an error. Then the loop is compiled again in each process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def compiled(
    signature: Any = None, *, inline: Literal["never", "always"] = "never"
) -> Callable[[F], F]:
    """Return a decorator that compiles a function; without a signature, at the first call.

    With `inline="always"`, the body replaces each call; results of many words stay in registers.

    >>> from numba import uint64
    >>> @compiled(uint64(uint64))
    ... def double(x):
    ...     return x + x
    >>> int(double(2))
    4
    """

    def compile_it(function: F) -> F:
        try:
            made = njit(signature, nogil=True, cache=True, inline=inline)(function)
        except RuntimeError:  # no folder for the cache is writable
            made = njit(signature, nogil=True, inline=inline)(function)
        return cast("F", made)

    return compile_it
