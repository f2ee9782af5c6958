"""Connections of uvicorn that do not wait for ever: for a request, or for a client that takes none.

Rule 1: the head of a request arrives within a time, counted from the end of the answer before it.
Rule 2: a client that takes nothing of its answer for a time gets no more of it.
Rule 3: one address has so many connections at a time, a proxy as many as it likes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from pavcodec.web.requests import is_within, network_of
from pavcodec.web.settings import Settings

__all__ = ["protocol_of"]


class _Connection(H11Protocol):
    """A connection with timers for its head and for the answer."""

    limits: ClassVar[Settings]
    counts: ClassVar[Counter[str]]
    """The connections of each client."""

    _head: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None
    _counted: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if not is_within(host, self.limits.proxies):
            self._counted = network_of(host)
            self.counts[self._counted] += 1
            if self.counts[self._counted] > self.limits.connections_by_client:
                transport.abort()
                return
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._counted is not None:
            self.counts[self._counted] -= 1
            if not self.counts[self._counted]:
                del self.counts[self._counted]
            self._counted = None
        _stop(self._head)
        _stop(self._stall)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.transport.is_closing():
            self._wait_for_head()

    def _wait_for_head(self) -> None:
        """Start the timer if a request is on its way, stop it if one has arrived."""
        if self.cycle is not None and not self.cycle.response_complete:
            _stop(self._head)
            self._head = None
        elif self._head is None and self.timeout_keep_alive_task is None:
            self._head = self.loop.call_later(self.limits.head_seconds, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stall = self.loop.call_later(self.limits.stalled, self.transport.abort)

    def resume_writing(self) -> None:
        _stop(self._stall)
        super().resume_writing()


def protocol_of(settings: Settings) -> type[H11Protocol]:
    """Return the class of connections for the settings of a server."""

    class Connection(_Connection):
        limits, counts = settings, Counter[str]()

    return Connection


def _stop(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
