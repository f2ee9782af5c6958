"""Actions that sum values: averages, frequencies and contracts, printed at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from pavcodec.boards.scoring import duplicate_score, imps
from pavcodec.cards import Strain
from pavcodec.constraints.language.actions import Average, Counted, EvalContract, Frequency
from pavcodec.constraints.scripts.jobs import Run, Tally

if TYPE_CHECKING:
    from pavcodec.constraints.arrays.operators import Values

__all__ = ["Averaging", "Counting", "EvaluatingContract", "quotient"]

_DIGITS = 6
_MOST_TRICKS = 13
_GAMES = {Strain.NOTRUMP: 3, Strain.SPADES: 4, Strain.HEARTS: 4}
_SLAMS = {12: 6, 13: 7}


class Averaging(Tally):
    """The average of a number."""

    def __init__(self, run: Run, action: Average) -> None:
        super().__init__(run, [action.expression])
        self.label = "" if action.label is None else f"{action.label}: "
        self.total = 0
        self.count = 0

    def add(self, values: Sequence[int]) -> None:
        """Add a value."""
        self.total += values[0]
        self.count += 1

    def add_many(self, columns: Sequence[Values]) -> None:
        """Add many values."""
        self.total += _sum(columns[0])
        self.count += len(columns[0])

    def finish(self) -> None:
        """Print the average."""
        self.write(f"{self.label}{quotient(self.total, self.count)}\n")


def _sum(values: Values) -> int:
    """Return an exact sum."""
    if not len(values):
        return 0
    most = max(abs(int(values.min())), abs(int(values.max())))
    return int(values.sum()) if most * len(values) < 1 << 63 else sum(values.tolist())


def quotient(total: int, count: int) -> str:
    """Return a quotient with six digits, as `%g` prints it; a dash if nothing was counted.

    >>> quotient(1, 3), quotient(30, 10), quotient(-7, 2), quotient(10**7, 3), quotient(0, 0)
    ('0.333333', '3', '-3.5', '3.33333e+06', '-')
    """
    if not count:
        return "-"
    value = Context(prec=_DIGITS).divide(Decimal(total), Decimal(count)).normalize()
    exponent = value.adjusted()
    if not value or -4 <= exponent < _DIGITS:
        return format(value, "f")
    return f"{value.scaleb(-exponent):f}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def _fixed(total: int, count: int) -> str:
    """Return a quotient with two digits after the point; a dash if nothing was counted.

    >>> _fixed(1, 3), _fixed(-25, 10), _fixed(0, 0)
    ('0.33', '-2.50', '-')
    """
    if not count:
        return "-"
    hundredths = round(Fraction(100 * total, count))
    whole, rest = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else ''}{whole}.{rest:02d}"


class Counting(Tally):
    """Counts the values of one number, or of two; values out of range count as Low and High."""

    def __init__(self, run: Run, action: Frequency) -> None:
        self.axes = [each for each in (action.rows, action.columns) if each is not None]
        super().__init__(run, [axis.expression for axis in self.axes])
        self.action = action
        self.width = 1 if action.columns is None else action.columns.buckets + 2
        self.counts = [0] * ((action.rows.buckets + 2) * self.width)

    def add(self, values: Sequence[int]) -> None:
        """Count the values for a deal."""
        cell = 0
        for axis, value in zip(self.axes, values, strict=True):
            place = 1 + (value - axis.low) // axis.size
            cell = cell * (axis.buckets + 2) + min(max(place, 0), axis.buckets + 1)
        self.counts[cell] += 1

    def add_many(self, columns: Sequence[Values]) -> None:
        """Count the values for many deals."""
        import numpy as np

        cells = np.zeros(len(columns[0]), np.intp)
        for axis, values in zip(self.axes, columns, strict=True):
            above = axis.low + axis.buckets * axis.size
            places = np.clip(values, axis.low - 1, above) - axis.low
            if axis.size > 1:
                places //= axis.size
            cells = cells * (axis.buckets + 2) + np.minimum(places + 1, axis.buckets + 1)
        found = np.bincount(cells)
        for cell in np.flatnonzero(found).tolist():
            self.counts[cell] += int(found[cell])

    def finish(self) -> None:
        """Print the list or the table."""
        label, columns = self.action.label or "", self.action.columns
        if not self.action.has_buckets:
            self.write(f"Frequency {label}:\n")
            if columns is None:
                self._write_list()
            else:
                self._write_table(columns, _CLASSIC)
                self.write("\n")
        elif columns is None:
            self.write(f"\nDescription: {label}\n")
            self._write_buckets()
        else:
            self.write(f"\nDescription: {label} \n")
            self._write_table(columns, _OF_BUCKETS)

    def _shown(self) -> list[tuple[str, int]]:
        """Return the names and counts of the rows; Low and High only if there are any."""
        names = _names(self.action.rows, 5)
        last = len(names) - 1
        pairs = list(zip(names, self.counts, strict=True))
        return [pair for place, pair in enumerate(pairs) if pair[1] or 0 < place < last]

    def _write_list(self) -> None:
        for name, count in self._shown():
            self.write(f"{name}\t{count:8d}\n")

    def _write_buckets(self) -> None:
        total, so_far = sum(self.counts), 0
        self.write("Value\t   Count\t   Pct.\t  CumPct\n")
        for name, count in self._shown():
            so_far += count
            share, up_to_here = (f"{_fixed(100 * each, total):>7}" for each in (count, so_far))
            self.write(f"{name}\t{count:8d}\t{share}\t{up_to_here}\n")
        self.write(f"    \t--------\nTotal\t{total:8d}\t{'100.00':>7}\n")

    def _write_table(self, columns: Counted, grid: _Grid) -> None:
        heads = "".join(f" {head:>{grid.width}}" for head in _names(columns, 0)[1:-1])
        self.write(f"{' ' * grid.indent}Low{heads}{grid.high}    Sum\n")
        rows = [self.counts[at : at + self.width] for at in range(0, len(self.counts), self.width)]
        names = [grid.low, *_names(self.action.rows, 4)[1:], "Sum"]
        sums = [sum(column) for column in zip(*rows, strict=True)]
        for name, counts in zip(names, [*rows, sums], strict=True):
            cells = "".join(f" {count:{grid.width}d}" for count in [*counts, sum(counts)])
            self.write(f"{name:<{grid.names}}{cells}\n")


@dataclass(frozen=True)
class _Grid:
    """The layout of a table: the indents of its parts, and the texts of High and Low."""

    indent: int
    names: int
    width: int
    low: str
    high: str


_CLASSIC = _Grid(indent=8, names=4, width=6, low="Low", high="   High")
_OF_BUCKETS = _Grid(indent=11, names=5, width=8, low=" Low", high="     High")


def _names(counted: Counted, width: int) -> list[str]:
    """Return Low, the lowest value of each bucket, and High."""
    lows = (counted.low + place * counted.size for place in range(counted.buckets))
    return ["Low", *(f"{low:{width}d}" for low in lows), "High"]


class EvaluatingContract(Tally):
    """The average score of a contract, and the cost of missed games and slams."""

    def __init__(self, run: Run, action: EvalContract) -> None:
        super().__init__(run, [action.contract.tricks])
        self.contract = action.contract
        self.side = action.side
        self.deals = [0] * (_MOST_TRICKS + 1)

    def add(self, values: Sequence[int]) -> None:
        """Add the tricks of a deal."""
        self.deals[values[0]] += 1

    def add_many(self, columns: Sequence[Values]) -> None:
        """Add the tricks of many deals."""
        for tricks in columns[0].tolist():
            self.add([tricks])

    def finish(self) -> None:
        """Print two lines, as DealerV2 does."""
        total = sum(self.deals)
        scores = [self._score(self.contract.level, self.contract.doubled, n) for n in range(14)]
        made = sum(n for n, score in zip(self.deals, scores, strict=True) if score > 0)
        points = sum(n * score for n, score in zip(self.deals, scores, strict=True))
        self.write(
            f"\nContract {self._name():>6} by {self.side:>3} Average Result = "
            f"{_padded(points, total, 8)}, Made pct= {_padded(100 * made, total, 7)}, "
            f"Fail pct= {_padded(100 * (total - made), total, 7)}\n"
        )
        (games, game_imps), (slams, slam_imps) = self._missed_games(), self._missed_slams()
        self.write(
            f"Missed Game_pct= {_padded(100 * games, total, 7)}, "
            f"Missed Slam_pct={_padded(100 * slams, total, 7)}, "
            f"Missed Game Imps/board={_padded(game_imps, total, 7)}, "
            f"Missed Slam Imps/board={_padded(slam_imps, total, 7)}\n"
        )

    def _name(self) -> str:
        contract = self.contract
        doubled = "x" * contract.doubled or " "
        vulnerable = "V" if contract.vulnerable else " "
        return f"{contract.level}{contract.strain.letters[0]}{doubled} {vulnerable}"

    def _score(self, level: int, doubled: int, tricks: int) -> int:
        strain, vulnerable = self.contract.strain, self.contract.vulnerable
        return duplicate_score(level, strain, tricks=tricks, vulnerable=vulnerable, doubled=doubled)

    def _missed_games(self) -> tuple[int, int]:
        """Return the deals with a game that the contract is below, and the IMPs that it costs."""
        game = _GAMES.get(self.contract.strain, 5)
        if self.contract.level >= game:
            return 0, 0
        return self._missed(dict.fromkeys(range(game + 6, _MOST_TRICKS + 1), game))

    def _missed_slams(self) -> tuple[int, int]:
        return (0, 0) if self.contract.level >= 6 else self._missed(_SLAMS)

    def _missed(self, levels: dict[int, int]) -> tuple[int, int]:
        """Return deals and IMPs, given the level that each number of tricks would have made."""
        own = self.contract.level
        lost = [
            self.deals[tricks] * imps(self._score(level, 0, tricks) - self._score(own, 0, tricks))
            for tricks, level in levels.items()
        ]
        return sum(self.deals[tricks] for tricks in levels), sum(lost)


def _padded(total: int, count: int, width: int) -> str:
    """Return a quotient as `% 8.2f` prints it: with a blank in place of a plus sign."""
    shown = _fixed(total, count)
    return (shown if shown.startswith("-") else f" {shown}").rjust(width)
