"""Formats: files of boards, read and written by the name or the suffix of their format.

Each family of formats has a room; `catalogue` lists them all.
"""

from typing import TYPE_CHECKING

from pavcodec._lazy import loader
from pavcodec.formats.format import Format, Need, boards_in
from pavcodec.formats.recognition import format_names, format_of, open_boards, recognise
from pavcodec.formats.records.paths import open_records, write_records
from pavcodec.formats.registry import output_format, read, write

if TYPE_CHECKING:
    from pavcodec.formats.arrays import read_owners, read_solved, write_owners
    from pavcodec.formats.solved import forget_solved, use_solved

__all__ = [
    "Format",
    "Need",
    "boards_in",
    "forget_solved",
    "format_names",
    "format_of",
    "open_boards",
    "open_records",
    "output_format",
    "read",
    "read_owners",
    "read_solved",
    "recognise",
    "use_solved",
    "write",
    "write_owners",
    "write_records",
]

_ARRAYS = ("read_owners", "read_solved", "write_owners")

_SOLVED = ("forget_solved", "use_solved")

__getattr__ = loader(
    __name__,
    dict.fromkeys(_ARRAYS, "pavcodec.formats.arrays")
    | dict.fromkeys(_SOLVED, "pavcodec.formats.solved"),
)
