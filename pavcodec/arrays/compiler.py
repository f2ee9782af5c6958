"""How loops are compiled: once, kept on disk where that can be, and free of the interpreter's lock.

numba keeps what it compiles beside the module or in the user's cache folder. Where it may write to
neither, it raises an error; here the loop is then compiled anew in each process instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

__all__ = ["compiled"]

F = TypeVar("F", bound=Callable[..., Any])


def compiled(signature: object = None) -> Callable[[F], F]:
    """Return a decorator that compiles a function: now for a signature, else when it is called.

    >>> from numba import uint64
    >>> @compiled(uint64(uint64))
    ... def double(x):
    ...     return x + x
    >>> int(double(2))
    4
    """

    def compile_it(function: F) -> F:
        try:
            made = njit(signature, nogil=True, cache=True)(function)
        except RuntimeError:  # there is nowhere to keep it
            made = njit(signature, nogil=True)(function)
        return cast("F", made)

    return compile_it
