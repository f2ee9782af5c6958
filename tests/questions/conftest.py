"""The application without a network, for the questions that it answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from fastapi.testclient import TestClient


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    """A client of one application, whose workers are threads; it keeps nothing between requests."""
    from fastapi.testclient import TestClient
    from thread_workers import threaded_application

    from pavcodec.web.settings import Settings

    with TestClient(threaded_application(Settings(rate=0)), base_url="http://localhost") as client:
        yield client
