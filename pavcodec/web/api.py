"""The JSON interface: an application of its own with a route for each task.

interface    the application, which serves its OpenAPI document
routes       a task at its name, by POST and, for flat questions, by GET
problems     errors as answers with one problem
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Body, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from pydantic import Field
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from pavcodec.errors import PavError, hint
from pavcodec.web.settings import API
from pavcodec.web.tasks.catalogue import TASKS
from pavcodec.web.tasks.problem import LONGEST_SOURCE, Problem, problem_of, problem_of_errors
from pavcodec.web.tasks.task import Answer, ClosedFields, Question, Task
from pavcodec.web.tasks.usage import is_flat
from pavcodec.web.workers import client_of, workers_of

# Errors as answers of the JSON interface: always an object with one problem.


class Failure(ClosedFields):
    """What the interface returns instead of an answer."""

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


_HALF = "the question has half of a surrogate pair, such as \\ud800, which is no character"
_FAULT = "an error of this server, not of your question"


async def _failed(request: Request, error: Exception) -> JSONResponse:
    """Return why a question has no answer; the log has the place of an error of the program."""
    status, headers = 422, None
    match error:
        case PavError():
            problem = problem_of(error)
        case RequestValidationError():
            problem = _of_fields(error)
        case UnicodeEncodeError():  # a text that JSON can name and that has no form in bytes
            problem = Problem(message=_HALF)
        case HTTPException():
            headers, message = error.headers, error.detail
            if error.status_code in {400, 404, 405}:  # the server itself finds these
                message = _of_request(request, error.status_code)
            status = 422 if error.status_code == 400 else error.status_code
            problem = Problem(message=message)
        case _:
            status, problem = 500, Problem(message=_FAULT)
    return JSONResponse(Failure(problem=problem).model_dump(), status, headers)


def _of_fields(error: RequestValidationError) -> Problem:
    errors = [{**each, "loc": each["loc"][1:]} for each in error.errors()]
    if errors[0]["type"] != "json_invalid":
        return problem_of_errors(errors)
    message, [position] = f"the question is no JSON: {errors[0]['ctx']['error']}", errors[0]["loc"]
    text = str(error.body)
    is_short = len(text) <= LONGEST_SOURCE
    marked = {"source": text, "start": position, "end": position + 1} if is_short else {}
    return Problem(message=message, **marked)


def _of_request(request: Request, status: int) -> str:
    """Return why a request is none of the interface: no such operation, another method."""
    name = request.url.path.partition(f"{API}/")[2]
    if status == 404:
        near = hint(name, [task.name for task in TASKS])
        return f"there is no operation {name[:60]!r}{near}: {API}/openapi.json lists all"
    if status == 405:
        return f"{name!r} takes POST with a JSON object, not {request.method}"
    return (
        "the question cannot be read: send a JSON object in UTF-8, without deep nesting, "
        "and with numbers of at most 4,300 digits"
    )


# The routes of the JSON interface: each task at its name.
#
# POST takes the question as JSON. GET takes it from the address, if all its fields are texts,
# numbers or lists of them, so that a link or a short command asks it.


_FRESH = {"Cache-Control": "no-store"}
"""No cache keeps an answer: it may have the keys of a tournament."""


def make_router() -> APIRouter:
    """Return the routes of all tasks."""
    router = APIRouter()
    for task in TASKS:
        _add(router, task, "POST")
        if is_flat(task.question):
            _add(router, task, "GET")
    return router


def _add(router: APIRouter, task: Task[Any, Any], method: str) -> None:
    download = task.is_download
    router.add_api_route(
        f"/{task.name}",
        _endpoint(task, method),
        methods=[method],
        summary=task.summary,
        tags=[task.name.partition("/")[0]],
        response_model=None if download else task.answer,
        response_class=StreamingResponse if download else JSONResponse,
        responses={200: _success(task), **FAILURES},
        operation_id=task.name.replace("/", "_") + ("_get" if method == "GET" else ""),
    )


def _success(task: Task[Any, Any]) -> dict[str, Any]:
    """Return the description of a success: a file, or an answer."""
    if not task.is_download:
        return {"description": "the answer"}
    schema = {"schema": {"type": "string", "format": "binary"}}
    header = {"description": "the name of the file", "schema": {"type": "string"}}
    return {
        "description": "the file",
        "content": dict.fromkeys(task.media_types, schema),
        "headers": {"Content-Disposition": header},
    }


def _endpoint(task: Task[Any, Any], method: str) -> Callable[..., Awaitable[Response]]:
    async def answer(request: Request, question: Question) -> Response:
        result: Answer = await workers_of(request).answer(task, question, client_of(request))
        return Response(result.model_dump_json(), 200, _FRESH, "application/json")

    async def download(request: Request, question: Question) -> Response:
        stream = await workers_of(request).download(task, question, client_of(request))
        stream.headers.update(_FRESH)
        return stream

    endpoint = download if task.is_download else answer
    example = task.example.model_dump(mode="json", exclude_unset=True)
    parameter = Query() if method == "GET" else Body(examples=[example])
    endpoint.__annotations__ = {"request": Request, "question": Annotated[task.question, parameter]}
    return endpoint


# The JSON interface as an application, which the whole application mounts at `/api/v1`.


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
    for error in PavError, RequestValidationError, UnicodeEncodeError, HTTPException, Exception:
        interface.add_exception_handler(error, _failed)
    interface.include_router(make_router())
    interface.add_middleware(
        CORSMiddleware,
        allow_origins=["*"],
        allow_methods=["GET", "POST"],
        allow_headers=["Content-Type"],
        max_age=86400,
    )
    interface.add_api_route("/", _page, include_in_schema=False)
    return interface
