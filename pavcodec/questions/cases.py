"""Cases: the cases of a condition, with their ways and running totals, as Pavlicek counts them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from pavcodec.cards import Seat
from pavcodec.chances.figures import many
from pavcodec.questions.asking import (
    Answer,
    QuestionError,
    ask,
    function_of,
    note,
    progress,
    refuse_together,
    working,
)
from pavcodec.questions.deals import condition_of_text
from pavcodec.questions.outputs import Out, Output
from pavcodec.questions.words import whole

if TYPE_CHECKING:
    from pavcodec.studies.cases import CaseRow, CaseSequence, CaseTable

_AT_ONCE = 10_000
"""The rows that are measured together to find the widths of columns."""


@dataclass(frozen=True)
class Cases(Output):
    """List patterns and honours with their ways and running totals."""

    name: ClassVar[str] = "cases"
    indent: ClassVar[int | None] = 0  # a line for each case
    examples: ClassVar[str] = """\
  pavcodec cases 'spades(west) == 9'
  pavcodec cases 'hcp(north) == 2 && hcp(south) <= 1' -o weak.cases
  pavcodec cases --listing weak.cases --select 5000000"""
    details: ClassVar[str] = """\
A case is a pattern or an arrangement of honours (A K Q J) of one hand, or a pair of them for two
hands, as in Pavlicek's study of dealing with constraints. The ways of a case are the number of its
hands, or pairs of hands. The running totals end at T; a number from 0 to T - 1 selects the first
case whose total is greater.

Each part of the condition, between &&, must depend on the shape and the honours of one hand. hcp,
lengths, shape, controls, aces, losers and hascard of honours make cases; tens, quality and sums
over two hands do not. Cases are patterns if only shapes matter, honours if only honours matter, and
else both.

-o without --tsv or --json writes a binary listing of 16 bytes a case with an index, for 'pavcodec
deal --listing'. With --resume, an interrupted run leaves its finished part in FILE.part and
FILE.part.index, and the same command continues it."""

    condition: str | None = ask(
        "the condition", default=None, flag="", metavar="EXPR", label="Condition"
    )
    listing: str | None = ask(
        "read the cases from a listing", default=None, group="cases", metavar="FILE", local=True
    )
    select: int | None = ask(
        "print only the case that the number R selects",
        default=None, group="cases", metavar="R", read=whole, most=10**30,
    )  # fmt: skip
    n: int | None = ask(
        "print only the first N cases",
        default=None, flag="-n", group="cases", metavar="N", read=whole, most=1000,
    )  # fmt: skip
    tsv: bool = ask("print columns separated by tabs", default=False, group="output", local=True)
    resume: bool = ask(
        "keep the finished part of an interrupted listing, and continue it",
        default=False, group="output", local=True,
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = {
        "cases": "the cases: the hands, how their ways are computed, the ways and the running "
        "total",
        "where": "the condition",
        "total": "the ways of all cases",
        "cardinality": "the number of deals, in decimal digits",
    }

    def find(self) -> Answer:
        """Return the cases; with an output, write them into a listing."""
        self.check()
        if self.output != "-":
            return self._written()
        found = FoundCases(self, self._table() if self.listing is None else None)
        with found.opened() as cases, working("counting cases"):
            count = len(cases)
            found.stop = count if self.n is None else min(self.n, count)
            if self.select is not None:
                if self.select >= cases.cardinality:
                    if not cases.cardinality:
                        raise QuestionError("{select}: there are no cases", "select")
                    last = cases.cardinality - 1
                    why = f"a number of 0 to {last}, not {self.select}"
                    raise QuestionError("{select} is {why}", "select", why=why)
                found.start = cases.select(self.select)
                found.stop = found.start + 1
        return found

    def check(self) -> None:
        """Raise `QuestionError` if the fields do not go together."""
        if (self.condition is None) == (self.listing is None):
            raise QuestionError(
                "give a condition, as in 'spades(west) == 9', or a file after {listing}"
            )
        refuse_together(self, ["n select"])
        if self.output == "-":
            if self.resume:
                raise QuestionError("{resume} goes with -o, and without {tsv} and --json")
            return
        for name in ("n", "select", "listing"):
            if getattr(self, name) is not None:
                raise QuestionError(
                    f"{{output}} writes a whole listing: {{{name}}} goes with {{tsv}} or --json"
                )
        if os.path.splitext(self.output)[1].lower() not in ("", ".cases"):
            raise QuestionError(f"{self.output}: the output is a listing, with the suffix .cases")

    def _table(self) -> CaseTable:
        """Return the cases of the condition; raise `QuestionError` if it has none."""
        node = condition_of_text(self.condition or "")
        from pavcodec.studies.cases import NotCasesError, case_table

        try:
            with working("looking for hands"):
                return case_table(node)
        except NotCasesError as error:
            raise QuestionError("{said}", "condition", said=error) from None

    def _written(self) -> Answer:
        """Write a binary listing, or the rest of one after an interrupted run."""
        from pavcodec.studies.cases.table import open_partial, write_cases

        out = Out(self.output, force=self.force, is_other=True)
        table = self._table()
        if not self.resume:
            watching = progress(None, "listing", "steps", total=table.steps)
            with out.open() as stream:
                return Listed(write_cases(table, watching.watch(table.chunks()), stream), self)
        with open_partial(table, self.output) as partial:
            if partial.refused:
                note(partial.refused)
            if partial.count:
                note(f"continuing after {many(partial.count, 'case')}")
            watching = progress(None, "listing", "steps", total=partial.steps)
            try:
                return Listed(partial.write(watching.watch(partial.chunks())), self)
            except BaseException:
                if partial.count:
                    kept = many(partial.count, "case")
                    note(f"{kept} kept in {partial.name}: the same command continues from there")
                raise


cases = function_of(Cases)


@dataclass
class Listed(Answer):
    """A listing that was written."""

    count: int
    asked: Cases

    def __post_init__(self) -> None:
        note(f"{many(self.count, 'case')} written to {self.asked.output}")

    def to_dict(self) -> dict[str, Any]:
        """Return the number of cases for JSON."""
        return {"cases": self.count}

    def lines(self) -> Iterator[str]:
        """Yield nothing: the note has all."""
        yield from ()


@dataclass
class FoundCases(Answer):
    """Some of the cases of a condition or of a listing, which may be larger than memory."""

    asked: Cases
    table: CaseTable | None
    start: int = 0
    stop: int = 0

    def opened(self) -> AbstractContextManager[CaseSequence]:
        """Return the cases, of the condition or of the file, which is closed at the end."""
        if self.table is not None:
            return nullcontext(self.table)
        from pavcodec.studies.cases import open_cases

        assert self.asked.listing is not None
        return open_cases(self.asked.listing)

    def _rows(self, cases: CaseSequence) -> Iterator[CaseRow]:
        watching = progress(None, "listing", "cases", total=self.stop - self.start)
        return watching.watch(cases.rows(self.start, self.stop))

    def to_dict(self) -> dict[str, Any]:
        """Return the cases for JSON."""
        row: dict[str, Any] = json.loads("\n".join(self.json_lines()))
        return row

    def json_lines(self) -> Iterator[str]:
        """Yield the JSON of the answer, a line for each case."""
        with self.opened() as cases:
            before = '{"cases": ['
            for row in self._rows(cases):
                told = {"bitmaps": row.bitmaps} if row.bitmaps else {}
                fields = {"case": row.number, "hands": row.hands} | told
                fields |= {"calculation": row.calculation, "ways": row.ways, "total": row.total}
                yield before
                before = json.dumps(fields, ensure_ascii=False) + ","
            yield before.removesuffix(",")
            total = {"where": cases.where, "total": cases.cardinality}
            total["cardinality"] = str(cases.deals.cardinality)
            yield f"], {json.dumps(total)[1:]}"

    def lines(self) -> Iterator[str]:
        """Yield a table in the form of the study and the totals, or columns between tabs."""
        with self.opened() as cases:
            show = _columns if self.asked.tsv else _table
            yield from show(cases, self._rows(cases))


def _columns(cases: CaseSequence, rows: Iterator[CaseRow]) -> Iterator[str]:
    """Yield columns between tabs."""
    seats = [Seat(seat).name.lower() for seat in cases.plan.seats]
    maps = [f"{seat}_bitmap" for seat in seats] if cases.plan.honours else []
    yield "\t".join(["case", *seats, *maps, "calculation", "ways", "total"])
    for row in rows:
        figures = [row.calculation, str(row.ways), str(row.total)]
        yield "\t".join([str(row.number), *row.hands, *row.bitmaps, *figures])


def _table(cases: CaseSequence, rows: Iterator[CaseRow]) -> Iterator[str]:
    """Yield a table in the form of the study, and the totals."""
    heads = cases.heads
    widths = [len(head) for head in heads]
    printed = False
    while chunk := list(islice(rows, _AT_ONCE)):
        cells = [row.cells(len(cases)) for row in chunk]
        widths = [
            max(width, *map(len, column))
            for width, column in zip(widths, zip(*cells, strict=True), strict=True)
        ]
        if not printed:
            yield _line(heads, widths)
            yield _line(["─" * width for width in widths], widths)
            printed = True
        yield from (_line(row, widths) for row in cells)
    yield from [""] * printed
    yield ", ".join(_sums(cases))


def _sums(cases: CaseSequence) -> Iterator[str]:
    """Yield how many cases, hands and deals there are."""
    kind = ("hand", "hands") if len(cases.plan.seats) == 1 else ("pair of hands", "pairs of hands")
    yield many(len(cases), "case")
    yield many(cases.cardinality, *kind)
    yield many(cases.deals.cardinality, "deal")


def _line(cells: list[str], widths: list[int]) -> str:
    """Return a line of a table; numbers are aligned on the right."""
    right = {0, len(cells) - 2, len(cells) - 1}
    aligned = [
        cell.rjust(width) if column in right else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(aligned).rstrip()
