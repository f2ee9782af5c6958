"""Plots: a title with the condition, labelled axes, and series that differ in grey as well."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import pytest
from packages import needs

import pavcodec as pav
from pavcodec.chances.distributions import draw_distribution, title_lines
from pavcodec.statistics import report as plots
from pavcodec.statistics.report import draw_statistics

needs("matplotlib")

LEAST = 0.1
"""The least difference of two greys, of 1 from black to white, that people see on paper."""
GIVEN = "spades(north) >= 5 && hcp(north) <= 10"


def grey(colours: Any) -> Any:
    """The luminance of red, green and blue, as printers compute it."""
    return np.asarray(colours)[..., :3] @ np.array([0.299, 0.587, 0.114])


def picture(kind: str, numbers: list[str]) -> bytes:
    out = io.BytesIO()
    found = pav.distribution(*numbers, given=GIVEN)
    draw_distribution(found, out, kind, numbers, given=GIVEN)
    return out.getvalue()


def words_of(svg: bytes) -> str:
    return " ".join(re.findall(r">([^<>]+)</(?:text|tspan)>", svg.decode()))


def test_colours_of_series_are_different_greys() -> None:
    from matplotlib.colors import to_rgb

    levels = sorted([*(float(grey(to_rgb(each))) for each in plots._COLOURS), 1.0])
    assert min(np.diff(levels)) >= LEAST
    assert len(set(plots._MARKERS)) == len(plots._COLOURS) == 4


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [["hcp(north)"], ["hcp(north)", "spades(south)"]])
def test_titles_and_axes(numbers: list[str]) -> None:
    words = words_of(picture("svg", numbers))
    assert "deals with spades(north)" in words
    assert "share of deals, %" in words
    for number in numbers:
        assert words.count(number) >= 2  # in the title and at an axis


@pytest.mark.slow
def test_bars_are_dark_on_white() -> None:
    from matplotlib.image import imread

    pixels = grey(imread(io.BytesIO(picture("png", ["hcp(north)"])), format="png"))
    bars = pixels[(pixels > 0.25) & (pixels < 0.45)]
    assert len(bars) > pixels.size / 20
    assert pixels.max() == pytest.approx(1)


def test_a_long_condition_is_shortened() -> None:
    lines = title_lines("a condition " * 100).split("\n")
    assert len(lines) == 3
    assert lines[-1].endswith("…")


@pytest.mark.slow
def test_bars_of_samples_reach_to_the_ends_of_their_intervals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from matplotlib.axes import Axes

    drawn: list[Any] = []
    monkeypatch.setattr(Axes, "bar", lambda _, *given, **more: drawn.append((*given, more["yerr"])))
    found = pav.distribution("aces(north)", simulate=200, seed=7)
    draw_distribution(found, io.BytesIO(), "svg", ["aces(north)"])
    [(values, heights, (below, above))] = drawn
    for value, height, down, up in zip(values, heights, below, above, strict=True):
        interval = found[value]
        assert height - down == pytest.approx(float(100 * interval.low))
        assert height + up == pytest.approx(float(100 * interval.high))


@pytest.mark.slow
def test_the_title_of_statistics_has_the_condition() -> None:
    space = pav.deals(GIVEN)
    assert isinstance(space, pav.ConstrainedDeals)
    found = pav.stats(space.sample_many(500, seed=1), given=space)
    out = io.BytesIO()
    draw_statistics(found, out, "svg")
    words = words_of(out.getvalue())
    assert "500 deals with spades(north)" in words
    for unit in ("cards", "pattern", "points", "controls", "standard deviations"):
        assert unit in words
    sections = ("Length of suits", "Patterns", "High-card points", "Controls")
    for title in (*sections, "Suits of both", "Longest suit of a side", "Points of both"):
        assert title in words


@pytest.mark.slow
def test_a_single_deal_has_a_picture_without_marks() -> None:
    out = io.BytesIO()
    draw_statistics(pav.stats(pav.numbering("deal").sample(1, seed=1)), out, "svg")
    assert "1 deal: observed" in words_of(out.getvalue())
