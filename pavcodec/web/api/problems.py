"""Errors as answers of the JSON interface: always an object with one problem."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from pavcodec.errors import PavError, hint
from pavcodec.web.settings import API
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.problem import (
    LONGEST_SOURCE,
    Problem,
    problem_of,
    problem_of_errors,
)
from pavcodec.web.workers.workers import Refusal

__all__ = ["FAILURES", "Failure", "add_handlers", "failure"]


class Failure(BaseModel):
    """What the interface returns instead of an answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    problem: Problem = Field(description="why the question has no answer")


_RETRY = {
    "Retry-After": {
        "description": "the seconds after which another try may succeed",
        "schema": {"type": "integer"},
    }
}
FAILURES: dict[int | str, dict[str, Any]] = {
    413: {"model": Failure, "description": "the question or the answer is too large"},
    422: {"model": Failure, "description": "the question is wrong; the problem says where"},
    429: {"model": Failure, "description": "too many questions", "headers": _RETRY},
    503: {
        "model": Failure,
        "description": "the question takes too long, or the server is busy",
        "headers": _RETRY,
    },
}
"""The failures of every operation, for the OpenAPI document."""


def failure(
    problem: Problem, status: int, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Return a problem as an answer."""
    return JSONResponse(Failure(problem=problem).model_dump(), status, headers)


def add_handlers(interface: FastAPI) -> None:
    """Turn all errors of an application into problems."""
    interface.add_exception_handler(PavError, _of_data)
    interface.add_exception_handler(RequestValidationError, _of_fields)
    interface.add_exception_handler(Refusal, _of_refusal)
    interface.add_exception_handler(HTTPException, _of_http)
    interface.add_exception_handler(UnicodeEncodeError, _of_halves)
    interface.add_exception_handler(Exception, _of_program)


async def _of_data(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, PavError)
    return failure(problem_of(error), 422)


async def _of_fields(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    errors = [{**each, "loc": each["loc"][1:]} for each in error.errors()]
    if errors[0]["type"] != "json_invalid":
        return failure(problem_of_errors(errors), 422)
    message, [place] = f"the question is no JSON: {errors[0]['ctx']['error']}", errors[0]["loc"]
    text = str(error.body)
    is_short = len(text) <= LONGEST_SOURCE
    marked = {"source": text, "start": place, "end": place + 1} if is_short else {}
    return failure(Problem(message=message, **marked), 422)


async def _of_refusal(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refusal)
    return failure(Problem(message=error.message), error.status, error.headers)


async def _of_halves(_request: Request, error: Exception) -> JSONResponse:
    """Return the error of a text that JSON can name and that has no form in bytes."""
    assert isinstance(error, UnicodeEncodeError)
    message = "the question has half of a surrogate pair, such as \\ud800, which is no character"
    return failure(Problem(message=message), 422)


async def _of_program(_request: Request, _error: Exception) -> JSONResponse:
    """Return an error of the program without its inside; the log has the place."""
    return failure(Problem(message="an error of this server, not of your question"), 500)


async def _of_http(request: Request, error: Exception) -> JSONResponse:
    """Return the errors that the server itself finds: no such operation, another method."""
    assert isinstance(error, HTTPException)
    name = request.url.path.partition(f"{API}/")[2]
    messages = {
        400: "the question cannot be read: send a JSON object in UTF-8, without deep nesting, "
        "and with numbers of at most 4,300 digits",
        404: f"there is no operation {name[:60]!r}{hint(name, [task.name for task in TASKS])}: "
        f"{API}/openapi.json lists all",
        405: f"{name!r} takes POST with a JSON object, not {request.method}",
    }
    status = 422 if error.status_code == 400 else error.status_code
    message = messages.get(error.status_code, str(error.detail))
    return failure(Problem(message=message), status, error.headers)
