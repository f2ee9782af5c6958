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
from pavcodec.statistics.tally import space_of

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
def test_pictures_of_statistics() -> None:
    """The same picture each time, with its condition; where nothing varies; of a single deal."""
    nine = "spades(west) == 9 && diamonds(east) == 6 && clubs(east) == 6"
    sections = ("Length of suits", "Patterns", "High-card points", "Controls")
    units = (
        "cards",
        "pattern",
        "points",
        "controls",
        "500 deals with spades(north)",
        *sections,
    )
    for given, title, told in (
        (GIVEN, "", (*units, "Suits of both", "Longest suit of a side", "Points of both")),
        (nine, "Nine", ("Nine", "nothing varies")),
    ):
        found = pav.stats(space_of(given).sample_many(500, seed=1), given=given)
        first, second = io.BytesIO(), io.BytesIO()
        for out in (first, second):
            draw_statistics(found, out, "svg", title=title)
        assert first.getvalue() == second.getvalue()
        for each in (*told, "standard deviations"):
            assert each in words_of(first.getvalue())
    out = io.BytesIO()
    draw_statistics(pav.stats(pav.numbering("deal").sample(1, seed=1)), out, "svg")
    assert "1 deal: observed" in words_of(out.getvalue())
