"""Deals without repeats: in the order of a seed, or a set sorted by number."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from pavcodec.cli.commands.deals.deal_sources import FEW, DealSource
from pavcodec.cli.options.sessions import refuse_together
from pavcodec.cli.output.progress import Progress
from pavcodec.cli.output.streams import Problems, UsageError, open_binary_output
from pavcodec.cli.parsers import option_group
from pavcodec.numberings import Numbering, numbering, ranks_of

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.arrays.words.limbs import Limbs
    from pavcodec.collection.distinct.orders import Permuted, Sorted
    from pavcodec.collection.orders import Layouts, Order
    from pavcodec.constraints.evaluation.drawn import Drawn
    from pavcodec.constraints.evaluation.evaluate import Evaluation
    from pavcodec.formats import Format
    from pavcodec.layout import Deal

__all__ = ["OrderedSource", "add_orders", "check_orders", "order_name", "writes_set"]


def add_orders(parser: argparse.ArgumentParser) -> None:
    """Add the options of orders without repeats."""
    group = option_group(parser, "random draw")
    group.add_argument(
        "--permuted",
        action="store_true",
        help="deal no deal twice, in any part of the run: the order is a permutation by the seed",
    )
    group.add_argument(
        "--sorted",
        action="store_true",
        help="deal N different deals in the order of their numbers; a .pav file of them is a set",
    )


def order_name(args: argparse.Namespace) -> str | None:
    """Return the name of the order that the options choose; None for plain draws."""
    return "permuted" if args.permuted else "sorted" if args.sorted else None


def check_orders(args: argparse.Namespace) -> None:
    """Raise `UsageError` for options that exclude orders without repeats."""
    others = {
        "--all": args.all,
        "--distinct": args.distinct,
        "--exact": args.exact,
        "--mix": args.mix,
        "--level": args.level,
        "--weight-of": args.weight,
        "--method 1999": args.method == "1999",
        "--split": args.split,
        "--data-card": args.data_card,
    }
    refuse_together([("--permuted", args.permuted, "--sorted", args.sorted)])
    refuse_together(("--permuted", args.permuted, name, given) for name, given in others.items())
    refuse_together(("--sorted", args.sorted, name, given) for name, given in others.items())
    if args.sorted and args.start:
        raise UsageError("--sorted deals a whole set: --start goes with --permuted")


class OrderedSource(DealSource):
    """The deals of a space in an order without repeats."""

    def __init__(self, space: object, name: str, seed: int, start: int, count: int) -> None:
        from pavcodec.collection.distinct.orders import check_order, order_by_name
        from pavcodec.collection.plan import Part

        chosen = numbering("deal") if space is None else space
        self.order: Order = order_by_name(name, seed, count)
        check_order(self.order, chosen, start, count)  # type: ignore[arg-type]
        self.space = cast("Numbering", chosen)
        self.seed, self.start, self.count = seed, start, count
        self._part = Part(0, start, count, "")

    @property
    def ranks(self) -> Numbering:
        """The numbering of the numbers."""
        return ranks_of(self.space)

    def method(self, plan: str) -> str:
        """Return the words on the plan and on the order."""
        from pavcodec.collection.distinct.orders import joined_method

        return joined_method(plan, self.order)

    def deals(self) -> Iterator[Deal]:
        """Yield the deals: few of them without arrays."""
        if self.count >= FEW:
            from pavcodec.layout.layout import layout_from_owners

            rows = (owners for batch in self.batches() for owners in batch)
            return (cast("Deal", layout_from_owners(owners.tobytes())) for owners in rows)
        if not self.order.is_sorted:
            from pavcodec.numberings.permuted import permuted

            order = permuted(self.space, self.seed)
            return iter(order[self.start : self.start + self.count])  # type: ignore[arg-type]
        from pavcodec.sampling.sorted_sets import sorted_set

        places = sorted_set(self.seed, self.space.cardinality, self.count)
        return (cast("Deal", self.space[place]) for place in places)

    def _positions(self) -> Iterator[Limbs]:
        order = cast("Permuted | Sorted", self.order)
        return order.positions(self.space, self._part)

    def _layouts(self) -> Iterator[Layouts]:
        """Yield the deals; all processors share the work."""
        from pavcodec.collection.distinct.orders import layouts_at

        return (layouts_at(self.space, places, threads=None) for places in self._positions())

    def batches(self) -> Iterator[Owners]:
        """Yield the owners of the deals, many at a time."""
        return (found.owners for found in self._layouts())

    def numbered(self) -> Iterator[tuple[Owners, Limbs]]:
        """Yield the items of `batches` with their numbers."""
        for owners, numbers in self._layouts():
            yield owners, self.ranks.rank_many(owners) if numbers is None else numbers

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the deals with the values that expressions have for them."""
        from pavcodec.constraints.evaluation.evaluate import evaluations

        return evaluations(self.deals(), self.seed, self.start)

    def drawn(self) -> Iterator[Evaluation | Drawn]:
        """Yield the items of `evaluations`, in batches if there are many."""
        if self.count < FEW:
            yield from self.evaluations()
            return
        from pavcodec.constraints.evaluation.drawn import Drawn

        start = self.start
        for owners in self.batches():
            yield Drawn.by_seed(owners, self.seed, start)
            start += len(owners)

    def write_set(self, output: str, target: Format) -> Problems:
        """Write the deals of a sorted set as an archive of the kind `set`."""
        from pavcodec.collection.distinct.archives import write_set_archive

        progress = Progress(None, "dealing", "deals", output=output, total=self.count)
        with open_binary_output(output, target) as stream:
            write_set_archive(self.space, progress.watch(self._positions(), len), stream)
        return Problems()


def writes_set(args: argparse.Namespace, target: Format | None) -> bool:
    """Return whether the output is an archive of a sorted set; refuse tags for it."""
    from pavcodec.cli.options.event_tags import event_tags

    if not args.sorted or args.solve or target is None or target.name != "pav":
        return False
    if event_tags(args).tags or args.title:
        raise UsageError("an archive of sorted deals is a set, which holds no tags: leave them out")
    return True
