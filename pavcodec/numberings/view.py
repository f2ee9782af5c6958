"""Views: the layouts of a range of numbers, each made when it is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import index as as_integer
from typing import TYPE_CHECKING, Generic, Protocol, SupportsIndex, cast, overload

from pavcodec.errors import LayoutError, shown
from pavcodec.layout import Layout

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    L_co = TypeVar("L_co", bound=Layout, covariant=True, default=Layout)
else:
    from typing import TypeVar

    L_co = TypeVar("L_co", bound=Layout, covariant=True)


class _Numbered(Protocol[L_co]):
    """What a view needs of a numbering."""

    def rank(self, layout: Layout) -> int: ...
    def unrank(self, number: SupportsIndex) -> L_co: ...
    def __contains__(self, layout: object) -> bool: ...


@dataclass(frozen=True)
class LayoutView(Generic[L_co]):
    """The layouts of a range of numbers of a numbering; each layout is made when it is read.

    >>> from pavcodec import numbering
    >>> view = numbering("deal")[10:40:10]
    >>> view.numbers, len(view), view[-1] == numbering("deal").unrank(30)
    (range(10, 40, 10), 3, True)
    """

    numbering: _Numbered[L_co]
    numbers: range

    @property
    def cardinality(self) -> int:
        """The exact number of layouts, even if `len` cannot return it."""
        steps, step = self.numbers.stop - self.numbers.start, self.numbers.step
        return max(0, -(-steps // step))

    @overload
    def __getitem__(self, position: SupportsIndex) -> L_co: ...
    @overload
    def __getitem__(self, position: slice) -> LayoutView[L_co]: ...
    def __getitem__(self, position: SupportsIndex | slice) -> L_co | LayoutView[L_co]:
        if isinstance(position, slice):
            return LayoutView(self.numbering, self.numbers[position])
        try:
            number = self.numbers[position]
        except IndexError:
            given = shown(as_integer(position))
            raise IndexError(
                f"{given} is past the end: there are {self.cardinality} layouts"
            ) from None
        return self.numbering.unrank(number)

    def __iter__(self) -> Iterator[L_co]:
        return map(self.numbering.unrank, self.numbers)

    def __reversed__(self) -> Iterator[L_co]:
        return map(self.numbering.unrank, reversed(self.numbers))

    def __contains__(self, layout: object) -> bool:
        return layout in self.numbering and (
            self.numbering.rank(cast("Layout", layout)) in self.numbers
        )

    def index(self, layout: Layout) -> int:
        """Return the position of a layout in the view; raise `LayoutError` if it is not in it."""
        number = self.numbering.rank(layout)
        if number not in self.numbers:
            raise LayoutError(f"number {number} of {layout!r} is not in this view")
        return self.numbers.index(number)

    def __bool__(self) -> bool:
        return bool(self.numbers)

    def __len__(self) -> int:
        try:
            return len(self.numbers)
        except OverflowError:
            raise OverflowError(f"len() cannot hold {self.cardinality}; use .cardinality") from None
