"""Formats of one board a line, one by one and in batches; functions that other rooms use."""

from __future__ import annotations

from functools import partial

from pavcodec.formats.format import ArrayCodec, Codec, Format, Label
from pavcodec.formats.plain.texts import looks_like_lines, looks_like_number


def lines_codec(name: str) -> Codec:
    """Return the functions of a format of lines, for boards one by one."""
    from pavcodec.formats.plain.lines import read_lines, write_lines

    return Codec(partial(read_lines, name=name), partial(write_lines, name=name))


def lines_arrays(name: str) -> ArrayCodec:
    """Return the functions of a format of lines, for batches."""
    from pavcodec.formats.plain.batches import read_line_batches, write_line_batches

    return ArrayCodec(partial(read_line_batches, name=name), partial(write_line_batches, name=name))


LINES = Format(
    "lines",
    (".txt", ".lines"),
    "one deal text a line, as in N:AK.Q.. - .32.4. -",
    "cards",
    partial(lines_codec, "lines"),
    partial(lines_arrays, "lines"),
    recognises=looks_like_lines,
    label=Label("For programs", "Lines", "one deal a line", 5),
)

NUMBERS = Format(
    "numbers",
    (".numbers",),
    "one number a line, decimal or 0x hexadecimal, in a numbering",
    "cards",
    partial(lines_codec, "numbers"),
    partial(lines_arrays, "numbers"),
    recognises=looks_like_number,
    label=Label("Tables and numbers", "Numbers", "of the deals", 25),
)
