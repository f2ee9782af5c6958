"""The application without a network, for the tests of pages and of the JSON interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi.testclient import TestClient


@pytest.fixture(autouse=True)
def no_recent_models() -> None:
    """Keep the models from test to test, as a server keeps them from question to question."""


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    """A client of one application, whose workers are threads; it keeps nothing between requests."""
    from fastapi.testclient import TestClient
    from thread_workers import threaded_application

    from pavcodec.web.settings import Settings

    with TestClient(threaded_application(Settings(rate=0)), base_url="http://localhost") as client:
        yield client
