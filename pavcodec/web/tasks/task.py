"""A task: a function from a question to an answer, with its name and an example.

Questions and answers are models of pydantic, since one declaration then checks forms and JSON, and
describes both in the OpenAPI document. They are immutable, and pickles carry them to the workers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from shlex import quote
from typing import Any, BinaryIO, Generic, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from pavcodec.errors import suggest


class Fields(BaseModel):
    """Immutable fields: a question, an answer, or a part of one."""

    model_config = ConfigDict(frozen=True)


class ClosedFields(Fields):
    """Fields that allow no others."""

    model_config = ConfigDict(extra="forbid")


class Question(ClosedFields):
    """The fields of a question; every field has a default or a limit, and unknown fields fail."""

    model_config = ConfigDict(str_max_length=100_000)

    @model_validator(mode="before")
    @classmethod
    def _check_names(cls, values: object) -> object:
        """Raise an error with the nearest field for the first unknown field."""
        names = values if isinstance(values, dict) else {}
        for name in names:
            if name not in cls.model_fields:
                field = str(name)[:60]
                text = str(suggest("field", field, list(cls.model_fields)))
                raise PydanticCustomError("unknown_field", "{text}", {"text": text, "field": field})
        return values


class Answer(ClosedFields):
    """The fields of an answer, with the command and the Python lines that give the same."""

    command: str = Field("", description="the command line that gives the same answer")
    python: str = Field("", description="the lines of Python that give the same answer")


@dataclass(frozen=True)
class Download:
    """A file: its name, its media type, and what writes its bytes to a stream."""

    name: str
    media_type: str
    write: Callable[[BinaryIO], object]


Q = TypeVar("Q", bound=Question)
A = TypeVar("A", bound=Answer | Download)


@dataclass(frozen=True)
class Task(Generic[Q, A]):
    """A function of a module from a question to an answer or a download.

    `name` is its address in the JSON interface, such as `deal` or `deal/file`. `media_types` lists
    those that its files can have. A task `starts_threads` if its example makes PDF or solves deals:
    the threads of typst and of the solver stay, and no copy of a process has them, so only the
    copies may run the example.
    """

    name: str
    summary: str
    work: Callable[[Q], A]
    example: Q
    media_types: tuple[str, ...] = ("*/*",)
    starts_threads: bool = False

    @property
    def question(self) -> type[Q]:
        """The type of the question."""
        return type(self.example)

    @property
    def answer(self) -> type[A]:
        """The type of the answer."""
        hints: dict[str, Any] = get_type_hints(self.work)
        answer: type[A] = hints["return"]
        return answer

    @property
    def is_download(self) -> bool:
        """Whether the answer is a file."""
        return issubclass(self.answer, Download)


# The limits of tasks: what a question may hold, and how much an answer may take.
#
# The workers limit time, memory and output whatever a task does, and the safety limits requests.
# The limits here come before both, so that a question above them gets a sentence that says what to
# do.


MEMORY = 256 << 20
"""The memory for counting a condition, in bytes; larger conditions get the plan with tests."""

PLAN = 1 << 30
"""The memory for the model that deals are drawn from, in bytes.

Less would refuse conditions whose plan on other machines counts them as a whole: a plan does not
depend on the memory, so that a seed has the same deals everywhere.
"""

SECONDS = 4
"""The most seconds of counting; a number that takes more is an estimate."""

TEXT = 20_000
"""The most characters of a text that somebody types, such as a condition."""

PAGE_BOARDS = 36
"""The most boards that a page draws."""

PRINTED = 1_000
"""The most boards of a file to print or to look at."""

FILE_BOARDS = 100_000
"""The most boards of a file that a page or the JSON interface makes."""

UPLOAD = 10 << 20
"""The most bytes of a file that somebody uploads, and of a form with several."""

FILES = 100
"""The most files of a form."""

BODY = 2 << 20
"""The most bytes of the body of a request that has no files."""

FIELDS = 1000
"""The most fields of a form, and of the question in an address."""


# Texts of people as words of a command line, quoted for a shell; each may begin with a dash.


def argument(text: str) -> str:
    """Return a text as the last argument of a command.

    >>> argument("N:AK... - - -"), argument("-5")
    ("'N:AK... - - -'", '-- -5')
    """
    return f"-- {quote(text)}" if text.startswith("-") else quote(text)


def option(name: str, value: str) -> str:
    """Return an option with its value.

    >>> option("--title", "Tuesday pairs"), option("--title", "-x")
    ("--title 'Tuesday pairs'", '--title=-x')
    """
    return f"{name}={quote(value)}" if value.startswith("-") else f"{name} {quote(value)}"


def path_of(name: str) -> str:
    """Return the path of a file in the current folder; it is not quoted yet.

    >>> path_of("heat.pbn"), path_of("-heat.pbn")
    ('heat.pbn', './-heat.pbn')
    """
    return f"./{name}" if name.startswith("-") else name
