"""Distributions: how many deals give a number each of its values, exactly or in a sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from textwrap import wrap
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Generic

from pavcodec.chances.figures import many
from pavcodec.constraints.spaces.estimates import Estimate, chance_row, root
from pavcodec.errors import MissingExtraError, PavError
from pavcodec.layout.drawings import notebook_table, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Value = int | tuple[int, ...]
"""The value of one number, or those of several."""

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Key = TypeVar("Key", bound=Value, default=Value)
else:
    from typing import TypeVar

    Key = TypeVar("Key", bound=Value)
Chance = TypeVar("Chance", bound=Fraction | Estimate[Fraction])


@dataclass(frozen=True, repr=False)
class _Counted(Mapping[Key, Chance], Generic[Chance, Key]):
    """Deals counted by value, in ascending order. Values that no deal has are absent."""

    counts: dict[Key, int]
    """The number of deals with each value."""
    _counted: ClassVar[str] = "cardinality"
    """What `counts` are in JSON: numbers of deals, or weights."""

    @cached_property
    def total(self) -> int:
        """How many deals were counted."""
        return sum(self.counts.values())

    @cached_property
    def _is_joint(self) -> bool:
        """Whether the values are those of several numbers together."""
        return any(isinstance(value, tuple) for value in self.counts)

    @property
    def mean(self) -> Fraction:
        """The average of the number over these deals."""
        return self._average(lambda value: value)

    @property
    def variance(self) -> Fraction:
        """The average square of the distance from the mean, over these deals."""
        mean = self.mean
        return self._average(lambda value: (value - mean) ** 2)

    def _average(self, function: Callable[[Any], int | Fraction]) -> Fraction:
        if self._is_joint:
            raise PavError("only a single number has an average, not several together")
        parts = (count * function(value) for value, count in self.counts.items())
        return Fraction(sum(parts)) / self.total

    def to_dict(self) -> dict[str, object]:
        """Return all values for JSON, as `pavcodec odds --json` prints them.

        >>> from pavcodec import distribution
        >>> distribution("aces(north)", given="hcp(north) == 8").to_dict()["values"][2]
        {'value': 2, 'cardinality': '304529332309113162122726400', \
'probability': '30537/478336', 'exact': True}
        """
        row: dict[str, object] = {"exact": not isinstance(self, SampledDistribution)}
        row["total"] = str(self.total)
        if not self._is_joint:
            row |= {"average": str(self.mean), "variance": str(self.variance)}
            if isinstance(self, SampledDistribution):
                row["standard_error"] = float(self.standard_error) if self.total > 1 else None
        row["values"] = [
            {
                "value": list(value) if isinstance(value, tuple) else value,
                self._counted: str(self.counts[value]),
                **chance_row(chance),
            }
            for value, chance in self.items()
        ]
        return row

    def _repr_html_(self) -> str:
        """Return a table with bars in HTML; notebooks call this."""
        is_sampled, is_weighted = isinstance(self, SampledDistribution), self._counted == "weight"
        heads = ["value", "weight" if is_weighted else "deals", "share, %"]
        heads += ["from", "to"] if is_sampled else []
        rows = []
        for value, chance in self.items():
            name = ", ".join(map(str, value)) if isinstance(value, tuple) else value
            shares = [Fraction(self.counts[value], self.total)]
            shares += [chance.low, chance.high] if isinstance(chance, Estimate) else []
            rows.append([name, f"{self.counts[value]:,}", *map(percent, shares)])
        most = max(self.counts.values(), default=1)
        bars = [Fraction(count, most) for count in self.counts.values()]
        notes = []
        if self.counts and not self._is_joint:
            deviation = float(root(self.variance))
            notes = [f"average {float(self.mean):.6g}, standard deviation {deviation:.4g}"]
        deals = "weighted deals" if is_weighted else f"{self.total:,} deals"
        title = f"distribution {'estimated from' if is_sampled else 'of'} {deals}"
        return notebook_table(title, heads, rows, texts=(), bars=bars, notes=notes)

    def __iter__(self) -> Iterator[Key]:
        return iter(self.counts)

    def __len__(self) -> int:
        return len(self.counts)

    def __repr__(self) -> str:
        """Return the type, the values, the most frequent one and the average."""
        values = list(self.counts)
        parts = [f"{type(self).__name__} of {many(len(values), 'value')}"]
        if len(values) == 1:
            parts.append(str(values[0]))
        elif values:
            parts[0] += f" from {values[0]} to {values[-1]}"
            usual = max(values, key=self.counts.__getitem__)
            share = Fraction(self.counts[usual], self.total)
            parts.append(f"most often {usual} ({percent(share)} %)")
        if values and not self._is_joint:
            parts.append(f"average {float(self.mean):.6g}")
        return f"<{', '.join(parts)}>"


class Distribution(_Counted[Fraction, Key], Generic[Key]):
    """The exact probability of each value of a number, or of each row of values of several.

    It is a mapping from values to fractions that add up to 1. `counts` has the numbers of deals.

    >>> from pavcodec import distribution
    >>> spades = distribution("spades(north)", given="spades(south) == 7")
    >>> spades[6], spades.mean, spades.total
    (Fraction(44, 83657), Fraction(2, 1), 472964238779242940845315200)
    """

    def __getitem__(self, value: Key) -> Fraction:
        return Fraction(self.counts[value], self.total)


class WeightedDistribution(Distribution[Key], Generic[Key]):
    """The exact probability of each value for weighted deals.

    It is a mapping like `Distribution`. `counts` has the sums of the weights of the deals with each
    value, as integers in their proportion, and `total` their sum.

    >>> from pavcodec import distribution, weighted
    >>> aces = distribution("aces(north)", given=weighted("hcp(north) == 8", joint="aces(north)"))
    >>> {value: round(float(share), 4) for value, share in aces.items()}
    {1: 0.8139, 2: 0.1861}
    """

    _counted = "weight"


class SampledDistribution(_Counted[Estimate[Fraction], Key], Generic[Key]):
    """Estimates of the probability of each value, from a sample of deals.

    It is a mapping from values to shares with their confidence intervals. All values are estimates.

    >>> from pavcodec import distribution
    >>> spades = distribution("spades(north)", given="spades(south) == 7", simulate=400, seed=7)
    >>> spades.total, float(spades.mean), round(float(spades.standard_error), 3)
    (400, 2.0475, 0.053)
    """

    def __getitem__(self, value: Key) -> Estimate[Fraction]:
        return Estimate.of_sample(self.counts[value], self.total)

    @property
    def standard_error(self) -> Fraction:
        """The standard error of the mean, from the sample itself."""
        if self.total < 2:
            raise PavError("a standard error takes at least 2 deals")
        return root(self.variance / (self.total - 1))


# Plots of distributions, drawn by matplotlib if it is installed.


BLUE = "#0072B2"
"""A blue that people with any colour vision tell from orange and black; a middle grey on paper."""
_INK = "#1b1b1b"
_WIDTH = 88
_MOST_LINES = 3


def draw_distribution(
    distribution: Distribution[Any] | SampledDistribution[Any],
    out: BinaryIO,
    kind: str,
    titles: Sequence[str],
    *,
    given: str = "",
) -> None:
    """Write a plot of the distribution of one number, or of two together.

    `kind` is png, svg or pdf; `titles` name the numbers; `given` is the condition of the deals, ""
    for all deals. The title has the numbers and the condition. A sample has the ends of its 95 %
    confidence intervals. Raises `PavError` if matplotlib is not installed.
    """
    deals = "random deals" if isinstance(distribution, SampledDistribution) else "deals"
    with_given = f" with {given}" if given else ""
    of = f"{distribution.total:,} {deals}{with_given}"
    if isinstance(distribution, WeightedDistribution):
        of = f"weighted deals{with_given}"
    title = f"{' and '.join(titles)}: {of}"
    with figure_in(out, kind, title, (10, 10), figsize=(8, 4.5), layout="constrained") as figure:
        axes = figure.subplots()
        if len(titles) == 1:
            _bars(axes, distribution)
            axes.set_xlabel(titles[0])
            axes.set_ylabel("share of deals, %")
        else:
            image = _squares(axes, distribution)
            axes.set_ylabel(titles[0])
            axes.set_xlabel(titles[1])
            figure.colorbar(image, label="share of deals, %")


@contextmanager
def figure_in(
    out: BinaryIO,
    kind: str,
    title: str,
    sizes: tuple[int, int],
    **options: Any,
) -> Iterator[Figure]:
    """Make a figure with a title, and write it at the end of the block.

    `sizes` are those of the title and of other text, in points, and `options` those of
    `matplotlib.figure.Figure`. Equal figures are equal files.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("plot") from None
    rules: Any = {"svg.hashsalt": "pavcodec", "svg.fonttype": "none", "font.size": sizes[1]}
    no_date = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with rc_context(rules):
        figure = Figure(**options)
        figure.suptitle(title_lines(title), fontsize=sizes[0])
        yield figure
        figure.savefig(out, format=kind, dpi=150, metadata=no_date.get(kind, {}))


def title_lines(text: str) -> str:
    """Return a title in at most three lines; the end of a longer one is replaced by an ellipsis.

    >>> title_lines("hcp(south): 53,644,737,765,488,792,839,237,440,000 deals")
    'hcp(south): 53,644,737,765,488,792,839,237,440,000 deals'
    """
    shown = wrap(text, _WIDTH, max_lines=_MOST_LINES, placeholder=" …", break_on_hyphens=False)
    return "\n".join(shown)


def _bars(axes: Axes, distribution: Distribution[Any] | SampledDistribution[Any]) -> None:
    values = [value for value in distribution if isinstance(value, int)]
    heights = [100 * distribution.counts[value] / distribution.total for value in values]
    errors = None
    if isinstance(distribution, SampledDistribution):
        ends = [(distribution[value].low, distribution[value].high) for value in values]
        below = [h - float(100 * low) for h, (low, _) in zip(heights, ends, strict=True)]
        above = [float(100 * high) - h for h, (_, high) in zip(heights, ends, strict=True)]
        errors = [below, above]
    axes.bar(values, heights, yerr=errors, capsize=2, color=BLUE, edgecolor=_INK, ecolor=_INK)
    axes.locator_params(axis="x", integer=True)
    axes.grid(axis="y", alpha=0.3)
    axes.set_axisbelow(True)


def _squares(axes: Axes, distribution: Distribution[Any] | SampledDistribution[Any]) -> Any:
    rows = [value for value in distribution if isinstance(value, tuple)]
    lows = [min(row[column] for row in rows) for column in (0, 1)]
    highs = [max(row[column] for row in rows) for column in (0, 1)]
    cells = [
        [
            100 * distribution.counts.get((down, across), 0) / distribution.total
            for across in range(lows[1], highs[1] + 1)
        ]
        for down in range(lows[0], highs[0] + 1)
    ]
    extent = (lows[1] - 0.5, highs[1] + 0.5, lows[0] - 0.5, highs[0] + 0.5)
    return axes.imshow(cells, origin="lower", extent=extent, aspect="auto", cmap="Blues")
