"""Parts that are archives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO, ClassVar

from pavcodec.archive.files import write_archive
from pavcodec.archive.spaces import space_of
from pavcodec.collection.deals import describe_space
from pavcodec.collection.derived.making import DerivedMaking
from pavcodec.errors import PavError
from pavcodec.formats.packing import Packing

if TYPE_CHECKING:
    from pavcodec.archive.spaces import ArchiveSpace
    from pavcodec.archive.writer import Item
    from pavcodec.collection.derived.reading import Report
    from pavcodec.collection.source import SourceFile
    from pavcodec.constraints import ConstrainedDeals

__all__ = ["PackMaking"]


@dataclass(frozen=True, kw_only=True)
class PackMaking(DerivedMaking):
    """Parts with the boards of a source in archives; the options are those of `write_archive`.

    Raise `PavError` for sets and multisets of a source whose deals are not sorted: its parts would
    not make one together.
    """

    format: str = "pav"
    order: str = "ordered"
    space: str | ConstrainedDeals = "any"
    cards_only: bool = False
    all: bool = False
    tricks: bool = False

    kind: ClassVar[str] = "pack"

    def __post_init__(self) -> None:
        if self.order != "ordered" and not self.source.is_sorted:
            raise PavError(
                f"the parts of {self.source.storage} are not sorted, so archives of them are no "
                f"{self.order} together: write one archive, as in -o one.pav"
            )

    @cached_property
    def _space(self) -> ArchiveSpace:
        return space_of(self.space)

    def prepare(self) -> None:
        """Build the model of the space, once in a process."""
        if not isinstance(self.space, str):
            describe_space(self.space)

    def _options(self) -> dict[str, object]:
        space = self.space if isinstance(self.space, str) else describe_space(self.space)
        kept = {"cards_only": self.cards_only, "all": self.all, "tricks": self.tricks}
        return {"archive": self.order, "space": space, **kept}

    def _write(
        self, file: SourceFile, stream: BinaryIO, report: Report, stack: ExitStack
    ) -> dict[str, object]:
        packing = Packing(
            self._space,
            only_cards=self.cards_only,
            keeps_tricks=self.tricks,
            keeps_all=self.all,
        )

        def items() -> Iterator[Item]:
            inputs = self.reading.inputs(file, report, stack, name=file.name, ranks=packing.ranks)
            for found, opened, context in inputs:
                yield from packing.items(packing.read(found, opened, context), context)

        rows = write_archive(
            items(),
            stream,
            kind=self.order,
            space=self.space,
            all=self.all,
            tricks=self.tricks,
        )
        left_out = {"without_cards": packing.without_cards} if packing.without_cards else {}
        return {"rows": rows, **left_out}
