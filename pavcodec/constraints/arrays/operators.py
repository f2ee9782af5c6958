"""The operators of the language for arrays of `int64`.

The caller makes sure that operands and results fit in 64 bits, and that no divisor is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.int64]


def _truncated(left: Values, right: Values) -> Values:
    """Divide and truncate towards 0, as C does."""
    quotient = np.abs(left) // np.abs(right)
    return np.where((left < 0) == (right < 0), quotient, -quotient)


ARITHMETIC: dict[str, Callable[[Values, Values], Values]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": _truncated,
    "%": lambda left, right: left - _truncated(left, right) * right,
}
"""Functions from two arrays to numbers; a remainder has the sign of the left operand."""

COMPARISONS: dict[str, Callable[[Values, Values], Any]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
"""Functions from two arrays to an array of bool."""
