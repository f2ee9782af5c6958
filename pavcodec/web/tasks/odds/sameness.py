"""The command and the Python lines that give the same answer as a question of odds."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import join

from pavcodec.web.tasks.odds.answering import Found, known_of, seed_of_question
from pavcodec.web.tasks.odds.question import OddsQuestion

__all__ = ["command_of", "python_of"]


def command_of(question: OddsQuestion, found: Found) -> str:
    """Return the command line; an estimate states its deals and its seed."""
    words = ["pavcodec", "odds", question.event]
    words += [question.second] if found.kind == "pair" else []
    options: list[tuple[str, tuple[str, ...]]] = [
        ("--given", (question.given,) if question.given.strip() else ()),
        ("--hand", question.hands),
        ("--played", question.played),
        ("--shown-out", question.shown_out),
        ("--weights", question.weights),
        ("--seed", (question.seed,) if found.simulated and question.seed else ()),
        ("--simulate", (str(found.simulated),) if found.simulated else ()),
    ]
    words += [word for option, texts in options for text in texts for word in (option, text)]
    return join(words)


def python_of(question: OddsQuestion, found: Found) -> str:
    """Return the lines of Python; `answer` has the answer, and the last line prints it."""
    function = "probability" if found.kind == "event" else "distribution"
    lines = ["import pavcodec as pav", "", f"answer = pav.{function}("]
    lines += [f"    {each}," for each in _arguments(question, found)]
    return "\n".join([*lines, ")", "print(answer)"])


def _arguments(question: OddsQuestion, found: Found) -> Iterator[str]:
    yield repr(question.event)
    if found.kind == "pair":
        yield repr(question.second)
    given = repr(question.given) if question.given.strip() else ""
    if question.weights:
        yield f"given=pav.weighted({given or '1'}, joint={list(question.weights)!r})"
    elif given:
        yield f"given={given}"
    for name, texts in known_of(question).items():
        yield f"{name}={texts!r}"
    if found.simulated:
        yield f"simulate={found.simulated}"
        if question.seed:
            yield f"seed={seed_of_question(question)}"
