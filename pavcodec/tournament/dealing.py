"""The boards of sessions as files: their names, and their bytes in any format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import islice
from typing import BinaryIO, Protocol

from pavcodec._version import __version__
from pavcodec.boards import Board, Context
from pavcodec.errors import PavError
from pavcodec.tournament.bigdeal import BigDealSeed
from pavcodec.tournament.event import Event, Session
from pavcodec.tournament.pages import record_pages

__all__ = ["Target", "deal_files", "seed_boards", "session_boards", "session_file", "set_boards"]


class Target(Protocol):
    """A format in which the deals are written."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of its files, the usual one first."""

    def write(self, boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
        """Write boards, and return their number."""


def seed_boards(seed: BigDealSeed, numbers: Iterable[int]) -> Iterator[Board]:
    """Yield a board for each number, with the deals of a seed of Big Deal in order."""
    owner = seed.owner.decode("utf-8", "replace")
    made = f"pavcodec {__version__} bigdeal seed={seed.random.hex()} owner={owner}"
    for number, deal in zip(numbers, seed.deals(), strict=False):
        yield Board.make(deal, number=number, tags={"Generator": made})


def session_boards(event: Event, session: Session, many: int | None = None) -> Iterator[Board]:
    """Yield the boards of a session; the first `many` if the description has no number."""
    generator = f"pavcodec {__version__} squaredeal"
    boards = event.boards(session, [("Generator", generator)])
    return boards if session.boards is not None else islice(boards, many)


def set_boards(
    event: Event, session: Session, tags: Mapping[str, str], many: int | None = None
) -> list[Board]:
    """Return the boards of a session with the tags of a set, except Session.

    Raise `PavError` if the number of boards is unknown.
    """
    if session.boards is None and many is None:
        raise PavError(f"the description does not say how many boards {session.name} has")
    shown = {name: value for name, value in tags.items() if name != "Session"}
    boards = session_boards(event, session, many)
    return [board.with_tags(shown) for board in boards] if shown else list(boards)


def session_file(session: Session, target: Target) -> str:
    """Return the name of the file of a session."""
    return f"{session.name}{target.suffixes[0] if target.suffixes else '.txt'}"


def deal_files(  # noqa: PLR0913 (keywords)
    event: Event,
    targets: Sequence[Target],
    tags: Mapping[str, str],
    *,
    sessions: Sequence[Session] | None = None,
    many: int | None = None,
    records: bool = False,
    note: Callable[[str], None] = lambda _text: None,
) -> dict[str, bytes]:
    """Return the files of sessions in each format by their names; with `records` also the pages.

    `sessions` are all sessions of the description, unless named, and `many` is the number of boards
    where the description has none. `note` is called with what a format changes.
    """
    files: dict[str, bytes] = {}
    for session in event.sessions if sessions is None else sessions:
        boards = set_boards(event, session, tags, many)
        for target in targets:
            stream = BytesIO()
            title = event.description.name
            target.write(boards, stream, Context("squaredeal", note=note, title=title))
            files[session_file(session, target)] = stream.getvalue()
        if records:
            files |= record_pages(event, session, boards)
    return files
