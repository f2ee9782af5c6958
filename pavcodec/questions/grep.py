"""Grep: the boards of files that satisfy a condition, or their number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from pavcodec.boards import Board, Context
from pavcodec.boards.board import board_row
from pavcodec.chances.figures import many
from pavcodec.errors import PavError
from pavcodec.numberings import numbering
from pavcodec.questions.asking import (
    Answer,
    QuestionError,
    as_in,
    ask,
    function_of,
    note,
    when_done,
)
from pavcodec.questions.deals import Deals, condition_of_text, request_of_script
from pavcodec.questions.events import OfEvent
from pavcodec.questions.folders import MadeFolder, chosen_target, make_boards_folder
from pavcodec.questions.inputs import (
    Asked,
    ChosenBoards,
    Problems,
    boards_of,
    named_format,
)
from pavcodec.questions.searching import Boards, Found, Search
from pavcodec.questions.solving import Solving, use_solved_files
from pavcodec.questions.workers import (
    Workers,
    is_spread,
    reading_of,
    results_in_order,
    spread_files,
    take_report,
)

if TYPE_CHECKING:
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.constraints.search import Searched


@dataclass(frozen=True)
class Grep(Boards, OfEvent):
    """Find the boards that satisfy a condition."""

    name: ClassVar[str] = "grep"
    gives_boards: ClassVar[bool] = True
    examples: ClassVar[str] = """\
  pavcodec grep 'hcp(north) + hcp(south) >= 30' event.pbn
  pavcodec grep -c 'shape(south, any 4333 + any 4432 + any 5332)' event.pbn
  pavcodec deal -n 1000 | pavcodec grep -v 'hcp(west) < 20'
  pavcodec grep 'hcp(north) >= 20' deals/ -o strong/ --to pav"""
    details: ClassVar[str] = """\
The condition is in the language of the classic dealer program; grep tests each deal. It never finds
a board without a complete deal, not even with -v, and prints the number of such boards. The exit
code is 1 if grep finds nothing or cannot read a file.

With -f, every argument is a file. grep uses the script's condition and predealt cards, and ignores
the rest with a warning.

For a folder, several processes search its parts, or its files of boards in the order of their
names; the output is in this order. If the output is a folder too, it gets a part for each part,
with the boards found in it; the same command continues a folder that is not complete.

--json prints an object for each board: "deal", "number" (decimal digits in a text), "board" (the
number in the file, if it has one), "file" and "line"; with -c one object: "found", "boards" and
"without_deal"."""

    where: str | None = ask(
        "the condition (not with -f)", default=None, flag="", metavar="EXPR", label="Condition"
    )
    files: tuple[str, ...] = as_in(Boards, "files")
    script: str = as_in(Deals, "script")
    invert: bool = ask("find the deals that do not satisfy it", default=False, flag="-v --invert")
    solved: tuple[str, ...] = as_in(Solving, "solved")
    workers: int | None = as_in(Workers, "workers")
    scheduler: str | None = as_in(Workers, "scheduler")
    count: bool = ask(
        "print only the number of boards found", default=False, flag="-c --count", group="output"
    )

    keys: ClassVar[dict[str, str]] = {
        "found": "the number of boards that were found",
        "boards": "the number of boards that were searched",
        "without_deal": "the number of boards without a complete deal",
        "deals": "unless 'count': the boards found, each with its deal, number, file and line",
    }

    @property
    def gives_text(self) -> bool:  # type: ignore[override]
        """Whether the answer is the number of boards."""
        return self.count

    def __post_init__(self) -> None:
        """Take all arguments for files, if the condition is in a script."""
        super().__post_init__()
        if not self.script:
            if not self.where:
                raise QuestionError(
                    "give a condition (EXPR), as in 'hcp(south) >= 20', or a script: -f", "where"
                )
            return
        if self.where:
            object.__setattr__(self, "files", (self.where, *self.files))
            object.__setattr__(self, "where", None)
        if self.script == "-" and (not self.files or "-" in self.files):
            raise QuestionError("the script and the boards cannot both come from stdin")

    @property
    def condition(self) -> Node:
        """The condition of the argument or of the script."""
        if not self.script:
            return condition_of_text(str(self.where), "where")
        request = request_of_script(self.script)
        rest = [
            statement
            for statement in ("produce", "generate", "seed", "dealer", "vulnerable")
            if getattr(request.script, statement) is not None
        ]
        rest += ["action"] if request.script and request.script.actions else []
        if rest:
            request.warn(f"grep ignores {', '.join(rest)}")
        if request.node is None:
            raise PavError(f"{request.source}: there is no condition, and nothing dealt beforehand")
        return request.node

    def find(self) -> Grepped:
        """Return the boards, which are searched when they are asked for."""
        use_solved_files(self.solved)
        problems = Problems(strict=self.strict)
        condition = self.condition
        if not is_spread(self, self.files):
            search = Search(condition, problems, invert=self.invert)
            ranks, named = numbering("deal"), named_format(self)
            boards = boards_of(self.files, search.problems, format_name=named, ranks=ranks)
            chosen = ChosenBoards(self.boards)
            return Grepped(
                self, problems, search.counts, search.found(chosen.named(boards)), chosen
            )
        from pavcodec.collection.derived import Searching
        from pavcodec.constraints.search import Searched

        self._refuse_solved()
        counts = Searched()
        work = Searching(
            where=condition, reading=reading_of(self), invert=self.invert, keeps=not self.count
        )
        spread = spread_files(self, self.files, problems)

        def found() -> Iterator[Found]:
            for boards, some, report in results_in_order(self, self.name, work, spread, problems):
                counts.__iadd__(some)
                take_report(report, problems)
                yield from boards

        return Grepped(self, problems, counts, found(), None)

    def _refuse_solved(self) -> None:
        if self.solved:
            raise QuestionError(
                "workers read no solved files: leave out {solved}, or name files only", "solved"
            )
        if self.boards:
            raise QuestionError("{boards} and workers do not go together", "boards")

    def folder(self, asked: Asked) -> MadeFolder:
        """Write the boards of each part of a folder into a part of another, its `output`."""
        from pavcodec.collection.derived import GrepMaking

        self._refuse_solved()
        event = self.event_tags
        making = partial(
            GrepMaking,
            where=self.condition,
            invert=self.invert,
            tags=tuple(event.tags.items()),
            title=event.title,
        )
        return make_boards_folder(asked, chosen_target(asked), making)


grep = function_of(Grep)


@dataclass
class Grepped(Answer):
    """The boards that a search finds, while they are looked at, or in a list after that."""

    asked: Grep
    problems: Problems = field()
    counts: Searched
    arriving: Iterator[Found]
    chosen: ChosenBoards | None
    nothing: str = ""  # as grep of texts
    _kept: list[Found] | None = field(default=None, repr=False)

    @property
    def context(self) -> Context:
        """The context in which a format writes the boards."""
        return Context(
            "grep",
            self.problems,
            self.problems.strict,
            numbering("deal"),
            note=note,
            title=self.asked.event_tags.title,
        )

    @property
    def is_fault(self) -> bool:  # type: ignore[override]
        """Whether nothing was found, or not all could be read."""
        return not self.counts.found or bool(self.problems.count)

    def named(self) -> Iterator[Found]:
        """Yield the boards as they are found, each with the name of its file; only once."""
        arriving = self.arriving
        yield from self.asked.turned(arriving) if self.asked.is_turning else arriving
        if self.chosen is not None:
            self.chosen.report_missing(self.asked.files, self.problems)
        self.problems.tell()
        if self.counts.without_deal:
            skipped = f"{many(self.counts.without_deal, 'board')} without a complete deal skipped"
            when_done(partial(note, skipped))

    def boards(self) -> Iterator[Board]:
        """Yield the boards as they are found; only once."""
        return self.asked.event_tags.of_boards(board for _, board in self.named())

    @property
    def found(self) -> list[Found]:
        """All boards that are found, each with the name of its file."""
        if self._kept is None:
            self._kept = list(self.named())
        return self._kept

    def _counted(self) -> dict[str, Any]:
        if self._kept is None:
            self._kept = []
            for _ in self.named():
                pass
        counts = self.counts
        row = {"found": counts.found, "boards": counts.boards}
        return row | {"without_deal": counts.without_deal}

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers of boards, and those that are found, for JSON."""
        if self.asked.count:
            return self._counted()
        rows = [_row(*each) for each in self.found]
        return self._counted() | {"deals": rows}

    def documents(self) -> Iterator[dict[str, Any]]:
        """Yield an object for each board, or one with their number."""
        if self.asked.count:
            yield self._counted()
        else:
            yield from (_row(*each) for each in self.named())

    def lines(self) -> Iterator[str]:
        """Yield the deals, or their number."""
        if self.asked.count:
            yield str(self._counted()["found"])
        else:
            yield from (str(board.layout) for _, board in self.found)


def _row(source: str, board: Board) -> dict[str, Any]:
    """Return a board for JSON."""
    row = board_row(board, "deal number label source", numbering("deal"))
    return row | {"file": source, "line": board.line}
