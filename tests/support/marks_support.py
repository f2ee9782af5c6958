"""Texts whose faulty part stands between « and », and what is said of them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from pavcodec import TextError


def pairs_of(block: str) -> list[tuple[str, str]]:
    """The marked texts and the messages of a block, which has a line for both."""
    rows = [line.split(" → ") for line in block.strip().split("\n")]
    return [(marked, message) for marked, message in rows]


def assert_fault(read: Callable[[str], object], marked: str, message: str) -> None:
    """Read a text without its marks, and compare the message and the place of its fault.

    A message that starts or ends with … is the end or the start of what is told.
    """
    text = re.sub("[«»]", "", marked)
    with pytest.raises(TextError) as caught:
        read(text)
    start, end = caught.value.span
    shown = f"{text} "  # the end of a text is marked behind it
    assert f"{text[:start]}«{shown[start:end].rstrip()}»{text[end:]}" == marked
    told = caught.value.message
    if message.startswith("…"):
        assert told.endswith(message[1:]), told
    elif message.endswith("…"):
        assert told.startswith(message[:-1]), told
    else:
        assert told == message, told
