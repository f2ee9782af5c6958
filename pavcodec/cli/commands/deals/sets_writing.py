"""Write the files of a set, and the data card beside them.

All files get their names at the end, after no deal was found in two of them.
"""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

from pavcodec.boards import Context
from pavcodec.chances.figures import many
from pavcodec.chances.plans import is_tested
from pavcodec.cli.commands.deals.sets import paths_of, shares_asked, stem_of
from pavcodec.cli.output.progress import ProgressBar
from pavcodec.cli.output.streams import complain
from pavcodec.collection.session import Session
from pavcodec.errors import PavError
from pavcodec.formats import Format
from pavcodec.learning.cards import CardFile, DataCard, card_paths, file_of, versions, write_card
from pavcodec.learning.splitting import sizes_by_shares
from pavcodec.numberings import numbering
from pavcodec.questions.inputs import Problems
from pavcodec.questions.outputs import open_binary_output
from pavcodec.questions.sources import DealSource, Dealt

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs, Owners
    from pavcodec.boards.batch import BoardBatch
    from pavcodec.learning.classes import Overlaps


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


def write_set(
    args: argparse.Namespace, target: Format, source: DealSource, session: Session, asked: Dealt
) -> Problems:
    """Write the files of a set and their card."""
    if target.cycle is not None and not target.is_cards_only:
        raise PavError(f"{target.name} has at most {target.cycle} boards, and is no format of sets")
    shares = shares_asked(args)
    sizes = dict(zip(shares, sizes_by_shares(source.count, list(shares.values())), strict=True))
    paths = paths_of(args.output, list(shares))
    problems = Problems()
    context = Context("deal", problems, numbering=session.ranks, note=complain)
    numbers: dict[str, list[Limbs]] = {name: [] for name in shares}
    written: dict[str, int] = {}
    from pavcodec.learning.classes import overlaps_of

    progress = ProgressBar(None, "dealing", "deals", output=args.output, total=source.count)
    rows = _OwnersInTurn(source.batches())
    first = session.start + 1
    with ExitStack() as stack:
        for split, (name, size) in enumerate(sizes.items()):
            parts = rows.take(size)
            if args.apart is not None:
                parts = _apart(args, session, asked, size, split, list(shares.values()))
            stream = stack.enter_context(open_binary_output(paths[name], target))
            watched = progress.watch(parts, len)
            deals = _noted(watched, numbers[name], args.apart)
            batches = _batches(target, deals, session, first)
            written[name] = target.write_batches(batches, stream, context)
            first += size
        overlaps = overlaps_of(numbers, args.apart)
        for (one, other), common in overlaps.common.items():  # then no file gets its name
            raise PavError(
                f"{many(common, 'deal')} would be in {one} and in {other}, as {overlaps.example}: "
                "the condition has few deals; add --distinct, which repeats no deal, or --apart"
            )
    is_range = args.apart is None and not args.distinct
    firsts = accumulate(sizes.values(), initial=session.start)
    starts = {name: first if is_range else None for name, first in zip(sizes, firsts, strict=False)}
    files = tuple(
        file_of(paths[name], name or "all", written[name], target.name, first=starts[name])
        for name in shares
    )
    card = _card(args, session, asked, files, overlaps)
    write_card(card, stem_of(args.output))
    for each in files:
        complain(f"{each.name}: {many(each.deals, 'deal')}")
    complain(f"data card: {card_paths(stem_of(args.output))[0]}")
    return problems


def _apart(  # noqa: PLR0913, PLR0917
    args: argparse.Namespace,
    session: Session,
    asked: Dealt,
    size: int,
    split: int,
    weights: list[Fraction],
) -> Iterator[Owners]:
    """Yield the deals of a split whose classes are in no other split."""
    from pavcodec.learning.classes import draw_apart
    from pavcodec.learning.resampling import Sampled

    space = asked.weighted or asked.mix or asked.space or numbering("deal")
    if not isinstance(space, Sampled) or session.seed is None:
        raise PavError("--apart needs deals that can be counted and drawn by their index")
    return draw_apart(
        space, size, split, weights, seed=session.seed, start=session.start, symmetry=args.apart
    )


def _noted(parts: Iterator[Owners], numbers: list[Limbs], symmetry: str | None) -> Iterator[Owners]:
    """Yield the deals of a split, and add the numbers of their classes to a list."""
    from pavcodec.learning.classes import class_numbers

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


def _card(
    args: argparse.Namespace,
    session: Session,
    asked: Dealt,
    files: tuple[CardFile, ...],
    overlaps: Overlaps,
) -> DataCard:
    """Return the card of the set."""
    words = ["pavcodec", *args.words]
    if args.seed is None:
        words += ["--seed", str(session.seed)]
    count, all_deals = None, numbering("deal").cardinality
    if asked.weighted is None and asked.mix is None:
        if asked.space is None:
            count = all_deals
        elif not is_tested(asked.space):
            count = asked.space.cardinality
    return DataCard(
        os.path.basename(stem_of(args.output)),
        str(session.seed),
        session.where,
        "" if count is None else str(count),
        "" if count is None else str(Fraction(count, all_deals)),
        shlex.join(words),
        files,
        start=session.start,
        method=session.method,
        shares={} if args.split is None else {n: str(w) for n, w in shares_asked(args).items()},
        apart=args.apart or "",
        is_distinct=args.distinct,
        common=sum(overlaps.common.values()),
        licence=args.licence,
        versions=versions(),
    )
