"""What answers about tournaments share: files with their purpose, and sessions."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from shlex import quote
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.tournament import Session
from pavcodec.web.tasks.media import media_type
from pavcodec.web.tasks.shell import path_of

__all__ = [
    "SessionView",
    "TournamentFile",
    "file_view",
    "session_views",
    "value_lines",
]

Role = Literal["publish", "keep", "deals"]


class TournamentFile(BaseModel):
    """A file: its name, its bytes, and what to do with it."""

    model_config = ConfigDict(frozen=True)

    name: str
    role: Role = Field(
        description="publish it now, keep it secret until the play is over, or deal from it"
    )
    media_type: str
    content: str = Field(description="the bytes in base64")


class SessionView(BaseModel):
    """A session: its name, its title and its boards."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(description="the name of its files")
    title: str
    boards: str | None = Field(description="its boards, such as 1-24; null if they are open")


def file_view(name: str, data: bytes, role: Role) -> TournamentFile:
    """Return a file for an answer."""
    kind, content = media_type(name).partition(";")[0], b64encode(data).decode()
    return TournamentFile(name=name, role=role, media_type=kind, content=content)


def value_lines(source: str, value: str) -> list[str]:
    """Return the command line that writes a delayed value into a description; none without one.

    >>> value_lines("tuesday.sqd", "-1.5")
    ['pavcodec squaredeal value -- tuesday.sqd -1.5']
    """
    before = "-- " if value.startswith("-") else ""
    line = f"pavcodec squaredeal value {before}{quote(path_of(source))} {quote(value)}"
    return [line] if value else []


def session_views(sessions: Iterable[Session]) -> tuple[SessionView, ...]:
    """Return sessions for an answer."""
    return tuple(
        SessionView(name=one.name, title=one.title, boards=_boards(one)) for one in sessions
    )


def _boards(session: Session) -> str | None:
    boards = session.boards
    return None if boards is None else f"{boards[0]}-{boards[-1]}"
