"""Turns: which questions are worked on, and which wait.

Rule 1: so many questions at a time are *brief*; a free place goes to the clients in turn, so one
        client with many questions does not keep others from theirs.
Rule 2: a question that is not done after the brief time becomes *long* and gives its place free.
        Few are long at a time, in all and by client; one too many is refused.
Rule 3: few questions wait, in all and by client; one too many is refused at once.
Rule 4: of the questions of one client the newest is next. No question says how long it takes, but
        somebody waits for the last one, and whoever sends a crowd waits for all of it anyway.
"""

from __future__ import annotations

import asyncio
from collections import Counter

from pavcodec.web.settings import Settings
from pavcodec.web.workers.refusals import busy
from pavcodec.web.workers.workers import Refusal

__all__ = ["Turn", "Turns"]

_RETRY = 5
"""The seconds after which a busy server may have a free place."""


class Turns:
    """The places of a server, and who waits for them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._free = settings.brief_workers
        self._brief: Counter[str] = Counter()
        self._long: Counter[str] = Counter()
        self._queues: dict[str, list[asyncio.Future[None]]] = {}
        """The waiting questions of each client; the first client is the next."""

    @property
    def waiting(self) -> int:
        """The number of questions that wait."""
        return sum(map(len, self._queues.values()))

    @property
    def brief(self) -> int:
        """The number of brief questions."""
        return self._brief.total()

    @property
    def long(self) -> int:
        """The number of long questions."""
        return self._long.total()

    async def begin(self, client: str) -> Turn:
        """Wait for a place; raises `Refusal` if too many wait, or none gets free in time."""
        if self._free and not self._queues and self._may_begin(client):
            return self._taken(client)
        self._refuse_crowd(client)
        place = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, []).append(place)
        self._give()
        try:
            async with asyncio.timeout(self._settings.most_seconds):
                await place
        except BaseException as error:
            if place.done() and not place.cancelled():  # it got a place in the same moment
                self._taken(client, counted=True).end()
            else:
                self._forget(client, place)
            if isinstance(error, TimeoutError):
                raise busy() from None
            raise
        return self._taken(client, counted=True)

    def _may_begin(self, client: str) -> bool:
        """Return whether a client has fewer places than its half."""
        return self._brief[client] < max(1, self._settings.brief_workers // 2)

    def _refuse_crowd(self, client: str) -> None:
        if len(self._queues.get(client, ())) >= self._settings.waiting_by_client:
            raise Refusal(429, "You have too many questions under way; wait for them.", _RETRY)
        if self.waiting >= self._settings.waiting:
            raise busy()

    def _taken(self, client: str, *, counted: bool = False) -> Turn:
        if not counted:
            self._count(client)
        return Turn(self, client)

    def _count(self, client: str) -> None:
        self._free -= 1
        self._brief[client] += 1

    def _forget(self, client: str, place: asyncio.Future[None]) -> None:
        queue = self._queues.get(client)
        if queue is not None and place in queue:
            queue.remove(place)
            if not queue:
                del self._queues[client]

    def _give(self) -> None:
        """Give the free places to the clients in turn."""
        for client in list(self._queues):
            if not self._free:
                return
            if not self._may_begin(client):
                continue
            queue = self._queues.pop(client)
            place = queue.pop()
            if queue:
                self._queues[client] = queue  # behind the other clients
            if not place.done():
                self._count(client)
                place.set_result(None)
        if self._free and any(map(self._may_begin, self._queues)):
            self._give()

    def _free_brief(self, client: str) -> None:
        self._free += 1
        _less(self._brief, client)
        self._give()

    def _lengthen(self, client: str) -> None:
        if self._long[client] >= self._settings.long_by_client:
            raise Refusal(
                429, "You have long questions under way; try this one after they are done.", _RETRY
            )
        if self.long >= self._settings.long_workers:
            raise busy()
        self._long[client] += 1
        self._free_brief(client)

    def _free_long(self, client: str) -> None:
        _less(self._long, client)


class Turn:
    """The place of a question: brief, later perhaps long, then ended."""

    def __init__(self, turns: Turns, client: str) -> None:
        self._turns = turns
        self._client = client
        self._state = "brief"

    def lengthen(self) -> None:
        """Become long; raises `Refusal` if too many are."""
        if self._state == "brief":
            self._turns._lengthen(self._client)
            self._state = "long"

    def end(self) -> None:
        """Give the place free; a second call does nothing."""
        if self._state == "brief":
            self._turns._free_brief(self._client)
        elif self._state == "long":
            self._turns._free_long(self._client)
        self._state = "ended"


def _less(counts: Counter[str], client: str) -> None:
    counts[client] -= 1
    if not counts[client]:
        del counts[client]
