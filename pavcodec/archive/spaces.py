"""The space of an archive: the meaning of its numbers, from its form in the header.

A *part* is a numbering, the deals or endings of a condition, or the single "no cards". The numbers
of an archive are those of its parts in a row: the numbers of the first part start at 0, those of
each next part after the last number of the part before. The number of a layout is that in the first
part that contains it. So a collection of deals, endings and boards without cards is a list of
numbers, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from pavcodec.archive.container import MOST_SPACES, MOST_TEXT, SpaceType, StoredSpace
from pavcodec.arrays import Limbs, Owners, add, checked, split
from pavcodec.boards.batch import NO_CARDS
from pavcodec.cards import DECK_SIZE, UNUSED
from pavcodec.constraints import (
    ConstrainedDeals,
    ConstrainedEndings,
    Expression,
    TestedDeals,
    deals,
    endings,
)
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.errors import LayoutError, PavError, ReadError, shown
from pavcodec.layout import Deal, Layout
from pavcodec.layout.layout import describe_sizes, layout_from_owners
from pavcodec.limits import MEMORY
from pavcodec.numberings import Numbering, numbering, numbering_names
from pavcodec.numberings.chain import Chain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pavcodec.constraints.nodes.syntax import Node


SpaceLike: TypeAlias = "str | Numbering | TestedDeals"
"""The types of the `space` of `write_archive`: a name, or a numbering such as `deals(where)`."""

ANY = "any"
"""The name of the space of all boards, including boards without cards."""

_OF_ANY = ("deal", "balanced", "ending", "base5")

_SIZE_BITS = 6
"""The bits of the number of cards in a hand, up to 52."""


@dataclass(frozen=True)
class SpacePart:
    """One part of a space: its form in the header, and its numbering, which is made on demand."""

    stored: StoredSpace
    memory: int = field(default=MEMORY, compare=False)
    """The maximum memory for counting a condition, in bytes."""

    @classmethod
    def of(cls, numbers: Numbering) -> SpacePart:
        """Return the part of a numbering; raise `PavError` if a header cannot describe it."""
        total = numbers.cardinality
        type_, cards = SpaceType.NUMBERING, 0
        if isinstance(numbers, ConstrainedDeals):
            type_ = SpaceType.DEALS
        elif isinstance(numbers, ConstrainedEndings):
            type_, cards = SpaceType.ENDINGS, numbers.cards
        if not total:
            raise PavError(f"nothing satisfies {numbers.name!r}, so there is nothing to store")
        if isinstance(numbers, ConstrainedEndings) and numbers.legal:
            raise PavError(
                "an archive stores no condition on legal endings alone; use space='legal', which "
                "contains them all"
            )
        part = cls(StoredSpace(type_, cards, total, numbers.name))
        if type_ is SpaceType.NUMBERING:
            if numbers.name not in numbering_names(partial=True, classes=True):
                raise PavError(f"an archive cannot describe the numbering {numbers.name!r}")
        elif len(numbers.name.encode()) > MOST_TEXT or part._node != numbers.where.node:  # type: ignore[attr-defined]
            raise PavError(f"an archive stores conditions as text, and {numbers.name!r} has none")
        part.__dict__["numbering"] = replace(numbers, first=0) if numbers.first else numbers
        return part

    @property
    def is_empty(self) -> bool:
        """Whether this is the part of boards without cards."""
        return self.stored.type is SpaceType.NO_CARDS

    @property
    def is_of_deals(self) -> bool:
        """Whether it contains only complete deals. This counts nothing."""
        if self.stored.type is SpaceType.NUMBERING:
            return issubclass(self.numbering.layout_type, Deal)
        return self.stored.type is SpaceType.DEALS

    @property
    def is_of_classes(self) -> bool:
        """Whether its numbers are those of classes of deals, each with its canonical deal."""
        stored = self.stored
        names = numbering_names(partial=True)
        return stored.type is SpaceType.NUMBERING and stored.text not in names

    @cached_property
    def where(self) -> Expression | None:
        """The condition, or None."""
        has_one = self.stored.type in (SpaceType.DEALS, SpaceType.ENDINGS)
        return Expression(self._node) if has_one else None

    @cached_property
    def numbering(self) -> Numbering:
        """The numbering. The first access counts the deals of a condition.

        Raise `ReadError` if there is no such numbering, or if its cardinality differs from that in
        the header.
        """
        stored = self.stored
        if stored.type is SpaceType.NUMBERING:
            numbers: object = numbering(stored.text)
        elif stored.type is SpaceType.DEALS:
            numbers = deals(Expression(self._node), memory=self.memory, method="exact")
        else:
            numbers = endings(Expression(self._node), cards=stored.cards, memory=self.memory)
        if not isinstance(numbers, Numbering):
            raise ReadError(f"header: the deals with {stored.text!r} cannot be counted")
        if numbers.cardinality != stored.cardinality:
            raise ReadError(
                f"header: {stored.text!r} has {shown(numbers.cardinality)} numbers here, "
                f"not {stored.cardinality}"
            )
        return numbers

    def check(self) -> None:
        """Raise `ReadError` if the part is invalid, as far as that is known without counting."""
        type_, cards, cardinality, text = self.stored
        if type_ is SpaceType.NO_CARDS and (cards, cardinality, text) != (0, 1, ""):
            raise ReadError("header: the part without cards has cardinality 1 and no text")
        names = numbering_names(partial=True, classes=True)
        if type_ is SpaceType.NUMBERING and text not in names:
            raise ReadError(f"header: there is no numbering {text!r}")
        if (type_ is SpaceType.ENDINGS) != (1 <= cards < DECK_SIZE // 4) or cards >= DECK_SIZE // 4:
            raise ReadError(f"header: a space of this type cannot have {cards} cards in each hand")
        if type_ is SpaceType.NUMBERING:
            _ = self.numbering  # compares the cardinalities
        if cardinality > _MOST_LAYOUTS:
            raise ReadError(f"header: the cardinality {cardinality} exceeds that of all layouts")

    @cached_property
    def _node(self) -> Node:
        return _canonical_node(self.stored.text)


@lru_cache(maxsize=16)  # a collection of many archives has few conditions
def _canonical_node(text: str) -> Node:
    """Return a condition as a tree; raise `ReadError` unless its text is canonical."""
    try:
        node = parse_expression(text)
    except (PavError, RecursionError):
        raise ReadError(f"header: {text[:80]!r} is no condition") from None
    if str(Expression(node)) != text:
        raise ReadError(f"header: the condition {text[:80]!r} is not in its canonical form")
    return node


_MOST_LAYOUTS = 5**DECK_SIZE
_NO_CARDS = SpacePart(StoredSpace(SpaceType.NO_CARDS, 0, 1, ""))


@dataclass(frozen=True)
class ArchiveSpace:
    """All parts of an archive as one range of numbers.

    >>> space = space_of("any")
    >>> deal = numbering("deal")[5]
    >>> space.number(deal), space.layout(5) == deal, space.layout(space.number(None))
    (5, True, None)
    """

    parts: tuple[SpacePart, ...]

    @classmethod
    def stored(cls, spaces: Sequence[StoredSpace], memory: int = MEMORY) -> ArchiveSpace:
        """Return the space of a header; raise `ReadError` if it is invalid."""
        if not 1 <= len(spaces) <= MOST_SPACES:
            raise ReadError(f"header: an archive has 1 to {MOST_SPACES} spaces, not {len(spaces)}")
        parts = tuple(SpacePart(space, memory) for space in spaces)
        for part in parts:
            part.check()
        return cls(parts)

    @cached_property
    def chain(self) -> Chain:
        """The numbers of the parts in a row."""
        return Chain(tuple(part.stored.cardinality for part in self.parts))

    @property
    def cardinality(self) -> int:
        """The number of all numbers."""
        return self.chain.cardinality

    def number(self, layout: Layout | None) -> int:
        """Return the number of a layout; raise `LayoutError` if no part contains it."""
        return self.chain.join(*self._local(layout))

    def _local(self, layout: Layout | None) -> tuple[int, int]:
        """Return the index of the first part that contains a layout, and the number in it."""
        for which, part in enumerate(self.parts):
            if part.is_empty or layout is None:
                if part.is_empty and layout is None:
                    return which, 0
                continue
            try:
                return which, part.numbering.rank(layout)
            except LayoutError:
                continue
        raise self._refusal(layout)

    def _refusal(self, layout: Layout | None) -> LayoutError:
        if layout is None:
            return LayoutError(f"a board without cards is not in {self}")
        if len(self.parts) == 1:
            try:
                self.parts[0].numbering.rank(layout)
            except LayoutError as error:
                return error
        return LayoutError(f"this layout is not in {self}; {describe_sizes(layout)}")

    def layout(self, number: int) -> Layout | None:
        """Return the layout of a number below the cardinality; None for "no cards"."""
        which, own = self.chain.split(number)
        part = self.parts[which]
        return None if part.is_empty else part.numbering.unrank(own)

    def numbers(self, owners: Owners) -> Limbs:
        """Return the numbers of owners, `uint8[n, 52]`, where 255 is a board without cards.

        Raise `LayoutError` like `number`.
        """
        have_cards = checked("owners", owners, np.uint8, DECK_SIZE)[:, 0] != NO_CARDS
        if have_cards.all():
            return self._numbers_of_cards(owners)
        numbers = np.empty((len(owners), 2), np.uint64)
        numbers[~have_cards] = split(self.number(None))
        numbers[have_cards] = self._numbers_of_cards(owners[have_cards])
        return numbers

    def _numbers_of_cards(self, owners: Owners) -> Limbs:
        first = self.parts[0]
        if not first.is_empty:
            try:
                return first.numbering.rank_many(owners)
            except LayoutError:
                if len(self.parts) == 1:
                    raise
        numbers = np.empty((len(owners), 2), np.uint64)
        if any(part.where or part.stored.text == "legal" for part in self.parts):
            for row, word in enumerate(owners):
                numbers[row] = split(self.number(layout_from_owners(word.tobytes())))
            return numbers
        kinds = self._kinds_by_sizes(owners)
        for which in np.unique(kinds).tolist():
            rows = kinds == which
            own = self.parts[which].numbering.rank_many(owners[rows])
            numbers[rows] = add(own, self.chain.starts[which])
        return numbers

    def _kinds_by_sizes(self, owners: Owners) -> NDArray[np.intp]:
        """Return for each layout the index of its part, which the hand sizes determine.

        Only the first layout of each combination of sizes is searched in the parts.
        """
        sizes = sum(
            np.count_nonzero(owners == seat, axis=1) << _SIZE_BITS * seat for seat in range(UNUSED)
        )
        _, rows, kinds = np.unique(sizes, return_index=True, return_inverse=True)
        held = [
            self._local(layout_from_owners(owners[row].tobytes()))[0]
            for row in sorted(rows.tolist())
        ]
        by_first = dict(zip(sorted(rows.tolist()), held, strict=True))
        return np.array([by_first[row] for row in rows.tolist()])[kinds]

    def layouts(self, numbers: Limbs) -> list[Layout | None]:
        """Return the layouts of numbers; None for "no cards"."""
        return [
            None if word[0] == NO_CARDS else layout_from_owners(word)
            for word in map(bytes, self.owners(numbers))
        ]

    def owners(self, numbers: Limbs) -> Owners:
        """Return the owners of numbers, `uint8[n, 52]`, 255 for boards without cards."""
        if len(self.parts) == 1 and not self.parts[0].is_empty:
            return self.parts[0].numbering.unrank_many(numbers)
        owners: Owners = np.full((len(numbers), DECK_SIZE), NO_CARDS, np.uint8)
        for which, rows, own in self.chain.split_rows(numbers):
            if not self.parts[which].is_empty:
                owners[rows] = self.parts[which].numbering.unrank_many(own)
        return owners

    def __str__(self) -> str:
        """Return the names of the parts for a message."""
        names = [part.stored.text or "boards without cards" for part in self.parts]
        return ", ".join(names)


def space_of(space: SpaceLike) -> ArchiveSpace:
    """Return the space of a name or of a numbering; `any` is that of all boards.

    Raise `PavError` if an archive cannot store such a space.
    """
    if isinstance(space, str):
        if space != ANY:
            return ArchiveSpace((SpacePart.of(numbering(space)),))
        return ArchiveSpace((*(SpacePart.of(numbering(name)) for name in _OF_ANY), _NO_CARDS))
    if isinstance(space, TestedDeals):
        raise PavError(f"{space.reasons[0]}, and an archive stores numbers; use space='deal'")
    if not isinstance(space, Numbering):
        raise TypeError(f"a space is a name or a numbering, not {type(space).__name__!r}")
    return ArchiveSpace((SpacePart.of(space),))
