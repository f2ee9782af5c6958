"""Lines of deals and of numbers, one by one and in batches; functions that other rooms use."""

from __future__ import annotations

from functools import partial

from pavcodec.formats.format import ArrayCodec, Codec, Format, Label
from pavcodec.formats.plain.texts import looks_like_lines, looks_like_number


def _codec(name: str) -> Codec:
    from pavcodec.formats.plain import texts

    if name == "lines":
        return Codec(texts.read_lines, texts.write_lines)
    return Codec(texts.read_numbers, texts.write_numbers)


def _arrays(name: str) -> ArrayCodec:
    from pavcodec.formats.plain import batches

    if name == "lines":
        return ArrayCodec(batches.read_line_batches, batches.write_line_batches)
    return ArrayCodec(batches.read_number_batches, batches.write_number_batches)


LINES = Format(
    "lines",
    (".txt", ".lines"),
    "one deal text a line, as in N:AK.Q.. - .32.4. -",
    "cards",
    partial(_codec, "lines"),
    partial(_arrays, "lines"),
    recognises=looks_like_lines,
    label=Label("For programs", "Lines", "one deal a line", 5),
)

NUMBERS = Format(
    "numbers",
    (".numbers",),
    "one number a line, decimal or 0x hexadecimal, in a numbering",
    "cards",
    partial(_codec, "numbers"),
    partial(_arrays, "numbers"),
    recognises=looks_like_number,
    label=Label("Tables and numbers", "Numbers", "of the deals", 25),
)
