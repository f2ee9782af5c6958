"""Plots of distributions, drawn by matplotlib if it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any, BinaryIO

from pavcodec.errors import MissingExtraError
from pavcodec.odds.distributions import Distribution, SampledDistribution, WeightedDistribution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["BLUE", "draw_distribution", "metadata_of", "title_lines"]

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
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("plots") from None
    figure = Figure(figsize=(8, 4.5), layout="constrained")
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
    deals = "random deals" if isinstance(distribution, SampledDistribution) else "deals"
    with_given = f" with {given}" if given else ""
    of = f"{distribution.total:,} {deals}{with_given}"
    if isinstance(distribution, WeightedDistribution):
        of = f"weighted deals{with_given}"
    figure.suptitle(title_lines(f"{' and '.join(titles)}: {of}"), fontsize=10)
    with rc_context({"svg.hashsalt": "pavcodec", "svg.fonttype": "none"}):
        figure.savefig(out, format=kind, dpi=150, metadata=metadata_of(kind))


def title_lines(text: str) -> str:
    """Return a title in at most three lines; the end of a longer one is replaced by an ellipsis.

    >>> title_lines("hcp(south): 53,644,737,765,488,792,839,237,440,000 deals")
    'hcp(south): 53,644,737,765,488,792,839,237,440,000 deals'
    """
    shown = wrap(text, _WIDTH, max_lines=_MOST_LINES, placeholder=" …", break_on_hyphens=False)
    return "\n".join(shown)


def metadata_of(kind: str) -> dict[str, Any]:
    """Return the options that leave the date out of a file, so that equal plots are equal files."""
    return {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})


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


def _squares(axes: Axes, distribution: Distribution[Any] | SampledDistribution[Any]) -> Any:  # noqa: ANN401
    rows = [value for value in distribution if isinstance(value, tuple)]
    lows = [min(row[place] for row in rows) for place in (0, 1)]
    highs = [max(row[place] for row in rows) for place in (0, 1)]
    cells = [
        [
            100 * distribution.counts.get((down, across), 0) / distribution.total
            for across in range(lows[1], highs[1] + 1)
        ]
        for down in range(lows[0], highs[0] + 1)
    ]
    extent = (lows[1] - 0.5, highs[1] + 0.5, lows[0] - 0.5, highs[0] + 0.5)
    return axes.imshow(cells, origin="lower", extent=extent, aspect="auto", cmap="Blues")
