"""The JSON interface as an application, which the whole application mounts at `/api/v1`."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.responses import RedirectResponse
from starlette.datastructures import State

from pavcodec.web.api.problems import add_handlers
from pavcodec.web.api.routes import make_router
from pavcodec.web.settings import API

__all__ = ["make_interface"]

_DESCRIPTION = """\
Bridge deals counted, dealt, numbered and converted, exactly.

Each operation takes a question and returns an answer. POST takes the question as a JSON object; GET
takes the same fields from the address, where a question has only texts, numbers and lists of them.
Answers contain the command line (`command`) and the lines of Python (`python`) that give the same.

Whole numbers that may exceed 2^53 are texts, since many readers of JSON round such numbers. Exact
fractions are texts such as "234/575". Estimates have fields of their own, with an interval.

An error is an object with one `problem`: the `message`, and if known the `field`, and the `source`
with the wrong part from `start` to `end`."""


async def _page() -> RedirectResponse:
    """Send people to the page about the interface."""
    return RedirectResponse("/programs")


def make_interface(state: State) -> FastAPI:
    """Return the interface; `state` is that of the whole application, with the workers.

    It serves its OpenAPI document at `openapi.json`.
    """
    interface = FastAPI(
        title="pavcodec",
        version="1.0",
        description=_DESCRIPTION,
        license_info={"name": "MIT", "identifier": "MIT"},
        servers=[{"url": API}],
        docs_url=None,
        redoc_url=None,
    )
    interface.state = state
    add_handlers(interface)
    interface.include_router(make_router())
    interface.add_api_route("/", _page, include_in_schema=False)
    return interface
