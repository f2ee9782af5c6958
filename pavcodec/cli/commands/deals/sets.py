"""Runs of `deal` that make more than a stream of boards: splits, orders and collections.

Splits are several files with shares of the deals and a data card. Orders have no deal twice: the
permutation of a seed, or a set sorted by number. Collections are folders of parts, which a later
run continues.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from time import monotonic
from typing import TYPE_CHECKING, Any

from pavcodec.chances.figures import many
from pavcodec.chances.plans import is_tested, plan_lines
from pavcodec.cli.output.progress import ProgressBar
from pavcodec.cli.output.streams import complain
from pavcodec.cli.parsers import option_group
from pavcodec.errors import NumberError, PavError
from pavcodec.files.compressed import split_suffix
from pavcodec.files.paths import local_path, shown_path
from pavcodec.numberings import numbering, ranks_of
from pavcodec.questions.asking import QuestionError, refuse_together
from pavcodec.questions.dealing import chosen_seed, order_name
from pavcodec.questions.deals import Request
from pavcodec.questions.losses import tell_event
from pavcodec.questions.outputs import refuse_existing
from pavcodec.questions.sources import Dealt
from pavcodec.questions.words import whole
from pavcodec.questions.workers import engine_from

if TYPE_CHECKING:
    from pavcodec.boards import Vulnerability
    from pavcodec.cards import Seat
    from pavcodec.collection.collection import Collection
    from pavcodec.collection.engines.engine import Engine
    from pavcodec.collection.orders import Space
    from pavcodec.collection.run import Done, Indexes, Made
    from pavcodec.collection.session import Session
    from pavcodec.formats import Format


# The options of `deal` for sets of files, and the paths of the files.


SPLIT = "{split}"
"""The part of an output's name that is the name of a split."""


def add_sets(parser: argparse.ArgumentParser) -> None:
    """Add the options of sets of files."""
    group = option_group(parser, "sets of files")
    group.add_argument(
        "--split",
        metavar="SHARES",
        help="divide the deals among several files, as in 0.8/0.1/0.1 for train, validation and "
        "test, or big=9,small=1; -o set-{split}.npy names them. No deal is in two files",
    )
    group.add_argument(
        "--apart",
        metavar="SYMMETRY",
        help="with --split: no deal is in two files up to suits, turns, half-turn or seats, or "
        "suits and one of these, as in suits,turns",
    )
    group.add_argument(
        "--data-card",
        action="store_true",
        help="write a data card beside the file, as JSON and as Markdown: seed, condition, counts, "
        "checksums and the command; --split always writes it",
    )
    group.add_argument("--licence", default="", metavar="TEXT", help="the licence on the data card")


_NO_SETS = ("json", "append", "exact", "level", "all", "method=1999")
"""Options that a set of files does not have."""


def shares_asked(args: argparse.Namespace) -> dict[str, Fraction]:
    """Return the shares of `--split`; one file without a name if there is only a card."""
    if args.split is None:
        return {"": Fraction(1)}
    from pavcodec.learning.splitting import shares_of

    try:
        return shares_of(args.split)
    except PavError as error:
        raise QuestionError(f"--split: {error}") from None


def check_sets(args: argparse.Namespace) -> bool:
    """Return whether a set of files is wanted; `QuestionError` for options that do not fit."""
    if args.split is None and not args.data_card:
        for option, value in (("--apart", args.apart), ("--licence", args.licence)):
            if value:
                raise QuestionError(
                    f"{option} belongs to a set of files: add --split or --data-card"
                )
        return False
    from pavcodec.learning.cards import card_paths

    option = "--data-card" if args.split is None else "--split"
    wanted = "data_card" if args.split is None else "split"
    refuse_together(args, [f"{wanted} {other}" for other in _NO_SETS])
    if args.output == "-":
        raise QuestionError(f"{option} writes files: name them with -o, as in -o set-{SPLIT}.npy")
    if args.apart is not None:
        if args.split is None or args.distinct:
            other = "without --split" if args.split is None else "and --distinct"
            raise QuestionError(f"--apart {other} does not go together")
        from pavcodec.symmetry import symmetry_of

        symmetry_of(args.apart)
    shares = shares_asked(args)
    for unknown in re.findall(r"\{\w*\}", args.output.replace(SPLIT, "")):
        only, name = f"only {SPLIT} is replaced, not {unknown}", args.output
        raise QuestionError("-o {name}: {only}", name=name, only=only)
    refuse_existing(
        [*paths_of(args.output, list(shares)).values(), *card_paths(stem_of(args.output))],
        force=args.force,
    )
    return True


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
            f"the files of a set are in one folder: {SPLIT} is part of the file's name"
        )
    stem = os.path.splitext(split_suffix(name)[0])[0]
    return os.path.join(folder, stem.replace(SPLIT, "").strip("-_. ") or "set")


def writes_set(args: argparse.Namespace, target: Format | None) -> bool:
    """Return whether the output is an archive of a sorted set; refuse tags for it."""
    from pavcodec.cli.asking import question_of
    from pavcodec.questions.events import OfEvent

    if not args.sorted or args.solve or target is None or target.name != "pav":
        return False
    if question_of(args, OfEvent).event_tags.tags or args.title:
        raise QuestionError(
            "an archive of sorted deals is a set, which holds no tags: leave them out"
        )
    return True


# Deals in parts: the options of `deal` for collections, and the run that makes one.
#
# Rule 1: the plan of an existing folder is continued. The options that it answers may be left out:
#         the number of parts, of deals or of samples, the seed, the first sample and the format.
# Rule 2: what the options say and the plan does not is another collection, and is refused.


_DEFAULT = "parquet"
_NO_PARTS = (
    "append", "split", "apart", "data_card", "all", "exact", "remaining", "csv", "export",
    "listing", "method=cases", "method=1999", "solved",
)  # fmt: skip
"""Options that parts do not have."""
_RANGE = re.compile(r"(\d+)(?:(-)(\d*))?", re.ASCII)
_SEED, _SEED_BITS = re.compile(r"\d{1,39}", re.ASCII), 128


def add_parts(parser: argparse.ArgumentParser) -> None:
    """Add the options of collections in parts."""
    group = option_group(parser, "collections in parts")
    group.add_argument(
        "--parts",
        type=whole,
        metavar="P",
        help="make a collection in P files, part-000000… to the folder or URL of -o (default "
        f"format: {_DEFAULT}); run again, it verifies what is there and makes the rest",
    )
    group.add_argument(
        "--only",
        metavar="LIST",
        help="with --parts: make only these parts, counted from 0, as in 100-199,250,900-",
    )
    group.add_argument(
        "--generate",
        type=whole,
        metavar="N",
        help="with --parts, in place of -n where a part of the condition is tested deal by deal: "
        "test N samples, and keep those that pass",
    )


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

    def seed(self) -> int | None:
        """Return the seed of the plan."""
        text = self._of_order("seed")
        if not (isinstance(text, str) and _SEED.fullmatch(text)):
            return None
        return int(text) if int(text).bit_length() <= _SEED_BITS else None

    def order(self) -> str:
        """Return the name of the order of the plan."""
        from pavcodec.collection.distinct import ORDERS

        name = self._of_order("name")
        return name if name in ORDERS else ORDERS[0]

    def format(self) -> str:
        """Return the format of the plan, with the suffix of compressed files."""
        if not self.plan:
            return _DEFAULT
        packed = split_suffix(f"part{self.plan['suffix']}")[1]
        return f"{self.making.get('format', _DEFAULT)}{packed}"

    def _of_order(self, key: str) -> Any:  # noqa: ANN401 (any value of JSON)
        order = self.making.get("order")
        return order.get(key) if isinstance(order, dict) else None


def check_parts_options(args: argparse.Namespace) -> PartsWanted | None:
    """Return what is known of the collection that is wanted; None for other outputs.

    Raises `QuestionError` for options that do not go together with parts, or that need them.
    """
    wanted = _wanted(args)
    if wanted is None:
        for option in ("workers", "scheduler"):
            if getattr(args, option) is not None:
                raise QuestionError(f"--{option} is for the parts of a collection: add --parts")
    return wanted


def _wanted(args: argparse.Namespace) -> PartsWanted | None:
    wants = args.parts is not None
    chooses = args.only is not None
    if wants and args.output == "-":
        raise QuestionError("--parts writes the files of a folder: name the folder with -o")
    if chooses and args.output == "-":
        raise QuestionError("--only chooses parts of a collection: name its folder with -o")
    may_be = args.output != "-" and (wants or chooses or _may_be_folder(args.output))
    plan = _stored_plan(args.output) if may_be else {}
    if not wants and not plan:
        if chooses:
            raise QuestionError(
                f"{shown_path(args.output)} has no plan of a collection: add --parts"
            )
        if args.generate is not None:
            raise QuestionError("--generate is the number of samples to test for --parts: use both")
        return None
    _refuse_others(args)
    return PartsWanted(args.output, plan)


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


def _refuse_others(args: argparse.Namespace) -> None:
    """Raise `QuestionError` for options that parts do not have."""
    making = argparse.Namespace(**{**vars(args), "parts": True})  # also of a folder with a plan
    refuse_together(making, [f"parts {other}" for other in _NO_PARTS])
    if args.solve:
        raise QuestionError(
            "--parts and --solve do not go together: make the parts, then use 'pavcodec solve' "
            "with the folder"
        )
    if args.distinct:
        raise QuestionError(
            "--parts and --distinct do not go together, because no part has the deals of "
            "the others: use --permuted"
        )
    refuse_together(args, ["n generate"])


def write_parts(  # noqa: PLR0913 (keywords)
    args: argparse.Namespace,
    wanted: PartsWanted,
    request: Request,
    asked: Dealt,
    *,
    given: int | None,
    rules: tuple[Seat | None, Vulnerability | None],
    tags: Mapping[str, str],
) -> int:
    """Make the parts of a collection; return the exit code."""
    from pavcodec.collection.session import Session

    script = request.script
    if script is not None and script.actions and not (args.to or args.numbers):
        raise QuestionError(
            "--parts writes deals, and the script has actions: replace them by --to"
        )
    seed = wanted.seed() if given is None else given
    if seed is None or (script is not None and script.seed is not None and given is None):
        seed = chosen_seed(given, request)
    session = Session(
        seed, 0, asked.method, asked.where, ranks_of(asked.space), *rules, args.script, dict(tags),
    )  # fmt: skip
    plan = _plan(args, wanted, request, asked, session)
    only = None if args.only is None else _parts_of_text(args.only, len(plan))
    engine = engine_from(args)
    for line in (*plan_lines(asked.space), f"seed {seed}", *asked.lines()):
        complain(line)
    return _run(args, plan, only, engine)


def _plan(
    args: argparse.Namespace, wanted: PartsWanted, request: Request, asked: Dealt, session: Session
) -> Collection:
    """Return the plan of the options and of the folder."""
    from pavcodec.collection.collection import plan_of_deals, refuse_target, target_of_parts
    from pavcodec.collection.distinct import joined_method, making_of, order_by_name

    space: Space = asked.weighted or asked.mix or asked.space or numbering("deal")
    known = wanted.plan.get("ranges", {})
    count = _count(args, request, known, tests=asked.space is not None and is_tested(asked.space))
    start = args.start if args.start or "start" not in known else known["start"]
    parts = args.parts if args.parts is not None else wanted.plan["parts"]
    named = args.to or ("numbers" if args.numbers else None)
    target, packed = target_of_parts(named or wanted.format())
    refuse_target(target)
    tell_event(target, session.tags)
    assert session.seed is not None
    try:
        order = order_by_name(order_name(args) or wanted.order(), session.seed, count)
        session = replace(session, method=joined_method(session.method, order))
        making = making_of(space, order, session, target.name, packed, args.title or "")
        return plan_of_deals(making, count, start, parts)
    except NumberError as error:
        if args.parts is None:
            other = f"this folder has another collection, of {many(parts, 'part')}: {error}"
            raise PavError(f"{shown_path(wanted.folder)}: {other}") from None
        raise QuestionError(str(error)) from None


def _count(
    args: argparse.Namespace, request: Request, known: dict[str, Any], *, tests: bool
) -> int:
    """Return the number of deals, or of samples to test."""
    script = request.script
    if tests:
        if args.n is not None:
            raise QuestionError(
                "a part of the condition is tested deal by deal, so parts are ranges of tested "
                "samples: use --generate N, the number of samples to test, in place of -n"
            )
        own = None if script is None else script.generate
        option, given = "--generate", args.generate
    else:
        if args.generate is not None:
            raise QuestionError(
                "no part of the condition is tested deal by deal, so there are no samples to test: "
                "use -n N in place of --generate"
            )
        own = None if script is None else script.produce
        option, given = "-n", args.n
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


def _run(args: argparse.Namespace, plan: Collection, only: Indexes | None, engine: Engine) -> int:
    """Make the parts and print the result."""
    from pavcodec.collection.run import make

    rows, started = 0, monotonic()
    asked = len(plan) if only is None else len(only)
    progress = ProgressBar(
        None, "making", "parts", output=args.output, total=asked, note=lambda: many(rows, "deal")
    )

    def count(done: Done) -> None:
        nonlocal rows
        rows += 0 if done.row is None else done.row.rows
        progress.add()

    with progress.shown():
        made = make(plan, args.output, engine, only=only, on_row=count)
    for name, reason in made.again:
        complain(f"{name}: {reason}; it was made again")
    for name, reason in made.failed:
        complain(f"{name}: cannot be made: {reason}")
    complain(_summary(made, shown_path(args.output), monotonic() - started))
    if args.json:
        print(json.dumps(made.to_dict(), indent=2))
    return 1 if made.missing else 0


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
