"""The limits of tasks: what a question may hold, and how much an answer may take.

The workers limit time, memory and output whatever a task does, and the safety limits requests. The
limits here come before both, so that a question above them gets a sentence that says what to do.
"""

from __future__ import annotations

__all__ = [
    "BODY",
    "FIELDS",
    "FILES",
    "FILE_BOARDS",
    "MEMORY",
    "PAGE_BOARDS",
    "PLAN",
    "PRINTED",
    "TEXT",
    "UPLOAD",
]

MEMORY = 256 << 20
"""The memory for counting a condition, in bytes; larger conditions get the plan with tests."""

PLAN = 1 << 30
"""The memory for the model that deals are drawn from, in bytes.

Less would refuse conditions whose plan on other machines counts them as a whole: a plan does not
depend on the memory, so that a seed has the same deals everywhere.
"""

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
