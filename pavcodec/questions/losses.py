"""Messages about differences between read and written boards, and about repeated boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from pavcodec.boards import Board
from pavcodec.chances.figures import listed, many
from pavcodec.formats import Format
from pavcodec.formats.format import NAMES
from pavcodec.formats.losing import LostParts
from pavcodec.formats.registry import Repeated
from pavcodec.questions import asking

if TYPE_CHECKING:
    from pavcodec.boards.batch import BoardBatch


_MOST_TAGS = 5
"""The most names of tags in a line; the last one may stand for all others."""
_WORDS = {"tricks": "double-dummy tricks"}


def tell_event(target: Format | None, tags: Mapping[str, str]) -> None:
    """Tell about the tags of an event that the output has no place for.

    `target` is the format of the output; None for `--json`.
    """
    lost = [name.lower() for name in tags if target is None or not target.shows_tag(name)]
    if lost:
        output = "--json" if target is None else target.name
        asking.note(f"{output} has no place for the {listed(lost)}")


def tell_tricks(target: Format, board: Board) -> None:
    """Tell if the output has no place for the double-dummy tricks of a board."""
    if "tricks" in target.lost_parts(board):
        asking.note(f"{target.name} has no place for the {_WORDS['tricks']}")


class Differences(Counter[str]):
    """A counter of boards that the output format gives another number, dealer or vulnerability."""

    def note(self, kind: str) -> None:
        """Count a board by the kind of its difference; use this as the `differ` of a `Context`."""
        self[kind] += 1

    def tell(self, target: Format) -> None:
        """Tell about new board numbers, and a line about dealers and vulnerabilities."""
        numbers = self["number"]
        if numbers:
            are = "has no number and is" if numbers == 1 else "have no number and are"
            asking.note(f"{target.name}: {many(numbers, 'board')} {are} numbered in turn")
        rules = [
            f"the {kind} of {many(self[kind], 'board')}"
            for kind in ("dealer", "vulnerability")
            if self[kind]
        ]
        if rules:
            become = "become those" if len(rules) > 1 else "becomes that"
            asking.note(f"{target.name}: {' and '.join(rules)} {become} of the board number")


class Losses:
    """A counter of boards that lose parts in the output format, with the names of these parts."""

    def __init__(self, target: Format) -> None:
        self.lost = LostParts(target)
        """The examined boards that lose parts, and these parts."""
        self._target = target

    def examined(self, batches: Iterable[BoardBatch]) -> Iterator[BoardBatch]:
        """Yield the batches that are written, and count the parts that their boards lose."""
        for batch in batches:
            self.lost.examine(batch)
            yield batch

    def tell(self, differences: Differences) -> None:
        """Tell about the lost parts; `differences` are in a line of their own."""
        parts = [part for part in self.lost.names if not differences[part]]
        if parts:
            lose = "loses" if self.lost.boards == 1 else "lose"
            boards = many(self.lost.boards, "board")
            if self.lost.is_cut:
                boards = f"{self.lost.boards:,} of the first {many(self.lost.examined, 'board')}"
            asking.note(f"{self._target.name}: {boards} {lose} {_shown(parts)}")


def _shown(parts: list[str]) -> str:
    """Return the names of parts, with few names of tags."""
    names = dict.fromkeys("names" if part in NAMES else part for part in parts)
    words = [_WORDS.get(name, name) for name in names if name[0].islower()]
    tags = [name for name in names if not name[0].islower()]
    if len(tags) > _MOST_TAGS:
        tags = [*tags[: _MOST_TAGS - 1], f"{len(tags) - _MOST_TAGS + 1} more"]
    if tags:
        words.append(f"the {'tag' if len(tags) == 1 else 'tags'} {listed(tags)}")
    return listed(words)


def tell_repeated(repeated: Repeated) -> None:
    """Tell how many removed boards, and the option that writes them."""
    if repeated.left_out:
        way = "" if repeated.is_asked_for else "; --no-unique writes them"
        boards = many(repeated.left_out, "board")
        asking.note(f"{boards} left out that came before, with the same number and deal{way}")
