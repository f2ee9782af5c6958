"""Print: hand records, cards and sheets of boards, as PDF or as a web page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from pavcodec.boards import Board
from pavcodec.chances.figures import many
from pavcodec.errors import PavError
from pavcodec.formats import Format, format_of
from pavcodec.printing.document import PAPERS, Paper
from pavcodec.printing.pages import LAYOUTS, SECRET_LAYOUTS, WRITERS, board_document, check_pdf
from pavcodec.questions.asking import Answer, QuestionError, ask, function_of, note
from pavcodec.questions.events import OfEvent
from pavcodec.questions.inputs import Problems
from pavcodec.questions.outputs import Out, Output, format_of_output
from pavcodec.questions.searching import Boards

_WIDTH = max(map(len, LAYOUTS))
_LISTED = "\n".join(f"  {name:<{_WIDTH}}  {text}" for name, text in LAYOUTS.items())
_SECRET = f"{', '.join(SECRET_LAYOUTS[:-1])} and {SECRET_LAYOUTS[-1]}"


@dataclass(frozen=True)
class Print(Boards, OfEvent, Output):
    """Print hand records, cards and sheets for players, as PDF or HTML."""

    name: ClassVar[str] = "print"
    call: ClassVar[str] = "print_files"
    examples: ClassVar[str] = """\
  pavcodec print event.pbn -o records.pdf
  pavcodec print event.pbn --solve --title "Tuesday" -o records.pdf
  pavcodec print event.pbn --layout curtain --paper letter -o cards.pdf
  pavcodec print event.pbn --boards 1-8 --no-solutions -o boards.html"""
    details: ClassVar[str] = f"""\
The layouts:

{_LISTED}

The tricks and par are those of the file; --solve computes missing tricks with the package endplay,
and par follows from the tricks. The heading has the tags Event, Site, Date, Stage and Session that
are equal in all boards, or those of the options; a Session that only names a file of SquareDeal is
left out. The footer has the number of the page and the tag Generator, such as the seed, also as a
QR code. The pages of the layouts {_SECRET} have no seed, since
players could make the deals from it.

The suffix of -o chooses PDF or HTML. PDF needs the package typst: pip install 'pavcodec[club]'."""

    layout: str = ask(
        "the layout (default: records)",
        default="records", group="pages", choices=tuple(LAYOUTS), label="Layout",
    )  # fmt: skip
    paper: str = ask(
        "the size of the paper (default: a4)",
        default="a4", group="pages", choices=PAPERS, label="Paper",
    )  # fmt: skip
    solve: bool = ask(
        "compute the tricks of boards that have none",
        default=False, group="pages", label="Solve",
    )  # fmt: skip
    no_solutions: bool = ask(
        "print no tricks, no contracts and no par", default=False, group="pages"
    )
    to: str | None = ask(
        "write PDF or HTML (default: by the suffix of -o)",
        default=None, group="output", choices=tuple(WRITERS), label="Kind",
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = {
        "boards": "the number of boards",
        "layout": "the layout of the pages",
        "format": "pdf or html",
        "problems": "the number of problems of reading",
    }

    @property
    def target(self) -> Format:
        """The format of the pages; raises `PavError` if it cannot be written."""
        named = format_of(self.to) if self.to else format_of_output(self.output)
        if named is None and self.output != "-":
            raise QuestionError(
                f"the name {self.output} shows no format: use a name such as {self.output}.pdf, "
                "or {to}"
            )
        if named is None:
            raise QuestionError("name the file of the pages, as in -o records.pdf, or use {to}")
        if named.name not in WRITERS:
            raise QuestionError(
                f"print writes PDF and HTML; 'pavcodec convert' writes {named.name}"
            )
        return named

    def find(self) -> Printed:
        """Write the pages."""
        problems, target = Problems(strict=self.strict), self.target
        out = Out(self.output, target, inputs=self.files, force=self.force)
        if target.name == "pdf":
            check_pdf()
        event = self.event_tags
        boards = list(event.of_boards(self.read(problems)))
        problems.tell()
        if not boards:
            raise PavError("there are no boards to print")
        has_solutions = self.layout not in SECRET_LAYOUTS and not self.no_solutions
        document = board_document(
            self.solved(boards) if has_solutions else boards,
            layout=self.layout,
            title=event.title,
            paper=cast("Paper", self.paper),
            solutions=has_solutions,
        )
        with out.open() as stream:
            stream.write(WRITERS[target.name](document))
        row = {"boards": len(boards), "layout": self.layout, "format": target.name}
        return Printed(row | {"problems": problems.count})

    def solved(self, boards: list[Board]) -> list[Board]:
        """Return the boards with the tricks of those that lack them, or tell how many lack them."""
        unsolved = sum(map(lacks_tricks, boards))
        if unsolved and not self.solve:
            verb = "has" if unsolved == 1 else "have"
            note(f"{many(unsolved, 'board')} {verb} no tricks: --solve computes them")
        return with_tricks(boards) if unsolved and self.solve else boards


def lacks_tricks(board: Board) -> bool:
    """Return whether a board is a deal without double-dummy tricks."""
    return board.layout is not None and board.layout.is_deal and board.tricks is None


def with_tricks(boards: list[Board]) -> list[Board]:
    """Return boards with the double-dummy tricks of the deals that lack them."""
    from pavcodec.solving.double_dummy import solved_boards

    boards, lacking = list(boards), [at for at, each in enumerate(boards) if lacks_tricks(each)]
    for at, board in zip(lacking, solved_boards([boards[at] for at in lacking]), strict=True):
        boards[at] = board
    return boards


@dataclass
class Printed(Answer):
    """Pages that were written."""

    row: dict[str, Any]

    @property
    def is_fault(self) -> bool:  # type: ignore[override]
        """Whether boards could not be read."""
        return bool(self.row["problems"])

    def to_dict(self) -> dict[str, Any]:
        """Return what was printed, for JSON."""
        return self.row

    def lines(self) -> Iterator[str]:
        """Yield nothing: the file shows it."""
        return iter(())


print_files = function_of(Print)
