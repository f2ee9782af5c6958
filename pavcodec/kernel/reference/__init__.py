"""The definition of each function of the kernel in plain Python, obvious and short.

A function here has the name and the arguments of its twin in `kernel.h`. Arrays are numpy arrays of
the types there, with any shape that has the right number of entries; results are written into them.
Tests compare the twins over whole toy decks and at the edges of the real deck. With
`PAVCODEC_KERNEL=reference`, the whole library runs on these definitions.
"""

from __future__ import annotations

from typing import Any

from pavcodec.kernel.reference import (
    automata,
    classes,
    columns,
    endings,
    legal,
    rpdd,
    stream,
    texts,
    tricks,
    walk,
)

_SUBJECTS = (automata, classes, columns, endings, legal, rpdd, stream, texts, tricks, walk)


def __getattr__(name: str) -> Any:
    for subject in _SUBJECTS:
        if hasattr(subject, name):
            return getattr(subject, name)
    raise AttributeError(f"the kernel has no definition of {name!r}")
