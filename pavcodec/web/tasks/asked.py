"""Questions of the room `questions` as tasks: their fields as a model, their answers as JSON.

The JSON of an answer is that of the command, with the notes, the command line and the lines of
Python that ask the same. What a page draws of it, its `view`, stays inside the server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, replace
from functools import cache
from typing import Any, TypeVar, get_type_hints

from pydantic import ConfigDict, Field, create_model

from pavcodec.errors import ModelTooLarge, PavError
from pavcodec.questions import question_named
from pavcodec.questions.asking import Answer as Found
from pavcodec.questions.asking import FieldTextError, asks, call_of, command_of
from pavcodec.questions.asking import Question as Declared
from pavcodec.web.tasks.problem import in_field
from pavcodec.web.tasks.task import MEMORY, Answer, Question, Task

D = TypeVar("D", bound=Declared)


class AskedAnswer(Answer):
    """An answer with the keys of the JSON that its command prints, and its notes."""

    model_config = ConfigDict(extra="allow")

    notes: tuple[str, ...] = Field((), description="warnings, and why an answer is an estimate")
    view: Any = Field(None, exclude=True)


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
        if kind in {int, int | None}:
            limits = {"ge": 0, "le": one.most}
        elif kind in {bool, bool | None}:
            limits = {}
        elif one.choices:
            limits = {"pattern": f"^({'|'.join(one.choices)})$"}
        fields[each.name] = (kind, Field(default, description=one.help, **limits))
    return create_model(f"{declared.__name__}Question", __base__=Question, **fields)


@cache
def _answer_model(name: str) -> type[AskedAnswer]:
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
    given = {each.name: getattr(fields, each.name, MISSING) for each, _ in asks(declared)}
    return declared(**{each: value for each, value in given.items() if value is not MISSING})


def answer_within(question: Declared, memory: int = MEMORY) -> Found:
    """Return an answer within the memory of a server; raise `PavError` with the wrong field."""
    with problems_of(question):
        return replace(question, memory=memory).answer()  # type: ignore[call-arg]


@contextmanager
def problems_of(question: Declared) -> Iterator[None]:
    """Raise the errors of a question in the block as those of a field of a form."""
    try:
        yield
    except ModelTooLarge as error:
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


@dataclass(frozen=True)
class Asking:
    """Asks a question for a server, and makes a view of the answer for its page.

    `prepared` bounds the work of a question.
    """

    name: str
    view: Callable[[Any], object] | None = None
    memory: int = MEMORY
    prepared: Callable[[Any], Any] | None = None

    def __call__(self, fields: Question) -> AskedAnswer:
        """Return the answer as data."""
        question = question_of(self.name, fields)
        if self.prepared is not None:
            with problems_of(question):
                question = self.prepared(question)
        answer = answer_within(question, self.memory)
        return AskedAnswer(
            **answer.to_dict(),
            notes=answer.notes,
            view=None if self.view is None else self.view(answer),
            command=command_of(question),
            python=call_of(question),
        )


@dataclass(frozen=True)
class AskedTask(Task[Question, AskedAnswer]):
    """The task of a question."""

    @property
    def answer(self) -> type[AskedAnswer]:
        """The type of the answer, as the interface describes it."""
        return _answer_model(self.name)


def task_of(
    name: str,
    example: dict[str, Any],
    view: Callable[[Any], object] | None = None,
    **bounds: Any,  # noqa: ANN401 (of `Asking`)
) -> AskedTask:
    """Return the task of a question; `view` makes what its page draws of an answer."""
    summary = str(question_named(name).__doc__).partition("\n")[0]
    return AskedTask(name, summary, Asking(name, view, **bounds), model_of(name)(**example))
