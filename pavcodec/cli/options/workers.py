"""The options for the workers of a command, and the engine that they choose."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pavcodec.cli.options.conditions import whole
from pavcodec.cli.output.targets import UsageError
from pavcodec.cli.parsers import option_group
from pavcodec.errors import NumberError

if TYPE_CHECKING:
    from pavcodec.collection.engines.engine import Engine


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add the options of the workers; `engine_from` reads them."""
    group = option_group(parser, "workers")
    group.add_argument(
        "--workers",
        type=whole,
        metavar="N",
        help="share the parts among N processes of this machine (default: one for each processor)",
    )
    group.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="share the parts among the workers of a Dask cluster: the address of its scheduler, "
        "such as tcp://10.0.0.1:8786, or 'local' for a cluster on this machine",
    )


def engine_from(args: argparse.Namespace) -> Engine:
    """Return the engine of the options."""
    from pavcodec.collection.engines.choice import LOCAL, engine_of

    if args.scheduler not in {None, LOCAL} and args.workers is not None:
        raise UsageError(
            "--workers: the cluster of a --scheduler has its own workers; use one of both"
        )
    try:
        return engine_of(args.workers, args.scheduler)
    except NumberError as error:
        raise UsageError(f"--workers: {error}") from None
