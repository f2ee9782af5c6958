"""The kernel: all loops over arrays, compiled from C, with a definition of each in plain Python.

`kernel.h` declares the functions; each is an attribute of this room under its name there, such as
`kernel.stream_draw(...)`. An argument is an integer or an array: a numpy array of the declared type
in the order of C; or bytes or an array of ctypes, which need no numpy, as in a batch of one. `bind`
prepares a function whose first arguments stay the same. Calls release the interpreter's lock.
Nothing checks the values in arrays, such as indexes of tables: callers do.

The library is compiled when the package is installed (`build`), and in a checkout also when the
sources have changed. The variable `PAVCODEC_KERNEL` chooses another kernel: `reference` for the
definitions (`reference/`), which give the same results slowly, or the path of another library, such
as one with sanitizers. Where no library could be compiled, the definitions run, and a line says so.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

_FOLDER = os.path.dirname(__file__)
_LIBRARY = os.path.join(_FOLDER, "kernel.bin")

_WORD = (1 << 64) - 1
_FUNCTION = re.compile(r"^(void|int64_t|uint64_t) (\w+)\(([^)]*)\);", re.MULTILINE)
_ARGUMENT = re.compile(r"(const )?(\w+) (\*?)(\w+)$")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


_PLAIN = (bytes, ctypes.Array)
"""The types of arrays that need no numpy."""
_START = ctypes.c_char * 0
"""What stands for the bytes of an array that can be written: the quickest pointer to them."""


class _Argument(NamedTuple):
    """An argument of a function, as `kernel.h` declares it."""

    name: str
    kind: str
    """The type of the number, or of the entries of the array, without `_t`."""
    is_array: bool
    is_read: bool
    """Whether the array is only read."""


class _Signature(NamedTuple):
    result: str
    arguments: tuple[_Argument, ...]


@cache
def _signatures() -> dict[str, _Signature]:
    """Return the functions of the kernel by name."""
    with open(os.path.join(_FOLDER, "kernel.h"), encoding="ascii") as header:
        text = _COMMENT.sub("", header.read())
    functions = {}
    for result, name, arguments in _FUNCTION.findall(text):
        matches = [_ARGUMENT.match(" ".join(each.split())) for each in arguments.split(",")]
        functions[name] = _Signature(
            result.removesuffix("_t"),
            tuple(
                _Argument(each[4], each[2].removesuffix("_t"), bool(each[3]), bool(each[1]))
                for each in matches
                if each
            ),
        )
    return functions


@cache
def _library() -> ctypes.CDLL | None:
    """Return the compiled kernel, or None for the definitions."""
    chosen = os.environ.get("PAVCODEC_KERNEL", "")
    if chosen == "reference":
        return None
    if chosen:
        return ctypes.CDLL(chosen)
    try:
        if os.path.exists(os.path.join(_FOLDER, "stream.c")):
            _compile_if_changed()
        return ctypes.CDLL(_LIBRARY)
    except OSError as error:
        print(
            f"pavcodec: the compiled kernel is missing, and all is slow: {error}\n"
            "pavcodec: PAVCODEC_KERNEL=reference keeps this message away",
            file=sys.stderr,
        )
    return None


def _compile_if_changed() -> None:
    """Compile the library of a checkout, unless it is of the present sources."""
    from pavcodec.kernel import build

    try:  # a library that is loaded would stay: the system knows it by its path
        with open(_LIBRARY, "rb") as library:
            is_present = build.fingerprint().encode() in library.read()
    except OSError:
        is_present = False
    if not is_present:
        build.build()


def rows_of(*numbers: int) -> Any:
    """Return numbers modulo 2¹²⁸ as rows of two words (high, low), in an array of ctypes.

    >>> list(rows_of(2**64 + 7, 5))
    [1, 7, 0, 5]
    """
    words = [word for number in numbers for word in (number >> 64 & _WORD, number & _WORD)]
    return (ctypes.c_uint64 * len(words))(*words)


def is_compiled() -> bool:
    """Return whether the kernel is compiled; otherwise, its definitions run."""
    return _library() is not None


def bind(name: str, *first: Any) -> Callable[..., Any]:
    """Return a function of the kernel with its first arguments given, which are checked only once.

    Raises `TypeError` for an array of another type or order.
    """
    arguments = _signatures()[name].arguments
    missing = arguments[len(first) :]
    library = _library()
    if library is None:
        from pavcodec.kernel import reference

        defined = getattr(reference, name)
        arrays = tuple(map(_as_array, arguments, first))
        return lambda *rest: defined(*arrays, *map(_as_array, missing, rest))

    prepared = partial(_compiled(library, name), *map(_as_constant, arguments, first))

    array = next((place for place, each in enumerate(missing) if each.is_array), None)

    def call(*rest: Any) -> Any:
        if array is None or isinstance(rest[array], _PLAIN):
            try:
                return prepared(*rest)  # a batch of one: integers, bytes, arrays of ctypes
            except ctypes.ArgumentError:
                pass  # some arrays are of numpy
        return prepared(*map(_as_pointer, missing, rest))

    call.__kept__ = first  # type: ignore[attr-defined] # pointers do not keep their arrays
    return call


@cache
def _compiled(library: ctypes.CDLL, name: str) -> Any:
    """Return a function of the library that knows the types of its arguments."""
    signature = _signatures()[name]
    function = library[name]
    function.restype = None if signature.result == "void" else _ctype(signature.result)
    function.argtypes = [
        ctypes.c_void_p if each.is_array else _ctype(each.kind) for each in signature.arguments
    ]
    return function


def _ctype(kind: str) -> Any:
    return getattr(ctypes, f"c_{kind}")


def _as_constant(argument: _Argument, value: Any) -> Any:
    """Return an argument as a value of ctypes, which is passed on in the least time."""
    if isinstance(value, bytes):
        return ctypes.c_char_p(value)
    if isinstance(value, ctypes.Array):
        return ctypes.c_void_p(ctypes.addressof(value))
    if not argument.is_array:
        return _ctype(argument.kind)(value)
    _check(argument, value)
    return ctypes.c_void_p(value.ctypes.data)


def _as_pointer(argument: _Argument, value: Any) -> Any:
    """Return what ctypes passes on for an argument."""
    if not argument.is_array or isinstance(value, _PLAIN):
        return value
    _check(argument, value)
    return _START.from_buffer(value) if value.flags.writeable else value.ctypes.data


def _as_array(argument: _Argument, value: Any) -> Any:
    """Return what a definition takes for an argument: an array, or an integer."""
    if not argument.is_array:
        return int(value)
    if isinstance(value, _PLAIN):
        import numpy as np

        return np.frombuffer(memoryview(value), argument.kind)
    _check(argument, value)
    return value


@cache
def _type_of(kind: str) -> Any:
    import numpy as np

    return np.dtype(kind)


def _check(argument: _Argument, array: Any) -> None:
    """Raise `TypeError` for an array that is not of the declared type, in order and writable."""
    flags = array.flags
    if (
        not argument.is_array
        or array.dtype != _type_of(argument.kind)
        or not flags.c_contiguous
        or not (argument.is_read or flags.writeable)
    ):
        raise TypeError(
            f"the kernel's {argument.name!r} is no such array: {array.dtype}{list(array.shape)}"
        )


def __getattr__(name: str) -> Any:
    if name not in _signatures():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    function = globals()[name] = bind(name)
    return function
