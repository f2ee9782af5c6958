"""Deals in files: sets with a data card, and collections in parts.

A set is several files with shares of the deals, and a data card; all files get their names at the
end, after no deal was found in two of them. A collection is a folder of parts, which a later run
continues:

1. The plan of an existing folder answers for options that are left out: the number of parts, of
   deals or of samples, the seed, the first sample and the format.
2. What the options say and the plan does not is another collection, and is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias

from pavcodec.boards import Context
from pavcodec.chances.figures import many
from pavcodec.chances.plans import is_tested, plan_lines
from pavcodec.errors import NumberError, PavError
from pavcodec.files.compressed import split_suffix
from pavcodec.files.paths import local_path, shown_path
from pavcodec.numberings import numbering, ranks_of
from pavcodec.questions.asking import (
    Answer,
    Question,
    QuestionError,
    as_in,
    ask,
    command_of,
    note,
    progress,
)
from pavcodec.questions.inputs import Asked, Problems
from pavcodec.questions.losses import tell_event
from pavcodec.questions.outputs import open_binary_output, refuse_existing
from pavcodec.questions.words import whole
from pavcodec.questions.workers import Workers, engine_from

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs, Owners
    from pavcodec.boards import Vulnerability
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.cards import Seat
    from pavcodec.collection.collection import Collection
    from pavcodec.collection.engines.engine import Engine
    from pavcodec.collection.run import Done, Indexes, Made
    from pavcodec.collection.session import Session
    from pavcodec.formats import Format
    from pavcodec.learning.cards import CardFile, DataCard
    from pavcodec.learning.splitting import Overlaps
    from pavcodec.numberings.space import Space
    from pavcodec.questions.deals import Request
    from pavcodec.questions.sources import Dealt

Drawn: TypeAlias = Any
"""The answer of `deal`, which uses this module."""

# The fields.


SPLIT = "{split}"
"""The part of an output's name that is the name of a split."""
_DEFAULT = "parquet"


@dataclass(frozen=True, kw_only=True)
class Sets(Question):
    """The fields of sets of files."""

    split: str | None = ask(
        "divide the deals among several files, as in 0.8/0.1/0.1 for train, validation and "
        "test, or big=9,small=1; -o set-{split}.npy names them. No deal is in two files",
        default=None, group="sets of files", metavar="SHARES", local=True,
    )  # fmt: skip
    apart: str | None = ask(
        "with --split: no deal is in two files up to suits, turns, half-turn or seats, or "
        "suits and one of these, as in suits,turns",
        default=None, group="sets of files", metavar="SYMMETRY", local=True,
    )  # fmt: skip
    data_card: bool = ask(
        "write a data card beside the file, as JSON and as Markdown: seed, condition, counts, "
        "checksums and the command; --split always writes it",
        default=False, group="sets of files", local=True,
    )  # fmt: skip
    licence: str = ask(
        "the licence on the data card",
        default="", group="sets of files", metavar="TEXT", local=True,
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Parts(Question):
    """The fields of collections in parts."""

    parts: int | None = ask(
        "make a collection in P files, part-000000… to the folder or URL of -o (default "
        f"format: {_DEFAULT}); run again, it verifies what is there and makes the rest",
        default=None, group="collections in parts", metavar="P", read=whole, local=True,
    )  # fmt: skip
    only: str | None = ask(
        "with --parts: make only these parts, counted from 0, as in 100-199,250,900-",
        default=None, group="collections in parts", metavar="LIST", local=True,
    )  # fmt: skip
    generate: int | None = ask(
        "with --parts, in place of -n where a part of the condition is tested deal by deal: "
        "test N samples, and keep those that pass",
        default=None, group="collections in parts", metavar="N", read=whole, local=True,
    )  # fmt: skip
    workers: int | None = as_in(Workers, "workers")
    scheduler: str | None = as_in(Workers, "scheduler")


# Sets: the paths of their files, and what is refused before the deals are drawn.


def is_set(asked: Asked) -> bool:
    """Return whether a set of files is wanted; raise `QuestionError` for fields that do not fit."""
    if asked.split is None and not asked.data_card:
        for name in ("apart", "licence"):
            if getattr(asked, name):
                raise QuestionError(
                    f"{{{name}}} belongs to a set of files: add {{split}} or {{data_card}}", name
                )
        return False
    from pavcodec.learning.cards import card_paths

    option = "{data_card}" if asked.split is None else "{split}"
    if asked.solve:
        raise QuestionError(
            "the files of a set have no tricks: use 'pavcodec solve' for each of them"
        )
    if asked.output == "-":
        raise QuestionError(
            f"{option} writes files: name them with -o, as in -o set-{{split_}}.npy", split_=SPLIT
        )
    if asked.apart is not None:
        if asked.split is None or asked.distinct:
            other = "without {split}" if asked.split is None else "and {distinct}"
            raise QuestionError(f"{{apart}} {other} does not go together", "apart")
        from pavcodec.symmetry import symmetry_of

        symmetry_of(asked.apart)
    shares = shares_asked(asked)
    for unknown in re.findall(r"\{\w*\}", asked.output.replace(SPLIT, "")):
        raise QuestionError(
            "-o {path}: only {part} is replaced, not {unknown}",
            path=asked.output, part=SPLIT, unknown=unknown,
        )  # fmt: skip
    paths = paths_of(asked.output, list(shares)).values()
    refuse_existing([*paths, *card_paths(stem_of(asked.output))], force=asked.force)
    return True


def shares_asked(asked: Asked) -> dict[str, Fraction]:
    """Return the shares of `split`; one file without a name if there is only a card."""
    if asked.split is None:
        return {"": Fraction(1)}
    from pavcodec.learning.splitting import shares_of

    try:
        return shares_of(asked.split)
    except PavError as error:
        raise QuestionError("{split}: {said}", "split", said=error) from None


def paths_of(output: str, names: list[str]) -> dict[str, str]:
    """Return the path of each split.

    >>> paths_of("set.npy", ["train", "test"])
    {'train': 'set-train.npy', 'test': 'set-test.npy'}
    >>> paths_of("{split}/a.pbn.gz", ["train"]), paths_of("a.npy", [""])
    ({'train': 'train/a.pbn.gz'}, {'': 'a.npy'})
    """
    if SPLIT in output:
        return {name: output.replace(SPLIT, name or "all") for name in names}
    plain, packed = split_suffix(output)
    stem, suffix = os.path.splitext(plain)
    return {name: f"{stem}-{name}{suffix}{packed}" if name else output for name in names}


def stem_of(output: str) -> str:
    """Return the path of the card without its suffix.

    >>> stem_of("sets/deals-{split}.npy"), stem_of("{split}.pbn.gz")
    ('sets/deals', 'set')
    """
    folder, name = os.path.split(output)
    if SPLIT in folder:
        raise QuestionError(
            "the files of a set are in one folder: {part} is part of the file's name", part=SPLIT
        )
    stem = os.path.splitext(split_suffix(name)[0])[0]
    return os.path.join(folder, stem.replace(SPLIT, "").strip("-_. ") or "set")


def writes_set(asked: Asked, target: Format) -> bool:
    """Return whether the output is an archive of a sorted set; refuse tags for it."""
    if not asked.sorted or asked.solve or target.name != "pav":
        return False
    if asked.event_tags.tags or asked.title:
        raise QuestionError(
            "an archive of sorted deals is a set, which holds no tags: leave them out"
        )
    return True


# Sets: their files.


@dataclass
class _OwnersInTurn:
    """The rows of a source in turn: each call of `take` continues where the last one ended."""

    batches: Iterator[Owners]
    rest: list[Owners] = field(default_factory=list)

    def take(self, count: int) -> Iterator[Owners]:
        """Yield the next rows, at most `count`."""
        while count > 0:
            owners = self.rest.pop() if self.rest else next(self.batches, None)
            if owners is None:
                return
            if len(owners) > count:
                self.rest.append(owners[count:])
                owners = owners[:count]
            count -= len(owners)
            yield owners


def write_set(drawn: Drawn, target: Format, problems: Problems) -> None:
    """Write the files of a set and their card."""
    from pavcodec.learning.cards import card_paths, file_of, write_card
    from pavcodec.learning.splitting import overlaps_of, sizes_by_shares

    asked, source, session = drawn.asked, drawn.source, drawn.session
    if target.cycle is not None and not target.is_cards_only:
        raise PavError(f"{target.name} has at most {target.cycle} boards, and is no format of sets")
    shares = shares_asked(asked)
    sizes = dict(zip(shares, sizes_by_shares(source.count, list(shares.values())), strict=True))
    paths = paths_of(asked.output, list(shares))
    context = Context("deal", problems, numbering=session.ranks, note=note)
    numbers: dict[str, list[Limbs]] = {name: [] for name in shares}
    written: dict[str, int] = {}
    seen = progress(None, "dealing", "deals", total=source.count)
    rows = _OwnersInTurn(source.batches())
    first = session.start + 1
    with ExitStack() as stack:
        for split, (name, size) in enumerate(sizes.items()):
            parts = rows.take(size)
            if asked.apart is not None:
                parts = _apart(drawn, size, split, list(shares.values()))
            stream = stack.enter_context(open_binary_output(paths[name], target))
            watched = seen.watch(parts, len)
            deals = _noted(watched, numbers[name], asked.apart)
            batches = _batches(target, deals, session, first)
            written[name] = target.write_batches(batches, stream, context)
            first += size
        overlaps = overlaps_of(numbers, asked.apart)
        for (one, other), common in overlaps.common.items():  # then no file gets its name
            raise PavError(
                f"{many(common, 'deal')} would be in {one} and in {other}, as {overlaps.example}: "
                "the condition has few deals; add --distinct, which repeats no deal, or --apart"
            )
    is_range = asked.apart is None and not asked.distinct
    firsts = accumulate(sizes.values(), initial=session.start)
    starts = {name: first if is_range else None for name, first in zip(sizes, firsts, strict=False)}
    files = tuple(
        file_of(paths[name], name or "all", written[name], target.name, first=starts[name])
        for name in shares
    )
    card = _card(drawn, files, overlaps)
    write_card(card, stem_of(asked.output))
    for each in files:
        note(f"{each.name}: {many(each.deals, 'deal')}")
    note(f"data card: {card_paths(stem_of(asked.output))[0]}")


def _apart(drawn: Drawn, size: int, split: int, weights: list[Fraction]) -> Iterator[Owners]:
    """Yield the deals of a split whose classes are in no other split."""
    from pavcodec.learning.splitting import draw_apart

    session = drawn.session
    space = drawn.dealt.weighted or drawn.dealt.mix or drawn.dealt.space or numbering("deal")
    if space.is_tested or session.seed is None:
        raise PavError("--apart needs deals that can be counted and drawn by their index")
    return draw_apart(
        space,
        size,
        split,
        weights,
        seed=session.seed,
        start=session.start,
        symmetry=drawn.asked.apart,
    )


def _noted(parts: Iterator[Owners], numbers: list[Limbs], symmetry: str | None) -> Iterator[Owners]:
    """Yield the deals of a split, and add the numbers of their classes to a list."""
    from pavcodec.learning.splitting import class_numbers

    for owners in parts:
        numbers.append(class_numbers(owners, symmetry))
        yield owners


def _batches(
    target: Format, parts: Iterator[Owners], session: Session, first: int
) -> Iterator[BoardBatch]:
    """Yield the boards of a split, with their numbers if the format keeps them."""
    keeps_numbers = target.keeps_tag("DealId")
    for owners in parts:
        numbers = session.ranks.rank_many(owners) if keeps_numbers else None
        yield session.batch(first, owners, numbers)
        first += len(owners)


def _card(drawn: Drawn, files: tuple[CardFile, ...], overlaps: Overlaps) -> DataCard:
    """Return the card of the set."""
    from pavcodec.learning.cards import DataCard, versions

    asked, dealt, session = drawn.asked, drawn.dealt, drawn.session
    count, all_deals = None, numbering("deal").cardinality
    if dealt.weighted is None and dealt.mix is None:
        if dealt.space is None:
            count = all_deals
        elif not is_tested(dealt.space):
            count = dealt.space.cardinality
    return DataCard(
        os.path.basename(stem_of(asked.output)),
        str(session.seed),
        session.where,
        "" if count is None else str(count),
        "" if count is None else str(Fraction(count, all_deals)),
        command_of(replace(asked, seed=str(session.seed))),
        files,
        start=session.start,
        method=session.method,
        shares={} if asked.split is None else {n: str(w) for n, w in shares_asked(asked).items()},
        apart=asked.apart or "",
        is_distinct=asked.distinct,
        common=sum(overlaps.common.values()),
        licence=asked.licence,
        versions=versions(),
    )


# Collections: what an existing folder says.


_RANGE = re.compile(r"(\d+)(?:(-)(\d*))?", re.ASCII)
_SEED, _SEED_BITS = re.compile(r"\d{1,39}", re.ASCII), 128


def is_folder_of_parts(asked: Asked) -> bool:
    """Return whether the output is the folder of a collection."""
    return asked.parts is not None or asked.only is not None or os.path.isdir(asked.output)


@dataclass(frozen=True)
class PartsWanted:
    """What an existing folder says about its collection; `plan` is empty for a new folder."""

    folder: str
    plan: dict[str, Any]

    @property
    def making(self) -> dict[str, Any]:
        """The description of what the parts hold."""
        making: dict[str, Any] = self.plan.get("making", {})
        return making

    @property
    def seed(self) -> int | None:
        """The seed of the plan."""
        text = self._of_order("seed")
        if not (isinstance(text, str) and _SEED.fullmatch(text)):
            return None
        return int(text) if int(text).bit_length() <= _SEED_BITS else None

    @property
    def order(self) -> str:
        """The name of the order of the plan."""
        from pavcodec.collection.orders import ORDERS

        name = self._of_order("name")
        return name if name in ORDERS else ORDERS[0]

    @property
    def format(self) -> str:
        """The format of the plan, with the suffix of compressed files."""
        if not self.plan:
            return _DEFAULT
        packed = split_suffix(f"part{self.plan['suffix']}")[1]
        return f"{self.making.get('format', _DEFAULT)}{packed}"

    def _of_order(self, key: str) -> Any:
        order = self.making.get("order")
        return order.get(key) if isinstance(order, dict) else None


def wanted_parts(asked: Asked) -> PartsWanted | None:
    """Return what is known of the collection that is wanted; None for other outputs.

    Raises `QuestionError` for fields that do not go together with parts, or that need them.
    """
    wants = asked.parts is not None
    chooses = asked.only is not None
    if wants and asked.output == "-":
        raise QuestionError("{parts} writes the files of a folder: name the folder with -o")
    if chooses and asked.output == "-":
        raise QuestionError("{only} chooses parts of a collection: name its folder with -o")
    may_be = asked.output != "-" and (wants or chooses or _may_be_folder(asked.output))
    plan = _stored_plan(asked.output) if may_be else {}
    if not wants and not plan:
        if chooses:
            raise QuestionError(
                f"{shown_path(asked.output)} has no plan of a collection: add --parts"
            )
        for name in ("workers", "scheduler"):
            if getattr(asked, name) is not None:
                raise QuestionError(f"{{{name}}} is for the parts of a collection: add {{parts}}")
        if asked.generate is not None:
            raise QuestionError("--generate is the number of samples to test for --parts: use both")
        return None
    _refuse_others(asked)
    return PartsWanted(asked.output, plan)


def _may_be_folder(output: str) -> bool:
    """Return whether an output without `--parts` may be the folder of a collection."""
    from pavcodec.files.paths import is_url
    from pavcodec.formats.registry import format_by_suffix

    return os.path.isdir(output) or (is_url(output) and format_by_suffix(output) is None)


def _stored_plan(output: str) -> dict[str, Any]:
    """Return the plan of a folder; empty without one."""
    from pavcodec.collection.stored import is_collection, open_collection

    here = local_path(output)
    if here is not None and os.path.exists(here) and not os.path.isdir(here):
        raise QuestionError(f"{output} is a file, and --parts writes a folder")
    return open_collection(output).description if is_collection(output) else {}


def _refuse_others(asked: Asked) -> None:
    """Raise `QuestionError` for fields that parts do not have, also of a folder with a plan."""
    if asked.parts is None:
        replace(asked, parts=1).check()
    if asked.solve:
        raise QuestionError(
            "{parts} and {solve} do not go together: make the parts, then use 'pavcodec solve' "
            "with the folder"
        )
    if asked.distinct:
        raise QuestionError(
            "{parts} and {distinct} do not go together, because no part has the deals of "
            "the others: use {permuted}"
        )


# Collections: the plan of the options and of the folder, and the run that makes the parts.


def collected(  # noqa: PLR0913 (keywords)
    asked: Asked,
    wanted: PartsWanted,
    request: Request,
    dealt: Dealt,
    *,
    seed: int,
    rules: tuple[Seat | None, Vulnerability | None],
) -> Collected:
    """Return a collection whose parts are not made yet."""
    from pavcodec.collection.session import Session

    script, tags = request.script, asked.event_tags.tags
    if script is not None and script.actions and not (asked.to or asked.numbers):
        raise QuestionError(
            "{parts} writes deals, and the script has actions: replace them by --to"
        )
    session = Session(
        seed,
        0,
        dealt.method,
        dealt.where,
        ranks_of(dealt.space),
        *rules,
        asked.script or None,
        tags,
    )
    plan = _plan(asked, wanted, request, dealt, session)
    only = None if asked.only is None else _parts_of_text(asked.only, len(plan))
    told = [*plan_lines(dealt.space), f"seed {seed}", *dealt.lines()]
    return Collected(asked.output, plan, only, engine_from(asked), told)


def _plan(
    asked: Asked, wanted: PartsWanted, request: Request, dealt: Dealt, session: Session
) -> Collection:
    """Return the plan of the options and of the folder."""
    from pavcodec.collection.collection import plan_of_deals, refuse_target, target_of_parts
    from pavcodec.collection.deals import making_of
    from pavcodec.collection.orders import joined_method, order_by_name

    space: Space = dealt.weighted or dealt.mix or dealt.space or numbering("deal")
    known = wanted.plan.get("ranges", {})
    count = _count(asked, request, known, tests=dealt.space is not None and is_tested(dealt.space))
    start = asked.start if asked.start or "start" not in known else known["start"]
    parts = asked.parts if asked.parts is not None else wanted.plan["parts"]
    named = asked.to or ("numbers" if asked.numbers else None)
    target, packed = target_of_parts(named or wanted.format)
    refuse_target(target)
    tell_event(target, session.tags)
    assert session.seed is not None
    try:
        order = order_by_name(asked.order or wanted.order, session.seed, count)
        session = replace(session, method=joined_method(session.method, order))
        making = making_of(space, order, session, target.name, packed, asked.title or "")
        return plan_of_deals(making, count, start, parts)
    except NumberError as error:
        if asked.parts is None:
            other = f"this folder has another collection, of {many(parts, 'part')}: {error}"
            raise PavError(f"{shown_path(wanted.folder)}: {other}") from None
        raise QuestionError(str(error)) from None


def _count(asked: Asked, request: Request, known: dict[str, Any], *, tests: bool) -> int:
    """Return the number of deals, or of samples to test."""
    script = request.script
    if tests:
        if asked.n is not None:
            raise QuestionError(
                "a part of the condition is tested deal by deal, so parts are ranges of tested "
                "samples: use --generate N, the number of samples to test, in place of -n"
            )
        own = None if script is None else script.generate
        option, given = "--generate", asked.generate
    else:
        if asked.generate is not None:
            raise QuestionError(
                "no part of the condition is tested deal by deal, so there are no samples to test: "
                "use -n N in place of --generate"
            )
        own = None if script is None else script.produce
        option, given = "-n", asked.n
    for each in (given, known.get("count"), own):
        if isinstance(each, int):
            return each
    raise QuestionError(f"--parts divides a number of deals: give it with {option}")


def _parts_of_text(text: str, parts: int) -> Indexes:
    """Return the indexes of `--only`; raise `QuestionError` for other texts."""
    from pavcodec.collection.collection import indexes_of
    from pavcodec.collection.run import Indexes

    ranges = []
    for word in map(str.strip, text.split(",")):
        match = _RANGE.fullmatch(word)
        if not match:
            raise QuestionError(f"--only: expected parts such as 100-199,250,900-, not {text!r}")
        first = int(match[1])
        last = first if not match[2] else int(match[3]) if match[3] else max(first, parts - 1)
        if last < first:
            raise QuestionError(f"--only: {word} ends before it begins")
        ranges.append(range(first, last + 1))
    try:
        return indexes_of(Indexes(ranges), parts)
    except NumberError as error:
        raise QuestionError(f"--only: {error}") from None


@dataclass
class Collected(Answer):
    """A collection in parts; `write` makes those that are wanted and not there."""

    folder: str
    plan: Collection
    only: Indexes | None
    engine: Engine
    told: list[str]
    made: Made = field(init=False)

    def write(self) -> None:
        """Make the parts, and tell what was done."""
        from pavcodec.collection.run import make

        for line in self.told:
            note(line)
        rows, started = 0, monotonic()
        total = len(self.plan) if self.only is None else len(self.only)
        seen = progress(None, "making", "parts", total=total, note=lambda: many(rows, "deal"))

        def count(done: Done) -> None:
            nonlocal rows
            rows += 0 if done.row is None else done.row.rows
            seen.add()

        with seen.shown():
            self.made = make(self.plan, self.folder, self.engine, only=self.only, on_row=count)
        for name, reason in self.made.again:
            note(f"{name}: {reason}; it was made again")
        for name, reason in self.made.failed:
            note(f"{name}: cannot be made: {reason}")
        note(_summary(self.made, shown_path(self.folder), monotonic() - started))

    @property
    def is_fault(self) -> bool:  # type: ignore[override]
        """Whether a part is missing."""
        return bool(self.made.missing)

    def to_dict(self) -> dict[str, Any]:
        """Return what was made, for JSON."""
        return self.made.to_dict()


def _summary(made: Made, folder: str, seconds: float) -> str:
    """Return the result in one line."""
    parts = len(made.rows.plan)
    done = [f"{made.made:,} made", f"{made.verified:,} verified"]
    done += [f"{made.missing:,} missing"] if made.missing else []
    line = f"{', '.join(done)} in {seconds:.1f} s"
    if made.is_complete:
        facts = f"{many(made.rows.rows, 'deal')}, {many(made.rows.bytes, 'byte')}"
        return f"{folder}: complete, {many(parts, 'part')}, {facts}; {line}"
    return f"{folder}: not complete, {made.chosen:,} of {many(parts, 'part')} chosen; {line}"
