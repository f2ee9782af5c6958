"""Samples by any likelihood: proposals from an exact space, weighted and resampled.

The definition, for a space, a likelihood, a seed and a number n:

1. Proposal k is sample k of the seed in the space, for k = 0, 1, … So proposals are exact samples,
   and each is a function of the space, the seed and k.
2. The likelihood gives a number for each proposal, or its logarithm. The weight of proposal k is
   its likelihood divided by the greatest one, rounded to an integer multiple of 2^-b, where
   b = 60 - (bits of the number of proposals). From here on there are only integers.
3. Systematic resampling: the weights w₀, w₁, … sum to S. u is number 0 below S of the stream's lane
   for this purpose. Row j of n takes the first proposal k for which
   n (w₀ + … + wₖ) > u + j S. So proposal k has n wₖ / S rows, rounded up or down, and exactly
   this number on average.

So the rows are a function of the seed and the likelihoods: batches, threads and memory change
nothing. Floats enter in two places. Likelihoods are floats, and logarithms become likelihoods by
`numpy.exp`, which may differ in the last bit between machines; the rounding of rule 2 hides nearly
all such differences. The effective size decides when `effective=` stops; it is computed in an order
that is fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import exp, inf, isfinite, log, sqrt
from operator import index as as_integer
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from pavcodec.cards import DECK_SIZE
from pavcodec.constraints.spaces.rejection import TestedDeals
from pavcodec.errors import NumberError, PavError, shown
from pavcodec.layout import Layout
from pavcodec.layout.drawings import notebook_table, percent
from pavcodec.layout.layout import layout_from_owners
from pavcodec.numberings.space import Space
from pavcodec.sampling import Seed, Stream, given_seed

if TYPE_CHECKING:
    from pavcodec.arrays import Owners
    from pavcodec.layout import Deal


# The likelihoods of proposals: checked, relative to the greatest, and their running sums.


Floats = NDArray[np.float64]


def checked(values: object, owners: NDArray[np.uint8], start: int, *, is_log: bool) -> Floats:
    """Return the likelihoods of some proposals, or their logarithms, as floats.

    `start` is the number of the first proposal. Raises `PavError` for another shape or type, and
    with the proposal for a value that is no likelihood.

    >>> checked([1, True], np.zeros((2, 52), np.uint8), 0, is_log=False)
    array([1., 1.])
    """
    given = np.asarray(values)
    many, name = len(owners), "log-likelihood" if is_log else "likelihood"
    if given.dtype.kind not in "buif":
        raise PavError(f"a {name} is a number, not of the type {given.dtype}")
    if given.shape != (many,):
        raise PavError(
            f"the function returns {many:,} {name}s for {many:,} deals, in one dimension, not an "
            f"array of the shape {given.shape}"
        )
    floats = given.astype(np.float64)
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
            shrink = exp(self._most - most) if self.is_log else self._most / most
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


# Proposals: the samples of a seed in any space, as arrays of owners, a slice at a time.


Slices = Callable[[int, int], NDArray[np.uint8]]
"""A function from (start, count) to the owners of these samples: `uint8[count, 52]`."""


def rows_of(space: Space, seed: int, threads: SupportsIndex | None = None) -> Slices:
    """Return the function that gives any slice of the samples of a seed.

    Row k is sample k of the space, as its own methods give it. Raises `TypeError` for a value that
    has no samples.

    >>> from pavcodec import deals
    >>> space = deals("spades(west) == 9")
    >>> rows_of(space, 7)(2, 1)[0].tobytes() == space.sample(3, seed=7)[2].owners
    True
    """
    if isinstance(space, TestedDeals):
        return _InOrder(space, seed)
    given: object = space  # of a caller without types
    if not isinstance(given, Space):
        raise TypeError(
            "proposals come from a numbering, from deals, endings, a mix or weighted deals, not "
            f"{type(given).__name__!r}: conditions go to pavcodec.deals first"
        )
    return lambda start, count: space.sample_many(count, seed=seed, start=start, threads=threads)


class _InOrder:
    """The samples of deals that are tested one by one: cheap only in ascending order."""

    def __init__(self, space: TestedDeals, seed: int) -> None:
        self._space, self._seed = space, seed
        self._next = 0
        self._deals: Iterator[Deal] = space.samples(seed=seed)

    def __call__(self, start: int, count: int) -> NDArray[np.uint8]:
        if start < self._next:
            self._next, self._deals = 0, self._space.samples(seed=self._seed)
        deals = islice(self._deals, start - self._next, start - self._next + count)
        self._next = start + count
        owners = b"".join(deal.owners for deal in deals)
        return np.frombuffer(owners, np.uint8).reshape(-1, DECK_SIZE)


Likelihood = Callable[["Owners"], Any]
"""A function from `uint8[n, 52]` to n likelihoods or log-likelihoods."""

_LANE = 6
"""The lane of the random stream that places the rows."""

BLOCK = 1024
"""The proposals after which `effective=` looks whether there are enough; also the default batch."""

BOUND = 1 << 20
"""The most proposals of `effective=` without another bound."""

KEPT = 1 << 18
"""The most proposals whose owners stay in memory; those of more are drawn again when needed."""

MOST_ROWS = 1 << 30
MOST_PROPOSALS = 1 << 32
"""The most rows and proposals: their products with weights stay within 64 bits."""

_BITS = 60
_SHOWN = 20
"""The most deals that a notebook shows."""
_Z = 1.96  # standard errors of a 95 % interval


@dataclass(frozen=True)
class Evidence:
    """An estimate of the mean likelihood over a space, from `proposals` random deals.

    If the likelihood is the chance of an auction with given hands, this is the chance of the
    auction. `log` is its natural logarithm. `standard_error` is that of `log`, which is nearly the
    relative error of `value`. `low` and `high` are the ends of the 95 % interval of `value`.

    >>> evidence = Evidence(log=-3.0, standard_error=0.02, proposals=10_000)
    >>> round(evidence.value, 4), round(evidence.low, 4), round(evidence.high, 4)
    (0.0498, 0.0479, 0.0518)
    >>> print(evidence)
    about 0.04979 (95 %: 0.04787 to 0.05178), e^-3.000
    """

    log: float
    standard_error: float
    proposals: int

    @property
    def value(self) -> float:
        """The estimate; 0 where it is too small for a float, and inf where it is too large."""
        return _exp(self.log)

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return _exp(self.log - _Z * self.standard_error)

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return _exp(self.log + _Z * self.standard_error)

    def to_dict(self) -> dict[str, object]:
        """Return the estimate, its interval and its logarithm for JSON; None is no finite float."""
        names = ("value", "low", "high", "log", "standard_error")
        numbers = {name: float(getattr(self, name)) for name in names}
        finite = {name: value if isfinite(value) else None for name, value in numbers.items()}
        return {**finite, "proposals": self.proposals}

    def _repr_html_(self) -> str:
        """Return the estimate with its interval in HTML; notebooks call this."""
        heads = ["about", "95 %: from", "to", "logarithm", "proposals"]
        cells = [f"{value:.4g}" for value in (self.value, self.low, self.high)]
        cells += [f"{self.log:.3f}", f"{self.proposals:,}"]
        return notebook_table("mean likelihood", heads, [cells], texts=())

    def __str__(self) -> str:
        value, low, high = (f"{end:.4g}" for end in (self.value, self.low, self.high))
        return f"about {value} (95 %: {low} to {high}), e^{self.log:.3f}"


def _exp(power: float) -> float:
    try:
        return exp(power)
    except OverflowError:
        return inf


@dataclass(frozen=True, eq=False)
class Resampled:
    """Different deals with weights: the result of `pavcodec.resample`.

    Row i of `owners`, `uint8[m, 52]`, was proposal `indexes[i]` and has `counts[i]` of the `n`
    equal rows. `weights` are the shares of n, `float64[m]`, which sum to 1.
    """

    owners: NDArray[np.uint8]
    indexes: NDArray[np.int64]
    counts: NDArray[np.int64]
    log_likelihoods: NDArray[np.float64]
    """The natural logarithm of the likelihood of each row."""
    effective_size: float
    """(Σw)² / Σw² of the weights of all proposals: how many equal weights tell as much."""
    evidence: Evidence
    seed: int
    wanted: float | None = None
    """The effective size that the caller wanted; None if the caller wanted a number."""

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each row: its share of the n rows."""
        return self.counts / self.n

    @property
    def n(self) -> int:
        """The number of equal rows."""
        return int(self.counts.sum())

    @property
    def proposals(self) -> int:
        """The number of deals that were proposed."""
        return self.evidence.proposals

    @property
    def is_enough(self) -> bool:
        """Whether the effective size is the wanted one, or more."""
        return self.wanted is None or self.effective_size >= self.wanted

    @property
    def repeated(self) -> NDArray[np.uint8]:
        """The n equal rows, `uint8[n, 52]`: each deal as often as it counts."""
        return self.owners.repeat(self.counts, axis=0)

    def to_dict(self) -> dict[str, object]:
        """Return the deals with their weights, the effective size and the evidence for JSON.

        `deals` has the text of each deal, and `indexes`, `counts` and `weights` its numbers.

        >>> from pavcodec import numbering
        >>> resampled = resample(numbering("deal"), lambda owners: owners[:, 0] == 2, 2, seed=7)
        >>> row = resampled.to_dict()
        >>> row["counts"], row["weights"], row["n"], row["seed"]
        ([1, 1], [0.5, 0.5], 2, '7')
        """
        return {
            "n": self.n,
            "seed": str(self.seed),
            "effective_size": self.effective_size,
            "is_enough": self.is_enough,
            "evidence": self.evidence.to_dict(),
            "deals": [str(layout_from_owners(row.tobytes())) for row in self.owners],
            "indexes": self.indexes.tolist(),
            "counts": self.counts.tolist(),
            "weights": self.weights.tolist(),
            "log_likelihoods": self.log_likelihoods.tolist(),
        }

    def _repr_html_(self) -> str:
        """Return the deals with the most rows, and the evidence, in HTML; notebooks call this."""
        rows = []
        for row in np.argsort(-self.counts, kind="stable")[:_SHOWN].tolist():
            deal, count = layout_from_owners(self.owners[row].tobytes()), int(self.counts[row])
            rows.append([deal, f"{count:,}", percent(Fraction(count, self.n))])
        notes = [
            f"effective size {self.effective_size:,.1f} of {self.proposals:,} proposals",
            f"mean likelihood {self.evidence}",
        ]
        if len(self) > len(rows):
            notes.insert(0, f"the {len(rows)} deals with the most rows")
        heads = ["deal", "rows", "share, %"]
        return notebook_table(f"{self.n:,} rows of {len(self):,} deals", heads, rows, notes=notes)

    def __len__(self) -> int:
        return len(self.owners)

    def __repr__(self) -> str:
        return (
            f"<{self.n:,} rows of {len(self):,} deals from {self.proposals:,} proposals, "
            f"effective size {self.effective_size:,.1f}>"
        )


def resample(  # noqa: PLR0913 (each argument by its name)
    space: Space,
    likelihood: Likelihood,
    n: SupportsIndex,
    *,
    proposals: SupportsIndex | None = None,
    effective: float | None = None,
    seed: Seed | None = None,
    log: bool = False,
    batch: SupportsIndex = BLOCK,
    threads: SupportsIndex | None = None,
) -> Resampled:
    """Return n deals of a space by likelihood: each is as likely as its likelihood says.

    `space` is any numbering, the result of `deals`, `endings` or `mix`, or weighted deals. The
    likelihood takes `uint8[k, 52]`, at most `batch` rows at a time, and returns k numbers of 0 or
    more; with `log`, their natural logarithms. `proposals` deals are drawn from the space, by
    default 10 n. With `effective`, blocks of 1,024 deals are drawn until the effective size is
    reached, at most `proposals`, by default 2^20; `is_enough` is whether it was reached. The module
    has the definition.

    A proposal takes 8 bytes, and 40 while the rows are chosen; 2^18 proposals are kept, and more
    are drawn again where a row takes one.
    Raises `PavError` for likelihoods that are NaN, negative or infinite, with the row, for another
    number of them, and if all are 0; `NumberError` for numbers out of range.

    >>> from pavcodec import deals
    >>> space = deals("spades(south) >= 5")
    >>> resampled = resample(space, lambda owners: (owners[:, 0] == 2) + 0.5, 1000, seed=7)
    >>> resampled
    <1,000 rows of 1,000 deals from 10,000 proposals, effective size 7,763.0>
    >>> print(resampled.evidence)
    about 0.9192 (95 %: 0.9096 to 0.9289), e^-0.084
    """
    function: object = likelihood
    if not callable(function):
        given = type(function).__name__
        raise TypeError(f"a likelihood is a function of uint8[n, 52], not {given!r}")
    many, size = _within(n, "n", MOST_ROWS), _within(batch, "batch", MOST_ROWS)
    most = _bound(proposals, effective, many)
    key = given_seed(seed)
    rows = rows_of(space, key, threads)
    weighing = Weighing(is_log=log)
    kept: list[Owners] = []
    for owners, values in _scored(rows, likelihood, most, size, is_log=log):
        weighing.add(values)
        if weighing.count <= KEPT:
            kept.append(owners)
        else:
            kept.clear()
        if effective is not None and weighing.effective_size >= effective:
            break
    if not weighing.is_positive:
        raise PavError(
            f"all {weighing.count:,} proposals have the likelihood 0: propose more deals, or from "
            "a space that fits the likelihood better"
        )
    chosen, counts = systematic(weighing.relative(), many, key)
    return Resampled(
        _owners_at(chosen, kept if weighing.count <= KEPT else None, rows),
        chosen,
        counts,
        weighing.logs(chosen),
        weighing.effective_size,
        Evidence(weighing.log_mean, weighing.relative_error, weighing.count),
        key,
        effective,
    )


def systematic(
    weights: NDArray[np.float64], n: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (the proposals with rows, the number of rows of each) of a systematic resampling.

    The weights are 0 to 1, and the greatest is 1. The module has the definition.

    >>> systematic(np.array([1, 0, 0.5, 0.5]), 8, 7)
    (array([0, 2, 3]), array([4, 2, 2]))
    """
    bits = _BITS - len(weights).bit_length()
    integers = np.rint(weights * float(1 << bits)).astype(np.int64)
    offset = Stream(seed).chance(0, lane=_LANE)(int(integers.sum()))
    return rows_at(integers, n, offset)


def rows_at(
    weights: NDArray[np.int64], n: int, offset: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the result of `systematic` for integers and the offset u of the definition.

    The sum of the weights is at most 2^60, and n at most 2^30.

    >>> rows_at(np.array([1, 5, 2]), 4, 7)
    (array([1, 2]), array([3, 1]))
    """
    ends = weights.cumsum()
    whole, rest = divmod(int(ends[-1]), n)
    rows_of_all = np.arange(n, dtype=np.int64)
    # (offset + j sum) // n for row j, by terms that are below 2^62
    passed = rows_of_all * whole + (offset + rows_of_all * rest) // n
    chosen = np.searchsorted(ends, passed, side="right")
    rows, counts = np.unique(chosen.astype(np.int64), return_counts=True)
    return rows, counts.astype(np.int64)


def _scored(
    rows: Slices, likelihood: Likelihood, most: int, batch: int, *, is_log: bool
) -> Iterator[tuple[Owners, NDArray[np.float64]]]:
    """Yield the proposals with their likelihoods, in blocks that do not depend on the batch."""
    step = -(-batch // BLOCK) * BLOCK
    for start in range(0, most, step):
        owners = rows(start, min(step, most - start))
        parts = [
            checked(
                likelihood(owners[first : first + batch].copy()),
                owners[first : first + batch],
                start + first,
                is_log=is_log,
            )
            for first in range(0, len(owners), batch)
        ]
        values = np.concatenate(parts)
        for first in range(0, len(owners), BLOCK):
            yield owners[first : first + BLOCK], values[first : first + BLOCK]


def _owners_at(chosen: NDArray[np.int64], kept: list[Owners] | None, rows: Slices) -> Owners:
    """Return the owners of the chosen proposals, kept or drawn again."""
    chosen_owners = np.empty((len(chosen), DECK_SIZE), np.uint8)
    blocks = chosen // BLOCK
    for block in np.unique(blocks).tolist():
        mine = blocks == block
        offsets = chosen[mine] - block * BLOCK
        owners = rows(block * BLOCK, int(offsets.max()) + 1) if kept is None else kept[block]
        chosen_owners[mine] = owners[offsets]
    return chosen_owners


def _within(value: SupportsIndex, name: str, most: int) -> int:
    if not hasattr(value, "__index__"):
        raise TypeError(f"{name} is an integer, not {type(value).__name__!r}")
    number = as_integer(value)
    if not 1 <= number <= most:
        raise NumberError(f"{name} is 1 to {most:,}, not {shown(number)}")
    return number


def _bound(proposals: SupportsIndex | None, effective: float | None, n: int) -> int:
    if effective is not None and not hasattr(effective, "__float__"):
        raise TypeError(f"an effective size is a number, not {type(effective).__name__!r}")
    if proposals is not None:
        most = _within(proposals, "proposals", MOST_PROPOSALS)
    else:
        most = BOUND if effective is not None else min(10 * n, MOST_PROPOSALS)
    if effective is not None and not 0 < effective <= most:
        raise NumberError(
            f"an effective size is more than 0, and at most the {most:,} proposals, not {effective}"
        )
    return most
