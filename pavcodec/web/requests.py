"""Who sent a request, and the workers that answer it."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_network
from urllib.parse import quote

from fastapi import Request

from pavcodec.web.workers import Pool


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


def attachment(name: str, size: int) -> dict[str, str]:
    r"""Return the headers of a file that the browser saves; the name may have any letters.

    >>> print(*attachment('a"é.pbn', 500).values(), sep="\n")
    500
    attachment; filename="a__.pbn"; filename*=UTF-8''a%22%C3%A9.pbn
    """
    plain = "".join(
        letter if " " <= letter <= "~" and letter not in '"\\%' else "_" for letter in name
    )
    exact = "" if plain == name else f"; filename*=UTF-8''{quote(name, safe='', errors='replace')}"
    return {
        "Content-Length": str(size),
        "Content-Disposition": f'attachment; filename="{plain}"{exact}',
    }
