"""Plots of statistics: small panels of observed minus expected, in standard deviations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.cards import Card, Seat
from pavcodec.errors import MissingExtraError
from pavcodec.odds.plots import metadata_of, title_lines
from pavcodec.statistics.chi_square import FEWEST
from pavcodec.statistics.report import Statistics
from pavcodec.statistics.tables import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_statistics"]

_SUITS = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}
_COLOURS = ("#1b1b1b", "#0072B2", "#D55E00", "#E69F00")
"""Colours that people with any colour vision tell apart, and that are four greys on paper."""
_MARKERS = ("o", "^", "s", "D")
_EDGE = "#1b1b1b"
_GREY = "#8a9bb0"
_UNITS = ("cards", "pattern", "points", "controls")
_UNITS_OF_SIDES = ("cards", "cards", "points", "controls")
_TITLES = ("Length of suits", "Patterns", "High-card points", "Controls")
_OF_SIDES = ("Suits of both", "Longest suit of a side", "Points of both", "Controls of both")
_LEAST_RANGE = 4.0
_RANKS = 13

Marks = tuple[list[int], list[float]]


def draw_statistics(found: Statistics, out: BinaryIO, kind: str, *, title: str = "") -> None:
    """Write a plot of statistics: the distance of each count from its expectation.

    `kind` is png, svg or pdf. Each dot is a value, at its distance in standard deviations; 95 of
    100 dots are expected in the grey band from -2 to 2. Values with an expectation below 5 are
    omitted, since their distances are not informative. Raise `PavError` if matplotlib is not
    installed.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("plots") from None
    with rc_context({"svg.hashsalt": "pavcodec", "svg.fonttype": "none", "font.size": 8}):
        figure = Figure(figsize=(11, 13))
        figure.subplots_adjust(0.085, 0.03, 0.985, 0.94, wspace=0.08, hspace=0.55)
        panels = figure.subplots(6, 4, sharey=True)
        for seat, row in zip(Seat, panels, strict=False):
            _draw_seat(found, seat.name.lower(), row)
        _draw_sides(found, panels[4])
        for axes, (suit, sign) in zip(panels[5], _SUITS.items(), strict=True):
            _draw_holders(found, axes, suit, sign)
        most = max(_LEAST_RANGE, *(abs(each) for each in _all_deviations(found)))
        panels[0, 0].set_ylim(-1.1 * most, 1.1 * most)
        for axes in (panels[0, 0], panels[4, 1], panels[5, 0]):
            axes.legend(fontsize=6, ncols=4, loc="upper left", handletextpad=0, columnspacing=0.6)
        for axes in panels.flat:
            _finish(axes)
        given = f" with {found.given}" if found.given else ""
        whole = f"{found.deals:,} deals{given}: observed minus expected"
        figure.suptitle(title_lines(title or whole), fontsize=11)
        figure.supylabel("standard deviations", x=0.01)
        figure.savefig(out, format=kind, dpi=150, metadata=metadata_of(kind))


def _draw_seat(found: Statistics, seat: str, row: Sequence[Axes]) -> None:
    """Draw the four panels of a seat."""
    lengths = [_marks(found["length", f"{seat} {suit}"]) for suit in _SUITS]
    _dots(row[0], lengths, list(_SUITS.values()))
    for axes, section in zip(row[1:], ("pattern", "hcp", "controls"), strict=True):
        _dots(axes, [_marks(found[section, seat])])
    for axes, heading, unit in zip(row, _TITLES, _UNITS, strict=True):
        axes.set_title(heading)
        axes.set_xlabel(unit, labelpad=1)
    names = found["pattern", seat].values
    row[1].xaxis.set_major_formatter(
        lambda place, _: names[int(place)] if 0 <= place < len(names) else ""
    )
    row[1].tick_params(axis="x", labelsize=6)
    row[0].set_ylabel(seat.capitalize())


def _draw_sides(found: Statistics, row: Sequence[Axes]) -> None:
    """Draw the panels of North and South together."""
    _dots(row[0], [_marks(found["fit", suit]) for suit in _SUITS])
    longest = [_marks(found["longest", side], first=7) for side in ("north-south", "east-west")]
    _dots(row[1], longest, ["N–S", "E–W"])
    _dots(row[2], [_marks(found["side-hcp", "north-south"])])
    _dots(row[3], [_marks(found["side-controls", "north-south"])])
    for axes, heading, unit in zip(row, _OF_SIDES, _UNITS_OF_SIDES, strict=True):
        axes.set_title(heading)
        axes.set_xlabel(unit, labelpad=1)
    row[0].set_ylabel("N–S")


def _draw_holders(found: Statistics, axes: Axes, suit: str, sign: str) -> None:
    """Draw the holders of the cards of a suit, from the ace down: a dot for each seat."""
    first = list(_SUITS).index(suit) * _RANKS
    cards = [str(Card(first + place)) for place in range(_RANKS)]
    marks: list[Marks] = [([], []) for _ in Seat]
    for place, card in enumerate(cards):
        for seat, distance in zip(*_marks(found["holder", card]), strict=True):
            marks[seat][0].append(place)
            marks[seat][1].append(distance)
    _dots(axes, marks, [seat.letter for seat in Seat])
    axes.set_xticks(range(_RANKS), [card[1] for card in cards])
    axes.set_title(f"Who holds {sign}")
    axes.set_xlabel("card", labelpad=1)
    if not first:
        axes.set_ylabel("Cards")


def _marks(table: Table, first: int = 0) -> Marks:
    """Return the indexes and the distances of all values with a sufficient expectation."""
    rows = zip(table.deviations, table.expected, strict=True)
    pairs = [
        (place, float(distance))
        for place, (distance, wanted) in enumerate(rows, first)
        if distance is not None and wanted >= FEWEST
    ]
    return [place for place, _ in pairs], [distance for _, distance in pairs]


def _all_deviations(found: Statistics) -> list[float]:
    """Return all distances in the plot."""
    tables = [table for table in found.tables if table.section not in ("shape", "voids")]
    return [distance for table in tables for distance in _marks(table)[1]]


def _dots(axes: Axes, marks: Sequence[Marks], names: Sequence[str] = ()) -> None:
    """Draw rows of dots, each in its colour, with names for the legend."""
    for row, (places, distances) in enumerate(marks):
        name = names[row] if names else ""
        axes.plot(
            places,
            distances,
            _MARKERS[row],
            ms=3,
            color=_COLOURS[row],
            markeredgecolor=_EDGE,
            markeredgewidth=0.3,
            label=name,
        )
    if not any(places for places, _ in marks):
        axes.text(0.5, 0.6, "nothing varies", transform=axes.transAxes, ha="center", color=_GREY)
        axes.set_xticks([])
    else:
        axes.locator_params(axis="x", integer=True, nbins=7)


def _finish(axes: Axes) -> None:
    axes.axhspan(-2, 2, color=_GREY, alpha=0.15, linewidth=0)
    axes.axhline(0, color=_GREY, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.04)
