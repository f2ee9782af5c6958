"""Actions that print each deal, in the layouts of the classic program and of DealerV2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from pavcodec.boards import Vulnerability
from pavcodec.boards.vulnerability import dealer_of_board
from pavcodec.cards import SEAT_LETTERS, SUIT_LETTERS, Seat
from pavcodec.constraints.language.actions import (
    Export,
    PrintAll,
    PrintCompact,
    PrintHands,
    PrintOneLine,
    PrintPbn,
    PrintReport,
    PrintSide,
    PrintText,
    Term,
)
from pavcodec.constraints.scripts.jobs import Dealt, Job, Run

__all__ = [
    "ExportingHands",
    "PrintingAll",
    "PrintingCompact",
    "PrintingHands",
    "PrintingOneLine",
    "PrintingPbn",
    "PrintingReport",
    "PrintingSide",
    "PrintingText",
]

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


class PrintingAll(Job):
    """The four hands side by side."""

    def __init__(self, run: Run, _: PrintAll) -> None:
        super().__init__(run)

    def see(self, dealt: Dealt) -> None:
        """Print a deal."""
        self.write(f"{dealt.number:4d}.\n{''.join(_rows(dealt.hands))}\n")


class PrintingSide(Job):
    """The hands of a side, side by side."""

    def __init__(self, run: Run, action: PrintSide) -> None:
        super().__init__(run)
        self.seats = action.left, action.right

    def see(self, dealt: Dealt) -> None:
        """Print a deal."""
        self.write(f"{''.join(_rows(dealt.hands[seat] for seat in self.seats))}\n")


class PrintingCompact(Job):
    """A line for each hand, and optionally a line with a number."""

    def __init__(self, run: Run, action: PrintCompact) -> None:
        super().__init__(run)
        self.expression = action.expression

    def see(self, dealt: Dealt) -> None:
        """Print a deal."""
        for letter, hand in zip(SEAT_LETTERS.lower(), dealt.hands, strict=True):
            self.write(f"{letter} {hand}\n")
        if self.expression is not None:
            self.write(f"{dealt.drawn.value(self.expression)}\n")


class PrintingOneLine(Job):
    """The deal in a line, optionally with a number at its end."""

    def __init__(self, run: Run, action: PrintOneLine) -> None:
        super().__init__(run)
        self.expression = action.expression

    def see(self, dealt: Dealt) -> None:
        """Print a deal."""
        self.write(_one_line(dealt, Seat))
        if self.expression is not None:
            self.write(str(dealt.drawn.value(self.expression)))
        self.write("\n")


def _one_line(dealt: Dealt, seats: Iterable[Seat]) -> str:
    """Return some hands in a line, each with its seat before it and a blank after it."""
    return "".join(f"{seat.letter.lower()} {dealt.hands[seat]} " for seat in seats)


class PrintingPbn(Job):
    """A board in PBN."""

    def __init__(self, run: Run, _: PrintPbn) -> None:
        super().__init__(run)

    def see(self, dealt: Dealt) -> None:
        """Print a deal."""
        number = dealt.number
        dealer = dealer_of_board(number) if self.run.dealer is None else self.run.dealer
        vulnerable = self.run.vulnerable or Vulnerability.of_board(number)
        text = _PBN.format(
            event=self.run.event,
            date=self.run.date,
            number=number,
            dealer=dealer.letter,
            vulnerable=vulnerable.value,
            deal=f"N:{' '.join(dealt.hands)}",
        )
        self.write(text)


class PrintingText(Job):
    """Texts and numbers."""

    def __init__(self, run: Run, action: PrintText) -> None:
        super().__init__(run)
        self.parts = action.parts

    def see(self, dealt: Dealt) -> None:
        """Print the texts and numbers of a deal."""
        for part in self.parts:
            self.write(part if isinstance(part, str) else str(dealt.drawn.value(part)))


class PrintingHands(Job):
    """At the end, the hands of each of some seats."""

    def __init__(self, run: Run, action: PrintHands) -> None:
        super().__init__(run)
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
                heads = [f"{number + place:4d}." for place in range(len(row))]
                self.write("".join(head.ljust(_COLUMN) for head in heads) + "\n")
                self.write("".join(_rows(row)) + "\n")
                number += len(row)
            self.write("\f")


class PrintingReport(Job):
    """A row of a report: a blank, and the columns between commas."""

    def __init__(self, run: Run, action: PrintReport) -> None:
        super().__init__(run)
        self.terms = action.terms
        if action.is_file:
            self.write = run.rows.write

    def see(self, dealt: Dealt) -> None:
        """Print a row."""
        self.write(f" {','.join(self._cell(term, dealt) for term in self.terms)}\n")

    def _cell(self, term: Term, dealt: Dealt) -> str:
        if isinstance(term, str):
            return f"'{term}'"
        if not isinstance(term, tuple):
            return str(dealt.drawn.value(term))
        seats = [each for each in term if isinstance(each, Seat)]
        if seats:
            return _one_line(dealt, seats)
        return ",".join(str(dealt.drawn.value(each)) for each in term if not isinstance(each, Seat))


class ExportingHands(Job):
    """A line of hands as `predeal` takes them, each with its seat before it."""

    def __init__(self, run: Run, action: Export) -> None:
        super().__init__(run)
        self.seats = action.seats
        self.write = run.exported.write

    def see(self, dealt: Dealt) -> None:
        """Write a line; a void is left out."""
        hands = []
        for seat in self.seats:
            suits = zip(SUIT_LETTERS, dealt.hands[seat].split("."), strict=True)
            held = ",".join(f"{letter}{ranks}" for letter, ranks in suits if ranks)
            hands.append(f"-{seat.letter} {held} ")
        self.write(f"{' '.join(hands)}\n")
