"""The settings of a server: its address and its limits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from ipaddress import ip_address

from pavcodec.limits import available

API = "/api/v1"
"""The address of the JSON interface; a change that breaks programs gets a new one."""


@dataclass(frozen=True)
class Settings:
    """The address and the limits of a server; sizes in bytes, times in seconds.

    `workers` is the number of questions worked on at a time, for each as long as `brief`; questions
    that take longer get a lower priority, and then do not count among these. None is two for each
    processor. `long` is the number of those that take longer, `long_by_client` that of one client;
    `waiting` and `waiting_by_client` are the numbers of questions that may wait for their turn.

    `seconds` limits the work on an answer, and on the first part of a file; `file_seconds` that on
    a whole file. None is no limit on one's own machine, otherwise 10 and 120. Both are times of a
    processor, as `brief` is; a question has `patience` times as much by the clock, since it waits
    for a processor on a busy server. A client that takes no part of its file for `stalled`, or
    needs more than `file_seconds` for the whole, does not get the rest. `memory` limits a worker
    process, beyond what it has at its start; `output` an answer, and `file_output` a file.

    `rate` is the number of requests in a second that a client may send for long, and `burst` those
    that it may send at once; a rate of 0 sets no limit. `head_seconds` and `body_seconds` are the
    times in which the head of a request and its body have to arrive. `bodies` limits the bodies of
    all requests under way; one client has half of it. `connections` is the number of connections at
    a time, `connections_by_client` that of one client.

    `proxies` are the addresses whose `X-Forwarded-For` names the client, and `names` the hosts that
    requests may name besides the loopback (none: no others on one's own machine, otherwise all).
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int | None = None
    brief: float = 0.5
    long: int | None = None
    long_by_client: int = 2
    waiting: int = 500
    waiting_by_client: int = 50
    seconds: float | None = None
    file_seconds: float | None = None
    patience: float = 4.0
    stalled: float = 30.0
    memory: int = 1 << 30
    output: int = 32 << 20
    file_output: int = 512 << 20
    rate: float = 20
    burst: int = 100
    head_seconds: float = 15.0
    body_seconds: float = 30.0
    bodies: int = 256 << 20
    connections: int = 1000
    connections_by_client: int = 200
    proxies: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def is_own_machine(self) -> bool:
        """Whether only programs of this machine ask: no others reach it, and no proxy does."""
        return is_loopback(self.host) and not self.names and not self.proxies

    @property
    def brief_workers(self) -> int:
        """The number of questions that are worked on at a time while they are brief."""
        return self.workers or 2 * available()

    @property
    def long_workers(self) -> int:
        """The number of long questions that are worked on at a time."""
        return self.long or self.brief_workers

    @property
    def most_seconds(self) -> float:
        """The limit of the work on an answer."""
        return self.seconds or (math.inf if self.is_own_machine else 10.0)

    @property
    def most_file_seconds(self) -> float:
        """The limit of the work on a file."""
        return self.file_seconds or (math.inf if self.is_own_machine else 120.0)


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine for itself.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.2", "[::1]", "192.0.2.1", "a.b")]
    [True, True, True, False, False]
    """
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
