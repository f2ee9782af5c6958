"""The pages of practice sets as files, and how many boards a set has."""

from __future__ import annotations

import os

from pavcodec.errors import UnknownNameError, check_text
from pavcodec.files.opening import open_output
from pavcodec.practice.sets import PracticeSet, practice_document
from pavcodec.printing.document import PAPERS, Paper
from pavcodec.printing.pages import WRITERS, format_of_suffix

USUAL_BOARDS = 16
"""The boards of a set, unless another number is given."""
MOST_BOARDS = 1000
MOST_WITH_ODDS = 36
"""The most boards of a set in which each board has its own odds."""


def write_practice(
    practice: PracticeSet,
    target: str | os.PathLike[str],
    *,
    format: str | None = None,
    paper: Paper = "a4",
) -> None:
    """Write the pages of a practice set: a page for each player, and the solutions.

    The format is `format`, `pdf` or `html`, else that of the suffix. A file is complete or absent.
    Raises `UnknownNameError` for another format or paper, and `PavError` without the package typst.
    """
    if not isinstance(practice, PracticeSet):
        raise TypeError(f"a PracticeSet is written, not {type(practice).__name__!r}")
    check_text("the name of a paper", paper)
    if paper not in PAPERS:
        raise UnknownNameError(f"no paper is called {paper!r}; expected {' or '.join(PAPERS)}")
    if format is not None:
        check_text("the name of a format", format)
    kind = format or format_of_suffix(target)
    if kind not in WRITERS:
        named = repr(format or os.fspath(target))
        raise UnknownNameError(f"pages are written as pdf or html, not as {named}: name the format")
    data = WRITERS[kind](practice_document(practice, paper))
    with open_output(target) as stream:
        stream.write(data)
