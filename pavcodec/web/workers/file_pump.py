"""A file on its way from a process to a client: neither is faster than the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from pavcodec.web.settings import Settings
from pavcodec.web.workers.messages import Kind
from pavcodec.web.workers.process import Died, WorkerProcess
from pavcodec.web.workers.refusals import error_of, too_large
from pavcodec.web.workers.turns import Turn
from pavcodec.web.workers.workers import Refusal

__all__ = ["FilePump"]

_ROOM = 2
"""The parts of a file that wait for the client."""


class FilePump:
    """Takes the parts of a file from a process as fast as the client takes them.

    A task of its own does it, so the process is free again or ended also if the client never takes
    a part. `ended` gets None for a whole file, or why the rest is missing.
    """

    def __init__(
        self,
        settings: Settings,
        worker: WorkerProcess,
        turn: Turn,
        ended: Callable[[BaseException | None], None],
    ) -> None:
        self._settings = settings
        self._worker = worker
        self._turn = turn
        self._ended = ended
        self._room = asyncio.Semaphore(_ROOM)
        self._parts: asyncio.Queue[bytes | BaseException | None] = asyncio.Queue()
        self._end: BaseException | None = asyncio.CancelledError()
        self.task = asyncio.create_task(self._run())
        self.task.add_done_callback(self._finish)  # also if it ends before it runs

    async def parts(self) -> AsyncIterator[bytes]:
        """Yield the parts; raises what ended the file too early. One call at most."""
        try:
            while (part := await self._parts.get()) is not None:
                if isinstance(part, BaseException):
                    raise part
                self._room.release()
                yield part
        finally:
            self.task.cancel()

    async def _run(self) -> None:
        try:
            await self._pass_on()
            self._end = None
        except Died:
            self._end = Refusal(503, "The process that made the file has ended.", 5)
        except Exception as error:  # noqa: BLE001 (`parts` raises it)
            self._end = error

    def _finish(self, _task: asyncio.Task[None]) -> None:
        self._ended(self._end)
        self._parts.put_nowait(self._end)

    async def _pass_on(self) -> None:
        """Queue all parts, within the limits of time and size."""
        settings, clock = self._settings, asyncio.get_running_loop().time
        size, waited, seconds = 0, 0.0, settings.most_file_seconds
        while True:
            kind, data = await self._worker.message(self._turn, seconds)
            if kind is Kind.END:
                return
            if kind is Kind.ERROR:
                raise error_of(data)
            size += len(data)
            if size > settings.file_output:
                raise too_large(settings.file_output)
            start = clock()
            await self._wait_for_room(min(settings.stalled, seconds - waited))
            waited += clock() - start
            self._parts.put_nowait(data)

    async def _wait_for_room(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._room.acquire()
        except TimeoutError:
            raise Refusal(408, "The client takes the file too slowly.") from None
