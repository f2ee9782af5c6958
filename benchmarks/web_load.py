r"""Many users of the pages at once: times of answers, and what was lost.

    python benchmarks/web_load.py --users 200 --seconds 60

It starts `pavcodec serve` at a free port of the loopback, and plays so many users from a process
of its own. Each user has a connection and an address of its own (127.0.x.y, so each has the rate of
one client), and asks small questions one after the other, in an order of its own: all pages, the
JSON interface, a file, the style sheet. After each answer a user thinks for one to three seconds,
so 200 users ask about 100 questions a second. Half of the questions about conditions and numbers
are new, the others are those of other users too.

The table has the requests of each kind, and their times in milliseconds: the median, the 95th and
the 99th of a hundred, the longest. Lost is what got no answer, or one with another status than 200.
Before the users come, one user alone measures the first page when warm, and the number of deals of
conditions of two hands that the server has not seen. The program ends with 1 if something was lost,
or if a time exceeds its target.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from urllib.parse import urlencode

_THINK = 1.0, 3.0
"""The least and the most seconds between an answer and the next question of a user."""

_PATIENCE = 20.0
"""The seconds after which an answer is lost."""

TARGETS = {"p95": 0.300, "first page": 0.100, "two hands": 0.500}
"""The most seconds of an answer under load, of the first page, and of a count."""

_TWO_HANDS = "hcp(north) + hcp(south) >= {} && spades(north) + spades(south) >= {}"


@dataclass
class Result:
    """The seconds of each kind of request, and what was lost."""

    times: dict[str, list[float]] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    def all_times(self) -> list[float]:
        """Return the times of all requests."""
        return [each for times in self.times.values() for each in times]


def _page(path: str, **fields: object) -> bytes:
    query = f"?{urlencode(fields)}" if fields else ""
    return f"GET {path}{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def _post(name: str, **question: object) -> bytes:
    body = json.dumps(question).encode()
    head = f"POST /api/v1/{name} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def _number(random: Random) -> int:
    return random.choice([5, 12345678901234567890123456789, random.randrange(10**28)])


def _condition(random: Random) -> str:
    low = random.choice([15, 15, 20, random.randrange(10, 24)])
    return f"hcp(south) >= {low} && hearts(south) >= {random.choice([4, 5])}"


KINDS: dict[str, Callable[[Random], bytes]] = {
    "first page": lambda _: _page("/"),
    "style sheet": lambda _: _page("/static/pavcodec.css"),
    "number": lambda random: _page("/number", number=_number(random)),
    "deal": lambda random: _page(
        "/deal", condition=_condition(random), n=4, seed=random.randrange(1000)
    ),
    "deal file": lambda random: _page(
        "/deal/file", condition=_condition(random), n=16, seed=random.randrange(1000), to="pbn"
    ),
    "odds": lambda random: _page(
        "/odds", event=f"hearts(north) >= {random.randrange(2, 6)}", given=_condition(random)
    ),
    "ending": lambda _: _page("/ending", text="N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"),
    "files": lambda _: _page("/files"),
    "tournament": lambda _: _page("/tournament"),
    "JSON: number": lambda random: _post("decode", number=random.randrange(10**28)),
    "JSON: check": lambda random: _post("check", condition=_condition(random)),
    "JSON: count": lambda random: _post("count", condition=_condition(random)),
}
"""The small questions, each as the bytes of a request."""


@contextmanager
def served(*options: str) -> Iterator[int]:
    """Run a server; give its port. It keeps no models on the disk."""
    command = [sys.executable, "-m", "pavcodec", "serve", "--port", "0", "--json", *options]
    environment = dict(os.environ)
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdout is not None
        try:
            yield int(
                json.loads(server.stdout.readline())["address"].rstrip("/").rpartition(":")[2]
            )
        finally:
            server.terminate()


class User:
    """A user: an address, a connection that stays, and one question at a time."""

    def __init__(self, port: int, number: int) -> None:
        self._port = port
        self._source = f"127.0.{1 + number // 250}.{1 + number % 250}"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """Return the status and the body of an answer."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(
                "127.0.0.1", self._port, local_addr=(self._source, 0)
            )
        reader, writer = self._streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        body = await _body(head, reader)
        if b"connection: close" in head:
            self.leave()
        return int(head.split(b" ", 2)[1]), body

    def leave(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _body(head: bytes, reader: asyncio.StreamReader) -> bytes:
    if b"transfer-encoding: chunked" not in head:
        length = head.partition(b"content-length: ")[2].partition(b"\r\n")[0]
        return await reader.readexactly(int(length))
    found = b""
    while size := int(await reader.readuntil(b"\r\n"), 16):
        found += (await reader.readexactly(size + 2))[:-2]
    await reader.readexactly(2)
    return found


async def play(port: int, users: int, seconds: float, seed: int = 1) -> Result:
    """Let users ask questions for some seconds; they come one by one in the first second."""
    result = Result({kind: [] for kind in KINDS})
    await asyncio.gather(*(_play(port, each, seconds, seed, result) for each in range(users)))
    return result


async def _play(port: int, number: int, seconds: float, seed: int, result: Result) -> None:
    random, user = Random(f"{seed} {number}"), User(port, number)
    end = time.monotonic() + seconds
    await asyncio.sleep(random.random())
    while time.monotonic() < end:
        kind = random.choice(list(KINDS))
        request, start = KINDS[kind](random), time.perf_counter()
        try:
            async with asyncio.timeout(_PATIENCE):
                status, _ = await user.ask(request)
        except (OSError, EOFError, TimeoutError, ValueError) as error:
            result.lost.append(f"{kind}: {type(error).__name__}")
            user.leave()
        else:
            result.times[kind].append(time.perf_counter() - start)
            if status != 200:
                result.lost.append(f"{kind}: status {status}")
        await asyncio.sleep(random.uniform(*_THINK))
    user.leave()


async def alone(port: int, requests: list[bytes]) -> list[float]:
    """Return the seconds of requests, one after the other; raises `ValueError` if one fails."""
    user, times = User(port, 0), []
    for request in requests:
        start = time.perf_counter()
        status, body = await user.ask(request)
        times.append(time.perf_counter() - start)
        if status != 200:
            raise ValueError(body[:500].decode())
    user.leave()
    return times


def counts(number: int) -> list[bytes]:
    """Return questions for the number of deals of conditions of two hands, each of them new."""
    cases = [(25 - each // 4, 8 - each % 4) for each in range(number)]
    return [_post("count", condition=_TWO_HANDS.format(*case)) for case in cases]


def share(times: list[float], part: float) -> float:
    """Return the time that this part of the requests does not exceed."""
    return sorted(times)[min(len(times) - 1, int(len(times) * part))] if times else 0.0


def _table(result: Result, seconds: float) -> Iterator[str]:
    yield f"{'request':<14}{'number':>8}{'p50':>8}{'p95':>8}{'p99':>8}{'most':>8}  ms"
    rows = [*result.times.items(), ("all", result.all_times())]
    for kind, times in rows:
        figures = [share(times, part) * 1000 for part in (0.5, 0.95, 0.99, 1.0)]
        yield f"{kind:<14}{len(times):>8}" + "".join(f"{each:>8.1f}" for each in figures)
    yield f"{len(result.all_times()) / seconds:.1f} requests a second, {len(result.lost)} lost"
    yield from sorted(set(result.lost))


def main() -> int:
    """Play the users, print the tables, and compare with the targets."""
    parser = argparse.ArgumentParser(description="Many users of the pages at once.")
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with served() as port, suppress(KeyboardInterrupt):
        asyncio.run(alone(port, [KINDS[kind](Random(1)) for kind in KINDS]))  # each kind once
        first = asyncio.run(alone(port, [_page("/")] * 20))
        two_hands = asyncio.run(alone(port, counts(5)))
        result = asyncio.run(play(port, args.users, args.seconds, args.seed))
        for line in _table(result, args.seconds):
            print(line)
        figures = {
            "p95": share(result.all_times(), 0.95),
            "first page": share(first, 0.5),
            "two hands": max(two_hands),
        }
        for name, seconds in figures.items():
            print(f"{name}: {seconds * 1000:.0f} ms, target {TARGETS[name] * 1000:.0f} ms")
        return int(bool(result.lost) or any(figures[name] > TARGETS[name] for name in TARGETS))
    return 1


if __name__ == "__main__":
    sys.exit(main())
