"""Actions: the output for the deals, in the layouts of the classic dealer program.

Actions that print process the deals one by one, in order. Actions that only sum values process
batches, as arrays, if their expressions need only the cards. `rnd` draws in the order of the
actions, so an action with `rnd` processes the deals one by one as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TextIO, TypeVar

from pavcodec.boards import Vulnerability
from pavcodec.boards.board import dealer_of_board
from pavcodec.boards.par import Par, duplicate_score, imps
from pavcodec.cards import SUIT_LETTERS, Seat, Strain
from pavcodec.constraints.evaluation import Evaluation, kinds_in
from pavcodec.constraints.language.actions import (
    Action,
    Average,
    Counted,
    EvalContract,
    Frequency,
    Hands,
    OfPar,
    Print,
    PrintHands,
)
from pavcodec.constraints.language.decimals import as_text, places_of
from pavcodec.constraints.nodes.syntax import Node, Python, Random, Tricks

if TYPE_CHECKING:
    from pavcodec.constraints.columns import Columns
    from pavcodec.constraints.vectors import Chunk, Values


# What the actions of a run have in common.


@dataclass(frozen=True)
class Run:
    """The values that all actions of a run share: outputs, and the numbers and names of boards."""

    out: TextIO
    rows: TextIO
    exported: TextIO
    dealer: Seat | None
    vulnerable: Vulnerability | None
    first_number: int
    event: str
    date: str


class Dealt:
    """A deal with its number and its values; its hands are written once for all actions."""

    def __init__(self, number: int, drawn: Evaluation) -> None:
        self.number = number
        self.drawn = drawn

    @cached_property
    def hands(self) -> list[str]:
        """The hands of N, E, S and W as suits between dots; a void is empty."""
        return self.drawn.deal.to_pbn()[2:].split(" ")


A = TypeVar("A", bound=Action)


class Job(Generic[A]):
    """An action of a run: it processes each deal, and then finishes."""

    def __init__(self, run: Run, action: A) -> None:
        self.run = run
        self.action = action
        self.write = run.out.write

    def see(self, dealt: Dealt) -> None:
        """Take in a deal."""

    def finish(self) -> None:
        """Print the results that need all deals."""


class Tally(Job[A]):
    """An action that only sums the values of its expressions, in any order."""

    def see(self, dealt: Dealt) -> None:
        """Take in a deal."""
        self.add([dealt.drawn.value(node) for node in self.action.expressions])

    def add(self, values: Sequence[int]) -> None:
        """Add the values of the expressions for a deal."""
        raise NotImplementedError

    def add_many(self, columns: Sequence[Values]) -> None:
        """Add a column of values, `int64[n]`, for each of the expressions."""
        for values in zip(*(column.tolist() for column in columns), strict=True):
            self.add(values)


# Actions that print each deal, in the layouts of the classic program and of DealerV2.


_COLUMN = 20
_SIDE_BY_SIDE = 4
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


def _rows(hands: Iterable[str]) -> Iterator[str]:
    """Yield a line a suit, with the hands in columns; a void is a dash."""
    for holdings in zip(*(hand.split(".") for hand in hands), strict=True):
        cells = ["".join(f"{rank} " for rank in holding or "-") for holding in holdings]
        yield "".join(cell.ljust(_COLUMN) for cell in cells[:-1]) + cells[-1] + "\n"


def _in_columns(dealt: Dealt, seats: Iterable[Seat], _: Run) -> str:
    """Return the hands side by side."""
    return "".join(_rows(dealt.hands[seat] for seat in seats))


def _in_lines(dealt: Dealt, seats: Iterable[Seat], _: Run) -> str:
    """Return the hands below one another, each with its seat before it."""
    return "".join(f"{seat.letter.lower()} {dealt.hands[seat]}\n" for seat in seats)


def _in_a_line(dealt: Dealt, seats: Iterable[Seat], _: Run) -> str:
    """Return the hands in a line, each with its seat before it and a blank after it."""
    return "".join(f"{seat.letter.lower()} {dealt.hands[seat]} " for seat in seats)


def _as_board(dealt: Dealt, seats: Iterable[Seat], run: Run) -> str:
    """Return the hands side by side, with the number of the deal above them."""
    return f"{dealt.number:4d}.\n{_in_columns(dealt, seats, run)}"


def _as_pbn(dealt: Dealt, _: Iterable[Seat], run: Run) -> str:
    """Return the board in PBN."""
    number = dealt.number
    return _PBN.format(
        event=run.event,
        date=run.date,
        number=number,
        dealer=(dealer_of_board(number) if run.dealer is None else run.dealer).letter,
        vulnerable=(run.vulnerable or Vulnerability.of_board(number)).value,
        deal=f"N:{' '.join(dealt.hands)}",
    )


def _as_predeal(dealt: Dealt, seats: Iterable[Seat], _: Run) -> str:
    """Return the hands as `predeal` takes them, without voids, each with its seat before it."""
    hands = []
    for seat in seats:
        suits = zip(SUIT_LETTERS, dealt.hands[seat].split("."), strict=True)
        held = ",".join(f"{letter}{ranks}" for letter, ranks in suits if ranks)
        hands.append(f"-{seat.letter} {held} ")
    return " ".join(hands)


_LAYOUTS: dict[str, Callable[[Dealt, Iterable[Seat], Run], str]] = {
    "columns": _in_columns,
    "lines": _in_lines,
    "line": _in_a_line,
    "board": _as_board,
    "pbn": _as_pbn,
    "predeal": _as_predeal,
}


class Printing(Job[Print]):
    """Texts, numbers and hands of each deal."""

    def __init__(self, run: Run, action: Print) -> None:
        super().__init__(run, action)
        self.write = {"csvrpt": run.rows, "export": run.exported}.get(action.word, run.out).write

    def see(self, dealt: Dealt) -> None:
        """Print a deal."""
        texts = []
        for part in self.action.parts:
            if isinstance(part, Hands):
                texts.append(_LAYOUTS[part.layout](dealt, part.seats, self.run))
            elif isinstance(part, OfPar):
                texts.append(_contract_of(dealt.drawn.par(part.par), part.par.vulnerable))
            else:
                texts.append(part if isinstance(part, str) else _shown(part, dealt.drawn))
        self.write("".join(texts))


def _shown(number: Node, drawn: Evaluation) -> str:
    """Return the value of a number for a deal, with its decimals."""
    return as_text(drawn.value(number), places_of(number))


def _contract_of(best: Par, vulnerable: Vulnerability) -> str:
    """Return the contract of par as DealerV2 prints it: a contract that fails has a star.

    Of several contracts it is the first by strain from notrump down, as in `SidesParBin` of DDS.

    >>> from pavcodec.boards.par import ParContract
    >>> made = ParContract(3, Strain.NOTRUMP, (Seat.NORTH, Seat.SOUTH), 1)
    >>> failed = ParContract(4, Strain.SPADES, (Seat.EAST,), -1)
    >>> _contract_of(Par(430, (made,)), Vulnerability.ALL)
    "' 3N  by NS both'"
    >>> _contract_of(Par(100, (failed,)), Vulnerability.NONE)
    "' 4S* by E none'"
    """
    words = "both" if vulnerable is Vulnerability.ALL else vulnerable.value.lower()
    if not best.contracts:
        return f"'pass {words}'"
    first = min(best.contracts, key=lambda contract: (contract.strain, contract.level))
    star = "*" if first.over < 0 else " "
    declarers = "".join(seat.letter for seat in first.declarers)
    return f"' {first.level}{first.strain.letters[0]}{star} by {declarers} {words}'"


class PrintingHands(Job[PrintHands]):
    """At the end, the hands of each of some seats."""

    def __init__(self, run: Run, action: PrintHands) -> None:
        super().__init__(run, action)
        self.hands: dict[Seat, list[str]] = {seat: [] for seat in action.seats}

    def see(self, dealt: Dealt) -> None:
        """Keep the hands."""
        for seat, kept in self.hands.items():
            kept.append(dealt.hands[seat])

    def finish(self) -> None:
        """Print the hands, four side by side."""
        for seat, kept in self.hands.items():
            self.write(f"\n\n{seat.name.title()} hands:\n\n\n\n")
            hands = iter(kept)
            number = self.run.first_number
            while row := list(islice(hands, _SIDE_BY_SIDE)):
                heads = [f"{number + offset:4d}." for offset in range(len(row))]
                self.write("".join(head.ljust(_COLUMN) for head in heads) + "\n")
                self.write("".join(_rows(row)) + "\n")
                number += len(row)
            self.write("\f")


# Actions that sum values: averages, frequencies and contracts, printed at the end.


_DIGITS = 6
_MOST_TRICKS = 13
_GAMES = {Strain.NOTRUMP: 3, Strain.SPADES: 4, Strain.HEARTS: 4}
_SLAMS = {12: 6, 13: 7}


class Averaging(Tally[Average]):
    """The average of a number."""

    def __init__(self, run: Run, action: Average) -> None:
        super().__init__(run, action)
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
        label = "" if self.action.label is None else f"{self.action.label}: "
        unit = 10 ** places_of(self.action.expression)
        self.write(f"{label}{quotient(self.total, self.count * unit)}\n")


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


class Counting(Tally[Frequency]):
    """Counts the values of one number, or of two; values out of range count as Low and High."""

    def __init__(self, run: Run, action: Frequency) -> None:
        super().__init__(run, action)
        self.rows, *columns = self.axes = action.axes
        self.columns = columns[0] if columns else None
        self.width = self.columns.buckets + 2 if self.columns else 1
        self.counts = [0] * ((self.rows.buckets + 2) * self.width)

    def add(self, values: Sequence[int]) -> None:
        """Count the values for a deal."""
        cell = 0
        for axis, value in zip(self.axes, values, strict=True):
            bucket = 1 + (value - axis.low) // axis.size
            cell = cell * (axis.buckets + 2) + min(max(bucket, 0), axis.buckets + 1)
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
        counts = np.bincount(cells)
        for cell in np.flatnonzero(counts).tolist():
            self.counts[cell] += int(counts[cell])

    def finish(self) -> None:
        """Print the list or the table."""
        label, columns = self.action.label or "", self.columns
        if self.action.word == "frequency":
            self.write(f"Frequency {label}:\n")
            if columns is None:
                for name, count in self._shown():
                    self.write(f"{name}\t{count:8d}\n")
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
        names = _names(self.rows, 5)
        last = len(names) - 1
        pairs = list(zip(names, self.counts, strict=True))
        return [pair for index, pair in enumerate(pairs) if pair[1] or 0 < index < last]

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
        names = [grid.low, *_names(self.rows, 4)[1:], "Sum"]
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
    lows = (counted.low + bucket * counted.size for bucket in range(counted.buckets))
    return ["Low", *(as_text(low, counted.places).rjust(width) for low in lows), "High"]


class EvaluatingContract(Tally[EvalContract]):
    """The average score of a contract, and the cost of missed games and slams."""

    def __init__(self, run: Run, action: EvalContract) -> None:
        super().__init__(run, action)
        self.contract = action.contract
        self.deals = [0] * (_MOST_TRICKS + 1)

    def add(self, values: Sequence[int]) -> None:
        """Add the tricks of a deal."""
        self.deals[values[0]] += 1

    def finish(self) -> None:
        """Print two lines, as DealerV2 does."""
        total = sum(self.deals)
        scores = [self._score(self.contract.level, self.contract.doubled, n) for n in range(14)]
        made = sum(n for n, score in zip(self.deals, scores, strict=True) if score > 0)
        points = sum(n * score for n, score in zip(self.deals, scores, strict=True))
        self.write(
            f"\nContract {self._name():>6} by {self.action.side:>3} Average Result = "
            f"{_padded(points, total, 8)}, Made pct= {_padded(100 * made, total, 7)}, "
            f"Fail pct= {_padded(100 * (total - made), total, 7)}\n"
        )
        game = _GAMES.get(self.contract.strain, 5)
        games, game_imps = self._missed(
            game, dict.fromkeys(range(game + 6, _MOST_TRICKS + 1), game)
        )
        slams, slam_imps = self._missed(6, _SLAMS)
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

    def _missed(self, least: int, levels: dict[int, int]) -> tuple[int, int]:
        """Return the deals with a bonus that the contract is below, and the IMPs that it costs.

        `least` is the lowest level with this bonus; `levels` has what each number of tricks makes.
        """
        own = self.contract.level
        if own >= least:
            return 0, 0
        lost = [
            self.deals[tricks] * imps(self._score(level, 0, tricks) - self._score(own, 0, tricks))
            for tricks, level in levels.items()
        ]
        return sum(self.deals[tricks] for tricks in levels), sum(lost)


def _padded(total: int, count: int, width: int) -> str:
    """Return a quotient as `% 8.2f` prints it: with a blank in place of a plus sign."""
    shown = _fixed(total, count)
    return (shown if shown.startswith("-") else f" {shown}").rjust(width)


_FEW = 4096
"""The most deals for which no arrays are loaded."""

_IN_CACHE = 1 << 14
"""The number of deals whose arrays fit into the cache of the processor."""

_SOLVED_AT_ONCE = 16
"""The number of deals that are solved together while earlier deals wait to be printed."""


def run_actions(  # noqa: PLR0913 (keywords)
    actions: Sequence[Action],
    drawn: Iterable[Evaluation | Chunk],
    out: TextIO,
    *,
    rows: TextIO | None = None,
    exported: TextIO | None = None,
    dealer: Seat | None = None,
    vulnerable: Vulnerability | None = None,
    first_number: int = 1,
    event: str = "Hand simulated by pavcodec",
    date: str = "????.??.??",
) -> int:
    r"""Print the results of the actions for the deals, and return the number of deals.

    The deals come with the values of their expressions, one by one or in batches; only `print`
    stores them. Boards are numbered from `first_number`; if `dealer` or `vulnerable` is None, PBN
    has those of the board's number. `event` and `date` are tags of PBN. `csvrpt` writes to `rows`
    and `export` to `exported`; the default of both is `out`.

    >>> import sys
    >>> from pavcodec import Deal
    >>> from pavcodec.constraints.language.parser import parse_script
    >>> deal = Deal(bytes(card % 4 for card in range(52)))
    >>> script = parse_script(r'action printes ("hcp ", hcp(south), \n), average spades(north)')
    >>> run_actions(script.actions, [Evaluation(deal)], sys.stdout)
    hcp 10
    4
    1
    """
    rows, exported = rows or out, exported or out
    run = Run(out, rows, exported, dealer, vulnerable, first_number, event, date)
    report = _Report(run, actions)
    for each in report.solved(drawn):
        report.take(each)
    return report.finish()


class _Report:
    """All actions at work."""

    def __init__(self, run: Run, actions: Sequence[Action]) -> None:
        self._jobs = [_JOBS[type(action)](run, action) for action in actions]
        self._first = self._number = run.first_number
        self._in_turn: list[Job[Any]] = []
        self._asked: list[Node] = []  # the expressions of these
        self._tallies: list[Tally[Any]] = []
        for job, action in zip(self._jobs, actions, strict=True):
            nodes = action.expressions
            if isinstance(job, Tally) and not any(kinds_in(n) & {Random, Python} for n in nodes):
                self._tallies.append(job)
            else:
                self._in_turn.append(job)
                self._asked += nodes
        self._added_up = [node for tally in self._tallies for node in tally.action.expressions]
        self._waiting: list[Evaluation] = []
        self._columns: Columns | None = None

    def solved(self, drawn: Iterable[Evaluation | Chunk]) -> Iterable[Evaluation | Chunk]:
        """Yield deals, with the tricks solved that the actions need."""
        if not any(Tricks in kinds_in(node) for node in self._asked):
            return drawn
        deals = (
            each
            for some in drawn
            for each in ((some,) if isinstance(some, Evaluation) else some.evaluations())
        )
        return self._solved(deals, _SOLVED_AT_ONCE, self._asked)

    def _solved(
        self, deals: Iterable[Evaluation], most: int, asked: Sequence[Node] = ()
    ) -> Iterator[Evaluation]:
        nodes = [*asked, *self._added_up]
        if not any(Tricks in kinds_in(node) for node in nodes):
            return iter(deals)
        from pavcodec.constraints.columns import solved_ahead

        return solved_ahead(deals, nodes, most)

    def take(self, drawn: Evaluation | Chunk) -> None:
        """Process deals."""
        if isinstance(drawn, Evaluation):
            self._see(drawn)
            if self._tallies:
                self._waiting.append(drawn)
                if len(self._waiting) >= _FEW:
                    self._tally_waiting()
            return
        if self._in_turn:
            for each in drawn.evaluations():
                self._see(each)
        else:
            self._number += len(drawn)
        if self._tallies:
            self._tally_all(drawn)

    def _see(self, drawn: Evaluation) -> None:
        """Process a deal with the actions that need the deals in order."""
        if self._in_turn:
            dealt = Dealt(self._number, drawn)
            for job in self._in_turn:
                job.see(dealt)
        self._number += 1

    def _tally_waiting(self) -> None:
        from pavcodec.constraints.vectors import Chunk

        self._tally_all(Chunk.of(self._waiting))
        self._waiting = []

    def _tally_all(self, deals: Chunk) -> None:
        """Process deals with the actions that only sum values, a column for each expression."""
        from pavcodec.constraints.columns import Columns

        self._columns = self._columns or Columns(*self._added_up)
        for start in range(0, len(deals), _IN_CACHE):
            chunk = deals.pick(slice(start, start + _IN_CACHE))
            for piece in self._columns.pieces(chunk):
                marked = piece.marked.tolist()
                columns = iter(
                    [c[~piece.marks] for c in piece.columns] if marked else piece.columns
                )
                for tally in self._tallies:
                    tally.add_many([next(columns) for _ in tally.action.expressions])
                for row in marked:
                    dealt = Dealt(row, chunk.evaluation(row))
                    for tally in self._tallies:
                        tally.see(dealt)

    def finish(self) -> int:
        """Finish all actions; return the number of deals."""
        if self._columns is not None and self._waiting:
            self._tally_waiting()
        for number, each in enumerate(self._solved(self._waiting, _FEW), self._first):
            dealt = Dealt(number, each)
            for tally in self._tallies:
                tally.see(dealt)
        for job in self._jobs:
            job.finish()
        return self._number - self._first


_JOBS: dict[type[Action], Callable[..., Job[Any]]] = {
    Print: Printing,
    PrintHands: PrintingHands,
    Average: Averaging,
    Frequency: Counting,
    EvalContract: EvaluatingContract,
}
