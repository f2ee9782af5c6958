"""The sources of weighted deals and of what remains of deals, for `pavcodec deal`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from pavcodec.cli.commands.deals.deal_sources import FEW, DealSource, Draw
from pavcodec.cli.output.streams import UsageError
from pavcodec.formats import Format

if TYPE_CHECKING:
    from pavcodec.arrays.owners.rows import Owners
    from pavcodec.constraints import WeightedDeals
    from pavcodec.constraints.evaluation.drawn import Drawn
    from pavcodec.constraints.evaluation.evaluate import Evaluation
    from pavcodec.constraints.known.position import Position
    from pavcodec.layout import Deal

__all__ = ["RemainingSource", "WeightedSource", "check_remaining"]

_AT_ONCE = 1 << 16


class WeightedSource(DealSource):
    """Weighted deals at random: many in batches, few or different ones one by one."""

    def __init__(self, space: WeightedDeals, draw: Draw) -> None:
        self.space = space
        self.draw = draw
        self.count = draw.count

    @property
    def _is_in_batches(self) -> bool:
        return self.count >= FEW and not self.draw.distinct

    def deals(self) -> Iterator[Deal]:
        """Yield the deals."""
        draw, space = self.draw, self.space
        if draw.distinct:
            found = space.sample(draw.count, seed=draw.seed, start=draw.start, distinct=True)
            return iter(found)
        return space.samples(draw.count, seed=draw.seed, start=draw.start)

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the deals with the values that expressions have for them."""
        from pavcodec.constraints.evaluation.evaluate import evaluations

        return evaluations(self.deals(), self.draw.seed, self.draw.start)

    def drawn(self) -> Iterator[Evaluation | Drawn]:
        """Yield the items of `evaluations`, in batches if there are many."""
        if not self._is_in_batches:
            yield from self.evaluations()
            return
        from pavcodec.constraints.evaluation.drawn import Drawn

        start = self.draw.start
        for owners in self.batches():
            yield Drawn.by_seed(owners, self.draw.seed, start)
            start += len(owners)

    def batches(self) -> Iterator[Owners]:
        """Yield the owners of the deals, many at a time."""
        if not self._is_in_batches:
            yield from super().batches()
            return
        end = self.draw.start + self.count
        for start in range(self.draw.start, end, _AT_ONCE):
            many = min(_AT_ONCE, end - start)
            yield self.space.sample_many(many, seed=self.draw.seed, start=start)

    def extras(self) -> Iterator[dict[str, object]]:
        """Yield the weight of each deal for JSON."""
        return ({"weight": str(self.space.weight(deal))} for deal in self.deals())


class RemainingSource(DealSource):
    """What remains of the deals of another source at a position: layouts without the gone cards."""

    def __init__(self, original: DealSource, position: Position) -> None:
        self._original = original
        self._position = position
        self.count = original.count
        self.note = original.note

    def deals(self) -> Iterator[Deal]:
        """Yield the layouts that remain."""
        return (cast("Deal", self._position.remaining(deal)) for deal in self._original.deals())

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the original deals with the values that expressions have for them."""
        return self._original.evaluations()

    def batches(self) -> Iterator[Owners]:
        """Yield the owners of the layouts that remain, many at a time."""
        return map(self._position.remaining_many, self._original.batches())

    def method(self, plan: str) -> str:
        """Return the words on the method of the original deals."""
        return self._original.method(plan)

    def finish(self) -> bool:
        """Print the report of the original deals."""
        return self._original.finish()


def check_remaining(target: Format | None) -> None:
    """Refuse `--remaining` with actions of a script, and with a format that has boards."""
    if target is None:
        raise UsageError("--remaining replaces the actions of a script: use --to lines")
    if not target.is_cards_only:
        raise UsageError(
            f"{target.name} has boards, and --remaining leaves layouts: use a format of cards, "
            "such as lines"
        )
