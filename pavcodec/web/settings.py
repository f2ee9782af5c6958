"""The settings of a server: its address and its limits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from typing import Any

from pavcodec.errors import NumberError
from pavcodec.limits import available
from pavcodec.questions.asking import ask
from pavcodec.questions.words import size, whole

API = "/api/v1"
"""The address of the JSON interface; a change that breaks programs gets a new one."""


def _port(text: str) -> int:
    number = whole(text)
    if number > 65535:
        raise NumberError(f"a port is a number from 0 to 65535, not {text}")
    return number


def _workers(text: str) -> int:
    number = whole(text)
    if number == 0:
        raise NumberError("workers are 1 or more, not 0")
    return number


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86400:
        raise NumberError(f"seconds are a number above 0, not {text!r}")
    return seconds


def _network(text: str) -> str:
    try:
        ip_network(text)
    except ValueError:
        said = f"a proxy is an address or a network, as in 10.0.0.2 or 10.0.0.0/8, not {text!r}"
        raise NumberError(said) from None
    return text


def _limit(help: str, **more: Any) -> Any:
    return ask(help, group="limits", **{"default": None, "metavar": "N", "read": whole} | more)


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
    requests in a second that a client may send for long, and `burst` those that it may send
    at once, or more for a high rate; a rate of 0 sets no limit.

    `memory` limits a worker process, beyond what it has at its start; `output` an answer, and
    `file_output` a file. Without `names`, requests may name the loopback, and any host if others
    reach the server.
    """

    host: str = ask(
        "the address to answer at; 0.0.0.0 is all of this machine (default: 127.0.0.1)",
        default="127.0.0.1",
        group="address",
        metavar="ADDRESS",
    )
    port: int = ask(
        "the port; 0 is any free one (default: 8000)", default=8000, group="address", read=_port
    )
    is_public: bool = ask(
        "have the limits of a server for others", default=False, flag="--public", group="limits"
    )
    workers: int | None = _limit(
        "work on N questions at a time (default: two for each processor)", read=_workers
    )
    seconds: float | None = _limit(
        "end the work on a question after S seconds of a processor "
        "(default: no limit; 10 for others)",
        metavar="S",
        read=_seconds,
    )
    memory: int = _limit(
        "the memory limit of each worker process, as in 800M (default: 1G)",
        default=1 << 30,
        metavar="SIZE",
        read=size,
    )
    rate: float | None = _limit(
        "the requests in a second of each client; 0 is no limit (default: no limit; 20 for others)"
    )
    proxies: tuple[str, ...] = ask(
        "the address of a proxy, whose X-Forwarded-For names the client; may be repeated",
        default=(),
        flag="--behind-proxy",
        group="network",
        metavar="ADDRESS",
        read=_network,
    )
    names: tuple[str, ...] = ask(
        "a name of this server; requests for other hosts get an error; may be repeated",
        default=(),
        flag="--name",
        group="network",
        metavar="HOST",
    )
    brief: float = 0.5
    waiting: int = 500
    file_seconds: float | None = None
    patience: int = 4
    output: int = 32 << 20
    file_output: int = 512 << 20
    burst: int = 100

    @property
    def most_at_once(self) -> float:
        """The number of requests that a client may send at once."""
        return max(self.burst, 5 * (self.rate or 0))

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
