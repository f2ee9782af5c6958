"""The likelihoods of proposals: checked, relative to the greatest, and their running sums."""

from __future__ import annotations

from math import exp, inf, log, sqrt

import numpy as np
from numpy.typing import NDArray

from pavcodec.errors import PavError
from pavcodec.layout import Layout

__all__ = ["Weighing", "checked"]

Floats = NDArray[np.float64]


def checked(values: object, owners: NDArray[np.uint8], start: int, *, is_log: bool) -> Floats:
    """Return the likelihoods of some proposals, or their logarithms, as floats.

    `start` is the number of the first proposal. Raises `PavError` for another shape or type, and
    with the proposal for a value that is no likelihood.

    >>> checked([1, True], np.zeros((2, 52), np.uint8), 0, is_log=False)
    array([1., 1.])
    """
    found = np.asarray(values)
    many, name = len(owners), "log-likelihood" if is_log else "likelihood"
    if found.dtype.kind not in "buif":
        raise PavError(f"a {name} is a number, not of the type {found.dtype}")
    if found.shape != (many,):
        raise PavError(
            f"the function returns {many:,} {name}s for {many:,} deals, in one dimension, not an "
            f"array of the shape {found.shape}"
        )
    floats = found.astype(np.float64)
    wrong = np.isnan(floats) | (floats == inf)
    if not is_log:
        wrong |= floats < 0
    if wrong.any():
        row = int(wrong.argmax())
        expected = "-inf or a finite number" if is_log else "0 or more and finite"
        layout = Layout(owners[row].tobytes())
        raise PavError(
            f"the {name} of proposal {start + row:,} is {floats[row]}, and must be {expected}: "
            f"{layout}"
        )
    return floats


class Weighing:
    """The likelihoods of all proposals so far, and the sums of their relative weights.

    Relative weights are quotients by the greatest likelihood, 0 to 1. The sums are over blocks in
    the order of proposals, so equal blocks give equal sums.

    >>> weighing = Weighing(is_log=False)
    >>> weighing.add(np.array([0.5, 0.25, 0.25]))
    >>> weighing.count, weighing.total, round(weighing.effective_size, 4)
    (3, 2.0, 2.6667)
    """

    def __init__(self, *, is_log: bool) -> None:
        self.is_log = is_log
        self.count = 0
        self.total = 0.0
        """The sum of the relative weights."""
        self._squares = 0.0
        self._most = -inf if is_log else 0.0
        self._blocks: list[Floats] = []

    def add(self, values: Floats) -> None:
        """Add a block of likelihoods, or of their logarithms."""
        self._blocks.append(values)
        self.count += len(values)
        most = max(self._most, float(values.max()))
        if most > self._most:
            shrink = self._relative_one(self._most, most)
            self.total *= shrink
            self._squares *= shrink * shrink
            self._most = most
        if self.is_positive:
            weights = self._relative(values)
            self.total += float(weights.sum())
            self._squares += float((weights * weights).sum())

    @property
    def is_positive(self) -> bool:
        """Whether some likelihood is greater than 0."""
        return self._most > (-inf if self.is_log else 0.0)

    @property
    def effective_size(self) -> float:
        """The square of the sum of weights, divided by the sum of their squares; 0 without any."""
        return self.total * self.total / self._squares if self.is_positive else 0.0

    @property
    def log_mean(self) -> float:
        """The natural logarithm of the mean likelihood."""
        most = self._most if self.is_log else log(self._most)
        return log(self.total / self.count) + most

    @property
    def relative_error(self) -> float:
        """The standard error of the mean likelihood, divided by the mean; inf for one proposal."""
        if self.count < 2:
            return inf
        mean = self.total / self.count
        spread = max(self._squares / self.count - mean * mean, 0.0) / (self.count - 1)
        return sqrt(spread) / mean

    def relative(self) -> Floats:
        """Return the relative weights of all proposals."""
        return self._relative(self._values)

    def logs(self, rows: NDArray[np.int64]) -> Floats:
        """Return the natural logarithms of the likelihoods of some proposals."""
        chosen = self._values[rows]
        return chosen if self.is_log else np.log(chosen)

    @property
    def _values(self) -> Floats:
        if len(self._blocks) != 1:
            self._blocks = [np.concatenate(self._blocks)]
        return self._blocks[0]

    def _relative(self, values: Floats) -> Floats:
        """Return weights from 0 to 1: by division, or for logarithms by `exp`."""
        return np.exp(values - self._most) if self.is_log else values / self._most

    def _relative_one(self, value: float, most: float) -> float:
        return exp(value - most) if self.is_log else value / most
