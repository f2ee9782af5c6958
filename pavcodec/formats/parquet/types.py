"""The types of Arrow that the columns of a board may have."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pyarrow as pa

from pavcodec.formats.parquet.columns import HANDS, NUMBER_BYTES, TRICKS

__all__ = ["CARDS", "DEAL", "EXPECTED", "TAGS", "is_bytes"]


DEAL = "deal"


CARDS = ("number", DEAL, *HANDS)
"""The columns of the cards."""

TAGS = ("board", "dealer", "vulnerable", "tags")
"""The columns of the tags, and those that follow from tags."""


def _is_text(kind: pa.DataType) -> bool:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(kind) for test in tests)


def is_bytes(kind: pa.DataType) -> bool:
    """Return whether a type holds bytes."""
    tests = (
        pa.types.is_fixed_size_binary,
        pa.types.is_binary,
        pa.types.is_large_binary,
        pa.types.is_binary_view,
    )
    return any(test(kind) for test in tests)


def _is_number(kind: pa.DataType) -> bool:
    """Return whether a type can hold numbers of deals: bytes, decimals, integers or their text."""
    is_whole = pa.types.is_integer(kind) or (pa.types.is_decimal(kind) and kind.scale == 0)
    return is_whole or is_bytes(kind) or _is_text(kind)


def _is_tricks(kind: pa.DataType) -> bool:
    """Return whether a type can hold tricks: a list of integers."""
    tests = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    return any(test(kind) for test in tests) and pa.types.is_integer(kind.value_type)


def _is_board(kind: pa.DataType) -> bool:
    return pa.types.is_integer(kind) or _is_text(kind)


def _is_tags(kind: pa.DataType) -> bool:
    """Return whether a type can hold tags: a map of texts, or a list of names, values and lines."""
    if pa.types.is_map(kind):
        return _is_text(kind.key_type) and _is_text(kind.item_type)
    if not (pa.types.is_list(kind) or pa.types.is_large_list(kind)):
        return False
    tag = kind.value_type
    if not pa.types.is_struct(tag):
        return False
    fields = {tag.field(place).name: tag.field(place).type for place in range(tag.num_fields)}
    lines = fields.pop("lines", pa.list_(pa.string()))
    has_lines = pa.types.is_list(lines) or pa.types.is_large_list(lines)
    return (
        set(fields) == {"name", "value"}
        and all(map(_is_text, fields.values()))
        and has_lines
        and _is_text(lines.value_type)
    )


EXPECTED: Mapping[str, tuple[Callable[[pa.DataType], bool], str]] = {
    "number": (_is_number, f"{NUMBER_BYTES} bytes, a decimal, an integer or a text"),
    **dict.fromkeys((DEAL, *HANDS, "dealer", "vulnerable"), (_is_text, "a text")),
    "board": (_is_board, "an integer or a text"),
    "tags": (_is_tags, "a list of name, value and lines, or a map of texts"),
    TRICKS: (_is_tricks, "a list of integers"),
}
"""The columns that are read if present: the check of their type, and its description."""
