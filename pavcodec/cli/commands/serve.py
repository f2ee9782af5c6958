"""`pavcodec serve`: the pages in the browser and the JSON interface."""

from __future__ import annotations

import argparse
import json
import os

from pavcodec.cli.asking import add_common, add_fields, question_of
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import PavError
from pavcodec.web.settings import Settings

_EXAMPLES = """\
  pavcodec serve --open
  pavcodec serve --port 8080
  pavcodec serve --public --name bridge.example.org --behind-proxy 127.0.0.1"""

_DETAILS = """\
The pages answer at the address that serve prints, until Ctrl-C. They need the extra web:
pip install 'pavcodec[club]'. The server stores nothing, sets no cookies, logs no questions, and
sends no request to any other host.

Each question is worked on in a process of its own, with a limit of memory. A question takes as long
as it takes; the pages have a button that ends it. Others on the network reach the pages with
--host 0.0.0.0; docs/web/deployment.md describes a server for the public, behind a proxy.

A server for others limits the time of a question and the requests and questions of each client.
--public sets these limits, and so does each of --name, --behind-proxy and a --host that is not the
loopback."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    add_fields(parser, Settings, "host", "port")
    option_group(parser, "address").add_argument(
        "--open", action="store_true", help="open the pages in the browser"
    )
    add_fields(parser, Settings, *_LIMITS)
    add_common(parser, output=False)


_LIMITS = "is_public", "workers", "seconds", "memory", "rate", "proxies", "names"


def run(args: argparse.Namespace) -> int:
    """Serve the pages until an interrupt."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: each worker has one thread
    try:
        from pavcodec.web.serving import address_of, listen, serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("pavcodec"):
            raise
        raise PavError(
            f"the pages need the package {error.name}: pip install 'pavcodec[club]'"
        ) from None
    settings = question_of(args, Settings)
    try:
        listener = listen(settings)
    except OSError as error:
        raise PavError(_refused(settings, error)) from None
    address = address_of(listener)

    def announce() -> None:
        said = (
            json.dumps({"address": address, "process": os.getpid()})
            if args.json
            else (f"pavcodec answers at {address} (Ctrl-C ends it)")
        )
        print(said, flush=True)
        if args.open:
            import webbrowser

            webbrowser.open(address)

    with listener:
        serve(settings, listener, announce)
    return 0


def _refused(settings: Settings, error: OSError) -> str:
    """Return in words why the server cannot listen at its address."""
    import errno
    import socket

    address = f"{settings.host} port {settings.port}"
    if error.errno == errno.EADDRINUSE:
        return f"{address} is taken by another program; choose another with --port"
    if error.errno in {errno.EADDRNOTAVAIL, None} or isinstance(error, socket.gaierror):
        return f"{settings.host!r} is no address of this machine; choose one with --host"
    return f"cannot listen at {address}: {error.strerror}"
