"""Constraints as numberings: the deals or endings that satisfy a condition, in order.

Deals are in the order of deal numbers. Endings have equal hands of fewer than 13 cards, the rest
played or unknown. The walk and the model are those of deals, with a fifth owner, nobody; so the
endings of a condition have the order of the numbering `balanced`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Self, SupportsIndex, cast

from pavcodec.cards import UNUSED
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.counting.model import Model
from pavcodec.constraints.evaluation import evaluate
from pavcodec.constraints.expressions import expression
from pavcodec.constraints.operators import Expression
from pavcodec.constraints.spaces.estimates import count_row
from pavcodec.errors import LayoutError
from pavcodec.layout import Deal, Layout
from pavcodec.layout.drawings import notebook_table, percent
from pavcodec.layout.layout import check_layout
from pavcodec.legal import is_legal, signature, too_few_leads
from pavcodec.limits import MEMORY, memory_of
from pavcodec.numberings import Numbering, numbering
from pavcodec.numberings.space import L_co, Space
from pavcodec.walk import FixedSizes, Rank, Ranking, Unrank

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class ModelRanking(Ranking):
    """The order behind a constraint: a ranking over the words of its counting model."""

    condition: Condition

    @cached_property
    def cards(self) -> int:
        """The length of the words."""
        return sum(self.condition.sizes)

    @cached_property
    def cardinality(self) -> int:
        """The number of words."""
        return self.condition.model.cardinality

    @cached_property
    def _rows(self) -> tuple[Rank, Unrank]:
        model = self.condition.model
        return model.rank_rows, model.unrank_rows


@dataclass(frozen=True)
class ConstrainedLayouts(Numbering[L_co]):
    """The layouts that satisfy a condition: what deals and endings share."""

    @property
    def condition(self) -> Condition:
        """The condition as a value of counting."""
        return cast("ModelRanking", self.ranking).condition

    @property
    def where(self) -> Expression:
        """The condition."""
        return Expression(self.condition.node)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The cards of each hand, and for endings the number of other cards."""
        return self.condition.sizes

    @property
    def model(self) -> Model:
        """The counting model; reading it builds it."""
        return self.condition.model

    def conflict(self) -> tuple[Expression, ...]:
        """Return parts of the condition that exclude each other; none if a layout satisfies it.

        >>> from pavcodec import deals
        >>> deals("hcp(north) >= 30 && spades(east) == 5 && hcp(south) >= 20").conflict()
        (expression('hcp(north) >= 30'), expression('hcp(south) >= 20'))
        """
        return tuple(map(Expression, self.condition.conflict()))

    def to_dict(self) -> dict[str, object]:
        """Return the condition and the exact number for JSON, as `pavcodec count --json` does.

        >>> from pavcodec import deals
        >>> deals("hcp(north) == 37").to_dict()["cardinality"]
        '337912392291465600'
        """
        row = count_row(self.cardinality, FixedSizes(self.sizes).cardinality)
        conflict = [str(part) for part in self.conflict()]
        return {"where": self.name, **row, **({"conflict": conflict} if conflict else {})}

    def _repr_html_(self) -> str:
        """Return the condition and the number in HTML; notebooks call this. It counts nothing."""
        rows: list[list[object]] = [["condition", self.name]]
        if self.condition.has_model:
            share = Fraction(self.cardinality, FixedSizes(self.sizes).cardinality)
            rows += [["number", f"{self.cardinality:,}"]]
            rows += [["share", f"{share} = {percent(share)} %"], ["bits", self.bits]]
        else:
            rows += [["number", "not counted yet; .cardinality counts"]]
        return notebook_table(type(self).__name__, [], rows, texts=(0, 1))

    def rank(self, layout: Layout) -> int:
        """Return the number of a layout; raise `LayoutError` if it is not among them."""
        try:
            return super().rank(layout)
        except LayoutError:
            if not self._has_sizes(layout):
                raise
            kind = "deal" if layout.is_deal else "ending"
            raise LayoutError(f"this {kind} does not satisfy {self.name!r}") from None

    def __contains__(self, layout: object) -> bool:
        check_layout(layout)
        known = cast("Layout", layout)
        return self._has_sizes(known) and bool(evaluate(self.condition.node, known))

    def contains_many(
        self, owners: NDArray[np.uint8], *, threads: SupportsIndex | None = None
    ) -> NDArray[np.bool_]:
        """Return for each of many layouts whether it is among these: `uint8[n, 52]` to `bool[n]`.

        Row k is what `in` returns for the layout of the owners in row k. This needs no counting.
        Raises `LayoutError` for invalid owners and `PavError` for a division by 0, with the row,
        and `TypeError` for another array.

        >>> from pavcodec import deals, numbering
        >>> deals("hcp(south) <= 9").contains_many(numbering("deal").sample_many(4, seed=7))
        array([False,  True,  True,  True])
        """
        from pavcodec.constraints.columns import contains_rows

        return contains_rows(self.condition.node, self.sizes, owners, threads=threads)

    def _has_sizes(self, layout: Layout) -> bool:
        """Return whether a layout has hands of the right sizes."""
        counts = tuple(map(layout.owners.count, range(UNUSED + 1)))
        return counts[: len(self.sizes)] == self.sizes


@dataclass(frozen=True)
class ConstrainedDeals(ConstrainedLayouts[Deal]):
    """The deals that satisfy a condition, as a numbering: exact, in the order of deal numbers.

    Made by `pavcodec.deals(where)`. Positions run from 0 to `cardinality` - 1. A condition and a
    position always determine the same deal.

    >>> from pavcodec import deals
    >>> space = deals("spades(west) == 9")
    >>> space.cardinality, space.probability
    (4968111751882804000476000, Fraction(11761893, 127002711920))
    >>> print(space[0])
    N:AKQJ.AKQJT9876.. .5432.AKQJT9876. ..5432.AKQJT9876 T98765432...5432
    >>> space.rank(space[10**20]), space[-1] in space, numbering("deal")[0] in space
    (100000000000000000000, True, False)
    """

    @classmethod
    def of(cls, where: Expression | str | int | Condition, *, memory: int | str = MEMORY) -> Self:
        """Return the deals of a condition that can be counted; a `Condition` has its own memory."""
        if isinstance(where, Condition):
            condition = where
        else:
            condition = Condition(expression(where).node, memory_of(memory))
        return cls(
            condition.text,
            "the deals that satisfy a condition, in the order of deal numbers",
            ModelRanking(condition),
            f"deals with {condition.text}",
            "",
            Deal,
        )

    @property
    def probability(self) -> Fraction:
        """The exact share of all deals."""
        return Fraction(self.cardinality, numbering("deal").cardinality)

    draw = Space.draw  # deal numbers, not positions

    def __repr__(self) -> str:
        return f"deals({self.name!r}){'.one_based()' if self.first else ''}"


@dataclass(frozen=True)
class ConstrainedEndings(ConstrainedLayouts[Layout]):
    """The endings of a number of cards that satisfy a condition, in the order of `balanced`.

    All such endings, or those that legal play can reach. Made by `pavcodec.endings(where, cards=5)`
    or `pavcodec.endings(where, cards=5, legal=True)`. Positions run from 0 to `cardinality` - 1.
    Endings with a condition on `tricks` are in the order of their classes (`counting/classes`).

    >>> from pavcodec import endings
    >>> space = endings("spades(south) == 5 && hcp(west) == 0", cards=5)
    >>> space.cardinality, float(space.probability)
    (105868213141224990456, 7.161663678991691e-05)
    >>> space.sample(1, seed=7)
    [Layout.from_pbn('N:T.A2.8.4 7.84.J.A K8532... .93.74.3')]
    """

    @property
    def cards(self) -> int:
        """The cards in each hand."""
        return self.sizes[0]

    @property
    def legal(self) -> bool:
        """Whether these are only endings that legal play can reach, in some denomination."""
        return self.condition.legal

    @property
    def method(self) -> str:
        """The words for the tag `Generator`: legal, or none."""
        return "legal" if self.legal else ""

    @property
    def noun(self) -> str:
        """What the layouts are: ending, or legal ending."""
        return "legal ending" if self.legal else "ending"

    @property
    def kind(self) -> str:
        """A phrase for messages: the endings before the condition is applied."""
        return kind_of_endings(self.cards, legal=self.legal)

    @property
    def probability(self) -> Fraction:
        """The exact share of all endings of so many cards."""
        return Fraction(self.cardinality, FixedSizes(self.sizes).cardinality)

    def rank(self, layout: Layout) -> int:
        """Return the number of a layout; raise `LayoutError` if it is not among them."""
        if self.legal and self._has_sizes(layout) and not _is_legal(layout):
            reason = too_few_leads(signature(layout.owners))
            raise LayoutError(f"this ending is not legal: {reason}")
        return super().rank(layout)

    def __contains__(self, layout: object) -> bool:
        if not super().__contains__(layout):
            return False
        return not self.legal or _is_legal(cast("Layout", layout))

    def contains_many(
        self, owners: NDArray[np.uint8], *, threads: SupportsIndex | None = None
    ) -> NDArray[np.bool_]:
        """Return for each of many layouts whether it is among these: `uint8[n, 52]` to `bool[n]`.

        Row k is what `in` returns for the layout of the owners in row k. This needs no counting.
        Errors are those of a space of deals.
        """
        inside = super().contains_many(owners, threads=threads)
        if not self.legal:
            return inside
        from pavcodec.numberings.legal import are_legal

        return inside & are_legal(owners, threads=threads)

    def __repr__(self) -> str:
        legal = ", legal=True" if self.legal else ""
        base = ".one_based()" if self.first else ""
        return f"endings({self.name!r}, cards={self.cards}{legal}){base}"


def kind_of_endings(cards: int, *, legal: bool) -> str:
    """Return the words for all endings of a size, as `legal endings of 5 cards`."""
    return f"{'legal ' * legal}endings of {cards} card{'s' * (cards > 1)}"


def _is_legal(layout: Layout) -> bool:
    return is_legal(signature(layout.owners))
