"""Actions: what is printed of the deals, in the layouts of the classic dealer program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from itertools import islice
from typing import TextIO

from pavcodec.cards import SEAT_LETTERS, Seat
from pavcodec.constraints.actions import (
    Action,
    Average,
    Counted,
    Frequency,
    PrintAll,
    PrintCompact,
    PrintEW,
    PrintHands,
    PrintOneLine,
    PrintPbn,
    PrintText,
)
from pavcodec.constraints.evaluate import Evaluation
from pavcodec.formats import Vulnerability
from pavcodec.layout import Layout

__all__ = ["run_actions"]

_COLUMN = 20
_SIDE_BY_SIDE = 4
_DIGITS = 6
_PBN = """\
[Event "{event}"]
[Site "-"]
[Date "{date}"]
[Board "{number}"]
[West "-"]
[North "-"]
[East "-"]
[South "-"]
[Dealer "{dealer}"]
[Vulnerable "{vulnerable}"]
[Deal "{deal}"]
[Declarer "?"]
[Contract "?"]
[Result "?"]

"""


@dataclass(frozen=True)
class _Run:
    """What all actions of a run share."""

    out: TextIO
    dealer: Seat | None
    vulnerable: Vulnerability | None
    first_number: int
    event: str
    date: str


class _Job:
    """An action at work: it sees every deal, and then has the last word."""

    def __init__(self, run: _Run) -> None:
        self.run = run
        self.write = run.out.write

    def see(self, number: int, drawn: Evaluation) -> None:
        """Take in a deal."""

    def finish(self) -> None:
        """Print what can be told only at the end."""


def run_actions(  # noqa: PLR0913 (keywords)
    actions: Sequence[Action],
    drawn: Iterable[Evaluation],
    out: TextIO,
    *,
    dealer: Seat | None = None,
    vulnerable: Vulnerability | None = None,
    first_number: int = 1,
    event: str = "Hand simulated by pavcodec",
    date: str = "????.??.??",
) -> int:
    r"""Print what the actions say of the deals, and return how many deals there were.

    Deals are taken one by one, each with the values that expressions have for it; only `print`
    keeps them. Boards are numbered from `first_number`; where `dealer` or `vulnerable` is None, PBN
    has those of the board's number. `event` and `date` go into PBN.

    >>> import sys
    >>> from pavcodec import Deal
    >>> from pavcodec.constraints.parser import parse_script
    >>> deal = Deal(bytes(card % 4 for card in range(52)))
    >>> script = parse_script(r'action printes "hcp ", hcp(south), \n, average spades(north)')
    >>> run_actions(script.actions, [Evaluation(deal)], sys.stdout)
    hcp 10
    4
    1
    """
    run = _Run(out, dealer, vulnerable, first_number, event, date)
    jobs = [_JOBS[type(action)](run, action) for action in actions]
    number = first_number
    for each in drawn:
        for job in jobs:
            job.see(number, each)
        number += 1
    for job in jobs:
        job.finish()
    return number - first_number


def _hands(deal: Layout) -> list[str]:
    """Return the hands of N, E, S and W as suits between dots; a void is nothing."""
    return deal.to_pbn()[2:].split(" ")


def _rows(hands: Iterable[str]) -> Iterator[str]:
    """Yield a line a suit, with the hands in columns; a void is a dash."""
    for holdings in zip(*(hand.split(".") for hand in hands), strict=True):
        cells = ["".join(f"{rank} " for rank in holding or "-") for holding in holdings]
        yield "".join(cell.ljust(_COLUMN) for cell in cells[:-1]) + cells[-1] + "\n"


class _PrintingAll(_Job):
    def __init__(self, run: _Run, _: PrintAll) -> None:
        super().__init__(run)

    def see(self, number: int, drawn: Evaluation) -> None:
        self.write(f"{number:4d}.\n{''.join(_rows(_hands(drawn.deal)))}\n")


class _PrintingEW(_Job):
    def __init__(self, run: _Run, _: PrintEW) -> None:
        super().__init__(run)

    def see(self, number: int, drawn: Evaluation) -> None:  # noqa: ARG002
        _, east, _, west = _hands(drawn.deal)
        self.write(f"{''.join(_rows([west, east]))}\n")


class _PrintingCompact(_Job):
    """Prints a hand a line or all in one; a number stands below the hands, or at the line's end."""

    def __init__(self, run: _Run, action: PrintCompact | PrintOneLine) -> None:
        super().__init__(run)
        self.expression = action.expression
        self.is_one_line = isinstance(action, PrintOneLine)

    def see(self, number: int, drawn: Evaluation) -> None:  # noqa: ARG002
        end = " " if self.is_one_line else "\n"
        for letter, hand in zip(SEAT_LETTERS.lower(), _hands(drawn.deal), strict=True):
            self.write(f"{letter} {hand}{end}")
        if self.expression is not None:
            self.write(f"{drawn.value(self.expression)}\n")
        elif self.is_one_line:
            self.write("\n")


class _PrintingPbn(_Job):
    def __init__(self, run: _Run, _: PrintPbn) -> None:
        super().__init__(run)

    def see(self, number: int, drawn: Evaluation) -> None:
        dealer = Seat((number - 1) % 4) if self.run.dealer is None else self.run.dealer
        vulnerable = self.run.vulnerable or Vulnerability.of_board(number)
        text = _PBN.format(
            event=self.run.event,
            date=self.run.date,
            number=number,
            dealer=dealer.letter,
            vulnerable=vulnerable.value,
            deal=drawn.deal.to_pbn(first=Seat.NORTH),
        )
        self.write(text)


class _PrintingText(_Job):
    def __init__(self, run: _Run, action: PrintText) -> None:
        super().__init__(run)
        self.parts = action.parts

    def see(self, number: int, drawn: Evaluation) -> None:  # noqa: ARG002
        for part in self.parts:
            self.write(part if isinstance(part, str) else str(drawn.value(part)))


class _PrintingHands(_Job):
    def __init__(self, run: _Run, action: PrintHands) -> None:
        super().__init__(run)
        self.seats = action.seats
        self.deals: list[Layout] = []

    def see(self, number: int, drawn: Evaluation) -> None:  # noqa: ARG002
        self.deals.append(drawn.deal)

    def finish(self) -> None:
        for seat in self.seats:
            self.write(f"\n\n{seat.name.title()} hands:\n\n\n\n")
            hands = iter([_hands(deal)[seat] for deal in self.deals])
            number = self.run.first_number
            while row := list(islice(hands, _SIDE_BY_SIDE)):
                heads = [f"{number + place:4d}." for place in range(len(row))]
                self.write("".join(head.ljust(_COLUMN) for head in heads) + "\n")
                self.write("".join(_rows(row)) + "\n")
                number += len(row)
            self.write("\f")


class _Averaging(_Job):
    def __init__(self, run: _Run, action: Average) -> None:
        super().__init__(run)
        self.action = action
        self.total = 0
        self.count = 0

    def see(self, number: int, drawn: Evaluation) -> None:  # noqa: ARG002
        self.total += drawn.value(self.action.expression)
        self.count += 1

    def finish(self) -> None:
        label = "" if self.action.label is None else f"{self.action.label}: "
        self.write(f"{label}{_quotient(self.total, self.count)}\n")


def _quotient(total: int, count: int) -> str:
    """Return a quotient with six digits, as `%g` prints it; a dash where nothing was counted.

    >>> _quotient(1, 3), _quotient(30, 10), _quotient(-7, 2), _quotient(10**7, 3), _quotient(0, 0)
    ('0.333333', '3', '-3.5', '3.33333e+06', '-')
    """
    if not count:
        return "-"
    value = Context(prec=_DIGITS).divide(Decimal(total), Decimal(count)).normalize()
    exponent = value.adjusted()
    if not value or -4 <= exponent < _DIGITS:
        return format(value, "f")
    return f"{value.scaleb(-exponent):f}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


class _Counting(_Job):
    """Counts the values of one number; those out of range together, as Low and High."""

    def __init__(self, run: _Run, action: Frequency) -> None:
        super().__init__(run)
        self.action = action
        self.counts: Counter[tuple[int, int]] = Counter()

    def _place(self, counted: Counted, drawn: Evaluation) -> int:
        """Return the value, or the one just outside the range that stands for all outside."""
        value = drawn.value(counted.expression)
        return min(max(value, counted.low - 1), counted.high + 1)

    def see(self, number: int, drawn: Evaluation) -> None:  # noqa: ARG002
        columns = self.action.columns
        column = 0 if columns is None else self._place(columns, drawn)
        self.counts[self._place(self.action.rows, drawn), column] += 1

    def finish(self) -> None:
        self.write(f"Frequency {self.action.label or ''}:\n")
        if self.action.columns is None:
            self._finish_list()
        else:
            self._finish_table(self.action.columns)

    def _finish_list(self) -> None:
        rows = self.action.rows
        for value in _values(rows):
            count = self.counts[value, 0]
            if count or rows.low <= value <= rows.high:
                self.write(f"{_name(rows, value, 5)}\t{count:8d}\n")

    def _finish_table(self, counted: Counted) -> None:
        columns = _values(counted)
        heads = "".join(f"{_name(counted, column, 0):>7}" for column in columns)
        self.write(f"    {heads}    Sum\n")
        for row in _values(self.action.rows):
            self._write_row(_name(self.action.rows, row, 4), [self.counts[row, c] for c in columns])
        sums: Counter[int] = Counter()
        for (_, column), count in self.counts.items():
            sums[column] += count
        self._write_row("Sum", [sums[column] for column in columns])
        self.write("\n")

    def _write_row(self, name: str, counts: list[int]) -> None:
        cells = "".join(f" {count:6d}" for count in [*counts, sum(counts)])
        self.write(f"{name:<4}{cells}\n")


def _values(counted: Counted) -> range:
    """Return the values that are counted one by one, and before and after them Low and High."""
    return range(counted.low - 1, counted.high + 2)


def _name(counted: Counted, value: int, width: int) -> str:
    if value < counted.low:
        return "Low"
    return "High" if value > counted.high else f"{value:{width}d}"


_JOBS: dict[type[Action], Callable[..., _Job]] = {
    PrintAll: _PrintingAll,
    PrintEW: _PrintingEW,
    PrintHands: _PrintingHands,
    PrintPbn: _PrintingPbn,
    PrintCompact: _PrintingCompact,
    PrintOneLine: _PrintingCompact,
    PrintText: _PrintingText,
    Average: _Averaging,
    Frequency: _Counting,
}
