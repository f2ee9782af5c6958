"""The application: its routes, and the workers that live as long as it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles

from pavcodec._version import __version__
from pavcodec.errors import PavError
from pavcodec.web.api import routes
from pavcodec.web.pages import number
from pavcodec.web.settings import Settings
from pavcodec.web.tasks.problem import problem_of
from pavcodec.web.workers.here import Here
from pavcodec.web.workers.workers import Workers

__all__ = ["make_application"]


def make_application(settings: Settings | None = None, workers: Workers | None = None) -> FastAPI:
    """Return the application of ASGI; tests give their own workers."""
    settings, workers = settings or Settings(), workers or Here()

    @asynccontextmanager
    async def lifespan(_application: FastAPI) -> AsyncIterator[None]:
        await workers.start()
        yield
        await workers.stop()

    application = FastAPI(
        title="pavcodec", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    application.state.workers = workers
    application.state.settings = settings
    application.include_router(routes.router)
    application.include_router(number.router)
    application.add_exception_handler(PavError, _problem)
    application.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"))
    return application


async def _problem(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
    assert isinstance(error, PavError)
    return JSONResponse({"problem": problem_of(error).model_dump()}, 422)
