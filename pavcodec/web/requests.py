"""Who sent a request, and the workers that answer it."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address, ip_network
from urllib.parse import quote

from fastapi import Request

from pavcodec.web.workers.pool import Pool


def workers_of(request: Request) -> Pool:
    """Return the workers of the application."""
    workers: Pool = request.app.state.workers
    return workers


def client_of(request: Request) -> str:
    """Return the address of the client, or its network."""
    return network_of(request.client.host) if request.client else "unknown"


def network_of(address: str) -> str:
    """Return the address of one client: of IPv6 its network, since a client has all of it.

    >>> network_of("2001:db8::1"), network_of("::ffff:192.0.2.1"), network_of("192.0.2.1")
    ('2001:db8::/64', '192.0.2.1', '192.0.2.1')
    """
    if ":" not in address:
        return address
    try:
        parsed = IPv6Address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((int(parsed) >> 64 << 64, 64)))


def is_within(address: str, networks: Iterable[str]) -> bool:
    """Return whether an address is one of some addresses and networks.

    A socket for IPv6 writes an address of IPv4 as one of IPv6.

    >>> is_within("::ffff:10.0.0.2", ["192.0.2.1", "10.0.0.0/8"]), is_within("unix", ["10.0.0.0/8"])
    (True, False)
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed
    return any(parsed in ip_network(network) for network in networks)


def attachment(name: str) -> dict[str, str]:
    """Return the header that names a file which the browser saves, also with letters beyond ASCII.

    >>> print(attachment('a"é.pbn')["Content-Disposition"])
    attachment; filename="a__.pbn"; filename*=UTF-8''a%22%C3%A9.pbn
    """
    plain = "".join(
        letter if " " <= letter <= "~" and letter not in '"\\%' else "_" for letter in name
    )
    exact = "" if plain == name else f"; filename*=UTF-8''{quote(name, safe='', errors='replace')}"
    return {"Content-Disposition": f'attachment; filename="{plain}"{exact}'}
