"""Questions of the room `questions` as tasks: their fields as a model, their answers as JSON.

The JSON of an answer is that of the command, with the notes, the command line and the lines of
Python that ask the same. What a page draws of it, its `view`, stays inside the server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, replace
from functools import cache
from typing import Annotated, Any, BinaryIO, TypeVar, get_type_hints

from pydantic import BeforeValidator, ConfigDict, Field, create_model

from pavcodec.errors import ModelTooLarge, PavError, TextError
from pavcodec.formats import format_of
from pavcodec.formats.plain.texts import shorten
from pavcodec.questions import QUESTIONS, question_named
from pavcodec.questions.asking import Answer as Found
from pavcodec.questions.asking import FieldTextError, QuestionError, asks, call_of, command_of
from pavcodec.questions.asking import Question as Declared
from pavcodec.questions.inputs import Inputs, TypedInput
from pavcodec.web.tasks.problem import in_field
from pavcodec.web.tasks.task import MEMORY, SECONDS, Answer, Download, Question, Task
from pavcodec.web.tasks.writing import MEDIA_TYPES, media_type

D = TypeVar("D", bound=Declared)


class AskedAnswer(Answer):
    """An answer with the keys of the JSON that its command prints, and its notes."""

    model_config = ConfigDict(extra="allow")

    notes: tuple[str, ...] = Field((), description="warnings, and why an answer is an estimate")
    view: Any = Field(None, exclude=True)


_ENDING, _FILE_ENDING = "Question", "FileQuestion"
"""The ends of the names of the models."""


def _digits(value: object) -> object:
    """Return a whole number as text; a decimal number of JSON may be another, rounded one."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


@cache
def model_of(name: str) -> type[Question]:
    """Return the model of the fields that a server accepts of a question, by its name."""
    return model_of_fields(question_named(name))


def model_of_fields(declared: type[Declared]) -> type[Question]:
    """Return the model of the fields that a server accepts of a question."""
    types = get_type_hints(declared)
    fields: dict[str, Any] = {}
    for each, one in asks(declared):
        if one.local:
            continue
        kind, default = types[each.name], ... if each.default is MISSING else each.default
        limits: dict[str, Any] = {"max_length": one.most}
        if kind == int | str:
            kind, default = Annotated[str, BeforeValidator(_digits)], _digits(default)
        if kind in {int, int | None}:
            limits = {"ge": 0, "le": one.most}
        elif kind in {bool, bool | None}:
            limits = {}
        elif one.choices:
            limits = {"pattern": f"^({'|'.join(one.choices)})$"}
        fields[each.name] = (kind, Field(default, description=one.help, **limits))
    return create_model(
        f"{declared.__name__}{_ENDING}", __base__=Question, __module__=__name__, **fields
    )


@cache
def file_model_of(name: str) -> type[Question]:
    """Return the model of a question whose boards go into a file."""
    pages = ", ".join(question_named(name).pages)
    formats = f"{pages}, or a format such as pbn" if pages else "the format, such as pbn or dup"
    return create_model(
        f"{question_named(name).__name__}{_FILE_ENDING}",
        __base__=model_of(name),
        __module__=__name__,
        to=(str, Field("pbn", max_length=100, description=formats)),
    )


def __getattr__(name: str) -> type[Question]:
    """Return the model of a question by its name, for the pickles that go to the workers."""
    for command, declared in QUESTIONS.items():
        if name == f"{declared}{_ENDING}":
            return model_of(command)
        if name == f"{declared}{_FILE_ENDING}":
            return file_model_of(command)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def answer_model(name: str) -> type[AskedAnswer]:
    """Return the model of the answers to a question, for the description of the interface."""
    declared = question_named(name)
    keys: dict[str, Any] = {
        key: (Any, Field(None, description=text)) for key, text in declared.keys.items()
    }
    return create_model(f"{declared.__name__}Answer", __base__=AskedAnswer, **keys)


def question_of(name: str, fields: Question) -> Declared:
    """Return the question of the fields of a form or of JSON; other fields are of its page."""
    return question_of_fields(question_named(name), fields)


def question_of_fields(declared: type[D], fields: Question) -> D:
    """Return a question of the fields of a form or of JSON."""
    names = {each.name for each, _ in asks(declared)} & type(fields).model_fields.keys()
    return declared(**{name: getattr(fields, name) for name in names})


def answer_within(question: Declared, memory: int = MEMORY) -> Found:
    """Return an answer within the limits of a server; raise `PavError` with the wrong field."""
    with problems_of(question):
        if hasattr(question, "memory"):
            question = replace(question, memory=memory)  # type: ignore[call-arg]
        if hasattr(question, "seconds"):
            question = replace(question, seconds=SECONDS)  # type: ignore[call-arg]
        if isinstance(question, Inputs):
            question = replace(question, files=_typed(question.files))
        return question.answer()


@contextmanager
def problems_of(question: Declared | None = None) -> Iterator[None]:
    """Raise the errors of a question in the block as those of a field of a form."""
    try:
        yield
    except ModelTooLarge as error:
        if question is None:
            raise
        reason = str(error).rpartition("; ")[0] or str(error)
        raise PavError(
            f"this condition is too large for this page: {reason}. Loosen or leave out that part, "
            f"or run it on your own machine: {command_of(question)}"
        ) from None
    except PavError as error:
        if error.field is None:
            raise
        with in_field(error.field):
            raise (error.cause if isinstance(error, FieldTextError) else error) from None


def _typed(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return deals in place of files as inputs in memory; a server opens no file for anybody."""
    if not texts:
        raise QuestionError("give a deal, a number, a code or a link of a hand viewer", "files")
    inputs = []
    for place, text in enumerate(texts, 1):
        try:
            typed = TypedInput.of_deal(text, place)
        except TextError as error:
            raise FieldTextError("files", error) from None
        except PavError as error:
            raise QuestionError("{why}", "files", why=error) from None
        if typed is None:
            raise QuestionError("{text} is no deal", "files", text=shorten(text))
        inputs.append(typed)
    return tuple(inputs)


@dataclass(frozen=True)
class Asking:
    """Asks a question for a server, and makes a view of the answer for its page.

    `prepared` bounds the work of a question, and `row` makes the JSON of a long answer.
    """

    name: str
    view: Callable[[Any], object] | None = None
    memory: int = MEMORY
    prepared: Callable[[Any], Any] | None = None
    row: Callable[[Any], dict[str, Any]] | None = None

    def __call__(self, fields: Question) -> AskedAnswer:
        """Return the answer as data."""
        question = question_of(self.name, fields)
        if self.prepared is not None:
            with problems_of(question):
                question = self.prepared(question)
        answer = answer_within(question, self.memory)
        view = None if self.view is None else self.view(answer)
        row = None if self.row is None else self.row(answer)
        return AskedAnswer(**told(answer, answer.again or question, row=row), view=view)


def told(
    answer: Found, question: Declared, *before: Declared, row: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return an answer as data, with the commands and the lines of Python that give the same.

    The questions `before` write files for this one.
    """
    return (answer.to_dict() if row is None else row) | {
        "notes": tuple(answer.notes),
        "command": "\n".join(map(command_of, (*before, question))),
        "python": call_of(question, *before),
    }


@dataclass(frozen=True)
class AskedTask(Task[Question, AskedAnswer]):
    """The task of a question."""

    asked: str = ""

    @property
    def answer(self) -> type[AskedAnswer]:
        """The type of the answer, as the interface describes it."""
        return answer_model(self.asked)


def task_of(
    name: str,
    example: dict[str, Any] | Question,
    view: Callable[[Any], object] | None = None,
    address: str = "",
    **bounds: Any,
) -> AskedTask:
    """Return the task of a question; `view` makes what its page draws of an answer.

    The `address` is the name of the question, unless given.
    """
    summary = str(question_named(name).__doc__).partition("\n")[0]
    first = example if isinstance(example, Question) else model_of(name)(**example)
    return AskedTask(address or name, summary, Asking(name, view, **bounds), first, asked=name)


# Boards as files.


_PAGES = {"text": ".txt", "html": ".html", "pdf": ".pdf"}
_LONG_SEED = 32
"""The characters of a seed that is too long for the name of a file."""


@dataclass(frozen=True)
class Filing:
    """Asks a question for a server, and writes the boards of the answer to a file.

    `prepared` bounds the work of a question.
    """

    name: str
    prepared: Callable[[Any], Any] | None = None

    def __call__(self, fields: Any) -> Download:
        """Return the file."""
        to, question = fields.to, question_of(self.name, fields)
        if self.prepared is not None:
            with problems_of(question):
                question = self.prepared(question)
        target = None if to in question.pages else format_of(to)
        answer: Any = answer_within(question)

        def write(stream: BinaryIO) -> None:
            if target is None:
                answer.write_pages(to, stream)
            else:
                target.write(answer.boards(), stream, answer.context)

        seed = getattr(answer.again or question, "seed", None) or ""
        is_short = seed.isascii() and seed.isalnum() and len(seed) < _LONG_SEED
        suffix = _PAGES[to] if target is None else (*target.suffixes, ".txt")[0]
        stem = f"{self.name}-{seed}" if is_short else self.name
        name = f"{stem}{suffix}"
        return Download(name, media_type(name), write)


class FileTask(Task[Question, Download]):
    """The task of a file."""

    answer = Download


def file_task_of(
    name: str,
    example: dict[str, Any],
    to: str,
    address: str = "",
    prepared: Callable[[Any], Any] | None = None,
) -> FileTask:
    """Return the task of the files of a question; `to` is the format of the example."""
    return FileTask(
        f"{address or name}/file",
        f"Return a file: {str(question_named(name).__doc__).partition(chr(10))[0].lower()}",
        Filing(name, prepared),
        file_model_of(name)(**example | {"to": to}),
        media_types=MEDIA_TYPES,
    )
