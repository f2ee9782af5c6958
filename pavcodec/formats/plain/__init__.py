"""Lines of deals and of numbers, one by one and in batches; functions that other rooms use."""

from __future__ import annotations

from pavcodec.formats.format import ArrayCodec, Codec, Format
from pavcodec.formats.plain.texts import looks_like_lines, looks_like_number

# The formats `lines` and `numbers`.


def _lines() -> Codec:
    from pavcodec.formats.plain.texts import read_lines, write_lines

    return Codec(read_lines, write_lines)


def _line_arrays() -> ArrayCodec:
    from pavcodec.formats.plain.batches import read_line_batches, write_line_batches

    return ArrayCodec(read_line_batches, write_line_batches)


def _numbers() -> Codec:
    from pavcodec.formats.plain.texts import read_numbers, write_numbers

    return Codec(read_numbers, write_numbers)


def _number_arrays() -> ArrayCodec:
    from pavcodec.formats.plain.batches import read_number_batches, write_number_batches

    return ArrayCodec(read_number_batches, write_number_batches)


LINES = Format(
    "lines",
    (".txt", ".lines"),
    "one deal text a line, as in N:AK.Q.. - .32.4. -",
    "cards",
    _lines,
    _line_arrays,
    recognises=looks_like_lines,
)

NUMBERS = Format(
    "numbers",
    (".numbers",),
    "one number a line, decimal or 0x hexadecimal, in a numbering",
    "cards",
    _numbers,
    _number_arrays,
    recognises=looks_like_number,
)
