"""The boards of files that are wanted: by their numbers, and by a condition; and `grep`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from pavcodec.boards import Board, Context, Problem
from pavcodec.boards.board import board_row
from pavcodec.boards.turning import IN_TURN_TAGS, Turn, turn_board
from pavcodec.cards import SEAT_LETTERS, Seat
from pavcodec.chances.figures import many
from pavcodec.errors import PavError
from pavcodec.numberings import Numbering, numbering
from pavcodec.questions.asking import (
    Answer,
    Question,
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
    Inputs,
    Problems,
    board_numbers,
    boards_of,
    named_format,
)
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
    from pavcodec.constraints.arrays.search import Searched
    from pavcodec.constraints.nodes.syntax import Node

Found: TypeAlias = tuple[str, Board]
"""A board, and the name of its file."""

_FEW = 4096
"""The most boards for which loading numpy saves no time."""
_AT_ONCE = 4096
_PATIENCE = 0.2  # seconds before a chunk of boards is tested although it is not full


class Search:
    """Tests boards, and counts them by result; `problems` are told in their order.

    The boards that are searched come from readers that report to `problems`.
    """

    def __init__(self, condition: Node, problems: Problems, *, invert: bool = False) -> None:
        from pavcodec.constraints.arrays.search import Search as Tests
        from pavcodec.constraints.arrays.search import Searched

        self.counts = Searched()
        self._tests = Tests(condition, wanted=not invert)
        self._told = problems
        self.problems = _Arrivals(problems, 0 if self._tests.solves else _FEW)

    def found(self, boards: Iterator[Found]) -> Iterator[Found]:
        """Yield the boards that are wanted."""
        from pavcodec.constraints.arrays.search import search_boards

        chunks = self.problems.chunks(boards)
        return search_boards(self._tests, chunks, self.counts, self._told)


class _Arrivals(Problems):
    """Boards and problems in their order, in larger chunks after the first boards.

    A problem is told after the boards before it are searched.
    """

    def __init__(self, problems: Problems, few: int) -> None:
        super().__init__(strict=problems.strict)
        self._few = few
        self._told = problems
        self._chunk: list[Found | Problem] = []

    def __call__(self, problem: Problem) -> None:
        """Store a problem; raise it in strict reading."""
        if self.strict or not self._chunk:
            self._told(problem)
        else:
            self._chunk.append(problem)

    def chunks(self, boards: Iterator[Found]) -> Iterator[list[Found | Problem]]:
        """Yield chunks: single boards at first, and whenever boards arrive slowly."""
        started = monotonic()
        try:
            for index, each in enumerate(boards):
                self._chunk.append(each)
                waited = monotonic() - started > _PATIENCE
                if index < self._few or len(self._chunk) >= _AT_ONCE or waited:
                    yield self._taken()
                    started = monotonic()
        except PavError:
            yield self._taken()  # the boards before the error
            raise
        yield self._taken()

    def _taken(self) -> list[Found | Problem]:
        chunk, self._chunk = self._chunk, []
        return chunk


# The choice of boards that questions about files share.


_SWAPS = {"NS": "SENW", "EW": "NWSE"}
"""The seats after two partners have swapped theirs."""


def _places(text: str) -> int:
    """Return a number of places; raise `PavError` for another text."""
    if text not in ("1", "2", "3"):
        raise PavError(f"a player moves 1, 2 or 3 places, not {text!r}")
    return int(text)


def _seats(text: str) -> str:
    """Return new seats such as SWNE; raise `PavError` for another text."""
    Turn.of(seats=text)
    return text


def _seat(text: str) -> str:
    """Return the letter of a seat; raise `PavError` for another text."""
    return Seat.parse(text).letter


@dataclass(frozen=True)
class NewSeats(Question):
    """A question about boards whose players may have new seats."""

    places: int | None = ask(
        "move each player so many places clockwise: 1, 2 or 3",
        default=None, group="seats", metavar="N", read=_places, label="Places clockwise", most=3,
    )  # fmt: skip
    seats: str | None = ask(
        "the new seats of North, East, South and West, as in SWNE",
        default=None, group="seats", metavar="NESW", read=_seats, most=4,
    )  # fmt: skip
    swap: str | None = ask(
        "swap the seats of these partners",
        default=None, group="seats", read=str.upper, choices=tuple(_SWAPS),
    )  # fmt: skip
    declarer: str | None = ask(
        "turn each board so that declarer sits here",
        default=None, group="seats", metavar="SEAT", read=_seat, most=5,
    )  # fmt: skip
    dealer: str | None = ask(
        "turn each board so that the dealer sits here",
        default=None, group="seats", metavar="SEAT", read=_seat, most=5,
    )  # fmt: skip

    WAYS: ClassVar[tuple[str, ...]] = ("places", "seats", "swap", "declarer", "dealer")

    @property
    def is_turning(self) -> bool:
        """Whether the players have new seats; raises `QuestionError` for two ways to turn."""
        ways = [way for way in self.WAYS if getattr(self, way) is not None]
        if len(ways) > 1:
            one, other = ways[:2]
            raise QuestionError(f"argument {{{other}}}: not allowed with argument {{{one}}}", other)
        return bool(ways)

    def turned(self, boards: Iterable[Found]) -> Iterator[Found]:
        """Yield the boards, turned; tell at the end which lose or lack something."""
        missing = shortened = 0
        for source, board in boards:
            new = self._turn_of(board)
            missing += new is None
            if new is None:
                yield source, board
                continue
            shortened += not new.is_rotation and any(
                tag.name in IN_TURN_TAGS for tag in board.entries
            )
            yield source, turn_board(board, new, numbering)
        if missing:
            who = "dealer" if self.declarer is None else "declarer"
            are = "is" if missing == 1 else "are"
            note(f"{many(missing, 'board')} without a {who} {are} not turned")
        if shortened:
            lose = "loses" if shortened == 1 else "lose"
            note(
                f"{many(shortened, 'board')} {lose} auction, play, double-dummy tricks or "
                "par: in these seats nobody plays in turn"
            )

    def _turn_of(self, board: Board) -> Turn | None:
        """Return the turn of a board; None if it lacks the declarer or dealer of the field."""
        if self.seats is not None:
            return Turn.of(seats=self.seats)
        if self.swap is not None:
            return Turn.of(seats=_SWAPS[self.swap])
        if self.places is not None:
            return Turn.of(self.places)
        seat, wanted = board.dealer, self.dealer
        if self.declarer is not None:
            letter = board.tags.get("Declarer", "").removeprefix("^")
            seat = Seat.parse(letter) if letter in tuple(SEAT_LETTERS) else None
            wanted = self.declarer
        return None if seat is None or wanted is None else Turn.of(Seat.parse(wanted) - seat)


def _numbers_text(text: str) -> str:
    """Return a text of board numbers; raise `PavError` for another text."""
    board_numbers(text)
    return text


@dataclass(frozen=True)
class Boards(Inputs, NewSeats):
    """A question about the boards of files, or about some of them."""

    boards: str | None = ask(
        "take only the boards with these numbers",
        default=None, group="input", metavar="N,A-B", read=_numbers_text, label="Boards", most=200,
    )  # fmt: skip

    where: str | None = ask(
        "take only the boards whose deals satisfy this condition",
        default=None, group="input", metavar="EXPR", label="Condition",
    )  # fmt: skip

    def read(self, problems: Problems, ranks: Numbering | None = None) -> Iterator[Board]:
        """Yield the chosen boards of all files."""
        return (board for _, board in self.read_named(problems, ranks))

    def read_named(
        self, problems: Problems, ranks: Numbering | None = None
    ) -> Iterator[tuple[str, Board]]:
        """Yield the name of the source and the board, for the chosen boards of all files."""
        search = search_of(self, problems)
        heard = problems if search is None else search.problems
        boards = boards_of(self.files, heard, format_name=named_format(self), ranks=ranks)
        chosen = ChosenBoards(self.boards)
        named = chosen.named(boards)
        found = named if search is None else search.found(named)
        yield from self.turned(found) if self.is_turning else found
        chosen.report_missing(self.files, problems)
        if not problems.count:
            nothing_found(search)


def search_of(asked: Asked, problems: Problems) -> Search | None:
    """Return the search for the boards of the condition `where`; None without one."""
    if not asked.where:
        return None
    return Search(condition_of_text(asked.where, "where"), problems)


def nothing_found(search: Search | None) -> None:
    """Raise `PavError` if a search found none of its boards; tell how many it could not test."""
    if search is None:
        return
    counts = search.counts
    if counts.without_deal:
        note(f"{many(counts.without_deal, 'board')} without a complete deal skipped")
    if counts.boards and not counts.found:
        raise PavError(f"none of {many(counts.boards, 'board')} satisfies the condition")


# The question.


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
        from pavcodec.constraints.arrays.search import Searched

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
