"""The server: an application behind uvicorn."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from ipaddress import ip_network

import uvicorn
from fastapi import FastAPI

from pavcodec.web.application import make_application
from pavcodec.web.settings import Settings
from pavcodec.web.workers import Pool

_BACKLOG = 1024
_GRACE = 3
"""The seconds in which answers under way may end after an interrupt."""

_MOST_HEAD = 64 << 10
"""The bytes of the first line and the headers of a request."""

_KEPT = 15
"""The seconds for which a connection without a request stays open."""


class _Server(uvicorn.Server):
    """A server that reports when it answers."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], object]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            await asyncio.to_thread(self._announce)


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens at the address of the settings; port 0 is any free port.

    Raises `OSError` if the address is not of this machine, or another program has the port.
    """
    family, kind, protocol, _, address = socket.getaddrinfo(
        settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        with suppress(AttributeError):  # Windows gives the address to several programs by it
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError:
        listener.close()
        raise
    listener.settimeout(0)
    return listener


def address_of(listener: socket.socket) -> str:
    """Return the address of the pages that a browser on this machine opens."""
    host, port = listener.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:  # noqa: S104 (compared, not bound)
        host = "localhost"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def serve(
    settings: Settings, listener: socket.socket, announce: Callable[[], object] = lambda: None
) -> None:
    """Serve the pages at a socket until an interrupt; call `announce` once they answer."""
    application = make_application(settings, Pool(settings))
    _Server(configured(application, settings), announce).run(sockets=[listener])


def _both_ways(networks: Iterable[str]) -> Iterator[str]:
    """Yield networks, and those of IPv4 also as a socket for IPv6 writes them.

    >>> list(_both_ways(["10.0.0.0/8", "2001:db8::1"]))
    ['10.0.0.0/8', '::ffff:10.0.0.0/104', '2001:db8::1']
    """
    for network in networks:
        yield network
        parsed = ip_network(network)
        if parsed.version == 4:
            yield f"::ffff:{parsed.network_address}/{parsed.prefixlen + 96}"


def configured(application: FastAPI, settings: Settings) -> uvicorn.Config:
    """Return what uvicorn needs to serve an application within the limits of the settings."""
    return uvicorn.Config(
        application,
        access_log=False,  # nothing is logged of what people ask
        log_level="critical",
        backlog=_BACKLOG,
        h11_max_incomplete_event_size=_MOST_HEAD,
        http="h11",
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(_both_ways(settings.proxies)),
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
        timeout_keep_alive=_KEPT,
        ws="none",
    )
