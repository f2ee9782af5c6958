"""Questions whose page is a form of their fields and an answer as text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pavcodec.questions.asking import Answer
from pavcodec.web.tasks.asked import task_of

_MOST = 2000
"""The most lines that a page shows."""


def text_of(answer: Answer) -> str:
    """Return the text of an answer, or its beginning."""
    lines: Iterator[str] = answer.lines()
    shown = list(islice(lines, _MOST))
    more = ["…"] if next(lines, None) is not None else []
    return "\n".join([*shown, *more])


SIMPLE = {
    task.name: task
    for task in (
        task_of("rare", {"files": ("12345678901234567890123456789",)}, text_of),
        task_of("show", {"files": ("12345678901234567890123456789",)}, text_of),
        task_of("shapes", {"shapes": "any 4333 + any 4432 + any 5332"}, text_of),
        task_of("stats", {"files": ("0", "12345678901234567890123456789")}, text_of),
        task_of("situations", {"words": ("raises",)}, text_of),
        task_of("duplicates", {"files": ("0", "5", "0")}, text_of),
    )
}
"""The tasks of these questions, by their names."""
