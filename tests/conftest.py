"""In the full check Hypothesis draws the same examples of each law in every run.

There are some hundred laws. `pytest` alone draws twenty examples of each, other ones each time.
No law has a time limit: whichever example first needs a compiled loop loads it.

Python keeps what it compiles even where the environment forbids it, for several hundred processes
of the tests import the whole package. Two processes collect the tests from both ends, so that in a
new clone each of them compiles half of the modules, and not both all.

A shell starts its background jobs with the interrupt ignored, and every process inherits that. The
tests interrupt programs, and so receive it again.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator

import pytest
from hypothesis import settings
from packages import needs
from solving_support import engine, solver

from pavcodec.constraints.counting.recent import forget_models

__all__ = ["bucket", "engine", "solver"]

FROM_THE_END = os.environ.get("PYTEST_XDIST_WORKER", "")[-1:] in set("13579")
SELDOM = 100_000
"""The number of new objects before a garbage collection, as in `pavcodec.cli.main`."""

gc.disable()  # until all tests are collected
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONSAFEPATH"] = "1"  # the installed package, and not the folder of the checkout
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("by hand", deadline=None, max_examples=20)
settings.register_profile("full check", settings.get_profile("ci"), max_examples=25)
settings.load_profile("full check" if os.environ.get("CI") else "by hand")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """In every other process, collect the last folders and files first."""
    report = yield
    if isinstance(collector, pytest.Directory) and FROM_THE_END:
        report.result.reverse()
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start the longest tests first, so that all processes end together; then by file.

    Tests of Parquet are slow ones: their package, of 170 MB, is of `dev`.
    """
    for item in items:
        if "parquet" in item.nodeid:
            item.add_marker("slow")
    items.sort(key=lambda item: (item.get_closest_marker("long") is None, item.path))


def pytest_collection_finish() -> None:
    """Keep the modules and the tests out of the garbage collector: they stay until the end.

    It also looks at the rest less often: models are many objects without circles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(SELDOM, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def bucket() -> Iterator[str]:
    """The URL of a bucket of a real server of S3 on the loopback."""
    needs("moto")
    from s3_server import s3_bucket

    with s3_bucket() as url:
        yield url


@pytest.fixture(autouse=True)
def no_recent_models() -> None:
    """Let each test make its own models."""
    forget_models()
