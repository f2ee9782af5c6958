"""A question is declared once; the command, the page, the JSON and the call in Python follow.

A question is a frozen dataclass whose fields are made by `ask`; its `find` returns an answer, which
has `to_dict` for programs and `lines` for the screen. Whoever asks may listen: he hears the notes
of a question at once, and sees what takes long. Only `dataclasses` is loaded, so a declaration
costs the start of a command nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from inspect import get_annotations
from shlex import quote
from types import NoneType
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, TypeVar

from pavcodec.errors import PavError

if TYPE_CHECKING:
    from pavcodec.errors import TextError

T = TypeVar("T")


@dataclass(frozen=True)
class Ask:
    """What the faces need to know of a field.

    Without a `flag`, the field is an argument of the command; `read` reads its words
    there, and an option with `if_bare` may stand without a text, for that value. A form
    has the fields with a `label`. `most` is the greatest number, or the most characters, or the
    most texts of a list, that a server accepts; it accepts no field that is `local`, such as the
    name of a file.
    """

    help: str
    flag: str | None = None
    group: str = "condition"
    metavar: str | None = None
    read: Callable[[str], Any] = str
    choices: tuple[str, ...] = ()
    if_bare: object = None
    label: str = ""
    most: int = 20_000
    local: bool = False


def ask(
    help: str,
    *,
    default: Any = MISSING,
    **more: Any,
) -> Any:
    """Declare a field of a question; without a default it is needed."""
    return field(
        default=default, metadata={"ask": Ask(help, **more)}, kw_only=more.get("flag") != ""
    )


def as_in(question: type, name: str, **other: Any) -> Any:
    """Declare a field as another question does; `other` replaces parts of the declaration."""
    (each,) = (each for each in fields(question) if each.name == name)
    default = other.pop("default", each.default)
    one = replace(each.metadata["ask"], **other)
    return field(default=default, metadata={"ask": one}, kw_only=each.kw_only)


def asks(question: type) -> Iterator[tuple[Field[Any], Ask]]:
    """Yield the fields of a question with their declarations, its own before inherited ones."""
    declared = {each.name: each for each in fields(question)}
    for part in question.__mro__:
        for name in get_annotations(part):
            each = declared.pop(name, None)
            if each is not None and "ask" in each.metadata:
                yield each, each.metadata["ask"]


def flag_of(each: Field[Any]) -> str:
    """Return the first long option of a field, or its only option; nothing for an argument."""
    flag: str | None = each.metadata["ask"].flag
    if flag is None:
        return f"--{each.name.replace('_', '-')}"
    return next((word for word in flag.split() if word.startswith("--")), flag)


# Who asks.


class Progress:
    """Sees how far long work is; nobody sees this one."""

    def watch(
        self,
        items: Iterable[T],
        size: Callable[[T], int] | None = None,  # noqa: ARG002 (of others)
    ) -> Iterator[T]:
        """Yield the items, and see them; `size` is the count of an item (default: 1)."""
        yield from items

    def add(self, count: int = 1) -> None:
        """See items that are done while it is shown."""

    def shown(self) -> AbstractContextManager[None]:
        """Return a context in which items are added, or nothing but the note changes."""
        return nullcontext()


class Asker:
    """Who asks: hears notes, and sees what takes long. This one is deaf and blind."""

    def note(self, text: str) -> None:
        """Hear a note, such as a warning of a script."""

    def meanwhile(self, text: str) -> None:
        """Hear what is known before the answer; it is no part of the answer."""

    def working(self, what: str) -> AbstractContextManager[None]:  # noqa: ARG002 (of others)
        """Return a context for work that may take long."""
        return nullcontext()

    def progress(
        self,
        stream: BinaryIO | None,  # noqa: ARG002 (of others)
        name: str,  # noqa: ARG002
        unit: str,  # noqa: ARG002
        *,
        total: int | None = None,  # noqa: ARG002
        note: Callable[[], str] | None = None,  # noqa: ARG002
    ) -> Progress:
        """Return what sees items of a stream, or a number of them; see `progress`."""
        return Progress()

    def problem(self, text: str) -> None:
        """Hear a problem of an input, after which the others follow."""
        self.note(text)

    def agrees(self, question: str) -> bool:  # noqa: ARG002 (of others)
        """Return whether somebody is there who says yes."""
        return False

    @property
    def width(self) -> int | None:
        """The columns of the screen that shows the answer; None if none does."""
        return None


_ASKER: ContextVar[Asker] = ContextVar("asker")
_SILENT = Asker()
_LAST: ContextVar[list[Callable[[], None]]] = ContextVar("last")
"""What has notes for the end of the block in which somebody asks."""


@contextmanager
def asking(asker: Asker) -> Iterator[None]:
    """Let an asker hear the notes of all questions in the block; those of `when_done` last."""
    token, last = _ASKER.set(asker), list[Callable[[], None]]()
    token_of_last = _LAST.set(last)
    try:
        yield
    finally:
        try:
            while last:
                last.pop(0)()
        finally:
            _LAST.reset(token_of_last)
            _ASKER.reset(token)


def note(text: str) -> None:
    """Tell the asker something beside the answer."""
    _ASKER.get(_SILENT).note(text)


def meanwhile(text: str) -> None:
    """Tell the asker what is known so far, while the answer takes long."""
    _ASKER.get(_SILENT).meanwhile(text)


def working(what: str) -> AbstractContextManager[None]:
    """Show the asker that the block may take long."""
    return _ASKER.get(_SILENT).working(what)


def progress(
    stream: BinaryIO | None,
    name: str,
    unit: str,
    *,
    total: int | None = None,
    note: Callable[[], str] | None = None,
) -> Progress:
    """Return what shows the asker how far long work is.

    With a `stream`, that is the part of the file that was read. Without a stream, `total` is the
    number of items, or None. `note` returns a further text each time it is looked at; without a
    `unit` it is the only one.
    """
    return _ASKER.get(_SILENT).progress(stream, name, unit, total=total, note=note)


def listener() -> Callable[[str], None]:
    """Return what hears problems now, for those that come when the question is answered."""
    return _ASKER.get(_SILENT).problem


def when_done(tell: Callable[[], None]) -> None:
    """Let a function tell its notes when the question is answered; nobody waits for others."""
    _LAST.get([]).append(tell)


def agrees(question: str) -> bool:
    """Return whether the asker says yes, such as to a file that is replaced."""
    return _ASKER.get(_SILENT).agrees(question)


def screen_width() -> int | None:
    """Return the columns of the asker's screen, if there is one."""
    return _ASKER.get(_SILENT).width


class _Keeper(Asker):
    """Keeps the notes for the answer, and passes them on."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._outer = _ASKER.get(_SILENT)
        self.meanwhile = self._outer.meanwhile  # type: ignore[method-assign]
        self.working = self._outer.working  # type: ignore[method-assign]
        self.progress = self._outer.progress  # type: ignore[method-assign]
        self.agrees = self._outer.agrees  # type: ignore[method-assign]

    @property
    def width(self) -> int | None:
        """The columns of the screen of whoever asks."""
        return self._outer.width

    def note(self, text: str) -> None:
        """Keep a note."""
        self.notes.append(text)
        self._outer.note(text)

    def problem(self, text: str) -> None:
        """Keep a problem."""
        self.notes.append(text)
        self._outer.problem(text)


# Questions, answers, and why there is none.


class Answer:
    """The answer to a question; `notes` are what else its asker should know."""

    notes: Sequence[str] = ()
    is_drawn = False
    """Whether there is a picture of it."""
    is_fault = False
    """Whether it says that the data is wrong, for the exit code of its command."""
    problems: Any = None
    """What counts the problems of boards that are read while they are written."""
    nothing = "no boards"
    """What is told if there is no board and no problem."""
    again: Question | None = None
    """The question that has the same answer for ever, if this one drew something."""

    def to_dict(self) -> Any:
        """Return the answer for JSON."""
        raise NotImplementedError

    def documents(self) -> Iterator[Any]:
        """Yield what the command prints as JSON: the answer, or an object for each of its rows."""
        yield self.to_dict()

    def lines(self) -> Iterator[str]:
        """Yield the answer as text."""
        raise NotImplementedError

    def rows(self) -> Iterator[Sequence[object]]:
        """Yield the heads and the rows of a table; see `Question.rows_are`."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        """Return the text for a notebook."""
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"

    def __str__(self) -> str:
        return "\n".join(self.lines())


@dataclass
class Told(Answer):
    """An answer that is data for JSON, and lines of text."""

    data: Any
    text: Sequence[str] = ()
    is_fault: bool = False

    def to_dict(self) -> Any:
        """Return the data."""
        return self.data

    def lines(self) -> Iterator[str]:
        """Yield the lines."""
        return iter(self.text)


_KINDS: dict[str, tuple[type, ...]] = {
    "bool": (bool,),
    "bool | None": (bool, NoneType),
    "int": (int,),
    "int | None": (int, NoneType),
    "int | str": (int, str),
    "str": (str,),
    "str | None": (str, NoneType),
    "tuple[str, ...]": (str,),
}
"""The types of fields, as they are declared."""


@dataclass(frozen=True)
class Question:
    """A question, which has the name of its command; the help page has examples and details."""

    name: ClassVar[str]
    call: ClassVar[str] = ""
    """Its name in Python, if that of the command is another thing there."""
    examples: ClassVar[str]
    details: ClassVar[str]
    keys: ClassVar[dict[str, str]] = {}
    """The keys of the JSON of its answers, and what they hold."""
    plots: ClassVar[str] = ""
    """What a picture of the answer draws, if there is one."""
    rows_are: ClassVar[str] = ""
    """What a row of the table of the answer is, if there is one, such as `value`."""
    indent: ClassVar[int | None] = None
    """The indent of the JSON that the command prints."""
    is_function: ClassVar[bool] = True
    """Whether the package has a function of this name; if a room has the name, Python asks by the
    class."""
    gives_boards: ClassVar[bool] = False
    """Whether its answers have `boards()`, and the `context` in which a format writes them."""
    gives_text = False
    """Whether this one gives text nevertheless, of questions that give boards."""
    pages: ClassVar[tuple[str, ...]] = ()
    """The formats that its boards have as pages of their own, by `write_pages`, the usual first."""
    makes_files: ClassVar[bool] = False
    """Whether its answers are files: they have `write()`."""
    writes: ClassVar[bool] = False
    """Whether it writes a file when it is asked; the answer tells about this file."""

    def __post_init__(self) -> None:
        """Raise `TypeError` for a value of another type, which would fail somewhere inside."""
        for each, _ in asks(type(self)):
            kind, value = str(each.type), getattr(self, each.name)
            parts = value if kind.startswith("tuple") and isinstance(value, tuple) else (value,)
            for part in parts:
                if not isinstance(part, _KINDS[kind]):
                    wanted = kind.removeprefix("tuple[").partition(",")[0]
                    raise TypeError(f"{each.name} takes {wanted}, not {part!r:.60}")

    def answer(self, find: Callable[[], Answer] | None = None) -> Answer:
        """Return the answer with its notes; raise `PavError` if there is none.

        Another `find` answers in place of its own.
        """
        keeper = _Keeper()
        with asking(keeper):
            answer = (find or self.find)()
        answer.notes = keeper.notes
        return answer

    def find(self) -> Answer:
        """Return the answer; the notes are told apart."""
        raise NotImplementedError


def function_of(question: type[Question]) -> Callable[..., Any]:
    """Return the function of Python that asks a question, as its command does.

    The arguments of the command are arguments in their order, and its options have their names.

    >>> from pavcodec.questions.encode import Encode
    >>> print(function_of(Encode)("N:A... K... Q... J...", numbering="balanced"))
    2058009868335972036308496610386240
    """
    names = [(each.name, str(each.type)) for each, one in asks(question) if one.flag == ""]

    def function(*arguments: Any, **fields: Any) -> Answer:
        rest = list(arguments)
        for name, kind in names:
            if rest:
                fields[name] = tuple(rest) if kind.startswith("tuple") else rest.pop(0)
                rest = [] if kind.startswith("tuple") else rest
        if rest:
            raise TypeError(f"{function.__name__} takes {len(names)} arguments, not {rest[0]!r}")
        return question(**fields).answer()

    function.__name__ = function.__qualname__ = question.call or question.name.replace(" ", "_")
    function.__module__ = question.__module__
    function.__doc__ = (
        f"{str(question.__doc__).partition('.')[0]}, as the command `{question.name}` does.\n\n"
        f"The fields are those of `{question.__name__}`. The answer has `lines()` for the screen, "
        "`to_dict()` for JSON."
    )
    return function


_NAMED = re.compile(r"\{(\w+)\}")


class QuestionError(PavError):
    """A question is wrong: its fields do not go together, or one has no meaning.

    A message names fields in braces, so that each face shows them as it spells them; other braces
    are `values`.
    """

    shown: tuple[str, ...] = ()
    """Lines with the text, and carets under its wrong part."""

    def __init__(self, message: str, field: str | None = None, **values: object) -> None:
        self.message, self.field, self.values = message, field, values
        super().__init__(self.told(str))

    def told(self, spelled: Callable[[str], str]) -> str:
        """Return the message with the fields as a face spells them."""
        return _NAMED.sub(
            lambda name: str(self.values[name[1]]) if name[1] in self.values else spelled(name[1]),
            self.message,
        )


class FieldTextError(QuestionError):
    """A text of a field is wrong; `cause` has the place."""

    def __init__(self, field: str, cause: TextError) -> None:
        first, *shown = str(cause).split("\n")
        is_blank = not cause.source.strip()  # then there is nothing to point at
        self.cause = cause
        super().__init__("{said}", field, said=cause.message if is_blank else first)
        self.shown = () if is_blank else tuple(shown)


_ABSENT: tuple[object, ...] = (None, False, (), [], "plan")
"""The values of fields that are not given."""


def is_given(asked: object, name: str) -> bool:
    """Return whether a field is given; `NAME=VALUE` is a field with this value."""
    name, _, value = name.partition("=")
    given = getattr(asked, name, None)
    return str(given) == value if value else given not in _ABSENT


def refuse_together(asked: object, pairs: Iterable[str]) -> None:
    """Raise `QuestionError` for the first pair of fields that are given, but exclude each other.

    A pair is two names with a space, as in `all seed` or `cards method=cases`.
    """
    for pair in pairs:
        names = pair.split(" ")
        if all(is_given(asked, name) for name in names):
            one, other = (_NAMING.sub(r"{\1} \2", name).strip() for name in names)
            raise QuestionError(f"{one} and {other} do not go together", names[0])


_NAMING = re.compile(r"^(\w+)=?(.*)$")


# The text of the command, and of the call in Python, that ask the same.


def given(question: Question) -> Iterator[tuple[Field[Any], Ask, Any]]:
    """Yield the fields that are not at their defaults, arguments first."""
    differing = [
        (each, one, getattr(question, each.name))
        for each, one in asks(type(question))
        if getattr(question, each.name) != each.default
    ]
    yield from sorted(differing, key=lambda row: row[1].flag != "")


def command_of(question: Question, *more: str) -> str:
    """Return the command line of a question, with more options.

    >>> from pavcodec.questions.count import Count
    >>> command_of(Count("hcp(south) >= 20", predeal=("north SA",)))
    "pavcodec count 'hcp(south) >= 20' --predeal 'north SA'"
    """
    options, arguments = [], []
    for each, one, value in given(question):
        values = [str(text) for text in (value if isinstance(value, tuple) else (value,))]
        flag = flag_of(each)
        if one.flag == "":
            arguments += values
        elif isinstance(value, bool):
            options.append(flag if value else f"--no-{flag.removeprefix('--')}")
        else:
            options += [
                f"{flag}={quote(text)}" if text.startswith("-") else f"{flag} {quote(text)}"
                for text in values
            ]
    options += more
    words = list(map(quote, arguments))
    if any(text.startswith("-") for text in arguments):
        return " ".join(["pavcodec", question.name, *options, "--", *words])
    return " ".join(["pavcodec", question.name, *words, *options])


def call_of(question: Question, *before: Question) -> str:
    """Return the lines of Python of a question, after those that write files for it.

    >>> from pavcodec.questions.count import Count
    >>> print(call_of(Count("hcp(south) >= 20")))
    import pavcodec as pav
    <BLANKLINE>
    answer = pav.count('hcp(south) >= 20')
    print(answer)
    """
    lines = [*dict.fromkeys(map(_imported, [*before, question])), ""]
    lines += [f"{_call(each)}.write()" for each in before]
    lines += [f"answer = {_call(question)}"]
    lines += ["answer.write()"] if question.makes_files else []
    return "\n".join([*lines, "print(answer)"])


def _imported(question: Question) -> str:
    """Return the line of Python that imports what asks a question."""
    if question.is_function:
        return "import pavcodec as pav"
    return f"from pavcodec.questions import {type(question).__name__}"


def _call(question: Question) -> str:
    """Return a question as a call in Python; its only list of arguments has no brackets."""
    arguments = [each for each, one in asks(type(question)) if one.flag == ""]
    words: list[str] = []
    for each, one, value in given(question):
        if not isinstance(value, tuple):
            words.append(f"{'' if one.flag == '' else each.name + '='}{value!r}")
        elif question.is_function and [each] == arguments[len(words) :]:
            words += map(repr, value)
        else:
            words.append(f"{each.name}={value!r}")
    name, end = f"pav.{question.call or question.name.replace(' ', '_')}", ""
    if not question.is_function:
        name, end = type(question).__name__, ".answer()"
    call = f"{name}({', '.join(words)}){end}"
    if len(call) <= 80:
        return call
    return "\n".join([f"{name}(", *(f"    {word}," for word in words), f"){end}"])
