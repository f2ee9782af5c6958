"""What a question deals, and the sources of its deals: drawn, tested, or listed in order.

Some sources are those of the studies. By cases, the two most constrained hands are listed, in
memory or in a file, and the rest is selected from them. The method of 1999 is biased, and is here
for comparison.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, cast

from pavcodec.cards import Seat, Suit
from pavcodec.chances.figures import many, percent
from pavcodec.chances.plans import is_tested
from pavcodec.errors import PavError
from pavcodec.layout.layout import layout_from_owners
from pavcodec.numberings import Numbering, numbering, ranks_of
from pavcodec.questions.asking import QuestionError, note, working
from pavcodec.questions.deals import Request, refuse_empty, space_of
from pavcodec.questions.shares import (
    Fields,
    level_lines,
    level_of,
    mix_lines,
    mix_of,
    weighted_lines,
    weighted_of,
)
from pavcodec.sampling import Stream, check_slice

if TYPE_CHECKING:
    from pavcodec.arrays import Limbs, Owners
    from pavcodec.collection.orders import Order, Permuted, Sorted
    from pavcodec.constraints import Acceptance, Levelled, Mix, TestedDeals, WeightedDeals
    from pavcodec.constraints.evaluation import Evaluation
    from pavcodec.constraints.known import Position
    from pavcodec.constraints.spaces.deals import CountableSpace as Space
    from pavcodec.constraints.vectors import Chunk
    from pavcodec.layout import Deal
    from pavcodec.numberings.space import Rows
    from pavcodec.numberings.space import Space as RandomSpace
    from pavcodec.studies.dealer1999 import Dealer1999


FEW = 4096
"""The most deals for which no arrays are loaded."""
_AT_ONCE = 1 << 16
_MOST_LISTED = 10_000_000


class DealSource(ABC):
    """Deals, and a report about them at the end."""

    count: int
    """The most deals of this source."""
    seed = 0
    """The seed of the random numbers that expressions use."""
    start = 0
    """The position of the first deal."""
    is_in_batches = False
    """Whether the deals come in batches for expressions as well."""
    note: Callable[[], str] | None = None
    """Describes its progress if the number of deals does not show it."""

    @property
    def ranks(self) -> Numbering:
        """The numbering of the numbers."""
        return numbering("deal")

    @abstractmethod
    def deals(self) -> Iterator[Deal]:
        """Yield the deals."""

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the deals with the values that expressions have for them."""
        from pavcodec.constraints.evaluation import evaluations

        return evaluations(self.deals(), self.seed, self.start)

    def drawn(self) -> Iterator[Evaluation | Chunk]:
        """Yield the items of `evaluations`, in batches if the deals come in batches."""
        return self._drawn_batches() if self.is_in_batches else self.evaluations()

    def _drawn_batches(self) -> Iterator[Chunk]:
        from pavcodec.constraints.vectors import Chunk

        start = self.start
        for owners in self.batches():
            yield Chunk.of_seed(owners, self.seed, start)
            start += len(owners)

    def deals_of_batches(self) -> Iterator[Deal]:
        """Yield the deals of `batches` one by one."""
        rows = (owners for batch in self.batches() for owners in batch)
        return (cast("Deal", layout_from_owners(owners.tobytes())) for owners in rows)

    def batches(self) -> Iterator[Owners]:
        """Yield the owners of the deals, `uint8[n, 52]`, many at a time."""
        from pavcodec.boards.batch import batches_of

        return batches_of(self.deals())

    def numbered(self) -> Iterator[tuple[Owners, Limbs]]:
        """Yield the items of `batches` with their numbers: `uint64[n, 2]`, high and low."""
        return ((owners, self.ranks.rank_many(owners)) for owners in self.batches())

    def extras(self) -> Iterator[dict[str, object]]:
        """Yield the additional keys of each deal for JSON."""
        return repeat({})

    @property
    def is_named(self) -> bool:
        """Whether each deal has a type with a name."""
        return False

    def method(self, plan: str) -> str:
        """Return the words on the method in the tag `Generator`, after those of the plan."""
        return plan

    def finish(self) -> bool:
        """Print a report on the error stream; return whether there were enough deals."""
        return True


@dataclass(frozen=True)
class Draw:
    """A requested draw; `tries` is the most deals to test."""

    count: int
    seed: int
    start: int = 0
    distinct: bool = False
    tries: int | None = None


class RandomSource(DealSource):
    """The deals of a draw."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.count, self.seed, self.start = draw.count, draw.seed, draw.start


class SpaceSource(RandomSource):
    """Deals at random of a space without tests: few of them one by one, many in batches."""

    def __init__(self, space: RandomSpace[Any], draw: Draw) -> None:
        check_slice(draw.start, draw.count, 1)
        super().__init__(draw)
        self.space = space
        self.is_in_batches = draw.count >= FEW and _has_loops(space)

    @property
    def ranks(self) -> Numbering:
        """The numbering of the numbers."""
        return ranks_of(self.space)

    def deals(self) -> Iterator[Deal]:
        """Yield the deals."""
        if self.is_in_batches:
            return self.deals_of_batches()
        draw = self.draw
        return self.space.samples(
            draw.count, seed=draw.seed, start=draw.start, distinct=draw.distinct
        )

    def _rows(self) -> Iterator[Rows]:
        """Yield the deals as arrays; all processors share the work."""
        draw, end = self.draw, self.start + self.count
        if not draw.distinct:
            for start in range(self.start, end, _AT_ONCE):
                part = range(start, min(start + _AT_ONCE, end))
                yield self.space.rows(draw.seed, part, threads=None)
            return
        from pavcodec.collection.orders import layouts_at
        from pavcodec.sampling import draw_distinct

        space = cast("Numbering", self.space)
        total = space.cardinality
        Stream(draw.seed).distinct_indexes(total, draw.count, draw.start)  # which checks them
        for places in draw_distinct(draw.seed, draw.start, draw.count, total, at_once=_AT_ONCE):
            yield layouts_at(space, places, threads=None)

    def batches(self) -> Iterator[Owners]:
        """Yield the owners of the deals, many at a time."""
        return (owners for owners, _ in self._rows()) if self.is_in_batches else super().batches()

    def numbered(self) -> Iterator[tuple[Owners, Limbs]]:
        """Yield the items of `batches` with their numbers."""
        return _with_numbers(self._rows(), self.ranks) if self.is_in_batches else super().numbered()


def _with_numbers(parts: Iterable[Rows], ranks: Numbering) -> Iterator[tuple[Owners, Limbs]]:
    """Yield the owners of parts with their numbers, ranked where the draw did not make them."""
    for owners, numbers in parts:
        yield owners, ranks.rank_many(owners) if numbers is None else numbers


class _Passed(RandomSource):
    """Deals at random of which a part of the condition is tested."""

    def __init__(self, space: TestedDeals, draw: Draw) -> None:
        from pavcodec.constraints import Acceptance

        check_slice(draw.start, draw.count, 1)
        super().__init__(draw)
        self.space = space
        self._acceptance = Acceptance()
        self._done = 0
        self.note = lambda: f"{self._acceptance.tried:,} tested"

    def deals(self) -> Iterator[Deal]:
        return (cast("Deal", each.deal) for each in self.evaluations())

    def evaluations(self) -> Iterator[Evaluation]:
        draw = self.draw
        passing = self.space.passing(
            seed=draw.seed,
            start=draw.start,
            distinct=draw.distinct,
            tries=draw.tries,
            acceptance=self._acceptance,
        )
        for self._done, each in enumerate(islice(passing, draw.count), start=1):
            yield each

    def drawn(self) -> Iterator[Evaluation | Chunk]:
        draw = self.draw
        if draw.distinct or draw.count < FEW:
            yield from self.evaluations()
            return
        for some in self.space.batches(
            draw.count,
            seed=draw.seed,
            start=draw.start,
            tries=draw.tries,
            acceptance=self._acceptance,
        ):
            self._done += len(some)
            yield some

    def finish(self) -> bool:
        """Print the share of deals that passed, and whether there were too few."""
        from pavcodec.constraints.nodes.format import show

        parts = self.space.tested.parts
        tests = show(parts[0].node) if len(parts) == 1 else f"{len(parts)} tests"
        _tell(self._acceptance, tests)
        if self._done == self.count:
            return True
        made = f"{self._done:,} of {many(self.count, 'deal')}"
        note(f"only {made}: 'generate' allows {many(self.draw.tries or 0, 'try', 'tries')}")
        return False


def _tell(acceptance: Acceptance, tests: str) -> None:
    passed, tried = acceptance.accepted, acceptance.tried
    share = f" ({percent(Fraction(passed, tried))})" if tried else ""
    note(f"{passed:,} of {many(tried, 'deal')} passed {tests}{share}")


class MixedSource(RandomSource):
    """Deals of a mix."""

    def __init__(self, mix: Mix, draw: Draw) -> None:
        from pavcodec.constraints import Acceptance

        super().__init__(draw)
        self.mix = mix
        self._acceptance = Acceptance()
        self._tests = any(is_tested(kind.space) for kind in mix.types)
        if self._tests:
            self.note = lambda: f"{self._acceptance.tried:,} tested"

    def deals(self) -> Iterator[Deal]:
        """Yield the deals."""
        return (cast("Deal", each.deal) for each in self.evaluations())

    def evaluations(self) -> Iterator[Evaluation]:
        """Yield the deals with the values that expressions have for them."""
        draw, counts = self.draw, self._acceptance
        return self.mix.evaluations(draw.count, seed=draw.seed, start=draw.start, acceptance=counts)

    @property
    def is_named(self) -> bool:
        """Whether the types have names."""
        from pavcodec.constraints import Levelled

        return isinstance(self.mix, Levelled)

    def extras(self) -> Iterator[dict[str, object]]:
        """Yield the type of each deal for JSON."""
        draw = self.draw
        places = self.mix.places(draw.count, seed=draw.seed, start=draw.start)
        return ({"type": self._type(kind)} for kind in places)

    def _type(self, kind: int) -> object:
        """Return the name of a type: its number, or the names that a script gives it."""
        from pavcodec.constraints import Levelled

        if not isinstance(self.mix, Levelled):
            return kind + 1
        names = self.mix.names_of(kind)
        return names[0] if len(names) == 1 else list(names)

    def finish(self) -> bool:
        """Print the share of deals that passed, if types are tested."""
        if self._tests:
            _tell(self._acceptance, "the tests of their types")
        return True


class _Listed(DealSource):
    """Deals in the order of their numbers."""

    def __init__(self, space: Numbering, indexes: range) -> None:
        self.space = space
        self.indexes = indexes
        self.count, self.start = len(indexes), indexes.start
        self.is_in_batches = self.count >= FEW and _has_loops(space)

    @property
    def ranks(self) -> Numbering:
        return ranks_of(self.space)

    def deals(self) -> Iterator[Deal]:
        return (cast("Deal", self.space.unrank(index)) for index in self.indexes)

    def batches(self) -> Iterator[Owners]:
        if not _has_loops(self.space):
            return super().batches()
        from pavcodec.arrays import consecutive

        end = self.indexes.stop
        parts = (
            consecutive(number, min(_AT_ONCE, end - number))
            for number in range(self.indexes.start, end, _AT_ONCE)
        )
        return map(self.space.unrank_many, parts)


def draw(space: Space | None, wanted: Draw) -> DealSource:
    """Return deals at random from a space, or from all deals."""
    if space is not None and is_tested(space):
        return _Passed(space, wanted)
    return SpaceSource(numbering("deal") if space is None else space, wanted)


def _has_loops(space: object) -> bool:
    """Return whether a space makes its deals in batches."""
    if type(space) is Numbering:
        return True
    from pavcodec.constraints.spaces.constrained import ConstrainedLayouts

    return isinstance(space, ConstrainedLayouts)


def list_all(space: Space | None, count: int | None, start: int) -> DealSource:
    """Return the deals of a space in order: all, or some from a position on."""
    if space is not None and is_tested(space):
        from pavcodec.constraints.nodes.format import show

        reason = f"{show(space.tested.node)} is tested deal by deal"
        raise PavError(f"--all lists what can be counted: {reason}")
    listed: Numbering = numbering("deal") if space is None else space
    total = listed.cardinality
    left = total - start
    if left <= 0:
        raise PavError(f"there are {many(total, listed.noun)}, numbered from 0: none at {start:,}")
    if count is None and left > _MOST_LISTED:
        raise PavError(
            f"there are {many(left, listed.noun)}, too many to list: "
            f"limit them with -n (and --start), or leave out --all to draw at random"
        )
    return _Listed(listed, range(start, start + min(left, left if count is None else count)))


# The sources of weighted deals and of what remains of deals, for `pavcodec deal`.


class WeightedSource(SpaceSource):
    """Weighted deals at random; different ones are made one by one."""

    def __init__(self, space: WeightedDeals, draw: Draw) -> None:
        super().__init__(space, draw)
        self.is_in_batches = draw.count >= FEW and not draw.distinct

    def extras(self) -> Iterator[dict[str, object]]:
        """Yield the weight of each deal for JSON."""
        weighted = cast("WeightedDeals", self.space)
        return ({"weight": str(weighted.weight(deal))} for deal in self.deals())


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


class Dealt1999(RandomSource):
    """Deals by the method of 1999: all of them, or none."""

    def __init__(self, dealer: Dealer1999, draw: Draw) -> None:
        super().__init__(draw)
        self.dealer = dealer

    def deals(self) -> Iterator[Deal]:
        """Yield the deals, once the last of them has been dealt."""
        draw = self.draw
        with working("dealing"):
            return iter(self.dealer.sample(draw.count, seed=draw.seed, start=draw.start))


class OrderedSource(DealSource):
    """The deals of a space in an order without repeats."""

    def __init__(self, space: object, name: str, seed: int, start: int, count: int) -> None:
        from pavcodec.collection.orders import check_order, order_by_name
        from pavcodec.collection.plan import Part

        chosen = numbering("deal") if space is None else space
        self.order: Order = order_by_name(name, seed, count)
        check_order(self.order, chosen, start, count)  # type: ignore[arg-type]
        self.space = cast("Numbering", chosen)
        self.seed, self.start, self.count = seed, start, count
        self.is_in_batches = count >= FEW
        self._part = Part(0, start, count, "")

    @property
    def ranks(self) -> Numbering:
        """The numbering of the numbers."""
        return ranks_of(self.space)

    def method(self, plan: str) -> str:
        """Return the words on the plan and on the order."""
        from pavcodec.collection.orders import joined_method

        return joined_method(plan, self.order)

    def deals(self) -> Iterator[Deal]:
        """Yield the deals: few of them without arrays."""
        if self.is_in_batches:
            return self.deals_of_batches()
        if not self.order.is_sorted:
            from pavcodec.numberings.permuted import permuted

            order = permuted(self.space, self.seed)
            return iter(order[self.start : self.start + self.count])  # type: ignore[arg-type]
        from pavcodec.sampling.sets import SortedSample

        sample = SortedSample(self.space.cardinality, self.count, self.seed)
        rows = chain.from_iterable(part.tolist() for part in sample.part(0, self.count))
        return (cast("Deal", self.space[high << 64 | low]) for high, low in rows)

    def positions(self) -> Iterator[Limbs]:
        """Yield the positions of the deals in the space, as arrays."""
        order = cast("Permuted | Sorted", self.order)
        return order.positions(self.space, self._part)

    def _layouts(self) -> Iterator[Rows]:
        """Yield the deals; all processors share the work."""
        from pavcodec.collection.orders import layouts_at

        return (layouts_at(self.space, places, threads=None) for places in self.positions())

    def batches(self) -> Iterator[Owners]:
        """Yield the owners of the deals, many at a time."""
        return (layouts.owners for layouts in self._layouts())

    def numbered(self) -> Iterator[tuple[Owners, Limbs]]:
        """Yield the items of `batches` with their numbers."""
        return _with_numbers(self._layouts(), self.ranks)


# What is dealt: one of several kinds of spaces, or all deals.


METHOD = "1999"
"""The method of the study of 1999."""


@dataclass(frozen=True)
class Dealt:
    """What is dealt: a space, with or without weights, a mix, the dealer of 1999, or all."""

    space: Space | None = None
    mix: Mix | None = None
    levelled: Levelled | None = None
    dealer1999: Dealer1999 | None = None
    method: str = ""
    weighted: WeightedDeals | None = None

    @property
    def where(self) -> str:
        """The condition."""
        if self.dealer1999 is not None:
            return str(self.dealer1999.where)
        if self.weighted is not None:
            return str(self.weighted)
        if self.space is None:
            return str(self.mix or "")
        return self.space.text

    def source(self, wanted: Draw) -> DealSource:
        """Return the source of the deals of a draw."""
        if self.dealer1999 is not None:
            return Dealt1999(self.dealer1999, wanted)
        if self.weighted is not None:
            return WeightedSource(self.weighted, wanted)
        return draw(self.space, wanted) if self.mix is None else MixedSource(self.mix, wanted)

    def lines(self) -> Iterator[str]:
        """Yield the lines on the types."""
        if self.levelled is not None:
            yield from level_lines(self.levelled)
        elif self.mix is not None:
            yield from mix_lines(self.mix)
        elif self.weighted is not None:
            yield from weighted_lines(self.weighted)


def dealt_of(asked: Fields, request: Request) -> Dealt:
    """Return what the fields choose, counted if that is possible."""
    levelled = level_of(asked, request)
    if levelled is not None:
        return Dealt(mix=levelled, levelled=levelled)
    weighted = weighted_of(asked, request)
    if weighted is not None:
        return Dealt(weighted=weighted)
    mix = mix_of(asked, request)
    dealer1999 = _dealer1999(asked, request)
    if mix is not None:
        return Dealt(mix=mix)
    if dealer1999 is not None:
        return Dealt(dealer1999=dealer1999, method=_method_of(dealer1999))
    dealt = _by_cases(asked, request)
    if dealt is None and request.node is None and asked.cards is None:
        return Dealt()
    if dealt is None:
        space = space_of(request.condition, asked.method)
        dealt = Dealt(space, method=space.method)
    assert dealt.space is not None
    refuse_empty(dealt.space, "condition")
    return dealt


def _by_cases(asked: Fields, request: Request) -> Dealt | None:
    """Return the deals of the options by cases; None without such an option."""
    if asked.listing is None and asked.method != "cases":
        return None
    if asked.listing is None and request.node is None:
        raise QuestionError("{method} cases needs a condition, as in 'spades(west) == 9'")
    from pavcodec.studies.cases import NotCasesError, deals_by_cases, open_cases
    from pavcodec.studies.cases.table import select

    if asked.listing is not None:
        listed = open_cases(asked.listing).deals
        return Dealt(
            cast("Space", select(listed, request.condition.parts)),
            method=f"listing={listed.where}",
        )
    try:
        with working("listing cases"):
            space = deals_by_cases(request.condition.node)
            space.counted.cardinality  # noqa: B018 (goes through the cases)
    except NotCasesError as error:
        raise QuestionError("{said}", "method", said=error) from None
    return Dealt(cast("Space", space), method="method=cases")


_WEIGHT = re.compile(r"\s*(\w+)\s*\(\s*(\w+)\s*\)\s*:\s*([0-9]{1,18})\s*")


def suit_weight(text: str) -> tuple[Seat, Suit, int]:
    """Return the weight of a suit; raise `PavError` for another text.

    >>> suit_weight("diamonds(west) : 3")[2]
    3
    """
    match = _WEIGHT.fullmatch(text)
    suits = {suit.name.lower(): suit for suit in Suit}
    seats = {seat.name.lower(): seat for seat in Seat}
    if not match or match[1].lower() not in suits or match[2].lower() not in seats:
        raise PavError(
            f"expected as in 'diamonds(west) : 3', not {text!r}; --weights takes other weights"
        )
    return seats[match[2].lower()], suits[match[1].lower()], int(match[3])


def _dealer1999(asked: Fields, request: Request) -> Dealer1999 | None:
    """Return the dealer of the options; None for another method."""
    if asked.method != METHOD:
        if asked.suit_weight:
            raise QuestionError("{suit_weight} is for {method} 1999", "suit_weight")
        return None
    from pavcodec.studies.dealer1999 import NotLimitsError, deals_as_in_1999

    weights: dict[Seat | str, list[int | None]] = {}
    for seat, suit, weight in map(suit_weight, asked.suit_weight):
        weights.setdefault(seat, [None] * len(Suit))[suit] = weight
    try:
        return deals_as_in_1999(request.condition.node, weights=weights)
    except NotLimitsError as error:
        raise QuestionError("{said}", "method", said=error) from None


def _method_of(dealer: Dealer1999) -> str:
    """Return the method and the given weights, for tags."""
    words = [f"method={METHOD}"]
    for seat, hand in zip(Seat, dealer.hands, strict=True):
        words += [
            f"weight={suit.name.lower()}({seat.name.lower()}):{weight}"
            for suit, weight in zip(Suit, hand.weights, strict=True)
            if weight is not None
        ]
    return " ".join(words)
