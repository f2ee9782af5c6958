"""`pavcodec serve`: the pages in the browser and the JSON interface."""

from __future__ import annotations

import argparse
import json
import os

from pavcodec.cli.asking import add_common
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import PavError
from pavcodec.questions.asking import QuestionError
from pavcodec.questions.words import size, whole
from pavcodec.web.settings import Settings

_EXAMPLES = """\
  pavcodec serve --open
  pavcodec serve --port 8080
  pavcodec serve --public --name bridge.example.org --behind-proxy 127.0.0.1"""

_DETAILS = """\
The pages answer at the address that serve prints, until Ctrl-C. They need the extra web:
pip install 'pavcodec[web]'. The server stores nothing, sets no cookies, logs no questions, and
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
    group = option_group(parser, "address")
    group.add_argument(
        "--host",
        default=Settings.host,
        metavar="ADDRESS",
        help=f"the address to answer at; 0.0.0.0 is all of this machine (default: {Settings.host})",
    )
    group.add_argument(
        "--port",
        type=_port,
        default=Settings.port,
        help=f"the port; 0 is any free one (default: {Settings.port})",
    )
    group.add_argument("--open", action="store_true", help="open the pages in the browser")
    _add_limits(option_group(parser, "limits"))
    _add_network(option_group(parser, "network"))
    add_common(parser, output=False)


def _add_limits(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--public", action="store_true", help="have the limits of a server for others"
    )
    group.add_argument(
        "--workers",
        type=whole,
        metavar="N",
        help="work on N questions at a time (default: two for each processor)",
    )
    group.add_argument(
        "--seconds",
        type=_seconds,
        metavar="S",
        help="end the work on a question after S seconds of a processor "
        "(default: no limit; 10 for others)",
    )
    group.add_argument(
        "--memory",
        type=size,
        default=Settings.memory,
        metavar="SIZE",
        help="the memory limit of each worker process, as in 800M "
        f"(default: {Settings.memory >> 30}G)",
    )
    group.add_argument(
        "--rate",
        type=whole,
        metavar="N",
        help="the requests in a second of each client; 0 is no limit "
        "(default: no limit; 20 for others)",
    )


def _add_network(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--behind-proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        type=_network,
        help="the address of a proxy, whose X-Forwarded-For names the client; may be repeated",
    )
    group.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="a name of this server; requests for other hosts get an error; may be repeated",
    )


def _port(text: str) -> int:
    number = whole(text)
    if number > 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not {text}")
    return number


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86400:
        raise argparse.ArgumentTypeError(f"seconds are a number above 0, not {text!r}")
    return seconds


def _network(text: str) -> str:
    from ipaddress import ip_network

    try:
        ip_network(text)
    except ValueError:
        said = f"a proxy is an address or a network, as in 10.0.0.2 or 10.0.0.0/8, not {text!r}"
        raise argparse.ArgumentTypeError(said) from None
    return text


def run(args: argparse.Namespace) -> int:
    """Serve the pages until an interrupt."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: each worker has one thread
    try:
        from pavcodec.web.serving import address_of, listen, serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("pavcodec"):
            raise
        raise PavError(
            f"the pages need the package {error.name}: pip install 'pavcodec[web]'"
        ) from None
    settings = _settings(args)
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


def _settings(args: argparse.Namespace) -> Settings:
    if args.workers == 0:
        raise QuestionError("--workers: workers are 1 or more, not 0")
    return Settings(
        host=args.host,
        port=args.port,
        is_public=args.public,
        workers=args.workers,
        seconds=args.seconds,
        memory=args.memory,
        rate=args.rate,
        burst=max(Settings.burst, 5 * (args.rate or 0)),
        proxies=tuple(args.behind_proxy),
        names=tuple(args.name),
    )


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
