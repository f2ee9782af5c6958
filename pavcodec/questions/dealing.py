"""Deal: which deals, how many, in which order, and into which file.

The deals of a draw come from a source (`sources`), and the answer writes them, as boards or by the
actions of a script. `sets` makes sets of files and collections in parts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import count, islice
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, TypeVar, cast

from pavcodec.boards import Board, Context, Vulnerability
from pavcodec.boards.tricks import find_results, results_row
from pavcodec.cards import Seat
from pavcodec.chances.plans import plan_lines
from pavcodec.collection.session import Session
from pavcodec.errors import NumberError, PavError, TextError
from pavcodec.questions.asking import (
    Answer,
    Question,
    QuestionError,
    as_in,
    ask,
    note,
    progress,
    refuse_together,
    working,
)
from pavcodec.questions.deals import Deals, Endings, Request, ScriptError
from pavcodec.questions.events import OfEvent
from pavcodec.questions.inputs import Problems
from pavcodec.questions.losses import Differences, tell_event
from pavcodec.questions.outputs import (
    BoardsOutput,
    Out,
    refuse_append,
    refuse_nothing,
    refuse_text_suffix,
    target_of,
)
from pavcodec.questions.sets import (
    Collected,
    Parts,
    PartsWanted,
    Sets,
    collected,
    is_folder_of_parts,
    is_set,
    wanted_parts,
    write_set,
    writes_set,
)
from pavcodec.questions.shares import Fields, Types, Weights, level_of, written_lines
from pavcodec.questions.solving import (
    Solving,
    check_target,
    progress_note,
    report_unsolvable,
    solver_of,
    tell_counts,
    use_solved_files,
)
from pavcodec.questions.sources import (
    FEW,
    DealSource,
    Dealt,
    Draw,
    OrderedSource,
    RemainingSource,
    dealt_of,
    list_all,
    suit_weight,
)
from pavcodec.questions.words import seat_letter, vulnerability_word, whole
from pavcodec.sampling import fresh_seed, parse_seed, preface
from pavcodec.solving.contracts import columns_of

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs, Owners
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.constraints.evaluation import Evaluation
    from pavcodec.constraints.language.script import Script
    from pavcodec.constraints.scripts.plain import PlainScript
    from pavcodec.constraints.vectors import Chunk
    from pavcodec.formats import Format
    from pavcodec.layout import Deal
    from pavcodec.solving.journal import ChunkSolver

T = TypeVar("T")


def suit_weight_text(text: str) -> str:
    """Return the text of a weight of a suit; raise `PavError` for another text."""
    suit_weight(text)
    return text


# The fields.


@dataclass(frozen=True, kw_only=True)
class Remains(Question):
    """The field of what remains of deals."""

    remaining: bool = ask(
        "print what remains of each deal, without the cards of --play, --played and --unused",
        default=False, group="known cards", local=True,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Draws(Question):
    """The fields of a draw: how many deals, and in which order."""

    n: int | None = ask(
        "the number of deals (default: 1, or as the script says)",
        default=None, flag="-n", group="random draw", metavar="N", read=whole, most=100_000,
    )  # fmt: skip
    seed: str | None = ask(
        "a number below 2^128, or a text (default: a fresh number)",
        default=None, group="random draw", metavar="SEED", most=200,
    )  # fmt: skip
    start: int = ask(
        "skip the first K deals (default: 0)",
        default=0, group="random draw", metavar="K", read=whole, most=1 << 48,
    )  # fmt: skip
    distinct: bool = ask("skip repeated deals", default=False, group="random draw")
    all: bool = ask(
        "list the deals in the order of their numbers instead of drawing",
        default=False, group="random draw", local=True,
    )  # fmt: skip
    permuted: bool = ask(
        "deal no deal twice, in any part of the run: the order is a permutation by the seed",
        default=False, group="random draw",
    )  # fmt: skip
    sorted: bool = ask(
        "deal N different deals in the order of their numbers; a .pav file of them is a set",
        default=False, group="random draw",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Rules(Question):
    """The fields of what all boards share."""

    dealer: str | None = ask(
        "the dealer of every board", default=None, group="boards", metavar="SEAT", read=seat_letter,
        most=5,
    )  # fmt: skip
    vulnerable: str | None = ask(
        "the vulnerability of every board: none, NS, EW or all",
        default=None, group="boards", metavar="WORD", read=vulnerability_word, most=5,
    )  # fmt: skip
    rotate: bool = ask(
        "set dealer and vulnerability by the board number, and ignore those of the script",
        default=False, group="boards",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Methods(Question):
    """The fields of the methods of the studies."""

    method: str = ask(
        "plan: count the largest part of the condition that is quick to count, and test the "
        "rest; exact: count all parts, however long it takes; test: test all parts; cases: list "
        "the two most constrained hands, and select on the rest; 1999: the biased dealer of 1999, "
        "for comparison (default: plan)",
        default="plan", group="method", choices=("plan", "exact", "test", "cases", "1999"),
    )  # fmt: skip
    listing: str | None = ask(
        "deal from a listing of 'pavcodec cases -o'; a condition selects among its deals",
        default=None, group="method", metavar="FILE", local=True,
    )  # fmt: skip
    suit_weight: tuple[str, ...] = ask(
        "the weight of a suit for --method 1999, as in 'diamonds(west) : 3'; may be repeated",
        default=(), group="method", metavar="WEIGHT", read=suit_weight_text, most=16,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Acts(Question):
    """The fields of what the actions of a script do."""

    exact: bool = ask(
        "compute the script's averages and tables exactly, without dealing",
        default=False, group="actions of a script", local=True,
    )  # fmt: skip
    csv: str | None = ask(
        "the file for csvrpt (default: the output)",
        default=None, group="actions of a script", metavar="FILE", local=True,
    )  # fmt: skip
    export: str | None = ask(
        "the file for export (default: the output)",
        default=None, group="actions of a script", metavar="FILE", local=True,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Writes(Question):
    """The fields of a script that is written for other programs."""

    write_plain: str | None = ask(
        "instead of dealing, write the script in the words of the classic dealer, which BBO and "
        "Dealer3 read alike; - is stdout",
        default=None, group="scripts for other programs", metavar="FILE", local=True,
    )  # fmt: skip
    write_leveled: str | None = ask(
        "the same, with a condition that levels the types of --level by draws of rnd",
        default=None, group="scripts for other programs", metavar="FILE", local=True,
    )  # fmt: skip


@dataclass(frozen=True)
class Which(Weights, Types, Endings, Deals, Remains, Draws, Rules):
    """Which deals, how many, in which order, and what their boards share."""

    condition: str | None = ask(
        "the condition, or the text of a script (default: all deals)",
        default=None, flag="", metavar="EXPR",
    )  # fmt: skip


@dataclass(frozen=True)
class Dealing(Which, Methods, OfEvent, Acts, Writes, Sets, Parts, Solving, BoardsOutput):
    """Deal boards of a condition; a seed always gives the same boards."""

    name: ClassVar[str] = "deal"
    examples: ClassVar[str] = """\
  pavcodec deal 'hcp(south) >= 20' -n 16 --seed 7 --to pbn -o strong.pbn
  pavcodec deal 'spades(west) == 9' --predeal 'north SAK,HQJT' --numbers
  pavcodec deal --hand 'S AKQ2.K85.AJ4.T63' --shown-out 'E spades' -n 10
  pavcodec deal 'spades(north) >= 5' --weights 'N: hcp {11: 1, 12-15: 3}'
  pavcodec deal -f notrump.dlr --level weak,strong -n 24 -o practice.pbn
  pavcodec deal -f notrump.dlr --level weak,strong --write-leveled for-bbo.dlr
  pavcodec deal 'hcp(south) >= 20' -n 1e9 --parts 1000 --seed 7 -o strong/"""
    details: ClassVar[str] = """\
Every deal of the condition is equally likely. deal prints the seed on the error stream; the same
seed, condition and --start give the same deals on every machine. Deal k of a seed does not depend
on the other deals, so you can deal a run in parts: -n 10 gives the same deals as -n 5 and then
--start 5 -n 5.

Deals may repeat in a small set of deals. With --permuted none does, in any part: the seed gives an
order of all deals of the condition, and deal takes them from --start on. With --sorted, N different
deals come in the order of their numbers; every set of N deals is equally likely, and a file .pav is
a set archive, without tags, in the fewest bits.

Scripts of the classic dealer program run unchanged. Options override the script's produce, seed,
dealer and vulnerable, with a warning; --to, --numbers and --json replace its actions. Without
produce, a script deals 40 deals, or 100,000 if its actions only make tables. A script without
actions prints one deal a line. --exact computes averages and tables over all deals of the
condition; it accepts average, frequency and bktfreq, and refuses rnd and tricks.

Known cards are those of a player at the table: --hand, --play or --played, --shown-out and
--unused. deal prints the original deals that agree with all of them; with --remaining it takes the
played and the unused cards out of each deal, so that in the middle of a trick hands have different
sizes. With --play, the players and the suits that they do not hold follow from the rules of play.

--weights makes some deals more likely than others: the chance of a deal is proportional to the
product of its weights. A weight is a number that is not negative, or a table of the weights of
values: 'hcp(north) + hcp(south) {20-24: 1, 25+: 3, else: 1/2}'. Other values have the weight of
else, or 0. Functions after a seat have no seat, as in 'N: shape {any 4333: 2, 5xxx: 1}'. Scripts
have the statement weight.

--mix deals several types, each as often as its weight says. A deal that fits several types belongs
to the first of them. EXPR, --predeal and the script's condition apply to all types. Without
weights, every deal that fits any type is equally likely.

--level deals types of a script equally often, or in the proportions of --shares. The types are
variables of the script; --level without names takes the variables HandType_NAME, with shares from
HandType_NAME_Share. Two --level options level two lists at once. A table on the error stream gives
the natural frequency of each type, and how many deals of a run without levels one board of the type
replaces. PBN boards have the tag HandType.

--write-plain and --write-leveled write a script for other programs and deal nothing. Comments and
layout stay; what the classic dealer does not have is written in its words, or refused by name. The
levels are rates at which deals stay, from the exact numbers of deals; the error stream has the
error of their rounding, and how many deals a program tries for one board.

No deals are rejected, so 'generate' is ignored. The exception is a part of the condition that uses
rnd or tricks: deal tests it on each deal and reports the share that passes, and 'generate' limits
the number of tests. If deal finds fewer deals than you asked for, it prints them and exits with
code 1.

--method cases deals as in Pavlicek's study: it lists the cases of the two most constrained hands,
and selects on the rest; --listing reads such a listing. The distribution is the same, but a seed
gives other deals than the default method. --method 1999 deals as Pavlicek's programs of 1999 did:
patterns, then honours, then the other cards. Its condition must be a conjunction of ranges of
lengths and hcp, hand by hand. Its deals are not equally likely; the method is for comparison. If
one deal fails, there are none.

Boards have the numbers from K + 1. Dealer and vulnerability come from the options, else from the
script, else from the board number as in tournaments. Every format
keeps the parts that it has a place for; 'pavcodec formats --survives' lists them. PBN boards have
the tags Generator (program, seed, condition) and DealId (deal number). If the condition is too long
for a line of PBN, Generator has its SHA-256 and the script's name, and the condition is at the top
of the file. With --json each deal has its "seed", and with --mix or --level its "type".

--parts makes a collection in parts: each part is a range of the samples, and one file in the folder
or at the URL of -o, with the bytes that deal writes for these samples. Run again, deal verifies
what is there and makes what is missing or damaged; --only makes some of the parts. The folder
answers for options that are left out. --json prints a summary. The exit code is 1 if a part of the
run is missing. 'pavcodec verify FOLDER' checks all parts.

--solve computes the double-dummy tricks of each deal: PBN by default, or a format that has a place
for tricks, such as zrd, parquet or pav. A run with -o that is stopped continues if it is repeated
with the same seed; 'pavcodec help solve' says how."""
    keys: ClassVar[dict[str, str]] = {
        "seed": "the seed: with it, the same question has the same boards",
        "boards": "the boards, as 'deal --json' prints them",
    }

    solve: bool = ask(
        "compute the double-dummy tricks of each deal (default format: pbn); see 'solve'",
        default=False, group="double dummy", local=True,
    )  # fmt: skip
    to: str | None = as_in(BoardsOutput, "to", local=True)
    numbers: bool = ask(
        "print deal numbers, as --to numbers does", default=False, group="output", local=True
    )
    json: bool = ask("print JSON for other programs", default=False, group="output", local=True)

    def check(self) -> None:
        """Raise `QuestionError` for fields that exclude each other, or that need others."""
        of_parts = is_folder_of_parts(self)  # its JSON is a summary
        refuse_together(self, () if of_parts else ("json to", "json numbers"))
        refuse_together(self, _APART)
        text = (self.condition or "").strip()
        if text.isdecimal() and text not in ("0", "1"):
            raise QuestionError(
                f"{text} is a number and no condition: use {{n}} {text} to deal {text}", "condition"
            )
        if self.sorted and self.start:
            raise QuestionError("{sorted} deals a whole set: {start} goes with {permuted}", "start")
        if self.contracts is not None and not self.solve:
            raise QuestionError("{contracts} chooses what {solve} computes: use both", "contracts")
        if self.exact and not self.script:
            raise QuestionError(
                "{exact} answers the actions of a script: give one with -f", "exact"
            )
        for name in ("csv", "export"):
            path = getattr(self, name)
            if path is not None and not self.script:
                raise QuestionError(f"{{{name}}} is for a script: give one with -f", name)
            if path is not None and path == self.output:
                raise QuestionError(f"{{{name}}} and -o name the same file", name)

    def find(self) -> Answer:
        """Return the deals, as many as the question or its script says; nothing is written yet."""
        self.check()
        use_solved_files(self.solved)
        wanted, is_of_files = wanted_parts(self), is_set(self)
        seed = given_seed(self)
        if self.write_plain is not None or self.write_leveled is not None:
            return self._script()
        request = self.request(self.condition, "condition")
        if self.exact:
            from pavcodec.questions.odds import exact_actions

            return exact_actions(self, request)
        if wanted is not None:
            return self._collected(wanted, seed, request)
        acts = not is_of_files and self._acts(request)
        target = None if acts or self.json else self._target()
        if self.remaining:
            _check_remaining(target)
        out = self._out(target, acts=acts, is_set=is_of_files)
        dealt = dealt_of(self, request)
        seed = None if self.all else chosen_seed(seed, request)
        source = source_of(self, request, dealt, seed)
        if self.remaining:
            source = RemainingSource(source, self.position())
        tags = self.event_tags.tags
        session = replace(session_of(self, request, dealt, source, seed), tags=tags)
        return Drawn(self, request, dealt, source, session, out, target, acts, is_of_files)

    def _collected(self, wanted: PartsWanted, seed: int | None, request: Request) -> Collected:
        """Return a collection in parts, whose folder may have a seed."""
        dealt = dealt_of(self, request)
        rules = rules_of(self, request, by_number=self.rotate)
        script = request.script
        is_own = seed is None and script is not None and script.seed is not None
        kept = wanted.seed if seed is None and not is_own else seed
        chosen = chosen_seed(seed, request) if kept is None else kept
        return collected(self, wanted, request, dealt, seed=chosen, rules=rules)

    def _script(self) -> WrittenScript:
        """Return the script for other programs."""
        levels = self.write_leveled is not None
        asked = replace(self, level=self.level or ("",)) if levels else self
        field = "write_leveled" if levels else "write_plain"
        path: str = getattr(self, field)
        inputs = [self.script] if self.script else []
        out = Out(path, inputs=inputs, force=self.force, is_other=True)
        request = asked.request(self.condition, "condition")
        if request.script is None:
            raise QuestionError(f"{{{field}}} is for a script: give one with -f", field)
        if self.predeal or self.template or self.is_known:
            raise QuestionError(
                f"{{{field}}} writes the script: known cards belong into it, as predeal", field
            )
        if not levels:
            return WrittenScript(out, write_plain_of(request))
        from pavcodec.constraints.mixes.levelling import leveled_script
        from pavcodec.constraints.nodes.format import format_node

        mix = level_of(asked, request)
        assert mix is not None
        condition = self.condition_instead
        if condition is None and self.without and request.script.condition is not None:
            condition = format_node(request.script.condition)
        with working("counting"):
            written = leveled_script(request.text, mix, condition=condition)
        return WrittenScript(out, written, list(written_lines(mix, written)))

    @property
    def order(self) -> str | None:
        """The name of the order without repeats; None for plain draws."""
        return "permuted" if self.permuted else "sorted" if self.sorted else None

    def _target(self) -> Format:
        """Return the format that deals are written in."""
        default = "pbn" if self.solve else "lines"
        target = target_of("numbers" if self.numbers else self.to, self.output, default)
        if self.solve:
            check_target(target, columns_of(self.contracts))
        elif target.needs_tricks:
            raise PavError(f"{target.name} needs the double-dummy tricks of each deal: use --solve")
        return target

    def _out(self, target: Format | None, *, acts: bool, is_set: bool) -> Out:
        """Return the output, checked, of all but a set, which has several files."""
        inputs = [self.script] if self.script else []
        if self.append:
            refuse_append(target, self.output)
        if acts:
            refuse_text_suffix(self.output, or_boards=True)
            for path in filter(None, (self.csv, self.export)):
                Out(path, inputs=inputs, force=self.force)
        path = "-" if is_set else self.output
        return Out(
            path, None if is_set else target, inputs=inputs, force=self.force, append=self.append,
            is_other=acts,
        )  # fmt: skip

    def _acts(self, request: Request) -> bool:
        """Return whether the script prints, and not the command."""
        if request.script is None or not request.script.actions:
            return False
        for option in ("to", "numbers", "json", "solve"):
            if getattr(self, option):
                overrides(request, f"--{option}", "action", both=True)
                return False
        return True


@dataclass
class Drawn(Answer):
    """Deals of a question, with what is needed to write them where it says."""

    asked: Dealing
    request: Request
    dealt: Dealt
    source: DealSource
    session: Session
    out: Out
    target: Format | None
    acts: bool
    """Whether the actions of the script print, and no boards are written."""
    is_set: bool
    is_fault: bool = field(default=False, init=False)
    _problems: Problems = field(default_factory=Problems, init=False)

    @property
    def seed(self) -> str | None:
        """The seed of the deals."""
        return None if self.session.seed is None else str(self.session.seed)

    @property
    def again(self) -> Dealing:  # type: ignore[override]
        """The question with its seed and its number of deals."""
        seed = self.asked.seed or self.seed
        return replace(self.asked, n=self.source.count, seed=seed, memory=None)

    def boards(self) -> Iterator[Board]:
        """Yield the boards."""
        with self._solver() as solver:
            yield from self._boards(solver)

    def to_dict(self, most: int | None = None) -> dict[str, Any]:
        """Return the seed and the boards for JSON, or the first of them."""
        return {"seed": self.seed, "boards": list(islice(self.documents(), most))}

    def documents(self) -> Iterator[Any]:
        """Yield the boards, each of which the command prints by itself."""
        with self._solver() as solver:
            boards = self._solved(map(Board, self._deals(solver)), solver)
            told = zip(count(self.session.start + 1), boards, self.source.extras(), strict=False)
            for number, board, extra in told:
                row = self.session.row(number, cast("Deal", board.layout)) | extra
                if solver is not None:
                    results = board.tricks or find_results(board.tags, board.sections)
                    row["tricks"] = results_row(results)
                yield row

    def lines(self) -> Iterator[str]:
        """Yield each deal as text."""
        return map(str, self.source.deals())

    def write(self) -> None:
        """Write the deals where the question says, and tell about them."""
        source = self.source
        if not self.acts:
            tell_event(self.target, self.session.tags)
        seeds = [] if self.seed is None else [f"seed {self.seed}"]
        for line in (*plan_lines(self.dealt.space), *seeds, *self.dealt.lines()):
            note(line)
        self._problems = Problems()  # which are told when all is written
        if self.acts:
            self._act()
        elif self.is_set:
            write_set(self, cast("Format", self.target), self._problems)
        elif self.target is None:
            with self.out.open_text() as out:
                out.writelines(f"{json.dumps(row)}\n" for row in self.documents())
        else:
            self._write(self.target)
        self.is_fault = not source.finish() or bool(self._problems.count)

    def _write(self, target: Format) -> None:
        """Write the boards in a format."""
        differences = Differences()
        with self._solver() as solver, self.out.open() as out:
            written = self.write_in(target, out, solver, differences)
            refuse_nothing(self.asked.output, written, self._problems)
        differences.tell(target)

    def write_in(
        self,
        target: Format,
        out: BinaryIO,
        solver: ChunkSolver | None = None,
        differences: Differences | None = None,
    ) -> int:
        """Write the boards to a stream in a format, and return their number."""
        source, session = self.source, self.session
        if isinstance(source, OrderedSource) and writes_set(self.asked, target):
            from pavcodec.collection.deals import write_set_archive

            write_set_archive(source.space, self.watched(source.positions(), len), out)
            return source.count
        context = Context(
            "deal",
            self._problems,
            numbering=session.ranks,
            preface=preface(session.where, session.generator),
            note=note,
            title=self.asked.title or "",
        )
        if differences is not None:
            context = replace(context, differ=differences.note)
        if is_in_batches(source, target):
            batches = self._batches(target)
            solved = batches if solver is None else solver.batches(batches)
            return target.write_batches(self.watched(solved, len), out, context)
        if target.is_cards_only:
            boards = self._solved(map(Board, self._deals(solver)), solver)
        else:
            boards = self._boards(solver, target.cycle)
        return target.write(boards, out, context)

    @contextmanager
    def _solver(self) -> Iterator[ChunkSolver | None]:
        """Yield the solver, if tricks are wanted, and tell at the end what it did."""
        asked = self.asked
        if not asked.solve:
            yield None
            return
        with solver_of(asked.output, columns_of(asked.contracts), force=asked.force) as solver:
            self.source.note = lambda: progress_note(solver.counts)
            yield solver
        tell_counts(solver.counts)

    def watched(self, items: Iterator[T], size: Callable[[Any], int] | None = None) -> Iterator[T]:
        """Yield the items of the source, and show the progress; `size` counts their deals."""
        source = self.source
        seen = progress(None, "dealing", "deals", total=source.count, note=source.note)
        return seen.watch(items, size)

    def _deals(self, solver: ChunkSolver | None) -> Iterator[Deal]:
        """Yield the deals, watched here unless they are watched after they are solved."""
        deals = self.source.deals()
        return deals if solver else self.watched(deals)

    def _solved(self, boards: Iterator[Board], solver: ChunkSolver | None) -> Iterator[Board]:
        """Yield boards with their tricks, if there is a solver."""
        if solver is None:
            return boards
        return self.watched(
            solver.boards(boards, lambda each: report_unsolvable(each, self._problems))
        )

    def _boards(self, solver: ChunkSolver | None, cycle: int | None = None) -> Iterator[Board]:
        """Yield the boards; after `cycle` boards, numbers begin again."""
        source, session = self.source, self.session
        numbers: Iterator[int] = count(session.start + 1)
        if cycle is not None:
            numbers = ((number - 1) % cycle + 1 for number in numbers)
        numbered = zip(numbers, self._deals(solver), strict=False)
        if source.is_named:
            kinds = (extra["type"] for extra in source.extras())
            named = zip(numbered, kinds, strict=False)
            return self._solved((session.board(*each, kind) for each, kind in named), solver)
        return self._solved((session.board(*each) for each in numbered), solver)

    def _batches(self, target: Format) -> Iterator[BoardBatch]:
        """Yield the boards in batches, with what the format keeps."""
        source, session = self.source, self.session
        numbered: Iterator[tuple[Owners, Limbs | None]] = source.numbered()
        if not target.keeps_tag("DealId"):
            numbered = ((owners, None) for owners in source.batches())
        number = session.start + 1
        for owners, numbers in numbered:
            yield session.batch(number, owners, numbers)
            number += len(owners)

    def _act(self) -> None:
        """Run the actions of the script; boards of PBN have the tags of the event."""
        from pavcodec.constraints.evaluation import Evaluation
        from pavcodec.constraints.scripts.report import run_actions

        def deals_in(drawn: Evaluation | Chunk) -> int:
            return 1 if isinstance(drawn, Evaluation) else len(drawn)

        asked, session, script = self.asked, self.session, self.request.script
        assert script is not None
        with ExitStack() as stack:
            out = stack.enter_context(self.out.open_text())
            rows, exported = (
                None if path is None else stack.enter_context(Out(path, force=True).open_text())
                for path in (asked.csv, asked.export)
            )
            run_actions(
                script.actions,
                self.watched(self.source.drawn(), deals_in),
                out,
                rows=rows,
                exported=exported,
                dealer=session.dealer,
                vulnerable=session.vulnerable,
                first_number=asked.start + 1,
                event=session.tags.get("Event", session.generator),
                date=session.tags.get("Date", "????.??.??"),
            )


@dataclass
class WrittenScript(Answer):
    """A script for other programs; `told` are lines on how it levels."""

    out: Out
    script: PlainScript
    told: Sequence[str] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the script for JSON."""
        return {"script": self.script.text, "notes": [*self.script.notes, *self.told]}

    def lines(self) -> Iterator[str]:
        """Yield the script."""
        return iter(self.script.text.splitlines())

    def write(self) -> None:
        """Write the script, and tell what is left out and how it levels."""
        for line in (*self.script.notes, *self.told):
            note(line)
        with self.out.open_text() as out:
            out.write(self.script.text)


def write_plain_of(request: Request) -> PlainScript:
    """Return the script of a request in the words of the classic dealer."""
    from pavcodec.constraints.scripts.plain import write_plain

    try:
        return write_plain(request.text)
    except TextError as error:
        raise ScriptError(request.source, error) from None


def deal(condition: str | None = None, **fields: Any) -> Drawn:
    """Deal at random, as the command `deal` does.

    The fields are those of `Dealing`. The answer has `boards()`, `lines()` for the screen and
    `to_dict()` for JSON; `write()` writes it where `output`, `parts` or `split` say.

    >>> print(deal("hcp(south) >= 20", n=1, seed="7"))
    N:QJT2.K92.A3.7542 4.JT763.8542.T63 A85.A4.KQ76.AKJ8 K9763.Q85.JT9.Q9
    """
    return cast("Drawn", Dealing(condition=condition, **fields).answer())


# The decisions.


_APART = (
    "to numbers",
    "numbers solve",
    "all seed",
    "all distinct",
    "listing method",
    "cards listing",
    "cards method=cases",
    "rotate dealer",
    "rotate vulnerable",
    "n generate",
    *(f"{other} method=1999" for other in ("all", "cards", "distinct", "split", "data_card")),
    *(
        f"remaining {other}"
        for other in ("cards", "numbers", "json", "solve", "split", "data_card")
    ),
    "permuted sorted",
    "write_plain write_leveled",
    *(
        f"{wanted} {other}"
        for wanted in ("write_plain", "write_leveled")
        for other in (
            "n", "seed", "start", "distinct", "all", "permuted", "sorted", "dealer", "vulnerable",
            "rotate", "cards", "weights", "mix", "remaining", "exact", "csv", "export", "listing",
            "parts", "split", "solve", "to", "numbers", "json",
        )
    ),
    *(f"write_plain {other}" for other in ("level", "shares", "without", "condition_instead")),
    *(
        f"{order} {other}"
        for order in ("permuted", "sorted")
        for other in (
            "all", "distinct", "mix", "level", "weights", "method=1999", "exact", "split",
            "data_card",
        )
    ),
    *(
        f"exact {other}"
        for other in (
            "all", "n", "start", "seed", "distinct", "to", "numbers", "mix", "method=test",
            "method=cases", "method=1999", "csv", "export",
        )
    ),
    *(
        f"{wanted} {other}"
        for wanted in ("split", "data_card")
        for other in ("json", "append", "exact", "level", "all")
    ),
    *(
        f"parts {other}"
        for other in (
            "append", "split", "apart", "data_card", "all", "exact", "remaining", "csv", "export",
            "listing", "method=cases", "method=1999", "solved",
        )
    ),
)  # fmt: skip
"""Fields that exclude each other."""


def _check_remaining(target: Format | None) -> None:
    """Refuse what remains of deals with actions of a script, and in a format that has boards."""
    if target is None:
        raise QuestionError("{remaining} replaces the actions of a script: use --to lines")
    if not target.is_cards_only:
        raise QuestionError(
            f"{target.name} has boards, and {{remaining}} leaves layouts: use a format of cards, "
            "such as lines"
        )


def overrides(request: Request, option: str, statement: str, *, both: object) -> None:
    """Warn if an option replaces a statement of the script."""
    if both:
        request.warn(f"{option} replaces {statement!r}")


def given_seed(asked: Fields) -> int | None:
    """Return the seed of the fields, if they have one."""
    if asked.seed is None:
        return None
    try:
        return parse_seed(asked.seed)
    except NumberError as error:
        raise QuestionError("{seed}: {said}", "seed", said=error) from None


def chosen_seed(given: int | None, request: Request) -> int:
    """Return the seed of the fields, else of the script, else a fresh one."""
    script = request.script
    if script is not None and script.seed is not None:
        overrides(request, "--seed", f"seed {script.seed}", both=given not in (None, script.seed))
        return script.seed if given is None else given
    return fresh_seed() if given is None else given


def rules_of(
    asked: Fields, request: Request, *, by_number: bool = False
) -> tuple[Seat | None, Vulnerability | None]:
    """Return dealer and vulnerability of the fields, else of the script; None for neither.

    With `by_number`, the script is ignored.
    """
    field = "dealer"
    try:
        dealer = None if asked.dealer is None else Seat.parse(asked.dealer)
        field, word = "vulnerable", asked.vulnerable
        vulnerable = None if word is None else Vulnerability(vulnerability_word(word))
    except PavError as error:
        raise QuestionError(f"{{{field}}}: {{said}}", field, said=error) from None
    script = request.script
    if script is None or by_number:
        return dealer, vulnerable
    if dealer is not None:
        overrides(request, "--dealer", "dealer", both=script.dealer is not None)
    if vulnerable is not None:
        overrides(request, "--vulnerable", "vulnerable", both=script.vulnerable is not None)
    return (
        script.dealer if dealer is None else dealer,
        script.vulnerable if vulnerable is None else vulnerable,
    )


def classic_count(script: Script) -> int:
    """Return the number of deals of a script without `produce`."""
    from pavcodec.constraints.language.actions import Average, EvalContract, Frequency

    tabulating = Average | EvalContract | Frequency
    tabulates = all(isinstance(action, tabulating) for action in script.actions)
    return 100_000 if script.actions and tabulates else 40


def source_of(asked: Fields, request: Request, dealt: Dealt, seed: int | None) -> DealSource:
    """Return the source of the deals; without a seed, all are listed."""
    script = request.script
    produce = None if script is None else script.produce
    if asked.all or asked.n is not None:
        option = "-n" if asked.n is not None else "--all"
        overrides(request, option, f"produce {produce}", both=produce is not None)
    if seed is None:
        return list_all(dealt.space, asked.n, asked.start)
    number = asked.n if asked.n is not None else produce
    if number is None:
        number = 1 if script is None else classic_count(script)
    name = asked.order
    if name is not None:
        given = dealt.weighted or dealt.mix or dealt.space
        return OrderedSource(given, name, seed, asked.start, number)
    tries = None if script is None else script.generate
    return dealt.source(Draw(number, seed, asked.start, asked.distinct, tries))


def session_of(
    asked: Fields, request: Request, dealt: Dealt, source: DealSource, seed: int | None
) -> Session:
    """Return what the boards of a source share."""
    dealer, vulnerable = rules_of(asked, request, by_number=asked.rotate)
    return Session(
        seed, asked.start, source.method(dealt.method), dealt.where, source.ranks, dealer,
        vulnerable, asked.script or None,
    )  # fmt: skip


def is_in_batches(source: DealSource, target: Format) -> bool:
    """Return whether the boards of a source are written in batches."""
    in_turn = source.is_named or target.cycle is not None
    return source.count >= FEW and (target.is_cards_only or not in_turn)
