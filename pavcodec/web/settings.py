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

    `workers` is the number of questions worked on at a time, for each as long as `brief`; as many
    that take longer do not count among these. None is two for each processor. `waiting` is the
    number of questions that may wait for their turn.

    A server is for others if it is `is_public`, or if others reach it: at an address that is not
    the loopback, by one of its `names`, or through `proxies`. Only then work and clients have
    limits where nothing else is said: `seconds` is that of the work on an answer, and
    `file_seconds` that on a file. These are times of a processor; a question has `patience` times
    as much by the clock, since it waits for a processor on a busy server. `rate` is the number of
    requests in a second that a client may send for long, and `burst` those that it may send at
    once; a rate of 0 sets no limit.

    `memory` limits a worker process, beyond what it has at its start; `output` an answer, and
    `file_output` a file. `proxies` are the addresses whose `X-Forwarded-For` names the client, and
    `names` the hosts that requests may name besides the loopback (none: no others on one's own
    machine, otherwise all).
    """

    host: str = "127.0.0.1"
    port: int = 8000
    is_public: bool = False
    workers: int | None = None
    brief: float = 0.5
    waiting: int = 500
    seconds: float | None = None
    file_seconds: float | None = None
    patience: int = 4
    memory: int = 1 << 30
    output: int = 32 << 20
    file_output: int = 512 << 20
    rate: float | None = None
    burst: int = 100
    proxies: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def is_reached(self) -> bool:
        """Whether others reach the server by an address, a name or a proxy."""
        return not is_loopback(self.host) or bool(self.names or self.proxies)

    @property
    def is_for_others(self) -> bool:
        """Whether the server has limits for others."""
        return self.is_public or self.is_reached

    @property
    def most_workers(self) -> int:
        """The number of questions that are worked on at a time while they are brief."""
        return self.workers or 2 * available()

    @property
    def by_client(self) -> int:
        """The number of questions of one client that are worked on at a time."""
        return max(1, self.most_workers // 2) if self.is_for_others else 2 * self.most_workers

    @property
    def most_seconds(self) -> float:
        """The limit of the work on an answer."""
        return self.seconds or (10.0 if self.is_for_others else math.inf)

    @property
    def most_file_seconds(self) -> float:
        """The limit of the work on a file."""
        return self.file_seconds or (120.0 if self.is_for_others else math.inf)

    @property
    def most_rate(self) -> float:
        """The limit of the requests of a client in a second."""
        return (20.0 if self.is_for_others else 0.0) if self.rate is None else self.rate


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine for itself.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.2", "[::1]", "192.0.2.1", "a.b")]
    [True, True, True, False, False]
    """
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
