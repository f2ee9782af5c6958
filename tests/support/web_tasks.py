"""Tasks for tests of the workers: they sleep, fail, fill the memory, die, and make long files."""

from __future__ import annotations

import io
import os
import signal
import time
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.errors import PavError
from pavcodec.numberings import rpdd
from pavcodec.web.tasks.task import Answer, Download, Question, Task

if TYPE_CHECKING:
    from pavcodec.web.workers import Pool


class Act(Question):
    """What to do, and a number for it."""

    act: str = "nothing"
    size: float = 0
    path: str = ""


class Done(Answer):
    """The process that worked, and the number of the question."""

    process: int
    size: float


def act(question: Act) -> Done:
    """Do what a question says."""
    _ACTS[question.act](question)
    return Done(process=os.getpid(), size=question.size)


def _sleep(question: Act) -> None:
    _say_process(question)
    time.sleep(question.size)


def _spin(question: Act) -> None:
    _say_process(question)
    end = time.monotonic() + question.size
    while time.monotonic() < end:
        pass


def _say_process(question: Act) -> None:
    """Write the number of this process to the path of the question, if it has one."""
    if question.path:
        with open(question.path, "w") as file:
            file.write(str(os.getpid()))


def _fill(question: Act) -> None:
    filled = [bytearray(1 << 20) for _ in range(int(question.size))]
    assert filled


def _keep(question: Act) -> None:
    _KEPT.append(bytearray(int(question.size) << 20))


_KEPT: list[bytearray] = []


def _die(_: Act) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _die_once(question: Act) -> None:
    """Die at the first call: a file marks it."""
    if not os.path.exists(question.path):
        with open(question.path, "w"):
            _die(question)


def _search(_: Act) -> None:
    """Raise an error if the next search through Pavlicek's collection has to make its table."""
    search = rpdd._search(rpdd.BLOCKS, rpdd.BLOCK)
    if search._marks is None:
        raise PavError("there is no table")


def _refuse(_: Act) -> None:
    raise PavError("wrong data")


def _stumble(question: Act) -> None:
    raise KeyError(question.path)


def _sink(question: Act) -> None:
    _sink(question)


class Large(Answer):
    """An answer with much text."""

    text: str


def say_much(question: Act) -> Large:
    """Return an answer of a size."""
    return Large(text="x" * int(question.size))


def make_file(question: Act) -> Download:
    """Make a file of so many parts of 64 KiB."""

    def write(stream: BinaryIO) -> None:
        for number in range(int(question.size)):
            if number == 2:
                _ACTS[question.act](Act(size=300, path=question.path))
            stream.write(bytes([number % 256]) * (1 << 16))

    return Download("f.txt", "text/plain", write)


def taken(pool: Pool) -> tuple[int, int, int]:
    """Return how many questions wait, are brief, and are long."""
    most = pool._settings.most_workers
    return pool.waiting, most - pool._brief._value, most - pool._long._value


def content_of(file: Download) -> bytes:
    """Return the bytes of a file."""
    stream = io.BytesIO()
    file.write(stream)
    return stream.getvalue()


_ACTS = {
    "search": _search,
    "nothing": lambda _: None,
    "sleep": _sleep,
    "nap": lambda _: time.sleep(0.8),
    "spin": _spin,
    "fill": _fill,
    "keep": _keep,
    "die": _die,
    "die once": _die_once,
    "refuse": _refuse,
    "stumble": _stumble,
    "sink": _sink,
}

ACT = Task("act", "Do something.", act, Act())
MUCH = Task("much", "Say much.", say_much, Act())
FILE = Task("file", "Make a file.", make_file, Act())
